import type { CacheSnapshot } from '../endpoint/endpoint.js'
import type { OptimisticMembers } from '../rest/rest-types.js'
import { planOf } from '../schema/entity-plan.js'
import { isEntityClass } from '../schema/schema.js'
import type { Schema } from '../schema/schema.js'
import { isPlainObject, setOwn } from '../util/plain.js'
import { toResponse } from './show-early.js'

/**
 * Expects that the server does what it is asked for.
 *
 * A record that is created has a temporary `id` until the response is there; where the class has another primary key,
 * the body has to hold it, or nothing is shown early. Fields are changed early only of a record that is known.
 *
 * Of a form its texts are expected.
 *
 * @param schema - what one record looks like; only an Entity class can be expected
 */
export function membersOf(schema: Schema): OptimisticMembers {
  if (!isEntityClass(schema)) return { create: {}, update: {}, partialUpdate: {}, delete: {} }
  const plan = planOf(schema)
  const hasPk = (record: object) => plan.pkOf(record, undefined, undefined, []) !== undefined
  const change = toResponse((snapshot: CacheSnapshot, params: unknown, sent: unknown) => {
    const body = fieldsOf(sent)
    if (!isPlainObject(params) || !isPlainObject(body)) return undefined
    return snapshot.get(schema, params as never) === undefined ? undefined : { ...params, ...body }
  })
  return {
    create: {
      getOptimisticResponse: toResponse(({ temporaryId }, ...args: readonly unknown[]) => {
        const body = fieldsOf(args.at(-1))
        if (!isPlainObject(body)) return undefined
        const record = hasPk(body) ? body : { ...body, id: temporaryId }
        return hasPk(record) ? record : undefined
      }),
    },
    update: { getOptimisticResponse: change },
    partialUpdate: { getOptimisticResponse: change },
    delete: { getOptimisticResponse: toResponse((_snapshot, params: unknown) => params) },
  }
}

/** The fields of a body; of a form its texts, because a server does not answer with the file that it was sent. */
function fieldsOf(body: unknown): unknown {
  if (!(body instanceof FormData || body instanceof URLSearchParams)) return body
  const fields: Record<string, unknown> = {}
  for (const name of new Set(body.keys())) {
    const texts = body.getAll(name).filter((value) => typeof value === 'string')
    if (texts.length > 0) setOwn(fields, name, texts.length > 1 ? texts : texts[0])
  }
  return fields
}
