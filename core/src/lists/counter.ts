import { bare, fieldsOfShorthand, schemaAt, valueAt, withValueAt } from '../schema/page-schema.js'
import type { FieldPath } from '../schema/page-schema.js'
import { ObjectSchema } from '../schema/object.js'
import { recordOf } from '../schema/members-schema.js'
import { callsShowing } from '../store/call.js'
import type { Call } from '../store/call.js'
import { holds } from '../store/list-members.js'
import type { ListNode } from '../store/list-node.js'
import { RecordNode } from '../store/records.js'
import type { Stamp } from '../store/stamp.js'
import type { ListWriter } from '../store/store-lists.js'
import type { Store } from '../store/store.js'
import { viewsIn } from '../store/view/view.js'
import { getOrMake } from '../util/get-or-make.js'
import type { CollectionNode } from './collection-node.js'
import type { ToldRows, counting } from './counting.js'
import { shiftOf } from './membership-change.js'
import type { MembershipChange } from './membership-change.js'

// A result holds the number of records that the list does not have, so that the number that is shown follows the list. A mutation
// that was under way at the same time as a response may be counted in it, or not: then the list is Stale.

/** Paths of a list and of the number beside it. */
interface Paths {
  readonly list: FieldPath
  readonly total: FieldPath
}

/** The response that has brought the number of a list. */
interface CountedResponse {
  readonly rows: ReadonlySet<unknown>
  readonly start: number
  readonly settle: number
}

const responses = new WeakMap<ListNode, CountedResponse>()

/** How a record has changed a number. */
interface ToldShift {
  /** The position in the store's sequence at which it did. */
  readonly at: number
  /** `undefined` if only the server knows. */
  readonly by: number | undefined
}

/** By list and record, how the number changed last otherwise than by a mutation, while mutations are under way. */
const toldShifts = new WeakMap<ListNode, Map<unknown, ToldShift>>()

/** What the response that is being written told of its lists. */
const reading = new WeakMap<ListWriter, Map<ListNode, ToldRows>>()

/** The members of a list that the server counts: all that were not deleted. */
export function countable(members: unknown): readonly unknown[] {
  return Array.isArray(members) ? members.filter((member) => !isDeletedRecord(recordOf(member))) : []
}

/** Returns the number of records that a list does not have. @param sent - the number of all records in the response */
export function toOthers(writer: ListWriter, node: ListNode, sent: number): number {
  writer.readMembers(node.members)
  const told = reading.get(writer)?.get(node)
  if (told === undefined) return sent - countable(node.members).length
  return othersOf(writer, node as CollectionNode, sent, told)
}

export const counter: NonNullable<typeof counting.by> = {
  read(writer, node, rows, late) {
    // An update was given what is shown.
    if (writer.isUpdating) return
    const lists = reading.get(writer) ?? new Map<ListNode, ToldRows>()
    reading.set(writer, lists.set(node, { rows, late }))
  },

  ofPage(writer, node, { page, result, members, ...told }) {
    const total = totalIn(page.list, page.path)
    const sent = valueAt(result, total)
    if (typeof sent !== 'number' || node === undefined) return result
    writer.readMembers(node.members)
    const before = valueAt(told.before, total)
    // A response to a later request has brought the number.
    const isOlder = writer.order.start < (responses.get(node)?.start ?? 0) && typeof before === 'number'
    const others = isOlder
      ? before + countable(members).length - countable(node.members).length
      : othersOf(writer, node, sent, told, writer.order.settle)
    return withValueAt(result, total, others)
  },

  unloadedOf(store, node) {
    const [counted] = countsOf(store, node)
    return counted && (valueAt(counted[0].result, counted[1]) as number)
  },

  ofList(schema, path, result, received) {
    const total = totalIn(schema, path)
    return withValueAt(result, total, valueAt(received, total))
  },

  change(store, writer, node, change, isQuiet) {
    if (!Array.isArray(node.members)) return
    const shifts = change.parts.map((part) => {
      const shift = shiftIn(store, writer, node, change, part)
      const told = toldShifts.get(node)?.get(recordOf(part))
      // A message has brought the effect before the response.
      const isTold = told !== undefined && told.at > change.start && told.by === shift
      return [recordOf(part), isTold ? 0 : shift] as const
    })
    if (shifts.every(([, shift]) => shift === 0)) return
    writer.touchList(node)
    const { kind, settle: at } = writer.order
    // What was told counts for mutations that had started before.
    if (store.earliestMutation === Infinity) toldShifts.delete(node)
    else if (kind !== 'expected' && kind !== 'mutation')
      for (const [record, by] of shifts) noteTold(writer, node, record, { at, by })
    const counts = countsOf(store, node)
    // What a record holds is not changed here.
    if (counts.length === 0 && responses.has(node)) writer.makeStale(node, isQuiet)
    for (const [call, total] of counts) {
      const others = valueAt(call.result, total) as number
      const { by, isDoubtful } = effectOf(writer, node, change, shifts, others)
      if (isDoubtful && isQuiet === true) writer.makeStale(node, isQuiet)
      else if (isDoubtful) writer.inDoubt.add(node)
      if (by === 0) continue
      writer.keepBefore(node)
      addTo(store, call, total, by)
      writer.onRollBack(() => addTo(store, call, total, -by))
    }
  },
}

/** @param at - what was asked for earlier is Stale, if it is not known what the response counts @default when that was answered */
function othersOf(
  writer: ListWriter,
  node: CollectionNode,
  sent: number,
  { rows, late }: ToldRows,
  at = 0,
): number {
  const { start, settle } = writer.order
  const told = new Set(Array.isArray(rows) ? rows.map(recordOf) : [])
  responses.set(node, { rows: told, start, settle })
  const counted = new Set(countable(node.members).map(recordOf))
  /** By record that changed meanwhile and that the response does not have, how the number changed after the response. */
  const shifts = new Map<unknown, number>()
  let doubtedAt = at
  for (const change of late) {
    for (const part of change.parts) {
      const record = recordOf(part)
      const shift = shiftOf(node, change, part)
      if (shift === 0) continue
      noteTold(writer, node, record, { at: change.settle, by: shift })
      if (told.has(record)) continue
      // Most likely the server handled first what was sent first.
      const since = change.start > start ? (shift ?? 0) : 0
      shifts.set(record, Math.max(-1, Math.min(1, (shifts.get(record) ?? 0) + since)))
      doubtedAt = Math.max(doubtedAt, change.settle)
    }
  }
  const gone = [...told].filter((record) => record instanceof RecordNode && !counted.has(record)).length
  const others = sent - gone - counted.size
  if (shifts.size === 0) return others
  const joined = [...shifts.keys()].filter((record) => counted.has(record)).length
  // The response counts what it has, and no more.
  if (others + joined <= 0) return others + joined
  writer.makeStale(node, false, doubtedAt)
  return others + [...shifts.values()].reduce((sum, shift) => sum + shift, 0)
}

/** As `shiftOf`; 0 for a record that was deleted before. */
function shiftIn(
  { fieldOrder }: Store,
  { before, order }: ListWriter,
  node: CollectionNode,
  change: MembershipChange,
  part: unknown,
): number | undefined {
  const record = recordOf(part)
  const isNew = record instanceof RecordNode && fieldOrder.isNewSince(record, change.start)
  const shift = shiftOf(node, change, part, isNew)
  if (change.collection !== undefined || shift === 0) return shift
  let wasDeleted = false
  before.each((other, stamp, fields) => {
    if (other === record) wasDeleted = fields === undefined && isStamped(stamp)
  })
  if (wasDeleted) return 0
  // Without a response it may have failed.
  return order.kind === 'expected' || isStamped((record as RecordNode).stamp) ? shift : undefined
}

/** Keeps what a message, `set` or a read has brought before the responses of mutations under way, of which it may be the effect. */
function noteTold(writer: ListWriter, node: ListNode, record: unknown, told: ToldShift): void {
  const all = getOrMake(toldShifts, node, () => new Map<unknown, ToldShift>())
  const before = all.get(record)
  all.set(record, told)
  writer.onRollBack(() => (before === undefined ? all.delete(record) : all.set(record, before)))
}

/** Returns by how much a change changes the number of others, and whether only the server knows. */
function effectOf(
  { order }: ListWriter,
  node: CollectionNode,
  { start }: MembershipChange,
  shifts: readonly (readonly [record: unknown, shift: number | undefined])[],
  others: number,
): { readonly by: number; readonly isDoubtful: boolean } {
  const response = responses.get(node)
  const isOverlapped = order.kind !== 'expected' && response !== undefined && response.settle > start
  let by = 0
  let isDoubtful = false
  for (const [record, shift] of shifts) {
    const isHeld = holds(node.members, record)
    const isJoining = shift === 1
    // A list that is loaded to its end has what it does not hold nowhere else.
    if (shift === 0 || (isJoining ? isHeld : !isHeld && others <= 0)) continue
    if (shift === undefined) {
      isDoubtful ||= !isHeld
      continue
    }
    const isUnknown = isOverlapped && !response.rows.has(record)
    isDoubtful ||= isUnknown && (isHeld || others > 0)
    // Most likely the server handled first what was sent first.
    if (!(isUnknown && response.start > start && (isHeld || others > 0))) by += shift
    // What the list shows changes by itself.
    if (isHeld || (isJoining && !node.part.isPlaced)) by -= shift
  }
  return { by, isDoubtful }
}

/** Of a hydrated list, a record that was deleted before has a stamp, and has not arrived here. */
function isDeletedRecord(record: unknown): boolean {
  if (!(record instanceof RecordNode) || record.fields !== undefined) return false
  return record.arrival > 0 || isStamped(record.stamp)
}

function isStamped({ fetchedAt }: Stamp): boolean {
  return fetchedAt > -Infinity
}

function addTo(store: Store, call: Call, total: FieldPath, by: number): void {
  const others = valueAt(call.result, total)
  if (typeof others !== 'number') return
  store.move(call, { type: 'replaced', result: withValueAt(call.result, total, others + by) })
}

/** Returns the calls that count a list, with the path of the number in their result. */
function countsOf(store: Store, node: ListNode): (readonly [Call, FieldPath])[] {
  const named = node.call === undefined ? [] : store.calls(node.call)
  const calls = new Set([...callsShowing(viewsIn(node.view.dependents)), ...named])
  return [...calls].flatMap((call) =>
    pathsIn(call.schema)
      .filter(
        ({ list, total }) =>
          valueAt(call.result, list) === node && typeof valueAt(call.result, total) === 'number',
      )
      .map(({ total }) => [call, total] as const),
  )
}

/** Returns the paths of the lists in a schema that are counted. */
function pathsIn(schema: unknown, around: FieldPath = []): Paths[] {
  const { list, total } = countedBy(schema)
  const own = list && total ? [{ list: [...around, ...list], total: [...around, ...total] }] : []
  const fields = Object.entries(fieldsOfShorthand(schema))
  return [...own, ...fields.flatMap(([name, field]) => pathsIn(field, [...around, name]))]
}

/** Returns the path of the number that counts the records of a list; the list's own path if nothing does. */
function totalIn(schema: unknown, path: FieldPath): FieldPath {
  for (const depth of path.keys()) {
    const around = path.slice(0, depth)
    const { total } = countedBy(schemaAt(schema, around))
    if (total !== undefined) return [...around, ...total]
  }
  return path
}

function countedBy(given: unknown): Partial<Paths> {
  const schema = bare(given)
  return schema instanceof ObjectSchema ? (schema as Partial<Paths>) : {}
}
