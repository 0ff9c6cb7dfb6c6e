import { statusOfCall, unknownStatus, watchExpiry } from '@selfsame/core/bindings'
import type { ArgsOf, CacheableEndpoint, CallStatus, GivenArgs, NullableArgs } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import { useEffect } from 'react'
import { isOnServer } from './server.js'
import { useUnawaited } from './use-observer.js'

const readStatus = (observer: Observer): CallStatus => (isOnServer() ? unknownStatus : statusOfCall(observer))

/**
 * Returns the state of a call beside its data: whether it is being fetched, Stale or paused, and when it was
 * received. Sends no request. Renders only when one of these members changes; time alone changes only `stale`.
 *
 * @param endpoint - an endpoint; of a mutation only `fetching` and `pausedOffline` change
 * @param args - its arguments, or `null` to show nothing
 * @returns an immutable object, the same until one of its members changes. On a server it is that of a call without
 *   data and without a request
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, The small hooks
 * @example
 * const { fetching, stale, updatedAt, pausedOffline } = useStatus(todoResource.getList)
 */
export function useStatus<E extends CacheableEndpoint, const A extends NullableArgs<ArgsOf<E>>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): CallStatus {
  const { observer, shown } = useUnawaited('useStatus', endpoint, args, readStatus, unknownStatus)
  useEffect(() => watchExpiry(observer), [observer])
  return shown
}
