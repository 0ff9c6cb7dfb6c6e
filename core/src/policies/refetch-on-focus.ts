import type { Middleware } from '../controller/controller.js'
import { browserPage } from '../util/page-state.js'
import type { PageState } from '../util/page-state.js'
import { isOn, refetchOn } from './switches.js'
import type { SwitchOptions } from './switches.js'

/** Options of `refetchOnFocus`. */
export interface FocusOptions extends SwitchOptions {
  /** The page to watch. @default the page of a browser */
  readonly page?: PageState | undefined
}

/** The shortest pause between two refetches, in milliseconds, because one return to a page fires several events. */
const leastDistance = 1000

/**
 * Refetches Stale data of mounted readers when the page gets the focus. Valid data is not refetched. Meanwhile
 * readers show the old data, unless Stale counts as Invalid for them (`invalidIfStale`, `network-first`).
 *
 * @see specification 4.5, Policies
 * @example new Controller({ middleware: [refetchOnFocus()] })
 * @example new Controller({ middleware: [refetchOnFocus({ byDefault: false })] }) // for endpoints with
 * `refetchOnFocus: true`
 */
export function refetchOnFocus({ page = browserPage, byDefault = true }: FocusOptions = {}): Middleware {
  return (controller) => {
    let lookedAt = -Infinity
    const look = () => {
      if (!page.isVisible()) return
      // A clock that was set back must not block refetches.
      const sinceMs = controller.clock.now() - lookedAt
      if (sinceMs >= 0 && sinceMs < leastDistance) return
      lookedAt = controller.clock.now()
      refetchOn('focus', controller, (endpoint) => isOn(endpoint, 'refetchOnFocus', byDefault))
    }
    return { activate: () => page.subscribe(look) }
  }
}
