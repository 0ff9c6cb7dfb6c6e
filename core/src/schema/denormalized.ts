import type { Literal, ObjectShorthand, Schema, SchemaContract } from './schema.js'

/**
 * The data that a schema describes, as it is read.
 *
 * `Denormalize<typeof Article>` is `Article`; `Denormalize<[typeof Article]>` is `Article[]`;
 * `Denormalize<{ results: [typeof Article]; nextPage: '' }>` is `{ results: Article[]; nextPage: string }`. A
 * default that is `[]` or `{}` says nothing of its content: `[] as string[]` and `{} as { [name: string]: number }` do.
 */
export type Denormalize<S> = S extends (abstract new (
  ...args: never
) => infer E extends { pk(...args: never): unknown })
  ? E
  : S extends SchemaContract<infer Data>
    ? Data
    : S extends readonly (infer Member)[]
      ? [Member] extends [never]
        ? unknown[]
        : Denormalize<Member>[]
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

/** The data of an object schema, field by field. */
export type DenormalizeObject<Definition> = {
  -readonly [Field in keyof Definition]: Denormalize<Definition[Field]>
}

/** The data that a schema describes, where it may not be there. */
export type DenormalizeNullable<S extends Schema> = Denormalize<S> | undefined

/** `Number`, `String` and their kin are called as functions, and give the primitive instead of its wrapper. */
type PrimitiveConstructor = NumberConstructor | StringConstructor | BooleanConstructor | BigIntConstructor

// What a serializer takes is of no concern to what it gives.
// eslint-disable-next-line typescript/no-explicit-any
type SerializerClass<Value> = new (input: any) => Value
// eslint-disable-next-line typescript/no-explicit-any
type SerializerFunction<Value> = (input: any) => Value

/** A literal stands for its type: `''` for any string. A union with `null` keeps the `null`. */
type Widen<L> = L extends string
  ? string
  : L extends number
    ? number
    : L extends boolean
      ? boolean
      : L extends bigint
        ? bigint
        : L
