import { isAbort } from '../controller/error-policy.js'
import { callsOf } from '../controller/calls.js'
import type { CallsOwner, Calls } from '../controller/calls.js'
import type { Request, RequestWatcher } from '../controller/requests.js'
import type { EndpointLike, KeyTester } from '../endpoint/endpoint.js'
import { contractOf, namedRecords } from '../schema/contract-of.js'
import type { EntityClass } from '../schema/schema.js'
import { getOrMake } from '../util/get-or-make.js'
import { isSameItems } from '../util/plain.js'

/** Selects requests: those of an endpoint, or those whose params name a record. */
export type RequestFilter =
  KeyTester | readonly [entity: EntityClass<{ pk(...args: never): unknown }>, pk: string | number]

/** A mutation that is under way or failed. Immutable. */
export interface MutationState {
  readonly endpoint: EndpointLike
  /** The arguments of the call, to show or to send it again. */
  readonly args: readonly unknown[]
  /** `true` while it is under way. */
  readonly loading: boolean
  /** Why it failed; `undefined` while it is under way. */
  readonly error: Error | undefined
  /** Removes a mutation that failed from all readers. Does nothing for one that is under way. */
  readonly dismiss: () => void
}

const activities = new WeakMap<Calls, Activity>()

/** The requests of a Controller that are under way, and the failed mutations that readers show. */
export function activityOf(controller: CallsOwner): Activity {
  const calls = callsOf(controller)
  return getOrMake(activities, calls, () => new Activity(calls))
}

class Activity implements RequestWatcher {
  readonly #calls: Calls
  readonly #listeners = new Set<() => void>()
  /** The filters of mounted readers. */
  readonly #holders = new Set<{ readonly filter: RequestFilter | undefined }>()
  readonly #pending = new WeakMap<Request, MutationState>()
  #failed: readonly { readonly request: Request; readonly state: MutationState }[] = []
  #isTelling = false

  constructor(calls: Calls) {
    this.#calls = calls
    calls.watcher = this
    calls.resetListeners.add(() => this.#keep(() => false))
  }

  changed(): void {
    if (this.#isTelling) return
    this.#isTelling = true
    // The caller may be rendering.
    queueMicrotask(() => {
      this.#isTelling = false
      for (const listener of [...this.#listeners]) listener()
    })
  }

  settled(request: Request, error: Error | undefined): void {
    if (request.endpoint.sideEffect !== true) return
    const { endpoint, args, key } = request
    if (error === undefined) this.#keep((failed) => failed.key !== key)
    else if (!isAbort(error) && this.#isRead(request)) {
      const dismiss = () => this.#keep((failed) => failed !== request)
      const state = Object.freeze({ endpoint, args, loading: false, error, dismiss })
      this.#failed = [...this.#failed, { request, state }]
    }
  }

  /** Calls a function after each change. @returns a function that ends it */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The count of requests under way. */
  count(filter: RequestFilter | undefined): number {
    const { reads, mutations } = this.#calls
    return [...reads.underWay, ...mutations.underWay].filter((request) => isMeant(request, filter)).length
  }

  /**
   * Returns the mutations that are under way or failed, the oldest first.
   *
   * @param last - the list that was returned before: it is returned again while it is the same
   */
  mutations(filter: RequestFilter | undefined, last: readonly MutationState[]): readonly MutationState[] {
    const failed = this.#failed.filter(({ request }) => isMeant(request, filter))
    const pending = [...this.#calls.mutations.underWay].filter((request) => isMeant(request, filter))
    const now = [...failed.map(({ state }) => state), ...pending.map((request) => this.#stateOf(request))]
    return isSameItems(now, last) ? last : Object.freeze(now)
  }

  /** Keeps failed mutations while a reader is mounted. @returns a function that ends it */
  attend(filter: RequestFilter | undefined): () => void {
    const holder = { filter }
    this.#holders.add(holder)
    return () => {
      this.#holders.delete(holder)
      // A framework may mount the component again at once.
      queueMicrotask(() => this.#keep((request) => this.#isRead(request)))
    }
  }

  #isRead(request: Request): boolean {
    return [...this.#holders].some(({ filter }) => isMeant(request, filter))
  }

  #keep(isKept: (request: Request) => boolean): void {
    const kept = this.#failed.filter(({ request }) => isKept(request))
    if (kept.length === this.#failed.length) return
    this.#failed = kept
    this.changed()
  }

  #stateOf(request: Request): MutationState {
    const { endpoint, args } = request
    return getOrMake(this.#pending, request, () =>
      Object.freeze({ endpoint, args, loading: true, error: undefined, dismiss: () => {} }),
    )
  }
}

function isMeant(request: Request, filter: RequestFilter | undefined): boolean {
  if (filter === undefined) return true
  if (Array.isArray(filter)) return isAbout(request, filter as Extract<RequestFilter, readonly unknown[]>)
  return filter === request.endpoint || (filter as KeyTester).testKey(request.key)
}

/** Returns `true` if the arguments of the call name this record. */
function isAbout(
  { endpoint: { schema }, args }: Request,
  [entity, pk]: Extract<RequestFilter, readonly unknown[]>,
): boolean {
  const named = schema === undefined ? [] : namedRecords(contractOf(schema), args)
  return named.some((each) => each.plan.key === entity.key && each.pk === String(pk))
}
