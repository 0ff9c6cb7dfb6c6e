/** Functions that are told of changes. */
export class Listeners {
  #listeners = new Set()

  /** @param {() => void} listener @returns {() => void} ends it */
  add(listener) {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  tell() {
    for (const listener of this.#listeners) listener()
  }
}

/**
 * Calls a function whenever what is selected is another object. What one writes who listens to a store that tells
 * everybody of every change.
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
