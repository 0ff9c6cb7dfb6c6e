import type { Clock } from '../util/clock.js'
import { isPlainObject } from '../util/plain.js'
import { CollectionNode } from './collections.js'
import { RecordNode, RecordView, viewsOf } from './records.js'
import type { RecordTable } from './records.js'
import { Reference } from './reference.js'
import type { ResultNode } from './results.js'
import type { Store } from './store.js'
import type { View } from './view.js'

/**
 * Removes what nobody can see any more: rows without readers, some time after their last use, and records that
 * no row and no record refers to, some time after they were received (specification G6).
 */
export class Collector {
  readonly #store: Store
  readonly #clock: Clock
  /** Milliseconds. */
  readonly #keepLength: number
  #timer: unknown = undefined
  #isStopped = false

  constructor(store: Store, clock: Clock, keepLength: number) {
    this.#store = store
    this.#clock = clock
    this.#keepLength = keepLength
  }

  /** Something may become unused: collects after the time for which it is kept. */
  schedule(): void {
    if (this.#timer !== undefined || this.#isStopped || this.#keepLength === Infinity) return
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = undefined
      if (this.collect() > 0) this.schedule()
    }, this.#keepLength)
  }

  stop(): void {
    this.#isStopped = true
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Collects now. @returns how many rows and records are left that may become unused */
  collect(): number {
    const keepSince = this.#clock.now() - this.#keepLength
    const rowsLeft = this.#collectRows(keepSince)
    const reachable = this.#findReachable(keepSince)
    this.#collectLists(reachable)
    return rowsLeft + this.#collectRecords(reachable)
  }

  #collectRows(keepSince: number): number {
    const { results, graph } = this.#store
    let left = 0
    for (const [key, rows] of results) {
      const kept = rows.filter((row) => isRowKept(row, keepSince))
      for (const row of rows) {
        if (kept.includes(row)) continue
        row.view.unlink(graph)
        row.isCollected = true
        this.#store.discard(row)
      }
      left += kept.length
      if (kept.length === 0) results.delete(key)
      else if (kept.length < rows.length) results.set(key, kept)
    }
    return left
  }

  /** All that a row shows or holds, that was received lately, and all that these refer to, however far. */
  #findReachable(keepSince: number): Set<Reference> {
    const waiting: unknown[] = []
    for (const rows of this.#store.results.values()) {
      for (const row of rows) if (row.schema !== undefined) waiting.push(row.result, row.view.inferred)
    }
    for (const node of this.#shownRecords()) waiting.push(node)
    for (const node of this.#store.layers.touched) waiting.push(node)
    for (const { nodes } of this.#store.tables.values()) {
      for (const node of nodes.values()) if (node.stamp.fetchedAt > keepSince) waiting.push(node)
    }
    for (const { nodes } of this.#store.collections.values()) {
      for (const node of nodes.values()) if (node.stamp.fetchedAt > keepSince) waiting.push(node)
    }
    const reachable = new Set<Reference>()
    while (waiting.length > 0) visit(waiting.pop(), reachable, waiting)
    return reachable
  }

  /** The records that rows show, which for a Query are more than those that it holds. */
  #shownRecords(): RecordNode[] {
    const seen = new Set<View>()
    for (const rows of this.#store.results.values()) for (const { view } of rows) seen.add(view)
    // A Set is walked in order, what is added on the way included.
    for (const view of seen) for (const source of view.sources) seen.add(source)
    return [...seen].flatMap((view) => (view instanceof RecordView ? view.node : []))
  }

  #collectLists(reachable: Set<Reference>): void {
    for (const [collection, { nodes }] of this.#store.collections) {
      for (const [key, node] of nodes) {
        if (reachable.has(node)) continue
        this.#store.graph.unlink(node.view)
        nodes.delete(key)
      }
      if (nodes.size === 0) this.#store.collections.delete(collection)
    }
  }

  #collectRecords(reachable: Set<Reference>): number {
    const { graph } = this.#store
    let left = 0
    for (const table of this.#store.tables.values()) {
      const before = table.nodes.size
      for (const [plan, list] of table.lists) {
        if (list.dependents !== undefined) continue
        graph.unlink(list)
        table.lists.delete(plan)
      }
      for (const node of table.nodes.values()) if (!reachable.has(node)) this.#drop(table, node)
      left += table.nodes.size
      if (table.nodes.size === before) continue
      table.arrived = table.arrived.filter((node) => reachable.has(node))
      for (const list of table.lists.values()) graph.markWritten(list)
      for (const index of table.indexes.values()) index.sweep()
    }
    return left
  }

  #drop(table: RecordTable, node: RecordNode): void {
    for (const view of viewsOf(node)) this.#store.graph.unlink(view)
    for (const index of table.indexes.values()) index.move(this.#store.graph, node, node.fields, undefined)
    table.nodes.delete(node.pk)
  }
}

function isRowKept(row: ResultNode, keepSince: number): boolean {
  return row.retainers > 0 || row.listeners.size > 0 || row.fetching || row.usedAt > keepSince
}

function visit(value: unknown, reachable: Set<Reference>, waiting: unknown[]): void {
  if (value instanceof Reference) {
    if (reachable.has(value)) return
    reachable.add(value)
    if (value instanceof CollectionNode) push(value.members, waiting)
    if (!(value instanceof RecordNode) || value.fields === undefined) return
    for (const { name } of value.table.fields) push(value.fields[name], waiting)
  } else if (Array.isArray(value)) for (const item of value) push(item, waiting)
  else if (isPlainObject(value)) for (const part of Object.values(value)) push(part, waiting)
}

function push(value: unknown, waiting: unknown[]): void {
  if (typeof value === 'object' && value !== null) waiting.push(value)
}
