/**
 * What Stale data is good for.
 *
 * - `stale-while-revalidate` shows it while it is fetched again
 * - `cache-first` shows it and does not fetch
 * - `network-first` does not show it: Stale counts as Invalid
 */
export type ExpiryPolicy = 'stale-while-revalidate' | 'cache-first' | 'network-first'
