import type { DataOfShape, ParamsOfShape, ReadShapeLike } from '@selfsame/core/legacy'
import type { HookOptions, Reactive } from '../arguments.js'
import { useFetch } from '../use-fetch.js'
import type { FetchHandle } from '../use-fetch.js'
import { endpointOf } from './shape-source.js'
import type { ParamsSource, ShapeIn } from './shape-source.js'

/**
 * Fetches a shape whose data is Invalid or Stale, before a component reads it. Never waits.
 *
 * @param shape - a shape that reads, or an endpoint; or a getter or a store of one
 * @param params - its params, or a getter or a store of them; `null` does nothing
 * @param options - the Controller, outside components
 * @returns a handle; its `current` is a promise of the data, like that of `useFetch`; `undefined` for `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.6
 * @example useRetrieve(Todo.listShape(), {})
 */
export function useRetrieve<const S extends Reactive<ReadShapeLike>>(
  shape: S,
  params: ParamsSource<ParamsOfShape<ShapeIn<S>> | null>,
  ...options: [] | [HookOptions]
): FetchHandle<Promise<DataOfShape<ShapeIn<S>>> | undefined> {
  const args = [params, ...options] as unknown as readonly [null]
  const fetched: unknown = useFetch(endpointOf(shape, params), ...args)
  // The endpoint is a getter, so the result is a handle, of the data of the shape's schema.
  return fetched as FetchHandle<Promise<DataOfShape<ShapeIn<S>>> | undefined>
}
