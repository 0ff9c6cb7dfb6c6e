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
  const snapshot = call.snapshot()
  const expiresAt = snapshot.isReadable ? calls.expiresAt(endpoint, call) : -Infinity
  calls.tracer.asked(call.key, {
    occasion,
    status: calls.status(endpoint, call, snapshot),
    expiredForMs: expiresAt === -Infinity ? undefined : calls.clock.now() - expiresAt,
    reader,
  })
}
