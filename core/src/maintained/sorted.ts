import { compareValues } from '../util/compare-fields.js'
import type { MemberState } from './flow.js'
import type { Order } from './steps.js'

/** A member with what is compared of it, read once. */
interface Keyed {
  readonly key: unknown
  readonly entry: MemberState
}

/** The places of two members between which another order decides. */
type Run = readonly [from: number, to: number]

/** Sorts members by fields: those that are equal in the first by the next, and at last as they were. */
export function sortedByKeys(
  entries: readonly MemberState[],
  [first, ...others]: readonly Order[],
): readonly MemberState[] {
  if (first === undefined || entries.length < 2) return entries
  const keys = entries.map(({ value }) => first.keyOf?.(value))
  const runs: Run[] = []
  const sorted = sortPacked(entries, keys, first.sign, runs) ?? sortCompared(entries, keys, first.sign, runs)
  if (others.length > 0) {
    for (const [from, to] of runs) {
      const run = sortedByKeys(sorted.slice(from, to), others)
      for (let index = from; index < to; index++) sorted[index] = run[index - from] as MemberState
    }
  }
  return sorted
}

/**
 * Sorts by whole numbers and dates that are near enough to each other: a number is made of each key and its place, and numbers are
 * sorted in a third of the time that a comparison takes.
 *
 * @param runs - gets the places of equal ones
 * @returns `undefined` for other keys
 */
function sortPacked(
  entries: readonly MemberState[],
  keys: readonly unknown[],
  sign: 1 | -1,
  runs: Run[],
): MemberState[] | undefined {
  const packed = new Float64Array(keys.length)
  let least = Infinity
  let most = -Infinity
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]
    const number = key instanceof Date ? key.getTime() : key
    if (!Number.isSafeInteger(number)) return undefined
    packed[index] = number as number
    if ((number as number) < least) least = number as number
    if ((number as number) > most) most = number as number
  }
  // A power of two: what divides by it loses no digit.
  const places = 2 ** Math.ceil(Math.log2(keys.length))
  if ((most - least + 1) * places > Number.MAX_SAFE_INTEGER) return undefined
  for (let index = 0; index < packed.length; index++) {
    const number = packed[index] as number
    packed[index] = (sign === 1 ? number - least : most - number) * places + index
  }
  packed.sort()
  return inPlaces(entries, packed, places, runs)
}

function inPlaces(
  entries: readonly MemberState[],
  packed: Float64Array,
  places: number,
  runs: Run[],
): MemberState[] {
  const sorted: MemberState[] = []
  let from = 0
  let earlier = -1
  for (let index = 0; index < packed.length; index++) {
    const number = packed[index] as number
    const key = Math.floor(number / places)
    sorted.push(entries[number - key * places] as MemberState)
    if (key !== earlier) {
      if (index - from > 1) runs.push([from, index])
      from = index
      earlier = key
    }
  }
  if (packed.length - from > 1) runs.push([from, packed.length])
  return sorted
}

/** Sorts by any values. @param runs - gets the places of equal ones */
function sortCompared(
  entries: readonly MemberState[],
  keys: readonly unknown[],
  sign: 1 | -1,
  runs: Run[],
): MemberState[] {
  const compare = comparisonFor(keys, sign)
  const keyed: Keyed[] = entries.map((entry, index) => ({ key: keys[index], entry }))
  keyed.sort((a, b) => compare(a.key, b.key))
  let from = 0
  for (let index = 1; index <= keyed.length; index++) {
    if (index < keyed.length && compare(keyed[index - 1]?.key, keyed[index]?.key) === 0) continue
    if (index - from > 1) runs.push([from, index])
    from = index
  }
  return keyed.map(({ entry }) => entry)
}

/** Numbers and texts, which most fields have, are compared without a look at their types. */
function comparisonFor(keys: readonly unknown[], sign: 1 | -1): (a: unknown, b: unknown) => number {
  if (keys.every((key) => typeof key === 'number' && !Number.isNaN(key)))
    return (a, b) => (a === b ? 0 : sign * ((a as number) < (b as number) ? -1 : 1))
  if (keys.every((key) => typeof key === 'string'))
    return (a, b) => (a === b ? 0 : sign * ((a as string) < (b as string) ? -1 : 1))
  return (a, b) => compareValues(a, b, sign)
}
