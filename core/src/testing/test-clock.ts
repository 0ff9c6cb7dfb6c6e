import * as errors from '../errors.js'
import type { Clock } from '../util/clock.js'

interface Timer {
  readonly dueAt: number
  readonly callback: () => void
}

/**
 * A clock that stands still until a test advances it.
 *
 * @see specification 3, Clock
 * @example
 * const clock = new TestClock()
 * const controller = createMockController({ clock, fixtures })
 * await controller.fetch(todoResource.get, { id: 5 })
 * clock.advance(60_000)
 * controller.read(todoResource.get, { id: 5 }).status // 'Stale'
 */
export class TestClock implements Clock {
  #now: number
  /** In the order in which they were set, which decides between timers of the same time. */
  readonly #timers = new Set<Timer>()

  /** @param now - the time, in milliseconds since the epoch @default January 1, 2026, UTC */
  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  setTimeout(callback: () => void, delayMs: number): unknown {
    const timer: Timer = { dueAt: this.#now + Math.max(0, delayMs), callback }
    this.#timers.add(timer)
    return timer
  }

  clearTimeout(timer: unknown): void {
    this.#timers.delete(timer as Timer)
  }

  /** The number of pending timers. */
  get timers(): number {
    return this.#timers.size
  }

  /**
   * Advances the time and fires the timers that become due, earliest first. During a timer, the clock shows the time
   * that the timer was set for.
   *
   * @param ms - 0 fires only the timers that are due now
   * @returns the number of timers that fired
   * @throws {SelfsameError} `argument-invalid` for a time that is negative or not a number, and when timers keep
   *   setting timers for the same time
   */
  advance(ms: number): number {
    if (!(ms >= 0)) throw errors.clockCannotAdvance(ms)
    const end = this.#now + ms
    let fired = 0
    for (let timer = this.#nextDue(end); timer !== undefined; timer = this.#nextDue(end)) {
      if (++fired > 100_000) throw errors.timersWithoutEnd(this.#now)
      this.#timers.delete(timer)
      this.#now = Math.max(this.#now, timer.dueAt)
      timer.callback()
    }
    this.#now = end
    return fired
  }

  #nextDue(end: number): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.dueAt <= end && (next === undefined || timer.dueAt < next.dueAt)) next = timer
    }
    return next
  }
}
