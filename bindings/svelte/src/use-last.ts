import { lastState, loadLast } from '@selfsame/core/bindings'
import type { LastState, ReadEndpoint } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import { BROWSER } from 'esm-env'
import type { Readable } from 'svelte/store'
import type { HookArgs, HookData, Reactive, GivenArgs } from './arguments.js'
import type { DLEHandle } from './use-dle.js'
import { toHandle, useObserver } from './use-observer.svelte.js'

/**
 * The result of `useLast`. Do not destructure it: members that are read from it in markup or `$derived` are tracked.
 */
export interface LastHandle<Data>
  extends Omit<DLEHandle<Data>, 'current' | 'subscribe'>, Readable<LastState<Data>> {
  /** `true` while `data` belongs to the previous arguments, because the call of the new ones is being fetched. */
  readonly isLast: boolean
  /** All four, which is also the value of the store: the same object until one of them changes. */
  readonly current: LastState<Data>
}

const load = <Data>(observer: Observer<Data>): LastState<Data> =>
  BROWSER ? loadLast(observer) : lastState(observer)

/**
 * Reads a call like `useDLE`, and keeps the previous data on screen while the call of new arguments is fetched.
 * Meanwhile `isLast` is `true`. A reset removes the previous data.
 *
 * @param endpoint - an endpoint that reads; pass a getter or a store if it changes
 * @param args - its arguments, or `null` to read nothing: values, getters or stores. A single getter that returns a
 *   list supplies all arguments
 * @returns the handle of `useDLE`, with `isLast`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, The small hooks
 * @example
 * const todos = useLast(todoResource.getList, () => ({ page }))
 * // <ul class:dimmed={todos.isLast}>{#each todos.data ?? [] as todo (todo.id)}<li>{todo.title}</li>{/each}</ul>
 */
export function useLast<E extends Reactive<ReadEndpoint>, const A extends HookArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): LastHandle<HookData<E, A>> {
  return toHandle(useObserver('useLast', endpoint, args, load<HookData<E, A>>), {
    data: (observer) => load(observer).data,
    loading: (observer) => load(observer).loading,
    error: (observer) => load(observer).error,
    isLast: (observer) => load(observer).isLast,
  })
}
