import { development } from '#development'
import type { EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import type { Call } from '../store/call.js'
import type { ShownRecords, Transaction } from '../store/transaction.js'
import { copyPlain, isPlainObject } from '../util/plain.js'

/** What an update may read. */
export interface UpdateSource extends ShownRecords {
  /** The calls of a key. */
  calls(key: string): readonly Call[]
  /** What a call shows; `undefined` for nothing. */
  readCall(call: Call): unknown
}

/** What a mutation's `update` does to what a call shows. */
interface CallUpdate {
  readonly call: Call
  /** In the words of a message. */
  readonly name: string
  readonly update: (data: unknown) => unknown
}

/** @throws {SelfsameError} `value-unusable` for an update that is no function; what `update` throws */
function updatesOf(
  source: UpdateSource,
  endpoint: EndpointLike,
  value: unknown,
  args: readonly unknown[],
): CallUpdate[] {
  const updates: unknown = endpoint.update?.(value, ...args)
  if (updates === undefined) return []
  if (!isPlainObject(updates))
    throw errors.updateUnusable(endpoint.name, development ? 'it returned no object of functions' : '')
  return Object.entries(updates).flatMap(([key, update]) => {
    if (typeof update !== 'function')
      throw errors.updateUnusable(endpoint.name, development ? `"${key}" is no function` : key)
    return source.calls(key).map((call) => ({
      call,
      name: `The update of ${key} by ${endpoint.name}`,
      update: (shown: unknown) => {
        const data: unknown = (update as (data: unknown) => unknown)(shown)
        if (data === undefined || (data === null && call.schema !== undefined)) {
          throw errors.updateUnusable(endpoint.name, development ? `"${key}" returned ${String(data)}` : key)
        }
        return data
      },
    }))
  })
}

/**
 * Replaces the data of the calls that a mutation's `update` names. All data is read and computed first, then taken apart,
 * then put in place: what fails changes nothing.
 *
 * @param source - what is there, without what other mutations are expected to do: this one does not make that lasting
 * @param value - what the mutation gives, or is expected to give
 * @param isExpected - what holds something outside of the store is not shown in two forms at once
 * @throws {SelfsameError} `value-unusable` for an update that is no function or returns nothing; what an update throws
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
  const updated = updatesOf(source, endpoint, value, args).flatMap(({ call, name, update }) => {
    if (isExpected && call.dispose !== undefined) return []
    const shown = source.readCall(call)
    const data = shown === undefined ? undefined : update(shown)
    return data === shown ? [] : [{ call, name, data }]
  })
  transaction.beginUpdates(source)
  const results = updated.map(({ call, name, data }) =>
    call.schema === undefined
      ? copyPlain(data)
      : transaction.ingest(call.schema, data, { args: call.args, call: call.key, name, isOwned: false }),
  )
  for (const [index, { call }] of updated.entries()) transaction.replaceResult(call, results[index])
}
