import type { Middleware } from '../controller/controller.js'
import * as errors from '../errors.js'
import { longestWait } from '../util/clock.js'
import { browserPage } from './page-state.js'
import type { PageState } from './page-state.js'
import { isOn } from './switches.js'
import type { SwitchOptions } from './switches.js'

/** What `refetchOnInterval` may be told. */
export interface IntervalOptions extends SwitchOptions {
  /** Whether it goes on while the page is hidden. @default false */
  readonly inBackground?: boolean | undefined
  /** What it watches. @default the page of a browser */
  readonly page?: PageState | undefined
}

/**
 * Looks at the clock again and again: fetches what readers on screen show and is Stale. There is no timer while no
 * reader is on screen, or the page is not visible; one that was due meanwhile is made up for at the return.
 *
 * To ask for one call however fresh it is, give its endpoint a `pollFrequency` and connect to it.
 *
 * @param intervalMs - how far apart the looks are: milliseconds above 0 and below 2 ** 31
 * @throws {SelfsameError} `argument-invalid` for any other `intervalMs`
 * @see specification 4.5, Policies
 * @example new Controller({ middleware: [refetchOnInterval(30_000)] })
 */
export function refetchOnInterval(
  intervalMs: number,
  { inBackground = false, page = browserPage, byDefault = true }: IntervalOptions = {},
): Middleware {
  if (!(intervalMs > 0 && intervalMs <= longestWait)) {
    const remedy = 'Give milliseconds above 0 and below 2147483648, which is as long as a timer waits.'
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
      controller.refetchStale((endpoint) => isOn(endpoint, 'refetchOnInterval', byDefault))
    }
    const wait = () => {
      stop()
      if (!inBackground && !page.isVisible()) return
      // A clock that stepped back does not make the wait longer.
      const leftMs = Math.min(intervalMs, Math.max(0, lookedAt + intervalMs - clock.now()))
      timer = clock.setTimeout(look, leftMs)
    }
    return {
      activate() {
        // Readers that come look at the clock by themselves.
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
