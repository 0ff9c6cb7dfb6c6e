import type { DataOf, ReadEndpoint } from '@selfsame/core'
import type { Ref } from 'vue'
import type { ComposableArgs, EndpointIn, Source } from './arguments.js'
import { createOwnedRef } from './owned-ref.js'
import { useObserver } from './use-observer.js'

/**
 * Starts a fetch when the data is Invalid or Stale, and waits for nothing. It looks when it is called, when its
 * arguments change, when its call is invalidated and when `KeepAlive` shows it again.
 *
 * @param endpoint - an endpoint that reads, or a ref or getter of one
 * @param args - the endpoint's own arguments, each a value, a ref or a getter, or one getter
 *   that gives a list of all; `null` in the first place does nothing
 * @returns a readonly shallow ref of the promise of the last fetch, also for arguments that never change;
 *   `undefined` when the data was Valid or the first argument is `null`. A rejection that nobody handles is not
 *   reported
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 3, 4.5, F13
 * @example
 * useFetch(todoResource.getList, { userId: 1 }) // is on its way when the component that shows it is mounted
 */
export function useFetch<E extends Source<ReadEndpoint>, const Args extends ComposableArgs<E>>(
  endpoint: E,
  ...args: Args
): Readonly<Ref<Promise<DataOf<EndpointIn<E>>> | undefined>> {
  type Data = DataOf<EndpointIn<E>>
  const promise = createOwnedRef<Promise<Data> | undefined>(undefined)
  useObserver<Data>({
    name: 'useFetch',
    endpoint,
    args,
    facets: [],
    show: (observer) => promise.set(observer.ask()),
  })
  return promise.ref
}
