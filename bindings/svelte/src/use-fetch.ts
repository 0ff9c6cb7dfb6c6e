import type { PromiseForArgs, ReadEndpoint } from '@selfsame/core'
import { promiseOf } from '@selfsame/core/bindings'
import type { Observer } from '@selfsame/core/bindings'
import { BROWSER } from 'esm-env'
import type { Readable } from 'svelte/store'
import { isReactive } from './arguments.js'
import type { EndpointIn, HookArgs, PlainArgs, Reactive, GivenArgs } from './arguments.js'
import { toHandle, useObserver } from './use-observer.svelte.js'
import type { ValueHandle } from './use-observer.svelte.js'

/** The result of `useFetch` for arguments that can change. As a store it has the value of `current`. */
export interface FetchHandle<Given extends Promise<unknown> | undefined> extends ValueHandle<Given> {
  /** The promise of the current call; `undefined` for `null`. */
  readonly current: Given
}

/** The promise itself for plain values; a handle of it if the endpoint or an argument is a getter or a store. */
export type Fetched<E, Args extends readonly unknown[]> =
  IsReactive<E, Args> extends true
    ? FetchHandle<PromiseForArgs<EndpointIn<E>, PlainArgs<Args>>>
    : PromiseForArgs<EndpointIn<E>, PlainArgs<Args>>

type IsReactive<E, Args extends readonly unknown[]> =
  E extends EndpointIn<E>
    ? Extract<Args[number], (() => unknown) | Readable<unknown>> extends never
      ? false
      : true
    : true

// A server does not wait for the refetch of Stale data.
const readPromise = (observer: Observer): Promise<unknown> | undefined => promiseOf(observer, BROWSER)
/** Passed so that errors of the call are thrown here, because nothing may read the handle. */
const keepNothing = (): (() => void) => () => {}

/**
 * Fetches a call if its data is Invalid or Stale: when the component mounts, the arguments change, or the call is
 * invalidated. It does not wait, so several calls start in parallel. On a server it fetches Invalid data only.
 *
 * @param endpoint - an endpoint that reads; pass a getter or a store if it changes
 * @param args - its arguments, or `null` to do nothing: values, getters or stores. A single getter that returns a
 *   list supplies all arguments
 * @returns a promise, the same until the data changes: fulfilled if there is data, also during a refetch; rejected
 *   with the stored error, which is never reported as unhandled; pending while there is neither. `undefined` for
 *   `null`. With getters or stores, a handle whose `current` is that promise
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 3, 4.5, F13
 * @example
 * useFetch(todoResource.getList)
 * useFetch(todoResource.get, () => ({ id }))
 */
export function useFetch<E extends Reactive<ReadEndpoint>, const A extends HookArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): Fetched<E, A>
export function useFetch(
  endpoint: Reactive<ReadEndpoint>,
  ...args: readonly unknown[]
): FetchHandle<Promise<unknown> | undefined> | Promise<unknown> | undefined {
  const isHandle = [endpoint, ...args].some(isReactive)
  const keep = isHandle ? keepNothing : undefined
  const observed = useObserver('useFetch', endpoint, args, readPromise, keep)
  return isHandle ? toHandle(observed) : observed.shown()
}
