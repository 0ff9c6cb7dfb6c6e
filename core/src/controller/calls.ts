import type { CacheableEndpoint, EndpointLike } from '../endpoint/endpoint.js'
import type { UnnamedCalls } from '../endpoint/unnamed.js'
import type { Transport } from '../endpoint/transport.js'
import * as errors from '../errors.js'
import { contractOf } from '../schema/contract-of.js'
import type { ExpiryPolicy } from '../schema/expiry-policy.js'
import type { QueryCall } from '../schema/query-of.js'
import { isContract } from '../schema/schema.js'
import type { Call } from '../store/call.js'
import { statusOf } from '../store/expiry.js'
import type { ExpiryStatus } from '../store/expiry.js'
import { GarbageCollector } from '../store/garbage/gc.js'
import { Store } from '../store/store.js'
import type { Lengths } from '../store/transaction.js'
import type { Clock } from '../util/clock.js'
import type { ControllerContext } from './context.js'
import { defaultErrorPolicy, isAbort } from './error-policy.js'
import type { LiveCalls } from './live-calls.js'
import type { Action, Pipeline } from './middleware.js'
import { Reads } from './reads.js'
import type { Hold, ReadAttempt } from './request.js'
import { CallMemo } from './call-memo.js'

/** A reader on screen that fetches what it shows. */
export interface Reader {
  /** The page is looked at again, or something like it: a moment at which the clock is looked at. */
  refetchIfStale(isMeant: (endpoint: EndpointLike) => boolean, isOver: (error: Error) => boolean): void
}

/** What a Controller was told. Lengths are milliseconds. */
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
 * The calls of one Controller and who reads them: what observers, connections and hydration do with a Controller beyond
 * what an application may.
 */
export class Calls implements ControllerContext {
  readonly store = new Store()
  readonly clock: Clock
  readonly pipeline: Pipeline
  readonly transport: Transport | undefined
  readonly collector: GarbageCollector
  readonly reads: Reads
  /** Counts resets, so that a reader drops what it showed. */
  resets = 0
  /** Called after each. */
  readonly resetListeners = new Set<() => void>()
  /** The calls whose errors stand, although they may have expired: boundaries try their content. */
  readonly standing = new Set<Call>()
  /** Readers that fetch and are on screen. */
  readonly readers = new Set<Reader>()
  /** What is connected; `undefined` until something is. */
  live: LiveCalls | undefined = undefined
  /** How many requests of a call wait for a network, by key; `undefined` until one does. */
  paused: Map<string, number> | undefined = undefined
  /** Where readers that do not wait had nothing to show in the first render of a page. */
  readonly blanks = new Set<string>()
  /** The same of the server that rendered the page, as it was hydrated. */
  readonly hydratedBlanks = new Set<string>()
  isDisposed = false
  readonly #settings: Settings
  readonly #calls = new CallMemo()
  /** Looks out for Endpoints without a name; `undefined` until one is read. */
  #guard: UnnamedCalls | undefined
  /** How many keep a call, or take part in `refetchStale` instead of a reader. */
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
    // Neither function is written where it is assigned: V8 makes such a function among what lives long, and keeps what
    // it refers to, a whole store, until it looks there. Controllers of requests to a server live short.
    const onCallsDropped = () => this.#calls.clear()
    store.onCallsDropped = onCallsDropped
    // One macrotask later: readers have been told by then.
    const giveUp = (give: () => void) => {
      if (this.isDisposed) queueMicrotask(give)
      else clock.setTimeout(give, 0)
    }
    store.giveUp = giveUp
  }

  lengths(endpoint: { readonly dataExpiryLength?: number | undefined } | undefined): Lengths {
    return { endpoint: endpoint?.dataExpiryLength, controller: this.#settings.dataExpiryLength }
  }

  errorLength({ errorExpiryLength }: { readonly errorExpiryLength?: number | undefined }): number {
    return errorExpiryLength ?? this.#settings.errorExpiryLength
  }

  /** The call of these arguments. */
  call(endpoint: CacheableEndpoint, args: readonly unknown[]): Call {
    if (typeof endpoint?.key !== 'function') throw errors.notAnEndpoint('The Controller', endpoint)
    const place = this.#calls.place(endpoint, args)
    let call = place?.call
    if (call === undefined || call.isCollected) {
      call = this.#lookUpCall(endpoint, args)
      if (place !== undefined) place.call = call
    }
    this.store.barrier?.noteCall(call)
    // Made now, and not retained yet. No timer: a server that only renders sets none.
    if (call.usedAt === -Infinity) call.usedAt = this.clock.now()
    return call
  }

  #lookUpCall(endpoint: CacheableEndpoint, args: readonly unknown[]): Call {
    // A Query reads its schema in a way of its own: it is the contract of what it gives.
    const schema = isContract(endpoint) ? endpoint : endpoint.schema
    const contract = schema === undefined ? undefined : contractOf(schema)
    return this.store.call({
      key: endpoint.key(...args),
      schema: contract,
      args,
      isQuery: isOfCache(endpoint),
    })
  }

  /** The expiry status of a call now. */
  status(endpoint: CacheableEndpoint & Partial<EndpointLike>, call: Call): ExpiryStatus {
    const { isReadable } = call.snapshot(this.store.graph)
    const expiresAt = isReadable ? this.expiresAt(endpoint, call) : -Infinity
    return this.statusAt(endpoint, isReadable, expiresAt, this.clock.now())
  }

  statusAt(
    endpoint: Partial<EndpointLike>,
    isReadable: boolean,
    expiresAt: number,
    now: number,
  ): ExpiryStatus {
    // Before the endpoint's options are looked up, which takes a sixth of a read and decides on nothing here.
    if (isReadable && expiresAt > now) return 'Valid'
    return statusOf({
      isReadable,
      expiresAt,
      now,
      invalidIfStale: endpoint.invalidIfStale === true,
      // A Query is computed from what is there, whatever its age.
      policy: isContract(endpoint) ? 'cache-first' : (endpoint.policy ?? this.#settings.policy),
    })
  }

  /** When what a call shows stops being Valid. An endpoint's own length counts from when it was received. */
  expiresAt(endpoint: CacheableEndpoint & Partial<EndpointLike>, call: Call): number {
    const { fetchedAt, expiresAt, sequence } = call.age
    if (sequence < call.expiredAt) return -Infinity
    return endpoint.dataExpiryLength === undefined ? expiresAt : fetchedAt + endpoint.dataExpiryLength
  }

  /** Whether an error replaces data that is there. */
  isHard(endpoint: Partial<EndpointLike>, error: Error): boolean {
    return (endpoint.errorPolicy?.(error) ?? defaultErrorPolicy(error)) === 'hard'
  }

  /** Makes a read, or joins the one under way. */
  join(endpoint: EndpointLike, args: readonly unknown[]): ReadAttempt {
    if (this.isDisposed) throw errors.controllerDisposed(endpoint.name)
    if (endpoint.update !== undefined) throw errors.cannotUpdateByRead(endpoint.name)
    const call = this.call(endpoint, args)
    return this.reads.join(endpoint, args, call)
  }

  /**
   * Makes a read for a reader, or joins the one under way. An Endpoint without a name that is made anew in each render
   * fails without a request.
   */
  joinForReader(endpoint: EndpointLike, args: readonly unknown[]): ReadAttempt {
    const call = this.call(endpoint, args)
    const Guard = endpoint.guardOf?.(call.key)
    if (Guard === undefined) return this.join(endpoint, args)
    const guard = (this.#guard ??= new Guard())
    const refusal = guard.refusal(endpoint, call)
    if (refusal !== undefined) return this.reads.refuse(endpoint, args, call, refusal)
    const attempt = this.join(endpoint, args)
    guard.note(endpoint, attempt)
    return attempt
  }

  /**
   * A reader that is not on screen waits for an answer, or for none any more. What it waited for before is aborted
   * when nothing else holds it.
   */
  hold(hold: Hold, attempt: ReadAttempt | undefined): void {
    this.reads.hold(hold, attempt)
  }

  /**
   * Whether a reader must not ask: its request was ended, or would be at once, by an abort of its own. As an abort is
   * nothing to show, it would ask again without end.
   */
  isGivenUp({ signal }: Partial<EndpointLike>, call: Call): boolean {
    if (signal?.aborted === true && isAbort(signal.reason)) return true
    return call.pausedUntil > this.clock.now()
  }

  /** Keeps a call for a reader. @returns a function that gives it up */
  retain(call: Call): () => void {
    this.keep(call)
    let isRetained = true
    return () => {
      if (!isRetained) return
      isRetained = false
      this.release(call)
    }
  }

  keep(call: Call): void {
    call.retainers++
    this.#setPresent(1)
    this.claim(call)
  }

  release(call: Call): void {
    call.retainers--
    call.usedAt = this.clock.now()
    this.#setPresent(-1)
    if (call.retainers === 0) this.reads.abortLater(call)
    this.collector.schedule()
  }

  /** Takes part in `refetchStale` for a reader that is not there. @returns what ends it */
  attend(reader: Reader): () => void {
    this.readers.add(reader)
    this.#setPresent(1)
    return () => {
      if (this.readers.delete(reader)) this.#setPresent(-1)
    }
  }

  #setPresent(change: 1 | -1): void {
    this.#present += change
    this.pipeline.setActive(this.#present > 0 && !this.isDisposed)
  }

  /** A reader rendered what it waited for: from the next macrotask on, normal expiry applies. */
  claim(call: Call): void {
    this.#guard?.noteShown(call)
    if (!this.isUnclaimed(call)) return
    this.clock.setTimeout(() => call.transition({ type: 'shown' }), 0)
  }

  /** Whether a reader waited for what the call holds, and has not rendered it. */
  isUnclaimed(call: Call): boolean {
    // Asked for by each reader that comes: most calls were never waited for.
    return call.graceUntil !== -Infinity && call.graceUntil > this.clock.now()
  }

  /**
   * Stores what came in another way than by a request.
   *
   * @param take - does it, and gives the calls that were answered
   * @param isLater - whether readers are told in a microtask, because this may be called while something is rendered
   */
  absorb(describe: () => Action, take: () => readonly Call[], isLater = false): void {
    this.perform(describe, () => this.store.batch(take, isLater))
    this.collector.schedule()
  }

  /**
   * Takes back the error of a call, and makes what else it shows Stale: its readers fetch.
   *
   * @param error - of its fetch, or of reading what was received, which then does not count
   */
  takeBack(call: Call, error: Error): void {
    this.store.batch(() => {
      if (call.error !== error) return this.invalidate(call)
      call.transition({ type: 'forgiven' })
      this.expire(call)
    })
  }

  /** Makes a call unanswered, and readers that wait look again. */
  invalidate(call: Call): void {
    this.store.move(call, { type: 'invalidated', at: this.store.nextSequence() })
  }

  /** Makes a call Stale. */
  expire(call: Call): void {
    this.store.batch(() => this.store.move(call, { type: 'expired', at: this.store.nextSequence() }))
  }

  /** Does something that middleware sees before and after. */
  perform<Value>(describe: () => Action, run: () => Value): Value {
    return this.pipeline.perform(describe, run)
  }
}

/** Whether a call is a Query, or a schema that is read as one. */
function isOfCache(endpoint: CacheableEndpoint): boolean {
  return isContract(endpoint) || (endpoint as Partial<QueryCall>).isQuery === true
}
