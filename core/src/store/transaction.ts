import { normalizeInto } from '../normalize/normalize.js'
import type { PayloadOrigin, RecordSink, StoredRecords } from '../normalize/normalize.js'
import { fillFields, mergeFields } from '../normalize/merge.js'
import type { CollectionSchema } from '../schema/collection.js'
import type { CollectionChangeKind, ListIdentity } from '../schema/delegates.js'
import { EntityPlan } from '../schema/entity-plan.js'
import type { FieldPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import { valueAt, withValueAt } from '../schema/page.js'
import type { ReceivedPage } from '../schema/page.js'
import type { SchemaContract } from '../schema/schema.js'
import * as errors from '../errors.js'
import { warn } from '../errors.js'
import type { SelfsameError } from '../errors.js'
import { contractOf, innerOf } from '../schema/contract-of.js'
import { ObjectSchema } from '../schema/object.js'
import { CollectionNode } from './collections.js'
import type { CollectionTable, MutationChange } from './collections.js'
import { changedList, noteJoined } from './joined.js'
import { holds, recordOf, toRecords, withoutRepeated } from './members.js'
import { hasSameLists, noPages, withFirstPage, withPage } from './pages.js'
import { Reference, hasReference } from './reference.js'
import { viewsIn } from './view/dependents.js'
import { RecordNode, rejection, viewsOf, withoutDefaults } from './records.js'
import type { RecordTable } from './records.js'
import { copyPlain, isPlainObject, shareStructure } from '../util/plain.js'
import { stableStringify } from '../util/stable-stringify.js'
import { hasOtherContent, isOvertaken, noResult } from './results.js'
import { callsShowing } from './call.js'
import type { Call } from './call.js'
import { neverWritten, wins } from './stamp.js'
import type { Stamp, WriteOrder } from './stamp.js'
import type { Tables } from './tables.js'
import { UndoLog } from './undo-log.js'
import type { View } from './view/view.js'

/** How long what is written stays Valid: milliseconds; `undefined` leaves it to the next in line. */
export interface Lengths {
  /** Said by the endpoint: beats what the entity says. */
  readonly endpoint: number | undefined
  /** Said by the Controller: the default. */
  readonly controller: number
}

/** What a list was before it was changed. */
type ListBefore = Pick<CollectionNode, 'members' | 'stamp' | 'pages' | 'joined'>

/** Data that the user was shown, to tell what he changed. */
export interface ShownRecords {
  /** The record that an object of the user's is shown by. */
  shownBy(plan: EntityPlan, pk: string, input: object): RecordNode | undefined
  /** The instance that shows a record; `undefined` when there is none. */
  shown(plan: EntityPlan, node: RecordNode): object | undefined
}

/**
 * The one way to write. Records and results that are written in a transaction are written whole or not at all,
 * and their readers are told once, when it ends (specification G3, G5).
 */
export class Transaction implements RecordSink, StoredRecords {
  readonly known = this
  readonly order: WriteOrder
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly #store: Tables
  readonly #lengths: Lengths
  /** What was there before, to be put back on failure. */
  readonly #before = new UndoLog()
  readonly #listsBefore: ({ node: CollectionNode } & ListBefore)[] = []
  /** Calls that were made Stale, with where that was the case before. */
  readonly #staleBefore: { readonly call: Call; readonly expiredAt: number }[] = []
  /** Pages, whose lists they are appended to when the whole answer is known to be good. */
  readonly #received: ReceivedPage[] = []
  /** Tables of which nothing had been received before. */
  readonly #listed: RecordTable[] = []
  /** Nodes that were made. */
  readonly #made: RecordNode[] = []
  /** Records that were named by the temporary primary keys in whose place they are. */
  #renamed: Map<RecordNode, string> | undefined = undefined
  /** Collections whose change was kept for reads under way. */
  readonly #keptFor: CollectionTable[] = []
  /** Records that came too late, with what was stored before. */
  #late: Map<RecordNode, { readonly base: Fields; readonly late: Fields }> | undefined = undefined
  /** One for each length. */
  readonly #stamps: Stamp[] = []
  /** What was written from here on was made from. */
  #shown: ShownRecords | undefined = undefined
  /** Whether the answer holds all pages that were appended to its list. */
  #isWhole = false
  #lastLength = NaN
  #lastStamp: Stamp | undefined = undefined

  constructor(store: Tables, order: WriteOrder, lengths: Lengths, now: number) {
    this.#store = store
    this.order = order
    this.#lengths = lengths
    this.now = now
  }

  /**
   * Stores the records of a payload.
   *
   * @returns the normalized result
   * @throws {SelfsameError} when the payload does not have the form of its schema, or its own record is not
   *   valid for its class
   */
  ingest(schema: SchemaContract, payload: unknown, origin: PayloadOrigin): unknown {
    this.#isWhole = origin.isWhole === true
    const result = normalizeInto(this, schema, payload, origin)
    const reason = this.#whyUnreadable(innerOf(schema), result, origin.name)
    if (reason !== undefined) throw reason
    // After all that can fail: what is done to the results of other calls is not taken back.
    for (const received of this.#received.splice(0)) this.#appendPage(received)
    return result
  }

  /**
   * Answers a call by a payload. What would leave the call unreadable is refused: its readers would ask without end.
   *
   * @returns the normalized result
   * @throws {SelfsameError} what `ingest` throws; `payload-unusable` for an answer of which nothing can be shown
   */
  answer(call: Call, payload: unknown, origin: PayloadOrigin): unknown {
    const result =
      call.schema === undefined ? plainOf(payload, origin) : this.#answer(call.schema, payload, origin)
    this.setResult(call, result)
    return result
  }

  #answer(schema: SchemaContract, payload: unknown, origin: PayloadOrigin): unknown {
    const { name, args } = origin
    const inner = innerOf(schema)
    // A mutation may only name its record; a read that does has not been answered.
    const isKey = typeof payload === 'string' || typeof payload === 'number'
    if (isKey && inner instanceof EntityPlan)
      throw errors.unexpectedKind(`a record of "${inner.key}"`, name, '', payload)
    if (inner.isRemoving === true) throw errors.answerUnreadable(name)
    const result = this.ingest(schema, payload, origin)
    if (result === null || result === undefined) throw errors.answerMissing(name, result)
    // Of what is built in it is known without a look: a list shows something, a record was judged.
    const isKnown = inner.isReplacing === true || this.#isOvertaken(result)
    if (!isKnown && this.#store.readOnce(inner, result, args) === undefined)
      throw errors.answerUnreadable(name)
    return result
  }

  /** Answers a call. Ignored when the request started before the call was invalidated or newly answered. */
  setResult(call: Call, result: unknown): void {
    const { start } = this.order
    if (start <= call.invalidatedAt || start < call.stamp.sequence) return
    const before = call.result
    const answer = before === noResult ? result : this.#withPages(call, result)
    // Of a result that has to be given up nothing may live on in another.
    const shown =
      before === noResult || call.dispose !== undefined ? answer : this.#sameResult(call, before, answer)
    if (shown !== before || call.isInvalidated) this.#store.discard(call, shown)
    this.#store.move(call, { type: 'answered', result: shown, stamp: this.#stamp(undefined) })
    this.#noteStart(call, before)
  }

  /**
   * From here on payloads come from the user's updates of denormalized data: an instance in them stands for the record
   * that it shows. Of views, nothing may be read until the end of the transaction: they still hold those instances.
   */
  beginUpdates(shown: ShownRecords): void {
    this.#shown = shown
  }

  protected get isUpdating(): boolean {
    return this.#shown !== undefined
  }

  /** Replaces what a call shows. Its age stays; answers to requests that are under way do not count. */
  replaceResult(call: Call, result: unknown): void {
    const before = call.result
    if (before === noResult && call.view.inferred === result) return
    const shown = before === noResult ? result : this.#sameResult(call, before, result)
    const stamp = before === noResult ? { ...call.age } : call.stamp
    if (shown !== before) this.#store.discard(call, shown)
    this.#store.move(call, { type: 'replaced', result: shown, stamp, at: this.order.settle })
  }

  // --- RecordSink: where a payload's records go ---

  reference(plan: EntityPlan, pk: string, expected?: unknown): RecordNode {
    const table = this.#store.table(plan)
    if (expected instanceof RecordNode && this.#isNamed(expected, table, pk)) return expected
    let node = this.#store.find(table, pk)
    if (node === undefined) {
      if (this.order.kind === 'read') table.temporary?.forget(pk)
      node = this.#store.add(table, pk)
      // A temporary primary key names a record that was there before.
      if (node.pk === pk) this.#made.push(node)
      else (this.#renamed ??= new Map<RecordNode, string>()).set(node, pk)
    }
    return node
  }

  recognize(plan: EntityPlan, record: object, expected: unknown): RecordNode | undefined {
    if (!(expected instanceof RecordNode) || this.#shown !== undefined) return undefined
    const { table, fields } = expected
    if (fields === undefined || !expected.hasArrived || !table.isKeyedById(plan)) return undefined
    const { id } = record as { readonly id?: unknown }
    if (fields['id'] !== id || (typeof id !== 'number' && typeof id !== 'string')) return undefined
    return this.#store.barrier === undefined ? expected : undefined
  }

  isReference(value: unknown): boolean {
    return value instanceof Reference
  }

  storedOf(reference: unknown): unknown {
    if (reference instanceof RecordNode) return reference.fields
    return reference instanceof CollectionNode ? reference.members : undefined
  }

  shownBy(plan: EntityPlan, pk: string, input: object): RecordNode | undefined {
    return this.#shown?.shownBy(plan, pk, input)
  }

  fieldsOf(plan: EntityPlan): readonly FieldPlan[] {
    return this.#store.table(plan).fields
  }

  mergedInto(plan: EntityPlan, reference: unknown): Fields | undefined {
    const node = reference as RecordNode
    if (plan.mergesItself || this.#shown !== undefined || this.#renamed !== undefined) return undefined
    return wins(this.order, node.stamp) ? node.fields : undefined
  }

  update(plan: EntityPlan, reference: unknown, stored: Fields, merged: Fields): void {
    const node = reference as RecordNode
    const { stamp } = node
    this.#noteStamp(node, stamp)
    node.stamp = this.stampOver(plan, stamp)
    if (merged !== stored) this.#replace(node, stored, merged)
  }

  write(plan: EntityPlan, reference: unknown, received: Fields): void {
    const node = reference as RecordNode
    const { stamp, fields } = node
    const isWinner = wins(this.order, stamp)
    if (!isWinner && fields === undefined) return
    const given = this.#shown ? withoutDefaults(received, fields, this.#shown.shown(plan, node)) : received
    const temporary = this.#renamed?.get(node)
    const keys = temporary === undefined ? undefined : node.table.temporary
    const named = keys?.withRealKey(given, temporary as string, node.pk, fields) ?? given
    this.#writeFields(plan, node, fields, named, isWinner)
  }

  #writeFields(
    plan: EntityPlan,
    node: RecordNode,
    fields: Fields | undefined,
    received: Fields,
    isWinner: boolean,
  ): void {
    const { stamp } = node
    this.#noteStamp(node, stamp)
    if (fields !== undefined && plan.mergesItself) {
      this.#mergeByClass(plan, node, fields, received, isWinner)
      return
    }
    const merged =
      fields === undefined
        ? received
        : isWinner
          ? mergeFields(fields, received)
          : this.#fill(node, fields, received)
    if (isWinner) node.stamp = this.stampOver(plan, stamp)
    // What was never written had no fields.
    if (fields === undefined && stamp === neverWritten) this.#store.showFields(node, merged)
    else if (merged !== fields) this.#replace(node, fields, merged)
  }

  collection(collection: CollectionSchema<unknown>, list: ListIdentity, received: unknown): CollectionNode {
    const node = this.#store.listOf(collection, list)
    const { table } = node
    if (node.members === undefined) node.identify(list)
    if (!wins(this.order, node.stamp) && node.members !== undefined) return node
    const { start, kind } = this.order
    this.keepBefore(node)
    const answer = this.#shown
      ? withoutRepeated(received, node.members)
      : Array.isArray(received)
        ? this.#withFirstPage(node, node.members, received)
        : received
    // A server's answer says where members stand, in whatever order mutations added them.
    node.joined = undefined
    const members =
      kind === 'read'
        ? table.withLateChanges(answer, start, this.#store.earliestRead, (before, change) => {
            if (table.isDoubtful(node, before, change)) this.makeStale(node, change.settle)
            const after = changedList(node, before, change, change.start)
            noteJoined(node, before, after, change.start)
            return after
          })
        : answer
    node.stamp = this.stampOver(undefined, node.stamp)
    this.#replaceMembers(node, members)
    const left = this.#store.unnamed?.leftBy(node) ?? []
    for (const record of left) this.#replace(record, record.fields, undefined)
    return node
  }

  changeCollections(
    collection: CollectionSchema<unknown>,
    kind: CollectionChangeKind,
    members: unknown,
    params: unknown,
  ): void {
    const table = this.#store.collectionTable(collection)
    const records = toRecords(members).map(recordOf)
    const before = this.#fieldsBefore(records)
    const after = new Map(records.map((record) => [record, this.#fieldsOf(record)]))
    for (const node of table.nodes.values()) {
      const stored = node.members
      const change = { collection, kind, members, params, before, after }
      if (table.isDoubtful(node, stored, change)) this.makeStale(node, this.order.settle)
      const changed = changedList(node, stored, change, this.order.start)
      if (changed === stored) continue
      this.keepBefore(node)
      if (this.#store.earliestMutation < this.order.start) {
        noteJoined(node, stored, changed, this.order.start)
      }
      this.#store.showMembers(node, changed)
    }
    this.keepForReads(table, { collection, kind, members, params, before, after })
  }

  /** Keeps a change of lists for reads that are under way. */
  protected keepForReads(table: CollectionTable, change: MutationChange): void {
    if (this.#store.earliestRead === Infinity) return
    const { start, settle } = this.order
    table.keepForReads({ start, settle, ...change })
    this.#keptFor.push(table)
  }

  /** Makes the calls Stale that show a list. @param settle - what was asked for earlier is Stale at once */
  protected makeStale(node: CollectionNode, settle: number): void {
    const shownBy = callsShowing(viewsIn(node.view.dependents))
    const answered = node.call === undefined ? [] : this.#store.calls(node.call)
    this.#expire([...shownBy, ...answered], settle)
  }

  #expire(calls: readonly Call[], settle: number): void {
    for (const call of new Set(calls)) {
      this.#staleBefore.push({ call, expiredAt: call.expiredAt })
      this.#store.move(call, { type: 'expired', at: settle })
    }
  }

  /**
   * A mutation succeeded, and nothing says what it changed: makes the record Stale that its arguments name, with what shows
   * it, and the lists that what it is about may have joined.
   */
  doubt(schema: SchemaContract, args: readonly unknown[]): void {
    const plan = schema.recordSchema === undefined ? schema : contractOf(schema.recordSchema)
    if (!(plan instanceof EntityPlan)) return
    const table = this.#store.table(plan)
    const pk = plan.pkOfArgs(args)
    const node = pk === undefined ? undefined : this.#store.find(table, table.realPk(pk))
    const body = args.at(-1)
    const fields = isPlainObject(body) ? body : {}
    this.#doubt(node === undefined ? [] : [node])
    const collection = schema.changedLists as CollectionSchema<unknown> | undefined
    if (collection === undefined) return
    const lists = this.#store.collectionTable(collection)
    for (const list of lists.nodes.values()) {
      if (lists.mayHold(list, collection, fields, args[0])) this.makeStale(list, this.order.settle)
    }
  }

  /** Makes records Stale, with what shows them, and the lists that hold them. */
  #doubt(nodes: readonly RecordNode[]): void {
    for (const node of nodes) {
      this.#noteStamp(node, node.stamp)
      node.stamp = { ...node.stamp, expiresAt: -Infinity }
    }
    this.outdate(nodes)
  }

  /** Makes what shows records Stale, and the lists that hold them. @returns these lists */
  outdate(nodes: readonly RecordNode[]): CollectionNode[] {
    for (const node of nodes) this.#expire(rowsAbove(viewsOf(node)), this.order.settle)
    const outdated: CollectionNode[] = []
    for (const [members, lists] of this.#store.collections) {
      // Of what has one of several classes all lists are looked at.
      const held = nodes.filter(({ table }) => typeof members !== 'string' || members === table.key)
      if (held.length === 0) continue
      for (const list of lists.nodes.values())
        if (held.some((node) => holds(list.members, node))) outdated.push(list)
    }
    for (const list of outdated) this.makeStale(list, this.order.settle)
    return outdated
  }

  page(received: ReceivedPage): void {
    this.#received.push(received)
  }

  listed(plan: EntityPlan): void {
    const table = this.#store.table(plan)
    if (table.isListed) return
    this.#listed.push(table)
    this.#store.setListed(table, true)
  }

  stored(plan: EntityPlan, pk: string): unknown {
    const table = this.#store.table(plan)
    const node = this.#store.find(table, table.realPk(pk))
    return node?.fields === undefined ? undefined : node
  }

  /** Only an answer can tell which of them is gone: they are asked for. */
  removeOneOf(references: readonly unknown[]): void {
    this.#doubt(references as readonly RecordNode[])
  }

  remove(plan: EntityPlan, reference: unknown): void {
    const node = reference as RecordNode
    if (!wins(this.order, node.stamp)) return
    const { fields } = node
    this.#noteStamp(node, node.stamp)
    node.stamp = this.stampOver(plan, node.stamp)
    if (fields !== undefined) this.#replace(node, fields, undefined)
  }

  /**
   * Takes apart fields of a stored record that had no schema when it was received. What does not fit stays as it
   * was sent.
   */
  joinFields(node: RecordNode, added: readonly FieldPlan[]): void {
    const { fields } = node
    if (fields === undefined) return
    const name = `the stored record ${node.table.key} "${node.pk}"`
    const { hydration } = this.#store
    const joinedFields: Record<string, unknown> = {}
    for (const field of added) {
      const value = fields[field.name]
      if (value === undefined || value === null) continue
      const schema = contractOf(field.schema)
      try {
        joinedFields[field.name] =
          hydration !== undefined && hasReference(value)
            ? hydration.bind(schema, value, `the field ${field.name} of ${name}`)
            : normalizeInto(this, schema, value, {
                args: [],
                name,
                isOwned: false,
                owner: { key: node.table.key, pk: node.pk, fields, field: field.name },
              })
      } catch (error) {
        warn(error)
        // What is not of its schema must not be read by it.
        joinedFields[field.name] = undefined
      }
    }
    // A record that has none of these fields shows what it showed (specification G2).
    if (Object.keys(joinedFields).length > 0) this.#store.showFields(node, { ...fields, ...joinedFields })
  }

  /** Puts back everything that was written. */
  rollBack(): void {
    for (const table of this.#keptFor) table.forgetForReads(this.order.settle)
    for (const { call, expiredAt } of this.#staleBefore.reverse()) {
      call.transition({ type: 'expired', at: expiredAt, isExact: true })
    }
    for (const table of this.#listed) this.#store.setListed(table, false)
    for (const { node, members, stamp, pages, joined } of this.#listsBefore.reverse()) {
      node.stamp = stamp
      node.pages = pages
      node.joined = joined
      this.#store.showMembers(node, members)
    }
    this.#before.eachReplaced((node, fields) => this.#store.showFields(node, fields))
    const absent = new Set(this.#made)
    this.#before.eachStamp((node, stamp) => {
      node.stamp = stamp
      if (stamp === neverWritten && this.hasAdded(node)) absent.add(node)
    })
    // From the end of the table on, where they mostly stand.
    for (const node of [...absent].reverse()) {
      this.#store.showFields(node, undefined)
      if (!node.hasArrived) continue
      node.hasArrived = false
      const { arrived, lists } = node.table
      arrived.splice(arrived.lastIndexOf(node), 1)
      for (const list of lists.values()) this.#store.graph.markWritten(list)
    }
    for (const node of this.#made) {
      // A node that was read meanwhile stays: whoever read it waits for the record.
      if (node.views === undefined) node.table.nodes.delete(node.pk)
    }
  }

  /** Calls a function with each record that was written. */
  eachWritten(use: (node: RecordNode) => void): void {
    this.#before.eachStamp(use)
  }

  /** What was there before, which perhaps nothing else refers to. */
  get replaced(): readonly unknown[] {
    const replaced: unknown[] = this.#listsBefore.flatMap(({ members, pages }) => [members, pages.head])
    this.#before.eachReplaced((_node, fields) => replaced.push(fields))
    return replaced
  }

  /** Whether a record that was never written before has its fields from here. */
  protected hasAdded(_node: RecordNode): boolean {
    return true
  }

  /** Whether a look-up would find this node: never asked while a collection has to hear of look-ups. */
  #isNamed(node: RecordNode, table: RecordTable, pk: string): boolean {
    if (node.pk !== pk || node.table !== table || !node.hasArrived) return false
    return this.#store.barrier === undefined && table.realPk(pk) === pk
  }

  #noteStamp(node: RecordNode, stamp: Stamp): void {
    // What carries a stamp of this transaction was noted when it got it: most of what an answer nests is there often.
    if (stamp !== this.#lastStamp) this.#before.noteStamp(node, stamp)
  }

  /** Notes a list that is about to be changed. */
  protected keepBefore(node: CollectionNode): void {
    const { members, stamp, pages, joined } = node
    this.#listsBefore.push({ node, members, stamp, pages, joined })
  }

  /** The first page of a list, with the pages that were appended to it. @param list - what remembers them */
  #withFirstPage(
    list: Pick<CollectionNode, 'pages'>,
    members: unknown,
    received: readonly unknown[],
  ): readonly unknown[] {
    const before = { pages: list.pages, members: Array.isArray(members) ? members : [] }
    this.readMembers(list.pages.head)
    const answer = withFirstPage(before, received, this.order.settle, this.#isWhole)
    list.pages = answer.pages
    return answer.members
  }

  /** A list to which nothing was appended starts over: pages that are on their way continue what was there before. */
  #noteStart(call: Call, before: unknown): void {
    const { path, schema, result } = call
    if (path !== undefined || schema === undefined || before === noResult || before === result) return
    this.readMembers(before)
    if (!hasSameLists(innerOf(schema), before, result))
      call.pages = { ...noPages, begunAt: this.order.settle }
  }

  /** Of the members of a list it is asked next whether they were deleted. */
  protected readMembers(_members: unknown): void {}

  /** A call's answer, with the pages that were appended to its list and what came with the last of them. */
  #withPages(call: Call, received: unknown): unknown {
    const { path } = call
    if (path === undefined) return received
    const list = valueAt(received, path)
    const stored = valueAt(call.result, path)
    const isArray = Array.isArray(list) && Array.isArray(stored)
    if (!isArray && !(list instanceof CollectionNode)) return received
    const members = isArray ? this.#withFirstPage(call, stored, list) : list
    const { isPaged } = isArray ? call.pages : (list as CollectionNode).pages
    if (!isPaged) {
      // The list started over: what was appended to the one before is asked for again.
      call.loaded = []
      return received
    }
    // What stands beside the list is that of the last page.
    return withValueAt(this.#isWhole ? received : call.result, path, members)
  }

  /** Appends a page to the list of its call. A list that was not there yet is Stale: its first page is missing. */
  #appendPage({ page, args, list, result }: ReceivedPage): void {
    const { path, collection } = page
    const received = valueAt(result, path)
    if (!Array.isArray(received)) return
    const call = this.#store.call({ key: list.key, schema: contractOf(page.list), args: list.args })
    call.usedAt = this.now
    const before = call.result
    const node =
      collection && this.#store.listOf(collection, collection.listOfCall(list.key, path.join('.'), list.args))
    const { pages } = node ?? call
    const stored = node === undefined ? valueAt(before, path) : node.members
    const members = Array.isArray(stored) ? stored : []
    // What a Collection was answered with it remembers by itself: mutations change its members.
    const head = node === undefined && !pages.isPaged ? members : pages.head
    const answered = node === undefined ? received : this.#withLateChanges(node, received)
    const appended = withPage({ pages: { ...pages, head }, members }, answered, this.order.start)
    if (appended === undefined) return
    if (node === undefined) call.pages = appended.pages
    else {
      this.keepBefore(node)
      node.pages = appended.pages
      this.#store.showMembers(node, appended.members)
    }
    call.path = path
    const name = stableStringify(args)
    if (!call.loaded.some((loaded) => stableStringify(loaded) === name)) call.loaded = [...call.loaded, args]
    const next = withValueAt(result, path, node ?? appended.members)
    // What the arguments name was answered elsewhere: it has the age of that answer.
    if (before === noResult && next instanceof CollectionNode && next.stamp.fetchedAt > -Infinity) return
    const shown = before === noResult ? next : this.#sameResult(call, before, next)
    if (shown === before) return
    this.#store.move(call, { type: 'replaced', result: shown })
  }

  #withLateChanges(node: CollectionNode, page: readonly unknown[]): readonly unknown[] {
    const { table } = node
    const { earliestRead } = this.#store
    return table.withLateChanges(page, this.order.start, earliestRead, (before, change) =>
      table.changed(node, before, change),
    ) as readonly unknown[]
  }

  /** A list is shown by the view of the one in whose place it is, which finds out what differs. */
  #sameResult({ view }: Call, stored: unknown, received: unknown): unknown {
    return shareStructure(stored, received, (before, after) => view.continueList(before, after))
  }

  #fieldsOf(record: unknown): Fields | undefined {
    return record instanceof RecordNode ? record.fields : undefined
  }

  #fieldsBefore(records: readonly unknown[]): Map<unknown, Fields | undefined> {
    const before = new Map<unknown, Fields | undefined>()
    this.#before.eachStamp((node, stamp) => {
      if (!(stamp === neverWritten && this.hasAdded(node)) && records.includes(node))
        before.set(node, this.#fieldsOf(node))
    })
    this.#before.eachReplaced((node, fields) => {
      if (before.has(node)) before.set(node, fields)
    })
    return before
  }

  /** A record that stands several times in a late answer is put together first, and then fills what is missing. */
  #fill(node: RecordNode, fields: Fields, received: Fields): Fields {
    this.#late ??= new Map()
    const { base, late } = this.#late.get(node) ?? { base: fields, late: {} }
    const merged = mergeFields(late, received)
    this.#late.set(node, { base, late: merged })
    return fillFields(base, merged)
  }

  /** A class that has merge functions of its own decides what is kept. */
  #mergeByClass(
    plan: EntityPlan,
    node: RecordNode,
    fields: Fields,
    received: Fields,
    isWinner: boolean,
  ): void {
    const { entity } = plan
    const { stamp } = node
    const next = this.stampOver(plan, stamp)
    const existingMeta = { fetchedAt: stamp.fetchedAt, expiresAt: stamp.expiresAt, order: stamp.sequence }
    const order = isWinner
      ? Math.max(next.sequence, stamp.sequence)
      : Math.min(this.order.start, stamp.sequence - 1)
    const incomingMeta = { fetchedAt: next.fetchedAt, expiresAt: next.expiresAt, order }
    const metas = [existingMeta, incomingMeta, fields, received] as const
    const merged = entity.mergeWithStore?.(...metas) ?? received
    const meta = entity.mergeMetaWithStore?.(...metas) ?? incomingMeta
    if (meta !== existingMeta && this.order.kind !== 'expected') {
      node.stamp = { ...(isWinner ? next : stamp), fetchedAt: meta.fetchedAt, expiresAt: meta.expiresAt }
    }
    const shared = shareStructure(fields, merged) as Fields
    if (shared !== fields) this.#replace(node, fields, shared)
  }

  /** A list that shows the same keeps its identity, also where it only lacks what was deleted meanwhile. */
  #replaceMembers(node: CollectionNode, received: unknown): void {
    const { members } = node
    this.#store.showMembers(node, members === undefined ? received : shareStructure(members, received))
  }

  #replace(node: RecordNode, stored: Fields | undefined, received: Fields | undefined): void {
    this.#before.noteFields(node, stored)
    this.#store.showFields(node, received)
  }

  /** Whether something in a result gave way to what is newer, or may be hidden until a mutation is answered. */
  #isOvertaken(result: unknown): boolean {
    return this.#store.earliestMutation < Infinity || isOvertaken(result, this.order.start)
  }

  /** Why nothing of an answer can be shown: its own records are missing, or their classes cannot use them. */
  #whyUnreadable(
    given: SchemaContract,
    result: unknown,
    name: string,
    isBeside = false,
  ): SelfsameError | undefined {
    const schema = given.recordSchema === undefined ? given : contractOf(given.recordSchema)
    if (schema instanceof EntityPlan) {
      return result instanceof RecordNode ? this.#whyUnusable(schema, result, name, isBeside) : undefined
    }
    if (schema.schemaOf !== undefined && Array.isArray(result)) {
      const chosen = schema.schemaOf(result[0])
      return chosen === undefined
        ? undefined
        : this.#whyUnreadable(contractOf(chosen), result[1], name, isBeside)
    }
    if (!(schema instanceof ObjectSchema) || !isPlainObject(result)) return undefined
    const areBeside = isBeside || hasOtherContent(schema, result)
    let first: SelfsameError | undefined
    for (const [field, nested] of schema.nested) {
      const reason = this.#whyUnreadable(contractOf(nested), result[field], name, areBeside)
      // A wrapper that holds anything else still shows something.
      if (reason === undefined) return undefined
      first ??= reason
    }
    return first
  }

  /** @param isBeside - whether there is other content: then an id is joined as soon as its record is known */
  #whyUnusable(
    plan: EntityPlan,
    node: RecordNode,
    name: string,
    isBeside: boolean,
  ): SelfsameError | undefined {
    const { fields } = node
    if (fields === undefined) {
      // What is expected may name a record that is not there.
      if (this.order.kind === 'expected' || (isBeside && node.stamp === neverWritten)) return undefined
      // What was deleted since the request started is no fault of the answer.
      return wins(this.order, node.stamp) ? errors.recordMissing(plan.key, node.pk, name) : undefined
    }
    const reason = rejection(plan, fields)
    return reason === undefined ? undefined : errors.recordUnusable(plan.key, node.pk, name, reason)
  }

  /** The stamp of what is written, in place of the one that it has. */
  protected stampOver(plan: EntityPlan | undefined, before: Stamp): Stamp {
    const stamp = this.#stamp(plan)
    const isLate = this.order.kind === 'read' && before.mutationStart > this.#store.earliestMutation
    return isLate ? { ...stamp, mutationStart: before.mutationStart } : stamp
  }

  /** One stamp for all that has the same length, because a pointer is smaller than what it points to. */
  #stamp(plan: EntityPlan | undefined): Stamp {
    const length = this.#lengths.endpoint ?? plan?.dataExpiryLength ?? this.#lengths.controller
    if (length === this.#lastLength && this.#lastStamp !== undefined) return this.#lastStamp
    this.#lastLength = length
    return (this.#lastStamp = this.#stampOfLength(length))
  }

  #stampOfLength(length: number): Stamp {
    const expiresAt = this.now + length
    let stamp = this.#stamps.find((known) => known.expiresAt === expiresAt)
    if (stamp === undefined) {
      const { kind, start, settle } = this.order
      stamp = {
        fetchedAt: this.now,
        expiresAt,
        sequence: kind === 'read' ? start : settle,
        mutationStart: kind === 'read' ? 0 : start,
      }
      this.#stamps.push(stamp)
    }
    return stamp
  }
}

/** The calls that show views, however deep. */
function rowsAbove(views: readonly View[]): Call[] {
  const above = new Set(views)
  for (const view of above) for (const dependent of viewsIn(view.dependents)) above.add(dependent)
  return callsShowing([...above])
}

/** What a call without a schema is answered with. */
function plainOf(payload: unknown, { isOwned }: PayloadOrigin): unknown {
  return isOwned ? payload : copyPlain(payload)
}
