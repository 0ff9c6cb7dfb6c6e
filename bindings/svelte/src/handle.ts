import type { Boundary, Controller, Observer, Reading } from '@selfsame/core'
import { BROWSER } from 'esm-env'
import { untrack } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import { toStore } from 'svelte/store'
import type { Readable } from 'svelte/store'
import type { Call } from './call.svelte.js'
import { boundaryHere } from './context.js'
import type { BoundaryContext } from './context.js'
import { createFacet } from './facet.js'
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

/** One call as a handle reads it. What is a facet makes the effects that read it run again. */
interface Reader<Data> {
  readonly observer: Observer<Data>
  readonly outcome: () => Outcome<Data>
  /** Another object when what was awaited does not stand any more. */
  readonly attempt: () => object
  readonly isPending: () => boolean
  readonly error: () => Error | undefined
  /** The outcome, unfollowed. */
  peek(): Outcome<Data>
  /** Tells the boundary around the place that is being rendered that it waits, for as long as it reads the call. */
  wait(): void
}

/** How a hook reads an Observer. */
export interface Manner {
  /** For messages: `useSuspense(Todo.get)`. */
  readonly name: string
  readonly read: <Data>(observer: Observer<Data>) => Reading<Data>
  readonly isPending: (observer: Observer, reading: Outcome<unknown>) => boolean
}

/** The handle of `useSuspense` and of `useCache`. */
export class CallHandle<Data> implements Handle<Data> {
  readonly #controller: Controller
  readonly #manner: Manner
  readonly #watch: Watch<Data, Reader<Data>>
  #last: Shown<Data> | undefined
  #hasShown = false

  constructor(controller: Controller, call: () => Call, manner: Manner) {
    this.#controller = controller
    this.#manner = manner
    this.#watch = new Watch(controller, call, (observer) => this.#createReader(observer))
  }

  get current(): Data {
    const reader = this.#watch.current
    const outcome = reader.peek()
    if (outcome.state === 'failed') {
      reportFailure(reader, boundaryHere(), outcome)
      throw outcome.error
    }
    if (outcome.shown === undefined) throw this.#suspend(reader)
    reader.outcome()
    if (outcome.state === 'waiting') reader.wait()
    return outcome.shown.data
  }

  get pending(): boolean {
    return this.#watch.current.isPending()
  }

  get error(): Error | undefined {
    return this.#watch.current.error()
  }

  /** The store contract. A handle is a store of data that may be missing, so that it needs no boundary. */
  readonly subscribe: Readable<Data | undefined>['subscribe'] = (run, invalidate) =>
    toStore(() => this.#shownNow()).subscribe(run, invalidate)

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
    const outcome = this.#watch.current.outcome()
    return outcome.state === 'failed' ? undefined : outcome.shown?.data
  }

  #suspend(reader: Reader<Data>): Suspension {
    return new Suspension(this.#manner.name, {
      call: () => {
        try {
          return this.#watch.peek()
        } catch {
          return undefined
        }
      },
      isOver: () => reader.outcome().state !== 'waiting',
    })
  }

  #createReader(observer: Observer<Data>): Reader<Data> {
    const waits = new Map<Boundary, () => void>()
    let told: Outcome<Data> | undefined
    const peek = () => {
      const outcome = this.#judge(this.#manner.read(observer))
      if (told === undefined || !isEqual(told, outcome)) told = outcome
      return told
    }
    let awaited: Outcome<Data> | undefined
    let attempt = {}
    return {
      observer,
      peek,
      attempt: createFacet(observer, () => {
        const outcome = peek()
        // What is waited for arrives by the promise that was given: to be told of it as well would run the effect
        // again, and in a batch of its own, in which Svelte shows it the arguments from before.
        if (outcome !== awaited && awaited?.state !== 'waiting') attempt = {}
        awaited = outcome
        return attempt
      }),
      outcome: createFacet(observer, peek),
      isPending: createFacet(observer, () => this.#manner.isPending(observer, peek())),
      error: createFacet(observer, () =>
        peek().state === 'waiting' ? undefined : observer.getSnapshot().error,
      ),
      wait() {
        const boundary = boundaryHere()?.waiting
        if (boundary === undefined) return
        let track = waits.get(boundary)
        if (track === undefined) waits.set(boundary, (track = createWait(boundary, observer)))
        track()
      },
    }
  }

  #judge(reading: Reading<Data>): Outcome<Data> {
    const { resets } = this.#controller
    if (reading.state === 'ready') {
      this.#last = { data: reading.data, resets }
      this.#hasShown = true
      return { state: 'ready', shown: this.#last }
    }
    if (reading.state === 'failed' || this.#last?.resets !== resets) this.#last = undefined
    if (reading.state === 'failed') return reading
    return { state: 'waiting', shown: this.#last, promise: reading.promise }
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
      reportFailure(reader, boundary, outcome)
      throw outcome.error
    }
    await outcome.promise
  }
}

/** Lets the reset of a boundary take the error back. */
function reportFailure(
  { observer }: Reader<unknown>,
  boundary: BoundaryContext | undefined,
  failure: Extract<Reading, { state: 'failed' }>,
): void {
  untrack(() => boundary?.failing?.report(observer, observer, failure))
}
