import type { CollectionSchema, ListPart } from '../schema/collection.js'
import type { CollectionChangeKind } from '../schema/delegates.js'
import type { Fields } from '../schema/fields.js'
import { ListNode } from '../store/list-node.js'
import { Reference } from '../normalize/reference.js'
import { recordOf } from '../schema/members-schema.js'
import { holds, membersOf } from '../store/list-members.js'
import { RecordNode, sentOf } from '../store/records.js'
import { getOrMake } from '../util/get-or-make.js'
import { isPlainObject, isSamePlain } from '../util/plain.js'
import type { CollectionNode } from './collection-node.js'

/** A mutation that adds records to lists of a Collection, removes them, or moves them between lists; or a deletion. */
export interface MembershipChange {
  /** The Collection of the mutation; `undefined` for a deletion, which reads take out of every list, and for what rules decide. */
  readonly collection: CollectionSchema<unknown> | undefined
  /** Computes the effect on a list, in place of the members below. */
  readonly decide?: (node: CollectionNode, members: unknown) => Changed
  /** `true` if readers of a doubtful list do not fetch at once. */
  readonly isQuiet?: boolean
  /** `true` if a record in the response was in doubt: so are the lists that it joins. */
  readonly isDoubted?: boolean
  readonly kind: CollectionChangeKind
  /** The normalized response. */
  readonly members: unknown
  /** The members of the response, in a list. */
  readonly parts: readonly unknown[]
  /** What the arguments say of a record. */
  readonly sentOf: (record: unknown) => Sent
  /** The fields of the records before the response; `undefined` for a record that was not stored. */
  readonly before: FieldsByRecord
  /**
   * The fields of the records without what reads brought since the mutation started of the fields that its body names: a read may
   * have brought its effect before the response. Only of records that differ.
   */
  readonly earlier: FieldsByRecord
  /** Returns `true` if some list that the mutation may change has a record with the list's argument as the value of the field. */
  readonly isField?: (name: string) => boolean
  /** The fields of the records after the mutation; `undefined` for a deleted record. */
  readonly after: FieldsByRecord
  /** The position in the store's sequence at which the mutation started. */
  readonly start: number
  /** The position in the store's sequence at which the mutation was answered. */
  readonly settle: number
}

/** What was there before a mutation, which shows what the arguments of lists mean. */
export type Evidence = Pick<MembershipChange, 'before' | 'earlier' | 'isField'>

/** Fields by record, normalized. */
export type FieldsByRecord = ReadonlyMap<unknown, Fields | undefined>

/** What the arguments of a mutation say of lists, in place of fields that its record lacks. */
export interface Sent {
  /** What the record was: the params. */
  readonly source: Fields
  /** What the record is: the body, else the params. */
  readonly target: Fields
  readonly body: Fields
  /** `true` for params and a body. A single argument may name what the record was or what it is. */
  readonly isTold: boolean
}

/** The effect of a mutation on a list. */
export interface Changed {
  /** The members after the mutation; the same value if nothing changed. */
  readonly members: unknown
  /** The added members; always empty for a map. */
  readonly added: readonly unknown[]
  /** `true` if only the server knows the list after the mutation. The list becomes Stale. */
  readonly isDoubtful: boolean
}

/** What a mutation does with one record in one list. */
interface Move {
  readonly isJoining: boolean
  /** `false` if an argument of the list does not tell. */
  readonly isSure: boolean
  /** `true` if the record belonged to the list before, and may have another place now. */
  readonly isMoved: boolean
}

/** `true` if a record belongs to a list; `undefined` if its arguments cannot tell. */
type Belongs = boolean | undefined

/** Returns what the arguments of a mutation say of a record. */
export function toSent(args: readonly unknown[], record?: unknown): Sent {
  const params = fieldsOfSent(args[0])
  const last = args.at(-1)
  const body = fieldsOfSent(Array.isArray(last) && record instanceof RecordNode ? sentOf(args, record) : last)
  const isTold = args.length > 1
  return { source: isTold ? params : {}, target: { ...params, ...body }, body, isTold }
}

function fieldsOfSent(sent: unknown): Fields {
  if (isPlainObject(sent)) return sent
  const isForm = sent instanceof FormData || sent instanceof URLSearchParams
  return isForm ? Object.fromEntries(sent) : {}
}

/** Computes the effect of a mutation on a list. @param members - the members before the mutation */
export function changeOf(node: CollectionNode, members: unknown, change: MembershipChange): Changed {
  if (change.decide !== undefined) return change.decide(node, members)
  const { collection, isFilter, part, pages } = node
  const { collection: by } = change
  const unchanged = { members, added: [], isDoubtful: false }
  if (members === undefined || !isFilter) return unchanged
  if (by === undefined) return { ...unchanged, isDoubtful: isShortened(node, members, change) }
  if (!collection.isReachedBy(by)) return unchanged
  const { content, options } = collection
  /** What further pages may bring. The order tells which of it is among what is loaded. */
  const unloaded = new Set<unknown>()
  let moves: Map<unknown, boolean> | undefined
  let isDoubtful = false
  for (const member of change.parts) {
    const { before, earlier } = change
    const isHeld = holds(members, recordOf(member))
    let move = moveOf(node, change, members, member, before)
    if (earlier.has(recordOf(member)) && move?.isMoved !== false)
      move = moveOf(node, change, members, member, earlier) ?? move
    if (move?.isMoved !== false && isAtOdds(node, change, members, member)) isDoubtful = true
    if (move === undefined) continue
    const mayBeThere = move.isMoved || (change.kind === 'move' && before.get(recordOf(member)) === undefined)
    const isUnloaded = move.isJoining && !isHeld && mayBeThere && node.isOpen
    if (isUnloaded) {
      unloaded.add(member)
      if (options.orderBy === undefined || node.others !== undefined) isDoubtful = true
    }
    // A map needs a name for a record that joins.
    const isNamed = content.changed === undefined || isPlainObject(change.members)
    if (isDoubtfulIn(part, move, isHeld) || (move.isJoining && !isHeld && !isNamed)) isDoubtful = true
    const joins = isUnloaded ? options.orderBy !== undefined : !move.isMoved
    const isTaken = isHeld || (move.isJoining && !part.isPlaced && joins)
    if (move.isSure && isTaken) (moves ??= new Map()).set(member, move.isJoining)
  }
  if (moves === undefined) return { ...unchanged, isDoubtful }
  if (content.changed !== undefined)
    return { ...unchanged, members: content.changed(members, change.members, moves), isDoubtful }
  const changed = changedList(node, members as readonly unknown[], change, moves, unloaded)
  // Further pages of the list may have records before an added one.
  const last = (changed.members as readonly unknown[]).at(-1)
  const isPart = pages.isPaged || (node.others ?? 0) > 0
  const isBehind = options.orderBy !== undefined && isPart && changed.added.includes(last)
  return { ...changed, isDoubtful: isDoubtful || isBehind }
}

/**
 * Returns by how much a mutation changes the number of all records that belong to a list, of which the list may have a part.
 *
 * @param isNew - `true` if the record was not known when the mutation started
 * @returns `undefined` if only the server knows
 */
export function shiftOf(
  node: CollectionNode,
  change: MembershipChange,
  member: unknown,
  isNew = false,
): number | undefined {
  const { members, collection, isFilter, part } = node
  const { collection: by, decide, before, earlier, kind } = change
  const record = recordOf(member)
  if (!isFilter) return 0
  const stored = earlier.get(record) ?? before.get(record)
  const known = isNew && kind === 'move' ? undefined : stored
  if (by === undefined && decide === undefined) {
    // It may have failed, or the record is back.
    if ((record as RecordNode).fields !== undefined) return undefined
    if (holds(members, record)) return -1
    // Of a record that was not known, only a list of all is known to have had it.
    const hasAll = collection.options.filter === undefined && Object.keys(part.filter).length === 0
    if (known === undefined) return hasAll ? -1 : undefined
    const belonged = belongsTo(node, members, change, member, known, {})
    return belonged === undefined ? undefined : -Number(belonged)
  }
  // What rules decide concerns lists with rules.
  if (by === undefined ? collection.options.filter === undefined : !collection.isReachedBy(by)) return 0
  const move = moveOf(node, change, members, member, earlier.has(record) ? earlier : before)
  // A record that was not known may have been in it. A message says by the record what a mutation says by its arguments.
  const { source, target, body } = change.sentOf(record)
  const told = Object.keys(body).length === 0 ? change.after.get(record) : undefined
  const mayLeave =
    kind === 'move' &&
    known === undefined &&
    (namesList(node, change, member) || Object.keys(part.filter).some((name) => told?.[name] !== undefined))
  if (move === undefined || move.isMoved) return mayLeave ? undefined : 0
  if (!move.isSure) return undefined
  if (kind !== 'move' && move.isJoining) return 1
  if (!move.isJoining && holds(members, record)) return -1
  const named = kind === 'remove' ? { ...target, ...source } : source
  const belonged = known && belongsTo(node, members, change, member, known, named, !move.isJoining)
  if (belonged === undefined) return namesList(node, change, member) || kind === 'remove' ? undefined : 0
  return Number(move.isJoining) - Number(belonged)
}

/** Returns `true` if other records take the place of a deleted one, or it is back and may be in other lists now. */
function isShortened(node: CollectionNode, members: unknown, change: MembershipChange): boolean {
  const {
    parts: [record],
    before,
  } = change
  const { isPlaced, isLimited } = node.part
  const isBack = (record as RecordNode).fields !== undefined && !isInDoubt(change)
  if ((isLimited || isBack) && holds(members, record)) return true
  return isPlaced && belongsTo(node, members, change, record, before.get(record) ?? {}, {}) !== false
}

/** Returns `true` if only the server knows the list after a mutation. @param isHeld - `true` if the list has the record */
function isDoubtfulIn(
  { isPlaced, isLimited, isOrdered }: ListPart,
  { isJoining, isSure, isMoved }: Move,
  isHeld: boolean,
): boolean {
  if (isMoved) return isPlaced || isLimited
  if (isJoining) return !isHeld && (isPlaced || isLimited || isOrdered || !isSure)
  // The next record of a longer list takes the place of one that left.
  return isPlaced || (isHeld && (isLimited || !isSure))
}

/**
 * Computes what a mutation does with a record in a list.
 *
 * @param members - those of the list
 * @param before - the fields of the records that the mutation changed
 * @returns `undefined` for nothing
 */
function moveOf(
  node: CollectionNode,
  change: MembershipChange,
  members: unknown,
  member: unknown,
  before: FieldsByRecord,
): Move | undefined {
  const { kind, sentOf: sent, after } = change
  const record = recordOf(member)
  // Also a record that was deleted.
  const isHeld = holds(members, record)
  const belongsBy = (fields: Fields, named: Fields, isEqual = false) =>
    belongsTo(node, members, change, member, fields, named, isEqual)
  const fields = after.get(record)
  // A mutation that started later deleted the record.
  if (fields === undefined && kind !== 'remove') return undefined
  const { source, target, body, isTold } = sent(record)
  const known = before.get(record)
  if (kind === 'remove') {
    // The lists that it was in, not those that the body names.
    const belonged = belongsBy(known ?? fields ?? {}, { ...target, ...source })
    return belonged === false ? undefined : toMove(false, belonged === true)
  }
  const belongs = belongsBy(fields ?? {}, target)
  // Where its fields now are the arguments, they were others before.
  const isEqual = belongs === true
  const belonged = known !== undefined && belongsBy(known, source, isEqual)
  // A list remembers a deleted record, and shows it when it is made again.
  const isLeaving = known === undefined ? isHeld : belonged !== false
  const { filter, orderBy } = node.collection.options
  const isRuled = filter !== undefined
  if (belongs === false) return isLeaving ? toMove(false, known !== undefined || isRuled) : undefined
  if (kind !== 'move') return toMove(true, belongs === true)
  const names = Object.keys(node.part.filter)
  if (belonged === false) {
    // A list whose arguments are not fields of the record does not depend on its change.
    const isNamed = isRuled || names.some((name) => fields?.[name] !== undefined || body[name] !== undefined)
    return isNamed ? toMove(true, belongs === true) : undefined
  }
  if (belonged === undefined || belongs === undefined) {
    // The body names the list. A list in the record has changed in its place.
    const isNamed = names.some((name) => {
      const value = known?.[name] ?? source[name]
      return body[name] !== undefined && (value === undefined || value instanceof ListNode)
    })
    // With a single argument it may name the list that the record was in all the time, and so may the first response that tells it.
    if (isNamed || names.some((name) => !isSamePlain(known?.[name], fields?.[name])))
      return toMove(belongs ?? !isHeld, isNamed && isTold && belongs === true)
  }
  const isMoved = known !== undefined && orderBy?.isMoved(node, member, known, fields ?? {}) === true
  return isMoved ? toMove(true, true, true) : undefined
}

/**
 * Returns `true` if a mutation says that a record belongs to a list that does not have it, or not to one that has it, and that is no news:
 * one of the record and the list was older than the other, or the server chooses the members. Further pages may have what it lacks.
 */
function isAtOdds(
  node: CollectionNode,
  change: MembershipChange,
  members: unknown,
  member: unknown,
): boolean {
  const record = recordOf(member)
  const fields = change.after.get(record)
  if (fields === undefined || !namesList(node, change, member)) return false
  const belongs = belongsTo(node, members, change, member, fields, change.sentOf(record).target)
  const isHeld = holds(members, record)
  return belongs === !isHeld && (isHeld || !node.isOpen)
}

/** Returns `true` if a change between lists says by an argument of a list whether the list has a record. */
export function namesList(
  { collection, part }: CollectionNode,
  change: MembershipChange,
  member: unknown,
): boolean {
  if (change.kind !== 'move') return false
  const { body } = change.sentOf(recordOf(member))
  const isRuled = collection.options.filter !== undefined && !part.isPlaced && !part.isLimited
  return Object.keys(isRuled ? body : part.filter).some((name) => body[name] !== undefined)
}

function toMove(isJoining: boolean, isSure: boolean, isMoved = false): Move {
  return { isJoining, isSure, isMoved }
}

/**
 * Compares a record with the arguments of a list.
 *
 * @param members - those of the list
 * @param fields - the fields of the record
 * @param named - the arguments of the mutation, for arguments of the list that are not fields of the record
 * @param isEqual - `true` if the arguments are known to be values of the fields
 */
export function belongsTo(
  node: CollectionNode,
  members: unknown,
  change: MembershipChange,
  member: unknown,
  fields: Fields,
  named: Fields,
  isEqual = false,
): Belongs {
  const { collection, part } = node
  const { filter } = collection.options
  const read = filter?.decide(node, member, fields)
  if (read === 'unknown') return undefined
  if (filter !== undefined && read === undefined) return false
  const open = read && Object.keys(part.filter).filter((name) => !read.has(name))
  return compare(node, members, fields, named, change, open, isEqual || filter !== undefined)
}

/**
 * Compares fields with the arguments of a list.
 *
 * @param change - its records count as they were before
 * @param names - the arguments to compare @default all
 * @param isEqual - `true` if the arguments are known to be values of the fields
 * @returns `undefined` if an argument is in neither the fields nor what the mutation named, or may be none of their values
 */
export function compare(
  { collection, part: { filter, isOfPath } }: CollectionNode,
  members: unknown,
  fields: Fields,
  named: Fields,
  change: Evidence,
  names: readonly string[] = Object.keys(filter),
  isEqual = false,
): Belongs {
  let belongs: Belongs = true
  for (const name of names) {
    const value = fields[name] ?? named[name]
    const arg = filter[name]
    // A read shows the default of a field that was not received.
    const isMet = meets(value === undefined ? collection.defaultOf(name) : value, arg)
    if (!isMet) belongs = undefined
    if (isMet !== false || value === undefined) continue
    // A text may be a search, such as "all" or "<10". Then it is no value of the field in what the list holds.
    const isValue =
      isEqual ||
      (isExact(value) && isExact(arg)) ||
      (isValueIn(members, name, arg, change) ?? (isOfPath(name) || change.isField?.(name) === true))
    if (isValue) return false
  }
  return belongs
}

/** Makes `isField` of a change, of the members before it: each argument is looked for once, and only if it is in doubt. */
export function provenFields(
  lists: readonly CollectionNode[],
  evidence: Evidence,
): (name: string) => boolean {
  const known = new Map<string, boolean>()
  const held = lists.map(({ part, members }) => ({ part, members }))
  const isIn = (name: string) =>
    held.some(({ part, members }) => isValueIn(members, name, part.filter[name], evidence) === true)
  return (name) => getOrMake(known, name, () => isIn(name))
}

/** `true` if an argument is the value of the field of a member; `undefined` if no member has the field. */
function isValueIn(members: unknown, name: string, arg: unknown, { before, earlier }: Evidence): Belongs {
  let isThere: false | undefined
  // Mostly the first one decides.
  for (const member of membersOf(members)) {
    const record = recordOf(member)
    const then = before.has(record) ? before.get(record) : (record as Partial<RecordNode>).fields
    for (const value of [(earlier.get(record) ?? then)?.[name] ?? []].flat()) {
      if (meets(value, arg)) return true
      isThere = false
    }
  }
  return isThere
}

/** `true` for a number or a boolean, as an address writes them. */
function isExact(value: unknown): boolean {
  return /^(-?\d+(\.\d+)?|true|false|null)$/.test(String(keyOrText(value)))
}

/**
 * Compares a normalized value with an argument of a list, as an address writes both: a record as its primary key.
 *
 * @returns `undefined` if their forms do not tell: a list and one value, other lists, maps and other objects
 */
function meets(value: unknown, arg: unknown): Belongs {
  const [a, b] = [value, arg].map(keyOrText).map((each) => (Array.isArray(each) ? each.map(keyOrText) : each))
  return isSamePlain(a, b) || (typeof a === 'string' && typeof b === 'string' ? false : undefined)
}

/** The text of one value, the primary keys of records; any other object as it is. */
function keyOrText(value: unknown): unknown {
  const record = recordOf(value)
  if (record instanceof Reference) return record.toKeys()
  if (value instanceof Date) return value.toJSON()
  return Object(value) === value ? value : String(value)
}

/**
 * Adds and removes members of a list. Added members are ordered by the start of their mutations, even if these are answered
 * in another order, so that what was shown early stays in its place (specification F7).
 */
function changedList(
  node: CollectionNode,
  all: readonly unknown[],
  { kind, start }: MembershipChange,
  moves: ReadonlyMap<unknown, boolean>,
  unloaded: ReadonlySet<unknown>,
): Pick<Changed, 'members' | 'added'> {
  const { joined = new Map() } = node
  const { orderBy } = node.collection.options
  const added: unknown[] = []
  const leaving = new Set<unknown>()
  for (const [member, isJoining] of moves) {
    if (!isJoining) leaving.add(recordOf(member))
    else if (orderBy !== undefined || !holds(all, recordOf(member))) added.push(member)
  }
  if (added.length + leaving.size === 0) return { members: all, added }
  const staying = leaving.size === 0 ? all : all.filter((member) => !leaving.has(recordOf(member)))
  const isLater = (member: unknown) => (joined.get(recordOf(member)) ?? 0) > start
  if (orderBy !== undefined && added.length > 0)
    return { members: orderBy.place(node, staying, added, isLater, unloaded), added }
  const isOrdered = joined.size > 0 && added.length > 0
  const later = isOrdered ? staying.filter(isLater) : []
  const earlier = later.length === 0 ? staying : staying.filter((member) => !isLater(member))
  return {
    members: kind === 'unshift' ? [...later, ...added, ...earlier] : [...earlier, ...added, ...later],
    added,
  }
}

/**
 * `true` if the server may know better of a record, such as of one that it deleted, or edited, when the response was lost:
 * so does it of the lists that the record joins.
 */
export function isInDoubt({ parts, isDoubted }: MembershipChange): boolean {
  return (
    isDoubted === true ||
    parts.map(recordOf).some((each) => each instanceof RecordNode && each.stamp.doubtedAt !== undefined)
  )
}

/** Records the start of the mutation for the members that it added, so that earlier mutations in flight add before them. */
export function noteJoined(node: CollectionNode, { added }: Changed, { start }: MembershipChange): void {
  // Not a copy for each mutation. What is rolled back is in no list, so its entry says nothing.
  for (const member of added) (node.joined ??= new Map<unknown, number>()).set(recordOf(member), start)
}
