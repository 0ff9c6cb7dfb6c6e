import { ObserverGroup, nameOfCalls, plainOf } from '@selfsame/core/bindings'
import type { CheckedCalls, DataOfCalls, ReadCall, ReadCalls, ReadEndpoint } from '@selfsame/core'
import { BROWSER } from 'esm-env'
import type { Readable } from 'svelte/store'
import { isReactive, toCall, toGetter } from './arguments.js'
import type { HookArgs, HookData, HookOptions, Reactive, GivenArgs } from './arguments.js'
import { findController } from './context.js'
import { useWatched } from './use-observer.svelte.js'
import type { Observed } from './use-observer.svelte.js'
import { SuspenseHandle, read } from './use-suspense.js'
import type { Handle } from './use-suspense.js'

type ReactiveCall = readonly [endpoint: Reactive<ReadEndpoint>, ...args: readonly unknown[]]
export type ReactiveCalls = readonly ReactiveCall[] | { readonly [name: string]: ReactiveCall }

// A function has no members, so it would pass for an object of calls.
export type CheckedReactiveCalls<Calls extends ReactiveCalls> = Calls extends () => unknown
  ? never
  : {
      readonly [Member in keyof Calls]: Calls[Member] extends readonly [
        infer E extends Reactive<ReadEndpoint>,
        ...infer Args,
      ]
        ? Args extends HookArgs<E>
          ? readonly [endpoint: E, ...args: GivenArgs<E, Args>]
          : readonly [endpoint: E, ...args: HookArgs<E>]
        : ReactiveCall
    }

export type DataOfReactiveCalls<Calls extends ReactiveCalls> = {
  readonly [Member in keyof Calls]: Calls[Member] extends readonly [
    infer E extends Reactive<ReadEndpoint>,
    ...infer Args,
  ]
    ? HookData<E, Args>
    : never
}

/**
 * Reads several calls in parallel, each like `useSuspense`. All requests start before the first wait; two handles
 * awaited in turn would start one after the other. With a getter, the number of calls may change.
 *
 * @param calls - a list of calls, or an object of them, or a getter or a store of either. Each call is a list: an
 *   endpoint that reads, then its arguments, or `null` to read nothing. If `calls` itself is no getter or store, its
 *   endpoints and arguments may be getters and stores, like those of `useSuspense`
 * @param options - the Controller, outside components
 * @returns a handle; its `current` is the data of all calls, in a list or an object like the one given; `undefined`
 *   for `null`. The data is immutable, and the same object until one of its values changes
 * @throws what `useSuspense` throws, for the first call that failed; {SelfsameError} `argument-invalid` if `calls` is
 *   not a list or object of calls
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
  return new SuspenseHandle(useGroup('useSuspenseAll', calls, ObserverGroup, read<unknown>, options))
}

/** Watches several calls, as `useWatched` does. */
export function useGroup<Group extends ObserverGroup, Shown>(
  hook: string,
  calls: unknown,
  Kind: new (...given: ConstructorParameters<typeof ObserverGroup>) => Group,
  readGroup: (group: Group) => Shown,
  options: HookOptions | undefined,
): Observed<Shown, Group> {
  const name = nameOfCalls(hook, calls)
  const controller = findController(name, options?.controller)
  const callsNow = toCalls(calls)
  const open = (last: Group | undefined) => {
    const called = callsNow()
    if (last?.isOf(called) === true) return last
    return new Kind(controller, called, last, undefined, BROWSER)
  }
  return useWatched(name, open, readGroup)
}

/** Returns a function that returns the current calls. ObserverGroup rejects anything that is no call. */
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

/** Maps the members of a list or an object. */
function mapped(members: unknown, map: (member: unknown) => unknown): unknown {
  if (Array.isArray(members)) return members.map(map)
  if (typeof members !== 'object' || members === null) return members
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, map(member)]))
}
