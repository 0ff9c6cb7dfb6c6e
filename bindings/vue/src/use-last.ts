import { lastState, lastStateOfLoading, loadLast } from '@selfsame/core/bindings'
import type { LastState, ReadEndpoint } from '@selfsame/core'
import { computed } from 'vue'
import type { Ref } from 'vue'
import type { ComposableArgs, ComposableData, Source, GivenArgs } from './arguments.js'
import type { DLERefs } from './use-dle.js'
import { useObserver } from './use-observer.js'

/** The result of `useLast`: readonly shallow refs, which may be destructured. */
export interface LastRefs<Data> extends Omit<DLERefs<Data>, 'state'> {
  /** The four others as one immutable object, the same until one of them changes. Its type narrows. */
  readonly state: Readonly<Ref<LastState<Data>>>
  /** `true` while `data` belongs to the previous arguments, because the call of the new ones is being fetched. */
  readonly isLast: Readonly<Ref<boolean>>
}

/**
 * Reads a call like `useDLE`, and keeps the previous data on screen while the call of new arguments is fetched.
 * Meanwhile `isLast` is `true`. A reset removes the previous data.
 *
 * @param endpoint - an endpoint that reads, or a ref or getter of one
 * @param args - the endpoint's arguments, each a value, a ref or a getter, or one getter that returns the list of
 *   all; a first argument of `null` reads nothing
 * @returns the refs of `useDLE`, and `isLast`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 4.5, The small hooks
 * @example
 * const { data, loading, error, isLast } = useLast(todoResource.getList, () => ({ page: page.value }))
 */
export function useLast<E extends Source<ReadEndpoint>, const Args extends ComposableArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, Args>
): LastRefs<ComposableData<E, Args>> {
  type Data = ComposableData<E, Args>
  const { shown: state } = useObserver<Data, LastState<Data>>({
    name: 'useLast',
    endpoint,
    args,
    read: loadLast,
    readOnServer: lastState,
    blank: [lastStateOfLoading],
  })
  return {
    state,
    data: computed(() => state.value.data),
    loading: computed(() => state.value.loading),
    error: computed(() => state.value.error),
    isLast: computed(() => state.value.isLast),
  }
}
