import type { OtherParams, WithoutParams } from '../endpoint/endpoint.js'
import { setOwn } from '../util/plain.js'

/**
 * Describes how a framework wraps a value that changes: in a ref or in a store. A binding extends this interface and
 * defines the members with `this['value']`.
 */
export interface Holding {
  readonly value: unknown
  /** The type that wraps a value. */
  readonly holder: unknown
  /** The type of the wrapped value, as a tuple of one; any other type if the value is no wrapper. */
  readonly held: unknown
}

type HolderOf<H extends Holding, Value> = (H & { readonly value: Value })['holder']
type HeldIn<H extends Holding, Value> = (H & { readonly value: Value })['held']

/** A value, a getter of it, or a wrapper of it. */
export type Reactive<H extends Holding, Value> = Value | HolderOf<H, Value> | (() => Value)

/**
 * One argument of a hook. An array cannot be given by a getter, because a single getter that returns an array returns
 * all arguments.
 */
export type ReactiveArg<H extends Holding, Value> = [Value] extends [null | undefined]
  ? Reactive<H, Value>
  : ReactiveArgOf<H, Value>

type ReactiveArgOf<H extends Holding, Value> = [Value] extends [readonly unknown[] | null | undefined]
  ? Value | HolderOf<H, Value>
  : Reactive<H, Value>

/** The arguments of a hook after the endpoint: each one separately, or one getter of all. */
export type ReactiveArgs<H extends Holding, Args extends readonly unknown[]> =
  { readonly [Index in keyof Args]: ReactiveArg<H, Args[Index]> } | readonly [() => Args | null]

/**
 * The arguments of a hook as they are given. If one has a param that the endpoint does not have, the type refuses that
 * name, and the compiler says so where it is written, in a getter too.
 */
export type KnownReactiveArgs<
  H extends Holding,
  Given extends readonly unknown[],
  Args extends readonly unknown[],
> = [OtherParams<PlainArgs<H, Given>, Args>] extends [never]
  ? Given
  : ReactiveArgs<H, WithoutParams<Args, OtherParams<PlainArgs<H, Given>, Args>>>

/** A single argument of a hook as it is given, like `KnownReactiveArgs`. */
export type KnownReactiveArg<H extends Holding, Given, Arg> = [
  OtherParams<PlainArgs<H, readonly [Given]>, readonly [Arg]>,
] extends [never]
  ? Given
  : Reactive<H, WithoutParams<readonly [Arg], OtherParams<PlainArgs<H, readonly [Given]>, readonly [Arg]>>[0]>

/** The endpoint or queryable of a hook, given directly, by a getter or in a wrapper. It may be a function itself. */
export type GivenIn<H extends Holding, Given, Kind> = Given extends Kind ? Given : PlainArg<H, Given>

/** The plain arguments behind getters and wrappers. */
export type PlainArgs<H extends Holding, Args extends readonly unknown[]> = 0 extends 1 & Args[0]
  ? Args
  : Args extends readonly [() => infer All]
    ? 0 extends 1 & All
      ? readonly [All]
      : All extends readonly unknown[]
        ? All
        : readonly [All]
    : { readonly [Index in keyof Args]: PlainArg<H, Args[Index]> }

type PlainArg<H extends Holding, Arg> = 0 extends 1 & Arg
  ? Arg
  : Arg extends unknown
    ? HeldIn<H, Arg> extends readonly [infer Value]
      ? Value
      : Arg extends () => infer Value
        ? Value
        : Arg
    : never

/**
 * Returns a copy of an argument without reactive proxies, because the request may outlive the component that passed it.
 * Class instances are not copied. An object that occurs several times is copied once.
 *
 * @param toRaw - unwraps the proxy of a class instance, with the name of the param that has it @default the instance is kept
 */
export function plainOf(
  value: unknown,
  toRaw: (value: object, name?: string) => unknown = (made) => made,
  copies = new Map<object, unknown>(),
  name?: string,
): unknown {
  if (typeof value !== 'object' || value === null) return value
  const known = copies.get(value)
  if (known !== undefined) return known
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = Array.isArray(value) || prototype === Object.prototype || prototype === null
  if (!isPlain) return toRaw(value, name)
  const copy: object = Array.isArray(value) ? [] : {}
  copies.set(value, copy)
  for (const [param, part] of Object.entries(value)) setOwn(copy, param, plainOf(part, toRaw, copies, param))
  return copy
}
