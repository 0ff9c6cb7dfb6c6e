/** A request, as the page saw it. */
export interface LoggedRequest {
  readonly kind: 'request'
  readonly number: number
  readonly method: string
  readonly url: string
  /** The status, or `'failed'` without a response; `undefined` while it is in flight. */
  readonly outcome: number | 'failed' | undefined
  /** The time until the response started, in milliseconds. */
  readonly duration: number | undefined
  /** Why it was sent; `undefined` if nothing tells it. */
  readonly why: string | undefined
  /** What was not sent because of it. */
  readonly saved: Saving | undefined
}

/** A read that needed no request. */
export interface LoggedRead {
  readonly kind: 'read'
  readonly number: number
  readonly url: string
  readonly saved: Saving
}

/** Requests that were not sent. */
export interface Saving {
  readonly count: number
  readonly why: string
}

export type LogEntry = LoggedRequest | LoggedRead

const keptLength = 50

/** What the panes asked for, newest first: the requests, and the reads that needed none. */
export class RequestLog {
  #count = 0
  #refetches = 0
  #saved = 0
  #number = 0
  #entries: readonly LogEntry[] = []
  readonly #read = new Set<string>()
  readonly #whys = new Map<string, string>()
  readonly #listeners = new Set<() => void>()

  /** The number of requests. */
  get count(): number {
    return this.#count
  }

  /** The number of reads of what had been read before. */
  get refetches(): number {
    return this.#refetches
  }

  /** The number of requests that were not sent. */
  get saved(): number {
    return this.#saved
  }

  /** The newest of them. */
  get entries(): readonly LogEntry[] {
    return this.#entries
  }

  /** The newest request. */
  get newest(): LoggedRequest | undefined {
    return this.#entries.find((entry) => entry.kind === 'request')
  }

  /** Says why the next request of a key is sent. */
  explain(key: string, why: string): void {
    this.#whys.set(key, why)
  }

  /** Logs a request that was just sent, and later its outcome. @returns the same response */
  async record(method: string, url: string, response: Promise<Response>): Promise<Response> {
    this.#countRequest(method, url)
    const start = performance.now()
    const request: LoggedRequest = {
      kind: 'request',
      number: ++this.#number,
      method,
      url,
      outcome: undefined,
      duration: undefined,
      why: this.#whys.get(`${method} ${url}`),
      saved: undefined,
    }
    this.#add(request)
    const settle = (outcome: number | 'failed') =>
      this.#change(request.number, { outcome, duration: performance.now() - start })
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

  /** Adds to the newest request of a key what was not sent because of it. */
  save(key: string, saved: Saving): void {
    const request = this.#entries.find(
      (entry) => entry.kind === 'request' && `${entry.method} ${entry.url}` === key,
    )
    if (request === undefined) return
    this.#saved += saved.count - (request.saved?.count ?? 0)
    this.#change(request.number, { saved })
  }

  /** Logs a read that needed no request. */
  addRead(url: string, why: string): void {
    this.#saved++
    this.#add({ kind: 'read', number: ++this.#number, url, saved: { count: 1, why } })
  }

  clear(): void {
    this.#count = this.#refetches = this.#saved = 0
    this.#entries = []
    this.#tell()
  }

  /** Calls a function after each change. */
  subscribe(listener: () => void): void {
    this.#listeners.add(listener)
  }

  #countRequest(method: string, url: string): void {
    this.#count++
    if (method !== 'GET') return
    if (this.#read.has(url)) this.#refetches++
    this.#read.add(url)
  }

  #add(entry: LogEntry): void {
    this.#entries = [entry, ...this.#entries].slice(0, keptLength)
    this.#tell()
  }

  #change(number: number, change: Partial<LoggedRequest>): void {
    this.#entries = this.#entries.map((entry) =>
      entry.number === number && entry.kind === 'request' ? { ...entry, ...change } : entry,
    )
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
