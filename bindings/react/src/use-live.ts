import type { ArgsOf, DataForArgs, GivenArgs, NullableArgs, ReadEndpoint } from '@selfsame/core'
import { useControllerFor } from './use-controller.js'
import { useSubscription } from './use-subscription.js'
import { useSuspense } from './use-suspense.js'

/**
 * Reads a call like `useSuspense`, and keeps it fresh while the component is on screen, like `useSubscription`. It fetches
 * the first data, then receives the messages of the server.
 *
 * @param endpoint - an endpoint that reads and has a `stream` or a `pollFrequency`
 * @param args - its arguments, or `null` to read nothing
 * @returns denormalized data, the same object until its content changes; `undefined` for `null`
 * @throws the error of the fetch, to the nearest error boundary; {SelfsameError} `provider-missing` outside a
 *   `DataProvider`; `argument-invalid` for an endpoint with neither
 * @see specification 4.5, 6
 * @example
 * const price = useLive(getPrice, { symbol })
 */
export function useLive<E extends ReadEndpoint, const A extends NullableArgs<ArgsOf<E>>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): DataForArgs<E, A> {
  useControllerFor(`useLive(${endpoint?.name ?? ''})`)
  useSubscription(endpoint, ...args)
  return useSuspense<E, A>(endpoint, ...args)
}
