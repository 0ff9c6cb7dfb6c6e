import type { Denormalization } from '../denormalize/denormalize.js'
import type { EntityPlan } from '../schema/entity-plan.js'
import type { RecordNode, RecordTable } from '../store/records.js'
import { RecordView } from '../store/records.js'
import type { Tables } from '../store/tables.js'
import { withDependent, withoutDependent } from '../store/view/dependents.js'
import { ListView } from '../store/view/list-view.js'
import { clean, unread } from '../store/view/view.js'
import type { Beginning, View, ViewGraph } from '../store/view/view.js'
import { tellChange } from './flow.js'
import type { Entry, Flow, Slot } from './flow.js'

/** Which records a view shows. */
export interface RecordSet {
  /** The records in the order of their arrival. */
  nodes(): readonly RecordNode[]
  has(node: RecordNode): boolean
}

/**
 * Records of a class: all of them, or those with one value in a field. A change costs as much as there are changed records.
 * It has no value of its own.
 */
export class RecordsView extends ListView implements Flow {
  readonly #store: Tables
  readonly #plan: EntityPlan
  readonly #table: RecordTable
  readonly #set: RecordSet
  readonly #delegate: Denormalization
  /** By the view of a linked record; `undefined` for one that is not shown. */
  #entries = new Map<Slot, Entry | undefined>()
  #size = 0
  /** The array of the sources, which grows in place. */
  #linked: View[] = []
  /** Linked views that may have changed. */
  readonly #changed = new Set<View>()
  /** Records that may have come or gone. */
  readonly #moved = new Set<RecordNode>()
  #isDue = true
  /** True if records may be other objects without a change: those from before an optimistic update. */
  #isDoubtful = false
  /** False until the entries of the linked records are made. */
  #isBuilt = false
  /** The list of all records, until one is known. */
  #awaited: View | undefined

  /** @param set - which records @default all */
  constructor(store: Tables, plan: EntityPlan, set?: RecordSet) {
    const table = store.table(plan)
    const delegate = store.denormalization([])
    // By the table the garbage collector knows a list of all records.
    super(plan.entity, set === undefined ? table : { members: undefined }, delegate, true)
    this.#store = store
    this.#plan = plan
    this.#table = table
    this.#delegate = delegate
    this.#set = set ?? {
      nodes: () => table.members ?? [],
      has: (node) => node.arrival > 0 && table.nodes.get(node.pk) === node,
    }
  }

  get isKnown(): boolean {
    return this.#size > 0 || this.#hasArrived()
  }

  readonly compare = (a: Entry, b: Entry): number => a.rank - b.rank

  entryOf(slot: Slot): Entry | undefined {
    return this.#entries.get(slot)
  }

  *entries(): Generator<Entry> {
    for (const entry of this.#entries.values()) if (entry !== undefined) yield entry
  }

  /** Called if a record may have come or gone. */
  noteMoved(graph: ViewGraph, node: RecordNode): void {
    this.#moved.add(node)
    graph.markWritten(this)
  }

  /** While garbage is collected: keeps the records. */
  keep(): void {
    if (this.list === this.#table) {
      if (!this.#store.isFull) this.#table.mark = this.#store.epoch
    } else for (const node of this.#set.nodes()) this.#store.isLost(node)
  }

  override noteMarked(source: View): void {
    this.#changed.add(source)
  }

  override noteClean(): void {
    this.#changed.clear()
  }

  override get uncertainSources(): readonly View[] {
    return [...this.#changed]
  }

  override begin(): Beginning {
    this.#isDue = true
    if (this.flags & unread) this.#isDoubtful = true
    return 'to finish last'
  }

  override finish(graph: ViewGraph): void {
    this.update(graph)
  }

  update(graph: ViewGraph): void {
    if (!this.#isDue) return
    if (this.sources !== this.#linked) this.#linkAll(graph)
    else this.#linkMoved(graph)
    for (const view of this.#changed) graph.read(view)
    // Nested records may be filled later, and those with a Query in a field are.
    if (!this.#isBuilt || this.#plan.hasQuery) graph.finishPending()
    if (this.#isDue) this.#apply()
    this.#await(graph)
    // What was read here is no change of it.
    this.flags = clean
  }

  #linkAll(graph: ViewGraph): void {
    this.#changed.clear()
    this.#moved.clear()
    this.#awaited = undefined
    const linking = graph.beginLinking()
    for (const node of this.#set.nodes()) this.#delegate.record(this.#plan, node)
    graph.endLinking(this, linking)
    this.sources = this.#linked = this.sources.length === 0 ? [] : (this.sources as View[])
    this.#isBuilt = false
  }

  /** Links the records that came, after they were read, so that their first values are no change. */
  #linkMoved(graph: ViewGraph): void {
    if (!this.#isBuilt) return
    for (const node of this.#moved) {
      const view = this.#store.viewOf(node, this.#plan)
      if (!this.#entries.has(view)) {
        if (!this.#set.has(node)) continue
        graph.read(view)
        if (this.#entries.has(view)) continue
        this.#entries.set(view, undefined)
        this.#link(view)
      }
      this.#changed.add(view)
    }
    this.#moved.clear()
  }

  #apply(): void {
    this.#isDue = false
    if (!this.#isBuilt) this.#build()
    else if (this.#isDoubtful) for (const view of this.#linked) this.#changed.add(view)
    this.#isDoubtful = false
    for (const view of this.#changed) if (view instanceof RecordView) this.#update(view)
    this.#changed.clear()
    this.#dropGone()
  }

  #build(): void {
    this.#entries = new Map()
    this.#size = 0
    for (const view of this.#linked as RecordView[]) {
      const { value } = view
      const entry = value === undefined ? undefined : { slot: view, value, rank: view.node.arrival }
      if (entry !== undefined) this.#size++
      this.#entries.set(view, entry)
    }
    this.#isBuilt = true
    tellChange(this)
  }

  #update(view: RecordView): void {
    const before = this.#entries.get(view)
    const { value, node } = view
    const isIn = value !== undefined && this.#set.has(node)
    if (isIn ? before?.value === value && before?.rank === node.arrival : before === undefined) return
    this.#entries.set(view, isIn ? { slot: view, value, rank: node.arrival } : undefined)
    this.#size += Number(isIn) - Number(before !== undefined)
    tellChange(this, view)
  }

  #link(view: View): void {
    view.dependents = withDependent(view.dependents, this as View)
    this.#linked.push(view)
  }

  /** Unlinks records that are not there any more, once they are more than the others. */
  #dropGone(): void {
    if (this.#linked.length < 2 * this.#size + 64) return
    const isThere = (view: View) => !(view instanceof RecordView) || this.#set.has(view.node)
    const gone = this.#linked.filter((view) => !isThere(view))
    if (gone.length < this.#size) return
    this.sources = this.#linked = this.#linked.filter(isThere)
    for (const view of gone) {
      view.dependents = withoutDependent(view.dependents, this as View)
      this.#entries.delete(view)
    }
  }

  /** The first records may have another value in the field: until one is known, depends on the list of all. */
  #await(graph: ViewGraph): void {
    if (this.list === this.#table) return
    if (this.#awaited === undefined) {
      if (this.isKnown) return
      const all = this.#store.allOf(this.#plan)
      graph.read(all)
      this.#awaited = all
      this.#link(all)
    } else graph.read(this.#awaited)
    if (!this.isKnown) return
    const awaited = this.#awaited
    this.#awaited = undefined
    awaited.dependents = withoutDependent(awaited.dependents, this as View)
    this.sources = this.#linked = this.#linked.filter((view) => view !== awaited)
  }

  #hasArrived(): boolean {
    if (this.#table.isListed) return true
    for (const { arrival } of this.#table.nodes.values()) if (arrival > 0) return true
    return false
  }
}
