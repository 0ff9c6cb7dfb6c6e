import { listen } from './listen.js'

/**
 * Tells whether the platform is online. On platforms other than browsers, pass your own object.
 *
 * @example
 * // React Native, with @react-native-community/netinfo. The first listener stays for the lifetime of the app.
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
  /** Returns `true` if the platform is online, as far as it knows. */
  isOnline(): boolean
  /** Calls a function when that may have changed. @returns a function that removes the listener */
  subscribe(listener: () => void): () => void
}

/** The network of a browser: `navigator.onLine` and its events. Always online if the platform has none of these. */
export const browserNetwork: NetworkState = {
  isOnline: () => typeof navigator === 'undefined' || navigator.onLine !== false,
  subscribe: (listener) => listen(globalThis, ['online', 'offline'], listener),
}
