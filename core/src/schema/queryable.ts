import { development } from '#development'
import * as errors from '../errors.js'
import { kindOf } from '../errors.js'
import { contractOf } from './contract-of.js'
import { ObjectSchema } from './object.js'
import { isContract } from './schema.js'
import type { Schema, SchemaContract } from './schema.js'

/**
 * Returns the contract of a schema whose data arguments can find.
 *
 * @throws {SelfsameError} `not-queryable` for a schema that cannot be read by arguments, in development also for one in a Query
 *   or in an object; `definition-invalid` for a value that is not a schema
 */
export function queryableContract(schema: Schema): SchemaContract {
  const contract = contractOf(schema)
  if (contract.queryKey === undefined) throw notQueryableError(schema)
  if (development) {
    const { inner = contract.optional } = contract
    if (inner !== undefined) queryableContract(inner)
    if (contract instanceof ObjectSchema) for (const [, field] of contract.nested) queryableContract(field)
  }
  return contract
}

/** Makes the error for a schema that cannot be read by arguments, or for an endpoint that was passed as a schema. */
function notQueryableError(schema: Schema): Error {
  if (!development) return errors.notQueryable('')
  const { key, name } = schema as { readonly key?: unknown; readonly name?: unknown }
  if (typeof schema === 'function' && typeof key === 'function')
    return errors.endpointNotQueryable(String(name))
  // A class of this package is not minified in development.
  const kind = isContract(schema) ? schema.constructor.name : kindOf(schema)
  return errors.notQueryable(Array.isArray(schema) ? 'A list schema' : `This schema (${kind})`)
}
