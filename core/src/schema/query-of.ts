import type { ExpiryPolicy } from './expiry-policy.js'
import { Query } from './query.js'
import { queryableContract } from './queryable.js'
import { isContract } from './schema.js'
import type {
  EntityClass,
  Literal,
  ObjectShorthand,
  QueryDelegate,
  Schema,
  SchemaContract,
} from './schema.js'
import { getOrMake } from '../util/get-or-make.js'

/** A schema that can be read by arguments alone: a Query, an Entity class, All, a Collection, a Union, an object of such. */
export type Queryable =
  | (SchemaContract & { queryKey(args: readonly unknown[], delegate: QueryDelegate): unknown })
  | EntityClass<{ pk(...args: never): unknown }>
  | ObjectShorthand

/**
 * `unknown` for a schema whose data arguments can find. For another schema, and for an endpoint, a type that nothing has: its name
 * says how to read the data.
 */
export type QueryableOnly<S> = [Misfit<S>] extends [never]
  ? unknown
  : [Schema] extends [S]
    ? unknown
    : Misfit<S>

/** `unknown` for anything but an endpoint. */
export type NoEndpoint<Given> = Given extends PromiseMaker ? ReadTheEndpointByUseCache : unknown

type PromiseMaker = (...args: never) => Promise<unknown>

// A Query comes first, as the most common of them.
type Misfit<S> =
  S extends Query<infer Inner, infer _Args, infer _Value>
    ? Misfit<Inner>
    : S extends
          | { queryKey(...args: never): unknown }
          | (abstract new (...args: never) => { pk(...args: never): unknown })
      ? never
      : S extends PromiseMaker
        ? ReadTheEndpointByUseCache
        : S extends SchemaContract
          ? [SchemaContract] extends [S]
            ? never
            : ReadItByAnEndpoint
          : S extends readonly unknown[] | ((...args: never) => unknown)
            ? ReadItByAnEndpoint
            : {
                [Field in keyof S]: S[Field] extends Literal | readonly Literal[] ? never : Misfit<S[Field]>
              }[keyof S]

/** Refuses an endpoint where a schema is expected: `useCache` and `controller.read` take it. */
interface ReadTheEndpointByUseCache {
  readonly isEndpoint: never
}

/** Refuses a schema whose data arguments cannot find, such as `[Todo]`: an endpoint with the schema can be read. */
interface ReadItByAnEndpoint {
  readonly isFoundByArguments: never
}

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
  const contract = queryableContract(schema)
  return getOrMake(calls, contract, () => createCall(contract))
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
