import { development } from '#development'
import { toCaughtError } from '../errors.js'
import { EntityPlan } from '../schema/entity-plan.js'
import type { FieldPath } from '../schema/page-schema.js'
import type { StoreQueryDelegate } from '../schema/delegates.js'
import type { Schema, SchemaContract } from '../schema/schema.js'
import type { Journal } from './journal.js'
import type { ViewSource, CallKey, ResponseReader } from './results.js'
import type { Progress } from '../util/progress.js'
import { createSettleable } from '../util/settleable.js'
import type { Settleable, TaggedPromise } from '../util/settleable.js'
import { isSamePlain } from '../util/plain.js'
import { noPages } from './list-node.js'
import type { Pages } from './list-node.js'
import { RecordNode } from './records.js'
import { ResultDenormalization, isOvertaken, noResult, show, stampsOf } from './results.js'
import { neverWritten } from './stamp.js'
import type { Stamp } from './stamp.js'
import { viewsIn, withDependent, withoutDependent, View, clean, failed, unread } from './view/view.js'
import type { Dependents, Beginning, ViewGraph } from './view/view.js'

/** The state of a call for readers. The same object until a member changes; no member depends on the clock. */
export interface Snapshot<Data = unknown> {
  /** Denormalized data; `undefined` if there is none. */
  readonly data: Data | undefined
  /** The error of the last fetch; `undefined` if it did not fail. */
  readonly error: Error | undefined
  /** True while a request is in flight. */
  readonly fetching: boolean
  /** The progress of the request in flight; `undefined` without one, and if its transport does not report it. */
  readonly progress: Progress | undefined
  /** True if `data` is the result of the call, so that a response of `undefined` differs from no response. */
  readonly isReadable: boolean
}

/** The snapshot without a call. */
export const noSnapshot: Snapshot<undefined> = Object.freeze({
  data: undefined,
  error: undefined,
  fetching: false,
  progress: undefined,
  isReadable: false,
})

/** A request in flight for a call. */
export interface Attempt {
  /** The store's sequence when it started. */
  readonly start: number
  /** The latest report of its transport. */
  readonly progress: Progress | undefined
}

/** The failure of the last request that counts. */
export interface Failure {
  readonly error: Error
  /** The store's sequence when the request started: responses to earlier requests do not clear the error. */
  readonly start: number
  /** End of the error, after which it is not thrown again: milliseconds since the epoch. */
  readonly expiresAt: number
}

/** An event of a call. `Call.transition` lists the effect of each. */
export type CallEvent =
  /** A request was sent; for a mutation, only one that reports progress. */
  | { readonly type: 'asked'; readonly attempt: Attempt }
  /** The transport of a request reported its progress. */
  | { readonly type: 'reported'; readonly attempt: Attempt; readonly progress: Progress }
  /**
   * A request ended, with any outcome. `graceUntil`: its outcome counts as Valid until then, because the reader that
   * waited for it has not rendered. `pausedUntil`: the request was aborted, and readers do not fetch until then.
   */
  | {
      readonly type: 'settled'
      readonly attempt: Attempt
      readonly graceUntil?: number | undefined
      readonly pausedUntil?: number | undefined
    }
  | { readonly type: 'answered'; readonly result: unknown; readonly stamp: Stamp }
  /** The result was changed without a response. `at`: responses to requests that started before it are ignored. */
  | {
      readonly type: 'replaced'
      readonly result: unknown
      readonly stamp?: Stamp | undefined
      readonly at?: number | undefined
    }
  | ({ readonly type: 'failed' } & Failure)
  /** The error is cleared: a boundary was reset. */
  | { readonly type: 'forgiven' }
  /** The call counts as unanswered until the response to a later request. The stored result may stay. */
  | { readonly type: 'invalidated'; readonly at: number }
  /** The call became Stale, with requests that started earlier. */
  | { readonly type: 'expired'; readonly at: number; readonly due?: number }
  /** The call is unanswered, and its result is dropped. It is Stale only if it stays so, by `expiredAt`. */
  | { readonly type: 'forgotten'; readonly at: number; readonly expiredAt?: number }
  | ({ readonly type: 'hydrated'; readonly graceUntil?: number | undefined } & Pick<
      Call,
      'result' | 'stamp'
    > &
      Pick<StoredCallState, 'isInvalidated' | 'failure'>)
  /** Readers do not fetch until a mutation in flight settles, which removed the data, or the rest of the page arrives. */
  | { readonly type: 'hidden' }
  /** Ends a pause: readers may fetch again and check the call. */
  | { readonly type: 'resumed' }
  /** A response lost against newer data: readers fetch once more. */
  | { readonly type: 'renewed' }
  /** A reader that waited has rendered: normal expiry applies from now on. */
  | { readonly type: 'shown' }
  /** Keeps a snapshot on screen in place of missing data; `undefined` ends it. */
  | { readonly type: 'held'; readonly snapshot: Snapshot | undefined }
  /** The call was removed from its table. Observers that hold it look it up again. */
  | { readonly type: 'collected' }

/** What the events of a call changed, besides its result. */
export interface StoredCallState {
  /** True if the call counts as unanswered despite a stored result (specification 3, what Invalid marks). */
  readonly isInvalidated: boolean
  /** The store's sequence at the last invalidation: responses to earlier requests are ignored. */
  readonly invalidatedAt: number
  /** The store's sequence when the call last became Stale: responses to earlier requests are Stale at once. */
  readonly expiredAt: number
  /** The `expiredAt` at which readers on screen had to fetch at once. */
  readonly dueAt: number
  readonly failure: Failure | undefined
  /** The requests in flight, in the order of their start. */
  readonly attempts: readonly Attempt[]
  /** Readers do not fetch until then, after an abort or during a mutation: milliseconds since the epoch. */
  readonly pausedUntil: number
  /** Grace period: Valid until then even if expired. Milliseconds since the epoch. */
  readonly graceUntil: number
  /** Counts the events that make readers fetch again: invalidations, and responses that lost against newer data. */
  readonly renewals: number
  /** The snapshot that stays on screen although a mutation removed its data. */
  readonly held: Snapshot | undefined
  /** True once the call was removed from its table. */
  readonly isCollected: boolean
}

const noAttempts: readonly Attempt[] = []

const noState: StoredCallState = Object.freeze({
  isInvalidated: false,
  invalidatedAt: 0,
  expiredAt: 0,
  dueAt: 0,
  failure: undefined,
  attempts: noAttempts,
  pausedUntil: -Infinity,
  graceUntil: -Infinity,
  renewals: 0,
  held: undefined,
  isCollected: false,
})

/** What readers may see of an event: another result, other facets of the same data, or nothing. */
export type EventEffect = 'result' | 'facets' | 'nothing'

type Listener = () => void

const noneLoaded: readonly (readonly unknown[])[] = []

/** The store, as calls use it. */
export interface CallOwner extends ViewSource, Pick<StoreQueryDelegate, 'reference'> {
  /** Notes changes; `undefined` while nobody listens to them. */
  readonly journal: Journal | undefined
  /** Finds the reference that arguments identify. */
  lookUp(schema: Schema, args: readonly unknown[]): unknown
  /** Called if the data that readers of a call see may have changed. */
  touch(call: Call): void
}

/**
 * One call: its result by one schema, its failure, and its requests in flight. Only `transition` changes them, and only the store
 * calls it.
 */
export class Call extends View implements CallKey {
  declare readonly key: string
  declare readonly schema: SchemaContract | undefined
  declare readonly args: readonly unknown[]
  declare readonly isQuery: boolean
  declare reader: ResponseReader | undefined

  // --- what `transition` changes ---

  /** The normalized result, with nodes in place of records; `noResult` before the first response. */
  readonly result: unknown = noResult
  readonly stamp: Stamp = neverWritten
  /** All else: one object for all calls that had no event yet. A reader that mounts causes none. */
  readonly state: StoredCallState = noState

  // --- the data of the result ---

  /** The reference that the arguments identify, if no result was received yet. */
  inferred: unknown = undefined
  /** True if `undefined` is the data of the call and not missing data. */
  isUndefined = false
  declare protected readonly owner: CallOwner
  /** Denormalizes any result but a single record; created when needed. */
  #delegate: ResultDenormalization | undefined

  // --- its list, its readers and listeners ---

  /** The path of the list in the result that pages are appended to; `undefined` before the first page request. */
  declare path: FieldPath | undefined
  /** The arguments of the loaded pages of that list, in its order, with those of the list itself among them; empty without pages. */
  declare loaded: readonly (readonly unknown[])[]
  /**
   * The arguments of the page behind those whose responses together are `data`, if a reader computes them; `undefined` at the end of the
   * list. The loaded pages are fetched again by it, because a cursor of before may skip rows.
   */
  declare further: ((data: unknown, pages: number) => readonly unknown[] | undefined) | undefined
  /** The pages of a list that is no Collection; a Collection's list node keeps its own. */
  declare pages: Pages
  /** `true` if rows may have moved from one of the loaded pages to another: the next request asks for all of them. */
  declare isShifted: boolean
  /** Releases resources outside the store that belong to the result. */
  declare dispose: ((result: unknown) => void) | undefined
  /** The number of readers that retain the call. */
  retainers = 0
  /** Time at which the last reader left, or of the last use without a reader: milliseconds since the epoch. */
  usedAt = -Infinity
  /** The garbage run during or after which the call was last looked up. */
  mark = 0
  #listeners: Dependents<Listener> = undefined
  #snapshot: Snapshot | undefined
  #news: Settleable<undefined> | undefined

  constructor({ key, schema, args, reader, isQuery = false }: CallKey, owner: CallOwner) {
    super()
    this.owner = owner
    this.key = key
    this.schema = schema
    this.args = args
    this.reader = reader
    this.isQuery = isQuery
  }

  /**
   * Moves the call to its next state. The answer is `none`, `success` or `invalid`, with or without an `error`; the
   * request is `idle`, `pending` or `paused`; the age follows from the stamp, or is `stale` or `grace`.
   *
   * | event | answer | request | age | waiting readers |
   * | --- | --- | --- | --- | --- |
   * | `asked` | | `pending` | | |
   * | `reported` | | other progress | | |
   * | `settled` | | `idle`, or `paused` | `grace` if given | check again |
   * | `answered` | `success`, no older `error` | not `paused` | of the response | check again |
   * | `replaced` | another result | earlier ones are ignored | | |
   * | `failed` | and `error` | not `paused` | | check again |
   * | `forgiven` | no `error` | | | |
   * | `invalidated` | `invalid`, no `error` | earlier ones are ignored, not `paused` | no `grace` | check again |
   * | `expired` | | | `stale`, no `grace` | |
   * | `forgotten` | `none` | as `invalidated` | none, not `stale` | check again |
   * | `hydrated` | as dehydrated | not `paused` | as dehydrated | check again |
   * | `hidden` | | `paused` | | |
   * | `resumed` | | not `paused` | | check again |
   * | `renewed` | | | | fetch once more |
   * | `shown` | | | no `grace` | |
   * | `held` | the held snapshot is shown | | | |
   * | `collected` | removed from the table | | | |
   *
   * The passage of time is no event.
   *
   * @returns what readers may see of it
   * @see specification 3, States of a call
   */
  transition(event: CallEvent): EventEffect {
    this.owner.journal?.note(this)
    const call = this as Writable<Call>
    if (this.state === noState) call.state = { ...noState }
    const state = this.state as Writable<StoredCallState>
    const { result } = this
    const { isInvalidated } = state
    switch (event.type) {
      case 'asked':
        state.attempts = [...state.attempts, event.attempt].sort((a, b) => a.start - b.start)
        state.pausedUntil = -Infinity
        break
      case 'reported':
        ;(event.attempt as Writable<Attempt>).progress = Object.freeze({ ...event.progress })
        break
      case 'settled':
        state.attempts = state.attempts.filter((attempt) => attempt !== event.attempt)
        state.pausedUntil = event.pausedUntil ?? -Infinity
        state.graceUntil = event.graceUntil ?? state.graceUntil
        this.#wake()
        break
      case 'answered':
        call.result = event.result
        call.stamp = event.stamp
        state.isInvalidated = false
        state.pausedUntil = -Infinity
        if (state.failure !== undefined && event.stamp.sequence >= state.failure.start)
          state.failure = undefined
        this.#wake()
        break
      case 'replaced':
        call.result = event.result
        call.stamp = event.stamp ?? this.stamp
        state.invalidatedAt = event.at ?? state.invalidatedAt
        break
      case 'failed':
        state.failure = event
        state.pausedUntil = -Infinity
        this.#wake()
        break
      case 'forgiven':
        state.failure = undefined
        break
      case 'forgotten':
      case 'invalidated':
        if (event.type === 'forgotten') {
          call.result = noResult
          call.stamp = neverWritten
          state.expiredAt = event.expiredAt ?? 0
          this.loaded = noneLoaded
          this.pages = noPages
        }
        state.isInvalidated = event.type === 'invalidated'
        state.invalidatedAt = event.at
        state.renewals++
        state.failure = undefined
        state.held = undefined
        state.graceUntil = -Infinity
        state.pausedUntil = -Infinity
        this.#wake()
        break
      case 'expired':
        // A late response may bring an earlier position, which must not replace a later one.
        state.expiredAt = Math.max(state.expiredAt, event.at)
        state.dueAt = event.due ?? state.expiredAt
        state.graceUntil = -Infinity
        break
      case 'hydrated':
        call.result = event.result
        call.stamp = event.stamp
        state.isInvalidated = event.isInvalidated
        state.failure = event.failure
        state.pausedUntil = -Infinity
        state.graceUntil = event.graceUntil ?? state.graceUntil
        this.#wake()
        break
      case 'hidden':
        state.pausedUntil = Infinity
        return 'nothing'
      case 'resumed':
        state.pausedUntil = -Infinity
        this.#wake()
        return 'nothing'
      case 'renewed':
        state.renewals++
        break
      case 'shown':
        state.graceUntil = -Infinity
        return 'nothing'
      case 'held':
        state.held = event.snapshot
        if (event.snapshot !== undefined) this.#snapshot = event.snapshot
        break
      case 'collected':
        state.isCollected = true
        return 'nothing'
    }
    return this.result !== result || state.isInvalidated !== isInvalidated ? 'result' : 'facets'
  }

  /** The latest request in flight whose response will count. */
  get attempt(): Attempt | undefined {
    const { attempts, invalidatedAt } = this.state
    // Hot path, runs at every read: index -1 of an empty array is slow.
    if (attempts.length === 0) return undefined
    const latest = attempts[attempts.length - 1]
    return latest !== undefined && latest.start > invalidatedAt ? latest : undefined
  }

  get error(): Error | undefined {
    return this.state.failure?.error
  }

  /** True while a request is in flight whose response will count. */
  get fetching(): boolean {
    return this.attempt !== undefined
  }

  /** Resolves when waiting readers have to check the call again, after a success or a failure. */
  get news(): TaggedPromise<undefined> {
    return (this.#news ??= createSettleable()).promise
  }

  /** Adds a listener, called when the snapshot may have changed. */
  listen(listener: Listener): void {
    this.#listeners = withDependent(this.#listeners, listener)
  }

  unlisten(listener: Listener): void {
    this.#listeners = withoutDependent(this.#listeners, listener)
  }

  /** True if there is a listener. */
  get isHeard(): boolean {
    return this.#listeners !== undefined
  }

  /** True if readers wait for the call: a framework may have mounted none of them. */
  get isAwaited(): boolean {
    return this.#news !== undefined
  }

  /** The current listeners, in the order in which they were added. */
  get listeners(): readonly Listener[] {
    return [...viewsIn(this.#listeners)]
  }

  /** The current state, also while a held snapshot stays on screen. */
  snapshotNow(): Snapshot {
    const shown = this.snapshot()
    return this.state.held === undefined ? shown : { ...shown, data: undefined, isReadable: false }
  }

  /** The snapshot for readers, which may be a held one. @see snapshotNow */
  snapshot(): Snapshot {
    const last = this.#snapshot
    let data: unknown
    let { error } = this
    let isReadable = false
    try {
      // Hot path, runs at every read: most views are current.
      data = this.flags === clean && this.owner.graph.isSettled ? this.value : this.owner.graph.read(this)
      isReadable = data !== undefined || (this.isUndefined && this.result !== noResult)
    } catch (thrown) {
      // User code of an entity class threw: readers receive it like the error of a fetch, the same until what it read changes.
      error = toCaughtError(thrown)
      if (this.flags === failed) this.value = error
    }
    if (error !== undefined && isReadable && (madeAt(this, error) ?? 0) > (this.state.failure?.start ?? 0))
      error = undefined
    // Data that is readable again ends the hold.
    if (this.state.held !== undefined && isReadable) this.transition({ type: 'held', snapshot: undefined })
    if (this.state.held !== undefined) {
      // Only the data is held: readers see the state of requests meanwhile.
      ;({ data, isReadable } = this.state.held)
      error = this.error
    }
    // Hot path, runs at every read: most calls have no request.
    const attempt = this.state.attempts === noAttempts ? undefined : this.attempt
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

  /** The snapshot that was last computed; `undefined` if none was. */
  get lastSnapshot(): Snapshot | undefined {
    return this.#snapshot
  }

  /** True if the stored result or its records are newer than a request for the call. @param start - of the request */
  isOvertaken(start: number): boolean {
    return this.stamp.sequence > start || isOvertaken(this.result, start)
  }

  /** The stamp of the readable data: that of the call, or the one of its records that expires first. */
  get age(): Stamp {
    // A single record has its own age.
    if (this.result !== noResult && !(this.schema instanceof EntityPlan)) return this.stamp
    const normalized = this.result === noResult ? this.inferred : this.result
    // Hot path, runs at every read: the common case of one record allocates nothing.
    if (normalized instanceof RecordNode) return normalized.stamp
    const stamps = stampsOf(normalized)
    return stamps.reduce(
      (oldest, stamp) => (stamp.expiresAt < oldest.expiresAt ? stamp : oldest),
      stamps[0] ?? this.stamp,
    )
  }

  // --- its view: the result, put together from the store's records ---

  override noteDropped(): void {
    this.owner.touch(this)
  }

  override begin(): Beginning {
    const { schema, result } = this
    // Only the first read has no other flag. A call of one record gives the value of the record's view.
    if (this.flags !== unread || this.sources.length > 0 || this.state.isInvalidated) return 'to finish last'
    if (!(schema instanceof EntityPlan)) return 'to finish last'
    // A `queryKey` of the class may depend on stored data.
    const isOwn = result === noResult && schema.entity.queryKey === undefined
    const pk = isOwn ? schema.pkOfArgs(this.args) : undefined
    const node = pk === undefined ? result : this.owner.reference(schema, pk)
    if (!(node instanceof RecordNode)) return 'to finish last'
    if (pk !== undefined) this.inferred = node
    this.owner.graph.follow(this, this.owner.viewOf(node, schema))
    return 'complete'
  }

  override finish(graph: ViewGraph, previous: unknown): void {
    const linking = graph.beginLinking()
    const value = this.#compute(graph)
    graph.endLinking(this, linking)
    // A list view creates a new array only if a member differs.
    // A resource outside the store is another one, however equal it looks.
    const isDecided =
      this.dispose !== undefined || (this.sources.length === 1 && this.sources[0]?.value === value)
    this.value = !isDecided && isSamePlain(previous, value, true) ? previous : value
    this.#delegate?.dropUnshown()
  }

  /** @see ResultDenormalization.continueList */
  continueList(before: readonly unknown[], after: readonly unknown[]): void {
    this.#delegate?.continueList(before, after)
  }

  /** The view and those of its lists. */
  get views(): readonly View[] {
    return [this, ...(this.#delegate?.lists.values() ?? [])]
  }

  #compute(graph: ViewGraph): unknown {
    this.isUndefined = false
    const { schema, result, args, isQuery, owner } = this
    if (this.state.isInvalidated) return undefined
    if (schema === undefined) {
      this.isUndefined = result === undefined
      return result === noResult ? undefined : result
    }
    // Read only here, because a stored result is shown without `needsAnswer`.
    if (result === noResult)
      this.inferred = !isQuery && schema.needsAnswer === true ? undefined : owner.lookUp(schema, args)
    const normalized = result === noResult ? this.inferred : result
    if (result === noResult && normalized === undefined) return undefined
    if (schema instanceof EntityPlan && normalized instanceof RecordNode)
      return graph.readSource(owner.viewOf(normalized, schema))
    const delegate = (this.#delegate ??= new ResultDenormalization(owner, this.args))
    delegate.isProcessed = false
    const data = show(schema, normalized, delegate)
    this.isUndefined = data === undefined && delegate.isProcessed
    return data
  }

  /** Lets waiting readers check the call again, if its record came otherwise than by its own request. */
  wakeIfReadable(): void {
    if (this.#news !== undefined && this.snapshot().isReadable) this.#wake()
  }

  /** Lets waiting readers check the call again. */
  #wake(): void {
    this.#news?.resolve(undefined)
    this.#news = undefined
  }
}

// Most calls have none of these.
Object.assign(Call.prototype, {
  path: undefined,
  loaded: noneLoaded,
  pages: noPages,
  isShifted: false,
  further: undefined,
  dispose: undefined,
} satisfies Partial<Call>)

type Writable<Object> = { -readonly [Name in keyof Object]: Object[Name] }

/** The calls among views, which are those that show the result of a call. */
export function callsShowing(views: readonly View[]): Call[] {
  return views.filter((view) => view instanceof Call)
}

/**
 * The position at which a mutation has made the record of a call that has failed with a 404: its server had not made it yet, or could not
 * say so yet. `undefined` for any other error, and if no mutation has made it.
 */
export function madeAt({ result, age: { sequence, start } }: Call, error: Error): number | undefined {
  const is404 = (error as { readonly status?: unknown }).status === 404
  return is404 && result === noResult && sequence > start ? sequence : undefined
}
