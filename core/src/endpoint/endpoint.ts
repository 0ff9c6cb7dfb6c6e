import { development } from '#development'
import * as errors from '../errors.js'
import type { Validator } from '../schema/validator.js'
import { warn } from '../errors.js'
import type { Denormalize } from '../schema/denormalized.js'
import type { TemporaryId } from '../schema/payload.js'
import type { SchemaArgs } from '../schema/query.js'
import { withHome } from '../schema/home.js'
import type { Schema, SchemaContract } from '../schema/schema.js'
import type { Clock } from '../util/clock.js'
import type { ProgressListener } from '../util/progress.js'
import type { Transport } from './transport.js'
import { warnOfMisspelling } from './option-names.js'
import type { CheckedWith, MisfitResponse, OptionsOfResource } from './checked-options.js'
import { textOfArguments } from '../schema/argument-text.js'
import { stableStringify } from '../util/stable-stringify.js'
import type { ExpiryPolicy } from '../schema/expiry-policy.js'

/** A function that sends a request and returns its response. */
// Any function is accepted here; its own types are kept by the endpoint.
// eslint-disable-next-line typescript/no-explicit-any
export type FetchFunction = (...args: any) => Promise<unknown>

/**
 * Options that the middleware of `@selfsame/core/policies` reads. An option has no effect if the Controller was created
 * without the middleware of that name.
 */
export interface PolicySwitches {
  /**
   * `true` sends a request again after a temporary failure. A number is the highest count of requests, the first
   * included. A mutation is sent again only if this option is set. @default for a read, the option of `retry()`
   */
  readonly retry?: boolean | number | undefined
  /** `true` fetches Stale data that is on screen when the window gets the focus. @default the option of `refetchOnFocus()` */
  readonly refetchOnFocus?: boolean | undefined
  /** `true` fetches Stale data that is on screen when the network is back. @default the option of `refetchOnReconnect()` */
  readonly refetchOnReconnect?: boolean | undefined
  /** `true` checks the age of data that is on screen at each interval. @default the option of `refetchOnInterval()` */
  readonly refetchOnInterval?: boolean | undefined
  /**
   * `true` lets a request wait while there is no network. A mutation waits only if this option is set.
   * @default for a read, the option of `pauseOffline()`
   */
  readonly pauseOffline?: boolean | undefined
  /** `true` queues a request while too many are in flight. @default the option of `throttle()` */
  readonly throttle?: boolean | undefined
  /**
   * `true` writes a mutation down before it is sent, so that it outlasts a reload: for the middleware of
   * `@selfsame/core/outbox`. @default `true` for the endpoints that `outbox()` names
   */
  readonly outbox?: boolean | undefined
}

/**
 * The options that do not depend on the arguments. An interface of its own, without type parameters: what extends it is one type to the
 * compiler, with which it compares each endpoint; what extends a generic interface, or `Omit`, is another one for each endpoint.
 */
interface SharedOptions extends PolicySwitches {
  /** The schema of the response. @default none: the response is stored as it is */
  readonly schema?: Schema | undefined
  /** `true` for a mutation: its response is not cached as a call, not shared, and not read by hooks. @default false */
  readonly sideEffect?: boolean | undefined
  /** Returns `true` for keys of this endpoint. Set it together with your own `key`. @default set by the kind of endpoint */
  readonly testKey?: ((key: string) => boolean) | undefined
  /** How long a response stays Valid, in milliseconds; `Infinity`: forever. @default the entity's, then the Controller's: 60000 */
  readonly dataExpiryLength?: number | undefined
  /** How long a stored error is thrown again before the next request, in milliseconds. @default the Controller's: 1000 */
  readonly errorExpiryLength?: number | undefined
  /**
   * The pause between a response or a failure and the next request while the call has a connection (`connect`,
   * `useSubscription`), in milliseconds above 0. @default none: the call does not poll
   */
  readonly pollFrequency?: number | undefined
  /**
   * `false` lets polling rest while the page is hidden. A request that is due by then is sent when the page is shown.
   * @default true
   */
  readonly pollWhileHidden?: boolean | undefined
  /** `hard`: an error replaces stored data. `soft`: the data stays. @default `hard` for a 4xx of the server other than 408, 425 and 429 */
  readonly errorPolicy?: ((error: Error) => 'hard' | 'soft' | undefined) | undefined
  /**
   * `true` says that a mutation may succeed without a body for a record that is not stored: the type of what
   * `controller.fetch` then resolves with includes `null`. @default false: development warns if it happens
   */
  readonly mayBeEmpty?: boolean | undefined
  /** `true` treats Stale data as Invalid. @default false */
  readonly invalidIfStale?: boolean | undefined
  /** How readers treat Stale data. @default the Controller's: `stale-while-revalidate` */
  readonly policy?: ExpiryPolicy | undefined
  /**
   * Frees resources of a response, such as an object URL. A Controller calls it once for each response that it drops: it
   * was replaced, collected, or came too late. For reads without a schema.
   */
  // The type of the response is the fetch function's; the user names it.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly dispose?: ((value: any) => void) | undefined
  /**
   * Checks each payload before it is stored. Either a function that returns a reason (any truthy value) to refuse it, or a
   * Standard Schema validator of zod, valibot, arktype or another library; only its issues are used, not its output. A refused
   * payload is an error of the call. It must be synchronous. @default none: only the schema's own checks
   */
  readonly validate?: Validator | undefined
  /** Aborts all requests of this endpoint, mutations and awaited requests included. @default none */
  readonly signal?: AbortSignal | undefined
  /**
   * `true` promises that no other code holds or changes a response, as is the case after `JSON.parse`. The store then keeps
   * the object itself instead of a copy. @default false; for REST and GraphQL `true` if they parsed the response
   * themselves and there is no `process`
   *
   * @see specification, Costs
   */
  readonly ownsPayload?: boolean | undefined
}

/** The options of every kind of endpoint. */
export interface EndpointOptions<Args extends readonly unknown[] = never> extends SharedOptions {
  /**
   * The name of the endpoint in keys and messages. An Endpoint without a `name` and a `key` shares its calls with no other
   * endpoint, and its calls are not dehydrated. @default in messages, the name of the fetch function
   */
  readonly name?: string | undefined
  /** Returns the key of a call. Calls with equal keys share one response. @default the name and the arguments in a stable order */
  readonly key?: ((...args: Args) => string) | undefined
  /**
   * Changes the data of other calls when a mutation succeeds. Returns an object: each name is the key of a call, each
   * value a function from its data to its new data. Calls that are not stored are ignored. The response and all changes
   * are stored together; if a function throws, nothing is stored.
   */
  // The type of the value is the endpoint's; the user names it.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly update?: ((value: any, ...args: Args) => Updates) | undefined
  /**
   * Opens a stream that keeps a call fresh. All connections of the call (`connect`, `useSubscription`, `useLive`) share
   * one stream. Replaces `pollFrequency`.
   *
   * @param sink - receives the messages of the stream
   * @param args - the arguments of the call
   * @returns a function that closes it
   */
  readonly stream?: ((sink: StreamSink, ...args: Args) => () => void) | undefined
  /**
   * The expected response of a mutation. Readers see it at once, until the mutation succeeds or fails. Several mutations
   * in flight are confirmed or rolled back one by one. Needs a schema. Make it with `optimistic` of
   * `@selfsame/core/optimistic`, from a function of a cache snapshot and the arguments of the call.
   */
  readonly getOptimisticResponse?: OptimisticResponse<Args> | undefined
}

/** Receives the messages of a stream, for one call. */
export interface StreamSink {
  /** `false` once the last connection has ended. Later messages are not stored. */
  readonly isOpen: boolean
  /** Stores a payload as the response of the call. @throws {SelfsameError} when it does not fit the endpoint's schema */
  receive(response: unknown): void
  /** Stores data of another schema, such as one record of a list. See `controller.set` */
  set(schema: Schema, args: object, value: unknown): void
  /** Stores an error of the stream. Stored data stays. */
  fail(error: Error): void
  /** Makes the call Stale because messages may be missing. Hooks that fetch send a request at once. */
  expire(): void
  /** Stores several messages and notifies readers once. */
  batch<Value>(change: () => Value): Value
  /** The Controller's clock and timers. */
  readonly clock: Clock
  /** The name of the endpoint, for messages. */
  readonly name: string
  /** The Controller. */
  readonly owner: object
  /** Functions that store what has arrived and is not stored yet. They are called before a response is stored. @internal */
  readonly inboxes?: Set<() => void>
  /**
   * Aborted by the next reset of the Controller and by `dispose`. Bind resources to it that several streams share, such as
   * the connection of the signed-in user.
   */
  readonly session: AbortSignal
  /**
   * `true` if the data of the call is older than the end of its last stream, so that messages may be missing: the call had
   * a stream before, and there was no request since.
   */
  readonly hasGap: boolean
}

/** Functions from the data of a call to its new data, by the key of the call. */
export interface Updates {
  // A key does not tell the type of its call's data.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly [key: string]: (data: any) => unknown
}

/** Reads the cache below the expected response of this mutation. */
export interface CacheSnapshot {
  /** A primary key for a record that the server has not created yet. Unique per call, and constant within it. */
  readonly temporaryId: TemporaryId
  /** The time of the call, in milliseconds since the epoch. Constant within the call. */
  readonly now: number
  /** Reads a record, or other data of a schema, by its arguments. @returns `undefined` when it is not stored */
  get<const S extends Schema>(schema: S, ...args: SchemaArgs<S>): Denormalize<S> | undefined
  /** Reads the data of a call. @returns an object whose `data` is `undefined` when there is none */
  read<E extends CacheableEndpoint>(endpoint: E, ...args: ArgsOf<E>): { readonly data: DataOf<E> | undefined }
}

/** The expected response of a mutation, as `optimistic` creates it. */
export interface OptimisticResponse<Args extends readonly unknown[], Expected = unknown> {
  (snapshot: CacheSnapshot, ...args: Args): Expected
  /** Shows the expected response, and includes the code for it. */
  readonly show?: (context: never, mutation: never) => void
  /** Distinguishes functions of `optimistic` from others, for the compiler and its message. It has no value. */
  readonly 'made by optimistic() of @selfsame/core/optimistic': never
}

/** The `this` of a fetch function that is a `function`, beside the members of its endpoint. */
export interface FetchContext {
  /** Aborted when no reader waits for the response any more, and by the endpoint's own `signal`. */
  readonly signal?: AbortSignal | undefined
  /** The Controller's option `fetch`. @default none: use the global `fetch` */
  readonly transport?: Transport | undefined
  /** The headers that middleware adds to the request, such as an `Idempotency-Key`. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The context that a Controller passes to a call. */
export interface CallContext {
  /** Aborted when nobody waits for the response any more. @default the endpoint's own signal */
  readonly signal?: AbortSignal | undefined
  /** Receives the progress of the transfer, from transports that report it. */
  readonly onProgress?: ProgressListener | undefined
  /** Sends the request: the Controller's option `fetch`. @default the global `fetch` */
  readonly transport?: Transport | undefined
  /** The headers that middleware adds to the request. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** What endpoints keep of responses until a reset, by address. @internal */
  readonly kept?: Map<string, unknown> | undefined
}

// The arguments are those of the endpoint's own calls, which its type checks.
// eslint-disable-next-line typescript/no-explicit-any
type AnyOptions = EndpointOptions<any>

/** The members of an endpoint that a Controller uses. A Controller can fetch any object that has them. */
export interface EndpointLike extends SharedOptions {
  readonly update?: AnyOptions['update']
  readonly stream?: AnyOptions['stream']
  readonly getOptimisticResponse?: AnyOptions['getOptimisticResponse']
  /** `true` if the loaded pages of its list are requested with it, `false` if never. @default only if rows may have moved between them */
  readonly refetchPages?: boolean | undefined
  // As above: any endpoint is one, whatever it takes.
  // eslint-disable-next-line typescript/no-explicit-any
  (...args: any): Promise<unknown>
  readonly name: string
  // The arguments of the endpoint, as above.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly key: (...args: any) => string
  /** Calls the endpoint with a context: signal, progress, transport. */
  callWith?(context: CallContext, args: readonly unknown[]): Promise<unknown>
  /** Returns `true` if one request can serve both endpoints. @default identity */
  sharesRequestWith?(other: EndpointLike): boolean
  /** `true` if a response may lack what the schema names, as in generation 4.5. @internal */
  readonly isPartial?: boolean | undefined
}

/** The members of an endpoint that a read from the cache needs. */
export interface CacheableEndpoint {
  // Its arguments are checked where it is called.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly key: (...args: any) => string
  readonly schema?: Schema | undefined
  readonly invalidIfStale?: boolean | undefined
  /**
   * The value on which keys depend beside the arguments: `true` if keys cannot change while `key` is the same function;
   * `undefined` if that is unknown, so that each key is built again.
   *
   * @internal
   */
  readonly keyBasis?: unknown
}

/** Names all calls of an endpoint. Any object with a `testKey` is one. */
export interface KeyTester {
  /** Returns `true` if the key is that of one of its calls. */
  testKey(key: string): boolean
}

/** An endpoint without a side effect, as hooks take it. */
// Not an intersection: the compiler would compare each endpoint with both parts, and then with all members again.
export interface ReadEndpoint extends EndpointLike {
  readonly sideEffect?: false | undefined
}

/** The arguments of an endpoint's calls. */
export type ArgsOf<E> = E extends (...args: infer Args) => unknown
  ? SameArgs<Args>
  : E extends { readonly key: (...args: infer Args) => string }
    ? Args extends readonly unknown[]
      ? SameArgs<Args>
      : never
    : never

/**
 * The same list of arguments. The compiler tries to infer from the arguments of each call to a bare `Args`, for which it makes the methods
 * of a list for each of them; to a mapped type it infers nothing at once. Not `NoInfer`, which would stay in the result.
 */
export type SameArgs<Args> = { [Index in keyof Args]: Args[Index] }

/** An endpoint whose calls are named without a body: the body of a REST call is no part of its key. */
export interface NamedCall<E> extends CacheableEndpoint {
  readonly key: (...args: E extends { readonly path: string } ? WithoutBody<ArgsOf<E>> : ArgsOf<E>) => string
}

/**
 * Where a single argument may be the body alone, params without a body would be taken for it: `undefined` stands for the
 * body. Not readonly: the compiler infers nothing from a union of readonly tuples.
 */
type WithoutBody<Args, All = Args> =
  | (Args extends readonly [infer Params, ...infer Body]
      ? [
          Params,
          ...([WithoutBodyAlone<All>] extends [never] ? Partial<OrUndefined<Body>> : OrUndefined<Body>),
        ]
      : Args extends readonly unknown[]
        ? Args
        : never)
  | WithoutBodyAlone<Args>

type OrUndefined<Body extends readonly unknown[]> = { [Place in keyof Body]: Body[Place] | undefined }

/** A call with optional params before its body has a key without either, or with empty params. */
type WithoutBodyAlone<Args> = [OfTwo<Args>] extends [never]
  ? never
  : [Exclude<Args, OfTwo<Args>>] extends [never]
    ? never
    : [] | [params: { readonly [name: string]: never }]

type OfTwo<Args> = Args extends readonly unknown[] ? (2 extends Args['length'] ? Args : never) : never

/**
 * An endpoint's arguments as hooks take them: `null` as the first argument means "do nothing". Without arguments, `undefined`
 * there reads: `isSignedIn ? undefined : null`.
 */
export type NullableArgs<Args extends readonly unknown[]> = number extends Args['length']
  ? Args | readonly [null]
  : Args extends readonly []
    ? readonly [] | readonly [condition: null | undefined]
    : | { readonly [Index in keyof Args]: Index extends '0' ? NullableArg<Args, Args[Index]> : Args[Index] }
      | readonly [null]

/** With `exactOptionalPropertyTypes`, an argument that may be left out would not take `undefined`. */
type NullableArg<Args, Arg> = readonly [] extends Readonly<Args> ? Arg | null | undefined : Arg | null

/**
 * The arguments of a hook as they are given. If one has a param that the endpoint does not have, the type is `Args`, and
 * the compiler refuses the param where it is written.
 */
export type KnownArgs<Given extends readonly unknown[], Args extends readonly unknown[]> = [
  OtherParams<Given, Args>,
] extends [never]
  ? Given
  : SameArgs<Args>

/** The arguments of a hook for an endpoint, from those that are given. */
export type GivenArgs<E, Given extends readonly unknown[]> = KnownArgs<Given, NullableArgs<ArgsOf<E>>>

/** The names of the params that are given and that an endpoint with these arguments does not have. */
export type OtherParams<Given extends readonly unknown[], Args extends readonly unknown[]> = {
  [Index in keyof Given]-?: NamesBeside<Given[Index], At<Args, Index>>
}[number]

/** These arguments without params of other names. */
export type WithoutParams<Args, Others extends PropertyKey> = Args extends readonly unknown[]
  ? { [Index in keyof Args]: Args[Index] extends infer Arg ? WithoutMembers<Arg, Others> : never }
  : never

type WithoutMembers<Arg, Others extends PropertyKey> = Arg extends object
  ? Arg & { readonly [Name in Others]?: NoSuchParam }
  : Arg

/** The type of a param that the endpoint does not have. Nothing is assignable to it. */
interface NoSuchParam {
  readonly noSuchParam: never
}

type At<Args, Index> = Args extends unknown ? (Index extends keyof Args ? Args[Index] : never) : never

/** The names that an object has and a type of params does not name. Lists and functions are no params. */
type NamesBeside<Given, Params> = Given extends Unnamed
  ? never
  : Given extends object
    ? [NamesIn<Params>] extends [never]
      ? never
      : string extends keyof Given
        ? never
        : Exclude<keyof Given, NamesIn<Params>>
    : never

type NamesIn<Params> = Params extends object ? keyof Params : never

type Unnamed =
  string | number | bigint | boolean | symbol | readonly unknown[] | ((...args: never) => unknown)

/**
 * Carries a type for inference only. All instances are assignable to each other, so that a subclass may override an endpoint
 * with one of other data.
 */
// The type parameter is used by inference only.
// eslint-disable-next-line no-unused-vars
export interface Carries<Type> {
  readonly isCarrying?: true
}

declare const data: unique symbol

/** An endpoint that declares the data of its calls by its type alone. */
export interface DeclaresData<Data> {
  readonly [data]: Carries<Data> | undefined
}

/** The data type of an endpoint's calls: that of its schema, else the result of its fetch function. For a Query, its value. */
export type DataOf<E> = E extends DeclaresData<infer Value> ? Value : DataOfSchemaIn<E>

type DataOfSchemaIn<E> =
  E extends SchemaContract<infer Value>
    ? Value
    : E extends { readonly schema: Schema }
      ? Denormalize<E['schema']>
      : E extends (...args: never) => Promise<infer Value>
        ? Value
        : unknown

/** The data type of a hook for given arguments: `undefined` is included if they may be `null`. */
export type DataForArgs<E, Args> = UnlessNull<Args, DataOf<E>>

/** The promise type of `useFetch` for given arguments: `undefined` is included if they may be `null`. */
export type PromiseForArgs<E, Args> = UnlessNull<Args, Promise<DataOf<E>>>

/** What is read with arguments; of a first argument of type `any` nothing is known, so it counts as one. */
type UnlessNull<Args, Value> = Args extends { readonly 0: infer First }
  ? 0 extends 1 & First
    ? Value
    : [First] extends [null]
      ? undefined
      : null extends First
        ? Value | undefined
        : Value
  : Value

/** Options of an endpoint, and the options that differ from them. */
export type Merged<Options, More> = {
  readonly [Name in keyof Options | keyof More]: Name extends keyof More
    ? More[Name]
    : Name extends keyof Options
      ? Options[Name]
      : never
}

/** The options that each kind of endpoint declares itself. */
type OwnOption =
  | 'name'
  | 'key'
  | 'schema'
  | 'sideEffect'
  | 'mayBeEmpty'
  | 'testKey'
  | 'getOptimisticResponse'
  | 'ownsPayload'

// The options are set as members, which a class cannot declare by itself. Each kind of endpoint knows the types of its arguments.
// eslint-disable-next-line typescript/no-unsafe-declaration-merging, typescript/no-explicit-any
export interface EndpointBase extends Omit<EndpointOptions<any>, OwnOption> {}

/**
 * The base of all kinds of endpoints: a function whose options are its members.
 */
// eslint-disable-next-line typescript/no-unsafe-declaration-merging
export class EndpointBase {
  /** The name of the endpoint in keys and messages. */
  declare readonly name: string
  /** The options that the endpoint was created with. */
  declare protected readonly options: object

  constructor(fetchFunction: FetchFunction, options: object) {
    const endpoint = ((...args: unknown[]) =>
      (endpoint as unknown as { fetch: FetchFunction }).fetch(...args)) as unknown as this
    Object.setPrototypeOf(endpoint, new.target.prototype as object)
    const name = String((options as { readonly name?: unknown }).name ?? (fetchFunction.name || 'Endpoint'))
    if (development) {
      checkOptions(name, options as Readonly<Record<string, unknown>>)
      warnOfMisspelling(endpoint, name, options)
    }
    setMembers(endpoint, { fetch: fetchFunction })
    setMembers(endpoint, { ...options, name, options })
    if (!('path' in options)) bindLists(endpoint as unknown as EndpointLike)
    return endpoint
  }

  /**
   * An endpoint needs no `this`, so bound to one it is the endpoint itself. With arguments it is a function that sends the
   * request.
   */
  bind(self: unknown): this
  bind<First extends readonly unknown[], Rest extends readonly unknown[], Value>(
    this: (...args: [...First, ...Rest]) => Value,
    self: unknown,
    ...args: First
  ): (...args: Rest) => Value
  bind(self: unknown, ...args: readonly unknown[]): unknown {
    return args.length === 0 ? this : Function.prototype.bind.call(this as never, self, ...args)
  }
}

// An endpoint is a function: it has `call`, `apply` and `bind`. No static block, which the Babel preset of React Native does not compile.
Object.setPrototypeOf(EndpointBase.prototype, Function.prototype as object)

/** The count of Endpoints without a name. Their keys contain their number. */
let unnamedMade = 0

/** In development, the fetch function of the latest Endpoint of each name. */
const newest = new Map<string, FetchFunction>()

/**
 * Describes a request: its fetch function, its key and the schema of its response. Called as a function, it sends the
 * request without any store.
 *
 * @see specification 2.1, 4.5
 * @example
 * const getTodo = new Endpoint(({ id }: { id: number }) => db.todo(id), { name: 'getTodo', schema: Todo })
 * const todo = await getTodo({ id: 5 })
 * @example
 * // A `function` can use `this.signal`: the request ends when no reader waits for it.
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
  declare readonly mayBeEmpty: Options extends { readonly mayBeEmpty: true } ? true : undefined
  /** Sends the request. Calling the endpoint calls it. */
  declare readonly fetch: F
  /** The fetch function of the constructor. */
  readonly #given: FetchFunction
  /** The name and number of an Endpoint that was given no name. */
  #unnamed: { readonly name: string; readonly number: number } | undefined

  /**
   * @param fetchFunction - sends the request; receives the arguments of the call
   * @throws {SelfsameError} in development `definition-invalid` for an expiry length that is negative or not a number
   */
  constructor(
    fetchFunction: F,
    options?: CheckedWith<Options, EndpointOptions<Parameters<F>>, MisfitResponse<Options, Parameters<F>>>,
  ) {
    super(fetchFunction, options ?? {})
    this.#given = fetchFunction
    if (options === undefined || !('name' in options) || options.name === undefined) {
      this.#unnamed = { name: this.name, number: ++unnamedMade }
    } else if (development) newest.set(this.name, fetchFunction)
  }

  /**
   * Returns the key of a call. Equal arguments have equal keys, in any order of their properties; `undefined` at the end is
   * ignored. Without a `name`, only Endpoints that `extend` made of this one have the same keys.
   *
   * @throws {SelfsameError} `argument-invalid` for an argument of a read whose content is hidden. Plain data, `Date` and
   *   objects with `toJSON`, entries or own fields are fine
   */
  key(...args: Parameters<F>): string {
    let length = args.length
    while (length > 0 && args[length - 1] === undefined) length--
    const given = length === args.length ? args : args.slice(0, length)
    if (development) this.#noteUse()
    const text = this.sideEffect === true ? stableStringify(given) : textOfArguments(this.name, given)
    const key = `${this.#keyName} ${text}`
    keyed.calls?.set(key, { endpoint: this, args })
    return key
  }

  /** The beginning of keys. Not computed in the constructor, because a subclass may declare its name as a class field. */
  get #keyName(): string {
    const unnamed = this.#unnamed
    return unnamed?.name === this.name ? `(unnamed ${unnamed.number}) ${this.name}` : this.name
  }

  /**
   * Warns when an older endpoint of the same name is still in use: the two read each other's data. After a hot reload, or
   * when a component makes its endpoint again, the older one is no longer used.
   */
  #noteUse(): void {
    const { name } = this
    const other = newest.get(name)
    const isAnother = other !== undefined && other !== this.#given && String(other) !== String(this.#given)
    if (this.#unnamed !== undefined || !isAnother) return
    newest.delete(name)
    warn(
      `Two Endpoints with different functions have the name "${name}", so they read each other's data. Set a different \`name\` for each.`,
    )
  }

  /** @internal */
  get keyBasis(): unknown {
    return this.key === Endpoint.prototype.key ? true : undefined
  }

  /** Returns `true` for keys of this endpoint: those that begin with its name. Override it together with `key`. */
  testKey(key: string): boolean {
    return key.startsWith(`${this.#keyName} [`)
  }

  /**
   * Makes an endpoint from this one.
   *
   * @param options - the options that differ; `fetch` replaces the fetch function
   */
  extend<G extends FetchFunction, const More extends object>(
    options: CheckedWith<
      More,
      EndpointOptions<Parameters<G>> & OptionsOfResource & { readonly fetch: G },
      MisfitResponse<Omit<Options, keyof More> & More, Parameters<G>>
    >,
  ): Endpoint<G, Omit<Options, keyof More> & More>
  extend<const More extends object>(
    options: CheckedWith<
      More,
      EndpointOptions<Parameters<F>> & OptionsOfResource & { readonly fetch?: undefined },
      MisfitResponse<Omit<Options, keyof More> & More, Parameters<F>>
    >,
  ): Endpoint<F, Omit<Options, keyof More> & More>
  extend(options: { readonly fetch?: FetchFunction | undefined }): unknown {
    refuseOptimistic(this.name, options)
    const { fetch = this.fetch, ...more } = options
    const Constructor = this.constructor as new (fetch: FetchFunction, options: object) => Endpoint
    const derived = new Constructor(fetch, { ...this.options, ...more })
    // Same fetch function: it shares the calls of this endpoint.
    if (fetch === this.fetch && derived.#unnamed !== undefined) derived.#unnamed = this.#unnamed
    return derived
  }

  /** Calls the fetch function; its `this` has the signal and transport of this call. @internal */
  callWith({ signal, transport, headers }: CallContext, args: Parameters<F>): ReturnType<F> {
    if (development) this.#noteUse()
    // A literal, because `Object.create` with a property descriptor takes as long as parsing a short response.
    const context = { __proto__: this, signal: signal ?? this.signal, transport, headers }
    // `apply` loses the function's return type.
    return this.fetch.apply(context, args) as ReturnType<F>
  }

  /** Returns `true` if one request can serve both endpoints. */
  sharesRequestWith(other: EndpointLike): boolean {
    return 'fetch' in other && other.fetch === this.fetch
  }
}

interface RestMembers {
  readonly method?: string
  readonly path?: string
  readonly urlPrefix?: string | undefined
  readonly searchParams?: Readonly<Record<string, unknown>> | undefined
}

/** A call, by its endpoint and arguments. @internal */
export interface KeyedCall {
  readonly endpoint: { readonly schema?: Schema | undefined }
  readonly args: readonly unknown[]
}

/** The calls whose keys are asked for, by key, while the `update` of a mutation runs. @internal */
export const keyed: { calls: Map<string, KeyedCall> | undefined } = { calls: undefined }

/** Binds the Collections in the schema of a reading endpoint to this endpoint. @internal */
export function bindLists(endpoint: EndpointLike): void {
  const { schema, sideEffect } = endpoint
  if (schema === undefined || sideEffect === true) return
  const { method = '', path, urlPrefix = '', searchParams } = endpoint as RestMembers
  const sent = searchParams === undefined ? '' : ` ${stableStringify(searchParams)}`
  const id = path === undefined ? '' : `${method} ${urlPrefix} ${path}${sent}`
  const key = (...args: readonly unknown[]) => endpoint.key(...(args as never[]))
  // Servers that want a slash at the end have the same lists there.
  const bound = withHome(schema, { id, place: '', path: path?.replace(/\/$/, ''), searchParams, key })
  if (bound !== schema) setMembers(endpoint, { schema: bound })
}

/**
 * Refuses the option of a resource where one endpoint is extended. For development: the options of a resource may be given to a new
 * endpoint, as `{ ...options, path }`.
 *
 * @throws {SelfsameError} `definition-invalid`
 */
export function refuseOptimistic(name: string, options: object): void {
  if (development && 'optimistic' in options) throw errors.optimisticOfMember(name)
}

/** @throws {SelfsameError} `definition-invalid` */
function checkOptions(name: string, options: Readonly<Record<string, unknown>>): void {
  for (const option of ['dataExpiryLength', 'errorExpiryLength'] as const) {
    const length = options[option]
    if (length === undefined || (typeof length === 'number' && length >= 0)) continue
    throw errors.expiryLengthInvalid(name, option, length)
  }
  const { pollFrequency, getOptimisticResponse: early } = options
  if (pollFrequency !== undefined && !isTimerLength(pollFrequency)) {
    throw errors.pollFrequencyInvalid(name, pollFrequency)
  }
  if (early !== undefined && !Object.hasOwn(early as object, 'show'))
    throw errors.optimisticUnusable(name, 'getOptimisticResponse', early)
}

/** Platform timers wait from 1 ms to 2^31 - 1 ms. */
function isTimerLength(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value < 2 ** 31
}

/** Defines a member that is computed when it is read, until a class field sets it. */
export function computeMember(endpoint: object, name: string, get: () => unknown): void {
  const set = (value: unknown) => setMembers(endpoint, { [name]: value })
  Object.defineProperty(endpoint, name, { get, set, configurable: true, enumerable: true })
}

/** Defines members: assignment fails for names that are read-only on a function, such as `name`. Skips `undefined`. */
export function setMembers(endpoint: object, members: object): void {
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue
    Object.defineProperty(endpoint, name, { value, configurable: true, enumerable: true, writable: true })
  }
}
