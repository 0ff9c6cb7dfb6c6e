import type { Denormalization } from '../denormalize/denormalize.js'
import type { Schema } from '../schema/schema.js'
import { View } from '../store/view/view.js'
import type { Beginning, ViewGraph } from '../store/view/view.js'
import { tellChange } from './flow.js'
import type { MemberState, Flow, Slot } from './flow.js'

/** A member of a list, wherever it stands. */
class ArrayPlace implements Slot {
  value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

/**
 * The members of any list: of a Collection, or of a Query. A changed list is compared with the earlier one, object by object,
 * and only what differs is looked at.
 */
export class ArrayView extends View implements Flow {
  readonly #schema: Schema
  readonly #input: unknown
  readonly #delegate: Denormalization
  #entries = new Map<Slot, MemberState>()
  #order: MemberState[] = []
  #isDue = true
  isKnown = false

  /**
   * @param input - the normalized list
   * @param delegate - reads it
   */
  constructor(schema: Schema, input: unknown, delegate: Denormalization) {
    super()
    this.#schema = schema
    this.#input = input
    this.#delegate = delegate
  }

  readonly compare = (a: MemberState, b: MemberState): number => a.rank - b.rank

  entries(): readonly MemberState[] {
    return this.#order
  }

  override begin(): Beginning {
    this.#isDue = true
    return 'to finish last'
  }

  override finish(graph: ViewGraph): void {
    this.update(graph)
  }

  update(graph: ViewGraph): void {
    if (!this.#isDue) return
    const linking = graph.beginLinking()
    const list = this.#delegate.complete(this.#schema, this.#input)
    graph.endLinking(this, linking)
    this.#isDue = false
    const isKnown = Array.isArray(list)
    if (isKnown !== this.isKnown) tellChange(this)
    this.isKnown = isKnown
    this.#take(isKnown ? (list as readonly unknown[]) : [])
  }

  #take(list: readonly unknown[]): void {
    const before = this.#order
    const shortest = Math.min(before.length, list.length)
    let start = 0
    while (start < shortest && before[start]?.value === list[start]) start++
    if (start === before.length && start === list.length) return
    let same = 0
    while (same < shortest - start && before.at(-1 - same)?.value === list.at(-1 - same)) same++
    const replaced = before.slice(start, before.length - same)
    const added = list.slice(start, list.length - same)
    if (replaced.length === added.length && this.#replaceEach(start, replaced, added)) return
    const next = this.#insert(replaced, added, before[start - 1]?.rank, before[before.length - same]?.rank)
    this.#order = [...before.slice(0, start), ...next, ...before.slice(before.length - same)]
    this.#makeRoom()
  }

  /** Where a changed member stands at the place of the earlier one, it keeps its slot. @returns false if any has moved */
  #replaceEach(start: number, replaced: readonly MemberState[], added: readonly unknown[]): boolean {
    const gone = new Set(replaced.map(({ value }) => value))
    for (const value of added) gone.delete(value)
    const changed = [...replaced.entries()].filter(([index, { value }]) => value !== added[index])
    if (gone.size !== changed.length) return false
    const order = this.#order.slice()
    for (const [index, { slot, rank }] of changed) {
      const entry = { slot, value: added[index], rank, shape: undefined }
      ;(slot as ArrayPlace).value = entry.value
      order[start + index] = entry
      this.#set(slot, entry)
    }
    this.#order = order
    return true
  }

  /** Gives values their places between two others. A value that was there keeps its slot. @returns the new entries */
  #insert(
    replaced: readonly MemberState[],
    added: readonly unknown[],
    after: number | undefined,
    before: number | undefined,
  ): readonly MemberState[] {
    const known = new Map<unknown, Slot[]>()
    for (const { slot, value } of replaced) {
      const slots = known.get(value)
      if (slots === undefined) known.set(value, [slot])
      else slots.push(slot)
    }
    const from = after ?? (before === undefined ? 0 : before - added.length - 1)
    const to = before ?? from + added.length + 1
    const step = (to - from) / (added.length + 1)
    const entries = added.map((value, index) => {
      const slot = known.get(value)?.shift() ?? new ArrayPlace(value)
      return { slot, value, rank: from + step * (index + 1), shape: undefined }
    })
    for (const slot of [...known.values()].flat()) this.#set(slot, undefined)
    for (const entry of entries) this.#set(entry.slot, entry)
    return entries
  }

  #set(slot: Slot, after: MemberState | undefined): void {
    const before = this.#entries.get(slot)
    if (after === undefined) this.#entries.delete(slot)
    else this.#entries.set(slot, after)
    tellChange(this, { slot, before, after })
  }

  /** Between two numbers is room for some fifty more: then all get new ones. */
  #makeRoom(): void {
    const order = this.#order
    if (order.every(({ rank }, index) => index === 0 || rank > (order[index - 1] as MemberState).rank)) return
    this.#order = order.map(({ slot, value, shape }, rank) => ({ slot, value, rank, shape }))
    this.#entries = new Map(this.#order.map((entry) => [entry.slot, entry]))
    tellChange(this)
  }
}
