import { LatestRun } from '@selfsame/core/bindings'
import type { RunState } from '@selfsame/core'
import { createSubscriber } from 'svelte/reactivity'
import type { Readable } from 'svelte/store'

/**
 * The result of `useLoading`. Do not destructure it. As a store it has the values of `loading`, `error` and
 * `lastArgs`.
 */
export interface LoadingHandle<Args extends readonly unknown[], Result> extends Readable<RunState<Args>> {
  /** Takes the arguments and returns the promise of the function. A rejection is not reported as unhandled. */
  readonly run: (...args: Args) => Promise<Result>
  /** `true` while the latest run is in flight. */
  readonly loading: boolean
  /**
   * Why the latest run failed; `undefined` if it was aborted or dropped by `resetAll`. A value that is not an Error is
   * wrapped in one, as its `cause`.
   */
  readonly error: Error | undefined
  /** The arguments of the latest run; `undefined` before the first. */
  readonly lastArgs: Args | undefined
}

/**
 * Wraps an asynchronous function, such as the `onsubmit` handler of a form, and returns the state of its latest run.
 * An older run that ends later changes nothing. Needs no provider.
 *
 * @param asyncFunction - the function to run
 * @returns a handle
 * @see specification 4.5, The small hooks
 * @example
 * const save = useLoading((title) => controller.fetch(todoResource.create, { title }))
 * // <button onclick={() => save.run(title)} disabled={save.loading}>Save</button> {save.error?.message}
 */
// The parameters of a handler that does not tell their types are `any`.
// eslint-disable-next-line typescript/no-explicit-any
export function useLoading<Args extends readonly any[], Result>(
  asyncFunction: (...args: Args) => Result | Promise<Result>,
): LoadingHandle<Args, Result> {
  const latest = new LatestRun(asyncFunction)
  const track = createSubscriber((update) => latest.subscribe(update))
  const read = () => {
    track()
    return latest.getSnapshot()
  }
  return {
    run: latest.run,
    get loading() {
      return read().loading
    },
    get error() {
      return read().error
    },
    get lastArgs() {
      return read().lastArgs
    },
    subscribe(run) {
      run(latest.getSnapshot())
      return latest.subscribe(() => run(latest.getSnapshot()))
    },
  }
}
