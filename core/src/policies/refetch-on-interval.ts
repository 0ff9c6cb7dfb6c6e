import { development } from '#development'
import type { Middleware } from '../controller/controller.js'
import * as errors from '../errors.js'
import { longestWait } from '../util/clock.js'
import { browserPage } from '../util/page-state.js'
import type { PageState } from '../util/page-state.js'
import { isOn, refetchOn } from './switches.js'
import type { SwitchOptions } from './switches.js'

/** Options of `refetchOnInterval`. */
export interface IntervalOptions extends SwitchOptions {
  /** If `true`, continues while the page is hidden. @default false */
  readonly inBackground?: boolean | undefined
  /** The page to watch. @default the page of a browser */
  readonly page?: PageState | undefined
}

/**
 * Refetches Stale data of mounted readers at an interval. There is no timer while no reader is mounted or the page is
 * hidden; a refetch that was due meanwhile happens when a reader mounts or the page becomes visible.
 *
 * To fetch one call at an interval even if it is Valid, set `pollFrequency` on its endpoint and connect to it.
 *
 * @param intervalMs - the interval, in milliseconds: above 0 and below 2 ** 31
 * @throws {SelfsameError} in development `argument-invalid` for any other `intervalMs`
 * @see specification 4.5, Policies
 * @example new Controller({ middleware: [refetchOnInterval(30_000)] })
 */
export function refetchOnInterval(
  intervalMs: number,
  { inBackground = false, page = browserPage, byDefault = true }: IntervalOptions = {},
): Middleware {
  if (development && !(intervalMs > 0 && intervalMs <= longestWait)) {
    const remedy = 'Use a number of milliseconds above 0 and below 2147483648, the limit of timers.'
    throw errors.policyOptionInvalid('refetchOnInterval()', 'intervalMs', intervalMs, remedy)
  }
  return (controller) => {
    const { clock } = controller
    let timer: unknown
    let lookedAt = clock.now()
    const stop = () => {
      if (timer !== undefined) clock.clearTimeout(timer)
      timer = undefined
    }
    const look = () => {
      lookedAt = clock.now()
      wait()
      refetchOn('interval', controller, (endpoint) => isOn(endpoint, 'refetchOnInterval', byDefault))
    }
    const wait = () => {
      stop()
      if (!inBackground && !page.isVisible()) return
      // A clock that was set back must not lengthen the wait.
      const leftMs = Math.min(intervalMs, Math.max(0, lookedAt + intervalMs - clock.now()))
      timer = clock.setTimeout(look, leftMs)
    }
    return {
      activate() {
        // Readers that mount now check their own data.
        if (clock.now() - lookedAt >= intervalMs) lookedAt = clock.now()
        const end = page.subscribe(wait)
        wait()
        return () => {
          end()
          stop()
        }
      },
    }
  }
}
