import type { DataOf, ReadEndpoint } from '@selfsame/core'
import { shallowReadonly, shallowRef } from 'vue'
import type { Ref } from 'vue'
import type { ComposableArgs, EndpointIn, Source } from './arguments.js'
import { useObserver } from './use-observer.js'

/** What `useDLE` gives: readonly shallow refs, which may be taken apart. */
export interface DLERefs<Data> {
  /** Denormalized data, as `useCache` gives it; kept while it is fetched anew, and beside an error. */
  readonly data: Readonly<Ref<Data | undefined>>
  /** Whether there is nothing to show yet, neither data nor an error. A fetch of Stale data is not loading. */
  readonly loading: Readonly<Ref<boolean>>
  /** Why the last fetch failed; `undefined` when it did not. */
  readonly error: Readonly<Ref<Error | undefined>>
}

/**
 * Reads a call, fetching where `useSuspense` does, and gives data, loading and error side by side. Waits for nothing
 * and throws no error of a fetch, so it needs neither `await` nor a boundary.
 *
 * @param endpoint - an endpoint that reads, or a ref or getter of one
 * @param args - the endpoint's own arguments, each a value, a ref or a getter, or one getter
 *   that gives a list of all; `null` in the first place reads nothing
 * @returns three refs; for `null` arguments there is no data, and it is not loading
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 3, 4.5, F1
 * @example
 * const { data, loading, error } = useDLE(todoResource.get, () => ({ id: props.id }))
 */
export function useDLE<E extends Source<ReadEndpoint>, const Args extends ComposableArgs<E>>(
  endpoint: E,
  ...args: Args
): DLERefs<DataOf<EndpointIn<E>>> {
  type Data = DataOf<EndpointIn<E>>
  const data = shallowRef<Data>()
  const loading = shallowRef(false)
  const error = shallowRef<Error>()
  useObserver<Data>({
    name: 'useDLE',
    endpoint,
    args,
    // `fetching`, because a request may end without data and without an error.
    facets: ['data', 'error', 'fetching'],
    show(observer) {
      const state = observer.load()
      data.value = state.data
      loading.value = state.loading
      error.value = state.error
    },
  })
  return { data: shallowReadonly(data), loading: shallowReadonly(loading), error: shallowReadonly(error) }
}
