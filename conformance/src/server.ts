import type { ManualClock } from './clock.js'

/** The address of the scripted server. It is never asked over a network. */
export const baseUrl = 'https://api.test'

/** What a route's function learns of the request. */
export interface ServerRequest {
  /** `GET /todo/5`, with the search params if there are any. */
  readonly name: string
  readonly headers: Headers
  /** What the request says of cookies; `undefined` when it says nothing. */
  readonly credentials: RequestCredentials | undefined
  /** The parsed JSON body; `undefined` when there is none. */
  readonly body: unknown
}

/** What a route answers with, where it is not just a value to send as JSON. Made by `reply`. */
export type Reply =
  | {
      readonly kind: 'response'
      readonly status: number
      readonly type: string
      readonly text: string | null
    }
  | { readonly kind: 'rejection'; readonly thrown: unknown }
  | { readonly kind: 'delayed'; readonly delayMs: number; readonly answer: unknown }

/** How many requests no scenario makes. */
const tooMany = 200

const replies = new WeakSet<object>()

function asReply(reply: Reply): Reply {
  replies.add(reply)
  return reply
}

/** Answers other than "200, this JSON". */
export const reply = {
  /** A status with a JSON body; `undefined` sends none. */
  status: (status: number, body?: unknown) =>
    asReply({
      kind: 'response',
      status,
      type: 'application/json',
      text: body === undefined ? null : JSON.stringify(body),
    }),
  /** A page with status 200, as a captive portal or a single-page fallback sends it. */
  html: (text = '<!doctype html><title>Sign in</title>') =>
    asReply({ kind: 'response', status: 200, type: 'text/html', text }),
  /** No answer at all: `fetch` rejects as it does without a network. */
  offline: () => asReply({ kind: 'rejection', thrown: new TypeError('Failed to fetch') }),
  /** A rejection with any value. */
  rejection: (thrown: unknown) => asReply({ kind: 'rejection', thrown }),
  /** Another answer, some milliseconds of the scenario's clock later. */
  delayed: (delayMs: number, answer: unknown) => asReply({ kind: 'delayed', delayMs, answer }),
}

interface Held {
  readonly route: string
  readonly deliver: () => void
}

/**
 * A server in a script: routes and their answers, a log of requests, and answers that wait until they are
 * released. An answer is made when its request arrives; being held only delays its delivery, as a slow network does.
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
  /** The names of those requests that were aborted before their answer was delivered, in the order of the aborts. */
  readonly aborted: string[] = []
  /** Requests for which there is no route: a mistake of the scenario, or of what it tests. */
  readonly unexpected: string[] = []
  readonly #clock: ManualClock
  readonly #routes = new Map<string, unknown>()
  readonly #holds = new Set<string>()
  #held: Held[] = []

  constructor(clock: ManualClock) {
    this.#clock = clock
  }

  /**
   * Says what a route answers from now on.
   *
   * @param route - method and address with search params: `GET /todo?userId=1`
   * @param answer - a value to send as JSON, a `reply`, or a function from the request to one of these
   */
  route(route: string, answer: unknown): void {
    this.#routes.set(route, answer)
  }

  /** Lets requests to a route wait from now on, until they are released. */
  hold(...routes: readonly string[]): void {
    for (const route of routes) this.#holds.add(route)
  }

  /** Delivers what waits, and holds nothing any longer. @param route - every route, where it is left out */
  release(route?: string): void {
    if (route === undefined) this.#holds.clear()
    else this.#holds.delete(route)
    const released = this.#held.filter((held) => route === undefined || held.route === route)
    this.#held = this.#held.filter((held) => !released.includes(held))
    for (const { deliver } of released) deliver()
  }

  /** Delivers one answer of those that wait; the route stays held. @throws {Error} when none waits */
  releaseOne(route: string, which: 'first' | 'last'): void {
    const waiting = this.#held.filter((held) => held.route === route)
    const held = waiting.at(which === 'first' ? 0 : -1)
    if (held === undefined) throw new Error(`No request to ${route} waits.`)
    this.#held = this.#held.filter((other) => other !== held)
    held.deliver()
  }

  /** How many requests wait to be released. */
  get waiting(): number {
    return this.#held.length
  }

  /** Answers as `fetch` does. */
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

  /** Answers a call of any kind, under any name: with the route's value, or its rejection. */
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
      // A route may reject with anything.
      // eslint-disable-next-line typescript/prefer-promise-reject-errors
      delivered.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
    })
  }

  async #deliver(request: ServerRequest): Promise<unknown> {
    const { name } = request
    // A loop of requests ends here, so that the scenario fails instead of running for ever.
    if (this.requests.length > tooMany) return new Promise<never>(() => {})
    let answer = this.#answer(request)
    if (this.#holds.has(name)) {
      await new Promise<void>((deliver) => this.#held.push({ route: name, deliver }))
    }
    while (isReply(answer) && answer.kind === 'delayed') {
      const { delayMs } = answer
      await new Promise<void>((deliver) => this.#clock.setTimeout(deliver, delayMs))
      answer = answer.answer
    }
    if (isReply(answer) && answer.kind === 'rejection') throw answer.thrown
    return answer
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
 * A platform's response whose body is there at once: a settled frame then only has to wait for promises, and not
 * for the platform's streams.
 */
function toResponse(answer: Extract<Reply, { kind: 'response' }>, url: string): Response {
  const { status, type, text } = answer
  const response = new Response(text, { status, headers: { 'content-type': type } })
  Object.defineProperty(response, 'url', { value: url })
  return Object.assign(response, {
    text: () => Promise.resolve(text ?? ''),
    // A promise rejects with what `JSON.parse` throws.
    json: async () => JSON.parse(text ?? '') as unknown,
    clone: () => toResponse(answer, url),
  })
}
