import { Cancelling, errors } from '@selfsame/core/bindings'
import type { EndpointLike } from '@selfsame/core'
import { BROWSER } from 'esm-env'
import { untrack } from 'svelte'
import { writable } from 'svelte/store'
import { optionsOf, toCall } from './arguments.js'
import type { EndpointIn, HookArgs, Reactive } from './arguments.js'
import type { ValueHandle } from './use-observer.svelte.js'

/**
 * Gives an endpoint for calls that are worth nothing any more when the arguments change: then, and when the component is
 * destroyed, what is in flight by it is aborted, also where somebody awaits it. What only readers wait for is aborted
 * without it. Needs no provider.
 *
 * @param endpoint - any endpoint; a getter or a store of one, where it changes
 * @param args - what the calls depend on: the endpoint's arguments, or `null`; values, getters or stores. A lone getter
 *   that gives a list gives all arguments
 * @returns a handle, whose `current` is the endpoint with a `signal` of its own; another one for other arguments. A hook
 *   takes the handle in place of an endpoint
 * @see specification 3 (abort), 4.5, The small hooks
 * @example
 * const search = useCancelling(searchTodos, () => ({ query }))
 * const download = () => controller.fetch(search.current, { query }).then(save)
 */
export function useCancelling<E extends Reactive<EndpointLike>, const A extends HookArgs<E>>(
  endpoint: E,
  ...args: A
): ValueHandle<EndpointIn<E>> {
  const call = toCall(endpoint, optionsOf(args).given)
  let last: { readonly source: unknown; readonly key: string | undefined } | undefined
  let made: Cancelling<EndpointLike> | undefined
  const find = () => {
    const { endpoint: source, args: values } = call()
    if (typeof source?.key !== 'function') throw errors.notAnEndpoint('useCancelling', source)
    const key = values[0] === null ? undefined : source.key(...values)
    if (made === undefined || last?.source !== source || last.key !== key) {
      last = { source, key }
      made = new Cancelling(source as EndpointLike)
    }
    return made
  }
  const cancelling = $derived.by(find)
  // It extends the endpoint that was given.
  const read = () => cancelling.endpoint as EndpointIn<E>
  const store = writable(untrack(read))
  if (BROWSER) {
    $effect.pre(() => {
      store.set(read())
      return cancelling.keep()
    })
  }
  return {
    get current() {
      return read()
    },
    subscribe: store.subscribe,
  }
}
