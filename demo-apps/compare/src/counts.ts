/** Counts the requests and renders of one side. */
export class Counts {
  readonly #listeners = new Set<() => void>()
  requests = 0
  renders = 0
  /** The number of requests in flight. */
  underWay = 0

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    this.requests++
    this.underWay++
    this.#notify()
    try {
      return await globalThis.fetch(input, init)
    } finally {
      this.underWay--
      this.#notify()
    }
  }

  readonly onRender = (): void => {
    this.renders++
    this.#notify()
  }

  readonly reset = (): void => {
    this.requests = 0
    this.renders = 0
    this.#notify()
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}
