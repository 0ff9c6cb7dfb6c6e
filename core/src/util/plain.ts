/** Returns `true` for an object made by `{}`, `JSON.parse` or `Object.create(null)`: data without methods. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Deeper plain values are taken as different, so that a cyclic value cannot hang a write. */
const deepestComparison = 500

/** Beyond this number of objects a comparison remembers them: with cycles it would not end otherwise. */
const manyObjects = 20_000

/** The objects that a comparison has seen. */
interface Compared {
  /** How many more are compared without being remembered. */
  left: number
  /** The outcomes of the objects after those. */
  outcomes: Map<object, unknown> | undefined
}

/**
 * Returns `true` if two values have the same content: plain data, maps, sets, and what `isSameInstance` knows.
 *
 * @param isOrdered - `true` if the order of the keys of objects counts, because it is shown @default false
 */
export function isSamePlain(a: unknown, b: unknown, isOrdered = false): boolean {
  return Object.is(shareStructure(a, b, undefined, isOrdered), a)
}

/**
 * Returns `next`, in which each part that equals the same part of `previous` is replaced by that part; `previous`
 * itself if nothing differs. Neither argument is changed.
 *
 * @param onReplaced - called for a list that replaces another; a list of another length is then taken as it is
 * @param isOrdered - as for `isSamePlain`
 */
export function shareStructure(
  previous: unknown,
  next: unknown,
  onReplaced?: (previous: readonly unknown[], next: readonly unknown[]) => void,
  isOrdered = false,
  depth = 0,
  compared?: Compared,
): unknown {
  if (Object.is(previous, next)) return previous
  if (typeof previous !== 'object' || typeof next !== 'object' || previous === null || next === null)
    return next
  if (depth > deepestComparison) return next
  const arePlain = isPlainObject(previous) && isPlainObject(next)
  // A record comes from the store, where an equal one is the same object.
  if (!arePlain && ('pk' in previous || Object.getPrototypeOf(previous) !== Object.getPrototypeOf(next)))
    return next
  const before = arePlain ? previous : listIn(previous)
  const after = arePlain ? next : listIn(next)
  if (before === undefined || after === undefined) return isSameInstance(previous, next) ? previous : next
  compared ??= { left: manyObjects, outcomes: undefined }
  if (--compared.left < 0) {
    compared.outcomes ??= new Map()
    const known = compared.outcomes.get(next)
    if (known !== undefined) return known
    // Until the outcome is known, for the parts of a cycle.
    compared.outcomes.set(next, next)
  }
  depth++
  let outcome: object
  if (Array.isArray(before) && Array.isArray(after)) {
    const isSameLength = before.length === after.length
    if (!isSameLength && onReplaced !== undefined) {
      onReplaced(before, after)
      return next
    }
    let shared: unknown[] | undefined = isSameLength ? undefined : []
    for (let index = 0; index < after.length; index++) {
      const part = shareStructure(before[index], after[index], onReplaced, isOrdered, depth, compared)
      if (shared === undefined && !Object.is(part, before[index])) shared = before.slice(0, index)
      shared?.push(part)
    }
    if (shared !== undefined) onReplaced?.(before, shared)
    outcome = shared === undefined ? previous : after === next ? shared : next
  } else {
    const names = Object.keys(next)
    const known = Object.keys(previous)
    let isSame = isOrdered ? isSameItems(names, known) : names.length === known.length
    const shared = Object.create(Object.getPrototypeOf(next) as object | null) as PlainFields
    for (const name of names) {
      const has = Object.hasOwn(previous, name)
      const stored = has ? (previous as PlainFields)[name] : undefined
      const part = shareStructure(stored, (next as PlainFields)[name], onReplaced, isOrdered, depth, compared)
      if (!has || !Object.is(part, stored)) isSame = false
      setOwn(shared, name, part)
    }
    outcome = isSame ? previous : shared
  }
  compared.outcomes?.set(next, outcome)
  return outcome
}

/** Returns the parts of a list, a map or a set; `undefined` for another object. */
function listIn(value: object): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  return value instanceof Map || value instanceof Set ? [...(value as Set<unknown>)] : undefined
}

/**
 * Compares dates, addresses, patterns and typed arrays. Other instances may have private state: they are the same if they say so by a
 * method `equals`.
 *
 * @param next - of the same class
 */
function isSameInstance(previous: object, next: object): boolean {
  if (previous instanceof Date) return Object.is(Number(previous), Number(next))
  if (previous instanceof URL || previous instanceof RegExp) return String(previous) === String(next)
  if (ArrayBuffer.isView(previous) && 'length' in previous)
    return isSameItems(previous as never, next as never)
  const { equals } = previous as { readonly equals?: unknown }
  return typeof equals === 'function' && equals.call(previous, next) === true
}

type PlainFields = Record<string, unknown>

/** Returns `true` if two lists hold the same values, by identity. */
export function isSameItems(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (!Object.is(a[index], b[index])) return false
  return true
}

/** Returns `true` if both values are arrays with the same items, by identity. */
export function isSameList(a: unknown, b: unknown): boolean {
  return Array.isArray(a) && Array.isArray(b) && (a === b || isSameItems(a, b))
}

/** Returns `true` if `a` has the members of `b`, with identical values. `false` if `a` is `undefined`. */
export function isSameMembers<Kind extends object>(a: Kind | undefined, b: Kind): boolean {
  if (a === undefined) return false
  for (const name in b) if (a[name] !== b[name]) return false
  return true
}

/** Beyond this number of objects a copy remembers them, because they may contain each other. */
const fewObjects = 2000

/**
 * Copies plain data of any size and depth, so that changes of the original do not change stored data. An object that
 * occurs twice is copied once if the value has many objects or a cycle.
 *
 * @param copies - the copies so far, by their originals. @default none are remembered
 */
export function copyPlain(value: unknown, copies?: Map<object, object>): unknown {
  if (typeof value !== 'object' || value === null) return value
  /** Copies that still hold parts of the original. */
  const waiting: object[] = []
  const copyOf = (part: object): object => {
    const isList = Array.isArray(part)
    let copy = copies?.get(part)
    if (copy !== undefined || !(isList || isPlainObject(part))) return copy ?? part
    copy = isList ? part.slice() : { ...part }
    copies?.set(part, copy)
    waiting.push(copy)
    return copy
  }
  const copied = copyOf(value)
  let count = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (copies === undefined && ++count > fewObjects) return copyPlain(value, new Map())
    if (Array.isArray(next)) {
      for (let index = 0; index < next.length; index++) {
        const part: unknown = next[index]
        if (typeof part === 'object' && part !== null) next[index] = copyOf(part)
      }
    } else {
      for (const name in next) {
        const part = (next as PlainFields)[name]
        if (typeof part === 'object' && part !== null) setOwn(next, name, copyOf(part))
      }
    }
  }
  return copied
}

/** Sets an own property, also one named `__proto__`: an assignment would set the prototype. */
export function setOwn(target: object, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true })
  } else {
    ;(target as Record<string, unknown>)[name] = value
  }
}

/** Writes data as JSON, in which a Map is an object and a Set a list: `JSON.stringify` makes empty objects of both. */
export function jsonTextOf(data: unknown): string {
  return JSON.stringify(data, withEntries)
}

function withEntries(_name: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value as Map<string, unknown>)
  return value instanceof Set ? [...(value as Set<unknown>)] : value
}
