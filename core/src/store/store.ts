import { development } from '#development'
import * as errors from '../errors.js'
import { contractOf, innerOf } from '../schema/contract-of.js'
import type { Denormalization } from '../denormalize/denormalize.js'
import type { CollectionSchema } from '../schema/collection.js'
import type { ListIdentity, StoreQueryDelegate } from '../schema/delegates.js'
import { EntityPlan, hasDerivedKey } from '../schema/entity-plan.js'
import type { FieldPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import { isSameSchema } from '../schema/same-schema.js'
import { ruled } from '../schema/ruled-list.js'
import type { Schema, SchemaContract } from '../schema/schema.js'
import type { ListNode } from './list-node.js'
import { RecordIndex } from './indexes.js'
import { ListView } from './view/list-view.js'
import { RecordNode, RecordTable, RecordView, viewsOf } from './records.js'
import { toKeys } from '../normalize/reference.js'
import type { Reference } from '../normalize/reference.js'
import { FieldOrder } from './order.js'
import { refer } from './refer.js'
import { neverWritten } from './stamp.js'
import { Call } from './call.js'
import type { CallEvent, CallOwner, Snapshot } from './call.js'
import { noResult, show, StoreDenormalization } from './results.js'
import type { CallKey } from './results.js'
import type { Journal } from './journal.js'
import type { StoreHydration } from './hydration/store-hydration.js'
import type { StoreLists } from './store-lists.js'
import type { UnnamedRecords } from './optimistic/unnamed-records.js'
import { Once, ViewGraph } from './view/view.js'
import type { View } from './view/view.js'
import { report } from '../util/report.js'

/**
 * A call with more schemas is refused: each render makes another one, and fetches it. A net in production, which leaves room for
 * code that works; development tells of the mistake early.
 */
const mostSchemas = development ? 50 : 200

/** The optimistic layers, as the store uses them: `optimistic` brings them, so an application without it does not ship them. */
export interface StoreLayers {
  readonly isEmpty: boolean
  /** Counts runs of layers, so that the garbage collector detects that they hide other values. */
  readonly changes: number
  /** The values that layers note or refer to, perhaps as the only ones. */
  readonly touched: readonly unknown[]
  /** Runs a function while the layers are off. */
  below<Value>(run: () => Value): Value
  /** Called when a call is made. */
  open(call: Call): void
  clear(): void
}

/**
 * The normalized cache: the tables of records, lists and calls, the views computed from them, and the notification of
 * readers. Transactions write to it. It knows no transaction, no endpoint, no network and no clock.
 */
export class Store implements CallOwner, StoreQueryDelegate {
  readonly graph = new ViewGraph()
  /** Optimistic writes on top of the received data; `undefined` until the first one. */
  layers: StoreLayers | undefined
  /** Created records whose primary keys the server did not send; `undefined` until there is one. */
  unnamed: UnnamedRecords | undefined
  /** Hydrated data that no call has claimed yet; `undefined` until something is hydrated. */
  hydration: StoreHydration | undefined
  readonly tables = new Map<string, RecordTable>()
  /** Calls by request key; several if one request is read with several schemas. */
  readonly results = new Map<string, Call[]>()
  /** The lists of Collections and the pages of all lists; `undefined` until a schema with lists is used. */
  lists: StoreLists | undefined
  /** Decides between the writes to a field. */
  readonly fieldOrder = new FieldOrder()
  /** Notes changes; `undefined` while nobody listens to them. */
  journal: Journal | undefined = undefined
  /** The start of the earliest read in flight; `Infinity` if there is none. */
  earliestRead = Infinity
  /** The start of the earliest mutation in flight; `Infinity` if there is none. */
  earliestMutation = Infinity
  /** When a call was invalidated last: milliseconds since the epoch; `-Infinity` for never. */
  invalidatedAt = -Infinity
  /** Called after calls were dropped, so that caches of them are cleared. */
  onCallsDropped: (() => void) | undefined = undefined
  /** Normalizes fields of stored records for which a new class of the table declares a schema. */
  declare joinFields: (table: RecordTable, added: readonly FieldPlan[]) => void
  /** Runs a function when readers were notified: a Controller delays it to a later macrotask. */
  later: (run: () => void) => void = (run) => run()
  /** The mark of everything that the latest garbage run found and that was created since. */
  epoch = 0
  /**
   * Write barrier; set while garbage is collected. Called for a looked-up reference without the mark. While the run
   * marks, the reference becomes reachable; while it sweeps, the reference is lost and removed.
   */
  onLookup: ((found: Reference) => void) | undefined = undefined
  /** True while a garbage run looks for room: then a list of all records does not keep them, but what it is shown as. */
  isFull = false
  /** True once a garbage run has marked everything to keep: a reference without the mark is lost. */
  isSweeping = false
  /** Counts what `touch` and the garbage collector do: while it stays the same, each call shows the same. */
  changes = 0
  /** Calls whose readers are not notified yet, with the snapshots that they were told last. */
  readonly touched = new Map<Call, Snapshot | undefined>()
  /** True while readers are told that what was held for them is gone: parts around them may render, and remove them. */
  isReleasing = false
  /** The number of records that arrived. */
  arrivals = 0
  #sequence = 0
  /** The number of open transactions and batches. */
  #open = 0
  /** The calls that are not held; `undefined` outside of `holdUnreadable`. */
  #unheld: ReadonlySet<Call> | undefined
  readonly #tableOfPlan: (RecordTable | undefined)[] = []
  readonly #records: Denormalization = this.denormalization([])

  /** The next position in the order of all requests and writes. */
  nextSequence(): number {
    return ++this.#sequence
  }

  /** The table of an entity class. */
  table(plan: EntityPlan): RecordTable {
    return this.#tableOfPlan[plan.index] ?? this.#addPlan(plan, this.tableOf(plan.key))
  }

  /** Returns the call of a key and schema; created at the first look-up. */
  call(named: CallKey): Call {
    const { key, schema } = named
    const calls = this.results.get(key)
    let call = calls?.[0]
    if (call === undefined || call.schema !== schema || !isReadAlike(call, named))
      call = calls?.find((other) => isSameSchema(schema, other.schema) && isReadAlike(other, named))
    if (call === undefined) {
      call = new Call(named, this)
      this.journal?.note(call)
      if (calls === undefined) this.results.set(key, [call])
      else {
        if (calls.length >= mostSchemas) throw errors.schemaRemade(key, calls.length)
        calls.push(call)
      }
      // The page belongs to the current state of its list. A list in another schema may have rules.
      const opened = named.schema?.makeLists === undefined ? ruled.first : named.schema
      if (opened !== undefined) this.listsOf(opened).open(call)
      this.hydration?.claim(call)
      this.layers?.open(call)
    }
    call.mark = this.epoch
    return call
  }

  /** The calls of a key. */
  calls(key: string): readonly Call[] {
    return this.results.get(key) ?? []
  }

  /** Replaces the fields of a record. @param isRestored - `true` for fields that it had before */
  showFields(node: RecordNode, fields: Fields | undefined, isRestored = false): void {
    this.journal?.note(node)
    if (node.fields === fields) return
    const { table } = node
    if (table.indexes.size > 0) {
      for (const index of table.indexes.values()) index.move(this.graph, node, node.fields, fields)
    }
    if (node.arrival === 0 && fields !== undefined) {
      node.arrival = ++this.arrivals
      table.arrived?.push(node)
      this.markLists(table)
    }
    node.fields = fields
    if (node.views === undefined) return
    for (const view of viewsOf(node)) this.graph.markWritten(view, isRestored)
  }

  /** Restores the place of a record in the order of arrival, if it was written again since it had that place. */
  keepArrival(node: RecordNode, arrival: number): void {
    if (arrival === 0 || node.arrival <= arrival) return
    const { table } = node
    node.arrival = arrival
    table.arrived = undefined
    this.markLists(table)
    for (const index of table.indexes.values()) index.move(this.graph, node, undefined, node.fields)
  }

  /**
   * Disposes the resources of a call's result, because the call or its result is dropped.
   *
   * @param next - the new result
   */
  discard(call: Call, next: unknown = noResult): void {
    const { result, dispose } = call
    if (dispose === undefined || result === noResult || Object.is(result, next)) return
    this.later(() => dispose(result))
  }

  /** Applies an event to a call: the only way in which a call changes. The caller notifies readers. */
  move(call: Call, event: CallEvent): void {
    const changed = call.transition(event)
    if (changed === 'nothing') return
    if (changed === 'result') this.graph.drop(call)
    this.touch(call)
  }

  /** Marks a call whose snapshot may have changed, so that its readers are notified. */
  touch(call: Call): void {
    this.changes++
    if ((call.isHeard || call.isAwaited) && !this.touched.has(call)) this.touched.set(call, call.lastSnapshot)
  }

  /** Denormalizes a value for a single read; no view is kept for it. */
  readOnce(schema: SchemaContract, result: unknown, args: readonly unknown[]): unknown {
    // A record has a view anyway, so that is read.
    if (schema instanceof EntityPlan && result instanceof RecordNode) {
      return this.graph.read(this.viewOf(result, schema))
    }
    const once = new Once(() => {
      const found = result === noResult ? this.lookUp(schema, args) : result
      return found === undefined ? undefined : show(schema, found, this.denormalization(args))
    })
    return this.graph.read(once)
  }

  /** The data that readers of a call see; `undefined` if it is not readable. */
  readCall(call: Call): unknown {
    const { data, isReadable } = call.snapshot()
    // The data of a Query may differ from the received data, so that is read by the inner schema.
    if (isReadable && call.schema?.inner !== undefined)
      return this.readOnce(innerOf(call.schema), call.result, call.args)
    return isReadable ? data : undefined
  }

  /** Returns the record if `input` is an instance of it that readers see. */
  shownBy(plan: EntityPlan, pk: string, input: object): RecordNode | undefined {
    const node = this.find(this.table(plan), pk)
    return node !== undefined && viewsOf(node).some(({ value }) => value === input) ? node : undefined
  }

  /** The instance of a record that readers saw last. */
  shown(plan: EntityPlan, node: RecordNode): object | undefined {
    return viewsOf(node).find((view) => view.plan === plan)?.value as object | undefined
  }

  // --- ViewSource: the views that reads depend on ---

  denormalization(args: readonly unknown[]): Denormalization {
    return new StoreDenormalization(this, args)
  }

  /** The view of a record through a class. */
  viewOf(node: RecordNode, plan: EntityPlan): RecordView {
    const { views } = node
    if (views !== undefined) for (const view of viewsOf(node)) if (view.plan === plan) return view
    // Hydrated records may be read by a class that has received none.
    this.table(plan)
    const view = new RecordView(node, plan)
    node.views = views === undefined ? view : [...viewsOf(node), view]
    return view
  }

  allOf(plan: EntityPlan): View {
    const table = this.table(plan)
    if (!this.isFull) table.mark = this.epoch
    let list = table.lists.get(plan)
    if (list === undefined) {
      list = new ListView(plan.entity, table, this.#records)
      table.lists.set(plan, list)
    }
    return list
  }

  /** Notes if a list of these records was received, even an empty one. */
  setListed(table: RecordTable, isListed: boolean): void {
    if (table.isListed === isListed) return
    table.isListed = isListed
    for (const index of table.indexes.values()) index.noteListed?.(this.graph)
    this.markLists(table)
  }

  /** Marks the lists of all records of a table, because its records changed. */
  markLists({ lists }: RecordTable): void {
    // Hot path, runs for every record that arrives: an iterator costs more than this check.
    if (lists.size > 0) for (const list of lists.values()) this.graph.markWritten(list)
  }

  // --- CallOwner and StoreQueryDelegate: look-ups by arguments ---

  lookUp(schema: Schema, args: readonly unknown[]): unknown {
    return contractOf(schema).queryKey?.(args, this)
  }

  refer(schema: Schema, keys: unknown): unknown {
    return refer(this, schema, keys)
  }

  indexed(plan: EntityPlan, field: string, value: unknown): RecordNode | undefined {
    const entry = this.#index(this.table(plan), field).entry(value)
    const read = () => this.graph.readSource(entry) as RecordNode | undefined
    let node = read()
    // The look-up removes a lost record, so the entry shows the next.
    while (node !== undefined && this.isLost(node)) node = read()
    return node
  }

  listOf(collection: CollectionSchema<unknown>, list: ListIdentity): ListNode {
    return this.listsOf(collection).node(collection, list)
  }

  /** Returns the lists; created by the first schema with lists. */
  listsOf(schema: SchemaContract): StoreLists {
    return (this.lists ??= schema.makeLists?.(this) as StoreLists)
  }

  /** Returns the node of a record, created if needed, so that readers see its arrival. */
  reference(plan: EntityPlan, pk: string): RecordNode {
    const table = this.table(plan)
    return this.find(table, pk) ?? this.add(table, pk)
  }

  isShown(plan: EntityPlan, reference: unknown): boolean {
    return this.graph.readSource(this.viewOf(reference as RecordNode, plan)) !== undefined
  }

  /** Returns the node of a record, received or only referred to. */
  find(table: RecordTable, pk: string): RecordNode | undefined {
    const node = table.nodes.get(pk)
    return node === undefined || (node.mark !== this.epoch && this.isLost(node)) ? undefined : node
  }

  /** True if the garbage collector is about to remove a looked-up reference. */
  isLost(found: Reference): boolean {
    if (found.mark === this.epoch) return false
    this.onLookup?.(found)
    return this.isSweeping
  }

  /** Creates the node of a primary key that has none yet; for a replaced temporary key, returns the real record's node. */
  add(table: RecordTable, pk: string): RecordNode {
    const real = table.realPk(pk)
    const known = real === pk ? undefined : this.find(table, real)
    if (known !== undefined) return known
    const node = new RecordNode(table, real, this.epoch)
    table.nodes.set(real, node)
    return node
  }

  /** Returns the table of an entity key, even if no class is known for it. */
  tableOf(key: string): RecordTable {
    let table = this.tables.get(key)
    if (table === undefined) {
      // Does not remove a lost record, which would take long for many.
      const isLost = ({ mark }: Reference) => this.isSweeping && mark !== this.epoch
      this.tables.set(key, (table = new RecordTable(key, this.#records, isLost)))
    }
    return table
  }

  /** The number of records, including deleted ones and those only referred to. */
  get size(): number {
    let size = 0
    for (const { nodes } of this.tables.values()) size += nodes.size
    return size
  }

  /** Runs a function while the optimistic layers are off. */
  below<Value>(run: () => Value): Value {
    return this.layers === undefined ? run() : this.layers.below(run)
  }

  /** Drops every record and every result. Calls stay for their readers and are unanswered again. */
  clear(): void {
    const sequence = this.nextSequence()
    const stamp = { ...neverWritten, start: sequence, sequence, mutationStart: sequence }
    this.#unheld = undefined
    this.layers?.clear()
    this.unnamed?.clear()
    this.hydration?.clear()
    this.fieldOrder.clear()
    for (const table of this.tables.values()) {
      table.temporary = undefined
      for (const node of table.nodes.values()) {
        if (node.fields === undefined && node.stamp === neverWritten) continue
        this.showFields(node, undefined)
        node.stamp = stamp
        node.arrival = 0
      }
      table.arrived = undefined
      this.setListed(table, false)
      this.markLists(table)
    }
    this.lists?.clear(stamp)
    for (const calls of this.results.values()) {
      for (const call of calls) {
        this.discard(call)
        this.move(call, { type: 'forgotten', at: sequence })
        // What its arguments find may differ, too.
        this.graph.drop(call)
      }
    }
  }

  // --- the notification of readers ---

  /** Runs several changes and notifies readers once. @param isLater - notify in a microtask */
  batch<Value>(change: () => Value, isLater = false): Value {
    this.#open++
    try {
      return change()
    } finally {
      this.close(isLater)
    }
  }

  /** Begins a batch: readers are notified when it is closed. */
  open(): void {
    this.#open++
  }

  /** Ends a batch. @param isLater - notify in a microtask */
  close(isLater = false): void {
    if (--this.#open === 0) this.graph.settle()
    if (isLater) queueMicrotask(() => this.notify())
    else this.notify()
  }

  /** True between `holdUnreadable` and `takeHeld`. */
  get isHolding(): boolean {
    return this.#unheld !== undefined
  }

  /** Holds all calls that become unreadable until `takeHeld`. */
  holdUnreadable(): void {
    this.#unheld = new Set([...this.touched.keys()].filter((call) => !call.snapshot().isReadable))
  }

  /** Ends `holdUnreadable`. @param isWritten - `false` after a rollback @returns the held calls */
  takeHeld(isWritten: boolean): Call[] {
    const unheld = this.#unheld
    this.#unheld = undefined
    this.graph.settle()
    return isWritten ? this.hold([...this.touched.keys()].filter((call) => unheld?.has(call) === false)) : []
  }

  /**
   * Keeps what readers of calls were told last, where it is unreadable now, for one macrotask longer: code that awaits a mutation, or
   * a part that renders a list, can leave the page first (specification 3, delete).
   *
   * @returns the held calls
   */
  hold(calls: Iterable<Call>): Call[] {
    this.graph.settle()
    const held: Call[] = []
    for (const call of calls) {
      const told = this.touched.get(call)
      if (told?.isReadable !== true || call.state.isInvalidated || call.snapshot().isReadable) continue
      this.move(call, { type: 'held', snapshot: told })
      held.push(call)
    }
    return held
  }

  /** Shows the current state of held calls in a later macrotask, unless they are released or held again before. */
  releaseLater(calls: readonly Call[]): void {
    if (calls.length === 0) return
    const snapshots = calls.map(({ state }) => state.held)
    const release = () => this.release(calls.filter(({ state }, place) => state.held === snapshots[place]))
    this.later(release)
  }

  /** Shows the current state of held calls. */
  release(calls: readonly Call[]): void {
    this.isReleasing = true
    try {
      this.batch(() => {
        for (const call of calls) this.move(call, { type: 'held', snapshot: undefined })
      })
    } finally {
      this.isReleasing = false
    }
  }

  /** Notifies the readers of the touched calls. Does nothing during a transaction or batch, which notifies at its end. */
  notify(): void {
    if (this.#open > 0) return
    this.graph.settle()
    this.journal?.commit()
    while (this.touched.size > 0) {
      const calls = [...this.touched.keys()]
      // `clear` leaves the snapshots in a table that the engine keeps until a full collection.
      for (const call of calls) this.touched.delete(call)
      // All listeners are called even if one throws (specification F20).
      for (const call of calls) {
        call.wakeIfReadable()
        for (const listener of call.listeners) report(listener)
      }
    }
  }

  #index(table: RecordTable, field: string): RecordIndex {
    // The index of a field has its name.
    let index = table.indexes.get(field) as RecordIndex | undefined
    if (index !== undefined) return index
    table.indexes.set(field, (index = new RecordIndex(field)))
    for (const node of table.nodes.values()) index.move(this.graph, node, undefined, node.fields)
    return index
  }

  #addPlan(plan: EntityPlan, table: RecordTable): RecordTable {
    if (development) {
      warnOfSharedName(table.plans, plan)
      warnOfOtherKey(table, plan)
    }
    const before = table.plans.length === 0 ? [] : table.fields
    if (table.plans.push(plan) > 1) table.isShared = true
    this.#tableOfPlan[plan.index] = table
    const added = plan.fields.filter(({ name }) => !before.some((known) => known.name === name))
    if (added.length > 0 && table.nodes.size > 0) this.joinFields(table, added)
    return table
  }
}

/** True if a call reads its response like another. One without a reader takes what is there. */
function isReadAlike(call: Call, { reader }: CallKey): boolean {
  if (reader === undefined || reader === call.reader) return true
  call.reader ??= reader
  return call.reader === reader || call.reader.readsAs(reader)
}

/** Warns of different classes with the same name, which would read each other's records (specification S15). */
function warnOfSharedName(plans: readonly EntityPlan[], added: EntityPlan): void {
  const isSuspicious = plans.some(
    (plan) => hasDerivedKey(plan) && hasDerivedKey(added) && fieldsOfPlan(plan) !== fieldsOfPlan(added),
  )
  if (!isSuspicious) return
  errors.warn(
    `Two classes have the name "${added.key}", which is their key, but different fields. Give each its own \`static key\`. If they are two views of one record, give both the same \`static key\`.`,
  )
}

/**
 * Warns of a class that finds another primary key in a record than the class which stored it: they share a key, but no record. Only a
 * record with all fields of the class tells.
 */
function warnOfOtherKey(table: RecordTable, added: EntityPlan): void {
  const [node] = table.nodes.values()
  const { fields, pk } = node ?? {}
  if (fields === undefined || !Object.keys(added.create()).every((name) => name in fields)) return
  let other: string | undefined
  try {
    other = added.pkOf(toKeys(fields) as Fields, undefined, undefined, [])
  } catch {
    return
  }
  if (other === undefined || other === pk) return
  errors.warn(
    `Two classes have the key "${added.key}", but compute different primary keys for one record: "${pk}" and "${other}". So each class has its own record, and a change to one does not show in the other. Give both the same pk(), or each its own \`static key\`.`,
  )
}

function fieldsOfPlan(plan: EntityPlan): string {
  return Object.keys(plan.create()).sort().join()
}
