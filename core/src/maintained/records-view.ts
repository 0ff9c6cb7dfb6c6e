import type { Denormalization } from '../denormalize/denormalize.js'
import type { EntityPlan } from '../schema/entity-plan.js'
import type { RecordNode, RecordTable } from '../store/records.js'
import { RecordView } from '../store/records.js'
import type { Store } from '../store/store.js'
import { withDependent, withoutDependent, clean, valueless } from '../store/view/view.js'
import { ListView } from '../store/view/list-view.js'
import type { Beginning, View, ViewGraph } from '../store/view/view.js'
import { tellChange } from './flow.js'
import type { Flow, MemberState } from './flow.js'
import { MemberMap } from './member-map.js'

/** Which records a view shows. */
export interface RecordSet {
  /** The records in the order of their arrival. */
  nodes(): readonly RecordNode[]
  has(node: RecordNode): boolean
}

/** What was read of all records. */
interface AllRead {
  readonly views: View[]
  readonly entries: MemberState[]
  /** The views of records that are not shown. */
  readonly unshown: View[]
}

/**
 * Records of a class: all of them, or those with one value in a field. A change costs as much as there are changed records.
 * It has no value of its own.
 */
export class RecordsView extends ListView implements Flow {
  readonly #store: Store
  readonly #plan: EntityPlan
  readonly #table: RecordTable
  readonly #set: RecordSet
  readonly #delegate: Denormalization
  /** By the view of a record. */
  readonly #entries = new MemberMap<MemberState>()
  /** The views of records that are not shown. */
  readonly #unshown = new Set<View>()
  #size = 0
  /** All entries in order; `undefined` after a change of places. */
  #inOrder: MemberState[] | undefined
  /** True if somebody else has the array of all entries, too. */
  #isLent = false
  /** The array of the sources, which grows in place. */
  #linked: View[] = []
  /**
   * The views of those records that were written: they have this view as a dependent. Only records that show nothing of others
   * are linked as late as that; `undefined` if all are linked.
   */
  readonly #written: Set<View> | undefined
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
  constructor(store: Store, plan: EntityPlan, set?: RecordSet) {
    const table = store.table(plan)
    const delegate = store.denormalization([])
    // By the table the garbage collector knows a list of all records.
    super(plan.entity, set === undefined ? table : { members: undefined }, delegate)
    this.#store = store
    this.#plan = plan
    this.#table = table
    this.#delegate = delegate
    this.#written = plan.fields.length === 0 && !plan.hasQuery ? new Set() : undefined
    this.#set = set ?? {
      nodes: () => table.members ?? [],
      has: (node) => node.arrival > 0 && table.nodes.get(node.pk) === node,
    }
  }

  get isKnown(): boolean {
    return this.#size > 0 || this.#hasArrived()
  }

  readonly compare = (a: MemberState, b: MemberState): number => a.rank - b.rank

  entries(): readonly MemberState[] {
    this.#isLent = true
    return (this.#inOrder ??= inRankOrder([...this.#entries.values()]))
  }

  /** Called if a record may have come or gone. */
  noteMoved(graph: ViewGraph, node: RecordNode): void {
    this.noteWritten(node)
    this.#moved.add(node)
    graph.markWritten(this)
  }

  /** Called before the fields of a record are replaced: links it, so that this view is marked with it. */
  noteWritten(node: RecordNode): void {
    if (this.#written === undefined || !this.#isBuilt || this.sources !== this.#linked) return
    const view = this.#store.viewOf(node, this.#plan)
    if (this.#written.has(view) || !this.#isSource(view)) return
    this.#written.add(view)
    view.dependents = withDependent(view.dependents, this as View)
  }

  /** While garbage is collected: keeps the records. */
  keep(): void {
    if (this.list === this.#table) {
      if (!this.#store.isFull) this.#table.mark = this.#store.epoch
    } else for (const node of this.#set.nodes()) this.#store.isLost(node)
  }

  override noteDropped(source: View): void {
    this.#changed.add(source)
  }

  override showsInput(): boolean {
    return false
  }

  override begin(): Beginning {
    this.#isDue = true
    if (this.flags & valueless) this.#isDoubtful = true
    return 'to finish last'
  }

  override finish(graph: ViewGraph): void {
    this.update(graph)
  }

  update(graph: ViewGraph): void {
    if (!this.#isDue) return
    if (this.sources !== this.#linked) this.#linkAll(graph)
    else this.#linkMoved(graph)
    // What was read may have read this view, and brought it up to date.
    if (!this.#isDue) return
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
    if (this.#written === undefined) {
      const linking = graph.beginLinking()
      for (const node of this.#set.nodes()) this.#delegate.record(this.#plan, node)
      graph.endLinking(this, linking)
      this.#linked = this.sources.length === 0 ? [] : (this.sources as View[])
    } else {
      const { views, entries, unshown } = this.#readAll(graph)
      if (!this.#isDue) return
      this.#linked = views
      this.#written.clear()
      this.#fill(entries, unshown)
    }
    this.sources = this.#linked
    this.#isBuilt = false
  }

  /** Reads the records without a link, and each but once: what other records show does not change them. */
  #readAll(graph: ViewGraph): AllRead {
    const read: AllRead = { views: [], entries: [], unshown: [] }
    for (const node of this.#set.nodes()) {
      const { views: known } = node
      const isOnly = known instanceof RecordView && known.plan === this.#plan
      const view = isOnly ? known : this.#store.viewOf(node, this.#plan)
      if (view.flags !== clean) graph.read(view)
      read.views.push(view)
      const { value } = view
      if (value === undefined) read.unshown.push(view)
      else read.entries.push({ slot: view, value, rank: node.arrival, shape: undefined })
    }
    return read
  }

  /** Links the records that came, after they were read, so that their first values are no change. */
  #linkMoved(graph: ViewGraph): void {
    if (!this.#isBuilt) return
    for (const node of this.#moved) {
      const view = this.#store.viewOf(node, this.#plan)
      if (!this.#isSource(view)) {
        if (!this.#set.has(node)) continue
        graph.read(view)
        if (this.#isSource(view)) continue
        this.#unshown.add(view)
        this.#written?.add(view)
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
    if (this.#written === undefined) {
      const entries: MemberState[] = []
      const unshown: View[] = []
      for (const view of this.#linked as RecordView[]) {
        const { value } = view
        if (value === undefined) unshown.push(view)
        else entries.push({ slot: view, value, rank: view.node.arrival, shape: undefined })
      }
      this.#fill(entries, unshown)
    }
    this.#isBuilt = true
    tellChange(this)
  }

  #fill(entries: MemberState[], unshown: readonly View[]): void {
    this.#unshown.clear()
    for (const view of unshown) this.#unshown.add(view)
    this.#size = entries.length
    this.#entries.fillWith((map) => {
      for (const entry of entries) map.set(entry.slot, entry)
    })
    this.#inOrder = entries
    this.#isLent = false
  }

  #update(view: RecordView): void {
    const before = this.#entries.get(view)
    const { value, node } = view
    const isIn = value !== undefined && this.#set.has(node)
    if (isIn ? before?.value === value && before?.rank === node.arrival : before === undefined) return
    const after = isIn ? { slot: view, value, rank: node.arrival, shape: undefined } : undefined
    if (after !== undefined) {
      this.#entries.set(view, after)
      this.#unshown.delete(view)
    } else {
      this.#entries.delete(view)
      this.#unshown.add(view)
    }
    this.#place(before, after)
    this.#size += Number(isIn) - Number(before !== undefined)
    tellChange(this, { slot: view, before, after })
  }

  /** Keeps the list of all entries in order where that is little work: for a changed record, and for one that came last. */
  #place(before: MemberState | undefined, after: MemberState | undefined): void {
    if (this.#inOrder === undefined) return
    const entries = this.#isLent ? [...this.#inOrder] : this.#inOrder
    this.#inOrder = entries
    this.#isLent = false
    if (before === undefined) {
      if (after !== undefined && after.rank > (entries.at(-1)?.rank ?? 0)) entries.push(after)
      else this.#inOrder = undefined
    } else {
      const at = after?.rank === before.rank ? indexOf(entries, before) : -1
      if (after === undefined || at === -1) this.#inOrder = undefined
      else entries[at] = after
    }
  }

  /** True if a view is among the sources. */
  #isSource(view: View): boolean {
    return this.#entries.has(view) || this.#unshown.has(view)
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
      this.#unshown.delete(view)
      this.#written?.delete(view)
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

/** The place of an entry in a list that is in order; -1 if it is not in it. */
function indexOf(entries: readonly MemberState[], entry: MemberState): number {
  let [from, to] = [0, entries.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((entries[middle] as MemberState).rank < entry.rank) from = middle + 1
    else to = middle
  }
  return entries[from] === entry ? from : -1
}

/** Sorts entries, unless they are in order. */
function inRankOrder(entries: MemberState[]): MemberState[] {
  const isSorted = entries.every(
    ({ rank }, index) => index === 0 || rank > (entries[index - 1] as MemberState).rank,
  )
  return isSorted ? entries : entries.sort((a, b) => a.rank - b.rank)
}
