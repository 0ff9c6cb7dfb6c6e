import { isPlainObject } from '../util/plain.js'

/**
 * What stands in a normalized value instead of a record or a list of a Collection. References are told apart from
 * data by this class, never by the names of fields.
 */
export abstract class Reference {
  /** The collection that found it last, or during or after which it was made (specification G6). */
  mark: number

  constructor(mark: number) {
    this.mark = mark
  }

  /** What stands for it where only plain data can: the primary key, or those of a list's members. */
  abstract toKeys(): unknown
}

/** A normalized value with primary keys in place of its references; the same value where it has none. */
export function toKeys(value: unknown): unknown {
  if (value instanceof Reference) return value.toKeys()
  if (Array.isArray(value)) {
    const keys = value.map(toKeys)
    return keys.some((key, index) => key !== value[index]) ? keys : value
  }
  if (!isPlainObject(value)) return value
  let keys: Record<string, unknown> | undefined
  for (const name of Object.keys(value)) {
    const key = toKeys(value[name])
    if (key === value[name]) continue
    keys ??= { ...value }
    keys[name] = key
  }
  return keys ?? value
}
