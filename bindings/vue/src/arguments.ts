import { development, errors, plainOf } from '@selfsame/core/bindings'
import type {
  ArgsOf,
  CacheableEndpoint,
  DataForArgs,
  NullableArgs,
  PagesParams,
  PromiseForArgs,
  Queryable,
  SchemaArgs,
} from '@selfsame/core'
import type {
  GivenIn,
  Holding,
  KnownReactiveArg,
  KnownReactiveArgs,
  PlainArgs,
  ReactiveArgs as ArgsHeldBy,
} from '@selfsame/core/bindings'
import { isRef, toRaw, toValue } from 'vue'
import type { Ref } from 'vue'

interface RefHolding extends Holding {
  readonly holder: Readonly<Ref<this['value']>>
  readonly held: this['value'] extends Readonly<Ref<infer Value>> ? readonly [Value] : undefined
}

/** An endpoint or a queryable, or a ref or getter of one. */
export type Source<E> = E | Readonly<Ref<E>> | (() => E)

/** The endpoint of a source. */
export type EndpointIn<E> = GivenIn<RefHolding, E, CacheableEndpoint>

/** The queryable of a source. */
export type QueryableIn<Q> = GivenIn<RefHolding, Q, Queryable>

/** The arguments of a composable: values, refs and getters, or one getter of all. */
export type ReactiveArgs<Args extends readonly unknown[]> = ArgsHeldBy<RefHolding, Args>

/** The parameters of a composable after the endpoint. A first argument of `null` does nothing. */
export type ComposableArgs<E> = ReactiveArgs<NullableArgs<ArgsOf<EndpointIn<E>>>>

/** The arguments of a composable for an endpoint, from those that are given. */
export type GivenArgs<E, Args extends readonly unknown[]> = KnownReactiveArgs<
  RefHolding,
  Args,
  NullableArgs<ArgsOf<EndpointIn<E>>>
>

/** The arguments of a composable for a queryable, from those that are given. */
export type GivenQueryArgs<Q, Args extends readonly unknown[]> = KnownReactiveArgs<
  RefHolding,
  Args,
  NullableArgs<SchemaArgs<QueryableIn<Q>>>
>

/** The params of a list, from those that are given. */
export type GivenParams<E, Given> = KnownReactiveArg<RefHolding, Given, PagesParams<EndpointIn<E>>>

/** The data of an endpoint, for the arguments of a composable; includes `undefined` if they may be `null`. */
export type ComposableData<E, Args extends readonly unknown[]> = DataForArgs<
  EndpointIn<E>,
  PlainArgs<RefHolding, Args>
>

/** The promise of a call, for the arguments of a composable; includes `undefined` if they may be `null`. */
export type ComposablePromise<E, Args extends readonly unknown[]> = PromiseForArgs<
  EndpointIn<E>,
  PlainArgs<RefHolding, Args>
>

/**
 * The current value of a source. Endpoints and Entity classes are functions too, so a function with a `key` is no
 * getter. The composable that uses the value rejects anything but an endpoint or a queryable.
 */
export function sourceOf<Given>(source: unknown): Given {
  const isGetter = typeof source === 'function' && !('key' in source)
  return toRaw(isGetter || isRef(source) ? toValue(source) : source) as Given
}

/** The call, as error messages name it: `useSuspense(Todo.get)`. */
export function describeCall(composable: string, source: unknown): string {
  const { name } = sourceOf<{ readonly name?: unknown } | undefined>(source) ?? {}
  return `${composable}(${typeof name === 'string' ? name : ''})`
}

/** The current values of the arguments, as plain copies that do not change later. */
export function argsOf(sources: readonly unknown[]): readonly unknown[] {
  const [first] = sources
  const isAll = sources.length === 1 && typeof first === 'function'
  const args = sources.map((source) => plainOf(toValue(source), toUnwrapped))
  return isAll && Array.isArray(args[0]) ? (args[0] as readonly unknown[]) : args
}

/** @throws {SelfsameError} in development `argument-invalid` for a ref in an argument */
function toUnwrapped(instance: object, name = ''): unknown {
  if (development && isRef(instance)) throw errors.paramIsRef(name)
  return toRaw(instance)
}
