import { Reference } from '../normalize/reference.js'
import { isPair, recordOf } from '../schema/members-schema.js'
import { RecordNode } from './records.js'
import { isPlainObject } from '../util/plain.js'

/** The records of a mutation's response: one, a list, or a map. A pair of attribute and record is one record. */
export function toRecords(changed: unknown): readonly unknown[] {
  if (isPlainObject(changed)) return Object.values(changed)
  return Array.isArray(changed) && !isPair(changed) ? changed : [changed]
}

/** The members of a list or a map. */
export function membersOf(members: unknown): readonly unknown[] {
  return Array.isArray(members) ? members : isPlainObject(members) ? Object.values(members) : []
}

/**
 * Removes duplicate records from a list that a user's function returned. If a record was added again, the added one
 * stays.
 *
 * @param before - the list that the function received
 */
export function withoutRepeated(members: unknown, before: unknown): unknown {
  if (!Array.isArray(members)) return members
  const records = members.map(recordOf)
  if (new Set(records).size === records.length) return members
  const known = Array.isArray(before) ? before.map(recordOf) : []
  let next = 0
  const kept = new Map<unknown, { readonly index: number; readonly isAdded: boolean }>()
  for (const [index, record] of records.entries()) {
    // Old members come in their old order; all others were added.
    const isAdded = known[next] !== record
    if (!isAdded) next++
    const other = kept.get(record)
    if (other === undefined || (isAdded && !other.isAdded)) kept.set(record, { index, isAdded })
  }
  return members.filter(
    (_, index) => !(records[index] instanceof Reference) || kept.get(records[index])?.index === index,
  )
}

/** True if a list or a map of a Collection holds a record. */
export function holds(members: unknown, record: unknown): boolean {
  return membersOf(members).some((member) => recordOf(member) === record)
}

/** False for a deleted record, or one that was only referred to. */
export function isThere(member: unknown): boolean {
  const record = recordOf(member)
  return !(record instanceof RecordNode) || record.fields !== undefined
}
