import { StatesGroup } from '@selfsame/core/bindings'
import type { GroupState } from '@selfsame/core/bindings'
import type { Asked, CheckedCalls, DataOfCalls, ReadCalls, StateOfData } from '@selfsame/core'
import { BROWSER } from 'esm-env'
import type { Readable } from 'svelte/store'
import type { HookOptions } from './arguments.js'
import { toStateHandle } from './use-asked.js'
import { useGroup } from './use-suspense-all.js'
import type { CheckedReactiveCalls, DataOfReactiveCalls, ReactiveCalls } from './use-suspense-all.js'

/**
 * The result of `useDLEAll`. Do not destructure it: members that are read from it in markup or `$derived` are tracked.
 */
export type DLEAllHandle<Data> = Readable<StateOfData<Data>> &
  Asked & {
    /** The members of the state, which is also the value of the store: the same object until one of them changes. */
    readonly current: StateOfData<Data>
  } & { readonly [Name in keyof GroupState]: StateOfData<Data>[Name] }

const load = (group: StatesGroup) => (BROWSER ? group.load() : group.state())

/**
 * Reads several calls in parallel, each like `useDLE`. It neither waits nor throws the error of a request, so it needs no boundary.
 *
 * @param calls - a getter or a store of calls, so that their number may change; or the calls, with getters or stores in them.
 *   Calls are a list or an object. Each is a list: an endpoint that reads, then its arguments, or `null` to read nothing
 * @returns a handle. `data`: the data of all calls, in a list or an object like the one given, `undefined` where there is none.
 *   `loading`: `true` while one of them has neither data nor an error. `error`: that of the first call that failed. `states`: the
 *   state of each call. `isLast`, `fetching` and `refetch`: of all calls, as of `useDLE`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`; `argument-invalid` if `calls` is not a list or
 *   object of calls
 * @see specification 3, 4.5
 * @example
 * const all = useDLEAll(() => ({ user: [userResource.get, { id }], posts: [postResource.getList, { userId: id }] }))
 * // {#if $all.loading}…{:else if $all.error}{$all.error.message}{:else}{$all.data.user.name}{/if}
 */
export function useDLEAll<const Calls extends ReadCalls>(
  calls: (() => Calls & CheckedCalls<Calls>) | Readable<Calls & CheckedCalls<Calls>>,
  options?: HookOptions,
): DLEAllHandle<DataOfCalls<Calls>>
export function useDLEAll<const Calls extends ReactiveCalls>(
  calls: Calls & CheckedReactiveCalls<Calls>,
  options?: HookOptions,
): DLEAllHandle<DataOfReactiveCalls<Calls>>
export function useDLEAll(calls: unknown, options?: HookOptions): DLEAllHandle<unknown> {
  const observed = useGroup('useDLEAll', calls, StatesGroup, load, options)
  const handle = toStateHandle(observed, load, ['data', 'loading', 'error', 'isLast', 'states'])
  // Each member is of its endpoint.
  return handle as unknown as DLEAllHandle<unknown>
}
