import type { RequestCall } from '../controller/middleware.js'
import { anySignal } from '../util/any-signal.js'

/** Is aborted when a request that is not under way is not wanted any more. */
export function signalOf({ signal, endpoint }: RequestCall): AbortSignal {
  return anySignal(signal, endpoint.signal) ?? signal
}
