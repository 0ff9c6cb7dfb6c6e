import type { CacheSnapshot } from '../endpoint/endpoint.js'
import { planOf } from '../schema/entity-plan.js'
import { isEntityClass } from '../schema/schema.js'
import type { Schema } from '../schema/schema.js'
import { isPlainObject } from '../util/plain.js'
import type { RestOptions } from './rest-types.js'

type Expectation = Pick<RestOptions, 'getOptimisticResponse'>

/** What the mutations of a resource are expected to be answered with: what they are sent with. */
export interface OptimisticMembers {
  readonly create: Expectation
  readonly update: Expectation
  readonly partialUpdate: Expectation
  readonly delete: Expectation
}

/**
 * Expects that the server does what it is asked for.
 *
 * A record that is created has a temporary `id` until the answer is there; where the class has another primary key,
 * the body has to hold it, or nothing is shown early. Fields are changed early only of a record that is known.
 *
 * @param schema - what one record looks like; only an Entity class can be expected
 * @param name - begins temporary ids
 */
export function optimisticMembers(schema: Schema, name: string): OptimisticMembers {
  if (!isEntityClass(schema)) return { create: {}, update: {}, partialUpdate: {}, delete: {} }
  let created = 0
  const plan = planOf(schema)
  const hasPk = (record: object) => plan.pkOf(record, undefined, undefined, []) !== undefined
  const change = (snapshot: CacheSnapshot, params: unknown, body: unknown) => {
    if (!isPlainObject(params) || !isPlainObject(body)) return undefined
    return snapshot.get(schema, params as never) === undefined ? undefined : { ...params, ...body }
  }
  return {
    create: {
      getOptimisticResponse(_snapshot: CacheSnapshot, ...args: readonly unknown[]) {
        const body = args.at(-1)
        if (!isPlainObject(body)) return undefined
        const record = hasPk(body) ? body : { ...body, id: `new ${name} ${++created}` }
        return hasPk(record) ? record : undefined
      },
    },
    update: { getOptimisticResponse: change },
    partialUpdate: { getOptimisticResponse: change },
    delete: { getOptimisticResponse: (_snapshot: CacheSnapshot, params: unknown) => params },
  }
}
