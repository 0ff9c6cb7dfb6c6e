import type { ArgsOf, CacheableEndpoint, NamedCall, GivenArgs, NullableArgs, Progress } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import { useObserver } from './use-observer.js'

const readProgress = (observer: Observer): Progress | undefined => observer.getSnapshot().progress

/**
 * Shows the progress of a call in flight, uploads included. Never fetches.
 *
 * @param endpoint - an endpoint whose transport reports progress: `fetchByXhr`, `fetchWithProgress`
 * @param args - its arguments, with or without the body, or `null` to show nothing
 * @returns bytes and direction; `undefined` without a request in flight
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.3, Media
 * @example
 * const progress = useProgress(uploadAvatar, { id: 5 })
 * if (progress?.total) return <progress value={progress.loaded} max={progress.total} />
 */
export function useProgress<E extends CacheableEndpoint, const A extends NullableArgs<ArgsOf<NamedCall<E>>>>(
  endpoint: E,
  ...args: GivenArgs<NamedCall<E>, A>
): Progress | undefined {
  return useObserver('useProgress', endpoint, args, readProgress).shown
}
