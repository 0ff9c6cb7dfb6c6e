import { isPlainObject } from '../../util/plain.js'
import { Call, callsShowing } from '../call.js'
import type { ListStub } from '../hydration/hydration.js'
import { ListNode } from '../list-node.js'
import { RecordNode, RecordTable, RecordView, viewsOf } from '../records.js'
import { Reference } from '../../normalize/reference.js'
import type { Store } from '../store.js'
import { isCrowded, sweepDependents, viewsIn, withoutDependent, View } from '../view/view.js'
import { ListView } from '../view/list-view.js'

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
}

/** The most items of a list that are processed at once. */
const longestPortion = 1000

/** A removal takes as long as this number of visits more. */
const removalUnits = 3

/** A component renders within this time after a response: milliseconds. */
const graceMs = 1000

/** The steps of a run. It may be interrupted at each `yield`, and what was reached before is visited then. */
type GarbageSteps = Generator<void, void>

/**
 * Begins a run of the garbage collector, in slices between which the application continues (specification G6).
 *
 * The run marks everything that can be reached, and drops unneeded calls on the way. References that are looked up or
 * created meanwhile are marked as well. When nothing is left to visit, all references without a mark are lost at once:
 * look-ups no longer find them. Lost references stay lost, so that they can be removed in slices.
 */
export function beginRun(store: Store, { now, keepSince, maxRecords }: GarbageLimits): GarbageRun {
  const { graph, results, tables } = store
  const run = { work, found: 0 }
  /** Reached values that are not visited yet, and remaining work as functions. */
  const stack: object[] = []
  /** Views of whose dependents some are unlinked: to search for one takes as long as for all. */
  const crowded = new Set<View>()
  let unitsLeft = 0
  const steps = collect()
  /** With too many records a list of all keeps only what its readers show. */
  const isFull = (store.isFull = maxRecords !== Infinity)
  store.onLookup = (found) => (store.isSweeping ? remove(found) : reach(found))
  return run

  function work(units: number): boolean {
    for (unitsLeft = units; unitsLeft > 0; unitsLeft--) {
      const next = stack.pop()
      if (next !== undefined) lookInto(next)
      else if (steps.next().done === true && stack.length === 0) return true
    }
    return false
  }

  function* collect(): GarbageSteps {
    // The most recent calls and records to keep.
    for (let most = Infinity; most !== -1;) {
      store.epoch++
      run.found = 0
      most = yield* reachRecent(yield* reachNeeded(), most)
    }
    yield* reachShared()
    // No `yield` up to the removal of the first record: the application must not run in between.
    store.isSweeping = true
    dropLists()
    for (const { nodes } of nodeTables()) {
      for (const node of nodes.values()) {
        if (!isKept(node)) remove(node)
        yield
      }
    }
    yield* sweepCrowded()
    if (store.layers?.isEmpty !== false) store.lists?.sweep()
    for (const { indexes } of tables.values()) for (const index of indexes.values()) yield* index.sweep()
    store.onLookup = undefined
    store.isSweeping = false
    store.isFull = false
    store.notify()
  }

  /** @returns the other calls, the last used first if not all may stay; then the records and lists that are recent */
  function* reachNeeded(): Generator<void, (Call | Reference)[]> {
    reach(store.hydration?.kept(keepSince))
    reach(store.layers?.touched)
    reach(store.lists?.lateMembers())
    let others: (Call | Reference)[] = []
    for (const calls of results.values()) {
      // One that is asked for keeps those of other schemas: if they grow in number, they are a loop, which has to be found.
      const isAsked =
        calls.length > 1 && calls.some(({ fetching, age }) => fetching || age.fetchedAt > now - graceMs)
      for (const call of calls) {
        if (isAsked || isNeeded(call)) reachCall(call)
        else others.push(call)
        yield
      }
    }
    if (maxRecords !== Infinity) others = yield* lastUsedFirst(others as Call[])
    for (const { nodes } of nodeTables()) {
      for (const node of nodes.values()) {
        // Should all of them go, then a list of all is empty, not unknown.
        if (node instanceof RecordNode && node.arrival > 0) node.table.isListed = true
        const { fetchedAt, sequence, mutationStart, doubtedAt = 0 } = node.stamp
        const { earliestRead, earliestMutation } = store
        // A request in flight may lose against its stamp, or not know better (specification G4).
        if (
          Math.max(sequence, doubtedAt) > earliestRead ||
          Math.max(mutationStart, doubtedAt) > earliestMutation
        )
          reach(node)
        else if (fetchedAt > keepSince && !isKept(node)) others.push(node)
        yield
      }
    }
    return others
  }

  /**
   * Reaches recent calls and records while there is room, and drops other calls.
   *
   * @param most - of them are kept
   * @returns how many to keep when all is marked again, because the last one led to too many records; -1 if none did
   */
  function* reachRecent(others: readonly (Call | Reference)[], most: number): Generator<void, number> {
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
      yield
      if (run.found > maxRecords && kept > 0) return kept - 1
    }
    return -1
  }

  /** Drops the lists of all records that no reader shows. */
  function dropLists(): void {
    for (const table of tables.values()) {
      table.arrived = undefined
      for (const [plan, list] of table.lists) {
        if (list.dependents !== undefined) {
          if (table.mark === store.epoch || (isFull && table.members?.every(isKept) === true)) continue
          if (isFull) {
            // A count of all records stays, and shows those that are left.
            stack.push(() => unlink(list))
            forget(list)
            continue
          }
        }
        // Lost records may still depend on it.
        table.lists.delete(plan)
        stack.push(() => unlink(list))
      }
    }
  }

  /** Merge sort, because `sort` cannot be interrupted. */
  function* lastUsedFirst(calls: Call[]): Generator<void, Call[]> {
    if (calls.length <= longestPortion) {
      unitsLeft -= calls.length
      yield
      return calls.sort((a, b) => b.usedAt - a.usedAt)
    }
    const middle = calls.length >> 1
    const left = yield* lastUsedFirst(calls.slice(0, middle))
    const right = yield* lastUsedFirst(calls.slice(middle))
    const sorted: Call[] = []
    for (let [l, r] = [0, 0]; sorted.length < calls.length;) {
      const [a, b] = [left[l], right[r]]
      const isLeft = b === undefined || (a !== undefined && a.usedAt >= b.usedAt)
      sorted.push((isLeft ? left[l++] : right[r++]) as Call)
      if (sorted.length % 4 === 0) yield
    }
    return sorted
  }

  // --- mark ---

  /** Reaches the records of shown lists of all records, and the values that layers touch, until none are left. */
  function* reachShared(): GarbageSteps {
    const seen = new Set<RecordTable>()
    let changes: number | undefined
    const calls = new Set<Call>()
    for (let isDone = false; !isDone;) {
      isDone = true
      if (isFull) {
        // Calls that began to show a list of all during the run.
        for (const { lists } of tables.values()) {
          for (const list of lists.values()) {
            for (const call of callsShowing(viewsIn(list.dependents))) {
              if (calls.size === calls.add(call).size || !isNeeded(call)) continue
              isDone = false
              reachCall(call)
            }
          }
        }
        yield
      }
      for (const table of tables.values()) {
        if (seen.has(table) || table.mark !== store.epoch) continue
        seen.add(table)
        isDone = false
        for (const node of table.nodes.values()) {
          // A list of all records does not show deleted ones.
          if (node.fields !== undefined) reach(node)
          yield
        }
      }
      const { layers } = store
      if (layers?.changes === changes) continue
      // Values that layers hide by now are only in their undo logs.
      changes = layers?.changes
      isDone = false
      reach(layers?.touched)
      yield
    }
  }

  function reach(value: unknown): void {
    if (typeof value === 'object' && value !== null) stack.push(value)
  }

  function reachCall(call: Call): void {
    if (call.schema !== undefined) reach([call.result, call.inferred, call.pages.head, call])
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
        if (value instanceof ListNode) reachSources(value.view, false)
      }
    } else if (value instanceof RecordView) {
      // A list of all records does not show deleted ones.
      if (value.node.fields !== undefined) reach(value.node)
    } else if (value instanceof View) {
      const table = tableOfAll(value)
      if (table !== undefined) {
        // To count them before it is decided for what there is room.
        if (isFull && table.mark !== store.epoch) reach(table.members)
        table.mark = store.epoch
      }
      // The sources of the view: a Query shows more than its call's result refers to.
      else if (value.linking !== -store.epoch && !reachShown(value, value.value)) reach(value.sources)
      value.linking = -store.epoch
    } else if (Array.isArray(value)) inPortions(value, reach)
    else if (isPlainObject(value)) reach(Object.values(value))
  }

  function lookIntoRecord(node: RecordNode): void {
    const { fields, table } = node
    // A hydrated record that no class has read yet may have references in any field.
    if (table.plans.length === 0) reach(fields)
    for (const { name } of table.fields) reach(fields?.[name])
    // Records that a class shows beside its fields, for example by a Query.
    for (const view of viewsOf(node)) reachSources(view, view.isCurrent && view.value !== undefined)
  }

  /**
   * Reaches the records that a view shows of lists of all records, and its other sources. An array of anything else than
   * records keeps what it was computed from; a number, a text or an object of them keeps nothing.
   *
   * @returns false if it shows no such list, or if there is room
   */
  function reachShown({ sources }: View, value: unknown): boolean {
    if (!isFull) return false
    const lists = sources.filter((source) => tableOfAll(source) !== undefined)
    if (lists.length === 0) return false
    const nodes = new Map<unknown, RecordNode>()
    const seen = new Set<unknown>()
    const look = (shown: unknown, isItem: boolean): void => {
      const node = nodes.get(shown)
      if (node !== undefined) return reach(node)
      if (typeof shown === 'object' && shown !== null) {
        if (seen.has(shown)) return
        seen.add(shown)
        if (Array.isArray(shown)) return inPortions(shown, (item) => look(item, true))
        const parts = isPlainObject(shown) ? Object.values(shown) : undefined
        if (parts !== undefined && (!isItem || parts.some((part) => nodes.has(part))))
          return inPortions(parts, (part) => look(part, false))
      } else if (!isItem) return
      reach(sources)
    }
    // Below the portions of the next lines: they are done first.
    stack.push(() => look(value, false))
    inPortions(sources, (source) => {
      if (!lists.includes(source)) reach(source)
    })
    for (const list of lists) {
      inPortions(list.sources, (source) => {
        if (source instanceof RecordView) nodes.set(source.value, source.node)
      })
    }
    return true
  }

  /** @param isCurrent - false if the view will look up its records, except those of a list of all */
  function reachSources(view: View, isCurrent: boolean): void {
    // The instance of a record shows a list of all in one of its fields.
    if (isCurrent && reachShown(view, { ...(view.value as object) })) return
    inPortions(view.sources, (source) => {
      if (isCurrent || tableOfAll(source) !== undefined) reach(source)
    })
  }

  /** True if a call is kept regardless of its last use. */
  function isNeeded(call: Call): boolean {
    if (call.retainers > 0 || call.isHeard || call.fetching) return true
    // It was looked up since the run began, or a reader that waited for it has not rendered yet.
    if (call.mark === store.epoch || call.state.graceUntil > now) return true
    // An older request is still in flight: a new call of the same key would share it.
    return Math.max(call.state.invalidatedAt, call.state.expiredAt) > store.earliestRead
  }

  function isKept({ mark }: Reference): boolean {
    return mark === store.epoch
  }

  // --- sweep ---

  function drop(call: Call): void {
    unitsLeft -= removalUnits
    const calls = results.get(call.key)?.filter((other) => other !== call) ?? []
    if (calls.length === 0) results.delete(call.key)
    else results.set(call.key, calls)
    store.move(call, { type: 'collected' })
    store.changes++
    store.onCallsDropped?.()
    store.discard(call)
    for (const view of call.views) unlink(view)
  }

  /** Removes a record or a list from its table. */
  function remove(node: Reference): void {
    store.journal?.note(node)
    unitsLeft -= removalUnits
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

  /** Drops the value of a list whose records are lost, and notifies its readers after the run. */
  function forget(list: View): void {
    graph.forget(list)
    const views = new Set<View>([list])
    for (const view of views) for (const dependent of viewsIn(view.dependents)) views.add(dependent)
    for (const call of callsShowing([...views])) store.touch(call)
  }

  function unlink(view: View): void {
    inPortions(graph.release(view), (source) => {
      if (isCrowded(source.dependents)) crowded.add(source)
      else source.dependents = withoutDependent(source.dependents, view)
    })
  }

  function* sweepCrowded(): GarbageSteps {
    for (const source of crowded) yield* sweepDependents(source)
    crowded.clear()
  }

  /** Calls a function with each item, which costs less than a unit. The items after the first portion are queued as work. */
  function inPortions<Item>(items: readonly Item[], use: (item: Item) => void, from = 0): void {
    const end = Math.min(from + longestPortion, items.length)
    for (let index = from; index < end; index++) use(items[index] as Item)
    unitsLeft -= (end - from) >> 3
    if (end < items.length) stack.push(() => inPortions(items, use, end))
  }

  /** The tables of lists and of records. */
  function nodeTables(): { readonly nodes: ReadonlyMap<string, RecordNode | ListNode> }[] {
    return [...(store.lists?.tables ?? []), ...tables.values()]
  }
}

/** The table of a list of all records. */
function tableOfAll(view: View): RecordTable | undefined {
  return view instanceof ListView && view.list instanceof RecordTable ? view.list : undefined
}
