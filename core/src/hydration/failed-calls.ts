import { callsOf } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'

/** The errors of the calls that failed, in the order in which the calls were made, to choose the status of a page. */
export function errorsOf(controller: Controller): readonly Error[] {
  return [...callsOf(controller).store.results.values()].flat().flatMap(({ error }) => error ?? [])
}
