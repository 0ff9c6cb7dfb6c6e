import type { DataOfShape, ParamsOfShape, ReadShapeLike } from '@selfsame/core/legacy'
import type { Ref } from 'vue'
import type { Source } from '../arguments.js'
import { useFetch } from '../use-fetch.js'
import { endpointOf } from './shape-source.js'
import type { ParamsSource, ShapeIn } from './shape-source.js'

/**
 * Fetches a shape whose data is Invalid or Stale, before a component reads it. Never waits.
 *
 * @param shape - a shape that reads, or an endpoint; or a ref or getter of one
 * @param params - its params, or a ref or getter of them; `null` does nothing
 * @returns a readonly shallow ref of a promise of the data, like that of `useFetch`; `undefined` for `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 4.6
 * @example useRetrieve(Todo.listShape(), {})
 */
export function useRetrieve<const S extends Source<ReadShapeLike>>(
  shape: S,
  params: ParamsSource<ParamsOfShape<ShapeIn<S>> | null>,
): Readonly<Ref<Promise<DataOfShape<ShapeIn<S>>> | undefined>> {
  const fetched: Readonly<Ref<unknown>> = useFetch(endpointOf(shape, params), params as null)
  // The data of the shape's schema.
  return fetched as Readonly<Ref<Promise<DataOfShape<ShapeIn<S>>> | undefined>>
}
