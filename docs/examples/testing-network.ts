import { vi } from 'vitest'

/** A request that a sample made. */
export interface Request {
  /** Method and address, without the origin. */
  readonly line: string
  readonly headers: Headers
  readonly body: unknown
  readonly signal: AbortSignal | undefined
}

/**
 * Answers the global `fetch` until the test ends.
 *
 * @param answers - by method and path: a value that becomes JSON, a `Response`, or a function that gives either
 * @returns the requests, in their order
 */
export function serve(
  answers: Readonly<Record<string, unknown>>,
): readonly Request[] {
  const requests: Request[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const { pathname, search } = new URL(url, 'https://api.example.com')
    const line = `${init.method ?? 'GET'} ${pathname}`
    const body: unknown =
      typeof init.body === 'string' ? JSON.parse(init.body) : init.body
    const request = {
      line: line + search,
      headers: new Headers(init.headers),
      body,
      signal: init.signal ?? undefined,
    }
    requests.push(request)
    const found = answers[line + search] ?? answers[line]
    const answer: unknown = await Promise.race([
      typeof found === 'function' ? found(request) : found,
      abortOf(init.signal),
    ])
    if (answer instanceof Response) return answer
    return answer === undefined
      ? new Response('No such thing', { status: 404 })
      : Response.json(answer)
  })
  return requests
}

/** Rejects when a request is aborted, as `fetch` does. */
function abortOf(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted === true) reject(signal.reason as Error)
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
  })
}
