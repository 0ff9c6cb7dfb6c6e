import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { chromium } from 'playwright'
import { build } from 'vite'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { chromiumArgs, chromiumPath } from '@selfsame/conformance/chromium'

// The application of the guide, built for production and started as it says there.

const root = fileURLToPath(new URL('../../docs/examples/react-server/', import.meta.url))
const outDir = fileURLToPath(new URL('../../node_modules/.cache/react-server/', import.meta.url))
const measure = fileURLToPath(new URL('../../conformance/scripts/measure-server.mjs', import.meta.url))

let backend: Server
let backendRequests: string[] = []
/** The report of these visitors waits until it is released. */
const held = new Map<string, { readonly release: () => void; readonly released: Promise<void> }>()
let page: ChildProcess
let address: string

const hostile = '</script><script>document.title = "broken"</script><!--\u2028'

beforeAll(async () => {
  const shared = {
    root,
    configFile: false as const,
    logLevel: 'warn' as const,
    plugins: [react()],
    resolve: { conditions: ['source', 'module', 'browser', 'production'] },
    ssr: { resolve: { conditions: ['source', 'module', 'node', 'production'] } },
  }
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
  const probe = createServer()
  const port = await listen(probe)
  await new Promise((resolve) => probe.close(resolve))
  address = `http://127.0.0.1:${port}`
  page = fork(`${outDir}server/server.js`, {
    execArgv: ['--expose-gc', '--import', measure],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      BACKEND: `http://127.0.0.1:${backendPort}`,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  while (!(await fetch(`${address}/none`).catch(() => undefined))) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}, 120_000)

afterAll(() => {
  page?.kill()
  backend?.close()
})

beforeEach(() => {
  backendRequests = []
  held.clear()
})

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function hold(user: string): () => void {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  held.set(user, { release, released })
  return release
}

const open = (user: string, path = '/') => fetch(address + path, { headers: { Cookie: `user=${user}` } })

async function measured(): Promise<{ heap: number; timers: number }> {
  const answer = once(page, 'message')
  page.send('measure')
  return ((await answer) as [{ heap: number; timers: number }])[0]
}

for (const path of ['/', '/web']) {
  test(`${path} has what its visitor may see, by one request for each call`, async () => {
    const text = await (await open('ann', path)).text()
    expect(text).toContain('<h1>ann</h1>')
    expect(text).toContain('ann: rest')
    expect(text).toContain('<footer>Report for ann</footer>')
    expect(text).not.toContain('<script>document.title')
    expect(text.trimEnd().endsWith('</html>')).toBe(true)
    expect(backendRequests.sort()).toEqual(['GET /api/me ann', 'GET /api/report ann', 'GET /api/todo ann'])
  })

  test(`${path} sends what is there while the rest waits, each part with its state`, async () => {
    const release = hold('ann')
    const { body } = await open('ann', path)
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
  const response = await fetch(address, { headers: { Cookie: 'user=ann' }, signal: left.signal })
  await response.body?.getReader().read()
  left.abort()
  // Its requests are aborted, and the server goes on.
  expect((await open('bob')).status).toBe(200)
  release()
})

test.skipIf(!existsSync(chromiumPath))(
  'the page takes over what the server rendered, also while it arrives',
  { timeout: 60_000 },
  async () => {
    const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })
    try {
      for (const { user, isSlow } of [
        { user: 'ann', isSlow: false },
        { user: 'ann', isSlow: true },
        { user: 'failing', isSlow: false },
        { user: 'failing', isSlow: true },
      ]) {
        const context = await browser.newContext()
        await context.addCookies([{ name: 'user', value: user, url: address }])
        const tab = await context.newPage()
        const messages: string[] = []
        const requests: string[] = []
        tab.on('console', (message) => messages.push(message.text()))
        tab.on('pageerror', (error) => messages.push(String(error)))
        tab.on('request', (request) => requests.push(new URL(request.url()).pathname))
        const release = isSlow ? hold(user) : () => {}
        await tab.goto(address, { waitUntil: 'commit' })
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
        expect(requests.filter((path) => path.startsWith('/api'))).toEqual([])
        if (!isSlow) await rest.check()
        expect(await rest.isChecked()).toBe(true)
        if (user === 'failing') {
          expect(await failure.textContent()).toContain('failed: 404')
          // React itself writes what its boundaries catch.
          expect(messages.filter((message) => !message.includes('failed: 404'))).toEqual([])
          // The page has no proxy to the backend: that the button asks is what is seen.
          await tab.getByRole('button', { name: 'Try again' }).click()
          await expect.poll(() => requests.filter((path) => path.startsWith('/api'))).toEqual(['/api/report'])
        } else expect(messages).toEqual([])
        await context.close()
      }
    } finally {
      await browser.close()
    }
  },
)

test(
  '1,000 visitors, 50 at a time, see their own page, and leave nothing',
  { timeout: 120_000 },
  async () => {
    const visit = async (count: number) => {
      let next = 0
      const visitor = async () => {
        while (next < count) {
          const user = `user${next++}x`
          const text = await (await open(user, next % 2 === 0 ? '/' : '/web')).text()
          expect([...new Set(text.match(/user\d+x/g))]).toEqual([user])
          expect(text).toContain(`<h1>${user}</h1>`)
          expect(text).toContain(`Report for ${user}<`)
        }
      }
      await Promise.all(Array.from({ length: 50 }, visitor))
    }
    await visit(600)
    const before = await measured()
    await visit(1000)
    const after = await measured()
    expect(after.timers).toBe(before.timers)
    expect(after.timers).toBe(0)
    // A page that stayed holds some 50 kB, all of them 50 MB; the engine's own caches grow a little for a while.
    expect((after.heap - before.heap) / 1e6).toBeLessThan(3)
  },
)
