import { keepingPrevious } from '@selfsame/core/bindings'
import type {
  ArgsOf,
  Asked,
  CallState,
  DataForArgs,
  GivenArgs,
  NullableArgs,
  ReadEndpoint,
} from '@selfsame/core'
import { useDLE } from './use-dle.js'

/**
 * Is `useDLE` with the option `keepPrevious`: the previous data stays on screen while the call of other arguments is fetched.
 * Meanwhile `isLast` is `true`.
 *
 * @param endpoint - an endpoint that reads
 * @param args - its arguments, or `null` to read nothing
 * @returns the result of `useDLE`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, Options of one reader
 * @example
 * const { data, loading, error, isLast } = useLast(todoResource.getList, { page })
 * return <List todos={data} isDimmed={isLast} />
 */
export function useLast<E extends ReadEndpoint, const A extends NullableArgs<ArgsOf<E>>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): CallState<DataForArgs<E, A>> & Asked {
  return useDLE<E, A>(keepingPrevious(endpoint), ...args)
}
