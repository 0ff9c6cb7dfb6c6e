import type { OutboxState } from '../controller/outbox-of.js'

/** What readers see of an outbox. */
export class Shown {
  readonly #make: () => OutboxState
  readonly #listeners = new Set<() => void>()
  #state: OutboxState | undefined
  #isTelling = false

  constructor(make: () => OutboxState) {
    this.#make = make
  }

  /** The same object until the next change. */
  get state(): OutboxState {
    return (this.#state ??= Object.freeze(this.#make()))
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Tells the listeners of a change, in a microtask, because the caller may be rendering. */
  tell(): void {
    this.#state = undefined
    if (this.#isTelling) return
    this.#isTelling = true
    queueMicrotask(() => {
      this.#isTelling = false
      for (const listener of [...this.#listeners]) listener()
    })
  }
}
