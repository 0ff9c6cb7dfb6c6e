import { SelfsameError, kindOf } from '../errors.js'
import { compareValues } from '../util/compare-fields.js'
import { ExactSum } from './exact-sum.js'

/** A condition that the library checks itself: a field equals a value. */
export interface Equality {
  readonly field: string
  /** Returns the value by the arguments of the query; `undefined` if any value is taken. */
  valueIn(args: unknown): unknown
}

export type Direction = 'ascending' | 'descending'

/** One criterion of an order. */
export interface Order {
  /** True if a function of the application compares. */
  readonly isForeign: boolean
  /** Returns what is compared of a member, if that is one value. */
  readonly keyOf: ((member: unknown) => unknown) | undefined
  readonly sign: 1 | -1
  compare(a: unknown, b: unknown, args: unknown): number
}

/** A number, or what computes it from the arguments. */
export type Count = number | ((args: never) => number)

/** Which members of a source a list has, and in which order. */
export interface ListPlan {
  readonly equalities: readonly Equality[]
  readonly tests: readonly ((member: never, args: never) => boolean)[]
  readonly orders: readonly Order[]
  readonly offset: Count | undefined
  readonly limit: Count | undefined
}

export type TotalKind = 'count' | 'sum' | 'min' | 'max' | 'first'

/** What is computed of a list, or of each group of one. */
export interface Total {
  readonly kind: TotalKind
  /** Returns the value of a member that counts. */
  readonly valueOf: ValueOf
}

export interface ValueOf {
  (member: unknown, args: unknown): unknown
  /** The field that it reads; a function of the application has none. */
  readonly field?: string
}

/** The steps of a query, after its source. */
export interface Plan extends ListPlan {
  /** Equal for queries that differ in `end` only: they share a list. */
  readonly listKey: object
  /** The rows that the list is made of: each member with the records that name it. */
  readonly relation: Relation | undefined
  /** What is computed of the list; `undefined` for the list itself. */
  readonly end: End | undefined
}

/** Groups of a list, a total of it, or a total of each group. */
export interface End {
  readonly groupKey: ValueOf | undefined
  readonly total: Total | undefined
  /** True for a part of the list, between two places that the arguments name. */
  readonly isWindow?: boolean
}

/** A part of a list. */
export interface ListWindow<Member> {
  readonly items: readonly Member[]
  /** The position of the first item. */
  readonly from: number
  /** The number of members of the whole list. */
  readonly total: number
}

/** Records of another class that name a member in a field. */
export interface Relation {
  readonly entity: unknown
  readonly field: string
}

export const noSteps: Plan = {
  equalities: [],
  tests: [],
  orders: [],
  offset: undefined,
  limit: undefined,
  listKey: {},
  relation: undefined,
  end: undefined,
}

/** Writes steps as they are called, with the names of fields; functions are not shown. */
export function textOfSteps({ equalities, tests, orders, offset, limit, relation, end }: Plan): string {
  const { groupKey, total, isWindow } = end ?? {}
  const isOfMember = total?.kind === 'count' || total?.kind === 'first'
  const steps: Readonly<Record<string, readonly unknown[] | undefined>> = {
    with: relation && [(relation.entity as { readonly key?: unknown }).key],
    where: [...equalities.map(({ field }) => field), ...tests],
    orderBy: orders.map(({ keyOf }) => (keyOf as ValueOf | undefined)?.field),
    offset: offset === undefined ? [] : [offset],
    limit: limit === undefined ? [] : [limit],
    groupBy: groupKey && [groupKey.field],
    [String(total?.kind)]: total && [isOfMember ? '' : total.valueOf.field],
    window: isWindow === true ? [''] : [],
  }
  return Object.entries(steps)
    .filter(([, of]) => of !== undefined && of.length > 0)
    .map(([step, of]) => `.${step}(${of?.map(textOfStep).join(', ')})`)
    .join('')
}

function textOfStep(of: unknown): string {
  return typeof of === 'string' || typeof of === 'number' ? String(of) : '…'
}

/** Returns what reads a value of a member: a field, or a function. */
export function toValueOf(by: unknown): ValueOf {
  if (typeof by === 'function') return by as ValueOf
  const field = by as string
  return Object.assign((member: unknown) => (member as Record<string, unknown>)[field], { field })
}

export function toOrder(by: unknown, direction: Direction = 'ascending'): Order {
  const sign = direction === 'descending' ? -1 : 1
  if (typeof by === 'function') {
    const compare = by as (a: unknown, b: unknown, args: unknown) => number
    return { isForeign: true, keyOf: undefined, sign, compare: (a, b, args) => sign * compare(a, b, args) }
  }
  const keyOf = toValueOf(by) as (member: unknown) => unknown
  return {
    isForeign: false,
    keyOf,
    sign,
    compare: (a, b) => compareValues(keyOf(a), keyOf(b), sign),
  }
}

/** True if a field of a record has a value. A nested record equals its primary key, and a date one of the same time. */
export function isEqual(found: unknown, wanted: unknown): boolean {
  if (Object.is(found, wanted)) return true
  if (found instanceof Date && wanted instanceof Date) return found.getTime() === wanted.getTime()
  if (typeof found !== 'object' || found === null || wanted === null || wanted === undefined) return false
  const pk = pkOf(found)
  if (pk === undefined) return false
  return pk === (typeof wanted === 'object' ? pkOf(wanted) : String(wanted))
}

/** Returns the primary key of a record; `undefined` for anything else. */
export function pkOf(record: unknown): string | undefined {
  const { pk } = record as { pk?: () => unknown }
  return typeof pk === 'function' ? String(pk.call(record)) : undefined
}

export function countIn(count: Count | undefined, args: unknown): number | undefined {
  const found = typeof count === 'function' ? count(args as never) : count
  return found === undefined || Number.isNaN(found) ? undefined : Math.max(0, Math.trunc(found))
}

/** Makes the error of a function of the application that threw for a member. */
export function threwFor(step: string, member: unknown, error: unknown): SelfsameError {
  const record = Array.isArray(member) ? (member as readonly unknown[])[0] : member
  const pk = typeof record === 'object' && record !== null ? pkOf(record) : undefined
  const { key } = (record as { constructor?: { key?: string } } | undefined)?.constructor ?? {}
  const name = pk === undefined ? `a member (${kindOf(record)})` : `the record ${key} "${pk}"`
  const said = error instanceof Error ? error.message : String(error)
  return new SelfsameError(
    'value-unusable',
    `The function of \`${step}\` of a maintained query threw for ${name}: ${said}. Check for fields that a response may leave out.`,
    { cause: error },
  )
}

/** Returns the places of a window: from the first up to the second, which is not included. */
export function placesIn(args: unknown): readonly [from: number, to: number] {
  const { window: [from, to] = [0, Infinity] } = (args ?? {}) as { window?: readonly [number, number] }
  const first = Math.max(0, Math.trunc(from) || 0)
  return [first, Math.max(first, to === Infinity ? to : Math.trunc(to) || 0)]
}

/** Computes a query anew, from the members of its source. */
export function compute(plan: Plan, members: readonly unknown[], args: unknown): unknown {
  const { equalities, tests, orders, end } = plan
  const wanted = equalities.map(({ field, valueIn }) => [field, valueIn(args)] as const)
  const list = members.filter(
    (member) =>
      wanted.every(
        ([field, value]) => value === undefined || isEqual((member as Record<string, unknown>)[field], value),
      ) && tests.every((test) => test(member as never, args as never)),
  )
  list.sort((a, b) => orders.reduce((found, { compare }) => found || compare(a, b, args), 0))
  const from = countIn(plan.offset, args) ?? 0
  const limit = countIn(plan.limit, args)
  const shown = list.slice(from, limit === undefined ? undefined : from + limit)
  const { groupKey, total, isWindow } = end ?? {}
  if (isWindow === true) {
    const [first, last] = placesIn(args)
    return { items: shown.slice(first, last), from: first, total: shown.length }
  }
  if (groupKey === undefined) return total === undefined ? shown : totalOf(total, shown, args)
  const groups = new Map<unknown, unknown[]>()
  for (const member of shown) {
    const key = groupKey(member, args)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [member])
    else group.push(member)
  }
  return [...groups].map(([key, of]) =>
    total === undefined ? { key, members: of } : { key, value: totalOf(total, of, args) },
  )
}

function totalOf({ kind, valueOf }: Total, members: readonly unknown[], args: unknown): unknown {
  if (kind === 'count') return members.length
  if (kind === 'first') return members[0]
  const values = members.map((member) => valueOf(member, args)).filter(isCounted)
  if (kind === 'sum') {
    const sum = new ExactSum()
    for (const value of values) sum.add(Number(value))
    return sum.value
  }
  const sign = kind === 'min' ? 1 : -1
  return values.reduce(
    (best, value) => (best === undefined || compareValues(value, best, sign) < 0 ? value : best),
    undefined,
  )
}

/** False for a value that `sum`, `min` and `max` leave out. */
export function isCounted(value: unknown): boolean {
  return value !== undefined && value !== null
}
