import { ArraySchema } from '../schema/array.js'
import { CollectionSchema } from '../schema/collection.js'
import { DeleteSchema } from '../schema/delete.js'
import { ObjectSchema } from '../schema/object.js'
import type { Schema } from '../schema/schema.js'
import { UnionSchema } from '../schema/polymorphic.js'
import { ValuesSchema } from '../schema/values.js'
import { isPlainObject } from '../util/plain.js'
import { getOrMake } from '../util/get-or-make.js'

/** True if two values are equal: lists, objects and schemas by content, everything else by identity. */
function isSameResult(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const [parts, others] = [partsOf(a), partsOf(b)]
  if (parts === undefined || others === undefined || parts.length !== others.length) return false
  return parts.every((part, index) => isSameResult(part, others[index]))
}

/** The content of a value, starting with its kind; `undefined` for a value of unknown content. */
export function partsOf(value: object): readonly unknown[] | undefined {
  if (Array.isArray(value)) return [Array, ...(value as unknown[])]
  if (isPlainObject(value)) {
    const names = Object.keys(value).sort()
    return [Object, ...names, ...names.map((name) => value[name])]
  }
  const kind = value.constructor
  if (value instanceof ArraySchema || value instanceof ValuesSchema || value instanceof UnionSchema)
    return [kind, value.definition, value.schemaAttribute]
  if (value instanceof ObjectSchema) return [kind, value.definition]
  if (value instanceof DeleteSchema) return [kind, value.entity]
  if (value instanceof CollectionSchema) return [kind, value.kind]
  return undefined
}

/** The number of entries per cache. Limits memory if each render creates a new value that equals no other. */
const mostResults = 50

/** A cache by content: returns the value that was created from equal parts. */
export class Remembered<Value> {
  readonly #entries: { readonly parts: unknown; readonly value: Value }[] = []

  /** @param make - creates the value for new parts */
  get(parts: unknown, make: () => Value): Value {
    const known = this.#entries.find((entry) => isSameResult(entry.parts, parts))
    if (known !== undefined) return known.value
    const value = make()
    this.#entries.push({ parts, value })
    if (this.#entries.length > mostResults) this.#entries.shift()
    return value
  }
}

/** Schemas by a class or function that they contain, so that they are collected together with it. */
const schemas = new WeakMap<object, Remembered<Schema>>()

/**
 * Returns one and the same schema for equal ones. The schema is part of a call's identity: an endpoint with a new
 * schema in each render would be fetched in each render.
 */
export function internSchema<S extends Schema | undefined>(schema: S): S {
  const home = schema === undefined ? undefined : homeOf(schema, 0)
  if (schema === undefined || home === undefined || home === schema) return schema
  return getOrMake(schemas, home, () => new Remembered()).get(schema, () => schema) as S
}

/** A class or function that a schema contains. */
function homeOf(schema: unknown, depth: number): object | undefined {
  if (typeof schema === 'function') return schema
  if (typeof schema !== 'object' || schema === null || depth > 20) return undefined
  for (const part of partsOf(schema)?.slice(1) ?? []) {
    const home = homeOf(part, depth + 1)
    if (home !== undefined) return home
  }
  return undefined
}
