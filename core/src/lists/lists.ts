import { development } from '#development'
import type { CollectionSchema } from '../schema/collection.js'
import { contractOf, namedRecords } from '../schema/contract-of.js'
import type { CollectionChangeKind, ListIdentity } from '../schema/delegates.js'
import type { Fields } from '../schema/fields.js'
import { valueAt, withValueAt } from '../schema/page-schema.js'
import { ruled } from '../schema/ruled-list.js'
import type { PageSchema, PagedCall, ReceivedPage } from '../schema/page-schema.js'
import type { Call } from '../store/call.js'
import { ListNode, noPages } from '../store/list-node.js'
import type { Pages } from '../store/list-node.js'
import { recordOf } from '../schema/members-schema.js'
import { holds, isThere, toRecords, withoutRepeated } from '../store/list-members.js'
import { wins } from '../store/order.js'
import type { MutationUnderWay } from '../store/order.js'
import { RecordNode, viewsOf } from '../store/records.js'
import { noResult } from '../store/results.js'
import type { Stamp } from '../store/stamp.js'
import type { ListWriter, LoadedPages, StoreLists } from '../store/store-lists.js'
import type { Store } from '../store/store.js'
import { viewsIn } from '../store/view/view.js'
import type { View } from '../store/view/view.js'
import { isPlainObject, shareStructure } from '../util/plain.js'
import { stableStringify } from '../util/stable-stringify.js'
import {
  changeOf,
  compare,
  provenFields,
  isInDoubt,
  namesList,
  noteJoined,
  toSent,
} from './membership-change.js'
import type { Evidence, FieldsByRecord, MembershipChange } from './membership-change.js'
import { bothDirections } from './both-directions.js'
import type { GrowingSide } from './both-directions.js'
import { CollectionNode } from './collection-node.js'
import { counting } from './counting.js'
import type { ListGroup } from './collection-node.js'
import { warnOfUnlisted } from './unlisted.js'
import { isOfRecord, newIn, withFirstPage, withPage } from './pages.js'

/** The lists of Collections in a store, and the pages of all lists. */
export class Lists implements StoreLists {
  /** The lists that one mutation may change, by `members` of their Collection. No mutation changes those at `undefined`. */
  readonly groups = new Map<unknown, ListGroup>()
  changedAt = -Infinity
  declare onWritten?: ((writer: ListWriter) => ReadonlySet<ListNode> | undefined) | undefined
  /** Changes to repeat on the responses of reads that started before the mutation was answered (specification G4). */
  #late: MembershipChange[] = []
  readonly #store: Store
  /** In development, the Collections that were warned of. */
  readonly #warned = new Set<string>()

  constructor(store: Store) {
    this.#store = store
  }

  get tables(): ListGroup[] {
    return [...this.groups.values()]
  }

  get size(): number {
    return this.groups.size + this.#late.length
  }

  node(collection: CollectionSchema<unknown>, list: ListIdentity): CollectionNode {
    const members = list.isFilter ? collection.members : undefined
    let table = this.groups.get(members)
    if (table === undefined) this.groups.set(members, (table = { nodes: new Map() }))
    const key = `${collection.kind} ${list.name}`
    const known = table.nodes.get(key)
    if (known !== undefined && !this.#store.isLost(known)) return known
    const node = new CollectionNode(this.#store, table, key, collection, list)
    table.nodes.set(key, node)
    this.#attachRules(collection)
    return node
  }

  #attachRules({
    options: { filter, orderBy } = {},
  }: Partial<Pick<CollectionSchema<unknown>, 'options'>>): void {
    ;(filter ?? orderBy)?.attach(this)
  }

  write(
    writer: ListWriter,
    collection: CollectionSchema<unknown>,
    list: ListIdentity,
    received: unknown,
  ): CollectionNode {
    const node = this.node(collection, list)
    const { members: stored } = node
    const { start, kind } = writer.order
    if (stored === undefined) node.identify(list)
    // An update was computed from the current members.
    else if (!writer.isUpdating && !wins(writer.order, node.stamp)) return node
    writer.keepBefore(node)
    const once =
      received === stored ? received : withoutRepeated(received, writer.isUpdating && writer.heldBefore(node))
    let members =
      Array.isArray(once) && !writer.isUpdating ? this.#withFirstPage(writer, node, stored, once) : once
    // The response gives the order of the members, so the order of earlier mutations no longer matters.
    node.joined = undefined
    node.received = list.call === undefined ? undefined : writer.others
    const late = kind === 'read' ? this.#lateChanges(collection, start) : []
    counting.by?.read(writer, node, once, late)
    for (const change of late) {
      // A layer may hide a deleted record that is back.
      if (change.collection === undefined) writer.readMembers(change.members)
      const changed = changeOf(node, members, change)
      // Of pages that were fetched one after the other, a later one may have been without the row, and begin with another.
      const hasLost = (part: unknown) =>
        holds(members, recordOf(part)) && !(isThere(part) && holds(changed.members, recordOf(part)))
      const isTorn = writer.loaded?.[1] !== undefined && change.parts.some(hasLost)
      if (isTorn) node.pages = { ...node.pages, hasLost: true }
      if (changed.isDoubtful || isTorn) writer.makeStale(node, change.isQuiet, change.settle)
      else if (changed.members !== members && isInDoubt(change)) writer.makeStale(node, true, change.settle)
      noteJoined(node, changed, change)
      members = changed.members
    }
    node.received = undefined
    if (this.#store.fieldOrder.untold.size > 0) this.#doubtUntold(writer, node, members)
    node.stamp = writer.stampOver(undefined, node.stamp)
    // Equal members keep their identity, so that readers are not notified.
    const shown = stored === undefined ? members : shareStructure(stored, members)
    if (shown !== stored) writer.inDoubt.delete(node)
    node.show(shown)
    const left = this.#store.unnamed?.leftBy(node) ?? []
    for (const record of left) writer.drop(record)
    return node
  }

  change(
    writer: ListWriter,
    collection: CollectionSchema<unknown>,
    kind: CollectionChangeKind,
    members: unknown,
    args: readonly unknown[],
  ): void {
    const { start, settle, kind: by } = writer.order
    const { earliestMutation } = this.#store
    const parts = toRecords(members)
    const after = new Map<unknown, Fields | undefined>()
    let isDoubted = writer.doubtedAt > start
    for (const record of parts.map(recordOf)) {
      const isRecord = record instanceof RecordNode
      after.set(record, isRecord ? record.fields : {})
      // The server may have done another mutation too, such as a deletion whose response was lost.
      if (isRecord && record.stamp.doubtedAt !== undefined) isDoubted = true
    }
    const before = new Map<unknown, Fields | undefined>()
    writer.before.each((node, _stamp, fields) => {
      if (after.has(node)) before.set(node, fields)
    })
    const sent = new Map(parts.map((part) => [recordOf(part), toSent(args, recordOf(part))]))
    const sentOf = (record: unknown) => sent.get(record) ?? toSent(args)
    const earlier = new Map<unknown, Fields | undefined>()
    for (const [node, fields] of before) {
      if (fields === undefined) continue
      const record = node as RecordNode
      // A record that a create does not name is not the one that the client may have known by its id.
      const self = { endpoint: { schema: collection.content.member }, args }
      if (kind !== 'move' && !namesRecord(self, record)) continue
      const writes = (mutation: MutationUnderWay, name: string) =>
        namesRecord(mutation, record) && Object.hasOwn(toSent(mutation.args, record).body, name)
      const names = Object.keys(sentOf(record).body)
      const at = this.#store.fieldOrder.withoutObserved(record, fields, start, names, writes)
      if (at !== fields) earlier.set(node, at)
    }
    const lists = this.#nodesLike(collection)
    const change = {
      collection,
      isField: provenFields(lists, { before, earlier }),
      kind,
      members,
      parts,
      sentOf,
      before,
      earlier,
      after,
      start,
      settle,
      isDoubted,
    }
    let isListed = false
    for (const node of lists) {
      counting.by?.change(this.#store, writer, node, change)
      let changed = changeOf(node, node.members, change)
      // In order among the members that layers show is not in order among those that were received.
      const isConcerned =
        changed.isDoubtful ||
        changed.added.length > 0 ||
        changed.members !== node.members ||
        parts.some((part) => namesList(node, change, part))
      if (isConcerned) {
        // The order compares the record with the other members as they were received.
        if (node.collection.options.orderBy !== undefined) writer.readMembers(node.members)
        writer.touchList(node)
        changed = changeOf(node, node.members, change)
      }
      if (development) isListed ||= changed.isDoubtful || holds(changed.members, recordOf(parts[0]))
      if (changed.isDoubtful) writer.inDoubt.add(node)
      if (changed.members === node.members) continue
      if (isDoubted && !changed.isDoubtful) writer.makeStale(node, writer.doubtedAt <= start)
      writer.keepBefore(node)
      // A record that comes back has left its old place.
      const isBack = changed.added.some((member) => node.joined?.has(recordOf(member)) === true)
      if (earliestMutation < start || isBack) noteJoined(node, changed, change)
      if (changed.added.length === 0) this.noteLeft(writer, node, change)
      node.show(changed.members)
    }
    if (development && by !== 'expected')
      warnOfUnlisted(change, lists, this.groups.get(undefined), isListed, this.#warned)
    if (by !== 'expected') this.keepLate(writer, change)
  }

  /** Makes a list Stale that was asked for before a mutation may have taken one of its members away. */
  #doubtUntold(writer: ListWriter, node: CollectionNode, members: unknown): void {
    const { start } = writer.order
    for (const [record, { settle, isQuiet }] of this.#store.fieldOrder.untold)
      if (settle > start && holds(members, record)) writer.makeStale(node, isQuiet, settle)
  }

  /** `true` while reads are in flight. */
  get isReading(): boolean {
    return this.#store.earliestRead < Infinity
  }

  /** Keeps a change for reads in flight, which repeat it on their response. */
  keepLate(writer: ListWriter, change: MembershipChange): void {
    this.changedAt = writer.now
    if (this.#store.earliestRead === Infinity) return
    this.#late.push(change)
    writer.onRollBack(() => {
      this.#late = this.#late.filter((late) => late !== change)
    })
  }

  removed(writer: ListWriter, node: RecordNode, fields: Fields | undefined, isQuiet: boolean): void {
    const { start, settle, kind } = writer.order
    const isExpected = kind === 'expected'
    if (isExpected && counting.by === undefined) return
    const before = new Map([[node, fields]])
    const change: MembershipChange = {
      ...untoldChange,
      members: [node],
      parts: [node],
      before,
      start,
      settle,
    }
    for (const [members, { nodes }] of this.groups) {
      if (!concerns(change, members)) continue
      for (const list of nodes.values()) {
        if (changeOf(list, list.members, change).isDoubtful) writer.makeStale(list, isQuiet)
        // Only a list that has grown by pages is searched.
        if (list.pages.pagedAt !== undefined && holds(list.members, node)) this.noteLeft(writer, list, change)
        counting.by?.change(this.#store, writer, list, change, isQuiet)
      }
    }
    if (!isExpected) this.keepLate(writer, change)
  }

  /**
   * Notes that a member has left a list. If a page that is counted was under way meanwhile, it may begin later than the pages before it
   * end: all are fetched again.
   */
  noteLeft({ order }: ListWriter, node: CollectionNode, { start, settle }: MembershipChange): void {
    const { pages, call: key } = node
    node.pages = { ...pages, hasLeft: true }
    if (order.kind === 'expected' || key === undefined || (pages.pagedAt ?? 0) < start) return
    for (const call of this.#store.calls(key)) if (isNumbered(call)) this.#shift(call, settle)
  }

  #shift(call: Call, at: number): void {
    call.isShifted = true
    this.#store.move(call, { type: 'expired', at })
  }

  open({ schema, args }: Call): void {
    if (ruled.first !== undefined) this.#attachRules(ruled.first as CollectionSchema<unknown>)
    const page = schema as Partial<PageSchema> | undefined
    if (page?.callOf === undefined) return
    try {
      this.#listCall(page as PageSchema, page.callOf(args))
    } catch {
      // `callOf` threw, so the page cannot be appended. This is reported when the page arrives.
    }
  }

  /** Adds a page to its list. A list that was not loaded yet is Stale, because its first page is missing. */
  append(writer: ListWriter, { page, args, list, result }: ReceivedPage): void {
    const { path, collection } = page
    // A page may leave out an empty list, if its schema says so.
    let received: unknown = valueAt(result, path) ?? noNodes
    if (!Array.isArray(received)) return
    const { start, settle } = writer.order
    const call = this.#listCall(page, list)
    call.usedAt = writer.now
    const before = call.result
    const node =
      collection && this.node(collection, collection.listOfCall(list.key, path.join('.'), list.args))
    // The members of a Collection are in its node, because mutations change them; those of a plain list are in the call.
    const stored = node ? node.members : valueAt(before, path)
    const members: readonly unknown[] = Array.isArray(stored) ? stored : []
    const told = received
    const late = node ? this.#lateChanges(node.collection, start) : []
    for (const change of late) received = changeOf(node as CollectionNode, received, change).members
    const holder = node ?? call
    const { pages } = holder
    if (start < pages.begunAt) return
    const side = page.side as GrowingSide | undefined
    const all = (side ? side.withPage : withPage)(members, received as readonly unknown[])
    if (node) writer.keepBefore(node)
    const head = pages.head ?? members
    const rest = pages.isPaged ? pages.rest : node && noNodes
    const grown = { ...pages, isPaged: true, pagedAt: settle, head, rest: rest && withPage(rest, told) }
    holder.pages = side ? side.grow(pages, grown, told, call, { page, args, list, result }) : grown
    const { orderBy } = node?.collection.options ?? {}
    // The order compares records as they were received.
    if (orderBy) writer.readMembers(all)
    node?.show(orderBy?.withPage(node, all, [...head, ...(rest ?? noNodes)]) ?? all)
    if (node) this.#doubtUntold(writer, node, received)
    writer.passDoubt(call)
    this.#store.journal?.note(call)
    call.path = path
    const name = stableStringify(args)
    const loaded = call.loaded[0] ? call.loaded : [list.args]
    if (!loaded.some((each) => stableStringify(each) === name))
      call.loaded = side ? side.put(loaded, args) : [...loaded, args]
    // For each row that has left the pages before, the server has moved a row of this one into them. An offset is larger.
    const hasLeft =
      pages.hasLeft === true || newIn([...head, ...(rest ?? noNodes)], all.filter(isThere)).some(isOfRecord)
    if (side === undefined && isNumbered(call) && hasLeft) this.#shift(call, settle)
    const counted = counting.by?.ofPage(writer, node, { page, result, before, members, rows: told, late })
    const beside = counted ?? result
    const next = withValueAt(side ? side.beside(page, before, beside) : beside, path, node ?? all)
    // Another call loaded this list: without a result of its own, this call infers it, with the age of that response.
    if (before === noResult && next instanceof ListNode && next.stamp.fetchedAt > -Infinity) return
    const shown = writer.sameResult(call, next)
    if (shown !== before) this.#store.move(call, { type: 'replaced', result: shown })
  }

  async fetchAll(
    { path, calls, further }: LoadedPages,
    fetch: (args: readonly unknown[]) => Promise<unknown>,
  ): Promise<unknown> {
    let answer: unknown
    let members: readonly unknown[] = []
    let isComputed = false
    for (const index of calls.keys()) {
      // What needs more than a response has may find no page at all. Then the arguments of before are the next best.
      const args = index > 0 ? further?.(answer, index) : undefined
      if (args === undefined && isComputed) {
        calls.length = index
        break
      }
      if (args !== undefined) calls[index] = args
      isComputed = args !== undefined
      answer = await fetch(calls[index] as readonly unknown[])
      const list = valueAt(answer, path)
      // The schema refuses it.
      if (!Array.isArray(list)) break
      members = members.concat(list)
      answer = withValueAt(answer, path, members)
    }
    return answer
  }

  withPages(writer: ListWriter, call: Call, received: unknown): unknown {
    const { path } = call
    if (path === undefined) return received
    const list = valueAt(received, path)
    const holder = list instanceof ListNode ? list : call
    if (holder === call && !Array.isArray(list)) return received
    const all =
      holder === call
        ? this.#withFirstPage(writer, call, valueAt(call.result, path), list as readonly unknown[])
        : list
    const { isPaged, front, hasLost = false } = holder.pages
    // Pages that lost a row have others than before, until all of them are there again: by number, or by what computes their cursors.
    // So the first page does not tell of a row of another, of which the server may know better.
    const isUntold = isPaged && toRecords(all instanceof ListNode ? all.members : all).some(isInQuestion)
    const isShifted = (hasLost || isUntold) && Boolean(call.further ?? !Number.isNaN(pageNumberOf(call)))
    if (isShifted) call.isShifted = true
    if (writer.loaded) {
      call.loaded = writer.loaded
      call.isShifted = isShifted
    } else if (!isPaged && !front) {
      // The list started over without its pages, so a refetch must not request them.
      call.loaded = []
      call.isShifted = false
      return received
    }
    // Fields beside the list are those of the last page, but the number of all records is that of the last response.
    const beside = isPaged && !writer.loaded ? call.result : received
    return withValueAt(counting.by?.ofList(call.schema, path, beside, received) ?? beside, path, all)
  }

  unloadedOf(node: CollectionNode): number | undefined {
    return counting.by?.unloadedOf(this.#store, node)
  }

  holding(records: ReadonlyMap<RecordNode, number>): Map<CollectionNode, number> {
    const holding = new Map<CollectionNode, number>()
    const above = new Map<View, number>()
    for (const [node, at] of records)
      for (const { dependents } of viewsOf(node))
        for (const view of viewsIn(dependents)) above.set(view, Math.max(at, above.get(view) ?? at))
    for (const [members, { nodes: lists }] of this.groups) {
      // The members of a polymorphic list may have any class, so all such lists are searched.
      const held = [...records]
        .filter(([{ table }]) => typeof members !== 'string' || members === table.key)
        .sort(([, a], [, b]) => b - a)
      if (members === undefined || held.length === 0) continue
      for (const list of lists.values()) {
        // What shows it may have the records from before a reset.
        if (list.members === undefined) continue
        // A list that was read is found by its view, so that its members are not searched.
        const latest = list.isRead
          ? above.get(list.view)
          : held.find(([node]) => holds(list.members, node))?.[1]
        if (latest !== undefined) holding.set(list, latest)
      }
    }
    return holding
  }

  mayHold(by: CollectionSchema<unknown>, fields: Fields, params: unknown): CollectionNode[] {
    const lists = this.#nodesLike(by)
    const evidence = { ...untoldChange, isField: provenFields(lists, untoldChange) }
    return lists.filter((node) => node.members !== undefined && mayHold(node, by, fields, params, evidence))
  }

  expireHolding(
    writer: ListWriter,
    by: CollectionSchema<unknown>,
    fields: Fields,
    params: unknown,
    isQuiet: boolean,
  ): void {
    const { start, settle } = writer.order
    for (const node of this.mayHold(by, fields, params)) writer.makeStale(node, isQuiet)
    this.keepLate(writer, {
      ...untoldChange,
      collection: by,
      start,
      settle,
      decide: (node, members) => ({ members, added: [], isDoubtful: mayHold(node, by, fields, params) }),
      isQuiet,
    })
  }

  expireOf(writer: ListWriter, classes: readonly string[], isQuiet: boolean): void {
    const { start, settle } = writer.order
    for (const [members, { nodes }] of this.groups) {
      // The members of a polymorphic list may have any class.
      if (typeof members === 'string' && !classes.includes(members)) continue
      const [first] = nodes.values()
      if (members === undefined || first === undefined) continue
      for (const node of nodes.values()) writer.makeStale(node, isQuiet)
      this.keepLate(writer, {
        ...untoldChange,
        collection: first.collection,
        start,
        settle,
        decide: (_node, held) => ({ members: held, added: [], isDoubtful: true }),
        isQuiet,
      })
    }
  }

  clear(stamp: Stamp): void {
    for (const { nodes } of this.tables) {
      for (const node of nodes.values()) {
        this.#store.journal?.note(node)
        Object.assign(node, { joined: undefined, pages: noPages, stamp })
        node.show(undefined)
      }
    }
  }

  lateMembers(): readonly unknown[] {
    this.#forgetSeen()
    return this.#late.map(({ members }) => members)
  }

  sweep(): void {
    for (const [members, { nodes }] of this.groups) if (nodes.size === 0) this.groups.delete(members)
  }

  /** Returns the call of a page's list. Remembers its first page, to detect later that the list starts over. */
  #listCall({ list, path }: PageSchema, { key, args }: PagedCall): Call {
    const call = this.#store.call({ key, schema: contractOf(list), args })
    call.path ??= path
    const listed = () => valueAt(call.result, path)
    if (call.pages.head !== undefined || !Array.isArray(listed())) return call
    // The server's first page, without the expected changes of mutations.
    const head = this.#store.below(listed)
    if (Array.isArray(head)) call.pages = { ...call.pages, head }
    return call
  }

  /** Returns the lists that a mutation of a Collection may change. */
  #nodesLike({ members }: CollectionSchema<unknown>): CollectionNode[] {
    return [...(this.groups.get(members)?.nodes.values() ?? [])]
  }

  /** Returns the changes of mutations of a Collection's members that were answered after a read started. */
  #lateChanges({ members }: CollectionSchema<unknown>, start: number): readonly MembershipChange[] {
    const missed = this.#late.filter((change) => change.settle > start && concerns(change, members))
    this.#forgetSeen()
    return missed
  }

  /** Drops the changes that were answered before all reads in flight started. */
  #forgetSeen(): void {
    const { earliestRead } = this.#store
    this.#late = this.#late.filter(({ settle }) => settle > earliestRead)
  }

  /** Returns a received first page, followed by the pages appended to the list. Updates `list.pages`. */
  #withFirstPage(
    writer: ListWriter,
    list: { pages: Pages } & Partial<Pick<CollectionNode, 'collection'>>,
    members: unknown,
    received: readonly unknown[],
  ): readonly unknown[] {
    writer.readMembers(list.pages.head)
    const { settle } = writer.order
    const isWhole = writer.loaded !== undefined
    const isOrdered = list.collection?.options.orderBy !== undefined
    const join = (list.pages.front && bothDirections.join) ?? withFirstPage
    return join(list, Array.isArray(members) ? members : [], received, settle, isWhole, isOrdered)
  }
}

function isInQuestion(member: unknown): boolean {
  const record = recordOf(member)
  return record instanceof RecordNode && record.stamp.doubtedAt !== undefined
}

const noNodes: readonly unknown[] = []

const none: FieldsByRecord = new Map()

/** A change whose mutation does not tell what it does. */
const untoldChange: Omit<MembershipChange, 'start' | 'settle'> = {
  collection: undefined,
  kind: 'remove',
  members: noNodes,
  parts: noNodes,
  sentOf: () => toSent([]),
  before: none,
  earlier: none,
  after: none,
}

/** The number by which the last loaded page of a list is told from the first; `NaN` for none. */
function pageNumberOf({ loaded }: Call): number {
  const [own, last] = [loaded[0], loaded.at(-1)].map(
    (args) => Object(args?.[0]) as Readonly<Record<string, unknown>>,
  )
  const name = Object.keys(last ?? noNodes).find((each) => last?.[each] !== own?.[each])
  return Number(last?.[name ?? ''])
}

/** Returns `true` if the pages of a list are told apart by their number: an offset is larger. */
function isNumbered(call: Call): boolean {
  return pageNumberOf(call) <= call.loaded.length
}

/** Returns `true` if a list may have a record with these fields after a mutation of a Collection. */
function mayHold(
  node: CollectionNode,
  by: CollectionSchema<unknown>,
  fields: Fields,
  params: unknown,
  evidence: Evidence = untoldChange,
): boolean {
  const { collection, members } = node
  if (!collection.isReachedBy(by)) return false
  if (collection.options.filter !== undefined) return true
  return compare(node, members, fields, isPlainObject(params) ? params : {}, evidence) !== false
}

/** Returns `true` if a change concerns the lists with these members. */
function concerns({ collection, parts: [record] }: MembershipChange, members: unknown): boolean {
  if (collection !== undefined) return collection.members === members
  // The members of a polymorphic list may have any class.
  return typeof members !== 'string' || members === (record as RecordNode).table.key
}

/** Returns `true` if the arguments of a mutation name a record. */
function namesRecord({ endpoint: { schema }, args }: MutationUnderWay, { table, pk }: RecordNode): boolean {
  const named = schema === undefined ? [] : namedRecords(contractOf(schema), args)
  return named.some((each) => table.plans.includes(each.plan) && table.realPk(each.pk) === pk)
}
