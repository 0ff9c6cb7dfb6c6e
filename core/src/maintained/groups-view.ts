import { isSameList } from '../util/plain.js'
import { recall } from './flow.js'
import type { MemberState, Slot } from './flow.js'
import { FlowReader } from './flow-reader.js'
import { MemberMap } from './member-map.js'
import { ReadNoter } from './noted-reads.js'
import type { FieldReads } from './noted-reads.js'
import { OrderedList } from './ordered-list.js'
import { frozen } from './stage-view.js'
import type { StageView } from './stage-view.js'
import { threwFor } from './steps.js'
import type { Total, ValueOf } from './steps.js'
import { isKept, keeperOf } from './totals.js'
import type { Keeper } from './totals.js'

/** A group as it is shown. */
type Shown =
  | { readonly key: unknown; readonly members: readonly unknown[] }
  | { readonly key: unknown; readonly value: unknown }

/** The most groups that are remembered after their last member went. */
const mostGone = 8

interface Group {
  readonly key: unknown
  readonly list: OrderedList<MemberState>
  /** The members, until the list is filled with them. */
  entries: MemberState[]
  readonly keeper: Keeper | undefined
  /** The entry that decides its place among the groups. */
  first: MemberState
  /** The latest is the first. */
  shown: readonly Shown[]
}

interface Grouped {
  readonly entry: MemberState
  readonly group: Group
  readonly reads: FieldReads
}

/** A member on its way into a group. */
interface Entering {
  readonly entry: MemberState
  readonly key: unknown
  readonly reads: FieldReads
}

/** The members of a list by a key; the groups are in the order of their first members. */
export class GroupsView extends FlowReader {
  readonly #list: StageView
  readonly #keyOf: ValueOf
  readonly #total: Total | undefined
  readonly #args: unknown
  readonly #noter: ReadNoter<unknown>
  readonly #grouped = new MemberMap<Grouped>()
  #groups = new Map<unknown, Group>()
  readonly #order: OrderedList<Group>
  /** Groups that are out of the order while their members change. */
  readonly #touched = new Set<Group>()
  /** What the groups showed that went last: they come back when an optimistic update is taken back. */
  readonly #gone = new Map<unknown, readonly Shown[]>()
  #last: unknown = undefined

  constructor(list: StageView, keyOf: ValueOf, total: Total | undefined, args: unknown) {
    super(list)
    this.#list = list
    this.#keyOf = keyOf
    this.#total = total
    this.#args = args
    this.#noter = new ReadNoter((member) => this.#keyOf(member, this.#args))
    this.#order = new OrderedList((a, b) => list.compare(a.first, b.first))
  }

  protected take(): void {
    this.pending.take(
      () => this.#fill(),
      (slot) => this.#leave(slot),
      (change) => this.#enter(change),
    )
    this.#putBack()
  }

  #fill(): void {
    const shown = this.#groups
    this.#groups = new Map()
    this.#touched.clear()
    const grouped: Grouped[] = []
    // In the order of the list, so that the members of each group and the first ones of all are in order.
    for (const entry of this.#list.entries()) {
      const { key, reads } = this.#read(entry, undefined)
      const group = this.#groupOf(key, entry)
      group.entries.push(entry)
      grouped.push({ entry, group, reads })
    }
    this.#grouped.fillWith((map) => {
      for (const each of grouped) map.set(each.entry.slot, each)
    })
    const groups = [...this.#groups.values()]
    this.#order.fillWith(groups)
    for (const group of groups) {
      group.keeper?.fillWith(group.entries)
      group.list.fillWith(group.entries)
      group.entries = []
      group.shown = shown.get(group.key)?.shown ?? group.shown
      this.#renew(group)
    }
  }

  /** Takes a member out of its group. @returns its entry, for a group */
  #leave(slot: Slot): Entering | undefined {
    const before = this.#grouped.get(slot)
    const entry = this.#list.entryOf(slot)
    if (entry === before?.entry) return undefined
    const read = entry && this.#read(entry, before)
    if (before !== undefined) {
      this.#touch(before.group)
      before.group.list.remove(before.entry)
      before.group.keeper?.remove(slot)
      this.#grouped.delete(slot)
    }
    return entry && read && { entry, ...read }
  }

  #enter({ entry, key, reads }: Entering): void {
    const group = this.#groupOf(key, entry)
    this.#touch(group)
    group.list.insert(entry)
    group.keeper?.add(entry)
    this.#grouped.set(entry.slot, { entry, group, reads })
  }

  #read(
    entry: MemberState,
    before: Grouped | undefined,
  ): { readonly key: unknown; readonly reads: FieldReads } {
    if (before?.reads.areSame(before.entry.value, entry.value) === true)
      return { key: before.group.key, reads: before.reads }
    try {
      const key = this.#noter.call(entry.value)
      return { key, reads: this.#noter.reads }
    } catch (error) {
      throw threwFor('groupBy', entry.value, error)
    }
  }

  #groupOf(key: unknown, first: MemberState): Group {
    let group = this.#groups.get(key)
    if (group === undefined) {
      const { compare } = this.#list
      const total = this.#total
      const keeper = total !== undefined && isKept(total) ? keeperOf(total, this.#args, compare) : undefined
      group = {
        key,
        list: new OrderedList(compare),
        entries: [],
        keeper,
        first,
        shown: this.#gone.get(key) ?? [],
      }
      this.#groups.set(key, group)
    }
    return group
  }

  /** Takes a group out of the order before its first member may change. */
  #touch(group: Group): void {
    if (this.#touched.has(group)) return
    this.#touched.add(group)
    if (group.list.length > 0) this.#order.remove(group)
  }

  #putBack(): void {
    for (const group of this.#touched) {
      const first = group.list.at(0)
      if (first === undefined) {
        this.#forget(group)
        continue
      }
      group.first = first
      this.#order.insert(group)
      this.#renew(group)
    }
    this.#touched.clear()
  }

  #forget({ key, shown }: Group): void {
    this.#groups.delete(key)
    this.#gone.delete(key)
    this.#gone.set(key, shown)
    for (const first of this.#gone.keys()) if (this.#gone.size > mostGone) this.#gone.delete(first)
  }

  /**
   * Renews what is shown of a group: the same object while it shows the same, and the one before when an optimistic update is
   * taken back.
   */
  #renew(group: Group): void {
    group.shown = recall(group.shown, this.#toShown(group), isSameShown)
  }

  #toShown({ key, list, keeper }: Group): Shown {
    if (this.#total === undefined)
      return frozen({ key, members: frozen(list.slice().map(({ slot }) => slot.value)) })
    const { kind } = this.#total
    const value = kind === 'count' ? list.length : kind === 'first' ? list.at(0)?.slot.value : keeper?.value
    return frozen({ key, value })
  }

  protected renew(): void {
    this.value = this.#last = this.isKnown ? this.#shown(this.value) : undefined
  }

  #shown(previous: unknown): unknown {
    const groups = this.#order.slice()
    if (previous !== this.#last) {
      // Objects of before an optimistic update were put back.
      const kept: readonly unknown[] =
        Array.isArray(previous) && previous.length === groups.length ? previous : []
      for (const [index, group] of groups.entries()) {
        const shown = kept[index] as Shown | undefined
        if (shown !== undefined && Object.is(shown.key, group.key)) group.shown = [shown, ...group.shown]
        this.#renew(group)
      }
    }
    const shown = groups.map((group) => group.shown[0])
    const known = [previous, this.#last].find((list) => isSameList(list, shown))
    return known ?? frozen(shown)
  }
}

function isSameShown(a: Shown, b: Shown): boolean {
  if (!Object.is(a.key, b.key)) return false
  return 'members' in a && 'members' in b
    ? isSameList(a.members, b.members)
    : 'value' in a && 'value' in b && Object.is(a.value, b.value)
}
