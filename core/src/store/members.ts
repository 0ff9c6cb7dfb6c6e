import { Reference } from './reference.js'
import { isPlainObject } from '../util/plain.js'

/** The records of a mutation's answer: one, many, or many by key. A pair of attribute and record is one. */
export function toRecords(changed: unknown): readonly unknown[] {
  if (isPlainObject(changed)) return Object.values(changed)
  return Array.isArray(changed) && !isPair(changed) ? changed : [changed]
}

/** The members of a list or a map. */
export function membersOf(members: unknown): readonly unknown[] {
  return Array.isArray(members) ? members : isPlainObject(members) ? Object.values(members) : []
}

/** The record of a member, which in a polymorphic list is a pair of attribute and record. */
export function recordOf(member: unknown): unknown {
  return Array.isArray(member) && isPair(member) ? member[1] : member
}

/**
 * A list in which no record stands twice, after it was changed by a function. Of a record that was added again, only
 * what was added stays.
 *
 * @param before - the list that the function was given
 */
export function withoutRepeated(members: unknown, before: unknown): unknown {
  if (!Array.isArray(members)) return members
  const records = members.map(recordOf)
  const isRepeated = (record: unknown) =>
    record instanceof Reference && records.indexOf(record) !== records.lastIndexOf(record)
  if (new Set(records).size === records.length || !records.some(isRepeated)) return members
  const known = Array.isArray(before) ? before.map(recordOf) : []
  let next = 0
  // What stood there already comes in its old order; all else was added.
  const isAdded = records.map((record) => known[next] !== record || next++ < 0)
  const taken = new Set<unknown>()
  return members.filter((_, index) => {
    const record = records[index]
    if (!isRepeated(record)) return true
    const hasAdded = records.some((other, at) => other === record && isAdded[at] === true)
    if (taken.has(record) || (hasAdded && isAdded[index] !== true)) return false
    taken.add(record)
    return true
  })
}

function isPair(value: readonly unknown[]): boolean {
  return value.length === 2 && (value[0] === null || typeof value[0] === 'string')
}

/** Whether a list or a map of a Collection holds a record. */
export function holds(members: unknown, record: unknown): boolean {
  return membersOf(members).some((member) => recordOf(member) === record)
}
