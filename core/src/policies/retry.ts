import type { Middleware } from '../controller/controller.js'
import type { RequestCall } from '../controller/middleware.js'
import * as errors from '../errors.js'
import { toError } from '../errors.js'
import { longestWait } from '../util/clock.js'
import { wait } from '../util/wait.js'
import { isTransientError } from './transient-errors.js'
import type { SwitchOptions } from './switches.js'
import { signalOf } from './wait.js'

/** What `retry` may be told. */
export interface RetryOptions extends SwitchOptions {
  /** How often a request is made at most, the first time included: a whole number above 0. @default 3 */
  readonly attempts?: number | undefined
  /**
   * How long to wait before the next attempt: milliseconds. `attempt` is the number of the one that failed, from 1.
   *
   * @default any time up to 1 s after the first attempt, up to 2 s after the second, and so on up to 30 s
   */
  readonly delayMs?: ((attempt: number, error: Error) => number) | undefined
  /** Which errors may be over when the request is made again. @default `isTransientError` */
  readonly isTransient?: ((error: Error) => boolean) | undefined
  /**
   * The longest `Retry-After` that is waited for: milliseconds. A server that asks for more patience is not asked again,
   * and the error is shown at once.
   *
   * @default 60000
   */
  readonly maxRetryAfterMs?: number | undefined
  /** A number from 0 up to, and not including, 1. @default Math.random */
  readonly random?: (() => number) | undefined
}

/** The longest wait that is chosen here: milliseconds. */
const longestBackoff = 30_000

/**
 * Makes requests again that failed for now. Readers see nothing of it: they wait, or show the data that is there, and
 * the error of the last attempt is stored once.
 *
 * A mutation is made again only where its endpoint says `retry: true` or a number, because one whose answer was lost may
 * have been carried out. An endpoint's `retry: false` ends it for reads too. `Retry-After` of a response is respected: the
 * next attempt is not made before; from another origin it is seen only where the server exposes the header.
 *
 * @throws {SelfsameError} `argument-invalid` for `attempts` that are no whole number above 0
 * @see specification 4.5, Policies
 * @example new Controller({ middleware: [retry({ attempts: 5 }), pauseOffline()] })
 * @example const pay = new RestEndpoint({ path: '/pay/:key', method: 'PUT', retry: true }) // may be carried out twice
 */
export function retry(options: RetryOptions = {}): Middleware {
  const { attempts = 3, random = Math.random, maxRetryAfterMs = 60_000, byDefault = true } = options
  const { delayMs = backoff(random), isTransient = isTransientError } = options
  if (!Number.isInteger(attempts) || attempts < 1) {
    throw errors.policyOptionInvalid('retry()', 'attempts', attempts, 'Give a whole number above 0.')
  }
  return ({ clock }) => {
    /** How long to wait after a failure: milliseconds; `undefined` when it counts. */
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

/** How often a call may be made. */
function limitOf({ kind, endpoint }: RequestCall, attempts: number, byDefault: boolean): number {
  const own = endpoint.retry ?? (kind === 'read' && byDefault)
  return typeof own === 'number' ? own : own ? attempts : 1
}

/** Exponential backoff with full jitter, so that clients that failed together do not retry together. */
function backoff(random: () => number): (attempt: number) => number {
  return (attempt) => random() * Math.min(longestBackoff, 1000 * 2 ** (attempt - 1))
}

/** What a response says in `Retry-After`: milliseconds from now; 0 when it says nothing. @see RFC 9110, 10.2.3 */
function retryAfterOf(error: Error, now: number): number {
  const { response } = error as { response?: { readonly headers?: { get?(name: string): string | null } } }
  const value = response?.headers?.get?.('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const at = value.endsWith('GMT') ? Date.parse(value) : NaN
  return Number.isNaN(at) ? 0 : at - now
}
