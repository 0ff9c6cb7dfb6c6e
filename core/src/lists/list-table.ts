import { development } from '#development'
import type { Denormalization } from '../denormalize/denormalize.js'
import type { CollectionSchema } from '../schema/collection.js'
import type { CollectionArgs, CollectionChangeKind, ListIdentity } from '../schema/delegates.js'
import type { Fields } from '../schema/fields.js'
import type { Schema } from '../schema/schema.js'
import { isPlainObject, setOwn } from '../util/plain.js'
import { ListNode } from '../store/list-node.js'
import { membersOf, recordOf, toRecords } from '../store/members.js'
import { RecordNode } from '../store/records.js'
import { toKeys } from '../store/reference.js'
import type { Reference } from '../store/reference.js'
import type { ListTable } from '../store/store-lists.js'
import { ListView } from '../store/view/list-view.js'
import { View } from '../store/view/view.js'
import type { Beginning, ViewGraph } from '../store/view/view.js'

/** One list of a Collection: known by its name, and shared by all that refer to it. */
export class CollectionNode extends ListNode {
  readonly table: CollectionTable
  readonly key: string
  /** One of those that it is a list of. */
  readonly collection: CollectionSchema<unknown>
  readonly name: string
  readonly isFilter: boolean
  args: CollectionArgs
  call: string | undefined
  /** The arguments that say which records belong to it. */
  filterNames: readonly string[]
  readonly view: View

  constructor(
    table: CollectionTable,
    key: string,
    collection: CollectionSchema<unknown>,
    { name, args, isFilter, call }: ListIdentity,
  ) {
    super(table.source.epoch)
    this.table = table
    this.key = key
    this.collection = collection
    this.name = name
    this.args = args
    this.isFilter = isFilter
    this.call = call
    this.filterNames = collection.filterNames(args)
    const { content } = collection
    const delegate = table.source.denormalization([args])
    this.view = content.isMap
      ? new MapView(this, content.member, delegate)
      : new ListView(content.member, () => this.members as readonly unknown[] | undefined, delegate, false)
  }

  /** Takes what the call says that answers the list: it may have been looked up before by less. */
  identify({ args, call }: ListIdentity): void {
    this.args = args
    this.call = call
    this.filterNames = this.collection.filterNames(args)
  }

  override toKeys(): unknown {
    return toKeys(this.members)
  }
}

/** Which records a mutation moves into, out of or between the lists of a Collection. */
export interface RequestedChange {
  /** Whose mutation it is. */
  readonly collection: CollectionSchema<unknown>
  readonly kind: CollectionChangeKind
  readonly members: unknown
  readonly params: unknown
}

/** How a mutation changes the lists of a Collection. */
export interface MutationChange extends RequestedChange {
  /** The fields that records had before the mutation; `undefined` for one that was not known. */
  readonly before: FieldsByRecord
  /** The fields that they had after it; `undefined` for one that is deleted. */
  readonly after: FieldsByRecord
}

export type FieldsByRecord = ReadonlyMap<unknown, Fields | undefined>

/** A change that is to be made again on the answer of a read that started before it (G4). */
export interface LateChange extends MutationChange {
  /** The position in the store's sequence at which the mutation started. */
  readonly start: number
  /** The position in the store's sequence at which the mutation was answered. */
  readonly settle: number
}

/** What reads the members of lists, and what is known of the garbage collector. */
export interface CollectionSource {
  denormalization(args: readonly unknown[]): Denormalization
  readonly epoch: number
  /** Says whether a list that is looked up is lost; only while garbage is being collected. */
  readonly barrier: { isLost(list: Reference): boolean } | undefined
}

/** Lists that have the same members, of however many Collections. */
export class CollectionTable implements ListTable {
  readonly nodes = new Map<string, CollectionNode>()
  readonly source: CollectionSource
  #late: LateChange[] = []

  constructor(source: CollectionSource) {
    this.source = source
  }

  node(collection: CollectionSchema<unknown>, list: ListIdentity): CollectionNode {
    const key = `${collection.kind} ${list.name}`
    const known = this.nodes.get(key)
    if (known !== undefined && this.source.barrier?.isLost(known) !== true) return known
    const node = new CollectionNode(this, key, collection, list)
    this.nodes.set(key, node)
    return node
  }

  /** The members of a list after a mutation; the same value when the list is not concerned. */
  changed(node: CollectionNode, members: unknown, change: MutationChange): unknown {
    if (members === undefined || !node.isFilter || !node.collection.isReachedBy(change.collection))
      return members
    const move = (member: unknown) => moveOf(node, change, member)
    return node.collection.content.isMap
      ? changeMap(members, change.kind, change.members, move)
      : changeList(members, change.kind, change.members, move)
  }

  /** Whether a mutation may have changed a list, but its arguments do not say how. */
  isDoubtful(node: CollectionNode, members: unknown, change: MutationChange): boolean {
    if (members === undefined || node.filterNames.length === 0) return false
    if (!node.collection.isReachedBy(change.collection)) return false
    const known = membersOf(members)
    return toRecords(change.members).some((record) => {
      const move = moveOf(node, change, record)
      return move === 'may join'
        ? !hasMember(known, record)
        : move === 'may leave' && hasMember(known, record)
    })
  }

  /** Whether a mutation of a Collection may make a record with these fields a member of a list. */
  mayHold(node: CollectionNode, by: CollectionSchema<unknown>, fields: Fields, params: unknown): boolean {
    const { collection, filterNames, args } = node
    if (node.members === undefined || !node.isFilter || collection.members !== by.members) return false
    return collection.isReachedBy(by) && collection.belongs(filterNames, args, fields, params) !== false
  }

  /** Keeps a change for reads that are under way. */
  keepForReads(change: LateChange): void {
    this.#late.push(change)
  }

  /** Takes back what a mutation kept that was refused. @param settle - its place in the store's sequence */
  forgetForReads(settle: number): void {
    this.#late = this.#late.filter((change) => change.settle !== settle)
  }

  /**
   * A read's answer, with what mutations changed since it started; forgets what no read needs any more.
   *
   * @param change - makes a change to the list
   */
  withLateChanges(
    members: unknown,
    start: number,
    earliestRead: number,
    change: (members: unknown, change: LateChange) => unknown,
  ): unknown {
    if (this.#late.length === 0) return members
    let result = members
    for (const late of this.#late) if (late.settle > start) result = change(result, late)
    this.#late = this.#late.filter(({ settle }) => settle > earliestRead)
    return result
  }

  /** What changes hold that reads under way still need. Forgets all others. */
  lateMembers(earliestRead: number): readonly unknown[] {
    this.#late = this.#late.filter(({ settle }) => settle > earliestRead)
    return this.#late.map(({ members }) => members)
  }
}

/** What a map of a Collection holds. */
class MapView extends View {
  readonly #node: CollectionNode
  readonly #member: Schema
  readonly #delegate: Denormalization

  constructor(node: CollectionNode, member: Schema, delegate: Denormalization) {
    super()
    this.#node = node
    this.#member = member
    this.#delegate = delegate
  }

  override begin(): Beginning {
    if (!isPlainObject(this.#node.members)) {
      const wasShown = this.value !== undefined
      this.value = undefined
      return wasShown ? 'complete' : 'unchanged'
    }
    this.value = {}
    return 'to finish'
  }

  override finish(graph: ViewGraph): void {
    const values = this.value as Record<string, unknown>
    graph.link(this, () => {
      for (const [key, member] of Object.entries(this.#node.members as object)) {
        const data = this.#delegate.resolve(this.#member, member)
        if (data !== undefined) setOwn(values, key, data)
      }
    })
    if (development) Object.freeze(values)
  }
}

/** What a mutation does to a record's membership in one list; `may` where an argument of the list does not say. */
type Move = 'joins' | 'leaves' | 'stays' | 'may join' | 'may leave'

function moveOf(
  { collection, filterNames, args }: CollectionNode,
  { kind, params, before, after }: MutationChange,
  member: unknown,
): Move {
  const record = recordOf(member)
  const left = record instanceof RecordNode ? after.get(record) : {}
  // What was deleted by a mutation that started later joins nothing.
  if (left === undefined && kind !== 'remove') return 'stays'
  const fields = toPlainFields(left ?? {})
  const belongs = collection.belongs(filterNames, args, fields, params)
  if (belongs !== false && kind === 'remove') return belongs === true ? 'leaves' : 'may leave'
  if (belongs !== false && kind !== 'move') return belongs === true ? 'joins' : 'may join'
  if (kind !== 'move') return 'stays'
  const known = before.get(record)
  const didBelong =
    known !== undefined && collection.belongs(filterNames, args, toPlainFields(known), params) !== false
  if (didBelong === (belongs !== false)) return 'stays'
  if (belongs === false) return 'leaves'
  // Only where an argument names a field of the record can its change decide.
  if (!filterNames.some((name) => fields[name] !== undefined)) return 'stays'
  return belongs === true ? 'joins' : 'may join'
}

function changeList(
  members: unknown,
  kind: CollectionChangeKind,
  changed: unknown,
  move: (member: unknown) => Move,
): unknown {
  if (!Array.isArray(members)) return members
  const records = toRecords(changed)
  const joining = records.filter((record) => move(record) === 'joins' && !hasMember(members, record))
  const leaving = records.filter((record) => move(record) === 'leaves' && hasMember(members, record))
  if (joining.length === 0 && leaving.length === 0) return members
  const staying = leaving.length === 0 ? members : members.filter((member) => !hasMember(leaving, member))
  return kind === 'unshift' ? [...joining, ...staying] : [...staying, ...joining]
}

function changeMap(
  members: unknown,
  kind: CollectionChangeKind,
  changed: unknown,
  move: (member: unknown) => Move,
): unknown {
  if (!isPlainObject(members)) return members
  if (kind === 'assign') {
    const entries = Object.entries(isPlainObject(changed) ? changed : {})
    const joining = entries.filter(([key, record]) => move(record) === 'joins' && members[key] !== record)
    return joining.length === 0 ? members : { ...members, ...Object.fromEntries(joining) }
  }
  const leaving = toRecords(changed).filter((record) => move(record) === 'leaves')
  const staying = Object.entries(members).filter(([, member]) => !hasMember(leaving, member))
  return staying.length === Object.keys(members).length ? members : Object.fromEntries(staying)
}

function hasMember(members: readonly unknown[], member: unknown): boolean {
  const record = recordOf(member)
  return members.some((other) => recordOf(other) === record)
}

/** Fields with primary keys in place of nested records, to be compared with arguments. */
function toPlainFields(fields: Fields): Fields {
  const plain: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields))
    setOwn(plain, name, value instanceof RecordNode ? value.pk : value)
  return plain
}
