import { isPlainObject } from '../../util/plain.js'
import { Call } from '../call.js'
import type { ListStub } from '../hydration/hydration.js'
import type { ListNode } from '../list-node.js'
import { RecordNode, RecordView, viewsOf } from '../records.js'
import type { RecordTable } from '../records.js'
import { Reference } from '../../normalize/reference.js'
import type { Store } from '../store.js'
import { withoutDependent } from '../view/dependents.js'
import { View } from '../view/view.js'

/** The limits of a run. */
export interface GarbageLimits {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Calls used and records received after it are recent: milliseconds since the epoch. */
  readonly keepSince: number
  /** Recent calls and records are kept up to this number of records. */
  readonly maxRecords: number
}

/** One run of the garbage collector. */
export interface GarbageRun {
  /**
   * Does one slice of the work.
   *
   * @param units - the number of records, calls, lists or references to visit
   * @returns true if the run is complete
   */
  work(units: number): boolean
  /** The number of records to keep, found so far. */
  readonly found: number
  /** True once everything to keep is marked: a reference without the mark of the run is lost. */
  readonly isSweeping: boolean
}

/** The most items of a list that are processed at once. */
const longestPortion = 1000

/** The steps of a run. It may be interrupted at each `yield`. */
type Steps = Generator<void, void>

/**
 * Begins a run of the garbage collector, in slices between which the application continues (specification G6).
 *
 * The run marks everything that can be reached, and drops unneeded calls on the way. References that are looked up or
 * created meanwhile are marked as well. When nothing is left to visit, all references without a mark are lost at once:
 * look-ups no longer find them. Lost references stay lost, so that they can be removed in slices.
 */
export function beginRun(store: Store, { now, keepSince, maxRecords }: GarbageLimits): GarbageRun {
  const { graph, results, tables } = store
  const run = { work, found: 0, isSweeping: false }
  /** Reached values that are not visited yet, and remaining work as functions. */
  let stack: object[] = []
  /** The visited views, except those of single records, and the tables whose records are all reached. */
  let seen = new Set<View | RecordTable>()
  /** `layers.changes` when the values that layers touch were last reached. */
  let changes = -1
  let unitsLeft = 0
  const steps = collect(Infinity)
  store.judge = (found) => {
    if (run.isSweeping) remove(found)
    else reach(found)
    return run.isSweeping
  }
  return run

  function work(units: number): boolean {
    unitsLeft = units
    while (unitsLeft > 0) {
      const next = stack.pop()
      if (next !== undefined) {
        lookInto(next)
        unitsLeft--
      } else if (steps.next().done === true) return true
    }
    return false
  }

  /** Values reached in a step are visited before the next. @param most - limits the number of recent calls and records */
  function* collect(most: number): Steps {
    store.epoch++
    stack = []
    seen = new Set()
    changes = -1
    run.found = 0
    reachAll(store.hydration?.kept(keepSince) ?? [])
    reachAll(store.layers?.touched ?? [])
    reachAll(store.lists?.lateMembers() ?? [])
    const calls: Call[] = []
    for (const ofKey of results.values()) {
      for (const call of ofKey) {
        if (isNeeded(call)) reachCall(call)
        else calls.push(call)
        if (isDue()) yield
      }
    }
    if (maxRecords !== Infinity) calls.sort((a, b) => b.usedAt - a.usedAt)
    const others: (Call | Reference)[] = calls
    for (const { nodes } of nodeTables()) {
      for (const node of nodes.values()) {
        const { fetchedAt, sequence, mutationStart } = node.stamp
        // A request in flight may lose against its stamp (specification G4).
        if (sequence > store.earliestRead || mutationStart > store.earliestMutation) reach(node)
        else if (fetchedAt > keepSince && node.mark !== store.epoch) others.push(node)
        if (isDue()) yield
      }
    }
    // Leaves some room: otherwise the next records would start another run at once.
    const enough = maxRecords - (maxRecords >> 3)
    let kept = 0
    for (const other of others) {
      const hasRoom = run.found < enough && kept < most
      if (!(other instanceof Call)) {
        if (!hasRoom) break
        reach(other)
        kept++
      } else if (isNeeded(other)) {
        // It was looked up meanwhile.
        reachCall(other)
      } else if (other.usedAt > keepSince && (hasRoom || other.schema === undefined)) {
        reachCall(other)
        kept++
      } else drop(other)
      if (isDue()) yield
      // This one leads to too many records: marks everything again without it.
      if (run.found > maxRecords && kept > 0) return yield* collect(kept - 1)
    }
    while (reachShared()) yield
    // No `yield` up to the end of the next loop: the application must not run in between.
    run.isSweeping = true
    for (const table of tables.values()) {
      const arrived = table.arrived.filter(isKept)
      if (arrived.length === table.arrived.length) continue
      table.arrived = arrived
      table.isListed = true
      for (const list of table.lists.values()) graph.markWritten(list)
    }
    for (const { nodes } of nodeTables()) {
      for (const node of nodes.values()) {
        if (!isKept(node)) remove(node)
        if (isDue()) yield
      }
    }
    if (store.layers?.isEmpty !== false) store.lists?.sweep()
    for (const { lists, indexes } of tables.values()) {
      for (const [plan, list] of lists) {
        if (list.dependents === undefined && lists.delete(plan)) unlink(list)
      }
      for (const index of indexes.values()) {
        for (const value of index.values) {
          index.forgetIfUnused(value)
          if (isDue()) yield
        }
      }
    }
    store.judge = undefined
  }

  // --- mark ---

  /** Reaches the records of a shown list of all records, or the values that layers touch. @returns false if none are left */
  function reachShared(): boolean {
    const { layers } = store
    const table = [...tables.values()].find((other) => !seen.has(other) && isListShown(other))
    if (table !== undefined) {
      seen.add(table)
      // A list of all records does not show deleted ones.
      reachAll(table.arrived.filter(({ fields }) => fields !== undefined))
      return true
    }
    // Values that layers hide by now are only in their undo logs.
    if (layers === undefined || layers.changes === changes) return false
    changes = layers.changes
    reachAll(layers.touched)
    return true
  }

  function reach(value: unknown): void {
    if (typeof value === 'object' && value !== null) stack.push(value)
  }

  function reachAll(values: readonly unknown[]): void {
    inPortions(values, reach)
  }

  function reachCall({ schema, result, view, pages }: Call): void {
    if (schema !== undefined) reachAll([result, view.inferred, pages.head, view])
  }

  /** Marks a value and reaches the values that it refers to. */
  function lookInto(value: object): void {
    if (typeof value === 'function') value()
    else if (value instanceof Reference) {
      if (isKept(value)) return
      value.mark = store.epoch
      if (value instanceof RecordNode) {
        run.found++
        lookIntoRecord(value)
      } else {
        // There are no other references. A stub belongs to a hydrated list.
        const { members, pages } = value as ListNode | ListStub
        reach(members)
        reach(pages.head)
      }
    } else if (value instanceof RecordView) {
      // A list of all records does not show deleted ones.
      if (value.node.fields !== undefined) reach(value.node)
    } else if (value instanceof View) {
      // The sources of the view: a Query shows more than its call's result refers to.
      if (!seen.has(value)) reachAll(value.sources)
      seen.add(value)
    } else if (Array.isArray(value)) reachAll(value)
    else if (isPlainObject(value)) reachAll(Object.values(value))
  }

  function lookIntoRecord(node: RecordNode): void {
    const { fields, table } = node
    // A hydrated record that no class has read yet may have references in any field.
    if (table.plans.length === 0) reach(fields)
    for (const { name } of table.fields) reach(fields?.[name])
    // Records that a class shows beside its fields, for example by a Query. A view that is not current will look them up.
    for (const view of viewsOf(node)) {
      if (view.isCurrent && view.value !== undefined) reachAll(view.sources)
    }
  }

  /** True if a call is kept regardless of its last use. */
  function isNeeded(call: Call): boolean {
    if (call.retainers > 0 || call.isHeard || call.fetching) return true
    // It was looked up since the run began, or a reader that waited for it has not rendered yet.
    if (call.mark === store.epoch || call.graceUntil > now) return true
    // An older request is still in flight: a new call of the same key would share it.
    return Math.max(call.invalidatedAt, call.expiredAt) > store.earliestRead
  }

  // --- sweep ---

  function isKept({ mark }: Reference): boolean {
    return mark === store.epoch
  }

  function drop(call: Call): void {
    const calls = results.get(call.key)?.filter((other) => other !== call) ?? []
    if (calls.length === 0) results.delete(call.key)
    else results.set(call.key, calls)
    call.transition({ type: 'collected' })
    store.onCallsDropped?.()
    store.discard(call)
    for (const view of call.view.takeViews()) unlink(view)
  }

  /** Removes a record or a list from its table. */
  function remove(node: Reference): void {
    // A removal takes as long as several visits.
    unitsLeft -= 3
    if (node instanceof RecordNode) {
      node.table.nodes.delete(node.pk)
      for (const index of node.table.indexes.values()) index.move(graph, node, node.fields, undefined)
      for (const view of viewsOf(node)) unlink(view)
    } else {
      const { table, key, view } = node as ListNode
      table.nodes.delete(key)
      unlink(view)
    }
  }

  function unlink(view: View): void {
    inPortions(graph.release(view), (source) => {
      source.dependents = withoutDependent(source.dependents, view)
    })
  }

  // --- work in slices ---

  /** Counts a unit. @returns true if the slice is over, or values wait to be visited before the next step */
  function isDue(): boolean {
    return --unitsLeft <= 0 || stack.length > 0
  }

  /** Calls a function with each item, which costs less than a unit. The items of a long list are queued as work. */
  function inPortions<Item>(items: readonly Item[], use: (item: Item) => void): void {
    const { length } = items
    if (length <= longestPortion) {
      for (let index = 0; index < length; index++) use(items[index] as Item)
      unitsLeft -= length >> 3
    } else {
      for (let at = 0; at < length; at += longestPortion) {
        stack.push(() => inPortions(items.slice(at, at + longestPortion), use))
      }
    }
  }

  /** The tables of lists and of records. */
  function nodeTables(): { readonly nodes: ReadonlyMap<string, RecordNode | ListNode> }[] {
    return [...(store.lists?.tables ?? []), ...tables.values()]
  }
}

function isListShown({ lists }: RecordTable): boolean {
  return [...lists.values()].some(({ dependents }) => dependents !== undefined)
}
