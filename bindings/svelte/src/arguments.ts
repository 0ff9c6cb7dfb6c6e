import { Controller, queryOf } from '@selfsame/core'
import type {
  ArgsOf,
  CacheableEndpoint,
  DataForArgs,
  GivenIn,
  Holding,
  NullableArgs,
  PlainArgs as PlainArgsOf,
  Queryable,
  Reactive as ReactiveBy,
  ReactiveArgs as ArgsHeldBy,
} from '@selfsame/core'
import { fromStore } from 'svelte/store'
import type { Readable } from 'svelte/store'

interface StoreHolding extends Holding {
  readonly holder: Readable<this['value']>
  readonly held: this['value'] extends Readable<infer Value> ? readonly [Value] : undefined
}

/** A value, a function that gives it, or a store of it. */
export type Reactive<Value> = ReactiveBy<StoreHolding, Value>

/** The arguments of a hook: values, stores and getters, or one getter of all. */
export type ReactiveArgs<Args extends readonly unknown[]> = ArgsHeldBy<StoreHolding, Args>

/** What was given, without getters and stores. */
export type PlainArgs<Args extends readonly unknown[]> = PlainArgsOf<StoreHolding, Args>

/** The endpoint that a hook was given, itself, by a getter or in a store. */
export type EndpointIn<E> = GivenIn<StoreHolding, E, CacheableEndpoint>

/** The queryable that a hook was given, itself, by a getter or in a store. */
export type QueryableIn<Q> = GivenIn<StoreHolding, Q, Queryable>

/** What a hook may be told after its arguments. */
export interface HookOptions {
  /** Where it is called outside of components, which have a provider: in a `.svelte.ts` module, in `$effect.root`. */
  readonly controller: Controller
}

/** Arguments, after which there may be options. */
export type WithOptions<Args extends readonly unknown[]> = Args | readonly [...Args, HookOptions]

/** What a hook takes for an endpoint: its arguments, or `null` in the first place to do nothing. */
export type HookArgs<E> = WithOptions<ReactiveArgs<NullableArgs<ArgsOf<EndpointIn<E>>>>>

/** The data of an endpoint for the arguments that a hook was given; with `undefined` where they may be `null`. */
export type HookData<E, Args extends readonly unknown[]> = DataForArgs<
  EndpointIn<E>,
  PlainArgs<WithoutOptions<Args>>
>

type WithoutOptions<Args extends readonly unknown[]> = Args extends readonly [...infer Given, HookOptions]
  ? Given
  : Args

/** Takes the arguments and the options of a hook apart. */
export function optionsOf(args: readonly unknown[]): {
  readonly given: readonly unknown[]
  readonly controller: Controller | undefined
} {
  const { controller } = (args.at(-1) ?? {}) as { readonly controller?: unknown }
  return controller instanceof Controller
    ? { given: args.slice(0, -1), controller }
    : { given: args, controller: undefined }
}

/** A call as the Controller knows it. */
export interface Call {
  readonly endpoint: CacheableEndpoint
  readonly args: readonly unknown[]
}

/**
 * Makes a function that gives the call which a hook was given, as it is now. Read in an effect, it is tracked.
 *
 * @param endpoint - an endpoint, a getter or a store of one
 * @param args - values, getters or stores; a lone getter that gives a list gives all arguments
 */
export function toCall(endpoint: unknown, args: readonly unknown[]): () => Call {
  // Whatever is given here is checked by the Observer, which says so if it is no endpoint.
  const readEndpoint = (isEndpoint(endpoint) ? () => endpoint : toGetter(endpoint)) as () => CacheableEndpoint
  const [first] = args
  if (args.length === 1 && typeof first === 'function') {
    return () => ({ endpoint: readEndpoint(), args: toList(first()).map(toPlain) })
  }
  const getters = args.map(toGetter)
  return () => ({ endpoint: readEndpoint(), args: getters.map((get) => toPlain(get())) })
}

/**
 * What is read without an endpoint, as a getter of one.
 *
 * @param queryable - a queryable, a getter or a store of one. An Entity class is a function as well: what has a `key`
 *   is no getter
 */
export function toQueryEndpoint(queryable: unknown): () => CacheableEndpoint {
  const isClass = typeof queryable === 'function' && 'key' in queryable
  const read = isClass ? () => queryable : toGetter(queryable)
  // What is no queryable is refused there.
  return () => queryOf(read() as Queryable)
}

/** Whether the arguments or the endpoint of a hook can change. */
export function isReactive(endpoint: unknown, args: readonly unknown[]): boolean {
  return (!isEndpoint(endpoint) && isGetterOrStore(endpoint)) || args.some(isGetterOrStore)
}

/** A hook's call as messages name it: `useSuspense(Todo.get)`. */
export function nameOf(hook: string, endpoint: unknown): string {
  if (!isEndpoint(endpoint)) return `${hook}()`
  const { name = '' } = endpoint as { readonly name?: string }
  return `${hook}(${name})`
}

function isEndpoint(value: unknown): value is CacheableEndpoint {
  return value != null && typeof (value as Partial<CacheableEndpoint>).key === 'function'
}

function isGetterOrStore(value: unknown): boolean {
  return typeof value === 'function' || isStore(value)
}

function isStore(value: unknown): value is Readable<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'subscribe' in value &&
    typeof value.subscribe === 'function'
  )
}

function toGetter(value: unknown): () => unknown {
  if (typeof value === 'function') return value as () => unknown
  if (!isStore(value)) return () => value
  const store = fromStore(value)
  return () => store.current
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/**
 * Takes an argument out of a `$state` proxy, so that what was asked for does not change with it. By hand, because
 * `$state.snapshot` clones every text and number with `structuredClone`, which takes longer than all else here.
 */
function toPlain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(toPlain)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toPlain(field)]))
}
