import * as errors from '../errors.js'
import { kindOf } from '../errors.js'
import { contractOf } from './contract-of.js'
import { EntityPlan } from './entity-plan.js'
import type { ExpiryPolicy } from './expiry-policy.js'
import { Query } from './query.js'
import { isContract, isEntityClass } from './schema.js'
import type { EntityClass, ObjectShorthand, QueryDelegate, Schema, SchemaContract } from './schema.js'

/** What arguments alone can name: a Query, an Entity class, All, a Collection, a Union, an object of such. */
export type Queryable =
  | (SchemaContract & { queryKey(args: readonly unknown[], delegate: QueryDelegate): unknown })
  | EntityClass<{ pk(...args: never): unknown }>
  | ObjectShorthand

/** A queryable as a call that is never fetched. */
export interface QueryCall {
  // The arguments are those of the schema, and checked where its own type is known.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly key: (...args: any) => string
  readonly schema: Schema
  readonly policy?: ExpiryPolicy | undefined
  /** Whether it only reads what is stored. */
  readonly isQuery?: boolean
}

const calls = new WeakMap<SchemaContract, QueryCall>()

/**
 * The call that reads a queryable: a Query itself; for anything else one that is the same for the same schema, and
 * gives what `controller.get` gives. Equal arguments share one value.
 *
 * @throws {SelfsameError} `not-queryable` for a schema that arguments cannot name; `definition-invalid` for what is
 *   no schema
 */
export function queryOf(schema: Queryable): QueryCall {
  if (isQuery(schema)) return schema
  const contract = contractOf(schema)
  if (contract.queryKey === undefined) throw notQueryable(schema)
  let call = calls.get(contract)
  if (call === undefined) calls.set(contract, (call = createCall(contract)))
  return call
}

/** Why a schema cannot be looked up. An endpoint is taken for one: it is a function, as a serializer is. */
export function notQueryable(schema: unknown): Error {
  const { key, name } = schema as { readonly key?: unknown; readonly name?: unknown }
  const isEndpoint = typeof schema === 'function' && typeof key === 'function'
  return isEndpoint ? errors.endpointNotQueryable(String(name)) : errors.notQueryable(describeSchema(schema))
}

/** A schema as messages name it: `Entity "Article"`. */
export function describeSchema(schema: unknown): string {
  if (isEntityClass(schema)) return `Entity "${schema.key}"`
  if (schema instanceof EntityPlan) return `Entity "${schema.key}"`
  return Array.isArray(schema) ? 'A list schema' : `This schema (${kindOf(schema)})`
}

/** Whether a schema is a call by itself: a Query. */
export function isQuery(schema: Schema): schema is SchemaContract & QueryCall {
  return isContract(schema) && typeof (schema as Partial<QueryCall>).key === 'function'
}

/** Its value is the contract's own, which a Query over it would put together in another way. */
function createCall(contract: SchemaContract): QueryCall {
  const named = new Query(contract)
  // A reader that makes no request is shown the stored data, also when it is Stale.
  return {
    key: (...args: [params?: object]) => named.key(...args),
    schema: contract,
    policy: 'cache-first',
    isQuery: true,
  }
}
