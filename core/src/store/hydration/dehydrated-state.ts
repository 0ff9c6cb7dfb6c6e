import type { CollectionArgs } from '../../schema/delegates.js'

/**
 * What a Controller knows, as plain data: `dehydrate(controller)` gives it and `hydrate(controller, state)` takes it.
 * What an endpoint's function gives besides plain data (a `Date`, a `Map`) is passed on as it is: `serialize` writes it.
 */
export interface DehydratedState {
  /** Of this form. */
  readonly version: 1
  /** When things were received, and until when they are Valid: milliseconds since the epoch; `null` for ever. */
  readonly stamps: readonly (readonly [fetchedAt: number, expiresAt: number | null])[]
  /** By entity key: primary key, stamp, and fields; `null` for a record that was deleted. */
  readonly records: readonly (readonly [
    key: string,
    records: readonly (readonly [pk: string, stamp: number, fields: unknown])[],
  ])[]
  /** Entity keys of which something was received, be it an empty list. */
  readonly listed?: readonly string[]
  /** Where in the page `useCache`, `useQuery` or `useDLE` were rendered without data: the first render in the page repeats it. */
  readonly blanks?: readonly string[]
  /** Places of `blanks` in an earlier part of the page, which were rendered anew with data. */
  readonly filled?: readonly string[]
  readonly lists: readonly DehydratedList[]
  readonly results: readonly DehydratedResult[]
}

/** A list of a Collection. */
export interface DehydratedList {
  readonly name: string
  readonly args: CollectionArgs
  readonly isFilter: boolean
  /** The key of the call that answers it. */
  readonly call?: string | undefined
  readonly stamp: number
  /** Missing when it was never loaded. */
  readonly members?: unknown
  /** Its first page, where pages were appended to it. */
  readonly head?: unknown
}

/** What a call was answered with. */
export interface DehydratedResult {
  readonly key: string
  readonly stamp: number
  /** Whether the call is unanswered, whatever the records say. */
  readonly isInvalidated?: boolean
  /** Missing when the call failed before it was ever answered. */
  readonly result?: unknown
  readonly hasResult?: boolean
  /** Where the list is that pages were appended to, and its first page. */
  readonly path?: readonly string[]
  readonly head?: unknown
  readonly error?: DehydratedError
}

/** An error as plain data: what a page shows of it. Without its stack, its response and the body of that. */
export interface PlainError {
  readonly name: string
  readonly message: string
  readonly code?: string | number
  readonly status?: number
}

/** The error of a call. */
export interface DehydratedError extends PlainError {
  /** When it stops being thrown again: milliseconds since the epoch; `null` for never. */
  readonly expiresAt: number | null
}
