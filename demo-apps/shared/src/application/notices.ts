/** How long a notice is shown, in milliseconds; longer if it offers something. */
const length = 4000
const lengthOfOffer = 8000

/** A button of a notice. */
export interface Offer {
  readonly name: string
  readonly run: () => void
}

/** What the user is told. */
export interface NoticeText {
  /** Empty if there is none. */
  readonly text: string
  readonly offer?: Offer | undefined
}

const none: NoticeText = { text: '' }
const listeners = new Set<() => void>()
let shown = none
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Tells the user for a few seconds what the application has done. Only in a page.
 *
 * @param offer - what the user may do about it, such as undo it
 */
export function announce(text: string, offer?: Offer): void {
  const run = () => {
    show(none)
    offer?.run()
  }
  show({ text, offer: offer && { ...offer, run } })
  clearTimeout(timer)
  timer = setTimeout(() => show(none), offer === undefined ? length : lengthOfOffer)
}

/** What the user is told now, for the frame of the screens. */
export const notices = {
  /** The same object until it changes. */
  current: (): NoticeText => shown,
  /** What a server shows. */
  none: (): NoticeText => none,
  /** Calls a function after each change. @returns a function that ends it */
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function show(notice: NoticeText): void {
  shown = notice
  for (const listener of listeners) listener()
}
