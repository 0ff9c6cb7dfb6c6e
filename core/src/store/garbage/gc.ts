import type { Clock } from '../../util/clock.js'
import { beginRun } from './gc-run.js'
import type { GarbageRun } from './gc-run.js'
import type { Store } from '../store.js'

/** The number of records, calls, lists or references that one slice visits. */
const unitsPerSlice = 4000

/** A slice ends after this time, in milliseconds. */
const sliceMs = 3

/** Looks at the clock after this number of units. */
const unitsPerLook = 500

/** Additional units of a slice for each record that arrived since the last one, so that a run takes only a few slices. */
const unitsPerArrival = 32

/** The most additional units. */
const mostUnits = 200_000

/** Pause between two runs while the store stays over `maxRecords` because most records are needed, and without a `keepLength`. */
const pauseMs = 5000

/** Options of a garbage collector. */
export interface GarbageOptions {
  /** Calls without readers are kept for this time after their last use: milliseconds. */
  readonly keepLength: number
  /** Unneeded records are kept up to this total number of records; `Infinity` for all. */
  readonly maxRecords: number
  /** The number of records, calls, lists or references visited per macrotask. @default 4000 */
  readonly unitsPerSlice?: number | undefined
}

/**
 * Removes unreachable data: calls without readers, `keepLength` after their last use, and records that no call and no
 * record refers to, `keepLength` after they were received. Sooner if there are more than `maxRecords` records
 * (specification G6).
 */
export class GarbageCollector {
  /** `undefined` after `stop`. */
  #store: Store | undefined
  readonly #clock: Clock
  readonly #options: GarbageOptions
  #timer: { readonly timer: unknown; readonly at: number } | undefined
  /** The current run. */
  run: GarbageRun | undefined
  /** The number of records after the last slice, or below the ceiling since. */
  #size = 0
  /** With more records than this a run starts without a pause. */
  #ceiling: number

  constructor(store: Store, clock: Clock, options: GarbageOptions) {
    this.#store = store
    this.#clock = clock
    this.#options = options
    this.#ceiling = options.maxRecords
  }

  /** Schedules a run after data was stored or may have become unused. */
  schedule(): void {
    if (this.#store === undefined || this.run !== undefined) return
    const { keepLength, maxRecords } = this.#options
    const size = maxRecords === Infinity ? 0 : this.#store.size
    if (size <= this.#ceiling) this.#size = size
    if (size > maxRecords) this.#collectIn(size > this.#ceiling ? 0 : pauseMs)
    else if (keepLength !== Infinity && (this.#timer === undefined || keepLength === 0))
      this.#collectIn(keepLength)
  }

  stop(): void {
    this.#store = undefined
    this.#clearTimer()
  }

  #collectIn(delayMs: number): void {
    const at = this.#clock.now() + delayMs
    if (this.#timer !== undefined && this.#timer.at <= at) return
    this.#clearTimer()
    // A WeakRef, so that the timer does not retain a Controller that is dropped without `dispose`.
    const collector = new WeakRef(this)
    this.#timer = { timer: this.#clock.setTimeout(() => collector.deref()?.collect(), delayMs), at }
  }

  /** Runs one slice of a new or the current run; called by the timer. */
  collect(): void {
    this.#timer = undefined
    const store = this.#store
    if (store === undefined) return
    const { keepLength, maxRecords, unitsPerSlice: units = unitsPerSlice } = this.#options
    const now = this.#clock.now()
    const arrived = maxRecords === Infinity ? 0 : store.size - this.#size
    const run = (this.run ??= beginRun(store, {
      now,
      keepSince: now - keepLength,
      maxRecords: store.size > maxRecords ? maxRecords : Infinity,
    }))
    let isDone = arrived > 0 && run.work(Math.min(unitsPerArrival * arrived, mostUnits))
    for (let left = units; !isDone && left > 0 && this.#clock.now() - now < sliceMs; left -= unitsPerLook)
      isDone = run.work(Math.min(left, unitsPerLook))
    this.#size = store.size
    if (!isDone) return this.#collectIn(0)
    this.run = undefined
    // Waits for an eighth more records before the next run, so that each new record costs only a few visits.
    this.#ceiling = Math.max(maxRecords, run.found + (run.found >> 3))
    if (store.size + store.results.size + (store.lists?.size ?? 0) === 0) return
    // Otherwise a run would follow each run at once.
    if (keepLength === 0) this.#collectIn(pauseMs)
    else this.schedule()
  }

  #clearTimer(): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer.timer)
    this.#timer = undefined
  }
}
