import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { respond, streamPage } from './entry-server.js'

const script = await readFile(new URL('../client/page.js', import.meta.url))

const server = createServer(async (visitor, response) => {
  const { pathname } = new URL(visitor.url ?? '/', 'http://page')
  if (pathname === '/') return streamPage(visitor, response)
  if (pathname === '/page.js')
    return response.setHeader('Content-Type', 'text/javascript').end(script)
  if (pathname !== '/web') return response.writeHead(404).end()
  const headers = { Cookie: visitor.headers.cookie ?? '' }
  const left = new AbortController()
  response.on('close', () => left.abort())
  const { body } = await respond(
    new Request('http://page/', { headers, signal: left.signal }),
  )
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  await pipeline(Readable.fromWeb(body as never), response).catch(() => {})
})
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1')
