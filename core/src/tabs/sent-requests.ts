import type { Clock } from '../util/clock.js'
import type { Moment, Span } from './recent.js'

/** When something was written or read. */
export type UntouchedSpan = Omit<Span, 'touched'>

/** The moments of this tab, and its requests under way: when they were sent, and what was heard before. */
export class SentRequests {
  readonly #clock: Clock
  readonly #tab = Math.random().toString(36).slice(2)
  /** By the ids of requests; of a read that another tab has made, when it did. */
  readonly #times = new Map<number | undefined, Partial<UntouchedSpan>>()
  /** By other tab, the last moment that was heard of, if that was in the last second. */
  #heard: Readonly<Record<string, number>> = {}
  #lastAt = -Infinity

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Now, and later than any moment before in this tab: parts of a millisecond number those of one. */
  moment(): Moment {
    this.#lastAt = Math.max(this.#clock.now(), this.#lastAt + 1 / 1024)
    return { at: this.#lastAt, tab: this.#tab }
  }

  /** Notes that another tab has told of a moment: what is sent from now on was sent after it. */
  hear({ at, tab }: Moment): void {
    // Only what was in the millisecond of a request matters.
    const late = Object.entries(this.#heard).filter(([, heardAt]) => heardAt > this.#clock.now() - 1000)
    this.#heard = { ...Object.fromEntries(late), [tab]: at }
  }

  /** Notes that a request is sent now. */
  send(id: number): void {
    if (!this.isJoined(id)) this.#times.set(id, { from: this.moment().at, heard: this.#heard })
  }

  /** Notes that another tab has made a read. */
  join(id: number, span: UntouchedSpan): void {
    this.#times.set(id, span)
  }

  isJoined(id: number): boolean {
    return this.#times.get(id)?.at !== undefined
  }

  has(id: number): boolean {
    return this.#times.has(id)
  }

  /** Forgets a request that is answered, stored and told. */
  end(id: number): void {
    this.#times.delete(id)
  }

  /** Forgets all requests. */
  clear(): void {
    this.#times.clear()
  }

  /**
   * Returns when something was written or read.
   *
   * @param id - the request that brought it @default none
   * @param moment - when it came @default now
   */
  timesOf(kind: Span['kind'], id?: number, moment = this.moment()): UntouchedSpan {
    return { kind, from: moment.at, ...moment, ...this.#times.get(id) }
  }
}
