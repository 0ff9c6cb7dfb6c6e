import type { EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import type { RowUpdate } from '../store/layered-updates.js'
import type { Store } from '../store/store.js'
import type { Transaction } from '../store/transaction.js'
import { copyPlain, isPlainObject } from '../util/plain.js'

/**
 * What a mutation's `update` does to what other calls show.
 *
 * @param value - what the mutation gives, or is expected to give
 * @throws {SelfsameError} `value-unusable` for an update that is no function; what `update` throws
 * @see specification 4.5
 */
export function updatesOf(
  store: Store,
  endpoint: EndpointLike,
  value: unknown,
  args: readonly unknown[],
): RowUpdate[] {
  const updates: unknown = endpoint.update?.(value, ...args)
  if (updates === undefined) return []
  if (!isPlainObject(updates))
    throw errors.updateUnusable(endpoint.name, 'it returned no object of functions')
  return Object.entries(updates).flatMap(([key, update]) => {
    if (typeof update !== 'function') throw errors.updateUnusable(endpoint.name, `"${key}" is no function`)
    return (store.results.get(key) ?? []).map((row) => ({
      row,
      name: `The update of ${key} by ${endpoint.name}`,
      update: (shown: unknown) => {
        const data: unknown = (update as (data: unknown) => unknown)(shown)
        if (data === undefined || (data === null && row.schema !== undefined)) {
          throw errors.updateUnusable(endpoint.name, `"${key}" returned ${String(data)}`)
        }
        return data
      },
    }))
  })
}

/**
 * Replaces the data of the calls that a mutation's `update` names, by what it makes of what was received for them. All
 * data is read and computed first, then taken apart, then put in place: what fails changes nothing.
 *
 * @param value - what the mutation gives
 * @throws what `updatesOf` throws, and what an update throws; {SelfsameError} `value-unusable` for one that returns
 *   nothing
 */
export function updateCalls(
  store: Store,
  transaction: Transaction,
  endpoint: EndpointLike,
  value: unknown,
  args: readonly unknown[],
): void {
  const updated = updatesOf(store, endpoint, value, args).flatMap(({ row, name, update }) => {
    // What other mutations are expected to do is not made lasting by this one.
    const received = store.layers.receivedData(row)
    const data = received === undefined ? undefined : update(received)
    return data === received ? [] : [{ row, name, data }]
  })
  transaction.beginUpdates()
  const results = updated.map(({ row, name, data }) =>
    row.schema === undefined
      ? copyPlain(data)
      : transaction.ingest(row.schema, data, { args: row.args, call: row.key, name, isOwned: false }),
  )
  for (const [index, { row }] of updated.entries()) transaction.replaceResult(row, results[index])
}
