import { activityOf } from '@selfsame/core/bindings'
import type { MutationState, RequestFilter } from '@selfsame/core'
import { computed, getCurrentScope, onScopeDispose, shallowRef, toValue, triggerRef, watch } from 'vue'
import type { MaybeRefOrGetter, Ref } from 'vue'
import { injectController, isOnServer } from './context.js'

/**
 * Returns the count of requests under way, reads and mutations, for example for a global progress bar.
 *
 * @param filter - an endpoint, or `[Entity, pk]` for the calls whose params name that record; or a ref or getter of it
 *   @default all requests
 * @returns a readonly ref of the count; of `0` on a server
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 4.5, Requests under way
 * @example
 * const fetching = useFetching()
 * // <progress v-if="fetching > 0" />
 */
export function useFetching(filter?: MaybeRefOrGetter<RequestFilter | undefined>): Readonly<Ref<number>> {
  return useActivity('useFetching()', (activity) => activity.count(filterOf(filter)), 0)
}

/**
 * Returns the mutations that are under way, and those that failed. A failed one is kept while a component that it matches
 * is mounted, until it is dismissed, the same call succeeds, or a reset.
 *
 * @param filter - an endpoint, or `[Entity, pk]` for the calls whose params name that record; or a ref or getter of it
 *   @default all mutations
 * @returns a readonly ref of an immutable list, the same until one of them changes; empty on a server
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 4.5, Requests under way
 * @example
 * const mutations = useMutations(() => [Todo, props.id])
 * // <p v-for="{ error, dismiss } in mutations" @click="dismiss">{{ error?.message }}</p>
 */
export function useMutations(
  filter?: MaybeRefOrGetter<RequestFilter | undefined>,
): Readonly<Ref<readonly MutationState[]>> {
  let last: readonly MutationState[] = []
  return useActivity(
    'useMutations()',
    (activity) => (last = activity.mutations(filterOf(filter), last)),
    last,
    (activity) => {
      let end: (() => void) | undefined
      const follow = (of: RequestFilter | undefined) => {
        const before = end
        end = activity.attend(of)
        before?.()
      }
      watch(() => filterOf(filter), follow, { immediate: true })
      onEnd(() => end?.())
    },
  )
}

type Activity = ReturnType<typeof activityOf>

function useActivity<Value>(
  call: string,
  read: (activity: Activity) => Value,
  onServer: Value,
  attend: (activity: Activity) => void = () => {},
): Readonly<Ref<Value>> {
  const controller = injectController(() => call)
  if (isOnServer(controller)) return shallowRef(onServer)
  const activity = activityOf(controller)
  const changes = shallowRef(0)
  onEnd(activity.subscribe(() => triggerRef(changes)))
  attend(activity)
  return computed(() => {
    void changes.value
    return read(activity)
  })
}

/** Without a scope nothing ends it. */
function onEnd(end: () => void): void {
  if (getCurrentScope() !== undefined) onScopeDispose(end)
}

/** An endpoint is a function too, but no getter. */
function filterOf(filter: MaybeRefOrGetter<RequestFilter | undefined>): RequestFilter | undefined {
  return typeof filter === 'function' && 'testKey' in filter ? (filter as RequestFilter) : toValue(filter)
}
