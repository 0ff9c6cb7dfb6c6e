import type { SmallHook } from '@selfsame/conformance'
import type { ReadEndpoint } from '@selfsame/core'
import {
  useCancelling,
  useDebounce,
  useLast,
  useLoading,
  usePrefetch,
  useSelect,
  useStatus,
} from './src/index.js'

/** Calls a hook as the suite wants it. */
type Use = (endpoint: ReadEndpoint, args: readonly [unknown]) => unknown

/** What readers of the small hooks show. */
export const smallHooks: Readonly<Record<SmallHook, Use>> = {
  useLast: (endpoint, args) => useLast(endpoint, ...args),
  useStatus: (endpoint, args) => useStatus(endpoint, ...args),
  useSelect: (endpoint, args) =>
    useSelect((todo) => (todo as { readonly title: string } | undefined)?.title, endpoint, ...args),
  useLoading(endpoint) {
    const [run, loading, error, lastArgs] = useLoading(endpoint)
    return { run, loading, error, lastArgs }
  },
  useDebounce(_, [value, delayMs]: readonly unknown[]) {
    const [debounced, pending] = useDebounce(value, delayMs as number)
    return { debounced, pending }
  },
  usePrefetch: (endpoint, args) => usePrefetch(endpoint, ...args),
  useCancelling: (endpoint, args) => useCancelling(endpoint, ...args),
}
