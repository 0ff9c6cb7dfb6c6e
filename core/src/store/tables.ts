import { development } from '#development'
import { warn } from '../errors.js'
import { contractOf } from '../schema/contract-of.js'
import type { Denormalization } from '../denormalize/denormalize.js'
import { normalizeInto } from '../normalize/normalize.js'
import type { CollectionSchema } from '../schema/collection.js'
import type { ListIdentity, StoreQueryDelegate } from '../schema/delegates.js'
import { EntityPlan, hasDerivedKey } from '../schema/entity-plan.js'
import type { FieldPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import type { Schema, SchemaContract } from '../schema/schema.js'
import type { Barrier } from './garbage/gc-barrier.js'
import type { ListNode } from './list-node.js'
import { RecordIndex } from './indexes.js'
import { ListView } from './view/list-view.js'
import { RecordNode, RecordTable, RecordView, viewsOf } from './records.js'
import { ReferenceSink } from './reference-sink.js'
import { Call } from './call.js'
import type { CallEvent } from './call.js'
import { noResult, show } from './results.js'
import type { CallKey, ResultOwner } from './results.js'
import type { StoreHydration } from './hydration/store-hydration.js'
import type { StoreLists } from './store-lists.js'
import type { UnnamedRecords } from './optimistic/unnamed.js'
import { StoreDenormalization } from './store-denormalization.js'
import { Once, ViewGraph } from './view/view.js'
import type { View } from './view/view.js'

/**
 * What is known: the tables of records, of lists and of results, and the views computed from them. What a transaction
 * writes to; knows no transaction.
 */
export abstract class Tables implements ResultOwner, StoreQueryDelegate {
  readonly graph = new ViewGraph()
  /** What was created without an answer that names it; `undefined` until something was. */
  unnamed: UnnamedRecords | undefined = undefined
  /** What was received elsewhere, and was not asked for here yet; `undefined` until something is hydrated. */
  hydration: StoreHydration | undefined = undefined
  readonly tables = new Map<string, RecordTable>()
  /** Rows by request key; several where one request is read through several schemas. */
  readonly results = new Map<string, Call[]>()
  /** The lists of Collections, and the pages of all; `undefined` until a schema that has them is met. */
  lists: StoreLists | undefined = undefined
  /** The start of the earliest read under way; `Infinity` when there is none. */
  earliestRead = Infinity
  /** The start of the earliest mutation under way; `Infinity` when there is none. */
  earliestMutation = Infinity
  /** Runs what gives up a discarded result. A Controller lets those who show it go first. */
  giveUp: (give: () => void) => void = (give) => give()
  /** The mark of what the latest run of the garbage collector found, and of what was made since. */
  epoch = 0
  /** Has to know what is looked up; only while garbage is being collected. */
  barrier: Barrier | undefined = undefined
  /** Rows whose readers are still to be told. */
  protected readonly touched = new Set<Call>()
  readonly #tableOfPlan: (RecordTable | undefined)[] = []
  readonly #records: Denormalization = this.denormalization([])

  /** A class that names more fields than those before it meets records that hold them as they were sent. */
  protected abstract joinFields(table: RecordTable, added: readonly FieldPlan[]): void

  /** The table of an entity class. */
  table(plan: EntityPlan): RecordTable {
    return this.#tableOfPlan[plan.index] ?? this.#addPlan(plan)
  }

  /** The call of a key and schema, made when it is first asked for. */
  call(named: CallKey): Call {
    const calls = this.results.get(named.key)
    let call = calls?.find(({ schema }) => schema === named.schema)
    if (call === undefined) {
      call = new Call(named, this)
      if (calls === undefined) this.results.set(named.key, [call])
      else calls.push(call)
      // A page that is asked for belongs to its list as it is now.
      if (named.schema?.makeLists !== undefined) this.listsOf(named.schema)
      this.hydration?.claim(call)
    }
    this.barrier?.noteCall(call)
    return call
  }

  /** The calls of a key. */
  calls(key: string): readonly Call[] {
    return this.results.get(key) ?? []
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
  showMembers(node: ListNode, members: unknown): void {
    if (node.members === members) return
    node.members = members
    this.graph.markWritten(node.view)
  }

  /**
   * Gives up what a call's result holds outside of the store, because the call or its result is dropped.
   *
   * @param next - the result in its place
   */
  discard(call: Call, next: unknown = noResult): void {
    const { result, dispose } = call
    if (dispose === undefined || result === noResult || Object.is(result, next)) return
    this.giveUp(() => dispose(result))
  }

  /** Something happens to a call. What its readers see may change; the caller notifies them. */
  move(call: Call, event: CallEvent): void {
    if (call.transition(event)) this.graph.markWritten(call.view)
    this.touch(call)
  }

  /** What readers of a call see may have changed. */
  touch(call: Call): void {
    if (call.isHeard) this.touched.add(call)
  }

  /** What a normalized value shows, for one reading: nothing of it stays in the store. */
  readOnce(schema: SchemaContract, result: unknown, args: readonly unknown[]): unknown {
    // The view of a record is there anyway: nothing has to be made to read it.
    if (schema instanceof EntityPlan && result instanceof RecordNode) {
      return this.graph.read(this.viewOf(result, schema))
    }
    const once = new Once(() => {
      const found = result === noResult ? this.queryKey(schema, args) : result
      return found === undefined ? undefined : show(schema, found, this.denormalization(args))
    })
    return this.graph.read(once)
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

  // --- ViewSource: what is read ---

  denormalization(args: readonly unknown[]): Denormalization {
    return new StoreDenormalization(this, args)
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

  allOf(plan: EntityPlan): View {
    const table = this.table(plan)
    let list = table.lists.get(plan)
    if (list === undefined) {
      this.barrier?.noteAll(table)
      list = new ListView(plan.entity, () => table.received, this.#records, true)
      table.lists.set(plan, list)
    }
    return list
  }

  /** Something was received of a class of records, be it that there are none. */
  setListed(table: RecordTable, isListed: boolean): void {
    if (table.isListed === isListed) return
    table.isListed = isListed
    for (const list of table.lists.values()) this.graph.markWritten(list)
  }

  // --- ResultOwner and StoreQueryDelegate: what arguments name ---

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

  listOf(collection: CollectionSchema<unknown>, list: ListIdentity): ListNode {
    return this.listsOf(collection).node(collection, list)
  }

  /** The lists, which a schema makes that has some. */
  listsOf(schema: SchemaContract): StoreLists {
    return (this.lists ??= schema.makeLists?.(this) as StoreLists)
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
    if (added.length > 0 && table.nodes.size > 0) this.joinFields(table, added)
    return table
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
