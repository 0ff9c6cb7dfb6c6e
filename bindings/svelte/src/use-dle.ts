import type { CallState, ReadEndpoint } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import { BROWSER } from 'esm-env'
import type { Readable } from 'svelte/store'
import type { HookArgs, HookData, Reactive } from './arguments.js'
import { toHandle, useObserver } from './use-observer.svelte.js'

/** What `useDLE` gives. Read its members where they are shown: taken apart, they are not followed. */
export interface DLEHandle<Data> extends Readable<CallState<Data>> {
  /** Denormalized data, as `useCache` gives it; kept while it is fetched anew, and beside an error. */
  readonly data: Data | undefined
  /** Whether there is nothing to show yet, neither data nor an error. A fetch of Stale data is not loading. */
  readonly loading: boolean
  /** Why the last fetch failed; `undefined` when it did not. */
  readonly error: Error | undefined
  /** All three, as the store gives them: the same object until one of them changes. */
  readonly current: CallState<Data>
}

const load = <Data>(observer: Observer<Data>): CallState<Data> =>
  BROWSER ? observer.load() : observer.state()

/**
 * Reads a call, fetching where `useSuspense` does, and gives data, loading and error side by side. Waits for nothing
 * and throws no error of a fetch, so it needs no boundary. On a server it shows what is there, and fetches nothing.
 *
 * @param endpoint - an endpoint that reads; a getter or a store of one, where it changes
 * @param args - its arguments, or `null` to read nothing: values, getters or stores. A lone getter that gives a list
 *   gives all arguments
 * @returns a handle; for `null` arguments there is no data, and it is not loading
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 3, 4.5, F1
 * @example
 * const todo = useDLE(todoResource.get, () => ({ id }))
 * // {#if $todo.loading}…{:else if $todo.error}{$todo.error.message}{:else}{$todo.data.title}{/if}
 */
export function useDLE<E extends Reactive<ReadEndpoint>, const A extends HookArgs<E>>(
  endpoint: E,
  ...args: A
): DLEHandle<HookData<E, A>> {
  return toHandle(useObserver('useDLE', endpoint, args, load<HookData<E, A>>), {
    data: (observer) => load(observer).data,
    loading: (observer) => load(observer).loading,
    error: (observer) => load(observer).error,
  })
}
