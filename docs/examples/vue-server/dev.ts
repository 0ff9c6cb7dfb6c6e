import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createServer as createVite } from 'vite'
import type { InlineConfig } from 'vite'

/** Answers as in production, with the files as they are now. */
export async function startDev(port: number, config: InlineConfig = {}) {
  const server = createServer()
  const vite = await createVite({
    ...config,
    appType: 'custom',
    // Vite tells the page of changes over the same port.
    server: { ...config.server, middlewareMode: true, hmr: { server } },
  })
  const index = join(vite.config.root, 'index.html')
  server.on('request', (visitor, response) => {
    vite.middlewares(visitor, response, async () => {
      const template = await vite.transformIndexHtml(
        visitor.url ?? '/',
        await readFile(index, 'utf8'),
      )
      const { streamPage } = await vite.ssrLoadModule('/entry-server.ts')
      streamPage(visitor, response, template)
    })
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return { vite, server }
}
