/** The globals of a page that tell whether it is online. */
interface Network {
  readonly navigator?: { readonly onLine?: boolean } | undefined
  readonly addEventListener?: (type: 'online', listener: () => void) => void
  readonly removeEventListener?: (type: 'online', listener: () => void) => void
}

/** True if the platform reports that it is offline, and will report when it is online again. */
export function isOffline(): boolean {
  const { navigator, addEventListener } = globalThis as Network
  return navigator?.onLine === false && addEventListener !== undefined
}

/** Calls a function once when the platform is online again. @returns a function that cancels it */
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
