import type { DataOfShape, ParamsOfShape, ReadShapeLike } from '@selfsame/core/legacy'
import type { HookOptions, Reactive } from '../arguments.js'
import { useCache as useCacheOf } from '../use-cache.js'
import type { Handle } from '../use-suspense.js'
import { endpointOf } from './shape-source.js'
import type { ParamsSource, ShapeIn } from './shape-source.js'

/**
 * Reads a shape from the cache. Never fetches, and needs no boundary.
 *
 * @param shape - a shape that reads, or an endpoint; or a getter or a store of one
 * @param params - its params, or a getter or a store of them; `null` reads nothing
 * @param options - the Controller, outside components
 * @returns a handle; its `current` is denormalized data, or `undefined` if that is Invalid and for `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.6
 * @example const user = useCache(User.detailShape(), () => ({ id }))
 */
export function useCache<const S extends Reactive<ReadShapeLike>>(
  shape: S,
  params: ParamsSource<ParamsOfShape<ShapeIn<S>> | null>,
  ...options: [] | [HookOptions]
): Handle<DataOfShape<ShapeIn<S>> | undefined> {
  const args = [params, ...options] as unknown as readonly [null]
  // The data of the shape's schema.
  return useCacheOf(endpointOf(shape, params), ...args) as Handle<DataOfShape<ShapeIn<S>> | undefined>
}
