import { toEndpoint } from '@selfsame/core/legacy'
import type { ParamsOfShape, ReadShapeLike, ShapeLike } from '@selfsame/core/legacy'
import { sourceOf } from '../arguments.js'
import type { Source } from '../arguments.js'
import { injectController } from '../context.js'
import type { ShapeIn } from './shape-source.js'

/**
 * Returns a function that invalidates a call of a shape, so that its readers refetch.
 *
 * @param shape - a shape that reads, or an endpoint; or a ref or getter of one, which each call reads
 * @returns a function of the params of the call; `null` does nothing
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 4.6
 * @example const invalidate = useInvalidator(Todo.detailShape())
 */
export function useInvalidator<const S extends Source<ReadShapeLike>>(
  shape: S,
): (params: ParamsOfShape<ShapeIn<S>> | null) => void {
  const { invalidate } = injectController(() => 'useInvalidator()')
  return (params) => invalidate(toEndpoint(sourceOf<ShapeLike>(shape)), params)
}
