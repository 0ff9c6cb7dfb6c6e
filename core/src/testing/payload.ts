import type { DataOf } from '../endpoint/endpoint.js'
import type { AllSchema } from '../schema/all.js'
import type { ArraySchema } from '../schema/array.js'
import type { CollectionChange, CollectionSchema } from '../schema/collection.js'
import type { Denormalize } from '../schema/denormalized.js'
import type { FieldsOf } from '../schema/entity.js'
import type { LazySchema } from '../schema/lazy.js'
import type { ObjectSchema } from '../schema/object.js'
import type { PageSchema } from '../schema/page.js'
import type { Literal, ObjectShorthand, Schema, SchemaContract } from '../schema/schema.js'
import type { ValuesSchema } from '../schema/values.js'

/**
 * What the function of an endpoint gives: the payload, before its schema takes it apart. Where the function is typed by
 * the data that comes of it, as that of a REST endpoint is, what the schema can make that data of.
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

/** What a schema can make its data of. A record needs not have all fields, and may name others by primary key. */
export type Payload<S> = S extends (abstract new (
  ...args: never
) => infer Record extends { pk(...args: never): unknown })
  ? RecordPayload<FieldsOf<Record>, FieldSchemas<S>>
  : S extends ArraySchema<infer Member, infer Attribute> | AllSchema<infer Member, infer Attribute>
    ? readonly MemberPayload<Member, Attribute>[]
    : S extends ValuesSchema<infer Member, infer Attribute>
      ? { readonly [key: string]: MemberPayload<Member, Attribute> }
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
                : // What a serializer takes stays as the server sends it.
                  // eslint-disable-next-line typescript/no-explicit-any
                  S extends (new (input: any) => unknown) | ((input: any) => unknown)
                  ? unknown
                  : S extends Literal
                    ? Denormalize<S>
                    : S extends ObjectShorthand
                      ? ObjectPayload<S>
                      : unknown

type RecordPayload<Fields, Schemas> = {
  readonly [Field in keyof Fields]?:
    (Field extends keyof Schemas ? NestedPayload<Schemas[Field]> : Fields[Field]) | undefined
}

/** The schemas of a class's fields, where it names them. */
type FieldSchemas<Class> = Class extends { readonly schema: infer Schemas }
  ? string extends keyof Schemas
    ? unknown
    : Schemas
  : unknown

type ObjectPayload<Definition> = {
  readonly [Field in keyof Definition]?: NestedPayload<Definition[Field]> | undefined
}

/** With an attribute the member's own schema is one of several. */
type MemberPayload<Member, Attribute> = undefined extends Attribute ? NestedPayload<Member> : unknown

/** Inside of a response a record may be named by its primary key, or be missing. */
type NestedPayload<S> = S extends abstract new (...args: never) => { pk(...args: never): unknown }
  ? Payload<S> | string | number | null
  : Payload<S> | null
