/**
 * The time and order of a write, and its expiry. All records of one transaction share one stamp, because a pointer per
 * record needs less memory than several numbers.
 */
export interface Stamp {
  /** Time of receipt: milliseconds since the epoch. */
  readonly fetchedAt: number
  /** End of validity: milliseconds since the epoch; `Infinity` for never. */
  readonly expiresAt: number
  /** Responses to reads that started before this position in the store's sequence lose against this write. */
  readonly sequence: number
  /** The start of the latest mutation that wrote it; 0 for none. Earlier mutations lose against this write. */
  readonly mutationStart: number
}

/** The order of a write among all others. The sequence of the store decides, never a clock (specification G4). */
export interface WriteOrder {
  /** An `expected` (optimistic) write wins over all received data. */
  readonly kind: 'read' | 'mutation' | 'expected'
  /** The position at which the request started. */
  readonly start: number
  /** The position at which the response is written. */
  readonly settle: number
}

/** The stamp of a record, list or call that was never written. */
export const neverWritten: Stamp = {
  fetchedAt: -Infinity,
  expiresAt: -Infinity,
  sequence: 0,
  mutationStart: 0,
}

/** True if a write replaces the data with this stamp; otherwise it only adds missing fields. */
export function wins(order: WriteOrder, stamp: Stamp): boolean {
  if (order.kind === 'read') return order.start >= stamp.sequence
  return order.kind === 'expected' || order.start >= stamp.mutationStart
}
