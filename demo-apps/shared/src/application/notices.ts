/** How long a notice is shown, in milliseconds. */
const length = 4000

const listeners = new Set<() => void>()
let shown = ''
let timer: ReturnType<typeof setTimeout> | undefined

/** Tells the user for a few seconds what the application has done. Only in a page. */
export function announce(text: string): void {
  show(text)
  clearTimeout(timer)
  timer = setTimeout(() => show(''), length)
}

/** What the user is told now, for the frame of the screens. */
export const notices = {
  /** The text; empty if there is none. */
  current: (): string => shown,
  /** Calls a function after each change. @returns a function that ends it */
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function show(text: string): void {
  shown = text
  for (const listener of listeners) listener()
}
