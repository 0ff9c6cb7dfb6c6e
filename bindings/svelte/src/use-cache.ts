import type { CacheableEndpoint, DataOf } from '@selfsame/core'
import type { Readable } from 'svelte/store'
import { nameOf, toCall } from './call.svelte.js'
import type { EndpointIn, HookArgs } from './call.svelte.js'
import { findController } from './context.js'
import { CallHandle } from './handle.js'
import type { Handle, Manner } from './handle.js'

const manner: Manner = {
  read: <Data>(observer: { cached(): Data | undefined }) =>
    // `undefined` is among the data that the hook's type promises.
    ({ state: 'ready', data: observer.cached() as Data }),
  isPending: (observer) => observer.cached() === undefined && observer.getSnapshot().fetching,
}

/**
 * Reads a call from the cache. Never fetches, and needs no boundary.
 *
 * @param endpoint - an endpoint; its `key`, `schema` and `invalidIfStale` are used. A getter or a store of one, where
 *   it changes
 * @param args - its arguments, or `null` to read nothing: values, getters or stores. A lone getter that gives a list
 *   gives all arguments
 * @returns a handle; its `current` is denormalized data, or `undefined` when that is Invalid and for `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 3, 4.5, F21
 * @example
 * const user = useCache(currentUser)
 * // {#if user.current}{user.current.name}{:else}<SignIn />{/if}
 */
export function useCache<
  E extends CacheableEndpoint | Readable<CacheableEndpoint> | (() => CacheableEndpoint),
  const A extends HookArgs<E>,
>(endpoint: E, ...args: A): Handle<DataOf<EndpointIn<E>> | undefined> {
  const name = nameOf('useCache', endpoint)
  return new CallHandle(findController(name), toCall(endpoint, args), manner, name)
}
