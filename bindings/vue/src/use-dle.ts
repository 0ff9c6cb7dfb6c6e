import { stateOfLoading } from '@selfsame/core/bindings'
import type { CallState, ReadEndpoint } from '@selfsame/core'
import type { Ref } from 'vue'
import type { ComposableArgs, ComposableData, Source, GivenArgs } from './arguments.js'
import { askedOf, refsOf } from './use-asked.js'
import type { AskedRefs } from './use-asked.js'
import { useObserver } from './use-observer.js'

/** The result of `useDLE`: readonly shallow refs, which may be destructured. */
export interface DLERefs<Data> extends AskedRefs {
  /**
   * `data`, `loading`, `error` and `isLast` as one immutable object, the same until one of them changes. Unlike refs its
   * type narrows: if it neither loads nor failed, it has data.
   */
  readonly state: Readonly<Ref<CallState<Data>>>
  /** Denormalized data, as `useCache` returns it; stays during a refetch, and beside an error. */
  readonly data: Readonly<Ref<Data | undefined>>
  /** `true` while there is neither data nor an error. A refetch of Stale data is not loading. */
  readonly loading: Readonly<Ref<boolean>>
  /** The error of the last request; `undefined` if it succeeded. */
  readonly error: Readonly<Ref<Error | undefined>>
  /** `true` while `data` is that of the previous arguments: the reader has the option `keepPrevious`. */
  readonly isLast: Readonly<Ref<boolean>>
}

/**
 * Reads a call, fetches it when `useSuspense` would, and returns data, loading and error. It neither waits nor throws
 * the error of a request, so it needs no `await` and no boundary. On a server it sends no request and shows stored
 * data; the page fetches.
 *
 * @param endpoint - an endpoint that reads, or a ref or getter of one
 * @param args - the endpoint's arguments, each a value, a ref or a getter, or one getter that returns the list of
 *   all; a first argument of `null` reads nothing
 * @returns refs, and `refetch`; for `null` there is no data, and `loading` is `false`
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
  ...args: GivenArgs<E, Args>
): DLERefs<ComposableData<E, Args>> {
  type Data = ComposableData<E, Args>
  const observed = useObserver<Data, CallState<Data>>({
    name: 'useDLE',
    endpoint,
    args,
    read: (observer) => observer.load(),
    readOnServer: (observer) => observer.state(),
    blank: () => stateOfLoading,
  })
  return { ...refsOf(observed.shown, ['data', 'loading', 'error', 'isLast']), ...askedOf(observed) }
}
