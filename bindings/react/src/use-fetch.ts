import type { ArgsOf, DataOf, NullableArgs, Observer, ReadEndpoint } from '@selfsame/core'
import { useObserver } from './use-observer.js'

/** It shows no part of the answer: it is told only when what it asked for is gone. */
const facets = [] as const
const ask = <Data>(observer: Observer<Data>): Promise<Data> | undefined => observer.ask()

/**
 * Fetches a call whose data is Invalid or Stale, when the component is mounted, the arguments change, or the call
 * is invalidated. Never suspends, so several calls start at once.
 *
 * @param endpoint - an endpoint that reads
 * @param args - its arguments, or `null` to do nothing
 * @returns the promise of the fetch, the same until there is another, and never reported as an unhandled rejection;
 *   `undefined` when the data was Valid, and for `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 3, 4.5, F13
 * @example
 * useFetch(todoResource.getList)
 * useFetch(userResource.getList)
 */
export function useFetch<E extends ReadEndpoint, const A extends NullableArgs<ArgsOf<E>>>(
  endpoint: E,
  ...args: A
): Promise<DataOf<E>> | undefined {
  return useObserver('useFetch', endpoint, args, facets, ask<DataOf<E>>).shown
}
