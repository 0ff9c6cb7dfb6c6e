import type { CallContext, EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { reasonOf } from '../schema/validator.js'

/**
 * Calls an endpoint. Its function may throw, or may not return a promise (specification E12).
 *
 * @param args - with real ids in place of temporary ones
 */
export function callEndpoint(
  endpoint: EndpointLike,
  args: readonly unknown[],
  context: CallContext,
): Promise<unknown> {
  try {
    // A read has a signal of its own, which follows those of its callers.
    ;(context.signal ?? endpoint.signal)?.throwIfAborted()
    const promise: unknown = endpoint.callWith?.(context, args) ?? endpoint(...args)
    if (typeof (promise as Promise<unknown> | undefined)?.then === 'function')
      return promise as Promise<unknown>
    return Promise.reject(errors.fetchReturnedNoPromise(endpoint.name, promise))
  } catch (error) {
    return Promise.reject(error as Error)
  }
}

/**
 * Checks a payload with the endpoint's `validate`.
 *
 * @throws {SelfsameError} `payload-unusable` if it is refused
 */
export function judgePayload(endpoint: EndpointLike, payload: unknown, key?: string): void {
  const { validate } = endpoint
  if (validate === undefined) return
  const name = nameOf(endpoint, key)
  const reason = reasonOf(validate, payload, endpoint, name)
  if (reason !== undefined) throw errors.payloadRefused(name, reason)
}

/** Returns the key of a call; the name of its endpoint if the key cannot be built. */
export function keyOf(endpoint: EndpointLike, args: readonly unknown[]): string {
  try {
    return endpoint.key(...(args as never[]))
  } catch {
    return endpoint.name
  }
}

/** The name of a call, for messages: `Article.getList (GET /article)`. */
export function nameOf(endpoint: EndpointLike, key?: string): string {
  const { method, path, name } = endpoint as EndpointLike & { method?: unknown; path?: unknown }
  const request = typeof method === 'string' && typeof path === 'string' ? `${method} ${path}` : key
  // The default name of an endpoint is its request.
  return request === undefined || request.startsWith(name) ? name : `${name} (${request})`
}
