/** Why a reader checked expiry. */
export type Occasion =
  | 'mounted'
  | 'arguments'
  | 'shown'
  | 'focus'
  | 'reconnect'
  | 'interval'
  | 'refetchStale'
  | 'expired'
  | 'invalidated'
  | 'retried'
  | 'poll'
  | 'prefetch'

/** Why a reader sent or joined a request. */
export interface RequestReason {
  readonly occasion: Occasion
  /** The expiry status of the call when the reader fetched it. */
  readonly status: 'Invalid' | 'Stale' | 'Valid'
  /**
   * Why a call is Invalid that was answered: it was invalidated, or its data is stored and Stale, and its endpoint shows no Stale data.
   * `undefined` for all others.
   */
  readonly missing: 'invalidated' | 'stale' | undefined
  /** How long the data had been expired, in milliseconds; `undefined` without data, or if it was made Stale. */
  readonly expiredForMs: number | undefined
  /** The name of the reader; `undefined` if it is unknown. */
  readonly reader: string | undefined
}

/** Is told why readers ask. Development only. */
export interface RequestTracer {
  asked(key: string, reason: RequestReason): void
}
