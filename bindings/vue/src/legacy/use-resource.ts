import type { DataOfShapeCalls, ParamsOfShape, ReadShapeLike, ShapeData } from '@selfsame/core/legacy'
import type { Source } from '../arguments.js'
import { useSuspenseAll } from '../use-suspense-all.js'
import { useSuspense } from '../use-suspense.js'
import type { SuspenseHandle } from '../use-suspense.js'
import { endpointOf } from './shape-source.js'
import type { ParamsSource, ShapeIn } from './shape-source.js'

/** A call whose shape and params may be refs and getters. */
type ReactiveShapeCall = readonly [
  shape: Source<ReadShapeLike>,
  params: ParamsSource<Readonly<object> | null>,
]

type PlainCalls<Calls extends readonly ReactiveShapeCall[]> = {
  readonly [Index in keyof Calls]: readonly [ShapeIn<Calls[Index][0]>, PlainParams<Calls[Index][1]>]
}

type PlainParams<Params> =
  Params extends Readonly<{ value: infer Value; __v_isRef: true }>
    ? Value
    : Params extends () => infer Value
      ? Value
      : Params

/**
 * Reads a shape like `useSuspense` reads an endpoint, and updates with it: `await` it in `async setup()`. Several
 * shapes are requested in parallel.
 *
 * @param shape - a shape that reads, or an endpoint; or a ref or getter of one
 * @param params - its params, or a ref or getter of them; `null` reads nothing
 * @returns a handle to await. It resolves with a readonly shallow ref of denormalized data, with ids in place of
 *   nested records; `undefined` for `null`. For several shapes, a list of these
 * @throws what `useSuspense` throws
 * @see specification 4.6
 * @example
 * const todo = await useResource(Todo.detailShape(), () => ({ id: props.id }))
 * @example
 * const all = await useResource([User.detailShape(), () => ({ id: props.id })], [Todo.listShape(), {}])
 */
export function useResource<
  const S extends Source<ReadShapeLike>,
  const P extends ParamsOfShape<ShapeIn<S>> | null,
>(shape: S, params: ParamsSource<P>): SuspenseHandle<ShapeData<ShapeIn<S>, P>>
export function useResource<const Calls extends readonly ReactiveShapeCall[]>(
  ...calls: Calls
): SuspenseHandle<DataOfShapeCalls<PlainCalls<Calls>>>
export function useResource(
  first: Source<ReadShapeLike> | ReactiveShapeCall,
  ...rest: readonly unknown[]
): SuspenseHandle<unknown> {
  if (!Array.isArray(first)) {
    const [params] = rest
    return useSuspense(endpointOf(first as Source<ReadShapeLike>, params), params as null)
  }
  const calls = [first as ReactiveShapeCall, ...(rest as readonly ReactiveShapeCall[])]
  return useSuspenseAll(calls.map(([shape, params]) => [endpointOf(shape, params), params as null] as const))
}
