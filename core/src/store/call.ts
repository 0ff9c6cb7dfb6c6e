import { development } from '#development'
import { EntityPlan } from '../schema/entity-plan.js'
import type { FieldPath } from '../schema/page.js'
import type { SchemaContract } from '../schema/schema.js'
import type { Progress } from '../util/progress.js'
import { createSettleable } from '../util/settleable.js'
import type { Settleable, TaggedPromise } from '../util/settleable.js'
import { ListNode, noPages } from './list-node.js'
import { RecordNode } from './records.js'
import { ResultView, isOvertaken, noResult, stampsOf } from './results.js'
import type { CallKey, Result, ResultOwner } from './results.js'
import { neverWritten } from './stamp.js'
import type { Stamp } from './stamp.js'
import type { View, ViewGraph } from './view/view.js'

/** What a call shows. The same object until one of its members changes; what depends on the clock is no member. */
export interface Snapshot<Data = unknown> {
  /** Denormalized data; `undefined` when there is none. */
  readonly data: Data | undefined
  /** Why the last fetch failed; `undefined` when it did not. */
  readonly error: Error | undefined
  /** Whether a request is under way. */
  readonly fetching: boolean
  /** How far the transfer of the request under way is; `undefined` without one, and where its transport does not say. */
  readonly progress: Progress | undefined
  /** Whether `data` is what the endpoint answered, so that an answer of `undefined` differs from none. */
  readonly isReadable: boolean
}

/** A request under way for a call. */
export interface Attempt {
  /** The store's sequence when it started. */
  readonly start: number
  /** What its transport said last. */
  readonly progress: Progress | undefined
}

/** Why the last request failed that counts. */
export interface Failure {
  readonly error: Error
  /** The store's sequence when the request started: answers to earlier requests do not take the error back. */
  readonly start: number
  /** When the error stops being thrown again: milliseconds since the epoch. */
  readonly expiresAt: number
}

/** Something that happens to a call. `Call.transition` says what each does. */
export type CallEvent =
  /** A request was sent for it; of a mutation, one that says how far it is. */
  | { readonly type: 'asked'; readonly attempt: Attempt }
  /** The transport of a request said how far it is. */
  | { readonly type: 'reported'; readonly attempt: Attempt; readonly progress: Progress }
  /**
   * A request is over, whatever came of it. `graceUntil`: for how long its outcome counts as Valid, because the reader that
   * waited for it has not rendered. `pausedUntil`: the request was aborted, and no reader asks before.
   */
  | {
      readonly type: 'settled'
      readonly attempt: Attempt
      readonly graceUntil?: number | undefined
      readonly pausedUntil?: number | undefined
    }
  | { readonly type: 'answered'; readonly result: unknown; readonly stamp: Stamp }
  /** The result was changed by another way than an answer. `at`: answers to requests before that do not count. */
  | {
      readonly type: 'replaced'
      readonly result: unknown
      readonly stamp?: Stamp | undefined
      readonly at?: number | undefined
    }
  | ({ readonly type: 'failed' } & Failure)
  /** Something takes the error back: a reset of a boundary. */
  | { readonly type: 'forgiven' }
  /** It counts as unanswered until a request that starts later is answered. What was stored may stay. */
  | { readonly type: 'invalidated'; readonly at: number }
  /** It was made Stale, as is what was asked for earlier. `isExact`: a rollback takes an earlier event back. */
  | { readonly type: 'expired'; readonly at: number; readonly isExact?: boolean }
  /** It is unanswered, and what was stored is dropped. */
  | { readonly type: 'forgotten'; readonly at: number }
  | ({ readonly type: 'hydrated'; readonly graceUntil?: number | undefined } & Pick<
      Call,
      'result' | 'stamp' | 'isInvalidated' | 'failure'
    >)
  /** What its answer shows is removed by a mutation under way: no reader asks before that is settled. */
  | { readonly type: 'hidden' }
  /** Readers that must not ask look again. */
  | { readonly type: 'resumed' }
  /** Its answer gave way to something newer: readers ask once more. */
  | { readonly type: 'renewed' }
  /** A reader rendered what it waited for: its age counts from now on. */
  | { readonly type: 'shown' }
  /** Readers go on seeing a snapshot in place of nothing; `undefined`: no longer. */
  | { readonly type: 'held'; readonly snapshot: Snapshot | undefined }
  /** It is out of the table. Observers that hold it look it up anew. */
  | { readonly type: 'collected' }

type Listener = () => void

const noneLoaded: readonly (readonly unknown[])[] = []
const noAttempts: readonly Attempt[] = []

/**
 * One call: what its key was answered with by one schema, why it failed, and what is under way for it. Its state is
 * readonly: `transition` alone changes it.
 */
export class Call implements Result {
  readonly key: string
  readonly schema: SchemaContract | undefined
  readonly args: readonly unknown[]
  readonly isQuery: boolean
  readonly view: ResultView

  // --- its state, which `transition` changes ---

  /** The normalized result, records replaced by their nodes; `noResult` before there was an answer. */
  readonly result: unknown = noResult
  readonly stamp: Stamp = neverWritten
  /** Whether it counts as unanswered, whatever is stored (specification 3, what Invalid marks). */
  readonly isInvalidated: boolean = false
  /** The store's sequence at the last invalidation: answers to earlier requests do not count. */
  readonly invalidatedAt: number = 0
  /** The store's sequence when the call was last made Stale: what was asked for earlier is Stale at once. */
  readonly expiredAt: number = 0
  readonly failure: Failure | undefined = undefined
  /** The requests under way, in the order in which they started. */
  readonly attempts: readonly Attempt[] = noAttempts
  /** Until when no reader asks, after an abort or for a mutation under way: milliseconds since the epoch. */
  readonly pausedUntil: number = -Infinity
  /** Grace period: Valid until then even if expired. Milliseconds since the epoch. */
  readonly graceUntil: number = -Infinity
  /** Counts what makes readers ask anew: invalidations, and answers that gave way to something newer. */
  readonly renewals: number = 0
  /** What readers go on seeing although a mutation removed it. */
  readonly held: Snapshot | undefined = undefined
  /** Whether it is out of the table. */
  readonly isCollected: boolean = false

  // --- its list, and who uses it ---

  /** Where the result has a list that pages are appended to; `undefined` while none was. */
  path: FieldPath | undefined = undefined
  /** The arguments of the calls whose answers were appended to that list, in the order in which they were. */
  loaded: readonly (readonly unknown[])[] = noneLoaded
  /** Of a list that is no Collection, which remembers it by itself. */
  pages = noPages
  /** Gives up what the result holds outside of the store. */
  dispose: ((result: unknown) => void) | undefined = undefined
  /** How many readers keep it. */
  retainers = 0
  /** When the last reader left, or it was last used without one: milliseconds since the epoch. */
  usedAt = -Infinity
  /** Most calls have one or none, and a Set takes as much memory as the rest of what they keep for a reader. */
  #listeners: Listener | Set<Listener> | undefined = undefined
  #snapshot: Snapshot | undefined = undefined
  #news: Settleable<undefined> | undefined = undefined

  constructor({ key, schema, args, isQuery = false }: CallKey, owner: ResultOwner) {
    this.key = key
    this.schema = schema
    this.args = args
    this.isQuery = isQuery
    this.view = new ResultView(this, owner)
  }

  /**
   * Moves a call to its next state. Its answer is `none`, `success` or `invalid`, with or without an `error`; its request
   * `idle`, `pending` or `paused`; its age follows from its stamp, or is `stale` or `grace`.
   *
   * | event | answer | request | age | readers that wait |
   * | --- | --- | --- | --- | --- |
   * | `asked` | | `pending` | | |
   * | `reported` | | other progress | | |
   * | `settled` | | `idle`, or `paused` | `grace` if asked for | look again |
   * | `answered` | `success`, no older `error` | not `paused` | of the answer | look again |
   * | `replaced` | another result | earlier ones are over | | |
   * | `failed` | `error` beside | not `paused` | | look again |
   * | `forgiven` | no `error` | | | |
   * | `invalidated` | `invalid`, no `error` | earlier ones are over, not `paused` | no `grace` | look again |
   * | `expired` | | | `stale`, no `grace` | |
   * | `forgotten` | `none` | as `invalidated` | none | look again |
   * | `hydrated` | as elsewhere | not `paused` | as elsewhere | look again |
   * | `hidden` | | `paused` | | |
   * | `resumed` | | not `paused` | | look again |
   * | `renewed` | | | | ask once more |
   * | `shown` | | | no `grace` | |
   * | `held` | another snapshot is shown | | | |
   * | `collected` | out of the table | | | |
   *
   * That time passes is no event.
   *
   * @returns whether the view of the call shows another result
   * @see specification 3, States of a call
   */
  transition(event: CallEvent): boolean {
    const next = this as Writable<Call>
    const { result, isInvalidated } = this
    switch (event.type) {
      case 'asked':
        next.attempts = [...this.attempts, event.attempt].sort((a, b) => a.start - b.start)
        next.pausedUntil = -Infinity
        break
      case 'reported':
        ;(event.attempt as Writable<Attempt>).progress = Object.freeze({ ...event.progress })
        break
      case 'settled':
        next.attempts = this.attempts.filter((attempt) => attempt !== event.attempt)
        next.pausedUntil = event.pausedUntil ?? -Infinity
        next.graceUntil = event.graceUntil ?? this.graceUntil
        this.#wake()
        break
      case 'answered':
        next.result = event.result
        next.stamp = event.stamp
        next.isInvalidated = false
        next.pausedUntil = -Infinity
        if (this.failure !== undefined && event.stamp.sequence >= this.failure.start) next.failure = undefined
        this.#wake()
        break
      case 'replaced':
        next.result = event.result
        next.stamp = event.stamp ?? this.stamp
        next.invalidatedAt = event.at ?? this.invalidatedAt
        break
      case 'failed':
        next.failure = event
        next.pausedUntil = -Infinity
        this.#wake()
        break
      case 'forgiven':
        next.failure = undefined
        break
      case 'forgotten':
      case 'invalidated':
        if (event.type === 'forgotten') {
          next.result = noResult
          next.stamp = neverWritten
          next.path = undefined
          next.loaded = noneLoaded
          next.pages = noPages
        }
        next.isInvalidated = event.type === 'invalidated'
        next.invalidatedAt = event.at
        next.renewals++
        next.failure = undefined
        next.held = undefined
        next.graceUntil = -Infinity
        next.pausedUntil = -Infinity
        this.#wake()
        break
      case 'expired':
        // A late answer may bring an earlier position: it takes back no later one.
        next.expiredAt = event.isExact === true ? event.at : Math.max(this.expiredAt, event.at)
        next.graceUntil = -Infinity
        break
      case 'hydrated':
        next.result = event.result
        next.stamp = event.stamp
        next.isInvalidated = event.isInvalidated
        next.failure = event.failure
        next.pausedUntil = -Infinity
        next.graceUntil = event.graceUntil ?? this.graceUntil
        this.#wake()
        break
      case 'hidden':
        next.pausedUntil = Infinity
        break
      case 'resumed':
        next.pausedUntil = -Infinity
        this.#wake()
        break
      case 'renewed':
        next.renewals++
        break
      case 'shown':
        next.graceUntil = -Infinity
        break
      case 'held':
        next.held = event.snapshot
        if (event.snapshot !== undefined) this.#snapshot = event.snapshot
        break
      case 'collected':
        next.isCollected = true
        break
    }
    return this.result !== result || this.isInvalidated !== isInvalidated
  }

  /** The latest request under way whose answer counts. */
  get attempt(): Attempt | undefined {
    const { attempts, invalidatedAt } = this
    // Asked for at every read: a look before the first of an empty list is slow.
    if (attempts.length === 0) return undefined
    const latest = attempts[attempts.length - 1]
    return latest !== undefined && latest.start > invalidatedAt ? latest : undefined
  }

  get error(): Error | undefined {
    return this.failure?.error
  }

  /** Whether a request is under way whose answer counts. */
  get fetching(): boolean {
    return this.attempt !== undefined
  }

  /** Is fulfilled when a reader that waits has to look again, whatever happened. */
  get news(): TaggedPromise<undefined> {
    return (this.#news ??= createSettleable()).promise
  }

  /** Calls a function when what the call shows may have changed. */
  listen(listener: Listener): void {
    const listeners = this.#listeners
    if (listeners === undefined) this.#listeners = listener
    else if (listeners instanceof Set) listeners.add(listener)
    else this.#listeners = new Set([listeners, listener])
  }

  unlisten(listener: Listener): void {
    const listeners = this.#listeners
    if (listeners === listener) this.#listeners = undefined
    else if (listeners instanceof Set && listeners.delete(listener) && listeners.size === 0) {
      this.#listeners = undefined
    }
  }

  /** Whether there is a listener. */
  get isHeard(): boolean {
    return this.#listeners !== undefined
  }

  /** The listeners now, in the order in which they came. */
  get listeners(): readonly Listener[] {
    const listeners = this.#listeners
    if (listeners === undefined) return []
    return listeners instanceof Set ? [...listeners] : [listeners]
  }

  /** What is there now, also while readers still see what a mutation removed. */
  snapshotNow(graph: ViewGraph): Snapshot {
    const shown = this.snapshot(graph)
    return this.held === undefined ? shown : { ...shown, ...this.#read(graph) }
  }

  /** What readers see now. @see snapshotNow */
  snapshot(graph: ViewGraph): Snapshot {
    const last = this.#snapshot
    const read = this.#read(graph)
    // What is there again is not held any more.
    if (this.held !== undefined && read.isReadable) this.transition({ type: 'held', snapshot: undefined })
    // Only the data is held: what happens to requests meanwhile is seen.
    const { data, error, isReadable } = this.held === undefined ? read : { ...this.held, error: this.error }
    const { attempt } = this
    const fetching = attempt !== undefined
    const progress = attempt?.progress
    if (
      last !== undefined &&
      last.data === data &&
      last.error === error &&
      last.isReadable === isReadable &&
      last.fetching === fetching &&
      last.progress === progress
    ) {
      return last
    }
    const next = { data, error, fetching, progress, isReadable }
    return (this.#snapshot = development ? Object.freeze(next) : next)
  }

  /** What was last computed for readers; `undefined` when nothing was. */
  get lastSnapshot(): Snapshot | undefined {
    return this.#snapshot
  }

  /** Whether what is stored of the call is newer than a request for it. */
  isOvertaken(start: number): boolean {
    return this.stamp.sequence > start || isOvertaken(this.result, start)
  }

  /** When what can be read was received, and until when it is Valid. */
  get age(): Stamp {
    // A record has its own age.
    if (this.result !== noResult && !(this.schema instanceof EntityPlan)) return this.stamp
    const normalized = this.result === noResult ? this.view.inferred : this.result
    // Asked for at every read: the common cases of one record, of one list and of all records make nothing new.
    if (normalized instanceof RecordNode || normalized instanceof ListNode) return normalized.stamp
    if (Array.isArray(normalized) && normalized.length === 0) return this.stamp
    const stamps = stampsOf(normalized)
    return stamps.reduce(
      (oldest, stamp) => (stamp.expiresAt < oldest.expiresAt ? stamp : oldest),
      stamps[0] ?? this.stamp,
    )
  }

  /** Lets readers that wait look again. */
  #wake(): void {
    this.#news?.resolve(undefined)
    this.#news = undefined
  }

  #read(graph: ViewGraph): { data: unknown; error: Error | undefined; isReadable: boolean } {
    try {
      const data = graph.read(this.view)
      const isReadable = data !== undefined || (this.view.isUndefined && this.result !== noResult)
      return { data, error: this.error, isReadable }
    } catch (error) {
      // User code of an entity class threw: readers get it where they get the errors of a fetch.
      return { data: undefined, error: this.#toReadError(error), isReadable: false }
    }
  }

  /** What is thrown anew by each read is one error to readers, as long as it says the same. */
  #toReadError(thrown: unknown): Error {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    const last = this.#snapshot?.error
    return last?.name === error.name && last.message === error.message ? last : error
  }
}

type Writable<Object> = { -readonly [Name in keyof Object]: Object[Name] }

/** The calls that show something directly, of the views that depend on it. */
export function callsShowing(views: readonly View[]): Call[] {
  // Only calls have views of results.
  return views.flatMap((view) => (view instanceof ResultView ? [view.node as Call] : []))
}

/** Whether two snapshots of a call show the same. */
export function isSameSnapshot(a: Snapshot, b: Snapshot): boolean {
  return (Object.keys(a) as (keyof Snapshot)[]).every((name) => a[name] === b[name])
}
