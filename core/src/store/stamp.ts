import type { Fields } from '../schema/fields.js'
import type { Reference } from '../normalize/reference.js'

/**
 * The time and order of a write, and its expiry. All records of one transaction share one stamp, because a pointer per
 * record needs less memory than several numbers.
 */
export interface Stamp {
  /** Time of receipt: milliseconds since the epoch. */
  readonly fetchedAt: number
  /** End of validity: milliseconds since the epoch; `Infinity` for never. */
  readonly expiresAt: number
  /** The position in the store's sequence at which its request started. */
  readonly start: number
  /** Responses to reads that started before this position lose against this write. */
  readonly sequence: number
  /** The start of the latest mutation that wrote it; 0 for none. Earlier mutations lose against this write. */
  readonly mutationStart: number
  /** Where the record became Stale because the server may know better: what started before leaves it Stale. */
  readonly doubtedAt?: number
}

/** The fields that a mutation writes itself. All else in its response was only observed. */
export interface OwnFields {
  /** Its arguments, of which the last is its body: a plain object, or an array of records. */
  readonly args: readonly unknown[]
  /**
   * Which records of its response exist because of it: all for a create and a PUT; if nothing says which it changes, those that were not
   * known when it started.
   */
  readonly makes: 'all' | 'new' | 'none'
  /** By record, the fields in which its optimistic response differed from the data below. */
  readonly expected: ReadonlyMap<Reference, Fields> | undefined
}

/** The order of a write among all others. The sequence of the store decides, never a clock (specification G4). */
export interface WriteOrder {
  /**
   * The response of a `read` or a `mutation`; data that the application `set`, or that a `message` of a live connection
   * brought; or an `expected` (optimistic) response, which wins over all received data.
   */
  readonly kind: 'read' | 'mutation' | 'set' | 'message' | 'expected'
  /** The position at which the request started. */
  readonly start: number
  /** The position at which the response is written. */
  readonly settle: number
  /** The fields that a mutation writes itself. */
  readonly own?: OwnFields | undefined
}

/** The stamp of a record, list or call that was never written. */
export const neverWritten: Stamp = {
  fetchedAt: -Infinity,
  expiresAt: -Infinity,
  start: 0,
  sequence: 0,
  mutationStart: 0,
}
