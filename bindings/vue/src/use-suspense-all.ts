import { Hold, ObserverGroup, nameOfCalls } from '@selfsame/core/bindings'
import type { CheckedCalls, DataOfCalls, ReadCall, ReadCalls, ReadEndpoint } from '@selfsame/core'
import type { Ref } from 'vue'
import { argsOf, sourceOf } from './arguments.js'
import type { ComposableArgs, ComposableData, Source, GivenArgs } from './arguments.js'
import { injectController, isOnServer } from './context.js'
import { useWatched } from './use-observer.js'
import type { Observed, Served, Watching } from './use-observer.js'
import { useWaiting } from './use-suspense.js'
import type { SuspenseHandle } from './use-suspense.js'

type ReactiveCall = readonly [endpoint: Source<ReadEndpoint>, ...args: readonly unknown[]]
export type ReactiveCalls = readonly ReactiveCall[] | { readonly [name: string]: ReactiveCall }

// A function has no members, so it would pass for an object of calls.
export type CheckedReactiveCalls<Calls extends ReactiveCalls> = Calls extends () => unknown
  ? never
  : {
      readonly [Member in keyof Calls]: Calls[Member] extends readonly [
        infer E extends Source<ReadEndpoint>,
        ...infer Args,
      ]
        ? Args extends ComposableArgs<E>
          ? readonly [endpoint: E, ...args: GivenArgs<E, Args>]
          : readonly [endpoint: E, ...args: ComposableArgs<E>]
        : ReactiveCall
    }

export type DataOfReactiveCalls<Calls extends ReactiveCalls> = {
  readonly [Member in keyof Calls]: Calls[Member] extends readonly [
    infer E extends Source<ReadEndpoint>,
    ...infer Args,
  ]
    ? ComposableData<E, Args>
    : never
}

/**
 * Reads several calls in parallel, each like `useSuspense`. All requests start before the first wait; two `await
 * useSuspense(…)` would start one after the other. With a getter, the number of calls may change.
 *
 * @param calls - a list of calls, or an object of them, or a ref or getter of either. Each call is a list: an
 *   endpoint that reads, then its arguments, or `null` to read nothing. If `calls` itself is no ref or getter, its
 *   endpoints and arguments may be refs and getters, like those of `useSuspense`
 * @returns a handle to await. It resolves with a readonly shallow ref of the data of all calls, in a list or an
 *   object like the one given; `undefined` for `null`. The data is immutable, and the same object until one of its
 *   values changes
 * @throws what `useSuspense` throws, for the first call that failed; {SelfsameError} `argument-invalid` if `calls` is
 *   not a list or object of calls
 * @see specification 3, 4.5
 * @example
 * const all = await useSuspenseAll(() => [[userResource.get, { id: props.id }], [getTeams]])
 * const name = computed(() => all.value[0].name)
 */
export function useSuspenseAll<const Calls extends ReadCalls>(
  calls: (() => Calls & CheckedCalls<Calls>) | Readonly<Ref<Calls & CheckedCalls<Calls>>>,
): SuspenseHandle<DataOfCalls<Calls>>
export function useSuspenseAll<const Calls extends ReactiveCalls>(
  calls: Calls & CheckedReactiveCalls<Calls>,
): SuspenseHandle<DataOfReactiveCalls<Calls>>
export function useSuspenseAll(calls: unknown): SuspenseHandle<unknown> {
  return useWaiting<unknown, ObserverGroup>((watching) =>
    useGroup('useSuspenseAll', calls, ObserverGroup, watching),
  )
}

/** Watches several calls, as `useWatched` does. */
export function useGroup<Group extends ObserverGroup, Shown>(
  name: string,
  calls: unknown,
  Kind: new (...given: ConstructorParameters<typeof ObserverGroup>) => Group,
  watching: Watching<Shown, Group>,
): Observed<Shown, Group> {
  const call = () => nameOfCalls(name, calls)
  const controller = injectController(call)
  const hold = new Hold()
  const asks = !isOnServer(controller)
  const make = (last: Group | undefined, served: Served) => {
    const called = callsOf(sourceOf(calls))
    if (last?.isOf(called) === true) return last
    return new Kind(served(undefined, called) ?? controller, called, last, hold, asks)
  }
  return useWatched(controller, call, make, watching)
}

/** The current calls. ObserverGroup rejects anything that is no call. */
function callsOf(given: unknown): ReadCalls {
  if (Array.isArray(given)) return given.map(callOf)
  if (typeof given !== 'object' || given === null) return given as unknown as ReadCalls
  return Object.fromEntries(Object.entries(given).map(([name, call]) => [name, callOf(call)]))
}

function callOf(call: unknown): ReadCall {
  if (!Array.isArray(call)) return call as ReadCall
  const [endpoint, ...args] = call as readonly unknown[]
  return [sourceOf(endpoint), ...argsOf(args)]
}
