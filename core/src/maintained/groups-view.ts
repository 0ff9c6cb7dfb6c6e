import { View } from '../store/view/view.js'
import type { Beginning, ViewGraph } from '../store/view/view.js'
import { isSameList } from '../util/plain.js'
import { Pending, readFlow, recall } from './flow.js'
import type { Consumer, Entry, Slot } from './flow.js'
import { ReadNoter } from './noted-reads.js'
import type { Reads } from './noted-reads.js'
import { OrderedList } from './ordered-list.js'
import { frozen } from './stage-view.js'
import type { StageView } from './stage-view.js'
import { threwFor } from './steps.js'
import type { Total, ValueOf } from './steps.js'
import { keeperOf } from './totals.js'
import type { Keeper } from './totals.js'

/** A group as it is shown. */
type Shown =
  | { readonly key: unknown; readonly members: readonly unknown[] }
  | { readonly key: unknown; readonly value: unknown }

interface Group {
  readonly key: unknown
  readonly list: OrderedList<Entry>
  readonly keeper: Keeper | undefined
  /** The entry that decides its place among the groups. */
  first: Entry
  /** The latest is the first. */
  shown: readonly Shown[]
}

interface Grouped {
  readonly entry: Entry
  readonly group: Group
  readonly reads: Reads
}

/** A member on its way into a group. */
interface Entering {
  readonly entry: Entry
  readonly key: unknown
  readonly reads: Reads
}

/** The members of a list by a key; the groups are in the order of their first members. */
export class GroupsView extends View implements Consumer {
  readonly #list: StageView
  readonly #keyOf: ValueOf
  readonly #total: Total | undefined
  readonly #args: unknown
  readonly #noter = new ReadNoter()
  readonly #pending = new Pending()
  #grouped = new Map<Slot, Grouped>()
  #groups = new Map<unknown, Group>()
  readonly #order: OrderedList<Group>
  /** Groups that are out of the order while their members change. */
  readonly #touched = new Set<Group>()
  #last: unknown = undefined
  #isDue = true
  error: unknown = undefined

  constructor(list: StageView, keyOf: ValueOf, total: Total | undefined, args: unknown) {
    super()
    this.#list = list
    this.#keyOf = keyOf
    this.#total = total
    this.#args = args
    this.#order = new OrderedList((a, b) => list.compare(a.first, b.first))
  }

  get isKnown(): boolean {
    return this.#list.isKnown
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
    if (this.sources.length === 0) this.#pending.add(undefined)
    readFlow(graph, this, this.#list)
    if (!this.#isDue) return
    this.#isDue = false
    this.error = this.#list.error
    if (this.error !== undefined) return
    try {
      this.#pending.take(
        () => this.#fill(),
        (slot) => this.#leave(slot),
        (change) => this.#enter(change),
      )
      this.#putBack()
    } catch (error) {
      this.error = error
      return
    }
    this.value = this.#last = this.#show(this.value)
  }

  #fill(): void {
    const before = this.#grouped
    this.#grouped = new Map()
    const shown = new Map([...this.#groups].map(([key, group]) => [key, group.shown]))
    this.#groups = new Map()
    this.#touched.clear()
    const members = new Map<Group, Entry[]>()
    for (const entry of this.#list.entries()) {
      const known = before.get(entry.slot)
      const { key, reads } = this.#read(entry, known)
      const group = this.#groupOf(key, entry)
      if (group.shown.length === 0) group.shown = shown.get(key) ?? []
      const entries = members.get(group)
      if (entries === undefined) members.set(group, [entry])
      else entries.push(entry)
      group.keeper?.add(entry)
      this.#grouped.set(entry.slot, { entry, group, reads })
    }
    for (const [group, entries] of members) {
      group.list.fillWith(entries)
      group.first = group.list.at(0) as Entry
    }
    this.#order.fillWith([...members.keys()])
    for (const group of members.keys()) this.#renew(group)
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

  #read(entry: Entry, before: Grouped | undefined): { readonly key: unknown; readonly reads: Reads } {
    if (before?.reads.areSame(before.entry.value, entry.value) === true)
      return { key: before.group.key, reads: before.reads }
    try {
      const { result: key, reads } = this.#noter.call(entry.value, (member) =>
        this.#keyOf(member, this.#args),
      )
      return { key, reads }
    } catch (error) {
      throw threwFor('groupBy', entry.value, error)
    }
  }

  #groupOf(key: unknown, first: Entry): Group {
    let group = this.#groups.get(key)
    if (group === undefined) {
      const { compare } = this.#list
      const { kind } = this.#total ?? {}
      const isKept = kind === 'sum' || kind === 'min' || kind === 'max'
      const keeper = isKept ? keeperOf(this.#total as Total, this.#args, compare) : undefined
      group = { key, list: new OrderedList(compare), keeper, first, shown: [] }
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
        this.#groups.delete(group.key)
        continue
      }
      group.first = first
      this.#order.insert(group)
      this.#renew(group)
    }
    this.#touched.clear()
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

  #show(previous: unknown): unknown {
    if (!this.isKnown) return undefined
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
