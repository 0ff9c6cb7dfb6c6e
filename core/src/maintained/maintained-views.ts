import type { Denormalization } from '../denormalize/denormalize.js'
import { StoreDenormalization } from '../store/results.js'
import { AllSchema } from '../schema/all.js'
import { EntityPlan, planOf } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import { isEntityClass } from '../schema/schema.js'
import type { EntityClass, Schema } from '../schema/schema.js'
import type { TableIndex } from '../store/indexes.js'
import type { RecordNode, RecordTable } from '../store/records.js'
import type { Store } from '../store/store.js'
import type { View, ViewGraph } from '../store/view/view.js'
import { withoutDependent } from '../store/view/view.js'
import { stableStringify } from '../util/stable-stringify.js'
import { getOrMake } from '../util/get-or-make.js'
import { ArrayView } from './array-view.js'
import { FieldIndex, indexTextOf } from './field-index.js'
import type { Flow } from './flow.js'
import { GroupsView } from './groups-view.js'
import { RecordsView } from './records-view.js'
import { RowsView } from './rows-view.js'
import { StageView } from './stage-view.js'
import type { Equality, Plan, Total } from './steps.js'
import { TotalView } from './total-view.js'
import { WindowView } from './window-view.js'

/** A maintained query, as its views are made of it. */
export interface Steps {
  readonly schema: Schema
  readonly plan: Plan
  /** The query that is its source, if that is maintained and a list. */
  readonly source: Steps | undefined
}

/** What a query shows. */
export type Result = StageView | EndView

type EndView = TotalView | GroupsView | WindowView

/** A read: the reference that the arguments identify, and the arguments. */
interface Read {
  readonly input: unknown
  readonly args: readonly unknown[]
  readonly text: string
}

/** The name of the index that tells of each change of a record. */
const indexName = ' maintained'

/** The records of one table that somebody reads. */
interface TableViews {
  readonly all: Map<EntityPlan, RecordsView>
  readonly fields: Map<string, FieldIndex>
}

/**
 * The views of all maintained queries of a store. They are made when they are first read, and dropped by the garbage collector
 * when nothing depends on them.
 */
export class MaintainedViews implements TableIndex {
  readonly #store: Store
  readonly #tables = new Map<RecordTable, TableViews>()
  /** By the steps of a query, by the reference that it reads, and by its arguments. */
  readonly #views = new Map<object, Map<unknown, Map<string, View>>>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Returns the view of a query; `undefined` if it is not read from a store. */
  static of(delegate: unknown): MaintainedViews | undefined {
    if (!(delegate instanceof StoreDenormalization)) return undefined
    // The store is the only source of views.
    const store = delegate.source as Store
    return getOrMake(views, store, () => new MaintainedViews(store))
  }

  /** Reads what a query shows, as a source of what is computed. It may be filled later. */
  read(steps: Steps, input: unknown, args: readonly unknown[]): Result {
    const view = this.#result(steps, input, args)
    this.#store.graph.readSource(view)
    return view
  }

  #result(steps: Steps, input: unknown, args: readonly unknown[]): Result {
    const readOf = (of: readonly unknown[]): Read => ({ input, args: of, text: stableStringify(of) })
    const { plan } = steps
    const { end } = plan
    const read = readOf(args)
    const list = this.#list(steps, end?.isWindow === true ? readOf(withoutWindow(args)) : read)
    if (end === undefined) {
      list.show(this.#store.graph)
      return list
    }
    return this.#view<EndView>(end, read, () => {
      const { groupKey, total, isWindow } = end
      if (isWindow === true) return new WindowView(list, args[0])
      return groupKey === undefined
        ? new TotalView(list, total as Total, args[0])
        : new GroupsView(list, groupKey, total, args[0])
    })
  }

  /** Brings a view up to date. While garbage is collected it keeps its records. */
  update(view: Result): void {
    view.update(this.#store.graph)
    if (this.#store.onLookup === undefined) return
    const seen = new Set<View>([view])
    for (const next of seen) {
      if (next instanceof RecordsView) next.keep()
      else if (!(next instanceof ArrayView)) for (const source of next.sources) seen.add(source)
    }
  }

  // --- TableIndex ---

  move(graph: ViewGraph, node: RecordNode, before: Fields | undefined, after: Fields | undefined): void {
    const views = this.#tables.get(node.table)
    if (views === undefined) return
    const isMoved = before === undefined || after === undefined
    for (const view of views.all.values()) {
      if (isMoved) view.noteMoved(graph, node)
      else view.noteWritten(node)
    }
    for (const index of views.fields.values()) index.move(graph, node, before, after)
  }

  noteListed(graph: ViewGraph): void {
    for (const { fields } of this.#tables.values())
      for (const index of fields.values()) index.noteListed(graph)
  }

  /** Drops the views that nothing depends on, one link in each step. */
  *sweep(): Generator<void> {
    for (;;) {
      const unused = this.#takeUnused()
      if (unused.length === 0) return
      for (const view of unused) {
        for (const source of this.#store.graph.release(view)) {
          source.dependents = withoutDependent(source.dependents, view)
          yield
        }
      }
    }
  }

  #takeUnused(): View[] {
    const unused: View[] = []
    for (const [steps, byInput] of this.#views) {
      for (const [input, byText] of byInput) {
        for (const [text, view] of byText) {
          if (view.dependents !== undefined) continue
          byText.delete(text)
          unused.push(view)
        }
        if (byText.size === 0) byInput.delete(input)
      }
      if (byInput.size === 0) this.#views.delete(steps)
    }
    for (const [table, { all, fields }] of this.#tables) {
      for (const [plan, view] of all) {
        if (view.dependents !== undefined) continue
        all.delete(plan)
        table.lists.delete(view)
        unused.push(view)
      }
      for (const [name, index] of fields) {
        unused.push(...index.takeUnused())
        if (index.isUnused) fields.delete(name)
      }
    }
    return unused
  }

  /** The list of a query: what its totals and groups are computed of. */
  #list(steps: Steps, read: Read): StageView {
    const { plan } = steps
    return this.#view(plan.listKey, read, () => {
      const flow = this.#flow(steps, read)
      const { relation } = plan
      if (relation === undefined) return new StageView(flow, plan, read.args[0])
      const related = planOf(relation.entity as EntityClass<{ pk(): unknown }>)
      const listOf = (pk: string) => this.#index(related, relation.field).list(pk)
      const rows = this.#view(relation, read, () => new RowsView(flow, listOf))
      return new StageView(rows, plan, read.args[0])
    })
  }

  /** The members that a query starts from. */
  #flow({ source, schema, plan }: Steps, read: Read): Flow {
    if (source !== undefined) return this.#list(source, read)
    const of = planOfAll(schema)
    if (of === undefined) {
      this.#listenTo(schema)
      return this.#view(schema as object, read, () => {
        const delegate = this.#store.denormalization(read.args) as Denormalization
        return new ArrayView(schema, read.input, delegate)
      })
    }
    const indexed = indexedIn(of, plan, read.args[0])
    if (indexed === undefined) return this.#all(of)
    return this.#index(of, indexed.field).view(indexTextOf(indexed.valueIn(read.args[0])))
  }

  #all(plan: EntityPlan): RecordsView {
    const { all } = this.#viewsOf(plan)
    let view = all.get(plan)
    if (view === undefined) all.set(plan, (view = new RecordsView(this.#store, plan)))
    // The garbage collector takes it out of the lists of all records.
    this.#store.table(plan).lists.set(view, view)
    return view
  }

  #index(plan: EntityPlan, field: string): FieldIndex {
    const { fields } = this.#viewsOf(plan)
    const table = this.#store.table(plan)
    return getOrMake(fields, `${plan.index} ${field}`, () => new FieldIndex(this.#store, plan, table, field))
  }

  #viewsOf(plan: EntityPlan): TableViews {
    const table = this.#store.table(plan)
    table.indexes.set(indexName, this)
    return getOrMake(this.#tables, table, () => ({ all: new Map(), fields: new Map() }))
  }

  /** The garbage collector sweeps the indexes of tables, so one of them has to be known. */
  #listenTo(schema: Schema): void {
    const plan = planIn(schema)
    const table = plan === undefined ? [...this.#store.tables.values()][0] : this.#store.table(plan)
    table?.indexes.set(indexName, this)
  }

  #view<Made extends View>(steps: object, { input, text }: Read, make: () => Made): Made {
    const reference = typeof input === 'object' && !Array.isArray(input) ? input : undefined
    const byInput = getOrMake(this.#views, steps, () => new Map<unknown, Map<string, View>>())
    const byText = getOrMake(byInput, reference, () => new Map<string, View>())
    // Equal steps make equal views.
    return getOrMake(byText, text, make) as Made
  }
}

const views = new WeakMap<Store, MaintainedViews>()

/** Returns the arguments of the list that a window is a part of. All windows are parts of one list. */
export function withoutWindow([first]: readonly unknown[]): readonly unknown[] {
  const { window: _, ...others } = (first ?? {}) as { readonly window?: unknown }
  return Object.keys(others).length === 0 ? [] : [others]
}

/** Says how the members of a query are found: by which index, or among what. */
export function describe({ source, schema, plan }: Steps, args: unknown): string {
  const of = planOfAll(schema)
  const indexed = of && indexedIn(of, plan, args)
  const relation = plan.relation && planOf(plan.relation.entity as EntityClass<{ pk(): unknown }>).key
  const found =
    source !== undefined
      ? describe(source, args)
      : of === undefined
        ? 'the members of its list'
        : indexed === undefined
          ? `all records of ${of.key}`
          : `the index of ${of.key} by "${indexed.field}"`
  return relation === undefined
    ? found
    : `${found}, and the index of ${relation} by "${plan.relation?.field}"`
}

/** Names what a query starts from: the class of its records, in brackets for another list of them. */
export function nameOfSource(schema: Schema): string {
  const { key } = planOfAll(schema) ?? {}
  return key ?? `[${planIn(schema)?.key ?? schema.constructor.name}]`
}

/** The class of a list of all records. */
function planOfAll(schema: Schema): EntityPlan | undefined {
  return schema instanceof AllSchema && isEntityClass(schema.definition)
    ? planOf(schema.definition)
    : undefined
}

/** The condition by which an index finds the records; `undefined` if there is none. */
function indexedIn(of: EntityPlan, { equalities }: Plan, args: unknown): Equality | undefined {
  return equalities.find(({ field, valueIn }) => valueIn(args) !== undefined && isIndexed(of, field))
}

/** True if records can be found by what they have stored in a field: it is shown as it is stored, or a record. */
function isIndexed(plan: EntityPlan, field: string): boolean {
  if (plan.computes(field)) return false
  const schema = plan.fields.find(({ name }) => name === field)?.schema
  return schema === undefined || isEntityClass(schema)
}

/** Returns the first class of records that a schema names. */
function planIn(schema: unknown, depth = 0): EntityPlan | undefined {
  if (isEntityClass(schema)) return planOf(schema)
  if (schema instanceof EntityPlan) return schema
  if (typeof schema !== 'object' || schema === null || depth > 8) return undefined
  const { parts } = schema as { readonly parts?: unknown }
  const within: readonly unknown[] = parts === undefined ? Object.values(schema) : [parts]
  for (const part of within) {
    const found = planIn(part, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}
