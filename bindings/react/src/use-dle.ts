import { stateOfLoading } from '@selfsame/core/bindings'
import type {
  ArgsOf,
  Asked,
  CallState,
  DataForArgs,
  GivenArgs,
  NullableArgs,
  ReadEndpoint,
} from '@selfsame/core'
import type { Observer, Watched } from '@selfsame/core/bindings'
import { useFocusRefetch } from '#focus'
import { useDeferredValue } from 'react'
import { isOnServer } from './server.js'
import { useAsked } from './use-asked.js'
import { fulfilled, useUnawaited } from './use-observer.js'
import { use } from './use.js'

const load = <Data>(observer: Observer<Data>): CallState<Data> =>
  isOnServer() ? observer.state() : observer.load()

/**
 * Reads a call, fetches it when `useSuspense` would, and returns data, loading and error. It neither suspends nor
 * throws the error of a request, so it needs no boundary. On a server it sends no request and shows stored data. When
 * the arguments change in a transition, the old screen stays until the new call has data or an error.
 *
 * @param endpoint - an endpoint that reads
 * @param args - its arguments, or `null` to read nothing
 * @returns an immutable object, the same until one of its members changes. `data`: denormalized, as `useCache` returns it; it
 *   stays during a new request, and beside an error. `loading`: `true` while there is neither data nor an error; a refetch
 *   of Stale data is not loading. `error`: the error of the last request. `fetching`: `true` while a request is in flight; a
 *   component that does not read it is not rendered for it. `refetch`: fetches now. `isLast`: `true` while `data` is that of
 *   the previous arguments, with the option `keepPrevious`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 3, 4.5, F1
 * @example
 * const { data, loading, error } = useDLE(todoResource.get, { id: 5 })
 * if (loading) return <Spinner />
 * if (error) return <p>{error.message}</p>
 * return <h1>{data.title}</h1>
 */
export function useDLE<E extends ReadEndpoint, const A extends NullableArgs<ArgsOf<E>>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): CallState<DataForArgs<E, A>> & Asked {
  const { observer, shown, memory } = useUnawaited(
    'useDLE',
    endpoint,
    args,
    load<DataForArgs<E, A>>,
    stateOfLoading,
  )
  return useAsked(observer, useHeld(observer, memory.hasOther(observer, endpoint), shown, load))
}

/**
 * Keeps the old screen while a transition replaces the calls of a reader that does not suspend.
 *
 * @param isOther - `true` if other calls are on screen
 * @param shown - its state
 */
export function useHeld<Of extends Pick<Watched, 'readOrFetch' | 'refetchIfStale'>, Shown>(
  observer: Of,
  isOther: boolean,
  shown: Shown,
  read: (observer: Of) => Shown,
): Shown {
  useFocusRefetch(observer)
  // `useDeferredValue` gives an urgent render the old value. Any other render belongs to a transition, which keeps
  // the old screen.
  const next = isOther ? observer : undefined
  const isUrgent = useDeferredValue(next) !== next
  let reading = isOther && !isUrgent ? observer.readOrFetch() : undefined
  if (reading?.state !== 'pending') use(fulfilled)
  while (reading?.state === 'pending') {
    use(reading.promise)
    reading = observer.readOrFetch()
  }
  return reading === undefined ? shown : read(observer)
}
