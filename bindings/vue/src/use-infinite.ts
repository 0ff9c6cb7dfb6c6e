import { Hold, PagesObserver, pagesOfLoading } from '@selfsame/core/bindings'
import type {
  DataOf,
  PagesOptions,
  PagesOptionsOf,
  PagesParams,
  PagesState,
  ReadEndpoint,
} from '@selfsame/core'
import type { MaybeRefOrGetter, Ref } from 'vue'
import { argsOf, describeCall, sourceOf } from './arguments.js'
import type { EndpointIn, Source, GivenParams } from './arguments.js'
import { injectController } from './context.js'
import { askedOf, refsOf } from './use-asked.js'
import type { AskedRefs } from './use-asked.js'
import { useWatched } from './use-observer.js'
import type { Served } from './use-observer.js'

/** The result of `useInfinite`: readonly shallow refs, which may be destructured. */
export interface InfiniteRefs<Data> extends AskedRefs {
  /** The others as one immutable object, the same until one of them changes. Its type narrows. */
  readonly state: Readonly<Ref<PagesState<Data>>>
  /** The list, with all loaded pages. */
  readonly data: Readonly<Ref<Data | undefined>>
  /** `true` while there is neither data nor an error. */
  readonly loading: Readonly<Ref<boolean>>
  /** The error of the last request, of the list or of a further page; `undefined` if it succeeded. */
  readonly error: Readonly<Ref<Error | undefined>>
  /** `true` while `data` is that of the previous params: the reader has the option `keepPrevious`. */
  readonly isLast: Readonly<Ref<boolean>>
  /** `true` if there is a further page; `false` while there is no data. */
  readonly hasNext: Readonly<Ref<boolean>>
  /** `true` while the next page is in flight, even if another reader requested it. */
  readonly isFetchingNext: Readonly<Ref<boolean>>
  /** `true` if there is a previous page; `false` while there is no data, and without the option `previous`. */
  readonly hasPrevious: Readonly<Ref<boolean>>
  /** `true` while the previous page is in flight, even if another reader requested it. */
  readonly isFetchingPrevious: Readonly<Ref<boolean>>
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

/**
 * Reads a list like `useDLE`, and fetches its further pages. The loaded pages are in the cache: all readers of the list
 * show them, and a component that mounts again shows them immediately.
 *
 * @param endpoint - an endpoint of a list with `paginationField`, as `getList` of a resource has; or a ref or getter of one
 * @param params - the params of the list, or a ref or getter of them; `undefined` for none, `null` to read nothing
 * @param options - `next` returns the params of the page after the loaded data, and `undefined` at the end; `page` is the
 *   endpoint of further pages. Default: `getPage` of the endpoint. `previous` returns the params of the page before the loaded data,
 *   for an endpoint of `bidirectional`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`; `argument-invalid` for an
 *   endpoint without further pages
 * @see specification 4.4, 4.5, E14
 * @example
 * const { data, hasNext, fetchNext } = useInfinite(articleResource.getList, () => ({ author: props.author }), {
 *   next: (articles) => ({ cursor: articles.at(-1)?.id }),
 * })
 */
export function useInfinite<
  E extends Source<ReadEndpoint>,
  const Params extends MaybeRefOrGetter<PagesParams<EndpointIn<E>>>,
  Page extends ReadEndpoint = ReadEndpoint,
>(
  endpoint: E,
  params: GivenParams<E, Params>,
  options: PagesOptionsOf<NoInfer<EndpointIn<E>>, Page>,
): InfiniteRefs<DataOf<EndpointIn<E>>> {
  type Data = DataOf<EndpointIn<E>>
  const call = () => describeCall('useInfinite', endpoint)
  const controller = injectController(call)
  // The signature has checked the types of pages.
  const pages = options as PagesOptions<Data, object>
  const hold = new Hold()
  const make = (last: PagesObserver<Data> | undefined, served: Served) => {
    const called = sourceOf<ReadEndpoint>(endpoint)
    const [given] = argsOf([params])
    if (last?.isOf(called, given) === true) return last
    const from = served(called, given === undefined ? [] : [given]) ?? controller
    const next = new PagesObserver<Data>(from, called, given, pages, hold)
    if (last !== undefined) next.succeed(last)
    return next
  }
  const observed = useWatched<PagesState<Data>, PagesObserver<Data>>(controller, call, make, {
    read: (current) => current.load(),
    readOnServer: (current) => current.state(),
    blank: () => pagesOfLoading,
  })
  return {
    ...refsOf(observed.shown, members),
    ...askedOf(observed),
    fetchNext: () => observed.observer.value.fetchNext(),
    fetchPrevious: () => observed.observer.value.fetchPrevious(),
  }
}
