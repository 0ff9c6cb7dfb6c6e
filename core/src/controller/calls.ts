import { development } from '#development'
import type { CacheableEndpoint, EndpointLike } from '../endpoint/endpoint.js'
import { isUnnamed } from '../endpoint/unnamed-key.js'
import type { Transport } from '../endpoint/transport.js'
import * as errors from '../errors.js'
import { contractOf } from '../schema/contract-of.js'
import type { EntityPlan, FieldPlan } from '../schema/entity-plan.js'
import type { ExpiryPolicy } from '../schema/expiry-policy.js'
import type { QueryCall } from '../schema/query-of.js'
import { isContract } from '../schema/schema.js'
import type { Call } from '../store/call.js'
import type { Stamp } from '../store/stamp.js'
import type { ExpiryStatus } from '../store/expiry.js'
import { GarbageCollector } from '../store/garbage/gc.js'
import type { WriteOrder } from '../store/stamp.js'
import type { CallKey } from '../store/results.js'
import type { Layers } from '../store/optimistic/layers.js'
import type { RecordTable } from '../store/records.js'
import { Store } from '../store/store.js'
import { Transaction } from '../store/transaction.js'
import type { Clock } from '../util/clock.js'
import type { ControllerContext, RequestWatcher } from './requests.js'
import { defaultErrorPolicy, isAbort } from './error-policy.js'
import type { LiveCalls, OpenConnection, OpenStream } from './live-calls.js'
import type { Action, Pipeline } from './middleware.js'
import { Mutations } from './mutations.js'
import { Reads } from './reads.js'
import type { ReadAttempt } from './reads.js'
import type { Occasion, RequestTracer } from './tracer.js'
import { noteReaders, noteWrite } from './two-controllers.js'
import { CallMemo } from './call-memo.js'
import type { ChangingArguments } from './changing-arguments.js'
import { UnnamedCalls, refuse } from './unnamed-calls.js'

/** A mounted reader that fetches. */
export interface FetchingReader {
  /** Checks expiry, for example because the page is visible again. */
  refetchIfStale(isMeant: (endpoint: EndpointLike) => boolean, isOver: (error: Error) => boolean): void
}

/** The resolved options of a Controller. Lengths are milliseconds. */
export interface Settings {
  readonly clock: Clock
  readonly pipeline: Pipeline
  readonly transport: Transport | undefined
  readonly policy: ExpiryPolicy
  readonly dataExpiryLength: number
  readonly errorExpiryLength: number
  readonly keepLength: number
  readonly maxRecords: number
}

/**
 * The calls of one Controller and their readers: the operations of observers, connections and hydration that
 * applications do not need.
 */
export class Calls implements ControllerContext {
  readonly store = new Store()
  /** What mutations in flight show early; `undefined` until one does, so that an application without them does not ship it. */
  layers: Layers | undefined
  declare readonly clock: Clock
  declare readonly pipeline: Pipeline
  declare readonly transport: Transport | undefined
  declare readonly collector: GarbageCollector
  declare readonly reads: Reads
  declare readonly mutations: Mutations
  readonly hidden = new Set<Call>()
  readonly kept = new Map<string, unknown>()
  /** The count of resets; a reader drops its last data when it changes. */
  resets = 0
  /** Called after each reset. */
  readonly resetListeners = new Set<() => void>()
  /** The calls whose errors do not expire, because a boundary tries its content. */
  readonly heldErrors = new Set<Call>()
  /** Mounted readers that fetch. */
  readonly readers = new Set<FetchingReader>()
  /** The connected calls; `undefined` until the first connection. */
  live: LiveCalls | undefined
  /** Opens the stream of a call in place of its endpoint; `undefined` without `syncTabs`. */
  declare shareStream: OpenStream | undefined
  /** The count of requests that wait for a network, by key; `undefined` until there is one. */
  paused: Map<string, number> | undefined
  /** The keys of the calls whose requests wait for a storage; `undefined` before the first. */
  declare restoring: Set<string> | undefined
  /** The places of readers that do not suspend and had no data in the first render of the page. */
  readonly blanks = new Set<string>()
  /** The same places of the server render, from the hydrated state. */
  readonly hydratedBlanks = new Set<string>()
  /**
   * Returns a Controller, and its calls, that have what the server showed of a call, or of the several that `args` has without an
   * endpoint, if something was written since. `undefined` in a page that no server rendered.
   */
  declare served: ((endpoint: CacheableEndpoint | undefined, args: object) => object | undefined) | undefined
  /** On a server, is told of each reader that does not suspend, because it may wait all the same: in Vue until the returned promise resolves. */
  declare onServer: ((reader: object) => unknown) | undefined
  /** Is told of requests; `undefined` until a reader shows them. */
  watcher: RequestWatcher | undefined
  isDisposed = false
  /** Is told why readers ask; `undefined` until devtools record. Development only. */
  declare tracer: RequestTracer | undefined
  /** What makes readers check expiry now; `undefined` outside `refetchStale`. Development only. */
  declare occasion: Occasion | undefined
  /** The calls whose error a boundary took back, with the stamp they had then. Development only. */
  declare retried: WeakMap<Call, Stamp> | undefined
  /** The connections that are open. Development only. */
  declare connections: Set<OpenConnection> | undefined
  /** The classes of which a summary answered a detail. Development only. */
  declare summaries: Set<EntityPlan> | undefined
  /** Finds requests that cause each other. Development only. */
  declare changing: ChangingArguments | undefined
  /** What live connections have received and not stored yet: it is older than the next response. */
  readonly inboxes = new Set<() => void>()
  /** What the next write is without a request. */
  #kind: 'set' | 'message' | 'read' = 'set'
  readonly #settings: Settings
  readonly #calls = new CallMemo()
  /** Detects Endpoints without a name that are created in each render; `undefined` until a reader has such an Endpoint. */
  #unnamed: UnnamedCalls | undefined
  /** The count of retained calls, and of boundaries that stand in for a reader in `refetchStale`. */
  #present = 0

  constructor(settings: Settings) {
    const { store } = this
    const { clock } = settings
    this.#settings = settings
    this.clock = clock
    this.pipeline = settings.pipeline
    this.transport = settings.transport
    this.collector = new GarbageCollector(store, clock, settings)
    this.reads = new Reads(this)
    this.mutations = new Mutations(this)
    // Define these functions before they are assigned: V8 allocates a function written in the assignment among
    // long-lived objects, and keeps the whole store in memory until a major collection. Controllers on a server are
    // short-lived.
    const onCallsDropped = () => this.#calls.clear()
    store.onCallsDropped = onCallsDropped
    // In a later macrotask, when readers have been notified.
    const later = (run: () => void) => {
      if (this.isDisposed) queueMicrotask(run)
      else clock.setTimeout(run, 0)
    }
    store.later = later
    const joinFields = ({ nodes }: RecordTable, added: readonly FieldPlan[]) => {
      const order = { kind: 'read', start: 0, settle: 0 } as const
      const transaction = new Transaction(store, order, { endpoint: undefined, controller: 0 }, -Infinity)
      store.below(() => nodes.forEach((node) => transaction.joinFields(node, added)))
    }
    store.joinFields = joinFields
  }

  write<Value>(
    endpoint: { readonly dataExpiryLength?: number | undefined } | undefined,
    write: (transaction: Transaction) => Value,
    request?: Pick<WriteOrder, 'kind' | 'start' | 'own'>,
  ): Value {
    const { store, clock } = this
    const settle = store.nextSequence()
    const kind = this.#kind
    this.#kind = 'set'
    const order = { kind, start: settle, settle, ...request } as const
    const lengths = { endpoint: endpoint?.dataExpiryLength, controller: this.#settings.dataExpiryLength }
    const now = clock.now()
    const transaction =
      this.layers?.transaction(order, lengths, now) ?? new Transaction(store, order, lengths, now)
    store.open()
    let result: Value
    try {
      result = write(transaction)
      const isEarly =
        order.kind === 'message' &&
        endpoint === undefined &&
        this.layers?.keepEarly(transaction, clock, () => this.receive(() => this.write({}, write)))
      if (isEarly === true) transaction.rollBack()
      else transaction.commit()
    } catch (error) {
      transaction.rollBack()
      throw error
    } finally {
      try {
        this.layers?.makeAgain()
      } finally {
        if (transaction.unshown.length > 0) store.releaseLater(store.hold(transaction.unshown))
        store.close()
      }
    }
    this.collector.schedule()
    // What a suspended reader waits for is on screen later.
    if (development && request?.kind !== 'read')
      noteWrite(this, (endpoint as Partial<EndpointLike> | undefined)?.name ?? 'controller.set()')
    return result
  }

  /**
   * Runs a write of data that a live connection brought. The server sent it, so it is only observed: a mutation under way
   * wins on its own fields (specification G4).
   *
   * @param kind - `read` for the response to a read of another tab, which tells nothing of other lists
   */
  receive(write: () => void, kind: 'message' | 'read' = 'message'): void {
    this.#kind = kind
    try {
      write()
    } finally {
      this.#kind = 'set'
    }
  }

  use(call: Call): void {
    call.usedAt = this.clock.now()
    this.collector.schedule()
  }

  errorLength({ errorExpiryLength }: { readonly errorExpiryLength?: number | undefined }): number {
    return errorExpiryLength ?? this.#settings.errorExpiryLength
  }

  /**
   * Returns the call of an endpoint and its arguments.
   *
   * @param isToRetain - `true` if the caller retains it at once, so that it needs no time of use
   */
  call(
    endpoint: CacheableEndpoint & Partial<Pick<QueryCall, 'isQuery'>>,
    args: readonly unknown[],
    isToRetain = false,
  ): Call {
    if (development && typeof endpoint?.key !== 'function')
      throw errors.notAnEndpoint('The Controller', endpoint)
    const known = this.#calls.place(endpoint, args, false)?.call
    if (known?.state.isCollected === false) {
      known.mark = this.store.epoch
      return known
    }
    // A Query is the schema of its own value.
    const isSchema = typeof endpoint !== 'function' && isContract(endpoint)
    const schema = isSchema ? endpoint : endpoint.schema
    const call = this.store.call({
      key: endpoint.key(...args),
      schema: schema === undefined ? undefined : contractOf(schema),
      args,
      reader: 'readsAs' in endpoint ? (endpoint as CallKey['reader']) : undefined,
      isQuery: isSchema || endpoint.isQuery === true,
    })
    if (call.usedAt !== -Infinity) {
      const place = this.#calls.place(endpoint, args, true)
      if (place !== undefined) place.call = call
      // A new call. No timer is set: a server that only renders sets none.
    } else if (!isToRetain) call.usedAt = this.clock.now()
    return call
  }

  /** The expiry status of a call now. */
  status(
    endpoint: CacheableEndpoint & Partial<EndpointLike>,
    call: Call,
    { isReadable } = call.snapshot(),
  ): ExpiryStatus {
    const expiresAt = isReadable ? this.expiresAt(endpoint, call) : -Infinity
    return this.statusAt(endpoint, isReadable, expiresAt, this.clock.now())
  }

  /**
   * Decides the expiry status of a read. Data expires *at* `expiresAt`, so that a length of 0 is Stale at once.
   *
   * @param isReadable - `true` if the store can show the data at all
   */
  statusAt(
    endpoint: Partial<EndpointLike>,
    isReadable: boolean,
    expiresAt: number,
    now: number,
  ): ExpiryStatus {
    if (!isReadable) return 'Invalid'
    // Checked before the options of the endpoint, because their look-up takes a sixth of a read. A Query is computed from
    // the stored records, of any age.
    if (expiresAt > now || isContract(endpoint)) return 'Valid'
    const { invalidIfStale, policy = this.#settings.policy } = endpoint
    if (invalidIfStale === true || policy === 'network-first') return 'Invalid'
    return policy === 'cache-first' ? 'Valid' : 'Stale'
  }

  /**
   * When the data of a call stops being Valid. An endpoint's own length counts from the time of the response. Data that is older than
   * a hard error has expired: the server may not have it any more.
   */
  expiresAt(endpoint: CacheableEndpoint & Partial<EndpointLike>, call: Call): number {
    const { age } = call
    const { failure } = call.state
    if (failure !== undefined && failure.start > age.sequence && this.isHard(endpoint, failure.error))
      return -Infinity
    // Each look at a time allocates a number, before this is compiled.
    const { expiresAt } = age
    if (call.stamp.sequence < call.state.expiredAt || expiresAt === -Infinity) return -Infinity
    return endpoint.dataExpiryLength === undefined ? expiresAt : age.fetchedAt + endpoint.dataExpiryLength
  }

  /** Returns `true` if an error replaces data. */
  isHard(endpoint: Partial<EndpointLike>, error: Error): boolean {
    return (endpoint.errorPolicy?.(error) ?? defaultErrorPolicy(error)) === 'hard'
  }

  /** Sends a read, or joins one in flight. */
  join(endpoint: EndpointLike, args: readonly unknown[]): ReadAttempt {
    if (this.isDisposed) throw errors.controllerDisposed(endpoint.name)
    if (development && endpoint.update !== undefined) throw errors.cannotUpdateByRead(endpoint.name)
    const call = this.call(endpoint, args)
    return this.reads.join(endpoint, args, call)
  }

  /**
   * Sends a read for a reader, or joins one in flight. An Endpoint without a name that is created in each render fails
   * without a request.
   */
  joinForReader(endpoint: EndpointLike, args: readonly unknown[]): ReadAttempt {
    const call = this.call(endpoint, args)
    if (!isUnnamed(call.key)) return this.join(endpoint, args)
    const unnamed = (this.#unnamed ??= new UnnamedCalls())
    const refusal = unnamed.refusal(endpoint, call)
    if (refusal !== undefined) return refuse(this.store, endpoint, args, call, refusal)
    const attempt = this.join(endpoint, args)
    unnamed.note(endpoint, attempt)
    return attempt
  }

  /**
   * Returns `true` if a reader must not fetch: the endpoint's signal is aborted, or the call is paused, because its
   * request was aborted or a mutation in flight hides its response. An abort is not shown, so the reader would fetch
   * again without end.
   */
  isGivenUp({ signal }: Partial<EndpointLike>, call: Call): boolean {
    if (signal?.aborted === true && isAbort(signal.reason)) return true
    return call.state.pausedUntil > this.clock.now()
  }

  /** Retains a call for a reader, until it calls `release`. */
  retain(call: Call): void {
    call.retainers++
    if (this.#present++ === 0) this.#setActive(!this.isDisposed)
    this.claim(call)
  }

  /** Ends a `retain`. */
  release(call: Call): void {
    call.retainers--
    this.use(call)
    this.#leave()
    if (call.retainers === 0) this.reads.abortLater(call)
  }

  /** Adds a stand-in for an unmounted reader to `refetchStale`. @returns a function that removes it */
  attend(reader: FetchingReader): () => void {
    this.readers.add(reader)
    if (this.#present++ === 0) this.#setActive(!this.isDisposed)
    return () => {
      if (this.readers.delete(reader)) this.#leave()
    }
  }

  #leave(): void {
    if (--this.#present === 0) this.#setActive(false)
  }

  #setActive(isActive: boolean): void {
    if (development) noteReaders(this, isActive)
    this.pipeline.setActive(isActive)
  }

  /** A suspended reader rendered its data: from the next macrotask on, normal expiry applies. */
  claim(call: Call): void {
    this.#unnamed?.noteShown(call)
    // Each reader that mounts calls this, and most calls have no grace period.
    if (call.state.graceUntil !== -Infinity) this.#endGrace(call)
  }

  #endGrace(call: Call): void {
    if (this.isUnclaimed(call)) this.clock.setTimeout(() => this.store.move(call, { type: 'shown' }), 0)
  }

  /** Returns `true` during the grace period: a reader suspended for the data, and has not rendered it. */
  isUnclaimed(call: Call): boolean {
    return call.state.graceUntil !== -Infinity && call.state.graceUntil > this.clock.now()
  }

  /**
   * Stores data that did not come by a request.
   *
   * @param take - stores it, and returns the calls that were answered
   * @param isLater - `true` to notify readers in a microtask, because the caller may be rendering
   */
  absorb(describe: () => Action, take: () => readonly Call[], isLater = false): void {
    this.pipeline.perform(describe, () => this.store.batch(take, isLater))
    this.collector.schedule()
  }

  /** Makes a call Invalid, and suspended readers check expiry. */
  invalidate(call: Call): void {
    this.store.invalidatedAt = this.clock.now()
    this.store.move(call, { type: 'invalidated', at: this.store.nextSequence() })
  }

  /** Makes a call Stale. */
  expire(call: Call): void {
    this.store.batch(() => this.store.move(call, { type: 'expired', at: this.store.nextSequence() }))
  }
}

/**
 * The key of a Controller's calls. It is a symbol, so that applications do not meet it, and the same one in each copy
 * of this module, because a server may load a binding from a bundle and the application's Controller from a package.
 */
export const callsKey: unique symbol = Symbol.for('selfsame.calls')

/** The part of a Controller that has its calls. */
export interface CallsOwner {
  /** @internal */
  readonly [callsKey]: Calls
}

/** Returns the calls of a Controller, for observers, connections and hydration. */
export function callsOf(controller: CallsOwner): Calls {
  return controller[callsKey]
}
