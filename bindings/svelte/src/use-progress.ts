import type { CacheableEndpoint, NamedCall, Progress } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import type { EndpointIn, HookArgs, Reactive, GivenArgs } from './arguments.js'
import { toHandle, useObserver } from './use-observer.svelte.js'
import type { ValueHandle } from './use-observer.svelte.js'

/** The result of `useProgress`. As a store it has the value of `current`. */
export interface ProgressHandle extends ValueHandle<Progress | undefined> {
  /** Bytes and direction; `undefined` without a request in flight. */
  readonly current: Progress | undefined
}

const readProgress = (observer: Observer): Progress | undefined => observer.getSnapshot().progress

/**
 * Shows the progress of a call in flight, uploads included. Never fetches.
 *
 * @param endpoint - an endpoint whose transport reports progress: `fetchByXhr`, `fetchWithProgress`. Pass a getter or
 *   a store if it changes
 * @param args - its arguments, with or without the body, or `null` to show nothing: values, getters or stores. A
 *   single getter that returns a list supplies all arguments
 * @returns a handle; its `current` is bytes and direction
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.3, Media
 * @example
 * const progress = useProgress(uploadAvatar, () => ({ id }))
 * // <progress value={progress.current?.loaded} max={progress.current?.total}></progress>
 */
export function useProgress<
  E extends Reactive<CacheableEndpoint>,
  const A extends HookArgs<NamedCall<EndpointIn<E>>>,
>(endpoint: E, ...args: GivenArgs<NamedCall<EndpointIn<E>>, A>): ProgressHandle {
  return toHandle(useObserver('useProgress', endpoint, args, readProgress))
}
