import { warn } from '../errors.js'
import { normalizeInto } from '../normalize/normalize.js'
import type { Fields } from '../schema/fields.js'
import { copyPlain, shareStructure } from '../util/plain.js'
import type { CollectionNode } from './collections.js'
import { LayerSink } from './layer-sink.js'
import type { Layer } from './layers.js'
import { withoutRepeated } from './members.js'
import type { RecordNode } from './records.js'
import { noResult } from './results.js'
import type { ResultNode } from './results.js'
import { neverWritten } from './stamp.js'
import type { Store } from './store.js'

/** What a mutation does to what a call shows. */
export interface RowUpdate {
  readonly row: ResultNode
  /** In the words of a message. */
  readonly name: string
  /** @throws what the user's function throws; {SelfsameError} when it gives nothing */
  readonly update: (data: unknown) => unknown
}

/** What a fold asks of the layers that it belongs to. */
interface Below {
  /** Takes away the records that updates let a layer write. */
  takeBack(layer: Layer): void
  /** A list as it is without updates. */
  membersBelow(node: CollectionNode): unknown
  /** Lets a layer write records. */
  patch(layer: Layer, patches: ReadonlyMap<RecordNode, Fields | undefined>): void
}

/**
 * What the `update`s of mutations under way make of the results of other calls. They are functions of what is below
 * them, so whenever that changes all of them are made again, in the order of their layers; rows hold what is shown.
 */
export class LayeredUpdates {
  readonly #store: Store
  /** What was received for calls that an update changed. */
  readonly #rows = new Map<ResultNode, unknown>()
  /** Lists that an update changed. */
  #lists: ReadonlySet<CollectionNode> = new Set()
  /** Whether layers came or went, or something was received for what they change. */
  isOutdated = false

  constructor(store: Store) {
    this.#store = store
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0 && this.#lists.size === 0
  }

  /** The results that were received for calls that an update changed. */
  get received(): Iterable<unknown> {
    return this.#rows.values()
  }

  hasList(node: CollectionNode): boolean {
    return this.#lists.has(node)
  }

  resultOf(row: ResultNode): unknown {
    return this.#rows.has(row) ? this.#rows.get(row) : row.result
  }

  receive(row: ResultNode, result: unknown): void {
    const before = this.resultOf(row)
    // An update may be waiting for what was not there.
    if (before !== result && (before === noResult || this.#rows.has(row))) this.isOutdated = true
    if (this.#rows.has(row)) this.#rows.set(row, result)
    else row.result = result
  }

  clear(): void {
    this.#rows.clear()
    this.#lists = new Set()
  }

  /** Makes all updates again, on what is below them, if that is not what it was. */
  fold(layers: readonly Layer[], below: Below): void {
    if (!this.isOutdated && [...this.#rows.keys()].every(({ view }) => view.isCurrent)) return
    this.isOutdated = false
    for (const layer of layers) below.takeBack(layer)
    const results = new Map(this.#rows)
    const lists = new Map<CollectionNode, unknown>()
    const before = this.#lists
    for (const node of before) lists.set(node, below.membersBelow(node))
    const isUpdated = new Set<ResultNode>()
    const updatedLists = new Set<CollectionNode>()
    for (const layer of layers) {
      for (const { row, name, data } of this.#dataAfter(layer, results, lists)) {
        try {
          const sink = new LayerSink(this.#store, true)
          const result = this.#toResult(sink, row, data, name)
          below.patch(layer, sink.patches)
          for (const [node, members] of sink.lists) {
            const shown = lists.has(node) ? lists.get(node) : node.members
            lists.set(node, withoutRepeated(members, shown))
            updatedLists.add(node)
          }
          results.set(row, result)
          isUpdated.add(row)
        } catch (error) {
          // What cannot be shown early is not: the mutation goes on, and its answer will say what is wrong.
          warn(error)
        }
      }
    }
    this.#lists = updatedLists
    for (const node of new Set([...before, ...updatedLists])) {
      // Asked again also where it is kept: so what was received of the list is remembered as long, and no longer.
      const members = below.membersBelow(node)
      this.#showMembers(node, updatedLists.has(node) ? lists.get(node) : members)
    }
    for (const [row, result] of results) this.#showResult(row, result, isUpdated.has(row))
    // From here on a view that is not current says that something below was written.
    for (const row of isUpdated) row.snapshot(this.#store.graph)
  }

  /** What a call shows with a certain result and certain lists; `undefined` when nothing. */
  read(row: ResultNode, result: unknown, lists: ReadonlyMap<CollectionNode, unknown>): unknown {
    if (row.isInvalidated || row.isCollected) return undefined
    if (row.schema === undefined) return result === noResult ? undefined : result
    return this.#store.readOnce(row.schema, result, row.args, lists)
  }

  /** All data is computed before any of it is put in place, as when the mutation is answered. */
  #dataAfter(
    layer: Layer,
    results: ReadonlyMap<ResultNode, unknown>,
    lists: ReadonlyMap<CollectionNode, unknown>,
  ): { row: ResultNode; name: string; data: unknown }[] {
    const updated: { row: ResultNode; name: string; data: unknown }[] = []
    try {
      for (const { row, name, update } of layer.updates?.(layer) ?? []) {
        // What holds something outside of the store is not shown in two forms at once.
        if (row.dispose !== undefined) continue
        const shown = this.read(row, results.has(row) ? results.get(row) : row.result, lists)
        if (shown === undefined) continue
        const data = update(shown)
        if (data !== shown) updated.push({ row, name, data })
      }
    } catch (error) {
      warn(error)
      return []
    }
    return updated
  }

  #toResult(sink: LayerSink, row: ResultNode, data: unknown, name: string): unknown {
    if (row.schema === undefined) return copyPlain(data)
    const origin = { args: row.args, call: row.key, name, isOwned: false }
    return normalizeInto(sink, row.schema, data, origin)
  }

  #showMembers(node: CollectionNode, members: unknown): void {
    this.#store.showMembers(node, shareStructure(node.members, members))
  }

  #showResult(row: ResultNode, result: unknown, isUpdated: boolean): void {
    if (!this.#rows.has(row)) this.#rows.set(row, row.result)
    const received = this.#rows.get(row)
    if (!isUpdated) this.#rows.delete(row)
    const shown = shareStructure(row.result, result)
    if (shown === row.result) return
    // What is answered from records has their age, and no stamp of its own.
    if (row.result === noResult) row.stamp = { ...row.age }
    else if (result === noResult && received === noResult) row.stamp = neverWritten
    row.result = shown
    this.#store.graph.markWritten(row.view)
    this.#store.touch(row)
  }
}
