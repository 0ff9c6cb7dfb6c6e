import { development } from '#development'
import type { Denormalization } from '../../denormalize/denormalize.js'
import type { Schema } from '../../schema/schema.js'
import { isSameList } from '../../util/plain.js'
import { RecordNode } from '../records.js'
import { View } from './view.js'
import type { Beginning, ViewGraph } from './view.js'

/**
 * A list of records. It is a separate view, so that a change of one member costs one copy of the array and no comparison
 * of other members.
 */
export class ListView extends View {
  readonly #schema: Schema
  readonly #references: () => readonly unknown[] | undefined
  /** True if only results show the list, because they are computed after it. */
  readonly #isOfResult: boolean
  readonly #delegate: Denormalization
  /** The references that the value shows. */
  #shown: readonly unknown[] = []
  /** The number of these references when the value was computed: the list of all records grows in place. */
  #length = 0
  /** Members that may have changed since the value was computed; `undefined` if all have to be checked. */
  #marked: View[] | undefined = []
  /** True if a member is at several positions. */
  #hasRepeated = false

  /**
   * @param schema - the schema of a member
   * @param references - returns the current references; `undefined` if there is no list
   * @param isOfResult - true if only results show the list: then `finish` may still find that nothing changed
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
    // As many marks as members: checks all members instead.
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
      if (references === this.#shown) {
        if (references.length === this.#length) return 'unchanged'
      } else if (isShownAlike(references, this.#shown)) return 'to link'
    }
    this.value = this.#canPatch ? (this.value as unknown[]).slice() : []
    return 'to finish'
  }

  override finish(graph: ViewGraph, previous: unknown): void {
    const members = this.value as unknown[]
    const references = this.#references() ?? []
    // After `to link` the value stays and is only linked again.
    const isStanding = members === previous
    const isPatchable = !isStanding && members.length > 0
    const isChanged = isPatchable ? this.#patch(members, references) : undefined
    const known = isChanged === undefined ? 0 : this.#length
    if (isChanged === undefined || references.length > known) {
      const { sources } = this
      graph.link(this, () => {
        for (let index = 0; index < known; index++) graph.readSource(sources[index] as View)
        const added = known === 0 ? references : references.slice(known)
        this.#delegate.addMembers(this.#schema, added, isStanding ? [] : members, known)
      })
      this.#notePositions()
    }
    // A patch knows if a member differs, without a comparison of all.
    const isSame =
      this.#isOfResult &&
      (isChanged === undefined ? isSameList(previous, members) : !isChanged && members.length === known)
    this.#marked = []
    this.#shown = references
    this.#length = references.length
    if (isSame) this.value = previous
    else if (development) Object.freeze(members)
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
  #patch(members: unknown[], references: readonly unknown[]): boolean | undefined {
    const shown = this.#shown
    if (references !== shown && !shown.every((item, index) => item === references[index])) return undefined
    let isChanged = false
    const { sources } = this
    for (const view of this.#marked ?? []) {
      const position = sources[view.position] === view ? view.position : sources.indexOf(view)
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

/** True if two lists are equal except for deleted members, which are not shown. */
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
