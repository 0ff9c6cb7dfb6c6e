import { CollectionSchema } from './collection.js'
import type { ListHome } from './collection.js'
import { ObjectSchema } from './object.js'
import { fieldsOf } from './page.js'
import { Query } from './query.js'
import type { ObjectShorthand, Schema } from './schema.js'

/** What is asked of an endpoint whose answer holds lists. */
interface ListedEndpoint {
  readonly schema?: unknown
  readonly method?: string
  readonly path?: string
  readonly urlPrefix?: string | undefined
  // The arguments are those of the endpoint.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly key: (...args: any) => string
}

/**
 * Tells the Collections in the schema of an endpoint that reads whose lists they are, so that they can be read without a
 * call. One that is another endpoint's already is left as it is where the endpoint has no path.
 *
 * @returns the schema; a copy where one of its Collections is that of an endpoint with another path
 * @internal
 */
export function withHome(endpoint: ListedEndpoint): unknown {
  const { method = '', path, urlPrefix = '' } = endpoint
  const id = path === undefined ? '' : `${method} ${urlPrefix} ${path}`
  return bind(endpoint.schema, { id, place: '', path, key: (...args) => endpoint.key(...(args as never[])) })
}

/** Copies of object schemas, by the endpoint that they are of: one endpoint that is made often has one schema. */
const copies = new WeakMap<object, Map<string, ObjectSchema | ObjectShorthand>>()

/** How deep lists are looked for: no answer nests them deeper, and a schema may contain itself. */
const deepestPlace = 20

function bind(schema: unknown, home: ListHome, depth = 0): unknown {
  // Whoever reads a Query without a call reads its schema by the Query's own arguments.
  if (schema instanceof Query) bindFirst(schema.schema, home)
  if (schema instanceof CollectionSchema) return bindFirst(schema, home) ?? schema.boundTo(home)
  const fields = fieldsOf(schema)
  if (fields === undefined || depth > deepestPlace) return schema
  const key = `${home.id} ${home.place}`
  const known = copies.get(schema as object)?.get(key)
  if (known !== undefined) return known
  let copy: Record<string, unknown> | undefined
  for (const [name, field] of Object.entries(fields)) {
    const place = home.place === '' ? name : `${home.place}.${name}`
    const bound = bind(field, { ...home, place }, depth + 1)
    if (bound !== field) (copy ??= { ...fields })[name] = bound
  }
  if (copy === undefined) return schema
  const definition = copy as ObjectShorthand
  const bound = schema instanceof ObjectSchema ? new ObjectSchema(definition) : definition
  let copiesOf = copies.get(schema as object)
  if (copiesOf === undefined) copies.set(schema as object, (copiesOf = new Map()))
  copiesOf.set(key, bound)
  return bound
}

/** Of several endpoints without a path that share a Collection, the first is its endpoint. */
function bindFirst(schema: Schema, home: ListHome): Schema | undefined {
  if (!(schema instanceof CollectionSchema)) return undefined
  if (!schema.isBound) return schema.boundTo(home)
  return home.path === undefined ? schema : undefined
}
