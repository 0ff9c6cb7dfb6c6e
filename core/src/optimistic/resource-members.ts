import type { CacheSnapshot, EndpointLike } from '../endpoint/endpoint.js'
import type { OptimisticMembers } from '../rest/rest-types.js'
import { contractOf, plansOf } from '../schema/contract-of.js'
import { planOf } from '../schema/entity-plan.js'
import type { EntityPlan } from '../schema/entity-plan.js'
import { ObjectSchema } from '../schema/object.js'
import { isEntityClass } from '../schema/schema.js'
import type { Schema } from '../schema/schema.js'
import { isPlainObject, setOwn } from '../util/plain.js'
import { toResponse } from './show-early.js'
import type { RecordSnapshot } from './show-early.js'

/**
 * Expects that the server does what each mutation asks for.
 *
 * A created record has a temporary `id` until the response. If its primary key is another field, the body must
 * contain it; otherwise nothing is shown early. Updates are shown early only for known records, which may be summaries, and
 * not if they change the primary key.
 *
 * Of a form, the string fields are expected.
 *
 * @param schema - the schema of one record; only an Entity class has expectations
 */
export function optimisticMembersOf(schema: Schema): OptimisticMembers {
  if (!isEntityClass(schema)) return { create: {}, update: {}, partialUpdate: {}, delete: {} }
  const plan = planOf(schema)
  const hasPk = (record: object) => plan.pkOf(record, undefined, undefined, []) !== undefined
  const change = toResponse(function (
    this: unknown,
    snapshot: CacheSnapshot,
    params: unknown,
    sent: unknown,
  ) {
    const body = fieldsOfBody(sent)
    if (!isPlainObject(params) || !isPlainObject(body)) return undefined
    const record = { ...params, ...body }
    return (snapshot as RecordSnapshot).isKnown(schema, record)
      ? inEnvelope(this as EndpointLike, plan, record)
      : undefined
  })
  return {
    create: {
      getOptimisticResponse: toResponse(function (
        this: unknown,
        { temporaryId },
        ...args: readonly unknown[]
      ) {
        const body = fieldsOfBody(args.at(-1))
        if (!isPlainObject(body)) return undefined
        const record = hasPk(body) ? body : { ...body, id: temporaryId }
        return hasPk(record) ? inEnvelope(this as EndpointLike, plan, record) : undefined
      }),
    },
    update: { getOptimisticResponse: change },
    partialUpdate: { getOptimisticResponse: change },
    delete: { getOptimisticResponse: toResponse((_snapshot, params: unknown) => params) },
  }
}

/** Returns a record in the envelope that the schema of its endpoint describes; `undefined` if that has no place for it. */
function inEnvelope({ schema }: Pick<EndpointLike, 'schema'>, plan: EntityPlan, record: object): unknown {
  const contract = schema && contractOf(schema)
  if (!(contract instanceof ObjectSchema)) return record
  const { nested } = contract
  const isOf = (each: Schema) => plansOf(contractOf(each)).includes(plan)
  // First the fields that are no envelopes: one may hold itself.
  const isAlone = (each: Schema) => !(contractOf(each) instanceof ObjectSchema) && isOf(each)
  const place = nested.find(([, each]) => isAlone(each)) ?? nested.find(([, each]) => isOf(each))
  return place && { [place[0]]: inEnvelope({ schema: place[1] }, plan, record) }
}

/**
 * The fields of a body; of a form only its strings, because a server does not respond with the file that was sent.
 */
function fieldsOfBody(body: unknown): unknown {
  if (!(body instanceof FormData || body instanceof URLSearchParams)) return body
  const fields: Record<string, unknown> = {}
  for (const name of new Set(body.keys())) {
    const texts = body.getAll(name).filter((value) => typeof value === 'string')
    if (texts.length > 0) setOwn(fields, name, texts.length > 1 ? texts : texts[0])
  }
  return fields
}
