import { development } from '#development'
import { warn } from '../errors.js'
import { belongsTo, changeOf, isInDoubt, noteJoined, toSent } from '../lists/membership-change.js'
import type { MembershipChange, Changed } from '../lists/membership-change.js'
import type { CollectionNode } from '../lists/collection-node.js'
import type { Lists } from '../lists/lists.js'
import { recordOf } from '../schema/members-schema.js'
import type { Fields } from '../schema/fields.js'
import type { ListNode } from '../store/list-node.js'
import { holds, isThere, membersOf } from '../store/list-members.js'
import { RecordNode } from '../store/records.js'
import type { ListWriter } from '../store/store-lists.js'
import { instanceOf } from './instances.js'

/** The states of the records that a transaction changed. */
interface Written {
  readonly before: ReadonlyMap<RecordNode, Fields | undefined>
  readonly changed: readonly RecordNode[]
  /** Of what is set or pushed, when a read had brought it, if it was that: a position in the store's sequence. A list may be older. */
  readonly readAt: ReadonlyMap<RecordNode, number>
  /** What a mutation created: it joins the lists that the mutation names. */
  readonly made: readonly RecordNode[]
}

/** Makes the rules of lists hold for whatever a store writes: mutations, `set`, messages and optimistic responses. */
export class RuledWrites {
  readonly #lists: Lists
  /** In development, the Collections that were warned of. */
  readonly #warned = new Set<string>()

  constructor(lists: Lists) {
    this.#lists = lists
  }

  /**
   * Called when everything of a transaction is written. A response is shown as it was sent. Of what it changed only those records are
   * placed that a list with them refuses now.
   *
   * @returns the lists that decide by their rule what they have of records that are made, too
   */
  placeWritten(writer: ListWriter): ReadonlySet<ListNode> | undefined {
    const { kind } = writer.order
    const isRead = kind === 'read'
    const all = writtenBy(writer)
    if (kind !== 'expected') this.#keepLate(writer, all)
    const written = isRead ? { ...all, changed: this.#refused(writer, all) } : all
    if (isRead && !development && written.changed.length === 0) return undefined
    const decided = new Set<ListNode>()
    for (const [members, { nodes }] of this.#lists.groups) {
      if (members === undefined) continue
      for (const node of nodes.values()) {
        if (!hasRules(node) || node.members === undefined) continue
        if (isReceived(node, writer)) this.#check(node)
        else {
          this.#place(writer, node, members, written)
          if (kind === 'message' && node.collection.options.filter !== undefined) decided.add(node)
        }
      }
    }
    return decided
  }

  /** Returns the records of which a list that has them had not refused the fields before, and does now. */
  #refused(writer: ListWriter, { before, changed }: Written): RecordNode[] {
    if (changed.length === 0) return []
    const refused = new Set<RecordNode>()
    const all = new Set<unknown>(changed)
    for (const list of this.#lists.holding(new Map(changed.map((record) => [record, 0]))).keys()) {
      if (list.collection.options.filter === undefined || isReceived(list, writer)) continue
      const parts = membersOf(list.members)
        .map(recordOf)
        .filter((record): record is RecordNode => all.has(record))
      const change = changeBy(writer, parts, before)
      const isRefused = (record: RecordNode, fields: Fields = {}) =>
        belongsTo(list, list.members, change, record, fields, {}) === false
      for (const record of parts)
        if (isRefused(record, record.fields) && !isRefused(record, before.get(record))) refused.add(record)
    }
    return [...refused]
  }

  /** Keeps what was written for lists on their way, whose responses have the records as they were. */
  #keepLate(writer: ListWriter, { before, changed, made }: Written): void {
    const isRead = writer.order.kind === 'read'
    if (changed.length + made.length > 0 && !isRead) this.#lists.changedAt = writer.now
    if (!this.#lists.isReading) return
    for (const records of isRead ? [changed] : [changed, made]) {
      for (const [{ key }, parts] of byTable(records)) {
        const change = changeBy(writer, parts, before)
        const decide = (node: CollectionNode, members: unknown): Changed => {
          const { options, members: name } = node.collection
          const isHeld = (record: RecordNode) => holds(members, record)
          const isConcerned = (record: RecordNode) => records === changed || isHeld(record)
          // The members of a polymorphic list are pairs, which only a mutation names.
          const concerned = hasRules(node) && name === key ? parts.filter(isConcerned) : []
          if (concerned.length === 0) return { members, added: [], isDoubtful: false }
          // A record that nobody knew joins no list by its order, and is placed where the response has it.
          const unknown = options.filter === undefined ? {} : undefined
          const knownOf = (record: RecordNode) => before.get(record) ?? (isHeld(record) ? unknown : undefined)
          const known = new Map(concerned.map((record) => [record, knownOf(record)]))
          return changeWithin(node, members, { ...change, parts: concerned, before: known })
        }
        this.#lists.keepLate(writer, { ...change, decide })
      }
    }
  }

  #place(
    writer: ListWriter,
    node: CollectionNode,
    members: unknown,
    { before, changed, readAt }: Written,
  ): void {
    // The members of a polymorphic list are pairs, which only a mutation names.
    const parts = changed.filter(({ table }) => table.key === members)
    if (parts.length === 0) return
    const isLater = (record: RecordNode) => (readAt.get(record) ?? 0) > node.stamp.sequence
    // What was read after a whole list says nothing of why the list lacks it.
    const later = node.isOpen ? [] : parts.filter((record) => isLater(record) && !holds(node.members, record))
    const unknown = later.map((record) => [record, undefined] as const)
    const change = changeBy(writer, parts, later.length === 0 ? before : new Map([...before, ...unknown]))
    let next = changeWithin(node, node.members, change)
    // A record that was not known may have been counted.
    const isCounted = (node.others ?? 0) > 0 && parts.some((record) => isUnknown(change, record))
    if (isCounted && !change.isTold) writer.makeStale(node)
    if (!next.isDoubtful && next.members === node.members) return
    if (node.collection.options.orderBy !== undefined) writer.readMembers(node.members)
    if (writer.touchList(node)) next = changeWithin(node, node.members, change)
    if (next.isDoubtful) writer.makeStale(node)
    if (next.members === node.members) return
    if (isInDoubt(change)) writer.makeStale(node, true)
    writer.keepBefore(node)
    noteJoined(node, next, change)
    if (next.added.length === 0) this.#lists.noteLeft(writer, node, change)
    node.show(next.members)
  }

  /** Warns once of a response that is not in the order of the rule. */
  #check({ collection, members, member, args }: CollectionNode): void {
    const { orderBy } = collection.options
    if (!development || orderBy === undefined || this.#warned.has(collection.kind)) return
    const shown = (Array.isArray(members) ? (members as readonly unknown[]) : []).filter(isThere)
    const instances = shown.map((each) => instanceOf(member, each, fieldsOfMember(each)))
    const at = instances.findIndex(
      (each, index) => index > 0 && isBefore(orderBy.compare, each, instances[index - 1], args),
    )
    if (at === -1) return
    this.#warned.add(collection.kind)
    warn(
      `A response brought ${memberNameOf(shown[at - 1])} before ${memberNameOf(shown[at])}, but the option \`orderBy\` of its list puts them the other way round. The list keeps the order of the response; \`orderBy\` places records that are added later. Make it compare as the server does.`,
    )
  }
}

function isUnknown({ before }: MembershipChange, record: RecordNode): boolean {
  return before.has(record) && before.get(record) === undefined
}

function hasRules({ collection: { options }, isFilter }: CollectionNode): boolean {
  return isFilter && (options.filter !== undefined || options.orderBy !== undefined)
}

/** True if the transaction itself brought the list. */
function isReceived({ stamp }: CollectionNode, { order }: ListWriter): boolean {
  return stamp.sequence === (order.kind === 'read' ? order.start : order.settle)
}

function writtenBy({ before, order }: ListWriter): Written {
  const states = new Map<RecordNode, Fields | undefined>()
  const readAt = new Map<RecordNode, number>()
  const isGiven = order.kind === 'set' || order.kind === 'message'
  before.each((node, { mutationStart, sequence }, fields) => {
    const isRead = isGiven && fields !== undefined && mutationStart === 0
    if (isRead) readAt.set(node, sequence)
    // The last one is the state before. An unchanged response touches every record in it.
    if (isRead || fields !== node.fields) states.set(node, fields)
    else if (states.size > 0) states.delete(node)
  })
  const changed: RecordNode[] = []
  const made: RecordNode[] = []
  for (const [node, fields] of states) {
    if (node.fields === undefined) continue
    const isMade = fields === undefined && !isGiven
    ;(isMade ? made : changed).push(node)
  }
  return { before: states, changed, made, readAt }
}

function byTable(records: readonly RecordNode[]): Map<RecordNode['table'], RecordNode[]> {
  const groups = new Map<RecordNode['table'], RecordNode[]>()
  for (const record of records) {
    const group = groups.get(record.table)
    if (group === undefined) groups.set(record.table, [record])
    else group.push(record)
  }
  return groups
}

/** A change of records that rules decide. */
interface RuledChange extends MembershipChange {
  /** `true` for a mutation, which has told by its arguments what only the server knows. */
  readonly isTold: boolean
}

function changeBy(
  { order: { kind, start, settle } }: ListWriter,
  parts: readonly RecordNode[],
  before: ReadonlyMap<RecordNode, Fields | undefined>,
): RuledChange {
  return {
    collection: undefined,
    kind: 'move',
    members: parts,
    parts,
    sentOf: () => toSent([]),
    before,
    earlier: new Map(),
    after: new Map(parts.map((record) => [record, record.fields])),
    start,
    // A response to a read is of the time of its request.
    settle: kind === 'read' ? start : settle,
    isTold: kind === 'mutation' || kind === 'expected',
  }
}

/** The effect on a list. Behind the last loaded record nothing is invented: that is left to the next page. */
function changeWithin(node: CollectionNode, before: unknown, change: RuledChange): Changed {
  const { collection, part } = node
  const next = changeOf(node, before, { ...change, collection })
  const isDoubtful = next.isDoubtful && (!change.isTold || part.isPlaced || part.isLimited || node.isOpen)
  if (collection.options.orderBy === undefined || !node.isOpen) return { ...next, isDoubtful }
  const members = next.members as readonly unknown[]
  // What a mutation has put there stays.
  const held = Array.isArray(before) ? (before as readonly unknown[]) : []
  const behind = new Set(held.slice(endOf(held, (member) => next.added.includes(member))))
  const end = endOf(members, (member) => next.added.includes(member) && !behind.has(member))
  return end === members.length
    ? { ...next, isDoubtful }
    : // The number of all follows what is shown.
      { ...next, members: members.slice(0, end), isDoubtful: node.others !== undefined }
}

/** The index behind the last member that a condition does not hold for. */
export function endOf(members: readonly unknown[], isBehind: (member: unknown) => boolean): number {
  let end = members.length
  while (end > 0 && isBehind(members[end - 1])) end--
  return end
}

function isBefore(
  compare: (a: unknown, b: unknown, args: unknown) => number,
  a: unknown,
  b: unknown,
  args: unknown,
): boolean {
  try {
    return compare(a, b, args) < 0
  } catch {
    // The rule warns of it when it places a record.
    return false
  }
}

function fieldsOfMember(member: unknown): Fields {
  const record = recordOf(member)
  return record instanceof RecordNode ? (record.fields ?? {}) : {}
}

function memberNameOf(member: unknown): string {
  const record = recordOf(member)
  return record instanceof RecordNode ? `${record.table.key} "${record.pk}"` : 'a member'
}
