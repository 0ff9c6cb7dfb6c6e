import type { Asked, CallState, ReadEndpoint } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import { BROWSER } from 'esm-env'
import type { Readable } from 'svelte/store'
import type { HookArgs, HookData, Reactive, GivenArgs } from './arguments.js'
import { toStateHandle } from './use-asked.js'
import { useObserver } from './use-observer.svelte.js'

/**
 * The result of `useDLE`. Do not destructure it: members that are read from it in markup or `$derived` are tracked.
 */
export interface DLEHandle<Data> extends Readable<CallState<Data>>, Asked {
  /** Denormalized data, as `useCache` returns it; stays during a refetch, and beside an error. */
  readonly data: Data | undefined
  /** `true` while there is neither data nor an error. A refetch of Stale data is not loading. */
  readonly loading: boolean
  /** The error of the last request; `undefined` if it succeeded. */
  readonly error: Error | undefined
  /** `true` while `data` is that of the previous arguments: the reader has the option `keepPrevious`. */
  readonly isLast: boolean
  /** The four above, which is also the value of the store: the same object until one of them changes. */
  readonly current: CallState<Data>
}

const load = <Data>(observer: Observer<Data>): CallState<Data> =>
  BROWSER ? observer.load() : observer.state()

/**
 * Reads a call, fetches it when `useSuspense` would, and returns data, loading and error. It neither waits nor throws
 * the error of a request, so it needs no boundary. On a server it sends no request and shows stored data.
 *
 * @param endpoint - an endpoint that reads; pass a getter or a store if it changes
 * @param args - its arguments, or `null` to read nothing: values, getters or stores. A single getter that returns a
 *   list supplies all arguments
 * @returns a handle; for `null` there is no data, and `loading` is `false`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 3, 4.5, F1
 * @example
 * const todo = useDLE(todoResource.get, () => ({ id }))
 * // {#if $todo.loading}…{:else if $todo.error}{$todo.error.message}{:else}{$todo.data.title}{/if}
 */
export function useDLE<E extends Reactive<ReadEndpoint>, const A extends HookArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): DLEHandle<HookData<E, A>> {
  const read = load<HookData<E, A>>
  const observed = useObserver('useDLE', endpoint, args, read)
  return toStateHandle(observed, read, ['data', 'loading', 'error', 'isLast'])
}
