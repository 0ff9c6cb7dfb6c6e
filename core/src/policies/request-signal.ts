import type { RequestCall } from '../controller/middleware.js'
import { anySignal } from '../util/any-signal.js'

/** Aborted when a request that has not been sent yet is no longer needed. */
export function signalOf({ kind, signal, endpoint }: RequestCall): AbortSignal {
  // The signal of a read follows those of all its callers.
  return (kind === 'mutation' && anySignal(signal, endpoint.signal)) || signal
}
