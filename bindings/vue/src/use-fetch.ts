import type { ReadEndpoint } from '@selfsame/core'
import { promiseOf } from '@selfsame/core/bindings'
import type { Ref } from 'vue'
import type { ComposableArgs, ComposablePromise, Source } from './arguments.js'
import { useObserver } from './use-observer.js'

/**
 * Starts a fetch when the data is Invalid or Stale, and waits for nothing. It looks when it is called, when its
 * arguments change, when its call is invalidated and when `KeepAlive` shows it again.
 *
 * @param endpoint - an endpoint that reads, or a ref or getter of one
 * @param args - the endpoint's own arguments, each a value, a ref or a getter, or one getter
 *   that gives a list of all; `null` in the first place does nothing
 * @returns a readonly shallow ref of a promise, the same until the data changes: fulfilled with data that is there, also
 *   while it is fetched anew; rejected with the stored error, which is never reported as unhandled; pending while there
 *   is neither. `undefined` while the first argument is `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 3, 4.5, F13
 * @example
 * useFetch(todoResource.getList, { userId: 1 }) // is on its way when the component that shows it is mounted
 */
export function useFetch<E extends Source<ReadEndpoint>, const Args extends ComposableArgs<E>>(
  endpoint: E,
  ...args: Args
): Readonly<Ref<ComposablePromise<E, Args>>> {
  const { shown } = useObserver({
    name: 'useFetch',
    endpoint,
    args,
    read: (observer) => promiseOf(observer),
  })
  // It is that of the endpoint's data, and there where there are arguments, as the type says.
  return shown as Readonly<Ref<unknown>> as Readonly<Ref<ComposablePromise<E, Args>>>
}
