/** Listeners of changes. */
export class Listeners {
  #listeners = new Set()

  /** @param {() => void} listener @returns {() => void} removes the listener */
  add(listener) {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  tell() {
    for (const listener of this.#listeners) listener()
  }
}

/**
 * Calls a function whenever the selected value changes by identity: the usual code for a store that notifies every
 * listener of every change.
 *
 * @template Value
 * @param {(listener: () => void) => () => void} subscribe
 * @param {() => Value} select
 * @param {(value: Value) => void} callback
 * @returns {() => void}
 */
export function watchSelected(subscribe, select, callback) {
  let shown = select()
  return subscribe(() => {
    const value = select()
    if (value === shown) return
    shown = value
    callback(value)
  })
}
