import { fetchShape } from '@selfsame/core/legacy'
import type { ShapeFetcher, ShapeLike, UpdateParam } from '@selfsame/core/legacy'
import { toGetter } from '../arguments.js'
import type { HookOptions, Reactive } from '../arguments.js'
import { findController } from '../context.js'
import type { ShapeIn } from './shape-source.js'

/**
 * Returns a function that sends the request of a shape.
 *
 * @param shape - any shape, or an endpoint; or a getter or a store of one, which each call reads
 * @param options - the Controller, outside components
 * @returns a function of params, a body, and update parameters: `[shape, params, (ids, listIds) => listIds]` changes
 *   a list in the same commit as the response. Its promise resolves with the response as read from the cache, and
 *   rejects with the error of the fetch
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.6
 * @example
 * const create = useFetcher(Todo.createShape())
 * await create({}, { title }, [[Todo.listShape(), {}, (id, ids) => [...ids, id]]])
 */
export function useFetcher<const S extends Reactive<ShapeLike>>(
  shape: S,
  options?: HookOptions,
): ShapeFetcher<ShapeIn<S>> {
  const controller = findController('useFetcher()', options?.controller)
  const shapeNow = toGetter(shape) as () => ShapeLike
  const fetch = (params: unknown, body?: unknown, updates?: readonly UpdateParam[]) =>
    fetchShape(controller, shapeNow(), params, body, updates)
  // The data of the shape's schema.
  return fetch as ShapeFetcher<ShapeIn<S>>
}
