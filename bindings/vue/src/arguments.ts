import type { ArgsOf, CacheableEndpoint, DataForArgs, NullableArgs, PromiseForArgs } from '@selfsame/core'
import { isRef, toRaw, toValue } from 'vue'
import type { MaybeRefOrGetter, Ref } from 'vue'

/** An endpoint, or a ref or getter of one. */
export type Source<E> = E | Readonly<Ref<E>> | (() => E)

/** The endpoint of a source. An endpoint is a function as well: what has a `key` is no getter. */
export type EndpointIn<E> = E extends CacheableEndpoint
  ? E
  : E extends Readonly<Ref<infer Inner>>
    ? Inner
    : E extends () => infer Inner
      ? Inner
      : never

/**
 * One argument of a composable. A list has no getter of its own, because a lone getter that gives a list gives all
 * arguments.
 */
export type ReactiveArg<Value> = [Value] extends [readonly unknown[] | null | undefined]
  ? Value | Readonly<Ref<Value>>
  : MaybeRefOrGetter<Value>

/** The arguments of a composable after the endpoint: each for itself, or one getter of all. */
export type ReactiveArgs<Args extends readonly unknown[]> =
  { readonly [Index in keyof Args]: ReactiveArg<Args[Index]> } | readonly [() => Args | null]

/** What a composable takes after an endpoint; `null` in the first place does nothing. */
export type ComposableArgs<E> = ReactiveArgs<NullableArgs<ArgsOf<EndpointIn<E>>>>

/** The data of an endpoint for what a composable was given; with `undefined` where that may be `null`. */
export type ComposableData<E, Args extends readonly unknown[]> = DataForArgs<EndpointIn<E>, PlainArgs<Args>>

/** The promise of a call for what a composable was given; `undefined` where that may be `null`. */
export type ComposablePromise<E, Args extends readonly unknown[]> = PromiseForArgs<
  EndpointIn<E>,
  PlainArgs<Args>
>

/** The arguments that refs and getters give. */
export type PlainArgs<Args extends readonly unknown[]> = Args extends readonly [() => infer All]
  ? All extends readonly unknown[]
    ? All
    : readonly [All]
  : { readonly [Index in keyof Args]: PlainArg<Args[Index]> }

type PlainArg<Arg> =
  Arg extends Readonly<Ref<infer Value>> ? Value : Arg extends () => infer Value ? Value : Arg

/** The endpoint that a source gives now. */
export function endpointOf(source: unknown): CacheableEndpoint {
  const isGetter = typeof source === 'function' && !('key' in source)
  // What is no endpoint is refused by the Observer.
  return toRaw(isGetter || isRef(source) ? toValue(source) : source) as CacheableEndpoint
}

/** A call as messages name it: `useSuspense(Todo.get)`. */
export function describeCall(composable: string, source: unknown): string {
  const { name } = (endpointOf(source) ?? {}) as { readonly name?: unknown }
  return `${composable}(${typeof name === 'string' ? name : ''})`
}

/** The arguments that values, refs and getters give now, as plain values that do not change afterwards. */
export function argsOf(sources: readonly unknown[]): readonly unknown[] {
  const [first] = sources
  if (sources.length > 1 || typeof first !== 'function')
    return sources.map((source) => plainOf(toValue(source)))
  const given = plainOf(toValue(first))
  return Array.isArray(given) ? given : [given]
}

/** A copy in which nothing is a reactive proxy: arguments outlive the component that gave them. */
function plainOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plainOf)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return toRaw(value)
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plainOf(field)]))
}
