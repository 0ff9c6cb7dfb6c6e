import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createServer as createVite } from 'vite'
import type { InlineConfig } from 'vite'

/** Answers as in production, with the files as they are now. */
export async function startDev(port: number, config: InlineConfig = {}) {
  const vite = await createVite({
    ...config,
    appType: 'custom',
    server: { ...config.server, middlewareMode: true },
  })
  const index = join(vite.config.root, 'index.html')
  const server = createServer((visitor, response) => {
    vite.middlewares(visitor, response, async () => {
      const template = await vite.transformIndexHtml(visitor.url ?? '/', await readFile(index, 'utf8'))
      const { streamPage } = await vite.ssrLoadModule('/entry-server.ts')
      streamPage(visitor, response, template)
    })
  })
  return { vite, server: server.listen(port, '127.0.0.1') }
}
