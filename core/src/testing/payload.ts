import type { DataOf } from '../endpoint/endpoint.js'
import type { AllSchema } from '../schema/all.js'
import type { ArraySchema } from '../schema/array.js'
import type { CollectionChange, CollectionSchema } from '../schema/collection.js'
import type { Denormalize } from '../schema/denormalized.js'
import type { FieldsOf } from '../schema/entity.js'
import type { LazySchema } from '../schema/lazy.js'
import type { ObjectSchema } from '../schema/object.js'
import type { OptionalSchema } from '../schema/optional.js'
import type { PageSchema } from '../schema/page-schema.js'
import type { EntityFields, Literal, ObjectShorthand, Schema, SchemaContract } from '../schema/schema.js'
import type { ValuesSchema } from '../schema/values.js'

/**
 * The return type of an endpoint's function: the payload, before normalization. If the function's type is that of the
 * data, as for a REST endpoint, the type is derived from the schema: every payload that the schema can turn into the
 * data.
 *
 * `PayloadOf<typeof todoResource.get>` is `{ id?: number; title?: string; … }`.
 */
export type PayloadOf<E> = E extends (...args: never) => Promise<infer Answer>
  ? E extends { readonly schema: infer S extends Schema }
    ? [DataOf<E>] extends [Answer]
      ? Payload<S>
      : Answer
    : Answer
  : unknown

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
