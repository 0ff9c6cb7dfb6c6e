import type { ArgsOf, CacheableEndpoint, DataOf, GivenArgs, NullableArgs } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import { useUnawaited } from './use-observer.js'

const readCached = <Data>(observer: Observer<Data>): Data | undefined => observer.cached()

/**
 * Reads a call from the cache. Never fetches and never suspends.
 *
 * @param endpoint - an endpoint; its `key`, `schema` and `invalidIfStale` are used
 * @param args - its arguments, or `null` to read nothing
 * @returns denormalized data, the same object until its content changes; `undefined` if the data is Invalid, and for `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 3, 4.5, F21
 * @example
 * const user = useCache(currentUser)
 * if (user === undefined) return <SignIn />
 */
export function useCache<E extends CacheableEndpoint, const A extends NullableArgs<ArgsOf<E>>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): DataOf<E> | undefined {
  return useUnawaited('useCache', endpoint, args, readCached<DataOf<E>>, undefined).shown
}
