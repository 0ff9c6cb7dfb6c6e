import type { Calls, Reader } from '../controller/calls.js'
import { callsOf } from '../controller/calls-of.js'
import type { Controller } from '../controller/controller.js'
import { Hold } from '../controller/request.js'
import type { ReadAttempt } from '../controller/request.js'
import type { CacheableEndpoint, EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import type { Call, Failure, Snapshot } from '../store/call.js'
import type { Stamp } from '../store/stamp.js'
import type { TaggedPromise } from '../util/settleable.js'

export type { Snapshot } from '../store/call.js'

/** Keeps a call fresh. @returns a function that ends it */
type ConnectCall = (
  controller: Controller,
  call: Call,
  endpoint: () => EndpointLike,
  args: readonly unknown[],
) => () => void

/** Reads something of a call that no reader shows. */
export type Inspect<Value> = (calls: Calls, call: Call, endpoint: CacheableEndpoint) => Value

/** What a reader has to show. */
interface Ready<Data> {
  readonly state: 'success'
  readonly data: Data
}

/** What a reader that waits for its data has to do now. Immutable: the same object until that changes. */
export type Reading<Data = unknown> =
  | Ready<Data>
  | {
      readonly state: 'pending'
      /** Is fulfilled when the reading has to be asked again, whatever came of the request. The same until then. */
      readonly promise: TaggedPromise<undefined>
      /** Whether what was shown before must not be shown any longer (`resetAll`). */
      readonly dropsLast: boolean
      /** What the reader showed last, of this call or the one before; `undefined` when it must not be shown any longer. */
      readonly last: Ready<Data> | undefined
    }
  | { readonly state: 'error'; readonly error: Error }

/**
 * What a reader shows that goes on without data and without a boundary: one that waits, one whose fetch failed, or one
 * that has what it asked for. Immutable.
 */
export type CallState<Data = unknown> =
  | { readonly data: undefined; readonly loading: true; readonly error: undefined }
  | { readonly data: Data | undefined; readonly loading: false; readonly error: Error }
  | { readonly data: Data; readonly loading: false; readonly error: undefined }

const nothing: Snapshot<undefined> = Object.freeze({
  data: undefined,
  error: undefined,
  fetching: false,
  progress: undefined,
  isReadable: false,
})
const readyWithNothing = Object.freeze({ state: 'success', data: undefined } as const)
/** What `state` gives while there is neither data nor an error. */
export const stateOfLoading = Object.freeze({ data: undefined, loading: true, error: undefined } as const)
const stateOfNothing = Object.freeze({ data: undefined, loading: false, error: undefined } as const)

/**
 * One call, watched by one reader: what every binding is made of. Made when a component is mounted or its
 * arguments change, which are the moments at which the clock is looked at; cheap, because all that lasts is kept
 * by the Controller. Making one has no effect, so that a framework may throw it away.
 */
export class Observer<Data = unknown> implements Reader {
  readonly #controller: Controller
  readonly #calls: Calls
  #endpoint: CacheableEndpoint
  #args: readonly unknown[] | undefined
  #call: Call | undefined
  /** The call's `expiredAt` at the last moment. */
  #expiredAt = 0
  /** Whether it is told when it renders. */
  #isFollowed = false
  /** Whether the reader fetches at all. */
  #isAsking = false
  /** Made for the first one, as `#hold` is: a page may have thousands of readers, of which few need both. */
  #listeners: Set<() => void> | undefined

  /** Whether the reader left the screen, so that its return is a moment. */
  #wasReleased = false
  /** Whether the clock said at the last moment that a fetch is due. */
  #isDue = false
  /** What was Invalid by its age at the last moment, and does not count until it is replaced. */
  #outdated: Stamp | undefined
  /** The failure that had expired at the last look: ignored until the call fails again. */
  #forgiven: Failure | undefined
  /** The call's `renewals` at the last look. */
  #renewals = 0
  #wasReadable = false
  #retainers = 0
  #resets = 0
  /** What it asked for last. */
  #attempt: ReadAttempt | undefined
  /** Whether it asked since the last look. One look asks once, whatever came of it. */
  #hasAsked = false
  /** Keeps that from being aborted while it is not on screen yet, and retains nothing. */
  #hold: Hold | undefined
  /** What the reader was told to do. */
  #reading: Reading<Data> | undefined
  /** What it showed last. */
  #last: Ready<Data> | undefined
  #state: CallState | undefined

  /**
   * @param args - the endpoint's arguments; `null` in the first place reads nothing
   * @param hold - of the component that shows it, where that makes Observers which it throws away unseen
   * @param call - where it was looked up already, because to write a key and find its call costs as much as the rest
   * @throws {SelfsameError} `argument-invalid` for what is not an endpoint; what `endpoint.key` throws
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
    this.#endpoint = endpoint
    if (typeof endpoint?.key !== 'function') throw errors.notAnEndpoint('A hook', endpoint)
    this.#args = args[0] === null ? undefined : args
    this.#call = call
    this.#resets = calls.resets
    this.look()
  }

  /** What is known of the call, less data that is Invalid by its age. */
  getSnapshot(): Snapshot<Data> {
    const call = this.#currentCall
    // The call was answered by the schema of this endpoint.
    return (call === undefined ? nothing : this.#shownOf(call)) as Snapshot<Data>
  }

  /**
   * Calls a function after each change of what the reader shows.
   *
   * @param select - gives what the reader shows: the same value until that changes. It may fetch, as `load` does.
   *   @default each change of the call counts
   * @returns a function that ends it
   */
  subscribe(listener: () => void, select?: (observer: this) => unknown): () => void {
    const call = this.#currentCall
    if (call === undefined) return () => {}
    let last = select?.(this)
    const tell = () => {
      this.#askIfExpired()
      const now = select?.(this)
      if (select !== undefined && now === last) return
      last = now
      listener()
    }
    const listeners = (this.#listeners ??= new Set())
    listeners.add(tell)
    call.listen(tell)
    return () => {
      listeners.delete(tell)
      call.unlisten(tell)
    }
  }

  /** Whether an endpoint and arguments, which may have been made anew, name the call that it watches. */
  isOf(endpoint: CacheableEndpoint, args: readonly unknown[]): boolean {
    if (endpoint !== this.#endpoint) return false
    if (args[0] === null || this.#args === undefined) return args[0] === null && this.#args === undefined
    return this.#calls.call(endpoint, args) === this.#currentCall
  }

  /**
   * The reader renders, with an endpoint and arguments that may be made anew and name the same call. From now on they make the requests,
   * so that what a function closes over (a token) is that of the last render.
   */
  follow(endpoint: CacheableEndpoint, args: readonly unknown[]): void {
    this.#endpoint = endpoint
    if (this.#args !== undefined) this.#args = args
    this.#isFollowed = true
    if (this.#retainers > 0 && this.#call !== undefined) this.#calls.claim(this.#call)
  }

  /** Goes on for a reader that had another call before: what it showed of that is shown while this one waits. */
  succeed(previous: Observer<Data>): void {
    this.#last = previous.#last
    this.#resets = previous.#resets
  }

  /**
   * Keeps the call's data while the reader is on screen. A reader that comes back on screen looks at the clock.
   *
   * @returns a function that gives it up
   */
  retain(): () => void {
    const call = this.#currentCall
    if (call === undefined) return () => {}
    // While a request runs its answer is what a look would ask for: a second one would ask again after it.
    const isBack = this.#isAway
    if (isBack && !call.fetching) this.look()
    this.#retainers++
    const release = this.#calls.retain(call)
    this.#calls.readers.add(this)
    this.leave()
    if (isBack) call.transition({ type: 'resumed' })
    let isRetained = true
    return () => {
      if (isRetained && --this.#retainers === 0) this.#calls.readers.delete(this)
      isRetained = false
      this.#wasReleased = true
      release()
    }
  }

  /**
   * Connects the call while the reader is on screen.
   *
   * @param open - `connectCall` of `@selfsame/core/live`
   * @returns a function that ends it
   */
  connect(open: ConnectCall): () => void {
    const call = this.#currentCall
    if (call === undefined) return () => {}
    // What has neither a `stream` nor a `pollFrequency` is refused there.
    return open(this.#controller, call, () => this.#endpoint as EndpointLike, this.#args ?? [])
  }

  /** Looks at the clock, if the reader fetches and is one of those that are meant. */
  refetchIfStale(isMeant: (endpoint: EndpointLike) => boolean, isOver: (error: Error) => boolean): void {
    const call = this.#currentCall
    if (!this.#isAsking || call === undefined || call.fetching || !isMeant(this.#endpoint as EndpointLike))
      return
    // An error that is shown stays on screen until there is an answer.
    if (this.failure() !== undefined) {
      if (this.#isErrorOver(call, isOver) && !this.#mustNotAsk(call)) this.#join()
      return
    }
    this.look(isOver)
    this.ask()
  }

  /**
   * Lets what the reader failed with be fetched as if the reader were there, while a boundary shows its error instead.
   * The error stands until there is an answer.
   *
   * @returns a function that ends it
   */
  attend(): () => void {
    return this.#calls.attend({
      refetchIfStale: (isMeant, isOver) => {
        const call = this.#currentCall
        if (call === undefined || call.fetching || !isMeant(this.#endpoint as EndpointLike)) return
        if (this.#isErrorOver(call, isOver) && !this.#mustNotAsk(call)) this.#join()
      },
    })
  }

  /** The reader does not come on screen, or its boundary left it: nothing is kept under way for it. */
  leave(): void {
    if (this.#hold !== undefined) this.#calls.hold(this.#hold, undefined)
  }

  /** Gives what a function reads of the call; `undefined` without arguments. */
  inspect<Value>(read: Inspect<Value>): Value | undefined {
    const call = this.#currentCall
    return call && read(this.#calls, call, this.#endpoint)
  }

  /**
   * Looks at the clock: the reader was mounted, shown again, or what it reads was invalidated.
   *
   * @param isOver - which errors do not count any more, although they have not expired @default none
   */
  look(isOver: (error: Error) => boolean = () => false): void {
    const call = this.#currentCall
    if (call === undefined) return
    const { error, isReadable } = call.snapshot(this.#calls.store.graph)
    // What a read throws is no answer of a request, and does not expire.
    const isErrorExpired = error !== undefined && error === call.error && this.#isErrorOver(call, isOver)
    const isUnclaimed = this.#calls.isUnclaimed(call)
    const status = isUnclaimed && isReadable ? 'Valid' : this.#calls.status(this.#endpoint, call)
    this.#renewals = call.renewals
    this.#expiredAt = call.expiredAt
    this.#wasReadable = isReadable
    this.#hasAsked = false
    this.#forgiven = isErrorExpired && !isUnclaimed ? call.failure : undefined
    this.#outdated = status === 'Invalid' && isReadable ? call.age : undefined
    this.#isDue = status !== 'Valid' && (error === undefined || this.#forgiven !== undefined)
  }

  /**
   * Fetches if the last moment asked for it, once for each moment. A call that became Invalid since is a moment of
   * its own; time that only passed is none.
   *
   * @param isWaiting - whether the reader cannot show it yet, because it waits for something else
   */
  ask(isWaiting = false): void {
    this.#isAsking = true
    const call = this.#currentCall
    if (call === undefined) return
    if (this.#hasTurnedInvalid(call)) this.look()
    if (this.#isDue && !this.#mustNotAsk(call)) this.#join().isWaitedFor ||= isWaiting
  }

  /**
   * What a reader has to do that cannot go on without data: show it, wait, or fail. Starts the fetch that it waits for.
   *
   * @param isOnScreen - whether data that is there comes on screen, and not later, with something else
   */
  reading(isOnScreen = true): Reading<Data> {
    const call = this.#currentCall
    if (call === undefined) return (this.#last = readyWithNothing as Ready<Data>)
    if (this.#hasTurnedInvalid(call)) this.look()
    const error = this.failure()
    const told = this.#reading
    if (error !== undefined) {
      // It fetched, and failed.
      this.#isAsking = true
      this.#last = undefined
      if (this.#retainers === 0) this.#calls.claim(call)
      else this.#claim(call)
      if (told?.state === 'error' && told.error === error) return told
      return (this.#reading = { state: 'error', error })
    }
    const { data, isReadable } = call.snapshot(this.#calls.store.graph)
    const isShown = isReadable && !this.#isOutdated(call)
    if (!isShown) return this.#wait(call)
    // A reader that stayed on screen while it waited shows now what it waited for; any other retains first.
    if (isOnScreen && this.#retainers > 0) this.#claim(call)
    this.#resets = this.#calls.resets
    this.#wasReadable = true
    // The call was answered by the schema of this endpoint.
    const ready =
      told?.state === 'success' && told.data === data
        ? told
        : { state: 'success' as const, data: data as Data }
    return (this.#reading = this.#last = ready)
  }

  /**
   * The error with which a reader has to fail that cannot go on without data; `undefined` when there is none, or none
   * any more. Starts nothing, so that it can be asked after the reader is gone.
   */
  failure(): Error | undefined {
    const call = this.#currentCall
    if (call === undefined) return undefined
    const { error, isReadable } = call.snapshot(this.#calls.store.graph)
    if (error === undefined || this.#isForgiven(call, error)) return undefined
    const isShown = isReadable && !this.#isOutdated(call)
    return isShown && !this.#calls.isHard(this.#endpoint, error) ? undefined : error
  }

  /** The data for a reader that goes on without it; `undefined` when Invalid. Never fetches. */
  cached(): Data | undefined {
    const call = this.#currentCall
    return call === undefined ? undefined : (this.#shownOf(call).data as Data | undefined)
  }

  /**
   * What a reader shows that goes on without data, and without a boundary: waits where `reading` does, fetches what
   * is due, and shows an error beside the data that there is.
   *
   * @returns the same object until one of its members changes
   */
  load(): CallState<Data> {
    this.reading()
    this.ask()
    return this.state()
  }

  /** What `load` gives, without a fetch. */
  state(): CallState<Data> {
    const call = this.#currentCall
    // Without arguments the data is undefined, as the types of hooks say.
    if (call === undefined) return stateOfNothing as CallState<Data>
    const { data, error, isReadable } = this.#shownOf(call)
    const loading = !isReadable && this.failure() === undefined
    if (loading) return stateOfLoading
    const last = this.#state
    if (last === undefined || last.data !== data || last.error !== error) {
      // What neither waits nor failed is readable.
      this.#state = Object.freeze({ data, loading, error }) as CallState
    }
    // The call was answered by the schema of this endpoint.
    return this.#state as CallState<Data>
  }

  /**
   * What a reader that does not wait shows in the first render of a page that a server rendered: nothing where the
   * server had nothing yet, although what was fetched below it is here by now.
   *
   * @param place - of the reader in the page, the same on the server
   * @param shown - what is there
   * @param blank - what is shown without data
   */
  repeat<Shown>(place: string, shown: Shown, blank: Shown): Shown {
    const { blanks, hydratedBlanks } = this.#calls
    if (hydratedBlanks.has(place)) return blank
    if (shown === blank) blanks.add(place)
    else blanks.delete(place)
    return shown
  }

  /** That first render is over, which a server never sees: its note is not written down for the next visit. */
  endRepeat(place: string): void {
    this.#calls.blanks.delete(place)
  }

  /** Takes back the error of the call: whoever reads it fetches, as the reset of a boundary asks for. */
  takeBack(): void {
    const call = this.#currentCall
    const error = call?.snapshot(this.#calls.store.graph).error
    if (call !== undefined && error !== undefined) this.#calls.takeBack(call, error)
  }

  /** Lets the error of the call stand for readers that look, although it has expired. @returns a function that ends it */
  stand(): () => void {
    const call = this.#currentCall
    const { standing } = this.#calls
    if (call !== undefined) standing.add(call)
    return () => void (call && standing.delete(call))
  }

  /** A reader that renders shows what it renders, and not what it only looks at. */
  #claim(call: Call): void {
    if (!this.#isFollowed) this.#calls.claim(call)
  }

  get #currentCall(): Call | undefined {
    if (this.#args === undefined) return undefined
    if (this.#call === undefined || this.#call.isCollected) {
      this.#call = this.#calls.call(this.#endpoint, this.#args)
      for (const listener of this.#listeners ?? []) this.#call.listen(listener)
    }
    return this.#call
  }

  /** That a call was made Stale is a moment of its own for a reader on screen that fetches. */
  #askIfExpired(): void {
    const call = this.#currentCall
    if (call === undefined || call.expiredAt === this.#expiredAt) return
    if (!this.#isAsking || this.#retainers === 0) return
    this.look()
    this.ask()
  }

  /** Whether the call may be asked for again although it failed. */
  #isErrorOver(call: Call, isOver: (error: Error) => boolean): boolean {
    const { failure } = call
    const { clock, standing } = this.#calls
    if (failure === undefined || standing.has(call)) return false
    return failure.expiresAt <= clock.now() || isOver(failure.error)
  }

  #hasTurnedInvalid(call: Call): boolean {
    if (call.renewals !== this.#renewals) return true
    const { isReadable, error } = call.snapshot(this.#calls.store.graph)
    if (isReadable) this.#wasReadable = true
    return this.#wasReadable && !isReadable && error === undefined && !call.fetching
  }

  /** What is stored, less what was Invalid by its age at the last moment. */
  #shownOf(call: Call): Snapshot {
    const snapshot = call.snapshot(this.#calls.store.graph)
    return this.#isOutdated(call)
      ? Object.freeze({ ...snapshot, data: undefined, isReadable: false })
      : snapshot
  }

  #isForgiven(call: Call, error: Error): boolean {
    if (this.#momentOutcome === 'rejected') return false
    return this.#forgiven !== undefined && call.failure === this.#forgiven && error === call.error
  }

  #isOutdated(call: Call): boolean {
    // A class may keep the age of its records: what was answered is shown.
    if (this.#outdated === undefined || this.#momentOutcome === 'fulfilled') return false
    return call.age === this.#outdated
  }

  /** What came of the request of the last moment; `undefined` where there was none, or it was given up. */
  get #momentOutcome(): 'pending' | 'fulfilled' | 'rejected' | undefined {
    const attempt = this.#attempt
    return !this.#hasAsked || attempt?.isAborted !== false ? undefined : attempt.answer.promise.status
  }

  #wait(call: Call): Reading<Data> {
    // Once it was answered, what hides the answer decides when it is asked for again.
    if (this.#momentOutcome !== 'fulfilled' && !this.#mustNotAsk(call)) this.#join().isWaitedFor = true
    // It may be refused without a request.
    if (this.failure() !== undefined) return this.reading()
    const promise = call.news
    const dropsLast = this.#calls.resets !== this.#resets
    const told = this.#reading
    if (told?.state === 'pending' && told.promise === promise && told.dropsLast === dropsLast) return told
    return (this.#reading = {
      state: 'pending',
      promise,
      dropsLast,
      last: dropsLast ? undefined : this.#last,
    })
  }

  /** Whether the reader is on screen, or waits to be. */
  get isWanted(): boolean {
    return (
      this.#retainers > 0 || (this.#hold !== undefined && this.#attempt?.holders.has(this.#hold) === true)
    )
  }

  /** Whether the reader was on screen, and is not. */
  get #isAway(): boolean {
    return this.#wasReleased && this.#retainers === 0
  }

  /** Whether an abort ended what the reader waited for: because it went away, or because the user wanted it. */
  #mustNotAsk(call: Call): boolean {
    if (this.#isAway && this.#attempt?.isAborted === true) return true
    return this.#calls.isGivenUp(this.#endpoint, call)
  }

  #join(): ReadAttempt {
    this.#isDue = false
    // A reader that waits is one of a read endpoint; the types of hooks see to it.
    const endpoint = this.#endpoint as EndpointLike
    if (endpoint.sideEffect === true) throw errors.cannotReadMutation('A hook', endpoint.name)
    const attempt = this.#calls.joinForReader(endpoint, this.#args ?? [])
    this.#attempt = attempt
    this.#hasAsked = true
    if (this.#retainers === 0) this.#calls.hold((this.#hold ??= new Hold()), attempt)
    // Readers learn of a failure from the snapshot.
    attempt.answer.promise.catch(() => {})
    return attempt
  }
}
