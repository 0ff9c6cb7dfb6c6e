import type { PromiseForArgs, ReadEndpoint } from '@selfsame/core'
import { promiseOf } from '@selfsame/core/bindings'
import type { Observer } from '@selfsame/core/bindings'
import { BROWSER } from 'esm-env'
import type { Readable } from 'svelte/store'
import { isReactive } from './arguments.js'
import type { EndpointIn, HookArgs, PlainArgs, Reactive } from './arguments.js'
import { toHandle, useObserver } from './use-observer.svelte.js'
import type { ValueHandle } from './use-observer.svelte.js'

/** What `useFetch` gives for arguments that can change. As a store it gives the same as `current`. */
export interface FetchHandle<Given extends Promise<unknown> | undefined> extends ValueHandle<Given> {
  /** The promise of the call that the arguments name now; `undefined` for `null`. */
  readonly current: Given
}

/** The promise itself for values; a handle of it where the endpoint or an argument is a getter or a store. */
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

// On a server nobody waits for what Stale data is replaced with.
const readPromise = (observer: Observer): Promise<unknown> | undefined => promiseOf(observer, BROWSER)
/** Nobody may read the handle: what is wrong with the call is thrown here. */
const keepNothing = (): (() => void) => () => {}

/**
 * Fetches a call whose data is Invalid or Stale: when the component is mounted, when the arguments change, and when
 * the call is invalidated meanwhile. Waits for nothing, so several calls start at once. On a server it fetches what is
 * Invalid.
 *
 * @param endpoint - an endpoint that reads; a getter or a store of one, where it changes
 * @param args - its arguments, or `null` to do nothing: values, getters or stores. A lone getter that gives a list
 *   gives all arguments
 * @returns a promise, the same until the data changes: fulfilled with data that is there, also while it is fetched
 *   anew; rejected with the stored error, which is never reported as unhandled; pending while there is neither.
 *   `undefined` for `null`. With getters or stores a handle, whose `current` is that
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 3, 4.5, F13
 * @example
 * useFetch(todoResource.getList)
 * useFetch(todoResource.get, () => ({ id }))
 */
export function useFetch<E extends Reactive<ReadEndpoint>, const A extends HookArgs<E>>(
  endpoint: E,
  ...args: A
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
