import type { ReadEndpoint } from '@selfsame/core'
import { nameOf } from './arguments.js'
import type { HookArgs, HookData, Reactive, GivenArgs } from './arguments.js'
import { findController } from './context.js'
import { useSubscription } from './use-subscription.js'
import { useSuspense } from './use-suspense.js'
import type { Handle } from './use-suspense.js'
import { controllerOf } from './with-options.svelte.js'

/**
 * Reads a call like `useSuspense`, and keeps it fresh while the component is on screen, like `useSubscription`. It fetches
 * the first data, then receives the messages of the server. On a server it is `useSuspense`.
 *
 * @param endpoint - an endpoint that reads and has a `stream` or a `pollFrequency`; pass a getter or a store if it
 *   changes
 * @param args - its arguments, or `null` to read nothing: values, getters or stores. A single getter that returns a
 *   list supplies all arguments
 * @returns the handle of `useSuspense`; its `current` is `undefined` for `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`; `argument-invalid` for an endpoint with neither
 * @see specification 4.5, 6
 * @example
 * let { symbol } = $props()
 * const price = useLive(getPrice, () => ({ symbol }))
 * // <b>{price.current.amount}</b>
 */
export function useLive<E extends Reactive<ReadEndpoint>, const A extends HookArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): Handle<HookData<E, A>> {
  findController(nameOf('useLive', endpoint), controllerOf(endpoint))
  useSubscription(endpoint, ...args)
  return useSuspense<E, A>(endpoint, ...args)
}
