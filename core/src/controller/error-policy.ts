/** Server statuses that say "try again later" rather than "this is wrong". */
const passing: ReadonlySet<number> = new Set([408, 425, 429])

/** Whether a status below 500 says "try again later". */
export function isPassingStatus(status: number): boolean {
  return passing.has(status)
}

/**
 * Whether an error replaces data that is there: a 4xx that the *server* sent, other than 408, 425 and 429. Errors
 * that the client makes carry no response and leave the data.
 *
 * @see specification 7 (errors), F1
 */
export function defaultErrorPolicy(error: Error): 'hard' | 'soft' {
  const { status, response } = error as { status?: unknown; response?: unknown }
  const isSentByServer = typeof status === 'number' && response !== undefined
  return isSentByServer && status >= 400 && status < 500 && !isPassingStatus(status) ? 'hard' : 'soft'
}

/** Whether an error says that a request was given up on purpose: never stored, never shown. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}
