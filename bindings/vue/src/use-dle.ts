import type { DataOf, ReadEndpoint } from '@selfsame/core'
import type { Ref } from 'vue'
import type { ComposableArgs, EndpointIn, Source } from './arguments.js'
import { createOwnedRef } from './owned-ref.js'
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
  const data = createOwnedRef<Data | undefined>(undefined)
  const loading = createOwnedRef(false)
  const error = createOwnedRef<Error | undefined>(undefined)
  useObserver<Data>({
    name: 'useDLE',
    endpoint,
    args,
    // `fetching`, because a request may end without data and without an error.
    facets: ['data', 'error', 'fetching'],
    show(observer) {
      const state = observer.load()
      data.set(state.data)
      loading.set(state.loading)
      error.set(state.error)
    },
  })
  return { data: data.ref, loading: loading.ref, error: error.ref }
}
