import type { Middleware } from '../controller/controller.js'
import { browserPage } from './page-state.js'
import type { PageState } from './page-state.js'
import { isOn } from './switches.js'
import type { SwitchOptions } from './switches.js'

/** What `refetchOnFocus` may be told. */
export interface FocusOptions extends SwitchOptions {
  /** What it watches. @default the page of a browser */
  readonly page?: PageState | undefined
}

/** Shortest pause between two refetches: milliseconds. One return to a page fires several events. */
const leastDistance = 1000

/**
 * Refetches Stale data of mounted readers when the page gets the focus. Valid data is left alone. Readers
 * go on showing the data that is there, unless Stale counts as Invalid for them (`invalidIfStale`, `network-first`).
 *
 * @see specification 4.5, Policies
 * @example new Controller({ middleware: [refetchOnFocus()] })
 * @example new Controller({ middleware: [refetchOnFocus({ byDefault: false })] }) // and `refetchOnFocus: true` where it is meant
 */
export function refetchOnFocus({ page = browserPage, byDefault = true }: FocusOptions = {}): Middleware {
  return (controller) => {
    let lookedAt = -Infinity
    const look = () => {
      if (!page.isVisible()) return
      // A clock that stepped back does not block refetches.
      const sinceMs = controller.clock.now() - lookedAt
      if (sinceMs >= 0 && sinceMs < leastDistance) return
      lookedAt = controller.clock.now()
      controller.refetchStale((endpoint) => isOn(endpoint, 'refetchOnFocus', byDefault))
    }
    return { activate: () => page.subscribe(look) }
  }
}
