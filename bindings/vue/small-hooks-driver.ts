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
} from '@selfsame/vue'
import { computed } from 'vue'

/** Calls a hook for the suite. @returns a getter of its value */
type Use = (endpoint: () => ReadEndpoint, args: () => readonly unknown[]) => () => unknown

/** The small hooks. */
export const smallHooks: Readonly<Record<SmallHook, Use>> = {
  useLast(...call) {
    const { data, loading, error, isLast } = useLast(...call)
    return () => ({ data: data.value, loading: loading.value, error: error.value, isLast: isLast.value })
  },
  useStatus(...call) {
    const status = useStatus(...call)
    return () => status.value
  },
  // In Vue, a computed value is the selector.
  useSelect(...call) {
    const todo = useSuspense(...call)
    const title = computed(() => (todo.value as { readonly title: string } | undefined)?.title)
    return () => title.value
  },
  useLoading(endpoint) {
    const { run, loading, error, lastArgs } = useLoading((...args: readonly unknown[]) => endpoint()(...args))
    return () => ({ run, loading: loading.value, error: error.value, lastArgs: lastArgs.value })
  },
  useDebounce(_, args) {
    const debounced = useDebounce(
      () => args()[0],
      () => args()[1] as number,
    )
    return () => ({ debounced: debounced.value, pending: debounced.pending.value })
  },
  usePrefetch(...call) {
    const prefetching = usePrefetch(...call)
    return () => prefetching
  },
  useFetching(_, args) {
    const count = useFetching(() => args()[0] as RequestFilter)
    return () => count.value
  },
  useMutations(_, args) {
    const mutations = useMutations(() => args()[0] as RequestFilter)
    return () => mutations.value
  },
  useOutbox() {
    const outbox = useOutbox()
    return () => outbox.value
  },
  useCancelling(...call) {
    const endpoint = useCancelling(...call)
    return () => endpoint.value
  },
}
