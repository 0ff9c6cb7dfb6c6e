import type { Transport } from '../endpoint/transport.js'
import type { GarbageCollector } from '../store/garbage/gc.js'
import type { Store } from '../store/store.js'
import type { Lengths } from '../store/transaction.js'
import type { Clock } from '../util/clock.js'
import type { Pipeline } from './middleware.js'

/** What the parts of a Controller share. */
export interface ControllerContext {
  readonly store: Store
  readonly clock: Clock
  readonly collector: GarbageCollector
  readonly pipeline: Pipeline
  /** What sends requests: the option `fetch`. */
  readonly transport: Transport | undefined
  /** How long an answer stays Valid. */
  lengths(endpoint: { readonly dataExpiryLength?: number | undefined } | undefined): Lengths
  /** How long an error is thrown again: milliseconds. */
  errorLength(endpoint: { readonly errorExpiryLength?: number | undefined }): number
}
