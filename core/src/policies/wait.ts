import type { RequestCall } from '../controller/middleware.js'
import { anySignal } from '../util/any-signal.js'

/** Is aborted when a request that is not in flight is no longer needed. */
export function signalOf({ signal, endpoint }: RequestCall): AbortSignal {
  return anySignal(signal, endpoint.signal) ?? signal
}
