// In place of React Native and NetInfo, which run on devices only: what
// docs/react-native.md uses of them.

const appListeners = new Set<() => void>()
const networkListeners = new Set<
  (state: { readonly isConnected: boolean | null }) => void
>()

/** What a test does to the device. */
export const device = {
  turnTo(state: typeof AppState.currentState): void {
    AppState.currentState = state
    for (const listener of appListeners) listener()
  },
  connect(isConnected: boolean): void {
    for (const listener of networkListeners) listener({ isConnected })
  },
}

export const AppState = {
  currentState: 'active' as 'active' | 'background' | 'inactive',
  addEventListener(_event: 'change', listener: () => void) {
    appListeners.add(listener)
    return { remove: () => void appListeners.delete(listener) }
  },
}

const NetInfo = {
  addEventListener(
    listener: (state: { readonly isConnected: boolean | null }) => void,
  ) {
    networkListeners.add(listener)
    return () => void networkListeners.delete(listener)
  },
}
export default NetInfo
