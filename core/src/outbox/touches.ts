import { keyOf } from '../controller/requests.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import { contractOf, plansOf } from '../schema/contract-of.js'

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
  const ofRecord = endpoint.schema === undefined ? [] : plansOf(contractOf(endpoint.schema))
  if (ofRecord.length === 0) {
    // `PATCH /todo/5` and `DELETE /todo/5` are about one thing.
    return [...touched, `address ${keyOf(endpoint, args).replace(/^[A-Z]+ /, '')}`]
  }
  const records = ofRecord.flatMap((plan) => {
    const pk = plan.pkOfArgs(args)
    return pk === undefined ? [] : [`record ${plan.key} ${pk}`]
  })
  return [...touched, ...records]
}
