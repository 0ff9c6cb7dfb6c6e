/** What of a page's globals tells whether there is a network. */
interface Network {
  readonly navigator?: { readonly onLine?: boolean } | undefined
  readonly addEventListener?: (type: 'online', listener: () => void) => void
  readonly removeEventListener?: (type: 'online', listener: () => void) => void
}

/** Whether the platform knows that there is no network, and will say when there is one. */
export function isOffline(): boolean {
  const { navigator, addEventListener } = globalThis as Network
  return navigator?.onLine === false && addEventListener !== undefined
}

/** Calls a function once, when there is a network again. @returns a function that forgets it */
export function whenOnline(callback: () => void): () => void {
  const network = globalThis as Network
  const listener = () => {
    end()
    callback()
  }
  const end = () => network.removeEventListener?.('online', listener)
  network.addEventListener?.('online', listener)
  return end
}
