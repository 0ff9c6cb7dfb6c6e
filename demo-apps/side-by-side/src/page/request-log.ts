/** A request, as the page saw it. */
export interface LoggedRequest {
  readonly number: number
  readonly method: string
  readonly url: string
  /** The status, or `'failed'` without a response; `undefined` while it is in flight. */
  readonly outcome: number | 'failed' | undefined
  /** The time until the response started, in milliseconds. */
  readonly duration: number | undefined
}

const keptLength = 50

/** The requests of the page, newest first. */
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

  /** Logs a request that was just sent, and later its outcome. @returns the same response */
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
