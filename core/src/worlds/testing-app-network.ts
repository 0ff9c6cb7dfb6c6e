import type { AppServer, ServerAnswer } from './testing-app-server.js'

/** A request, from its sending to its answer. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly body: object
  readonly resolve: (response: Response) => void
  readonly reject: (error: Error) => void
  /** What the server answers, once it has handled the request. */
  answer: ServerAnswer | undefined
  /** How many requests the server had handled before. */
  place: number
}

/** A network that handles and answers requests when the test says so. */
export class AppNetwork {
  readonly wrong: string[] = []
  readonly log: string[]
  /** How often each read was sent since the last reset. */
  readonly reads = new Map<string, number>()
  /** The status with which the server refuses the next mutation. */
  refusal: number | undefined
  /** `true` if the answer to the next mutation is lost. */
  isLost = false
  /** `true` if messages make calls Stale. */
  readonly isLive: boolean
  readonly #server: AppServer
  #sent: SentRequest[] = []
  /** Called before a read is answered. */
  onAnswer: (place: number) => void = () => {}
  /** The number of requests that the server has handled. */
  handled = 0
  /** Called when the answer to a comment is lost. */
  onLost: (comment: SentRequest) => void = () => {}

  constructor(server: AppServer, log: string[], isLive: boolean) {
    this.isLive = isLive
    this.#server = server
    this.log = log
  }

  get isIdle(): boolean {
    return this.#sent.length === 0
  }

  /** The number of mutations under way. */
  get mutations(): number {
    return this.#sent.filter(({ method }) => method !== 'GET').length
  }

  readonly send = (url: string, { method = 'GET', body, signal }: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const name = `${method} ${url}`
      if (method === 'GET') {
        this.reads.set(url, (this.reads.get(url) ?? 0) + 1)
        // Once more, if something has made it Stale since. Messages may do so several times.
        const most = this.isLive ? 4 : 1
        if (this.#sent.filter((other) => other.method === method && other.url === url).length > most)
          this.wrong.push(`${name} was sent too often at once`)
      }
      if (/new-/.test(url) || /new-/.test(String(body)))
        this.wrong.push(`${name} ${String(body)} has a temporary id`)
      const given = typeof body === 'string' ? (JSON.parse(body) as object) : {}
      const request: SentRequest = { method, url, body: given, resolve, reject, answer: undefined, place: 0 }
      this.log.push(`    sent ${name} ${typeof body === 'string' ? body : ''}`)
      this.#sent.push(request)
      signal?.addEventListener('abort', () => {
        this.log.push(`    aborted ${name}`)
        // The server may handle a mutation that was aborted.
        if (request.answer === undefined && method !== 'GET') this.#handle(request)
        this.#sent = this.#sent.filter((other) => other !== request)
        reject(signal.reason as Error)
      })
    })

  /** The server handles a request: mutations in the order in which they were sent. */
  handle(place: number): void {
    const firstMutation = this.#sent.find(({ method, answer }) => method !== 'GET' && answer === undefined)
    const waiting = this.#sent.filter(
      (each) => each.answer === undefined && (each.method === 'GET' || each === firstMutation),
    )
    const request = waiting[place % waiting.length]
    if (request !== undefined) this.#handle(request)
  }

  /** An answer arrives. */
  answer(place: number): void {
    const answered = this.#sent.filter(({ answer }) => answer !== undefined)
    const request = answered[place % answered.length]
    if (request?.answer === undefined) return
    if (request.method === 'GET') this.onAnswer(request.place)
    const { status, value } = request.answer
    this.#sent = this.#sent.filter((other) => other !== request)
    if (request.method !== 'GET' && this.isLost && !('description' in request.body)) {
      this.isLost = false
      if (request.url.startsWith('/comment')) this.onLost(request)
      this.log.push(`    lost the answer of ${request.method} ${request.url}`)
      return request.reject(new TypeError('Failed to fetch'))
    }
    this.log.push(`    answered ${request.method} ${request.url}: ${status} ${JSON.stringify(value)}`)
    request.resolve(status === 204 ? new Response(null, { status }) : Response.json(value, { status }))
  }

  /** Drops all requests, as a page does that is left. */
  drop(): void {
    this.#sent = []
  }

  #handle(request: SentRequest): void {
    const { method, url, body } = request
    request.place = this.handled++
    this.log.push(`    handled ${method} ${url}`)
    if (method !== 'GET' && this.refusal !== undefined) {
      request.answer = { status: this.refusal, value: {} }
      this.refusal = undefined
    } else request.answer = this.#server.handle(method, url, body)
  }
}
