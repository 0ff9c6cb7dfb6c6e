/** Whether a value is an object made by `{}`, `JSON.parse` or `Object.create(null)`: data without behaviour. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Beyond this nesting two plain values are taken as different, so that a cyclic value cannot hang a write. */
const deepestComparison = 500

/** Beyond this number of objects a comparison remembers them, because one of a value with cycles has no end otherwise. */
const manyObjects = 20_000

/** What a comparison has looked at. */
class Compared {
  #count = 0
  #outcomes: Map<object, unknown> | undefined = undefined

  /** The outcome for an object that was looked at before; `undefined` where it has to be compared. */
  recall(next: object): unknown {
    if (++this.#count <= manyObjects) return undefined
    this.#outcomes ??= new Map()
    const outcome = this.#outcomes.get(next)
    // Until there is one, for what it holds.
    if (outcome === undefined) this.#outcomes.set(next, next)
    return outcome
  }

  note<Outcome>(next: object, outcome: Outcome): Outcome {
    this.#outcomes?.set(next, outcome)
    return outcome
  }
}

/** Whether two plain values have the same content. Anything that is not plain data is compared by identity. */
export function isSamePlain(a: unknown, b: unknown): boolean {
  return Object.is(shareStructure(a, b), a)
}

/**
 * Returns `next`, with every part of it that has the content of the same part of `previous` replaced by that
 * part; `previous` itself when nothing differs. Neither argument is changed.
 *
 * @param onReplaced - hears of a list that is put in the place of another; one of another length is taken as it is then
 */
export function shareStructure(
  previous: unknown,
  next: unknown,
  onReplaced?: (previous: readonly unknown[], next: readonly unknown[]) => void,
  depth = 0,
  compared?: Compared,
): unknown {
  if (Object.is(previous, next)) return previous
  if (typeof previous !== 'object' || typeof next !== 'object' || previous === null || next === null)
    return next
  const areLists = Array.isArray(previous) && Array.isArray(next)
  if (depth > deepestComparison || !(areLists || (isPlainObject(previous) && isPlainObject(next))))
    return next
  compared ??= new Compared()
  const known = compared.recall(next)
  if (known !== undefined) return known
  if (areLists) {
    if (previous.length !== next.length && onReplaced !== undefined) {
      onReplaced(previous, next)
      return next
    }
    let shared: unknown[] | undefined = previous.length === next.length ? undefined : next.slice()
    for (let index = 0; index < next.length; index++) {
      const part = shareStructure(previous[index], next[index], onReplaced, depth + 1, compared)
      if (shared === undefined && !Object.is(part, previous[index])) {
        shared = next.slice()
        for (let same = 0; same < index; same++) shared[same] = previous[same]
      }
      if (shared !== undefined) shared[index] = part
    }
    if (shared !== undefined) onReplaced?.(previous, shared)
    return compared.note(next, shared ?? previous)
  }
  const names = Object.keys(next)
  let isSame = names.length === Object.keys(previous).length
  const shared: Record<string, unknown> = Object.create(Object.getPrototypeOf(next) as object | null)
  for (const name of names) {
    const before = Object.hasOwn(previous, name) ? (previous as Record<string, unknown>)[name] : undefined
    const part = shareStructure(
      before,
      (next as Record<string, unknown>)[name],
      onReplaced,
      depth + 1,
      compared,
    )
    if (!Object.is(part, before) || (part === undefined && !Object.hasOwn(previous, name))) isSame = false
    setOwn(shared, name, part)
  }
  return compared.note(next, isSame ? previous : shared)
}

/** Whether two lists hold the selfsame things. */
export function isSameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false
  return true
}

/** Copies plain data, so that a caller who changes his object later does not change what is stored. */
export function copyPlain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const limits = { objects: 2000, isReached: false }
  const copy = copyTree(value, 0, limits)
  return limits.isReached ? copyGraph(value) : copy
}

/** Copies what text could hold: a tree of few objects. Stops where it is deeper or larger, as it is where it has cycles. */
function copyTree(value: object, depth: number, limits: { objects: number; isReached: boolean }): unknown {
  if (limits.objects-- <= 0 || depth > 32) limits.isReached = true
  if (limits.isReached) return value
  if (Array.isArray(value)) {
    const items: unknown[] = value.slice()
    for (let index = 0; index < items.length; index++) {
      const item = items[index]
      if (typeof item === 'object' && item !== null) items[index] = copyTree(item, depth + 1, limits)
    }
    return items
  }
  if (!isPlainObject(value)) return value
  const copy = { ...value }
  for (const name in copy) {
    const part = copy[name]
    if (typeof part === 'object' && part !== null) setOwn(copy, name, copyTree(part, depth + 1, limits))
  }
  return copy
}

/** Copies plain data of any size and depth, which may have cycles. What stands twice is copied once. */
function copyGraph(value: object): unknown {
  const copies = new Map<object, object>()
  /** Copies whose parts are still those of the original. */
  const waiting: object[] = []
  const copyOf = (part: object): object => {
    const isList = Array.isArray(part)
    if (!isList && !isPlainObject(part)) return part
    let copy = copies.get(part)
    if (copy === undefined) {
      copy = isList ? part.slice() : { ...part }
      copies.set(part, copy)
      waiting.push(copy)
    }
    return copy
  }
  const copy = copyOf(value)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const name of Object.keys(next)) {
      const part = (next as Readonly<Record<string, unknown>>)[name]
      if (typeof part === 'object' && part !== null) setOwn(next, name, copyOf(part))
    }
  }
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
