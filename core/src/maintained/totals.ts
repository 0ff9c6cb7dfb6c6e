import type { MemberState } from './flow.js'
import type { Slot } from './flow.js'
import { ExactSum } from './exact-sum.js'
import { MemberMap } from './member-map.js'
import { OrderedList } from './ordered-list.js'
import { isCounted, threwFor } from './steps.js'
import type { Total } from './steps.js'
import { compareValues } from '../util/compare-fields.js'

/** Keeps a value of some entries while they come and go. */
export interface Keeper {
  /** The first entries. */
  fillWith(entries: readonly MemberState[]): void
  add(entry: MemberState): void
  remove(slot: Slot): void
  readonly value: unknown
}

/** True if a total needs a keeper: a list knows the number of its members, and the first. */
export function isKept({ kind }: Total): boolean {
  return kind === 'sum' || kind === 'min' || kind === 'max'
}

/** Makes the keeper of a sum, or of the smallest or largest value. @param compare - the order of the entries */
export function keeperOf(
  total: Total,
  args: unknown,
  compare: (a: MemberState, b: MemberState) => number,
): Keeper {
  const valueOf = ({ value }: MemberState) => {
    try {
      return total.valueOf(value, args)
    } catch (error) {
      throw threwFor(total.kind, value, error)
    }
  }
  return total.kind === 'sum'
    ? new SumKeeper(valueOf)
    : new BestKeeper(valueOf, compare, total.kind === 'min' ? 1 : -1)
}

class SumKeeper implements Keeper {
  readonly #sum = new ExactSum()
  readonly #values = new MemberMap<number>()
  readonly #valueOf: (entry: MemberState) => unknown

  constructor(valueOf: (entry: MemberState) => unknown) {
    this.#valueOf = valueOf
  }

  get value(): number {
    return this.#sum.value
  }

  fillWith(entries: readonly MemberState[]): void {
    const numbers: (number | undefined)[] = []
    for (const entry of entries) {
      const value = this.#valueOf(entry)
      const number = isCounted(value) ? Number(value) : undefined
      numbers.push(number)
      if (number !== undefined) this.#sum.add(number)
    }
    this.#values.fillWith((map) => {
      for (const [index, number] of numbers.entries())
        if (number !== undefined) map.set((entries[index] as MemberState).slot, number)
    })
  }

  add(entry: MemberState): void {
    const value = this.#valueOf(entry)
    if (!isCounted(value)) return
    this.#values.set(entry.slot, Number(value))
    this.#sum.add(Number(value))
  }

  remove(slot: Slot): void {
    const value = this.#values.get(slot)
    if (value === undefined) return
    this.#values.delete(slot)
    this.#sum.remove(value)
  }
}

interface Valued {
  readonly entry: MemberState
  readonly value: unknown
}

/** The smallest or the largest value. Of equal ones, that of the first entry. */
class BestKeeper implements Keeper {
  readonly #values = new MemberMap<Valued>()
  readonly #list: OrderedList<Valued>
  readonly #compare: (a: Valued, b: Valued) => number
  readonly #valueOf: (entry: MemberState) => unknown

  constructor(
    valueOf: (entry: MemberState) => unknown,
    compare: (a: MemberState, b: MemberState) => number,
    sign: 1 | -1,
  ) {
    this.#valueOf = valueOf
    this.#compare = (a, b) => compareValues(a.value, b.value, sign) || compare(a.entry, b.entry)
    this.#list = new OrderedList(this.#compare)
  }

  get value(): unknown {
    return this.#list.at(0)?.value
  }

  fillWith(entries: readonly MemberState[]): void {
    const valued: Valued[] = []
    for (const entry of entries) {
      const value = this.#valueOf(entry)
      if (isCounted(value)) valued.push({ entry, value })
    }
    this.#values.fillWith((map) => {
      for (const each of valued) map.set(each.entry.slot, each)
    })
    this.#list.fillWith(valued.slice().sort(this.#compare))
  }

  add(entry: MemberState): void {
    const value = this.#valueOf(entry)
    if (!isCounted(value)) return
    const valued = { entry, value }
    this.#values.set(entry.slot, valued)
    this.#list.insert(valued)
  }

  remove(slot: Slot): void {
    const valued = this.#values.get(slot)
    if (valued === undefined) return
    this.#values.delete(slot)
    this.#list.remove(valued)
  }
}
