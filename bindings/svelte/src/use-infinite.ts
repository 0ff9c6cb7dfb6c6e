import { PagesObserver, plainOf } from '@selfsame/core/bindings'
import type {
  Asked,
  DataOf,
  PagesOptions,
  PagesOptionsOf,
  PagesParams,
  PagesState,
  ReadEndpoint,
} from '@selfsame/core'
import { BROWSER } from 'esm-env'
import type { Readable } from 'svelte/store'
import { nameOf, toGetter } from './arguments.js'
import type { EndpointIn, GivenParams, Reactive } from './arguments.js'
import { findController } from './context.js'
import { toStateHandle } from './use-asked.js'
import { useWatched } from './use-observer.svelte.js'
import { controllerOf } from './with-options.svelte.js'

/**
 * The result of `useInfinite`. Do not destructure it: members that are read from it in markup or `$derived` are
 * tracked.
 */
export interface InfiniteHandle<Data> extends Readable<PagesState<Data>>, Asked {
  /** The list, with all loaded pages. */
  readonly data: Data | undefined
  /** `true` while there is neither data nor an error. */
  readonly loading: boolean
  /** The error of the last request, of the list or of a further page; `undefined` if it succeeded. */
  readonly error: Error | undefined
  /** `true` while `data` is that of the previous params: the reader has the option `keepPrevious`. */
  readonly isLast: boolean
  /** `true` if there is a further page; `false` while there is no data. */
  readonly hasNext: boolean
  /** `true` while the next page is in flight, even if another reader requested it. */
  readonly isFetchingNext: boolean
  /** `true` if there is a previous page; `false` while there is no data, and without the option `previous`. */
  readonly hasPrevious: boolean
  /** `true` while the previous page is in flight, even if another reader requested it. */
  readonly isFetchingPrevious: boolean
  /** All of these, which is also the value of the store: the same object until one of them changes. */
  readonly current: PagesState<Data>
  /**
   * Fetches the next page, unless it is in flight or there is none. The promise resolves when the request ends, and
   * never rejects.
   */
  readonly fetchNext: () => Promise<void>
  /** Fetches the previous page, as `fetchNext` does the next one. */
  readonly fetchPrevious: () => Promise<void>
}

const members = [
  'data',
  'loading',
  'error',
  'isLast',
  'hasNext',
  'isFetchingNext',
  'hasPrevious',
  'isFetchingPrevious',
] as const

const load = <Data>(observer: PagesObserver<Data>): PagesState<Data> =>
  BROWSER ? observer.load() : observer.state()

/**
 * Reads a list like `useDLE`, and fetches its further pages. The loaded pages are in the cache: all readers of the list
 * show them, and a component that mounts again shows them immediately.
 *
 * @param endpoint - an endpoint of a list with `paginationField`, like `getList` of a resource; pass a getter or a
 *   store if it changes
 * @param params - the params of the list, or a getter or a store of them; `undefined` for none, `null` to read
 *   nothing
 * @param options - `next` returns the params of the page after the loaded data, and `undefined` at the end; `page` is
 *   the endpoint of further pages. Default: `getPage` of the endpoint. `previous` returns the params of the page before the
 *   loaded data, for an endpoint of `bidirectional`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`; `argument-invalid` for an endpoint without
 *   further pages
 * @see specification 4.4, 4.5, E14
 * @example
 * const articles = useInfinite(articleResource.getList, () => ({ author }), {
 *   next: (all) => ({ cursor: all.at(-1)?.id }),
 * })
 * // {#if articles.hasNext}<button onclick={articles.fetchNext}>More</button>{/if}
 */
export function useInfinite<
  E extends Reactive<ReadEndpoint>,
  const Params extends Reactive<PagesParams<EndpointIn<E>>>,
  Page extends ReadEndpoint = ReadEndpoint,
>(
  endpoint: E,
  params: GivenParams<E, Params>,
  options: PagesOptionsOf<NoInfer<EndpointIn<E>>, Page>,
): InfiniteHandle<DataOf<EndpointIn<E>>> {
  type Data = DataOf<EndpointIn<E>>
  const name = nameOf('useInfinite', endpoint)
  const controller = findController(name, controllerOf(endpoint))
  // The Observer rejects anything but an endpoint; the signature has checked the types of pages.
  const getEndpoint = toGetter(endpoint) as () => ReadEndpoint
  const getParams = toGetter(params)
  const pages = options as PagesOptions<Data, object>
  const open = (last: PagesObserver<Data> | undefined) => {
    const called = getEndpoint()
    const given = plainOf(getParams())
    if (last?.isOf(called, given) === true) return last
    const next = new PagesObserver<Data>(controller, called, given, pages)
    if (last !== undefined) next.succeed(last)
    return next
  }
  const observed = useWatched(name, open, load<Data>)
  const handle = toStateHandle(observed, load<Data>, members)
  return Object.assign(handle, {
    fetchNext: () => observed.peek().fetchNext(),
    fetchPrevious: () => observed.peek().fetchPrevious(),
  })
}
