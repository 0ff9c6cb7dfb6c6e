import type { Clock } from '../util/clock.js'
import { Collection } from './collect-run.js'
import type { Store } from './store.js'

/**
 * How many records, rows, lists or references are looked at in one slice. Measured with Node: 100,000 records that each
 * hold another one take 276 slices when all are kept, and 226 when none is; the median slice takes 0.2 to 0.6 ms.
 */
const unitsPerSlice = 4000

/** How long what nobody needs may be above the ceiling when most is needed: milliseconds. */
const pauseLength = 5000

/** What a collector keeps. */
export interface CollectorOptions {
  /** How long what nobody reads is kept after its last use: milliseconds. */
  readonly keepLength: number
  /** How many records are kept beyond what is needed now; `Infinity` for all. */
  readonly maxRecords: number
  /** How much is done between two macrotasks: records, rows, lists or references that are looked at. @default 4000 */
  readonly unitsPerSlice?: number | undefined
}

/**
 * Removes what nobody can see any more: rows without readers, some time after their last use, and records that
 * no row and no record refers to, some time after they were received. Sooner where there are more records than wanted
 * (specification G6).
 */
export class Collector {
  readonly #store: Store
  readonly #clock: Clock
  readonly #keepLength: number
  readonly #maxRecords: number
  readonly #unitsPerSlice: number
  #timer: { readonly timer: unknown; readonly at: number } | undefined = undefined
  #running: Collection | undefined = undefined
  /** More records than this are too many at once. */
  #ceiling: number
  /** When the last collection ended: milliseconds since the epoch. */
  #endedAt = -Infinity
  #isStopped = false

  constructor(store: Store, clock: Clock, options: CollectorOptions) {
    this.#store = store
    this.#clock = clock
    this.#keepLength = options.keepLength
    this.#maxRecords = options.maxRecords
    this.#unitsPerSlice = options.unitsPerSlice ?? unitsPerSlice
    this.#ceiling = options.maxRecords
  }

  /** Something was stored or may become unused: collects when it is time. */
  schedule(): void {
    if (this.#isStopped || this.#running !== undefined) return
    if (this.#maxRecords !== Infinity && this.#store.size > this.#maxRecords) this.#collectAbove()
    if (this.#timer === undefined && this.#keepLength !== Infinity) this.#collectIn(this.#keepLength)
  }

  stop(): void {
    this.#isStopped = true
    this.#running?.abandon()
    this.#clearTimer()
  }

  /** There are more records than wanted. Where all were needed a moment ago, it does not look at all of them again. */
  #collectAbove(): void {
    const now = this.#clock.now()
    const isTooMany = this.#store.size > this.#ceiling
    // A clock that stepped back makes nobody wait longer.
    const delayMs = isTooMany ? 0 : Math.min(pauseLength, Math.max(0, this.#endedAt + pauseLength - now))
    if (this.#timer !== undefined && this.#timer.at <= now + delayMs) return
    this.#clearTimer()
    this.#collectIn(delayMs)
  }

  #collectIn(delayMs: number): void {
    const timer = this.#clock.setTimeout(() => this.#collect(), delayMs)
    this.#timer = { timer, at: this.#clock.now() + delayMs }
  }

  #collect(): void {
    this.#timer = undefined
    if (this.#isStopped) return
    this.#running ??= this.#begin()
    if (!this.#running.work(this.#unitsPerSlice)) {
      this.#collectIn(0)
      return
    }
    this.#running = undefined
    this.#endedAt = this.#clock.now()
    const { size, results, collections } = this.#store
    // So much has to be stored anew before all is looked at again that a record costs a few looks, not one at all.
    this.#ceiling = Math.max(this.#maxRecords, size + (size >> 3))
    if (size + results.size + collections.size > 0) this.schedule()
  }

  #begin(): Collection {
    const now = this.#clock.now()
    const isAbove = this.#store.size > this.#maxRecords
    return new Collection(this.#store, {
      now,
      keepSince: now - this.#keepLength,
      // Some room is made, so that the next records do not have to be collected for at once.
      recordLimit: isAbove ? this.#maxRecords - (this.#maxRecords >> 3) : Infinity,
    })
  }

  #clearTimer(): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer.timer)
    this.#timer = undefined
  }
}
