import { toEndpoint } from '@selfsame/core/legacy'
import type { ParamsOfShape, ReadShapeLike } from '@selfsame/core/legacy'
import type { Observer } from '@selfsame/core/bindings'
import { useUnawaited } from '../use-observer.js'

const readError = (observer: Observer): Error | undefined => observer.getSnapshot().error

/**
 * Returns the error of the last fetch of a shape, even while older data is still shown. Never fetches and never
 * throws that error.
 *
 * @param shape - a shape that reads, or an endpoint
 * @param params - its params, or `null` to read nothing
 * @returns the error; `undefined` if the last fetch succeeded or there was none, and for `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.6
 * @example const error = useError(Todo.detailShape(), { id })
 */
export function useError<S extends ReadShapeLike>(
  shape: S,
  params: ParamsOfShape<S> | null,
): Error | undefined {
  return useUnawaited('useError', toEndpoint(shape), [params], readError, undefined).shown
}
