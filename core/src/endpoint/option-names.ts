import { development } from '#development'
import { warn } from '../errors.js'

/** The options of all kinds of endpoints, of resources, and of the policies of this package. */
const knownOptions: readonly string[] = development
  ? [
      'name schema sideEffect key testKey update dataExpiryLength errorExpiryLength pollFrequency pollWhileHidden stream',
      'errorPolicy mayBeEmpty invalidIfStale policy dispose getOptimisticResponse validate signal ownsPayload fetch url',
      'retry refetchOnFocus refetchOnReconnect refetchOnInterval pauseOffline throttle outbox',
      'path urlPrefix method searchParams body paginationField paginatedList refetchPages memberPath content process',
      'getPreviousPage searchToString getHeaders getRequestInit fetchResponse parseResponse',
      'optimistic nonFilterArgumentKeys placeArgumentKeys orderArgumentKeys limitArgumentKeys filter orderBy',
      'Endpoint Collection',
    ].flatMap((names) => names.split(' '))
  : []

const policy = (name: string) => `add \`${name}()\` of @selfsame/core/policies to the Controller`
const polling = 'set `pollFrequency`, and read with useLive() or useSubscription()'
const middleware = 'await controller.fetch(), or write a middleware'
const nothing = 'pass `null` instead of the arguments'
const expected = 'write `getOptimisticResponse: optimistic(…)`'
const url = 'set `path` and `urlPrefix`'

/** What to do in place of options of other libraries, and of the older generations. */
const foreignOptions: ReadonlyMap<string, string> = new Map(
  development
    ? Object.entries({
        'staleTime dedupingInterval keepUnusedDataFor dedupe': 'set `dataExpiryLength`',
        'gcTime cacheTime': 'set `keepLength` of the Controller',
        'refetchInterval refreshInterval pollInterval pollingInterval': polling,
        'refetchOnWindowFocus revalidateOnFocus': policy('refetchOnFocus'),
        revalidateOnReconnect: policy('refetchOnReconnect'),
        'retryDelay retryCount errorRetryCount errorRetryInterval onErrorRetry': policy('retry'),
        networkMode: policy('pauseOffline'),
        'enabled skip': nothing,
        'onSuccess onError onSettled onCompleted onQueryStarted': middleware,
        'onMutate optimisticData optimisticResponse optimisticUpdate': expected,
        'keepPreviousData placeholderData':
          'read with useLast(), or withOptions(endpoint, { keepPrevious: true })',
        'initialData fallbackData': 'call controller.setResponse() before the first render',
        select: 'read with a Query, or with useSelect()',
        'queryKey mutationKey getFetchKey': 'leave it out: method and address are the key. Or set `key`',
        'queryFn mutationFn fetcher': 'pass the function to new Endpoint()',
        transformResponse: 'set `process`',
        'providesTags invalidatesTags refetchQueries':
          'leave it out: a response updates each reader of its records. Or call controller.expireAll()',
        fetchPolicy: 'set `policy`',
        'getNextPageParam initialPageParam': 'pass `next` to useInfinite()',
        getPreviousPageParam: 'use bidirectional(), and pass `previous` to useInfinite()',
        'suspense throwOnError useErrorBoundary': 'read with useSuspense()',
        'requestInit fetchOptions fetchInit getFetchInit useFetchInit getFetchOptions fetchOptionsPlugin':
          'set `getRequestInit` or `getHeaders`',
        headers: 'set `getHeaders`',
        'baseURL baseUrl urlRoot': url,
        params: 'pass them with the call',
      }).flatMap(([names, remedy]) => names.split(' ').map((name) => [name, remedy] as const))
    : [],
)

/** The options that were told. */
const warnedOptions = new Set<string>()

/**
 * Warns of an option that is likely a misspelling, or one of another library, once for each. For development.
 *
 * @param fallback - the name of an endpoint that is given none
 * @param endpoint - an option that its class has, or names in its source, is none
 */
export function warnOfMisspelling(
  endpoint: object,
  fallback: string,
  options: { readonly name?: unknown; readonly path?: unknown },
): void {
  const name =
    options.name ?? (options.path === undefined ? fallback : `An endpoint of ${String(options.path)}`)
  for (const option of Object.keys(options)) {
    if (knownOptions.includes(option) || option in endpoint || warnedOptions.has(option)) continue
    const meant = nearest(option)
    const remedy = foreignOptions.get(option) ?? (meant && `did you mean "${meant}"?`)
    if (remedy === undefined || isNamedInClass(endpoint, option)) continue
    warnedOptions.add(option)
    warn(`${String(name)} has the option "${option}", which nothing reads. ${sentence(remedy)}`)
  }
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${text.endsWith('?') ? '' : '.'}`
}

/** A subclass that reads an option names it. The classes of this package have a `callWith`. */
function isNamedInClass(endpoint: object, option: string): boolean {
  let Class = endpoint.constructor
  for (
    ;
    !Object.hasOwn(Class.prototype as object, 'callWith');
    Class = Object.getPrototypeOf(Class) as typeof Class
  )
    if (wordsOf(Class).has(option)) return true
  return false
}

/** The words in the source of a class: the start of a longer name is none. */
function wordsOf(Class: object): ReadonlySet<string> {
  return new Set(String(Class as () => unknown).split(/[^\w$]+/))
}

function nearest(option: string): string | undefined {
  const tolerance = option.length > 6 ? 2 : 1
  return knownOptions.find(
    (name) => name !== option && distanceOf(name.toLowerCase(), option.toLowerCase()) <= tolerance,
  )
}

/** The count of letters to change, add, remove or swap with the next (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      next[column] = Math.min(
        (last?.[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last?.[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before?.[column - 2] ?? 0) + 1 : Infinity,
      )
    }
    ;[before, last] = [last, next]
  }
  return last?.[b.length] ?? 0
}
