/** A map of the newest entries: what was set last stays. */
export class BoundedMap<Key, Value> {
  readonly #most: number
  readonly #values = new Map<Key, Value>()
  /** `true` once an entry had to go. */
  hasDropped = false

  /** @param most - the most entries that it keeps */
  constructor(most: number) {
    this.#most = most
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key)
  }

  /** Returns the value of a key, which is the newest then; makes one if there is none. */
  touch(key: Key, make: () => Value): Value {
    const value = this.#values.get(key) ?? make()
    this.set(key, value)
    return value
  }

  /** Sets an entry, which is the newest then. */
  set(key: Key, value: Value): void {
    this.#values.delete(key)
    this.#values.set(key, value)
    if (this.#values.size <= this.#most) return
    const [oldest] = this.#values.keys()
    this.#values.delete(oldest as Key)
    this.hasDropped = true
  }
}
