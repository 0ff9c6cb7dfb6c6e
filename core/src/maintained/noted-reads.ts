import { getOrMake } from '../util/get-or-make.js'

/** Records of one class may have other fields than those of the class. For more than these combinations, one stand-in is made. */
const mostShapes = 8

/** What records have in common for which one stand-in is made: the class, and the names of the fields, in order. */
export interface RecordShape {
  readonly prototype: object | null
  readonly names: readonly string[]
}

/** A value with its shape, which is found once: to compare the names of fields takes longer than most functions. */
export interface Shaped {
  readonly value: unknown
  /** `null` if it is no record; `undefined` until a function is called with it. */
  shape: RecordShape | null | undefined
}

const shapes = new WeakMap<object, RecordShape[]>()

/**
 * Calls a function with stand-ins for records, and notes which fields it has read of any of them: two records that are equal in
 * these have the same result. Which fields it reads may depend on their values, so a field counts for all records once it was read
 * of one. One stand-in for all records with the same fields is used again and again: it must not be kept.
 */
export class ReadNoter<Result> {
  readonly #use: (value: unknown) => Result
  /** What was read; `undefined` for all: what the function does cannot be noted. */
  #names: Set<string | symbol> | undefined = new Set()
  /** The same, in an array: most functions read one field or two. */
  #list: readonly (string | symbol)[] = []
  #current: object = {}
  /** The shape of the last call, which most records have, and its stand-in. */
  #lastShape: RecordShape | undefined
  #lastStandIn: object | undefined
  readonly #standIns = new Map<RecordShape, object>()
  readonly #proxies = new Map<object | null, object>()

  constructor(use: (value: unknown) => Result) {
    this.#use = use
  }

  /** Calls the function with a value. */
  call(of: Shaped): Result {
    const { value } = of
    if (this.#names === undefined || !isObject(value)) return this.#use(value)
    this.#current = value
    try {
      return this.#use(this.#standInFor(value, of))
    } catch {
      // A class may have members that work with its own objects only, such as private fields.
      return this.#callPlainly(value)
    }
  }

  /** True if the function has the same result for two values: they are equal in all that it reads, and have the same fields. */
  areSame(a: unknown, b: unknown): boolean {
    if (a === b) return true
    if (this.#names === undefined || !isObject(a) || !isObject(b)) return false
    for (const name of this.#list) if (!Object.is(Reflect.get(a, name), Reflect.get(b, name))) return false
    return hasNames(b, fieldNamesOf(a))
  }

  #callPlainly(value: unknown): Result {
    const result = this.#use(value)
    this.#noteAll()
    return result
  }

  #note(name: string | symbol): void {
    if (this.#names === undefined || this.#names.has(name)) return
    this.#names.add(name)
    this.#list = [...this.#names]
  }

  #noteAll(): void {
    this.#names = undefined
  }

  #standInFor(value: object, of: Shaped): object {
    const shape = of.shape === undefined ? (of.shape = readShapeOf(value, this.#lastShape)) : of.shape
    if (shape === null) return this.#proxyFor(value, Object.getPrototypeOf(value) as object | null)
    if (shape !== this.#lastShape || this.#lastStandIn === undefined) {
      this.#lastShape = shape
      this.#lastStandIn = getOrMake(this.#standIns, shape, () => this.#withGetters(value, shape.prototype))
    }
    return this.#lastStandIn
  }

  /** An object with the fields of a record, which note that they are read: in a tenth of the time of a Proxy. */
  #withGetters(value: object, prototype: object | null): object {
    const made = Object.create(prototype) as object
    for (const name of Reflect.ownKeys(value)) {
      const { enumerable = false } = Reflect.getOwnPropertyDescriptor(value, name) ?? {}
      let isNoted = false
      const get = () => {
        if (!isNoted) {
          isNoted = true
          this.#note(name)
        }
        return (this.#current as Record<string | symbol, unknown>)[name]
      }
      Object.defineProperty(made, name, { get, enumerable })
    }
    return Object.freeze(made)
  }

  /** Stands for any value of a prototype. */
  #proxyFor(value: object, prototype: object | null): object {
    const known = this.#proxies.get(prototype)
    if (known !== undefined) return known
    const target: object = Array.isArray(value) ? [] : (Object.create(prototype) as object)
    const made = new Proxy(target, {
      get: (_, name, receiver) => {
        this.#note(name)
        return Reflect.get(this.#current, name, receiver) as unknown
      },
      has: (_, name) => {
        this.#note(name)
        return Reflect.has(this.#current, name)
      },
      ownKeys: () => {
        this.#noteAll()
        // The keys of the target, such as the length of a list, are among those of any value.
        return Reflect.ownKeys(this.#current)
      },
      getOwnPropertyDescriptor: (of, name) => {
        this.#note(name)
        const found = Reflect.getOwnPropertyDescriptor(this.#current, name)
        const own = Reflect.getOwnPropertyDescriptor(of, name)
        return own === undefined
          ? found && { ...found, configurable: true }
          : { ...own, value: found?.value as unknown }
      },
      set: () => false,
      defineProperty: () => false,
      deleteProperty: () => false,
    })
    this.#proxies.set(prototype, made)
    return made
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Finds the shape of a record; `null` if it has none. @param likely - that of another record */
function readShapeOf(value: object, likely: RecordShape | undefined): RecordShape | null {
  const prototype = Object.getPrototypeOf(value) as object | null
  if (likely?.prototype === prototype && hasNames(value, likely.names)) return likely
  if (prototype === null || !isEntity(value)) return null
  const known = getOrMake(shapes, prototype, () => [])
  const found = known.find(({ names }) => hasNames(value, names))
  if (found !== undefined) return found
  if (known.length === mostShapes) return null
  const shape = { prototype, names: fieldNamesOf(value) }
  known.push(shape)
  return shape
}

/** True for an instance of an Entity. Other values may have members that no loop over their names shows. */
function isEntity(value: object): boolean {
  return !Array.isArray(value) && typeof (value as { pk?: unknown }).pk === 'function'
}

function fieldNamesOf(value: object): readonly string[] {
  const names: string[] = []
  for (const name in value) names.push(name)
  return names
}

/** True if a value has these fields, in this order. Runs for every record: a loop over the names allocates nothing. */
function hasNames(value: object, names: readonly string[]): boolean {
  let index = 0
  for (const name in value) if (name !== names[index++]) return false
  return index === names.length
}
