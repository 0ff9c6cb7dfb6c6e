import type { ReadEndpoint } from '@selfsame/core'
import { callsOf, dataIn, readyWithNothing } from '@selfsame/core/bindings'
import type { Boundary, CachedReading, Observer, Reading, Watched } from '@selfsame/core/bindings'
import {
  ErrorCodes,
  computed,
  createCommentVNode,
  getCurrentInstance,
  handleError,
  hasInjectionContext,
  inject,
  watch,
} from 'vue'
import type { ComponentInternalInstance, Ref, VNodeChild } from 'vue'
import type { ComposableArgs, ComposableData, Source, GivenArgs } from './arguments.js'
import { boundaryKey, injectController, thrownBy } from './context.js'
import type { BoundaryContext } from './context.js'
import { isScopeOfComponent, useObserver } from './use-observer.js'
import type { Observed, Watching } from './use-observer.js'

/** A readonly shallow ref of data, with the state of its call. */
export interface SuspenseRef<Data> extends Readonly<Ref<Data>> {
  /** `true` while the reader waits for data; meanwhile `value` stays the last data shown. */
  readonly pending: Readonly<Ref<boolean>>
  /** The error of the last request, even while older data is still shown; `undefined` if it succeeded. */
  readonly error: Readonly<Ref<Error | undefined>>
}

/** The result of `useSuspense`. `value` is `undefined` until there is data; `await` waits for it. */
export interface SuspenseHandle<Data> extends SuspenseRef<Data | undefined>, PromiseLike<SuspenseRef<Data>> {}

/**
 * Reads a call, fetches it if its data is Invalid or Stale, and updates with it. `await` it in `async setup()`: then
 * the `<Suspense>` of an `AsyncBoundary` waits for the first data. Without `await`, `value` is `undefined` at first.
 *
 * A mounted component cannot suspend again. When its call becomes Invalid, or new arguments have no data yet, `value`
 * keeps the last data, `pending` is `true`, and the nearest `AsyncBoundary` shows its fallback.
 * `controller.resetAll()` removes the last data immediately: an `AsyncBoundary` remounts its content; without one,
 * a component that awaited renders nothing until there is data, and its `value` keeps the type that its script
 * expects.
 *
 * @param endpoint - an endpoint that reads, or a ref or getter of one
 * @param args - the endpoint's arguments, each a value, a ref or a getter, or one getter that returns the list of
 *   all; a first argument of `null` reads nothing
 * @returns a handle to await. It resolves with a readonly shallow ref of denormalized data, the same object until its
 *   content changes; `undefined` while the first argument is `null`
 * @throws the error of a fetch if there is no data, and a hard error always. The first one rejects the `await`; later
 *   ones go to the `error` slot of the nearest `AsyncBoundary`, or to `onErrorCaptured` if there is none.
 *   {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 3, 4.5, 7
 * @example
 * const props = defineProps<{ id: number }>()
 * const todo = await useSuspense(todoResource.get, () => ({ id: props.id }))
 * const title = computed(() => todo.value.title)
 */
export function useSuspense<E extends Source<ReadEndpoint>, const Args extends ComposableArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, Args>
): SuspenseHandle<ComposableData<E, Args>> {
  type Data = ComposableData<E, Args>
  return useWaiting<Data, Observer<Data>>((watching) =>
    useObserver<Data, Reading<Data>>({ name: 'useSuspense', endpoint, args, ...watching }),
  )
}

/**
 * Creates a handle of an observer.
 *
 * @param begin - starts watching, with the given callbacks
 */
export function useWaiting<Data, Of extends Watched<Data>>(
  begin: (watching: Watching<Reading<Data>, Of>) => Observed<Reading<Data>, Of>,
): SuspenseHandle<Data> {
  const context = hasInjectionContext() ? inject(boundaryKey, undefined) : undefined
  const instance = isScopeOfComponent() ? getCurrentInstance() : null
  const report = new Report(context)
  const calls = context && instance && callsOf(injectController(() => 'useSuspense'))
  let resets = calls?.resets
  /** After a reset the boundary makes its content anew: the new content fetches what it still shows. */
  const readHere = (current: Of): Reading<Data> => {
    if (resets !== calls?.resets && report.wasReady && current.members.some(isLoading)) return dropped
    const reading = read(current)
    if (reading.state === 'success') resets = calls?.resets
    return reading
  }
  const observed = begin({
    read: readHere,
    // A server does not wait for the refetch of Stale data.
    readOnServer: (current) => current.readOrFetch(),
    tell: (reading) => tell(reading),
    leave: (isForGood) => report.leave(isForGood),
  })
  const { observer, shown } = observed
  // The last data stays, also beside an error, until a reset drops it.
  const last = computed<{ readonly data: Data } | undefined>((before) => {
    const reading = shown.value
    if (reading.state === 'success') return reading
    return reading.state === 'pending' && reading.dropsLast ? undefined : before
  })
  const members = {
    pending: observed.part((current) => shown.value.state === 'pending' || current.state().isLast === true),
    error: observed.part((current) => {
      void shown.value
      return current.state().error
    }),
  }
  const progress = { isAwaited: false, isHiding: false }
  // A separate object without `then`: `await` would unwrap a thenable result again.
  const result = Object.assign(
    computed<Data>((before) => {
      // A component that renders nothing, or is about to be unmounted, keeps the old data, so that its script reads the
      // type that it expects.
      const isKept = last.value === undefined && progress.isHiding
      return (isKept ? before : last.value?.data) as Data
    }),
    members,
  )
  const first = createFirst(result)

  function tell(reading: Reading<Data>): void {
    const isShown = report.tell(observer.value, reading)
    // Without a subscription, as on a server, only the promise reports the end of a request.
    if (reading.state === 'pending') reading.promise.then(observed.update).catch(first.fail)
    first.settle(reading)
    if (!report.wasReady) return
    if (last.value === undefined) drop()
    // Before the first data, the error rejects the `await`.
    if (reading.state === 'error' && !isShown) {
      handleError(reading.error, instance, ErrorCodes.COMPONENT_UPDATE, false)
    }
  }
  /** Removes the data from the screen. */
  function drop(): void {
    if (context !== undefined) {
      // Until the boundary has made its content anew, arguments of other readers may be made of this data.
      progress.isHiding = true
      return context.waiting.renew()
    }
    if (!progress.isAwaited || instance === null || progress.isHiding) return
    progress.isHiding = true
    hideWhile(instance, () => last.value === undefined)
  }
  tell(shown.value)
  // Until the component is mounted, nobody else follows the options of a reader that waits: refs in them, and another endpoint.
  const { members: readers } = observer.value
  if (readers.some(({ options }) => options?.paused === true)) {
    const goOn = () => observed.update()
    for (const reader of readers) reader.onOptions = () => queueMicrotask(goOn)
    watch(shown, goOn)
  }

  const awaitable: Pick<typeof first.promise, 'then'> = {
    // eslint-disable-next-line unicorn/no-thenable -- made to be awaited
    then(onFulfilled, onRejected) {
      progress.isAwaited = true
      return first.promise.then(onFulfilled, onRejected)
    },
  }
  return Object.assign(
    computed(() => last.value?.data),
    members,
    awaitable,
  )
}

/**
 * Watches a call for a composable that never suspends, and reports an error of reading it to the boundary around it. Its value throws
 * that error, for code without a boundary.
 */
export function useCached<Data>(
  name: string,
  endpoint: unknown,
  args: readonly unknown[],
): Readonly<Ref<Data | undefined>> {
  const report = new Report(hasInjectionContext() ? inject(boundaryKey, undefined) : undefined)
  const tell = (reading: CachedReading<Data>) => report.tell(observer.value, reading)
  const { observer, shown } = useObserver<Data, CachedReading<Data>>({
    name,
    endpoint,
    args,
    read: (current) => current.readCached(),
    blank: () => readyWithNothing,
    tell,
    leave: (isForGood) => report.leave(isForGood),
  })
  tell(shown.value)
  // A computed value, for Pinia. Its own getter would throw once, and then return the value of before.
  const data = computed(() => dataIn(shown.value))
  return Object.defineProperty(data, 'value', {
    ...Object.getOwnPropertyDescriptor(Object.getPrototypeOf(data), 'value'),
    get() {
      const reading = shown.value
      if (reading.state === 'error') thrownBy.set(reading.error, observer.value)
      return dataIn(reading)
    },
  })
}

/** Reports a reader's state to the boundaries around it. */
class Report {
  /** `true` once it had data. */
  wasReady = false
  readonly #context: BoundaryContext | undefined
  readonly #attempt: number
  #boundary: Boundary | undefined
  #isWaiting = false

  constructor(context: BoundaryContext | undefined) {
    this.#context = context
    this.#attempt = context?.attempt ?? 0
  }

  /** @returns `true` if a boundary shows the state */
  tell(observer: Watched, reading: Reading): boolean {
    const context = this.#context
    const boundary = reading.state === 'error' ? context?.failing : context?.waiting
    if (boundary !== this.#boundary) this.#boundary?.leave(this)
    this.#boundary = boundary
    boundary?.report(this, observer, reading)
    this.#isWaiting = reading.state === 'pending'
    if (reading.state === 'success') this.wasReady = true
    return boundary !== undefined
  }

  /** The reader leaves the screen: for good, or until `KeepAlive` activates it again. */
  leave(isForGood: boolean): void {
    this.#boundary?.leave(this)
    this.#boundary = undefined
    if (isForGood && this.#isWaiting && !this.wasReady) this.#context?.giveUp(this.#attempt)
  }
}

/** Creates the promise for `await`: the first reading with data or an error settles it. */
function createFirst<Result>(result: Result) {
  let settle: ((reading: Reading) => void) | undefined
  const promise = new Promise<Result>((resolve, reject) => {
    settle = (reading) => {
      if (reading.state === 'success') resolve(result)
      else if (reading.state === 'error') reject(reading.error)
    }
  })
  // Without an `await`, the boundary reports the error.
  promise.catch(() => {})
  return {
    promise,
    settle: (reading: Reading) => settle?.(reading),
    /** The Controller was disposed of, so it cannot fetch. */
    fail: (error: Error) => settle?.({ state: 'error', error }),
  }
}

const isLoading = (observer: Observer): boolean => observer.state().loading

/** What a reader tells whose boundary makes its content anew. It waits for nothing, because it will be unmounted. */
const dropped: Reading<never> = Object.freeze({
  state: 'pending',
  promise: Object.assign(new Promise<undefined>(() => {}), { status: 'pending' } as const),
  dropsLast: true,
  last: undefined,
})

function read<Data>(observer: Watched<Data>): Reading<Data> {
  const reading = observer.readOrFetch()
  observer.fetchIfDue()
  return reading
}

/** The member that Vue's types omit. */
interface Rendering {
  render: ((this: unknown, ...given: unknown[]) => VNodeChild) | null
}

/** Renders a comment in place of a component while it has no data to show, because Vue cannot suspend it again. */
function hideWhile(instance: ComponentInternalInstance, hasNothing: () => boolean): void {
  const component = instance as ComponentInternalInstance & Rendering
  const { render } = component
  component.render = function (...given) {
    return hasNothing() ? createCommentVNode() : render?.apply(this, given)
  }
  instance.update()
}
