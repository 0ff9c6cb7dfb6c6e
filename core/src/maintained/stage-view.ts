import { development } from '#development'
import { View } from '../store/view/view.js'
import type { Beginning, ViewGraph } from '../store/view/view.js'
import { isSameList } from '../util/plain.js'
import { Pending, readFlow, tell } from './flow.js'
import type { Consumer, Entry, Flow, Slot } from './flow.js'
import { ReadNoter } from './noted-reads.js'
import type { Reads } from './noted-reads.js'
import { OrderedList } from './ordered-list.js'
import { countIn, isEqual, threwFor } from './steps.js'
import type { ListPlan } from './steps.js'

/** With more changes than this, an array is made anew instead of copied and changed. */
const mostEdits = 16

/** The most lists that are remembered weakly: those of before an optimistic update, and of taking it back. */
const mostEarlier = 2

/** What is known of a member of the source. */
interface Judged {
  readonly entry: Entry
  readonly isIn: boolean
  /** What the tests read; `undefined` if they were not called. */
  readonly reads: Reads | undefined
  readonly passes: boolean
}

/** A change of the shown array. */
interface Edit {
  readonly at: number
  readonly removed: 0 | 1
  /** What is added. */
  readonly slot: Slot | undefined
}

/** The members of a flow that pass the tests, in order, or a part of them. Its value is the list, once somebody reads it. */
export class StageView extends View implements Flow, Consumer {
  readonly #flow: Flow
  readonly #plan: ListPlan
  readonly #args: unknown
  readonly #wanted: readonly (readonly [field: string, value: unknown])[]
  readonly #noter = new ReadNoter()
  readonly #isForeignOrder: boolean
  #judged = new Map<Slot, Judged>()
  readonly #list: OrderedList<Entry>
  readonly #pending = new Pending()
  /** The changes since the value was made; `undefined` if there are too many. */
  #edits: Edit[] | undefined = undefined
  /** The value that this view made last: another one was put back after an optimistic update. */
  #last: unknown = undefined
  /** The lists before it. One comes back, if somebody still has it, when an optimistic update is taken back. */
  #earlier: readonly WeakRef<readonly unknown[]>[] = []
  /** The members between `offset` and `limit`; `undefined` without those. */
  #part: Map<Slot, Entry> | undefined
  /** The error of a function of the application. */
  #isDue = true
  error: unknown = undefined
  /** True if somebody reads the list itself. */
  #isShown = false

  constructor(flow: Flow, plan: ListPlan, args: unknown) {
    super()
    this.#flow = flow
    this.#plan = plan
    this.#args = args
    this.#wanted = plan.equalities
      .map(({ field, valueIn }) => [field, valueIn(args)] as const)
      .filter(([, value]) => value !== undefined)
    this.#isForeignOrder = plan.orders.some(({ isForeign }) => isForeign)
    this.#list = new OrderedList(this.compare)
    if (plan.offset !== undefined || plan.limit !== undefined) this.#part = new Map()
  }

  get isKnown(): boolean {
    return this.#flow.isKnown
  }

  /** The number of members. */
  get size(): number {
    return this.#part?.size ?? this.#list.length
  }

  /** The first member. */
  get first(): unknown {
    const entry = this.#part === undefined ? this.#list.at(0) : [...this.#part.values()][0]
    return entry?.slot.value
  }

  readonly compare = (a: Entry, b: Entry): number => {
    const order = this.#compareOwn(a, b)
    return order === 0 ? this.#flow.compare(a, b) : order
  }

  /** Called before somebody reads the list itself. */
  show(graph: ViewGraph): void {
    if (this.#isShown) return
    this.#isShown = true
    if (this.isCurrent) graph.markWritten(this)
  }

  entryOf(slot: Slot): Entry | undefined {
    if (this.#part !== undefined) return this.#part.get(slot)
    const judged = this.#judged.get(slot)
    return judged?.isIn === true ? judged.entry : undefined
  }

  *entries(): Generator<Entry> {
    if (this.#part !== undefined) return yield* this.#part.values()
    for (const { entry, isIn } of this.#judged.values()) if (isIn) yield entry
  }

  noteChanged(slot?: Slot): void {
    this.#pending.add(slot)
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
    // After it was unlinked it was not told what changed.
    if (this.sources.length === 0) this.#pending.add(undefined)
    readFlow(graph, this, this.#flow)
    if (!this.#isDue) return
    this.#isDue = false
    this.error = this.#flow.error
    if (this.error !== undefined) return
    try {
      this.#pending.take(
        () => this.#fill(),
        (slot) => this.#leave(slot),
        (entry) => this.#insert(entry),
      )
    } catch (error) {
      this.error = error
      return
    }
    this.#cut()
    if (!this.#isShown) return
    const before = this.#last
    this.value = this.#last = this.#show(this.value)
    if (before !== this.#last && Array.isArray(before))
      this.#earlier = [new WeakRef(before as readonly unknown[]), ...this.#earlier].slice(0, mostEarlier)
  }

  #fill(): void {
    const before = this.#judged
    const judged = new Map<Slot, Judged>()
    const items: Entry[] = []
    for (const entry of this.#flow.entries()) {
      const now = this.#judge(entry, before.get(entry.slot))
      if (now.isIn) items.push(entry)
      if (now.isIn || now.reads !== undefined) judged.set(entry.slot, now)
    }
    this.#judged = judged
    this.#edits = undefined
    this.#list.fillWith(items)
    if (this.#part === undefined) tell(this)
  }

  /** Takes a member out of its place, if it changed that. @returns its entry for another place */
  #leave(slot: Slot): Entry | undefined {
    const next = this.#flow.entryOf(slot)
    const before = this.#judged.get(slot)
    if (next === before?.entry) return undefined
    const now = next && this.#judge(next, before)
    if (now !== undefined && (now.isIn || now.reads !== undefined)) this.#judged.set(slot, now)
    else this.#judged.delete(slot)
    const from = before?.isIn === true ? before.entry : undefined
    const to = now?.isIn === true ? now.entry : undefined
    if (from === undefined && to === undefined) return undefined
    if (this.#part === undefined) tell(this, slot)
    if (from === undefined) return to
    if (to !== undefined && this.compare(from, to) === 0) {
      this.#replace(from, to)
      return undefined
    }
    this.#remove(from)
    return to
  }

  #judge(entry: Entry, before: Judged | undefined): Judged {
    const { value } = entry
    for (const [field, wanted] of this.#wanted) {
      const found = (value as Record<string, unknown>)[field]
      if (!isEqual(found, wanted)) return { entry, isIn: false, reads: undefined, passes: false }
    }
    const { tests } = this.#plan
    if (tests.length === 0) return { entry, isIn: true, reads: undefined, passes: true }
    if (before?.reads?.areSame(before.entry.value, value) === true)
      return { entry, isIn: before.passes, reads: before.reads, passes: before.passes }
    try {
      const pass = (member: unknown) => tests.every((test) => test(member as never, this.#args as never))
      const { result, reads } = this.#noter.call(value, pass)
      return { entry, isIn: result, reads, passes: result }
    } catch (error) {
      throw threwFor('where', value, error)
    }
  }

  #insert(entry: Entry): void {
    this.#edit(this.#list.insert(entry), 0, entry.slot)
  }

  #remove(entry: Entry): void {
    const at = this.#list.remove(entry)
    if (at !== -1) return this.#edit(at, 1, undefined)
    // A comparison that contradicts itself.
    this.#list.fillWith(this.#list.slice().filter(({ slot }) => slot !== entry.slot))
    this.#edits = undefined
  }

  #replace(from: Entry, to: Entry): void {
    // The order of the application is not asked where the record stands: what is shown of it is found instead.
    const at = this.#isForeignOrder ? this.#indexOf(from) : this.#list.replace(to)
    if (at === -1) this.#edits = undefined
    else this.#edit(at, 1, to.slot)
  }

  #indexOf(entry: Entry): number {
    if (!Array.isArray(this.value) || this.#edits?.length !== 0) return -1
    return (this.value as unknown[]).indexOf(entry.value)
  }

  #edit(at: number, removed: 0 | 1, slot: Slot | undefined): void {
    if (this.#edits === undefined) return
    if (this.#edits.length === mostEdits) this.#edits = undefined
    else this.#edits.push({ at, removed, slot })
  }

  /** Takes the part between `offset` and `limit`, and tells what changed of it. */
  #cut(): void {
    const before = this.#part
    if (before === undefined) return
    const from = countIn(this.#plan.offset, this.#args) ?? 0
    const limit = countIn(this.#plan.limit, this.#args)
    const shown = this.#list.slice(from, limit === undefined ? undefined : from + limit)
    // The list may have an earlier entry of the same place.
    const part = new Map(shown.map(({ slot }) => [slot, (this.#judged.get(slot) as Judged).entry]))
    this.#part = part
    for (const [slot, entry] of part) if (before.get(slot) !== entry) tell(this, slot)
    for (const slot of before.keys()) if (!part.has(slot)) tell(this, slot)
  }

  #show(previous: unknown): unknown {
    const edits = this.#edits
    this.#edits = []
    if (!this.isKnown) return undefined
    const isOwn = previous !== undefined && previous === this.#last
    if (isOwn && edits?.length === 0) return previous
    if (isOwn && edits !== undefined && this.#part === undefined) {
      const copy = (previous as readonly unknown[]).slice()
      for (const { at, removed, slot } of edits) {
        if (slot === undefined) copy.splice(at, removed)
        else if (removed === 1) copy[at] = slot.value
        else copy.splice(at, 0, slot.value)
      }
      // Members that went and came back stand where they stood.
      return isSameList(previous, copy) ? previous : frozen(copy)
    }
    const slots =
      this.#part === undefined ? this.#list.slice().map(({ slot }) => slot) : [...this.#part.keys()]
    if (!isOwn && Array.isArray(previous) && previous.length === slots.length)
      slots.forEach((slot, index) => slot.adopt?.((previous as readonly unknown[])[index]))
    const members = slots.map(({ value }) => value)
    const earlier = [previous, this.#last, ...this.#earlier.map((list) => list.deref())]
    return earlier.find((list) => isSameList(list, members)) ?? frozen(members)
  }

  #compareOwn(a: Entry, b: Entry): number {
    for (const order of this.#plan.orders) {
      try {
        const found = order.compare(a.value, b.value, this.#args)
        // Not a number counts as equal, as for `Array.prototype.sort`.
        if (found !== 0 && !Number.isNaN(found)) return found
      } catch (error) {
        throw threwFor('orderBy', a.value, error)
      }
    }
    return 0
  }
}

export function frozen<Value extends object>(value: Value): Value {
  return development ? Object.freeze(value) : value
}
