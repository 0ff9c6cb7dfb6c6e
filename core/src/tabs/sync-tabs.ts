import { development } from '#development'
import type { Middleware } from '../controller/controller.js'
import { liveLengthInvalid } from '../errors.js'
import { isPage } from '../platform/platform.js'
import type { SyncTabsOptions } from './tab-options.js'
import { createTabSync } from './tab-sync.js'

/**
 * Lets the tabs of a browser agree: what one tab receives or writes reaches the others, which store it if it is newer than what they
 * have. What cannot be ordered is made Stale, so that mounted readers fetch it. A read that one tab has in flight is not sent by
 * another. Invalidation, expiry and `resetAll` are sent too. Optimistic data is not: all tabs show the mutations of the outbox by
 * themselves. On a server it does nothing.
 *
 * @throws {SelfsameError} in development `definition-invalid` for a `waitMs` that is negative, or too long for a timer
 * @see specification 4.7, Tabs
 * @example new Controller({ middleware: [syncTabs({ endpoints: [todoResource], version: build.version })] })
 */
export function syncTabs(options: SyncTabsOptions = {}): Middleware {
  const { waitMs = 0 } = options
  if (development && !(waitMs >= 0 && waitMs < 2 ** 31))
    throw liveLengthInvalid('syncTabs()', 'waitMs', waitMs)
  return (controller) => {
    if (options.channel === null || (options.channel === undefined && !isPage())) return { passesOn: true }
    return createTabSync(controller, options)
  }
}
