import { isPlainObject } from '../util/plain.js'
import type { Barrier } from './collect-barrier.js'
import { RecentRows } from './collect-rows.js'
import { CollectionNode } from './collections.js'
import type { CollectionTable } from './collections.js'
import { ListStub } from './hydration.js'
import type { ListView } from './list-view.js'
import { RecordNode, RecordView, viewsOf } from './records.js'
import type { RecordTable } from './records.js'
import { Reference } from './reference.js'
import { noResult } from './results.js'
import type { ResultNode } from './results.js'
import type { Stamp } from './stamp.js'
import type { Store } from './store.js'
import { View } from './view.js'

/** What a collection keeps. */
export interface CollectionLimits {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** What was used or received after it is recent: milliseconds since the epoch. */
  readonly keepSince: number
  /** How many records are kept for recent rows and recent records; `Infinity` for all. */
  readonly recordLimit: number
}

/**
 * One collection of garbage, in slices between which the application goes on (specification G6).
 *
 * First it finds what can be reached, and marks it; rows that nobody needs are dropped on the way. Meanwhile the store
 * tells of each look-up, and what is looked up or made counts as reachable. When nothing is left to be looked at, all
 * that is not marked is lost from one moment to the next: look-ups do not find it any more. Then it is removed, node by
 * node. So nothing that is found ever refers to what was removed.
 */
export class Collection implements Barrier {
  readonly #store: Store
  readonly #limits: CollectionLimits
  /** What carries this mark, or a later one, is kept. The mark before it is that of a `Search` that may be given up. */
  readonly #mark: number
  readonly #kept: Search
  readonly #steps: Generator<void, void>
  readonly #recentRows = new RecentRows()
  /** Rows that were asked for since the collection began. */
  readonly #asked = new Set<ResultNode>()
  /** Tables of which all records are reachable. */
  readonly #all = new Set<RecordTable>()
  readonly #tableOfList = new Map<View, RecordTable>()
  #found = 0
  /** Whether recent rows and records were found to be too many. */
  #isFull = false
  /** Whether all is found: what is not marked is lost. */
  isSweeping = false
  #unitsLeft = 0

  constructor(store: Store, limits: CollectionLimits) {
    this.#store = store
    this.#limits = limits
    store.epoch += 2
    this.#mark = store.epoch
    this.#kept = { mark: this.#mark, waiting: [], seen: new Set(), trail: undefined }
    this.#steps = this.#run()
    store.barrier = this
  }

  /**
   * Does a part of the work.
   *
   * @param units - how many records, rows, lists or references to look at
   * @returns whether nothing is left to do
   */
  work(units: number): boolean {
    this.#unitsLeft = units
    return this.#steps.next().done === true
  }

  /** Ends it before its time. What is lost already stays lost. */
  abandon(): void {
    if (!this.isSweeping) this.#store.barrier = undefined
  }

  // --- Barrier ---

  isLost(reference: Reference): boolean {
    if (!this.isSweeping) this.#find(reference, this.#kept)
    else if (reference.mark < this.#mark) {
      const steps = this.#dropping(reference)
      while (steps.next().done !== true);
      return true
    }
    return false
  }

  noteRow(row: ResultNode): void {
    if (!this.isSweeping) this.#asked.add(row)
  }

  noteAll(table: RecordTable): void {
    if (!this.isSweeping) return
    const left = table.arrived.filter((node) => !this.#isUnmarked(node))
    if (left.length < table.arrived.length) this.#replaceArrived(table, left)
  }

  // --- the steps ---

  *#run(): Generator<void, void> {
    const store = this.#store
    for (const table of store.tables.values()) {
      for (const list of table.lists.values()) this.#tableOfList.set(list, table)
    }
    this.#kept.waiting.push(new Cursor(store.layers.touched))
    this.#kept.waiting.push(new Cursor(store.hydration.kept(this.#limits.keepSince)))
    for (const table of this.#listTables) {
      this.#kept.waiting.push(new Cursor(table.lateMembers(store.earliestRead)))
    }
    yield* this.#findRows()
    if (store.earliestRead !== Infinity || store.earliestMutation !== Infinity) {
      yield* this.#findWritten((stamp) => this.#isOrdering(stamp), false)
    }
    yield* this.#trace(this.#kept)
    yield* this.#findRecentRows()
    yield* this.#findWritten(({ fetchedAt }) => fetchedAt > this.#limits.keepSince, true)
    do yield* this.#trace(this.#kept)
    while (this.#findListsOfAll())
    // Between the end of that loop and this line the application did nothing.
    this.isSweeping = true
    yield* this.#sweepListsOfAll()
    yield* this.#sweepLists()
    yield* this.#sweepRecords()
    store.barrier = undefined
  }

  /** Counts a unit of work. @returns whether the slice is at its end */
  #isSpent(): boolean {
    return --this.#unitsLeft <= 0
  }

  // --- finding what is kept ---

  *#findRows(): Generator<void, void> {
    const { keepSince, recordLimit } = this.#limits
    for (const rows of this.#store.results.values()) {
      for (const row of rows) {
        const isRecent = row.usedAt > keepSince
        if (this.#isNeeded(row)) this.#push(row, this.#kept)
        else if (!isRecent) yield* this.#droppingRow(row)
        // A row without a schema holds no records.
        else if (recordLimit === Infinity || row.schema === undefined) this.#push(row, this.#kept)
        else this.#recentRows.add(row)
        if (this.#isSpent()) yield
      }
    }
  }

  /** Rows that nobody needs, as many as there is room for. Beginning with the one that was used last. */
  *#findRecentRows(): Generator<void, void> {
    for (let row = this.#recentRows.take(); row !== undefined; row = this.#recentRows.take()) {
      if (!this.#isNeeded(row) && !this.#isFull) {
        const search = this.#searchOnTrial()
        this.#push(row, search)
        yield* this.#try(search)
      }
      // It may have been asked for meanwhile.
      if (this.#isNeeded(row)) this.#push(row, this.#kept)
      else if (this.#isFull) yield* this.#droppingRow(row)
      if (this.#isSpent()) yield
    }
  }

  *#findWritten(isKept: (stamp: Stamp) => boolean, isLimited: boolean): Generator<void, void> {
    const isOnTrial = isLimited && this.#limits.recordLimit !== Infinity
    for (const { nodes } of [...this.#listTables, ...this.#store.tables.values()]) {
      for (const node of nodes.values()) {
        if (isOnTrial && this.#isFull) return
        if (this.#isUnmarked(node) && isKept(node.stamp)) {
          const search = isOnTrial ? this.#searchOnTrial() : this.#kept
          this.#find(node, search)
          if (isOnTrial) yield* this.#try(search)
        }
        if (this.#isSpent()) yield
      }
      yield* this.#trace(this.#kept)
    }
  }

  #searchOnTrial(): Search {
    return { mark: this.#mark - 1, waiting: [], seen: new Set(), trail: [] }
  }

  /** Keeps what a search finds, unless that is more than there is room for. */
  *#try(search: Search): Generator<void, void> {
    yield* this.#trace(search)
    if (this.#found > this.#limits.recordLimit) this.#isFull = true
    if (this.#isFull) return
    for (const reference of search.trail ?? []) {
      reference.mark = this.#mark
      if (this.#isSpent()) yield
    }
    for (const view of search.seen) this.#kept.seen.add(view)
  }

  *#trace(search: Search): Generator<void, void> {
    const { waiting, trail } = search
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next instanceof Cursor) {
        const item = next.take()
        if (!next.isAtEnd) waiting.push(next)
        if (next.isWanted?.(item) !== false) this.#visit(item, search)
      } else this.#visit(next, search)
      if (trail !== undefined && this.#found > this.#limits.recordLimit) return
      if (this.#isSpent()) yield
    }
  }

  #visit(value: unknown, search: Search): void {
    if (value instanceof RecordView) this.#find(value.node, search)
    else if (value instanceof View) this.#see(value, search)
    else if (value instanceof Reference) this.#find(value, search)
    else if (Array.isArray(value)) pushAll(value, search)
    // The names of an object cannot be asked for one by one.
    else if (isPlainObject(value)) pushAll(Object.values(value), search)
  }

  #find(reference: Reference, search: Search): void {
    if (reference.mark >= search.mark) return
    if (reference instanceof RecordNode && reference.mark < this.#mark - 1) this.#found++
    reference.mark = search.mark
    search.trail?.push(reference)
    if (reference instanceof RecordNode) this.#pushRecord(reference, search)
    else if (reference instanceof ListStub) {
      push(reference.members, search)
      push(reference.pages.head, search)
    } else if (reference instanceof CollectionNode) {
      push(reference.members, search)
      push(this.#store.layers.membersOf(reference), search)
      push(reference.pages.head, search)
    }
  }

  #pushRecord(node: RecordNode, search: Search): void {
    const { fields, table } = node
    const received = this.#store.layers.fieldsOf(node)
    // What was hydrated, and is read by no class yet, may refer to others in any field.
    if (table.plans.length === 0) push(fields, search)
    for (const { name } of table.fields) {
      push(fields?.[name], search)
      if (received !== fields) push(received?.[name], search)
    }
    // What a class shows besides fields, as a Query in one of them does. A view that is not current is yet to look it up.
    for (const view of viewsOf(node)) {
      if (view.isCurrent && view.value !== undefined) pushAll(view.sources, search)
    }
  }

  #push(row: ResultNode, search: Search): void {
    if (row.schema === undefined) return
    if (row.result !== noResult) push(row.result, search)
    push(row.view.inferred, search)
    push(row.pages.head, search)
    push(row.view, search)
  }

  /** What a view shows, which for that of a Query is more than the row holds. */
  #see(view: View, search: Search): void {
    if (this.#kept.seen.has(view) || search.seen.has(view)) return
    search.seen.add(view)
    // What arrived since a list of all was read would be shown by it.
    const table = this.#tableOfList.get(view)
    if (table !== undefined) pushAll(table.arrived, search, isNotDeleted)
    else pushAll(view.sources, search)
  }

  #findAll(table: RecordTable): void {
    if (this.#all.has(table)) return
    this.#all.add(table)
    pushAll(table.arrived, this.#kept, isNotDeleted)
  }

  /** @returns whether there is anything to be traced */
  #findListsOfAll(): boolean {
    for (const table of this.#store.tables.values()) {
      for (const list of table.lists.values()) if (list.dependents !== undefined) this.#findAll(table)
    }
    return this.#kept.waiting.length > 0
  }

  /** Whether a row is kept, however long ago it was used. */
  #isNeeded(row: ResultNode): boolean {
    if (row.retainers > 0 || row.isHeard || row.fetching || this.#asked.has(row)) return true
    // A reader that waited for it did not come on screen yet.
    if (row.unclaimedUntil > this.#limits.now) return true
    // A request under way that does not count any more must not be joined.
    return Math.max(row.invalidatedAt, row.expiredAt) > this.#store.earliestRead
  }

  /** Whether a request under way may lose against what carries the stamp (specification G4). */
  #isOrdering({ sequence, mutationStart }: Stamp): boolean {
    return sequence > this.#store.earliestRead || mutationStart > this.#store.earliestMutation
  }

  #isUnmarked(reference: Reference): boolean {
    return reference.mark < this.#mark
  }

  // --- removing what is not kept ---

  *#droppingRow(row: ResultNode): Generator<void, void> {
    const { results, graph } = this.#store
    const rows = results.get(row.key)?.filter((other) => other !== row) ?? []
    if (rows.length === 0) results.delete(row.key)
    else results.set(row.key, rows)
    row.isCollected = true
    this.#store.onRowsDropped?.()
    this.#store.discard(row)
    yield* this.#paced(row.view.unlinking(graph))
  }

  get #listTables(): CollectionTable[] {
    return [...this.#store.collections.values(), this.#store.ownedLists]
  }

  /** Lists of all records that nobody shows. */
  *#sweepListsOfAll(): Generator<void, void> {
    const unused: ListView[] = []
    for (const table of this.#store.tables.values()) {
      for (const [plan, list] of table.lists) {
        if (list.dependents !== undefined) continue
        table.lists.delete(plan)
        unused.push(list)
      }
    }
    for (const list of unused) yield* this.#paced(this.#store.graph.unlinking(list))
  }

  *#sweepLists(): Generator<void, void> {
    for (const table of this.#listTables) {
      for (const node of table.nodes.values()) {
        if (this.#isUnmarked(node)) yield* this.#paced(this.#dropping(node))
        else yield* this.#detachingIfEmpty(node.view)
        if (this.#isSpent()) yield
      }
    }
    const { collections, layers, earliestRead } = this.#store
    for (const [members, table] of collections) {
      const isUsed = !layers.isEmpty || table.lateMembers(earliestRead).length > 0
      if (table.nodes.size === 0 && !isUsed) collections.delete(members)
    }
  }

  *#sweepRecords(): Generator<void, void> {
    for (const table of this.#store.tables.values()) {
      for (const node of table.nodes.values()) {
        if (this.#isUnmarked(node)) yield* this.#paced(this.#dropping(node))
        else if (node.views !== undefined)
          for (const view of viewsOf(node)) yield* this.#detachingIfEmpty(view)
        if (this.#isSpent()) yield
      }
      yield* this.#sweepArrived(table)
      for (const index of table.indexes.values()) yield* this.#paced(index.sweeping())
    }
  }

  /** A new list, put in place when it is complete; begun anew where the store put another one in place. */
  *#sweepArrived(table: RecordTable): Generator<void, void> {
    let { arrived } = table
    let left: RecordNode[] = []
    for (let at = 0; at < arrived.length; at++) {
      const node = arrived[at]
      if (node !== undefined && !this.#isUnmarked(node)) left.push(node)
      if (this.#isSpent()) yield
      if (table.arrived === arrived) continue
      arrived = table.arrived
      left = []
      at = -1
    }
    if (left.length < arrived.length) this.#replaceArrived(table, left)
  }

  #replaceArrived(table: RecordTable, arrived: RecordNode[]): void {
    table.arrived = arrived
    for (const list of table.lists.values()) this.#store.graph.markWritten(list)
  }

  *#dropping(reference: Reference): Generator<void, void> {
    const { graph, layers } = this.#store
    if (reference instanceof RecordNode) {
      const { table, pk, fields } = reference
      if (table.nodes.get(pk) === reference) table.nodes.delete(pk)
      for (const index of table.indexes.values()) index.move(graph, reference, fields, undefined)
      for (const view of viewsOf(reference)) yield* graph.unlinking(view)
    } else if (reference instanceof CollectionNode) {
      const { table, key, view } = reference
      if (table.nodes.get(key) === reference) table.nodes.delete(key)
      layers.forgetList(reference)
      yield* graph.unlinking(view)
    }
  }

  /** What shows nothing any more does not hold what it showed. */
  *#detachingIfEmpty(view: View): Generator<void, void> {
    if (view.value !== undefined || view.sources.length === 0) return
    yield* this.#paced(this.#store.graph.detaching(view))
  }

  *#paced(steps: Generator<void, void>): Generator<void, void> {
    while (steps.next().done !== true) if (this.#isSpent()) yield
  }
}

/** A way through all that can be reached from somewhere. */
interface Search {
  readonly mark: number
  readonly waiting: unknown[]
  /** Views that are not those of one record. */
  readonly seen: Set<View>
  /** What was found; `undefined` when all of it is kept anyway. */
  readonly trail: Reference[] | undefined
}

/** A place in a list, which may be too long for one slice. */
class Cursor {
  readonly isWanted: ((item: unknown) => boolean) | undefined
  readonly #items: readonly unknown[]
  #at = 0
  #length: number

  constructor(items: readonly unknown[], isWanted?: (item: unknown) => boolean) {
    this.#items = items
    this.isWanted = isWanted
    this.#length = items.length
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#items.length
  }

  take(): unknown {
    // Lists only change in place where members are taken out or appended (`sameResult`, `RecordTable.arrived`).
    if (this.#items.length < this.#length) this.#at = 0
    this.#length = this.#items.length
    return this.#items[this.#at++]
  }
}

function push(value: unknown, { waiting }: Search): void {
  if (typeof value === 'object' && value !== null) waiting.push(value)
}

function pushAll(
  items: readonly unknown[],
  { waiting }: Search,
  isWanted?: (item: unknown) => boolean,
): void {
  if (items.length > 0) waiting.push(new Cursor(items, isWanted))
}

function isNotDeleted(node: unknown): boolean {
  return node instanceof RecordNode && node.fields !== undefined
}
