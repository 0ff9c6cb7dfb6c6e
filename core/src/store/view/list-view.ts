import { development } from '#development'
import type { Denormalization } from '../../denormalize/denormalize.js'
import type { Schema } from '../../schema/schema.js'
import { isSameItems } from '../../util/plain.js'
import { RecordNode } from '../records.js'
import { View } from './view.js'
import type { Beginning, ViewGraph } from './view.js'

/**
 * A list of records. It is a view of its own, so that a change of one member costs one copy of the array, and no
 * look at the other members.
 */
export class ListView extends View {
  readonly #schema: Schema
  readonly #references: () => readonly unknown[] | undefined
  /** Whether only results show the list, which are computed after it. */
  readonly #isOfResult: boolean
  readonly #delegate: Denormalization
  /** The references that the value shows. */
  #shown: readonly unknown[] = []
  /** How many there were. */
  #length = 0
  /** Members that may have changed since the value was computed; `undefined` when all have to be looked at. */
  #marked: View[] | undefined = []
  /** Whether a member stands at several positions. */
  #hasRepeated = false

  /**
   * @param schema - what each member looks like
   * @param references - what is to be shown now; `undefined` when there is no list
   * @param isOfResult - whether only results show the list: then it may find out late that nothing changed
   */
  constructor(
    schema: Schema,
    references: () => readonly unknown[] | undefined,
    delegate: Denormalization,
    isOfResult: boolean,
  ) {
    super()
    this.#isOfResult = isOfResult
    this.#schema = schema
    this.#references = references
    this.#delegate = delegate
  }

  override noteMarked(source: View): void {
    if (this.#marked === undefined) return
    // Beyond its length a list of changes is no shorter way: nobody reads this list just now.
    if (this.#marked.length >= this.sources.length) this.#marked = undefined
    else this.#marked.push(source)
  }

  override noteClean(): void {
    this.#marked = []
  }

  override get uncertainSources(): readonly View[] {
    return this.#marked ?? this.sources
  }

  override begin(): Beginning {
    const references = this.#references()
    if (!Array.isArray(references)) {
      const wasShown = this.value !== undefined
      this.value = undefined
      this.#shown = []
      return wasShown ? 'complete' : 'unchanged'
    }
    if (this.isOnlyWritten && this.value !== undefined) {
      // The list of all records grows in place.
      if (references === this.#shown) {
        if (references.length === this.#length) return 'unchanged'
      } else if (isShownAlike(references, this.#shown)) return 'to link'
    }
    this.value = this.#canPatch ? (this.value as unknown[]).slice() : []
    return 'to finish'
  }

  override finish(graph: ViewGraph, previous: unknown): void {
    this.#finish(graph, previous)
    this.#marked = []
  }

  #finish(graph: ViewGraph, previous: unknown): void {
    const members = this.value as unknown[]
    const references = this.#references() ?? []
    if (members === previous) {
      graph.link(this, () => this.#delegate.appendMembers(this.#schema, references, []))
      this.#notePositions()
      this.#noteShown(references)
      return
    }
    const patched = members.length > 0 ? this.#patch(graph, members, references) : 'failed'
    if (patched === 'failed') {
      members.length = 0
      graph.link(this, () => this.#delegate.appendMembers(this.#schema, references, members))
      this.#notePositions()
    }
    this.#noteShown(references)
    // What was patched needs no look at all members to know whether any differs.
    const isSame = patched === 'failed' ? isSameList(previous, members) : patched === 'same'
    if (this.#isOfResult && isSame) this.value = previous
    else if (development) Object.freeze(members)
  }

  /** Whether members, references and sources stand at the same positions: nothing dropped, nothing twice. */
  get #canPatch(): boolean {
    const { length } = this.#shown
    return (
      this.#marked !== undefined &&
      !this.#hasRepeated &&
      Array.isArray(this.value) &&
      this.value.length === length &&
      this.sources.length === length
    )
  }

  /** Replaces the members that changed, and appends what the references gained at their end. */
  #patch(
    graph: ViewGraph,
    members: unknown[],
    references: readonly unknown[],
  ): 'same' | 'changed' | 'failed' {
    const { length } = this.#shown
    if (references !== this.#shown && !beginsWith(references, this.#shown)) return 'failed'
    let isChanged = false
    for (const view of this.#marked ?? []) {
      const { sources } = this
      const position = sources[view.position] === view ? view.position : sources.indexOf(view)
      if (position === -1 || view.value === undefined) return 'failed'
      if (members[position] === view.value) continue
      members[position] = view.value
      isChanged = true
    }
    if (references.length > length) {
      graph.linkMore(this, () =>
        this.#delegate.appendMembers(this.#schema, references.slice(length), members),
      )
      this.#notePositions()
      if (members.length > length) isChanged = true
    }
    return isChanged ? 'changed' : 'same'
  }

  #noteShown(references: readonly unknown[]): void {
    this.#shown = references
    this.#length = references.length
  }

  #notePositions(): void {
    const { sources } = this
    this.#hasRepeated = false
    for (let index = 0; index < sources.length; index++) {
      const source = sources[index]
      if (source === undefined) continue
      if (source.position < index && sources[source.position] === source) this.#hasRepeated = true
      source.position = index
    }
  }
}

/** Whether two lists hold the selfsame things. */
export function isSameList(a: unknown, b: unknown): boolean {
  return a === b ? Array.isArray(a) : Array.isArray(a) && Array.isArray(b) && isSameItems(a, b)
}

function beginsWith(list: readonly unknown[], start: readonly unknown[]): boolean {
  if (start.length > list.length) return false
  for (let index = 0; index < start.length; index++) if (start[index] !== list[index]) return false
  return true
}

/** Whether two lists differ in nothing but members that are deleted, which are not shown. */
function isShownAlike(a: readonly unknown[], b: readonly unknown[]): boolean {
  let [at, other] = [0, 0]
  for (;;) {
    while (at < a.length && isDeleted(a[at])) at++
    while (other < b.length && isDeleted(b[other])) other++
    if (at === a.length || other === b.length) return at === a.length && other === b.length
    if (a[at++] !== b[other++]) return false
  }
}

function isDeleted(item: unknown): boolean {
  return item instanceof RecordNode && item.fields === undefined
}
