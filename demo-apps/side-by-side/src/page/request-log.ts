/** A request, as the page saw it. */
export interface LoggedRequest {
  readonly number: number
  readonly method: string
  readonly url: string
  /** What it came to: a status, or `'failed'` without an answer; `undefined` while it is under way. */
  readonly outcome: number | 'failed' | undefined
  /** Until the answer began: milliseconds. */
  readonly duration: number | undefined
}

const keptLength = 50

/** What the page has asked the server, newest first. */
export class RequestLog {
  #count = 0
  #requests: readonly LoggedRequest[] = []
  readonly #listeners = new Set<() => void>()

  get count(): number {
    return this.#count
  }

  /** The newest of them. */
  get requests(): readonly LoggedRequest[] {
    return this.#requests
  }

  /** Notes a request that was just sent, and later what it came to. @returns the same response */
  async record(method: string, url: string, response: Promise<Response>): Promise<Response> {
    const number = ++this.#count
    const start = performance.now()
    const request: LoggedRequest = { number, method, url, outcome: undefined, duration: undefined }
    this.#set([request, ...this.#requests].slice(0, keptLength))
    const settle = (outcome: number | 'failed') => {
      const settled = { ...request, outcome, duration: performance.now() - start }
      this.#set(this.#requests.map((other) => (other === request ? settled : other)))
    }
    return response.then(
      (answer) => {
        settle(answer.status)
        return answer
      },
      (error: unknown) => {
        settle('failed')
        throw error
      },
    )
  }

  clear(): void {
    this.#count = 0
    this.#set([])
  }

  /** Calls a function after each change. */
  subscribe(listener: () => void): void {
    this.#listeners.add(listener)
  }

  #set(requests: readonly LoggedRequest[]): void {
    this.#requests = requests
    for (const listener of this.#listeners) listener()
  }
}
