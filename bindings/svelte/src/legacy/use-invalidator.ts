import { toEndpoint } from '@selfsame/core/legacy'
import type { ParamsOfShape, ReadShapeLike } from '@selfsame/core/legacy'
import { toGetter } from '../arguments.js'
import type { HookOptions, Reactive } from '../arguments.js'
import { findController } from '../context.js'
import type { ShapeIn } from './shape-source.js'

/**
 * Returns a function that invalidates a call of a shape, so that its readers refetch.
 *
 * @param shape - a shape that reads, or an endpoint; or a getter or a store of one, which each call reads
 * @param options - the Controller, outside components
 * @returns a function of the params of the call; `null` does nothing
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.6
 * @example const invalidate = useInvalidator(Todo.detailShape())
 */
export function useInvalidator<const S extends Reactive<ReadShapeLike>>(
  shape: S,
  options?: HookOptions,
): (params: ParamsOfShape<ShapeIn<S>> | null) => void {
  const { invalidate } = findController('useInvalidator()', options?.controller)
  const shapeNow = toGetter(shape) as () => ReadShapeLike
  return (params) => invalidate(toEndpoint(shapeNow()), params)
}
