import { isPlainObject, setOwn } from '../util/plain.js'
import { CollectionSchema } from './collection.js'
import { contractOf } from './contract-of.js'
import type { StoreNormalizeDelegate } from './delegates.js'
import type { Denormalize } from './denormalized.js'
import { ListSchema } from './members-schema.js'
import { ObjectSchema } from './object.js'
import { isContract } from './schema.js'
import type { DenormalizeDelegate, ObjectShorthand, PayloadKey, Schema, SchemaContract } from './schema.js'

/** The call whose list a page belongs to. */
export interface PagedCall {
  readonly key: string
  readonly args: readonly unknown[]
}

/** A received page, with the arguments of its call and the call of its list. */
export interface ReceivedPage {
  readonly page: PageSchema
  readonly args: readonly unknown[]
  readonly list: PagedCall
  /** The page, normalized. */
  readonly result: unknown
}

/** The side of its list on which a page is put, for a list that is loaded in both directions. */
export interface PageSide {
  /** The params that name a page: its list is the call without them. */
  readonly names: readonly string[]
  /** `true` for a page that comes before those that are loaded. */
  readonly isFront: boolean
  /** The param that says where the list starts, which pages do not send; `undefined` if the server decides. */
  readonly start: string | undefined
  /** Returns the data of the list's call, with the fields beside the list of the page that is outermost on this side. */
  dataOf(call: object, store: object): unknown
}

/** The path of a list in a result: field names from the root; empty for the result itself. */
export type FieldPath = readonly string[]

/**
 * A further page of a list. A read of the page's call returns the page alone. Its members are also appended to the list of
 * another call, whose arguments lack the param that names the page.
 *
 * @see specification 4.4, E14, E15
 */
export abstract class PageSchema<S extends Schema = Schema> implements SchemaContract<Denormalize<S>> {
  /** @internal */
  readonly isReplacing = true
  /** The schema of the response that holds the list. */
  declare readonly list: S
  /** The path of the list in the response. */
  declare readonly path: FieldPath
  /** Returns the call of the list, from the arguments of the page's call. */
  declare readonly callOf: (args: readonly unknown[]) => PagedCall
  #contract: SchemaContract | undefined

  /** @param path - leads to a list, as `findList` gives it */
  constructor(list: S, path: FieldPath, callOf: (args: readonly unknown[]) => PagedCall) {
    this.list = list
    this.path = path
    this.callOf = callOf
  }

  /** @default undefined: behind the list @internal */
  declare readonly side: PageSide | undefined

  /** Makes the part of a store that appends pages to their lists. @internal */
  abstract makeLists(store: object): object

  /** The Collection of the list; `undefined` for a plain array. */
  get collection(): CollectionSchema<unknown> | undefined {
    return collectionIn(this.list, this.path)
  }

  /** @internal */
  get parts(): unknown {
    return [this.list, this.path]
  }

  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: StoreNormalizeDelegate): unknown {
    if (input === null || input === undefined) return input
    const { args } = delegate
    const result = delegate.visitAs(this.#page, input, parent, key)
    const received: ReceivedPage = { page: this as PageSchema, args, list: this.callOf(args), result }
    delegate.lists?.page(received)
    return result
  }

  denormalize(input: unknown, delegate: DenormalizeDelegate): Denormalize<S> | undefined {
    return delegate.resolve(this.#page, input) as Denormalize<S> | undefined
  }

  /** The list's schema without its Collection: a page is not a list of its own. */
  get #page(): SchemaContract {
    return (this.#contract ??= contractOf(withoutCollection(this.list, this.path)))
  }
}

/**
 * Finds the list in a schema: the one at `path`, else the first.
 *
 * @returns its path; `undefined` if there is none
 */
export function findList(schema: unknown, path?: FieldPath): FieldPath | undefined {
  return find(schema, isList, path)
}

/** Finds the Collection in a schema: the one at `path`, else the first. */
export function collectionIn(schema: unknown, path?: FieldPath): CollectionSchema<unknown> | undefined {
  const found = find(schema, (each) => isCollection(bare(each)), path)
  return found && (bare(schemaAt(schema, found)) as CollectionSchema<unknown>)
}

function find(
  schema: unknown,
  isMeant: (schema: unknown) => boolean,
  path?: FieldPath,
): FieldPath | undefined {
  const named = path ?? []
  if (isMeant(schemaAt(schema, named))) return named
  if (path !== undefined) return undefined
  for (const [name, field] of Object.entries(fieldsOfShorthand(schema))) {
    const inner = find(field, isMeant)
    if (inner !== undefined) return [name, ...inner]
  }
  return undefined
}

/** Returns the value at a path of a result; `undefined` if a field is missing. */
export function valueAt(result: unknown, path: FieldPath): unknown {
  return path.reduce(ownField, result)
}

function ownField(value: unknown, name: string): unknown {
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return isThere ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

/** Returns a copy of a result with another list at a path; the same result if it has that list already. */
export function withValueAt(result: unknown, path: FieldPath, list: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return list
  if (valueAt(result, path) === list) return result
  const copy: Record<string, unknown> = { ...(result as object) }
  setOwn(copy, name, withValueAt(copy[name], rest, list))
  return copy
}

/**
 * The schema around which a value may be missing or a Query computes; `undefined` for any other schema. Recognized by a
 * member instead of `instanceof`, so that bundles without these schemas do not contain their classes.
 */
function innerSchemaOf(schema: unknown): Schema | undefined {
  return isContract(schema) ? (schema.optional ?? schema.inner) : undefined
}

/** The schema of the value in a response. */
export function bare(schema: unknown): unknown {
  const inner = innerSchemaOf(schema)
  return inner === undefined ? schema : bare(inner)
}

function isList(given: unknown): boolean {
  const schema = bare(given)
  if (isCollection(schema)) return schema.content instanceof ListSchema
  return schema instanceof ListSchema || (Array.isArray(schema) && schema.length === 1)
}

function isCollection(schema: unknown): schema is CollectionSchema<unknown> {
  return schema instanceof CollectionSchema
}

export function schemaAt(schema: unknown, path: FieldPath): unknown {
  return path.reduce((found, name) => ownField(fieldsOfShorthand(found), name), schema)
}

/** Returns the fields of an object schema; none for other schemas. Ignores classes, which may not be complete yet. */
export function fieldsOfShorthand(given: unknown): ObjectShorthand {
  const schema = bare(given)
  if (schema instanceof ObjectSchema) return schema.definition as ObjectShorthand
  return isPlainObject(schema) && !isContract(schema) ? (schema as ObjectShorthand) : {}
}

function withoutCollection(schema: Schema, path: FieldPath): Schema {
  const [name, ...rest] = path
  const around = innerSchemaOf(schema)
  if (around !== undefined)
    return (schema as SchemaContract).over?.(withoutCollection(around, path)) ?? schema
  if (name === undefined) return isCollection(schema) ? schema.content : schema
  const fields = fieldsOfShorthand(schema)
  const inner = withoutCollection(fields[name] as Schema, rest)
  return inner === fields[name] ? schema : new ObjectSchema({ ...fields, [name]: inner })
}
