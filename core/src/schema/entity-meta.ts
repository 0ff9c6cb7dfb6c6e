import type { Fields } from './fields.js'

/** The times of a record, and the order of its request. */
export interface EntityMeta {
  /** The time at which the record was received, in milliseconds since the epoch. */
  readonly fetchedAt: number
  /** The time at which the record stops being Valid, in milliseconds since the epoch. */
  readonly expiresAt: number
  /** The position of its request in the order of requests. A lower number means an earlier request. */
  readonly order: number
}

/** The stored and the received state of a record that is merged. */
export type MergedStates = [
  existingMeta: EntityMeta,
  incomingMeta: EntityMeta,
  existing: Fields,
  incoming: Fields,
]
