import { LatestRun } from '@selfsame/core/bindings'
import type { RunState } from '@selfsame/core'
import { createSubscriber } from 'svelte/reactivity'
import type { Readable } from 'svelte/store'

/** What `useLoading` gives. Read its members where they are shown. As a store it gives the three that change. */
export interface LoadingHandle<Args extends readonly unknown[], Result> extends Readable<RunState<Args>> {
  /** Takes the arguments, and gives the promise of the function: it rejects as that does, and is not reported as unhandled. */
  readonly run: (...args: Args) => Promise<Result>
  /** Whether the latest run is in flight. */
  readonly loading: boolean
  /** Why it failed; `undefined` when it was aborted. Anything but an Error is wrapped in one, as its `cause`. */
  readonly error: Error | undefined
  /** What it was called with; `undefined` before the first run. */
  readonly lastArgs: Args | undefined
}

/**
 * Runs an asynchronous function, as the `onsubmit` of a form does, and tells how the latest run fares: one that began
 * earlier and ends later changes nothing. Needs no provider.
 *
 * @param asyncFunction - what is run
 * @returns a handle
 * @see specification 4.5, The small hooks
 * @example
 * const save = useLoading((title) => controller.fetch(todoResource.create, { title }))
 * // <button onclick={() => save.run(title)} disabled={save.loading}>Save</button> {save.error?.message}
 */
export function useLoading<Args extends readonly unknown[], Result>(
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
