import { development } from '#development'
import type { ViewGraph } from '../store/view/view.js'
import { getOrMake } from '../util/get-or-make.js'
import { isSameList } from '../util/plain.js'
import { tell } from './flow.js'
import type { MemberState, Flow, Slot } from './flow.js'
import { FlowReader } from './flow-reader.js'
import { MemberMap } from './member-map.js'
import { ReadNoter } from './noted-reads.js'
import type { FieldReads } from './noted-reads.js'
import { OrderedList } from './ordered-list.js'
import { sortedByKey } from './sorted.js'
import { countIn, isEqual, threwFor } from './steps.js'
import type { ListPlan } from './steps.js'

/** With more changes than this, an array is made anew instead of copied and changed. */
const mostEdits = 16

/** The most lists that are remembered weakly: those of before an optimistic update, and of taking it back. */
const mostEarlier = 2

/** What the tests say of a member. */
interface Verdict {
  readonly isIn: boolean
  /** What the tests read; `undefined` if they were not called. */
  readonly reads: FieldReads | undefined
}

interface Verdicts {
  readonly passed: Verdict
  readonly failed: Verdict
}

const passed: Verdict = { isIn: true, reads: undefined }
const failed: Verdict = { isIn: false, reads: undefined }

/** What is known of a member of the source. */
interface Judged {
  readonly entry: MemberState
  readonly verdict: Verdict
}

/** A change of the shown array. */
interface Edit {
  readonly at: number
  readonly removed: 0 | 1
  /** What is added. */
  readonly slot: Slot | undefined
}

/** The members of a flow that pass the tests, in order, or a part of them. Its value is the list, once somebody reads it. */
export class StageView extends FlowReader implements Flow {
  readonly #plan: ListPlan
  readonly #args: unknown
  readonly #wanted: readonly (readonly [field: string, value: unknown])[]
  readonly #noter: ReadNoter<boolean>
  /** The last verdicts: one object for all members of which the same was read. */
  #verdicts: Verdicts | undefined
  readonly #known = new Map<FieldReads, Verdicts>()
  readonly #isForeignOrder: boolean
  readonly #judged = new MemberMap<Judged>()
  readonly #list: OrderedList<MemberState>
  /** True if the list may have an earlier entry of a member at the same place. */
  #hasEarlier = false
  /** The changes since the value was made; `undefined` if there are too many. */
  #edits: Edit[] | undefined = undefined
  /** The value that this view made last: another one was put back after an optimistic update. */
  #last: unknown = undefined
  /** The lists before it. One comes back, if somebody still has it, when an optimistic update is taken back. */
  #earlier: readonly WeakRef<readonly unknown[]>[] = []
  /** The members between `offset` and `limit`; `undefined` without those. */
  #part: Map<Slot, MemberState> | undefined
  /** True if somebody reads the list itself. */
  #isShown = false

  constructor(flow: Flow, plan: ListPlan, args: unknown) {
    super(flow)
    this.#plan = plan
    this.#args = args
    this.#wanted = plan.equalities
      .map(({ field, valueIn }) => [field, valueIn(args)] as const)
      .filter(([, value]) => value !== undefined)
    this.#noter = new ReadNoter(testOf(plan, args))
    this.#isForeignOrder = plan.orders.some(({ isForeign }) => isForeign)
    this.#list = new OrderedList(this.compare)
    if (plan.offset !== undefined || plan.limit !== undefined) this.#part = new Map()
  }

  /** The number of members. */
  get size(): number {
    return this.#part?.size ?? this.#list.length
  }

  /** The members from one place up to another, which is not included. */
  between(from: number, to: number): unknown[] {
    const entries =
      this.#part === undefined ? this.#list.slice(from, to) : [...this.#part.values()].slice(from, to)
    return entries.map(({ slot }) => slot.value)
  }

  /** The first member. */
  get first(): unknown {
    const entry = this.#part === undefined ? this.#list.at(0) : [...this.#part.values()][0]
    return entry?.slot.value
  }

  readonly compare = (a: MemberState, b: MemberState): number => {
    const order = this.#compareOwn(a, b)
    return order === 0 ? this.flow.compare(a, b) : order
  }

  /** Called before somebody reads the list itself. */
  show(graph: ViewGraph): void {
    if (this.#isShown) return
    this.#isShown = true
    if (this.isCurrent) graph.markWritten(this)
  }

  entryOf(slot: Slot): MemberState | undefined {
    if (this.#part !== undefined) return this.#part.get(slot)
    const judged = this.#judged.get(slot)
    return judged?.verdict.isIn === true ? judged.entry : undefined
  }

  entries(): readonly MemberState[] {
    if (this.#part !== undefined) return [...this.#part.values()]
    const entries = this.#list.slice()
    return this.#hasEarlier ? entries.map(({ slot }) => this.#entryIn(slot)) : entries
  }

  protected take(): void {
    this.pending.take(
      () => this.#fill(),
      (slot) => this.#leave(slot),
      (entry) => this.#insert(entry),
    )
    this.#cut()
  }

  protected renew(): void {
    if (!this.#isShown) return
    const before = this.#last
    this.value = this.#last = this.#shown(this.value)
    if (before !== this.#last && Array.isArray(before))
      this.#earlier = [new WeakRef(before as readonly unknown[]), ...this.#earlier].slice(0, mostEarlier)
  }

  #fill(): void {
    const entries = this.flow.entries()
    const verdicts: Verdict[] = []
    const items: MemberState[] = []
    for (const entry of entries) {
      const verdict = this.#judge(entry)
      verdicts.push(verdict)
      if (verdict.isIn) items.push(entry)
    }
    this.#judged.fillWith((map) => {
      for (const [index, verdict] of verdicts.entries()) {
        const entry = entries[index] as MemberState
        if (isNoted(verdict)) map.set(entry.slot, { entry, verdict })
      }
    })
    this.#edits = undefined
    this.#list.fillWith(this.#sorted(items))
    this.#hasEarlier = false
    if (this.#part === undefined) tell(this)
  }

  /** Sorts members that are in the order of the source. */
  #sorted(items: MemberState[]): MemberState[] {
    const [first, ...others] = this.#plan.orders
    if (first === undefined) return items
    if (first.keyOf !== undefined && others.length === 0) return sortedByKey(items, first.keyOf, first.sign)
    return items.sort((a, b) => this.#compareOwn(a, b))
  }

  /** Takes a member out of its place, if it changed that. @returns its entry for another place */
  #leave(slot: Slot): MemberState | undefined {
    const next = this.flow.entryOf(slot)
    const before = this.#judged.get(slot)
    if (next === before?.entry) return undefined
    const verdict = next && this.#judge(next, before)
    if (next !== undefined && verdict !== undefined && isNoted(verdict))
      this.#judged.set(slot, { entry: next, verdict })
    else this.#judged.delete(slot)
    const from = before?.verdict.isIn === true ? before.entry : undefined
    const to = verdict?.isIn === true ? next : undefined
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

  #judge({ value }: MemberState, before?: Judged): Verdict {
    for (const [field, wanted] of this.#wanted)
      if (!isEqual((value as Record<string, unknown>)[field], wanted)) return failed
    if (this.#plan.tests.length === 0) return passed
    if (before?.verdict.reads?.areSame(before.entry.value, value) === true) return before.verdict
    try {
      const isIn = this.#noter.call(value)
      const { reads } = this.#noter
      if (this.#verdicts?.passed.reads !== reads)
        this.#verdicts = getOrMake(this.#known, reads, () => ({
          passed: { isIn: true, reads },
          failed: { isIn: false, reads },
        }))
      return isIn ? this.#verdicts.passed : this.#verdicts.failed
    } catch (error) {
      throw threwFor('where', value, error)
    }
  }

  #entryIn(slot: Slot): MemberState {
    return (this.#judged.get(slot) as Judged).entry
  }

  #insert(entry: MemberState): void {
    this.#edit(this.#list.insert(entry), 0, entry.slot)
  }

  #remove(entry: MemberState): void {
    const at = this.#list.remove(entry)
    if (at !== -1) return this.#edit(at, 1, undefined)
    // A comparison that contradicts itself.
    this.#list.fillWith(this.#list.slice().filter(({ slot }) => slot !== entry.slot))
    this.#edits = undefined
  }

  #replace(from: MemberState, to: MemberState): void {
    // The order of the application is not asked where the record stands: what is shown of it is found instead.
    if (this.#isForeignOrder) this.#hasEarlier = true
    const at = this.#isForeignOrder ? this.#indexOf(from) : this.#list.replace(to)
    if (at === -1) this.#edits = undefined
    else this.#edit(at, 1, to.slot)
  }

  #indexOf(entry: MemberState): number {
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
    const part = new Map<Slot, MemberState>()
    for (const entry of shown) part.set(entry.slot, this.#hasEarlier ? this.#entryIn(entry.slot) : entry)
    this.#part = part
    for (const [slot, entry] of part) if (before.get(slot) !== entry) tell(this, slot)
    for (const slot of before.keys()) if (!part.has(slot)) tell(this, slot)
  }

  #shown(previous: unknown): unknown {
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
    const entries = this.#part === undefined ? this.#list.slice() : [...this.#part.values()]
    if (!isOwn && Array.isArray(previous) && previous.length === entries.length)
      entries.forEach(({ slot }, index) => slot.adopt?.((previous as readonly unknown[])[index]))
    const members = entries.map(({ slot }) => slot.value)
    const earlier = [previous, this.#last, ...this.#earlier.map((list) => list.deref())]
    return earlier.find((list) => isSameList(list, members)) ?? frozen(members)
  }

  #compareOwn(a: MemberState, b: MemberState): number {
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

/** Returns the tests as one function. Runs for every record: a list of one is common. */
function testOf({ tests }: ListPlan, args: unknown): (member: unknown) => boolean {
  const [only, ...others] = tests
  if (only !== undefined && others.length === 0) return (member) => only(member as never, args as never)
  return (member) => tests.every((test) => test(member as never, args as never))
}

/** False if a member needs no note: what is not in the list and was not tested. */
function isNoted({ isIn, reads }: Verdict): boolean {
  return isIn || reads !== undefined
}

export function frozen<Value extends object>(value: Value): Value {
  return development ? Object.freeze(value) : value
}
