import type { Controller } from '../controller/controller.js'
import { epochOf } from '../platform/end-mark.js'
import type { KnownEndpoints } from '../controller/known-endpoints.js'
import type { Entries } from './entries.js'
import type { OutboxOptions } from './outbox-options.js'
import type { Places } from './places.js'
import type { RealIds } from './real-ids.js'
import type { RowLog } from './row-log.js'
import type { SendingLock } from './sending-lock.js'

/** Options of an application whose name is known. */
export type NamedOptions = OutboxOptions & { readonly name: string }

/** What the parts of an outbox share. */
export interface OutboxContext {
  readonly controller: Controller
  readonly options: NamedOptions
  readonly registry: KnownEndpoints
  /** This tab, in ids. */
  readonly tab: string
  readonly entries: Entries
  readonly places: Places
  readonly rows: RowLog
  readonly ids: RealIds
  readonly lock: SendingLock
  /** Aborted by `dispose`. */
  readonly end: AbortSignal
  /** The scope whose mutations are shown. */
  scope: string
  /** That of the last user: what is clicked between a sign-out and the end of the page is theirs. */
  lastUsers: string
  /** `true` from the moment when the session is over until the user has signed in again. */
  isPaused: boolean
  /** Shows the mutations of another scope if the user changed. */
  checkScope(): void
  /** Sends what can be sent now. */
  pump(): void
  /** Tells listeners of a change. */
  tell(): void
}

/**
 * A scope of the application, as keys have it. Where users have no scopes, those of an ended epoch are others.
 *
 * @param scope - of a user @default that of the one who is signed in now
 */
export function scopeNow({ name, scope: now }: NamedOptions, scope: string | number = now?.() ?? ''): string {
  return (
    [name, scope].map(encodeURIComponent).join('/') + (now === undefined ? epochOf(outboxOwner(name)) : '')
  )
}

/** The beginning of the keys of all scopes. */
export function outboxOwner(name: string): string {
  return `outbox/${encodeURIComponent(name)}`
}
