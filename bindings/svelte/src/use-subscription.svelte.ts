import type { ReadEndpoint } from '@selfsame/core'
import { untrack } from 'svelte'
import type { Readable } from 'svelte/store'
import { nameOf, toCall } from './call.svelte.js'
import type { HookArgs } from './call.svelte.js'
import { findController } from './context.js'
import { Watch } from './watch.svelte.js'

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
export function useSubscription<
  E extends ReadEndpoint | Readable<ReadEndpoint> | (() => ReadEndpoint),
  const A extends HookArgs<E>,
>(endpoint: E, ...args: A): void {
  const controller = findController(nameOf('useSubscription', endpoint))
  const watch = new Watch(controller, toCall(endpoint, args), (observer) => () => observer.connect(), [])
  $effect(() => {
    const connect = watch.current
    // What the request reads is no reason to connect anew.
    return untrack(connect)
  })
}
