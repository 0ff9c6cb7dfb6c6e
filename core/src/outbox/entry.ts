import type { OutboxFailure, OutboxMutation } from '../controller/outbox-of.js'
import type { Storable } from '../storage/row-storage.js'
import type { Progress } from '../util/progress.js'
import { rowPrefix } from './mutation-row.js'
import type { MutationRow } from './mutation-row.js'

/** The request of a mutation in this Controller. */
export interface Live {
  /** Sends it through the inner middleware. */
  readonly send: () => Promise<unknown>
  readonly resolve: (payload: unknown) => void
  readonly reject: (error: Error) => void
}

/** A mutation of the current scope, in this tab. */
export interface Entry {
  readonly id: string
  readonly scope: string
  row: MutationRow
  args: readonly unknown[]
  /** `true` if `fetch` was called for it in this page, with these arguments. */
  isOwn?: boolean
  status: 'waiting' | 'sending' | 'failed'
  /** `lost`: it cannot be written down. */
  written: 'not yet' | 'yes' | 'lost'
  /** Resolved when it is written, or cannot be. */
  writing: Promise<void>
  /** The request; `undefined` before it is sent through the middleware, and when the mutation failed. */
  live: Live | undefined
  /** `true` while the tab that made it may still take it back: a middleware before the outbox there has not passed it on. */
  isHeld?: boolean
  /** Tells other tabs that it is not held here any more. */
  letGo?: () => void
  requestId: number | undefined
  /** How its request ends, when the outbox ends it. */
  ending: 'answered' | 'answered elsewhere' | 'failed' | 'left' | undefined
  /** The packed answer, for other tabs. */
  response: Storable | undefined
  attempts: number
  /** `true` if the server may have answered an earlier attempt: it sends that response again, which may be out of date by now. */
  isRepeated: boolean
  error: Error | undefined
  reason: OutboxFailure | undefined
  retryAt: number | undefined
  progress: Progress | undefined
  isKnown: boolean
  /** Why it cannot be written down at all. */
  refusal: Error | undefined
  /** As readers see it; `undefined` after a change. */
  shown: OutboxMutation | undefined
}

export function makeEntry(id: string, scope: string, row: MutationRow, args: readonly unknown[]): Entry {
  return {
    id,
    scope,
    row,
    args,
    status: 'waiting',
    written: 'not yet',
    writing: Promise.resolve(),
    attempts: 0,
    isRepeated: false,
    isKnown: true,
    // Without what is undefined at first.
  } as Entry
}

export function keyOfRow({ scope, id }: Entry): string {
  return rowPrefix(scope) + id
}

/** Ends the request of a mutation by an error. */
export function endLive(entry: Entry, ending: NonNullable<Entry['ending']>, error: Error): void {
  const { live } = entry
  if (live === undefined) return
  entry.ending = ending
  live.reject(error)
}

/** A mutation as readers see it: the same object until it changes. */
export function toOutboxMutation(entry: Entry): OutboxMutation {
  const { id, args, status, written, isKnown, attempts, error, reason, retryAt, progress } = entry
  const { endpoint, at } = entry.row
  entry.shown ??= Object.freeze({
    id,
    endpoint,
    args,
    at,
    status,
    isWritten: written === 'yes',
    isKnown,
    attempts,
    error,
    reason,
    retryAt,
    progress,
  })
  return entry.shown
}
