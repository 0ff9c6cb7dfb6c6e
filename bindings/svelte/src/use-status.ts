import { statusOfCall, unknownStatus, watchExpiry } from '@selfsame/core/bindings'
import type { CacheableEndpoint, CallStatus } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import { BROWSER } from 'esm-env'
import type { HookArgs, Reactive } from './arguments.js'
import { toHandle, useObserver } from './use-observer.svelte.js'
import type { ValueHandle } from './use-observer.svelte.js'

const readStatus = (observer: Observer): CallStatus => (BROWSER ? statusOfCall(observer) : unknownStatus)

/**
 * Shows of a call what a screen says beside its data: whether it is fetched in the background, Stale, paused, when it was
 * received. Causes no request, and changes only when one of its members does; `stale` changes by time alone.
 *
 * @param endpoint - an endpoint; of a mutation `fetching` and `pausedOffline` are shown. A getter or a store of one, where
 *   it changes
 * @param args - its arguments, or `null` to show nothing: values, getters or stores. A lone getter that gives a list
 *   gives all arguments
 * @returns a handle, whose `current` is an immutable object. On a server nothing is known
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, The small hooks
 * @example
 * const status = useStatus(todoResource.getList)
 * // {#if $status.stale}From {new Date($status.updatedAt).toLocaleTimeString()}{/if}
 */
export function useStatus<E extends Reactive<CacheableEndpoint>, const A extends HookArgs<E>>(
  endpoint: E,
  ...args: A
): ValueHandle<CallStatus> {
  return toHandle(useObserver('useStatus', endpoint, args, readStatus, watchExpiry))
}
