import type {
  ArgsOf,
  CacheableEndpoint,
  CallContext,
  DataOf,
  EndpointLike,
  KeyTester,
  ReadEndpoint,
  CacheSnapshot,
} from '../endpoint/endpoint.js'
import { SelfsameError, errors, kindOf, toError, warn } from '../errors.js'
import { contractOf } from '../schema/contract-of.js'
import { DeleteSchema } from '../schema/delete.js'
import type { Denormalize } from '../schema/denormalized.js'
import { EntityPlan } from '../schema/entity-plan.js'
import type { FieldsOf } from '../schema/entity.js'
import type { SchemaArgs } from '../schema/query.js'
import type { ExpiryPolicy } from '../schema/expiry-policy.js'
import { isContract, isEntityClass } from '../schema/schema.js'
import type { EntityClass, Schema } from '../schema/schema.js'
import { statusOf } from '../store/expiry.js'
import type { ExpiryStatus } from '../store/expiry.js'
import { Collector } from '../store/collect.js'
import { noResult } from '../store/results.js'
import type { ResultNode, Snapshot } from '../store/results.js'
import { Store } from '../store/store.js'
import type { Lengths } from '../store/transaction.js'
import { systemClock } from '../util/clock.js'
import type { Clock } from '../util/clock.js'
import { copyPlain } from '../util/plain.js'
import { isSameProgress } from '../util/progress.js'
import type { Progress } from '../util/progress.js'
import { defaultErrorPolicy, isAbort } from './error-policy.js'
import { Polls } from './polling.js'
import { InFlight, createSettleable, createWaiter } from './request.js'
import type { Hold, ReadRequest, Settleable, TaggedPromise, Waiter } from './request.js'
import { Transfers } from './transfers.js'
import { updateCalls } from './update.js'

/**
 * How long an outcome waits to be shown by the reader that it was fetched for: milliseconds. A framework may
 * take its time to show what it suspended for; a reader that was given up must not make old data Valid.
 */
const claimLength = 5000

/** What a Controller may be told. Lengths are milliseconds. */
export interface ControllerOptions {
  /** How long an answer stays Valid, where neither endpoint nor entity says. @default 60000 */
  readonly dataExpiryLength?: number | undefined
  /** How long an error is thrown again instead of fetching, where the endpoint does not say. @default 1000 */
  readonly errorExpiryLength?: number | undefined
  /** What Stale data is good for, where the endpoint does not say. @default 'stale-while-revalidate' */
  readonly policy?: ExpiryPolicy | undefined
  /** How long what nobody reads is kept after its last use. @default 300000 */
  readonly keepLength?: number | undefined
  /** Time and timers. @default the platform's */
  readonly clock?: Clock | undefined
}

/** What `read` gives: a snapshot, and what the clock says about it now. */
export interface ReadResult<Data> extends Omit<Snapshot<Data>, 'isReadable'> {
  readonly status: ExpiryStatus
  /** When the data stops being Valid: milliseconds since the epoch; `-Infinity` when there is none. */
  readonly expiresAt: number
}

/** The arguments of a call, with what follows them. */
type Followed<Args extends readonly unknown[], Last> = [] extends Args
  ? readonly [Last] | readonly [...Required<Args>, Last]
  : readonly [...Args, Last]

/**
 * The cache of an application and everything that can be done to it. Owns its store: two Controllers never meet.
 *
 * @see specification 4.5
 * @example
 * const controller = new Controller()
 * const todo = await controller.fetch(todoResource.get, { id: 5 })
 * await controller.fetch(todoResource.partialUpdate, { id: 5 }, { completed: true })
 * controller.get(Todo, { id: 5 })?.completed // true
 */
export class Controller {
  /** @internal */
  readonly store = new Store()
  /** Time and timers. */
  readonly clock: Clock
  /** Counts resets, so that a reader drops what it showed. @internal */
  resets = 0
  readonly #dataExpiryLength: number
  readonly #errorExpiryLength: number
  readonly #policy: ExpiryPolicy
  readonly #inFlight = new InFlight()
  /** Where the mutations under way started. */
  readonly #mutations = new Map<number, (reason: Error) => void>()
  readonly #transfers = new Transfers()
  /** What readers wait for that must not ask. */
  readonly #resumptions = new WeakMap<ResultNode, Settleable<undefined>>()
  readonly #collector: Collector
  /** The calls that are kept fresh. @internal */
  readonly polls = new Polls(this)
  #isDisposed = false

  /** @throws {SelfsameError} `definition-invalid` for a length that is negative or not a number */
  constructor(options: ControllerOptions = {}) {
    const { dataExpiryLength = 60_000, errorExpiryLength = 1000, keepLength = 300_000 } = options
    for (const [option, length] of Object.entries({ dataExpiryLength, errorExpiryLength, keepLength })) {
      if (!(length >= 0)) throw errors.expiryLengthInvalid('The Controller', option, length)
    }
    this.clock = options.clock ?? systemClock
    this.#dataExpiryLength = dataExpiryLength
    this.#errorExpiryLength = errorExpiryLength
    this.#policy = options.policy ?? 'stale-while-revalidate'
    this.#collector = new Collector(this.store, this.clock, keepLength)
    // One macrotask later: readers have been told by then.
    this.store.giveUp = (give) => {
      if (this.#isDisposed) queueMicrotask(give)
      else this.clock.setTimeout(give, 0)
    }
  }

  /**
   * Makes a request and stores its answer. A read that is already under way is joined instead.
   *
   * @param endpoint - any endpoint, a mutation included
   * @param args - its params, and its body where it takes one; `null` in the first place does nothing
   * @returns the answer as it is read from the cache; for a delete, and where there is no schema, the processed answer
   * @throws what the endpoint throws; {SelfsameError} when the answer does not fit the schema, and then nothing of
   *   it is stored. A failed read keeps its error for readers as well
   * @see specification 4.5, F9, F11
   */
  fetch<E extends EndpointLike>(endpoint: E, ...args: ArgsOf<E>): Promise<FetchValue<E>>
  fetch(endpoint: EndpointLike, ...args: readonly unknown[]): Promise<unknown> {
    return this.#fetch(endpoint, args)
  }

  #fetch(endpoint: EndpointLike, args: readonly unknown[]): Promise<unknown> {
    if (typeof endpoint !== 'function') throw errors.notAnEndpoint('controller.fetch', endpoint)
    if (args[0] === null) return Promise.resolve(undefined)
    if (this.#isDisposed) return Promise.reject(errors.controllerDisposed(endpoint.name))
    if (endpoint.sideEffect === true) return this.#mutate(endpoint, args)
    try {
      const waiter = this.join(endpoint, args)
      waiter.isPromised = true
      return waiter.answer.promise
    } catch (error) {
      // A call that cannot be made, such as one that lacks a param of the path, rejects as one that failed.
      return Promise.reject(error as Error)
    }
  }

  /**
   * Makes a request only where the data is Invalid or Stale.
   *
   * @returns the answer, or the data that is there
   * @throws what `fetch` throws
   */
  fetchIfStale<E extends EndpointLike>(endpoint: E, ...args: ArgsOf<E>): Promise<FetchValue<E>>
  fetchIfStale(endpoint: EndpointLike, ...args: readonly unknown[]): Promise<unknown> {
    if (args[0] === null) return Promise.resolve(undefined)
    const row = this.row(endpoint, args)
    if (this.status(endpoint, row) !== 'Valid') return this.#fetch(endpoint, args)
    return Promise.resolve(row.snapshot(this.store.graph).data)
  }

  /**
   * Makes a call unanswered: its readers fetch it anew and it is not answered from records until then. The records
   * stay, so lists keep their rows. A request under way does not count. Clears the call's error.
   *
   * @param args - the params of the call; `null` does nothing
   * @see specification 3 (what Invalid marks), F3, F24
   */
  invalidate<E extends CacheableEndpoint>(endpoint: E, ...args: KeyArgsOf<E>): void {
    if (args[0] === null) return
    const row = this.row(endpoint, args)
    this.store.batch(() => {
      for (const other of this.store.results.get(row.key) ?? []) this.#invalidateRow(other)
    })
  }

  /**
   * Makes all calls of an endpoint unanswered, each as by `invalidate`. Readers are told once.
   *
   * @param endpoint - an endpoint, or anything with a `testKey`
   * @see specification 4.5
   * @example controller.invalidateAll(todoResource.getList) // whatever its search params
   */
  invalidateAll(endpoint: KeyTester): void {
    this.#changeAll('controller.invalidateAll', endpoint, (row) => this.#invalidateRow(row))
  }

  /**
   * Makes the data of all calls of an endpoint Stale now: what is shown stays, and mounted readers that fetch do so at
   * once. Data that was asked for before does not count as fresh, also where it arrives later.
   *
   * @param endpoint - an endpoint, or anything with a `testKey`
   * @see specification 3 (expiry), 4.5
   */
  expireAll(endpoint: KeyTester): void {
    this.#changeAll('controller.expireAll', endpoint, (row) => {
      row.expire(this.store.nextSequence())
      this.store.touch(row)
    })
  }

  #changeAll(name: string, endpoint: KeyTester, change: (row: ResultNode) => void): void {
    if (typeof endpoint?.testKey !== 'function') throw errors.notAnEndpoint(name, endpoint)
    this.store.batch(() => {
      for (const [key, rows] of this.store.results) if (endpoint.testKey(key)) rows.forEach(change)
    })
  }

  /**
   * A record from the cache, or an object of them.
   *
   * @param schema - an Entity class, or an object whose fields are
   * @param args - what names the record, for example `{ id: 5 }`
   * @returns the data; `undefined` when it is not stored or cannot be used
   * @throws {SelfsameError} `not-queryable` for a schema that arguments cannot name
   */
  get<const S extends Schema>(schema: S, ...args: SchemaArgs<S>): Denormalize<S> | undefined {
    if (args[0] === null) return undefined
    const contract = contractOf(schema)
    if (contract.queryKey === undefined) throw errors.notQueryable(describeSchema(schema))
    return this.store.readOnce(contract, noResult, args) as Denormalize<S> | undefined
  }

  /**
   * Writes fields of a record into the cache, without a request. What is not named stays as it is.
   *
   * @param entity - the record's class
   * @param args - what names the record, for example `{ id: 5 }`; stored with the fields
   * @param value - fields, or a function from the record (`undefined` when it is not stored) to fields
   * @throws {SelfsameError} when the record has no primary key, or could not be used afterwards; nothing is written then
   * @example controller.set(Todo, { id: 5 }, { title: 'x' })
   */
  set<E extends EntityClass<{ pk(): unknown }>>(
    entity: E,
    args: object,
    value: PartialFields<E> | ((record: Denormalize<E> | undefined) => PartialFields<E>),
  ): void {
    if (!isEntityClass(entity)) throw errors.notQueryable(describeSchema(entity))
    const name = `controller.set(${entity.key})`
    const fields: unknown =
      typeof value === 'function' ? value(this.get(entity, ...([args] as unknown as SchemaArgs<E>))) : value
    if (typeof fields !== 'object' || fields === null) {
      throw errors.valueUnusable(
        'controller.set()',
        entity.key,
        `it was given ${kindOf(fields)} instead of fields`,
      )
    }
    const start = this.store.nextSequence()
    const order = { kind: 'mutation', start, settle: start } as const
    this.store.transact(order, this.#lengths(undefined), this.clock.now(), (transaction) => {
      const payload = { ...args, ...fields }
      transaction.ingest(contractOf(entity), payload, { args: [args], name, isOwned: false })
    })
    this.#collector.schedule()
  }

  /**
   * Reads a call from the cache, without listening and without a request.
   *
   * @returns what is known of it now
   */
  read<E extends CacheableEndpoint>(endpoint: E, ...args: KeyArgsOf<E>): ReadResult<DataOf<E>> {
    if (args[0] === null) {
      return {
        data: undefined,
        error: undefined,
        fetching: false,
        progress: undefined,
        status: 'Invalid',
        expiresAt: -Infinity,
      }
    }
    this.#collector.schedule()
    return this.#read(endpoint, this.row(endpoint, args))
  }

  #read<E extends CacheableEndpoint>(endpoint: E, row: ResultNode): ReadResult<DataOf<E>> {
    const { data, error, fetching, progress, isReadable } = row.snapshot(this.store.graph)
    const status = this.status(endpoint, row)
    return {
      // The row was answered by the schema of this endpoint.
      data: (status === 'Invalid' ? undefined : data) as DataOf<E> | undefined,
      error,
      fetching,
      progress,
      status,
      expiresAt: isReadable ? this.expiresAt(endpoint, row) : -Infinity,
    }
  }

  /**
   * Listens to a call in the cache. Makes no request.
   *
   * @param rest - the params of the call, then the listener: called with what `read` gives, after each change of it
   * @returns a function that ends it
   * @example
   * const end = controller.subscribe(todoResource.get, { id: 5 }, ({ data }) => render(data))
   */
  subscribe<E extends CacheableEndpoint>(
    endpoint: E,
    ...rest: Followed<KeyArgsOf<E>, (result: ReadResult<DataOf<E>>) => void>
  ): () => void {
    const args = rest.slice(0, -1)
    const listener = rest.at(-1)
    if (typeof listener !== 'function') {
      throw new SelfsameError(
        'argument-invalid',
        'controller.subscribe() takes a listener as its last argument.',
      )
    }
    if (args[0] === null) return () => {}
    const row = this.row(endpoint, args)
    let told = row.snapshot(this.store.graph)
    const tell = () => {
      const snapshot = row.snapshot(this.store.graph)
      if (snapshot === told) return
      told = snapshot
      ;(listener as (result: unknown) => void)(this.#read(endpoint, row))
    }
    row.listeners.add(tell)
    const release = this.retain(row)
    return () => {
      row.listeners.delete(tell)
      release()
    }
  }

  /**
   * Keeps a call fresh: fetches it at once if it is Stale or Invalid, and again each `pollFrequency` milliseconds
   * after the last answer or failure. All who are connected to one call share its requests. Ended by `dispose`.
   *
   * @param endpoint - an endpoint that reads and has a `pollFrequency`
   * @param args - its arguments; `null` in the first place does nothing
   * @returns a function that ends it
   * @throws {SelfsameError} `argument-invalid` for an endpoint without `pollFrequency`, and for a mutation
   * @see specification 3, Polling
   * @example
   * const end = controller.connect(getPrice.extend({ pollFrequency: 5000 }), { symbol: 'ABC' })
   */
  connect<E extends ReadEndpoint>(endpoint: E, ...args: ArgsOf<E>): () => void
  connect(endpoint: EndpointLike, ...args: readonly unknown[]): () => void {
    if (args[0] === null || this.#isDisposed) return () => {}
    return this.polls.connect(this.row(endpoint, args), () => endpoint, args)
  }

  /**
   * Forgets everything, as at a logout: records, results and errors. Requests under way are dropped, and their
   * promises reject with a {SelfsameError} `hard-reset`. Mounted readers fetch anew.
   *
   * @see specification 5, F5, F18
   */
  resetAll(): void {
    this.resets++
    // Readers are told last: what they fetch then is not given up.
    for (const row of [...this.store.results.values()].flat()) this.resume(row)
    this.store.batch(() => {
      this.store.clear()
      this.#giveUp((name) => errors.wasReset(name))
      for (const reject of this.#mutations.values()) reject(errors.wasReset('A mutation'))
      this.#endMutations([...this.#mutations.keys()])
    })
  }

  /**
   * Ends all timers and requests. Nothing can be fetched afterwards; what is stored can be read, though what an answer
   * held outside of the cache (an object URL) is given up.
   */
  dispose(): void {
    this.#isDisposed = true
    this.polls.end()
    this.#collector.stop()
    this.#giveUp((name) => errors.controllerDisposed(name))
    for (const row of [...this.store.results.values()].flat()) {
      this.store.discard(row)
      row.dispose = undefined
    }
  }

  // --- for observers ---

  /** The row of a call. @internal */
  row(endpoint: CacheableEndpoint, args: readonly unknown[]): ResultNode {
    if (typeof endpoint?.key !== 'function') throw errors.notAnEndpoint('The Controller', endpoint)
    // A Query reads its schema in a way of its own: it is the contract of what it gives.
    const schema = isContract(endpoint) ? endpoint : endpoint.schema
    const contract = schema === undefined ? undefined : contractOf(schema)
    return this.store.row({ key: endpoint.key(...args), schema: contract, args })
  }

  /** The expiry status of a call now. @internal */
  status(endpoint: CacheableEndpoint & Partial<EndpointLike>, row: ResultNode): ExpiryStatus {
    return statusOf({
      isReadable: row.snapshot(this.store.graph).isReadable,
      expiresAt: this.expiresAt(endpoint, row),
      now: this.clock.now(),
      invalidIfStale: endpoint.invalidIfStale === true,
      policy: endpoint.policy ?? this.#policy,
    })
  }

  /** When what a call shows stops being Valid. An endpoint's own length counts from when it was received. @internal */
  expiresAt(endpoint: CacheableEndpoint & Partial<EndpointLike>, row: ResultNode): number {
    const { fetchedAt, expiresAt } = row.age
    if (row.isExpired) return -Infinity
    return endpoint.dataExpiryLength === undefined ? expiresAt : fetchedAt + endpoint.dataExpiryLength
  }

  /** Whether an error replaces data that is there. @internal */
  isHard(endpoint: Partial<EndpointLike>, error: Error): boolean {
    return (endpoint.errorPolicy?.(error) ?? defaultErrorPolicy(error)) === 'hard'
  }

  /** Makes a read, or joins the one under way. @internal */
  join(endpoint: EndpointLike, args: readonly unknown[]): Waiter {
    if (this.#isDisposed) throw errors.controllerDisposed(endpoint.name)
    const row = this.row(endpoint, args)
    const running = this.#inFlight.find(row.key, endpoint, Math.max(row.invalidatedAt, row.expiredAt))
    const request = running ?? this.#startRead(row.key, endpoint, args)
    let waiter = request.waiters.find((other) => other.row === row)
    if (waiter === undefined) {
      waiter = createWaiter(endpoint, args, row)
      request.waiters.push(waiter)
      this.#setFetching(row, true)
    }
    row.abortedUntil = -Infinity
    return waiter
  }

  /**
   * A reader that is not on screen waits for an answer, or for none any more. What it waited for before is aborted
   * when nobody else waits for it.
   *
   * @internal
   */
  hold(hold: Hold, waiter: Waiter | undefined): void {
    const before = hold.take(waiter)
    if (before !== undefined) this.#abortLater(before.row)
  }

  /**
   * Whether a reader must not ask: its request was ended, or would be at once, by an abort of its own. As an abort is
   * nothing to show, it would ask again without end.
   *
   * @internal
   */
  isGivenUp({ signal }: Partial<EndpointLike>, row: ResultNode): boolean {
    if (signal?.aborted === true && isAbort(signal.reason)) return true
    return row.abortedUntil > this.clock.now()
  }

  /** What a reader waits for that must not ask: that somebody else is answered, or that it comes back. @internal */
  resumption(row: ResultNode): TaggedPromise<undefined> {
    let resumption = this.#resumptions.get(row)
    if (resumption === undefined) this.#resumptions.set(row, (resumption = createSettleable()))
    return resumption.promise
  }

  /** Lets readers look again that must not ask. @internal */
  resume(row: ResultNode): void {
    row.abortedUntil = -Infinity
    this.#resumptions.get(row)?.resolve(undefined)
    this.#resumptions.delete(row)
  }

  /** Keeps a row for a reader. @returns a function that gives it up @internal */
  retain(row: ResultNode): () => void {
    row.retainers++
    this.claim(row)
    let isRetained = true
    return () => {
      if (!isRetained) return
      isRetained = false
      row.retainers--
      row.usedAt = this.clock.now()
      if (row.retainers === 0) this.#abortLater(row)
      this.#collector.schedule()
    }
  }

  /** Somebody shows what he waited for: from the next macrotask on its age counts. @internal */
  claim(row: ResultNode): void {
    if (!this.isUnclaimed(row)) return
    this.clock.setTimeout(() => (row.unclaimedUntil = -Infinity), 0)
  }

  /** Whether a reader waited for what the row holds, and nobody has shown it yet. @internal */
  isUnclaimed(row: ResultNode): boolean {
    return row.unclaimedUntil > this.clock.now()
  }

  /** Takes back the error of a call, if it still has that error. @internal */
  clearError(row: ResultNode, error: Error): void {
    if (row.error !== error) return
    row.error = undefined
    this.store.touch(row)
    this.store.notify()
  }

  // --- reads ---

  #startRead(key: string, endpoint: EndpointLike, args: readonly unknown[]): ReadRequest {
    const abort = new AbortController()
    const request: ReadRequest = { key, endpoint, start: this.store.nextSequence(), waiters: [], abort }
    this.#inFlight.add(request)
    this.store.earliestRead = this.#inFlight.earliest
    const { signal } = abort
    const onProgress = (progress: Progress) => this.#reportRead(request, progress)
    // What a reset or an abort ended is no longer under way.
    callEndpoint(endpoint, args, { signal, onProgress }).then(
      (payload) => {
        if (this.#inFlight.has(request)) this.#answerRead(request, payload)
        else if (endpoint.schema === undefined) endpoint.dispose?.(payload)
      },
      (thrown: unknown) => {
        if (this.#inFlight.has(request)) this.#failRead(request, request.waiters, thrown)
      },
    )
    return request
  }

  /**
   * Aborts the requests for a call that nobody waits for. In the next macrotask, because a reader that leaves is often
   * followed by one that comes: a component is mounted again (specification F16, B12).
   */
  #abortLater({ key }: ResultNode): void {
    if (this.#inFlight.abandoned(key).length === 0) return
    this.clock.setTimeout(() => {
      for (const request of this.#inFlight.abandoned(key)) this.#abortRead(request)
    }, 0)
  }

  #abortRead(request: ReadRequest): void {
    const reason = new DOMException('Nobody waits for it any more.', 'AbortError')
    for (const waiter of request.waiters) waiter.isAborted = true
    request.abort.abort(reason)
    this.#failRead(request, request.waiters, reason)
  }

  #answerRead(request: ReadRequest, payload: unknown): void {
    this.#inFlight.remove(request)
    const { start, waiters } = request
    const order = { kind: 'read', start, settle: this.store.nextSequence() } as const
    this.store.batch(() => {
      for (const waiter of waiters) {
        try {
          const value = this.#storeRead(waiter, payload, order, waiters.length === 1)
          waiter.answer.resolve(value)
          waiter.settled.resolve(undefined)
        } catch (error) {
          this.#failRead(request, [waiter], error)
        }
      }
    })
    this.store.earliestRead = this.#inFlight.earliest
    this.#collector.schedule()
  }

  #storeRead(
    { endpoint, args, row, isWaitedFor }: Waiter,
    payload: unknown,
    order: { kind: 'read'; start: number; settle: number },
    isAlone: boolean,
  ): unknown {
    const { schema } = row
    const isOwned = isAlone && endpoint.ownsPayload === true
    const result = this.store.transact(order, this.#lengths(endpoint), this.clock.now(), (transaction) => {
      const normalized =
        schema === undefined
          ? isOwned
            ? payload
            : copyPlain(payload)
          : transaction.ingest(schema, payload, { args, name: nameOf(endpoint, row.key), isOwned })
      transaction.setResult(row, normalized)
      return normalized
    })
    if (schema === undefined && endpoint.dispose !== undefined) this.#keepOrGiveUp(row, result, endpoint)
    row.usedAt = this.clock.now()
    row.unclaimedUntil = isWaitedFor ? row.usedAt + claimLength : -Infinity
    this.resume(row)
    this.#setFetching(row, false)
    if (!row.isInvalidated) return row.snapshot(this.store.graph).data
    return schema === undefined ? result : this.store.readOnce(schema, result, args)
  }

  /** An answer that came too late to be kept is nobody's. */
  #keepOrGiveUp(row: ResultNode, result: unknown, { dispose }: EndpointLike): void {
    if (Object.is(row.result, result)) row.dispose = dispose
    else this.store.giveUp(() => dispose?.(result))
  }

  #reportRead(request: ReadRequest, progress: Progress): void {
    if (!this.#inFlight.has(request)) return
    for (const { row } of request.waiters) {
      if (request.start > row.invalidatedAt) this.#setProgress(row, progress)
    }
  }

  #failRead(request: ReadRequest, waiters: readonly Waiter[], thrown: unknown): void {
    this.#inFlight.remove(request)
    this.store.earliestRead = this.#inFlight.earliest
    const { start } = request
    this.store.batch(() => {
      for (const { endpoint, row, answer, settled, isWaitedFor, isAborted } of waiters) {
        const error = toError(thrown, endpoint.name)
        const counts = start > row.invalidatedAt && start >= row.stamp.sequence
        if (counts && !isAbort(error)) {
          row.error = error
          row.errorExpiresAt = this.clock.now() + this.#errorLength(endpoint)
          row.unclaimedUntil = isWaitedFor ? this.clock.now() + claimLength : -Infinity
        }
        if (!isAbort(error)) this.resume(row)
        else if (!isAborted) row.abortedUntil = this.clock.now() + this.#errorLength(endpoint)
        row.usedAt = this.clock.now()
        this.store.touch(row)
        this.#setFetching(row, false)
        answer.reject(error)
        settled.resolve(undefined)
      }
    })
    this.#collector.schedule()
  }

  #giveUp(reason: (name: string) => Error): void {
    for (const { endpoint, waiters, abort } of this.#inFlight.clear()) {
      abort.abort()
      for (const { answer, settled } of waiters) {
        answer.reject(reason(endpoint.name))
        settled.resolve(undefined)
      }
    }
  }

  /** Whoever starts a request may be rendering; others are told that it runs when he is done. */
  #setFetching(row: ResultNode, isStarting: boolean): void {
    const fetching = isStarting || this.#inFlight.isFetching(row) || this.#transfers.isRunning(row)
    if (row.fetching === fetching) return
    row.fetching = fetching
    row.progress = undefined
    this.store.touch(row)
    if (isStarting) queueMicrotask(() => this.store.notify())
    else this.store.notify()
  }

  /** A transport may say how far it is while it is called, and so while somebody renders: readers are told after that. */
  #setProgress(row: ResultNode, progress: Progress): void {
    if (!row.fetching || isSameProgress(row.progress, progress)) return
    row.progress = Object.freeze({ ...progress })
    this.store.touch(row)
    queueMicrotask(() => this.store.notify())
  }

  // --- mutations ---

  async #mutate(endpoint: EndpointLike, args: readonly unknown[]): Promise<unknown> {
    const start = this.store.nextSequence()
    const name = nameOf(endpoint)
    const wasReset = new Promise<never>((_, reject) => this.#mutations.set(start, reject))
    wasReset.catch(() => {})
    const onProgress = (progress: Progress) => this.#reportMutation(start, endpoint, args, progress)
    this.store.earliestMutation = Math.min(this.store.earliestMutation, start)
    const held = this.#showEarly(endpoint, args, start)
    try {
      const payload = await Promise.race([callEndpoint(endpoint, args, { onProgress }), wasReset])
      return this.#storeMutation(endpoint, args, payload, start, name, held)
    } catch (thrown) {
      this.store.batch(() => this.store.layers.remove(start))
      this.store.release(held)
      throw toError(thrown, endpoint.name)
    } finally {
      this.#endMutations([start])
      this.#endTransfer(start)
    }
  }

  /** Only a mutation that says how far it is has a row: what nobody can see is not named. */
  #reportMutation(start: number, endpoint: EndpointLike, args: readonly unknown[], progress: Progress): void {
    if (!this.#mutations.has(start)) return
    if (!this.#transfers.has(start)) {
      const added = this.row(endpoint, args)
      this.#transfers.begin(start, added)
      this.#setFetching(added, true)
    }
    const row = this.#transfers.shownBy(start)
    if (row !== undefined) this.#setProgress(row, progress)
  }

  #endTransfer(start: number): void {
    const row = this.#transfers.end(start)
    if (row === undefined) return
    row.usedAt = this.clock.now()
    this.#setFetching(row, false)
    this.#collector.schedule()
  }

  /**
   * Shows what a mutation is expected to do. One that cannot be shown early is sent all the same.
   *
   * @returns rows that it makes unreadable: their readers see what they saw until the mutation is answered
   */
  #showEarly(endpoint: EndpointLike, args: readonly unknown[], start: number): ResultNode[] {
    const { getOptimisticResponse, schema } = endpoint
    if (getOptimisticResponse === undefined || schema === undefined) return []
    const origin = { args, name: `getOptimisticResponse of ${nameOf(endpoint)}`, isOwned: false }
    try {
      // Its members are those of the same names; only the generic arguments are written in another way.
      const expected: unknown = getOptimisticResponse.call(
        endpoint,
        this as unknown as CacheSnapshot,
        ...args,
      )
      if (expected === undefined) return []
      return this.store.batch(() => {
        this.store.layers.add(start, contractOf(schema), expected, origin)
        return this.store.holdUnreadable()
      })
    } catch (error) {
      warn(error instanceof Error ? error.message : String(error))
      return []
    }
  }

  #storeMutation(
    endpoint: EndpointLike,
    args: readonly unknown[],
    payload: unknown,
    start: number,
    name: string,
    heldEarly: readonly ResultNode[],
  ): unknown {
    if (endpoint.schema === undefined && endpoint.update === undefined) return payload
    const schema = endpoint.schema === undefined ? undefined : contractOf(endpoint.schema)
    const isRead = schema !== undefined && !(schema instanceof DeleteSchema)
    const order = { kind: 'mutation', start, settle: this.store.nextSequence() } as const
    const held = [...heldEarly]
    // In one batch: readers see the expected answer and then the real one, and nothing between them.
    const result = this.store.batch(() => {
      this.store.layers.remove(start)
      return this.store.transact(order, this.#lengths(endpoint), this.clock.now(), (transaction) => {
        const isOwned = endpoint.ownsPayload === true && isRead
        const normalized =
          schema === undefined ? undefined : transaction.ingest(schema, payload, { args, name, isOwned })
        if (endpoint.update !== undefined) {
          const value = isRead ? this.store.readOnce(schema, normalized, args) : payload
          updateCalls(this.store, transaction, endpoint, value, args)
        }
        held.push(...this.store.holdUnreadable())
        return normalized
      })
    })
    // After the promise of the call resolved and whoever awaits it went on.
    if (held.length > 0) this.clock.setTimeout(() => this.store.release(held), 0)
    this.#collector.schedule()
    return isRead ? this.store.readOnce(schema, result, args) : payload
  }

  #endMutations(starts: readonly number[]): void {
    for (const start of starts) this.#mutations.delete(start)
    // A Map keeps the order in which mutations were added, and their starts only grow.
    const [earliest = Infinity] = this.#mutations.keys()
    this.store.earliestMutation = earliest
  }

  #invalidateRow(row: ResultNode): void {
    row.invalidate(this.store.nextSequence())
    row.fetching = false
    this.resume(row)
    // A reader that waits without listening, as one that was never on screen does, asks anew (specification F3).
    for (const { settled } of this.#inFlight.waitersOf(row)) settled.resolve(undefined)
    this.store.graph.markWritten(row.view)
    this.store.touch(row)
  }

  #errorLength({ errorExpiryLength }: EndpointLike): number {
    return errorExpiryLength ?? this.#errorExpiryLength
  }

  #lengths(endpoint: { readonly dataExpiryLength?: number | undefined } | undefined): Lengths {
    return { endpoint: endpoint?.dataExpiryLength, controller: this.#dataExpiryLength }
  }
}

/** What `fetch` resolves with: the data of the schema; the processed answer of a delete or without a schema. */
export type FetchValue<E> = E extends { readonly schema: DeleteSchema }
  ? E extends (...args: never) => Promise<infer Value>
    ? Value
    : unknown
  : DataOf<E>

/** The arguments by which a call is named in the cache. */
export type KeyArgsOf<E> = ArgsOf<E> extends infer Args extends readonly unknown[] ? Args : never

/** The fields of a record, none of them required. */
export type PartialFields<E> = Denormalize<E> extends infer Record ? Partial<FieldsOf<Record>> : never

/** Calls an endpoint, whose function may throw or forget its promise (specification E12). */
function callEndpoint(
  endpoint: EndpointLike,
  args: readonly unknown[],
  context: CallContext,
): Promise<unknown> {
  try {
    const promise: unknown = endpoint.callWith?.(context, args) ?? endpoint(...args)
    if (typeof (promise as Promise<unknown> | undefined)?.then === 'function')
      return promise as Promise<unknown>
    return Promise.reject(errors.fetchReturnedNoPromise(endpoint.name, promise))
  } catch (error) {
    return Promise.reject(error as Error)
  }
}

/** A call as messages name it: `Article.getList (GET /article)`. */
function nameOf(endpoint: EndpointLike, key?: string): string {
  const { method, path } = endpoint as { method?: unknown; path?: unknown }
  if (typeof method === 'string' && typeof path === 'string') return `${endpoint.name} (${method} ${path})`
  return key === undefined || key.startsWith(endpoint.name) ? endpoint.name : `${endpoint.name} (${key})`
}

function describeSchema(schema: unknown): string {
  if (isEntityClass(schema)) return `Entity "${schema.key}"`
  if (schema instanceof EntityPlan) return `Entity "${schema.key}"`
  return Array.isArray(schema) ? 'A list schema' : `This schema (${kindOf(schema)})`
}
