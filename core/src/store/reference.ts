import { isPlainObject, isSameItems, setOwn } from '../util/plain.js'

/**
 * What stands in a normalized value instead of a record or a list of a Collection. References are told apart from
 * data by this class, never by the names of fields.
 */
export abstract class Reference {
  /** Says which run of the garbage collector found it last, or during or after which it was made (specification G6). */
  mark: number

  constructor(mark: number) {
    this.mark = mark
  }

  /** What stands for it where only plain data can: the primary key, or those of a list's members. */
  abstract toKeys(): unknown
}

/** A normalized value with primary keys in place of its references; the same value where it has none. */
export function toKeys(value: unknown): unknown {
  return replaceReferences(value, (reference) => reference.toKeys())
}

/** A normalized value with something in place of its references; the same value where each is replaced by itself. */
export function replaceReferences(
  value: unknown,
  replace: (reference: Reference) => unknown,
  depth = 0,
): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Reference) return replace(value)
  // Data without a schema may be of any depth and have cycles, and holds no reference.
  if (depth % 8 === 7 && !hasReference(value)) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => replaceReferences(item, replace, depth + 1))
    return isSameItems(items, value) ? value : items
  }
  if (!isPlainObject(value)) return value
  let parts: Record<string, unknown> | undefined
  for (const name of Object.keys(value)) {
    const part = replaceReferences(value[name], replace, depth + 1)
    if (part === value[name]) continue
    parts ??= { ...value }
    setOwn(parts, name, part)
  }
  return parts ?? value
}

/** How many parts are looked at before those that were seen are remembered. */
const manyParts = 1000

/** Whether a normalized value holds a reference, or one of a kind. */
export function hasReference(
  value: unknown,
  kind: abstract new (...args: never) => Reference = Reference,
): boolean {
  if (value instanceof kind) return true
  if (!Array.isArray(value) && !isPlainObject(value)) return false
  const stack: object[] = [value]
  const seen = new Set<object>()
  let looked = 0
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    for (const part of Array.isArray(next) ? (next as unknown[]) : Object.values(next)) {
      if (part instanceof kind) return true
      if (!Array.isArray(part) && !isPlainObject(part)) continue
      // What stands twice may have cycles.
      if (looked++ > manyParts) {
        if (seen.has(part)) continue
        seen.add(part)
      }
      stack.push(part)
    }
  }
  return false
}
