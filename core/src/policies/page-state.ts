import { listen } from './listen.js'

/**
 * Whether the page is visible. Platforms other than browsers pass their own.
 *
 * @example
 * // React Native
 * const page: PageState = {
 *   isVisible: () => AppState.currentState === 'active',
 *   subscribe(listener) {
 *     const subscription = AppState.addEventListener('change', listener)
 *     return () => subscription.remove()
 *   },
 * }
 */
export interface PageState {
  /** Whether the page is visible now. */
  isVisible(): boolean
  /** Calls a function when that changed, or when the page got the focus. @returns a function that ends it */
  subscribe(listener: () => void): () => void
}

/** The page of a browser: its visibility and the focus of its window. Where there is no page, it is always visible. */
export const browserPage: PageState = {
  isVisible: () => typeof document === 'undefined' || document.visibilityState !== 'hidden',
  subscribe(listener) {
    if (typeof document === 'undefined') return () => {}
    const ends = [listen(document, ['visibilitychange'], listener), listen(globalThis, ['focus'], listener)]
    return () => ends.forEach((end) => end())
  },
}
