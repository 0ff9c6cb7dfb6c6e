/**
 * When something was written, and until when it counts. One stamp is shared by all that one transaction wrote,
 * because two numbers in each record would cost more memory than one pointer.
 */
export interface Stamp {
  /** When it was received: milliseconds since the epoch. */
  readonly fetchedAt: number
  /** When it stops being Valid: milliseconds since the epoch; `Infinity` for never. */
  readonly expiresAt: number
  /** Reads that started before this position in the store's sequence lose against what carries this stamp. */
  readonly sequence: number
  /** The start of the latest mutation that wrote it; 0 for none. Earlier mutations lose against it. */
  readonly mutationStart: number
}

/** A write's place among all others. The sequence of the store decides, never a clock (specification G4). */
export interface WriteOrder {
  /** What a mutation under way is `expected` to do wins over all that was received. */
  readonly kind: 'read' | 'mutation' | 'expected'
  /** The position at which the request started. */
  readonly start: number
  /** The position at which its answer is written. */
  readonly settle: number
}

/** The stamp of what was never written. */
export const neverWritten: Stamp = {
  fetchedAt: -Infinity,
  expiresAt: -Infinity,
  sequence: 0,
  mutationStart: 0,
}

/** Whether an answer replaces what carries the stamp; a loser only fills what is missing. */
export function wins(order: WriteOrder, stamp: Stamp): boolean {
  if (order.kind === 'read') return order.start >= stamp.sequence
  return order.kind === 'expected' || order.start >= stamp.mutationStart
}
