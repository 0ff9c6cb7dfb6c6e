import type { MemberState } from './flow.js'
import { ExactSum } from './exact-sum.js'
import { ReadNoter } from './noted-reads.js'
import { OrderedList } from './ordered-list.js'
import { isCounted, threwFor } from './steps.js'
import type { Total } from './steps.js'
import { compareValues } from '../util/compare-fields.js'

/** Keeps a value of some members while they come, go and change. */
export interface Keeper {
  /** The first members, in order. */
  fillWith(members: readonly MemberState[]): void
  /** Takes a change of a member. What its value was follows from what it was. */
  take(before: MemberState | undefined, after: MemberState | undefined): void
  /** Called after all changes. @param members - returns the members of now, in order */
  settle(members: () => readonly MemberState[]): void
  readonly value: unknown
}

/** True if a total needs a keeper: a list knows the number of its members, and the first. */
export function isKept({ kind }: Total): boolean {
  return kind === 'sum' || kind === 'min' || kind === 'max'
}

/** Makes the keeper of a sum, or of the smallest or largest value. @param compare - the order of the members */
export function keeperOf(
  total: Total,
  args: unknown,
  compare: (a: MemberState, b: MemberState) => number,
): Keeper {
  const values = new CountedValues(total, args)
  return total.kind === 'sum'
    ? new SumKeeper(values)
    : new BestKeeper(values, compare, total.kind === 'min' ? 1 : -1)
}

/** The values of which a total is computed. */
class CountedValues {
  readonly #total: Total
  readonly #args: unknown
  readonly #noter: ReadNoter<unknown> | undefined

  constructor(total: Total, args: unknown) {
    this.#total = total
    this.#args = args
    const { valueOf } = total
    this.#noter = valueOf.field === undefined ? new ReadNoter((value) => valueOf(value, args)) : undefined
  }

  /** Returns the value of a member; `undefined` if it does not count. */
  of(member: MemberState): unknown {
    try {
      const found =
        this.#noter === undefined ? this.#total.valueOf(member.value, this.#args) : this.#noter.call(member)
      return isCounted(found) ? found : undefined
    } catch (error) {
      throw threwFor(this.#total.kind, member.value, error)
    }
  }

  /** True if a member has the same value as before, by what the function reads. */
  areSame(before: MemberState | undefined, after: MemberState | undefined): boolean {
    return this.#noter?.areSame(before?.value, after?.value) === true
  }
}

class SumKeeper implements Keeper {
  readonly #sum = new ExactSum()
  readonly #values: CountedValues

  constructor(values: CountedValues) {
    this.#values = values
  }

  get value(): number {
    return this.#sum.value
  }

  fillWith(members: readonly MemberState[]): void {
    for (const member of members) this.#add(member)
  }

  take(before: MemberState | undefined, after: MemberState | undefined): void {
    if (this.#values.areSame(before, after)) return
    const value = before && this.#values.of(before)
    if (value !== undefined) this.#sum.remove(Number(value))
    if (after !== undefined) this.#add(after)
  }

  settle(): void {}

  #add(member: MemberState): void {
    const value = this.#values.of(member)
    if (value !== undefined) this.#sum.add(Number(value))
  }
}

interface Valued {
  readonly member: MemberState
  readonly value: unknown
}

/**
 * The smallest or the largest value. Of equal ones, that of the first member. Until the best goes for the first time, only that is
 * known; from then on all are in order.
 */
class BestKeeper implements Keeper {
  readonly #values: CountedValues
  readonly #compare: (a: Valued, b: Valued) => number
  #best: Valued | undefined
  #inOrder: OrderedList<Valued> | undefined
  /** True if the best went, and the next is not known. */
  #isLost = false

  constructor(values: CountedValues, compare: (a: MemberState, b: MemberState) => number, sign: 1 | -1) {
    this.#values = values
    this.#compare = (a, b) => compareValues(a.value, b.value, sign) || compare(a.member, b.member)
  }

  get value(): unknown {
    return this.#best?.value
  }

  fillWith(members: readonly MemberState[]): void {
    for (const member of members) this.#offer(this.#valued(member))
  }

  take(before: MemberState | undefined, after: MemberState | undefined): void {
    if (this.#isLost) return
    if (before !== undefined) this.#remove(before)
    const valued = after && this.#valued(after)
    if (valued === undefined) return
    if (this.#inOrder === undefined) this.#offer(valued)
    else this.#inOrder.insert(valued)
  }

  settle(members: () => readonly MemberState[]): void {
    if (this.#isLost) {
      const valued = members().flatMap((member) => this.#valued(member) ?? [])
      this.#inOrder ??= new OrderedList(this.#compare)
      this.#inOrder.fillWith(valued.sort(this.#compare))
      this.#isLost = false
    }
    if (this.#inOrder !== undefined) this.#best = this.#inOrder.at(0)
  }

  #remove(member: MemberState): void {
    if (this.#inOrder === undefined) this.#isLost = this.#best?.member.slot === member.slot
    else {
      const valued = this.#valued(member)
      if (valued !== undefined && this.#inOrder.remove(valued) === -1) this.#isLost = true
    }
  }

  #offer(valued: Valued | undefined): void {
    if (valued === undefined) return
    if (this.#best === undefined || this.#compare(valued, this.#best) < 0) this.#best = valued
  }

  #valued(member: MemberState): Valued | undefined {
    const value = this.#values.of(member)
    return value === undefined ? undefined : { member, value }
  }
}
