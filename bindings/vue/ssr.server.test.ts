import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import vue from '@vitejs/plugin-vue'
import { chromium } from 'playwright'
import { build } from 'vite'
import type { InlineConfig, ViteDevServer } from 'vite'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { chromiumArgs, chromiumPath } from '@selfsame/conformance/chromium'
import { StartedServer, clickUntil, listen, openPage } from '@selfsame/conformance/started-server'

// The application of the guide, built for production and started as the guide says.

const root = fileURLToPath(new URL('../../docs/examples/vue-server/', import.meta.url))
/** The exports of its `dev.ts`. */
interface Dev {
  startDev(port: number, config: InlineConfig): Promise<{ server: Server; vite: ViteDevServer }>
}
const outDir = fileURLToPath(new URL('../../node_modules/.cache/vue-server/', import.meta.url))

let backend: Server
let backendRequests: string[] = []
let backendAddress: string
let page: StartedServer

const hostile = '</script><script>document.title = "broken"</script><!--\u2028'

/** The guide's configuration, except that packages are read from their sources. */
const configFor = (mode: 'development' | 'production') => ({
  root,
  configFile: false as const,
  logLevel: 'warn' as const,
  plugins: [vue()],
  resolve: { conditions: ['selfsame-source', 'module', 'browser', mode] },
  ssr: { resolve: { conditions: ['selfsame-source', 'module', 'node', mode] } },
})

beforeAll(async () => {
  const shared = configFor('production')
  vi.stubEnv('NODE_ENV', 'production')
  await build({ ...shared, build: { outDir: `${outDir}client`, emptyOutDir: true } })
  await build({ ...shared, build: { outDir: `${outDir}server`, emptyOutDir: true, ssr: 'server.ts' } })
  vi.unstubAllEnvs()

  backend = createServer((request, response) => {
    const user = /user=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? 'nobody'
    backendRequests.push(`${request.method} ${request.url} ${user}`)
    const todos = [
      { id: 1, title: `${user}: ${hostile}`, done: true },
      { id: 2, title: `${user}: rest`, done: false },
    ]
    const answer = request.url === '/api/me' ? { id: 1, name: user } : todos
    const status = user === 'failing' && request.url === '/api/me' ? 404 : 200
    // Requests end in a different order than they started.
    setTimeout(() => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer))
    }, Math.random() * 10)
  })
  backendAddress = `http://127.0.0.1:${await listen(backend)}`
  page = await StartedServer.start(`${outDir}server/server.js`, (port) => ({
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), BACKEND: backendAddress },
  }))
}, 240_000)

afterAll(() => {
  page?.end()
  backend?.close()
})

beforeEach(() => {
  backendRequests = []
})

for (const path of ['/', '/whole']) {
  test(`${path} has what its visitor may see, by one request for each call`, async () => {
    const text = await (await page.open('ann', path)).text()
    expect(text).toContain('<h1>ann</h1>')
    expect(text).toContain('<p>1 done</p>')
    expect(text).toContain('ann: rest')
    expect(text).not.toContain('<script>document.title')
    expect(text.trimEnd().endsWith('</html>')).toBe(true)
    expect(backendRequests.sort()).toEqual(['GET /api/me ann', 'GET /api/todo ann'])
  })
}

test('the status of a page that is sent as a whole says that a call failed', async () => {
  expect((await page.open('ann', '/whole')).status).toBe(200)
  expect((await page.open('failing', '/whole')).status).toBe(502)
})

test.skipIf(!existsSync(chromiumPath))(
  'the page takes over what the server rendered',
  { timeout: 180_000 },
  async () => {
    const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })
    try {
      for (const user of ['ann', 'failing']) {
        const opened = await openPage(browser, page.address, user)
        const { page: tab, messages, requests } = opened
        expect(await tab.title()).toBe('Todos')
        expect(requests).toEqual([])
        if (user === 'ann') {
          expect(await tab.locator('#app').innerText()).toMatch(/^ann\n+1 done/)
          await tab.getByLabel('ann: rest').check()
          expect(await tab.locator('p').innerText()).toBe('2 done')
          expect(await tab.locator('li').first().innerText()).toContain('</script><script>')
        } else {
          expect(await tab.locator('#app').innerText()).toContain('failed: 404')
          // The page has no proxy to the backend: this checks only that the button sends a request.
          await tab.getByRole('button', { name: 'Try again' }).click()
          await expect.poll(() => requests).toContain('GET /api/me')
          messages.length = 0
        }
        expect(messages).toEqual([])
        await opened.close()
      }
    } finally {
      await browser.close()
    }
  },
)

test.skipIf(!existsSync(chromiumPath))('the page of a server for development has no mismatch', async () => {
  vi.stubEnv('BACKEND', backendAddress)
  vi.stubEnv('NODE_ENV', 'development')
  const { startDev } = (await import(`${root}dev.ts`)) as Dev
  const { server, vite } = await startDev(0, {
    ...configFor('development'),
    cacheDir: fileURLToPath(new URL('../../node_modules/.vite/vue-server/', import.meta.url)),
    optimizeDeps: { noDiscovery: true },
  })
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })
  try {
    const context = await browser.newContext()
    await context.addCookies([{ name: 'user', value: 'ann', url: page.address }])
    const tab = await context.newPage()
    const messages: string[] = []
    tab.on('console', (message) => {
      if (message.type() === 'warning' || message.type() === 'error') messages.push(message.text())
    })
    tab.on('pageerror', (error) => messages.push(String(error)))
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    await clickUntil(tab.getByLabel('ann: rest'), tab.getByText('2 done'))
    expect(messages).toEqual([])
  } finally {
    await browser.close()
    await vite.close()
    server.close()
    vi.unstubAllEnvs()
  }
})

test('400 visitors, 50 at a time, see their own page, and leave nothing', { timeout: 240_000 }, async () => {
  const left = await page.visitWithoutLeftovers(400, ['/', '/whole'], (html, user) => {
    expect(html).toContain(`<h1>${user}</h1>`)
  })
  expect(left.timers).toBe(0)
})
