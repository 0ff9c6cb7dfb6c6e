import { LatestRun } from '@selfsame/core/bindings'
import type { RunState } from '@selfsame/core'
import { useMemo, useState, useSyncExternalStore } from 'react'
import { useBeforePaint } from './server.js'

/**
 * Wraps an asynchronous function, such as the `onSubmit` of a form, and returns the state of its latest run. An older run
 * that ends later changes nothing. Needs no provider.
 *
 * @param asyncFunction - the function to run. It may be a new one in each render; `run` calls the one of the last
 *   render
 * @returns `run`: stays the same function, takes the arguments and returns the promise of the function; a rejection
 *   is not reported as unhandled. `loading`: `true` while the latest run is in flight. `error`: why the latest run
 *   failed; `undefined` if it was aborted or dropped by `resetAll`; a value that is not an Error is wrapped in one, as its
 *   `cause`.
 *   `lastArgs`: the arguments of the latest run; `undefined` before the first
 * @see specification 4.5, The small hooks
 * @example
 * const { run: save, loading } = useLoading((fields) => controller.fetch(todoResource.create, fields))
 * return <button onClick={() => save({ title })} disabled={loading}>Save</button>
 */
// The parameters of a handler that does not tell their types are `any`.
// eslint-disable-next-line typescript/no-explicit-any
export function useLoading<Args extends readonly any[], Result>(
  asyncFunction: (...args: Args) => Result | Promise<Result>,
): RunState<Args> & { readonly run: (...args: Args) => Promise<Result> } {
  const [latest] = useState(() => new LatestRun(asyncFunction))
  useBeforePaint(() => latest.use(asyncFunction))
  const state = useSyncExternalStore(latest.subscribe, latest.getSnapshot, latest.getSnapshot)
  return useMemo(() => ({ ...state, run: latest.run }), [state, latest])
}
