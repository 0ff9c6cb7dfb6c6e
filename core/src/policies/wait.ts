import type { RequestCall } from '../controller/middleware.js'
import { anySignal } from '../util/any-signal.js'

/** Aborted when a request that has not been sent yet is no longer needed. */
export function signalOf({ signal, endpoint }: RequestCall): AbortSignal {
  return anySignal(signal, endpoint.signal) ?? signal
}
