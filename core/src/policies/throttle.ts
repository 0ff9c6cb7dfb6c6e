import { development } from '#development'
import type { Middleware } from '../controller/controller.js'
import type { RequestCall } from '../controller/middleware.js'
import * as errors from '../errors.js'
import { waitUnlessAborted } from '../util/wait.js'
import { isOn } from './switches.js'
import type { SwitchOptions } from './switches.js'
import { signalOf } from './request-signal.js'

/** Options of `throttle`. */
export interface ThrottleOptions extends SwitchOptions {
  /** The maximum number of requests in flight: a whole number above 0. */
  readonly concurrency: number
}

/**
 * Limits the number of requests in flight. Further requests wait, and are sent in the order of their calls. A waiting
 * read that loses all its readers leaves the queue.
 *
 * A request that waits for another one, for example for a token for its headers, must not be queued behind it: set
 * `throttle: false` on the other's endpoint. Put this middleware last, so that a request that waits for something else
 * (a retry, the network) does not count as in flight.
 *
 * @throws {SelfsameError} in development `argument-invalid` for a `concurrency` that is not a whole number above 0
 * @see specification 4.5, Policies
 * @example new Controller({ middleware: [retry(), throttle({ concurrency: 4 })] })
 */
export function throttle({ concurrency, byDefault = true }: ThrottleOptions): Middleware {
  if (development && (!Number.isInteger(concurrency) || concurrency < 1)) {
    throw errors.policyOptionInvalid('throttle()', 'concurrency', concurrency, 'Use a whole number above 0.')
  }
  return () => {
    let free = concurrency
    /** Functions that start the waiting requests, in the order of their calls. */
    const waiting = new Set<() => void>()
    function untilItsTurn(call: RequestCall): Promise<void> {
      return waitUnlessAborted((go) => {
        waiting.add(go)
        return () => waiting.delete(go)
      }, signalOf(call))
    }
    /** A request has ended: starts the one that has waited longest. */
    function leave(): void {
      const [next] = waiting
      if (next === undefined) {
        free++
        return
      }
      waiting.delete(next)
      next()
    }
    return {
      passesOn: true,
      async request(call, next) {
        if (!isOn(call.endpoint, 'throttle', byDefault)) return next()
        if (free > 0) free--
        else await untilItsTurn(call)
        try {
          return await next()
        } finally {
          leave()
        }
      },
    }
  }
}
