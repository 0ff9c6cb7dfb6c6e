import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { chromium } from 'playwright'
import { build } from 'vite'
import type { InlineConfig, ViteDevServer } from 'vite'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { chromiumArgs, chromiumPath } from '@selfsame/conformance/chromium'
import { StartedServer, listen, openPage } from '@selfsame/conformance/started-server'

// The application of the guide, built for production and started as it says there.

const root = fileURLToPath(new URL('../../docs/examples/react-server/', import.meta.url))
/** The exports of its `dev.ts`. */
interface Dev {
  startDev(port: number, config: InlineConfig): Promise<{ server: Server; vite: ViteDevServer }>
}
const outDir = fileURLToPath(new URL('../../node_modules/.cache/react-server/', import.meta.url))

let backend: Server
let backendRequests: string[] = []
/** The report of these visitors waits until it is released. */
const held = new Map<string, { readonly release: () => void; readonly released: Promise<void> }>()
let backendAddress: string
let page: StartedServer

const hostile = '</script><script>document.title = "broken"</script><!--\u2028'

/** The guide's configuration, except that packages are read from their sources. */
const configFor = (mode: 'development' | 'production') => ({
  root,
  configFile: false as const,
  logLevel: 'warn' as const,
  plugins: [react()],
  resolve: { conditions: ['selfsame-source', 'module', 'browser', mode] },
  ssr: { resolve: { conditions: ['selfsame-source', 'module', 'node', mode] } },
})

beforeAll(async () => {
  const shared = configFor('production')
  vi.stubEnv('NODE_ENV', 'production')
  const client = { input: `${root}entry-client.tsx`, output: { entryFileNames: 'page.js' } }
  await build({ ...shared, build: { outDir: `${outDir}client`, emptyOutDir: true, rollupOptions: client } })
  await build({ ...shared, build: { outDir: `${outDir}server`, emptyOutDir: true, ssr: 'server.ts' } })
  vi.unstubAllEnvs()

  backend = createServer((request, response) => {
    const user = /user=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? 'nobody'
    backendRequests.push(`${request.method} ${request.url} ${user}`)
    const answers: Readonly<Record<string, unknown>> = {
      '/api/me': { id: 1, name: user },
      '/api/report': { text: `Report for ${user}` },
      '/api/todo': [
        { id: 1, title: `${user}: ${hostile}`, done: true },
        { id: 2, title: `${user}: rest`, done: false },
      ],
    }
    const status = user === 'failing' && request.url === '/api/report' ? 404 : 200
    const answer = () =>
      response
        .writeHead(status, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(answers[request.url ?? '']))
    const released = request.url === '/api/report' ? held.get(user)?.released : undefined
    // Requests overtake each other.
    if (released === undefined) setTimeout(answer, Math.random() * 10)
    else void released.then(answer)
  })
  const backendPort = await listen(backend)
  backendAddress = `http://127.0.0.1:${backendPort}`
  page = await StartedServer.start(`${outDir}server/server.js`, (port) => ({
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      BACKEND: backendAddress,
    },
  }))
}, 240_000)

afterAll(() => {
  page?.end()
  backend?.close()
})

beforeEach(() => {
  backendRequests = []
  held.clear()
})

function hold(user: string): () => void {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  held.set(user, { release, released })
  return release
}

for (const path of ['/', '/web']) {
  test(`${path} has what its visitor may see, by one request for each call`, async () => {
    const text = await (await page.open('ann', path)).text()
    expect(text).toContain('<h1>ann</h1>')
    expect(text).toContain('ann: rest')
    expect(text).toContain('<footer>Report for ann</footer>')
    expect(text).not.toContain('<script>document.title')
    expect(text.trimEnd().endsWith('</html>')).toBe(true)
    expect(backendRequests.sort()).toEqual(['GET /api/me ann', 'GET /api/report ann', 'GET /api/todo ann'])
  })

  test(`${path} sends what is there while the rest waits, each part with its state`, async () => {
    const release = hold('ann')
    const { body } = await page.open('ann', path)
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    const decoder = new TextDecoder()
    const readNext = async () => decoder.decode((await reader.read()).value, { stream: true })
    let text = ''
    while (!text.includes('ann: rest</label>')) text += await readNext()
    expect(text).not.toContain('Report for ann')
    const before = text.length
    release()
    while (!text.endsWith('</html>')) text += await readNext()
    const later = text.slice(before)
    expect(later.indexOf('<footer>Report for ann')).toBeGreaterThan(
      later.indexOf('{"text":"Report for ann"}'),
    )
    expect(later).not.toContain('ann: rest')
  })
}

test('what a visitor does not wait for is not waited for', async () => {
  const release = hold('ann')
  const left = new AbortController()
  const response = await page.open('ann', '/', left.signal)
  await response.body?.getReader().read()
  left.abort()
  // Its requests are aborted, and the server goes on.
  expect((await page.open('bob')).status).toBe(200)
  release()
})

test.skipIf(!existsSync(chromiumPath))(
  'the page of a server for development has no mismatch',
  async () => {
    vi.stubEnv('BACKEND', backendAddress)
    vi.stubEnv('NODE_ENV', 'development')
    const { startDev } = (await import(`${root}dev.ts`)) as Dev
    const { server, vite } = await startDev(0, {
      ...configFor('development'),
      cacheDir: fileURLToPath(new URL('../../node_modules/.vite/react-server/', import.meta.url)),
      optimizeDeps: { entries: ['entry-client.tsx'] },
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
      // Hydrated: React has put its props on the element.
      await tab.waitForFunction(() =>
        Object.keys(document.querySelector('input') ?? {}).some((name) => name.startsWith('__reactProps')),
      )
      const rest = tab.getByLabel('ann: rest')
      // React takes back a click that came too early.
      const isChecked = async () => {
        if (!(await rest.isChecked())) await rest.click()
        await tab.waitForTimeout(100)
        return rest.isChecked()
      }
      await expect.poll(isChecked, { timeout: 15_000 }).toBe(true)
      expect(messages).toEqual([])
    } finally {
      await browser.close()
      await vite.close()
      server.close()
      vi.unstubAllEnvs()
    }
  },
  180_000,
)

test.skipIf(!existsSync(chromiumPath))(
  'the page takes over what the server rendered, even while it arrives',
  { timeout: 180_000 },
  async () => {
    const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })
    try {
      for (const { user, isSlow } of [
        { user: 'ann', isSlow: false },
        { user: 'ann', isSlow: true },
        { user: 'failing', isSlow: false },
        { user: 'failing', isSlow: true },
      ]) {
        const release = isSlow ? hold(user) : () => {}
        const opened = await openPage(browser, page.address, user, '/', 'commit')
        const { page: tab, messages, requests } = opened
        const rest = tab.getByLabel(`${user}: rest`)
        if (isSlow) {
          // What is there works before the rest has arrived. React may not have hydrated it at the first try.
          await expect
            .poll(async () => {
              if (!(await rest.isChecked())) await rest.click()
              return rest.isChecked()
            })
            .toBe(true)
          expect(await tab.locator('footer').count()).toBe(0)
        }
        release()
        held.clear()
        const failure = tab.getByRole('alert')
        await (user === 'failing' ? failure : tab.locator('footer')).waitFor()
        await tab.waitForLoadState('networkidle')
        expect(await tab.title()).toBe('Todos')
        expect(await tab.locator('script[type="application/json"]').count()).toBe(0)
        expect(requests).toEqual([])
        if (!isSlow) await rest.check()
        expect(await rest.isChecked()).toBe(true)
        if (user === 'failing') {
          expect(await failure.textContent()).toContain('failed: 404')
          // React itself writes what its boundaries catch.
          expect(messages.filter((message) => !message.includes('failed: 404'))).toEqual([])
          // The page has no proxy to the backend: that the button asks is what is seen.
          await tab.getByRole('button', { name: 'Try again' }).click()
          await expect.poll(() => requests).toEqual(['GET /api/report'])
        } else expect(messages).toEqual([])
        await opened.close()
      }
    } finally {
      await browser.close()
    }
  },
)

test('400 visitors, 50 at a time, see their own page, and leave nothing', { timeout: 240_000 }, async () => {
  const left = await page.visitWithoutLeftovers(400, ['/', '/web'], (html, user) => {
    expect(html).toContain(`<h1>${user}</h1>`)
    expect(html).toContain(`Report for ${user}<`)
  })
  expect(left.timers).toBe(0)
})
