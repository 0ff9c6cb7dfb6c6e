import type { EndpointLike } from '../endpoint/endpoint.js'
import { errors } from '../errors.js'
import type { ResultNode } from '../store/results.js'
import type { Store } from '../store/store.js'
import type { Transaction } from '../store/transaction.js'
import { copyPlain, isPlainObject } from '../util/plain.js'

interface Updated {
  readonly row: ResultNode
  readonly name: string
  readonly data: unknown
}

/**
 * Replaces the data of the calls that a mutation's `update` names, by what it makes of what readers see. All data is
 * read and computed first, then taken apart, then put in place: what fails changes nothing.
 *
 * @param value - what the mutation gives
 * @throws {SelfsameError} `value-unusable` for an update that is no function or returns nothing; what an update throws
 * @see specification 4.5
 */
export function updateCalls(
  store: Store,
  transaction: Transaction,
  endpoint: EndpointLike,
  value: unknown,
  args: readonly unknown[],
): void {
  const updates: unknown = endpoint.update?.(value, ...args)
  if (updates === undefined) return
  if (!isPlainObject(updates))
    throw errors.updateUnusable(endpoint.name, 'it returned no object of functions')
  const updated: Updated[] = []
  for (const [key, update] of Object.entries(updates)) {
    const name = `The update of ${key} by ${endpoint.name}`
    if (typeof update !== 'function') throw errors.updateUnusable(endpoint.name, `"${key}" is no function`)
    for (const row of store.results.get(key) ?? []) {
      const { data: shown, isReadable } = row.snapshot(store.graph)
      if (!isReadable) continue
      const data: unknown = (update as (data: unknown) => unknown)(shown)
      if (data === undefined || (data === null && row.schema !== undefined)) {
        throw errors.updateUnusable(endpoint.name, `"${key}" returned ${String(data)}`)
      }
      if (data !== shown) updated.push({ row, name, data })
    }
  }
  transaction.beginUpdates()
  const results = updated.map(({ row, name, data }) =>
    row.schema === undefined
      ? copyPlain(data)
      : transaction.ingest(row.schema, data, { args: row.args, name, isOwned: false }),
  )
  for (const [index, { row }] of updated.entries()) transaction.replaceResult(row, results[index])
}
