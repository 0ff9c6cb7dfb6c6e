import { Cancelling } from '@selfsame/core/bindings'
import type { EndpointLike } from '@selfsame/core'
import { BROWSER } from 'esm-env'
import { untrack } from 'svelte'
import { writable } from 'svelte/store'
import { toCall } from './arguments.js'
import type { EndpointIn, HookArgs, Reactive, GivenArgs } from './arguments.js'
import { startHere } from './start-here.svelte.js'
import type { ValueHandle } from './use-observer.svelte.js'

/**
 * Returns an endpoint whose requests are aborted when the arguments change and when the component is destroyed, also
 * those that other code awaits. Requests that only readers wait for are aborted without it. Needs no provider.
 *
 * @param endpoint - any endpoint; pass a getter or a store if it changes
 * @param args - what the calls depend on: the endpoint's arguments, or `null`; values, getters or stores. A single
 *   getter that returns a list supplies all arguments
 * @returns a handle; its `current` is the endpoint with its own `signal`, and a new endpoint for other arguments.
 *   Hooks accept the handle in place of an endpoint
 * @see specification 3 (abort), 4.5, The small hooks
 * @example
 * const search = useCancelling(searchTodos, () => ({ query }))
 * const download = () => controller.fetch(search.current, { query }).then(save)
 */
export function useCancelling<E extends Reactive<EndpointLike>, const A extends HookArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): ValueHandle<EndpointIn<E>> {
  const call = toCall(endpoint, args)
  let last: Cancelling<EndpointLike> | undefined
  const find = () => {
    const { endpoint: source, args: values } = call()
    return (last = Cancelling.follow(source as EndpointLike, values, () => last))
  }
  const cancelling = $derived.by(find)
  // It extends the given endpoint, so it has that type.
  const read = () => cancelling.endpoint as EndpointIn<E>
  const store = writable(untrack(read))
  const keep = () => {
    store.set(read())
    return cancelling.keep()
  }
  if (BROWSER) {
    startHere(() => {
      $effect.pre(keep)
    })
  }
  return {
    get current() {
      return read()
    },
    subscribe: store.subscribe,
  }
}
