import type { ParamsOfShape, ReadShapeLike } from '@selfsame/core/legacy'
import type { Ref } from 'vue'
import type { Source } from '../arguments.js'
import { useObserver } from '../use-observer.js'
import { endpointOf } from './shape-source.js'
import type { ParamsSource, ShapeIn } from './shape-source.js'

/**
 * Returns the error of the last fetch of a shape, even while older data is still shown. Never fetches and never
 * throws that error.
 *
 * @param shape - a shape that reads, or an endpoint; or a ref or getter of one
 * @param params - its params, or a ref or getter of them; `null` reads nothing
 * @returns a readonly shallow ref of the error; `undefined` if the last fetch succeeded or there was none, and for
 *   `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 4.6
 * @example const error = useError(Todo.detailShape(), () => ({ id: props.id }))
 */
export function useError<const S extends Source<ReadShapeLike>>(
  shape: S,
  params: ParamsSource<ParamsOfShape<ShapeIn<S>> | null>,
): Readonly<Ref<Error | undefined>> {
  return useObserver<unknown, Error | undefined>({
    name: 'useError',
    endpoint: endpointOf(shape, params),
    args: [params],
    read: (observer) => observer.getSnapshot().error,
    blank: () => undefined,
  }).shown
}
