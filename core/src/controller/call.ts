import type { CallContext, EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { reasonOf } from '../schema/validator.js'
import type { UnnamedRecords } from '../store/optimistic/unnamed.js'

/**
 * Calls an endpoint, whose function may throw or forget its promise (specification E12).
 *
 * @param unnamed - records that no server knows by their primary keys: these are not sent
 */
export function callEndpoint(
  endpoint: EndpointLike,
  args: readonly unknown[],
  context: CallContext,
  unnamed?: UnnamedRecords,
): Promise<unknown> {
  const refusal = unnamed?.refusal(endpoint.name, args)
  if (refusal !== undefined) return Promise.reject(refusal)
  try {
    endpoint.signal?.throwIfAborted()
    const promise: unknown = endpoint.callWith?.(context, args) ?? endpoint(...args)
    if (typeof (promise as Promise<unknown> | undefined)?.then === 'function')
      return promise as Promise<unknown>
    return Promise.reject(errors.fetchReturnedNoPromise(endpoint.name, promise))
  } catch (error) {
    return Promise.reject(error as Error)
  }
}

/**
 * Asks the endpoint's own `validate` about a payload.
 *
 * @throws {SelfsameError} `payload-unusable` where it is refused
 */
export function judgePayload(endpoint: EndpointLike, payload: unknown, key?: string): void {
  const { validate } = endpoint
  if (validate === undefined) return
  const name = nameOf(endpoint, key)
  const reason = reasonOf(validate, payload, endpoint, name)
  if (reason !== undefined) throw errors.payloadRefused(name, reason)
}

/** A call as messages name it: `Article.getList (GET /article)`. */
export function nameOf(endpoint: EndpointLike, key?: string): string {
  const { method, path, name } = endpoint as EndpointLike & { method?: unknown; path?: unknown }
  const request = typeof method === 'string' && typeof path === 'string' ? `${method} ${path}` : key
  // Without a name of its own an endpoint is called by its request.
  return request === undefined || request.startsWith(name) ? name : `${name} (${request})`
}
