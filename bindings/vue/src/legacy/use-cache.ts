import type { DataOfShape, ParamsOfShape, ReadShapeLike } from '@selfsame/core/legacy'
import type { Ref } from 'vue'
import type { Source } from '../arguments.js'
import { useCache as useCacheOf } from '../use-cache.js'
import { endpointOf } from './shape-source.js'
import type { ParamsSource, ShapeIn } from './shape-source.js'

/**
 * Reads a shape from the cache, and updates with it. Never fetches.
 *
 * @param shape - a shape that reads, or an endpoint; or a ref or getter of one
 * @param params - its params, or a ref or getter of them; `null` reads nothing
 * @returns a readonly shallow ref of denormalized data; `undefined` if it is Invalid, and for `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 4.6
 * @example const user = useCache(User.detailShape(), () => ({ id: props.id }))
 */
export function useCache<const S extends Source<ReadShapeLike>>(
  shape: S,
  params: ParamsSource<ParamsOfShape<ShapeIn<S>> | null>,
): Readonly<Ref<DataOfShape<ShapeIn<S>> | undefined>> {
  // The data of the shape's schema.
  return useCacheOf(endpointOf(shape, params), params as null) as Readonly<
    Ref<DataOfShape<ShapeIn<S>> | undefined>
  >
}
