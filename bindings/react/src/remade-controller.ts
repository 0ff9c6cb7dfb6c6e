import { callsOf, development, errors } from '@selfsame/core/bindings'
import type { Controller } from '@selfsame/core'
import { useRef } from 'react'
import { useBeforePaint } from './server.js'

const triesAllowed = 10

// Shared by all providers of the page, because components above the first boundary keep no state. It holds no data.
const rendered = new WeakSet<Controller>()
/** Controllers of providers that were rendered, and neither committed nor answered. */
let unseen: Controller[] = []
let tries = 0

/**
 * Stops an endless loop. A component above the first `<Suspense>` creates a Controller and suspends; its response
 * makes React start over without state, so the component creates another Controller, which sends the request again. React may
 * start over before the response, too, so that several such requests are under way at once: each is counted when it is
 * answered, however late.
 *
 * @throws {SelfsameError} `controller-remade`
 */
export function expectNotRemade(controller: Controller): void {
  if (rendered.has(controller)) {
    // Rendered again after its response: React kept this Controller, so there is no loop, even if other readers wait.
    if (tries > 0 && wasAnswered(controller)) tries = 0
    return
  }
  const waiting = unseen.filter((other) => !wasAnswered(other))
  if (waiting.length < unseen.length && ++tries >= triesAllowed) {
    // React retries once immediately, and that retry must fail too.
    queueMicrotask(noteOnScreen)
    throw errors.controllerRemade(triesAllowed, development ? remedy : '')
  }
  rendered.add(controller)
  // Those that are never answered send no more requests.
  unseen = [...waiting.slice(-triesAllowed), controller]
}

/** A provider was committed, or its error was reported: forgets the earlier attempts. */
export function noteOnScreen(): void {
  unseen = []
  tries = 0
}

/** So many changes in a row are a Controller for each render. */
const changesAllowed = 3

/** Warns once of a provider that gets another Controller in each render. Development only. */
export function useSameController(controller: Controller): void {
  const seen = useRef({ controller, changes: 0 })
  useBeforePaint(() => {
    const { current } = seen
    current.changes = current.controller === controller ? 0 : current.changes + 1
    current.controller = controller
    if (current.changes === changesAllowed)
      errors.warn(errors.controllerRemade(changesAllowed, remedyInRenders))
  })
}

/** True if a response arrived for a reader that suspended and was never committed. */
function wasAnswered(controller: Controller): boolean {
  return [...callsOf(controller).store.results.values()]
    .flat()
    .some((call) => callsOf(controller).isUnclaimed(call))
}

const remedy = `React drops the state of a component that suspends before its first commit.
  Create the Controller outside of components, or put a <Suspense> inside the <DataProvider>.`

const remedyInRenders = `A component creates it in each render.
  Create the Controller in a module, or keep it with useState(() => new Controller()).`
