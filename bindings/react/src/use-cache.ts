import type { ArgsOf, CacheableEndpoint, DataOf, GivenArgs, NullableArgs } from '@selfsame/core'
import { useCached } from './use-suspense.js'

/**
 * Reads a call from the cache. Never fetches and never suspends.
 *
 * @param endpoint - an endpoint; its `key`, `schema` and `invalidIfStale` are used
 * @param args - its arguments, or `null` to read nothing
 * @returns denormalized data, the same object until its content changes; `undefined` if the data is Invalid, and for `null`
 * @throws what the function of a Query throws, never the error of a request.
 *   {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 3, 4.5, F21
 * @example
 * const user = useCache(currentUser)
 * if (user === undefined) return <SignIn />
 */
export function useCache<E extends CacheableEndpoint, const A extends NullableArgs<ArgsOf<E>>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): DataOf<E> | undefined {
  return useCached('useCache', endpoint, args)
}
