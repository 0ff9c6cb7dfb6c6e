import type { SelfsameError } from '../errors.js'
import type { Fields } from './fields.js'
import type { Validator } from './validator.js'

/**
 * The contract of every schema: it normalizes values of a payload, and denormalizes them again. `Entity` classes,
 * `[schema]` and `{ name: schema }` are short forms of such objects. Your own class may implement it too.
 *
 * Hand all children to the delegate. `visit` may return before a child record is complete: its return value is a reference
 * that is filled later, and must be stored unchanged.
 *
 * @see specification 2.1
 */
export interface SchemaContract<Data = unknown> {
  /**
   * Normalizes a value.
   *
   * @param input - the value in the payload; may be `null` or `undefined`
   * @param parent - the record, object or map that holds the value. A list is not a parent: its members have the list's own
   *   parent and key. `undefined` at the root, and for the members of a list at the root
   * @param key - the name in `parent` of the value, or of the list around it
   * @returns the value with each record replaced by the result of `delegate.visit` for it
   */
  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown
  /**
   * Denormalizes a value.
   *
   * @param input - the result of `normalize`
   * @returns the data; `undefined` if it is not usable
   */
  denormalize(input: unknown, delegate: DenormalizeDelegate): Data | undefined
  /**
   * Finds the normalized value for arguments, without a response. A call whose schema lacks this member always needs a
   * response of its own.
   *
   * @returns a normalized value; `undefined` if the arguments do not identify one
   */
  queryKey?(args: readonly unknown[], delegate: QueryDelegate): unknown
  /** `true` if `denormalize` depends on its input only, so that its value can be memoized. */
  readonly isPure?: boolean
  /**
   * `true` if `normalize` replaces or changes every value but `null` and `undefined`. A value that is identical to the stored
   * one is then already normalized. @internal
   */
  readonly isReplacing?: boolean
  /** Returns this schema for an endpoint, so that its Collections know the endpoint whose lists they are. @internal */
  withHome?(home: ListHome, depth: number): unknown
  /**
   * `true` if an object schema that names it refuses a response without it. A field of a record may always be missing.
   * @default false
   */
  readonly isRequired?: boolean
  /** `true` if the value has one of several schemas, so that `normalize` returns a pair of attribute and value. */
  readonly isPolymorphic?: boolean
  /** The schemas that a value may have. @internal */
  readonly schemas?: readonly Schema[]
  /** Returns the schema for an attribute. @internal */
  schemaOf?(attribute: unknown): Schema | undefined
  /** Returns the schema of a value that may lack fields; `undefined` if the value does not tell. @internal */
  schemaFor?(input: unknown): Schema | undefined
  /** `true` if `denormalize` returns the value of another view, which updates it and may fill it later. @internal */
  readonly isOwnView?: boolean
  /** `true` if a call needs a response of its own: its data is never inferred from other stored data. @internal */
  readonly needsAnswer?: boolean
  /** All that two schemas of one class may differ in. Without it, a schema is the same only as itself. @internal */
  readonly parts?: unknown
  /** The schema of a value that may be missing. @internal */
  readonly optional?: Schema
  /** The value that a read returns where a field of an object schema is missing. */
  readonly default?: unknown
  /** The schema that normalizes the response, for a schema that computes its data from the data of that one. @internal */
  readonly inner?: Schema
  /** Returns the same around another schema, for a schema with `inner` or `optional`. @internal */
  over?(schema: Schema): Schema
  /** The schema of the record that a mutation returns, for a schema that changes lists. @internal */
  readonly recordSchema?: Schema
  /** `true` if the response deletes a record, so that it has no data. @internal */
  readonly isRemoving?: boolean
  /** The Collection whose lists a mutation with this schema changes. @internal */
  readonly changedLists?: SchemaContract
  /** Makes the part of a store that keeps lists and pages. @internal */
  makeLists?(store: object): object
}

/** The endpoint whose response holds the list of a Collection. */
export interface ListHome {
  /** Identifies the endpoint: its method and address. Equal for endpoints without a path. */
  readonly id: string
  /** The path of the list in the endpoint's response: field names from the root; empty for the response itself. */
  readonly place: string
  /** The path pattern of the endpoint; `undefined` if it has none. */
  readonly path: string | undefined
  /** The defaults of its search params. */
  readonly searchParams?: Readonly<Record<string, unknown>> | undefined
  /** Returns the key of a call of the endpoint. */
  // The arguments are the endpoint's own.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly key: (...args: any) => string
}

/** The name of a value in its parent, or an index for schemas of your own; `undefined` at the root. */
export type PayloadKey = string | number | undefined

/** The delegate of `normalize`: visits children, and has the context of the payload. */
export interface NormalizeDelegate {
  /** The arguments of the call. */
  readonly args: readonly unknown[]
  /** `true` if no other code holds the payload: then a container may write its children in place. */
  readonly isOwned: boolean
  /**
   * Normalizes a child by its own schema.
   *
   * @param parent - the parent for the child: the value itself, or for a list the list's own parent
   * @param key - the child's name in `parent`
   * @param place - the child's name or index in the value, for messages. By default `key`
   * @returns the value to store in place of the child
   */
  visit(schema: Schema, value: unknown, parent: unknown, key: PayloadKey, place?: PayloadKey): unknown
  /**
   * Normalizes all items of a list by one schema.
   *
   * @param parent - the list's own parent
   * @param key - the list's own key
   * @returns the value to store in place of the list; if the payload is owned, the list itself
   */
  members(schema: Schema, values: unknown[], parent: unknown, key: PayloadKey): unknown[]
  /**
   * Normalizes the same value by another schema.
   *
   * @param place - its name in the value that this schema returns, if it is only a part of that
   */
  visitAs(schema: Schema, value: unknown, parent: unknown, key: PayloadKey, place?: PayloadKey): unknown
  /** The contract of a schema, which may be given in short form. */
  contractOf(schema: Schema): SchemaContract
  /**
   * `true` if everything that a schema names has to be there and of its kind. `false` within a record, and for data that
   * may be partial, such as an expected response.
   */
  readonly isStrict: boolean
  /**
   * Creates an error that names the current position, the expected value and the kind of the found value.
   *
   * @param field - the name of the value at the current position, if it is not that position itself
   */
  unexpected(expected: string, found: unknown, field?: string): SelfsameError
  /** Creates an error that names a field and the reason why it is not usable. */
  unusable(field: PayloadKey, why: string, cause?: unknown): SelfsameError
  /** The record whose field is normalized; `undefined` outside records. */
  readonly owner: { readonly key: string; readonly pk: string } | undefined
  /** The key of the call; `undefined` if the payload is not that of a call. */
  readonly call: string | undefined
  /** The current position in the payload: field names from the root. */
  readonly place: string
}

/** The delegate of `denormalize`: resolves children, and has the arguments of the call. */
export interface DenormalizeDelegate {
  /** The arguments of the call that reads. */
  readonly args: readonly unknown[]
  /** Denormalizes a child by its own schema. It may be filled later. @returns the child; `undefined` if it is not usable */
  resolve(schema: Schema, value: unknown): unknown
  /** Like `resolve`, with all content filled: for a schema that reads the content. */
  complete(schema: Schema, value: unknown): unknown
  /** Denormalizes the members of a list, and drops those that are not usable. */
  members(schema: Schema, values: readonly unknown[]): unknown[]
  /**
   * Returns all records of some classes, class by class, in the order of their first arrival; `undefined` before the first.
   */
  all(entities: readonly EntityClass<{ pk(): unknown }>[]): unknown[] | undefined
  /** Returns a normalized value with primary keys instead of its records. */
  keys(value: unknown): unknown
}

/** The delegate of `queryKey`: finds children by arguments. */
export interface QueryDelegate {
  /** Looks a child up by its own schema and the same arguments. */
  lookUp(schema: Schema, args: readonly unknown[]): unknown
  /** Returns a normalized value of a schema with references, from one with primary keys. The reverse of `keys`. */
  refer(schema: Schema, keys: unknown): unknown
}

/** A class of records: `Entity`, or any class whose instances have a `pk()`. */
export interface EntityClass<E = object> {
  // Any parameters are accepted, because records are constructed without arguments.
  // eslint-disable-next-line typescript/no-explicit-any
  new (...args: any): E
  readonly prototype: E
  readonly name: string
  readonly key: string
  readonly schema?: EntityFields | undefined
  readonly defaults?: object | undefined
  readonly dataExpiryLength?: number | undefined
  readonly indexes?: readonly string[] | undefined
  readonly version?: string | undefined
  process?(
    input: Record<string, unknown>,
    parent?: unknown,
    key?: string | number,
    args?: readonly unknown[],
  ): Record<string, unknown>
  merge?(existing: Fields, incoming: Fields): Fields
  queryKey?(
    args: readonly unknown[],
    find: (field: string, value: unknown) => string | undefined,
  ): string | undefined
  readonly validate?: Validator | undefined
}

/** The nested schemas of a record, by field name. Fields that are not named pass through. */
export type EntityFields = { readonly [field: string]: Schema }

/** Converts a field of a payload: a class is constructed with it, a function is called with it. */
export type Serializer<Value = unknown> =
  // The compiler does not know the payload; the function declares the type of its input.
  // eslint-disable-next-line typescript/no-explicit-any
  (new (input: any) => Value) | ((input: any) => Value)

/** The default of a field that a response leaves out, in an object schema. */
export type Literal = string | number | bigint | boolean | null | undefined

/** The short form of `schema.Object`. An empty list or object is a default as well: `[] as string[]` names its type. */
export interface ObjectShorthand {
  readonly [field: string]: Schema | Literal | readonly Literal[]
}

/** Any schema: an Entity class, a short form, or an object that implements the contract. */
export type Schema =
  | SchemaContract
  // `pk` tells an entity class from a serializer that is a class.
  | EntityClass<{ pk(...args: never): unknown }>
  | Serializer
  | readonly [Schema]
  | readonly Schema[]
  | ObjectShorthand

/** Returns `true` if a value implements the contract itself, `false` for a short form. */
export function isContract(schema: unknown): schema is SchemaContract {
  return (
    typeof schema === 'object' &&
    schema !== null &&
    typeof (schema as SchemaContract).normalize === 'function' &&
    typeof (schema as SchemaContract).denormalize === 'function'
  )
}

/** Returns `true` if a value is an Entity class. */
export function isEntityClass(schema: unknown): schema is EntityClass<{ pk(): unknown }> {
  return (
    typeof schema === 'function' &&
    typeof (schema.prototype as { pk?: unknown } | undefined)?.pk === 'function'
  )
}
