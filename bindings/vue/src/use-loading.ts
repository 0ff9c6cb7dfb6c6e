import { LatestRun } from '@selfsame/core/bindings'
import type { RunState } from '@selfsame/core'
import { computed, getCurrentScope, onScopeDispose, shallowRef } from 'vue'
import type { Ref } from 'vue'

/** The result of `useLoading`: the function that runs, and readonly shallow refs. All may be destructured. */
export interface LoadingRefs<Args extends readonly unknown[], Result> {
  /**
   * Takes the arguments, and returns an awaitable of the function's result, which rejects like the function. A
   * rejection is not reported as unhandled, and Vue does not report it if an event handler returns it, because the
   * awaitable is no whole promise: it has no `catch`.
   */
  readonly run: (...args: Args) => PromiseLike<Result>
  /** `true` while the latest run is in flight. */
  readonly loading: Readonly<Ref<boolean>>
  /**
   * Why the latest run failed; `undefined` if it was aborted or dropped by `resetAll`. A value that is not an Error is
   * wrapped in one, as its `cause`.
   */
  readonly error: Readonly<Ref<Error | undefined>>
  /** The arguments of the latest run; `undefined` before the first. */
  readonly lastArgs: Readonly<Ref<Args | undefined>>
}

/**
 * Wraps an asynchronous function, such as the `@submit` handler of a form, and returns the state of its latest run.
 * An older run that ends later changes nothing. Needs no provider.
 *
 * @param asyncFunction - the function to run
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

/**
 * Hides `catch`, by which Vue recognizes a promise of an event handler: it would pass a rejection to the app's error
 * handler, though the form already shows it.
 */
function awaitable<Result>(promise: Promise<Result>): PromiseLike<Result> {
  // eslint-disable-next-line unicorn/no-thenable -- made to be awaited
  return { then: promise.then.bind(promise) }
}
