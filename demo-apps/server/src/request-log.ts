import type { MiddlewareHandler } from 'hono'

export interface LoggedRequest {
  readonly method: string
  readonly path: string
  readonly query: Record<string, string>
}

const capacity = 1_000

/** The last 1,000 requests in order of arrival, including those without a response yet. */
export class RequestLog {
  #requests: LoggedRequest[] = []

  get requests(): readonly LoggedRequest[] {
    return this.#requests
  }

  add(request: LoggedRequest): void {
    this.#requests.push(request)
    if (this.#requests.length > capacity) this.#requests.shift()
  }

  clear(): void {
    this.#requests = []
  }
}

export function logMiddleware(log: RequestLog): MiddlewareHandler {
  return (c, next) => {
    log.add({ method: c.req.method, path: c.req.path, query: c.req.query() })
    return next()
  }
}
