import { LatestRun } from '@selfsame/core/bindings'
import { useState, useSyncExternalStore } from 'react'
import { useBeforePaint } from './server.js'

/**
 * Wraps an asynchronous function, such as the `onSubmit` of a form, and returns the state of its latest run. An older run
 * that ends later changes nothing. Needs no provider.
 *
 * @param asyncFunction - the function to run. It may be a new one in each render: the one of the last render is called
 * @returns `run`, which stays the same function, takes the arguments and gives the promise of the function; it rejects as
 *   that does, and is not reported as unhandled. `loading`: whether the latest run is in flight. `error`: why it failed;
 *   `undefined` when it was aborted; anything but an Error is wrapped in one, as its `cause`. `lastArgs`: what it was
 *   called with; `undefined` before the first run
 * @see specification 4.5, The small hooks
 * @example
 * const [save, isSaving, error] = useLoading((fields) => controller.fetch(todoResource.create, fields))
 * return <button onClick={() => save({ title })} disabled={isSaving}>Save</button>
 */
export function useLoading<Args extends readonly unknown[], Result>(
  asyncFunction: (...args: Args) => Result | Promise<Result>,
): readonly [
  run: (...args: Args) => Promise<Result>,
  loading: boolean,
  error: Error | undefined,
  lastArgs: Args | undefined,
] {
  const [latest] = useState(() => new LatestRun(asyncFunction))
  useBeforePaint(() => latest.use(asyncFunction))
  const { loading, error, lastArgs } = useSyncExternalStore(
    latest.subscribe,
    latest.getSnapshot,
    latest.getSnapshot,
  )
  return [latest.run, loading, error, lastArgs]
}
