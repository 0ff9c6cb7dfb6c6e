import { ArraySchema } from '../schema/array.js'
import { CollectionSchema } from '../schema/collection.js'
import { DeleteSchema } from '../schema/delete.js'
import { ObjectSchema } from '../schema/object.js'
import { UnionSchema } from '../schema/polymorphic.js'
import type { SchemaMapping } from '../schema/polymorphic.js'
import { isEntityClass } from '../schema/schema.js'
import type {
  DenormalizeDelegate,
  EntityClass,
  EntityFields,
  NormalizeDelegate,
  PayloadKey,
  Schema,
  SchemaContract,
} from '../schema/schema.js'
import { ValuesSchema } from '../schema/values.js'
import { Reference, replaceReferences } from '../normalize/reference.js'
import { isPlainObject } from '../util/plain.js'
import { partsOf } from './same.js'

/**
 * Returns a schema whose records show the ids of nested records in place of the records, like generation 4.5. The
 * nested records are stored as usual.
 *
 * @returns the schema itself, if nothing in it nests records
 */
export function keepIds<S extends Schema | undefined>(schema: S): S
export function keepIds(schema: Schema | undefined): Schema | undefined {
  if (isEntityClass(schema)) return withIds(schema)
  if (Array.isArray(schema)) {
    const members = schema.map((member: Schema) => keepIds(member))
    return isEachSame(members, schema) ? schema : members
  }
  if (schema instanceof ArraySchema || schema instanceof ValuesSchema || schema instanceof UnionSchema) {
    const { definition, schemaAttribute } = schema
    const kept = isPlainObject(definition)
      ? keepIdsIn(definition as SchemaMapping)
      : keepIds(definition as Schema)
    const Class = schema.constructor as new (definition: unknown, attribute?: unknown) => Schema
    return kept === definition ? schema : new Class(kept, schemaAttribute)
  }
  if (schema instanceof ObjectSchema) {
    const kept = keepIdsIn(schema.definition as SchemaMapping)
    return kept === schema.definition ? schema : new ObjectSchema(kept)
  }
  return isPlainObject(schema) ? keepIdsIn(schema as SchemaMapping) : schema
}

function keepIdsIn<Definition extends SchemaMapping>(definition: Definition): Definition {
  const kept = Object.fromEntries(
    Object.entries(definition).map(([name, schema]) => [name, keepIds(schema)]),
  ) as Definition
  return isEachSame(Object.values(kept), Object.values(definition)) ? definition : kept
}

function isEachSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.every((item, index) => item === b[index])
}

type AnyEntityClass = EntityClass<{ pk(): unknown }>

const classes = new WeakMap<
  AnyEntityClass,
  { readonly schema: EntityFields; readonly Class: AnyEntityClass }
>()

/**
 * Returns a class for the same records, which shows ids where the given one joins records. Returns the given class if
 * it joins nothing, so that old and new readers see the same object.
 */
function withIds(Class: AnyEntityClass): AnyEntityClass {
  const { schema } = Class
  if (schema === undefined) return Class
  // Compared each time: `static schema` may be assigned after the first read.
  const known = classes.get(Class)
  if (known?.schema === schema) return known.Class
  const fields = Object.fromEntries(
    Object.entries(schema).map(([name, field]) => [name, nestsRecords(field) ? new IdsSchema(field) : field]),
  )
  if (isEachSame(Object.values(fields), Object.values(schema))) return Class
  const Reading = class extends (Class as new () => { pk(): unknown }) {
    static readonly key = Class.key
    static readonly schema = fields
  } as unknown as AnyEntityClass
  Object.defineProperty(Reading, 'name', { value: Class.name })
  classes.set(Class, { schema, Class: Reading })
  return Reading
}

/** True if a schema reads records. Custom schemas are left unchanged. */
function nestsRecords(schema: unknown): boolean {
  if (isEntityClass(schema) || schema instanceof CollectionSchema) return true
  if (schema instanceof DeleteSchema || typeof schema !== 'object' || schema === null) return false
  return partsOf(schema)?.some(nestsRecords) === true
}

/** Ids that were received as numbers: the store keeps primary keys as strings. */
const referenceNumbers = new WeakMap<Reference, number>()

/** A field that nests records, read as their ids. */
class IdsSchema implements SchemaContract {
  readonly #schema: Schema

  constructor(schema: Schema) {
    this.#schema = schema
  }

  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown {
    // Copied first, because normalization may write into an owned payload.
    const given: unknown = Array.isArray(input) ? [...(input as unknown[])] : input
    const result = delegate.visitAs(this.#schema, input, parent, key)
    noteNumbers(given, result)
    return result
  }

  denormalize(input: unknown, _delegate: DenormalizeDelegate): unknown {
    return replaceReferences(input, (reference) => referenceNumbers.get(reference) ?? reference.toKeys())
  }
}

function noteNumbers(input: unknown, result: unknown): void {
  if (typeof input === 'number' && result instanceof Reference) referenceNumbers.set(result, input)
  if (!Array.isArray(input) || !Array.isArray(result)) return
  for (const [index, item] of input.entries()) noteNumbers(item, result[index])
}
