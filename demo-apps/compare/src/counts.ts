/** Each response takes this much longer, as on a network: both sides show what they show while they wait. */
const latencyMs = 40

/** What is counted of one side. */
export interface Work {
  readonly requests: number
  readonly renders: number
  /** Of the bodies of requests and responses. */
  readonly bytes: number
}

/** Counts the requests, renders and bytes of one side. */
export class Counts {
  readonly #listeners = new Set<() => void>()
  #work: Work = { requests: 0, renders: 0, bytes: 0 }
  /** The number of requests in flight. */
  underWay = 0
  /** If true, nothing is counted: what prepares a step is no part of it. */
  isPaused = false

  get work(): Work {
    return this.#work
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    this.underWay++
    this.#add({ requests: 1, bytes: lengthOf(init?.body) })
    try {
      const response = await globalThis.fetch(input, init)
      const { byteLength } = await response.clone().arrayBuffer()
      await new Promise((resolve) => setTimeout(resolve, latencyMs))
      init?.signal?.throwIfAborted()
      this.#add({ bytes: byteLength })
      return response
    } finally {
      this.underWay--
    }
  }

  readonly onRender = (): void => this.#add({ renders: 1 })

  readonly reset = (): void => {
    this.#work = { requests: 0, renders: 0, bytes: 0 }
    this.#notify()
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #add({ requests = 0, renders = 0, bytes = 0 }: Partial<Work>): void {
    if (this.isPaused) return
    const work = this.#work
    this.#work = {
      requests: work.requests + requests,
      renders: work.renders + renders,
      bytes: work.bytes + bytes,
    }
    this.#notify()
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

function lengthOf(body: BodyInit | null | undefined): number {
  return typeof body === 'string' ? new TextEncoder().encode(body).byteLength : 0
}
