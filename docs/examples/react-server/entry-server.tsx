import type { IncomingMessage, ServerResponse } from 'node:http'
import { randomBytes } from 'node:crypto'
import { DataProvider } from '@selfsame/react'
import { createServerRequest } from '@selfsame/react/ssr'
import {
  renderToPipeableStream,
  renderToReadableStream,
} from 'react-dom/server'
import { App } from './App.js'

/** Where the endpoints are, as this server reaches them. */
const backend = process.env['BACKEND'] ?? 'http://127.0.0.1:3001'

/**
 * What the calls of one request do: they go to the backend, with the visitor's
 * cookies.
 */
function fetchWith(cookie: string): typeof fetch {
  return (url, init) => {
    const headers = new Headers(init?.headers)
    headers.set('Cookie', cookie)
    return fetch(new URL(String(url), backend), { ...init, headers })
  }
}

/** Streams the page: each part is sent when its data is there. */
export function streamPage(
  visitor: IncomingMessage,
  response: ServerResponse,
): void {
  const nonce = randomBytes(16).toString('base64')
  const request = createServerRequest({
    nonce,
    fetch: fetchWith(visitor.headers.cookie ?? ''),
  })
  const rendering = renderToPipeableStream(
    <DataProvider controller={request.controller}>
      <App />
    </DataProvider>,
    {
      nonce,
      bootstrapModules: ['/page.js'],
      onShellReady() {
        response.setHeader('Content-Type', 'text/html; charset=utf-8')
        response.setHeader(
          'Content-Security-Policy',
          `script-src 'self' 'nonce-${nonce}'`,
        )
        request.pipeToNodeWritable(rendering, response)
      },
      onShellError() {
        request.dispose()
        response.writeHead(500).end()
      },
      onError: (error) => request.digestOf(error) ?? console.error(error),
    },
  )
}

/** The same for a server whose requests and responses are those of `fetch`. */
export async function respond(visitor: Request): Promise<Response> {
  const cookie = visitor.headers.get('Cookie') ?? ''
  const request = createServerRequest({
    fetch: fetchWith(cookie),
    signal: visitor.signal,
  })
  try {
    const rendering = await renderToReadableStream(
      <DataProvider controller={request.controller}>
        <App />
      </DataProvider>,
      {
        bootstrapModules: ['/page.js'],
        onError: (error) => request.digestOf(error) ?? console.error(error),
      },
    )
    return new Response(request.toWebStream(rendering), {
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    })
  } catch (error) {
    request.dispose()
    throw error
  }
}
