import type { ArgsOf, NullableArgs, ReadEndpoint } from '@selfsame/core'
import { connectCall } from '@selfsame/core/live'
import { useEffect } from 'react'
import { useObserver } from './use-observer.js'

/** It shows nothing. */
const readNothing = (): undefined => undefined

/**
 * Keeps a call fresh while the component is on screen: by the `stream` of its endpoint, or by fetching it at once if it is
 * Stale or Invalid, and then each `pollFrequency`. Shows nothing: read the data with `useSuspense` or `useCache`, or both
 * with `useLive`.
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
  ...args: A
): void {
  const { observer } = useObserver('useSubscription', endpoint, args, readNothing)
  const { pollFrequency } = endpoint
  // Another frequency connects anew.
  // eslint-disable-next-line react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps
  useEffect(() => observer.connect(connectCall), [observer, pollFrequency])
}
