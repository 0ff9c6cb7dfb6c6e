import type { DataOf, Observer, ReadEndpoint } from '@selfsame/core'
import { BROWSER } from 'esm-env'
import type { Readable } from 'svelte/store'
import { isReactive } from './arguments.js'
import type { EndpointIn, HookArgs, Reactive } from './arguments.js'
import { toValueHandle, useObserver } from './use-observer.svelte.js'
import type { ValueHandle } from './use-observer.svelte.js'

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

/** It shows no part of the answer: it is told only when what it asked for is gone. */
const facets = [] as const
const ask = (observer: Observer): Promise<unknown> | undefined => (BROWSER ? observer.ask() : undefined)
/** Nobody may read the handle: what is wrong with the call is thrown here. */
const askOrThrow = (observer: Observer): (() => void) => {
  observer.ask()
  return () => {}
}

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
  const isHandle = isReactive(endpoint, args)
  const observed = useObserver('useFetch', endpoint, args, facets, ask, isHandle ? askOrThrow : undefined)
  return isHandle ? toValueHandle(observed) : observed.first()
}
