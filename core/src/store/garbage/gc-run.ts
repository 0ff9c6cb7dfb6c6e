import { isPlainObject } from '../../util/plain.js'
import { ListNode } from '../list-node.js'
import { withoutDependent } from '../view/dependents.js'
import type { Barrier } from './gc-barrier.js'
import type { ListStub } from '../hydration/hydration.js'
import { RecordNode, RecordView, viewsOf } from '../records.js'
import type { RecordTable } from '../records.js'
import { Reference } from '../reference.js'
import type { Call } from '../call.js'
import type { Stamp } from '../stamp.js'
import type { Store } from '../store.js'
import type { ListTable } from '../store-lists.js'
import { View } from '../view/view.js'

/** What a run keeps. */
export interface GarbageLimits {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** What was used or received after it is recent: milliseconds since the epoch. */
  readonly keepSince: number
  /** How many records are kept for recent calls and recent records; `Infinity` for all. */
  readonly recordLimit: number
}

/** The steps of a run: yields at the end of each slice. */
type Steps = Generator<void, void>

/**
 * One run of the garbage collector, in slices between which the application goes on (specification G6).
 *
 * It marks what can be reached, and drops the calls that nothing needs on the way. What is looked up or made meanwhile is
 * marked as well. When nothing is left to be looked at, all that is not marked is lost from one moment to the next:
 * look-ups do not find it any more. What is lost stays lost, so that it can be removed in slices, node by node.
 */
export class GarbageRun implements Barrier {
  readonly #store: Store
  readonly #limits: GarbageLimits
  /** What carries this mark or a later one is kept, other than that of the trial. */
  readonly #mark: number
  /** The mark of what a recent call or record leads to, until it is known whether there is room for it; 0 for none. */
  #trial = 0
  /** Still to be looked at: what is kept in any case; and work that is left, as functions. */
  readonly #needed: unknown[] = []
  /** Still to be looked at: what the trial leads to. */
  readonly #tried: unknown[] = []
  /** The marks of views, other than those of one record. */
  readonly #seen = new Map<View, number>()
  /** Rows that were asked for since the run began. */
  readonly #asked = new Set<Call>()
  /** Tables of which all records are reachable. */
  readonly #all = new Set<RecordTable>()
  readonly #steps: Steps
  #isSweeping = false
  #unitsLeft = 0
  /** How many records it found to be kept. */
  found = 0

  constructor(store: Store, limits: GarbageLimits) {
    this.#store = store
    this.#limits = limits
    this.#mark = store.epoch = ++store.marks
    this.#steps = this.#run()
    store.barrier = this
  }

  /**
   * Does a part of the work.
   *
   * @param units - how many records, calls, lists or references to look at
   * @returns whether nothing is left to do
   */
  work(units: number): boolean {
    this.#unitsLeft = units
    return this.#steps.next().done === true
  }

  /** Ends it before its time. What is lost already stays lost. */
  abandon(): void {
    if (!this.#isSweeping) this.#store.barrier = undefined
  }

  isLost(reference: Reference): boolean {
    if (!this.#isSweeping) this.#reach(reference, this.#needed, this.#mark)
    if (this.isKept(reference)) return false
    this.#drop(reference)
    return true
  }

  noteCall(call: Call): void {
    this.#asked.add(call)
  }

  noteAll(table: RecordTable): void {
    const isKept = (node: RecordNode) => this.isKept(node)
    if (this.#isSweeping) this.#setArrived(table, table.arrived.filter(isKept))
  }

  /** Whether a record or a list is not lost. */
  isKept({ mark }: Reference): boolean {
    return !this.#isSweeping || (mark >= this.#mark && mark !== this.#trial)
  }

  *#run(): Steps {
    const { hydration, earliestRead, earliestMutation } = this.#store
    const { keepSince } = this.#limits
    let changes = this.#findTouched()
    this.#pushAll(hydration?.kept(keepSince) ?? [], this.#needed)
    for (const table of this.#listTables) this.#pushAll(table.lateMembers(earliestRead), this.#needed)
    if (earliestRead !== Infinity || earliestMutation !== Infinity) {
      yield* this.#findWritten((stamp) => this.#isOrdering(stamp), true)
    }
    yield* this.#findCalls()
    yield* this.#findWritten(({ fetchedAt }) => fetchedAt > keepSince, false)
    for (;;) {
      yield* this.#trace()
      if (!this.#findListsOfAll() && changes === this.#store.layers?.changes) break
      // What layers hide by now stands in their undo logs alone.
      changes = this.#findTouched()
    }
    // Between the end of that loop and this line the application did nothing.
    this.#isSweeping = true
    yield* this.#sweep()
    this.#store.barrier = undefined
  }

  /** Needs what mutations under way touch. @returns how often these were made again */
  #findTouched(): number | undefined {
    const { layers } = this.#store
    if (layers !== undefined) this.#pushAll(layers.touched, this.#needed)
    return layers?.changes
  }

  /** Counts a unit of work. @returns whether the slice is at its end */
  #isSpent(): boolean {
    return --this.#unitsLeft <= 0
  }

  // --- marking what is kept ---

  /** Rows: those that are needed, then those that were used last, as many as there is room for. Drops the others. */
  *#findCalls(): Steps {
    // Of moments there are few, of calls perhaps many.
    const rowsByMoment = new Map<number, Call[]>()
    for (const calls of this.#store.results.values()) {
      for (const call of calls) {
        const moment = this.#isNeeded(call) ? Infinity : call.usedAt
        const usedThen = rowsByMoment.get(moment)
        if (usedThen === undefined) rowsByMoment.set(moment, [call])
        else usedThen.push(call)
        if (this.#isSpent()) yield
      }
    }
    for (const moment of [...rowsByMoment.keys()].sort((a, b) => b - a)) {
      const isRecent = moment > this.#limits.keepSince
      for (const call of rowsByMoment.get(moment) ?? []) {
        if (isRecent && !this.#isNeeded(call)) {
          this.#pushCall(call, this.#tried)
          yield* this.#try()
        }
        // It may have been asked for meanwhile. A call without a schema holds no records.
        if (this.#isNeeded(call)) this.#pushCall(call, this.#needed)
        else if (!isRecent || (this.#isFull && call.schema !== undefined)) this.#dropCall(call)
        if (this.#isSpent()) yield
      }
    }
  }

  /** Records and lists by when they were written. @param isNeeded - whether also where there is no room for them */
  *#findWritten(isMeant: (stamp: Stamp) => boolean, isNeeded: boolean): Steps {
    for (const { nodes } of [...this.#listTables, ...this.#store.tables.values()]) {
      for (const node of nodes.values()) {
        if (this.#isFull && !isNeeded) return
        if (node.mark < this.#mark && isMeant(node.stamp)) {
          ;(isNeeded ? this.#needed : this.#tried).push(node)
          yield* this.#try()
        }
        if (this.#isSpent()) yield
      }
    }
  }

  /** Keeps what `#tried` leads to, unless that is more than there is room for. */
  *#try(): Steps {
    if (!this.#isFull) this.#trial = ++this.#store.marks
    yield* this.#trace()
    this.#tried.length = 0
    if (!this.#isFull) this.#trial = 0
  }

  /** Whether there is no room for more recent calls and records. */
  get #isFull(): boolean {
    return this.found > this.#limits.recordLimit
  }

  *#trace(): Steps {
    for (;;) {
      const isNeeded = this.#needed.length > 0
      const stack = isNeeded ? this.#needed : this.#tried
      if (stack.length === 0 || (this.#isFull && !isNeeded)) return
      this.#visit(stack.pop(), stack, isNeeded ? this.#mark : this.#trial)
      if (this.#isSpent()) yield
    }
  }

  #visit(value: unknown, stack: unknown[], mark: number): void {
    if (typeof value === 'function') value()
    else if (value instanceof Reference) this.#reach(value, stack, mark)
    else if (value instanceof RecordView) {
      // A list of all shows nothing of one that was deleted.
      if (value.node.fields !== undefined) this.#reach(value.node, stack, mark)
    } else if (value instanceof View) {
      // What a view shows, which for that of a Query is more than the call holds.
      if (this.#isMarked(this.#seen.get(value) ?? 0, mark)) return
      this.#seen.set(value, mark)
      this.#pushAll(value.sources, stack)
    } else if (Array.isArray(value)) this.#pushAll(value, stack)
    else if (isPlainObject(value)) this.#pushAll(Object.values(value), stack)
  }

  #reach(reference: Reference, stack: unknown[], mark: number): void {
    const known = reference.mark
    if (this.#isMarked(known, mark)) return
    reference.mark = mark
    if (reference instanceof RecordNode) {
      if (known < this.#mark) this.found++
      this.#pushRecord(reference, stack)
    } else {
      // There are no other references. A stub is of a list that was hydrated.
      const { members, pages } = reference as ListNode | ListStub
      stack.push(members, pages.head)
    }
  }

  /** What the trial found is looked at again where it is found to be needed. */
  #isMarked(known: number, mark: number): boolean {
    return known >= this.#mark && (known !== this.#trial || known === mark)
  }

  #pushCall(call: Call, stack: unknown[]): void {
    if (call.schema !== undefined)
      this.#pushAll([call.result, call.view.inferred, call.pages.head, call.view], stack)
  }

  #pushRecord(node: RecordNode, stack: unknown[]): void {
    const { fields, table } = node
    // What was hydrated, and is read by no class yet, may refer to others in any field.
    if (table.plans.length === 0) stack.push(fields)
    for (const { name } of table.fields) push(fields?.[name], stack)
    // What a class shows besides fields, as a Query in one of them does. A view that is not current is yet to look it up.
    for (const view of viewsOf(node)) {
      if (view.isCurrent && view.value !== undefined) this.#pushAll(view.sources, stack)
    }
  }

  #pushAll(items: readonly unknown[], stack: unknown[]): void {
    // To take a member is less than to look at it.
    this.#unitsLeft -= items.length >> 3
    for (let index = 0; index < items.length; index++) push(items[index], stack)
  }

  /** All records of a table that a list shows. @returns whether there is anything to be traced */
  #findListsOfAll(): boolean {
    for (const table of this.#store.tables.values()) {
      if (this.#all.has(table) || [...table.lists.values()].every(isUnused)) continue
      this.#all.add(table)
      this.#unitsLeft -= table.arrived.length >> 3
      for (const node of table.arrived) if (node.fields !== undefined) this.#needed.push(node)
    }
    return this.#needed.length > 0
  }

  /** Whether a call is kept, however long ago it was used. */
  #isNeeded(call: Call): boolean {
    if (call.retainers > 0 || call.isHeard || call.fetching || this.#asked.has(call)) return true
    // A reader that waited for it did not come on screen yet.
    if (call.graceUntil > this.#limits.now) return true
    // A request under way that does not count any more must not be joined.
    return Math.max(call.invalidatedAt, call.expiredAt) > this.#store.earliestRead
  }

  /** Whether a request under way may lose against what carries the stamp (specification G4). */
  #isOrdering({ sequence, mutationStart }: Stamp): boolean {
    return sequence > this.#store.earliestRead || mutationStart > this.#store.earliestMutation
  }

  // --- removing what is not kept ---

  *#sweep(): Steps {
    const { lists, tables, layers, graph, earliestRead } = this.#store
    // In the slice in which all was found: a list that is made from the next on takes in no record that is lost.
    for (const { lists: ofAll } of tables.values()) {
      for (const [plan, list] of ofAll) if (isUnused(list) && ofAll.delete(plan)) this.#unlink(list)
    }
    for (const { nodes } of this.#listTables) {
      for (const node of nodes.values()) {
        if (this.isKept(node)) graph.detachIfEmpty(node.view)
        else this.#drop(node)
        if (this.#isSpent()) yield
      }
    }
    if (layers?.isEmpty !== false) lists?.sweep(earliestRead)
    for (const table of tables.values()) {
      for (const node of table.nodes.values()) {
        if (!this.isKept(node)) this.#drop(node)
        else if (node.views !== undefined) for (const view of viewsOf(node)) graph.detachIfEmpty(view)
        if (this.#isSpent()) yield
      }
      yield* this.#sweepArrived(table)
    }
    yield* this.#trace()
    for (const { indexes } of tables.values()) {
      for (const index of indexes.values()) {
        for (const value of index.values) {
          index.forgetIfUnused(value)
          if (this.#isSpent()) yield
        }
      }
    }
  }

  get #listTables(): readonly ListTable[] {
    return this.#store.lists?.tables ?? []
  }

  *#sweepArrived(table: RecordTable): Steps {
    const { arrived } = table
    const left: RecordNode[] = []
    for (const node of arrived) {
      if (this.isKept(node)) left.push(node)
      if (this.#isSpent()) yield
    }
    // Else `noteAll` put another in place.
    if (table.arrived === arrived) this.#setArrived(table, left)
  }

  #setArrived(table: RecordTable, arrived: RecordNode[]): void {
    if (arrived.length === table.arrived.length) return
    table.arrived = arrived
    table.isListed = true
    for (const list of table.lists.values()) this.#store.graph.markWritten(list)
  }

  #dropCall(call: Call): void {
    // It takes as long as to look at several.
    this.#unitsLeft -= 3
    const { results } = this.#store
    const calls = results.get(call.key)?.filter((other) => other !== call) ?? []
    if (calls.length === 0) results.delete(call.key)
    else results.set(call.key, calls)
    call.transition({ type: 'collected' })
    this.#store.onCallsDropped?.()
    this.#store.discard(call)
    for (const view of call.view.takeViews()) this.#unlink(view)
  }

  #drop(reference: Reference): void {
    if (reference instanceof RecordNode) {
      const { table, pk, fields } = reference
      if (table.nodes.get(pk) === reference) table.nodes.delete(pk)
      for (const index of table.indexes.values()) index.move(this.#store.graph, reference, fields, undefined)
      for (const view of viewsOf(reference)) this.#unlink(view)
    } else if (reference instanceof ListNode) {
      const { table, key, view } = reference
      if (table.nodes.get(key) === reference) table.nodes.delete(key)
      this.#unlink(view)
    }
  }

  /** A view of a long list is taken out in portions. */
  #unlink(view: View, sources = this.#store.graph.release(view), from = 0): void {
    const end = Math.min(sources.length, from + longestPortion)
    for (let at = from; at < end; at++) {
      const source = sources[at] as View
      // What is lost itself tells nobody any more.
      const isLost = source instanceof RecordView && !this.isKept(source.node)
      if (!isLost) source.dependents = withoutDependent(source.dependents, view)
    }
    this.#unitsLeft -= end - from
    if (end < sources.length) this.#needed.push(() => this.#unlink(view, sources, end))
  }
}

/** So many sources of a view are unlinked at once. */
const longestPortion = 1000

function push(value: unknown, stack: unknown[]): void {
  if (typeof value === 'object' && value !== null) stack.push(value)
}

function isUnused({ dependents }: View): boolean {
  return dependents === undefined
}
