import { isPlainObject } from '../util/plain.js'
import { isContract } from './schema.js'
import type { ListHome } from './schema.js'

/** How deep lists are looked for: no response nests them deeper, and a schema may contain itself. */
const deepestPlace = 20

type Definition = Readonly<Record<string, unknown>>

/** Copies of object schemas, by the endpoint that they are of: one endpoint that is made often has one schema. */
const copies = new WeakMap<Definition, Map<string, Definition>>()

/**
 * Tells the Collections in the schema of an endpoint that reads whose lists they are, so that they can be read without a
 * call. Knows no Collection: an endpoint without any does not bring them along.
 *
 * @returns the schema; a copy where one of its Collections is that of an endpoint with another path
 * @internal
 */
export function withHome(schema: unknown, home: ListHome, depth = 0): unknown {
  if (depth > deepestPlace) return schema
  if (isContract(schema)) return schema.withHome?.(home, depth) ?? schema
  return isPlainObject(schema) ? definitionWithHome(schema, home, depth) : schema
}

/** Does so for the fields of an object schema. @internal */
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
  let copiesOf = copies.get(definition)
  if (copiesOf === undefined) copies.set(definition, (copiesOf = new Map()))
  copiesOf.set(key, copy)
  return copy
}
