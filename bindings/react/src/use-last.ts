import { lastState, lastStateOfLoading, loadLast } from '@selfsame/core/bindings'
import type { ArgsOf, DataForArgs, LastState, GivenArgs, NullableArgs, ReadEndpoint } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import { isOnServer } from './server.js'
import { useUnawaited } from './use-observer.js'

const load = <Data>(observer: Observer<Data>): LastState<Data> =>
  isOnServer() ? lastState(observer) : loadLast(observer)

/**
 * Reads a call like `useDLE`, and keeps the previous data on screen while the call of new arguments is fetched.
 * Meanwhile `isLast` is `true`. A reset removes the previous data.
 *
 * @param endpoint - an endpoint that reads
 * @param args - its arguments, or `null` to read nothing
 * @returns the result of `useDLE`, and `isLast`: `true` if `data` belongs to the previous arguments. `loading` is
 *   `false` then
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, The small hooks
 * @example
 * const { data, loading, error, isLast } = useLast(todoResource.getList, { page })
 * return <List todos={data} isDimmed={isLast} />
 */
export function useLast<E extends ReadEndpoint, const A extends NullableArgs<ArgsOf<E>>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): LastState<DataForArgs<E, A>> {
  return useUnawaited('useLast', endpoint, args, load<DataForArgs<E, A>>, lastStateOfLoading).shown
}
