import { callsOf } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import { Hold } from '../controller/reads.js'
import type { ReadEndpoint } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import type { Call } from '../store/call.js'
import { isPlainObject, isSameItems } from '../util/plain.js'
import { createSettleable } from '../util/settleable.js'
import type { TaggedPromise } from '../util/settleable.js'
import { Observer, tellChanges } from './observer.js'
import type { CallState, Reading, ReaderListener } from './observer.js'
import { endpointOf } from './reader-options.js'

/**
 * One of several calls that are read together: an endpoint, then its arguments. A first argument of `null` reads
 * nothing.
 */
export type ReadCall = readonly [endpoint: ReadEndpoint, ...args: readonly unknown[]]

/** Several calls, in a list or by name. */
export type ReadCalls = readonly ReadCall[] | { readonly [name: string]: ReadCall }

/** The common interface of `Observer`, `ObserverGroup` and `PagesObserver` for bindings. */
export interface Followed {
  /** The Observers of its calls. */
  readonly members: readonly Observer[]
  leave(): void
  retain(listener?: () => void): () => void
  subscribe(listener: ReaderListener, select?: (observer: this) => unknown): () => void
}

/** The interface of a suspending reader, of one call or of several. */
export interface Watched<Data = unknown>
  extends Followed, Pick<Observer<Data>, 'fetchIfDue' | 'failure' | 'readOrFetch' | 'refetchIfStale'> {
  /** The state without a boundary: the same object until it changes. Sends no request. */
  state(): { readonly error: Error | undefined; readonly isLast?: boolean }
  /** Returns the data as a promise. For an Observer use `promiseOf`. */
  promise?(asks?: boolean): Promise<Data>
}

type PendingReading = Extract<Reading, { promise: unknown }>
type ReadyReading<Data> = Extract<Reading<Data>, { data: unknown }>

/**
 * Watches several calls for one reader, with an Observer for each. All requests are sent before the first one is
 * awaited. A group that replaces another one reuses the Observers of the calls that are in both, so that members can be
 * added and removed without an effect on the rest.
 */
export class ObserverGroup<Data = unknown> implements Watched<Data> {
  readonly #controller: Controller
  readonly #asks: boolean
  readonly #names: readonly string[] | undefined
  readonly members: readonly Observer[]
  readonly #calls: readonly (Call | undefined)[]
  #state: { readonly states: readonly CallState[]; readonly error: Error | undefined } | undefined
  #reading: Reading<Data> | undefined
  #last: ReadyReading<Data> | undefined
  #resets: number

  /**
   * @param previous - the group that this one replaces
   * @param hold - of the component, if it may create groups that are discarded before they are mounted
   * @param asks - `true` to fetch Stale data while other calls suspend; `false` on a server @default true
   * @throws {SelfsameError} `argument-invalid` if `calls` is not a list or object of calls; errors of `endpoint.key`
   */
  constructor(
    controller: Controller,
    calls: ReadCalls,
    previous?: ObserverGroup<Data>,
    hold?: Hold,
    asks = true,
  ) {
    this.#controller = controller
    this.#asks = asks
    this.#resets = previous === undefined ? callsOf(controller).resets : previous.#resets
    const listed = listOfCalls(calls)
    this.#names = memberNamesOf(calls)
    this.#calls = callsIn(controller, listed)
    const kept = previous === undefined ? new Map<Call | undefined, Observer>() : previous.#byCall()
    const holds = hold && holdsFor(controller, hold, this.#calls)
    // With other names, data would be shown under the name of another member.
    const isNamedAlike = previous !== undefined && isSameItems(previous.#names ?? [], this.#names ?? [])
    this.members = listed.map(([endpoint, ...args], index) => {
      const call = this.#calls[index]
      const last = call && kept.get(call)
      if (last?.isOf(endpoint, args) === true) return last
      const member = new Observer(controller, endpoint, args, call && holds?.get(call), call)
      const before = isNamedAlike ? previous?.members[index] : undefined
      if (before !== undefined) member.succeed(before)
      return member
    })
    if (isNamedAlike) this.#last = previous.#last
  }

  /** Returns `true` if the calls, which may be new objects, are those of this group. */
  isOf(calls: ReadCalls): boolean {
    const names = memberNamesOf(calls)
    const listed = listOfCalls(calls)
    return (
      listed.length === this.members.length &&
      (names === undefined) === (this.#names === undefined) &&
      isSameItems(names ?? [], this.#names ?? []) &&
      listed.every(([endpoint, ...args], index) => this.members[index]?.isOf(endpoint, args))
    )
  }

  /** Passes the endpoints and arguments of the current render on: `Observer.follow` of each. */
  follow(calls: ReadCalls): void {
    listOfCalls(calls).forEach(([endpoint, ...args], index) => this.members[index]?.follow(endpoint, args))
  }

  /**
   * Calls the listener after each change of a member.
   *
   * @param select - returns what the reader shows. With it, the listener is called once for all members that changed
   *   together, and after a reset for each
   */
  subscribe(listener: ReaderListener, select?: (observer: this) => unknown): () => void {
    const tell = tellChanges(this, listener, select)
    return all(this.members.map((member) => member.subscribe(tell)))
  }

  /**
   * Retains the data of all members.
   *
   * @param listener - also subscribed @default none
   * @returns a function that releases it in a microtask, so that the next group can retain it first
   */
  retain(listener?: () => void): () => void {
    const end = listener && this.subscribe(listener)
    const release = all(this.members.map((member) => member.retain()))
    return () => {
      end?.()
      queueMicrotask(release)
    }
  }

  leave(): void {
    for (const member of this.members) member.leave()
  }

  /** Fetches the Stale data of the members. */
  fetchIfDue(): void {
    for (const member of this.members) member.fetchIfDue()
  }

  /** Checks the expiry of each member now: `Observer.refetchIfStale` of each. */
  refetchIfStale(...meant: Parameters<Observer['refetchIfStale']>): void {
    for (const member of this.members) member.refetchIfStale(...meant)
  }

  /**
   * Returns what the reader has to do: show all data, suspend until the Invalid calls have data, or throw the error of
   * the first member that failed.
   */
  readOrFetch(): Reading<Data> {
    // This sends the request of each member.
    const readings = this.members.map((member) => member.readOrFetch(false))
    const failed = readings.find(isFailed)
    const waiting = readings.filter(isWaiting)
    const told = this.#reading
    if (failed !== undefined) {
      this.#last = undefined
      return (this.#reading = failed)
    }
    if (waiting.length > 0) {
      // Stale members are fetched before the suspended reader is rendered.
      if (this.#asks) for (const member of this.members) member.fetchIfDue(true)
      const promise = this.#whenOver(waiting.map((reading) => reading.promise))
      const dropsLast = callsOf(this.#controller).resets !== this.#resets
      if (told !== undefined && isWaiting(told) && told.promise === promise && told.dropsLast === dropsLast)
        return told
      const last = dropsLast ? undefined : this.#last
      return (this.#reading = { state: 'pending', promise, dropsLast, last })
    }
    const shown = readings.map((reading) => ('data' in reading ? reading.data : undefined))
    for (const member of this.members) member.readOrFetch()
    this.#resets = callsOf(this.#controller).resets
    return (this.#reading = this.#last = this.#show(shown))
  }

  /**
   * Returns the data as a promise.
   *
   * @param asks - `true` to fetch Stale data @default true
   * @returns a promise that rejects with the error of `reading`
   */
  async promise(asks = true): Promise<Data> {
    for (;;) {
      const reading = this.readOrFetch()
      if (asks) this.fetchIfDue()
      if ('data' in reading) return reading.data
      if ('error' in reading) throw reading.error
      await reading.promise
    }
  }

  /** The error that the reader has to throw; `undefined` without one. Sends no request. */
  failure(): Error | undefined {
    for (const member of this.members) {
      const error = member.failure()
      if (error !== undefined) return error
    }
    return undefined
  }

  /** The states of the members, and the first error among them: the same object until one of them changes. */
  state(): { readonly error: Error | undefined } {
    const states = this.members.map((member) => member.state())
    if (this.#state === undefined || !isSameItems(states, this.#state.states)) {
      this.#state = { states, error: states.find(({ error }) => error !== undefined)?.error }
    }
    return this.#state
  }

  #byCall(): Map<Call | undefined, Observer> {
    return new Map(this.members.map((member, index) => [this.#calls[index], member]))
  }

  /** Returns the same object until a member changes. */
  #show(shown: readonly unknown[]): ReadyReading<Data> {
    const last = this.#last
    if (last !== undefined && isSameItems(Object.values(last.data as object), shown)) return last
    // Each member has data of the type of its endpoint's schema.
    return { state: 'success', data: this.named(shown) as Data }
  }

  /** Returns values of the members in a list or an object like the one given. */
  protected named(values: readonly unknown[]): object {
    const names = this.#names
    return Object.freeze(
      names === undefined ? values : Object.fromEntries(names.map((name, index) => [name, values[index]])),
    )
  }

  /**
   * Returns a promise that is fulfilled when all promises are, or when the first call fails: the same one until then.
   */
  #whenOver(promises: readonly TaggedPromise<undefined>[]): TaggedPromise<undefined> {
    const [first] = promises
    const running = first && waits.get(first)
    if (running?.promise.status === 'pending' && promises.every((promise) => running.of.has(promise))) {
      return running.promise
    }
    if (first !== undefined && promises.length === 1) return first
    const { promise, resolve } = createSettleable<undefined>()
    const wait: Wait = { of: new Set(promises), promise }
    let left = wait.of.size
    for (const each of wait.of) {
      waits.set(each, wait)
      void each.then(() => {
        if (--left === 0 || this.failure() !== undefined) resolve(undefined)
      })
    }
    return promise
  }
}

/** A promise that stands for several. */
interface Wait {
  readonly of: ReadonlySet<TaggedPromise<undefined>>
  readonly promise: TaggedPromise<undefined>
}

/**
 * By each of the promises: a framework discards groups that were never mounted, and expects the same promise from the
 * next one.
 */
const waits = new WeakMap<TaggedPromise<undefined>, Wait>()

/** The holds of the members, by the hold of their component: one hold keeps one request. */
const holdsOf = new WeakMap<Hold, Map<Call, Hold>>()

/** Returns the holds of the members, and releases the requests of former members. */
function holdsFor(controller: Controller, hold: Hold, calls: readonly (Call | undefined)[]) {
  const before = holdsOf.get(hold)
  const holds = new Map<Call, Hold>()
  for (const call of calls) if (call !== undefined) holds.set(call, before?.get(call) ?? new Hold())
  for (const [call, each] of before ?? [])
    if (!holds.has(call)) callsOf(controller).reads.hold(each, undefined)
  holdsOf.set(hold, holds)
  return holds
}

/** The numbers that stand for calls in a key, so that the key has no data in it. */
const callNumbers = new WeakMap<object, number>()
let callsNumbered = 0

function callNumberOf(call: Call): number {
  const number = callNumbers.get(call) ?? ++callsNumbered
  callNumbers.set(call, number)
  return number
}

/**
 * Returns a key of a list or object of calls: equal while the calls, their names and their expiry options are.
 *
 * @throws {SelfsameError} as the constructor of `ObserverGroup`
 */
export function keyOfCalls(controller: Controller, calls: ReadCalls): string {
  const listed = listOfCalls(calls)
  const names = memberNamesOf(calls)
  const found = callsIn(controller, listed)
  return JSON.stringify([
    names,
    listed.map(([{ dataExpiryLength, invalidIfStale, policy }], index) => {
      const call = found[index]
      return call && [callNumberOf(call), String(dataExpiryLength), invalidIfStale, policy]
    }),
  ])
}

/** The name of several calls, for messages: `useSuspenseAll(User.get, Post.getList)`. */
export function nameOfCalls(hook: string, calls: unknown): string {
  const listed: readonly unknown[] = typeof calls === 'object' && calls !== null ? Object.values(calls) : []
  const names = listed.map((call) =>
    Array.isArray(call) ? String((call[0] as { name?: unknown })?.name) : '?',
  )
  return `${hook}(${names.join(', ')})`
}

function listOfCalls(calls: ReadCalls): readonly ReadCall[] {
  if (!Array.isArray(calls) && !isPlainObject(calls)) throw errors.notCalls(undefined, calls)
  for (const [place, call] of Object.entries(calls)) {
    if (!Array.isArray(call) || typeof (call[0] as ReadEndpoint | undefined)?.key !== 'function') {
      throw errors.notCalls(place, Array.isArray(call) ? call[0] : call)
    }
  }
  return Object.values(calls)
}

function memberNamesOf(calls: ReadCalls): readonly string[] | undefined {
  return Array.isArray(calls) ? undefined : Object.keys(calls)
}

function callsIn(controller: Controller, listed: readonly ReadCall[]): readonly (Call | undefined)[] {
  return listed.map(([endpoint, ...args]) =>
    args[0] === null ? undefined : callsOf(controller).call(endpointOf(endpoint), args),
  )
}

function isFailed(reading: Reading): reading is Extract<Reading, { error: unknown }> {
  return 'error' in reading
}

function isWaiting(reading: Reading): reading is PendingReading {
  return 'promise' in reading
}

function all(functions: readonly (() => void)[]): () => void {
  return () => {
    for (const each of functions) each()
  }
}
