import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Serves a folder as a static host does: a missing file is the page 404.html. */
export async function serveFolder(folder: string): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    void answer(decodeURIComponent(new URL(request.url ?? '/', 'http://local').pathname)).then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }

  async function answer(path: string) {
    const file = normalize(join(folder, path.endsWith('/') ? `${path}index.html` : path))
    const type = types[extname(file)] ?? 'application/octet-stream'
    try {
      if (!file.startsWith(normalize(folder))) throw new Error('outside')
      return { status: 200, type, body: await readFile(file) }
    } catch {
      return { status: 404, type: 'text/html', body: await readFile(join(folder, '404.html')) }
    }
  }
}
