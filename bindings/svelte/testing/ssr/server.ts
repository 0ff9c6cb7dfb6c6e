// A server with an API and a page, in a separate process: `node --expose-gc server.js`. It prints its origin.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import App from 'app'
import { createServerRequest } from '../../src/ssr.js'

let origin = ''
/** Requests sent by pages, not by this server. */
const requests: string[] = []
let served = 0

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    response.writeHead(500).end(String(error))
  })
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '/' } = request
  if (url.startsWith('/api/')) return answerCall(request, response)
  if (url === '/page.js') {
    response.writeHead(200, { 'content-type': 'text/javascript' })
    return void response.end(await readFile(join(import.meta.dirname, 'page.js')))
  }
  if (url === '/_requests') return sendJson(response, 200, requests.splice(0))
  if (url === '/_stats') return sendJson(response, 200, await statsOf())
  if (url === '/favicon.ico') return void response.writeHead(204).end()
  return answerPage(request, response)
}

async function answerPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const cookie = request.headers.cookie ?? ''
  const user = userOf(request)
  const nonce = 'bm9uY2U='
  const left = new AbortController()
  response.on('close', () => left.abort())
  const { head, body, script, errors } = await createServerRequest({
    nonce,
    signal: left.signal,
    fetch: (path, init) =>
      fetch(new URL(String(path), origin), { ...init, headers: { cookie, 'x-server': 'yes' } }),
  }).render(App, { props: { user } })
  response.writeHead(errors.length > 0 ? 502 : 200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'self'; script-src 'self' 'nonce-${nonce}'; style-src 'self' 'unsafe-inline'`,
  })
  response.end(
    `<!doctype html><html lang="en"><head><title>Page</title>${head}</head><body data-user="${user}">` +
      `<div id="app">${body}</div>${script}<script type="module" src="/page.js"></script></body></html>`,
  )
}

async function answerCall(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '' } = request
  const isServer = request.headers['x-server'] === 'yes'
  if (!isServer) requests.push(url)
  // Requests of different users overlap, and end in different orders.
  await new Promise((resolve) => setTimeout(resolve, served++ % 4))
  const user = userOf(request)
  const [path] = url.slice('/api'.length).split('?')
  if (path === '/account')
    return sendJson(response, 200, { id: user, name: `Name of ${user}`, since: '2026-01-02T03:04:05.000Z' })
  if (path === '/todos')
    return sendJson(
      response,
      200,
      [1, 2].map((number) => todoOf(user, `${user}-${number}`)),
    )
  if (path?.startsWith('/todos/')) return sendJson(response, 200, todoOf(user, path.slice('/todos/'.length)))
  if (path === '/values') return sendJson(response, 200, { at: '2026-01-02T03:04:05.000Z' })
  if ((path === '/failing' || path === '/gone') && !isServer)
    return sendJson(response, 200, { text: 'Works again' })
  return sendJson(response, 503, { message: 'Down' })
}

const todoOf = (user: string, id: string) => ({ id, title: `Todo ${id} of ${user} </script><!--` })

function userOf({ headers: { cookie = '' } }: IncomingMessage): string {
  return /user=(\w+)/.exec(cookie)?.[1] ?? 'guest'
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

async function statsOf() {
  // Wait for keep-alive sockets to close: they are not the page's.
  for (let round = 0; round < 5; round++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    ;(globalThis as { gc?: () => void }).gc?.()
  }
  const resources = process.getActiveResourcesInfo()
  return {
    heap: process.memoryUsage().heapUsed,
    timers: resources.filter((name) => name === 'Timeout' || name === 'Immediate').length,
  }
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  process.stdout.write(`${origin}\n`)
})
