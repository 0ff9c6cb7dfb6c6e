import type { Action, Middleware } from '@selfsame/core'

/** One thing that was done to a Controller. */
export interface Entry {
  readonly action: Action
  /** Why it was refused; `undefined` when it was not. */
  readonly error: Error | undefined
  /** When it was done: milliseconds since the epoch. */
  readonly at: number
}

/**
 * The last things that were done to a Controller, for a panel that shows them.
 */
export class History {
  readonly #length: number
  readonly #listeners = new Set<() => void>()
  #entries: readonly Entry[] = []

  /** @param length - how many entries are kept */
  constructor(length = 200) {
    this.#length = length
  }

  /** The oldest first. The same array until something is done. */
  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** Calls a function after each action. @returns a function that ends it */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly middleware: Middleware = ({ clock }) => ({
    after: (action, error) => {
      this.#entries = [
        ...this.#entries,
        { action, error, at: clock.now() },
      ].slice(-this.#length)
      for (const listener of this.#listeners) listener()
    },
  })
}
