import type { Asked, CallState, PagesOptionsOf, Queryable, ReadCalls, ReadEndpoint } from '@selfsame/core'
import type { ReadHook } from '@selfsame/conformance'
import { legacyHooks } from './legacy-hooks-driver.js'
import type { Use } from './legacy-hooks-driver.js'
import { smallHooks } from './small-hooks-driver.js'
import type { UseEndpoint } from './small-hooks-driver.js'
import {
  useCache,
  useDLE,
  useDLEAll,
  useFetch,
  useInfinite,
  useLive,
  useProgress,
  useQuery,
  useSubscription,
  useSuspense,
  useSuspenseAll,
} from './src/index.js'
import type { Debounced } from './src/index.js'

const useDataAndState: UseEndpoint = (endpoint, args) => {
  const state = useDLE(endpoint, ...args)
  return { data: useSuspense(endpoint, ...args), state }
}

const useConnectedData: UseEndpoint = (endpoint, args) => {
  useSubscription(endpoint, ...args)
  return useSuspense(endpoint, ...args)
}

const endpointHooks = {
  useSuspense: (endpoint, args) => useSuspense(endpoint, ...args),
  useCache: (endpoint, args) => useCache(endpoint, ...args),
  useFetch: (endpoint, args) => useFetch(endpoint, ...args),
  useDLE: (endpoint, args) => useDLE(endpoint, ...args),
  'useDLE with fetching': (endpoint, args) => useDLE(endpoint, ...args),
  'useSuspense and useDLE': useDataAndState,
  'useSubscription and useSuspense': useConnectedData,
  'useSuspense unread': (endpoint, args) => useSuspense(endpoint, ...args),
  useProgress: (endpoint, args) => useProgress(endpoint, ...args),
  useLive: (endpoint, args) => useLive(endpoint, ...args),
  useSubscription: (endpoint, args) => useSubscription(endpoint, ...args),
  useInfinite: (endpoint, [params, options]: readonly unknown[]) =>
    useInfinite(endpoint, params as object, options as PagesOptionsOf<ReadEndpoint, ReadEndpoint>),
} satisfies Record<string, UseEndpoint>

const callsHooks = {
  useSuspenseAll: (_, [calls]) => useSuspenseAll(calls as ReadCalls as readonly [[ReadEndpoint, null]]),
  useDLEAll: (_, [calls]) => useDLEAll(calls as ReadCalls as readonly [[ReadEndpoint, null]]),
  useQuery: (queryable, args) => useQuery(queryable as Queryable, ...(args as readonly [null])),
} satisfies Record<string, Use>

/** All hooks, called as the suite wants it. React Compiler cannot compile them: it has no spread arguments of hooks. */
export const readHooks = {
  ...endpointHooks,
  ...callsHooks,
  ...smallHooks,
  ...legacyHooks,
  // The suite gives each hook the target that it takes.
} as Readonly<Record<ReadHook, Use>>

function shownOf({ data, loading, error }: CallState) {
  return { data, loading, error }
}

/** What readers show of the results of hooks: without what a component does not read. The others show the result. */
export const shownOfResult: { readonly [Hook in ReadHook]?: (result: never) => unknown } = {
  useDLE: shownOf,
  'useDLE with fetching': ({ data, fetching, isLast, loading, error, refetch }: CallState & Asked) => {
    return { data, loading, error, isLast, fetching, refetch }
  },
  'useSuspense and useDLE': ({ data, state }: { readonly data: unknown; readonly state: CallState }) => [
    data,
    shownOf(state),
  ],
  'useSuspense unread': () => undefined,
  useDLEAll: ({ fetching, ...state }: Asked) => ({ ...state, fetching }),
  useLast: ({ data, loading, error, isLast }: CallState & Asked) => ({ data, loading, error, isLast }),
  useDebounce: ({ value, pending }: Debounced<unknown>) => ({ debounced: value, pending }),
}
