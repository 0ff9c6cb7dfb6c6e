import type { ArgsOf, GivenArgs, NullableArgs, PromiseForArgs, ReadEndpoint } from '@selfsame/core'
import { promiseOf } from '@selfsame/core/bindings'
import type { Observer } from '@selfsame/core/bindings'
import { useFocusRefetch } from '#focus'
import { isOnServer } from './server.js'
import { useObserver } from './use-observer.js'

// A server does not wait for the refetch of Stale data.
const readPromise = (observer: Observer): Promise<unknown> | undefined => promiseOf(observer, !isOnServer())

/**
 * Fetches a call if its data is Invalid or Stale: when the component mounts, the arguments change, or the call is
 * invalidated. It does not suspend, so several calls start in parallel. Re-renders when the data changes.
 *
 * @param endpoint - an endpoint that reads
 * @param args - its arguments, or `null` to do nothing
 * @returns a promise for `use()`, the same until the data changes. Fulfilled if there is data, also during a refetch;
 *   rejected with the stored error, which is never reported as unhandled; pending while there is neither. A pending
 *   promise always settles, even if its request is aborted or replaced: with the data or error that is stored in the
 *   end. `undefined` for `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 3, 4.5, F13
 * @example
 * const todos = useFetch(todoResource.getList) // both are on their way
 * const users = useFetch(userResource.getList)
 * return <Table todos={use(todos)} users={use(users)} />
 */
export function useFetch<E extends ReadEndpoint, const A extends NullableArgs<ArgsOf<E>>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): PromiseForArgs<E, A> {
  const { observer, shown } = useObserver('useFetch', endpoint, args, readPromise)
  useFocusRefetch(observer)
  // The type says so: a promise of the endpoint's data, `undefined` for `null` only.
  return shown as PromiseForArgs<E, A>
}
