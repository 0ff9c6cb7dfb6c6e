import type { ParamsOfShape, ReadShapeLike } from '@selfsame/core/legacy'
import type { Observer } from '@selfsame/core/bindings'
import type { HookOptions, Reactive } from '../arguments.js'
import { toHandle, useObserver } from '../use-observer.svelte.js'
import type { ValueHandle } from '../use-observer.svelte.js'
import { endpointOf } from './shape-source.js'
import type { ParamsSource, ShapeIn } from './shape-source.js'

const readError = (observer: Observer): Error | undefined => observer.getSnapshot().error

/**
 * Returns the error of the last fetch of a shape, even while older data is still shown. Never fetches and never
 * throws that error.
 *
 * @param shape - a shape that reads, or an endpoint; or a getter or a store of one
 * @param params - its params, or a getter or a store of them; `null` reads nothing
 * @param options - the Controller, outside components
 * @returns a handle; its `current` is the error; `undefined` if the last fetch succeeded or there was none, and for
 *   `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.6
 * @example const error = useError(Todo.detailShape(), () => ({ id }))
 */
export function useError<const S extends Reactive<ReadShapeLike>>(
  shape: S,
  params: ParamsSource<ParamsOfShape<ShapeIn<S>> | null>,
  ...options: [] | [HookOptions]
): ValueHandle<Error | undefined> {
  return toHandle(useObserver('useError', endpointOf(shape, params), [params, ...options], readError))
}
