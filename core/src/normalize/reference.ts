import { isPlainObject, isSameItems, setOwn } from '../util/plain.js'

/**
 * Replaces a record or a list of a Collection in a normalized value. This class tells references from data, never the
 * names of fields.
 */
export abstract class Reference {
  /** The garbage run that last marked it, or during or after which it was created (specification G6). */
  declare mark: number

  /** Returns plain data in place of the reference: the primary key, or those of a list's members. */
  abstract toKeys(): unknown
}

/** Replaces the references in a normalized value by primary keys. @returns the same value if it has none */
export function toKeys(value: unknown): unknown {
  return replaceReferences(value, (reference) => reference.toKeys())
}

/** Replaces each reference in a normalized value. @returns the same value if each is replaced by itself */
export function replaceReferences(
  value: unknown,
  replace: (reference: Reference) => unknown,
  depth = 0,
): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Reference) return replace(value)
  // Data without a schema may be nested without limit and have cycles, but holds no reference.
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

/** After this many values the traversal remembers those that it has seen. */
const manyParts = 1000

/** True if a normalized value holds a reference of the given class. */
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
      // So many values may have a cycle.
      if (looked++ > manyParts) {
        if (seen.has(part)) continue
        seen.add(part)
      }
      stack.push(part)
    }
  }
  return false
}
