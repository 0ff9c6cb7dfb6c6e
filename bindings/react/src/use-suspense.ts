import type { ArgsOf, CallState, DataForArgs, DataOf, NullableArgs, ReadEndpoint } from '@selfsame/core'
import type { Observer, Watched } from '@selfsame/core/bindings'
import { useFocusRefetch } from '#focus'
import { useMemo } from 'react'
import { BoundaryContext } from './context.js'
import { fulfilled, useObserver } from './use-observer.js'
import { use } from './use.js'

const readState = (observer: Observer): CallState => observer.state()
const ask = (observer: Observer): void => observer.ask()

/**
 * Reads a call, fetching where that is needed. Invalid data is waited for: the nearest `<Suspense>` shows its
 * fallback, or in a transition the old screen stays. Stale data is shown and fetched anew meanwhile.
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
  ...args: A
): DataForArgs<E, A> {
  const { observer, shown } = useObserver('useSuspense', endpoint, args, readState, ask)
  // The data of a call with arguments; without any it is undefined, as the type says.
  return useReading(observer, shown) as DataOf<E> as DataForArgs<E, A>
}

/**
 * Waits for what an observer reads, throws its error, or gives its data.
 *
 * @param shown - the state of the store that this render shows
 */
export function useReading<Data>(observer: Watched<Data>, shown: unknown): Data {
  const boundary = use(BoundaryContext)
  useFocusRefetch(observer)

  // As long as the same state is shown, so is its data: an urgent render during a transition shows the old screen.
  // eslint-disable-next-line react/memo-dependencies, react-hooks/exhaustive-deps
  let reading = useMemo(() => observer.reading(), [observer, shown])
  if (reading.state !== 'pending') use(fulfilled)
  while (reading.state === 'pending') {
    use(reading.promise)
    reading = observer.reading()
  }
  if (reading.state === 'error') {
    boundary?.report(observer, observer, reading, true)
    const trial = boundary?.trialOf(reading.error)
    // What is thrown again would be reported again.
    if (trial !== undefined) use(trial)
    throw reading.error
  }
  return reading.data
}
