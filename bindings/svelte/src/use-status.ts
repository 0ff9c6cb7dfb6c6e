import { statusOfCall, unknownStatus, watchExpiry } from '@selfsame/core/bindings'
import type { CacheableEndpoint, CallStatus } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import { BROWSER } from 'esm-env'
import type { HookArgs, Reactive, GivenArgs } from './arguments.js'
import { toHandle, useObserver } from './use-observer.svelte.js'
import type { ValueHandle } from './use-observer.svelte.js'

const readStatus = (observer: Observer): CallStatus => (BROWSER ? statusOfCall(observer) : unknownStatus)

/**
 * Returns the state of a call beside its data: whether it is being fetched, Stale or paused, and when it was
 * received. Sends no request. Changes only when one of these members does; time alone changes only `stale`.
 *
 * @param endpoint - an endpoint; of a mutation only `fetching` and `pausedOffline` change. Pass a getter or a store
 *   if it changes
 * @param args - its arguments, or `null` to show nothing: values, getters or stores. A single getter that returns a
 *   list supplies all arguments
 * @returns a handle; its `current` is an immutable object. On a server it is that of a call without data and without
 *   a request
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, The small hooks
 * @example
 * const status = useStatus(todoResource.getList)
 * // {#if $status.stale}From {new Date($status.updatedAt).toLocaleTimeString()}{/if}
 */
export function useStatus<E extends Reactive<CacheableEndpoint>, const A extends HookArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): ValueHandle<CallStatus> {
  return toHandle(useObserver('useStatus', endpoint, args, readStatus, watchExpiry))
}
