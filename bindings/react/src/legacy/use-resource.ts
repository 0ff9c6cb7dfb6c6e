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
import { useReading } from '../use-suspense.js'

const readState = (observer: Observer): object => observer.state()
const ask = (observer: Observer): void => observer.ask()

/**
 * Reads a shape as `useSuspense` reads an endpoint: Invalid data is waited for, Stale data is shown and fetched anew
 * meanwhile. Several are requested at once.
 *
 * @param shape - a shape that reads, or an endpoint
 * @param params - its params, or `null` to read nothing
 * @returns denormalized data, with ids where records are nested; `undefined` for `null`. Of several a list
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
  // A component calls it in one of the two forms, in each render.
  /* eslint-disable react-hooks/rules-of-hooks */
  if (!isCall(first)) {
    const { observer, shown } = useObserver('useResource', toEndpoint(first), rest, readState, ask)
    return useReading(observer, shown)
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
