import { toEndpoint } from '@selfsame/core/legacy'
import type { ParamsOfShape, ReadShapeLike } from '@selfsame/core/legacy'
import { useCallback, useRef } from 'react'
import { useBeforePaint } from '../server.js'
import { useControllerFor } from '../use-controller.js'

/**
 * Returns a function that invalidates a call of a shape, so that its readers refetch. The function stays the same.
 *
 * @param shape - a shape that reads, or an endpoint. May be a new object in each render
 * @returns a function of the params of the call; `null` does nothing
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.6
 * @example const invalidate = useInvalidator(Todo.detailShape())
 */
export function useInvalidator<S extends ReadShapeLike>(shape: S): (params: ParamsOfShape<S> | null) => void {
  const { invalidate } = useControllerFor('useInvalidator()')
  const last = useRef(shape)
  useBeforePaint(() => void (last.current = shape))
  return useCallback((params) => invalidate(toEndpoint(last.current), params), [invalidate, last])
}
