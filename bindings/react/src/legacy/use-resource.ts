import { toEndpoint } from '@selfsame/core/legacy'
import type {
  CheckedShapeCalls,
  DataOfShapeCalls,
  ParamsOfShape,
  ReadShapeLike,
  ShapeCall,
  ShapeData,
} from '@selfsame/core/legacy'
import type { ReadEndpoint } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import { useObserver } from '../use-observer.js'
import { useSuspenseAll } from '../use-suspense-all.js'
import { fetchIfDue, useReading } from '../use-suspense.js'

const readState = (observer: Observer): object => observer.state()

/**
 * Reads a shape like `useSuspense` reads an endpoint: suspends while data is Invalid; shows Stale data and refetches
 * it. Several shapes are requested in parallel.
 *
 * @param shape - a shape that reads, or an endpoint
 * @param params - its params, or `null` to read nothing
 * @returns denormalized data, with ids in place of nested records; `undefined` for `null`. For several shapes, a list
 *   of these
 * @throws the error of the fetch, to the nearest error boundary; {SelfsameError} `provider-missing` outside a
 *   `DataProvider`
 * @see specification 4.6
 * @example
 * const todo = useResource(Todo.detailShape(), { id })
 * @example
 * const [user, todos] = useResource([User.detailShape(), { id }], [Todo.listShape(), { userId: id }])
 */
export function useResource<S extends ReadShapeLike, const P extends ParamsOfShape<S> | null>(
  shape: S,
  params: P,
): ShapeData<S, P>
export function useResource<const Calls extends readonly ShapeCall[]>(
  ...calls: Calls & CheckedShapeCalls<Calls>
): DataOfShapeCalls<Calls>
export function useResource(first: ReadShapeLike | ShapeCall, ...rest: readonly unknown[]): unknown {
  // A component calls it in the same form in each render, so the order of hooks does not change.
  /* eslint-disable react-hooks/rules-of-hooks */
  if (!isCall(first)) {
    const observed = useObserver('useResource', toEndpoint(first), rest, readState, fetchIfDue)
    return useReading(observed)
  }
  return useSuspenseAll(
    [first, ...(rest as readonly ShapeCall[])].map(
      ([shape, params]) => [toEndpoint(shape) as ReadEndpoint, params] as const,
    ),
  )
  /* eslint-enable react-hooks/rules-of-hooks */
}

function isCall(given: ReadShapeLike | ShapeCall): given is ShapeCall {
  return Array.isArray(given)
}
