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
  useStatus,
  useSuspense,
} from '../src/index.js'

/** Calls a hook for the suite. @returns a getter of its value */
type Use = (endpoint: () => ReadEndpoint, args: () => readonly [null]) => () => unknown

/** The small hooks. */
export const smallHooks: Readonly<Record<SmallHook, Use>> = {
  useLast(...call) {
    const last = useLast(...call)
    return () => ({ data: last.data, loading: last.loading, error: last.error, isLast: last.isLast })
  },
  useStatus(...call) {
    const status = useStatus(...call)
    return () => status.current
  },
  // In Svelte, a derived value is the selector.
  useSelect(...call) {
    const todo = useSuspense(...call)
    const title = $derived((todo.current as { readonly title: string } | undefined)?.title)
    return () => title
  },
  useLoading(endpoint) {
    const loading = useLoading((...args: readonly unknown[]) => endpoint()(...args))
    return () => ({
      run: loading.run,
      loading: loading.loading,
      error: loading.error,
      lastArgs: loading.lastArgs,
    })
  },
  useDebounce(_, args) {
    const given: () => readonly unknown[] = args
    const debounced = useDebounce(() => given()[0], given()[1] as number)
    return () => ({ debounced: debounced.current, pending: debounced.pending })
  },
  usePrefetch(...call) {
    const prefetching = usePrefetch(...call)
    return () => prefetching
  },
  useFetching(_, args) {
    const given: () => readonly unknown[] = args
    const count = useFetching(() => given()[0] as RequestFilter)
    return () => count.current
  },
  useMutations(_, args) {
    const given: () => readonly unknown[] = args
    const mutations = useMutations(() => given()[0] as RequestFilter)
    return () => mutations.current
  },
  useOutbox() {
    const outbox = useOutbox()
    return () => outbox.current
  },
  useCancelling(...call) {
    const endpoint = useCancelling(...call)
    return () => endpoint.current
  },
}
