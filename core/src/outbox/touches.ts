import { keyOf } from '../controller/requests.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import { contractOf } from '../schema/contract-of.js'
import { EntityPlan } from '../schema/entity-plan.js'

/**
 * What a mutation touches, from its arguments alone, so that all tabs agree: its record, and the temporary ids in its arguments.
 * Without a record in its schema its address stands for what it touches.
 */
export function touchesOf(
  endpoint: EndpointLike,
  args: readonly unknown[],
  temporaryIds: ReadonlySet<string>,
): string[] {
  const touched = [...temporaryIds].map((id) => `id ${id}`)
  const ofRecord = endpoint.schema === undefined ? undefined : planOfRecord(contractOf(endpoint.schema))
  if (ofRecord === undefined) {
    // `PATCH /todo/5` and `DELETE /todo/5` are about one thing.
    return [...touched, `address ${keyOf(endpoint, args).replace(/^[A-Z]+ /, '')}`]
  }
  const pk = ofRecord.pkOfArgs(args)
  return pk === undefined ? touched : [...touched, `record ${ofRecord.key} ${pk}`]
}

function planOfRecord(schema: object): EntityPlan | undefined {
  if (schema instanceof EntityPlan) return schema
  const { recordSchema, entity } = schema as { readonly recordSchema?: unknown; readonly entity?: unknown }
  const inner = recordSchema ?? entity
  return inner === undefined ? undefined : planOfRecord(contractOf(inner as never))
}
