import type { CacheableEndpoint, NamedCall, Progress } from '@selfsame/core'
import type { Ref } from 'vue'
import type { ComposableArgs, EndpointIn, Source, GivenArgs } from './arguments.js'
import { useObserver } from './use-observer.js'

/**
 * Shows the progress of a call in flight, uploads included. Never fetches.
 *
 * @param endpoint - an endpoint whose transport reports progress (`fetchByXhr`, `fetchWithProgress`), or a ref or
 *   getter of one
 * @param args - the endpoint's arguments, with or without the body, each a value, a ref or a getter, or one getter
 *   that returns the list of all; a first argument of `null` shows nothing
 * @returns a readonly shallow ref of bytes and direction; `undefined` without a request in flight
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 4.3, Media
 * @example
 * const progress = useProgress(uploadAvatar, () => ({ id: props.id }))
 */
export function useProgress<
  E extends Source<CacheableEndpoint>,
  const Args extends ComposableArgs<NamedCall<EndpointIn<E>>>,
>(endpoint: E, ...args: GivenArgs<NamedCall<EndpointIn<E>>, Args>): Readonly<Ref<Progress | undefined>> {
  return useObserver({
    name: 'useProgress',
    endpoint,
    args,
    read: (observer) => observer.getSnapshot().progress,
  }).shown
}
