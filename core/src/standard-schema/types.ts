import type { Denormalize } from '../schema/denormalized.js'
import type { Entity } from '../schema/entity.js'
import type { EntityMixinOptions } from '../schema/entity-mixin.js'
import type { EntityClass, SchemaContract } from '../schema/schema.js'
import type { StandardValidator } from '../schema/validator.js'
import type { OutputOf, StandardSchema } from './standard-schema.js'

/** What may stand at a path: an Entity class, or a schema of a whole field, such as a Collection or a Union. */
export type Placed = EntityClass<{ pk(): unknown }> | SchemaContract

/** The nested records of an object, by their paths: `author`, `sections.author`. Lists and maps have no name in a path. */
export type Entities = { readonly [path: string]: Placed }

/** The name of the static that holds the schema of which a class was made. */
export const whole: unique symbol = Symbol('whole')

/** The schema of which a class was made, and the `validate` that was made of it. */
export interface Whole<S extends StandardSchema = StandardSchema> {
  readonly schema: S
  readonly validate: StandardValidator
}

/** An Entity class created from a schema of another library. */
export type EntityFrom<S extends StandardSchema, E extends Entities> = Pick<
  typeof Entity,
  Exclude<keyof typeof Entity, 'prototype'>
> &
  (new () => FieldsFrom<OutputOf<S>, E> & Pick<Entity, 'pk'>) & { readonly [whole]: Whole<S> }

/** Makes an Entity class of an object of a library. */
export type MakeEntity = <S extends StandardSchema, const E extends Entities = Record<never, never>>(
  schema: S,
  options: EntityFromOptions<S, E>,
) => EntityFrom<S, E>

/** The options of `entityFrom`. */
export interface EntityFromOptions<S extends StandardSchema, E extends Entities> {
  /** The name of the entity in the cache. */
  readonly key: string
  /** The field of the primary key, or a function of the record. @default `id` */
  readonly pk?: EntityMixinOptions<FieldsFrom<OutputOf<S>, E>>['pk']
  /**
   * The nested records, by their paths from the object: `author`, `sections.author`. A list or a map on the way, or at the end, is
   * passed through: `tags: Tag` for a list of tags.
   */
  readonly entities?: E & CheckedEntities<OutputOf<S>, E>
}

type CheckedEntities<Fields, E extends Entities> = {
  readonly [Path in keyof E]: HasPath<Fields, Path> extends true
    ? E[Path]
    : { readonly error: `The schema has no "${Path & string}".` }
}

type HasPath<Fields, Path> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof Fields
    ? HasPath<MemberValue<Fields[Name]>, Rest>
    : false
  : Path extends keyof Fields
    ? true
    : false

/** What is in a value, through lists and maps. */
type MemberValue<Value> =
  NonNullable<Value> extends readonly (infer Item)[]
    ? MemberValue<Item>
    : string extends keyof NonNullable<Value>
      ? MemberValue<NonNullable<Value>[string & keyof NonNullable<Value>]>
      : NonNullable<Value>

/** The fields of an object, with records in the place of nested objects. */
export type FieldsFrom<Fields, E extends Entities> = keyof E extends never
  ? Fields
  : { [Name in keyof Fields]: FieldFrom<Fields[Name], E, Name & string> }

type FieldFrom<Value, E extends Entities, Path extends string> = Path extends keyof E
  ? E[Path] extends EntityClass<infer Instance>
    ? Put<Value, Instance>
    : Denormalize<E[Path]> | Extract<Value, null | undefined>
  : EntitiesBelow<E, Path> extends never
    ? Value
    : Into<Value, E, Path>

/** The paths that go on behind a path. */
type EntitiesBelow<E extends Entities, Path extends string> = Extract<keyof E, `${Path}.${string}`>

/** A record in the place of a value, or of the values in it. */
type Put<Value, Instance> = Value extends null | undefined
  ? Value
  : Value extends readonly unknown[]
    ? { [Index in keyof Value]: Put<Value[Index], Instance> }
    : string extends keyof Value
      ? { [Name in keyof Value]: Put<Value[Name], Instance> }
      : Instance

type Into<Value, E extends Entities, Path extends string> = Value extends null | undefined
  ? Value
  : Value extends readonly unknown[]
    ? { [Index in keyof Value]: Into<Value[Index], E, Path> }
    : string extends keyof Value
      ? { [Name in keyof Value]: Into<Value[Name], E, Path> }
      : { [Name in keyof Value]: FieldFrom<Value[Name], E, `${Path}.${Name & string}`> }
