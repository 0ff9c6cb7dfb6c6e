/** The dialogs that can be opened from every screen. */
export type DialogName = 'palette' | 'new-issue' | 'help'

const listeners = new Set<() => void>()
let shown: DialogName | undefined

/** Which dialog is open, for the frame of the screens. Only in a page. */
export const dialogs = {
  /** `undefined` if none is open. */
  current: (): DialogName | undefined => shown,
  open(name: DialogName): void {
    show(name)
  },
  close(): void {
    show(undefined)
  },
  /** Calls a function after each change. @returns a function that ends it */
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function show(name: DialogName | undefined): void {
  if (name === shown) return
  shown = name
  for (const listener of listeners) listener()
}
