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

/** A clock that never steps back: what time passed by it passed, so that nothing gets younger. */
export class SteadyClock implements Clock {
  readonly #clock: Clock
  /** How far the clock below stepped back so far: milliseconds. */
  #behindMs = 0
  #latest = -Infinity

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): number {
    const now = this.#clock.now() + this.#behindMs
    if (now >= this.#latest) return (this.#latest = now)
    this.#behindMs += this.#latest - now
    return this.#latest
  }

  setTimeout(callback: () => void, delayMs: number, options?: { readonly keepsAlive?: boolean }): unknown {
    return this.#clock.setTimeout(callback, Math.min(delayMs, longestWait), options)
  }

  clearTimeout(timer: unknown): void {
    this.#clock.clearTimeout(timer)
  }
}

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
