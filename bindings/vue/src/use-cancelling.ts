import { Cancelling } from '@selfsame/core/bindings'
import type { EndpointLike } from '@selfsame/core'
import { computed, getCurrentScope, onScopeDispose, watch } from 'vue'
import type { Ref } from 'vue'
import { argsOf, sourceOf } from './arguments.js'
import type { ComposableArgs, EndpointIn, Source, GivenArgs } from './arguments.js'

/**
 * Returns an endpoint whose requests are aborted when the arguments change and when the component unmounts, also
 * those that other code awaits. Requests that only readers wait for are aborted without it. Needs no provider.
 *
 * @param endpoint - any endpoint, or a ref or getter of one
 * @param args - what the calls depend on: the endpoint's arguments, each a value, a ref or a getter, or one getter
 *   that returns the list of all; a first argument of `null` stands for no arguments
 * @returns a readonly shallow ref of the endpoint with its own `signal`; a new endpoint for other arguments
 * @see specification 3 (abort), 4.5, The small hooks
 * @example
 * const search = useCancelling(searchTodos, () => ({ query: query.value }))
 * const download = () => controller.fetch(search.value, { query: query.value }).then(save)
 */
export function useCancelling<E extends Source<EndpointLike>, const Args extends ComposableArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, Args>
): Readonly<Ref<EndpointIn<E>>> {
  const cancelling = computed<Cancelling<EndpointLike>>((last) =>
    Cancelling.follow(sourceOf<EndpointLike>(endpoint), argsOf(args), () => last),
  )
  let giveUp: (() => void) | undefined
  const follow = (current: Cancelling<EndpointLike>) => {
    giveUp?.()
    giveUp = current.keep()
  }
  // Not synchronously: a component that is about to leave must not read its arguments any more.
  watch(cancelling, follow, { immediate: true })
  if (getCurrentScope() !== undefined) onScopeDispose(() => giveUp?.())
  // It extends the given endpoint, so it has that type.
  return computed(() => cancelling.value.endpoint as EndpointIn<E>)
}
