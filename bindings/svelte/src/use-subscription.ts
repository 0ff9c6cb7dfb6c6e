import type { ReadEndpoint } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import { connectCall } from '@selfsame/core/live'
import type { HookArgs, Reactive } from './arguments.js'
import { useObserver } from './use-observer.svelte.js'

/** It shows nothing. */
const readNothing = (): undefined => undefined
const connect = (observer: Observer): (() => void) => observer.connect(connectCall)

/**
 * Keeps a call fresh while the component is on screen: by the `stream` of its endpoint, or by fetching it at once if it is
 * Stale or Invalid, and then each `pollFrequency`. Shows nothing: read the data with `useSuspense` or `useCache`, or both
 * with `useLive`. On a server it does nothing.
 *
 * @param endpoint - an endpoint that reads and has a `stream` or a `pollFrequency`; a getter or a store of one, where it changes
 * @param args - its arguments, or `null` to do nothing: values, getters or stores. A lone getter that gives a list
 *   gives all arguments
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`; `argument-invalid` for an endpoint with
 *   neither
 * @see specification 3, Polling; 6
 * @example
 * useSubscription(getPrice, () => ({ symbol }))
 */
export function useSubscription<E extends Reactive<ReadEndpoint>, const A extends HookArgs<E>>(
  endpoint: E,
  ...args: A
): void {
  useObserver('useSubscription', endpoint, args, readNothing, connect)
}
