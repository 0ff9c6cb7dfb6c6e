import { PagesObserver, endpointOf, errors, pagesOfLoading } from '@selfsame/core/bindings'
import type {
  Asked,
  DataOf,
  PagesOptions,
  PagesOptionsOf,
  PagesParams,
  PagesState,
  ReadEndpoint,
} from '@selfsame/core'
import { useFocusRefetch } from '#focus'
import { useMemo } from 'react'
import { isOnServer, useBeforePaint, useServed } from './server.js'
import { useAsked } from './use-asked.js'
import { nameOfReader, useProvided } from './use-controller.js'
import { useRepeated, useWatched } from './use-observer.js'

/** The result of `useInfinite`: an immutable object, the same until one of its members changes. */
export type InfiniteList<Data> = PagesState<Data> &
  Asked & {
    /**
     * Fetches the next page, unless it is in flight or there is none. The promise resolves when the request ends, and
     * never rejects.
     */
    readonly fetchNext: () => Promise<void>
    /** Fetches the previous page, as `fetchNext` does the next one. */
    readonly fetchPrevious: () => Promise<void>
  }

const load = <Data>(observer: PagesObserver<Data>): PagesState<Data> =>
  isOnServer() ? observer.state() : observer.load()

/**
 * Reads a list like `useDLE`, and fetches its further pages. The loaded pages are in the cache: all readers of the list
 * show them, and a component that mounts again shows them immediately.
 *
 * @param given - an endpoint of a list with `paginationField`, as `getList` of a resource has
 * @param params - the params of the list; `undefined` for none, `null` to read nothing
 * @param options - `next` returns the params of the page after the loaded data, and `undefined` at the end; `page` is the
 *   endpoint of further pages. Default: `getPage` of the endpoint. `previous` returns the params of the page before the loaded data,
 *   for an endpoint of `bidirectional`
 * @returns `data`, `loading` and `error` as of `useDLE`, where `error` is also that of a further page; `hasNext`,
 *   `isFetchingNext` and `fetchNext`; `hasPrevious`, `isFetchingPrevious` and `fetchPrevious`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`; `argument-invalid` for an endpoint without further pages
 * @see specification 4.4, 4.5, E14
 * @example
 * const { data, hasNext, fetchNext } = useInfinite(articleResource.getList, { author: 2 }, {
 *   next: (articles) => ({ cursor: articles.at(-1)?.id }),
 * })
 */
export function useInfinite<E extends ReadEndpoint, Page extends ReadEndpoint = ReadEndpoint>(
  given: E,
  params: PagesParams<E>,
  options: PagesOptionsOf<E, Page>,
): InfiniteList<DataOf<E>> {
  type Data = DataOf<E>
  const endpoint = endpointOf(given)
  const page = useProvided(nameOfReader, 'useInfinite', endpoint)
  if (typeof endpoint?.key !== 'function') throw errors.notAnEndpoint('useInfinite', endpoint)
  // The signature has checked the types of pages.
  const pages = options as PagesOptions<Data, object>
  const args = params === undefined ? [] : [params]
  const provided = useServed(page, endpoint, args)
  const { controller, calls } = provided
  const call = params === null ? undefined : calls.call(endpoint, args)
  const observed = useWatched(
    provided,
    call,
    (memory, kept?: PagesObserver<Data>) => {
      const observer = kept ?? new PagesObserver<Data>(controller, given, params, pages, memory)
      if (kept === undefined && memory.onScreen !== undefined)
        observer.succeed(memory.onScreen.observer as PagesObserver<Data>)
      observer.follow(given, params, pages)
      return observer
    },
    load<Data>,
    undefined,
    endpoint,
  )
  // `next` of this render may return other params than that of the last one.
  const latest = { ...observed, shown: observed.observer.state() }
  const { observer, shown } = useRepeated(latest, pagesOfLoading)
  useBeforePaint(() => observed.memory.shows(observed, latest.shown))
  useFocusRefetch(observer)
  return useAsked(
    observer,
    useMemo(() => {
      const { fetchNext, fetchPrevious } = observer
      return { ...shown, fetchNext, fetchPrevious }
    }, [shown, observer]),
  )
}
