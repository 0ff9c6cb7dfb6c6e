import type { AllSchema } from './all.js'
import type { ArraySchema } from './array.js'
import type { CollectionChange, CollectionSchema } from './collection.js'
import type { DeleteSchema } from './delete.js'
import type { Denormalize } from './denormalized.js'
import type { LazySchema } from './lazy.js'
import type { ObjectSchema } from './object.js'
import type { OptionalSchema } from './optional.js'
import type { PageSchema } from './page-schema.js'
import type { SchemaAttribute } from './polymorphic.js'
import type { Literal, ObjectShorthand, SchemaContract } from './schema.js'
import type { UnionSchema } from './polymorphic.js'
import type { ValuesSchema } from './values.js'

/**
 * The type of the `result` that `normalize` returns for a schema: primary keys instead of records, a pair of attribute and
 * value for a value with one of several schemas, and other values as they were received.
 *
 * `Normalize<{ results: [typeof Article]; nextPage: '' }>` is `{ results: string[]; nextPage: string }`.
 */
export type Normalize<S> = S extends { readonly prototype: { pk(...args: never): unknown } }
  ? string
  : S extends ArraySchema<infer Definition, infer Attribute> | AllSchema<infer Definition, infer Attribute>
    ? NormalizeMember<Definition, Attribute>[]
    : S extends ValuesSchema<infer Definition, infer Attribute>
      ? { [key: string]: NormalizeMember<Definition, Attribute> }
      : S extends UnionSchema<infer Mapping>
        ? Choice<Mapping>
        : S extends CollectionSchema<infer Content>
          ? Normalize<Content>
          : S extends CollectionChange<infer Content>
            ? Normalize<Content> extends readonly (infer Member)[]
              ? Member
              : unknown
            : S extends OptionalSchema<infer Inner, infer _Default>
              ? Normalize<Inner> | undefined
              : S extends LazySchema<infer Inner> | PageSchema<infer Inner>
                ? Normalize<Inner>
                : S extends DeleteSchema<infer Of>
                  ? string | (Of extends SchemaContract ? undefined : never)
                  : S extends ObjectSchema<infer Definition>
                    ? NormalizeObject<Definition>
                    : S extends SchemaContract
                      ? unknown
                      : S extends readonly (infer Member)[]
                        ? [Member] extends [never]
                          ? unknown[]
                          : Normalize<Member>[]
                        : // The input of a serializer is stored as it was received.
                          S extends (new (input: never) => unknown) | ((input: never) => unknown)
                          ? unknown
                          : S extends Literal
                            ? Denormalize<S>
                            : S extends ObjectShorthand
                              ? NormalizeObject<S>
                              : unknown

type NormalizeObject<Definition> = { -readonly [Field in keyof Definition]: Normalize<Definition[Field]> }

type NormalizeMember<Definition, Attribute> = Attribute extends SchemaAttribute
  ? Choice<Definition>
  : Normalize<Definition>

/** A value with one of several schemas: its attribute and its normalized value; or `null` and a value without a schema. */
type Choice<Mapping> =
  | {
      [Attribute in keyof Mapping]: readonly [attribute: Attribute, value: Normalize<Mapping[Attribute]>]
    }[keyof Mapping]
  | readonly [attribute: null, value: unknown]
