import type { CollectionSchema } from '../schema/collection.js'
import { contractOf, innerOf } from '../schema/contract-of.js'
import type { CollectionChangeKind, ListIdentity } from '../schema/delegates.js'
import type { Fields } from '../schema/fields.js'
import { valueAt, withValueAt } from '../schema/page.js'
import type { ReceivedPage } from '../schema/page.js'
import type { Call } from '../store/call.js'
import { ListNode, noPages } from '../store/list-node.js'
import type { Pages } from '../store/list-node.js'
import { holds, recordOf, toRecords, withoutRepeated } from '../store/members.js'
import { RecordNode } from '../store/records.js'
import { noResult } from '../store/results.js'
import { neverWritten, wins } from '../store/stamp.js'
import type { Stamp } from '../store/stamp.js'
import type { ListWriter, StoreLists } from '../store/store-lists.js'
import type { Tables } from '../store/tables.js'
import { shareStructure } from '../util/plain.js'
import { stableStringify } from '../util/stable-stringify.js'
import { changedList, noteJoined } from './joined.js'
import { CollectionTable } from './list-table.js'
import type { CollectionNode, FieldsByRecord } from './list-table.js'
import { hasSameLists, withFirstPage, withPage } from './pages.js'

/** The lists of a store: those of Collections, and the pages of all. */
export class Lists implements StoreLists {
  /** The lists that one mutation may reach, by what their members are. */
  readonly collections = new Map<unknown, CollectionTable>()
  /** The lists that none reaches: those that a record holds. */
  readonly #owned: CollectionTable
  readonly #store: Tables

  constructor(store: Tables) {
    this.#store = store
    this.#owned = new CollectionTable(store)
  }

  get tables(): CollectionTable[] {
    return [...this.collections.values(), this.#owned]
  }

  get size(): number {
    return this.collections.size
  }

  node(collection: CollectionSchema<unknown>, list: ListIdentity): CollectionNode {
    return (list.isFilter ? this.#table(collection) : this.#owned).node(collection, list)
  }

  write(
    writer: ListWriter,
    collection: CollectionSchema<unknown>,
    list: ListIdentity,
    received: unknown,
  ): CollectionNode {
    const node = this.node(collection, list)
    const { table, members: stored } = node
    const { order } = writer
    if (stored === undefined) node.identify(list)
    else if (!wins(order, node.stamp)) return node
    writer.keepBefore(node)
    const answer = writer.isUpdating
      ? withoutRepeated(received, writer.heldBefore(node))
      : Array.isArray(received)
        ? this.#withFirstPage(writer, node, stored, received)
        : received
    // A server's answer says where members stand, in whatever order mutations added them.
    node.joined = undefined
    const members =
      order.kind === 'read'
        ? table.withLateChanges(answer, order.start, this.#store.earliestRead, (before, change) => {
            if (table.isDoubtful(node, before, change)) writer.makeStale(node, change.settle)
            const after = changedList(node, before, change, change.start)
            noteJoined(node, before, after, change.start)
            return after
          })
        : answer
    node.stamp = writer.stampOver(undefined, node.stamp)
    // A list that shows the same keeps its identity, also where it only lacks what was deleted meanwhile.
    this.#store.showMembers(node, stored === undefined ? members : shareStructure(stored, members))
    const left = this.#store.unnamed?.leftBy(node) ?? []
    for (const record of left) writer.replace(record, record.fields, undefined)
    return node
  }

  change(
    writer: ListWriter,
    collection: CollectionSchema<unknown>,
    kind: CollectionChangeKind,
    members: unknown,
    params: unknown,
  ): void {
    const table = this.#table(collection)
    const { start, settle, kind: by } = writer.order
    const records = toRecords(members).map(recordOf)
    const before = fieldsBefore(writer, records)
    const after = new Map(
      records.map((record) => [record, record instanceof RecordNode ? record.fields : undefined]),
    )
    const change = { collection, kind, members, params, before, after, start, settle }
    for (const node of table.nodes.values()) {
      const stored = node.members
      if (table.isDoubtful(node, stored, change)) writer.makeStale(node, settle)
      const changed = changedList(node, stored, change, start)
      if (changed === stored) continue
      writer.keepBefore(node)
      if (this.#store.earliestMutation < start) noteJoined(node, stored, changed, start)
      this.#store.showMembers(node, changed)
    }
    if (by === 'expected' || this.#store.earliestRead === Infinity) return
    // For reads that are under way.
    table.keepForReads(change)
    writer.onRollBack(() => table.forgetForReads(settle))
  }

  /** Appends a page to the list of its call. A list that was not there yet is Stale: its first page is missing. */
  append(writer: ListWriter, { page, args, list, result }: ReceivedPage): void {
    const { path, collection } = page
    const received = valueAt(result, path)
    if (!Array.isArray(received)) return
    const { start } = writer.order
    const call = this.#store.call({ key: list.key, schema: contractOf(page.list), args: list.args })
    call.usedAt = writer.now
    const before = call.result
    const node =
      collection && this.node(collection, collection.listOfCall(list.key, path.join('.'), list.args))
    const { pages } = node ?? call
    const stored = node === undefined ? valueAt(before, path) : node.members
    const members = Array.isArray(stored) ? stored : []
    // What a Collection was answered with it remembers by itself: mutations change its members.
    const head = node === undefined && !pages.isPaged ? members : pages.head
    const answered = node === undefined ? received : this.#withLateChanges(node, received, start)
    const appended = withPage({ pages: { ...pages, head }, members }, answered, start)
    if (appended === undefined) return
    if (node === undefined) call.pages = appended.pages
    else {
      writer.keepBefore(node)
      node.pages = appended.pages
      this.#store.showMembers(node, appended.members)
    }
    call.path = path
    const name = stableStringify(args)
    if (!call.loaded.some((loaded) => stableStringify(loaded) === name)) call.loaded = [...call.loaded, args]
    const next = withValueAt(result, path, node ?? appended.members)
    // What the arguments name was answered elsewhere: it has the age of that answer.
    if (before === noResult && next instanceof ListNode && next.stamp.fetchedAt > -Infinity) return
    const shown = before === noResult ? next : writer.sameResult(call, before, next)
    if (shown !== before) this.#store.move(call, { type: 'replaced', result: shown })
  }

  withPages(writer: ListWriter, call: Call, received: unknown): unknown {
    const { path } = call
    if (path === undefined) return received
    const list = valueAt(received, path)
    const stored = valueAt(call.result, path)
    const isArray = Array.isArray(list) && Array.isArray(stored)
    if (!isArray && !(list instanceof ListNode)) return received
    const members = isArray ? this.#withFirstPage(writer, call, stored, list) : list
    const { isPaged } = isArray ? call.pages : (list as ListNode).pages
    if (!isPaged) {
      // The list started over: what was appended to the one before is asked for again.
      call.loaded = []
      return received
    }
    // What stands beside the list is that of the last page.
    return withValueAt(writer.isWhole ? received : call.result, path, members)
  }

  noteStart(writer: ListWriter, call: Call, before: unknown): void {
    const { path, schema, result } = call
    if (path !== undefined || schema === undefined || before === noResult || before === result) return
    writer.readMembers(before)
    if (!hasSameLists(innerOf(schema), before, result))
      call.pages = { ...noPages, begunAt: writer.order.settle }
  }

  holding(nodes: readonly RecordNode[]): CollectionNode[] {
    const holding: CollectionNode[] = []
    for (const [members, { nodes: lists }] of this.collections) {
      // Of what has one of several classes all lists are looked at.
      const held = nodes.filter(({ table }) => typeof members !== 'string' || members === table.key)
      if (held.length === 0) continue
      for (const list of lists.values())
        if (held.some((node) => holds(list.members, node))) holding.push(list)
    }
    return holding
  }

  mayHold(collection: CollectionSchema<unknown>, fields: Fields, params: unknown): CollectionNode[] {
    const table = this.#table(collection)
    return [...table.nodes.values()].filter((list) => table.mayHold(list, collection, fields, params))
  }

  clear(stamp: Stamp): void {
    for (const { nodes } of this.tables) {
      for (const node of nodes.values()) {
        node.members = undefined
        node.joined = undefined
        node.pages = noPages
        node.stamp = stamp
        this.#store.graph.markWritten(node.view)
      }
    }
  }

  sweep(earliestRead: number): void {
    for (const [members, table] of this.collections) {
      if (table.nodes.size === 0 && table.lateMembers(earliestRead).length === 0)
        this.collections.delete(members)
    }
  }

  #table({ members }: CollectionSchema<unknown>): CollectionTable {
    let table = this.collections.get(members)
    if (table === undefined) this.collections.set(members, (table = new CollectionTable(this.#store)))
    return table
  }

  /** The first page of a list, with the pages that were appended to it. @param list - what remembers them */
  #withFirstPage(
    writer: ListWriter,
    list: { pages: Pages },
    members: unknown,
    received: readonly unknown[],
  ): readonly unknown[] {
    const before = { pages: list.pages, members: Array.isArray(members) ? members : [] }
    writer.readMembers(list.pages.head)
    const answer = withFirstPage(before, received, writer.order.settle, writer.isWhole)
    list.pages = answer.pages
    return answer.members
  }

  #withLateChanges(node: CollectionNode, page: readonly unknown[], start: number): readonly unknown[] {
    const { table } = node
    return table.withLateChanges(page, start, this.#store.earliestRead, (before, change) =>
      table.changed(node, before, change),
    ) as readonly unknown[]
  }
}

/** The fields that records had before a transaction, of those that it wrote and that were there. */
function fieldsBefore(writer: ListWriter, records: readonly unknown[]): FieldsByRecord {
  const fields = new Map<unknown, Fields | undefined>()
  writer.before.eachStamp((node, stamp) => {
    const isNew = stamp === neverWritten && writer.hasAdded(node)
    if (!isNew && records.includes(node)) fields.set(node, node.fields)
  })
  writer.before.eachReplaced((node, replaced) => {
    if (fields.has(node)) fields.set(node, replaced)
  })
  return fields
}
