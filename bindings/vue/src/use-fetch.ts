import type { ReadEndpoint } from '@selfsame/core'
import { promiseOf } from '@selfsame/core/bindings'
import type { Ref } from 'vue'
import type { ComposableArgs, ComposablePromise, Source, GivenArgs } from './arguments.js'
import { useObserver } from './use-observer.js'

/**
 * Fetches a call if its data is Invalid or Stale, and does not wait. It checks when it is called, when the arguments
 * change, when the call is invalidated, and when `KeepAlive` shows the component again.
 *
 * @param endpoint - an endpoint that reads, or a ref or getter of one
 * @param args - the endpoint's arguments, each a value, a ref or a getter, or one getter that returns the list of
 *   all; a first argument of `null` does nothing
 * @returns a readonly shallow ref of a promise, the same until the data changes: fulfilled if there is data, also
 *   during a refetch; rejected with the stored error, which is never reported as unhandled; pending while there is
 *   neither. `undefined` while the first argument is `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 3, 4.5, F13
 * @example
 * useFetch(todoResource.getList, { userId: 1 }) // in flight before the component that shows it mounts
 */
export function useFetch<E extends Source<ReadEndpoint>, const Args extends ComposableArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, Args>
): Readonly<Ref<ComposablePromise<E, Args>>> {
  const { shown } = useObserver({
    name: 'useFetch',
    endpoint,
    args,
    read: (observer) => promiseOf(observer),
  })
  // The type says so: a promise of the endpoint's data, `undefined` for `null` only.
  return shown as Readonly<Ref<unknown>> as Readonly<Ref<ComposablePromise<E, Args>>>
}
