/**
 * How readers treat Stale data.
 *
 * - `stale-while-revalidate` shows it and refetches it
 * - `cache-first` shows it and does not fetch
 * - `network-first` does not show it: it counts as Invalid
 */
export type ExpiryPolicy = 'stale-while-revalidate' | 'cache-first' | 'network-first'
