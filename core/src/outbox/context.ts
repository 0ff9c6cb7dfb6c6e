import type { Controller } from '../controller/controller.js'
import type { Entries } from './entries.js'
import type { OutboxOptions } from './outbox-options.js'
import type { RealIds } from './real-ids.js'
import type { Registry } from './registry.js'
import type { RowLog } from './row-log.js'
import type { SendingLock } from './sending-lock.js'

/** What the parts of an outbox share. */
export interface OutboxContext {
  readonly controller: Controller
  readonly options: OutboxOptions
  readonly registry: Registry
  /** This tab, in ids. */
  readonly tab: string
  readonly entries: Entries
  readonly rows: RowLog
  readonly ids: RealIds
  readonly lock: SendingLock
  /** Aborted by `dispose`. */
  readonly end: AbortSignal
  /** The scope whose mutations are shown. */
  scope: string
  /** `true` once the rows of the scope were read. Until then nothing is sent: an earlier mutation may wait there. */
  isRead: boolean
  /** Shows the mutations of another scope if the user changed. */
  checkScope(): void
  /** Sends what can be sent now. */
  pump(): void
  /** Tells listeners of a change. */
  tell(): void
}

/** The scope of the user that is signed in now. */
export function scopeNow({ scope }: OutboxOptions): string {
  return scope?.() ?? ''
}
