import { recordOf } from '../store/members.js'
import { Reference } from '../store/reference.js'
import type { CollectionNode, MutationChange } from './list-table.js'

/**
 * The members of a list after a mutation. What is added stands before what mutations added that started later, though
 * they were answered earlier: so a temporary record is replaced where it stands (specification F7).
 *
 * @param start - where the mutation started
 */
export function changedList(
  node: CollectionNode,
  members: unknown,
  change: MutationChange,
  start: number,
): unknown {
  const { table, joined } = node
  const isJoining = change.kind === 'push' || change.kind === 'unshift'
  if (joined === undefined || !isJoining || !Array.isArray(members))
    return table.changed(node, members, change)
  const isLater = (member: unknown) => (joined.get(recordOf(member)) ?? 0) > start
  const later = members.filter(isLater)
  if (later.length === 0) return table.changed(node, members, change)
  const rest = members.filter((member) => !isLater(member))
  const laterRecords = new Set(later.map(recordOf))
  // A push message may have brought the record before the mutation that made it was answered.
  const changed = (table.changed(node, rest, change) as readonly unknown[]).filter(
    (member) => !laterRecords.has(recordOf(member)),
  )
  if (changed.length === rest.length) return members
  return change.kind === 'unshift' ? [...later, ...changed] : [...changed, ...later]
}

/** Remembers what a mutation added to a list, where one that started earlier may add something still. */
export function noteJoined(node: CollectionNode, before: unknown, after: unknown, start: number): void {
  if (!Array.isArray(before) || !Array.isArray(after)) return
  const known = new Set<unknown>(before.map(recordOf))
  const joined = new Map<unknown, number>()
  for (const record of after.map(recordOf)) {
    const place = known.has(record) ? node.joined?.get(record) : start
    if (place !== undefined && record instanceof Reference) joined.set(record, place)
  }
  node.joined = joined
}
