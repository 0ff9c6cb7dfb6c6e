import type { Fields } from '../schema/fields.js'
import { View } from './view/view.js'
import type { Beginning, ViewGraph } from './view/view.js'

/** The members of a record that an index uses. */
export interface Indexed {
  readonly fields: Fields | undefined
  readonly arrival: number
}

/** Is told of each change of the records of a table. */
export interface TableIndex<Node extends Indexed = Indexed> {
  /** Called when a record gets other fields, before it has them, or another place in the order of arrival. */
  move(graph: ViewGraph, node: Node, before: Fields | undefined, after: Fields | undefined): void
  /** Called after a list of the records was received for the first time, which may be empty, or is not known any more. */
  noteListed?(graph: ViewGraph): void
  /** Drops what nobody reads, in steps. Called by the garbage collector. */
  sweep(): Generator<void>
}

/** Finds the records of one table by one field. */
export class RecordIndex<Node extends Indexed = Indexed> implements TableIndex<Node> {
  readonly #field: string
  readonly #entries = new Map<string, IndexEntry<Node>>()

  constructor(field: string) {
    this.#field = field
  }

  /** The number of values with an entry. */
  get size(): number {
    return this.#entries.size
  }

  /** Returns the entry of a value, also of one without records: reads depend on it and see a record that arrives later. */
  entry(value: unknown): IndexEntry<Node> {
    const key = String(value)
    let entry = this.#entries.get(key)
    if (entry === undefined) this.#entries.set(key, (entry = new IndexEntry()))
    return entry
  }

  /** Updates the index after a record's fields were replaced. */
  move(graph: ViewGraph, node: Node, before: Fields | undefined, after: Fields | undefined): void {
    const from: unknown = before?.[this.#field]
    const to: unknown = after?.[this.#field]
    if (from === to) return
    if (from !== undefined && from !== null) this.entry(from).remove(graph, node)
    if (to !== undefined && to !== null) this.entry(to).add(graph, node)
  }

  /** Removes the entries of values that no record has and no view reads, one in each step. */
  *sweep(): Generator<void> {
    for (const [value, { isEmpty, dependents }] of this.#entries) {
      if (isEmpty && dependents === undefined) this.#entries.delete(value)
      yield
    }
  }
}

/** The records whose field has one value. Its value is the one of them that arrived first. */
export class IndexEntry<Node extends Indexed = Indexed> extends View {
  readonly #nodes = new Set<Node>()

  get isEmpty(): boolean {
    return this.#nodes.size === 0
  }

  add(graph: ViewGraph, node: Node): void {
    this.#nodes.add(node)
    const first = this.value as Node | undefined
    // A new record arrives last.
    if (first === undefined || (node.arrival > 0 && node.arrival < first.arrival)) graph.markWritten(this)
  }

  remove(graph: ViewGraph, node: Node): void {
    this.#nodes.delete(node)
    if (node === this.value) graph.markWritten(this)
  }

  override begin(): Beginning {
    let first: Node | undefined
    for (const node of this.#nodes) if (first === undefined || node.arrival < first.arrival) first = node
    this.value = first
    return 'complete'
  }

  override finish(): void {}
}
