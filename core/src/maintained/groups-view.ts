import { isSameList } from '../util/plain.js'
import { EarlierLists } from './earlier-lists.js'
import type { MemberChange, MemberState, Slot } from './flow.js'
import { FlowReader } from './flow-reader.js'
import { ReadNoter } from './noted-reads.js'
import { OrderedList } from './ordered-list.js'
import { shareData } from '../util/shared-data.js'
import type { StageView } from './stage-view.js'
import { threwFor } from './steps.js'
import type { Total, ValueOf } from './steps.js'
import { isKept, keeperOf } from './totals.js'
import type { Keeper } from './totals.js'

/** A group as it is shown. */
type ShownGroup =
  | { readonly key: unknown; readonly members: readonly unknown[] }
  | { readonly key: unknown; readonly value: unknown }

/** The most objects that are remembered of a group: those of before optimistic updates, and of taking them back. */
const mostEarlierGroups = 8

/** The most groups that are remembered after their last member went. */
const mostGoneGroups = 8

/** With more changes than this, the list of groups is created again instead of copied and changed. */
const mostGroupEdits = 16

/** Holds what a group showed before. */
interface Earlier {
  deref(): ShownGroup | undefined
}

/** Holds a value of a group, which is small: a weak reference takes longer than the rest of a change. */
class EarlierValue implements Earlier {
  readonly #shown: ShownGroup

  constructor(shown: ShownGroup) {
    this.#shown = shown
  }

  deref(): ShownGroup {
    return this.#shown
  }
}

/** The members with one key. */
class ShownMembers {
  readonly key: unknown
  keeper: Keeper | undefined = undefined
  /** The member that decides its place among the groups. */
  first: MemberState
  /** True while it is in the order of the groups. */
  isPlaced = false
  /** What it shows. */
  shown: ShownGroup | undefined = undefined
  /** What it showed before, the latest first. */
  earlier: readonly Earlier[] = noGroups
  /** The number of members that were counted, and of them those that are kept: in an array, because most groups do not change. */
  #count = 0
  #first: MemberState[] = []
  #list: OrderedList<MemberState> | undefined

  constructor(key: unknown, first: MemberState) {
    this.key = key
    this.first = first
  }

  /** Adds one of the first members, in order. @param isCountedOnly - true if it is not kept */
  push(member: MemberState, isCountedOnly: boolean): void {
    this.#count++
    if (!isCountedOnly) this.#first.push(member)
  }

  get size(): number {
    return this.#list?.length ?? this.#count
  }

  /** The first member now. */
  get head(): MemberState | undefined {
    return this.#list === undefined ? this.first : this.#list.at(0)
  }

  members(): readonly MemberState[] {
    return this.#list?.slice() ?? this.#first
  }

  /** The members, for a change of them. */
  change(compare: (a: MemberState, b: MemberState) => number): OrderedList<MemberState> {
    if (this.#list === undefined) {
      this.#list = new OrderedList(compare)
      this.#list.fillWith(this.#first)
      this.#first = []
    }
    return this.#list
  }
}

const noGroups: readonly [] = []

/** A member on its way into a group. */
interface Entering {
  readonly before: MemberState | undefined
  readonly member: MemberState
  readonly key: unknown
}

/** A change of the shown list of groups. */
interface GroupEdit {
  readonly at: number
  readonly removed: 0 | 1
  readonly added: ShownMembers | undefined
}

/** The members of a list by a key; the groups are in the order of their first members. */
export class GroupsView extends FlowReader {
  readonly #list: StageView
  readonly #keyOf: ValueOf
  readonly #total: Total | undefined
  readonly #args: unknown
  /** Of a function of the application; the library reads a field itself. */
  readonly #noter: ReadNoter<unknown> | undefined
  /** The groups of members by a function, which is not asked again; made for the first change. */
  #groupOf: Map<Slot, ShownMembers> | undefined
  #groups = new Map<unknown, ShownMembers>()
  /** True if the members of groups are known, not their numbers and first ones only, which are enough for a first read. */
  #hasMembers = false
  readonly #order: OrderedList<ShownMembers>
  /** Groups whose members changed. */
  readonly #touched = new Set<ShownMembers>()
  /** The changes of the list since the value was made; `undefined` if there are too many. */
  #edits: GroupEdit[] | undefined
  /** What the groups showed that went last: they come back when an optimistic update is taken back. */
  readonly #gone = new Map<unknown, Pick<ShownMembers, 'shown' | 'earlier'>>()
  #last: unknown = undefined
  readonly #earlier = new EarlierLists()

  constructor(list: StageView, keyOf: ValueOf, total: Total | undefined, args: unknown) {
    super(list)
    this.#list = list
    this.#keyOf = keyOf
    this.#total = total
    this.#args = args
    this.#noter = keyOf.field === undefined ? new ReadNoter((member) => keyOf(member, args)) : undefined
    this.#order = new OrderedList((a, b) => list.compare(a.first, b.first))
  }

  protected take(): void {
    const { changes } = this.pending
    // The first change: from now on each group keeps its members in order.
    if (!this.#hasMembers && changes !== undefined) this.pending.add(undefined)
    this.pending.take(
      () => this.#fill(),
      (change) => this.#leave(change),
      (entering) => this.#enter(entering),
    )
    this.#placeTouched()
  }

  #fill(): void {
    const before = this.#groups
    this.#groups = new Map()
    this.#groupOf = undefined
    this.#touched.clear()
    this.#edits = undefined
    const groups = this.#groups
    const { kind } = this.#total ?? {}
    this.#hasMembers = before.size > 0 || (kind !== 'count' && kind !== 'first')
    const { field } = this.#keyOf
    // In the order of the list, so that the members of each group and the first ones of all are in order.
    for (const member of this.#list.entries()) {
      const key =
        field === undefined ? this.#keyIn(member) : (member.value as Readonly<Record<string, unknown>>)[field]
      let group = groups.get(key)
      if (group === undefined) groups.set(key, (group = this.#newGroup(key, member)))
      group.push(member, !this.#hasMembers)
    }
    for (const group of before.values()) if (!groups.has(group.key)) this.#forget(group)
    const inOrder = [...groups.values()]
    this.#order.fillWith(inOrder)
    for (const group of inOrder) {
      group.isPlaced = true
      group.keeper?.fillWith(group.members())
      const known = before.get(group.key)
      if (known !== undefined) Object.assign(group, memoryOf(known))
      this.#renew(group)
    }
  }

  #newGroup(key: unknown, first: MemberState): ShownMembers {
    const group = new ShownMembers(key, first)
    const total = this.#total
    if (total !== undefined && isKept(total)) group.keeper = keeperOf(total, this.#args, this.#list.compare)
    if (this.#gone.size > 0) Object.assign(group, this.#gone.get(key))
    return group
  }

  /** Takes a member out of its group. @returns it, for a group */
  #leave({ slot, before, after }: MemberChange): Entering | undefined {
    const group = before && this.#groupWith(before)
    const isSame = group !== undefined && this.#noter?.areSame(before?.value, after?.value) === true
    const key = after && (isSame ? group.key : this.#keyIn(after))
    if (group !== undefined && before !== undefined) {
      this.#touched.add(group)
      group.change(this.#list.compare).remove(before)
      this.#groupOf?.delete(slot)
      const isStaying = after !== undefined && Object.is(key, group.key)
      if (!isStaying) group.keeper?.take(before, undefined)
      else return { before, member: after, key }
    }
    return after && { before: undefined, member: after, key }
  }

  #enter({ before, member, key }: Entering): void {
    let group = this.#groups.get(key)
    if (group === undefined) this.#groups.set(key, (group = this.#newGroup(key, member)))
    this.#touched.add(group)
    group.change(this.#list.compare).insert(member)
    group.keeper?.take(before, member)
    this.#groupOf?.set(member.slot, group)
  }

  #groupWith(before: MemberState): ShownMembers | undefined {
    if (this.#noter === undefined) return this.#groups.get(this.#keyIn(before))
    if (this.#groupOf === undefined) {
      this.#groupOf = new Map()
      for (const group of this.#groups.values())
        for (const { slot } of group.members()) this.#groupOf.set(slot, group)
    }
    return this.#groupOf.get(before.slot)
  }

  #keyIn(member: MemberState): unknown {
    try {
      return this.#noter === undefined ? this.#keyOf(member.value, this.#args) : this.#noter.call(member)
    } catch (error) {
      throw threwFor('groupBy', member.value, error)
    }
  }

  /** Groups leave their places before others enter theirs: places of before and those of now are not comparable. */
  #placeTouched(): void {
    for (const group of this.#touched) {
      group.keeper?.settle(() => group.members())
      if (!group.isPlaced || group.head === group.first) continue
      this.#edit(this.#order.remove(group), 1, undefined)
      group.isPlaced = false
    }
    for (const group of this.#touched) {
      const { head } = group
      if (head === undefined) {
        this.#forget(group)
        continue
      }
      const isChanged = this.#renew(group)
      if (!group.isPlaced) {
        group.first = head
        group.isPlaced = true
        this.#edit(this.#order.insert(group), 0, group)
      } else if (isChanged) this.#edit(this.#order.replace(group), 1, group)
    }
    this.#touched.clear()
  }

  #edit(at: number, removed: 0 | 1, added: ShownMembers | undefined): void {
    if (at === -1 || this.#edits?.length === mostGroupEdits) this.#edits = undefined
    else this.#edits?.push({ at, removed, added })
  }

  #forget(group: ShownMembers): void {
    const { key } = group
    this.#groups.delete(key)
    this.#gone.delete(key)
    this.#gone.set(key, memoryOf(group))
    for (const first of this.#gone.keys()) if (this.#gone.size > mostGoneGroups) this.#gone.delete(first)
  }

  /**
   * Renews what is shown of a group: the same object while it shows the same, and the one before when an optimistic update is
   * taken back. @returns true if it is another object
   */
  #renew(group: ShownMembers): boolean {
    const next = this.#toShown(group)
    const { shown } = group
    if (shown === undefined) {
      group.shown = next
      return true
    }
    if (isSameGroup(shown, next)) return false
    showGroup(group, next)
    return true
  }

  #toShown(group: ShownMembers): ShownGroup {
    const { key } = group
    if (this.#total === undefined)
      return shareData({ key, members: shareData(group.members().map(({ slot }) => slot.value)) })
    const { kind } = this.#total
    const value =
      kind === 'count' ? group.size : kind === 'first' ? group.head?.slot.value : group.keeper?.value
    return shareData({ key, value })
  }

  protected renew(): void {
    const before = this.#last
    this.value = this.#last = this.isKnown ? this.#shown(this.value) : undefined
    this.#edits = []
    if (before !== this.#last && Array.isArray(before)) this.#earlier.add(before)
  }

  #shown(previous: unknown): unknown {
    const edits = this.#edits
    const isOwn = previous !== undefined && previous === this.#last
    if (isOwn && edits?.length === 0) return previous
    if (isOwn && edits !== undefined) {
      // A copy by `slice` takes a hundred times as long of a frozen array, which it is in development.
      const copy = [...(previous as readonly unknown[])]
      for (const { at, removed, added } of edits) {
        if (added === undefined) copy.splice(at, 1)
        else if (removed === 1) copy[at] = added.shown
        else copy.splice(at, 0, added.shown)
      }
      return isSameList(previous, copy)
        ? previous
        : (this.#earlier.find(copy, edits.at(-1)?.at) ?? shareData(copy))
    }
    const groups = this.#order.slice()
    if (!isOwn) this.#adopt(groups, Array.isArray(previous) ? previous : noGroups)
    const shown = groups.map((group) => group.shown)
    const known = [previous, this.#last].find((list) => isSameList(list, shown))
    return known ?? this.#earlier.find(shown) ?? shareData(shown)
  }

  /** Takes groups of before an optimistic update, which were put back. */
  #adopt(groups: readonly ShownMembers[], previous: readonly unknown[]): void {
    if (previous.length !== groups.length) return
    for (const [index, group] of groups.entries()) {
      const earlier = previous[index] as ShownGroup
      if (!Object.is(earlier.key, group.key) || group.shown === undefined) continue
      if (earlier !== group.shown) group.earlier = [earlierOf(group.shown), ...group.earlier]
      group.shown = earlier
      this.#renew(group)
    }
  }
}

/** Shows an object, or the same one of before. */
function showGroup(group: ShownMembers, next: ShownGroup): void {
  const others = group.earlier.filter((weak) => weak.deref() !== undefined)
  const found = others.find((weak) => isSameGroup(weak.deref() as ShownGroup, next))
  const before = group.shown === undefined ? [] : [earlierOf(group.shown)]
  group.earlier = [...before, ...others.filter((weak) => weak !== found)].slice(0, mostEarlierGroups)
  group.shown = found?.deref() ?? next
}

function earlierOf(shown: ShownGroup): Earlier {
  return 'members' in shown ? new WeakRef(shown) : new EarlierValue(shown)
}

/** What is remembered of a group that is not there any more. */
function memoryOf({ shown, earlier }: ShownMembers): Pick<ShownMembers, 'shown' | 'earlier'> {
  return { shown, earlier }
}

function isSameGroup(a: ShownGroup, b: ShownGroup): boolean {
  if (!Object.is(a.key, b.key)) return false
  return 'members' in a && 'members' in b
    ? isSameList(a.members, b.members)
    : 'value' in a && 'value' in b && Object.is(a.value, b.value)
}
