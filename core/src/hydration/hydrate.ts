import { development } from '#development'
import { callsOf } from '../controller/calls-of.js'
import type { Controller } from '../controller/controller.js'
import { Carried, dehydrate as dehydrateStore } from '../store/hydration/dehydrate.js'
import type { DehydratedState } from '../store/hydration/dehydrated-state.js'
import { fromPlainError } from './errors.js'
import { isUnnamed, nameInKey } from '../endpoint/unnamed.js'
import { warn } from '../errors.js'
import { Lists } from '../lists/lists.js'
import { Hydration } from '../store/hydration/hydration.js'

/**
 * Writes down all that a Controller received: records, lists, answers and errors with their ages. For a page that a
 * server rendered, or for the next visit. What mutations are only expected to do is left out, and so are answers that
 * hold something outside of the cache or an object that holds itself, and those of an Endpoint with neither `name` nor `key`.
 *
 * @returns plain data, as far as the answers are
 * @throws {SelfsameError} `value-unusable` for a record with an object that holds itself
 * @see specification 4.5, B8
 * @example const text = JSON.stringify(dehydrate(controller))
 */
export function dehydrate(controller: Controller): DehydratedState {
  const { store, blanks } = callsOf(controller)
  const state = dehydrateStore(store, (key) => isKnownElsewhere(controller, key))
  return blanks.size === 0 ? state : { ...state, blanks: [...blanks] }
}

/**
 * Writes down a Controller in parts, for a page that is sent in parts.
 *
 * @returns a function that gives what came or changed since it was called last; `undefined` when nothing did
 * @see specification 4.5, B8
 * @example
 * const next = dehydrateChanges(controller)
 * const state = next()
 * if (state !== undefined) response.write(stateScript(state))
 */
export function dehydrateChanges(controller: Controller): () => DehydratedState | undefined {
  const carried = new Carried()
  let before: ReadonlySet<string> = new Set()
  return () => {
    const { blanks, store } = callsOf(controller)
    const state = dehydrateStore(store, (key) => isKnownElsewhere(controller, key), carried)
    const blanked = [...blanks].filter((place) => !before.has(place))
    const filled = [...before].filter((place) => !blanks.has(place))
    before = new Set(blanks)
    const parts = [state.records, state.results, state.listed ?? [], blanked, filled]
    if (parts.every(({ length }) => length === 0)) return undefined
    return { ...state, ...(blanked.length > 0 && { blanks: blanked }), ...(filled.length > 0 && { filled }) }
  }
}

/** What `hydrate` may be told. */
export interface HydrateOptions {
  /**
   * Whether the page was rendered with it: then it shows the errors of the server also where they have expired meanwhile.
   *
   * @default false
   */
  readonly isOfPage?: boolean | undefined
  /** Whether a component calls it while it renders: then readers on screen are told a moment later. @default false */
  readonly isRendering?: boolean | undefined
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
export function hydrate(
  controller: Controller,
  state: DehydratedState,
  { isOfPage = false, isRendering = false }: HydrateOptions = {},
): void {
  const calls = callsOf(controller)
  const { store, clock } = calls
  // A list may have been loaded page by page elsewhere.
  store.lists ??= new Lists(store)
  const hydration = (store.hydration ??= new Hydration(store, fromPlainError))
  calls.absorb(
    () => ({ type: 'hydrate', state }),
    () => hydration.take(state, clock.now(), isOfPage),
    isRendering,
  )
  for (const place of state.blanks ?? []) calls.hydratedBlanks.add(place)
  for (const place of state.filled ?? []) calls.hydratedBlanks.delete(place)
}

/** In development, by Controller, the Endpoints that it was said of that no other page knows their calls. */
const told = new WeakMap<Controller, Set<string>>()

/** Whether another page can know a call. Says so where it cannot, once for each name. */
function isKnownElsewhere(controller: Controller, key: string): boolean {
  if (!isUnnamed(key)) return true
  if (development) {
    const name = nameInKey(key)
    const names = told.get(controller) ?? new Set()
    told.set(controller, names)
    if (!names.has(name)) {
      names.add(name)
      warn(
        `dehydrate() leaves out the calls of the Endpoint ${name}, which has neither a \`name\` nor a \`key\`, so that no other page knows them. Give it \`{ name: '${name}' }\`.`,
      )
    }
  }
  return false
}
