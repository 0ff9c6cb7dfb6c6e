import type { EndpointLike } from '../endpoint/endpoint.js'
import { warn } from '../errors.js'
import { Entity } from '../schema/entity.js'
import { EntityPlan } from '../schema/entity-plan.js'
import type { Call } from '../store/call.js'
import { RecordNode } from '../store/records.js'
import { collectOwn, noResult } from '../store/results.js'
import type { OwnRecord } from '../store/results.js'
import { neverWritten } from '../store/stamp.js'
import { getOrMake } from '../util/get-or-make.js'
import { nameOf } from './requests.js'

/** `true` if the class says itself what a record needs. */
function hasValidate({ entity: { validate } }: EntityPlan): boolean {
  return validate !== undefined && validate !== Entity.validate
}

const declared = new WeakMap<EntityPlan, readonly string[]>()

/** The names of the fields that have a default, and so are declared. */
function declaredNamesOf(plan: EntityPlan): readonly string[] {
  const fieldsOf = () =>
    Object.entries(plan.create()).filter(([name, value]) => value !== undefined && !plan.computes(name))
  return getOrMake(declared, plan, () => fieldsOf().map(([name]) => name))
}

/** What the calls of a Controller keep for it. */
interface NotedSummaries {
  summaries: Set<EntityPlan> | undefined
}

/**
 * Warns, once for each class, if a reader that fetches was answered by a record that lacks fields of its class: a list may have brought
 * a summary, and no request will bring the rest. A class with a `validate` has said what it needs. Development only.
 */
export function noteSummary(
  calls: NotedSummaries,
  endpoint: Partial<EndpointLike>,
  call: Call | undefined,
): void {
  if (call?.result !== noResult || call.isQuery || call.schema === undefined || call.fetching) return
  if (!call.snapshot().isReadable) return
  const records: OwnRecord[] = []
  collectOwn(call.schema, call.inferred, records)
  for (const { schema: plan, node } of records) {
    if (!(plan instanceof EntityPlan) || hasValidate(plan) || calls.summaries?.has(plan) === true) continue
    const { fields } = node
    // What a mutation under way creates was not received yet, and what it deletes is shown a moment longer.
    if (!(node instanceof RecordNode) || node.stamp === neverWritten || fields === undefined) continue
    const missing = declaredNamesOf(plan).filter((name) => fields[name] === undefined)
    if (missing.length === 0) continue
    ;(calls.summaries ??= new Set()).add(plan)
    const names = missing.map((name) => `"${name}"`).join(', ')
    warn(
      `${nameOf(endpoint as EndpointLike, call.key)} sent no request: the ${plan.key} was in the cache, without ${names}, so it shows the ${missing.length === 1 ? 'default' : 'defaults'} of the class. If a list brings summaries, let \`static validate\` of ${plan.key} refuse a record without what the detail needs: then the detail is fetched. If the server leaves ${missing.length === 1 ? 'it' : 'these'} out of every response, let it return undefined. https://github.com/selfsame-data/selfsame/blob/main/docs/data-model.md#summaries-and-full-records`,
    )
  }
}
