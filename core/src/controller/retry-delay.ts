/** The longest wait of the default backoff, in milliseconds. */
const longestBackoff = 30_000

/** Exponential backoff with full jitter, so that clients that failed at the same time retry at different times. */
export function backoff(random: () => number): (attempt: number) => number {
  return (attempt) => random() * Math.min(longestBackoff, 1000 * 2 ** (attempt - 1))
}

/** The `Retry-After` of a response, in milliseconds; 0 if it has none. A date counts from that of the response. @see RFC 9110, 10.2.3 */
export function retryAfterOf(error: Error, now: number): number {
  const { response } = error as { response?: { readonly headers?: { get?(name: string): string | null } } }
  const header = (name: string) => response?.headers?.get?.(name)?.trim() ?? ''
  const value = header('retry-after')
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const at = value.endsWith('GMT') ? Date.parse(value) : NaN
  // The clocks of the server and this page may differ.
  return Number.isNaN(at) ? 0 : at - (Date.parse(header('date')) || now)
}
