import { isAbort, isPassingStatus } from '../controller/error-policy.js'
import { SelfsameError } from '../errors.js'

/**
 * Says whether a request got no response at all: the network is gone, the server cannot be reached, its name is unknown.
 *
 * @returns `false` for an abort, for what the client found wrong ({SelfsameError}), and for an error with a `status`
 */
export function isNetworkError(error: Error): boolean {
  return statusOf(error) === undefined && !isAbort(error) && !(error instanceof SelfsameError)
}

/**
 * Says whether an error may be over when the same request is made again: no response, a status from 500, or 408, 425, 429.
 *
 * @returns `false` for any other status, for an abort, and for what the client found wrong with a response or a call
 */
export function isTransientError(error: Error): boolean {
  const status = statusOf(error)
  return status === undefined ? isNetworkError(error) : status >= 500 || isPassingStatus(status)
}

/** An `XMLHttpRequest` says 0 where there was no response. */
function statusOf(error: Error): number | undefined {
  const { status } = error as { status?: unknown }
  return typeof status === 'number' && status > 0 ? status : undefined
}
