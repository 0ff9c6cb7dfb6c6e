import type { CollectionArgs } from '../../schema/delegates.js'

/**
 * The state of a Controller as plain data, from `dehydrate(controller)`, for `hydrate(controller, state)`. Values of
 * results that are not plain data (a `Date`, a `Map`) are included unchanged; `serialize` can encode them.
 */
export interface DehydratedState {
  /** The version of this format. */
  readonly version: 1
  /**
   * Pairs of times, in milliseconds since the epoch: when data was received, and when it stops being Valid; `null`
   * for never.
   */
  readonly stamps: readonly (readonly [fetchedAt: number, expiresAt: number | null])[]
  /** By entity key: primary key, index of the stamp, and fields; `null` for a deleted record. */
  readonly records: readonly (readonly [
    key: string,
    records: readonly (readonly [pk: string, stamp: number, fields: unknown])[],
  ])[]
  /** Entity keys of which any data was received, even an empty list. */
  readonly listed?: readonly string[]
  /**
   * Positions in the page where `useCache`, `useQuery` or `useDLE` rendered without data. The first render in the
   * page repeats that.
   */
  readonly blanks?: readonly string[]
  /** Positions of `blanks` in an earlier part of the page that were rendered again with data. */
  readonly filled?: readonly string[]
  /** Keys of calls that the server fetched when it sent this part of the page: a later part has their responses. */
  readonly pending?: readonly string[]
  readonly lists: readonly DehydratedList[]
  readonly results: readonly DehydratedResult[]
}

/** A list of a Collection. */
export interface DehydratedList {
  readonly name: string
  readonly args: CollectionArgs
  readonly isFilter: boolean
  /** The key of the call whose response is the list. */
  readonly call?: string | undefined
  readonly stamp: number
  /** Missing if the list was never loaded. */
  readonly members?: unknown
  /** Its first page, if pages were appended. */
  readonly head?: unknown
  /** What its pages in both directions brought. */
  readonly sides?: unknown
}

/** The result of a call. */
export interface DehydratedResult {
  readonly key: string
  readonly stamp: number
  /** True if the call was invalidated: it is Invalid, even if records could answer it. */
  readonly isInvalidated?: boolean
  /** True if it was made Stale after its last response. */
  readonly isExpired?: boolean
  /** True if the result is lists that came with other data. */
  readonly isInferred?: boolean
  /** Missing if the call failed before its first response. */
  readonly result?: unknown
  readonly hasResult?: boolean
  /** The position of the list that pages were appended to, and its first page. */
  readonly path?: readonly string[]
  readonly head?: unknown
  readonly sides?: unknown
  /** The arguments of the calls for its pages, in order. */
  readonly pages?: readonly unknown[]
  readonly error?: DehydratedError
}

/** An error as plain data, for the page: without its stack, response and response body. */
export interface PlainError {
  readonly name: string
  readonly message: string
  readonly code?: string | number
  readonly status?: number
  /** The request of a `NetworkError`. */
  readonly method?: string
  readonly path?: string
}

/** The error of a call. */
export interface DehydratedError extends PlainError {
  /** When the error expires, so that readers refetch: milliseconds since the epoch; `null` for never. */
  readonly expiresAt: number | null
}
