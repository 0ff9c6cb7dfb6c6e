import type { ExpiryPolicy } from '../schema/expiry-policy.js'

/** Tells if data can be used, and if it should be fetched again. @see specification 3 */
export type ExpiryStatus = 'Invalid' | 'Stale' | 'Valid'

/** The inputs of the status of a read at one time. */
export interface ExpiryFacts {
  /** True if the store can show the data at all. */
  readonly isReadable: boolean
  /** End of validity: milliseconds since the epoch. */
  readonly expiresAt: number
  /** The current time: milliseconds since the epoch. */
  readonly now: number
  readonly invalidIfStale: boolean
  readonly policy: ExpiryPolicy
}

/**
 * Decides the expiry status of a read. Data expires *at* `expiresAt`, so that a length of 0 is Stale at once.
 *
 * @see specification 3 (expiry)
 */
export function statusOf({ isReadable, expiresAt, now, invalidIfStale, policy }: ExpiryFacts): ExpiryStatus {
  if (!isReadable) return 'Invalid'
  if (expiresAt > now) return 'Valid'
  if (invalidIfStale || policy === 'network-first') return 'Invalid'
  return policy === 'cache-first' ? 'Valid' : 'Stale'
}
