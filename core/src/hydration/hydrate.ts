import { development } from '#development'
import { callsOf } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import type { Reads } from '../controller/reads.js'
import { dehydrateStore } from '../store/hydration/dehydrate.js'
import type { DehydratedState } from '../store/hydration/dehydrated-state.js'
import { StateChanges } from './dehydrate-changes.js'
import { fromPlainError } from './plain-error.js'
import { isUnnamed, nameInKey } from '../endpoint/unnamed-key.js'
import { warn } from '../errors.js'
import { Lists } from '../lists/lists.js'
import { Hydration } from '../store/hydration/hydration.js'
import { ServedPage } from './served-page.js'

/**
 * Serializes the received state of a Controller to plain data: records, lists, results and errors, with their ages.
 * Use it for a page that a server rendered, or for the next visit. Omits optimistic changes, results that hold data
 * outside the cache or circular data, and calls of an Endpoint with neither `name` nor `key`.
 *
 * @returns plain data, if the results are
 * @throws {SelfsameError} `value-unusable` for a record with circular data
 * @see specification 4.5, B8
 * @example const text = JSON.stringify(dehydrate(controller))
 */
export function dehydrate(controller: Controller): DehydratedState {
  const { store, blanks } = callsOf(controller)
  const state = dehydrateStore(store, (key) => isKnownElsewhere(controller, key))
  return blanks.size === 0 ? state : { ...state, blanks: [...blanks] }
}

/**
 * Serializes a Controller in parts, for a page that is streamed. Each part costs what changed, not what is stored.
 *
 * @returns a function that returns the state that arrived or changed since its last call; `undefined` if there is
 *   none
 * @see specification 4.5, B8
 * @example
 * const next = dehydrateChanges(controller)
 * const state = next()
 * if (state !== undefined) response.write(stateScript(state))
 */
export function dehydrateChanges(controller: Controller): () => DehydratedState | undefined {
  const changed = new StateChanges(callsOf(controller).store)
  let before: ReadonlySet<string> = new Set()
  const awaited = new Set<string>()
  return () => {
    const { blanks, reads } = callsOf(controller)
    const state = changed.next((key) => isKnownElsewhere(controller, key))
    const blanked = [...blanks].filter((place) => !before.has(place))
    const filled = [...before].filter((place) => !blanks.has(place))
    before = new Set(blanks)
    const pending = unansweredIn(reads).filter((key) => !awaited.has(key) && !isUnnamed(key))
    for (const key of pending) awaited.add(key)
    const parts = [state.records, state.results, state.listed ?? [], blanked, filled, pending]
    if (parts.every(({ length }) => length === 0)) return undefined
    return {
      ...state,
      ...(blanked.length > 0 && { blanks: blanked }),
      ...(filled.length > 0 && { filled }),
      ...(pending.length > 0 && { pending }),
    }
  }
}

/** The keys of the calls whose first response is under way. */
function unansweredIn({ running }: Reads): string[] {
  const calls = [...running.values()].flatMap(({ attempts }) => attempts.map(({ call }) => call))
  return calls.flatMap((call) => (call.snapshot().isReadable ? [] : [call.key]))
}

/** Options of `hydrate`. */
export interface HydrateOptions {
  /**
   * Set it to `true` if the page was rendered from this state. Then the page shows the errors of the server even if
   * they have expired meanwhile.
   *
   * @default false
   */
  readonly isOfPage?: boolean | undefined
  /**
   * Set it to `true` when a component calls it during a render: then mounted readers are notified in a microtask.
   * @default false
   */
  readonly isRendering?: boolean | undefined
}

/**
 * Stores the state that `dehydrate` returned. Data keeps the age that it had there, and newer data here stays. Can be
 * called several times, as parts of a page arrive, and also after calls were read.
 *
 * @param state - of this or another Controller
 * @throws {SelfsameError} `argument-invalid` for any other value; then nothing is stored
 * @see specification 4.5, B8
 * @example hydrate(controller, JSON.parse(text))
 */
export function hydrate(
  controller: Controller,
  state: DehydratedState,
  { isOfPage = false, isRendering = false }: HydrateOptions = {},
): void {
  const calls = callsOf(controller)
  const { store, clock } = calls
  // The state may contain lists that were loaded page by page.
  store.lists ??= new Lists(store)
  // Nothing else makes one.
  const hydration = (store.hydration ??= new Hydration(store, fromPlainError)) as Hydration
  calls.absorb(
    () => ({ type: 'hydrate', state }),
    () => hydration.take(state, clock.now(), isOfPage),
    isRendering,
  )
  if (isOfPage && !servedBy.has(controller)) {
    const page = new ServedPage(controller, hydration)
    servedBy.set(controller, page)
    calls.served = page.find
  }
  servedBy.get(controller)?.add(state, isOfPage)
  for (const place of state.blanks ?? []) calls.hydratedBlanks.add(place)
  for (const place of state.filled ?? []) calls.hydratedBlanks.delete(place)
}

/** The pages that were hydrated, by Controller. */
const servedBy = new WeakMap<Controller, ServedPage>()

/** Development only: the Endpoints that `dehydrate` has warned about, by Controller. */
const warnedNames = new WeakMap<Controller, Set<string>>()

/** True if another page can identify the call. If not, warns once per name. */
function isKnownElsewhere(controller: Controller, key: string): boolean {
  if (!isUnnamed(key)) return true
  if (development) {
    const name = nameInKey(key)
    const names = warnedNames.get(controller) ?? new Set()
    warnedNames.set(controller, names)
    if (!names.has(name)) {
      names.add(name)
      warn(
        `dehydrate() leaves out the calls of the Endpoint ${name}, because it has neither a \`name\` nor a \`key\`. Set \`{ name: '${name}' }\`.`,
      )
    }
  }
  return false
}
