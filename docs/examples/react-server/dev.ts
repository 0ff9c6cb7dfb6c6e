import { once } from 'node:events'
import { createServer } from 'node:http'
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
  server.on('request', (visitor, response) => {
    if (visitor.url === '/page.js') visitor.url = '/entry-dev.ts'
    vite.middlewares(visitor, response, async () => {
      const { streamPage } = await vite.ssrLoadModule('/entry-server.tsx')
      streamPage(visitor, response)
    })
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return { vite, server }
}
