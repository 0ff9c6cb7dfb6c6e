import { development } from '#development'
import type { Middleware } from '../controller/controller.js'
import { liveLengthInvalid, warn } from '../errors.js'
import type { SyncTabsOptions, TabChannel, TabLocks } from './tab-options.js'
import { TabSync } from './tab-sync.js'

/**
 * Lets the tabs of a browser agree: what one tab receives or writes reaches the others, which store it if it is newer than what they
 * have. What cannot be ordered is made Stale, so that mounted readers fetch it. A read that one tab has under way is not made by
 * another. Invalidation, expiry and `resetAll` travel too. Optimistic data does not: all tabs show the mutations of the outbox by
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
    const open = channelOf(options)
    if (open === undefined) return { passesOn: true }
    return new TabSync(controller, options, { open, locks: locksOf(options) }).hooks
  }
}

/** The locks of the browser. It has none in a page that came without HTTPS. */
function locksOf({ locks, waitMs, sharesStreams }: SyncTabsOptions): TabLocks | undefined {
  if (locks !== undefined) return locks ?? undefined
  const { navigator } = globalThis as { navigator?: { locks?: TabLocks } }
  const isNeeded = waitMs !== 0 || sharesStreams === true
  if (development && isNeeded && navigator?.locks === undefined)
    warn(
      'This page has no Web Locks, so syncTabs() shares no running reads and no streams. Serve it over HTTPS, or set `locks: null`.',
    )
  return navigator?.locks
}

function channelOf({ channel }: SyncTabsOptions): ((name: string) => TabChannel) | undefined {
  if (channel !== undefined) return channel ?? undefined
  const { BroadcastChannel: Broadcast, document } = globalThis as {
    BroadcastChannel?: new (name: string) => TabChannel
    document?: unknown
  }
  if (document === undefined) return undefined
  if (Broadcast !== undefined) return (name) => new Broadcast(name)
  if (development)
    warn('This browser has no BroadcastChannel, so syncTabs() does nothing: each tab works alone.')
  return undefined
}
