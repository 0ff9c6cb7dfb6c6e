import { listen } from './listen.js'

/**
 * Whether there is a network. Platforms other than browsers give their own.
 *
 * @example
 * // React Native, with @react-native-community/netinfo. The first listener is there for as long as the app.
 * let isConnected = true
 * NetInfo.addEventListener((state) => {
 *   isConnected = state.isConnected !== false
 * })
 * const network: NetworkState = {
 *   isOnline: () => isConnected,
 *   subscribe: (listener) => NetInfo.addEventListener(listener),
 * }
 */
export interface NetworkState {
  /** Whether there is a network now, as far as is known. */
  isOnline(): boolean
  /** Calls a function when that may have changed. @returns a function that ends it */
  subscribe(listener: () => void): () => void
}

/** The network of a browser: `navigator.onLine` and its events. Where there is none of that, it is always there. */
export const browserNetwork: NetworkState = {
  isOnline: () => typeof navigator === 'undefined' || navigator.onLine !== false,
  subscribe: (listener) => listen(globalThis, ['online', 'offline'], listener),
}
