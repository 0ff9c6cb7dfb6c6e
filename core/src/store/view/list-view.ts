import type { Denormalization } from '../../denormalize/denormalize.js'
import type { Schema } from '../../schema/schema.js'
import { isSameItems, isSameList } from '../../util/plain.js'
import { shareData } from '../../util/shared-data.js'
import { clean, View } from './view.js'
import type { Beginning, ViewGraph } from './view.js'

/** A list, as its view reads it. */
export interface ListSource {
  /** The normalized list; `undefined` if there is none. */
  readonly members: unknown
}

/**
 * A list of records. It is a separate view, so that a change of one member costs one copy of the array and no comparison
 * of other members.
 */
export class ListView extends View {
  /** The list that it shows. */
  declare list: ListSource
  readonly #schema: Schema
  readonly #delegate: Denormalization
  /** The references that the value shows. */
  #shown: readonly unknown[] = []
  /** The number of these references when the value was computed: the list of all records grows in place. */
  #length = 0
  /** Members that may have changed since the value was computed; `undefined` if all have to be checked. */
  #marked: View[] | undefined = []
  /** True if a member is at several positions. */
  #hasRepeated = false

  /** @param schema - the schema of a member */
  constructor(schema: Schema, list: ListSource, delegate: Denormalization) {
    super()
    this.#schema = schema
    this.list = list
    this.#delegate = delegate
  }

  override noteDropped(source: View): void {
    if (this.#marked === undefined) return
    // As many marks as members: checks all members instead.
    if (this.#marked.length >= this.sources.length) this.#marked = undefined
    else this.#marked.push(source)
  }

  override showsInput(): boolean {
    const { members } = this.list
    if (!Array.isArray(members)) return this.value === undefined
    if (this.value === undefined || members.length !== this.#length) return false
    if (members !== this.#shown && !isSameItems(members, this.#shown)) return false
    this.#shown = members
    return true
  }

  override begin(): Beginning {
    const { members } = this.list
    if (!Array.isArray(members)) {
      this.value = undefined
      this.#shown = []
      return 'complete'
    }
    this.value = this.#canPatch ? (this.value as unknown[]).slice() : []
    return 'to finish'
  }

  override finish(graph: ViewGraph, previous: unknown): void {
    const members = this.value as unknown[]
    const references = (this.list.members ?? []) as readonly unknown[]
    const isChanged = members.length > 0 ? this.#patch(graph, members, references) : undefined
    const known = isChanged === undefined ? 0 : this.#length
    if (isChanged === undefined || references.length > known) {
      const { sources } = this
      const linking = graph.beginLinking()
      for (let index = 0; index < known; index++) graph.readSource(sources[index] as View)
      const added = known === 0 ? references : references.slice(known)
      this.#delegate.members(this.#schema, added, members, known)
      graph.endLinking(this, linking)
      this.#notePositions()
    }
    // A patch knows if a member differs, without a comparison of all.
    const isSame =
      this.isReplaceable &&
      (isChanged === undefined ? isSameList(previous, members) : !isChanged && members.length === known)
    this.#marked = []
    this.#shown = references
    this.#length = references.length
    if (isSame) this.value = previous
    else shareData(members)
  }

  /** True if members, references and sources have the same positions: no member was dropped, none is repeated. */
  get #canPatch(): boolean {
    return (
      this.#marked !== undefined &&
      !this.#hasRepeated &&
      Array.isArray(this.value) &&
      this.value.length === this.#length &&
      this.sources.length === this.#length
    )
  }

  /** Replaces the changed members. @returns true if any changed; `undefined` if all have to be checked */
  #patch(graph: ViewGraph, members: unknown[], references: readonly unknown[]): boolean | undefined {
    const shown = this.#shown
    if (references !== shown && !shown.every((item, index) => item === references[index])) return undefined
    let isChanged = false
    const { sources } = this
    for (const view of this.#marked ?? []) {
      const position = sources[view.position] === view ? view.position : sources.indexOf(view)
      if (view.flags !== clean) graph.evaluate(view)
      if (position === -1 || view.value === undefined) return undefined
      if (members[position] === view.value) continue
      members[position] = view.value
      isChanged = true
    }
    return isChanged
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
