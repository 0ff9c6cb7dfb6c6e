import { activityOf } from '@selfsame/core/bindings'
import type { Controller, MutationState, RequestFilter } from '@selfsame/core'
import { BROWSER } from 'esm-env'
import { untrack } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import { isReactive, toGetter } from './arguments.js'
import type { HookOptions, Reactive } from './arguments.js'
import { findController } from './context.js'
import { startHere } from './start-here.svelte.js'
import type { ValueHandle } from './use-observer.svelte.js'

/**
 * Returns the count of requests under way, reads and mutations, for example for a global progress bar.
 *
 * @param filter - an endpoint, or `[Entity, pk]` for the calls whose params name that record; or a getter or a store of it
 *   @default all requests
 * @param options - the Controller, outside components
 * @returns a handle; its `current` is the count, `0` on a server
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, Requests under way
 * @example
 * const fetching = useFetching()
 * // {#if fetching.current > 0}<progress></progress>{/if}
 */
export function useFetching(
  filter?: Reactive<RequestFilter | undefined>,
  options?: HookOptions,
): ValueHandle<number> {
  const controller = findController('useFetching()', options?.controller)
  const get = toGetter(filter) as () => RequestFilter | undefined
  return handleOf(controller, filter, (activity) => activity.count(get()), 0)
}

/**
 * Returns the mutations that are under way, and those that failed. A failed one is kept while a component that it matches
 * is mounted, until it is dismissed, the same call succeeds, or a reset.
 *
 * @param filter - an endpoint, or `[Entity, pk]` for the calls whose params name that record; or a getter or a store of it
 *   @default all mutations
 * @param options - the Controller, outside components
 * @returns a handle; its `current` is an immutable list, the same until one of them changes; empty on a server
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, Requests under way
 * @example
 * const mutations = useMutations(() => [Todo, id])
 * // {#each mutations.current as { error, dismiss }}<button onclick={dismiss}>{error?.message}</button>{/each}
 */
export function useMutations(
  filter?: Reactive<RequestFilter | undefined>,
  options?: HookOptions,
): ValueHandle<readonly MutationState[]> {
  const controller = findController('useMutations()', options?.controller)
  const get = toGetter(filter) as () => RequestFilter | undefined
  if (BROWSER) {
    startHere(() => {
      $effect(() => activityOf(controller).attend(get()))
    })
  }
  let last: readonly MutationState[] = []
  return handleOf(controller, filter, (activity) => (last = activity.mutations(get(), last)), last)
}

function handleOf<Value>(
  controller: Controller,
  filter: unknown,
  read: (activity: ReturnType<typeof activityOf>) => Value,
  onServer: Value,
): ValueHandle<Value> {
  const activity = activityOf(controller)
  const track = createSubscriber(activity.subscribe)
  const stores = new Set<() => void>()
  const follow = () => {
    read(activity)
    untrack(() => stores.forEach((tell) => tell()))
  }
  // A store has no effect of its own that reads the filter.
  if (BROWSER && isReactive(filter)) {
    startHere(() => {
      $effect.pre(follow)
    })
  }
  return {
    get current() {
      if (!BROWSER) return onServer
      track()
      return read(activity)
    },
    subscribe(run) {
      const readNow = () => (BROWSER ? untrack(() => read(activity)) : onServer)
      let told = readNow()
      run(told)
      const tell = () => {
        const now = readNow()
        if (now !== told) run((told = now))
      }
      stores.add(tell)
      const end = activity.subscribe(tell)
      return () => {
        stores.delete(tell)
        end()
      }
    },
  }
}
