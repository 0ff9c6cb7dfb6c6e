import type { Observer, ReadEndpoint, Reading } from '@selfsame/core'
import { computed, shallowRef } from 'vue'
import type { Ref } from 'vue'
import type { ComposableArgs, ComposableData, Source } from './arguments.js'
import { createOwnedRef } from './owned-ref.js'
import { useObserver } from './use-observer.js'
import { useReport } from './use-report.js'

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
 * its fallback. `controller.resetAll()` drops the last value at once.
 *
 * @param endpoint - an endpoint that reads, or a ref or getter of one
 * @param args - the endpoint's own arguments, each a value, a ref or a getter, or one getter that gives a list of
 *   all; `null` in the first place reads nothing
 * @returns a handle to await, which gives a readonly shallow ref of denormalized data, the same object until
 *   something inside it changes; `undefined` while the first argument is `null`
 * @throws the error of a fetch when there is no data, and a hard one always: by `await` at first, afterwards to the
 *   `error` slot of the nearest `AsyncBoundary`, or to `onErrorCaptured` where there is none.
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
  const data = shallowRef<Data>()
  const pending = createOwnedRef(false)
  const error = createOwnedRef<Error | undefined>(undefined)
  const members = { pending: pending.ref, error: error.ref }
  // An object of its own, because what an await gives must not be awaited in turn.
  const result = Object.assign(
    computed(() => data.value as Data),
    members,
  )
  const first = createDeferred<SuspenseRef<Data>>()
  // Who does not await it learns of the error from the boundary.
  first.promise.catch(() => {})

  const report = useReport()
  const follow = createFollower()
  const show = (observer: Observer<Data>) => {
    const reading = observer.reading()
    observer.ask()
    pending.set(reading.state === 'waiting')
    error.set(errorOf(observer, reading))
    if (reading.state === 'ready') data.value = reading.data
    else if (reading.state === 'waiting' && reading.dropsLast) data.value = undefined
    report.tell(observer, reading)
    if (reading.state === 'waiting') follow(reading.promise, () => end(observer))
    else if (reading.state === 'failed') first.reject(reading.error)
    else first.resolve(result)
  }
  const watched = useObserver<Data>({
    name: 'useSuspense',
    endpoint,
    args,
    facets: ['data', 'error'],
    show,
    leave: report.leave,
  })

  /** Of a request: where nothing is listened to, as on a server, only this tells. */
  function end(observer: Observer<Data>): void {
    if (!watched.isAway()) return watched.update()
    // Suspense waits also for the setup of a component that is gone.
    const last = observer.getSnapshot()
    if (last.error !== undefined) first.reject(last.error)
    if (!last.isReadable) return
    data.value = last.data
    first.resolve(result)
  }

  // eslint-disable-next-line unicorn/no-thenable -- it is there to be awaited
  const awaitable = { then: first.promise.then.bind(first.promise) }
  return Object.assign(
    computed(() => data.value),
    members,
    awaitable,
  )
}

function errorOf(observer: Observer, reading: Reading): Error | undefined {
  if (reading.state === 'waiting') return undefined
  return reading.state === 'failed' ? reading.error : observer.getSnapshot().error
}

/** Makes a function that calls another at the end of a promise, unless it was given the next one by then. */
function createFollower(): (promise: Promise<unknown>, onEnd: () => void) => void {
  let last: Promise<unknown> | undefined
  return (promise, onEnd) => {
    if (promise === last) return
    last = promise
    void promise.then(() => {
      if (promise === last) onEnd()
    })
  }
}

interface Deferred<Value> {
  readonly promise: Promise<Value>
  resolve(value: Value): void
  reject(reason: Error): void
}

function createDeferred<Value>(): Deferred<Value> {
  let settle: Omit<Deferred<Value>, 'promise'> | undefined
  const promise = new Promise<Value>((resolve, reject) => (settle = { resolve, reject }))
  return { promise, resolve: (value) => settle?.resolve(value), reject: (reason) => settle?.reject(reason) }
}
