import type { ReadEndpoint } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import { connectCall } from '@selfsame/core/live'
import type { HookArgs, Reactive, GivenArgs } from './arguments.js'
import { useObserver } from './use-observer.svelte.js'

/** The hook returns nothing, so there is nothing to read. */
const readNothing = (): undefined => undefined
const connect = (observer: Observer): (() => void) => observer.connect(connectCall)

/**
 * Keeps a call fresh while the component is mounted. With a `stream`, it receives the messages of the server;
 * otherwise it fetches the call immediately if it is Stale or Invalid, and then every `pollFrequency` milliseconds.
 * Returns nothing: read the data with `useSuspense` or `useCache`, or do both with `useLive`. On a server it does
 * nothing.
 *
 * @param endpoint - an endpoint that reads and has a `stream` or a `pollFrequency`; pass a getter or a store if it
 *   changes
 * @param args - its arguments, or `null` to do nothing: values, getters or stores. A single getter that returns a
 *   list supplies all arguments
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`; `argument-invalid` for an endpoint with
 *   neither
 * @see specification 3, Polling; 6
 * @example
 * useSubscription(getPrice, () => ({ symbol }))
 */
export function useSubscription<E extends Reactive<ReadEndpoint>, const A extends HookArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): void {
  useObserver('useSubscription', endpoint, args, readNothing, connect)
}
