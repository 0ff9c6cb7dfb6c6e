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

/** Calls a hook as the suite wants it. */
type Use = (endpoint: ReadEndpoint, args: readonly [unknown]) => unknown

/** What readers of the small hooks show. */
export const smallHooks: Readonly<Record<SmallHook, Use>> = {
  useLast(endpoint, args) {
    const { data, loading, error, isLast } = useLast(endpoint, ...args)
    return { data, loading, error, isLast }
  },
  useStatus: (endpoint, args) => useStatus(endpoint, ...args),
  useSelect: (endpoint, args) =>
    useSelect(endpoint, (todo) => (todo as { readonly title: string } | undefined)?.title, ...args),
  useLoading(endpoint) {
    return useLoading(endpoint)
  },
  useDebounce(_, [value, delayMs]: readonly unknown[]) {
    const { value: debounced, pending } = useDebounce(value, delayMs as number)
    return { debounced, pending }
  },
  usePrefetch: (endpoint, args) => usePrefetch(endpoint, ...args),
  useFetching: (_, [filter]) => useFetching(filter as RequestFilter),
  useMutations: (_, [filter]) => useMutations(filter as RequestFilter),
  useOutbox: () => useOutbox(),
  useCancelling: (endpoint, args) => useCancelling(endpoint, ...args),
}
