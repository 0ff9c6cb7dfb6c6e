import { development } from '#development'
import { warn } from '../errors.js'
import { contractOf, innerOf } from '../schema/contract-of.js'
import { Denormalization } from '../denormalize/denormalize.js'
import { normalizeInto } from '../normalize/normalize.js'
import type { CollectionSchema, ListIdentity } from '../schema/collection.js'
import { EntityPlan, hasDerivedKey } from '../schema/entity-plan.js'
import type { FieldPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import type { QueryDelegate, Schema, SchemaContract } from '../schema/schema.js'
import type { Barrier } from './gc-barrier.js'
import { CollectionNode, CollectionTable } from './collections.js'
import { RecordIndex } from './indexes.js'
import { Layers } from './layers.js'
import { ListView } from './list-view.js'
import { noPages } from './pages.js'
import { RecordNode, RecordTable, RecordView, viewsOf } from './records.js'
import { toKeys } from './reference.js'
import { ReferenceSink } from './reference-sink.js'
import { ResultNode, noResult } from './results.js'
import type { CallKey, ResultOwner } from './results.js'
import type { StoreHydration } from './store-hydration.js'
import { Transaction } from './transaction.js'
import type { Lengths } from './transaction.js'
import { neverWritten } from './stamp.js'
import type { WriteOrder } from './stamp.js'
import { UnnamedRecords } from './unnamed.js'
import { ViewGraph } from './view.js'

/**
 * What is known, and until when: the tables of records and of results, and the views computed from them. Knows
 * no endpoint, no network and no clock.
 */
export class Store implements ResultOwner, QueryDelegate {
  readonly graph = new ViewGraph()
  /** Optimistic writes, on top of what was received. */
  readonly layers = new Layers(this)
  /** What was created without an answer that names it. */
  readonly unnamed = new UnnamedRecords()
  /** What was received elsewhere, and was not asked for here yet; `undefined` until something is hydrated. */
  hydration: StoreHydration | undefined = undefined
  readonly tables = new Map<string, RecordTable>()
  /** Rows by request key; several where one request is read through several schemas. */
  readonly results = new Map<string, ResultNode[]>()
  /** The lists that one mutation may reach, by what their members are. */
  readonly collections = new Map<unknown, CollectionTable>()
  /** The lists that none reaches: those that a record holds. */
  readonly ownedLists = new CollectionTable(this)
  /** The start of the earliest read under way; `Infinity` when there is none. */
  earliestRead = Infinity
  /** The start of the earliest mutation under way; `Infinity` when there is none. */
  earliestMutation = Infinity
  /** Runs what gives up a discarded result. A Controller lets those who show it go first. */
  giveUp: (give: () => void) => void = (give) => give()
  /** The mark of what the latest run of the garbage collector found, and of what was made since. */
  epoch = 0
  /** The highest mark that was given. */
  marks = 0
  /** Has to know what is looked up; only while garbage is being collected. */
  barrier: Barrier | undefined = undefined
  /** Hears that rows were dropped: what leads to them is no use any more. */
  onRowsDropped: (() => void) | undefined = undefined
  readonly #tableOfPlan: (RecordTable | undefined)[] = []
  readonly #records: Denormalization = new Denormalization(this, [])
  readonly #touched = new Set<ResultNode>()
  #sequence = 0
  #transactions = 0

  /** The next position in the order of all requests and writes. */
  nextSequence(): number {
    return ++this.#sequence
  }

  /** The table of an entity class. */
  table(plan: EntityPlan): RecordTable {
    return this.#tableOfPlan[plan.index] ?? this.#addPlan(plan)
  }

  /** The row of a call, made when it is first asked for. */
  row(call: CallKey): ResultNode {
    const rows = this.results.get(call.key)
    let row = rows?.find(({ schema }) => schema === call.schema)
    if (row === undefined) {
      row = new ResultNode(call, this.graph, this)
      if (rows === undefined) this.results.set(call.key, [row])
      else rows.push(row)
      this.hydration?.claim(row)
    }
    this.barrier?.noteRow(row)
    return row
  }

  /**
   * Runs a function that writes, and tells readers when it ended.
   *
   * @returns what `write` returned
   * @throws what `write` threw; nothing is written then
   */
  transact<Value>(
    order: WriteOrder,
    lengths: Lengths,
    now: number,
    write: (transaction: Transaction) => Value,
  ): Value {
    const { layers } = this
    const transaction = layers.isEmpty
      ? new Transaction(this, order, lengths, now)
      : layers.transaction(order, lengths, now)
    this.#transactions++
    try {
      return write(transaction)
    } catch (error) {
      transaction.rollBack()
      throw error
    } finally {
      layers.makeAgain()
      this.#transactions--
      this.notify()
    }
  }

  /** Lets a record show other fields. */
  showFields(node: RecordNode, fields: Fields | undefined): void {
    if (node.fields === fields) return
    const { table } = node
    if (table.indexes.size > 0) {
      for (const index of table.indexes.values()) index.move(this.graph, node, node.fields, fields)
    }
    if (!node.hasArrived && fields !== undefined) {
      node.hasArrived = true
      table.arrived.push(node)
      if (table.lists.size > 0) for (const list of table.lists.values()) this.graph.markWritten(list)
    }
    node.fields = fields
    if (node.views === undefined) return
    for (const view of viewsOf(node)) this.graph.markWritten(view)
  }

  /** Lets a list show other members. */
  showMembers(node: CollectionNode, members: unknown): void {
    if (node.members === members) return
    node.members = members
    this.graph.markWritten(node.view)
  }

  /** Drops every record and every result. Rows stay for those who read them, and are unanswered again. */
  clear(): void {
    const sequence = this.nextSequence()
    this.layers.clear()
    this.unnamed.clear()
    this.hydration?.clear()
    for (const table of this.tables.values()) {
      table.forgetReplaced()
      for (const node of table.nodes.values()) {
        if (node.fields === undefined && node.stamp === neverWritten) continue
        for (const index of table.indexes.values()) index.move(this.graph, node, node.fields, undefined)
        node.fields = undefined
        node.stamp = { ...neverWritten, sequence, mutationStart: sequence }
        for (const view of viewsOf(node)) this.graph.markWritten(view)
        node.hasArrived = false
      }
      table.arrived = []
      table.isListed = false
      for (const list of table.lists.values()) this.graph.markWritten(list)
    }
    for (const { nodes } of [...this.collections.values(), this.ownedLists]) {
      for (const node of nodes.values()) {
        node.members = undefined
        node.joined = undefined
        node.pages = noPages
        node.stamp = { ...neverWritten, sequence, mutationStart: sequence }
        this.graph.markWritten(node.view)
      }
    }
    for (const rows of this.results.values()) {
      for (const row of rows) {
        this.discard(row)
        row.forget(sequence)
        this.graph.markWritten(row.view)
        this.touch(row)
      }
    }
  }

  /**
   * Gives up what a row's result holds outside of the store, because the row or its result is dropped.
   *
   * @param next - the result in its place
   */
  discard(row: ResultNode, next: unknown = noResult): void {
    const { result, dispose } = row
    if (dispose === undefined || result === noResult || Object.is(result, next)) return
    this.giveUp(() => dispose(result))
  }

  /** Several changes to rows, of which readers are told once. */
  batch<Value>(change: () => Value): Value {
    this.#transactions++
    try {
      return change()
    } finally {
      this.#transactions--
      this.notify()
    }
  }

  /**
   * Keeps what readers see of rows that a mutation just made unreadable, until `release`: so code that awaits the
   * mutation can leave the page first (specification 3, delete).
   *
   * @returns the rows that are held, of those that readers are about to be told of
   */
  holdUnreadable(): ResultNode[] {
    const held: ResultNode[] = []
    for (const row of this.#touched) {
      const before = row.lastSnapshot
      if (before?.isReadable !== true || row.snapshot(this.graph).isReadable) continue
      row.hold(before)
      held.push(row)
    }
    return held
  }

  /** What became unreadable until now is none of what `holdUnreadable` is to hold. */
  noteUnreadable(): void {
    // A snapshot that was computed since is what readers are told next, and not what they see.
    for (const row of this.#touched) row.snapshot(this.graph)
  }

  /** Lets readers see rows that were held. */
  release(rows: readonly ResultNode[]): void {
    this.batch(() => {
      for (const row of rows) {
        if (row.held === undefined) continue
        row.held = undefined
        this.touch(row)
      }
    })
  }

  /** Something that readers of a row see may have changed. */
  touch(row: ResultNode): void {
    if (row.isHeard) this.#touched.add(row)
  }

  /** Tells the readers of the rows that were touched. Waits for the end of a running transaction. */
  notify(): void {
    if (this.#transactions > 0) return
    while (this.#touched.size > 0) {
      const rows = [...this.#touched]
      this.#touched.clear()
      for (const row of rows) tell(row)
    }
  }

  /** How many records there are, those counted that were deleted or only referred to. */
  get size(): number {
    let size = 0
    for (const { nodes } of this.tables.values()) size += nodes.size
    return size
  }

  /** What a normalized value shows, for one reading: nothing of it stays in the store. */
  readOnce(schema: SchemaContract, result: unknown, args: readonly unknown[]): unknown {
    // The view of a record is there anyway: nothing has to be made to read it.
    if (schema instanceof EntityPlan && result instanceof RecordNode) {
      return this.graph.read(this.viewOf(result, schema))
    }
    const row = new ResultNode({ key: '', schema, args, isQuery: true }, this.graph, this)
    row.result = result
    try {
      return this.graph.read(row.view)
    } finally {
      row.view.unlink(this.graph)
    }
  }

  /** The record that an object of the caller's is shown by: the instance that readers see stands for it. */
  shownBy(plan: EntityPlan, pk: string, input: object): RecordNode | undefined {
    const node = this.find(this.table(plan), pk)
    return node !== undefined && viewsOf(node).some(({ value }) => value === input) ? node : undefined
  }

  /** The instance that readers saw of a record last. */
  shown(plan: EntityPlan, node: RecordNode): object | undefined {
    return viewsOf(node).find((view) => view.plan === plan)?.value as object | undefined
  }

  /** What readers of a call see; `undefined` for nothing. */
  readRow(row: ResultNode): unknown {
    const { data, isReadable } = row.snapshot(this.graph)
    // What is shown may be made of what was received.
    if (isReadable && row.schema?.inner !== undefined)
      return this.readOnce(innerOf(row.schema), row.result, row.args)
    return isReadable ? data : undefined
  }

  /** The rows of a key. */
  rows(key: string): readonly ResultNode[] {
    return this.results.get(key) ?? []
  }

  // --- RecordSource: what views read ---

  read(plan: EntityPlan, reference: unknown): unknown {
    // Anything else was never taken apart, and is shown as it is.
    if (!(reference instanceof RecordNode)) return reference
    return this.graph.readSource(this.viewOf(reference, plan))
  }

  /** The view of a record through a class. */
  viewOf(node: RecordNode, plan: EntityPlan): RecordView {
    const { views } = node
    if (views instanceof RecordView) {
      if (views.plan === plan) return views
    } else {
      const known = views?.find((view) => view.plan === plan)
      if (known !== undefined) return known
    }
    // What was hydrated may be read by a class that nothing was received for.
    if (this.#tableOfPlan[plan.index] === undefined) this.#addPlan(plan)
    const view = new RecordView(node, plan)
    node.views = views === undefined ? view : Array.isArray(views) ? [...views, view] : [views, view]
    return view
  }

  all(plan: EntityPlan): unknown[] | undefined {
    const table = this.table(plan)
    let list = table.lists.get(plan)
    if (list === undefined) {
      this.barrier?.noteAll(table)
      list = new ListView(plan.entity, () => table.received, this.#records, true)
      table.lists.set(plan, list)
    }
    return this.graph.readSource(list) as unknown[] | undefined
  }

  /** Something was received of a class of records, be it that there are none. */
  setListed(table: RecordTable, isListed: boolean): void {
    if (table.isListed === isListed) return
    table.isListed = isListed
    for (const list of table.lists.values()) this.graph.markWritten(list)
  }

  collection(_collection: CollectionSchema<unknown>, reference: unknown): unknown {
    return reference instanceof CollectionNode ? this.graph.readSource(reference.view) : undefined
  }

  fillAll(): void {
    this.graph.finishPending()
  }

  keys(value: unknown): unknown {
    return toKeys(value)
  }

  // --- ResultOwner and QueryDelegate: what arguments name ---

  queryKey(schema: SchemaContract, args: readonly unknown[]): unknown {
    return schema.queryKey?.(args, this)
  }

  lookUp(schema: Schema, args: readonly unknown[]): unknown {
    return this.queryKey(contractOf(schema), args)
  }

  refer(schema: Schema, keys: unknown): unknown {
    const sink = new ReferenceSink(this)
    return normalizeInto(sink, contractOf(schema), keys, {
      args: [],
      name: 'A lazy relation',
      isOwned: false,
    })
  }

  indexed(plan: EntityPlan, field: string, value: unknown): unknown {
    const entry = this.#index(this.table(plan), field).entry(value)
    let node = this.graph.readSource(entry)
    // One that is lost leaves its entry to the next.
    while (node instanceof RecordNode && this.barrier?.isLost(node) === true)
      node = this.graph.readSource(entry)
    return node
  }

  pkOf(reference: unknown): string | undefined {
    return reference instanceof RecordNode ? reference.pk : undefined
  }

  listOf(collection: CollectionSchema<unknown>, list: ListIdentity): CollectionNode {
    return (list.isFilter ? this.collectionTable(collection) : this.ownedLists).node(collection, list)
  }

  /** The lists that a mutation of a Collection may reach. */
  collectionTable({ members }: CollectionSchema<unknown>): CollectionTable {
    let table = this.collections.get(members)
    if (table === undefined) this.collections.set(members, (table = new CollectionTable(this)))
    return table
  }

  /** A record that is asked for is waited for, so that its arrival is noticed. */
  reference(plan: EntityPlan, pk: string): RecordNode {
    const table = this.table(plan)
    return this.find(table, pk) ?? this.add(table, pk)
  }

  /** A record that is there, known or only referred to. */
  find(table: RecordTable, pk: string): RecordNode | undefined {
    const node = table.nodes.get(pk)
    if (this.barrier === undefined || node === undefined) return node
    return this.barrier.isLost(node) ? undefined : node
  }

  /** The node of a primary key that has none yet; of a temporary one that of the record in its place. */
  add(table: RecordTable, pk: string): RecordNode {
    const real = table.realPk(pk)
    const known = real === pk ? undefined : this.find(table, real)
    return known ?? table.add(real, this.epoch)
  }

  /** The record of an entity key, whose classes need not be known. */
  recordOf(key: string, pk: string): RecordNode {
    const table = this.tableOf(key)
    return this.find(table, pk) ?? this.add(table, pk)
  }

  /** The table of an entity key, whose classes need not be known. */
  tableOf(key: string): RecordTable {
    let table = this.tables.get(key)
    if (table === undefined) this.tables.set(key, (table = new RecordTable(key, this.#records)))
    return table
  }

  #index(table: RecordTable, field: string): RecordIndex {
    let index = table.indexes.get(field)
    if (index !== undefined) return index
    table.indexes.set(field, (index = new RecordIndex(field)))
    for (const node of table.nodes.values()) index.move(this.graph, node, undefined, node.fields)
    return index
  }

  #addPlan(plan: EntityPlan): RecordTable {
    const table = this.tableOf(plan.key)
    const known = new Set(table.fields.map(({ name }) => name))
    if (development) warnOfSharedName(table.plans, plan)
    table.plans.push(plan)
    this.#tableOfPlan[plan.index] = table
    const added = plan.fields.filter(({ name }) => !known.has(name))
    if (added.length > 0 && table.nodes.size > 0) this.#joinFields(table, added)
    return table
  }

  /** A class that names more fields than those before it meets records that hold them as they were sent. */
  #joinFields(table: RecordTable, added: readonly FieldPlan[]): void {
    const order = { kind: 'read', start: 0, settle: 0 } as const
    const transaction = new Transaction(this, order, { endpoint: undefined, controller: 0 }, -Infinity)
    this.layers.below(() => {
      for (const node of table.nodes.values()) transaction.joinFields(node, added)
    })
  }
}

/** Classes that only happen to have one name would read each other's records (specification S15). */
function warnOfSharedName(plans: readonly EntityPlan[], added: EntityPlan): void {
  const isSuspicious = plans.some(
    (plan) => hasDerivedKey(plan) && hasDerivedKey(added) && fieldsOf(plan) !== fieldsOf(added),
  )
  if (!isSuspicious) return
  warn(
    `Two classes are stored under the key "${added.key}", the name of both, but they have different fields. Give each a \`static key\` of its own; or the same one, if they are two views of one record.`,
  )
}

function fieldsOf(plan: EntityPlan): string {
  return Object.keys(plan.create()).sort().join()
}

/** Calls a row's listeners. One that throws does not keep the others from being told (specification F20). */
function tell(row: ResultNode): void {
  for (const listener of row.listeners) {
    try {
      listener()
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }
}
