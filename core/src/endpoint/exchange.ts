import { development } from '#development'
import * as errors from '../errors.js'
import { kindOf, toFailure } from '../errors.js'
import type { ProgressListener } from '../util/progress.js'
import type { CallContext } from './endpoint.js'
import { isOfPlatform, toConnectionError, toStatusError } from './response.js'
import type { RequestName } from './response.js'
import { withCall } from './transport.js'
import type { TransportInit } from './transport.js'

/** The steps of an endpoint that send a request. */
interface Sender<Body> {
  readonly signal?: AbortSignal | undefined
  getRequestInit(body: Body): RequestInit | Promise<RequestInit>
  fetchResponse(url: string, init: TransportInit, onProgress?: ProgressListener): Promise<Response>
}

/**
 * Sends a request by the steps of an endpoint.
 *
 * @param toError - makes the error for a response whose status is not 2xx
 * @returns a response with a 2xx status
 * @throws {SelfsameError} `definition-invalid` for an init that `getRequestInit` must not return
 */
export async function exchange<Body>(
  sender: Sender<Body>,
  request: RequestName,
  body: Body,
  context: CallContext,
  toError: (response: Response, request: RequestName) => Promise<Error> = toStatusError,
): Promise<Response> {
  let own: RequestInit
  try {
    // Without a further function that is awaited: SvelteKit answers from the page only what is sent while that is mounted.
    own = await sender.getRequestInit(body)
  } catch (cause) {
    // `new Headers` quotes the value that it refuses, so an error of the platform is only the cause of ours.
    throw cause instanceof Error && !isOfPlatform(cause) ? cause : toFailure(cause, request.endpoint)
  }
  requireInit(own, request, body)
  const init = withCall(own, sender.signal, context)
  return receive(() => sender.fetchResponse(request.url, init, context.onProgress), request, toError)
}

/** Waits for a response with a 2xx status; any other outcome is an error. */
export async function receive(
  send: () => Promise<Response>,
  request: RequestName,
  toError: (response: Response, request: RequestName) => Promise<Error> = toStatusError,
): Promise<Response> {
  let response: Response
  try {
    response = await send()
  } catch (cause) {
    throw toConnectionError(cause, request)
  }
  if (!response.ok) throw await toError(response, request)
  return response
}

/** Returns `true` for the methods of a request that only reads. */
export function isReadMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Refuses a value that is not an init, and an init without method or body, such as the spread of a promise. */
function requireInit(init: unknown, { endpoint, method }: RequestName, body: unknown): void {
  const given = Object(init) as object
  if (development && (given !== init || [Array, Headers, Request].some((Other) => init instanceof Other)))
    throw errors.initUnusable(endpoint, kindOf(init))
  if (!isReadMethod(method) && !('method' in given))
    throw errors.initUnusable(endpoint, development ? `an init without the method ${method}` : method)
  if (body !== undefined && !('body' in given))
    throw errors.initUnusable(endpoint, development ? 'an init without the body' : method)
}
