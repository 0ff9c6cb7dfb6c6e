/**
 * The fields of a record that a function read, in the order of the first reads. Functions read the same fields of most records,
 * so these lists are shared: each is a path of a tree.
 */
export class Reads {
  readonly names: readonly (string | symbol)[]
  readonly #next = new Map<string | symbol, Reads>()

  constructor(names: readonly (string | symbol)[] = []) {
    this.names = names
  }

  /** These reads and one more. */
  with(name: string | symbol): Reads {
    if (this.names.includes(name)) return this
    let next = this.#next.get(name)
    if (next === undefined) this.#next.set(name, (next = new Reads([...this.names, name])))
    return next
  }

  /** True if two objects are equal in all that was read. */
  areSame(a: unknown, b: unknown): boolean {
    if (a === b) return true
    if (!isObject(a) || !isObject(b)) return false
    for (const name of this.names) {
      if (name === everything || !Object.is(Reflect.get(a, name), Reflect.get(b, name))) return false
    }
    return true
  }
}

/** Stands for all fields, in a list of reads. */
const everything = Symbol('everything')

/**
 * Calls functions with a stand-in for a record, and notes which fields they read. One stand-in for each prototype is used
 * again and again: it must not be kept.
 */
export class ReadNoter {
  readonly #none = new Reads()
  readonly #all = new Reads([everything])
  #current: object = {}
  #reads = this.#none
  readonly #standIns = new Map<object | null, object>()

  /**
   * Calls a function with a value.
   *
   * @param reads - what was read of the value before
   * @returns the result, and what was read
   */
  call<Result>(
    value: unknown,
    use: (value: unknown) => Result,
    reads: Reads = this.#none,
  ): { readonly result: Result; readonly reads: Reads } {
    if (!isObject(value) || reads === this.#all) return { result: use(value), reads: this.#all }
    const [outer, outerReads] = [this.#current, this.#reads]
    this.#current = value
    this.#reads = reads
    try {
      const result = use(this.#standInFor(value))
      return { result, reads: this.#reads }
    } catch {
      // A class may have members that work with its own objects only, such as private fields.
      return { result: use(value), reads: this.#all }
    } finally {
      this.#current = outer
      this.#reads = outerReads
    }
  }

  #standInFor(value: object): object {
    const prototype = Object.getPrototypeOf(value) as object | null
    const standIn = this.#standIns.get(prototype)
    if (standIn !== undefined) return standIn
    const target: object = Array.isArray(value) ? [] : (Object.create(prototype) as object)
    const note = (name: string | symbol) => (this.#reads = this.#reads.with(name))
    const made = new Proxy(target, {
      get: (_, name, receiver) => {
        note(name)
        return Reflect.get(this.#current, name, receiver) as unknown
      },
      has: (_, name) => {
        note(name)
        return Reflect.has(this.#current, name)
      },
      ownKeys: () => {
        note(everything)
        // The keys of the target, such as the length of a list, are among those of any value.
        return Reflect.ownKeys(this.#current)
      },
      getOwnPropertyDescriptor: (of, name) => {
        note(name)
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
    this.#standIns.set(prototype, made)
    return made
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
