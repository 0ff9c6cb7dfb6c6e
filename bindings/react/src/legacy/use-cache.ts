import { toEndpoint } from '@selfsame/core/legacy'
import type { DataOfShape, ParamsOfShape, ReadShapeLike } from '@selfsame/core/legacy'
import { useCache as useCacheOf } from '../use-cache.js'

/**
 * Reads a shape from the cache. Never fetches and never suspends.
 *
 * @param shape - a shape that reads, or an endpoint
 * @param params - its params, or `null` to read nothing
 * @returns denormalized data; `undefined` if it is Invalid, and for `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.6
 * @example const user = useCache(User.detailShape(), { id })
 */
export function useCache<S extends ReadShapeLike>(
  shape: S,
  params: ParamsOfShape<S> | null,
): DataOfShape<S> | undefined {
  // The data of the shape's schema.
  return useCacheOf(toEndpoint(shape), params) as DataOfShape<S> | undefined
}
