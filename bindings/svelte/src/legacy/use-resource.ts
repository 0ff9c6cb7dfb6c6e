import type { DataOfShapeCalls, ParamsOfShape, ReadShapeLike, ShapeData } from '@selfsame/core/legacy'
import type { Readable } from 'svelte/store'
import type { HookOptions, Reactive } from '../arguments.js'
import { useSuspenseAll } from '../use-suspense-all.js'
import { useSuspense } from '../use-suspense.js'
import type { Handle } from '../use-suspense.js'
import { endpointOf } from './shape-source.js'
import type { ParamsSource, ShapeIn } from './shape-source.js'

/** A call whose shape and params may be getters and stores. */
type ReactiveShapeCall = readonly [
  shape: Reactive<ReadShapeLike>,
  params: ParamsSource<Readonly<object> | null>,
]

type PlainCalls<Calls extends readonly ReactiveShapeCall[]> = {
  readonly [Index in keyof Calls]: readonly [ShapeIn<Calls[Index][0]>, PlainParams<Calls[Index][1]>]
}

type PlainParams<Params> =
  Params extends Readable<infer Value> ? Value : Params extends () => infer Value ? Value : Params

/**
 * Reads a shape like `useSuspense` reads an endpoint. Several shapes are requested in parallel.
 *
 * @param shape - a shape that reads, or an endpoint; or a getter or a store of one
 * @param params - its params, or a getter or a store of them; `null` reads nothing
 * @param options - the Controller, outside components
 * @returns a handle; its `current` is denormalized data, with ids in place of nested records; `undefined` for `null`.
 *   For several shapes, a list of these
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.6
 * @example
 * const todo = useResource(Todo.detailShape(), () => ({ id }))
 * // <h1>{todo.current.title}</h1>
 * @example
 * const all = useResource([User.detailShape(), () => ({ id })], [Todo.listShape(), {}])
 */
export function useResource<
  const S extends Reactive<ReadShapeLike>,
  const P extends ParamsOfShape<ShapeIn<S>> | null,
>(shape: S, params: ParamsSource<P>, options?: HookOptions): Handle<ShapeData<ShapeIn<S>, P>>
export function useResource<const Calls extends readonly ReactiveShapeCall[]>(
  ...calls: Calls
): Handle<DataOfShapeCalls<PlainCalls<Calls>>>
export function useResource(
  first: Reactive<ReadShapeLike> | ReactiveShapeCall,
  ...rest: readonly unknown[]
): Handle<unknown> {
  if (!Array.isArray(first)) {
    const endpoint = endpointOf(first as Reactive<ReadShapeLike>, rest[0])
    return useSuspense(endpoint, ...(rest as readonly [null]))
  }
  const calls = [first as ReactiveShapeCall, ...(rest as readonly ReactiveShapeCall[])]
  return useSuspenseAll(calls.map(([shape, params]) => [endpointOf(shape, params), params as null] as const))
}
