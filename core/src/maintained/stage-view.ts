import { shareData } from '../util/shared-data.js'
import type { ViewGraph } from '../store/view/view.js'
import { isSameList } from '../util/plain.js'
import { EarlierLists } from './earlier-lists.js'
import { tell } from './flow.js'
import type { Flow, MemberChange, MemberState, Slot } from './flow.js'
import { FlowReader } from './flow-reader.js'
import { ReadNoter } from './noted-reads.js'
import { OrderedList } from './ordered-list.js'
import { sortedByKeys } from './sorted.js'
import { countIn, isEqual, threwFor } from './steps.js'
import type { ListPlan } from './steps.js'

/** With more changes than this, an array is created again instead of copied and changed. */
const mostArrayEdits = 16

/** A field and the value that members have in it. */
interface Wanted {
  readonly field: string
  readonly value: unknown
}

/** A change of the shown array. */
interface ArrayEdit {
  readonly at: number
  readonly removed: 0 | 1
  /** What is added. */
  readonly slot: Slot | undefined
}

/**
 * The members of a flow that pass the tests, in order, or a part of them. Its value is the list, once somebody reads it. It keeps
 * nothing of what is not in the list: a change says what its member was before, and from that follows whether it was in.
 */
export class StageView extends FlowReader implements Flow {
  readonly #plan: ListPlan
  readonly #args: unknown
  readonly #wanted: readonly Wanted[]
  readonly #noter: ReadNoter<boolean>
  readonly #hasTests: boolean
  readonly #isForeignOrder: boolean
  readonly #list: OrderedList<MemberState>
  /** All that is in the list, until the first change. */
  #first: readonly MemberState[] | undefined
  /** The states of members that took the places of earlier ones of them, which the list still has. */
  readonly #newer = new Map<Slot, MemberState>()
  /** The members, where they are asked for and no search in the list finds them without the order of the application. */
  #members: Set<Slot> | undefined
  /** The changes since the value was made; `undefined` if there are too many. */
  #edits: ArrayEdit[] | undefined = undefined
  /** The value that this view made last: another one was put back after an optimistic update. */
  #last: unknown = undefined
  readonly #earlier = new EarlierLists()
  /** The members between `offset` and `limit`; `undefined` without those. */
  #part: Map<Slot, MemberState> | undefined
  /** True if somebody reads the list itself. */
  #isShown = false

  constructor(flow: Flow, plan: ListPlan, args: unknown) {
    super(flow)
    this.#plan = plan
    this.#args = args
    this.#wanted = plan.equalities
      .map(({ field, valueIn }) => ({ field, value: valueIn(args) }))
      .filter(({ value }) => value !== undefined)
    this.#noter = new ReadNoter(testOf(plan, args))
    this.#hasTests = plan.tests.length > 0
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
    return valuesOf(entries)
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
    graph.drop(this)
  }

  entries(): readonly MemberState[] {
    if (this.#first !== undefined) return this.#first
    if (this.#part !== undefined) return [...this.#part.values()]
    const entries = this.#list.slice()
    return this.#newer.size === 0 ? entries : entries.map((entry) => this.#newest(entry))
  }

  protected take(): void {
    this.pending.take(
      () => this.#fill(),
      (change) => this.#leave(change),
      (entry) => this.#insert(entry),
    )
    this.#cut()
  }

  protected renew(): void {
    if (!this.#isShown) return
    const before = this.#last
    this.value = this.#last = this.#shown(this.value)
    if (before !== this.#last && Array.isArray(before)) this.#earlier.add(before)
  }

  #fill(): void {
    this.#edits = undefined
    const members = this.#sorted(this.#passing(this.flow.entries()))
    this.#list.fillWith(members)
    this.#first = this.#part === undefined ? members : undefined
    this.#newer.clear()
    this.#members = undefined
    if (this.#part === undefined) tell(this)
  }

  #passing(entries: readonly MemberState[]): readonly MemberState[] {
    if (!this.#hasTests && this.#wanted.length === 0) return entries
    const passing: MemberState[] = []
    for (const entry of entries)
      if (this.#isWanted(entry) && (!this.#hasTests || this.#test(entry))) passing.push(entry)
    return passing
  }

  /** Sorts members that are in the order of the source. */
  #sorted(members: readonly MemberState[]): readonly MemberState[] {
    const { orders } = this.#plan
    if (orders.length === 0) return members
    return this.#isForeignOrder
      ? members.slice().sort((a, b) => this.#compareOwn(a, b))
      : sortedByKeys(members, orders)
  }

  /** Takes a member out of its place, if it changed that. @returns its state for another place */
  #leave({ slot, before, after }: MemberChange): MemberState | undefined {
    this.#first = undefined
    const from = before !== undefined && this.#had(before) ? before : undefined
    const to = after !== undefined && this.#passes(after, before, from !== undefined) ? after : undefined
    if (from === undefined && to === undefined) return undefined
    if (this.#part === undefined) tell(this, { slot, before: from, after: to })
    if (from === undefined) return to
    if (to !== undefined && this.compare(from, to) === 0) {
      this.#replace(from, to)
      return undefined
    }
    this.#remove(from)
    return to
  }

  /** True if a member was in the list in an earlier state. */
  #had(before: MemberState): boolean {
    if (!this.#isWanted(before)) return false
    if (!this.#hasTests) return true
    if (!this.#isForeignOrder) return this.#list.find(before)?.slot === before.slot
    this.#members ??= new Set(this.#list.slice().map(({ slot }) => slot))
    return this.#members.has(before.slot)
  }

  #passes(after: MemberState, before: MemberState | undefined, wasIn: boolean): boolean {
    if (!this.#isWanted(after)) return false
    if (!this.#hasTests) return true
    // The tests were called with what has the wanted values only.
    const isKnown =
      before !== undefined && this.#isWanted(before) && this.#noter.areSame(before.value, after.value)
    return isKnown ? wasIn : this.#test(after)
  }

  #isWanted({ value: member }: MemberState): boolean {
    for (const { field, value } of this.#wanted)
      if (!isEqual((member as Record<string, unknown>)[field], value)) return false
    return true
  }

  #test(member: MemberState): boolean {
    try {
      return this.#noter.call(member)
    } catch (error) {
      throw threwFor('where', member.value, error)
    }
  }

  #newest(entry: MemberState): MemberState {
    return this.#newer.get(entry.slot) ?? entry
  }

  #insert(entry: MemberState): void {
    this.#members?.add(entry.slot)
    this.#edit(this.#list.insert(entry), 0, entry.slot)
  }

  #remove(entry: MemberState): void {
    this.#newer.delete(entry.slot)
    this.#members?.delete(entry.slot)
    const at = this.#list.remove(entry)
    if (at !== -1) return this.#edit(at, 1, undefined)
    // A comparison that contradicts itself.
    this.#list.fillWith(this.#list.slice().filter(({ slot }) => slot !== entry.slot))
    this.#edits = undefined
  }

  #replace(from: MemberState, to: MemberState): void {
    // The order of the application is not asked where the record stands: what is shown of it is found instead.
    if (this.#isForeignOrder) this.#newer.set(to.slot, to)
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
    if (this.#edits.length === mostArrayEdits) this.#edits = undefined
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
    for (const entry of shown) part.set(entry.slot, this.#newest(entry))
    this.#part = part
    for (const [slot, earlier] of before)
      if (!part.has(slot)) tell(this, { slot, before: earlier, after: undefined })
    for (const [slot, after] of part) {
      const earlier = before.get(slot)
      if (earlier !== after) tell(this, { slot, before: earlier, after })
    }
  }

  #shown(previous: unknown): unknown {
    const edits = this.#edits
    this.#edits = []
    if (!this.isKnown) return undefined
    const isOwn = previous !== undefined && previous === this.#last
    if (isOwn && edits?.length === 0) return previous
    if (isOwn && edits !== undefined && this.#part === undefined) {
      // A copy by `slice` takes a hundred times as long of a frozen array, which it is in development.
      const copy = [...(previous as readonly unknown[])]
      for (const { at, removed, slot } of edits) {
        if (slot === undefined) copy.splice(at, removed)
        else if (removed === 1) copy[at] = slot.value
        else copy.splice(at, 0, slot.value)
      }
      // Members that went and came back stand where they stood.
      return isSameList(previous, copy)
        ? previous
        : (this.#earlier.find(copy, edits.at(-1)?.at) ?? shareData(copy))
    }
    const entries = this.#part === undefined ? (this.#first ?? this.#list.slice()) : [...this.#part.values()]
    if (!isOwn && Array.isArray(previous) && previous.length === entries.length)
      entries.forEach(({ slot }, index) => slot.adopt?.((previous as readonly unknown[])[index]))
    // What was looked at now shows what it is, so that no view has to be asked.
    const members = entries === this.#first ? entries.map(({ value }) => value) : valuesOf(entries)
    const known = [previous, this.#last].find((list) => isSameList(list, members))
    return known ?? this.#earlier.find(members) ?? shareData(members)
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

/** What members show now. Runs for every record of a first read. */
function valuesOf(members: readonly MemberState[]): unknown[] {
  const values: unknown[] = []
  for (let index = 0; index < members.length; index++) values.push((members[index] as MemberState).slot.value)
  return values
}
