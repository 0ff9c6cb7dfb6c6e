import type { CollectionSchema } from '../schema/collection.js'
import type { CollectionChangeKind } from '../schema/delegates.js'
import type { Fields } from '../schema/fields.js'
import { recordOf } from '../schema/members.js'
import { holds } from '../store/members.js'
import type { CollectionNode } from './collection-node.js'

/** A mutation that adds records to lists of a Collection, removes them, or moves them between lists. */
export interface Change {
  /** The Collection of the mutation. */
  readonly collection: CollectionSchema<unknown>
  readonly kind: CollectionChangeKind
  /** The normalized response. */
  readonly members: unknown
  /** The members of the response, in a list. */
  readonly parts: readonly unknown[]
  readonly params: unknown
  /** The fields of the records before the mutation; `undefined` for a record that was not stored. */
  readonly before: FieldsByRecord
  /** The fields of the records after the mutation; `undefined` for a deleted record. */
  readonly after: FieldsByRecord
  /** The position in the store's sequence at which the mutation started. */
  readonly start: number
  /** The position in the store's sequence at which the mutation was answered. */
  readonly settle: number
}

/** Fields by record, with primary keys in place of nested records, for the comparison with arguments. */
export type FieldsByRecord = ReadonlyMap<unknown, Fields | undefined>

/** The effect of a mutation on a list. */
export interface Changed {
  /** The members after the mutation; the same value if nothing changed. */
  readonly members: unknown
  /** The added members; always empty for a map. */
  readonly added: readonly unknown[]
  /** `true` if an argument of the list does not tell whether the record belongs to it. The list becomes Stale. */
  readonly isDoubtful: boolean
}

const none: readonly unknown[] = []

/** Computes the effect of a mutation on a list. @param members - the members before the mutation */
export function changeOf(node: CollectionNode, members: unknown, change: Change): Changed {
  const { collection, isFilter } = node
  if (members === undefined || !isFilter || !collection.isReachedBy(change.collection))
    return { members, added: none, isDoubtful: false }
  let moves: Map<unknown, boolean> | undefined
  let isDoubtful = false
  for (const member of change.parts) {
    const move = moveOf(node, change, recordOf(member))
    if (move === undefined) continue
    const { isJoining, isSure } = move
    if (isSure) (moves ??= new Map()).set(member, isJoining)
    else if (holds(members, recordOf(member)) !== isJoining) isDoubtful = true
  }
  if (moves === undefined) return { members, added: none, isDoubtful }
  const { content } = collection
  if (content.changed === undefined) return { ...changedList(node, members, change, moves), isDoubtful }
  return { members: content.changed(members, change.members, moves), added: none, isDoubtful }
}

/**
 * Computes whether a mutation adds a record to a list or removes it. Not sure if an argument of the list does not tell.
 *
 * @returns `undefined` if the mutation does neither
 */
function moveOf(
  { collection, filter }: CollectionNode,
  { kind, params, before, after }: Change,
  record: unknown,
): { readonly isJoining: boolean; readonly isSure: boolean } | undefined {
  const fields = after.get(record)
  // A mutation that started later deleted the record.
  if (fields === undefined && kind !== 'remove') return undefined
  const belongs = collection.belongs(filter, fields ?? {}, params)
  const isIn = belongs !== false
  if (kind !== 'move') return isIn ? { isJoining: kind !== 'remove', isSure: belongs === true } : undefined
  const known = before.get(record)
  const wasIn = known !== undefined && collection.belongs(filter, known, params) !== false
  if (wasIn === isIn) return undefined
  if (!isIn) return { isJoining: false, isSure: true }
  // A list whose arguments are not fields of the record does not depend on its change.
  const isNamed = Object.keys(filter).some((name) => fields?.[name] !== undefined)
  return isNamed ? { isJoining: true, isSure: belongs === true } : undefined
}

/**
 * Adds and removes members of a list. Added members are ordered by the start of their mutations, even if these are answered
 * in another order, so that a created record takes the position of its temporary record (specification F7).
 */
function changedList(
  { joined = new Map() }: CollectionNode,
  members: unknown,
  { kind, start }: Change,
  moves: ReadonlyMap<unknown, boolean>,
): Pick<Changed, 'members' | 'added'> {
  const added: unknown[] = []
  const leaving = new Set<unknown>()
  for (const [member, isJoining] of moves) {
    const record = recordOf(member)
    if (holds(members, record) === isJoining) continue
    if (isJoining) added.push(member)
    else leaving.add(record)
  }
  if (added.length + leaving.size === 0) return { members, added }
  const all = members as readonly unknown[]
  const staying = leaving.size === 0 ? all : all.filter((member) => !leaving.has(recordOf(member)))
  const isLater = (member: unknown) => (joined.get(recordOf(member)) ?? 0) > start
  const isOrdered = joined.size > 0 && added.length > 0 && kind !== 'move'
  const later = isOrdered ? staying.filter(isLater) : []
  const earlier = later.length === 0 ? staying : staying.filter((member) => !isLater(member))
  return {
    members: kind === 'unshift' ? [...later, ...added, ...earlier] : [...earlier, ...added, ...later],
    added,
  }
}

/** Records the start of the mutation for the members that it added, so that earlier mutations in flight add before them. */
export function noteJoined(node: CollectionNode, { added }: Changed, { start }: Change): void {
  node.joined = new Map([
    ...(node.joined ?? []),
    ...added.map((member) => [recordOf(member), start] as const),
  ])
}
