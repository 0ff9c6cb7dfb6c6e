import type { RecordTable } from '../records.js'
import type { Reference } from '../reference.js'
import type { Call } from '../call.js'

/**
 * What the store tells a run of the garbage collector, because the application goes on between its slices. A record or
 * a list is got by a look-up, or from what can be reached anyway: so look-ups are all that is told.
 */
export interface Barrier {
  /**
   * A record or a list was looked up. It counts as reachable, unless it was already found not to be: then it is lost,
   * as if it had been removed at once with all others.
   */
  isLost(reference: Reference): boolean
  /** A call was looked up: it counts as used. */
  noteCall(call: Call): void
  /** A list of all records of a table is made. */
  noteAll(table: RecordTable): void
}
