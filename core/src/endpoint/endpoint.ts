import { development } from '#development'
import * as errors from '../errors.js'
import type { Validator } from '../schema/validator.js'
import { warn } from '../errors.js'
import type { Denormalize } from '../schema/denormalized.js'
import type { SchemaArgs } from '../schema/query.js'
import { withHome } from '../schema/home.js'
import type { Schema, SchemaContract } from '../schema/schema.js'
import type { Clock } from '../util/clock.js'
import { anySignal } from '../util/any-signal.js'
import type { ProgressListener } from '../util/progress.js'
import type { Transport } from './transport.js'
import { textOfArguments } from '../schema/argument-text.js'
import { stableStringify } from '../util/stable-stringify.js'
import type { ExpiryPolicy } from '../schema/expiry-policy.js'
import { UnnamedCalls, isUnnamed } from './unnamed.js'

/** A function that asks a server. */
// Any function is accepted here; its own types are kept by the endpoint.
// eslint-disable-next-line typescript/no-explicit-any
export type FetchFunction = (...args: any) => Promise<unknown>

/**
 * What an endpoint says to the pieces of `@selfsame/core/policies`. Nothing happens where the Controller was not given
 * the piece of that name.
 */
export interface PolicySwitches {
  /**
   * Whether a request that failed for now is made again; a number says how often it is made at most, the first time
   * included. A mutation is made again only where this says so. @default for a read what `retry()` says
   */
  readonly retry?: boolean | number | undefined
  /** Whether Stale data on screen is fetched when the page is looked at again. @default what `refetchOnFocus()` says */
  readonly refetchOnFocus?: boolean | undefined
  /** Whether Stale data on screen is fetched when the network is back. @default what `refetchOnReconnect()` says */
  readonly refetchOnReconnect?: boolean | undefined
  /** Whether the age of what is on screen is looked at again and again. @default what `refetchOnInterval()` says */
  readonly refetchOnInterval?: boolean | undefined
  /**
   * Whether a request waits while there is no network. A mutation waits only where this says so.
   * @default for a read what `pauseOffline()` says
   */
  readonly pauseOffline?: boolean | undefined
  /** Whether a request waits for its turn while many are under way. @default what `throttle()` says */
  readonly throttle?: boolean | undefined
}

/** What every endpoint may say about itself. */
export interface EndpointOptions<Args extends readonly unknown[] = never> extends PolicySwitches {
  /**
   * Names the endpoint in keys and messages. An Endpoint with neither a `name` nor a `key` shares its calls with nobody:
   * they are not dehydrated, because no other page knows them. @default in messages the name of the fetch function
   */
  readonly name?: string | undefined
  /** What the answer looks like. @default the answer is kept as it is */
  readonly schema?: Schema | undefined
  /** Whether a call changes data on the server: then it is not cached, shared or read by hooks. @default false */
  readonly sideEffect?: boolean | undefined
  /** Names a call: equal for calls with equal answers. @default the name and the arguments in a stable order; without a name one of its own */
  readonly key?: ((...args: Args) => string) | undefined
  /** Whether a key names a call of this endpoint; to be given with a `key` of one's own. @default what the kind of endpoint says */
  readonly testKey?: ((key: string) => boolean) | undefined
  /**
   * What a mutation changes in the data of other calls, once its answer is stored: by the key of a call, a function from
   * the data that readers see to the data that they see then. A call that is not stored is left out. All of it is stored
   * together with the answer, or, when a function throws, nothing.
   */
  // The value is what the endpoint gives; naming its type is the user's to do.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly update?: ((value: any, ...args: Args) => Updates) | undefined
  /** How long an answer stays Valid: milliseconds; `Infinity` for ever. @default what the entity, then the Controller says: 60000 */
  readonly dataExpiryLength?: number | undefined
  /** How long an error is thrown again instead of fetching: milliseconds. @default the Controller's: 1000 */
  readonly errorExpiryLength?: number | undefined
  /**
   * How long after an answer or a failure it is asked for anew, while somebody is connected to the call
   * (`connect`, `useSubscription`): milliseconds above 0. @default a call cannot be connected to
   */
  readonly pollFrequency?: number | undefined
  /**
   * Opens what keeps a call fresh, once while anybody is connected to it (`connect`, `useSubscription`,
   * `useLive`). Takes the place of `pollFrequency`.
   *
   * @param sink - where it puts what it receives
   * @param args - the arguments of the call
   * @returns a function that closes it
   */
  readonly stream?: ((sink: StreamSink, ...args: Args) => () => void) | undefined
  /** Whether an error replaces data that is there (`hard`) or leaves it (`soft`). @default `hard` for a 4xx sent by the server other than 408, 425 and 429 */
  readonly errorPolicy?: ((error: Error) => 'hard' | 'soft' | undefined) | undefined
  /** Whether Stale data counts as Invalid. @default false */
  readonly invalidIfStale?: boolean | undefined
  /** What Stale data is good for. @default the Controller's: `stale-while-revalidate` */
  readonly policy?: ExpiryPolicy | undefined
  /**
   * Gives up what an answer holds outside of the cache, such as an object URL. Called once for each answer that a
   * Controller does not keep, or keeps no longer: it was replaced or collected, or it came too late. For reads
   * without a schema.
   */
  // The answer is whatever the fetch function gives; naming its type is the user's to do.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly dispose?: ((value: any) => void) | undefined
  /**
   * What a mutation is expected to be answered with: shown at once, on top of what was received, until it is
   * answered or fails. Several at once are each confirmed or taken back alone. For endpoints with a schema. Made by
   * `optimistic` of `@selfsame/core/optimistic`, of a function from a snapshot of the cache and the arguments of the call.
   */
  readonly getOptimisticResponse?: OptimisticResponse<Args> | undefined
  /**
   * Judges each payload before it is stored: a function that returns a reason (any truthy value) when it cannot be used, or
   * a validator of the Standard Schema, such as one of zod, valibot or arktype, of which only the verdict counts. A
   * payload that it refuses is an error of the call. It must answer at once. @default what the schema checks
   */
  readonly validate?: Validator | undefined
  /** Aborts the requests of this endpoint, mutations included: the one way to abort what is awaited. @default none */
  readonly signal?: AbortSignal | undefined
  /**
   * Whether each answer is an object that nobody else holds and that nobody changes, as one that was just parsed: then
   * the store keeps the object itself, which spares a copy. @default false; of REST and GraphQL whether their own steps
   * parsed the answer, and no `process` saw it
   *
   * @see specification, Costs
   */
  readonly ownsPayload?: boolean | undefined
}

/** Where a stream puts what it receives for a call. */
export interface StreamSink {
  /** Whether anybody is still connected. What arrives later is not stored. */
  readonly isOpen: boolean
  /** Stores a payload as the answer to the call. @throws {SelfsameError} when it does not fit the endpoint's schema */
  receive(response: unknown): void
  /** Stores what another schema describes, such as one record of a list. See `controller.set` */
  set(schema: Schema, args: object, value: unknown): void
  /** Stores that the stream failed. Data that is there stays. */
  fail(error: Error): void
  /** Makes the call Stale, because messages may have been missed: readers that fetch do so at once. */
  expire(): void
  /** Several messages of which readers are told once. */
  batch<Value>(change: () => Value): Value
  /** Time and timers of the Controller. */
  readonly clock: Clock
  /** The name of the endpoint, for messages. */
  readonly name: string
  /** The Controller. */
  readonly owner: object
  /**
   * Lasts until the next reset of the Controller, and is aborted by it and by `dispose`. What several streams share
   * belongs to it, such as a connection of the user who is signed in.
   */
  readonly session: AbortSignal
  /**
   * Whether what the call holds is from before its last stream was closed, so that messages may have been missed:
   * somebody was connected before and came back, and nobody has asked since.
   */
  readonly hasGap: boolean
}

/** By the key of a call, what makes its next data of its data. */
export interface Updates {
  // Each call has data of its own type, which its key does not tell.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly [key: string]: (data: any) => unknown
}

/** Reads the cache as it is below what is expected. */
export interface CacheSnapshot {
  /** A primary key for a record that has none yet: another for each call, and the same whenever it is asked for. */
  readonly temporaryId: string
  /** When the call was made: milliseconds since the epoch. The same whenever it is asked for. */
  readonly now: number
  /** A record, or anything else that arguments name. @returns `undefined` when it is not there */
  get<const S extends Schema>(schema: S, ...args: SchemaArgs<S>): Denormalize<S> | undefined
  /** What a call shows. @returns `data` is `undefined` when there is none */
  read<E extends CacheableEndpoint>(endpoint: E, ...args: ArgsOf<E>): { readonly data: DataOf<E> | undefined }
}

/** What a mutation is expected to be answered with: a function that `optimistic` made. */
export interface OptimisticResponse<Args extends readonly unknown[]> {
  (snapshot: CacheSnapshot, ...args: Args): unknown
  /** Lets a Controller show it, and brings all that this takes. @internal */
  readonly show: (context: never, mutation: never) => void
}

/** What a fetch function that is a `function` finds as its `this`, with the members of its endpoint. */
export interface FetchContext {
  /** Is aborted when nobody waits for the answer any more, and by the endpoint's own `signal`. */
  readonly signal?: AbortSignal | undefined
  /** What sends the requests of the Controller: its option `fetch`. @default there is none: use the global `fetch` */
  readonly transport?: Transport | undefined
}

/** What a Controller hands to a call besides its arguments. */
export interface CallContext {
  /** Is aborted when nobody waits for the answer any more. @default the call is never aborted */
  readonly signal?: AbortSignal | undefined
  /** Is told how far the transfer is, by a transport that knows. */
  readonly onProgress?: ProgressListener | undefined
  /** What sends the request: the option `fetch` of the Controller. @default the global `fetch` */
  readonly transport?: Transport | undefined
  /** The pages that were appended to the list of the call, for an endpoint that asks for them again. */
  readonly pages?: LoadedPages | undefined
}

/** Pages that were appended to a list. */
export interface LoadedPages {
  /** Where in an answer the list stands: the names of the fields that lead to it. */
  readonly path: readonly string[]
  /** The arguments of the calls that were answered with them, in that order. */
  readonly calls: readonly (readonly unknown[])[]
}

/** The members of an endpoint that a Controller uses. Anything that has them can be fetched. */
export interface EndpointLike extends PolicySwitches {
  /** Whether `callWith` asks for `pages` as well. */
  readonly refetchPages?: boolean | undefined
  // The arguments are checked where the endpoint's own type is known.
  // eslint-disable-next-line typescript/no-explicit-any
  (...args: any): Promise<unknown>
  readonly name: string
  // eslint-disable-next-line typescript/no-explicit-any
  readonly key: (...args: any) => string
  readonly schema?: Schema | undefined
  readonly sideEffect?: boolean | undefined
  readonly dataExpiryLength?: number | undefined
  readonly errorExpiryLength?: number | undefined
  readonly pollFrequency?: number | undefined
  // eslint-disable-next-line typescript/no-explicit-any
  readonly stream?: ((sink: StreamSink, ...args: any) => () => void) | undefined
  readonly errorPolicy?: ((error: Error) => 'hard' | 'soft' | undefined) | undefined
  readonly invalidIfStale?: boolean | undefined
  readonly policy?: ExpiryPolicy | undefined
  // eslint-disable-next-line typescript/no-explicit-any
  readonly dispose?: ((value: any) => void) | undefined
  // The arguments are those of the endpoint's own calls.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly getOptimisticResponse?: OptimisticResponse<any> | undefined
  readonly validate?: Validator | undefined
  readonly signal?: AbortSignal | undefined
  readonly testKey?: ((key: string) => boolean) | undefined
  // eslint-disable-next-line typescript/no-explicit-any
  readonly update?: ((value: any, ...args: any) => Updates) | undefined
  /** Makes the call, as calling the endpoint does, for one who also wants to hear of it or to abort it. */
  callWith?(context: CallContext, args: readonly unknown[]): Promise<unknown>
  readonly ownsPayload?: boolean | undefined
  /** What looks out for endless requests of a call, where that can have them. @internal */
  guardOf?(key: string): typeof UnnamedCalls | undefined
  /** Whether both ask for and process an answer in one way, so that one request serves them. @default identity */
  sharesRequestWith?(other: EndpointLike): boolean
}

/** The members of an endpoint that reading from the cache needs. */
export interface CacheableEndpoint {
  // eslint-disable-next-line typescript/no-explicit-any
  readonly key: (...args: any) => string
  readonly schema?: Schema | undefined
  readonly invalidIfStale?: boolean | undefined
  /**
   * What is in a key besides the arguments: `true` for nothing that can change while `key` stays the same function;
   * `undefined` where it is not known, and each key has to be built.
   *
   * @internal
   */
  readonly keyBasis?: unknown
}

/** What names all calls of an endpoint at once. Anything with a `testKey` will do. */
export interface KeyTester {
  /** Whether a key names one of them. */
  testKey(key: string): boolean
}

/** An endpoint that only reads, as hooks take it. */
export type ReadEndpoint = EndpointLike & { readonly sideEffect?: false | undefined }

/** The arguments that an endpoint is called with. */
export type ArgsOf<E> = E extends (...args: infer Args) => unknown
  ? Args
  : E extends { readonly key: (...args: infer Args) => string }
    ? Args
    : never

/** An endpoint as one names its calls: a REST endpoint's body is no part of the name, and may be left out. */
export interface NamedCall<E> extends CacheableEndpoint {
  readonly key: (...args: E extends { readonly path: string } ? WithoutBody<ArgsOf<E>> : ArgsOf<E>) => string
}

/** Not readonly: of a union of readonly tuples nothing can be inferred. */
type WithoutBody<Args> =
  | (Args extends readonly [infer Params, ...infer Body]
      ? [Params, ...Partial<Body>]
      : Args extends readonly unknown[]
        ? Args
        : never)
  | WithoutBodyAlone<Args>

/** Where a call takes params before its body, or the body alone, it is named without either. */
type WithoutBodyAlone<Args> = [OfTwo<Args>] extends [never]
  ? never
  : [Exclude<Args, OfTwo<Args>>] extends [never]
    ? never
    : []

type OfTwo<Args> = Args extends readonly unknown[] ? (2 extends Args['length'] ? Args : never) : never

/** An endpoint's arguments as hooks take them: `null` in the first place means "do nothing". */
export type NullableArgs<Args extends readonly unknown[]> = number extends Args['length']
  ? Args | readonly [null]
  : Args extends readonly []
    ? readonly [] | readonly [null]
    : | { readonly [Index in keyof Args]: Index extends '0' ? Args[Index] | null : Args[Index] }
      | readonly [null]

/** What an endpoint's calls give: the data of its schema, or without one what its function returns. A Query's value. */
export type DataOf<E> =
  E extends SchemaContract<infer Value>
    ? Value
    : E extends { readonly schema: infer S extends Schema }
      ? Denormalize<S>
      : E extends (...args: never) => Promise<infer Value>
        ? Value
        : unknown

/** What a hook gives for the arguments it was called with. */
export type DataForArgs<E, Args> = Args extends readonly [null, ...unknown[]]
  ? undefined
  : null extends (Args extends readonly [infer First, ...unknown[]] ? First : never)
    ? DataOf<E> | undefined
    : DataOf<E>

/** What `useFetch` gives for the arguments it was called with. */
export type PromiseForArgs<E, Args> = Args extends readonly [null, ...unknown[]]
  ? undefined
  : null extends (Args extends readonly [infer First, ...unknown[]] ? First : never)
    ? Promise<DataOf<E>> | undefined
    : Promise<DataOf<E>>

/**
 * What every kind of endpoint is made of: an object that is called like a function, and its options as members.
 *
 * @internal
 */
export class EndpointBase implements PolicySwitches {
  /** Names the endpoint in keys and messages. */
  declare readonly name: string
  declare readonly retry: boolean | number | undefined
  declare readonly refetchOnFocus: boolean | undefined
  declare readonly refetchOnReconnect: boolean | undefined
  declare readonly refetchOnInterval: boolean | undefined
  declare readonly pauseOffline: boolean | undefined
  declare readonly throttle: boolean | undefined
  declare readonly dataExpiryLength: number | undefined
  declare readonly errorExpiryLength: number | undefined
  declare readonly pollFrequency: number | undefined
  // eslint-disable-next-line typescript/no-explicit-any
  declare readonly stream: ((sink: StreamSink, ...args: any) => () => void) | undefined
  declare readonly errorPolicy: ((error: Error) => 'hard' | 'soft' | undefined) | undefined
  declare readonly invalidIfStale: boolean | undefined
  declare readonly policy: ExpiryPolicy | undefined
  declare readonly validate: Validator | undefined
  // eslint-disable-next-line typescript/no-explicit-any
  declare readonly update: ((value: any, ...args: any) => Updates) | undefined
  /** Aborts the requests of this endpoint. */
  declare readonly signal: AbortSignal | undefined
  // eslint-disable-next-line typescript/no-explicit-any
  declare readonly dispose: ((value: any) => void) | undefined
  /** The options that the endpoint was made with. */
  declare protected readonly options: object

  static {
    // An endpoint is a function: it has `call`, `apply` and `bind`.
    Object.setPrototypeOf(this.prototype, Function.prototype as object)
  }

  constructor(fetchFunction: FetchFunction, options: object) {
    const endpoint = ((...args: unknown[]) =>
      (endpoint as unknown as { fetch: FetchFunction }).fetch(...args)) as unknown as this
    Object.setPrototypeOf(endpoint, new.target.prototype as object)
    setMembers(endpoint, { name: fetchFunction.name || 'Endpoint', fetch: fetchFunction })
    applyOptions(endpoint, options)
    if (!('path' in options)) bindLists(endpoint as unknown as EndpointLike)
    return endpoint
  }
}

/** Counts the Endpoints without a name: their keys differ in it. */
let unnamedMade = 0

/** In development, the function of the Endpoint that was made last, by name. */
const newest = new Map<string, FetchFunction>()

/**
 * One call to a server, described: how it is made, what names it, what its answer looks like. Call it like a
 * function to make the request without any store.
 *
 * @see specification 2.1, 4.5
 * @example
 * const getTodo = new Endpoint(({ id }: { id: number }) => db.todo(id), { name: 'getTodo', schema: Todo })
 * const todo = await getTodo({ id: 5 })
 * @example
 * // A `function` finds `this.signal`, so that its request ends when nobody waits for it.
 * const search = new Endpoint(
 *   function (this: FetchContext, { text }: { text: string }) {
 *     return index.search(text, { signal: this.signal })
 *   },
 *   { name: 'search' },
 * )
 */
// The instance is a function, which a class cannot declare by itself.
// eslint-disable-next-line typescript/no-unsafe-declaration-merging, no-unused-vars
export interface Endpoint<F extends FetchFunction = FetchFunction, Options extends object = object> {
  (...args: Parameters<F>): ReturnType<F>
}

// eslint-disable-next-line typescript/no-unsafe-declaration-merging
export class Endpoint<
  F extends FetchFunction = FetchFunction,
  const Options extends object = object,
> extends EndpointBase {
  declare readonly schema: Options extends { readonly schema: infer S extends Schema } ? S : undefined
  declare readonly sideEffect: Options extends { readonly sideEffect: infer S extends boolean }
    ? S
    : undefined
  /** Makes the request. Calling the endpoint calls it. */
  declare readonly fetch: F
  /** The function that it was made with. */
  readonly #given: FetchFunction
  /** What it is called where nobody gave it a name, and which of those it is. */
  #unnamed: { readonly name: string; readonly number: number } | undefined

  /**
   * @param fetchFunction - makes the request; receives the arguments of the call
   * @throws {SelfsameError} `definition-invalid` for an expiry length that is negative or not a number
   */
  constructor(fetchFunction: F, options?: Options & EndpointOptions<Parameters<F>>) {
    super(fetchFunction, options ?? {})
    this.#given = fetchFunction
    if (options === undefined || !('name' in options) || options.name === undefined) {
      this.#unnamed = { name: this.name, number: ++unnamedMade }
    } else if (development) newest.set(this.name, fetchFunction)
  }

  /**
   * Names a call. Equal arguments give equal keys, whatever the order of their properties; an `undefined` at the end is
   * left out. Without a `name` it is a key that no other Endpoint has, but those that `extend` made of this one.
   *
   * @throws {SelfsameError} `argument-invalid` for an argument of a read whose content cannot be told: plain data, `Date`,
   *   what has a `toJSON`, entries or fields of its own can
   */
  key(...args: Parameters<F>): string {
    let length = args.length
    while (length > 0 && args[length - 1] === undefined) length--
    const given = args.slice(0, length)
    if (development) this.#noteUse()
    const text = this.sideEffect === true ? stableStringify(given) : textOfArguments(this.name, given)
    return `${this.#keyName} ${text}`
  }

  /** What keys begin with. A subclass may declare its name as a class field, which is there only after the constructor. */
  get #keyName(): string {
    const unnamed = this.#unnamed
    return unnamed?.name === this.name ? `(unnamed ${unnamed.number}) ${this.name}` : this.name
  }

  /**
   * Two endpoints of one name read each other's data. The older one is used no more where a module was loaded again, or
   * a component made its endpoint again.
   */
  #noteUse(): void {
    const { name } = this
    const other = newest.get(name)
    const isAnother = other !== undefined && other !== this.#given && String(other) !== String(this.#given)
    if (this.#unnamed !== undefined || !isAnother) return
    newest.delete(name)
    warn(
      `Two Endpoints with different functions have the name "${name}", so that they read each other's data. Give each a \`name\` of its own.`,
    )
  }

  /** @internal */
  get keyBasis(): unknown {
    return this.key === Endpoint.prototype.key ? true : undefined
  }

  /** @internal */
  guardOf(key: string): typeof UnnamedCalls | undefined {
    return isUnnamed(key) ? UnnamedCalls : undefined
  }

  /** Whether a key names a call of this endpoint: one that begins with its name. Override it together with `key`. */
  testKey(key: string): boolean {
    return key.startsWith(`${this.#keyName} [`)
  }

  /**
   * Makes an endpoint like this one.
   *
   * @param options - what differs; `fetch` replaces the fetch function
   */
  extend<G extends FetchFunction, const More extends object>(
    options: More & EndpointOptions<Parameters<G>> & { readonly fetch: G },
  ): Endpoint<G, Omit<Options, keyof More> & More>
  extend<const More extends object>(
    options: More & EndpointOptions<Parameters<F>> & { readonly fetch?: undefined },
  ): Endpoint<F, Omit<Options, keyof More> & More>
  extend(options: { readonly fetch?: FetchFunction }): unknown {
    const { fetch = this.fetch, ...more } = options
    const Constructor = this.constructor as new (fetch: FetchFunction, options: object) => Endpoint
    const derived = new Constructor(fetch, { ...this.options, ...more })
    // It asks for the same: its calls are those of this one.
    if (fetch === this.fetch && derived.#unnamed !== undefined) derived.#unnamed = this.#unnamed
    return derived
  }

  /** Calls the fetch function with a `this` that has signal and transport of this call. @internal */
  callWith({ signal, transport }: CallContext, args: Parameters<F>): ReturnType<F> {
    if (development) this.#noteUse()
    // A literal: `Object.create` with a description of the property takes as long as parsing a short answer.
    const context = { __proto__: this, signal: anySignal(this.signal, signal), transport }
    // What the function's own type says, which `apply` does not keep.
    return this.fetch.apply(context, args) as ReturnType<F>
  }

  /** Whether one request answers both endpoints. */
  sharesRequestWith(other: EndpointLike): boolean {
    return 'fetch' in other && other.fetch === this.fetch
  }
}

interface RestMembers {
  readonly method?: string
  readonly path?: string
  readonly urlPrefix?: string | undefined
}

/** Tells the Collections of an endpoint's schema whose lists they are. @internal */
export function bindLists(endpoint: EndpointLike): void {
  const { schema, sideEffect } = endpoint
  if (schema === undefined || sideEffect === true) return
  const { method = '', path, urlPrefix = '' } = endpoint as RestMembers
  const id = path === undefined ? '' : `${method} ${urlPrefix} ${path}`
  const key = (...args: readonly unknown[]) => endpoint.key(...(args as never[]))
  const bound = withHome(schema, { id, place: '', path, key })
  if (bound !== schema) setMembers(endpoint, { schema: bound })
}

/** Gives an endpoint its options as members, over those of its class. @internal */
export function applyOptions(endpoint: object, options: object): void {
  const members = options as Readonly<Record<string, unknown>>
  const name =
    members.name === undefined ? (endpoint as { readonly name: string }).name : String(members.name)
  for (const option of ['dataExpiryLength', 'errorExpiryLength'] as const) {
    const length = members[option]
    if (length === undefined || (typeof length === 'number' && length >= 0)) continue
    throw errors.expiryLengthInvalid(name, option, length)
  }
  const { pollFrequency } = members
  if (pollFrequency !== undefined && !isTimerLength(pollFrequency)) {
    throw errors.pollFrequencyInvalid(name, pollFrequency)
  }
  if (development) {
    const { getOptimisticResponse: early } = members
    if (early !== undefined && !Object.hasOwn(early as object, 'show'))
      throw errors.optimisticUnusable(name, 'getOptimisticResponse', early)
  }
  setMembers(endpoint, { ...members, name, options })
}

/** Whether a timer of the platform can wait so long, and waits at all. */
function isTimerLength(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value < 2 ** 31
}

/** Defines members, because some names (`name`) are read-only on a function. `undefined` leaves the class's own. */
export function setMembers(endpoint: object, members: object): void {
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue
    Object.defineProperty(endpoint, name, { value, configurable: true, enumerable: true, writable: true })
  }
}
