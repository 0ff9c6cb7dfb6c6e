import type { SelfsameError } from '../errors.js'
import type { EntityMeta } from './entity-meta.js'
import type { Fields } from './fields.js'
import type { Validator } from './validator.js'

/**
 * What every schema does: takes a value of a payload apart, and puts it together again. `Entity` classes,
 * `[schema]` and `{ name: schema }` are short forms of such objects; your own class may implement it too.
 *
 * Children are always handed to the delegate. A child record need not be complete when its visit returns: what
 * `visit` gives back is a reference that may be filled later, and must be stored as it is.
 *
 * @see specification 2.1
 */
export interface SchemaContract<Data = unknown> {
  /**
   * Takes a value apart.
   *
   * @param input - the value as it stands in the payload; `null` and `undefined` are handed over too
   * @param parent - the record, object or map that holds the value; a list holds nothing: its members have the list's own
   *   parent and key. `undefined` at the root, and for the members of a list that is the root
   * @param key - the name in `parent` of the value, or of the list around it
   * @returns the value with its records replaced by what `delegate.visit` returned for them
   */
  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown
  /**
   * Puts a value together.
   *
   * @param input - what `normalize` returned
   * @returns the data; `undefined` when there is nothing that can be shown
   */
  denormalize(input: unknown, delegate: DenormalizeDelegate): Data | undefined
  /**
   * Finds the normalized value for arguments, without a response. A schema without this member is never
   * answered from records.
   *
   * @returns a normalized value, or `undefined` when the arguments do not name one
   */
  queryKey?(args: readonly unknown[], delegate: QueryDelegate): unknown
  /** Whether `denormalize` depends on its input alone, so that its value is kept until the input changes. */
  readonly isPure?: boolean
  /**
   * Whether `normalize` replaces every value but `null` and `undefined`, so that one that is the stored one needs not be
   * taken apart. @internal
   */
  readonly isReplacing?: boolean
  /** The same for the answer of an endpoint, where it holds a Collection. @internal */
  withHome?(home: ListHome, depth: number): unknown
  /** Whether `normalize` gives a pair of attribute and value, as of what has one of several schemas. */
  readonly isPolymorphic?: boolean
  /** The schemas of which a value has one. @internal */
  readonly schemas?: readonly Schema[]
  /** The one of them that an attribute names. @internal */
  schemaOf?(attribute: unknown): Schema | undefined
  /** Whether what `denormalize` gives is kept current by itself, and may be filled later. @internal */
  readonly isOwnView?: boolean
  /**
   * Whether only an answer of its own holds all that it promises, so that a call is never answered from what else is
   * stored. @internal
   */
  readonly needsAnswer?: boolean
  /** The schema that takes an answer apart, where what is shown is made of what that one shows. @internal */
  readonly inner?: Schema
  /** The schema of the record that it stands for, where that has one of its own. @internal */
  readonly recordSchema?: Schema
  /** Whether its value is a record that is gone, so that nothing can be shown. @internal */
  readonly isRemoving?: boolean
  /** The Collection whose lists it changes. @internal */
  readonly changedLists?: SchemaContract
}

/** The endpoint that a Collection is the list of. */
export interface ListHome {
  /** Tells one home from another. */
  readonly id: string
  /** Where the list stands in the endpoint's answer: the names of the fields that lead to it; empty for the answer itself. */
  readonly place: string
  /** The path pattern of the endpoint; `undefined` where it has none. */
  readonly path: string | undefined
  /** Names a call of the endpoint. */
  // The arguments are those of whatever endpoint it is.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly key: (...args: any) => string
}

/** The name under which a value stands in its parent, or an index where a schema of your own has such; `undefined` at the root. */
export type PayloadKey = string | number | undefined

/** What a schema may ask for while it takes a payload apart. */
export interface NormalizeDelegate {
  /** The arguments of the call whose payload this is. */
  readonly args: readonly unknown[]
  /** Whether no other code holds the payload, so that a container may write its children in place. */
  readonly isOwned: boolean
  /**
   * Takes a child apart by its own schema.
   *
   * @param parent - what the child is told as its parent: the value itself where it names its children, its own parent
   *   where it is a list of them
   * @param key - the child's name in `parent`
   * @param place - where the child stands in the value, for messages. By default `key`
   * @returns what to keep in its place
   */
  visit(schema: Schema, value: unknown, parent: unknown, key: PayloadKey, place?: PayloadKey): unknown
  /**
   * Takes all items of a list apart by one schema.
   *
   * @param parent - the list's own parent
   * @param key - the list's own key
   * @returns what to keep in place of the list: where owned, itself
   */
  members(schema: Schema, values: unknown[], parent: unknown, key: PayloadKey): unknown[]
  /**
   * Takes the same value apart by another schema.
   *
   * @param place - where it will stand in what is returned for the value, if it is not all of that
   */
  visitAs(schema: Schema, value: unknown, parent: unknown, key: PayloadKey, place?: PayloadKey): unknown
  /** The contract of a schema given in short form. */
  contractOf(schema: Schema): SchemaContract
  /** An error that says what was expected at the place that is visited. */
  unexpected(expected: string, found: unknown): SelfsameError
  /** An error that says why a field cannot be used. */
  unusable(field: PayloadKey, why: string, cause?: unknown): SelfsameError
  /** The record whose field is visited; `undefined` outside of records. */
  readonly owner: { readonly key: string; readonly pk: string } | undefined
  /** The key of the call whose payload this is; `undefined` where none is. */
  readonly call: string | undefined
  /** What is visited, as its place in the payload: the names of the fields that lead to it. */
  readonly place: string
}

/** What a schema may ask for while it puts data together. */
export interface DenormalizeDelegate {
  /** The arguments of the call that reads. */
  readonly args: readonly unknown[]
  /** Puts a child together by its own schema. It may be filled later. @returns the child; `undefined` when it cannot be shown */
  resolve(schema: Schema, value: unknown): unknown
  /** Like `resolve`, with everything inside complete: for a schema that looks into what it receives. */
  complete(schema: Schema, value: unknown): unknown
  /** Puts the members of a list together, without those that cannot be shown. */
  members(schema: Schema, values: readonly unknown[]): unknown[]
  /**
   * All records of some classes, class by class, in the order in which they first arrived; `undefined` while nothing was
   * ever received of them.
   */
  all(entities: readonly EntityClass<{ pk(): unknown }>[]): unknown[] | undefined
  /** A normalized value with primary keys in place of its records. */
  keys(value: unknown): unknown
}

/** What a schema may ask for while it looks a value up by arguments. */
export interface QueryDelegate {
  /** Looks a child up by its own schema and the same arguments. */
  lookUp(schema: Schema, args: readonly unknown[]): unknown
  /** References by a schema, from the primary keys that stand for them. */
  refer(schema: Schema, keys: unknown): unknown
}

/** A class of records: `Entity`, or any class whose instances have a `pk()`. */
export interface EntityClass<E = object> {
  // The constructor's parameters are of no concern: records are built without any.
  // eslint-disable-next-line typescript/no-explicit-any
  new (...args: any): E
  readonly prototype: E
  readonly name: string
  readonly key: string
  readonly schema?: EntityFields | undefined
  readonly defaults?: object | undefined
  readonly dataExpiryLength?: number | undefined
  readonly indexes?: readonly string[] | undefined
  process?(
    input: Record<string, unknown>,
    parent?: unknown,
    key?: string | number,
    args?: readonly unknown[],
  ): Record<string, unknown>
  merge?(existing: Fields, incoming: Fields): Fields
  mergeWithStore?(
    existingMeta: EntityMeta,
    incomingMeta: EntityMeta,
    existing: Fields,
    incoming: Fields,
  ): Fields
  shouldUpdate?(
    existingMeta: EntityMeta,
    incomingMeta: EntityMeta,
    existing: Fields,
    incoming: Fields,
  ): boolean
  shouldReorder?(
    existingMeta: EntityMeta,
    incomingMeta: EntityMeta,
    existing: Fields,
    incoming: Fields,
  ): boolean
  mergeMetaWithStore?(
    existingMeta: EntityMeta,
    incomingMeta: EntityMeta,
    existing: Fields,
    incoming: Fields,
  ): EntityMeta
  queryKey?(
    args: readonly unknown[],
    find: (field: string, value: unknown) => string | undefined,
  ): string | undefined
  readonly validate?: Validator | undefined
}

/** The nested schemas of a record, by field name. Fields that are not named pass through. */
export type EntityFields = { readonly [field: string]: Schema }

/** Turns a field of a payload into a value: a class is constructed, a function is called with the field. */
export type Serializer<Value = unknown> =
  // What the server sends is not known to the compiler; the function declares what it takes.
  // eslint-disable-next-line typescript/no-explicit-any
  (new (input: any) => Value) | ((input: any) => Value)

/** The default of a field that a response leaves out, in an object schema. */
export type Literal = string | number | bigint | boolean | null | undefined

/** The short form of `schema.Object`. An empty list or object is a default as well: `[] as string[]` names its type. */
export interface ObjectShorthand {
  readonly [field: string]: Schema | Literal | readonly Literal[]
}

/** Anything that describes data. */
export type Schema =
  | SchemaContract
  // `pk` tells an entity class from a serializer that is a class.
  | EntityClass<{ pk(...args: never): unknown }>
  | Serializer
  | readonly [Schema]
  | readonly Schema[]
  | ObjectShorthand

/** Whether a value implements the contract itself, rather than being a short form. */
export function isContract(schema: unknown): schema is SchemaContract {
  return (
    typeof schema === 'object' &&
    schema !== null &&
    typeof (schema as SchemaContract).normalize === 'function' &&
    typeof (schema as SchemaContract).denormalize === 'function'
  )
}

/** Whether a value is a class of records. */
export function isEntityClass(schema: unknown): schema is EntityClass<{ pk(): unknown }> {
  return (
    typeof schema === 'function' &&
    typeof (schema.prototype as { pk?: unknown } | undefined)?.pk === 'function'
  )
}
