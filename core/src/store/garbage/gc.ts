import type { Clock } from '../../util/clock.js'
import { GarbageRun } from './gc-run.js'
import type { Store } from '../store.js'

/**
 * How many records, calls, lists or references are looked at in one slice. Measured with Node: 200,000 records, of which
 * each second one holds another, take 301 slices when all are kept, and 201 when none is; the median slice takes 0.1 to
 * 0.3 ms.
 */
const unitsPerSlice = 4000

/** Where records arrive above `maxRecords`, a slice looks at so many more for each: a run takes a few slices then. */
const unitsPerArrival = 32

/** A slice is no longer than this many of those where none arrive. */
const longestSlice = 8

/** The shortest pause between two runs while the store stays over `maxRecords` because nearly all is needed. */
const pauseMs = 5000

/** What a garbage collector keeps. */
export interface GarbageOptions {
  /** How long what nobody reads is kept after its last use: milliseconds. */
  readonly keepLength: number
  /** How many records are kept beyond what is needed now; `Infinity` for all. */
  readonly maxRecords: number
  /** How much is done between two macrotasks: records, calls, lists or references that are looked at. @default 4000 */
  readonly unitsPerSlice?: number | undefined
}

/**
 * Removes what nobody can see any more: calls without readers, some time after their last use, and records that
 * no call and no record refers to, some time after they were received. Sooner where there are more records than wanted
 * (specification G6).
 */
export class GarbageCollector {
  /** `undefined` once it was stopped. */
  #store: Store | undefined
  readonly #clock: Clock
  readonly #keepLength: number
  readonly #maxRecords: number
  readonly #unitsPerSlice: number
  #timer: { readonly timer: unknown; readonly at: number } | undefined = undefined
  #running: GarbageRun | undefined = undefined
  /** More records than this are too many at once. */
  #ceiling: number
  /** How many there were after the last slice. */
  #sizeThen = 0
  /** When the last run ended: milliseconds since the epoch. */
  #endedAt = -Infinity

  constructor(store: Store, clock: Clock, options: GarbageOptions) {
    this.#store = store
    this.#clock = clock
    this.#keepLength = options.keepLength
    this.#maxRecords = options.maxRecords
    this.#unitsPerSlice = options.unitsPerSlice ?? unitsPerSlice
    this.#ceiling = options.maxRecords
  }

  /** Something was stored or may become unused: collects when it is time. */
  schedule(): void {
    if (this.#store === undefined || this.#running !== undefined) return
    if (this.#maxRecords !== Infinity) this.#collectAbove(this.#store.size)
    if (this.#timer === undefined && this.#keepLength !== Infinity) this.#collectIn(this.#keepLength)
  }

  stop(): void {
    this.#store = undefined
    this.#running?.abandon()
    this.#running = undefined
    this.#clearTimer()
  }

  /** Where nearly all was needed a moment ago, it does not look at all of it again. */
  #collectAbove(size: number): void {
    if (size <= this.#maxRecords) return
    const now = this.#clock.now()
    // A clock that stepped back makes nobody wait longer.
    const leftMs = Math.min(pauseMs, Math.max(0, this.#endedAt + pauseMs - now))
    const delayMs = size > this.#ceiling ? 0 : leftMs
    if (this.#timer !== undefined && this.#timer.at <= now + delayMs) return
    this.#clearTimer()
    this.#collectIn(delayMs)
  }

  #collectIn(delayMs: number): void {
    // A Controller that is dropped without `dispose` is not held by its timer.
    const collector = new WeakRef(this)
    const timer = this.#clock.setTimeout(() => collector.deref()?.collect(), delayMs)
    this.#timer = { timer, at: this.#clock.now() + delayMs }
  }

  /** Collects, or goes on with it: for the timer. */
  collect(): void {
    this.#timer = undefined
    const store = this.#store
    if (store === undefined) return
    this.#running ??= this.#begin(store)
    const isDone = this.#running.work(this.#unitsFor(store.size - this.#sizeThen))
    this.#sizeThen = store.size
    if (!isDone) {
      this.#collectIn(0)
      return
    }
    const { found } = this.#running
    this.#running = undefined
    this.#endedAt = this.#clock.now()
    // So much has to be stored anew before all is looked at again that a record costs a few looks, not one at all.
    this.#ceiling = Math.max(this.#maxRecords, found + (found >> 3))
    if (store.size + store.results.size + (store.lists?.size ?? 0) > 0) this.schedule()
  }

  #begin(store: Store): GarbageRun {
    const now = this.#clock.now()
    const isAbove = store.size > this.#maxRecords
    return new GarbageRun(store, {
      now,
      keepSince: now - this.#keepLength,
      // Some room is made, so that the next records do not have to be collected for at once.
      recordLimit: isAbove ? this.#maxRecords - (this.#maxRecords >> 3) : Infinity,
    })
  }

  /** How much the next slice looks at. @param arrived - how many records came since the last */
  #unitsFor(arrived: number): number {
    const units = this.#unitsPerSlice
    if (this.#maxRecords === Infinity || arrived <= 0) return units
    return Math.min(longestSlice * units, units + unitsPerArrival * arrived)
  }

  #clearTimer(): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer.timer)
    this.#timer = undefined
  }
}
