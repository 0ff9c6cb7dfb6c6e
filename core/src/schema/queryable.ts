import { development } from '#development'
import * as errors from '../errors.js'
import { kindOf } from '../errors.js'
import { contractOf } from './contract-of.js'
import { EntityPlan } from './entity-plan.js'
import { ObjectSchema } from './object.js'
import { isContract, isEntityClass } from './schema.js'
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
function notQueryableError(schema: unknown): Error {
  const { key, name } = schema as { readonly key?: unknown; readonly name?: unknown }
  const isEndpoint = typeof schema === 'function' && typeof key === 'function'
  return isEndpoint ? errors.endpointNotQueryable(String(name)) : errors.notQueryable(describeSchema(schema))
}

/** Returns the name of a schema for messages: `Entity "Article"`. */
export function describeSchema(schema: unknown): string {
  if (isEntityClass(schema) || schema instanceof EntityPlan) return `Entity "${schema.key}"`
  if (Array.isArray(schema)) return 'A list schema'
  // A class of this package is not minified in development.
  const kind = isContract(schema) ? schema.constructor.name : kindOf(schema)
  return development ? `This schema (${kind})` : 'This schema'
}
