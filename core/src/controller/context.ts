import type { CacheableEndpoint } from '../endpoint/endpoint.js'
import type { Transport } from '../endpoint/transport.js'
import type { Call } from '../store/call.js'
import type { ExpiryStatus } from '../store/expiry.js'
import type { GarbageCollector } from '../store/garbage/gc.js'
import type { WriteOrder } from '../store/stamp.js'
import type { Layers } from '../store/optimistic/layers.js'
import type { Store } from '../store/store.js'
import type { Transaction } from '../store/transaction.js'
import type { Clock } from '../util/clock.js'
import type { OpenConnection } from './live-calls.js'
import type { Pipeline } from './middleware.js'
import type { RequestWatcher } from './watcher.js'

/** The state that the parts of a Controller share. */
export interface ControllerContext {
  readonly store: Store
  /** Optimistic writes on top of the received data; `undefined` until the first one. */
  layers: Layers | undefined
  readonly clock: Clock
  readonly collector: GarbageCollector
  readonly pipeline: Pipeline
  /** Sends requests: the option `fetch`. */
  readonly transport: Transport | undefined
  /** Is told of requests. */
  readonly watcher: RequestWatcher | undefined
  /** Calls whose response a mutation in flight hides. */
  readonly hidden: Set<Call>
  /** The connections that are open; `undefined` before the first. Development only. */
  readonly connections: ReadonlySet<OpenConnection> | undefined
  /** Returns the call of an endpoint and its arguments. */
  call(endpoint: CacheableEndpoint, args: readonly unknown[]): Call
  /** The expiry status of a call now. */
  status(endpoint: CacheableEndpoint, call: Call): ExpiryStatus
  /** Records that a call is used now. */
  use(call: Call): void
  /**
   * Writes into the store by a transaction, then notifies readers.
   *
   * @param endpoint - has the `dataExpiryLength` of the response
   * @param request - the kind of the request, and the sequence at which it started @default none: the application sets
   *   the data now, or a live connection brought it
   * @returns what `write` returns
   * @throws the error of `write`, after a rollback
   */
  write<Value>(
    endpoint: { readonly dataExpiryLength?: number | undefined } | undefined,
    write: (transaction: Transaction) => Value,
    request?: Pick<WriteOrder, 'kind' | 'start' | 'own'>,
  ): Value
  /** How long an error is thrown again, in milliseconds. */
  errorLength(endpoint: { readonly errorExpiryLength?: number | undefined }): number
}
