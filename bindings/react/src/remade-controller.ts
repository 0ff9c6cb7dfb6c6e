import { callsOf, errors } from '@selfsame/core/bindings'
import type { Controller } from '@selfsame/core'

const triesAllowed = 10

// For all providers of the page: what is above the first boundary remembers nothing. No data is in it.
const rendered = new WeakSet<Controller>()
let unseen: Controller | undefined
let tries = 0

/**
 * Ends the loop of a Controller that is made above the first `<Suspense>`: the response makes React try again, from
 * nothing, with another Controller, which asks again.
 *
 * @throws {SelfsameError} `controller-remade`
 */
export function expectNotRemade(controller: Controller): void {
  if (rendered.has(controller)) {
    // One that was answered is rendered again: it is kept, though others still wait beside it.
    if (tries > 0 && wasAnswered(controller)) tries = 0
    return
  }
  if (unseen !== undefined && wasAnswered(unseen) && ++tries >= triesAllowed) {
    // React tries once more, at once, and has to fail again.
    queueMicrotask(noteOnScreen)
    throw errors.controllerRemade(triesAllowed, errors.development ? remedy : '')
  }
  rendered.add(controller)
  unseen = controller
}

/** A provider is on screen, or its error is told: what was made before does not count. */
export function noteOnScreen(): void {
  unseen = undefined
  tries = 0
}

/** Whether a reader waited for what it holds, and was not shown. */
function wasAnswered(controller: Controller): boolean {
  return [...callsOf(controller).store.results.values()]
    .flat()
    .some((row) => callsOf(controller).isUnclaimed(row))
}

const remedy = `React forgets the state of a component that suspends before it was on screen.
  Make the Controller outside of components, or put a <Suspense> inside of the <DataProvider>.`
