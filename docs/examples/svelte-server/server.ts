import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname } from 'node:path'
import { sendPage } from './entry-server.js'

const client = new URL('../client/', import.meta.url)
const template = await readFile(new URL('index.html', client), 'utf8')
const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
}

const server = createServer(async (visitor, response) => {
  const { pathname } = new URL(visitor.url ?? '/', 'http://page')
  try {
    if (pathname === '/') return await sendPage(visitor, response, template)
    const file = await readFile(new URL(`.${pathname}`, client))
    response
      .setHeader(
        'Content-Type',
        types[extname(pathname)] ?? 'application/octet-stream',
      )
      .end(file)
  } catch {
    response.writeHead(404).end()
  }
})
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1')
