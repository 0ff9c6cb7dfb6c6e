import type { SmallHook } from '@selfsame/conformance'
import type { ReadEndpoint, RequestFilter } from '@selfsame/core'
import {
  useCancelling,
  useDebounce,
  useFetching,
  useLast,
  useLoading,
  useMutations,
  useOutbox,
  usePrefetch,
  useSelect,
  useStatus,
} from './src/index.js'

/** Calls a hook of an endpoint. */
export type UseEndpoint = (endpoint: ReadEndpoint, args: readonly [unknown]) => unknown

/** The small hooks, called as the suite wants it. */
export const smallHooks: Readonly<Record<SmallHook, UseEndpoint>> = {
  useLast: (endpoint, args) => useLast(endpoint, ...args),
  useStatus: (endpoint, args) => useStatus(endpoint, ...args),
  useSelect: (endpoint, args) =>
    useSelect(endpoint, (todo) => (todo as { readonly title: string } | undefined)?.title, ...args),
  useLoading: (endpoint) => useLoading(endpoint),
  useDebounce: (_, [value, delayMs]: readonly unknown[]) => useDebounce(value, delayMs as number),
  usePrefetch: (endpoint, args) => usePrefetch(endpoint, ...args),
  useFetching: (_, [filter]) => useFetching(filter as RequestFilter),
  useMutations: (_, [filter]) => useMutations(filter as RequestFilter),
  useOutbox: () => useOutbox(),
  useCancelling: (endpoint, args) => useCancelling(endpoint, ...args),
}
