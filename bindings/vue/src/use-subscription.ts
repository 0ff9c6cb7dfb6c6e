import type { ReadEndpoint } from '@selfsame/core'
import { connectCall } from '@selfsame/core/live'
import type { ComposableArgs, Source, GivenArgs } from './arguments.js'
import { useObserver } from './use-observer.js'

/**
 * Keeps a call fresh while the component is mounted. With a `stream`, it receives the messages of the server;
 * otherwise it fetches the call immediately if it is Stale or Invalid, and then every `pollFrequency` milliseconds.
 * Returns nothing: read the data with `useSuspense` or `useCache`, or do both with `useLive`. On a server it does
 * nothing.
 *
 * @param endpoint - an endpoint that reads and has a `stream` or a `pollFrequency`, or a ref or getter of one
 * @param args - the endpoint's arguments, each a value, a ref or a getter, or one getter that returns the list of
 *   all; a first argument of `null` does nothing
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`; `argument-invalid`
 *   for an endpoint with neither
 * @see specification 3, Polling; 6
 * @example
 * useSubscription(getPrice, () => ({ symbol: props.symbol }))
 */
export function useSubscription<E extends Source<ReadEndpoint>, const Args extends ComposableArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, Args>
): void {
  useObserver({
    name: 'useSubscription',
    endpoint,
    args,
    read: () => undefined,
    keep: (observer) => observer.connect(connectCall),
  })
}
