/** Returns whether data can be used, and if it should be fetched again. @see specification 3 */
export type ExpiryStatus = 'Invalid' | 'Stale' | 'Valid'
