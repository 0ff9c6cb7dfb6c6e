import { isPlainObject } from '../util/plain.js'
import { isContract } from './schema.js'
import type { ListHome } from './schema.js'
import { getOrMake } from '../util/get-or-make.js'

/** The deepest path at which lists are searched, because a schema may contain itself. */
const deepestPlace = 20

type Definition = Readonly<Record<string, unknown>>

/** Copies of object schemas, by endpoint, so that an endpoint that is made several times has one schema. */
const copies = new WeakMap<Definition, Map<string, Definition>>()

/**
 * Binds the Collections in the schema of a reading endpoint to this endpoint, so that their lists can be read without a call.
 * Does not import Collections, so that an endpoint without any does not bundle them.
 *
 * @returns the schema; a copy if one of its Collections belongs to an endpoint with another path
 * @internal
 */
export function withHome(schema: unknown, home: ListHome, depth = 0): unknown {
  if (depth > deepestPlace) return schema
  if (isContract(schema)) return schema.withHome?.(home, depth) ?? schema
  return isPlainObject(schema) ? definitionWithHome(schema, home, depth) : schema
}

/** Binds the Collections in the fields of an object schema. @see withHome @internal */
export function definitionWithHome(definition: Definition, home: ListHome, depth: number): Definition {
  const key = `${home.id} ${home.place}`
  const known = copies.get(definition)?.get(key)
  if (known !== undefined) return known
  let copy: Record<string, unknown> | undefined
  for (const [name, field] of Object.entries(definition)) {
    const place = home.place === '' ? name : `${home.place}.${name}`
    const bound = withHome(field, { ...home, place }, depth + 1)
    if (bound !== field) (copy ??= { ...definition })[name] = bound
  }
  if (copy === undefined) return definition
  getOrMake(copies, definition, () => new Map<string, Definition>()).set(key, copy)
  return copy
}
