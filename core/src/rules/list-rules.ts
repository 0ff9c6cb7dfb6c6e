import { warn } from '../errors.js'
import { recordOf } from '../schema/members-schema.js'
import type { ListOrder, ListRule, RuledList } from '../schema/ruled-list.js'
import { RecordNode } from '../store/records.js'
import { isThere } from '../store/list-members.js'
import type { Fields } from '../schema/fields.js'
import { compareValues } from '../util/compare-fields.js'
import type { Lists } from '../lists/lists.js'
import type { StoreLists } from '../store/store-lists.js'
import { instanceOf } from './instances.js'
import { RuledWrites, endOf } from './written.js'

/**
 * Creates the option `filter` of a Collection, or of a resource for its `getList`: it decides which records belong to a list when
 * a mutation adds or changes one. Arguments that it never reads are compared with the fields of the record, as without it.
 *
 * @param test - returns `true` if a record belongs to the list of these arguments. It is pure. If it throws, the list is Stale,
 *   and a warning in development names the record. In a resource write the type of the record, `rule<Issue>(…)`: TypeScript
 *   infers it only for a Collection
 * @example
 * const issues = new schema.Collection([Issue], {
 *   filter: rule((issue, { state }) => state === undefined || issue.state === state),
 * })
 */
// The arguments are those of the endpoint that uses the Collection; the user declares their type.
// eslint-disable-next-line typescript/no-explicit-any
export function rule<Member, Args = any>(
  test: (record: Member, args: Args) => boolean,
): ListRule<Member, Args> {
  // For any record: a test need not read an argument for each.
  const read = new Set<string>()
  return {
    test,
    attach: attachRules,
    decide(list, member, fields) {
      try {
        // The record is one of the class that the list names.
        const record = instanceOf(list.member, member, fields) as Member
        return test(record, noting(list.args, read) as Args) ? read : undefined
      } catch (error) {
        warnOf('filter', member, error)
        return 'unknown'
      }
    },
  }
}

/**
 * Creates the option `orderBy` of a Collection, or of a resource for its `getList`: it decides the position of a record that a
 * mutation adds to a list, or changes in it. The members of a response stay in the order of the server.
 *
 * @param by - a field, or a function that compares two records, as for `Array.prototype.sort`. It is pure
 * @param direction - for a field. Missing values are last in both @default 'ascending'
 * @example
 * createResource({ path: '/issue/:id', schema: Issue, orderBy: order('createdAt', 'descending') })
 */
export function order<const Field extends string>(
  by: Field,
  direction?: 'ascending' | 'descending',
): ListOrder<{ readonly [Name in Field]?: unknown }, unknown>
// The arguments are those of the endpoint that uses the Collection; the user declares their type.
// eslint-disable-next-line typescript/no-explicit-any
export function order<Member, Args = any>(
  by: (a: Member, b: Member, args: Args) => number,
): ListOrder<Member, Args>
export function order(
  by: string | ((a: unknown, b: unknown, args: unknown) => number),
  direction?: string,
): ListOrder {
  const compare = typeof by === 'string' ? byField(by, direction === 'descending' ? -1 : 1) : by
  return {
    compare,
    attach: attachRules,
    isMoved(list, member, before, after) {
      const [a, b] = [before, after].map((fields) => instanceOf(list.member, member, fields))
      return compareSafely(compare, list, member, a, b) !== 0
    },
    place(list, members, placed, isLater, unloaded) {
      const all = placeAll(compare, list, members, placed, isLater)
      return all.slice(
        0,
        endOf(all, (member) => unloaded.has(member)),
      )
    },
    withPage(list, all, before) {
      // A page may arrive before its list.
      const members = Array.isArray(list.members) ? (list.members as readonly unknown[]) : []
      const places = new Map(before.map((member, index) => [recordOf(member), index]))
      // What a mutation put there, or moved there from where the server had it.
      const put = new Set<unknown>()
      let furthest = -1
      for (const member of members) {
        const place = places.get(recordOf(member)) ?? -1
        if (place < 0 || (place < furthest && isNewer(member, list))) put.add(member)
        else furthest = Math.max(furthest, place)
      }
      const behind = members.slice(endOf(members, (member) => put.has(member))).filter(isThere)
      return placeAll(compare, list, all, behind, () => false)
    },
  }
}

/** Returns the members of a list with some at their places. */
function placeAll(
  compare: Compare,
  list: RuledList,
  members: readonly unknown[],
  placed: readonly unknown[],
  isLater: (member: unknown) => boolean,
): readonly unknown[] {
  if (placed.length === 0) return members
  const waiting = new Set(placed.map(recordOf))
  const isSettled = (member: unknown) => isThere(member) && !waiting.has(recordOf(member))
  let all = inOrder(members, isSettled, compare, list)
  for (const member of placed) {
    waiting.delete(recordOf(member))
    all = placeInList(all, member, isSettled, compare, list, isLater)
  }
  return all
}

/** Makes the rules of all lists of a store hold for all that it writes. */
function attachRules(lists: Pick<StoreLists, 'onWritten'>): void {
  if (lists.onWritten !== undefined) return
  const writes = new RuledWrites(lists as Lists)
  lists.onWritten = (writer) => writes.placeWritten(writer)
}

type Compare = (a: unknown, b: unknown, args: unknown) => number

/**
 * Returns the members in order; the same ones if they are. A read may have changed what they are ordered by since the list was
 * received. Only those that were written since are compared.
 *
 * @param isSettled - returns `false` for members that get their places later, and for deleted ones
 */
function inOrder(
  members: readonly unknown[],
  isSettled: (member: unknown) => boolean,
  compare: Compare,
  list: RuledList,
): readonly unknown[] {
  const settled = members.filter(isSettled)
  const compareTwo = (a: unknown, b: unknown) =>
    compareSafely(compare, list, b, toInstance(list, a), toInstance(list, b))
  const isAfter = (member: unknown, index: number) => {
    const last = settled[index - 1]
    if (last === undefined || !(isNewer(last, list) || isNewer(member, list))) return true
    return compareTwo(last, member) <= 0
  }
  if (settled.every(isAfter)) return members
  const sorted = settled.sort(compareTwo)[Symbol.iterator]()
  return members.map((member) => (isSettled(member) ? sorted.next().value : member))
}

/** Returns `true` if a member was written after its list was received. */
function isNewer(member: unknown, { stamp }: RuledList): boolean {
  const record = recordOf(member)
  return record instanceof RecordNode && record.stamp.sequence > stamp.sequence
}

/**
 * Returns the members of a list with one at its place; the same members if it is in order there.
 *
 * @param isSettled - returns `false` for members that are not compared: those whose turn is later, and deleted ones, which keep their
 *   places
 */
function placeInList(
  members: readonly unknown[],
  member: unknown,
  isSettled: (member: unknown) => boolean,
  compare: Compare,
  list: RuledList,
  isLater: (member: unknown) => boolean,
): readonly unknown[] {
  const record = recordOf(member)
  const others = members.filter((other) => recordOf(other) !== record)
  const shown = others.filter(isSettled)
  const instance = toInstance(list, member)
  const compareWith = (other: unknown) =>
    compareSafely(compare, list, member, toInstance(list, other), instance) || Number(isLater(other))
  const at = members.findIndex((other) => recordOf(other) === record)
  if (at !== -1) {
    const last = [...members.slice(0, at)].reverse().find(isSettled)
    const next = members.slice(at + 1).find(isSettled)
    const isInOrder =
      (last === undefined || compareWith(last) <= 0) && (next === undefined || compareWith(next) >= 0)
    if (isInOrder) return members
  }
  let [from, to] = [0, shown.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (compareWith(shown[middle]) > 0) to = middle
    else from = middle + 1
  }
  const index = from === shown.length ? others.length : others.indexOf(shown[from])
  return [...others.slice(0, index), member, ...others.slice(index)]
}

function toInstance(list: RuledList, member: unknown): unknown {
  const record = recordOf(member)
  const fields: Fields = record instanceof RecordNode ? (record.fields ?? {}) : {}
  return instanceOf(list.member, member, fields)
}

function compareSafely(
  compare: Compare,
  { args }: RuledList,
  member: unknown,
  a: unknown,
  b: unknown,
): number {
  try {
    return compare(a, b, args)
  } catch (error) {
    warnOf('orderBy', member, error)
    return 0
  }
}

function byField(name: string, sign: 1 | -1): Compare {
  return (a, b) => compareValues((a as Fields)[name], (b as Fields)[name], sign)
}

/** Returns arguments that note which of them are read. */
function noting(args: object, read: Set<string>): object {
  const note = (name: string | symbol) => typeof name === 'string' && read.add(name)
  return new Proxy(args, {
    get(target, name) {
      note(name)
      return Reflect.get(target, name)
    },
    has(target, name) {
      note(name)
      return Reflect.has(target, name)
    },
    ownKeys(target) {
      Object.keys(target).forEach(note)
      return Reflect.ownKeys(target)
    },
  })
}

function warnOf(option: string, member: unknown, error: unknown): void {
  const record = recordOf(member)
  const name = record instanceof RecordNode ? `the record ${record.table.key} "${record.pk}"` : 'a member'
  warn(
    `The option \`${option}\` of a list threw for ${name}: ${error instanceof Error ? error.message : String(error)}. Check for fields that a response may leave out.`,
  )
}
