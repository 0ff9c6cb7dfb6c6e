import { development } from '#development'
import { completeSignals } from '#signals'
import type {
  ArgsOf,
  CacheableEndpoint,
  DataOf,
  EndpointLike,
  KeyTester,
  SameArgs,
} from '../endpoint/endpoint.js'
import type { PayloadOf } from '../endpoint/payload-of.js'
import type { Transport } from '../endpoint/transport.js'
import * as errors from '../errors.js'
import { SelfsameError, toError } from '../errors.js'
import { contractOf, innerOf } from '../schema/contract-of.js'
import type { DeleteSchema } from '../schema/delete.js'
import type { Denormalize } from '../schema/denormalized.js'
import type { FieldsOf } from '../schema/entity.js'
import type { SchemaArgs } from '../schema/query.js'
import { isQuery } from '../schema/query-of.js'
import type { QueryableOnly } from '../schema/query-of.js'
import { queryableContract } from '../schema/queryable.js'
import type { ExpiryPolicy } from '../schema/expiry-policy.js'
import { isEntityClass } from '../schema/schema.js'
import type { EntityClass, Schema } from '../schema/schema.js'
import type { ExpiryStatus } from '../store/expiry.js'
import { noSnapshot } from '../store/call.js'
import { noResult } from '../store/results.js'
import type { Call, Snapshot } from '../store/call.js'
import type { ReadSource } from './update.js'
import { SteadyClock, systemClock } from '../util/clock.js'
import type { Clock } from '../util/clock.js'
import { isSameMembers } from '../util/plain.js'
import { keyOf } from './requests.js'
import { callsKey, Calls } from './calls.js'
import type { CallsOwner } from './calls.js'
import { isAbort } from './error-policy.js'
import { Pipeline } from './middleware.js'
import { noteReaders } from './two-controllers.js'
import { noteSummary } from './summaries.js'
import type { Action, MiddlewareHooks } from './middleware.js'
import type { Outcome } from './requests.js'

/**
 * Observes the actions of a Controller, and may handle its requests. Each Controller calls it once, so that two
 * Controllers share no state.
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

/** The options of a Controller. Lengths are milliseconds. */
export interface ControllerOptions {
  /** How long a response stays Valid, unless its endpoint or entity sets a length. @default 60000 */
  readonly dataExpiryLength?: number | undefined
  /** How long a stored error is thrown again before the next request, unless the endpoint sets a length. @default 1000 */
  readonly errorExpiryLength?: number | undefined
  /** How readers treat Stale data, unless the endpoint sets a policy. @default 'stale-while-revalidate' */
  readonly policy?: ExpiryPolicy | undefined
  /** How long unused data is kept after its last use. @default 300000 */
  readonly keepLength?: number | undefined
  /**
   * The count of stored records above which unused data is collected at once, the least recently used first. Data that is
   * on screen, requested or optimistic is always kept. @default Infinity
   */
  readonly maxRecords?: number | undefined
  /** Time and timers. @default the platform's */
  readonly clock?: Clock | undefined
  /**
   * Middleware, such as retry, refetch on focus or a logger. The first is the outermost. @default none
   */
  readonly middleware?: readonly Middleware[] | undefined
  /**
   * Sends the requests of this Controller's REST, GraphQL and media endpoints. The function of an `Endpoint` has it as
   * `this.transport`. On a server, use it to add the cookies, headers and origin of the current request.
   *
   * @default the global `fetch`
   */
  readonly fetch?: Transport | undefined
}

/** The result of `read`: a snapshot, and its expiry status now. @see specification 3 */
export interface ReadResult<Data> extends Omit<Snapshot<Data>, 'isReadable'> {
  /** `Invalid`: no data. `Stale`: the data has expired. `Valid`: the data is fresh. */
  readonly status: ExpiryStatus
  /** When the data stops being Valid: milliseconds since the epoch; `-Infinity` when there is none. */
  readonly expiresAt: number
}

/** The arguments of a call, with what follows them. */
type FollowedArgs<Args extends readonly unknown[], Last> = [] extends Args
  ? readonly [Last] | readonly [...Required<Args>, Last]
  : readonly [...Args, Last]

/**
 * The cache of an application, and all operations on it. Each Controller has its own store.
 *
 * @see specification 4.5
 * @example
 * const controller = new Controller()
 * const todo = await controller.fetch(todoResource.get, { id: 5 })
 * await controller.fetch(todoResource.partialUpdate, { id: 5 }, { completed: true })
 * controller.get(Todo, { id: 5 })?.completed // true
 */
export class Controller implements CallsOwner {
  /** Time and timers: those of the option `clock`, or the platform's. Time never steps back. */
  declare readonly clock: Clock
  /** @internal */
  declare readonly [callsKey]: Calls

  /** @throws {SelfsameError} in development `definition-invalid` for a length or `maxRecords` that is negative or not a number */
  constructor(options: ControllerOptions = {}) {
    completeSignals()
    // Methods work when destructured: `const { fetch } = useController()`.
    for (const name of Object.getOwnPropertyNames(Controller.prototype)) {
      const value = this[name as 'fetch'].bind(this)
      if (name !== 'constructor')
        Object.defineProperty(this, name, { value, writable: true, configurable: true })
    }
    const { dataExpiryLength = 60_000, errorExpiryLength = 1000, keepLength = 300_000 } = options
    const { maxRecords = Infinity } = options
    if (development) {
      for (const [option, length] of Object.entries({ dataExpiryLength, errorExpiryLength, keepLength })) {
        if (!(length >= 0)) throw errors.expiryLengthInvalid('The Controller', option, length)
      }
      if (!(maxRecords >= 0)) throw errors.maxRecordsInvalid('The Controller', maxRecords)
    }
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
  }

  /**
   * Sends a request and stores its response. A read that is already in flight is shared.
   *
   * @param endpoint - any endpoint, a mutation included
   * @param args - its params, and its body if it takes one; `null` as the first argument does nothing
   * @returns the data as it is read from the cache; for a delete or without a schema, the processed response
   * @throws {SelfsameError} `argument-invalid`, synchronously, if `endpoint` is not an endpoint. The promise rejects with
   *   the endpoint's error, even if an argument is missing; with a {SelfsameError} if the response does not fit the schema
   *   (nothing of it is stored); with `hard-reset` after `resetAll`, and `controller-disposed` after `dispose`. The error
   *   of a failed read is stored for its readers
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
    if (development && typeof endpoint !== 'function')
      throw errors.notAnEndpoint('controller.fetch', endpoint)
    if (args[0] === null) return Promise.resolve(undefined)
    const calls = this[callsKey]
    if (endpoint.sideEffect === true && !calls.isDisposed) return calls.mutations.make(endpoint, args)
    try {
      // The caller has its promise: only the endpoint's own signal ends it.
      return calls.reads.promiseFor(calls.join(endpoint, args), endpoint.signal)
    } catch (error) {
      // A call that cannot be made, for example without a param of the path or after `dispose`, rejects like a failed one.
      return Promise.reject(error as Error)
    }
  }

  /**
   * Sends a request only if the data is Invalid or Stale: for prefetching, and for route loaders.
   *
   * @param endpoint - an endpoint that reads; a mutation is sent, as by `fetch`
   * @param args - its params; `null` as the first argument does nothing
   * @returns the new data, or the stored data if it is Valid
   * @throws what `fetch` throws, always as a rejected promise
   * @see specification 4.5
   * @example const todo = await controller.fetchIfStale(todoResource.get, { id: 5 })
   */
  fetchIfStale<E extends EndpointLike>(endpoint: E, ...args: ArgsOf<E>): Promise<FetchValue<E>>
  async fetchIfStale(endpoint: EndpointLike, ...args: readonly unknown[]): Promise<unknown> {
    if (args[0] === null) return undefined
    const { status, data } = this.read(endpoint, ...(args as never[]))
    if (status !== 'Valid') return this.#fetch(endpoint, args)
    if (development) noteSummary(this[callsKey], endpoint, this[callsKey].call(endpoint, args))
    return data
  }

  /**
   * Makes a call Invalid: its readers refetch it, and until then it is not answered from records. The records stay, so
   * lists keep their rows. The response of a request in flight is ignored. Clears the call's error.
   *
   * @param endpoint - an endpoint, or anything with a `key`
   * @param args - the params of the call; `null` does nothing
   * @throws {SelfsameError} `argument-invalid` if `endpoint` is not an endpoint; errors of its `key`
   * @see specification 3 (what Invalid marks), F3, F24
   * @example controller.invalidate(todoResource.get, { id: 5 })
   */
  invalidate<E extends CacheableEndpoint>(endpoint: E, ...args: KeyArgsOf<E>): void {
    if (args[0] === null) return
    const calls = this[callsKey]
    const { key } = calls.call(endpoint, args)
    calls.pipeline.perform(
      () => ({ type: 'invalidate', endpoint, args, key }),
      () => calls.store.batch(() => calls.store.results.get(key)?.forEach((call) => calls.invalidate(call))),
    )
  }

  /**
   * Makes all calls of an endpoint Invalid, like `invalidate`. Notifies readers once.
   *
   * @param endpoint - an endpoint, or anything with a `testKey`
   * @throws {SelfsameError} `argument-invalid` if `endpoint` has none
   * @see specification 4.5
   * @example controller.invalidateAll(todoResource.getList) // with any search params
   */
  invalidateAll(endpoint: KeyTester): void {
    this.#changeAll('invalidateAll', endpoint, (call) => this[callsKey].invalidate(call))
  }

  /**
   * Makes the data of all calls of an endpoint Stale. Data on screen stays, and mounted hooks that fetch send a request at
   * once. The response of a request that was sent before is Stale too.
   *
   * @param endpoint - an endpoint, or anything with a `testKey`
   * @throws {SelfsameError} `argument-invalid` if `endpoint` has none
   * @see specification 3 (expiry), 4.5
   * @example controller.expireAll(todoResource.getList) // stays on screen until the new response
   */
  expireAll(endpoint: KeyTester): void {
    this.#changeAll('expireAll', endpoint, (call) => this[callsKey].expire(call))
  }

  #changeAll(type: 'invalidateAll' | 'expireAll', endpoint: KeyTester, change: (call: Call) => void): void {
    if (development && typeof endpoint?.testKey !== 'function')
      throw errors.notAnEndpoint(`controller.${type}`, endpoint)
    const { store } = this[callsKey]
    const changeThem = () => {
      for (const [key, calls] of store.results) if (endpoint.testKey(key)) calls.forEach(change)
      store.hydration?.expire((key) => endpoint.testKey(key), type === 'invalidateAll')
    }
    this[callsKey].pipeline.perform(
      () => ({ type, endpoint }),
      () => store.batch(changeThem),
    )
  }

  /**
   * Fetches the Stale and Invalid data of mounted readers, as if each were mounted again. Readers that never fetch
   * (`useCache`, `controller.subscribe`) are skipped. A failed call is fetched when its `errorExpiryLength` has passed; a
   * boundary shows its error until there is a response.
   *
   * @param isMeant - returns `true` for the endpoints to fetch @default all
   * @param isOver - returns `true` for errors to retry although they have not expired @default none
   * @see specification 3, Expiry
   * @example window.addEventListener('focus', () => controller.refetchStale())
   */
  refetchStale(
    isMeant: (endpoint: EndpointLike) => boolean = () => true,
    isOver: (error: Error) => boolean = () => false,
  ): void {
    for (const reader of [...this[callsKey].readers]) reader.refetchIfStale(isMeant, isOver)
  }

  /**
   * Makes several changes and notifies readers once, at the end.
   *
   * @param change - makes the changes, synchronously; changes after an `await` are not part of the batch
   * @returns what `change` returns
   * @throws what `change` throws; the changes made until then stay
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
   * Reads a record, or other data of a schema, from the cache, of any age and from any request.
   *
   * @param schema - an Entity class, a `Query`, All, a Collection, a Union, or an object of these
   * @param args - for a record `{ id: 5 }` or its primary key; for a `Query` or a Collection its arguments. `null` as the
   *   first argument reads nothing
   * @returns the data; `undefined` if it is not stored or not usable. A record, a list or the value of a `Query` is the
   *   same object until its content changes; an object of several schemas is new for each call
   * @throws {SelfsameError} `not-queryable` for a schema that arguments cannot identify, such as `[Todo]`
   * @see specification 4.5, 2.1 (Query)
   * @example controller.get(Todo, { id: 5 })?.title
   */
  get<const S extends Schema>(
    schema: S & QueryableOnly<S>,
    ...args: SchemaArgs<S>
  ): Denormalize<S> | undefined {
    if (args[0] === null) return undefined
    const calls = this[callsKey]
    const { store } = calls
    // `useQuery` and `subscribe` share the memoized value, which is kept with the call.
    if (isQuery(schema)) {
      const call = calls.call(schema, args)
      calls.use(call)
      const { data, error } = call.snapshotNow()
      if (error !== undefined) throw error
      return data as Denormalize<S> | undefined
    }
    return store.readOnce(queryableContract(schema), noResult, args) as Denormalize<S> | undefined
  }

  /**
   * Writes into the cache without a request. With an Entity class it merges fields into a record; with another schema it
   * stores a response: a list is replaced, `schema.Delete` removes, a Collection's `push`, `unshift`, `remove` and `move`
   * change its lists. Responses of reads in flight do not overwrite it.
   *
   * @param schema - an Entity class, or any other schema
   * @param args - identifies the record or the list, such as `{ id: 5 }`; stored with the fields of a record
   * @param value - fields of the record; for another schema a response, as a server would send it; or a function that
   *   returns either from the data without what mutations in flight expect (`undefined` if there is none)
   * @throws {SelfsameError} if the value does not fit its schema, or a record has no primary key or would be unusable;
   *   then nothing is written
   * @see specification 4.5, G4
   * @example controller.set(Todo, { id: 5 }, { title: 'x' })
   * @example controller.set(new schema.Delete(Todo), { id: 5 }, {})
   */
  set<const S extends Schema>(schema: S, args: object, value: SetValue<S>): void
  set(schema: Schema, args: object, value: unknown): void {
    // As a serializer it would be called with the value, and send a request.
    if (development && typeof schema === 'function' && 'testKey' in schema)
      throw errors.definitionInvalid('The endpoint that was passed to controller.set()', [
        'is not a schema.',
        'Pass the schema of the endpoint, such as `todoResource.getList.schema.push`, or store a response with controller.setResponse().',
      ])
    const calls = this[callsKey]
    const { store } = calls
    calls.pipeline.perform(
      () => ({ type: 'set', schema, args: [args], value }),
      () => {
        const contract = innerOf(contractOf(schema))
        const isUpdate = typeof value === 'function'
        const read = (source: Pick<ReadSource, 'readOnce'>) =>
          contract.queryKey === undefined ? undefined : source.readOnce(contract, noResult, [args])
        // A record that a mutation in flight makes is known nowhere else.
        const shown = isUpdate ? read(store) : undefined
        const isRecord = isEntityClass(schema) || contract.isRemoving === true
        const name = `controller.set(${isEntityClass(schema) ? schema.key : contract.constructor.name})`
        const write = () => {
          const source: ReadSource = calls.layers?.read() ?? store
          const next: unknown = isUpdate ? value(read(source) ?? shown) : value
          if (isRecord && (typeof next !== 'object' || next === null)) throw errors.setUnusable(name, next)
          const payload: unknown = isRecord ? { ...args, ...(next as object) } : next
          calls.write(undefined, (transaction) => {
            // The value may hold what was read: defaults of classes, and instances of other records.
            if (isUpdate) transaction.beginUpdates(source)
            transaction.ingest(contract, payload, { args: [args], name, isOwned: false, isPartial: isUpdate })
          })
        }
        // Of optimistic values a function would make what stays if they are taken back.
        if (isUpdate) store.batch(() => store.below(write))
        else write()
      },
    )
  }

  /**
   * Stores a response of a call, as if it had just been fetched: for a message that a server pushed, or data that arrived with
   * a page. Responses of requests in flight do not overwrite it.
   *
   * @param endpoint - any endpoint; for a mutation it stores the mutation's response, and sends no request
   * @param rest - the arguments of the call, then the payload, as the endpoint's function returns it. `null` as the first
   *   argument does nothing
   * @throws {SelfsameError} if the payload does not fit the schema; then nothing is stored
   * @see specification 4.5
   * @example controller.setResponse(todoResource.get, { id: 5 }, { id: 5, title: 'x' })
   */
  setResponse<E extends EndpointLike>(endpoint: E, ...rest: FollowedArgs<ArgsOf<E>, PayloadOf<E>>): void
  setResponse(endpoint: EndpointLike, ...rest: readonly unknown[]): void {
    this.#settle(endpoint, rest.slice(0, -1), { response: rest.at(-1) })
  }

  /**
   * Stores an error of a call, as if its request had just failed. Stored data stays. Readers see the error until there is a
   * response, or until they check its age after `errorExpiryLength`.
   *
   * @param endpoint - any endpoint
   * @param rest - the arguments of the call, then the error. `null` as the first argument does nothing
   * @throws {SelfsameError} `argument-invalid` if `endpoint` is not an endpoint
   * @see specification 4.5, 7
   * @example controller.setError(todoResource.get, { id: 5 }, new Error('The connection was lost'))
   */
  setError<E extends EndpointLike>(endpoint: E, ...rest: FollowedArgs<ArgsOf<E>, Error>): void
  setError(endpoint: EndpointLike, ...rest: readonly unknown[]): void {
    this.#settle(endpoint, rest.slice(0, -1), { error: toError(rest.at(-1), endpoint.name) })
  }

  /** Stores an outcome of a call that did not come by a request. */
  #settle(endpoint: EndpointLike, args: readonly unknown[], outcome: Outcome): void {
    if (args[0] === null) return
    const calls = this[callsKey]
    const { store } = calls
    const call = calls.call(endpoint, args)
    const { key } = call
    calls.pipeline.perform(
      () =>
        ({
          type: 'error' in outcome ? 'setError' : 'setResponse',
          endpoint,
          args,
          key,
          ...outcome,
        }) as Action,
      () => {
        if (!('error' in outcome)) {
          if (endpoint.sideEffect === true) calls.mutations.store(endpoint, args, outcome.response)
          else calls.reads.store(endpoint, args, outcome.response, call)
          calls.use(call)
        } else if (!isAbort(outcome.error)) {
          calls.use(call)
          const expiresAt = call.usedAt + calls.errorLength(endpoint)
          store.move(call, { type: 'failed', ...outcome, start: store.nextSequence(), expiresAt })
          store.notify()
        }
      },
    )
  }

  /**
   * Settles the requests in flight of a call with an outcome that arrived in another way, such as a message over a socket. Their
   * promises settle with it, and it replaces an optimistic response. The server's own response is dropped. Without a
   * request in flight it does the same as `setResponse` or `setError`.
   *
   * @param endpoint - any endpoint
   * @param outcome - `args`, the arguments of the call, and either `response`, the payload, or `error`. All requests in
   *   flight with the key of that call are settled
   * @throws {SelfsameError} if there is no request in flight and the payload does not fit the schema
   * @see specification 4.5
   * @example controller.resolve(todoResource.get, { args: [{ id: 5 }], response: { id: 5, title: 'x' } })
   */
  resolve<E extends EndpointLike>(
    endpoint: E,
    outcome: { readonly args: ArgsOf<E> } & (
      | { readonly response: PayloadOf<E>; readonly error?: undefined }
      | { readonly error: Error; readonly response?: undefined }
    ),
  ): void
  resolve(
    endpoint: EndpointLike,
    { args, response, error }: { args: readonly unknown[]; response?: unknown; error?: Error | undefined },
  ): void {
    if (args[0] === null) return
    const outcome = error === undefined ? { response } : { error }
    const { reads, mutations } = this[callsKey]
    const requests = endpoint.sideEffect === true ? mutations : reads
    if (!requests.settle(keyOf(endpoint, args), outcome)) this.#settle(endpoint, args, outcome)
  }

  /**
   * Reads a call from the cache, without a subscription and without a request.
   *
   * @param endpoint - an endpoint or a `Query`
   * @param args - its params; `null` as the first argument reads nothing
   * @returns the current state: `data` is `undefined` if it is Invalid, `error` is that of the last request, `fetching` is
   *   `true` while a request is in flight
   * @throws {SelfsameError} `argument-invalid` if `endpoint` is not an endpoint; errors of its `key`
   * @see specification 3, 4.5
   * @example const { data, status } = controller.read(todoResource.get, { id: 5 })
   */
  read<E extends CacheableEndpoint>(endpoint: E, ...args: KeyArgsOf<E>): ReadResult<DataOf<E>> {
    if (args[0] === null) return this.#toResult(endpoint, undefined, noSnapshot, 0)
    const calls = this[callsKey]
    const call = calls.call(endpoint, args)
    calls.use(call)
    const { layers } = calls
    // A record whose removal is only optimistic is there until the response.
    const snapshot = layers?.holds(call) === true ? call.snapshot() : call.snapshotNow()
    // Read the clock once: it takes a third of a read.
    return this.#toResult(endpoint, call, snapshot, call.usedAt)
  }

  #toResult<E extends CacheableEndpoint>(
    endpoint: E,
    call: Call | undefined,
    { data, error, fetching, progress, isReadable }: Snapshot,
    now: number,
  ): ReadResult<DataOf<E>> {
    const expiresAt = isReadable && call !== undefined ? this[callsKey].expiresAt(endpoint, call) : -Infinity
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
   * Subscribes to a call, and keeps its data in the cache. Sends no request. The passing of time does not notify.
   *
   * @param endpoint - an endpoint or a `Query`
   * @param rest - the params of the call, then the listener: called with the result of `read` after each change, and not
   *   at once. `null` as the first argument subscribes to nothing
   * @returns a function that ends the subscription
   * @throws {SelfsameError} `argument-invalid` without a listener, or if `endpoint` is not an endpoint
   * @see specification 4.5, G2, G3
   * @example
   * const end = controller.subscribe(todoResource.get, { id: 5 }, ({ data }) => render(data))
   */
  subscribe<E extends CacheableEndpoint>(
    endpoint: E,
    ...rest: FollowedArgs<KeyArgsOf<E>, (result: ReadResult<DataOf<E>>) => void>
  ): () => void {
    // A rest parameter is a new array, so it can be changed.
    const args = rest as readonly unknown[] as unknown[]
    const listener = args.pop()
    if (development && typeof listener !== 'function') {
      throw new SelfsameError(
        'argument-invalid',
        'controller.subscribe() takes a listener as its last argument.',
      )
    }
    if (args[0] === null) return () => {}
    const calls = this[callsKey]
    const call = calls.call(endpoint, args, true)
    let told = call.snapshot()
    const tell = () => {
      const snapshot = call.snapshot()
      // A read within a batch made a snapshot in between, which no reader showed.
      if (snapshot === told || isSameMembers(told, snapshot)) return
      told = snapshot
      ;(listener as (result: unknown) => void)(this.#toResult(endpoint, call, snapshot, this.clock.now()))
    }
    call.listen(tell)
    calls.retain(call)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      call.unlisten(tell)
      calls.release(call)
    }
  }

  /**
   * Clears records, calls and errors, for example at a sign-out. Requests in flight are dropped, and their promises reject with
   * a {SelfsameError} `hard-reset`. Mounted readers refetch, and streams reconnect.
   *
   * @see specification 5, F5, F18
   * @example session.onSignOut(() => controller.resetAll())
   */
  resetAll(): void {
    const calls = this[callsKey]
    calls.resets++
    const reset = () => {
      // Notify readers last: requests that they send then must stay.
      calls.store.batch(() => {
        calls.store.clear()
        calls.kept.clear()
        calls.reads.giveUpAll(errors.wasReset)
        calls.mutations.giveUpAll(errors.wasReset)
        calls.live?.reopen()
      })
      for (const listener of calls.resetListeners) listener()
    }
    calls.pipeline.perform(() => ({ type: 'resetAll' }), reset)
  }

  /**
   * Ends all timers, connections and requests; their promises reject with a {SelfsameError} `controller-disposed`.
   * Afterwards stored data can still be read, but no request can be sent. Resources outside the cache, such as object
   * URLs, are freed. A second call does nothing.
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
    const calls = this[callsKey]
    if (calls.isDisposed) return
    calls.isDisposed = true
    const dispose = () => {
      calls.live?.end()
      calls.collector.stop()
      calls.reads.giveUpAll(errors.controllerDisposed)
      calls.mutations.giveUpAll(errors.controllerDisposed)
      for (const call of [...calls.store.results.values()].flat()) {
        calls.store.discard(call)
        call.dispose = undefined
      }
      calls.pipeline.setActive(false)
      if (development) noteReaders(calls, false)
    }
    calls.pipeline.perform(() => ({ type: 'dispose' }), dispose)
  }
}

/**
 * The value of `fetch`: the data of the schema; for a delete or without a schema, the processed response. A mutation returns
 * `null` if the response has no body and there is no optimistic response; a GraphQL response always has a body.
 */
export type FetchValue<E> = E extends { readonly schema: Schema }
  ? E['schema'] extends DeleteSchema
    ? E extends (...args: never) => Promise<infer Value>
      ? Value
      : unknown
    : E extends { readonly sideEffect: true }
      ? DataOf<E> | (E extends { readonly mayBeEmpty: true } ? null : never)
      : DataOf<E>
  : DataOf<E>

/** The arguments that identify a call in the cache. */
export type KeyArgsOf<E> = ArgsOf<E> extends infer Args extends readonly unknown[] ? SameArgs<Args> : never

/** The value that `controller.set` takes: fields of a record, or a function that returns them; a response for another schema. */
export type SetValue<S> = [S] extends [never]
  ? unknown
  : S extends EntityClass<{ pk(): unknown }>
    ? PartialFields<S> | ((record: Denormalize<S> | undefined) => PartialFields<S>)
    : // The type of a response before normalization is the server's.
      unknown

/** The fields of a record, all optional. */
export type PartialFields<E> = Denormalize<E> extends infer Record ? Partial<FieldsOf<Record>> : never
