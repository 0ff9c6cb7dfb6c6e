import type { ManualClock } from './clock.js'

/** The URL of the scripted server. No request leaves the process. */
export const baseUrl = 'https://api.test'

/** The request, as the function of a route receives it. */
export interface ServerRequest {
  /** `GET /todo/5`, with the search params if there are any. */
  readonly name: string
  readonly headers: Headers
  /** The `credentials` of the request; `undefined` if it has none. */
  readonly credentials: RequestCredentials | undefined
  /** The parsed JSON body; `undefined` if there is none. */
  readonly body: unknown
}

/** A response that is not just a value to send as JSON. `reply` creates it. */
export type Reply =
  | {
      readonly kind: 'response'
      readonly status: number
      readonly type: string
      readonly text: string | null
      readonly headers?: Readonly<Record<string, string>> | undefined
    }
  | { readonly kind: 'rejection'; readonly thrown: unknown }
  | { readonly kind: 'delayed'; readonly delayMs: number; readonly answer: unknown }

/** How long slow responses take: milliseconds. */
const slowMs = [300, 50, 150, 80] as const

/** More requests than any scenario sends. */
const tooMany = 200

const replies = new WeakSet<object>()

function asReply(reply: Reply): Reply {
  replies.add(reply)
  return reply
}

/** Responses other than status 200 with JSON. */
export const reply = {
  /** A status with a JSON body; `undefined` sends no body. */
  status: (status: number, body?: unknown, headers?: Readonly<Record<string, string>>) =>
    asReply({
      headers,
      kind: 'response',
      status,
      type: 'application/json',
      text: body === undefined ? null : JSON.stringify(body),
    }),
  /** A page with status 200, like that of a captive portal or a single-page fallback. */
  html: (text = '<!doctype html><title>Sign in</title>') =>
    asReply({ kind: 'response', status: 200, type: 'text/html', text }),
  /** No response: `fetch` rejects as it does without a network. */
  offline: () => asReply({ kind: 'rejection', thrown: new TypeError('Failed to fetch') }),
  /** A rejection with this value. */
  rejection: (thrown: unknown) => asReply({ kind: 'rejection', thrown }),
  /** Another response, delayed by milliseconds of the scenario's clock. */
  delayed: (delayMs: number, answer: unknown) => asReply({ kind: 'delayed', delayMs, answer }),
}

interface Held {
  readonly route: string
  readonly deliver: () => void
}

/**
 * A scripted server: routes with responses, a log of requests, and responses that wait to be released. A response is
 * created when its request arrives. Holding it delays only its delivery, like a slow network.
 *
 * @example
 * server.route('GET /todo/5', { id: 5, title: 'Buy milk' })
 * server.hold('GET /todo/5')
 * const reader = await mount('useSuspense', api.todo.get, { id: 5 }) // shows its fallback
 * server.release('GET /todo/5')
 */
export class Server {
  /** The names of all requests so far, in order: `GET /todo/5`. */
  readonly requests: string[] = []
  /** The names of requests that were aborted before their response was delivered, in the order of the aborts. */
  readonly aborted: string[] = []
  /** Requests without a route, which are errors of the scenario or of the tested code. */
  readonly unexpected: string[] = []
  readonly #clock: ManualClock
  readonly #routes = new Map<string, unknown>()
  readonly #holds = new Set<string>()
  readonly #isSlow: boolean
  #held: Held[] = []
  /** The slow responses that are on their way. */
  readonly #onTheWay = new Set<Promise<void>>()
  #slowAnswers = 0

  /** @param isSlow - responses take 50 to 300 milliseconds of real time, the same in each run @default false */
  constructor(clock: ManualClock, isSlow = false) {
    this.#clock = clock
    this.#isSlow = isSlow
  }

  /** Waits for the slow responses that are on their way. @returns `true` if there were some */
  async arrived(): Promise<boolean> {
    const isAny = this.#onTheWay.size > 0
    await Promise.all(this.#onTheWay)
    return isAny
  }

  /**
   * Sets the response of a route from now on.
   *
   * @param route - method and path with search params: `GET /todo?userId=1`
   * @param answer - a value to send as JSON, a `reply`, or a function of the request that returns one of these
   */
  route(route: string, answer: unknown): void {
    this.#routes.set(route, answer)
  }

  /** Delays the responses of these routes until they are released. */
  hold(...routes: readonly string[]): void {
    for (const route of routes) this.#holds.add(route)
  }

  /** Delivers the delayed responses, and stops delaying. @param route - all routes if omitted */
  release(route?: string): void {
    if (route === undefined) this.#holds.clear()
    else this.#holds.delete(route)
    const released = this.#held.filter((held) => route === undefined || held.route === route)
    this.#held = this.#held.filter((held) => !released.includes(held))
    for (const { deliver } of released) deliver()
  }

  /** Delivers one delayed response; the route stays held. @throws {Error} if none is delayed */
  releaseOne(route: string, which: 'first' | 'last'): void {
    const waiting = this.#held.filter((held) => held.route === route)
    const held = waiting.at(which === 'first' ? 0 : -1)
    if (held === undefined) throw new Error(`No request to ${route} waits.`)
    this.#held = this.#held.filter((other) => other !== held)
    held.deliver()
  }

  /** The number of delayed responses. */
  get waiting(): number {
    return this.#held.length
  }

  /** Responds like `fetch`. */
  readonly fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    init.signal?.throwIfAborted()
    const path = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : (init.body ?? undefined)
    const name = `${init.method ?? 'GET'} ${path}`
    const request = { name, headers: new Headers(init.headers), credentials: init.credentials, body }
    const answer = await this.#request(request, init.signal)
    if (isReply(answer) && answer.kind === 'response') return toResponse(answer, url)
    return toResponse(
      { kind: 'response', status: 200, type: 'application/json', text: JSON.stringify(answer) },
      url,
    )
  }

  /** Responds to a call of any kind and name: with the route's value, or its rejection. */
  readonly call = async (name: string, body?: unknown, signal?: AbortSignal): Promise<unknown> => {
    signal?.throwIfAborted()
    const answer = await this.#request({ name, headers: new Headers(), credentials: undefined, body }, signal)
    return structuredClone(answer)
  }

  #request(request: ServerRequest, signal: AbortSignal | null | undefined): Promise<unknown> {
    this.requests.push(request.name)
    const delivered = this.#deliver(request)
    if (!signal) return delivered
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.aborted.push(request.name)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', abort)
      // A route may reject with any value.
      // eslint-disable-next-line typescript/prefer-promise-reject-errors
      delivered.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
    })
  }

  async #deliver(request: ServerRequest): Promise<unknown> {
    const { name } = request
    // Stops a loop of requests, so that the scenario fails instead of running forever.
    if (this.requests.length > tooMany) return new Promise<never>(() => {})
    let answer = this.#answer(request)
    if (this.#holds.has(name)) {
      await new Promise<void>((deliver) => this.#held.push({ route: name, deliver }))
    }
    if (this.#isSlow) await this.#beSlow()
    while (isReply(answer) && answer.kind === 'delayed') {
      const { delayMs } = answer
      await new Promise<void>((deliver) => this.#clock.setTimeout(deliver, delayMs))
      answer = answer.answer
    }
    if (isReply(answer) && answer.kind === 'rejection') throw answer.thrown
    return answer
  }

  async #beSlow(): Promise<void> {
    // So that later requests overtake earlier ones.
    const ms = slowMs[this.#slowAnswers++ % slowMs.length]
    const onTheWay = new Promise<void>((resolve) => setTimeout(resolve, ms))
    this.#onTheWay.add(onTheWay)
    await onTheWay
    this.#onTheWay.delete(onTheWay)
  }

  #answer(request: ServerRequest): unknown {
    if (!this.#routes.has(request.name)) {
      this.unexpected.push(request.name)
      return reply.status(404, { message: `The scenario has no route ${request.name}.` })
    }
    const answer = this.#routes.get(request.name)
    return typeof answer === 'function' ? (answer as (request: ServerRequest) => unknown)(request) : answer
  }
}

function isReply(answer: unknown): answer is Reply {
  return typeof answer === 'object' && answer !== null && replies.has(answer)
}

/**
 * A response of the platform with a body that is available immediately. So a settled frame needs to wait only for
 * promises, not for the platform's streams.
 */
function toResponse(answer: Extract<Reply, { kind: 'response' }>, url: string): Response {
  const { status, type, text, headers } = answer
  const response = new Response(text, { status, headers: { 'content-type': type, ...headers } })
  Object.defineProperty(response, 'url', { value: url })
  return Object.assign(response, {
    text: () => Promise.resolve(text ?? ''),
    // A promise, so that an error of `JSON.parse` becomes a rejection.
    json: async () => JSON.parse(text ?? '') as unknown,
    clone: () => toResponse(answer, url),
  })
}
