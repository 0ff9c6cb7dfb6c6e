import { activityOf } from '@selfsame/core/bindings'
import type { MutationState, RequestFilter } from '@selfsame/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useControllerFor } from './use-controller.js'

const none: readonly MutationState[] = Object.freeze([])

/**
 * Returns the count of requests under way, reads and mutations, for example for a global progress bar.
 *
 * @param filter - an endpoint, or `[Entity, pk]` for the calls whose params name that record @default all requests
 * @returns the count; `0` on a server
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, Requests under way
 * @example
 * const isBusy = useFetching() > 0
 */
export function useFetching(filter?: RequestFilter): number {
  const activity = activityOf(useControllerFor('useFetching()'))
  return useSyncExternalStore(
    activity.subscribe,
    () => activity.count(filter),
    () => 0,
  )
}

/**
 * Returns the mutations that are under way, and those that failed. A failed one is kept while a component that it matches
 * is mounted, until it is dismissed, the same call succeeds, or a reset.
 *
 * @param filter - an endpoint, or `[Entity, pk]` for the calls whose params name that record @default all mutations
 * @returns an immutable list, the same until one of them changes; empty on a server
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, Requests under way
 * @example
 * const failed = useMutations([Todo, 5]).filter(({ error }) => error)
 * return failed.map(({ error, dismiss }) => <button onClick={dismiss}>{error.message}</button>)
 */
export function useMutations(filter?: RequestFilter): readonly MutationState[] {
  const activity = activityOf(useControllerFor('useMutations()'))
  const [last] = useState(() => ({ list: none }))
  const read = () => (last.list = activity.mutations(filter, last.list))
  const [of, pk]: readonly unknown[] = Array.isArray(filter) ? filter : [filter]
  // A filter may be a new array in each render.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => activity.attend(filter), [activity, of, pk])
  return useSyncExternalStore(activity.subscribe, read, () => none)
}
