import { callsOf } from '../controller/calls-of.js'
import type { Controller } from '../controller/controller.js'
import { Hold } from '../controller/request.js'
import type { ReadEndpoint } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import type { Call } from '../store/call.js'
import { isPlainObject, isSameItems } from '../util/plain.js'
import { createSettleable } from '../util/settleable.js'
import type { TaggedPromise } from '../util/settleable.js'
import { Observer } from './observer.js'
import type { CallState, Reading } from './observer.js'

/** One call of several that are read together: an endpoint, then its arguments; `null` in their first place reads nothing. */
export type ReadCall = readonly [endpoint: ReadEndpoint, ...args: readonly unknown[]]

/** Several calls, by position or by name. */
export type ReadCalls = readonly ReadCall[] | { readonly [name: string]: ReadCall }

/** What a binding needs of whatever a reader watches. */
export interface Followed {
  leave(): void
  retain(): () => void
  subscribe(listener: () => void, select?: (observer: this) => unknown): () => void
  repeat?<Shown>(place: string, shown: Shown, blank: Shown): Shown
  endRepeat?(place: string): void
}

/** What a binding needs of a reader that waits: of one call, or of several. */
export interface Watched<Data = unknown>
  extends
    Followed,
    Pick<Observer<Data>, 'ask' | 'attend' | 'failure' | 'reading' | 'refetchIfStale' | 'stand' | 'takeBack'> {
  /** What it shows without a boundary: the same object until that changes. Starts nothing. */
  state(): { readonly error: Error | undefined }
  /** What it shows, as a promise; of an Observer `promiseOf` gives it. */
  promise?(asks?: boolean): Promise<Data>
}

type Waiting = Extract<Reading, { promise: unknown }>
type Shown<Data> = Extract<Reading<Data>, { data: unknown }>

/**
 * Several calls, watched by one reader: each as an Observer watches one, all together as one call. All requests start
 * before the first is waited for. A group that follows another one goes on with the Observers of the calls that both
 * name, so that members may come and go while the others stay as they are.
 */
export class ObserverGroup<Data = unknown> implements Watched<Data> {
  readonly #controller: Controller
  readonly #asks: boolean
  readonly #names: readonly string[] | undefined
  readonly #members: readonly Observer[]
  readonly #calls: readonly (Call | undefined)[]
  #state: { readonly states: readonly CallState[]; readonly error: Error | undefined } | undefined
  #reading: Reading<Data> | undefined
  #last: Shown<Data> | undefined
  #resets: number

  /**
   * @param previous - what the reader showed until now
   * @param hold - of the component that shows it, where that makes groups which it throws away unseen
   * @param asks - whether it fetches what is Stale while it waits for others: not on a server @default true
   * @throws {SelfsameError} `argument-invalid` for what is no list or object of calls; what `endpoint.key` throws
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
    const listed = listOf(calls)
    this.#names = namesOf(calls)
    this.#calls = callsIn(controller, listed)
    const kept = previous === undefined ? new Map<Call | undefined, Observer>() : previous.#byCall()
    const holds = hold && holdsFor(controller, hold, this.#calls)
    this.#members = listed.map(([endpoint, ...args], index) => {
      const call = this.#calls[index]
      const last = call && kept.get(call)
      if (last?.isOf(endpoint, args) === true) return last
      return new Observer(controller, endpoint, args, call && holds?.get(call), call)
    })
    // By name, another member would be shown under the name of one before.
    if (previous !== undefined && isSameItems(previous.#names ?? [], this.#names ?? []))
      this.#last = previous.#last
  }

  /** Whether calls, which may have been made anew, are those that it watches. */
  isOf(calls: ReadCalls): boolean {
    const names = namesOf(calls)
    const listed = listOf(calls)
    return (
      listed.length === this.#members.length &&
      (names === undefined) === (this.#names === undefined) &&
      isSameItems(names ?? [], this.#names ?? []) &&
      listed.every(([endpoint, ...args], index) => this.#members[index]?.isOf(endpoint, args))
    )
  }

  /** The reader renders, with calls that may be made anew and are those that it watches: `Observer.follow` of each. */
  follow(calls: ReadCalls): void {
    listOf(calls).forEach(([endpoint, ...args], index) => this.#members[index]?.follow(endpoint, args))
  }

  /**
   * Calls a function after each change of a member.
   *
   * @param select - gives what the reader shows: then it is called once for all members that changed at once
   */
  subscribe(listener: () => void, select?: (observer: this) => unknown): () => void {
    let last = select?.(this)
    const tell = () => {
      const now = select?.(this)
      if (select !== undefined && now === last) return
      last = now
      listener()
    }
    return all(this.#members.map((member) => member.subscribe(tell)))
  }

  /** Keeps the data of all. @returns a function that gives it up, a microtask later: the next group may go on with them */
  retain(): () => void {
    const release = all(this.#members.map((member) => member.retain()))
    return () => queueMicrotask(release)
  }

  leave(): void {
    for (const member of this.#members) member.leave()
  }

  /** Fetches what is Stale. */
  ask(): void {
    for (const member of this.#members) member.ask()
  }

  /** Fetches what is Stale now: `Observer.refetchIfStale` of each. */
  refetchIfStale(...meant: Parameters<Observer['refetchIfStale']>): void {
    for (const member of this.#members) member.refetchIfStale(...meant)
  }

  /** What has to be done: show all, wait for those that are Invalid, or fail with the error of the first that failed. */
  reading(): Reading<Data> {
    // Each starts its request here.
    const readings = this.#members.map((member) => member.reading(false))
    const failed = readings.find(isFailed)
    const waiting = readings.filter(isWaiting)
    const told = this.#reading
    if (failed !== undefined) {
      this.#last = undefined
      return (this.#reading = failed)
    }
    if (waiting.length > 0) {
      // Those that are Stale do not wait for the others to be shown.
      if (this.#asks) for (const member of this.#members) member.ask(true)
      const promise = this.#whenOver(waiting.map((reading) => reading.promise))
      const dropsLast = callsOf(this.#controller).resets !== this.#resets
      if (told !== undefined && isWaiting(told) && told.promise === promise && told.dropsLast === dropsLast)
        return told
      const last = dropsLast ? undefined : this.#last
      return (this.#reading = { state: 'pending', promise, dropsLast, last })
    }
    const shown = readings.map((reading) => ('data' in reading ? reading.data : undefined))
    for (const member of this.#members) member.reading()
    this.#resets = callsOf(this.#controller).resets
    return (this.#reading = this.#last = this.#show(shown))
  }

  /**
   * What the reader shows, as a promise.
   *
   * @param asks - whether Stale data is fetched anew @default true
   * @returns rejected with the error that `reading` fails with
   */
  async promise(asks = true): Promise<Data> {
    for (;;) {
      const reading = this.reading()
      if (asks) this.ask()
      if ('data' in reading) return reading.data
      if ('error' in reading) throw reading.error
      await reading.promise
    }
  }

  /** The error with which the reader has to fail; `undefined` when there is none. Starts nothing. */
  failure(): Error | undefined {
    for (const member of this.#members) {
      const error = member.failure()
      if (error !== undefined) return error
    }
    return undefined
  }

  /** What the members show, and the first error among them: the same object until one of them changes. */
  state(): { readonly error: Error | undefined } {
    const states = this.#members.map((member) => member.state())
    if (this.#state === undefined || !isSameItems(states, this.#state.states)) {
      this.#state = { states, error: states.find(({ error }) => error !== undefined)?.error }
    }
    return this.#state
  }

  attend(): () => void {
    return all(this.#members.map((member) => member.attend()))
  }

  takeBack(): void {
    for (const member of this.#members) member.takeBack()
  }

  stand(): () => void {
    return all(this.#members.map((member) => member.stand()))
  }

  #byCall(): Map<Call | undefined, Observer> {
    return new Map(this.#members.map((member, index) => [this.#calls[index], member]))
  }

  /** The selfsame object while no member changed. */
  #show(shown: readonly unknown[]): Shown<Data> {
    const last = this.#last
    if (last !== undefined && isSameItems(Object.values(last.data as object), shown)) return last
    const names = this.#names
    const data =
      names === undefined ? shown : Object.fromEntries(names.map((name, index) => [name, shown[index]]))
    // Each was answered by the schema of its endpoint.
    return { state: 'success', data: Object.freeze(data) as Data }
  }

  /** A promise for the end of several waits, or for the first failure among them: the same until then. */
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

/** One promise for several. */
interface Wait {
  readonly of: ReadonlySet<TaggedPromise<undefined>>
  readonly promise: TaggedPromise<undefined>
}

/** By what is waited for, because frameworks throw away groups that were never on screen, and ask for the selfsame promise. */
const waits = new WeakMap<TaggedPromise<undefined>, Wait>()

/** By the hold of a component: that of each call, because a hold keeps one request. */
const holdsOf = new WeakMap<Hold, Map<Call, Hold>>()

/** The holds of the members; the requests of former members are kept no longer. */
function holdsFor(controller: Controller, hold: Hold, calls: readonly (Call | undefined)[]) {
  const before = holdsOf.get(hold)
  const holds = new Map<Call, Hold>()
  for (const call of calls) if (call !== undefined) holds.set(call, before?.get(call) ?? new Hold())
  for (const [call, each] of before ?? []) if (!holds.has(call)) callsOf(controller).hold(each, undefined)
  holdsOf.set(hold, holds)
  return holds
}

/** The numbers of calls, which tell them apart in a key. No data is in it. */
const numbers = new WeakMap<object, number>()
let rowsNumbered = 0

function numberOf(call: Call): number {
  const number = numbers.get(call) ?? ++rowsNumbered
  numbers.set(call, number)
  return number
}

/**
 * Names a list or object of calls: equal as long as they are the same calls, under the same names, with the same expiry.
 *
 * @throws {SelfsameError} as the constructor of `ObserverGroup`
 */
export function keyOfCalls(controller: Controller, calls: ReadCalls): string {
  const listed = listOf(calls)
  const names = namesOf(calls)
  const found = callsIn(controller, listed)
  return JSON.stringify([
    names,
    listed.map(([{ dataExpiryLength, invalidIfStale, policy }], index) => {
      const call = found[index]
      return call && [numberOf(call), String(dataExpiryLength), invalidIfStale, policy]
    }),
  ])
}

/** Several calls as messages name them: `useSuspenseAll(User.get, Post.getList)`. */
export function nameOfCalls(hook: string, calls: unknown): string {
  const listed: readonly unknown[] = typeof calls === 'object' && calls !== null ? Object.values(calls) : []
  const names = listed.map((call) =>
    Array.isArray(call) ? String((call[0] as { name?: unknown })?.name) : '?',
  )
  return `${hook}(${names.join(', ')})`
}

function listOf(calls: ReadCalls): readonly ReadCall[] {
  if (!Array.isArray(calls) && !isPlainObject(calls)) throw errors.notCalls(undefined, calls)
  for (const [place, call] of Object.entries(calls)) {
    if (!Array.isArray(call) || typeof (call[0] as ReadEndpoint | undefined)?.key !== 'function') {
      throw errors.notCalls(place, Array.isArray(call) ? call[0] : call)
    }
  }
  return Object.values(calls)
}

function namesOf(calls: ReadCalls): readonly string[] | undefined {
  return Array.isArray(calls) ? undefined : Object.keys(calls)
}

function callsIn(controller: Controller, listed: readonly ReadCall[]): readonly (Call | undefined)[] {
  return listed.map(([endpoint, ...args]) =>
    args[0] === null ? undefined : callsOf(controller).call(endpoint, args),
  )
}

function isFailed(reading: Reading): reading is Extract<Reading, { error: unknown }> {
  return 'error' in reading
}

function isWaiting(reading: Reading): reading is Waiting {
  return 'promise' in reading
}

function all(functions: readonly (() => void)[]): () => void {
  return () => {
    for (const each of functions) each()
  }
}
