import { svelte } from '@sveltejs/vite-plugin-svelte'
import { createServer } from 'vite'
import { afterEach, expect, test, vi } from 'vitest'
import { serve } from './testing-network.js'
import type { renderPage } from './svelte-server.js'

afterEach(() => vi.unstubAllGlobals())

// A server that compiles is started.
test(
  'a page of Svelte is rendered on a server',
  { timeout: 180_000 },
  async () => {
    const requests = serve({ 'GET /todo/5': { id: 5, title: 'Write' } })
    const server = await createServer({
      configFile: false,
      root: import.meta.dirname,
      cacheDir: '../../node_modules/.vite/docs-svelte-server',
      logLevel: 'warn',
      server: { middlewareMode: true, ws: false },
      optimizeDeps: { noDiscovery: true },
      plugins: [svelte({ configFile: false })],
      ssr: {
        resolve: { conditions: ['selfsame-source', 'module', 'development'] },
      },
    })
    const page = (await server.ssrLoadModule('/svelte-server.ts')) as {
      renderPage: typeof renderPage
    }
    const html = await page.renderPage(5, 'user=ann')
    expect(html).toContain('<h1>Write</h1>')
    expect(html).toContain('<script type="application/json" id="selfsame">')
    expect(requests.map(({ headers }) => headers.get('cookie'))).toEqual([
      'user=ann',
    ])
    await server.close()
  },
)
