import { listen } from './listen.js'

/**
 * Tells whether the page is visible. On platforms other than browsers, pass your own object.
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
  /** Returns `true` while the page is visible. */
  isVisible(): boolean
  /**
   * Calls a function when that changes, or when the page gets the focus.
   *
   * @returns a function that removes the listener
   */
  subscribe(listener: () => void): () => void
}

/** The page of a browser: its visibility and the focus of its window. Always visible on a platform without a page. */
export const browserPage: PageState = {
  isVisible: () => typeof document === 'undefined' || document.visibilityState !== 'hidden',
  subscribe(listener) {
    if (typeof document === 'undefined') return () => {}
    const ends = [listen(document, ['visibilitychange'], listener), listen(globalThis, ['focus'], listener)]
    return () => ends.forEach((end) => end())
  },
}
