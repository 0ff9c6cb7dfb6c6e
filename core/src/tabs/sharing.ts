import { development } from '#development'
import { warn } from '../errors.js'
import { findLocks, ifGiven } from '../platform/platform.js'
import type { Clock } from '../util/clock.js'
import { SharedReads } from './shared-reads.js'
import type { SharedReadsSource } from './shared-reads.js'
import { SharedStreams } from './shared-streams.js'
import type { SharedStreamsSource } from './shared-streams.js'
import type { TabGroup } from './tab-group.js'
import type { SyncTabsOptions } from './tab-options.js'

/** What one tab makes for all. */
export interface Shared {
  /** The reads under way; `undefined` if each tab makes its own. */
  readonly reads?: SharedReads | undefined
  /** The streams; `undefined` if each tab opens its own. */
  readonly streams?: SharedStreams | undefined
}

interface SharingSource
  extends Pick<SharedReadsSource, 'onSend'>, Pick<SharedStreamsSource, 'bring' | 'expire'> {
  readonly clock: Clock
  readonly options: SyncTabsOptions
  readonly group: TabGroup
}

/** Returns what tabs share by locks: nothing without them. */
export function sharedByLocks({ clock, options, group, ...source }: SharingSource): Shared {
  const { waitMs = 5000, sharesStreams } = options
  const locks = findLocks(options.locks, () => {
    // Without a channel nothing is shared anyway.
    const isWanted = waitMs !== 0 || sharesStreams === true
    if (development && isWanted && (options.channel !== undefined || ifGiven(() => BroadcastChannel)))
      warn(
        'This page cannot use Web Locks, so syncTabs() shares neither running reads nor streams. Pages need HTTPS for Web Locks, and sandboxed frames need `allow-same-origin`. If you can do without, set `locks: null`.',
      )
  })
  if (locks === undefined) return {}
  const lockOf = (kind: string) => (call: string) =>
    `${group.name} ${kind} ${encodeURIComponent(group.scope ?? '')} ${call}`
  return {
    reads:
      waitMs === 0 ? undefined : new SharedReads({ ...source, clock, locks, waitMs, lockOf: lockOf('read') }),
    streams:
      sharesStreams === true ? new SharedStreams({ ...source, locks, lockOf: lockOf('stream') }) : undefined,
  }
}
