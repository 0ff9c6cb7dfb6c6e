import { Prefetch, endpointOf } from '@selfsame/core/bindings'
import type { Prefetching, ReadEndpoint } from '@selfsame/core'
import { BROWSER } from 'esm-env'
import { nameOf, toCall } from './arguments.js'
import type { HookArgs, Reactive, GivenArgs } from './arguments.js'
import { findController } from './context.js'
import { startHere } from './start-here.svelte.js'
import { controllerOf } from './with-options.svelte.js'

/**
 * Fetches a call before a component reads it: when the pointer or the focus enters an element, or when the element
 * scrolls into view. A Valid call is not fetched again; a failed call is fetched again only after
 * `errorExpiryLength`.
 *
 * @param endpoint - an endpoint that reads; pass a getter or a store if it changes
 * @param args - its arguments, or `null` to fetch nothing: values, getters or stores. A single getter that returns a
 *   list supplies all arguments
 * @returns `onIntent` and `onView` for `{@attach}`, or for `use:` in a component without runes, and `prefetch`, which
 *   fetches immediately
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, The small hooks
 * @example
 * const link = usePrefetch(todoResource.get, () => ({ id }))
 * // <a href="/todo/{id}" {@attach link.onIntent}>{title}</a>
 */
export function usePrefetch<E extends Reactive<ReadEndpoint>, const A extends HookArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): Prefetching {
  const controller = findController(nameOf('usePrefetch', endpoint), controllerOf(endpoint))
  const call = toCall(endpoint, args)
  const prefetch = new Prefetch()
  const aim = () => {
    const called = call()
    // The signature takes only endpoints that read.
    prefetch.aim(controller, endpointOf(called.endpoint) as ReadEndpoint, called.args)
  }
  const start = () => {
    $effect.pre(aim)
    $effect(() => () => prefetch.end())
  }
  if (BROWSER) startHere(start)
  return prefetch
}
