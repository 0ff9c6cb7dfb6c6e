import { LatestRun } from '@selfsame/core/bindings'
import type { RunState } from '@selfsame/core'
import { computed, getCurrentScope, onScopeDispose, shallowRef } from 'vue'
import type { Ref } from 'vue'

/** The result of `useLoading`: the function that runs, and readonly shallow refs. All may be destructured. */
export interface LoadingRefs<Args extends readonly unknown[], Result> {
  /**
   * Takes the arguments, and returns the promise of the function. A rejection is not reported as unhandled, and Vue does
   * not report it if an event handler returns the promise: `error` has it.
   */
  readonly run: (...args: Args) => Promise<Result>
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
// The parameters of a handler that does not tell their types are `any`.
// eslint-disable-next-line typescript/no-explicit-any
export function useLoading<Args extends readonly any[], Result>(
  asyncFunction: (...args: Args) => Result | Promise<Result>,
): LoadingRefs<Args, Result> {
  const latest = new LatestRun(asyncFunction)
  const state = shallowRef<RunState<Args>>(latest.getSnapshot())
  const end = latest.subscribe(() => (state.value = latest.getSnapshot()))
  if (getCurrentScope() !== undefined) onScopeDispose(end)
  return {
    run: (...args) => unreported(latest.run(...args)),
    loading: computed(() => state.value.loading),
    error: computed(() => state.value.error),
    lastArgs: computed(() => state.value.lastArgs),
  }
}

/**
 * Keeps Vue from passing a rejection to the app's error handler, though the form already shows it: of what an event
 * handler returns, Vue looks whether it has a `catch`, and then takes that to call it. Any other code calls the `catch`
 * that it takes.
 */
function unreported<Result>(promise: Promise<Result>): Promise<Result> {
  const own = promise.catch.bind(promise)
  let isTaken = false
  return Object.defineProperty(promise, 'catch', {
    get() {
      if (isTaken) return () => promise
      isTaken = true
      return (...handler: Parameters<typeof own>) => {
        isTaken = false
        return own(...handler)
      }
    },
  })
}
