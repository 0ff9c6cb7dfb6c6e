import { toEndpoint } from '@selfsame/core/legacy'
import type { ParamsOfShape, ReadShapeLike } from '@selfsame/core/legacy'
import type { Observer } from '@selfsame/core/bindings'
import { useUnawaited } from '../use-observer.js'

const readError = (observer: Observer): Error | undefined => observer.getSnapshot().error

/**
 * Reads why the last fetch of a shape failed, also where older data is still shown. Never fetches and never throws it.
 *
 * @param shape - a shape that reads, or an endpoint
 * @param params - its params, or `null` to read nothing
 * @returns `undefined` when it did not fail, when nobody fetched it, and for `null`
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
