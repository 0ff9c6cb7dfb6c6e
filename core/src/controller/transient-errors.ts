import { isAbort, isPassingStatus } from './error-policy.js'
import { isAfterAnswer } from '../endpoint/response.js'
import { SelfsameError } from '../errors.js'

/**
 * Returns whether a request received no response at all: the network is down, the server cannot be reached, its name is
 * unknown.
 *
 * @returns `false` for an abort, for an error that the client found ({SelfsameError}), for one that `parseResponse` or `process` threw, and
 *   for an error with a `status`
 */
export function isNetworkError(error: Error): boolean {
  const isOurs = error instanceof SelfsameError || isAfterAnswer(error)
  return statusOf(error) === undefined && !isAbort(error) && !isOurs
}

/**
 * Returns whether the same request may succeed if it is sent again: no response, a status from 500, or 408, 425,
 * 429.
 *
 * @returns `false` for any other status, for an abort, and for an error that the client found in a response or a call
 */
export function isTransientError(error: Error): boolean {
  const status = statusOf(error)
  return status === undefined ? isNetworkError(error) : status >= 500 || isPassingStatus(status)
}

/** `XMLHttpRequest` reports status 0 if there was no response. */
function statusOf(error: Error): number | undefined {
  const { status } = error as { status?: unknown }
  return typeof status === 'number' && status > 0 ? status : undefined
}
