import { statusOfCall, unknownStatus, watchExpiry } from '@selfsame/core/bindings'
import type { CacheableEndpoint, CallStatus } from '@selfsame/core'
import type { Ref } from 'vue'
import type { ComposableArgs, Source, GivenArgs } from './arguments.js'
import { useObserver } from './use-observer.js'

/**
 * Returns the state of a call beside its data: whether it is being fetched, Stale or paused, and when it was
 * received. Sends no request. Changes only when one of these members does; time alone changes only `stale`.
 *
 * @param endpoint - an endpoint, or a ref or getter of one; of a mutation only `fetching` and `pausedOffline` change
 * @param args - the endpoint's arguments, each a value, a ref or a getter, or one getter that returns the list of
 *   all; a first argument of `null` shows nothing
 * @returns a readonly shallow ref of an immutable object. On a server it is that of a call without data and without a
 *   request
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 4.5, The small hooks
 * @example
 * const status = useStatus(todoResource.getList)
 * // <p v-if="status.stale">From {{ new Date(status.updatedAt).toLocaleTimeString() }}</p>
 */
export function useStatus<E extends Source<CacheableEndpoint>, const Args extends ComposableArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, Args>
): Readonly<Ref<CallStatus>> {
  return useObserver<unknown, CallStatus>({
    name: 'useStatus',
    endpoint,
    args,
    read: statusOfCall,
    readOnServer: () => unknownStatus,
    blank: () => unknownStatus,
    keep(observer) {
      const release = observer.retain()
      const end = watchExpiry(observer)
      return () => {
        end()
        release()
      }
    },
  }).shown
}
