import type { Commit } from '../changes/commit.js'
import { idOf } from '../controller/known-endpoints.js'
import type { Action } from '../controller/middleware.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import { contractOf, namedRecords } from '../schema/contract-of.js'
import { DeleteSchema } from '../schema/delete.js'
import { isEntityClass } from '../schema/schema.js'
import type { Schema } from '../schema/schema.js'
import { toPlainError } from '../store/hydration/dehydrate.js'
import type { Told, ToldRecord } from './message.js'
import { toldNameOf } from './recent.js'

/** The actions that change received data. */
export type DataAction = Extract<Action, { type: 'response' | 'setResponse' | 'setError' | 'set' }>

export function isDataAction(cause: Commit['causes'][number]): cause is DataAction {
  const { type } = cause
  return type === 'response' || type === 'setResponse' || type === 'setError' || type === 'set'
}

/** An action as the channel carries it; `undefined` for a `set` of a function, or of another schema than a class. */
export function toldOf(action: DataAction): Told | undefined {
  const { args } = action
  if (action.type !== 'set') {
    const { key } = action
    const endpoint = idOf(action.endpoint as EndpointLike)
    if (action.type === 'setError')
      return { type: 'error', endpoint, args, key, error: toPlainError(action.error) }
    return { type: 'response', endpoint, args, key, response: action.response }
  }
  const { schema, value } = action
  const isDelete = schema instanceof DeleteSchema
  const entity: unknown = isDelete ? schema.entity : schema
  if (typeof value === 'function' || !isEntityClass(entity)) return undefined
  return { type: 'set', entity: entity.key, isDelete, args, value }
}

/**
 * What a function made of a record: the fields that it changed, of the record and of those in it.
 *
 * @param isAlone - `false` if something else changed records in the same commit: then it is the named record alone
 */
export function toldOfUpdate(
  action: DataAction,
  { records }: Commit['received'],
  isAlone: boolean,
): Told | undefined {
  if (action.type !== 'set' || !isEntityClass(action.schema) || typeof action.value !== 'function')
    return undefined
  const [named] = namedBy(action)
  const changed = records.filter(({ key, pk }) => isAlone || toldNameOf.record(key, pk) === named)
  return { type: 'records', records: changed.map(toldRecord) }
}

function toldRecord({ key, pk, before, after }: Commit['received']['records'][number]): ToldRecord {
  const known = before?.fields ?? {}
  const changed = Object.entries(after?.fields ?? {}).filter(([name, value]) => value !== known[name])
  const fields = changed.filter(([, value]) => !holdsList(value))
  return { entity: key, pk, fields: Object.fromEntries(fields), hasMore: fields.length < changed.length }
}

/** `true` for a reference to a list, which is told as `{ list }`, and for what holds one. */
function holdsList(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { list, ...others } = value as { readonly list?: unknown }
  if (typeof list === 'string' && Object.keys(others).length === 0) return true
  return Object.values(value).some(holdsList)
}

/** The records that the arguments name: an answer that says what was known changes nothing. */
export function namedBy(action: DataAction | Extract<Action, { type: 'error' }>): string[] {
  const schema = action.type === 'set' ? action.schema : action.endpoint.schema
  const named = schema === undefined ? [] : namedRecords(contractOf(schema as Schema), action.args)
  return named.map(({ plan, pk }) => toldNameOf.record(plan.key, pk))
}

/** The call that was answered. */
export function answeredBy(action: DataAction): string[] {
  const isRead = action.type !== 'set' && (action.endpoint as { sideEffect?: unknown }).sideEffect !== true
  return isRead ? [toldNameOf.call(action.key)] : []
}

export function touchedBy({ records, lists, calls }: Commit['received']): string[] {
  return [
    ...records.map(({ key, pk }) => toldNameOf.record(key, pk)),
    ...lists.map(({ key, args, call }) => toldNameOf.list(key, args, call)),
    ...calls.map(({ key }) => toldNameOf.call(key)),
  ]
}
