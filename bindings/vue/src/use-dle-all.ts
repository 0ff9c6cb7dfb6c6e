import { StatesGroup } from '@selfsame/core/bindings'
import type { GroupState } from '@selfsame/core/bindings'
import type { CheckedCalls, DataOfCalls, ReadCalls, StateOfData } from '@selfsame/core'
import type { Ref } from 'vue'
import { askedOf, refsOf } from './use-asked.js'
import type { AskedRefs } from './use-asked.js'
import { useGroup } from './use-suspense-all.js'
import type { CheckedReactiveCalls, DataOfReactiveCalls, ReactiveCalls } from './use-suspense-all.js'

/** The result of `useDLEAll`: readonly shallow refs, which may be destructured. */
export type DLEAllRefs<Data> = AskedRefs & {
  /** The others as one immutable object, the same until one of them changes. Its type narrows. */
  readonly state: Readonly<Ref<StateOfData<Data>>>
} & {
  readonly [Name in keyof GroupState]: Readonly<Ref<StateOfData<Data>[Name]>>
}

/**
 * Reads several calls in parallel, each like `useDLE`. It neither waits nor throws the error of a request.
 *
 * @param calls - a getter or a ref of calls, so that their number may change; or the calls, with refs or getters in them. Calls
 *   are a list or an object. Each is a list: an endpoint that reads, then its arguments, or `null` to read nothing
 * @returns refs, and `refetch`. `data`: the data of all calls, in a list or an object like the one given, `undefined` where
 *   there is none. `loading`: `true` while one of them has neither data nor an error. `error`: that of the first call that failed.
 *   `states`: the state of each call. `isLast`, `fetching` and `refetch`: of all calls, as of `useDLE`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`; `argument-invalid` if `calls` is
 *   not a list or object of calls
 * @see specification 3, 4.5
 * @example
 * const { data, loading, error } = useDLEAll(() => ({
 *   user: [userResource.get, { id: props.id }],
 *   posts: [postResource.getList, { userId: props.id }],
 * }))
 */
export function useDLEAll<const Calls extends ReadCalls>(
  calls: (() => Calls & CheckedCalls<Calls>) | Readonly<Ref<Calls & CheckedCalls<Calls>>>,
): DLEAllRefs<DataOfCalls<Calls>>
export function useDLEAll<const Calls extends ReactiveCalls>(
  calls: Calls & CheckedReactiveCalls<Calls>,
): DLEAllRefs<DataOfReactiveCalls<Calls>>
export function useDLEAll(calls: unknown): DLEAllRefs<unknown> {
  const observed = useGroup<StatesGroup, GroupState>('useDLEAll', calls, StatesGroup, {
    read: (group) => group.load(),
    readOnServer: (group) => group.served(),
    blank: (group) => group.blank,
  })
  const refs = refsOf(observed.shown, ['data', 'loading', 'error', 'isLast', 'states'])
  // Each member is of its endpoint.
  return { ...refs, ...askedOf(observed) } as DLEAllRefs<unknown>
}
