import type { IncomingMessage, ServerResponse } from 'node:http'
import { randomBytes } from 'node:crypto'
import { createServerRequest } from '@selfsame/vue/ssr'
import { createPage } from './app'

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

/**
 * Streams the page: what is there is sent at once, what it waits for as it
 * arrives.
 */
export function streamPage(
  visitor: IncomingMessage,
  response: ServerResponse,
  template: string,
): void {
  const nonce = randomBytes(16).toString('base64')
  const request = createServerRequest({ nonce, fetch: fetchFor(visitor) })
  const app = createPage(request.controller)

  const [before, rest = ''] = template.split('<!--app-->')
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.setHeader(
    'Content-Security-Policy',
    `script-src 'self' 'nonce-${nonce}'`,
  )
  request.pipeToNodeWritable(app, response, {
    before,
    after: (script) => rest.replace('<!--state-->', () => script),
  })
}

/**
 * Sends the page as a whole, when all is there: so its status may depend on
 * what was fetched.
 */
export async function sendPage(
  visitor: IncomingMessage,
  response: ServerResponse,
  template: string,
): Promise<void> {
  const left = new AbortController()
  response.on('close', () => left.abort())
  const request = createServerRequest({
    fetch: fetchFor(visitor),
    signal: left.signal,
  })
  const app = createPage(request.controller)

  const { html, script, errors } = await request.renderToString(app)
  const page = template
    .replace('<!--app-->', () => html)
    .replace('<!--state-->', () => script)
  response
    .writeHead(errors.length === 0 ? 200 : 502, {
      'Content-Type': 'text/html; charset=utf-8',
    })
    .end(page)
}
