import type { Entry } from './flow.js'
import type { Slot } from './flow.js'
import { ExactSum } from './exact-sum.js'
import { OrderedList } from './ordered-list.js'
import { isThere, threwFor } from './steps.js'
import type { Total } from './steps.js'
import { compareValues } from '../util/compare-fields.js'

/** Keeps a value of some entries while they come and go. */
export interface Keeper {
  add(entry: Entry): void
  remove(slot: Slot): void
  readonly value: unknown
}

/** Makes the keeper of a sum, or of the smallest or largest value. @param compare - the order of the entries */
export function keeperOf(total: Total, args: unknown, compare: (a: Entry, b: Entry) => number): Keeper {
  const valueOf = ({ value }: Entry) => {
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
  readonly #values = new Map<Slot, number>()
  readonly #valueOf: (entry: Entry) => unknown

  constructor(valueOf: (entry: Entry) => unknown) {
    this.#valueOf = valueOf
  }

  get value(): number {
    return this.#sum.value
  }

  add(entry: Entry): void {
    const value = this.#valueOf(entry)
    if (!isThere(value)) return
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
  readonly entry: Entry
  readonly value: unknown
}

/** The smallest or the largest value. Of equal ones, that of the first entry. */
class BestKeeper implements Keeper {
  readonly #values = new Map<Slot, Valued>()
  readonly #list: OrderedList<Valued>
  readonly #valueOf: (entry: Entry) => unknown

  constructor(valueOf: (entry: Entry) => unknown, compare: (a: Entry, b: Entry) => number, sign: 1 | -1) {
    this.#valueOf = valueOf
    this.#list = new OrderedList((a, b) => compareValues(a.value, b.value, sign) || compare(a.entry, b.entry))
  }

  get value(): unknown {
    return this.#list.at(0)?.value
  }

  add(entry: Entry): void {
    const value = this.#valueOf(entry)
    if (!isThere(value)) return
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
