import type { ArgsOf, CacheableEndpoint, DataOf, EndpointLike, KeyTester } from '../endpoint/endpoint.js'
import type { Transport } from '../endpoint/transport.js'
import * as errors from '../errors.js'
import { SelfsameError, toError } from '../errors.js'
import { contractOf, innerOf } from '../schema/contract-of.js'
import type { DeleteSchema } from '../schema/delete.js'
import type { Denormalize } from '../schema/denormalized.js'
import type { FieldsOf } from '../schema/entity.js'
import type { SchemaArgs } from '../schema/query.js'
import { isQuery, notQueryable } from '../schema/query-of.js'
import type { ExpiryPolicy } from '../schema/expiry-policy.js'
import { isEntityClass } from '../schema/schema.js'
import type { EntityClass, Schema, SchemaContract } from '../schema/schema.js'
import type { ExpiryStatus } from '../store/expiry.js'
import { isSameSnapshot } from '../store/call.js'
import { noResult } from '../store/results.js'
import type { Call, Snapshot } from '../store/call.js'
import type { Transaction } from '../store/transaction.js'
import { SteadyClock, systemClock } from '../util/clock.js'
import type { Clock } from '../util/clock.js'
import { bindMethods } from '../util/bind-methods.js'
import { judgePayload, nameOf } from './call.js'
import { callsKey } from './calls-of.js'
import type { CallsOwner } from './calls-of.js'
import { Calls } from './calls.js'
import { isAbort } from './error-policy.js'
import { Pipeline } from './middleware.js'
import type { MiddlewareHooks } from './middleware.js'
import { Mutations } from './mutations.js'

/**
 * Sees all that is done to a Controller, and may stand between the Controller and the network.
 * Called once for each Controller, so that what it remembers is not shared by two.
 *
 * @see specification 4.5, Middleware
 * @example
 * const counting: Middleware = () => {
 *   let count = 0
 *   return { before: ({ type }) => { if (type === 'fetch') console.log(++count) } }
 * }
 * const controller = new Controller({ middleware: [counting] })
 */
export type Middleware = (controller: Controller) => MiddlewareHooks

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
  /**
   * How many records are stored before what nobody reads is collected sooner: at once, and what was not used for longest
   * first. What is on screen, asked for or shown early is kept, however much that is. @default Infinity
   */
  readonly maxRecords?: number | undefined
  /** Time and timers. @default the platform's */
  readonly clock?: Clock | undefined
  /**
   * Pieces that see what is done and stand between the Controller and the network: retry, refetch on focus, a logger.
   * The first is the outermost. @default none
   */
  readonly middleware?: readonly Middleware[] | undefined
  /**
   * Sends the requests of this Controller: those of REST and GraphQL endpoints and of files. An `Endpoint` finds it as
   * `this.transport`. On a server it adds what belongs to one user's request: cookies, headers, the origin.
   *
   * @default the global `fetch`
   */
  readonly fetch?: Transport | undefined
}

/** What `read` gives: a snapshot, and what the clock says about it now. @see specification 3 */
export interface ReadResult<Data> extends Omit<Snapshot<Data>, 'isReadable'> {
  /** Whether the data is there and fresh: `Invalid`, `Stale` or `Valid`. */
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
export class Controller implements CallsOwner {
  /** Time and timers: those of the option `clock`, else the platform's. Time never steps back. */
  readonly clock: Clock
  /** @internal */
  readonly [callsKey]: Calls
  readonly #mutations: Mutations

  /** @throws {SelfsameError} `definition-invalid` for a length or `maxRecords` that is negative or not a number */
  constructor(options: ControllerOptions = {}) {
    const { dataExpiryLength = 60_000, errorExpiryLength = 1000, keepLength = 300_000 } = options
    const { maxRecords = Infinity } = options
    for (const [option, length] of Object.entries({ dataExpiryLength, errorExpiryLength, keepLength })) {
      if (!(length >= 0)) throw errors.expiryLengthInvalid('The Controller', option, length)
    }
    if (!(maxRecords >= 0)) throw errors.maxRecordsInvalid('The Controller', maxRecords)
    this.clock = new SteadyClock(options.clock ?? systemClock)
    this[callsKey] = new Calls({
      clock: this.clock,
      pipeline: new Pipeline((options.middleware ?? []).map((create) => create(this))),
      transport: options.fetch,
      policy: options.policy ?? 'stale-while-revalidate',
      dataExpiryLength,
      errorExpiryLength,
      keepLength,
      maxRecords,
    })
    this.#mutations = new Mutations(this[callsKey], this[callsKey].reads, (endpoint, args) =>
      this[callsKey].call(endpoint, args),
    )
  }

  /**
   * Makes a request and stores its answer. A read that is already under way is joined instead.
   *
   * @param endpoint - any endpoint, a mutation included
   * @param args - its params, and its body where it takes one; `null` in the first place does nothing
   * @returns the answer as it is read from the cache; for a delete, and where there is no schema, the processed answer
   * @throws {SelfsameError} `argument-invalid`, at once, for what is no endpoint. The promise rejects with what the
   *   endpoint throws, also where an argument is missing; with a {SelfsameError} when the answer does not fit the
   *   schema, and then nothing of it is stored; with `hard-reset` after `resetAll`, and `controller-disposed` after
   *   `dispose`. A failed read keeps its error for readers as well
   * @see specification 4.5, F9, F11
   * @example
   * const todo = await controller.fetch(todoResource.get, { id: 5 })
   * await controller.fetch(todoResource.partialUpdate, { id: 5 }, { title: 'x' })
   */
  fetch<E extends EndpointLike>(endpoint: E, ...args: ArgsOf<E>): Promise<FetchValue<E>>
  fetch(endpoint: EndpointLike, ...args: readonly unknown[]): Promise<unknown> {
    return this.#fetch(endpoint, args)
  }

  #fetch(endpoint: EndpointLike, args: readonly unknown[]): Promise<unknown> {
    if (typeof endpoint !== 'function') throw errors.notAnEndpoint('controller.fetch', endpoint)
    if (args[0] === null) return Promise.resolve(undefined)
    if (this[callsKey].isDisposed) return Promise.reject(errors.controllerDisposed(endpoint.name))
    if (endpoint.sideEffect === true) return this.#mutations.send(endpoint, args)
    try {
      const attempt = this[callsKey].join(endpoint, args)
      // Its promise is given away: it is never aborted.
      attempt.holders.add(attempt)
      return attempt.answer.promise
    } catch (error) {
      // A call that cannot be made, such as one that lacks a param of the path, rejects as one that failed.
      return Promise.reject(error as Error)
    }
  }

  /**
   * Makes a request only where the data is Invalid or Stale: for data that is soon needed, and in loaders of routes.
   *
   * @param endpoint - an endpoint that reads; a mutation is sent, as by `fetch`
   * @param args - its params; `null` in the first place does nothing
   * @returns the answer, or the data that is there
   * @throws what `fetch` throws, always by a promise that rejects
   * @see specification 4.5
   * @example const todo = await controller.fetchIfStale(todoResource.get, { id: 5 })
   */
  fetchIfStale<E extends EndpointLike>(endpoint: E, ...args: ArgsOf<E>): Promise<FetchValue<E>>
  async fetchIfStale(endpoint: EndpointLike, ...args: readonly unknown[]): Promise<unknown> {
    if (args[0] === null) return undefined
    const { status, data } = this.read(endpoint, ...(args as never[]))
    return status === 'Valid' ? data : this.#fetch(endpoint, args)
  }

  /**
   * Makes a call unanswered: its readers fetch it anew and it is not answered from records until then. The records
   * stay, so lists keep their rows. A request under way does not count. Clears the call's error.
   *
   * @param endpoint - an endpoint, or anything with a `key`
   * @param args - the params of the call; `null` does nothing
   * @throws {SelfsameError} `argument-invalid` for what is no endpoint; what its `key` throws
   * @see specification 3 (what Invalid marks), F3, F24
   * @example controller.invalidate(todoResource.get, { id: 5 })
   */
  invalidate<E extends CacheableEndpoint>(endpoint: E, ...args: KeyArgsOf<E>): void {
    if (args[0] === null) return
    const { key } = this[callsKey].call(endpoint, args)
    const invalidate = () => {
      for (const call of this[callsKey].store.results.get(key) ?? []) this[callsKey].invalidate(call)
    }
    this[callsKey].perform(
      () => ({ type: 'invalidate', endpoint, args, key }),
      () => this[callsKey].store.batch(invalidate),
    )
  }

  /**
   * Makes all calls of an endpoint unanswered, each as by `invalidate`. Readers are told once.
   *
   * @param endpoint - an endpoint, or anything with a `testKey`
   * @throws {SelfsameError} `argument-invalid` for what has none
   * @see specification 4.5
   * @example controller.invalidateAll(todoResource.getList) // whatever its search params
   */
  invalidateAll(endpoint: KeyTester): void {
    this.#changeAll('invalidateAll', endpoint, (call) => this[callsKey].invalidate(call))
  }

  /**
   * Makes the data of all calls of an endpoint Stale now: what is shown stays, and mounted readers that fetch do so at
   * once. Data that was asked for before does not count as fresh, also where it arrives later.
   *
   * @param endpoint - an endpoint, or anything with a `testKey`
   * @throws {SelfsameError} `argument-invalid` for what has none
   * @see specification 3 (expiry), 4.5
   * @example controller.expireAll(todoResource.getList) // shown until there is something newer
   */
  expireAll(endpoint: KeyTester): void {
    this.#changeAll('expireAll', endpoint, (call) => this[callsKey].expire(call))
  }

  #changeAll(type: 'invalidateAll' | 'expireAll', endpoint: KeyTester, change: (call: Call) => void): void {
    if (typeof endpoint?.testKey !== 'function') throw errors.notAnEndpoint(`controller.${type}`, endpoint)
    const changeThem = () => {
      for (const [key, calls] of this[callsKey].store.results)
        if (endpoint.testKey(key)) calls.forEach(change)
    }
    this[callsKey].perform(
      () => ({ type, endpoint }),
      () => this[callsKey].store.batch(changeThem),
    )
  }

  /**
   * Fetches what mounted readers show where it is Stale or Invalid, as when each were mounted anew. Readers that never
   * fetch (`useCache`, `controller.subscribe`) do not. What failed is fetched once its `errorExpiryLength` has passed; a
   * boundary that shows its error meanwhile goes on showing it until there is an answer.
   *
   * @param isMeant - which endpoints @default all
   * @param isOver - which errors do not count any more, although they have not expired @default none
   * @see specification 3 (the opt-in triggers)
   * @example window.addEventListener('focus', () => controller.refetchStale())
   */
  refetchStale(
    isMeant: (endpoint: EndpointLike) => boolean = () => true,
    isOver: (error: Error) => boolean = () => false,
  ): void {
    for (const reader of [...this[callsKey].readers]) reader.refetchIfStale(isMeant, isOver)
  }

  /**
   * Does several things of which readers are told once, when the last is done.
   *
   * @param change - does them; what it does after an `await` is no part of it
   * @returns what `change` returns
   * @throws what `change` throws; what it did until then stays
   * @see specification 4.5
   * @example
   * controller.batch(() => {
   *   for (const { id, ...fields } of messages) controller.set(Todo, { id }, fields)
   * })
   */
  batch<Value>(change: () => Value): Value {
    return this[callsKey].store.batch(change)
  }

  /**
   * Reads a record, or anything else that arguments name, from the cache. Whoever fetched it, and whatever its age.
   *
   * @param schema - an Entity class, a `Query`, All, a Collection, a Union, or an object of such
   * @param args - what names it: `{ id: 5 }`, or a primary key alone, for a record; the arguments of a `Query` or a
   *   Collection. `null` in the first place reads nothing
   * @returns the data; `undefined` when it is not stored or cannot be used. A record, a list or the
   *   value of a `Query` is the same until something inside it changes; an object of several is made for each call
   * @throws {SelfsameError} `not-queryable` for a schema that arguments cannot name, such as `[Todo]`
   * @see specification 4.5, 2.1 (Query)
   * @example controller.get(Todo, { id: 5 })?.title
   */
  get<const S extends Schema>(schema: S, ...args: SchemaArgs<S>): Denormalize<S> | undefined {
    if (args[0] === null) return undefined
    // Its value is kept with its call, where `useQuery` and `subscribe` find it as well.
    if (isQuery(schema))
      return this.#readQuery(this[callsKey].call(schema, args)) as Denormalize<S> | undefined
    const contract = contractOf(schema)
    if (contract.queryKey === undefined) throw notQueryable(schema)
    return this[callsKey].store.readOnce(contract, noResult, args) as Denormalize<S> | undefined
  }

  #readQuery(call: Call): unknown {
    call.usedAt = this.clock.now()
    this[callsKey].collector.schedule()
    const { data, error } = call.snapshotNow(this[callsKey].store.graph)
    if (error !== undefined) throw error
    return data
  }

  /**
   * Writes into the cache, without a request: fields of a record, or what any other schema describes. Fields that are
   * not named stay as they are; a list is replaced; `schema.Delete` removes; a Collection's `push`, `unshift`, `remove`
   * and `move` change its lists. Answers to reads that are under way do not undo it.
   *
   * @param schema - an Entity class, or any other schema
   * @param args - what names the record or the list, for example `{ id: 5 }`; stored with the fields of a record
   * @param value - fields of the record; for another schema what a server would answer with; or a function to it from
   *   what is there (`undefined` when nothing is)
   * @throws {SelfsameError} when the value does not fit its schema, or a record has no primary key or could not be used
   *   afterwards; nothing is written then
   * @see specification 4.5, G4
   * @example controller.set(Todo, { id: 5 }, { title: 'x' })
   * @example controller.set(new schema.Delete(Todo), { id: 5 }, {})
   */
  set<E extends EntityClass<{ pk(): unknown }>>(
    schema: E,
    args: object,
    value: PartialFields<E> | ((record: Denormalize<E> | undefined) => PartialFields<E>),
  ): void
  set<const S extends Schema>(
    schema: S extends EntityClass<{ pk(): unknown }> ? never : S,
    args: object,
    // The form of an answer before it is taken apart is the server's.
    value: unknown,
  ): void
  set(schema: Schema, args: object, value: unknown): void {
    this[callsKey].perform(
      () => ({ type: 'set', schema, args: [args], value }),
      () => {
        const contract = innerOf(contractOf(schema))
        const next = typeof value === 'function' ? this.#update(contract, args, value as Updater) : value
        const isRecord = isEntityClass(schema) || contract.isRemoving === true
        const name = `controller.set(${isEntityClass(schema) ? schema.key : contract.constructor.name})`
        if (isRecord && (typeof next !== 'object' || next === null)) throw errors.setUnusable(name, next)
        const payload: unknown = isRecord ? { ...args, ...(next as object) } : next
        this.#write((transaction) => {
          // What was made from what readers see is made of their instances, which stand for their records.
          if (typeof value === 'function' && !isRecord) transaction.beginUpdates(this[callsKey].store)
          transaction.ingest(contract, payload, { args: [args], name, isOwned: false })
        })
      },
    )
  }

  #update(contract: SchemaContract, args: object, update: Updater): unknown {
    if (contract.queryKey === undefined) return update(undefined)
    return update(this[callsKey].store.readOnce(contract, noResult, [args]))
  }

  /**
   * Stores an answer to a call, as when it had just been fetched: a message that a server pushed, what a page was
   * rendered with. Answers to requests that are under way do not undo it.
   *
   * @param endpoint - any endpoint; of a mutation it does what the mutation's answer does, and sends nothing
   * @param rest - the arguments of the call, then the payload, in the form that the endpoint's function gives. `null` as
   *   the first argument does nothing
   * @throws {SelfsameError} when the payload does not fit the schema; nothing of it is stored then
   * @see specification 4.5
   * @example controller.setResponse(todoResource.get, { id: 5 }, { id: 5, title: 'x' })
   */
  setResponse<E extends EndpointLike>(endpoint: E, ...rest: Followed<ArgsOf<E>, unknown>): void
  setResponse(endpoint: EndpointLike, ...rest: readonly unknown[]): void {
    const args = rest.slice(0, -1)
    const response = rest.at(-1)
    if (args[0] === null) return
    const call = this[callsKey].call(endpoint, args)
    this[callsKey].perform(
      () => ({ type: 'setResponse', endpoint, args, key: call.key, response }),
      () => {
        if (endpoint.sideEffect === true) this.#mutations.store(endpoint, args, response)
        else this.#storeResponse(endpoint, args, call, response)
      },
    )
  }

  #storeResponse(endpoint: EndpointLike, args: readonly unknown[], call: Call, response: unknown): void {
    const { schema, key } = call
    const name = nameOf(endpoint, key)
    judgePayload(endpoint, response, key)
    const origin = { args, call: key, name, isOwned: false }
    this.#write((transaction) => transaction.answer(call, response, origin), endpoint)
    if (schema === undefined) call.dispose = endpoint.dispose
    call.usedAt = this.clock.now()
  }

  /**
   * Stores that a call failed, as when it had just been fetched. Data that is there stays; readers see the error until
   * `errorExpiryLength` has passed and they look at the clock, or there is an answer.
   *
   * @param endpoint - any endpoint
   * @param rest - the arguments of the call, then the error. `null` as the first argument does nothing
   * @throws {SelfsameError} `argument-invalid` for what is no endpoint
   * @see specification 4.5, 7
   * @example controller.setError(todoResource.get, { id: 5 }, new Error('The connection was lost'))
   */
  setError<E extends EndpointLike>(endpoint: E, ...rest: Followed<ArgsOf<E>, Error>): void
  setError(endpoint: EndpointLike, ...rest: readonly unknown[]): void {
    const args = rest.slice(0, -1)
    if (args[0] === null) return
    const call = this[callsKey].call(endpoint, args)
    const error = toError(rest.at(-1), endpoint.name)
    this[callsKey].perform(
      () => ({ type: 'setError', endpoint, args, key: call.key, error }),
      () => {
        if (isAbort(error)) return
        const now = this.clock.now()
        const start = this[callsKey].store.nextSequence()
        const expiresAt = now + this[callsKey].errorLength(endpoint)
        call.usedAt = now
        this[callsKey].store.move(call, { type: 'failed', error, start, expiresAt })
        this[callsKey].store.notify()
      },
    )
  }

  /**
   * Settles the requests under way for a call by an outcome that came in another way, such as a message over a socket:
   * whoever awaits them gets it, and what was shown early is replaced by it. What the server answers later is dropped.
   * Without a request under way it does what `setResponse` or `setError` does.
   *
   * @param endpoint - any endpoint, a mutation included
   * @param outcome - `args`, the arguments of the call, and either `response`, the payload, or `error`. All requests
   *   under way with the key of that call are settled
   * @throws {SelfsameError} when nothing is under way and the payload does not fit the schema
   * @see specification 4.5
   * @example controller.resolve(todoResource.get, { args: [{ id: 5 }], response: { id: 5, title: 'x' } })
   */
  resolve<E extends EndpointLike>(
    endpoint: E,
    outcome: { readonly args: ArgsOf<E> } & (
      | { readonly response: unknown; readonly error?: undefined }
      | { readonly error: Error; readonly response?: undefined }
    ),
  ): void
  resolve(
    endpoint: EndpointLike,
    { args, response, error }: { args: readonly unknown[]; response?: unknown; error?: Error | undefined },
  ): void {
    if (args[0] === null) return
    const outcome = error === undefined ? { response } : { error }
    const isSettled =
      endpoint.sideEffect === true
        ? this.#mutations.settle(endpoint, args, outcome)
        : this[callsKey].reads.settle(this[callsKey].call(endpoint, args), outcome)
    if (isSettled) return
    if (error !== undefined) this.setError(endpoint, ...(args as never[]), error as never)
    else this.setResponse(endpoint, ...(args as never[]), response as never)
  }

  /**
   * Reads a call from the cache, without listening and without a request.
   *
   * @param endpoint - an endpoint or a `Query`; its `key`, `schema` and what it says about expiry are used
   * @param args - its params; `null` in the first place reads nothing
   * @returns what is known of it now: `data` is `undefined` when it is Invalid, `error` is what the last request failed
   *   with, `fetching` says whether one is under way
   * @throws {SelfsameError} `argument-invalid` for what is no endpoint; what its `key` throws
   * @see specification 3, 4.5
   * @example const { data, status } = controller.read(todoResource.get, { id: 5 })
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
    const call = this[callsKey].call(endpoint, args)
    // Looked at once: the clock takes a third of a read.
    const now = this.clock.now()
    call.usedAt = now
    this[callsKey].collector.schedule()
    const { graph, layers } = this[callsKey].store
    // What a mutation is only expected to remove is there until its answer.
    return this.#toResult(
      endpoint,
      call,
      layers?.holds(call) === true ? call.snapshot(graph) : call.snapshotNow(graph),
      now,
    )
  }

  #toResult<E extends CacheableEndpoint>(
    endpoint: E,
    call: Call,
    { data, error, fetching, progress, isReadable }: Snapshot,
    now: number,
  ): ReadResult<DataOf<E>> {
    const expiresAt = isReadable ? this[callsKey].expiresAt(endpoint, call) : -Infinity
    const status = this[callsKey].statusAt(endpoint, isReadable, expiresAt, now)
    return {
      // The call was answered by the schema of this endpoint.
      data: (status === 'Invalid' ? undefined : data) as DataOf<E> | undefined,
      error,
      fetching,
      progress,
      status,
      expiresAt,
    }
  }

  /**
   * Listens to a call in the cache, and keeps it there. Makes no request, and is not told that time has passed.
   *
   * @param endpoint - an endpoint or a `Query`
   * @param rest - the params of the call, then the listener: called with what `read` gives, after each change of it,
   *   and not at once. `null` as the first argument listens to nothing
   * @returns a function that ends it
   * @throws {SelfsameError} `argument-invalid` without a listener, and for what is no endpoint
   * @see specification 4.5, G2, G3
   * @example
   * const end = controller.subscribe(todoResource.get, { id: 5 }, ({ data }) => render(data))
   */
  subscribe<E extends CacheableEndpoint>(
    endpoint: E,
    ...rest: Followed<KeyArgsOf<E>, (result: ReadResult<DataOf<E>>) => void>
  ): () => void {
    // Its own array: what is left of it are the arguments.
    const args = rest as readonly unknown[] as unknown[]
    const listener = args.pop()
    if (typeof listener !== 'function') {
      throw new SelfsameError(
        'argument-invalid',
        'controller.subscribe() takes a listener as its last argument.',
      )
    }
    if (args[0] === null) return () => {}
    const call = this[callsKey].call(endpoint, args)
    let told = call.snapshot(this[callsKey].store.graph)
    const tell = () => {
      const snapshot = call.snapshot(this[callsKey].store.graph)
      // One that was read within a batch, and shown to nobody, lies between.
      if (snapshot === told || isSameSnapshot(snapshot, told)) return
      told = snapshot
      ;(listener as (result: unknown) => void)(this.#toResult(endpoint, call, snapshot, this.clock.now()))
    }
    call.listen(tell)
    this[callsKey].keep(call)
    let isListening = true
    return () => {
      if (!isListening) return
      isListening = false
      call.unlisten(tell)
      this[callsKey].release(call)
    }
  }

  /**
   * Forgets everything, as at a logout: records, results and errors. Requests under way are dropped, and their
   * promises reject with a {SelfsameError} `hard-reset`. Mounted readers fetch anew, and streams are opened anew.
   *
   * @see specification 5, F5, F18
   * @example session.onSignOut(() => controller.resetAll())
   */
  resetAll(): void {
    this[callsKey].resets++
    const reset = () => {
      // Readers are told last: what they fetch then is not given up.
      this[callsKey].store.batch(() => {
        this[callsKey].store.clear()
        this[callsKey].reads.giveUp((name) => errors.wasReset(name))
        this.#mutations.giveUp((name) => errors.wasReset(name))
        this[callsKey].live?.reopen()
      })
      for (const listener of this[callsKey].resetListeners) listener()
    }
    this[callsKey].perform(() => ({ type: 'resetAll' }), reset)
  }

  /**
   * Ends all timers, connections and requests, whose promises reject with a {SelfsameError} `controller-disposed`.
   * Nothing can be fetched afterwards; what is stored can be read, though what an answer held outside of the cache (an
   * object URL) is given up. Does nothing the second time.
   *
   * @see specification 3 (Abort), 4.3 (Media)
   * @example
   * const controller = new Controller()
   * try {
   *   await render(controller)
   * } finally {
   *   controller.dispose()
   * }
   */
  dispose(): void {
    if (this[callsKey].isDisposed) return
    this[callsKey].isDisposed = true
    const { collector, pipeline } = this[callsKey]
    const dispose = () => {
      this[callsKey].live?.end()
      collector.stop()
      this[callsKey].reads.giveUp((name) => errors.controllerDisposed(name))
      this.#mutations.giveUp((name) => errors.controllerDisposed(name))
      for (const call of [...this[callsKey].store.results.values()].flat()) {
        this[callsKey].store.discard(call)
        call.dispose = undefined
      }
      pipeline.setActive(false)
    }
    this[callsKey].perform(() => ({ type: 'dispose' }), dispose)
  }

  #write(write: (transaction: Transaction) => void, endpoint?: EndpointLike): void {
    const { store, clock, collector } = this[callsKey]
    const start = store.nextSequence()
    const order = { kind: 'mutation', start, settle: start } as const
    store.transact(order, this[callsKey].lengths(endpoint), clock.now(), write)
    collector.schedule()
  }
}

/** What an application calls, also without the Controller before it: `const { fetch } = useController()`. */
bindMethods(Controller.prototype, [
  'fetch',
  'fetchIfStale',
  'invalidate',
  'invalidateAll',
  'expireAll',
  'refetchStale',
  'batch',
  'get',
  'set',
  'setResponse',
  'setError',
  'resolve',
  'read',
  'subscribe',
  'resetAll',
  'dispose',
])

type Updater = (data: unknown) => unknown

/**
 * What `fetch` resolves with: the data of the schema; the processed answer of a delete or without a schema. Of a mutation
 * `null` where the server answered without a body, and nothing was expected of it; a GraphQL server always sends one.
 */
export type FetchValue<E> = E extends { readonly schema: DeleteSchema }
  ? E extends (...args: never) => Promise<infer Value>
    ? Value
    : unknown
  : E extends { readonly sideEffect: true; readonly schema: Schema }
    ? DataOf<E> | (E extends { readonly document: unknown } ? never : null)
    : DataOf<E>

/** The arguments by which a call is named in the cache. */
export type KeyArgsOf<E> = ArgsOf<E> extends infer Args extends readonly unknown[] ? Args : never

/** The fields of a record, none of them required. */
export type PartialFields<E> = Denormalize<E> extends infer Record ? Partial<FieldsOf<Record>> : never
