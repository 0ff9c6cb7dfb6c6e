import type { Calls } from '../controller/calls.js'
import { callsKey, callsOf } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import type { Pipeline } from '../controller/middleware.js'
import type { CacheableEndpoint } from '../endpoint/endpoint.js'
import { Lists } from '../lists/lists.js'
import type { DehydratedState } from '../store/hydration/dehydrated-state.js'
import { Hydration } from '../store/hydration/hydration.js'
import { endpointOf } from '../observer/reader-options.js'
import { fromPlainError } from './plain-error.js'

/** What a provider gives to readers in place of the Controller of the page. */
interface ServedCopy {
  readonly controller: Controller
  readonly calls: Calls
  readonly isServed: true
}

/**
 * What a server has shown of a page, after something else was written. Frameworks compare the first render of a part with the
 * HTML of the server, and parts are hydrated late: so readers show this first, and then what has changed.
 *
 * Until the first change, readers read the Controller itself, and there is nothing to keep apart.
 */
export class ServedPage {
  readonly #controller: Controller
  readonly #hydration: Hydration
  /** The position in the order of requests and writes when it was looked at last. */
  #position: number
  /** When the first data of the page expires: milliseconds since the epoch. */
  #expiresAt = Infinity
  #isChanged = false
  #copy: ServedCopy | undefined
  #resets = 0
  readonly #copied = new WeakSet<DehydratedState>()

  constructor(controller: Controller, hydration: Hydration) {
    this.#controller = controller
    this.#hydration = hydration
    this.#position = callsOf(controller).store.nextSequence()
  }

  /** Is told of a hydrated state: one of the page, or other data. */
  add({ stamps }: DehydratedState, isOfPage: boolean): void {
    this.#isChanged ||= !isOfPage
    for (const [, expiresAt] of stamps) this.#expiresAt = Math.min(this.#expiresAt, expiresAt ?? Infinity)
  }

  /**
   * Returns a Controller that has what the server showed of a call; `undefined` if that of the page has it, or if the server
   * showed nothing. The same object until a reset.
   *
   * @param endpoint - of the call; `undefined` for several calls, which are the members of `args`
   */
  readonly find = (endpoint: CacheableEndpoint | undefined, args: object): ServedCopy | undefined => {
    const { pages } = this.#hydration
    if (!this.#hasChanged()) return undefined
    const { resets } = callsOf(this.#controller)
    if (resets !== this.#resets || pages.length === 0) this.#copy = undefined
    this.#resets = resets
    if (pages.length === 0) return undefined
    const copy = (this.#copy ??= copyOf(this.#controller))
    const { store, clock } = copy.calls
    for (const state of pages) {
      if (this.#copied.has(state)) continue
      this.#copied.add(state)
      store.batch(() => store.hydration?.take(state, clock.now(), true))
    }
    const called = endpoint === undefined ? Object.values(args) : [[endpoint, ...(args as unknown[])]]
    const isWhole = called.every((call) => isShown(copy.calls, call))
    return isWhole ? copy : undefined
  }

  #hasChanged(): boolean {
    const { store, clock } = callsOf(this.#controller)
    const position = store.nextSequence()
    this.#isChanged ||= position !== this.#position + 1 || clock.now() >= this.#expiresAt
    this.#position = position
    return this.#isChanged
  }
}

/** Returns `true` if the server showed data or an error of a call. */
function isShown(calls: Calls, call: unknown): boolean {
  // The hook refuses what is no call.
  if (!Array.isArray(call)) return false
  const [endpoint, ...args] = call as [CacheableEndpoint, ...unknown[]]
  if (args[0] === null) return true
  const { isReadable, error } = calls.call(endpointOf(endpoint), args).snapshot()
  return isReadable || error !== undefined
}

/** An empty Controller of the same clock, which sends no requests, and in which nothing expires. */
function copyOf(controller: Controller): ServedCopy {
  const { clock, constructor, hydratedBlanks } = callsOf(controller)
  // Not imported, because every application has it in another entry.
  const calls = new (constructor as typeof Calls)({
    clock,
    // Its readers do not count as those of the page. What an effect of the first commit opens, the next one does: nothing is to be ended.
    pipeline: { setActive() {}, perform: () => () => {} } as unknown as Pipeline,
    transport: undefined,
    policy: 'cache-first',
    dataExpiryLength: Infinity,
    errorExpiryLength: Infinity,
    keepLength: Infinity,
    maxRecords: Infinity,
  })
  const { store } = calls
  store.lists = new Lists(store)
  store.hydration = new Hydration(store, fromPlainError)
  Object.assign(calls, { hydratedBlanks, isGivenUp: () => true, status: () => 'Valid' })
  const copy = Object.create(controller, { [callsKey]: { value: calls } }) as Controller
  return { controller: copy, calls, isServed: true }
}
