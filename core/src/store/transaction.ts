import { normalizeInto } from '../normalize/normalize.js'
import type { PayloadOrigin, RecordSink, StoredRecords } from '../normalize/normalize.js'
import { fillFields, mergeFields } from '../normalize/merge.js'
import type { CollectionSchema } from '../schema/collection.js'
import type { CollectionChangeKind, ListIdentity } from '../schema/delegates.js'
import { EntityPlan } from '../schema/entity-plan.js'
import type { FieldPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import type { ReceivedPage } from '../schema/page.js'
import type { SchemaContract } from '../schema/schema.js'
import * as errors from '../errors.js'
import { warn } from '../errors.js'
import type { SelfsameError } from '../errors.js'
import { contractOf, innerOf } from '../schema/contract-of.js'
import { ObjectSchema } from '../schema/object.js'
import { ListNode } from './list-node.js'
import { Reference, hasReference } from './reference.js'
import { viewsIn } from './view/dependents.js'
import { RecordNode, rejection, viewsOf, withoutDefaults } from './records.js'
import type { RecordTable } from './records.js'
import { copyPlain, isPlainObject, shareStructure } from '../util/plain.js'
import { hasOtherContent, isOvertaken, noResult } from './results.js'
import { callsShowing } from './call.js'
import type { Call } from './call.js'
import { neverWritten, wins } from './stamp.js'
import type { Stamp, WriteOrder } from './stamp.js'
import type { ListWriter } from './store-lists.js'
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
export class Transaction implements RecordSink, StoredRecords, ListWriter {
  readonly known = this
  readonly order: WriteOrder
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly #store: Tables
  readonly #lengths: Lengths
  /** What was there before, to be put back on failure. */
  readonly before = new UndoLog()
  /** What is done to take back all else. */
  readonly #undo: (() => void)[] = []
  /** Pages, whose lists they are appended to when the whole answer is known to be good. */
  readonly #received: ReceivedPage[] = []
  /** Nodes that were made. */
  readonly #made: RecordNode[] = []
  /** Records that were named by the temporary primary keys in whose place they are. */
  #renamed: Map<RecordNode, string> | undefined = undefined
  /** Records that came too late, with what was stored before. */
  #late: Map<RecordNode, { readonly base: Fields; readonly late: Fields }> | undefined = undefined
  /** One for each length. */
  readonly #stamps: Stamp[] = []
  /** What was written from here on was made from. */
  #shown: ShownRecords | undefined = undefined
  /** What lists held before the first update of each. */
  #held: Map<ListNode, unknown> | undefined = undefined
  /** Whether the answer holds all pages that were appended to its list. */
  isWhole = false
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
    this.isWhole = origin.isWhole === true
    const result = normalizeInto(this, schema, payload, origin)
    const reason = this.#whyUnreadable(innerOf(schema), result, origin.name)
    if (reason !== undefined) throw reason
    // After all that can fail: what is done to the results of other calls is not taken back.
    for (const received of this.#received.splice(0)) this.#store.listsOf(received.page).append(this, received)
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
    const { lists } = this.#store
    const answer = before === noResult ? result : (lists?.withPages(this, call, result) ?? result)
    // Of a result that has to be given up nothing may live on in another.
    const shown =
      before === noResult || call.dispose !== undefined ? answer : this.sameResult(call, before, answer)
    if (shown !== before || call.isInvalidated) this.#store.discard(call, shown)
    this.#store.move(call, { type: 'answered', result: shown, stamp: this.#stamp(undefined) })
    lists?.noteStart(this, call, before)
  }

  /**
   * From here on payloads come from the user's updates of denormalized data: an instance in them stands for the record
   * that it shows. Of views, nothing may be read until the end of the transaction: they still hold those instances.
   */
  beginUpdates(shown: ShownRecords): void {
    this.#shown = shown
  }

  get isUpdating(): boolean {
    return this.#shown !== undefined
  }

  /** The members of a list before updates: those of all calls that show it were made from the same. */
  heldBefore(node: ListNode): unknown {
    this.#held ??= new Map<ListNode, unknown>()
    if (!this.#held.has(node)) this.#held.set(node, node.members)
    return this.#held.get(node)
  }

  /** Replaces what a call shows. Its age stays; answers to requests that are under way do not count. */
  replaceResult(call: Call, result: unknown): void {
    const before = call.result
    if (before === noResult && call.view.inferred === result) return
    const shown = before === noResult ? result : this.sameResult(call, before, result)
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
    return reference instanceof ListNode ? reference.members : undefined
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
    if (merged !== stored) this.replace(node, stored, merged)
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
    else if (merged !== fields) this.replace(node, fields, merged)
  }

  collection(collection: CollectionSchema<unknown>, list: ListIdentity, received: unknown): ListNode {
    return this.#store.listsOf(collection).write(this, collection, list, received)
  }

  changeCollections(
    collection: CollectionSchema<unknown>,
    kind: CollectionChangeKind,
    members: unknown,
    params: unknown,
  ): void {
    this.#store.listsOf(collection).change(this, collection, kind, members, params)
  }

  /** Makes the calls Stale that show a list. @param settle - what was asked for earlier is Stale at once */
  makeStale(node: ListNode, settle: number): void {
    const shownBy = callsShowing(viewsIn(node.view.dependents))
    const answered = node.call === undefined ? [] : this.#store.calls(node.call)
    this.#expire([...shownBy, ...answered], settle)
  }

  #expire(calls: readonly Call[], settle: number): void {
    for (const call of new Set(calls)) {
      const { expiredAt } = call
      this.#undo.push(() => call.transition({ type: 'expired', at: expiredAt, isExact: true }))
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
    for (const list of this.#store.listsOf(collection).mayHold(collection, fields, args[0]))
      this.makeStale(list, this.order.settle)
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
  outdate(nodes: readonly RecordNode[]): ListNode[] {
    for (const node of nodes) this.#expire(rowsAbove(viewsOf(node)), this.order.settle)
    const outdated = this.#store.lists?.holding(nodes) ?? []
    for (const list of outdated) this.makeStale(list, this.order.settle)
    return outdated
  }

  page(received: ReceivedPage): void {
    this.#received.push(received)
  }

  listed(plan: EntityPlan): void {
    const table = this.#store.table(plan)
    if (table.isListed) return
    this.#undo.push(() => this.#store.setListed(table, false))
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
    if (fields !== undefined) this.replace(node, fields, undefined)
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
    for (const undo of this.#undo.reverse()) undo()
    this.before.eachReplaced((node, fields) => this.#store.showFields(node, fields))
    const absent = new Set(this.#made)
    this.before.eachStamp((node, stamp) => {
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

  /** Whether a record that was never written before has its fields from here. */
  hasAdded(_node: RecordNode): boolean {
    return true
  }

  /** Whether a look-up would find this node: never asked while a collection has to hear of look-ups. */
  #isNamed(node: RecordNode, table: RecordTable, pk: string): boolean {
    if (node.pk !== pk || node.table !== table || !node.hasArrived) return false
    return this.#store.barrier === undefined && table.realPk(pk) === pk
  }

  #noteStamp(node: RecordNode, stamp: Stamp): void {
    // What carries a stamp of this transaction was noted when it got it: most of what an answer nests is there often.
    if (stamp !== this.#lastStamp) this.before.noteStamp(node, stamp)
  }

  keepBefore(node: ListNode): void {
    const { members, stamp, pages, joined } = node
    this.#undo.push(() => {
      Object.assign(node, { stamp, pages, joined })
      this.#store.showMembers(node, members)
    })
  }

  onRollBack(undo: () => void): void {
    this.#undo.push(undo)
  }

  readMembers(_members: unknown): void {}

  /** A list is shown by the view of the one in whose place it is, which finds out what differs. */
  sameResult({ view }: Call, stored: unknown, received: unknown): unknown {
    return shareStructure(stored, received, (before, after) => view.continueList(before, after))
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
    if (shared !== fields) this.replace(node, fields, shared)
  }

  replace(node: RecordNode, stored: Fields | undefined, received: Fields | undefined): void {
    this.before.noteFields(node, stored)
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
  stampOver(plan: EntityPlan | undefined, before: Stamp): Stamp {
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
