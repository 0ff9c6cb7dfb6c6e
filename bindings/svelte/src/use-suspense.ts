import type { ReadEndpoint } from '@selfsame/core'
import { Observer, promiseOf } from '@selfsame/core/bindings'
import type { Boundary, Reading, Watched } from '@selfsame/core/bindings'
import { BROWSER } from 'esm-env'
import { untrack } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import type { Readable } from 'svelte/store'
import type { HookArgs, HookData, Reactive } from './arguments.js'
import { boundaryHere } from './context.js'
import type { BoundaryContext } from './context.js'
import { Suspension } from './suspension.js'
import { useObserver } from './use-observer.svelte.js'
import type { Observed } from './use-observer.svelte.js'

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

export function read<Data>(observer: Watched<Data>): Reading<Data> {
  const reading = observer.reading()
  // Stale data is shown, and fetched anew meanwhile.
  if (BROWSER && reading.state === 'success') observer.ask()
  return reading
}

/**
 * Reads a call, fetching where that is needed. Where `current` of the handle is read while data is Invalid, the
 * nearest `AsyncBoundary` shows its fallback; Stale data is shown and fetched anew meanwhile.
 *
 * @param endpoint - an endpoint that reads; a getter or a store of one, where it changes
 * @param args - its arguments, or `null` to read nothing: values, getters or stores. A lone getter that gives a list
 *   gives all arguments. Outside of components `{ controller }` after them
 * @returns a handle; its `current` is `undefined` for `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 3, 4.5, 7
 * @example
 * let { id } = $props()
 * const todo = useSuspense(todoResource.get, () => ({ id }))
 * // <h1>{todo.current.title}</h1>
 */
export function useSuspense<E extends Reactive<ReadEndpoint>, const A extends HookArgs<E>>(
  endpoint: E,
  ...args: A
): Handle<HookData<E, A>> {
  type Data = HookData<E, A>
  return new SuspenseHandle(useObserver('useSuspense', endpoint, args, read<Data>))
}

type Failed = Extract<Reading, { state: 'error' }>

export class SuspenseHandle<Data, Of extends Watched<Data>> implements Handle<Data> {
  readonly subscribe: Readable<Data | undefined>['subscribe']
  readonly #observed: Observed<Reading<Data>, Of>
  readonly #pending: () => boolean
  readonly #error: () => Error | undefined
  readonly #attempt: () => object
  readonly #waits = new WeakMap<Of, Map<Boundary, () => void>>()

  constructor(observed: Observed<Reading<Data>, Of>) {
    this.#observed = observed
    this.subscribe = observed.store((reading) => shownOf(reading)?.data)
    this.#pending = observed.part((observer) => read(observer).state === 'pending')
    this.#error = observed.part((observer) => {
      read(observer)
      return observer.state().error
    })
    this.#attempt = observed.part(createAttempts())
  }

  get current(): Data {
    this.#observed.warnIfStatic()
    const { observer, shown } = this.#observed
    const reading = read(observer)
    if (reading.state === 'error') return this.#fail(observer, boundaryHere(), reading)
    const last = shownOf(reading)
    if (last === undefined) throw this.#suspend(observer)
    shown(observer)
    if (reading.state === 'pending') this.#wait(observer)
    return last.data
  }

  get pending(): boolean {
    this.#observed.warnIfStatic()
    return this.#pending()
  }

  get error(): Error | undefined {
    this.#observed.warnIfStatic()
    return this.#error()
  }

  /** Makes the handle a promise of its data. A getter, because only what is read before the wait is followed. */
  // eslint-disable-next-line unicorn/no-thenable
  get then(): Promise<Data>['then'] {
    this.#observed.isAwaited = true
    const { observer } = this.#observed
    this.#attempt()
    const boundary = boundaryHere()
    const reading = read(observer)
    const isWaiting = reading.state === 'pending'
    if (isWaiting && reading.last !== undefined) this.#wait(observer)
    // What was shown has to leave the screen, where awaiting would keep it there.
    const isDropped = isWaiting && reading.dropsLast && boundary !== undefined
    return (onFulfilled, onRejected) => {
      const promise = isDropped ? Promise.reject(this.#suspend(observer)) : this.#settle(observer, boundary)
      return promise.then(onFulfilled, onRejected)
    }
  }

  #settle(observer: Of, boundary: BoundaryContext | undefined): Promise<Data> {
    const given =
      observer instanceof Observer ? promiseOf(observer as Observer<Data>, false) : observer.promise?.(false)
    // Without arguments the data is undefined, as the types of hooks say.
    const promise = given ?? Promise.resolve(undefined as Data)
    return promise.catch((error: Error) => this.#fail(observer, boundary, { state: 'error', error }))
  }

  /** Throws an error, of which it tells the boundary that shows it: its reset takes it back. */
  #fail(observer: Of, boundary: BoundaryContext | undefined, failure: Failed): never {
    untrack(() => boundary?.failing?.report(this.#observed, observer, failure, true))
    throw failure.error
  }

  #suspend(observer: Of): Suspension {
    const { name, peek, shown } = this.#observed
    return new Suspension(name, {
      call() {
        try {
          return peek()
        } catch {
          return undefined
        }
      },
      isOver: () => shown(observer).state !== 'pending',
    })
  }

  /** Tells the boundary around the place that is being rendered that it waits, for as long as it reads the call. */
  #wait(observer: Of): void {
    const boundary = boundaryHere()?.waiting
    if (boundary === undefined) return
    const waits = this.#waits.get(observer) ?? new Map<Boundary, () => void>()
    const wait = waits.get(boundary) ?? createWait(boundary, observer)
    this.#waits.set(observer, waits.set(boundary, wait))
    wait()
  }
}

/** What is on screen: what was read, or while that is waited for what was shown last. */
function shownOf<Data>(reading: Reading<Data>): { readonly data: Data } | undefined {
  if (reading.state === 'error') return undefined
  return reading.state === 'success' ? reading : reading.last
}

/** Makes a function that gives another object when what was awaited does not stand any more. */
function createAttempts(): (observer: Watched) => object {
  let awaited: Reading | undefined
  let last = {}
  return (observer) => {
    const reading = read(observer)
    // What is waited for arrives by the promise that was given: to be told of it as well would run the effect
    // again, and in a batch of its own, in which Svelte shows it the arguments from before.
    if (reading !== awaited && awaited?.state !== 'pending') last = {}
    awaited = reading
    return last
  }
}

/** Makes a function that reports a waiting reader to a boundary while there is an effect that called it. */
function createWait(boundary: Boundary, observer: Watched): () => void {
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
