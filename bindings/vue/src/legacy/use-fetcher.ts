import { fetchShape } from '@selfsame/core/legacy'
import type { ShapeFetcher, ShapeLike, UpdateParam } from '@selfsame/core/legacy'
import { sourceOf } from '../arguments.js'
import type { Source } from '../arguments.js'
import { injectController } from '../context.js'
import type { ShapeIn } from './shape-source.js'

/**
 * Returns a function that sends the request of a shape.
 *
 * @param shape - any shape, or an endpoint; or a ref or getter of one, which each call reads
 * @returns a function of params, a body, and update parameters: `[shape, params, (ids, listIds) => listIds]` changes
 *   a list in the same commit as the response. Its promise resolves with the response as read from the cache, and
 *   rejects with the error of the fetch
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 4.6
 * @example
 * const create = useFetcher(Todo.createShape())
 * await create({}, { title }, [[Todo.listShape(), {}, (id, ids) => [...ids, id]]])
 */
export function useFetcher<const S extends Source<ShapeLike>>(shape: S): ShapeFetcher<ShapeIn<S>> {
  const controller = injectController(() => 'useFetcher()')
  const fetch = (params: unknown, body?: unknown, updates?: readonly UpdateParam[]) =>
    fetchShape(controller, sourceOf<ShapeLike>(shape), params, body, updates)
  // The data of the shape's schema.
  return fetch as ShapeFetcher<ShapeIn<S>>
}
