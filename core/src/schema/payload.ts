import type { AllSchema } from './all.js'
import type { ArraySchema } from './array.js'
import type { CollectionChange, CollectionSchema } from './collection.js'
import type { Denormalize } from './denormalized.js'
import type { FieldsOf } from './entity.js'
import type { LazySchema } from './lazy.js'
import type { ObjectSchema } from './object.js'
import type { OptionalSchema } from './optional.js'
import type { PageSchema } from './page-schema.js'
import type { EntityFields, Literal, ObjectShorthand, SchemaContract } from './schema.js'
import type { ValuesSchema } from './values.js'

/**
 * The payloads that a schema can turn into its data. A record may lack fields, and may refer to others by primary
 * key.
 */
export type Payload<S> = S extends (abstract new (
  ...args: never
) => infer Record extends { pk(...args: never): unknown })
  ? RecordPayload<FieldsOf<Record>, FieldSchemas<S>>
  : S extends ArraySchema<infer Member, infer Attribute> | AllSchema<infer Member, infer Attribute>
    ? readonly MemberPayload<Member, Attribute>[]
    : S extends ValuesSchema<infer Member, infer Attribute>
      ? { readonly [key: string]: MemberPayload<Member, Attribute> }
      : S extends OptionalSchema<infer Content, infer _Default>
        ? Payload<Content>
        : S extends CollectionSchema<infer Content> | LazySchema<infer Content> | PageSchema<infer Content>
          ? Payload<Content>
          : S extends CollectionChange<infer Content>
            ? Payload<Content> extends readonly (infer Member)[]
              ? Exclude<Member, string | number | null>
              : unknown
            : S extends ObjectSchema<infer Definition>
              ? ObjectPayload<Definition>
              : S extends SchemaContract
                ? unknown
                : S extends readonly (infer Member)[]
                  ? readonly NestedPayload<Member>[]
                  : // The input of a serializer has the form that the server sends.
                    S extends (new (input: never) => unknown) | ((input: never) => unknown)
                    ? unknown
                    : S extends Literal
                      ? Denormalize<S>
                      : S extends ObjectShorthand
                        ? ObjectPayload<S>
                        : unknown

type RecordPayload<Fields, Schemas> = {
  readonly [Field in keyof Fields]?:
    | (Field extends keyof Schemas
        ? NestedPayload<Schemas[Field]>
        : unknown extends Schemas
          ? UntoldPayload<Fields[Field]>
          : Fields[Field])
    | undefined
}

/** The schemas of a class's fields; `unknown` if its type does not tell them, because they are assigned after the class. */
type FieldSchemas<Class> = Class extends { readonly schema: infer Schemas extends EntityFields }
  ? string extends keyof Schemas
    ? unknown
    : Schemas
  : unknown

/** The payload of a field whose schema is not known, from the type of its data. */
type UntoldPayload<Value> = Value extends { pk(...args: never): unknown }
  ? RecordPayload<FieldsOf<Value>, unknown> | string | number | null
  : Value extends Date
    ? Date | string | number
    : Value extends readonly (infer Item)[]
      ? readonly UntoldPayload<Item>[]
      : Value

type ObjectPayload<Definition> = {
  readonly [Field in keyof Definition]?: NestedPayload<Definition[Field]> | undefined
}

/** With a `schemaAttribute`, the schema of a member is one of several. */
type MemberPayload<Member, Attribute> = undefined extends Attribute ? NestedPayload<Member> : unknown

/** In a response, a nested record may be a primary key, or missing. */
type NestedPayload<S> = S extends abstract new (...args: never) => { pk(...args: never): unknown }
  ? Payload<S> | string | number | null
  : Payload<S> | null

declare const temporary: unique symbol

/** The primary key of a record that has none yet: a text, also where the server sends a number. */
export type TemporaryId = string & { readonly [temporary]: true }

/** What an optimistic response may be: a payload of the schema, where a new record has a temporary id; or nothing. */
export type ExpectedPayload<S> = [S] extends [never]
  ? unknown
  : WithTemporaryIds<Payload<S>> | null | undefined

/** A value of the type where a number may be a temporary id. */
export type WithTemporaryIds<P> = P extends number
  ? P | TemporaryId
  : P extends Date | ((...args: never) => unknown)
    ? P
    : P extends readonly (infer Member)[]
      ? readonly WithTemporaryIds<Member>[]
      : P extends object
        ? { readonly [Name in keyof P]: WithTemporaryIds<P[Name]> }
        : P
