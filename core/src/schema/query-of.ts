import { development } from '#development'
import * as errors from '../errors.js'
import { kindOf } from '../errors.js'
import { contractOf } from './contract-of.js'
import { EntityPlan } from './entity-plan.js'
import type { ExpiryPolicy } from './expiry-policy.js'
import { Query } from './query.js'
import { isContract, isEntityClass } from './schema.js'
import type { EntityClass, ObjectShorthand, QueryDelegate, Schema, SchemaContract } from './schema.js'
import { getOrMake } from '../util/get-or-make.js'

/** A schema that can be read by arguments alone: a Query, an Entity class, All, a Collection, a Union, an object of such. */
export type Queryable =
  | (SchemaContract & { queryKey(args: readonly unknown[], delegate: QueryDelegate): unknown })
  | EntityClass<{ pk(...args: never): unknown }>
  | ObjectShorthand

/** A queryable as a call that is never fetched. */
export interface QueryCall {
  // The arguments are those of the schema, which checks them where its type is known.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly key: (...args: any) => string
  readonly schema: Schema
  readonly policy?: ExpiryPolicy | undefined
  /** `true` if it only reads stored data and has no response of its own. */
  readonly isQuery?: boolean
}

const calls = new WeakMap<SchemaContract, QueryCall>()

/**
 * Returns the call that reads a queryable: a Query itself; for another schema a call with the data of `controller.get`,
 * always the same one for the same schema. Equal arguments share one value.
 *
 * @throws {SelfsameError} `not-queryable` for a schema that cannot be read by arguments; `definition-invalid` for a value
 *   that is not a schema
 */
export function queryOf(schema: Queryable): QueryCall {
  if (isQuery(schema)) return schema
  const contract = contractOf(schema)
  if (contract.queryKey === undefined) throw notQueryableError(schema)
  return getOrMake(calls, contract, () => createCall(contract))
}

/** Makes the error for a schema that cannot be read by arguments, or for an endpoint that was passed as a schema. */
export function notQueryableError(schema: unknown): Error {
  const { key, name } = schema as { readonly key?: unknown; readonly name?: unknown }
  const isEndpoint = typeof schema === 'function' && typeof key === 'function'
  return isEndpoint ? errors.endpointNotQueryable(String(name)) : errors.notQueryable(describeSchema(schema))
}

/** Returns the name of a schema for messages: `Entity "Article"`. */
export function describeSchema(schema: unknown): string {
  if (isEntityClass(schema) || schema instanceof EntityPlan) return `Entity "${schema.key}"`
  if (Array.isArray(schema)) return 'A list schema'
  return development ? `This schema (${kindOf(schema)})` : 'This schema'
}

/** Returns `true` for a Query, which has a key of its own. */
export function isQuery(schema: Schema): schema is SchemaContract & QueryCall {
  return isContract(schema) && typeof (schema as Partial<QueryCall>).key === 'function'
}

/** Makes a call whose schema is the contract itself, so that its data is that of `controller.get`. The Query makes its keys. */
function createCall(contract: SchemaContract): QueryCall {
  const named = new Query(contract)
  // Its readers send no request, so they show Stale data.
  return {
    key: (...args: [params?: object]) => named.key(...args),
    schema: contract,
    policy: 'cache-first',
    isQuery: true,
  }
}
