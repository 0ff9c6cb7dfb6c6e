import type { EntityFields } from './schema.js'
import type { Fields } from './fields.js'

/**
 * The base class of records. The cache stores a record once, by the `key` of its class and its own `pk()`. Reads return an
 * instance of the class.
 *
 * Class fields are defaults for fields that the server did not send. Defaults are never stored.
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
   * The name of the entity in the cache. Two classes with one `key` share their records. Always set it, because minifiers
   * shorten class names.
   *
   * @default the name of the class
   */
  static get key(): string {
    return this.name
  }
  // Where class fields are assigned instead of defined, `static key = 'User'` calls it.
  static set key(value: string) {
    Object.defineProperty(this, 'key', { value, writable: true, configurable: true, enumerable: true })
  }

  /** The schemas of fields: nested records and serializers. May be assigned after the class definition. */
  declare static schema?: EntityFields | undefined

  /** Defaults for fields that the server did not send. They take precedence over class fields. */
  declare static defaults?: object | undefined

  /**
   * How long a record of this class stays Valid, in milliseconds. An endpoint's own length takes precedence.
   *
   * @default the Controller's `dataExpiryLength`
   */
  declare static dataExpiryLength?: number | undefined

  /**
   * Returns the primary key. Called on the received record, before defaults are applied.
   *
   * @param _parent - the record, object or map that holds it, directly or in a list; `undefined` at the root of a response
   *   and in a list at the root
   * @param _key - the name of the field that holds it, directly or in a list
   * @param _args - the arguments of the call
   * @returns a non-empty string or a number (`5` equals `'5'`); anything else is an error for the whole response
   * @default `this.id`, a number as text
   */
  pk(_parent?: unknown, _key?: string | number, _args?: readonly unknown[]): string | number | undefined {
    return textOfKey((this as { id?: string | number }).id)
  }

  /**
   * Checks whether a record is usable as this class. Either a function that returns a reason (any truthy value) if it is
   * not, or a Standard Schema validator of zod, valibot, arktype or another library; only its issues are used, not its output. It
   * receives the stored fields: primary keys instead of nested records, and raw values before serializers. It must be
   * synchronous.
   *
   * In a method, `this.defaults` has the defaults of the class: those that it declares as `static defaults`, else those of its
   * fields.
   *
   * @default every record is usable
   * @see specification 2.3, 7
   * @example static override validate = z.object({ title: z.string() })
   */
  // A method calls `super.validate(…)`, and a validator that is no function overrides it: only `any` allows both. Where the class
  // is used, it is a `Validator`.
  // eslint-disable-next-line typescript/no-explicit-any
  static validate: any = () => {}

  /**
   * The name of the field that tells how new a received record is: a number that the server raises with each change, or a
   * date. Of two values of a field the one with the greater version wins, whichever response comes first. A class with its
   * own `merge` ignores it.
   *
   * @default none: the order of requests decides
   * @see specification G4
   * @example static override version = 'updatedAt'
   */
  declare static version?: string | undefined

  /** Further fields that identify a record: `controller.get(User, { email })`. */
  declare static indexes?: readonly string[] | undefined

  /**
   * Changes a received record, before `pk` is called. Receives a copy.
   *
   * @param _parent - the record, object or map that holds it, directly or in a list; `undefined` at the root of a response
   *   and in a list at the root
   * @param _key - the name of the field that holds it, directly or in a list
   * @param _args - the arguments of the call
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
   * Merges two states of a record: twice in one response, or stored and received. Of the latter, the state whose request
   * started first is `existing`. Nested records are opaque references; keep them as they are. Must not change its arguments.
   *
   * @default the fields of `incoming` over those of `existing`
   */
  static merge(existing: Fields, incoming: Fields): Fields {
    return { ...existing, ...incoming }
  }

  /**
   * Returns the primary key of the record that arguments identify.
   *
   * @param _args - the arguments of the call
   * @param _find - looks up a primary key by an indexed field
   * @returns the primary key; `undefined` if the arguments identify no record
   * @default the primary key computed from the first argument, else a lookup by `indexes`
   */
  static queryKey?(
    _args: readonly unknown[],
    _find: (field: string, value: unknown) => string | undefined,
  ): string | undefined

  /**
   * Creates an instance from fields, with defaults for the rest. The instance is not stored.
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

/** Returns a number as text, as `pk()` gives it. */
export function textOfKey<Key>(key: Key): Key | string {
  return typeof key === 'number' && !Number.isNaN(key) ? String(key) : key
}

/** An Entity class with a constructor without arguments. */
export type EntityConstructor<E extends Entity> = (new () => E) & {
  readonly defaults?: object | undefined
}

/** The data of a record: its members that are not methods. */
export type FieldsOf<E> = {
  [K in keyof E as E[K] extends (...args: never) => unknown ? never : K]: E[K]
}
