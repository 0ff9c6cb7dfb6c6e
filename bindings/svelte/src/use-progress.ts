import type { CacheableEndpoint, NamedCall, Progress } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import type { EndpointIn, HookArgs, Reactive } from './arguments.js'
import { toHandle, useObserver } from './use-observer.svelte.js'
import type { ValueHandle } from './use-observer.svelte.js'

/** What `useProgress` gives. As a store it gives the same as `current`. */
export interface ProgressHandle extends ValueHandle<Progress | undefined> {
  /** Bytes and direction; `undefined` when nothing is in flight. */
  readonly current: Progress | undefined
}

const readProgress = (observer: Observer): Progress | undefined => observer.getSnapshot().progress

/**
 * Shows the progress of a call in flight, uploads included. Never fetches.
 *
 * @param endpoint - an endpoint whose transport reports progress: `fetchByXhr`, `fetchWithProgress`. A getter or a store of
 *   one, where it changes
 * @param args - its arguments, with or without the body, or `null` to show nothing: values, getters or stores. A lone
 *   getter that gives a list gives all arguments
 * @returns a handle, whose `current` is bytes and direction
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.3, Media
 * @example
 * const progress = useProgress(uploadAvatar, () => ({ id }))
 * // <progress value={progress.current?.loaded} max={progress.current?.total}></progress>
 */
export function useProgress<
  E extends Reactive<CacheableEndpoint>,
  const A extends HookArgs<NamedCall<EndpointIn<E>>>,
>(endpoint: E, ...args: A): ProgressHandle {
  return toHandle(useObserver('useProgress', endpoint, args, readProgress))
}
