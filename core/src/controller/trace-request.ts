import type { EndpointLike } from '../endpoint/endpoint.js'
import type { Call } from '../store/call.js'
import type { Calls } from './calls.js'
import type { Occasion } from './tracer.js'

/** Tells devtools why a reader sends or joins a request. Development only. */
export function traceRequest(
  calls: Calls,
  call: Call | undefined,
  endpoint: EndpointLike,
  occasion: Occasion,
  reader: string | undefined,
): void {
  // A request in flight is joined.
  if (calls.tracer === undefined || call === undefined || call.fetching) return
  const isRetry = call.state.failure !== undefined || calls.retried?.get(call) === call.stamp
  const snapshot = call.snapshot()
  const expiresAt = snapshot.isReadable ? calls.expiresAt(endpoint, call) : -Infinity
  const status = calls.status(endpoint, call, snapshot)
  const lost = call.state.isInvalidated ? 'invalidated' : snapshot.isReadable ? 'stale' : undefined
  calls.tracer.asked(call.key, {
    occasion: isRetry ? 'retried' : occasion,
    status,
    missing: status === 'Invalid' ? lost : undefined,
    expiredForMs: expiresAt === -Infinity ? undefined : calls.clock.now() - expiresAt,
    reader,
  })
}

/** Notes that a boundary was reset, for the request that this causes. Development only. */
export function noteRetry(calls: Calls, call: Call): void {
  ;(calls.retried ??= new WeakMap()).set(call, call.stamp)
}
