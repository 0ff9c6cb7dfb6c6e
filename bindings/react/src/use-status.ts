import { statusOfCall, unknownStatus, watchExpiry } from '@selfsame/core/bindings'
import type { ArgsOf, CacheableEndpoint, CallStatus, NullableArgs } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import { useEffect } from 'react'
import { isOnServer } from './server.js'
import { useUnawaited } from './use-observer.js'

const readStatus = (observer: Observer): CallStatus => (isOnServer() ? unknownStatus : statusOfCall(observer))

/**
 * Shows of a call what a screen says beside its data: whether it is fetched in the background, Stale, paused, when it was
 * received. Causes no request, and renders only when one of its members changes; `stale` changes by time alone.
 *
 * @param endpoint - an endpoint; of a mutation `fetching` and `pausedOffline` are shown
 * @param args - its arguments, or `null` to show nothing
 * @returns an immutable object, the same until one of its members changes. On a server nothing is known
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, The small hooks
 * @example
 * const { fetching, stale, updatedAt, pausedOffline } = useStatus(todoResource.getList)
 */
export function useStatus<E extends CacheableEndpoint, const A extends NullableArgs<ArgsOf<E>>>(
  endpoint: E,
  ...args: A
): CallStatus {
  const { observer, shown } = useUnawaited('useStatus', endpoint, args, readStatus, unknownStatus)
  useEffect(() => watchExpiry(observer), [observer])
  return shown
}
