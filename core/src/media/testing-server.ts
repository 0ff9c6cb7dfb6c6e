import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a server for tests in a browser. Its origin is not that of their page. */
    mediaServer: string
  }
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Starts the server. Returns a function that closes it after the tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  project.provide('mediaServer', `http://127.0.0.1:${port}`)
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('access-control-allow-origin', request.headers.origin ?? '*')
  response.setHeader('access-control-allow-credentials', 'true')
  response.setHeader('access-control-allow-methods', '*, POST, PUT')
  response.setHeader('access-control-allow-headers', '*, content-type, x-token')
  response.setHeader('access-control-expose-headers', '*, x-answer, content-length')
  const { method, url = '' } = request
  if (method === 'OPTIONS') return void response.writeHead(204).end()
  if (url === '/image.png') return void response.writeHead(200, { 'content-type': 'image/png' }).end(png)
  if (url === '/no-image.png') return void response.writeHead(200, { 'content-type': 'image/png' }).end('no')
  if (url === '/file') return sendSlowly(response)
  if (url === '/empty') return void response.writeHead(204).end()
  if (url === '/never') return undefined
  if (url === '/refused')
    return void response.writeHead(409, { 'content-type': 'application/json' }).end('{"reason":"taken"}')
  let bytes = 0
  for await (const chunk of request) bytes += (chunk as Buffer).length
  const { 'content-type': type, 'x-token': token, cookie } = request.headers
  response.writeHead(201, { 'content-type': 'application/json', 'x-answer': 'yes' })
  response.end(JSON.stringify({ method, bytes, type, token, cookie }))
}

/** Sends 4 chunks of 1000 bytes, with a pause of 60 ms after each. */
async function sendSlowly(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '4000' })
  for (const letter of 'abcd') {
    response.write(letter.repeat(1000))
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  response.end()
}
