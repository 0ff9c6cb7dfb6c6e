import type { ArgsOf, GivenArgs, NullableArgs, ReadEndpoint } from '@selfsame/core'
import { connectCall } from '@selfsame/core/live'
import { useEffect } from 'react'
import { useObserver } from './use-observer.js'

/** The hook returns nothing, so there is nothing to read. */
const readNothing = (): undefined => undefined

/**
 * Keeps a call fresh while the component is mounted. With a `stream`, it receives the messages of the server;
 * otherwise it fetches the call immediately if it is Stale or Invalid, and then every `pollFrequency` milliseconds.
 * Returns nothing: read the data with `useSuspense` or `useCache`, or do both with `useLive`.
 *
 * @param endpoint - an endpoint that reads and has a `stream` or a `pollFrequency`
 * @param args - its arguments, or `null` to do nothing
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`; `argument-invalid` for an endpoint with
 *   neither
 * @see specification 3, Polling; 6
 * @example
 * useSubscription(getPrice, { symbol })
 * const price = useSuspense(getPrice, { symbol })
 */
export function useSubscription<E extends ReadEndpoint, const A extends NullableArgs<ArgsOf<E>>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): void {
  const { observer } = useObserver('useSubscription', endpoint, args, readNothing)
  const { pollFrequency } = endpoint
  // A new frequency reconnects.
  // eslint-disable-next-line react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps
  useEffect(() => observer.connect(connectCall), [observer, pollFrequency])
}
