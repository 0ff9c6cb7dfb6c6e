import type { Boundary, Controller, Observer, Reading } from '@selfsame/core'
import { BROWSER } from 'esm-env'
import { untrack } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import type { Readable } from 'svelte/store'
import type { Call } from './call.svelte.js'
import { boundaryHere } from './context.js'
import type { BoundaryContext } from './context.js'
import { createFacet, createFollower } from './facet.js'
import { createStore } from './store.svelte.js'
import { Suspension } from './suspension.js'
import { Watch } from './watch.svelte.js'

/**
 * What a component holds of a call: read it in markup, `$derived` or an effect, which follow it. As a store it
 * gives the same data, or `undefined` where `current` would not return. It can be awaited.
 *
 * Data is immutable and never made a deep proxy.
 */
export interface Handle<Data> extends Readable<Data | undefined>, PromiseLike<Data> {
  /**
   * Denormalized data, the same object until something inside it changes. From `useSuspense`: while a mounted reader
   * waits anew, what it showed before.
   *
   * @throws of `useSuspense` only: the error of the fetch; while there is nothing to show, a signal for `AsyncBoundary`
   */
  readonly current: Data
  /**
   * Whether data is being waited for. From `useSuspense`: `current` is not there yet, or was shown before and does
   * not count any more. From `useCache`: somebody fetches what is not there.
   */
  readonly pending: boolean
  /** Why the last fetch failed, also where older data is still shown; `undefined` when it did not. */
  readonly error: Error | undefined
}

/** What a reader can show. */
interface Shown<Data> {
  readonly data: Data
  /** How often the Controller had been reset: what is from before a reset is not shown after it (specification F18). */
  readonly resets: number
}

/** What a reader has to do. The same object until that changes. */
type Outcome<Data> =
  | { readonly state: 'ready'; readonly shown: Shown<Data> }
  /** `shown` is what was shown last, of this call or the one before. */
  | { readonly state: 'waiting'; readonly shown: Shown<Data> | undefined; readonly promise: Promise<unknown> }
  | { readonly state: 'failed'; readonly error: Error }

/** How a hook reads an Observer. */
export interface Manner {
  readonly read: <Data>(observer: Observer<Data>) => Reading<Data>
  readonly isPending: (observer: Observer, reading: Outcome<unknown>) => boolean
}

/** The handle of `useSuspense` and of `useCache`. */
export class CallHandle<Data> implements Handle<Data> {
  readonly #controller: Controller
  readonly #watch: Watch<Data, Reader<Data>>
  readonly #name: string
  #last: Shown<Data> | undefined
  #hasShown = false

  /** @param name - for messages: `useSuspense(Todo.get)` */
  constructor(controller: Controller, call: () => Call, manner: Manner, name: string) {
    this.#controller = controller
    this.#name = name
    const judge: Judge<Data> = (reading, told) => this.#judge(reading, told)
    this.#watch = new Watch(controller, call, (observer) => new Reader(observer, manner, judge))
  }

  get current(): Data {
    const reader = this.#watch.current
    const outcome = reader.peek()
    if (outcome.state === 'failed') {
      reportFailure(reader.observer, boundaryHere(), outcome)
      throw outcome.error
    }
    if (outcome.shown === undefined) throw this.#suspend(reader)
    reader.follow()
    if (outcome.state === 'waiting') reader.wait()
    return outcome.shown.data
  }

  get pending(): boolean {
    return this.#watch.current.pending()
  }

  get error(): Error | undefined {
    return this.#watch.current.error()
  }

  /** The store contract. A handle is a store of data that may be missing, so that it needs no boundary. */
  readonly subscribe: Readable<Data | undefined>['subscribe'] = createStore(() => this.#shownNow()).subscribe

  /** Makes the handle a promise of its data. A getter, because only what is read before the wait is followed. */
  // eslint-disable-next-line unicorn/no-thenable
  get then(): Promise<Data>['then'] {
    const reader = this.#watch.current
    reader.attempt()
    const boundary = boundaryHere()
    const outcome = reader.peek()
    if (outcome.state === 'waiting' && outcome.shown !== undefined) reader.wait()
    const isDropped = outcome.state === 'waiting' && outcome.shown === undefined && this.#hasShown
    return (onFulfilled, onRejected) => {
      // What was shown has to leave the screen, where awaiting would keep it there.
      const promise =
        isDropped && boundary !== undefined ? Promise.reject(this.#suspend(reader)) : settle(reader, boundary)
      return promise.then(onFulfilled, onRejected)
    }
  }

  /** Starts what the hook starts when its component is mounted; what fails will fail again where it is read. */
  start(): void {
    if (!BROWSER) return
    try {
      untrack(() => this.#watch.peek().peek())
    } catch {
      // The arguments may need another handle that waits.
    }
  }

  #shownNow(): Data | undefined {
    const reader = this.#watch.peek()
    reader.follow()
    const outcome = reader.peek()
    return outcome.state === 'failed' ? undefined : outcome.shown?.data
  }

  #suspend(reader: Reader<Data>): Suspension {
    return new Suspension(this.#name, {
      call: () => {
        try {
          return this.#watch.peek()
        } catch {
          return undefined
        }
      },
      isOver() {
        reader.follow()
        return reader.peek().state !== 'waiting'
      },
    })
  }

  #judge(reading: Reading<Data>, told: Outcome<Data> | undefined): Outcome<Data> {
    const { resets } = this.#controller
    if (reading.state === 'ready') {
      const last = this.#last
      const isLast = told?.state === 'ready' && told.shown === last
      if (isLast && last.data === reading.data && last.resets === resets) return told
      this.#last = { data: reading.data, resets }
      this.#hasShown = true
      return { state: 'ready', shown: this.#last }
    }
    if (reading.state === 'failed' || this.#last?.resets !== resets) this.#last = undefined
    if (reading.state === 'failed') return reading
    return { state: 'waiting', shown: this.#last, promise: reading.promise }
  }
}

/** What is to be done about a reading. @param told - the outcome before */
type Judge<Data> = (reading: Reading<Data>, told: Outcome<Data> | undefined) => Outcome<Data>

/**
 * One call as a handle reads it. What is followed makes the effects that read it run again; it is made when it is asked
 * for first, because a page may have thousands of readers, most of which are asked for one thing.
 */
class Reader<Data> {
  readonly observer: Observer<Data>
  readonly #manner: Manner
  readonly #judge: Judge<Data>
  #told: Outcome<Data> | undefined
  #awaited: Outcome<Data> | undefined
  #lastAttempt = {}
  #follow: (() => void) | undefined
  #attempt: (() => object) | undefined
  #pending: (() => boolean) | undefined
  #error: (() => Error | undefined) | undefined
  #waits: Map<Boundary, () => void> | undefined

  constructor(observer: Observer<Data>, manner: Manner, judge: Judge<Data>) {
    this.observer = observer
    this.#manner = manner
    this.#judge = judge
  }

  /** The outcome, unfollowed. */
  peek(): Outcome<Data> {
    const told = this.#told
    const outcome = this.#judge(this.#manner.read(this.observer), told)
    return told !== undefined && isEqual(told, outcome) ? told : (this.#told = outcome)
  }

  /** Follows the outcome. */
  follow(): void {
    this.#follow ??= createFollower(this.observer, () => this.peek())
    this.#follow()
  }

  /** Another object when what was awaited does not stand any more. */
  attempt(): object {
    this.#attempt ??= createFacet(this.observer, () => {
      const outcome = this.peek()
      // What is waited for arrives by the promise that was given: to be told of it as well would run the effect
      // again, and in a batch of its own, in which Svelte shows it the arguments from before.
      if (outcome !== this.#awaited && this.#awaited?.state !== 'waiting') this.#lastAttempt = {}
      this.#awaited = outcome
      return this.#lastAttempt
    })
    return this.#attempt()
  }

  pending(): boolean {
    this.#pending ??= createFacet(this.observer, () => this.#manner.isPending(this.observer, this.peek()))
    return this.#pending()
  }

  error(): Error | undefined {
    this.#error ??= createFacet(this.observer, () =>
      this.peek().state === 'waiting' ? undefined : this.observer.getSnapshot().error,
    )
    return this.#error()
  }

  /** Tells the boundary around the place that is being rendered that it waits, for as long as it reads the call. */
  wait(): void {
    const boundary = boundaryHere()?.waiting
    if (boundary === undefined) return
    this.#waits ??= new Map()
    let track = this.#waits.get(boundary)
    if (track === undefined) this.#waits.set(boundary, (track = createWait(boundary, this.observer)))
    track()
  }
}

function isEqual(a: Outcome<unknown>, b: Outcome<unknown>): boolean {
  if (a.state === 'failed') return b.state === 'failed' && a.error === b.error
  if (b.state === 'failed') return false
  const isSameData = a.shown?.data === b.shown?.data && (a.shown === undefined) === (b.shown === undefined)
  if (a.state === 'waiting') return b.state === 'waiting' && isSameData && a.promise === b.promise
  return b.state === 'ready' && isSameData
}

/** Makes a function that reports a waiting reader to a boundary while there is an effect that called it. */
function createWait(boundary: Boundary, observer: Observer): () => void {
  return createSubscriber(() => {
    const reader = {}
    const report = () => boundary.report(reader, observer, observer.reading())
    const end = observer.subscribe(report)
    // In a batch of its own: one in which something is awaited shows nothing until that is there.
    let hasEnded = false
    queueMicrotask(() => {
      if (!hasEnded) report()
    })
    return () => {
      hasEnded = true
      end()
      boundary.leave(reader)
    }
  })
}

async function settle<Data>(reader: Reader<Data>, boundary: BoundaryContext | undefined): Promise<Data> {
  for (;;) {
    const outcome = reader.peek()
    if (outcome.state === 'ready') return outcome.shown.data
    if (outcome.state === 'failed') {
      reportFailure(reader.observer, boundary, outcome)
      throw outcome.error
    }
    await outcome.promise
  }
}

/** Lets the reset of a boundary take the error back. */
function reportFailure(
  observer: Observer,
  boundary: BoundaryContext | undefined,
  failure: Extract<Reading, { state: 'failed' }>,
): void {
  untrack(() => boundary?.failing?.report(observer, observer, failure))
}
