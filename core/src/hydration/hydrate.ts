import type { Controller } from '../controller/controller.js'
import { dehydrate as dehydrateStore } from '../store/hydration/dehydrate.js'
import type { DehydratedState } from '../store/hydration/dehydrated-state.js'
import { fromPlainError } from './errors.js'
import { Hydration } from '../store/hydration/hydration.js'

/**
 * Writes down all that a Controller received: records, lists, answers and errors with their ages. For a page that a
 * server rendered, or for the next visit. What mutations are only expected to do is left out, and so are answers that
 * hold something outside of the cache, and those of an Endpoint with neither `name` nor `key`.
 *
 * @returns plain data, as far as the answers are
 * @see specification 4.5, B8
 * @example const text = JSON.stringify(dehydrate(controller))
 */
export function dehydrate(controller: Controller): DehydratedState {
  const state = dehydrateStore(controller.store, (key) => controller.unnamed.isKnownElsewhere(key))
  const { blanks } = controller
  return blanks.size === 0 ? state : { ...state, blanks: [...blanks] }
}

/**
 * Lets a Controller take what `dehydrate` gave. Ages count from when it was received there; what is newer here stays. Can
 * be called several times, as parts of a page arrive, and also after calls were read.
 *
 * @param state - of this or another Controller
 * @throws {SelfsameError} `argument-invalid` for anything else; nothing is taken then
 * @see specification 4.5, B8
 * @example hydrate(controller, JSON.parse(text))
 */
export function hydrate(controller: Controller, state: DehydratedState): void {
  const { store, clock } = controller
  const hydration = (store.hydration ??= new Hydration(store, fromPlainError))
  controller.absorb(
    () => ({ type: 'hydrate', state }),
    () => hydration.take(state, clock.now()),
  )
  for (const place of state.blanks ?? []) controller.hydratedBlanks.add(place)
}
