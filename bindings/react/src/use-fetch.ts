import type { ArgsOf, NullableArgs, PromiseForArgs, ReadEndpoint } from '@selfsame/core'
import { promiseOf } from '@selfsame/core/bindings'
import type { Observer } from '@selfsame/core/bindings'
import { useFocusRefetch } from '#focus'
import { isOnServer } from './server.js'
import { useObserver } from './use-observer.js'

// On a server nobody waits for what Stale data is replaced with.
const readPromise = (observer: Observer): Promise<unknown> | undefined => promiseOf(observer, !isOnServer())

/**
 * Fetches a call if its data is Invalid or Stale: when the component mounts, the arguments change, or the call is
 * invalidated. It does not suspend, so several calls start in parallel. Renders again when the data changes.
 *
 * @param endpoint - an endpoint that reads
 * @param args - its arguments, or `null` to do nothing
 * @returns a promise for `use()`, the same until the data changes: fulfilled with data that is there, also while it is
 *   fetched anew; rejected with the stored error, which is never reported as unhandled; pending while there is neither.
 *   Whatever becomes of the request, what is pending ends with the outcome that counts. `undefined` for `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 3, 4.5, F13
 * @example
 * const todos = useFetch(todoResource.getList) // both are on their way
 * const users = useFetch(userResource.getList)
 * return <Table todos={use(todos)} users={use(users)} />
 */
export function useFetch<E extends ReadEndpoint, const A extends NullableArgs<ArgsOf<E>>>(
  endpoint: E,
  ...args: A
): PromiseForArgs<E, A> {
  const { observer, shown } = useObserver('useFetch', endpoint, args, readPromise)
  useFocusRefetch(observer)
  // It is that of the endpoint's data, and there where there are arguments, as the type says.
  return shown as PromiseForArgs<E, A>
}
