import type { ReadEndpoint } from '@selfsame/core'
import type { ComposableArgs, ComposableData, Source, GivenArgs } from './arguments.js'
import { useConnection } from './use-subscription.js'
import { useSuspense } from './use-suspense.js'
import type { SuspenseHandle } from './use-suspense.js'

/**
 * Reads a call like `useSuspense`, and keeps it fresh while the component is on screen, like `useSubscription`. It fetches
 * the first data, then receives the messages of the server. On a server it is `useSuspense`.
 *
 * @param endpoint - an endpoint that reads and has a `stream` or a `pollFrequency`, or a ref or getter of one
 * @param args - the endpoint's arguments, each a value, a ref or a getter, or one getter that returns the list of
 *   all; a first argument of `null` reads nothing
 * @returns what `useSuspense` returns: a handle to await
 * @throws what `useSuspense` throws; {SelfsameError} `argument-invalid` for an endpoint with neither
 * @see specification 4.5, 6
 * @example
 * const price = await useLive(getPrice, () => ({ symbol: props.symbol }))
 */
export function useLive<E extends Source<ReadEndpoint>, const Args extends ComposableArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, Args>
): SuspenseHandle<ComposableData<E, Args>> {
  useConnection('useLive', endpoint, args)
  return useSuspense<E, Args>(endpoint, ...args)
}
