/**
 * Time and timers, as one replaceable object of a Controller. Tests pass one that they step themselves.
 *
 * @see specification 3 (clock)
 */
export interface Clock {
  /** Milliseconds since the epoch, as `Date.now()`. */
  now(): number
  /**
   * Calls `callback` once, `delayMs` milliseconds from now.
   *
   * @param options - `keepsAlive`: whether somebody awaits what the timer leads to, so that a Node process must not end
   *   before. @default false
   * @returns what `clearTimeout` takes
   */
  setTimeout(callback: () => void, delayMs: number, options?: { readonly keepsAlive?: boolean }): unknown
  /** Forgets a timer; does nothing when it has fired. */
  clearTimeout(timer: unknown): void
}

/** The longest time that a timer of the platform waits: milliseconds. One that is told to wait longer fires at once. */
export const longestWait = 2 ** 31 - 1

/**
 * The platform's clock. Its timers keep a Node process alive only where they are told to, and wait no longer than the
 * platform can.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(callback, delayMs, { keepsAlive = false } = {}) {
    const timer: unknown = setTimeout(callback, Math.min(delayMs, longestWait))
    const isOfNode = typeof timer === 'object' && timer !== null && 'unref' in timer
    if (isOfNode && !keepsAlive) (timer as { unref(): void }).unref()
    return timer
  },
  clearTimeout(timer) {
    clearTimeout(timer as ReturnType<typeof setTimeout>)
  },
}
