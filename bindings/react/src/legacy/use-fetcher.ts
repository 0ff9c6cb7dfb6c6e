import { fetchShape } from '@selfsame/core/legacy'
import type { ShapeFetcher, ShapeLike, UpdateParam } from '@selfsame/core/legacy'
import { useCallback, useRef } from 'react'
import { useBeforePaint } from '../server.js'
import { useControllerFor } from '../use-controller.js'

/**
 * Gives a function that makes the request of a shape. It stays the same function.
 *
 * @param shape - any shape, or an endpoint. May be made anew in each render
 * @returns a function that takes params, a body, and update parameters: `[shape, params, (ids, listIds) => listIds]`, by
 *   which lists change in the commit of the answer. It resolves with the answer as it is read from the cache
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
  // It is the data of the shape's schema.
  return fetch as ShapeFetcher<S>
}
