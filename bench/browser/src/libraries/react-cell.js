/** A value and its subscribers, for `useSyncExternalStore`. */
export class Cell {
  #value
  #listeners = new Set()

  constructor(value) {
    this.#value = value
  }

  get value() {
    return this.#value
  }

  set value(value) {
    this.#value = value
    for (const listener of this.#listeners) listener()
  }

  get = () => this.#value

  subscribe = (listener) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
