import { statusOfCall, unknownStatus, watchExpiry } from '@selfsame/core/bindings'
import type { CacheableEndpoint, CallStatus } from '@selfsame/core'
import type { Ref } from 'vue'
import type { ComposableArgs, Source } from './arguments.js'
import { useObserver } from './use-observer.js'

/**
 * Shows of a call what a screen says beside its data: whether it is fetched in the background, Stale, paused, when it was
 * received. Causes no request, and changes only when one of its members does; `stale` changes by time alone.
 *
 * @param endpoint - an endpoint, or a ref or getter of one; of a mutation `fetching` and `pausedOffline` are shown
 * @param args - the endpoint's own arguments, each a value, a ref or a getter, or one getter
 *   that gives a list of all; `null` in the first place shows nothing
 * @returns a readonly shallow ref of an immutable object. On a server nothing is known
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 4.5, The small hooks
 * @example
 * const status = useStatus(todoResource.getList)
 * // <p v-if="status.stale">From {{ new Date(status.updatedAt).toLocaleTimeString() }}</p>
 */
export function useStatus<E extends Source<CacheableEndpoint>, const Args extends ComposableArgs<E>>(
  endpoint: E,
  ...args: Args
): Readonly<Ref<CallStatus>> {
  return useObserver<unknown, CallStatus>({
    name: 'useStatus',
    endpoint,
    args,
    read: statusOfCall,
    readOnServer: () => unknownStatus,
    blank: [unknownStatus],
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
