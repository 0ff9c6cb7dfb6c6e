/** Returns whether data can be used, and whether it should be refetched. @see specification 3 */
export type ExpiryStatus = 'Invalid' | 'Stale' | 'Valid'
