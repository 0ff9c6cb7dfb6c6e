/**
 * Time and timers, as one replaceable object of a Controller. Tests pass one that they step themselves.
 *
 * @see specification 3 (clock)
 */
export interface Clock {
  /** Milliseconds since the epoch, as `Date.now()`. */
  now(): number
  /** Calls `callback` once, `delayMs` milliseconds from now. @returns what `clearTimeout` takes */
  setTimeout(callback: () => void, delayMs: number): unknown
  /** Forgets a timer; does nothing when it has fired. */
  clearTimeout(timer: unknown): void
}

/** The platform's clock. Its timers do not keep a Node process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(callback, delayMs) {
    const timer: unknown = setTimeout(callback, delayMs)
    if (typeof timer === 'object' && timer !== null && 'unref' in timer) (timer as { unref(): void }).unref()
    return timer
  },
  clearTimeout(timer) {
    clearTimeout(timer as ReturnType<typeof setTimeout>)
  },
}
