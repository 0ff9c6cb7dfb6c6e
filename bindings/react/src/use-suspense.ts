import { readyWithNothing } from '@selfsame/core/bindings'
import type {
  ArgsOf,
  CacheableEndpoint,
  CallState,
  DataForArgs,
  DataOf,
  GivenArgs,
  NullableArgs,
  ReadEndpoint,
} from '@selfsame/core'
import type { Boundary, CachedReading, Observer, Reading, Watched } from '@selfsame/core/bindings'
import { useFocusRefetch } from '#focus'
import { BoundaryContext } from './context.js'
import { fulfilled, noteThrow, useObserver, useUnawaited } from './use-observer.js'
import type { Observed } from './use-observer.js'
import { use } from './use.js'

type FailedReading = Extract<Reading, { state: 'error' }>

const readState = (observer: Observer): CallState => observer.state()
/** What a reader that suspends does when it is mounted. */
export const fetchIfDue = (watched: Pick<Watched, 'fetchIfDue'>): void => watched.fetchIfDue()

/**
 * Reads a call, and fetches it if its data is Invalid or Stale. Invalid data suspends: the nearest `<Suspense>` shows
 * its fallback, or in a transition the old screen stays. Stale data is shown during the refetch.
 *
 * @param endpoint - an endpoint that reads
 * @param args - its arguments, or `null` to read nothing
 * @returns denormalized data, the same object until its content changes; `undefined` for `null`
 * @throws the error of the fetch, to the nearest error boundary; {SelfsameError} `provider-missing` outside a
 *   `DataProvider`
 * @see specification 3, 4.5, 7
 * @example
 * const todo = useSuspense(todoResource.get, { id: 5 })
 */
export function useSuspense<E extends ReadEndpoint, const A extends NullableArgs<ArgsOf<E>>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): DataForArgs<E, A> {
  const observed = useObserver('useSuspense', endpoint, args, readState, fetchIfDue)
  // The type says so: data for arguments, `undefined` for `null`.
  return useReading(observed) as DataOf<E> as DataForArgs<E, A>
}

/** Suspends on an observer's pending request, throws its error, or returns its data. */
export function useReading<Data>(observed: Observed<unknown, Watched<Data>>): Data {
  const { observer } = observed
  const boundary = use(BoundaryContext)
  useFocusRefetch(observer)

  // The same state gives the same data: an urgent render during a transition shows the old screen.
  const { shot } = observed
  let reading = (shot.ready ?? (observed.reading ??= observer.readOrFetch())) as Reading<Data>
  if (reading.state !== 'pending') use(fulfilled)
  while (reading.state === 'pending') {
    use(reading.promise)
    reading = observer.readOrFetch()
  }
  if (reading.state === 'error') fail(boundary, observer, reading)
  shot.ready ??= reading
  return reading.data
}

/** Throws the error of a reader, and reports it to the boundary that catches it. */
function fail(boundary: Boundary | undefined, observer: Watched, reading: FailedReading): never {
  boundary?.report(observer, observer, reading, true)
  const trial = boundary?.trialOf(reading.error)
  // Suspends instead of throwing: React would report the same error a second time.
  if (trial !== undefined) use(trial)
  noteThrow()
  throw reading.error
}

const readCached = <Data>(observer: Observer<Data>): CachedReading<Data> => observer.readCached()

/** Reads a call from the cache for a hook that never suspends. */
export function useCached<Data>(
  hook: string,
  endpoint: CacheableEndpoint,
  args: readonly unknown[],
): Data | undefined {
  const observed = useUnawaited(hook, endpoint, args, readCached<Data>, readyWithNothing)
  const { observer, shown } = observed
  const boundary = use(BoundaryContext)
  return shown.state === 'error' ? fail(boundary, observer, shown) : shown.data
}
