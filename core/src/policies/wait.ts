import type { RequestCall } from '../controller/middleware.js'
import { anySignal } from '../util/any-signal.js'

/** The longest time that a timer of the platform waits: milliseconds. One that is told to wait longer fires at once. */
export const longestWait = 2 ** 31 - 1

/** Is aborted when a request that is not under way is not wanted any more. */
export function signalOf({ signal, endpoint }: RequestCall): AbortSignal {
  return anySignal(signal, endpoint.signal) ?? signal
}
