import type { EntityFields } from './schema.js'
import type { EntityMeta } from './entity-meta.js'
import type { Fields } from './fields.js'
import type { Validator } from './validator.js'

/**
 * The base class of records. A record is stored once, under its class's `key` and its own `pk()`, and read as
 * an instance of the class that reads it.
 *
 * Fields of the class are defaults: they stand where the server sent nothing, and are never stored.
 *
 * @see specification 2.1, 2.3
 * @example
 * class Article extends Entity {
 *   id = 0
 *   title = ''
 *   author: User | null = null
 *   static override key = 'Article'
 *   static override schema = { author: User, createdAt: Date }
 * }
 */
export class Entity {
  /**
   * The name under which records are stored. Two classes with one `key` read the same records. Set it: a
   * minifier shortens class names.
   *
   * @default the name of the class
   */
  static get key(): string {
    return this.name
  }

  /** The nested records and serialized fields, by field name. May be assigned after the class was defined. */
  static schema?: EntityFields | undefined

  /** Values for fields that the server did not send. They win over the class's own field values. */
  static defaults?: object | undefined

  /**
   * How long a record of this class stays Valid: milliseconds. An endpoint's own length beats it.
   *
   * @default the Controller's `dataExpiryLength`
   */
  static dataExpiryLength?: number | undefined

  /**
   * The primary key. Called on the record as it was received, before defaults are applied.
   *
   * @param _parent - the record, object or map in which it was received, by itself or in a list; `undefined` at the root
   *   of an answer and in a list that is the root
   * @param _key - its name there, or that of the list
   * @param _args - the arguments of the call that was answered
   * @returns a non-empty string or a number (the same as its text); anything else makes the whole answer fail
   * @default `this.id`
   */
  pk(_parent?: unknown, _key?: string | number, _args?: readonly unknown[]): string | number | undefined {
    return (this as { id?: string | number }).id
  }

  /**
   * Judges whether a record has what this class needs: a function that returns a reason (any truthy value) when the record
   * cannot be used, else nothing; or a validator of the Standard Schema, such as one of zod, valibot or arktype, of
   * which only the verdict counts. It is given the stored record's own fields: nested records are their primary keys,
   * and a field is what was received, before its serializer. It must answer at once.
   *
   * @default every record can be used
   * @see specification 2.3, 7
   * @example static override validate = z.object({ title: z.string() })
   */
  static validate?: Validator | undefined

  /** Fields, besides the primary key, by which a record can be found: `controller.get(User, { email })`. */
  static indexes?: readonly string[] | undefined

  /**
   * Changes a record as it was received, before its primary key is taken. Called with a copy.
   *
   * @param _parent - the record, object or map in which it was received, by itself or in a list; `undefined` at the root
   *   of an answer and in a list that is the root
   * @param _key - its name there, or that of the list
   * @param _args - the arguments of the call that was answered
   * @returns the fields to store
   */
  static process(
    input: Record<string, unknown>,
    _parent?: unknown,
    _key?: string | number,
    _args?: readonly unknown[],
  ): Record<string, unknown> {
    return input
  }

  /**
   * Merges two states of a record, from the same response or from the store. Nested records are opaque
   * references: keep them as they are. Must not change its arguments.
   *
   * @default the fields of `incoming` over those of `existing`
   */
  static merge(existing: Fields, incoming: Fields): Fields {
    return { ...existing, ...incoming }
  }

  /**
   * Merges a record that was received with the stored one.
   *
   * @returns the fields to store; `existing` to change nothing
   */
  static mergeWithStore(
    existingMeta: EntityMeta,
    incomingMeta: EntityMeta,
    existing: Fields,
    incoming: Fields,
  ): Fields {
    if (!this.shouldUpdate(existingMeta, incomingMeta, existing, incoming)) return existing
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming)
      ? this.merge(incoming, existing)
      : this.merge(existing, incoming)
  }

  /** Whether a record that was received changes the stored one at all. */
  static shouldUpdate(
    _existingMeta: EntityMeta,
    _incomingMeta: EntityMeta,
    _existing: Fields,
    _incoming: Fields,
  ): boolean {
    return true
  }

  /**
   * Whether what was received is older than what is stored, and only fills what is missing.
   *
   * @default decided by the order of requests (specification 3, G4)
   */
  static shouldReorder(
    existingMeta: EntityMeta,
    incomingMeta: EntityMeta,
    _existing: Fields,
    _incoming: Fields,
  ): boolean {
    return incomingMeta.order < existingMeta.order
  }

  /** When the merged record counts as received, and until when it is Valid. */
  static mergeMetaWithStore(
    existingMeta: EntityMeta,
    incomingMeta: EntityMeta,
    existing: Fields,
    incoming: Fields,
  ): EntityMeta {
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming) ? existingMeta : incomingMeta
  }

  /**
   * Finds a record for arguments.
   *
   * @param _args - the arguments of the call
   * @param _find - finds the primary key by an indexed field
   * @returns the primary key; `undefined` when the arguments name no record
   * @default the primary key that can be computed from the first argument, else by `indexes`
   */
  static queryKey?(
    _args: readonly unknown[],
    _find: (field: string, value: unknown) => string | undefined,
  ): string | undefined

  /**
   * Builds an instance from fields, with the class's defaults for the rest. The instance is not stored.
   *
   * @example Todo.fromJS({ id: 5, title: 'Buy milk' })
   */
  static fromJS<E extends Entity>(this: EntityConstructor<E>, fields: Partial<FieldsOf<E>> = {}): E {
    const entity = new this()
    Object.assign(entity, this.defaults)
    for (const [name, value] of Object.entries(fields)) {
      if (name !== '__proto__' && value !== undefined) (entity as Record<string, unknown>)[name] = value
    }
    return entity
  }
}

/** A class of records that can be constructed without arguments. */
export type EntityConstructor<E extends Entity> = (new () => E) & {
  readonly defaults?: object | undefined
}

/** The data of a record: its members that are not methods. */
export type FieldsOf<E> = {
  // Any function at all is a method here, whatever it takes.
  // eslint-disable-next-line typescript/no-explicit-any
  [K in keyof E as E[K] extends (...args: any) => unknown ? never : K]: E[K]
}
