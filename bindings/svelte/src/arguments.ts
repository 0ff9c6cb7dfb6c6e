import { plainOf } from '@selfsame/core/bindings'
import type {
  ArgsOf,
  CacheableEndpoint,
  Controller,
  DataForArgs,
  NullableArgs,
  PagesParams,
  Queryable,
  SchemaArgs,
} from '@selfsame/core'
import type {
  GivenIn,
  Holding,
  KnownReactiveArg,
  KnownReactiveArgs,
  PlainArgs as PlainArgsOf,
  Reactive as ReactiveBy,
  ReactiveArgs as ArgsHeldBy,
} from '@selfsame/core/bindings'
import { fromStore } from 'svelte/store'
import type { Readable } from 'svelte/store'

interface StoreHolding extends Holding {
  readonly holder: Readable<this['value']>
  readonly held: this['value'] extends Readable<infer Value> ? readonly [Value] : undefined
}

/** A value, a getter of it, or a store of it. */
export type Reactive<Value> = ReactiveBy<StoreHolding, Value>

/** The arguments of a hook: values, stores and getters, or one getter of all. */
export type ReactiveArgs<Args extends readonly unknown[]> = ArgsHeldBy<StoreHolding, Args>

/** The arguments without getters and stores. */
export type PlainArgs<Args extends readonly unknown[]> = PlainArgsOf<StoreHolding, Args>

/** The endpoint of a hook: given itself, by a getter or in a store. */
export type EndpointIn<E> = GivenIn<StoreHolding, E, CacheableEndpoint>

/** The queryable of a hook: given itself, by a getter or in a store. */
export type QueryableIn<Q> = GivenIn<StoreHolding, Q, Queryable>

/** The options of a hook that has no endpoint to carry them. */
export interface HookOptions {
  /**
   * The Controller to use outside components, which have no provider: in a `.svelte.ts` module or `$effect.root`.
   */
  readonly controller: Controller
}

/** The parameters of a hook after the endpoint. A first argument of `null` does nothing. */
export type HookArgs<E> = ReactiveArgs<NullableArgs<ArgsOf<EndpointIn<E>>>>

/** The arguments of a hook for an endpoint, from those that are given. */
export type GivenArgs<E, Args extends readonly unknown[]> = KnownArgs<
  Args,
  NullableArgs<ArgsOf<EndpointIn<E>>>
>

/** The arguments of a hook for a queryable, from those that are given. */
export type GivenQueryArgs<Q, Args extends readonly unknown[]> = KnownArgs<
  Args,
  NullableArgs<SchemaArgs<QueryableIn<Q>>>
>

type KnownArgs<Given extends readonly unknown[], Args extends readonly unknown[]> =
  KnownReactiveArgs<StoreHolding, Given, Args> extends Given
    ? Given
    : KnownReactiveArgs<StoreHolding, Given, Args>

/** The params of a list, from those that are given. */
export type GivenParams<E, Given> = KnownReactiveArg<StoreHolding, Given, PagesParams<EndpointIn<E>>>

/** The data of an endpoint, for the arguments of a hook; includes `undefined` if they may be `null`. */
export type HookData<E, Args extends readonly unknown[]> = DataForArgs<EndpointIn<E>, PlainArgs<Args>>

/**
 * Returns a function that returns the current call. An effect that calls it tracks the call.
 *
 * @param endpoint - an endpoint, or a getter or a store of one
 * @param args - values, getters or stores; a single getter that returns a list supplies all arguments
 */
export function toCall(endpoint: unknown, args: readonly unknown[]) {
  // The Observer checks that it is an endpoint, and throws if not.
  const readEndpoint = toGetter(endpoint) as () => CacheableEndpoint
  const [first] = args
  const getters = args.map(toGetter)
  const readArgs =
    args.length === 1 && typeof first === 'function'
      ? () => toList(first())
      : () => getters.map((get) => get())
  // Not `$state.snapshot`, which clones every string and number with `structuredClone`, the slowest step of all.
  return () => ({ endpoint: readEndpoint(), args: readArgs().map((arg) => plainOf(arg)) })
}

/**
 * Returns a function that returns the current value. A function with a `key` is an endpoint or a class, and no
 * getter.
 */
export function toGetter(value: unknown): () => unknown {
  if (isStore(value)) {
    const store = fromStore(value)
    return () => store.current
  }
  return isReactive(value) ? (value as () => unknown) : () => value
}

/** True if an argument or an endpoint can change. */
export function isReactive(value: unknown): boolean {
  return isStore(value) || (typeof value === 'function' && !('key' in value))
}

function isStore(value: unknown): value is Readable<unknown> {
  return (
    typeof value === 'object' && typeof (value as Partial<Readable<unknown>> | null)?.subscribe === 'function'
  )
}

/** The call, as error messages name it: `useSuspense(Todo.get)`. */
export function nameOf(hook: string, endpoint: unknown): string {
  const { name } = (isReactive(endpoint) ? {} : (endpoint ?? {})) as { readonly name?: unknown }
  return `${hook}(${typeof name === 'string' ? name : ''})`
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}
