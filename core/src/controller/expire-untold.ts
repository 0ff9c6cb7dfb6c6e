import type { EndpointLike } from '../endpoint/endpoint.js'
import { contractOf } from '../schema/contract-of.js'
import { callsOf } from './calls.js'
import type { Controller } from './controller.js'

/**
 * Makes Stale what a mutation may have changed, if its response did not tell: the record that its arguments name, what shows it,
 * and its lists. Readers on screen do not fetch at once, but at the next check.
 *
 * @see specification G4
 */
export function expireUntold(
  controller: Controller,
  { endpoint, args }: { readonly endpoint: EndpointLike; readonly args: readonly unknown[] },
): void {
  const { schema } = endpoint
  if (schema === undefined) return
  callsOf(controller).write(endpoint, (transaction) =>
    transaction.expireRecordAndLists(contractOf(schema), args, true),
  )
}
