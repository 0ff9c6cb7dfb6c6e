import { development } from '#development'
import { normalizeInto, mergeFields } from '../normalize/normalize.js'
import type { PayloadOrigin, RecordSink } from '../normalize/normalize.js'
import type { CollectionSchema } from '../schema/collection.js'
import type { CollectionChangeKind, ListIdentity, ListSink } from '../schema/delegates.js'
import { EntityPlan } from '../schema/entity-plan.js'
import type { FieldPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import type { ReceivedPage } from '../schema/page-schema.js'
import type { SchemaContract } from '../schema/schema.js'
import * as errors from '../errors.js'
import { warn } from '../errors.js'
import type { SelfsameError } from '../errors.js'
import { contractOf, innerOf, manyPlansOf, namedRecords, schemasIn } from '../schema/contract-of.js'
import { ListNode } from './list-node.js'
import { hasReference } from '../normalize/reference.js'
import { viewsIn } from './view/view.js'
import { RecordNode, RecordView, UndoLog, rejection, sentOf, viewsOf, withoutDefaults } from './records.js'
import type { RecordTable } from './records.js'
import { isPlainObject, shareStructure } from '../util/plain.js'
import { collectOwn, isOvertaken, noResult } from './results.js'
import type { OwnRecord } from './results.js'
import { callsShowing } from './call.js'
import type { Call } from './call.js'
import { wins } from './order.js'
import type { StoredRecord, Versions } from './order.js'
import { neverWritten } from './stamp.js'
import type { Stamp, WriteOrder } from './stamp.js'
import type { ListWriter } from './store-lists.js'
import type { Store } from './store.js'
import type { View } from './view/view.js'

/** The expiry length of written data in milliseconds. The entity's own length ranks between the two. */
export interface Lengths {
  /** The endpoint's length, which overrides the entity's; `undefined` for none. */
  readonly endpoint: number | undefined
  /** The Controller's length: the default. */
  readonly controller: number
}

/** A record that is judged field by field. */
interface Judgment {
  readonly base: StoredRecord
  /** All received fields. */
  readonly received: Fields
  readonly versions: Versions | undefined
}

/** The data before user updates, to find the changed fields. */
export interface ShownRecords {
  /** Returns the record if `input` is an instance of it that readers see. */
  shownBy(plan: EntityPlan, pk: string, input: object): RecordNode | undefined
  /** The instance of a record that readers see; `undefined` if there is none. */
  shown(plan: EntityPlan, node: RecordNode): object | undefined
}

/**
 * The only way to write. A transaction writes all of its records and results or none of them, and readers are notified
 * once, when it ends (specification G3, G5).
 */
export class Transaction implements RecordSink, ListSink, ListWriter {
  readonly lists = this
  declare readonly order: WriteOrder
  /** Milliseconds since the epoch. */
  declare readonly now: number
  readonly #store: Store
  readonly #lengths: Lengths
  /** The records before the transaction, restored on failure. */
  readonly before = new UndoLog()
  /** Functions that undo all other changes. */
  readonly #undo: (() => void)[] = []
  /** Received pages, appended to their lists once the whole response is checked. */
  readonly #received: ReceivedPage[] = []
  /** Records that the payload named by their former temporary primary keys. */
  #renamed: Map<RecordNode, string> | undefined
  /** Records that are judged field by field, with the fields stored before and all received ones. */
  #judged: Map<RecordNode, Judgment> | undefined
  /** Records of which only the server knows which of two writers it handled last, with the values that do not stay. */
  #doubtful: Map<RecordNode, Fields> | undefined
  /** The records that an `update` of a mutation changed. */
  #computed: Set<RecordNode> | undefined
  /** The records of a mutation's response that are not nested in others. */
  #roots: Set<RecordNode> | undefined
  #removed: Set<RecordNode> | undefined
  /** The calls that showed what was deleted otherwise than by a mutation. */
  readonly unshown: Call[] = []
  /** Deleted records that the response brings back, and when they were deleted. */
  #revived: Map<RecordNode, number> | undefined
  /** The lists that the mutation changes: the params are its first argument. */
  #changed: { readonly collection: CollectionSchema<unknown>; readonly params: unknown } | undefined
  /** The received fields of records with an optimistic response. */
  #named: Map<RecordNode, Fields> | undefined
  /** One stamp per expiry length, shared by records to save memory. */
  readonly #stamps = new Map<number, Stamp>()
  /** The data that user updates are based on; set by `beginUpdates`. */
  #shown: ShownRecords | undefined
  /** The members of lists before their first update. */
  #held: Map<ListNode, unknown> | undefined
  /** True if a response of a call is stored, as by a read. */
  #isAnswer = false
  /** The call whose response is being normalized: no view links it to its lists yet. */
  #answered: Call | undefined
  /** The arguments of the pages that were appended to its list, if the response holds them too. */
  loaded: Call['loaded'] | undefined
  #lastStamp: Stamp | undefined
  declare others: number | undefined
  doubtedAt = 0
  readonly inDoubt = new Set<ListNode>()

  constructor(store: Store, order: WriteOrder, lengths: Lengths, now: number) {
    this.#store = store
    this.order = order
    this.#lengths = lengths
    this.now = now
  }

  /**
   * Stores the records of a payload, and the payload as the result of the call that asked for it.
   *
   * @param call - fails if it would stay unreadable, because its readers would fetch without end @default none
   * @returns the normalized result
   * @throws {SelfsameError} if the payload does not match its schema, or its own record is not valid for its class;
   *   `payload-unusable` for a response without readable data
   */
  ingest(schema: SchemaContract, payload: unknown, origin: PayloadOrigin, call?: Call): unknown {
    const inner = innerOf(schema)
    if (call !== undefined) {
      this.#isAnswer = true
      refuseUnreadable(inner, payload, origin)
    }
    this.loaded = origin.loaded
    this.#answered = call
    const result = normalizeInto(this, schema, payload, origin)
    this.#answered = undefined
    const reason = this.#whyUnreadable(inner, result, origin)
    if (reason !== undefined) throw reason
    // After everything that can fail: changes to the results of other calls are not rolled back.
    for (const received of this.#received.splice(0)) this.#store.listsOf(received.page).append(this, received)
    if (call !== undefined) {
      this.#refuseUnread(inner, result, origin)
      this.setResult(call, result)
    }
    return result
  }

  /** Throws if readers of a response would see nothing. */
  #refuseUnread(inner: SchemaContract, result: unknown, { name, args }: PayloadOrigin): void {
    if (result === null || result === undefined) throw errors.answerMissing(name, result)
    // Built-in schemas need no check: lists are always readable, and `ingest` checked own records.
    const isKnown = inner.isReplacing === true || this.#isOvertaken(result)
    if (!isKnown && this.#store.readOnce(inner, result, args) === undefined)
      throw errors.answerUnreadable(name)
  }

  /** Stores the result of a call. Ignored if the request started before an invalidation or a newer response. */
  setResult(call: Call, result: unknown): void {
    const { start } = this.order
    if (start <= call.state.invalidatedAt || start < call.stamp.sequence) return
    const { lists } = this.#store
    const wasShifted = call.isShifted
    const answer = lists?.withPages(this, call, result) ?? result
    const shown = this.sameResult(call, answer)
    this.#store.discard(call, shown)
    this.#store.move(call, { type: 'answered', result: shown, stamp: this.#stamp(undefined) })
    this.passDoubt(call)
    // Once: an endpoint may never ask for its pages.
    if (call.isShifted && !wasShifted) this.#expire([call], this.order.settle, false)
  }

  passDoubt(call: Call): void {
    const { start, settle } = this.order
    const isQuiet = this.doubtedAt <= start
    if (!isQuiet || this.#doubtful !== undefined)
      this.#expire([call], isQuiet ? settle : this.doubtedAt, isQuiet)
  }

  /**
   * From here on payloads come from user updates of denormalized data: an instance in them is a reference to its record.
   * Do not read views before the transaction ends: they must keep those instances.
   */
  beginUpdates(shown: ShownRecords): void {
    this.#shown = shown
  }

  get isUpdating(): boolean {
    return this.#shown !== undefined
  }

  /** The members of a list before the updates: all calls that show the list are updated from the same members. */
  heldBefore(node: ListNode): unknown {
    this.#held ??= new Map<ListNode, unknown>()
    if (!this.#held.has(node)) this.#held.set(node, node.members)
    return this.#held.get(node)
  }

  /** Replaces the result of a call. Its age stays; responses to requests in flight are ignored. */
  replaceResult(call: Call, result: unknown): void {
    const before = call.result
    if (before === noResult && call.inferred === result) return
    const shown = this.sameResult(call, result)
    const stamp = before === noResult ? { ...call.age } : call.stamp
    this.#store.discard(call, shown)
    this.#store.move(call, { type: 'replaced', result: shown, stamp, at: this.order.settle })
  }

  // --- RecordSink: receives a payload's records ---

  reference(plan: EntityPlan, pk: string, expected?: unknown): RecordNode {
    const table = this.#store.table(plan)
    if (expected instanceof RecordNode && this.#isNamed(expected, table, pk)) return expected
    let node = this.#store.find(table, pk)
    if (node === undefined) {
      if (this.order.kind === 'read') table.temporary?.forget(pk)
      node = this.#store.add(table, pk)
      if (node.pk === pk) {
        this.before.made.push(node)
        return node
      }
      // A replaced temporary primary key returned an existing record.
      ;(this.#renamed ??= new Map<RecordNode, string>()).set(node, pk)
    }
    if (node.stamp === neverWritten) this.before.note(node)
    return node
  }

  recognize(plan: EntityPlan, record: object, expected: unknown): RecordNode | undefined {
    if (!(expected instanceof RecordNode) || this.#shown !== undefined) return undefined
    const { table, fields } = expected
    if (fields === undefined || expected.arrival === 0 || !table.isKeyedById(plan)) return undefined
    const { id } = record as { readonly id?: unknown }
    if (fields['id'] !== id || (typeof id !== 'number' && typeof id !== 'string')) return undefined
    return expected.mark === this.#store.epoch ? expected : undefined
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
    if (this.#isJudged(plan, node) || this.#expected.has(node)) return undefined
    return wins(this.order, node.stamp) ? node.fields : undefined
  }

  update(plan: EntityPlan, reference: unknown, stored: Fields, merged: Fields, isNested: boolean): void {
    const node = reference as RecordNode
    if (!isNested && this.order.own !== undefined) (this.#roots ??= new Set()).add(node)
    // Most nested records occur often in a response.
    if (node.stamp !== this.#lastStamp) this.#restamp(plan, node)
    if (merged !== stored) this.#store.showFields(node, merged)
  }

  write(plan: EntityPlan, reference: unknown, given: Fields, isNested: boolean): void {
    const node = reference as RecordNode
    const { stamp, fields } = node
    if (!isNested && this.order.own !== undefined) (this.#roots ??= new Set()).add(node)
    const isWinner = wins(this.order, stamp)
    // An update was computed from what is stored, whatever has started since its mutation.
    const isTaken = isWinner || this.#shown !== undefined
    if (fields === undefined && !this.#mayMake(node)) {
      // Only the server knows whether it made the record, or deleted it, last.
      if (this.#isMade(node)) this.#doubt(node, given)
      return
    }
    if (fields === undefined && stamp !== neverWritten)
      (this.#revived ??= new Map()).set(node, stamp.sequence)
    let received = this.#shown ? withoutDefaults(given, fields, this.#shown.shown(plan, node)) : given
    const temporary = this.#renamed?.get(node)
    if (temporary !== undefined)
      received = node.table.temporary?.withRealKey(received, temporary, node.pk, fields) ?? received
    this.#note(node)
    if (this.#expected.has(node))
      (this.#named ??= new Map()).set(node, { ...this.#named?.get(node), ...received })
    let merged = received
    if (fields !== undefined) {
      if (plan.mergesItself) {
        const own = isTaken ? plan.merge(fields, received) : plan.merge(received, fields)
        merged = shareStructure(fields, own) as Fields
      } else {
        const isPlain = isTaken && !this.#isJudged(plan, node)
        merged = isPlain ? mergeFields(fields, received) : this.#judge(plan, node, fields, received)
      }
    }
    if (isWinner) node.stamp = this.stampOver(plan, stamp)
    if (this.#shown !== undefined && this.order.kind === 'mutation')
      this.#noteComputed(node, stamp, fields, merged)
    this.#store.showFields(node, merged)
  }

  /** Only the server knows whether what was received while the mutation was under way has its effect already. */
  #noteComputed(node: RecordNode, stamp: Stamp, before: Fields | undefined, after: Fields): void {
    ;(this.#computed ??= new Set()).add(node)
    const { start } = this.order
    // A read or a message may have brought the values that other updates had computed.
    const isSeen = stamp.sequence > start && stamp.sequence === stamp.start
    const isReceived = this.#store.fieldOrder.isReceivedSince(node, start, changedNames(before, after))
    if (isSeen || isReceived) this.#doubt(node, {})
  }

  collection(collection: CollectionSchema<unknown>, list: ListIdentity, received: unknown): ListNode {
    return this.#store.listsOf(collection).write(this, collection, list, received)
  }

  changeCollections(
    collection: CollectionSchema<unknown>,
    kind: CollectionChangeKind,
    members: unknown,
    args: readonly unknown[],
  ): void {
    this.#store.listsOf(collection).change(this, collection, kind, members, args)
    this.#changed = { collection, params: args[0] }
  }

  makeStale(node: ListNode, isQuiet = false, at?: number): void {
    const answered = node.call === undefined ? [] : this.#store.calls(node.call)
    const calls = at !== undefined && this.#answered !== undefined ? [...answered, this.#answered] : answered
    this.#expire([...callsAbove([node.view]), ...calls], at ?? this.order.settle, isQuiet)
  }

  #expire(calls: readonly Call[], settle: number, isQuiet: boolean): void {
    for (const call of new Set(calls)) {
      const { dueAt } = call.state
      this.#store.move(call, { type: 'expired', at: settle, ...(isQuiet && { due: dueAt }) })
    }
  }

  /**
   * Called after a mutation succeeded without a body: makes Stale the records that its arguments name, the calls that show
   * them, and the lists that they may have joined. All of the class, if the response has a list, and nothing names its members.
   *
   * @param isQuiet - `true` if the response was lost: readers on screen do not fetch at once, but at the next check
   */
  expireRecordAndLists(schema: SchemaContract, args: readonly unknown[], isQuiet = false): void {
    const { fieldOrder } = this.#store
    const isBusy = fieldOrder.isBusy(this.order.start)
    const last = args.at(-1)
    const body = isPlainObject(last) ? last : {}
    const many = manyPlansOf(schema, args)
    const records = namedRecords(schema, args)
    // Only the server knows which ones it changed. An array of records without primary keys makes new ones.
    const isTold = records.length > 0 || Array.isArray(last)
    const nodes = isTold ? [] : many.flatMap((plan) => [...this.#store.table(plan).nodes.values()])
    for (const { plan, pk, body: sent } of records) {
      const table = this.#store.table(plan)
      const real = table.realPk(pk)
      // A record that is not known may be on its way.
      const node = isBusy ? this.reference(plan, real) : this.#store.find(table, real)
      if (node === undefined) continue
      nodes.push(node)
      if (schema.isRemoving === true) this.#store.lists?.removed(this, node, node.fields, isQuiet)
      if (isBusy && isPlainObject(sent))
        fieldOrder.noteUntold(
          node,
          { names: Object.keys(sent), settle: this.order.settle, isQuiet },
          plan.version,
        )
    }
    this.#expireRecords(nodes, isQuiet)
    if (many.length > 0) {
      const classes = many.map(({ key }) => key)
      this.#store.lists?.expireOf(this, classes, isQuiet)
      return
    }
    const known = nodes.map(({ fields }) => fields).filter((fields) => fields !== undefined)
    const named = known.length === 0 ? [body] : known.flatMap((fields) => [{ ...fields, ...body }, fields])
    for (const part of schemasIn(schema)) {
      const collection = part.changedLists as CollectionSchema<unknown> | undefined
      if (collection === undefined) continue
      for (const each of named)
        this.#store.listsOf(collection).expireHolding(this, collection, each, args[0], isQuiet)
    }
  }

  /** Makes records Stale, with the calls that show them and the lists that hold them. */
  #expireRecords(nodes: readonly RecordNode[], isQuiet = false): void {
    for (const node of nodes) this.#age(node, { doubtedAt: this.order.settle })
    this.outdate(nodes, isQuiet)
  }

  #age(node: RecordNode, doubt?: Required<Pick<Stamp, 'doubtedAt'>>): void {
    this.#store.journal?.note(node)
    this.before.note(node)
    node.stamp = { ...node.stamp, ...doubt, expiresAt: -Infinity }
  }

  /** Makes the calls that show records Stale, and the lists that hold them. @returns these lists */
  outdate(nodes: readonly RecordNode[], isQuiet = false): ListNode[] {
    const { settle } = this.order
    for (const node of nodes) {
      const above = viewsAbove(viewsOf(node))
      this.#expire(callsShowing(above), settle, isQuiet)
      // A call that is not read yet has the age of the record that it shows.
      for (const view of above) if (view instanceof RecordView) this.#age(view.node)
    }
    const outdated = [
      ...(this.#store.lists?.holding(new Map(nodes.map((node) => [node, settle]))).keys() ?? []),
    ]
    for (const list of outdated) this.makeStale(list, isQuiet)
    return outdated
  }

  page(received: ReceivedPage): void {
    this.#received.push(received)
  }

  listed(plan: EntityPlan): void {
    const table = this.#store.table(plan)
    if (!table.isListed) this.#list(table)
  }

  #list(table: RecordTable): void {
    this.#undo.push(() => this.#store.setListed(table, false))
    this.#store.setListed(table, true)
  }

  stored(plan: EntityPlan, pk: string): unknown {
    const table = this.#store.table(plan)
    const node = this.#store.find(table, table.realPk(pk))
    return node?.fields === undefined ? undefined : node
  }

  /** Makes all of them Stale: only a response can tell which one is deleted. */
  removeOneOf(references: readonly unknown[]): void {
    this.#expireRecords(references as readonly RecordNode[])
  }

  remove(plan: EntityPlan, reference: unknown): void {
    const node = reference as RecordNode
    const { order } = this
    const mayRemove =
      order.kind === 'mutation' ? this.#store.fieldOrder.mayRemove(node, order) : wins(order, node.stamp)
    if (!mayRemove) {
      // Only the server knows whether it deleted the record, or made it again, last.
      if (order.kind === 'mutation') this.#doubt(node, {})
      return
    }
    ;(this.#removed ??= new Set()).add(node)
    const { fields } = node
    if (order.kind !== 'expected' && !this.#store.isHolding) this.unshown.push(...callsAbove(viewsOf(node)))
    this.#restamp(plan, node)
    this.#store.showFields(node, undefined)
    this.#store.lists?.removed(this, node, fields, false)
  }

  /**
   * Normalizes fields of a stored record that had no schema when it was received. Warns of a value that does not match
   * its schema, and removes it.
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
        // The schema must not read a value that does not match it.
        joinedFields[field.name] = undefined
      }
    }
    // A record without these fields keeps its identity (specification G2).
    if (Object.keys(joinedFields).length > 0) this.#store.showFields(node, { ...fields, ...joinedFields })
  }

  /** Undoes everything that was written. */
  rollBack(): void {
    for (const undo of this.#undo.reverse()) undo()
    const restored = new Set<RecordNode>()
    this.before.each((node, stamp, fields) => {
      // An optimistic write leaves the stamp, and the record may have been made Stale since.
      if (this.order.kind !== 'expected') node.stamp = stamp
      this.#store.showFields(node, fields, true)
      restored.add(node)
    })
    const left = [...restored].filter((node) => node.arrival > 0 && isBlank(node))
    for (const node of left) node.arrival = 0
    for (const table of new Set(left.map((node) => node.table))) {
      table.arrived = undefined
      this.#store.markLists(table)
    }
    for (const node of this.before.made) {
      // A node that was read meanwhile stays, because its reader waits for the record.
      if (node.views === undefined) node.table.nodes.delete(node.pk)
    }
  }

  /** True if a look-up would return this node, and the garbage collector does not need to mark it. */
  #isNamed(node: RecordNode, table: RecordTable, pk: string): boolean {
    if (node.pk !== pk || node.table !== table || node.arrival === 0) return false
    return node.mark === this.#store.epoch && table.realPk(pk) === pk
  }

  #note(node: RecordNode): void {
    this.#store.journal?.note(node)
    // Saved before: a record with a stamp of this transaction, and by `reference` a record that was never written.
    if (node.stamp !== this.#lastStamp && !isBlank(node)) this.before.note(node)
    const { doubtedAt = 0 } = node.stamp
    if (doubtedAt > this.doubtedAt) this.doubtedAt = doubtedAt
  }

  #restamp(plan: EntityPlan, node: RecordNode): void {
    this.#note(node)
    node.stamp = this.stampOver(plan, node.stamp)
  }

  touchList(_node: ListNode): boolean {
    return false
  }

  keepBefore(node: ListNode): void {
    this.#store.journal?.note(node)
    this.#undo.push(node.saved())
  }

  onRollBack(undo: () => void): void {
    this.#undo.push(undo)
  }

  readMembers(_members: unknown): void {}

  /** Keeps equal values of the stored result. A replaced list keeps its view, which finds the difference. */
  sameResult(call: Call, received: unknown): unknown {
    // A result with resources is disposed, so the new one must share nothing with it.
    if (call.dispose !== undefined) return received
    return shareStructure(call.result, received, (before, after) => call.continueList(before, after))
  }

  /** Returns `true` if a received record has to be judged field by field. */
  #isJudged({ version }: EntityPlan, node: RecordNode): boolean {
    const { kind, start, settle } = this.order
    if (kind === 'expected' || kind === 'set' || this.#shown !== undefined) return false
    if (version !== undefined && node.fields !== undefined) return true
    const { fieldOrder } = this.#store
    if (fieldOrder.isWrittenSince(node, start) || this.#judged?.has(node) === true) return true
    // Something else brought the record while the mutation was under way.
    return kind === 'mutation' && node.stamp.sequence !== settle && fieldOrder.isNewSince(node, start)
  }

  /** Returns the fields after a judgment. All occurrences of a record in a response are merged first. */
  #judge({ version }: EntityPlan, node: RecordNode, fields: Fields, given: Fields): Fields {
    this.#judged ??= new Map()
    const { base, received: earlier } = this.#judged.get(node) ?? {
      base: { fields, stamp: node.stamp },
      received: {},
    }
    const received = mergeFields(earlier, given)
    const own = new Set(this.#ownFields(node))
    const judged = this.#store.fieldOrder.judge(this.order, node, base, received, own, version)
    const versions =
      version === undefined
        ? undefined
        : { before: base.fields[version], received: received[version], names: judged.taken }
    this.#judged.set(node, { base, received, versions })
    if (judged.overruled !== undefined) this.#doubt(node, judged.overruled, judged.isQuiet)
    return mergeFields(base.fields, judged.fields)
  }

  /** By record, the fields in which the optimistic response of the mutation differed. */
  get #expected(): ReadonlyMap<RecordNode, Fields> {
    // The references of a store are its nodes.
    return (this.order.own?.expected ?? noneExpected) as ReadonlyMap<RecordNode, Fields>
  }

  /** Returns `true` for a record that the response, and not a record in it, holds. */
  #isRoot(node: RecordNode): boolean {
    return this.#roots?.has(node) === true
  }

  /** Returns `true` if the response has another record of the class in place of a stored one. */
  lacks(plan: EntityPlan, pk: string): boolean {
    const table = this.#store.table(plan)
    const node = this.#store.find(table, table.realPk(pk))
    if (node?.fields === undefined || this.#isRoot(node)) return false
    return [...(this.#roots ?? [])].some((root) => root.table === table)
  }

  /** Returns `true` for a record that exists because of the mutation. */
  #isMade(node: RecordNode): boolean {
    const { own, start } = this.order
    if (own === undefined || !this.#isRoot(node)) return false
    return own.makes === 'new' ? this.#store.fieldOrder.isNewSince(node, start) : own.makes === 'all'
  }

  /** The names of the fields of a record that the mutation wrote itself. */
  #ownFields(node: RecordNode): string[] {
    const { own } = this.order
    const body = own !== undefined && this.#isRoot(node) ? sentOf(own.args, node) : undefined
    return [...Object.keys(body ?? {}), ...Object.keys(this.#expected.get(node) ?? {})]
  }

  /** Returns `true` if a response stores a record that is absent: one that a mutation deleted meanwhile stays deleted. */
  #mayMake(node: RecordNode): boolean {
    const { order } = this
    const isObserved = order.kind === 'mutation' && !this.#isMade(node)
    return isObserved ? order.start >= node.stamp.sequence : wins(order, node.stamp)
  }

  /**
   * Called after the response of a mutation was stored: an own field that the response does not name has the value that was
   * expected, unless the server never sent such a field.
   */
  confirmOwn(): void {
    for (const [node, fields] of this.#expected) {
      const named = this.#named?.get(node)
      const { fields: stored = {} } = node
      const missing = Object.entries(fields).filter(
        ([name]) => named?.[name] === undefined && Object.hasOwn(stored, name),
      )
      const [plan] = node.table.plans
      if (missing.length > 0 && plan !== undefined)
        this.write(plan, node, Object.fromEntries(missing), !this.#isRoot(node))
    }
  }

  /** Called when everything is written. */
  commit(): void {
    const { fieldOrder, lists } = this.#store
    for (const list of this.inDoubt) this.makeStale(list)
    const decided = lists?.onWritten?.(this)
    const { order } = this
    const { kind } = order
    if (this.#revived !== undefined && kind !== 'set') this.#doubtRevived(this.#revived, decided)
    if (fieldOrder.isBusy(order.start)) {
      /** The changed records, with their fields and stamps before. */
      const changed = new Map<RecordNode, { fields: Fields | undefined; wasWritten: boolean }>()
      for (const node of [...(this.#roots ?? []), ...this.#expected.keys()])
        changed.set(node, { fields: node.fields, wasWritten: false })
      this.before.each((node, stamp, fields) => {
        if (node.fields !== fields || this.#isRoot(node) || this.#expected.has(node))
          changed.set(node, { fields, wasWritten: stamp !== neverWritten })
        else changed.delete(node)
      })
      for (const [node, { fields, wasWritten }] of changed) {
        const isMade = fields === undefined && node.fields !== undefined
        fieldOrder.note(order, node, {
          before: fields,
          wasWritten,
          own: kind === 'set' ? changedNames(fields, node.fields) : this.#ownFields(node),
          decidesExistence:
            this.#removed?.has(node) === true || (kind === 'set' && isMade) || this.#isMade(node),
          isComputed: this.#computed?.has(node) === true,
          versions: this.#judged?.get(node)?.versions,
        })
      }
    }
    if (this.#doubtful === undefined) return
    this.#expireRecords([...this.#doubtful.keys()], this.doubtedAt < order.settle)
    // A list that was read between two mutations may lack what the later one put back, and the earlier one may be the last.
    if (this.#changed === undefined) return
    const { collection, params } = this.#changed
    for (const [{ fields }, overruled] of this.#doubtful)
      for (const each of [fields, { ...fields, ...overruled }])
        if (each !== undefined)
          this.#store.listsOf(collection).expireHolding(this, collection, each, params, false)
  }

  /**
   * A list that was asked for before a deletion shows the record again. Unless the mutation that made it says so, or a rule, only
   * the server knows whether the list still has it.
   *
   * @param decided - the lists that decide by rules what they have
   */
  #doubtRevived(revived: ReadonlyMap<RecordNode, number>, decided: ReadonlySet<ListNode> | undefined): void {
    const nodes = [...revived.keys()]
    const { collection, params } = this.#changed ?? {}
    const told = new Set(
      collection &&
        nodes.flatMap(({ fields }) =>
          fields ? this.#store.listsOf(collection).mayHold(collection, fields, params) : [],
        ),
    )
    for (const [list, deletedAt] of this.#store.lists?.holding(revived) ?? [])
      if (!told.has(list) && decided?.has(list) !== true) this.makeStale(list, false, deletedAt)
  }

  #doubt(node: RecordNode, overruled: Fields, isQuiet = false): void {
    ;(this.#doubtful ??= new Map()).set(node, overruled)
    if (!isQuiet) this.doubtedAt = this.order.settle
  }

  drop(node: RecordNode): void {
    this.before.note(node)
    this.#store.showFields(node, undefined)
  }

  /** True if newer data replaced a record of the result, or a mutation in flight may hide it. */
  #isOvertaken(result: unknown): boolean {
    return this.#store.earliestMutation < Infinity || isOvertaken(result, this.order.start)
  }

  /**
   * The reason why a response is unreadable: `validate` refuses one of its own records, or all of them are missing. A
   * partial response is unreadable only if none is usable.
   */
  #whyUnreadable(
    schema: SchemaContract,
    result: unknown,
    { name, isPartial }: PayloadOrigin,
  ): SelfsameError | undefined {
    const records: OwnRecord[] = []
    const isOnly = collectOwn(schema, result, records)
    const reasons = records.map((record) => this.#whyUnusable(record, name))
    const refused =
      isPartial === true ? undefined : reasons.find((reason) => reason?.code === 'record-unusable')
    return refused ?? (isOnly && !reasons.includes(undefined) ? reasons[0] : undefined)
  }

  #whyUnusable({ schema, node, isBeside }: OwnRecord, name: string): SelfsameError | undefined {
    if (!(schema instanceof EntityPlan)) return undefined
    const { fields, pk, stamp } = node
    if (fields === undefined) {
      // An optimistic response may refer to a record that is not stored.
      if (this.order.kind === 'expected' || (isBeside && stamp === neverWritten)) return undefined
      // The record may have been deleted after the request started, which is no fault of the response.
      return this.#mayMake(node) ? errors.recordMissing(schema.key, pk, name) : undefined
    }
    const reason = rejection(schema, fields)
    return reason === undefined ? undefined : errors.recordUnusable(schema.key, pk, name, reason)
  }

  /** The new stamp of a record or list that is written. @param before - its current stamp */
  stampOver(plan: EntityPlan | undefined, before: Stamp): Stamp {
    const stamp = this.#stamp(plan)
    // What is Stale because the server may know better stays so until it is fetched.
    const { doubtedAt = -1 } = before
    const isNewer = this.order.start > doubtedAt
    const isAsked = plan === undefined || ((this.order.kind === 'read' || this.#isAnswer) && isNewer)
    if (!isAsked && before.expiresAt === -Infinity && (before.fetchedAt > -Infinity || doubtedAt >= 0))
      return { ...before, ...stamp, expiresAt: -Infinity }
    const isLate = this.order.kind === 'read' && before.mutationStart > this.#store.earliestMutation
    return isLate ? { ...stamp, mutationStart: before.mutationStart } : stamp
  }

  #stamp(plan: EntityPlan | undefined): Stamp {
    const length = this.#lengths.endpoint ?? plan?.entity.dataExpiryLength ?? this.#lengths.controller
    let stamp = this.#stamps.get(length)
    if (stamp === undefined) {
      const { kind, start, settle } = this.order
      const isRead = kind === 'read'
      stamp = {
        fetchedAt: this.now,
        expiresAt: this.now + length,
        start,
        sequence: isRead ? start : settle,
        mutationStart: isRead ? 0 : start,
      }
      this.#stamps.set(length, stamp)
    }
    return (this.#lastStamp = stamp)
  }
}

const noneExpected: ReadonlyMap<RecordNode, Fields> = new Map()

/** The names of the fields that differ. */
function changedNames(before: Fields = {}, after: Fields = {}): string[] {
  return Object.keys(after).filter((name) => after[name] !== before[name])
}

/** True for a record that was only referred to. */
function isBlank({ stamp, fields }: RecordNode): boolean {
  return stamp === neverWritten && fields === undefined
}

/** The calls that show views, directly or through other views. */
const callsAbove = (views: readonly View[]) => callsShowing(viewsAbove(views))

/** Views, and all that are computed from them. */
function viewsAbove(views: readonly View[]): View[] {
  const above = new Set(views)
  for (const view of above) for (const dependent of viewsIn(view.dependents)) above.add(dependent)
  return [...above]
}

/** Throws if a payload can be no response of a read. */
function refuseUnreadable(inner: SchemaContract, payload: unknown, { name }: PayloadOrigin): void {
  // Only a mutation may respond with the primary key alone; a read needs the record.
  const isKey = typeof payload === 'string' || typeof payload === 'number'
  if (isKey && inner instanceof EntityPlan)
    throw errors.unexpectedKind(name, '', development ? `a record of "${inner.key}"` : '', payload)
  if (inner.isRemoving === true) throw errors.answerUnreadable(name)
}
