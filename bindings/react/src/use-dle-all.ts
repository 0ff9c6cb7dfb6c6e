import { StatesGroup } from '@selfsame/core/bindings'
import type { Asked, CheckedCalls, ReadCalls, StateOfCalls } from '@selfsame/core'
import { isOnServer } from './server.js'
import { useAsked } from './use-asked.js'
import { useHeld } from './use-dle.js'
import { useRepeated } from './use-observer.js'
import { useGroup } from './use-suspense-all.js'

const load = (group: StatesGroup) => (isOnServer() ? group.served() : group.load())

/**
 * Reads several calls in parallel, each like `useDLE`. It neither suspends nor throws the error of a request. The number of calls
 * may change from render to render.
 *
 * @param calls - a list of calls, or an object of them. Each call is a list: an endpoint that reads, then its arguments,
 *   or `null` to read nothing
 * @returns an immutable object, the same until one of its members changes. `data`: the data of all calls, in a list or an object
 *   like the one given, `undefined` where there is none. `loading`: `true` while one of them has neither data nor an error.
 *   `error`: that of the first call that failed. `states`: the state of each call. `isLast`, `fetching` and `refetch`: of all
 *   calls, as of `useDLE`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`; `argument-invalid` if `calls` is not a list or
 *   object of calls
 * @see specification 3, 4.5
 * @example
 * const { data, loading, error } = useDLEAll({ user: [userResource.get, { id }], posts: [postResource.getList, { userId: id }] })
 * if (loading) return <Spinner />
 * if (error) return <p>{error.message}</p>
 * return <Profile user={data.user} posts={data.posts} />
 * @example
 * const { states } = useDLEAll(ids.map((id) => [userResource.get, { id }] as const))
 */
export function useDLEAll<const Calls extends ReadCalls>(
  calls: Calls & CheckedCalls<Calls>,
): StateOfCalls<Calls> & Asked {
  const observed = useGroup('useDLEAll', calls, StatesGroup, load)
  const { observer, memory } = observed
  const { shown } = useRepeated(observed, observer.blank)
  const state = useHeld(observer, memory.hasOther(observer, StatesGroup), shown, load)
  // Each member is of its endpoint.
  return useAsked(observer, state) as StateOfCalls<Calls> & Asked
}
