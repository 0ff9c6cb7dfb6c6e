import type { ExpectedPayload } from '../schema/payload.js'
import type { ObjectShorthand, Schema, SchemaContract } from '../schema/schema.js'

/**
 * Options as they are given, or without the name of a mistake, so that the compiler refuses that name where it is written: a
 * name that is likely a misspelling of a known one, a `schema` whose class names a field that it does not declare, or a
 * `getOptimisticResponse` that does not fit.
 *
 * `CheckedOptions<{ urlPrefx: '/api' }, RestOptions>` is `RestOptions`. Other names are those of a subclass or of middleware.
 * A generic subclass can pass its options on, because they fit all of these types.
 */
export type CheckedOptions<Given, Known, Misfit = never> = [MisspeltOf<Given, Known>] extends [never]
  ? [UndeclaredFields<SchemaIn<Given>>] extends [never]
    ? [Misfit] extends [never]
      ? Given
      : Omit<Known, 'getOptimisticResponse'> & Others<Given, Known> & OptimisticResponseMustBe<Misfit>
    : Omit<Known, 'schema'> & Others<Given, Known> & RefusedSchema<UndeclaredFields<SchemaIn<Given>>>
  : Known & Others<Given, Known>

/** The options of an Endpoint, whose own options depend on the arguments of its function. */
export type CheckedWith<
  Given,
  Known extends { readonly getOptimisticResponse?: unknown },
  Misfit = never,
> = CheckedOptions<Given, Known, Misfit> &
  Omit<Known, 'schema' | 'getOptimisticResponse'> &
  ([Misfit] extends [never] ? Pick<Known, 'getOptimisticResponse'> : unknown) &
  ([UndeclaredFields<SchemaIn<Given>>] extends [never] ? { readonly schema?: Schema | undefined } : unknown)

type SchemaIn<Given> = Given extends { readonly schema: infer S } ? Exclude<S, undefined> : never

/** The options of a class of its own. */
type Others<Given, Known> = {
  readonly [Name in Exclude<keyof Given, keyof Known | MisspeltOf<Given, Known>>]?: unknown
} & {}

/** The type of options whose `schema` is refused, because its class does not declare these fields. */
export interface RefusedSchema<Fields> {
  readonly schema: StaticSchemaNamesUndeclared<Fields>
}

/** No schema has this type. Its name is for the message of the compiler. */
interface StaticSchemaNamesUndeclared<Fields> extends SchemaContract {
  readonly undeclared: Fields
}

/**
 * `never` if the `getOptimisticResponse` of options has params of the endpoint, and returns what its schema can read; else the
 * function that it must be.
 */
export type MisfitResponse<Given, Args, S = SchemaIn<Given>> = Given extends {
  readonly getOptimisticResponse: (snapshot: never, ...args: infer Params) => infer Expected
}
  ? [unknown extends Expected ? undefined : Expected, true] extends [
      ExpectedPayload<S>,
      TakesSome<Params, Args>,
    ]
    ? never
    : (...args: Extract<Args, readonly unknown[]>) => ExpectedPayload<S>
  : never

/** What one endpoint cannot be extended by. */
export interface OptionsOfResource {
  /** An option of `createResource`. For one endpoint write `getOptimisticResponse: optimistic(…)`. */
  readonly optimistic?: undefined
  /** An option of generation 5.1. Write `getOptimisticResponse: optimistic(…)`. */
  readonly optimisticUpdate?: undefined
}

/** `true` if a function with these params can be called in one of the ways that an endpoint is. A body may be of a wider type. */
type TakesSome<Params, Args> = Args extends unknown
  ? Params extends readonly []
    ? true
    : Params extends readonly [infer Param, ...infer Rest]
      ? Args extends readonly [infer Arg, ...infer More]
        ? [Arg] extends [Param]
          ? TakesSome<Rest, More>
          : [Param] extends [Arg]
            ? TakesSome<Rest, More>
            : false
        : true
      : true
  : never

/** The type of options whose `getOptimisticResponse` is refused, because it is not of this type. */
// The parameter is for the message of the compiler.
// eslint-disable-next-line no-unused-vars
export interface OptimisticResponseMustBe<Type> {}

/** The fields that the static `schema` of a class names, and the class does not have. Looks into lists and plain objects. */
export type UndeclaredFields<S> = Only<Schema> extends Only<S> ? never : UndeclaredIn<S>

/** Holds a type that is compared as a whole. Not a list, for which the compiler makes the methods of a list. */
interface Only<Type> {
  readonly only: Type
}

type UndeclaredIn<S> = S extends abstract new (...args: never) => infer Record
  ? S extends { readonly schema: infer Fields extends object }
    ? string extends keyof Fields
      ? never
      : Exclude<keyof Fields, keyof Record>
    : never
  : S extends readonly (infer Member)[]
    ? UndeclaredFields<Member>
    : S extends SchemaContract | ((...args: never) => unknown)
      ? never
      : S extends ObjectShorthand
        ? { [Name in keyof S]: UndeclaredFields<S[Name]> }[keyof S]
        : never

type MisspeltOf<Given, Known> = Misspelt<Exclude<keyof Given, keyof Known>, keyof Known & string>

/**
 * The names with a letter too few, two letters swapped, or another case; of long names also those with a letter too many, or
 * another letter. A name with an ending is no misspelling: `schemas`, `getHeadersOnce`.
 */
type Misspelt<Name, Known extends string> = string extends Name
  ? never
  : Name extends string
    ? Lowercase<Name> extends Slips<Lowercase<Known>>
      ? Name
      : Name extends `${Long<Known>}${string}`
        ? never
        : Extract<OneLess<Lowercase<Name>>, OrOneLess<Long<Lowercase<Known>>>> extends never
          ? never
          : Name
    : never

type Slips<Text extends string> = OrOneLess<Text> | Swapped<Text>

type OrOneLess<Text extends string> = Text | OneLess<Text>

/** The texts without one of the letters: `OneLess<'abc'>` is `'bc' | 'ac' | 'ab'`. */
type OneLess<Text extends string, Head extends string = ''> = Text extends `${infer Letter}${infer Rest}`
  ? `${Head}${Rest}` | OneLess<Rest, `${Head}${Letter}`>
  : never

/** The texts with two neighbours swapped: `Swapped<'abc'>` is `'bac' | 'acb'`. */
type Swapped<Text extends string, Head extends string = ''> = Text extends `${infer A}${infer B}${infer Rest}`
  ? `${Head}${B}${A}${Rest}` | Swapped<`${B}${Rest}`, `${Head}${A}`>
  : never

/** Texts of nine letters or more. */
type Long<Text extends string> =
  Text extends `${infer _1}${infer _2}${infer _3}${infer _4}${infer _5}${infer _6}${infer _7}${infer _8}${infer _9}${string}`
    ? Text
    : never
