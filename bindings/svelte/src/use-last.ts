import { lastState, loadLast } from '@selfsame/core/bindings'
import type { LastState, ReadEndpoint } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import { BROWSER } from 'esm-env'
import type { Readable } from 'svelte/store'
import type { HookArgs, HookData, Reactive } from './arguments.js'
import type { DLEHandle } from './use-dle.js'
import { toHandle, useObserver } from './use-observer.svelte.js'

/** What `useLast` gives. Read its members where they are shown: taken apart, they are not followed. */
export interface LastHandle<Data>
  extends Omit<DLEHandle<Data>, 'current' | 'subscribe'>, Readable<LastState<Data>> {
  /** Whether `data` is that of the arguments before, while that of the new ones is fetched. */
  readonly isLast: boolean
  /** All four, as the store gives them: the same object until one of them changes. */
  readonly current: LastState<Data>
}

const load = <Data>(observer: Observer<Data>): LastState<Data> =>
  BROWSER ? loadLast(observer) : lastState(observer)

/**
 * Reads a call like `useDLE`, and keeps the previous data on screen while the call of new arguments is fetched; `isLast` is
 * `true` then. After a reset there is no previous data.
 *
 * @param endpoint - an endpoint that reads; a getter or a store of one, where it changes
 * @param args - its arguments, or `null` to read nothing: values, getters or stores. A lone getter that gives a list
 *   gives all arguments
 * @returns a handle
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, The small hooks
 * @example
 * const todos = useLast(todoResource.getList, () => ({ page }))
 * // <ul class:dimmed={todos.isLast}>{#each todos.data ?? [] as todo (todo.id)}<li>{todo.title}</li>{/each}</ul>
 */
export function useLast<E extends Reactive<ReadEndpoint>, const A extends HookArgs<E>>(
  endpoint: E,
  ...args: A
): LastHandle<HookData<E, A>> {
  return toHandle(useObserver('useLast', endpoint, args, load<HookData<E, A>>), {
    data: (observer) => load(observer).data,
    loading: (observer) => load(observer).loading,
    error: (observer) => load(observer).error,
    isLast: (observer) => load(observer).isLast,
  })
}
