import { development } from '#development'
import { keyed } from '../endpoint/endpoint.js'
import type { EndpointLike, KeyedCall } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { contractOf, innerOf } from '../schema/contract-of.js'
import { EntityPlan, planOf } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import type { SchemaContract } from '../schema/schema.js'
import { Call } from '../store/call.js'
import { RecordNode } from '../store/records.js'
import { noResult } from '../store/results.js'
import type { Store } from '../store/store.js'
import type { ShownRecords, Transaction } from '../store/transaction.js'
import { getOrMake } from '../util/get-or-make.js'
import { copyPlain, isPlainObject } from '../util/plain.js'

/** The store, or its state below optimistic responses. */
export type ReadSource = ShownRecords & Pick<Store, 'readOnce' | 'lookUp'>

/** The data that an update may read. */
export interface UpdateSource extends ReadSource {
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
 *   resource outside the store must not be shown in two forms
 * @throws {SelfsameError} `value-unusable` if an update returns nothing; errors of an update
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
  const named = new Map<string, KeyedCall>()
  const { calls } = keyed
  keyed.calls = named
  let updates: ReturnType<NonNullable<EndpointLike['update']>> | undefined
  try {
    updates = endpoint.update?.(value, ...args)
  } finally {
    keyed.calls = calls
  }
  if (updates === undefined) return
  if (development) requireFunctions(name, updates)
  const updated = Object.entries(updates).flatMap(([key, update]) => {
    const known: readonly (Call | UnreadCall)[] = source.calls(key)
    const targets = known.length > 0 ? known : unreadCall(key, named.get(key))
    return targets.flatMap((call) => {
      const found = isExpected && call.dispose !== undefined ? undefined : read(source, call)
      if (found?.shown === undefined) return []
      const { shown, of = call, fields } = found
      const data = update(shown)
      if (data === undefined || (data === null && call.schema !== undefined))
        throw errors.updateUnusable(name, development ? `"${key}" returned ${String(data)}` : key)
      if (data === shown) return []
      // A field that was not received has a default, of which nothing can be computed.
      const isReceived = ([field]: readonly [string, unknown]) =>
        fields === undefined || Object.hasOwn(fields, field)
      return [
        {
          call: of,
          data: fields ? Object.fromEntries(Object.entries(data as object).filter(isReceived)) : data,
        },
      ]
    })
  })
  transaction.beginUpdates(source)
  const results = updated.map(({ call, data }) => {
    const { schema, key } = call
    if (schema === undefined) return [call, copyPlain(data)] as const
    const from = `The update of ${key} by ${name}`
    // The data that it received may lack a deleted record.
    const origin = { args: call.args, call: key, name: from, isOwned: false, isPartial: true }
    return [call, transaction.ingest(schema, data, origin)] as const
  })
  for (const [call, result] of results) if (call instanceof Call) transaction.replaceResult(call, result)
}

/** Classes without their `validate`: a record that it refuses is shown by lists of summaries, and changes there. */
const accepting = new WeakMap<EntityPlan, EntityPlan>()

/** A call that nobody has read: a list may have brought its record. */
type UnreadCall = Pick<Call, 'args' | 'key' | 'dispose'> & { readonly schema: SchemaContract }

function unreadCall(key: string, named: KeyedCall | undefined): readonly UnreadCall[] {
  const { args = [], endpoint } = named ?? {}
  const schema = endpoint?.schema && contractOf(endpoint.schema)
  return schema === undefined || schema.needsAnswer === true
    ? []
    : [{ key, args, schema, dispose: undefined }]
}

/** What an update receives. */
interface UpdateInput {
  readonly shown: unknown
  /** In place of the call, if its class refuses the record, as a summary that a list has brought. */
  readonly of?: UnreadCall
  /** The fields of such a record. */
  readonly fields?: Fields | undefined
}

function read(source: UpdateSource, call: Call | UnreadCall): UpdateInput | undefined {
  const { key, args, schema, dispose } = call
  const inner = schema && innerOf(schema)
  const isCall = call instanceof Call
  const shown = isCall ? source.readCall(call) : source.readOnce(inner as SchemaContract, noResult, args)
  const isUnread = !isCall || (call.result === noResult && !call.state.isInvalidated)
  if (shown !== undefined || !isUnread || !(inner instanceof EntityPlan)) return { shown }
  const plan = getOrMake(accepting, inner, () => {
    const { entity } = inner
    return planOf(
      class extends entity {
        static override key = entity.key
        static override validate = undefined
      },
    )
  })
  const record = source.lookUp(plan, args)
  return {
    shown: source.readOnce(plan, noResult, args),
    of: { key, args, schema: plan, dispose },
    // Of a record that is being made, the defaults are what is expected.
    fields: record instanceof RecordNode && record.stamp.sequence > 0 ? record.fields : undefined,
  }
}

/** @throws {SelfsameError} `value-unusable` */
function requireFunctions(name: string, updates: unknown): void {
  if (!isPlainObject(updates)) throw errors.updateUnusable(name, 'it did not return an object of functions')
  for (const [key, update] of Object.entries(updates))
    if (typeof update !== 'function') throw errors.updateUnusable(name, `"${key}" is not a function`)
}
