import type { EntityPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import { RecordNode } from '../store/records.js'
import type { RecordTable } from '../store/records.js'
import type { Store } from '../store/store.js'
import { ListView } from '../store/view/list-view.js'
import type { ListSource } from '../store/view/list-view.js'
import type { ViewGraph } from '../store/view/view.js'
import { RecordsView } from './records-view.js'

/** Returns the text by which equal values of a field are found: that of a primary key for a record. */
export function indexTextOf(value: unknown): string {
  return value instanceof RecordNode ? value.pk : String(value)
}

/** The records of a table by the values of one field. Only values that somebody reads have views. */
export class FieldIndex {
  readonly #store: Store
  readonly #plan: EntityPlan
  readonly #field: string
  readonly #default: unknown
  /** A list until a record comes or goes. */
  readonly #nodes = new Map<string, RecordNode[] | Set<RecordNode>>()
  /** The number of records. */
  #count = 0
  readonly #views = new Map<string, RecordsView>()
  readonly #lists = new Map<string, ListView & { readonly list: RecordsOfValue }>()

  constructor(store: Store, plan: EntityPlan, table: RecordTable, field: string) {
    this.#store = store
    this.#plan = plan
    this.#field = field
    this.#default = plan.create()[field]
    for (const node of table.nodes.values()) {
      const text = this.#textIn(node.fields)
      if (text === undefined) continue
      this.#count++
      const nodes = this.#nodes.get(text) as RecordNode[] | undefined
      if (nodes === undefined) this.#nodes.set(text, [node])
      else nodes.push(node)
    }
  }

  /** True if nothing reads it. */
  get isUnused(): boolean {
    return this.#views.size + this.#lists.size === 0
  }

  /** The records with a value, as a flow. */
  view(text: string): RecordsView {
    let view = this.#views.get(text)
    if (view === undefined) {
      const set = { nodes: () => this.#inOrder(text), has: (node: RecordNode) => this.#has(text, node) }
      this.#views.set(text, (view = new RecordsView(this.#store, this.#plan, set)))
    }
    return view
  }

  /** The records with a value, as a list. */
  list(text: string): ListView {
    const known = this.#lists.get(text)
    if (known !== undefined) return known
    const records = new RecordsOfValue(() => this.#inOrder(text))
    const list = new ListView(this.#plan.entity, records, this.#store.denormalization([]))
    this.#lists.set(text, list as ListView & { readonly list: RecordsOfValue })
    return list
  }

  /** Called when the fields of a record were replaced. */
  move(graph: ViewGraph, node: RecordNode, before: Fields | undefined, after: Fields | undefined): void {
    const from = this.#textIn(before)
    const to = this.#textIn(after)
    // Without fields before, it may be that only its place in the order of arrival changed.
    if (from === to && before !== undefined) {
      if (to !== undefined) this.#views.get(to)?.noteWritten(node)
      return
    }
    const wasThere = from !== undefined || (to !== undefined && this.#has(to, node))
    this.#noteFirst(graph, Number(after !== undefined) - Number(wasThere))
    if (from !== undefined) {
      const nodes = this.#setOf(from)
      nodes?.delete(node)
      if (nodes?.size === 0) this.#nodes.delete(from)
      this.#note(graph, from, node)
    }
    if (to !== undefined) {
      const nodes = this.#setOf(to)
      if (nodes === undefined) this.#nodes.set(to, new Set([node]))
      else nodes.add(node)
      this.#note(graph, to, node)
    }
  }

  /** Called when it is known for the first time that there are any records or none, or is not known any more. */
  noteListed(graph: ViewGraph): void {
    for (const view of this.#views.values()) graph.markWritten(view)
  }

  /** Removes the views that nothing depends on. @returns them */
  takeUnused(): (RecordsView | ListView)[] {
    const unused: (RecordsView | ListView)[] = []
    for (const views of [this.#views, this.#lists]) {
      for (const [text, view] of views) {
        if (view.dependents !== undefined) continue
        views.delete(text)
        unused.push(view)
      }
    }
    return unused
  }

  /** With the first record all views get to know that there are any, and without the last that there are none. */
  #noteFirst(graph: ViewGraph, more: number): void {
    const isFirst = this.#count === 0
    this.#count += more
    if (more !== 0 && (isFirst || this.#count === 0)) this.noteListed(graph)
  }

  #textIn(fields: Fields | undefined): string | undefined {
    return fields && indexTextOf(fields[this.#field] === undefined ? this.#default : fields[this.#field])
  }

  #has(text: string, node: RecordNode): boolean {
    return this.#setOf(text)?.has(node) === true
  }

  #setOf(text: string): Set<RecordNode> | undefined {
    const nodes = this.#nodes.get(text)
    if (!Array.isArray(nodes)) return nodes
    const set = new Set(nodes)
    this.#nodes.set(text, set)
    return set
  }

  /** The order of arrival is known only once the write is complete. */
  #inOrder(text: string): readonly RecordNode[] {
    const nodes = [...(this.#nodes.get(text) ?? [])]
    return nodes.filter((node) => !this.#store.isLost(node)).sort((a, b) => a.arrival - b.arrival)
  }

  #note(graph: ViewGraph, text: string, node: RecordNode): void {
    this.#views.get(text)?.noteMoved(graph, node)
    const list = this.#lists.get(text)
    if (list === undefined) return
    list.list.forget()
    graph.markWritten(list)
  }
}

/** The records with one value, sorted when they are read. */
class RecordsOfValue implements ListSource {
  readonly #sort: () => readonly RecordNode[]
  #sorted: readonly RecordNode[] | undefined

  constructor(sort: () => readonly RecordNode[]) {
    this.#sort = sort
  }

  get members(): readonly RecordNode[] {
    return (this.#sorted ??= this.#sort())
  }

  forget(): void {
    this.#sorted = undefined
  }
}
