/** Returns `true` if a status below 500 means "try again later". */
export function isPassingStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429
}

/**
 * Returns `hard` if an error replaces data: a 4xx that the *server* sent, other than 408, 425 and 429. Errors that the
 * client creates have no response, and leave the data.
 *
 * @see specification 7 (errors), F1
 */
export function defaultErrorPolicy(error: Error): 'hard' | 'soft' {
  const { status, response } = error as { status?: unknown; response?: unknown }
  const isSentByServer = typeof status === 'number' && response !== undefined
  return isSentByServer && status >= 400 && status < 500 && !isPassingStatus(status) ? 'hard' : 'soft'
}

/** Returns `true` for the error of an aborted request, which is never stored or shown. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}
