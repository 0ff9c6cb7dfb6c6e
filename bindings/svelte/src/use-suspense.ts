import type { ReadEndpoint } from '@selfsame/core'
import { BROWSER } from 'esm-env'
import type { Readable } from 'svelte/store'
import { nameOf, toCall } from './call.svelte.js'
import type { HookArgs, HookData } from './call.svelte.js'
import { findController } from './context.js'
import { CallHandle } from './handle.js'
import type { Handle, Manner } from './handle.js'

const manner: Manner = {
  read(observer) {
    const reading = observer.reading()
    // Stale data is shown, and fetched anew meanwhile.
    if (BROWSER && reading.state === 'ready') observer.ask()
    return reading
  },
  isPending: (_, { state }) => state === 'waiting',
}

/**
 * Reads a call, fetching where that is needed. Where `current` of the handle is read while data is Invalid, the
 * nearest `AsyncBoundary` shows its fallback; Stale data is shown and fetched anew meanwhile.
 *
 * @param endpoint - an endpoint that reads; a getter or a store of one, where it changes
 * @param args - its arguments, or `null` to read nothing: values, getters or stores. A lone getter that gives a list
 *   gives all arguments
 * @returns a handle; its `current` is `undefined` for `null`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 3, 4.5, 7
 * @example
 * let { id } = $props()
 * const todo = useSuspense(todoResource.get, () => ({ id }))
 * // <h1>{todo.current.title}</h1>
 */
export function useSuspense<
  E extends ReadEndpoint | Readable<ReadEndpoint> | (() => ReadEndpoint),
  const A extends HookArgs<E>,
>(endpoint: E, ...args: A): Handle<HookData<E, A>> {
  const name = nameOf('useSuspense', endpoint)
  const handle = new CallHandle<HookData<E, A>>(findController(name), toCall(endpoint, args), manner, name)
  handle.start()
  return handle
}
