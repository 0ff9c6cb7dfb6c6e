import { stateOfLoading } from '@selfsame/core/bindings'
import type { CallState, ReadEndpoint } from '@selfsame/core'
import { computed } from 'vue'
import type { Ref } from 'vue'
import type { ComposableArgs, ComposableData, Source } from './arguments.js'
import { useObserver } from './use-observer.js'

/** What `useDLE` gives: readonly shallow refs, which may be taken apart. */
export interface DLERefs<Data> {
  /**
   * The other three as one immutable object, the same until one of them changes. Its type narrows, which three refs
   * cannot: what neither loads nor failed has its data.
   */
  readonly state: Readonly<Ref<CallState<Data>>>
  /** Denormalized data, as `useCache` gives it; kept while it is fetched anew, and beside an error. */
  readonly data: Readonly<Ref<Data | undefined>>
  /** Whether there is nothing to show yet, neither data nor an error. A fetch of Stale data is not loading. */
  readonly loading: Readonly<Ref<boolean>>
  /** Why the last fetch failed; `undefined` when it did not. */
  readonly error: Readonly<Ref<Error | undefined>>
}

/**
 * Reads a call, fetching where `useSuspense` does, and gives data, loading and error side by side. Waits for nothing
 * and throws no error of a fetch, so it needs neither `await` nor a boundary. On a server it fetches nothing, and shows
 * what is there: the page asks.
 *
 * @param endpoint - an endpoint that reads, or a ref or getter of one
 * @param args - the endpoint's own arguments, each a value, a ref or a getter, or one getter
 *   that gives a list of all; `null` in the first place reads nothing
 * @returns four refs; for `null` arguments there is no data, and it is not loading
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 3, 4.5, F1
 * @example
 * const { data, loading, error } = useDLE(todoResource.get, () => ({ id: props.id }))
 *
 * const { state } = useDLE(todoResource.get, () => ({ id: props.id }))
 * // <p v-if="state.loading">…</p><p v-else-if="state.error">{{ state.error.message }}</p><h1 v-else>{{ state.data.title }}</h1>
 */
export function useDLE<E extends Source<ReadEndpoint>, const Args extends ComposableArgs<E>>(
  endpoint: E,
  ...args: Args
): DLERefs<ComposableData<E, Args>> {
  type Data = ComposableData<E, Args>
  const { shown: state } = useObserver<Data, CallState<Data>>({
    name: 'useDLE',
    endpoint,
    args,
    read: (observer) => observer.load(),
    readOnServer: (observer) => observer.state(),
    blank: [stateOfLoading],
  })
  return {
    state,
    data: computed(() => state.value.data),
    loading: computed(() => state.value.loading),
    error: computed(() => state.value.error),
  }
}
