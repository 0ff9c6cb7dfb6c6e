import * as errors from '../../errors.js'
import { isPlainObject, setOwn } from '../../util/plain.js'

/** The depth of recursion, beyond which parts are queued. */
const deepestMapping = 100

/**
 * Maps plain data of any depth without overflowing the stack: deeper parts are queued until the recursion has
 * returned.
 */
export class PlainMapper {
  readonly #step: (value: object) => unknown
  #depth = 0
  #waiting: { readonly target: object; readonly name: string; readonly part: object }[] = []
  /** Objects known to have no circular parts. */
  readonly #ending = new WeakSet<object>()

  /** @param step - maps an object or list; calls `mapParts` to map its parts */
  constructor(step: (value: object) => unknown) {
    this.#step = step
  }

  /** @throws {SelfsameError} `value-unusable` for a circular object or list */
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
      // After an error, both are in an unknown state.
      this.#depth = 0
      this.#waiting = []
    }
  }

  /** Maps the items or fields of a value into a target. Deep parts are filled in after it returns. */
  mapParts<Target extends object>(value: object, target: Target): Target {
    this.#depth++
    if (Array.isArray(value)) (target as unknown as unknown[]).length = value.length
    for (const name of Object.keys(value)) {
      const part = (value as Readonly<Record<string, unknown>>)[name]
      if (typeof part !== 'object' || part === null) setOwn(target, name, part)
      else if (this.#depth <= deepestMapping) setOwn(target, name, this.#step(part))
      else {
        // A circular value exceeds every depth, so it is found here.
        if (holdsItself(part, this.#ending)) throw errors.valueHoldsItself()
        // A placeholder keeps the order of the fields.
        setOwn(target, name, undefined)
        this.#waiting.push({ target, name, part })
      }
    }
    this.#depth--
    return target
  }
}

/** @param ending - objects known not to be circular; the ones found here are added */
function holdsItself(value: object, ending: WeakSet<object>): boolean {
  const above = new Set<object>()
  const waiting = [value]
  for (let next = waiting.at(-1); next !== undefined; next = waiting.at(-1)) {
    if (ending.has(next) || above.has(next)) {
      // Every part below it was visited.
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
