import type { Controller, ReadEndpoint } from '@selfsame/core'
import { Observer, development, promiseOf } from '@selfsame/core/bindings'
import type { Boundary, CachedReading, Reading, Watched } from '@selfsame/core/bindings'
import { BROWSER } from 'esm-env'
import { untrack } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import type { Readable } from 'svelte/store'
import type { HookArgs, HookData, Reactive, GivenArgs } from './arguments.js'
import { boundaryHere, isMounted } from './context.js'
import type { BoundaryContext } from './context.js'
import { Suspension } from './suspension.js'
import { toHandle, useObserver } from './use-observer.svelte.js'
import type { Observed } from './use-observer.svelte.js'

/**
 * A component's view of a call. Read it in markup, `$derived` or an effect, which track it. As a store it has the
 * value of `current`, or `undefined` where `current` would throw. It can be awaited.
 *
 * Data is immutable, and never a deep proxy.
 */
export interface Handle<Data> extends Readable<Data | undefined>, PromiseLike<Data> {
  /**
   * Denormalized data, the same object until its content changes. From `useSuspense`: the last data shown, while a
   * mounted reader waits for other data.
   *
   * @throws from `useSuspense` only: the error of the fetch; a signal for `AsyncBoundary` while there is no data
   */
  readonly current: Data
  /**
   * `true` while data is being fetched. From `useSuspense`: there is no data yet, or the data shown is Invalid. From
   * `useCache`: there is no data, and a request is in flight.
   */
  readonly pending: boolean
  /** The error of the last request, even while older data is still shown; `undefined` if it succeeded. */
  readonly error: Error | undefined
}

const notFetched: Reading<never> = {
  state: 'pending',
  promise: Object.assign(new Promise<undefined>(() => {}), { status: 'pending' } as const),
  last: undefined,
  dropsLast: false,
}

/** Returns what a reader has to do. Fetches missing data. */
export function read<Data>(observer: Watched<Data>): Reading<Data> {
  // A page that is rendered once shows no data that is fetched now.
  if (
    !BROWSER &&
    boundaryHere()?.isRenderedOnce === true &&
    observer.members.some((member) => member.state().loading)
  )
    return notFetched
  const reading = observer.readOrFetch()
  // Stale data is shown during the refetch.
  if (BROWSER && reading.state === 'success') observer.fetchIfDue()
  return reading
}

/**
 * Reads a call, and fetches it if its data is Invalid or Stale. If `current` of the handle is read while data is
 * Invalid, the nearest `AsyncBoundary` shows its fallback. Stale data is shown during the refetch.
 *
 * @param endpoint - an endpoint that reads; pass a getter or a store if it changes
 * @param args - its arguments, or `null` to read nothing: values, getters or stores. A single getter that returns a
 *   list supplies all arguments. Outside of components, pass the `controller` by `withOptions`
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
  ...args: GivenArgs<E, A>
): Handle<HookData<E, A>> {
  type Data = HookData<E, A>
  return new SuspenseHandle(useObserver('useSuspense', endpoint, args, read<Data>))
}

type Failed = Extract<Reading, { state: 'error' }>

const reports = new WeakMap<Error, (boundary: Boundary) => void>()

/** Reports the reader that threw an error to the boundary that caught it: a `$derived` of a component around that may have read it. */
export function reportFailure(error: unknown, boundary: Boundary): void {
  if (error instanceof Error) reports.get(error)?.(boundary)
}

export class SuspenseHandle<Data, Of extends Watched<Data>> implements Handle<Data> {
  readonly subscribe: Readable<Data | undefined>['subscribe']
  readonly #observed: Observed<Reading<Data>, Of>
  readonly #current: () => Data
  readonly #pending: () => boolean
  readonly #error: () => Error | undefined
  readonly #attempt: () => object
  readonly #waits = new WeakMap<Of, Map<Boundary, () => void>>()

  constructor(observed: Observed<Reading<Data>, Of>) {
    this.#observed = observed
    this.subscribe = observed.store((reading) => shownOf(reading)?.data)
    this.#current = observed.member((observer) => this.#read(observer))
    this.#pending = observed.member(
      observed.part((observer) => read(observer).state === 'pending' || observer.state().isLast === true),
    )
    this.#error = observed.member(
      observed.part((observer) => {
        read(observer)
        return observer.state().error
      }),
    )
    this.#attempt = observed.part(createAttempts(), undefined, notifyLater)
  }

  get current(): Data {
    return this.#current()
  }

  #read(observer: Of): Data {
    const { shown } = this.#observed
    const reading = read(observer)
    if (reading.state === 'error') return fail(this.#observed, observer, boundaryHere(), reading)
    const last = shownOf(reading)
    const isFirst = last === undefined
    // Content that stays is tracked where it throws too: Svelte keeps the value of a `$derived` that has thrown.
    const boundary = boundaryHere()
    if (!isFirst || (boundary && isMounted(boundary))) shown(observer)
    if (isFirst) throw this.#suspend(observer, reading)
    if (reading.state === 'pending') this.#wait(observer)
    else if (development) noteShown(observer)
    return last.data
  }

  get pending(): boolean {
    return this.#pending()
  }

  get error(): Error | undefined {
    return this.#error()
  }

  /**
   * Makes the handle a promise of its data. A getter, because Svelte tracks only reads that happen before the wait.
   */
  // eslint-disable-next-line unicorn/no-thenable
  get then(): Promise<Data>['then'] {
    this.#observed.isAwaited = true
    const { observer } = this.#observed
    this.#attempt()
    const boundary = boundaryHere()
    const reading = read(observer)
    const isWaiting = reading.state === 'pending'
    // Svelte itself shows a fallback for content that was never mounted only.
    if (isWaiting && (reading.last !== undefined || (boundary && isMounted(boundary)))) this.#wait(observer)
    // Awaiting would keep the old data on screen, which a reset has to remove.
    const isDropped = isWaiting && reading.dropsLast && boundary !== undefined
    return (onFulfilled, onRejected) => {
      const promise = isDropped
        ? Promise.reject(this.#suspend(observer, reading))
        : this.#settle(observer, boundary)
      return promise.then(onFulfilled, onRejected)
    }
  }

  #settle(observer: Of, boundary: BoundaryContext | undefined): Promise<Data> {
    const given =
      observer instanceof Observer ? promiseOf(observer as Observer<Data>, false) : observer.promise?.(false)
    // The types of hooks say so: `undefined` without arguments.
    const promise = given ?? Promise.resolve(undefined as Data)
    return promise.catch((error: Error) =>
      fail(this.#observed, observer, boundary, { state: 'error', error }),
    )
  }

  #suspend(observer: Of, reading: Reading<Data>): Suspension {
    const { name, peek, shown } = this.#observed
    if (development) noteRemoved(observer)
    return new Suspension(name, {
      boundary: boundaryHere(),
      call() {
        try {
          return peek()
        } catch {
          return undefined
        }
      },
      isOver: () => shown(observer).state !== 'pending',
      report: (boundary) => this.#wait(observer, boundary),
      dropsContent: reading.state === 'pending' && reading.dropsLast,
    })
  }

  /**
   * Reports the wait to the boundary around the position that is being rendered, as long as that position reads the
   * call.
   */
  #wait(observer: Of, boundary = boundaryHere()?.waiting): void {
    if (boundary === undefined) return
    const waits = this.#waits.get(observer) ?? new Map<Boundary, () => void>()
    const wait = waits.get(boundary) ?? createWait(boundary, observer)
    this.#waits.set(observer, waits.set(boundary, wait))
    wait()
  }
}

/** Throws an error, and reports it to the boundary that shows it, so that the boundary's reset clears it. */
function fail(
  reader: object,
  observer: Watched,
  boundary: BoundaryContext | undefined,
  failure: Failed,
): never {
  const report = (to: Boundary) => to.report(reader, observer, failure, true)
  reports.set(failure.error, report)
  untrack(() => boundary?.failing && report(boundary.failing))
  throw failure.error
}

/**
 * Watches a call for a hook that never suspends. `current` of the handle throws an error of reading, as the handle of `useSuspense`
 * throws that of a request.
 *
 * @param reads - return the further members of the handle
 */
export function useCached<Data, Reads extends Record<string, (observer: Observer) => unknown>>(
  hook: string,
  endpoint: unknown,
  args: readonly unknown[],
  controller?: Controller,
  reads?: Reads,
) {
  // The call is answered by the schema of its endpoint.
  const readCached = (observer: Observer) => observer.readCached() as CachedReading<Data>
  const observed = useObserver(hook, endpoint, args, readCached, undefined, controller)
  return toHandle(observed, reads, (reading, observer) =>
    reading.state === 'error' ? fail(observed, observer, boundaryHere(), reading) : reading.data,
  )
}

/** Says that a component has shown the data of a reader, for the warning of arguments that differ in each render. */
function noteShown({ members }: Watched): void {
  for (const member of members) member.inspect(({ changing }, call) => changing?.noteSeen(call))
}

/** Says that the boundary may remove the component, and make it again when there is data. */
function noteRemoved({ members }: Watched): void {
  for (const member of members) member.inspect(({ changing }) => changing?.ignore(member))
}

/** The data on screen: that of the reading, or while it is pending the last data shown. */
function shownOf<Data>(reading: Reading<Data>): { readonly data: Data } | undefined {
  if (reading.state === 'error') return undefined
  return reading.state === 'success' ? reading : reading.last
}

/** Returns a function that returns a new object once an awaited reading is outdated. */
function createAttempts(): (observer: Watched) => object {
  let awaited: Reading | undefined
  let last = {}
  return (observer) => {
    const reading = read(observer)
    // The awaited promise already delivers the end of the wait. To notify of it as well would run the effect again,
    // in a batch of its own, in which Svelte shows it the old arguments.
    if (reading !== awaited && awaited?.state !== 'pending') last = {}
    awaited = reading
    return last
  }
}

/**
 * Svelte shows nothing of a batch in which something is awaited until that settles: what will wait gets a batch of its own, so that
 * readers that do not wait show their change at once. Their batch, and that of the fallback, are flushed in microtasks before.
 */
async function notifyLater(update: () => void, observer: Watched): Promise<void> {
  if (observer.readOrFetch().state === 'pending') for (let turn = 0; turn < 3; turn++) await undefined
  update()
}

/** Returns a function that reports a waiting reader to a boundary while an effect that called it exists. */
function createWait(boundary: Boundary, observer: Watched): () => void {
  return createSubscriber(() => {
    const reader = {}
    let hasEnded = false
    const report = () => {
      if (!hasEnded) boundary.report(reader, observer, observer.readOrFetch())
    }
    // A microtask starts a new batch: Svelte shows nothing of a batch in which something is awaited until that
    // settles.
    const reportLater = () => queueMicrotask(report)
    const end = observer.subscribe(() => {
      if (observer.readOrFetch().state === 'pending') reportLater()
      else report()
    })
    reportLater()
    return () => {
      hasEnded = true
      end()
      boundary.leave(reader)
    }
  })
}
