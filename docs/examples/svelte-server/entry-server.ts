import type { IncomingMessage, ServerResponse } from 'node:http'
import { randomBytes } from 'node:crypto'
import { createServerRequest } from '@selfsame/svelte/ssr'
import App from './App.svelte'

/** Where the endpoints are, as this server reaches them. */
const backend = process.env['BACKEND'] ?? 'http://127.0.0.1:3001'

/**
 * What the calls of one request do: they go to the backend, with the visitor's
 * cookies.
 */
function fetchFor(visitor: IncomingMessage): typeof fetch {
  return (url, init) => {
    const headers = new Headers(init?.headers)
    headers.set('Cookie', visitor.headers.cookie ?? '')
    return fetch(new URL(String(url), backend), { ...init, headers })
  }
}

/** Sends the page when all that it waits for is there. */
export async function sendPage(
  visitor: IncomingMessage,
  response: ServerResponse,
  template: string,
): Promise<void> {
  const left = new AbortController()
  response.on('close', () => left.abort())
  const nonce = randomBytes(16).toString('base64')
  const request = createServerRequest({
    nonce,
    fetch: fetchFor(visitor),
    signal: left.signal,
  })

  const { head, body, script, errors } = await request.render(App)
  const page = template
    .replace('<!--head-->', () => head)
    .replace('<!--app-->', () => body)
    .replace('<!--state-->', () => script)
  response.writeHead(errors.length === 0 ? 200 : 502, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `script-src 'self' 'nonce-${nonce}'`,
  })
  response.end(page)
}
