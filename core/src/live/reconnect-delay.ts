import { development } from '#development'
import * as errors from '../errors.js'

/** When to retry a lost connection. */
export interface StreamReconnectOptions {
  /** The wait before the first retry, in milliseconds. It doubles with each further retry. @default 1000 */
  readonly delayMs?: number | undefined
  /** The longest wait, in milliseconds. @default 30000 */
  readonly maxDelayMs?: number | undefined
  /** A connection that lasted this long, in milliseconds, resets the wait to `delayMs`. @default 10000 */
  readonly healthyMs?: number | undefined
  /**
   * Returns a number from 0 up to, and not including, 1, by which the second half of each wait is multiplied. A
   * random one spreads the retries of clients that lost their server at the same time.
   *
   * @default Math.random
   */
  readonly random?: (() => number) | undefined
}

/**
 * Returns the wait before a retry, in milliseconds: exponential backoff with jitter.
 *
 * @param attempts - how many retries there were since the last connection that lasted
 */
export function backoffMs(
  { delayMs = 1000, maxDelayMs = 30_000, random = Math.random }: StreamReconnectOptions,
  attempts: number,
): number {
  // 2 ** 30 exceeds any wait. Without the limit, the power becomes Infinity when a server is down for days.
  const longestMs = Math.min(maxDelayMs, delayMs * 2 ** Math.min(30, attempts))
  return (longestMs / 2) * (1 + random())
}

/** @throws {SelfsameError} in development `definition-invalid` for a time that is negative, or too long for a timer */
export function requireLengths(name: string, lengths: Readonly<Record<string, number | undefined>>): void {
  if (!development) return
  for (const [option, length] of Object.entries(lengths)) {
    if (length === undefined || (length >= 0 && length < 2 ** 31)) continue
    throw errors.liveLengthInvalid(name, option, length)
  }
}
