/**
 * How a framework holds a value that changes: in a ref, in a store. A binding says it by an interface that extends this
 * one, and whose members are made of `this['value']`.
 */
export interface Holding {
  readonly value: unknown
  /** What holds such a value. */
  readonly holder: unknown
  /** What the value holds, as a tuple of one; anything else where it holds nothing. */
  readonly held: unknown
}

type HolderOf<H extends Holding, Value> = (H & { readonly value: Value })['holder']
type HeldIn<H extends Holding, Value> = (H & { readonly value: Value })['held']

/** A value, a function that gives it, or what holds it. */
export type Reactive<H extends Holding, Value> = Value | HolderOf<H, Value> | (() => Value)

/**
 * One argument of a hook. A list has no getter of its own, because a lone getter that gives a list gives all
 * arguments.
 */
export type ReactiveArg<H extends Holding, Value> = [Value] extends [readonly unknown[] | null | undefined]
  ? Value | HolderOf<H, Value>
  : Reactive<H, Value>

/** The arguments of a hook after the endpoint: each for itself, or one getter of all. */
export type ReactiveArgs<H extends Holding, Args extends readonly unknown[]> =
  { readonly [Index in keyof Args]: ReactiveArg<H, Args[Index]> } | readonly [() => Args | null]

/** What a hook was given, itself, by a getter or held: an endpoint or a queryable, which may be functions as well. */
export type GivenIn<H extends Holding, Given, Kind> = Given extends Kind ? Given : PlainArg<H, Given>

/** The arguments that getters and holders give. */
export type PlainArgs<H extends Holding, Args extends readonly unknown[]> = Args extends readonly [
  () => infer All,
]
  ? All extends readonly unknown[]
    ? All
    : readonly [All]
  : { readonly [Index in keyof Args]: PlainArg<H, Args[Index]> }

type PlainArg<H extends Holding, Arg> = Arg extends unknown
  ? HeldIn<H, Arg> extends readonly [infer Value]
    ? Value
    : Arg extends () => infer Value
      ? Value
      : Arg
  : never

/**
 * An argument as a plain value that does not change afterwards: a copy in which nothing is a reactive proxy, because what
 * was asked for outlives the component that gave it. What a class made is not copied.
 *
 * @param toRaw - takes such an object out of its proxy. @default it is kept
 */
export function plainOf(value: unknown, toRaw: (value: object) => unknown = (made) => made): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => plainOf(item, toRaw))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return toRaw(value)
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plainOf(field, toRaw)]))
}
