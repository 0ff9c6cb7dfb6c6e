import type { CacheableEndpoint, DataOf } from '@selfsame/core'
import type { Ref } from 'vue'
import type { ComposableArgs, EndpointIn, Source, GivenArgs } from './arguments.js'
import { useCached } from './use-suspense.js'

/**
 * Reads a call's data from the cache, and updates with it. Never fetches.
 *
 * @param endpoint - an endpoint, or a ref or getter of one; its `key`, `schema` and `invalidIfStale` are used
 * @param args - the endpoint's arguments, each a value, a ref or a getter, or one getter that returns the list of
 *   all; a first argument of `null` reads nothing
 * @returns a readonly shallow ref of denormalized data, the same object until its content changes; `undefined` if the
 *   data is Invalid or the first argument is `null`
 * @throws what the function of a Query throws, never the error of a request.
 *   {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 3, 4.5
 * @example
 * const props = defineProps<{ id: number }>()
 * const todo = useCache(todoResource.get, () => ({ id: props.id }))
 */
export function useCache<E extends Source<CacheableEndpoint>, const Args extends ComposableArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, Args>
): Readonly<Ref<DataOf<EndpointIn<E>> | undefined>> {
  type Data = DataOf<EndpointIn<E>>
  return useCached<Data>('useCache', endpoint, args)
}
