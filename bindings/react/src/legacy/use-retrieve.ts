import type { ReadEndpoint } from '@selfsame/core'
import { toEndpoint } from '@selfsame/core/legacy'
import type { DataOfShape, ParamsOfShape, ReadShapeLike } from '@selfsame/core/legacy'
import { useFetch } from '../use-fetch.js'

/**
 * Fetches a shape whose data is Invalid or Stale, before a component reads it. Never suspends.
 *
 * @param shape - a shape that reads, or an endpoint
 * @param params - its params, or `null` to do nothing
 * @returns a promise of the data, like that of `useFetch`; `undefined` for `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.6
 * @example useRetrieve(Todo.listShape(), {})
 */
export function useRetrieve<S extends ReadShapeLike>(
  shape: S,
  params: ParamsOfShape<S> | null,
): Promise<DataOfShape<S>> | undefined {
  // The data of the shape's schema.
  return useFetch(toEndpoint(shape) as ReadEndpoint, params) as Promise<DataOfShape<S>> | undefined
}
