import { development } from '#development'
import type { Calls, FetchingReader } from '../controller/calls.js'
import { callsOf } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import { Hold } from '../controller/reads.js'
import { noteArguments } from '../controller/changing-arguments.js'
import { noteSummary } from '../controller/summaries.js'
import { traceRequest } from '../controller/trace-request.js'
import type { Occasion } from '../controller/tracer.js'
import type { ReadAttempt } from '../controller/reads.js'
import type { CacheableEndpoint, EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { noSnapshot } from '../store/call.js'
import type { Call, Failure, Snapshot } from '../store/call.js'
import type { Stamp } from '../store/stamp.js'
import { isSameMembers } from '../util/plain.js'
import { componentName } from './component-name.js'
import { noteReading } from './first-page.js'
import { endpointOf, ownOptionsOf } from './reader-options.js'
import type { OwnOptions, ReaderOptions } from './reader-options.js'
import type { TaggedPromise } from '../util/settleable.js'

export type { Snapshot } from '../store/call.js'

/** Connects a call: its stream or its polling. @returns a function that ends the connection */
type ConnectCall = (
  controller: Controller,
  call: Call,
  endpoint: () => EndpointLike,
  args: readonly unknown[],
) => () => void

/** Reads details of a call that no reader shows. */
export type Inspect<Value> = (calls: Calls, call: Call, endpoint: CacheableEndpoint) => Value

/** The reader has data to show. */
interface Ready<Data> {
  readonly state: 'success'
  readonly data: Data
}

/**
 * What a suspending reader has to do now: show data, suspend or throw. Immutable: the same object until that changes.
 */
export type Reading<Data = unknown> =
  | Ready<Data>
  | {
      readonly state: 'pending'
      /**
       * Fulfilled when `reading` must be called again, whether the request succeeded or failed. The same promise until
       * then.
       */
      readonly promise: TaggedPromise<undefined>
      /** `true` if the previous data must not stay on screen (`resetAll`). */
      readonly dropsLast: boolean
      /**
       * The last data that the reader showed, of this call or of the previous one; `undefined` if it must not stay on
       * screen.
       */
      readonly last: Ready<Data> | undefined
    }
  | { readonly state: 'error'; readonly error: Error }

/** A reading that cannot be pending. */
export type CachedReading<Data = unknown> = Exclude<Reading<Data | undefined>, { state: 'pending' }>

/** Returns the data of a reading. @throws its error */
export function dataIn<Data>(reading: CachedReading<Data>): Data | undefined {
  if (reading.state === 'error') throw reading.error
  return reading.data
}

/**
 * The state of a call for hooks that do not suspend: loading, failed (with older data, if there is any) or loaded.
 * Immutable.
 */
export type CallState<Data = unknown> =
  | { readonly data: undefined; readonly loading: true; readonly error: undefined; readonly isLast: false }
  | {
      readonly data: Data | undefined
      readonly loading: false
      readonly error: Error
      readonly isLast: false
    }
  | {
      readonly data: Data
      readonly loading: false
      readonly error: undefined
      /** `true` while `data` is that of the previous arguments: the reader has the option `keepPrevious`. */
      readonly isLast: boolean
    }

const isNone = () => false
/** The reading without data of a hook that does not suspend. */
export const readyWithNothing = Object.freeze({ state: 'success', data: undefined } as const)
/** The result of `state` while there is neither data nor an error. */
export const stateOfLoading = Object.freeze({
  data: undefined,
  loading: true,
  error: undefined,
  isLast: false,
} as const)
const stateOfNothing = Object.freeze({
  data: undefined,
  loading: false,
  error: undefined,
  isLast: false,
} as const)

/**
 * Watches one call for one reader; every binding is built on it. A binding creates one when a component is mounted or
 * its arguments change, and at that time it checks expiry. It is cheap, because all lasting state belongs to the
 * Controller. Creating one has no side effects, so a framework may discard it.
 */
export class Observer<Data = unknown> implements FetchingReader {
  readonly #controller: Controller
  readonly #calls: Calls
  #endpoint: CacheableEndpoint
  #args: readonly unknown[] | undefined
  #call: Call | undefined
  /** The call's `dueAt` at the last expiry check. */
  #dueAt = 0
  /** `true` if the binding calls `follow` in each render. */
  #isFollowed = false
  /** `true` for a reader that fetches. */
  #isAsking = false
  #own: OwnOptions | undefined
  /** Ends what they began. */
  #endOptions: (() => void) | undefined
  /** Called after a render that passed other options of the reader. */
  onOptions: (() => void) | undefined
  /** The Observer of the previous arguments that had data, until this one has some. */
  #previous: Observer<Data> | undefined

  /** `true` once the reader was unmounted or hidden: expiry is checked when it returns. */
  #wasReleased = false
  /** `true` if the last expiry check found that a request is due. */
  #isDue = false
  /** The age of data that was Invalid at the last expiry check; that data is ignored until it is replaced. */
  #ignoredData: Stamp | undefined
  /** The failure that had expired at the last expiry check; ignored until the call fails again. */
  #ignoredFailure: Failure | undefined
  /** The store's count of changes at the last expiry check. */
  #checkedAt = -1
  /** The call's `renewals` at the last expiry check. */
  #renewals = 0
  #wasReadable = false
  #retainers = 0
  #resets = 0
  /** The last request that the reader sent or joined. */
  #attempt: ReadAttempt | undefined
  /** `true` if the reader sent or joined a request since the last expiry check, which it does once. */
  #hasAsked = false
  /** Keeps that request alive while the reader is not mounted, and so retains no call. */
  #hold: Hold | undefined
  /** The last result of `reading`. */
  #reading: Reading<Data> | undefined
  /** The last data that the reader showed. */
  #last: Ready<Data> | undefined
  #state: CallState | undefined
  /** The name of the component that reads, if its binding tells it. Development only. */
  declare label: string | undefined
  /** What made the last expiry check. Development only. */
  declare occasion: Occasion | undefined
  /** `true` if the reader loads further pages. Development only. */
  declare isOfPages: true | undefined

  /**
   * @param args - the endpoint's arguments; a first argument of `null` reads nothing
   * @param hold - of the component, if it may create Observers that are discarded before they are mounted
   * @param call - the call, if the caller has looked it up: building a key and finding its call takes half of the time
   * @throws {SelfsameError} `argument-invalid` if `endpoint` is not an endpoint; errors of `endpoint.key`
   */
  constructor(
    controller: Controller,
    endpoint: CacheableEndpoint,
    args: readonly unknown[],
    hold?: Hold,
    call?: Call,
  ) {
    this.#controller = controller
    const calls = callsOf(controller)
    this.#calls = calls
    this.#hold = hold
    this.#own = ownOptionsOf(endpoint)
    this.#endpoint = endpointOf(endpoint)
    if (development && typeof endpoint?.key !== 'function') throw errors.notAnEndpoint('A hook', endpoint)
    this.#args = args[0] === null ? undefined : args
    this.#call = call
    this.#resets = calls.resets
    if (development) {
      this.occasion = 'mounted'
      if (calls.tracer !== undefined) this.label = componentName()
    }
    this.checkExpiry()
  }

  /** Returns the stored state of the call, without data that was Invalid at the last expiry check. */
  getSnapshot(): Snapshot<Data> {
    const call = this.#currentCall
    // The call was answered by the schema of this endpoint.
    return (call === undefined ? noSnapshot : this.#shown(call, call.snapshot())) as Snapshot<Data>
  }

  #shown(call: Call, stored: Snapshot): Snapshot {
    const isHidden = this.#ignoredData !== undefined && call.age === this.#ignoredData
    return isHidden ? { ...stored, data: undefined, isReadable: false } : stored
  }

  /**
   * Calls the listener after each change of what the reader shows.
   *
   * @param select - returns what the reader shows: the same value until that changes. It may fetch, as `load` does, so
   *   it is not called after a reset, when the listener is told of that: parts around the reader may wait, and remove it
   *   first. @default each change of the call notifies
   * @returns a function that ends the subscription
   */
  subscribe(listener: ReaderListener, select?: (observer: this) => unknown): () => void {
    const call = this.#currentCall
    if (call === undefined) return () => {}
    return this.#listen(
      call,
      this.#toTell(select === undefined ? listener : tellChanges(this, listener, select)),
    )
  }

  /**
   * Returns `true` if the endpoint and the arguments, which may be new objects, identify the call of this Observer. Then
   * it takes the options of the reader from them.
   */
  isOf(given: CacheableEndpoint, args: readonly unknown[]): boolean {
    const endpoint = endpointOf(given)
    const isSame =
      endpoint === this.#endpoint &&
      (args[0] === null || this.#args === undefined
        ? args[0] === null && this.#args === undefined
        : this.#calls.call(endpoint, args) === this.#currentCall)
    if (isSame) this.#takeOptions(given)
    return isSame
  }

  #takeOptions(given: CacheableEndpoint): void {
    this.#own = ownOptionsOf(given)
    // A mounted reader may be given some for the first time.
    if (this.#retainers > 0) this.#endOptions ??= this.#own?.attend(this)
    this.onOptions?.()
  }

  /** The options of the reader. */
  get options(): ReaderOptions | undefined {
    return this.#own?.options
  }

  /** `true` for a reader that fetches. */
  get isAsking(): boolean {
    return this.#isAsking
  }

  /**
   * Passes the endpoint and arguments of the current render on, which may be new objects for the same call. Later
   * requests use them, so that a function which closes over a token sends the current one.
   */
  follow(endpoint: CacheableEndpoint, args: readonly unknown[]): void {
    this.#endpoint = endpointOf(endpoint)
    this.#takeOptions(endpoint)
    if (this.#args !== undefined) this.#args = args
    this.#isFollowed = true
    if (development && this.#call?.snapshot().isReadable === true) this.#calls.changing?.noteSeen(this.#call)
    if (this.#retainers > 0 && this.#call !== undefined) this.#calls.claim(this.#call)
  }

  /**
   * Takes over from the Observer of the reader's previous call, whose last data may stay on screen while this call is
   * fetched.
   */
  succeed(previous: Observer<Data>): void {
    this.#last = previous.#last
    this.#resets = previous.#resets
    const isOther = previous.#call !== undefined && previous.#call !== this.#call
    if (development) {
      if (isOther) this.occasion = 'arguments'
      this.label ??= previous.label
    }
    if (isOther && isOfOne(this.#endpoint, previous.#endpoint))
      this.#previous = previous.getSnapshot().isReadable ? previous : previous.#previous
  }

  /** The data of the previous arguments, unless it was dropped since. */
  previous(): { readonly data: Data } | undefined {
    const before = this.#previous
    if (before === undefined || before.failure() !== undefined) return undefined
    const { data, isReadable } = before.getSnapshot()
    // It is readable, so it is of the type of the call.
    return isReadable ? { data: data as Data } : undefined
  }

  /** The call of the previous arguments, whose data may be shown. */
  get previousCall(): Call | undefined {
    const before = this.#own && this.#previous
    return before && before.#currentCall
  }

  #listen(call: Call, tell: () => void): () => void {
    const before = this.previousCall
    call.listen(tell)
    before?.listen(tell)
    return () => {
      call.unlisten(tell)
      before?.unlisten(tell)
    }
  }

  /**
   * Retains the call's data while the reader is mounted. A reader that returns to the screen checks expiry.
   *
   * @param listener - also subscribed, as by `subscribe`: one closure less for each reader. @default none
   * @returns a function that releases it, and ends the subscription
   */
  retain(listener?: () => void): () => void {
    const call = this.#currentCall
    if (call === undefined) return () => {}
    // A request in flight brings the data that an expiry check would ask for. A check now would send another one after
    // it.
    const isBack = this.#isAway
    if (development) {
      if (isBack) this.occasion = 'shown'
      noteReading(call, this.#endpoint, this.#args ?? [], this.isOfPages === true)
    }
    if (isBack && !call.fetching) this.checkExpiry()
    this.#retainers++
    this.#calls.retain(call)
    this.#calls.readers.add(this)
    if (this.#hold?.attempt !== undefined) this.leave()
    if (isBack) this.#calls.store.move(call, { type: 'resumed' })
    const endListening = listener && this.#listen(call, this.#toTell(listener))
    this.#endOptions ??= this.#own?.attend(this)
    let isRetained = true
    return () => {
      if (!isRetained) return
      isRetained = false
      endListening?.()
      this.#wasReleased = true
      if (--this.#retainers === 0) {
        this.#endOptions?.()
        this.#endOptions = undefined
        this.#calls.readers.delete(this)
      }
      this.#calls.release(call)
    }
  }

  /**
   * Connects the call while the reader is mounted.
   *
   * @param open - `connectCall` of `@selfsame/core/live`
   * @returns a function that ends the connection
   */
  connect(open: ConnectCall): () => void {
    const call = this.#currentCall
    if (call === undefined) return () => {}
    // `open` throws for an endpoint with neither a `stream` nor a `pollFrequency`.
    return open(this.#controller, call, () => this.#endpoint as EndpointLike, this.#args ?? [])
  }

  /** Checks expiry and fetches, if the reader fetches and `isMeant` returns `true` for its endpoint. */
  refetchIfStale(isMeant: (endpoint: EndpointLike) => boolean, isOver: (error: Error) => boolean): void {
    const call = this.#currentCall
    if (!this.#isAsking || call === undefined || call.fetching || !isMeant(this.#endpoint as EndpointLike))
      return
    if (development) this.occasion = this.#calls.occasion ?? 'refetchStale'
    // An error on screen stays until there is a response.
    if (this.failure() === undefined) {
      this.checkExpiry(isOver)
      this.fetchIfDue()
    } else if (this.#isErrorOver(call, isOver) && !this.#mustNotFetch(call)) this.#join()
  }

  /** Releases the reader's request: the reader will not be mounted, or its boundary gave it up. */
  leave(): void {
    if (this.#hold !== undefined) this.#calls.reads.hold(this.#hold, undefined)
  }

  /** The Observers of this reader: only itself. */
  get members(): readonly Observer[] {
    return [this as Observer]
  }

  /** Returns what a function reads of the call; `undefined` without arguments. */
  inspect<Value>(read: Inspect<Value>): Value | undefined {
    const call = this.#currentCall
    return call && read(this.#calls, call, this.#endpoint)
  }

  /**
   * Checks expiry: the reader was mounted or shown again, or its call was invalidated.
   *
   * @param isOver - returns `true` for errors to ignore although they have not expired @default none
   */
  checkExpiry(isOver: (error: Error) => boolean = isNone): void {
    const call = this.#currentCall
    if (call === undefined) return
    const snapshot = call.snapshot()
    const { error, isReadable } = snapshot
    // An error that the schema throws while reading is no failed request, and does not expire.
    const isErrorExpired = error !== undefined && error === call.error && this.#isErrorOver(call, isOver)
    const isUnclaimed = this.#calls.isUnclaimed(call)
    const status = isUnclaimed && isReadable ? 'Valid' : this.#calls.status(this.#endpoint, call, snapshot)
    this.#checkedAt = this.#calls.store.changes
    this.#renewals = call.state.renewals
    this.#dueAt = call.state.dueAt
    this.#wasReadable = isReadable
    this.#hasAsked = false
    this.#ignoredFailure = isErrorExpired && !isUnclaimed ? call.state.failure : undefined
    this.#ignoredData = status === 'Invalid' && isReadable ? call.age : undefined
    // What is held was deleted: it is fetched by readers that stay until it is gone.
    const isHeld = call.state.held !== undefined
    this.#isDue = !isHeld && status !== 'Valid' && (error === undefined || this.#ignoredFailure !== undefined)
  }

  /**
   * Fetches if the last expiry check found that a request is due, once for each check. A call that became Invalid or
   * was made Stale since is checked again; the passing of time alone causes no check.
   *
   * @param isWaiting - `true` if the reader is suspended by another call
   */
  fetchIfDue(isWaiting = false): void {
    this.#isAsking = true
    if (development && !this.#isDue) noteSummary(this.#calls, this.#endpoint, this.#currentCall)
    // Most mounts: nothing has changed since the reader was rendered.
    if (!this.#isDue && this.#checkedAt === this.#calls.store.changes) return
    const call = this.#currentCall
    if (call === undefined) return
    // Between its render and its mount, for which React takes up to 300 ms, the call may have been made Stale, as by a
    // stream that was opened again, or answered.
    const mayBeAnswered = this.#isDue && this.#checkedAt !== this.#calls.store.changes
    if (mayBeAnswered || call.state.dueAt !== this.#dueAt) this.checkExpiry()
    else this.#checkIfInvalid(call)
    if (this.#isDue && !this.#mustNotFetch(call)) this.#join().isWaitedFor ||= isWaiting
  }

  /**
   * Returns what a suspending reader has to do: show data, suspend or throw. Sends the request that it suspends for.
   *
   * @param isOnScreen - `false` if the data will be rendered later, together with that of other calls
   */
  readOrFetch(isOnScreen = true): Reading<Data> {
    const call = this.#currentCall
    if (call === undefined) return (this.#last = readyWithNothing as Ready<Data>)
    const shown = this.#shown(call, this.#checkIfInvalid(call))
    const error = this.#failureIn(call, shown)
    if (error !== undefined) {
      // A reader whose request failed is one that fetches.
      this.#isAsking = true
      this.#last = undefined
      this.#claim(call)
      return this.#tell({ state: 'error', error })
    }
    if (!shown.isReadable) return this.#wait(call)
    // A binding that calls `follow` does so in each render, and reads between renders too.
    if (development && !this.#isFollowed) this.#calls.changing?.noteSeen(call, this)
    // A reader that stayed mounted while it was suspended renders its data now. Any other calls `retain` first.
    if (isOnScreen && this.#retainers > 0) this.#claim(call)
    this.#resets = this.#calls.resets
    this.#wasReadable = true
    this.#previous = undefined
    // The call was answered by the schema of this endpoint.
    return (this.#last = this.#tell({ state: 'success', data: shown.data as Data }))
  }

  /**
   * The error that a suspending reader has to throw; `undefined` if there is none, or it was cleared. Sends no request,
   * so that it can be called after the reader was unmounted.
   */
  failure(): Error | undefined {
    const call = this.#currentCall
    return call && this.#failureIn(call, this.getSnapshot())
  }

  #failureIn(call: Call, { error, isReadable }: Snapshot): Error | undefined {
    if (error === undefined) return undefined
    const isForgiven =
      this.#ignoredFailure !== undefined &&
      this.#attemptStatus !== 'rejected' &&
      call.state.failure === this.#ignoredFailure &&
      error === call.error
    return isForgiven || (isReadable && !this.#calls.isHard(this.#endpoint, error)) ? undefined : error
  }

  /**
   * The reading of a hook that neither fetches nor suspends: the data, `undefined` if Invalid, or the error that a function of the
   * application threw while the data was read. The error of a request is none.
   */
  readCached(): CachedReading<Data> {
    const { data, isReadable, fetching, error } = this.getSnapshot()
    const call = this.#call
    if (error !== undefined && error !== call?.error) return this.#tell({ state: 'error', error })
    const isKept = !isReadable && error === undefined && (fetching || call?.isQuery === true)
    const shown = isKept ? this.#kept()?.data : data
    return shown === undefined ? readyWithNothing : this.#tell({ state: 'success', data: shown })
  }

  #kept(): { readonly data: Data } | undefined {
    // The Observer of the previous arguments is of the same endpoint.
    return this.#own?.kept(this) as { readonly data: Data } | undefined
  }

  /**
   * Returns the state for a hook that does not suspend. It is loading where `reading` would suspend, Stale or Invalid
   * data is fetched, and an error stands beside older data.
   *
   * @returns the same object until one of its members changes
   */
  load(): CallState<Data> {
    this.readOrFetch()
    this.fetchIfDue()
    return this.state()
  }

  /** Returns what `load` returns, without a request. */
  state(): CallState<Data> {
    const call = this.#currentCall
    // Without arguments the data is undefined, as the types of hooks say.
    if (call === undefined) return stateOfNothing as CallState<Data>
    const snapshot = this.#shown(call, call.snapshot())
    const { data, error, isReadable } = snapshot
    const loading = !isReadable && this.#failureIn(call, snapshot) === undefined
    const kept = loading ? this.#kept() : undefined
    if (loading && kept === undefined) return stateOfLoading
    // A call that is not loading and has not failed is readable.
    const next = (
      kept === undefined
        ? { data, loading, error, isLast: false }
        : { data: kept.data, loading: false, error: undefined, isLast: true }
    ) as CallState
    if (!isSameMembers(this.#state, next)) this.#state = Object.freeze(next)
    // The call was answered by the schema of this endpoint.
    return this.#state as CallState<Data>
  }

  /**
   * Ends the grace period of the data, unless the reader is mounted and its binding calls `follow`, which does so in
   * each render.
   */
  #claim(call: Call): void {
    if (!this.#isFollowed || this.#retainers === 0) this.#calls.claim(call)
  }

  get #currentCall(): Call | undefined {
    if (this.#args === undefined) return undefined
    // A call with listeners is not collected.
    if (this.#call === undefined || this.#call.state.isCollected)
      this.#call = this.#calls.call(this.#endpoint, this.#args)
    return this.#call
  }

  /**
   * Returns a listener of the call. After the call was made Stale, a mounted reader that fetches checks expiry first. It does not after
   * a reset, or if what it shows was deleted: it may be about to be removed, and what stays on screen reads anew.
   */
  #toTell(listener: ReaderListener): () => void {
    let { resets } = this.#calls
    return () => {
      const isReset = resets !== this.#calls.resets
      resets = this.#calls.resets
      const call = this.#currentCall
      const mayAsk = !isReset && this.#isAsking && this.#retainers > 0
      if (mayAsk && call !== undefined && call.state.dueAt !== this.#dueAt && !this.isDeleted) {
        if (development) this.occasion = 'expired'
        this.checkExpiry()
        this.fetchIfDue()
      }
      listener(isReset)
    }
  }

  /** `true` if what the reader showed was deleted. */
  get isDeleted(): boolean {
    const call = this.#currentCall
    return call?.state.isInvalidated === false && this.#wasReadable && !call.snapshot().isReadable
  }

  /** Returns `true` if the call may be fetched although it failed. */
  #isErrorOver(call: Call, isOver: (error: Error) => boolean): boolean {
    const { failure } = call.state
    const { clock, heldErrors } = this.#calls
    if (failure === undefined || heldErrors.has(call)) return false
    return failure.expiresAt <= clock.now() || isOver(failure.error)
  }

  /** Checks expiry if the call became Invalid since. @returns the stored state */
  #checkIfInvalid(call: Call): Snapshot {
    const stored = call.snapshot()
    const { isReadable, error, fetching } = stored
    if (isReadable) this.#wasReadable = true
    const isLost = this.#wasReadable && !isReadable && error === undefined && !fetching
    if (isLost || call.state.renewals !== this.#renewals) {
      if (development) this.occasion = 'invalidated'
      this.checkExpiry()
    }
    return stored
  }

  /** The state of the request that the last expiry check caused; `undefined` if there was none, or it was aborted. */
  get #attemptStatus(): 'pending' | 'fulfilled' | 'rejected' | undefined {
    const attempt = this.#attempt
    return !this.#hasAsked || attempt?.isAborted !== false ? undefined : attempt.answer.promise.status
  }

  #wait(call: Call): Reading<Data> {
    this.#isAsking = true
    // If the response is hidden by an optimistic update, that update's end causes the next request.
    if (this.#attemptStatus !== 'fulfilled' && !this.#mustNotFetch(call)) this.#join().isWaitedFor = true
    // The call may have failed without a request.
    if (this.failure() !== undefined) return this.readOrFetch()
    const promise = call.news
    const kept = this.#kept()
    if (kept !== undefined) return this.#tell({ state: 'success', data: kept.data })
    const dropsLast = this.#calls.resets !== this.#resets
    return this.#tell({ state: 'pending', promise, dropsLast, last: dropsLast ? undefined : this.#last })
  }

  /** @returns the last reading, if it is equal */
  #tell<Next extends Reading<Data>>(next: Next): Next {
    if (!isSameMembers(this.#reading, next)) this.#reading = next
    // Equal members mean the same type.
    return this.#reading as Next
  }

  /** `true` if the reader is mounted, or suspended before its mount. */
  get isWanted(): boolean {
    const attempt = this.#hold?.attempt
    return this.#retainers > 0 || (attempt !== undefined && attempt === this.#attempt)
  }

  /** `true` if the reader was mounted, and is not any more. */
  get #isAway(): boolean {
    return this.#wasReleased && this.#retainers === 0
  }

  /** Returns `true` if the reader is paused, or its request was aborted, by its unmount or by the user, and must not be sent again. */
  #mustNotFetch(call: Call): boolean {
    if (this.options?.paused === true || (this.#isAway && this.#attempt?.isAborted === true)) return true
    return this.#calls.isGivenUp(this.#endpoint, call)
  }

  #join(): ReadAttempt {
    this.#isDue = false
    // The types of hooks allow only endpoints that read to suspend.
    const endpoint = this.#endpoint as EndpointLike
    if (endpoint.sideEffect === true) throw errors.cannotReadMutation('A hook', endpoint.name)
    if (development) {
      const { occasion = 'mounted', label } = this
      const reader = this.#own?.options.name ?? label
      traceRequest(this.#calls, this.#currentCall, endpoint, occasion, reader)
    }
    const attempt = this.#calls.joinForReader(endpoint, this.#args ?? [])
    if (development && (this.occasion === 'mounted' || this.occasion === 'arguments'))
      noteArguments(this.#calls, endpoint.name, attempt)
    this.#attempt = attempt
    this.#hasAsked = true
    if (this.#retainers === 0) this.#calls.reads.hold((this.#hold ??= new Hold()), attempt)
    // Readers learn of a failure from the snapshot.
    attempt.answer.promise.catch(() => {})
    return attempt
  }
}

/** Returns `true` if both are one endpoint, or derived from one: `useCancelling` derives one for each call. */
function isOfOne(a: CacheableEndpoint & Partial<EndpointLike>, b: CacheableEndpoint): boolean {
  return a === b || a.sharesRequestWith?.(b as EndpointLike) === true
}

/** A listener of a reader. `isReset` is `true` after `resetAll`. */
export type ReaderListener = (isReset?: boolean) => void

/** Returns a function that calls the listener if what `select` returns has changed since, or after a reset; always without `select`. */
export function tellChanges<Of>(
  observer: Of,
  listener: ReaderListener,
  select: ((observer: Of) => unknown) | undefined,
): ReaderListener {
  if (select === undefined) return listener
  let last = select(observer)
  return (isReset) => {
    const now = isReset ? readNothing : select(observer)
    if (now === last && !isReset) return
    last = now
    listener(isReset)
  }
}

const readNothing = Symbol('read nothing')
