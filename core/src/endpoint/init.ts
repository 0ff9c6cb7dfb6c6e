import { development } from '#development'
import * as errors from '../errors.js'
import { kindOf } from '../errors.js'
import type { RequestName } from './response.js'

/**
 * Refuses what an override of `getRequestInit` must not give: anything but an init, and one that would send the request
 * without its method or body, as `{ ...super.getRequestInit(body) }` is where that is a promise.
 *
 * @param body - what the call was given
 * @throws {SelfsameError} `definition-invalid`
 */
export function requireInit(init: unknown, { endpoint, method }: RequestName, body: unknown): void {
  const isInit =
    typeof init === 'object' &&
    init !== null &&
    !Array.isArray(init) &&
    !(init instanceof Headers) &&
    !(init instanceof Request)
  if (!isInit) throw errors.initUnusable(endpoint, kindOf(init))
  const isRead = method === 'GET' || method === 'HEAD'
  if (!isRead && !('method' in init))
    throw errors.initUnusable(endpoint, development ? `an init without its method, ${method}` : method)
  if (body !== undefined && !('body' in init))
    throw errors.initUnusable(endpoint, development ? 'an init without the body' : '')
}
