import type { CacheableEndpoint, DataOf } from '@selfsame/core'
import { readyWithNothing } from '@selfsame/core/bindings'
import type { Observer } from '@selfsame/core/bindings'
import type { EndpointIn, HookArgs, Reactive, GivenArgs } from './arguments.js'
import { useCached } from './use-suspense.js'
import type { Handle } from './use-suspense.js'
import { controllerOf } from './with-options.svelte.js'

const reads = {
  pending: (observer: Observer) =>
    observer.readCached() === readyWithNothing && observer.getSnapshot().fetching,
  error: (observer: Observer) => observer.getSnapshot().error,
}

/**
 * Reads a call from the cache. Never fetches, and needs no boundary.
 *
 * @param endpoint - an endpoint; its `key`, `schema` and `invalidIfStale` are used. Pass a getter or a store if it
 *   changes
 * @param args - its arguments, or `null` to read nothing: values, getters or stores. A single getter that returns a
 *   list supplies all arguments
 * @returns a handle; its `current` is denormalized data, the same object until its content changes, or `undefined` if
 *   that is Invalid and for `null`
 * @throws what the function of a Query throws, never the error of a request.
 *   {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 3, 4.5, F21
 * @example
 * const user = useCache(currentUser)
 * // {#if user.current}{user.current.name}{:else}<SignIn />{/if}
 */
export function useCache<E extends Reactive<CacheableEndpoint>, const A extends HookArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): Handle<DataOf<EndpointIn<E>> | undefined> {
  type Data = DataOf<EndpointIn<E>>
  const handle = useCached<Data, typeof reads>('useCache', endpoint, args, controllerOf(endpoint), reads)
  // A getter, because Svelte tracks only reads that happen before the wait.
  const getThen = () => {
    const given = Promise.resolve(handle.current)
    return given.then.bind(given)
  }
  // eslint-disable-next-line unicorn/no-thenable -- made to be awaited
  return Object.defineProperty(handle, 'then', { get: getThen }) as typeof handle &
    PromiseLike<Data | undefined>
}
