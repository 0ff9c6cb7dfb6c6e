import type { Middleware } from '../controller/controller.js'
import type { RequestCall } from '../controller/middleware.js'
import * as errors from '../errors.js'
import { waitFor } from '../util/wait.js'
import { isOn } from './switches.js'
import type { SwitchOptions } from './switches.js'
import { signalOf } from './wait.js'

/** What `throttle` is told. */
export interface ThrottleOptions extends SwitchOptions {
  /** How many requests may be in flight at once: a whole number above 0. */
  readonly concurrency: number
}

/**
 * Makes at most so many requests at once; the others wait and are made in the order in which they were asked for. A read
 * that nobody waits for any more gives up its place.
 *
 * A request that waits for another one, such as one whose headers are fetched, must not wait behind it: give the
 * endpoint of the other `throttle: false`. Put it last in the list, so that what waits for something else (a retry, the
 * network) does not count as in flight.
 *
 * @throws {SelfsameError} `argument-invalid` for a `concurrency` that is no whole number above 0
 * @see specification 4.5, Policies
 * @example new Controller({ middleware: [retry(), throttle({ concurrency: 4 })] })
 */
export function throttle({ concurrency, byDefault = true }: ThrottleOptions): Middleware {
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw errors.policyOptionInvalid('throttle()', 'concurrency', concurrency, 'Give a whole number above 0.')
  }
  return () => {
    let free = concurrency
    /** What lets those that wait go, in the order in which they came. */
    const waiting = new Set<() => void>()
    function untilItsTurn(call: RequestCall): Promise<void> {
      return waitFor((go) => {
        waiting.add(go)
        return () => waiting.delete(go)
      }, signalOf(call))
    }
    /** A request that ends gives its place to the one that has waited longest. */
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
