import { keepingPrevious } from '@selfsame/core/bindings'
import type { ReadEndpoint } from '@selfsame/core'
import { sourceOf } from './arguments.js'
import type { ComposableArgs, ComposableData, Source, GivenArgs } from './arguments.js'
import { useDLE } from './use-dle.js'
import type { DLERefs } from './use-dle.js'

/**
 * Is `useDLE` with the option `keepPrevious`: the previous data stays on screen while the call of other arguments is fetched.
 * Meanwhile `isLast` is `true`.
 *
 * @param endpoint - an endpoint that reads, or a ref or getter of one
 * @param args - the endpoint's arguments, each a value, a ref or a getter, or one getter that returns the list of
 *   all; a first argument of `null` reads nothing
 * @returns the refs of `useDLE`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 4.5, Options of one reader
 * @example
 * const { data, loading, error, isLast } = useLast(todoResource.getList, () => ({ page: page.value }))
 */
export function useLast<E extends Source<ReadEndpoint>, const Args extends ComposableArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, Args>
): DLERefs<ComposableData<E, Args>> {
  // A getter of an endpoint is a source like any other.
  const source = (() => keepingPrevious(sourceOf(endpoint))) as unknown as E
  return useDLE<E, Args>(source, ...args)
}
