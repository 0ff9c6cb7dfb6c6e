import { development } from '#development'
import type { EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import type { Call } from '../store/call.js'
import type { ShownRecords, Transaction } from '../store/transaction.js'
import { copyPlain, isPlainObject } from '../util/plain.js'

/** The data that an update may read. */
export interface UpdateSource extends ShownRecords {
  /** The calls of a key. */
  calls(key: string): readonly Call[]
  /** Returns the data of a call; `undefined` without data. */
  readCall(call: Call): unknown
}

/**
 * Replaces the data of the calls that a mutation's `update` names. Reads and computes all data, then normalizes it,
 * then stores it, so that an error changes nothing.
 *
 * @param source - the data without the optimistic responses of other mutations, which this one must not make permanent
 * @param value - the value of the mutation, or of its optimistic response
 * @param isExpected - `true` for an optimistic response: then calls with a `dispose` are not updated, because a
 *   resource outside of the store must not be shown in two forms
 * @throws {SelfsameError} `value-unusable` if an update is not a function or returns nothing; errors of an update
 * @see specification 4.5
 */
export function updateCalls(
  source: UpdateSource,
  transaction: Transaction,
  endpoint: EndpointLike,
  value: unknown,
  args: readonly unknown[],
  isExpected: boolean,
): void {
  const { name } = endpoint
  const updates: unknown = endpoint.update?.(value, ...args)
  if (updates === undefined) return
  if (!isPlainObject(updates))
    throw errors.updateUnusable(name, development ? 'it did not return an object of functions' : '')
  const updated = Object.entries(updates).flatMap(([key, update]) => {
    if (typeof update !== 'function')
      throw errors.updateUnusable(name, development ? `"${key}" is not a function` : key)
    return source.calls(key).flatMap((call) => {
      const shown = isExpected && call.dispose !== undefined ? undefined : source.readCall(call)
      if (shown === undefined) return []
      const data: unknown = (update as (data: unknown) => unknown)(shown)
      if (data === undefined || (data === null && call.schema !== undefined))
        throw errors.updateUnusable(name, development ? `"${key}" returned ${String(data)}` : key)
      return data === shown ? [] : [{ call, key, data }]
    })
  })
  transaction.beginUpdates(source)
  const results = updated.map(({ call, key, data }) =>
    call.schema === undefined
      ? copyPlain(data)
      : transaction.ingest(call.schema, data, {
          args: call.args,
          call: call.key,
          name: `The update of ${key} by ${name}`,
          isOwned: false,
        }),
  )
  for (const [index, { call }] of updated.entries()) transaction.replaceResult(call, results[index])
}
