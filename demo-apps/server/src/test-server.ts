import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createServer, type DemoServer, type SeedSizes } from './server.js'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON; `undefined` when there is no body. */
  // Each test knows the shape of what it asks for, and asserts it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export type Send = (route: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

export const smallSizes: SeedSizes = {
  users: 60,
  articles: 50,
  comments: 120,
  todos: 90,
  news: 45,
  birthdays: 240,
  feedItems: 45,
  issues: 72,
}

/**
 * Runs a listening server for the tests of a file, with the seeded records back before each test.
 *
 * @example
 * const send = useServer()
 * const { status, body } = await send('PATCH /todo/1', { completed: true })
 */
export function useServer(): Send {
  let server: DemoServer | undefined
  const send: Send = (route, body, headers) => sendTo(server?.url ?? '', route, body, headers)

  beforeAll(async () => {
    server = await createServer({ sizes: smallSizes })
  })
  beforeEach(async () => {
    await send('POST /_reset')
  })
  afterAll(() => server?.close())

  return send
}

/** @param body - sent as it is when it is text, otherwise as JSON */
export async function sendTo(
  url: string,
  route: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ')
  const init = {
    method,
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
  }
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(url + path, body === undefined ? init : { ...init, body: payload })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  }
}
