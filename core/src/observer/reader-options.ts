import type { Calls } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import { queryOf as callOf } from '../schema/query-of.js'
import type { Queryable, QueryCall } from '../schema/query-of.js'
import type { Call, Snapshot } from '../store/call.js'

/** Options of one reader. They change what it shows or when it fetches, but neither its call nor its request. */
export interface ReaderOptions {
  /**
   * `true` keeps the last data on screen while the call of other arguments is fetched: `isLast` is then `true`. After a reset,
   * or when that data was invalidated or deleted, nothing is kept. @default false
   */
  readonly keepPrevious?: boolean | undefined
  /**
   * The pause between an outcome and the next request of this reader, in milliseconds above 0. It rests while the page is
   * hidden, and while the reader is not on screen. For hooks that fetch. @default none
   */
  readonly interval?: number | undefined
  /**
   * `true` sends no request of this reader, and keeps its data. It fetches what is due when the option is taken away. Other readers
   * of the call, `refetch` and a connection are not paused. Without data it is loading. For hooks that fetch. @default false
   */
  readonly paused?: boolean | undefined
  /**
   * `true` lets a server fetch the data and wait for it, as for a hook that suspends, so that the page has it. For hooks that do
   * not suspend, in a page that `createServerRequest` renders. Elsewhere it changes nothing. @default false
   */
  readonly ssr?: boolean | undefined
  /** The name of the reader, for tools that list readers. @default none */
  readonly name?: string | undefined
}

/** The members of an Observer that the options of its reader use. */
export interface AttendedReader {
  readonly options: ReaderOptions | undefined
  readonly isAsking: boolean
  readonly previousCall: Call | undefined
  onOptions: (() => void) | undefined
  previous(): { readonly data: unknown } | undefined
  getSnapshot(): Snapshot
  fetchIfDue(): void
  subscribe(listener: () => void): () => void
  inspect<Value>(read: (calls: Calls) => Value): Value | undefined
  connect(
    open: (
      controller: Controller,
      call: Call,
      endpoint: () => EndpointLike,
      args: readonly unknown[],
    ) => () => void,
  ): () => void
}

/** What `withOptions` adds to an endpoint. */
export interface OwnOptions {
  readonly options: ReaderOptions
  /** Fetches by the `interval` that the reader has at the time. @returns a function that ends it */
  readonly follow: (observer: AttendedReader) => () => void
  /** Returns what the reader shows while it has no data. */
  readonly kept: (observer: AttendedReader) => { readonly data: unknown } | undefined
  /** Called when the reader is mounted, or has options for the first time. @returns a function that ends it */
  readonly attend: (observer: AttendedReader) => () => void
}

const own = Symbol('options of a reader')

interface Carrier {
  readonly [own]?: readonly [endpoint: unknown, options: OwnOptions]
}

/** Returns an object that stands for an endpoint or a queryable, with options of the reader that it is passed to. */
export function carry<E>(endpoint: E, options: OwnOptions): E {
  const carried = [endpointOf(endpoint), options]
  // It has the members of the endpoint, for messages; hooks take the endpoint itself.
  return Object.create(endpoint as object, { [own]: { value: carried } }) as E
}

/** The endpoint or the queryable itself, without options of a reader. */
export function endpointOf<E>(given: E): E {
  const carried = (given as Carrier | undefined)?.[own]
  return carried === undefined ? given : (carried[0] as E)
}

/** The options of the reader that an endpoint is passed to. */
export function ownOptionsOf(given: unknown): OwnOptions | undefined {
  return (given as Carrier | undefined)?.[own]?.[1]
}

/** Returns the call of a queryable, with the options that it carries. */
export function queryWithOptions(given: Queryable): QueryCall {
  const call = callOf(endpointOf(given))
  const options = ownOptionsOf(given)
  return options === undefined ? call : carry(call, options)
}
