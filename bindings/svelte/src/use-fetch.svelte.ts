import type { DataOf, ReadEndpoint } from '@selfsame/core'
import { BROWSER } from 'esm-env'
import { untrack } from 'svelte'
import type { Readable } from 'svelte/store'
import { isReactive, nameOf, toCall } from './call.svelte.js'
import type { EndpointIn, HookArgs, Reactive } from './call.svelte.js'
import { findController } from './context.js'
import { createFacet } from './facet.js'
import { createStore } from './store.svelte.js'
import type { ValueHandle } from './value-handle.js'
import { Watch } from './watch.svelte.js'

/** What `useFetch` gives for arguments that can change. As a store it gives the same as `current`. */
export interface FetchHandle<Data> extends ValueHandle<Promise<Data> | undefined> {
  /** The promise of the last fetch that was started here; `undefined` when the data was Valid, and for `null`. */
  readonly current: Promise<Data> | undefined
}

/** The promise itself for values; a handle of it where the endpoint or an argument is a getter or a store. */
export type Fetched<E, Args extends readonly unknown[]> =
  IsReactive<E, Args> extends true
    ? FetchHandle<DataOf<EndpointIn<E>>>
    : Promise<DataOf<EndpointIn<E>>> | undefined

type IsReactive<E, Args extends readonly unknown[]> =
  E extends EndpointIn<E>
    ? Extract<Args[number], (() => unknown) | Readable<unknown>> extends never
      ? false
      : true
    : true

/**
 * Fetches a call whose data is Invalid or Stale: when the component is mounted, when the arguments change, and when
 * the call is invalidated meanwhile. Shows nothing and never suspends, so several calls start at once. On a server it
 * does nothing.
 *
 * @param endpoint - an endpoint that reads; a getter or a store of one, where it changes
 * @param args - its arguments, or `null` to do nothing: values, getters or stores. A lone getter that gives a list
 *   gives all arguments
 * @returns the promise of the fetch, never reported as an unhandled rejection; `undefined` when the data was Valid
 *   and for `null`. With getters or stores a handle, whose `current` is that
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 3, 4.5, F13
 * @example
 * useFetch(todoResource.getList)
 * useFetch(todoResource.get, () => ({ id }))
 */
export function useFetch<
  E extends ReadEndpoint | Readable<ReadEndpoint> | (() => ReadEndpoint),
  const A extends HookArgs<E>,
>(endpoint: E, ...args: A): Fetched<E, A>
export function useFetch(
  endpoint: Reactive<ReadEndpoint>,
  ...args: readonly unknown[]
): FetchHandle<unknown> | Promise<unknown> | undefined {
  const controller = findController(nameOf('useFetch', endpoint))
  const watch = new Watch(controller, toCall(endpoint, args), (observer) =>
    createFacet(observer, () => (BROWSER ? observer.ask() : undefined)),
  )
  const { subscribe } = createStore(() => watch.peek()())
  const handle: FetchHandle<unknown> = {
    subscribe,
    get current() {
      return watch.current()
    },
  }
  // In `$derived` the call lasts as long as what it was made for; in a component's script, as long as that.
  if (!$effect.tracking()) $effect.pre(() => void handle.current)
  if (isReactive(endpoint, args)) return handle
  return $effect.tracking() ? handle.current : untrack(() => handle.current)
}
