import { compareValues } from '../util/compare-fields.js'
import type { MemberState } from './flow.js'

/** An entry with what is compared of it, read once. */
interface Keyed {
  readonly key: unknown
  readonly entry: MemberState
}

/** Sorts entries by one value of each. Equal ones stay in their order. */
export function sortedByKey(
  entries: readonly MemberState[],
  keyOf: (member: unknown) => unknown,
  sign: 1 | -1,
): MemberState[] {
  const keyed: Keyed[] = []
  let areTexts = true
  let areNumbers = true
  for (const entry of entries) {
    const key = keyOf(entry.value)
    areTexts &&= typeof key === 'string'
    areNumbers &&= typeof key === 'number' && !Number.isNaN(key)
    keyed.push({ key, entry })
  }
  // Numbers and texts, which most fields have, are compared without a look at their types.
  if (areNumbers) keyed.sort((a, b) => sign * ((a.key as number) - (b.key as number)))
  else if (areTexts) keyed.sort((a, b) => sign * compareTexts(a.key as string, b.key as string))
  else keyed.sort((a, b) => compareValues(a.key, b.key, sign))
  return keyed.map(({ entry }) => entry)
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
