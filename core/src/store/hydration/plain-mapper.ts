import * as errors from '../../errors.js'
import { isPlainObject, setOwn } from '../../util/plain.js'

/** How many levels are gone down at once. */
const deepestMapping = 100

/** Maps plain data of any depth: what is nested deep waits until what is above it is done, and the stack is free again. */
export class PlainMapper {
  readonly #step: (value: object) => unknown
  #depth = 0
  #waiting: { readonly target: object; readonly name: string; readonly part: object }[] = []
  /** What is known to hold nothing that holds itself. */
  readonly #ending = new WeakSet<object>()

  /** @param step - gives what stands for an object or list, and calls `mapParts` where its parts are to be mapped */
  constructor(step: (value: object) => unknown) {
    this.#step = step
  }

  /** @throws {SelfsameError} `value-unusable` for an object or list that holds itself */
  map(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (this.#depth > 0) return this.#step(value)
    try {
      const mapped = this.#step(value)
      for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
        setOwn(next.target, next.name, this.#step(next.part))
      }
      return mapped
    } finally {
      // An error may have left them behind.
      this.#depth = 0
      this.#waiting = []
    }
  }

  /** Maps the items or fields of a value into another. They may not be there yet when it returns. */
  mapParts<Target extends object>(value: object, target: Target): Target {
    this.#depth++
    if (Array.isArray(value)) (target as unknown as unknown[]).length = value.length
    for (const name of Object.keys(value)) {
      const part = (value as Readonly<Record<string, unknown>>)[name]
      if (typeof part !== 'object' || part === null) setOwn(target, name, part)
      else if (this.#depth <= deepestMapping) setOwn(target, name, this.#step(part))
      else {
        // What holds itself is deeper than any level.
        if (holdsItself(part, this.#ending)) throw errors.valueHoldsItself()
        // It keeps its place in the order of names.
        setOwn(target, name, undefined)
        this.#waiting.push({ target, name, part })
      }
    }
    this.#depth--
    return target
  }
}

/** @param ending - what is known not to; takes what is found not to */
function holdsItself(value: object, ending: WeakSet<object>): boolean {
  const above = new Set<object>()
  const waiting = [value]
  for (let next = waiting.at(-1); next !== undefined; next = waiting.at(-1)) {
    if (ending.has(next) || above.has(next)) {
      // All below it was seen.
      waiting.pop()
      above.delete(next)
      ending.add(next)
      continue
    }
    above.add(next)
    if (!Array.isArray(next) && !isPlainObject(next)) continue
    for (const part of Object.values(next) as unknown[]) {
      if (typeof part !== 'object' || part === null) continue
      if (above.has(part)) return true
      waiting.push(part)
    }
  }
  return false
}
