import type { Literal, ObjectShorthand, Schema, SchemaContract } from './schema.js'

/**
 * The type of the data that a read returns for a schema.
 *
 * `Denormalize<typeof Article>` is `Article`; `Denormalize<[typeof Article]>` is `Article[]`;
 * `Denormalize<{ results: [typeof Article]; nextPage: '' }>` is `{ results: Article[]; nextPage: string }`. A
 * default `[]` or `{}` does not declare its content; `[] as string[]` and `{} as { [name: string]: number }` do.
 */
export type Denormalize<S> =
  // Lists first: what is compared with one costs little, and a list that is compared with the rest has its 36 methods made for it.
  S extends readonly (infer Member)[]
    ? [Member] extends [never]
      ? unknown[]
      : Denormalize<Member>[]
    : S extends (abstract new (...args: never) => infer E extends { pk(...args: never): unknown })
      ? E
      : // The contract last: what has no such members is not compared with it.
        S extends {
            readonly optional: infer Inner extends Schema
            readonly default: infer Default extends OptionalDefault
          } & SchemaContract
        ? OptionalData<Inner, Default>
        : S extends SchemaContract<infer Data>
          ? Data
          : S extends PrimitiveConstructor
            ? ReturnType<S>
            : S extends SerializerClass<infer Value>
              ? Value
              : S extends SerializerFunction<infer Value>
                ? Value
                : S extends Literal
                  ? Widen<S>
                  : S extends ObjectShorthand
                    ? DenormalizeObject<S>
                    : unknown

/** The data of an object schema, field by field. `& {}` has no effect but that an editor shows the fields, not this name. */
export type DenormalizeObject<Definition> = {
  -readonly [Field in keyof Definition]: Denormalize<Definition[Field]>
} & {}

/** The type of the data of a schema if it may be missing. */
export type DenormalizeNullable<S extends Schema> = Denormalize<S> | undefined

/** The value that a read returns for a missing field. An empty list or object takes the type of the schema's own data. */
export type OptionalDefault = Literal | readonly [] | Readonly<Record<string, never>>

/** The data of a field that may be missing: that of its schema, or the default. */
export type OptionalData<S, Default> = Default extends Literal
  ? Denormalize<S> | Widen<Default>
  : Denormalize<S>

/** `Number`, `String`, `Boolean` and `BigInt` are called as functions, so that they return primitives, not wrapper objects. */
type PrimitiveConstructor = NumberConstructor | StringConstructor | BooleanConstructor | BigIntConstructor

// Only the result of a serializer is inferred, whatever its input is.
type SerializerClass<Value> = new (input: never) => Value
type SerializerFunction<Value> = (input: never) => Value

/** The type of a literal: `string` for `''`. A union with `null` keeps the `null`. */
export type Widen<L> = L extends string
  ? string
  : L extends number
    ? number
    : L extends boolean
      ? boolean
      : L extends bigint
        ? bigint
        : L
