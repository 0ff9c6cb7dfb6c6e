import { LatestRun } from '@selfsame/core/bindings'
import type { RunState } from '@selfsame/core'
import { computed, getCurrentScope, onScopeDispose, shallowRef } from 'vue'
import type { Ref } from 'vue'

/** What `useLoading` gives: readonly shallow refs, which may be taken apart, and the function that runs. */
export interface LoadingRefs<Args extends readonly unknown[], Result> {
  /**
   * Takes the arguments, and gives what to await: the result of the function, or what that rejects with. Nothing reports that as
   * unhandled, and Vue neither when an event handler gives it back: it is no whole promise, and has no `catch`.
   */
  readonly run: (...args: Args) => PromiseLike<Result>
  /** Whether the latest run is in flight. */
  readonly loading: Readonly<Ref<boolean>>
  /** Why it failed; `undefined` when it was aborted. Anything but an Error is wrapped in one, as its `cause`. */
  readonly error: Readonly<Ref<Error | undefined>>
  /** What it was called with; `undefined` before the first run. */
  readonly lastArgs: Readonly<Ref<Args | undefined>>
}

/**
 * Runs an asynchronous function, as the `@submit` of a form does, and tells how the latest run fares: one that began
 * earlier and ends later changes nothing. Needs no provider.
 *
 * @param asyncFunction - what is run
 * @returns `run`, and three refs
 * @see specification 4.5, The small hooks
 * @example
 * const { run: save, loading, error } = useLoading((title: string) => controller.fetch(todoResource.create, { title }))
 */
export function useLoading<Args extends readonly unknown[], Result>(
  asyncFunction: (...args: Args) => Result | Promise<Result>,
): LoadingRefs<Args, Result> {
  const latest = new LatestRun(asyncFunction)
  const state = shallowRef<RunState<Args>>(latest.getSnapshot())
  const end = latest.subscribe(() => (state.value = latest.getSnapshot()))
  if (getCurrentScope() !== undefined) onScopeDispose(end)
  return {
    run: (...args) => awaitable(latest.run(...args)),
    loading: computed(() => state.value.loading),
    error: computed(() => state.value.error),
    lastArgs: computed(() => state.value.lastArgs),
  }
}

/** Vue passes what a handler's promise rejects with to the error handler of the application, though the form shows it already. */
function awaitable<Result>(promise: Promise<Result>): PromiseLike<Result> {
  // eslint-disable-next-line unicorn/no-thenable -- it is there to be awaited
  return { then: promise.then.bind(promise) }
}
