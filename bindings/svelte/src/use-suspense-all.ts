import { ObserverGroup, nameOfCalls, plainOf } from '@selfsame/core/bindings'
import type { CheckedCalls, DataOfCalls, ReadCall, ReadCalls, ReadEndpoint } from '@selfsame/core'
import { BROWSER } from 'esm-env'
import type { Readable } from 'svelte/store'
import { isReactive, toCall, toGetter } from './arguments.js'
import type { HookArgs, HookData, HookOptions, Reactive } from './arguments.js'
import { findController } from './context.js'
import { useWatched } from './use-observer.svelte.js'
import { SuspenseHandle, read } from './use-suspense.js'
import type { Handle } from './use-suspense.js'

type ReactiveCall = readonly [endpoint: Reactive<ReadEndpoint>, ...args: readonly unknown[]]
type ReactiveCalls = readonly ReactiveCall[] | { readonly [name: string]: ReactiveCall }

type CheckedReactiveCalls<Calls extends ReactiveCalls> = {
  readonly [Member in keyof Calls]: Calls[Member] extends readonly [
    infer E extends Reactive<ReadEndpoint>,
    ...infer Args,
  ]
    ? Args extends HookArgs<E>
      ? Calls[Member]
      : readonly [endpoint: E, ...args: HookArgs<E>]
    : ReactiveCall
}

type DataOfReactiveCalls<Calls extends ReactiveCalls> = {
  readonly [Member in keyof Calls]: Calls[Member] extends readonly [
    infer E extends Reactive<ReadEndpoint>,
    ...infer Args,
  ]
    ? HookData<E, Args>
    : never
}

/**
 * Reads several calls at once, each as `useSuspense` reads one. All requests start before the first is waited for,
 * where a component that awaits two handles one after the other starts one after the other. With a getter their number
 * may change.
 *
 * @param calls - a list of calls, or an object of them, or a getter or a store of either. Each call is a list: an
 *   endpoint that reads, then its arguments, or `null` to read nothing. In a list that is no getter's, endpoints and
 *   arguments may be getters and stores, as `useSuspense` takes them
 * @param options - outside of components, the Controller
 * @returns a handle; its `current` is the data of all, in a list or an object like the one given: the same object until
 *   one of them changes; `undefined` for `null`. It is immutable
 * @throws as `useSuspense`: the error of the first call that failed. {SelfsameError} `argument-invalid` for what is no
 *   list or object of calls
 * @see specification 3, 4.5
 * @example
 * let { id } = $props()
 * const all = useSuspenseAll(() => [[userResource.get, { id }], [getTeams]])
 * // <h1>{all.current[0].name}</h1>
 */
export function useSuspenseAll<const Calls extends ReadCalls>(
  calls: (() => Calls & CheckedCalls<Calls>) | Readable<Calls & CheckedCalls<Calls>>,
  options?: HookOptions,
): Handle<DataOfCalls<Calls>>
export function useSuspenseAll<const Calls extends ReactiveCalls>(
  calls: Calls & CheckedReactiveCalls<Calls>,
  options?: HookOptions,
): Handle<DataOfReactiveCalls<Calls>>
export function useSuspenseAll(calls: unknown, options?: HookOptions): Handle<unknown> {
  const name = nameOfCalls('useSuspenseAll', calls)
  const controller = findController(name, options?.controller)
  const callsNow = toCalls(calls)
  const open = (last: ObserverGroup | undefined) => {
    const called = callsNow()
    if (last?.isOf(called) === true) return last
    return new ObserverGroup(controller, called, last, undefined, BROWSER)
  }
  return new SuspenseHandle(useWatched(name, open, read<unknown>))
}

/** Makes a function that gives the calls as they are now. What is no call is refused where it is read. */
function toCalls(calls: unknown): () => ReadCalls {
  if (isReactive(calls)) {
    const get = toGetter(calls)
    return () => mapped(get(), (call) => plainOf(call)) as ReadCalls
  }
  const getters = mapped(calls, (call) => {
    if (!Array.isArray(call)) return () => call
    const [endpoint, ...args] = call as readonly unknown[]
    const now = toCall(endpoint, args)
    return () => {
      const called = now()
      return [called.endpoint, ...called.args]
    }
  })
  return () => mapped(getters, (get) => (get as () => unknown)()) as { readonly [name: string]: ReadCall }
}

/** A list or an object of the same form. */
function mapped(members: unknown, map: (member: unknown) => unknown): unknown {
  if (Array.isArray(members)) return members.map(map)
  if (typeof members !== 'object' || members === null) return members
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, map(member)]))
}
