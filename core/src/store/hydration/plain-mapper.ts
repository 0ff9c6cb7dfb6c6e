import { setOwn } from '../../util/plain.js'

/** How many levels are gone down at once. */
const deepestMapping = 100

/** Maps plain data of any depth: what is nested deep waits until what is above it is done, and the stack is free again. */
export class PlainMapper {
  readonly #step: (value: object) => unknown
  #depth = 0
  readonly #waiting: { readonly target: object; readonly name: string; readonly part: object }[] = []

  /** @param step - gives what stands for an object or list, and calls `mapParts` where its parts are to be mapped */
  constructor(step: (value: object) => unknown) {
    this.#step = step
  }

  map(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    const mapped = this.#step(value)
    if (this.#depth > 0) return mapped
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      setOwn(next.target, next.name, this.#step(next.part))
    }
    return mapped
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
        // It keeps its place in the order of names.
        setOwn(target, name, undefined)
        this.#waiting.push({ target, name, part })
      }
    }
    this.#depth--
    return target
  }
}
