import { keyOf } from '../controller/requests.js'
import { prefixOf } from '../controller/known-endpoints.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import { contractOf, namedRecords, plansOf } from '../schema/contract-of.js'

/**
 * What a mutation touches, from its arguments alone, so that all tabs agree: its records, and the temporary ids in its arguments.
 * Without a record in its schema, or of a list without names, its address stands for what it touches.
 */
export function touchesOf(
  endpoint: EndpointLike,
  args: readonly unknown[],
  temporaryIds: ReadonlySet<string>,
): string[] {
  const touched = [...temporaryIds].map((id) => `id ${id}`)
  const schema = endpoint.schema === undefined ? undefined : contractOf(endpoint.schema)
  const named = schema === undefined ? [] : namedRecords(schema, args)
  if (named.length === 0 && (schema === undefined || plansOf(schema).length === 0)) {
    // `PATCH /todo/5` and `DELETE /todo/5` are about one thing.
    const address = keyOf(endpoint, args).replace(/^[A-Z]+ /, '')
    // The API may have moved meanwhile.
    return [...touched, `address ${address.replace(prefixOf(endpoint), '')}`]
  }
  return [...touched, ...named.map(({ plan, pk }) => `record ${plan.key} ${pk}`)]
}
