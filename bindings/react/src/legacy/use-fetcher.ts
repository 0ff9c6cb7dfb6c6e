import { fetchShape } from '@selfsame/core/legacy'
import type { ShapeFetcher, ShapeLike, UpdateParam } from '@selfsame/core/legacy'
import { useCallback, useRef } from 'react'
import { useBeforePaint } from '../server.js'
import { useControllerFor } from '../use-controller.js'

/**
 * Returns a function that sends the request of a shape. The function stays the same.
 *
 * @param shape - any shape, or an endpoint. May be a new object in each render
 * @returns a function of params, a body, and update parameters: `[shape, params, (ids, listIds) => listIds]` changes
 *   a list in the same commit as the response. Its promise resolves with the response as read from the cache, and
 *   rejects with the error of the fetch
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.6
 * @example
 * const create = useFetcher(Todo.createShape())
 * await create({}, { title }, [[Todo.listShape(), {}, (id, ids) => [...ids, id]]])
 */
export function useFetcher<S extends ShapeLike>(shape: S): ShapeFetcher<S> {
  const controller = useControllerFor('useFetcher()')
  const last = useRef(shape)
  useBeforePaint(() => void (last.current = shape))
  const fetch = useCallback(
    (params: unknown, body?: unknown, updates?: readonly UpdateParam[]) =>
      fetchShape(controller, last.current, params, body, updates),
    [controller, last],
  )
  // The data of the shape's schema.
  return fetch as ShapeFetcher<S>
}
