import { setOwn } from '../util/plain.js'
import { CollectionSchema } from './collection.js'
import { contractOf } from './contract-of.js'
import type { StoreNormalizeDelegate } from './delegates.js'
import type { Denormalize } from './denormalized.js'
import { ListSchema } from './members.js'
import { ObjectSchema } from './object.js'
import { isContract, isEntityClass } from './schema.js'
import type { DenormalizeDelegate, ObjectShorthand, PayloadKey, Schema, SchemaContract } from './schema.js'

/** The call whose list a page belongs to. */
export interface PagedCall {
  readonly key: string
  readonly args: readonly unknown[]
}

/** A page that was received: the call that is answered with it, and that of its list. */
export interface ReceivedPage {
  readonly page: PageSchema
  readonly args: readonly unknown[]
  readonly list: PagedCall
  /** The page, normalized. */
  readonly result: unknown
}

/** Where in a result a list stands: the names of the fields that lead to it; empty for the result itself. */
export type FieldPath = readonly string[]

/**
 * One more page of a list. The page itself is read as it came; what it brings is appended to the list of another
 * call, which only differs in that it does not name the page.
 *
 * @see specification 4.4, E14, E15
 */
export abstract class PageSchema<S extends Schema = Schema> implements SchemaContract<Denormalize<S>> {
  /** @internal */
  readonly isReplacing = true
  /** What the list looks like. */
  readonly list: S
  /** Where the list stands in it. */
  readonly path: FieldPath
  /** The call of the list, from the arguments of the page's call. */
  readonly callOf: (args: readonly unknown[]) => PagedCall
  #contract: SchemaContract | undefined

  /** @param path - leads to a list, as `findList` gives it */
  constructor(list: S, path: FieldPath, callOf: (args: readonly unknown[]) => PagedCall) {
    this.list = list
    this.path = path
    this.callOf = callOf
  }

  /** Makes what appends it to its list in a store. @internal */
  abstract makeLists(store: object): object

  /** The Collection that the list is of; `undefined` when it is a plain array. */
  get collection(): CollectionSchema<unknown> | undefined {
    const schema = schemaAt(this.list, this.path)
    return schema instanceof CollectionSchema ? schema : undefined
  }

  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: StoreNormalizeDelegate): unknown {
    if (input === null || input === undefined) return input
    const page = delegate.visitAs(this.#page, input, parent, key)
    delegate.page(this as PageSchema, page)
    return page
  }

  denormalize(input: unknown, delegate: DenormalizeDelegate): Denormalize<S> | undefined {
    // It reads as the list does.
    return delegate.resolve(this.#page, input) as Denormalize<S> | undefined
  }

  /** The list's schema, without the identity of a Collection: a page is not stored under its own arguments. */
  get #page(): SchemaContract {
    return (this.#contract ??= contractOf(withoutCollection(this.list, this.path)))
  }
}

/**
 * The list in a schema: the one that `path` names, else the first.
 *
 * @returns where it stands; `undefined` when there is none
 */
export function findList(schema: unknown, path?: FieldPath): FieldPath | undefined {
  if (path !== undefined) return isList(schemaAt(schema, path)) ? path : undefined
  if (isList(schema)) return []
  for (const [name, field] of Object.entries(fieldsOf(schema) ?? {})) {
    const inner = findList(field)
    if (inner !== undefined) return [name, ...inner]
  }
  return undefined
}

/** The Collection in a schema: the one that `path` names, else the first. */
export function collectionIn(schema: unknown, path?: FieldPath): CollectionSchema<unknown> | undefined {
  const named = path === undefined ? schema : schemaAt(schema, path)
  if (named instanceof CollectionSchema) return named
  for (const field of Object.values((path === undefined ? fieldsOf(schema) : undefined) ?? {})) {
    const inner = collectionIn(field)
    if (inner !== undefined) return inner
  }
  return undefined
}

/** What stands in a normalized result where a list is expected. */
export function valueAt(result: unknown, path: FieldPath): unknown {
  let value = result
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

/** A copy of a result with another list; the same result where it has that list already. */
export function withValueAt(result: unknown, path: FieldPath, list: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return list
  if (valueAt(result, path) === list) return result
  const copy: Record<string, unknown> = { ...(result as object) }
  setOwn(copy, name, withValueAt(copy[name], rest, list))
  return copy
}

function isList(schema: unknown): boolean {
  if (schema instanceof CollectionSchema) return schema.content instanceof ListSchema
  return schema instanceof ListSchema || (Array.isArray(schema) && schema.length === 1)
}

function schemaAt(schema: unknown, path: FieldPath): unknown {
  let found = schema
  for (const name of path) {
    const fields = fieldsOf(found)
    found = fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined
  }
  return found
}

/** The fields of an object schema. Does not look at classes, which may not be complete yet. */
function fieldsOf(schema: unknown): ObjectShorthand | undefined {
  if (schema instanceof ObjectSchema) return schema.definition as ObjectShorthand
  const isOther = typeof schema !== 'object' || schema === null || Array.isArray(schema)
  return isOther || isContract(schema) || isEntityClass(schema) ? undefined : (schema as ObjectShorthand)
}

function withoutCollection(schema: Schema, path: FieldPath): Schema {
  const [name, ...rest] = path
  if (name === undefined) return schema instanceof CollectionSchema ? schema.content : schema
  const fields = fieldsOf(schema) ?? {}
  const inner = withoutCollection(fields[name] as Schema, rest)
  return inner === fields[name] ? schema : new ObjectSchema({ ...fields, [name]: inner })
}
