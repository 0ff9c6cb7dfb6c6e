import { lastState, lastStateOfLoading, loadLast } from '@selfsame/core/bindings'
import type { LastState, ReadEndpoint } from '@selfsame/core'
import { computed } from 'vue'
import type { Ref } from 'vue'
import type { ComposableArgs, ComposableData, Source } from './arguments.js'
import type { DLERefs } from './use-dle.js'
import { useObserver } from './use-observer.js'

/** What `useLast` gives: readonly shallow refs, which may be taken apart. */
export interface LastRefs<Data> extends Omit<DLERefs<Data>, 'state'> {
  /** The other four as one immutable object, the same until one of them changes. Its type narrows. */
  readonly state: Readonly<Ref<LastState<Data>>>
  /** Whether `data` is that of the arguments before, while that of the new ones is fetched. */
  readonly isLast: Readonly<Ref<boolean>>
}

/**
 * Reads a call like `useDLE`, and keeps the previous data on screen while the call of new arguments is fetched; `isLast` is
 * `true` then. After a reset there is no previous data.
 *
 * @param endpoint - an endpoint that reads, or a ref or getter of one
 * @param args - the endpoint's own arguments, each a value, a ref or a getter, or one getter
 *   that gives a list of all; `null` in the first place reads nothing
 * @returns what `useDLE` gives, and `isLast`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 4.5, The small hooks
 * @example
 * const { data, loading, error, isLast } = useLast(todoResource.getList, () => ({ page: page.value }))
 */
export function useLast<E extends Source<ReadEndpoint>, const Args extends ComposableArgs<E>>(
  endpoint: E,
  ...args: Args
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
