/** Whether a value is an object made by `{}`, `JSON.parse` or `Object.create(null)`: data without behaviour. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Beyond this nesting two plain values are taken as different, so that a cyclic value cannot hang a write. */
const deepestComparison = 500

/** Whether two plain values have the same content. Anything that is not plain data is compared by identity. */
export function isSamePlain(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (depth > deepestComparison) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, index) => isSamePlain(item, b[index], depth + 1))
  }
  if (!isPlainObject(a) || !isPlainObject(b)) return false
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every((name) => Object.hasOwn(b, name) && isSamePlain(a[name], b[name], depth + 1))
}

/**
 * Returns `next`, with every part of it that has the content of the same part of `previous` replaced by that
 * part; `previous` itself when nothing differs. Neither argument is changed.
 */
export function shareStructure(previous: unknown, next: unknown, depth = 0): unknown {
  if (Object.is(previous, next)) return previous
  if (typeof previous !== 'object' || typeof next !== 'object' || previous === null || next === null)
    return next
  if (depth > deepestComparison) return next
  if (Array.isArray(previous) && Array.isArray(next)) {
    if (isSameItems(previous, next)) return previous
    let isSame = previous.length === next.length
    const shared = next.map((item, index) => {
      const part = shareStructure(previous[index], item, depth + 1)
      if (part !== previous[index]) isSame = false
      return part
    })
    return isSame ? previous : shared
  }
  if (!isPlainObject(previous) || !isPlainObject(next)) return next
  const names = Object.keys(next)
  let isSame = names.length === Object.keys(previous).length
  const shared: Record<string, unknown> = Object.create(Object.getPrototypeOf(next) as object | null)
  for (const name of names) {
    const before = Object.hasOwn(previous, name) ? previous[name] : undefined
    const part = shareStructure(before, next[name], depth + 1)
    if (part !== before || (part === undefined && !Object.hasOwn(previous, name))) isSame = false
    setOwn(shared, name, part)
  }
  return isSame ? previous : shared
}

/** Whether two lists hold the selfsame things. */
export function isSameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false
  return true
}

/** Copies plain data, so that a caller who changes his object later does not change what is stored. */
export function copyPlain(value: unknown, copies: Map<object, unknown> = new Map()): unknown {
  if (typeof value !== 'object' || value === null) return value
  const known = copies.get(value)
  if (known !== undefined) return known
  if (Array.isArray(value)) {
    const copy: unknown[] = []
    copies.set(value, copy)
    for (const item of value) copy.push(copyPlain(item, copies))
    return copy
  }
  if (!isPlainObject(value)) return value
  const copy: Record<string, unknown> = {}
  copies.set(value, copy)
  for (const name of Object.keys(value)) setOwn(copy, name, copyPlain(value[name], copies))
  return copy
}

/** Sets an own property, also when its name is `__proto__`, which an assignment would take for the prototype. */
export function setOwn(target: object, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true })
  } else {
    ;(target as Record<string, unknown>)[name] = value
  }
}
