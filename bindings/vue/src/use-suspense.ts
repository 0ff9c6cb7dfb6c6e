import type { ReadEndpoint } from '@selfsame/core'
import type { Boundary, Observer, Reading, Watched } from '@selfsame/core/bindings'
import {
  ErrorCodes,
  computed,
  createCommentVNode,
  getCurrentInstance,
  handleError,
  hasInjectionContext,
  inject,
} from 'vue'
import type { ComponentInternalInstance, Ref, VNodeChild } from 'vue'
import type { ComposableArgs, ComposableData, Source } from './arguments.js'
import { boundaryKey } from './context.js'
import type { BoundaryContext } from './context.js'
import { isScopeOfComponent, useObserver } from './use-observer.js'
import type { Observed, Watching } from './use-observer.js'

/** A readonly shallow ref of data, with what is known beside it. */
export interface SuspenseRef<Data> extends Readonly<Ref<Data>> {
  /** Whether the reader waits for data; `value` is what it showed last meanwhile. */
  readonly pending: Readonly<Ref<boolean>>
  /** Why the last fetch failed, also where older data is still shown; `undefined` when it did not. */
  readonly error: Readonly<Ref<Error | undefined>>
}

/** What `useSuspense` gives: `value` is `undefined` until there is data; awaiting it waits for that. */
export interface SuspenseHandle<Data> extends SuspenseRef<Data | undefined>, PromiseLike<SuspenseRef<Data>> {}

/**
 * Reads a call's data, fetches it when it is Invalid or Stale, and follows it. `await` it in `async setup()`: then
 * the `<Suspense>` of an `AsyncBoundary` waits for the first data. Without `await` the value is `undefined` at first.
 *
 * A component that is mounted cannot suspend again. When its call turns Invalid, or its arguments change to
 * something that is not there, `value` stays what it was, `pending` is `true`, and the `AsyncBoundary` around shows
 * its fallback. `controller.resetAll()` drops the last value at once: an `AsyncBoundary` makes its content anew; without
 * one a component that awaited shows nothing until there is other data, and `value` stays what its scripts expect.
 *
 * @param endpoint - an endpoint that reads, or a ref or getter of one
 * @param args - the endpoint's own arguments, each a value, a ref or a getter, or one getter that gives a list of
 *   all; `null` in the first place reads nothing
 * @returns a handle to await, which gives a readonly shallow ref of denormalized data, the same object until
 *   something inside it changes; `undefined` while the first argument is `null`
 * @throws the error of a fetch when there is no data, and a hard one always: by `await` at first, afterwards to the
 *   `error` slot of the nearest `AsyncBoundary`, or to `onErrorCaptured` if there is none.
 *   {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 3, 4.5, 7
 * @example
 * const props = defineProps<{ id: number }>()
 * const todo = await useSuspense(todoResource.get, () => ({ id: props.id }))
 * const title = computed(() => todo.value.title)
 */
export function useSuspense<E extends Source<ReadEndpoint>, const Args extends ComposableArgs<E>>(
  endpoint: E,
  ...args: Args
): SuspenseHandle<ComposableData<E, Args>> {
  type Data = ComposableData<E, Args>
  return useWaiting<Data, Observer<Data>>((watching) =>
    useObserver<Data, Reading<Data>>({ name: 'useSuspense', endpoint, args, ...watching }),
  )
}

/**
 * Makes a handle of what is watched.
 *
 * @param watch - is given what to do with it
 */
export function useWaiting<Data, Of extends Watched<Data>>(
  watch: (watching: Watching<Reading<Data>, Of>) => Observed<Reading<Data>, Of>,
): SuspenseHandle<Data> {
  const context = hasInjectionContext() ? inject(boundaryKey, undefined) : undefined
  const instance = isScopeOfComponent() ? getCurrentInstance() : null
  const report = new Report(context)
  const observed = watch({
    read,
    // Nobody waits there for what is Stale.
    readOnServer: (current) => current.reading(),
    tell: (reading) => tell(reading),
    leave: (isForGood) => report.leave(isForGood),
  })
  const { observer, shown } = observed
  // What was shown last stays, also beside an error, until it must not be shown any longer.
  const last = computed<{ readonly data: Data } | undefined>((before) => {
    const reading = shown.value
    if (reading.state === 'success') return reading
    return reading.state === 'pending' && reading.dropsLast ? undefined : before
  })
  const members = {
    pending: computed(() => shown.value.state === 'pending'),
    error: observed.part((current) => {
      void shown.value
      return current.state().error
    }),
  }
  const progress = { isAwaited: false, isHiding: false }
  // An object of its own, because what an await gives must not be awaited in turn.
  const result = Object.assign(
    computed<Data>((before) => {
      // A component that renders nothing meanwhile keeps what its scripts read of the type that they expect.
      const isKept = last.value === undefined && progress.isHiding
      return (isKept ? before : last.value?.data) as Data
    }),
    members,
  )
  const first = createFirst(result)

  function tell(reading: Reading<Data>): void {
    const isShown = report.tell(observer.value, reading)
    // Where nothing is listened to, as on a server, only this tells of the end of a request.
    if (reading.state === 'pending') reading.promise.then(observed.update).catch(first.fail)
    first.settle(reading)
    if (!report.wasReady) return
    if (last.value === undefined) drop()
    // Before that it is thrown where the handle is awaited.
    if (reading.state === 'error' && !isShown) {
      handleError(reading.error, instance, ErrorCodes.COMPONENT_UPDATE, false)
    }
  }
  /** Takes what was shown off the screen. */
  function drop(): void {
    if (context !== undefined) return context.waiting.renew()
    if (!progress.isAwaited || instance === null || progress.isHiding) return
    progress.isHiding = true
    hideWhile(instance, () => last.value === undefined)
  }
  tell(shown.value)

  const awaitable = {
    // eslint-disable-next-line unicorn/no-thenable -- it is there to be awaited
    get then() {
      progress.isAwaited = true
      return first.promise.then.bind(first.promise)
    },
  }
  return Object.assign(
    computed(() => last.value?.data),
    members,
    awaitable,
  )
}

/** Tells the boundaries around a reader what it does. */
class Report {
  /** Whether it had something to show. */
  wasReady = false
  readonly #context: BoundaryContext | undefined
  readonly #attempt: number
  #boundary: Boundary | undefined
  #isWaiting = false

  constructor(context: BoundaryContext | undefined) {
    this.#context = context
    this.#attempt = context?.attempt ?? 0
  }

  /** @returns whether there is a boundary that shows it */
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

  /** It leaves the screen: for good, or until `KeepAlive` activates it again. */
  leave(isForGood: boolean): void {
    this.#boundary?.leave(this)
    this.#boundary = undefined
    if (isForGood && this.#isWaiting && !this.wasReady) this.#context?.giveUp(this.#attempt)
  }
}

/** Makes a promise of what an await gives: settled by the first reading that does not wait. */
function createFirst<Result>(result: Result) {
  let settle: ((reading: Reading) => void) | undefined
  const promise = new Promise<Result>((resolve, reject) => {
    settle = (reading) => {
      if (reading.state === 'success') resolve(result)
      else if (reading.state === 'error') reject(reading.error)
    }
  })
  // Who does not await it learns of the error from the boundary.
  promise.catch(() => {})
  return {
    promise,
    settle: (reading: Reading) => settle?.(reading),
    /** The Controller was disposed of, and cannot be asked. */
    fail: (error: Error) => settle?.({ state: 'error', error }),
  }
}

function read<Data>(observer: Watched<Data>): Reading<Data> {
  const reading = observer.reading()
  observer.ask()
  return reading
}

/** What Vue's types leave out of a component. */
interface Rendering {
  render: ((this: unknown, ...given: unknown[]) => VNodeChild) | null
}

/** Renders nothing of a component while there is nothing that it may show: Vue cannot suspend it again. */
function hideWhile(instance: ComponentInternalInstance, hasNothing: () => boolean): void {
  const component = instance as ComponentInternalInstance & Rendering
  const { render } = component
  component.render = function (...given) {
    return hasNothing() ? createCommentVNode() : render?.apply(this, given)
  }
  instance.update()
}
