import { getOrMake } from '../util/get-or-make.js'

/**
 * The fields of a record that a function read, in the order of the first reads. Functions read the same fields of most records,
 * so these lists are shared: each is a path of a tree.
 */
export class FieldReads {
  readonly names: readonly (string | symbol)[]
  readonly #next = new Map<string | symbol, FieldReads>()
  /** The last step, which most records take. */
  #lastName: string | symbol | undefined
  #last: FieldReads = this

  constructor(names: readonly (string | symbol)[] = []) {
    this.names = names
  }

  /** These reads and one more. */
  with(name: string | symbol): FieldReads {
    if (name !== this.#lastName) {
      this.#last = this.names.includes(name) ? this : getOrMake(this.#next, name, () => this.#and(name))
      this.#lastName = name
    }
    return this.#last
  }

  #and(name: string | symbol): FieldReads {
    return new FieldReads([...this.names, name])
  }

  /** True if two objects have the same fields, and are equal in all that was read. */
  areSame(a: unknown, b: unknown): boolean {
    if (a === b) return true
    if (!isObject(a) || !isObject(b)) return false
    for (const name of this.names) {
      if (name === everything || !Object.is(Reflect.get(a, name), Reflect.get(b, name))) return false
    }
    return hasNames(b, namesOf(a))
  }
}

/** Stands for all fields, in a list of reads. */
const everything = Symbol('everything')

/** Records of one class may have other fields than those of the class. For more than these combinations, one stand-in is made. */
const mostShapes = 8

/** What a function gets in place of a record. */
interface StandIn {
  readonly prototype: object | null
  /** The names of the fields of the records that it fits. */
  readonly names: readonly string[]
  readonly made: object
}

/**
 * Calls a function with a stand-in for a record, and notes which fields it reads. One stand-in for all records with the same
 * fields is used again and again: it must not be kept.
 */
export class ReadNoter<Result> {
  /** What the function read in the last call. */
  reads: FieldReads
  readonly #use: (value: unknown) => Result
  readonly #none = new FieldReads()
  readonly #all = new FieldReads([everything])
  #current: object = {}
  /** The stand-in of the last call, which fits most records. */
  #last: StandIn | undefined
  readonly #standIns = new Map<object | null, readonly StandIn[]>()
  readonly #proxies = new Map<object | null, object>()

  constructor(use: (value: unknown) => Result) {
    this.#use = use
    this.reads = this.#none
  }

  /** Calls the function with a value. */
  call(value: unknown): Result {
    if (!isObject(value)) return this.#callPlainly(value)
    this.#current = value
    this.reads = this.#none
    try {
      return this.#use(this.#standInFor(value))
    } catch {
      // A class may have members that work with its own objects only, such as private fields.
      return this.#callPlainly(value)
    }
  }

  #callPlainly(value: unknown): Result {
    const result = this.#use(value)
    this.reads = this.#all
    return result
  }

  #note(name: string | symbol): void {
    this.reads = this.reads.with(name)
  }

  #standInFor(value: object): object {
    const prototype = Object.getPrototypeOf(value) as object | null
    const last = this.#last
    if (last?.prototype === prototype && hasNames(value, last.names)) return last.made
    if (!isRecord(value)) return this.#proxyFor(value, prototype)
    const known = this.#standIns.get(prototype) ?? []
    let found = known.find(({ names }) => hasNames(value, names))
    if (found === undefined) {
      if (known.length === mostShapes) return this.#proxyFor(value, prototype)
      found = { prototype, names: namesOf(value), made: this.#withGetters(value, prototype) }
      this.#standIns.set(prototype, [...known, found])
    }
    this.#last = found
    return found.made
  }

  /** An object with the fields of a record, which note that they are read: in a tenth of the time of a Proxy. */
  #withGetters(value: object, prototype: object | null): object {
    const made = Object.create(prototype) as object
    for (const name of Reflect.ownKeys(value)) {
      const { enumerable = false } = Reflect.getOwnPropertyDescriptor(value, name) ?? {}
      const get = () => {
        this.#note(name)
        return Reflect.get(this.#current, name) as unknown
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
        this.#note(everything)
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

/** True for an instance of an Entity. Other values may have members that no loop over their names shows. */
function isRecord(value: object): boolean {
  return !Array.isArray(value) && typeof (value as { pk?: unknown }).pk === 'function'
}

function namesOf(value: object): readonly string[] {
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
