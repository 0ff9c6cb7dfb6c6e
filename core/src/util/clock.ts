/**
 * The time and the timers of a Controller. Tests pass a clock that they advance themselves.
 *
 * @see specification 3 (clock)
 */
export interface Clock {
  /** Returns milliseconds since the epoch, like `Date.now()`. */
  now(): number
  /**
   * Calls `callback` once, `delayMs` milliseconds from now.
   *
   * @param options - `keepsAlive: true` keeps a Node process alive until the timer fires. @default false
   * @returns a handle for `clearTimeout`
   */
  setTimeout(callback: () => void, delayMs: number, options?: { readonly keepsAlive?: boolean }): unknown
  /** Cancels a timer; does nothing if it has fired. */
  clearTimeout(timer: unknown): void
}

/** The longest delay of a platform timer, in milliseconds. With a longer delay it fires at once. */
export const longestWait = 2 ** 31 - 1

/** A clock that never steps back, so that no data gets younger. */
export class SteadyClock implements Clock {
  readonly #clock: Clock
  /** The sum of all steps back of the given clock, in milliseconds. */
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
 * The clock of the platform. Its timers keep a Node process alive only with `keepsAlive`.
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
