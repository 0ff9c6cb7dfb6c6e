import { development } from '#development'
import type { Middleware } from '../controller/controller.js'
import type { RequestCall } from '../controller/middleware.js'
import * as errors from '../errors.js'
import { toError } from '../errors.js'
import { longestWait } from '../util/clock.js'
import { wait } from '../util/wait.js'
import { isTransientError } from '../controller/transient-errors.js'
import { backoff, retryAfterOf } from '../controller/retry-delay.js'
import { pausing } from './switches.js'
import type { SwitchOptions } from './switches.js'
import { signalOf } from './request-signal.js'

/** Options of `retry`. */
export interface RetryOptions extends SwitchOptions {
  /** The maximum number of requests, including the first one: a whole number above 0. @default 3 */
  readonly attempts?: number | undefined
  /**
   * Returns how long to wait before the next attempt, in milliseconds. `attempt` is the number of the failed one,
   * from 1.
   *
   * @default a random time up to 1 s after the first attempt, 2 s after the second, and so on, doubling up to 30 s
   */
  readonly delayMs?: ((attempt: number, error: Error) => number) | undefined
  /** Returns `true` for errors that may be gone if the request is sent again. @default `isTransientError` */
  readonly isTransient?: ((error: Error) => boolean) | undefined
  /**
   * The longest `Retry-After` to wait for, in milliseconds. If a server demands more, there is no retry, and readers
   * get the error immediately.
   *
   * @default 60000
   */
  readonly maxRetryAfterMs?: number | undefined
  /** Returns a number from 0 up to, and not including, 1. @default Math.random */
  readonly random?: (() => number) | undefined
}

/**
 * Retries requests that failed with a transient error. Meanwhile readers wait or show the old data; only the error of
 * the last attempt is stored.
 *
 * A mutation is retried only if its endpoint has `retry: true` or a number, because the server may have executed it
 * although the response was lost. `retry: false` turns retries off for reads too. A `Retry-After` header delays the
 * next attempt; the response of another origin shows it only if the server exposes it.
 *
 * @throws {SelfsameError} in development `argument-invalid` for `attempts` that are not a whole number above 0
 * @see specification 4.5, Policies
 * @example new Controller({ middleware: [retry({ attempts: 5 }), pauseOffline()] })
 * @example const pay = new RestEndpoint({ path: '/pay/:key', method: 'PUT', retry: true }) // may be carried out twice
 */
export function retry(options: RetryOptions = {}): Middleware {
  const { attempts = 3, random = Math.random, maxRetryAfterMs = 60_000, byDefault = true } = options
  const { delayMs = backoff(random), isTransient = isTransientError } = options
  if (development && (!Number.isInteger(attempts) || attempts < 1)) {
    throw errors.policyOptionInvalid('retry()', 'attempts', attempts, 'Use a whole number above 0.')
  }
  return (controller) => {
    const { clock } = controller
    if (development && pausing.has(controller))
      errors.warn(
        'retry() is listed after pauseOffline(), so it sends further attempts although there is no network. Put it first: [retry(), pauseOffline()].',
      )
    /** How long to wait after a failure, in milliseconds; `undefined` if there is no retry. */
    function waitAfter(error: Error, attempt: number): number | undefined {
      if (!isTransient(error)) return undefined
      const askedMs = retryAfterOf(error, clock.now())
      if (askedMs > maxRetryAfterMs) return undefined
      return Math.min(longestWait, Math.max(0, askedMs, delayMs(attempt, error)))
    }
    return {
      passesOn: true,
      async request(call, next) {
        const limit = limitOf(call, attempts, byDefault)
        for (let attempt = 1; ; attempt++) {
          try {
            return await next()
          } catch (thrown) {
            const error = toError(thrown, call.endpoint.name)
            const waitMs = attempt < limit ? waitAfter(error, attempt) : undefined
            if (waitMs === undefined) throw thrown
            await wait(waitMs, clock, signalOf(call))
          }
        }
      },
    }
  }
}

/** The maximum number of attempts of a call. */
function limitOf({ kind, endpoint }: RequestCall, attempts: number, byDefault: boolean): number {
  const own = endpoint.retry ?? (kind === 'read' && byDefault)
  return typeof own === 'number' ? own : own ? attempts : 1
}
