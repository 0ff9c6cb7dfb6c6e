import { isPlainObject } from '../util/plain.js'

/** The records of a mutation's answer: one, many, or many by key. A pair of attribute and record is one. */
export function toRecords(changed: unknown): readonly unknown[] {
  if (isPlainObject(changed)) return Object.values(changed)
  return Array.isArray(changed) && !isPair(changed) ? changed : [changed]
}

/** The record of a member, which in a polymorphic list is a pair of attribute and record. */
export function recordOf(member: unknown): unknown {
  return Array.isArray(member) && isPair(member) ? member[1] : member
}

function isPair(value: readonly unknown[]): boolean {
  return value.length === 2 && (value[0] === null || typeof value[0] === 'string')
}
