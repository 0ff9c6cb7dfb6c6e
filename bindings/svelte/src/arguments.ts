import { Controller } from '@selfsame/core'
import { plainOf } from '@selfsame/core/bindings'
import type { ArgsOf, CacheableEndpoint, DataForArgs, NullableArgs, Queryable } from '@selfsame/core'
import type {
  GivenIn,
  Holding,
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
export function optionsOf(args: readonly unknown[]) {
  const { controller } = (args.at(-1) ?? {}) as { readonly controller?: unknown }
  return controller instanceof Controller ? { given: args.slice(0, -1), controller } : { given: args }
}

/**
 * Makes a function that gives the call which a hook was given, as it is now. Read in an effect, it is tracked.
 *
 * @param endpoint - an endpoint, a getter or a store of one
 * @param args - values, getters or stores; a lone getter that gives a list gives all arguments
 */
export function toCall(endpoint: unknown, args: readonly unknown[]) {
  // Whatever is given here is checked by the Observer, which says so if it is no endpoint.
  const readEndpoint = toGetter(endpoint) as () => CacheableEndpoint
  const [first] = args
  const getters = args.map(toGetter)
  const readArgs =
    args.length === 1 && typeof first === 'function'
      ? () => toList(first())
      : () => getters.map((get) => get())
  // By hand, because `$state.snapshot` clones every text and number with `structuredClone`, which takes longer than all else.
  return () => ({ endpoint: readEndpoint(), args: readArgs().map((arg) => plainOf(arg)) })
}

/** Makes a function that gives the value which is given now. What has a `key` is an endpoint or a class, and no getter. */
export function toGetter(value: unknown): () => unknown {
  if (isStore(value)) {
    const store = fromStore(value)
    return () => store.current
  }
  return isReactive(value) ? (value as () => unknown) : () => value
}

/** Whether an argument or an endpoint can change. */
export function isReactive(value: unknown): boolean {
  return isStore(value) || (typeof value === 'function' && !('key' in value))
}

function isStore(value: unknown): value is Readable<unknown> {
  return (
    typeof value === 'object' && typeof (value as Partial<Readable<unknown>> | null)?.subscribe === 'function'
  )
}

/** A hook's call as messages name it: `useSuspense(Todo.get)`. */
export function nameOf(hook: string, endpoint: unknown): string {
  const { name } = (isReactive(endpoint) ? {} : (endpoint ?? {})) as { readonly name?: unknown }
  return `${hook}(${typeof name === 'string' ? name : ''})`
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}
