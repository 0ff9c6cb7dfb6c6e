// @vitest-environment node
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { chromiumArgs, chromiumPath } from '@selfsame/conformance/chromium'
import { clickUntil } from '@selfsame/conformance/started-server'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { chromium } from 'playwright'
import type { Browser } from 'playwright'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { start } from './testing/ssr/start.js'

type Server = Awaited<ReturnType<typeof start>>

const hasChromium = existsSync(chromiumPath)
let browser: Browser | undefined

beforeAll(async () => {
  if (hasChromium) browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })
})

afterAll(() => browser?.close())

const jsonOf = async (url: string): Promise<unknown> => (await fetch(url)).json()

/** What a page shows, without what Svelte needs to find it again. */
const textOf = (html: string) =>
  html
    .replace(/<!--.*?-->/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&gt;', '>')
    .replace(/\s+/g, ' ')
    .trim()

describe.each([
  { isAsync: false, isProduction: false },
  { isAsync: true, isProduction: false },
  { isAsync: true, isProduction: true },
])('a page of a server, %o', ({ isAsync, isProduction }) => {
  let server: Server

  beforeAll(async () => {
    server = await start({ isAsync, isProduction })
  }, 240_000)

  afterAll(() => server.end())

  test('is rendered with its data, in the name of who asks', async () => {
    const response = await fetch(server.origin, { headers: { cookie: 'user=ann' } })
    const html = await response.text()
    expect(response.status).toBe(502)
    const text = textOf(html)
    expect(text).toContain('Name of ann / 2 todos / Todo ann-1 of ann')
    expect(text).toContain('Name of ann since 2026-01-02T03:04:05.000Z')
    expect(text).toContain('Todo ann-2 of ann')
    expect(text).toContain('NetworkError: ')
    expect(text).not.toContain('Loading')
    expect(text).not.toContain('pending')
    if (isAsync) expect(text).toContain('awaited: Name of ann / 2 todos')
  })

  test.runIf(hasChromium)(
    'is hydrated without a message, a request or a change',
    { timeout: 180_000 },
    async () => {
      await jsonOf(`${server.origin}/_requests`)
      const context = await browser!.newContext()
      await context.addCookies([{ name: 'user', value: 'bob', url: server.origin }])
      const page = await context.newPage()
      const messages: string[] = []
      page.on('console', (message) => messages.push(message.text()))
      page.on('pageerror', (error) => messages.push(String(error)))
      const response = await page.goto(server.origin)
      const html = (await response?.text()) ?? ''
      await page.locator('body[data-hydrated]').waitFor()
      await page.locator('#clicks').click()
      expect(await page.locator('#clicks').textContent()).toBe('1 clicks')
      expect(textOf(await page.locator('#app').innerHTML()).replace('1 clicks', '0 clicks')).toBe(
        textOf(/<div id="app">(.*)<\/div><script type="application\/json"/s.exec(html)?.[1] ?? ''),
      )
      expect(await page.locator('#values').textContent()).toBe(
        `${Date.parse('2026-01-02T03:04:05.000Z')} ${2n ** 60n} </script><!--\u2028,NaN true `,
      )
      expect(await page.locator('script[type="application/json"]').count()).toBe(0)
      expect(await jsonOf(`${server.origin}/_requests`)).toEqual([])
      for (const name of ['failing', 'gone']) {
        const alert = page.locator('p[role=alert]', { has: page.locator('button'), hasText: `/api/${name}` })
        await alert.getByRole('button').click()
        await alert.waitFor({ state: 'detached' })
        // The alert goes as the request is sent, which is on its way to the server then.
        const asked: unknown[] = []
        await expect
          .poll(async () => {
            asked.push(...((await jsonOf(`${server.origin}/_requests`)) as unknown[]))
            return asked
          })
          .toEqual([`/api/${name}`])
      }
      expect(await page.locator('.failing').first().textContent()).toBe('Works again')
      // The page answers 502, because a part of it failed.
      expect(messages.filter((message) => !message.includes('status of 502'))).toEqual([])
      await context.close()
    },
  )

  // Of a build for production: that is what serves many.
  if (!isProduction) return
  test('serves many users at once, and keeps nothing of them', { timeout: 240_000 }, async () => {
    const ask = async (user: string) => {
      const html = await (await fetch(server.origin, { headers: { cookie: `user=${user}` } })).text()
      expect(html).toContain(`Name of ${user} since`)
      const others = new Set([...html.matchAll(/user\d+/g)].map(([name]) => name))
      expect([...others]).toEqual([user])
    }
    const askMany = async (count: number, prefix: number) => {
      let next = 0
      const visit = async () => {
        while (next < count) await ask(`user${prefix + next++}`)
      }
      await Promise.all(Array.from({ length: 50 }, visit))
    }
    await askMany(400, 0)
    const before = (await jsonOf(`${server.origin}/_stats`)) as { heap: number; timers: number }
    await askMany(400, 1000)
    const after = (await jsonOf(`${server.origin}/_stats`)) as typeof before
    expect(after.timers).toBe(before.timers)
    // The data of one user alone would be more than ten times as much.
    expect((after.heap - before.heap) / 1e6).toBeLessThan(3)
  })
})

test.runIf(hasChromium)(
  'the application of the guide, built for production and started as it says there',
  async () => {
    const root = fileURLToPath(new URL('../../docs/examples/svelte-server/', import.meta.url))
    const outDir = fileURLToPath(new URL('../../node_modules/.cache/svelte-server/', import.meta.url))
    const shared = {
      root,
      configFile: false as const,
      logLevel: 'warn' as const,
      plugins: [svelte({ configFile: false })],
      resolve: { conditions: ['selfsame-source', 'module', 'browser', 'production'] },
      ssr: {
        noExternal: true as const,
        resolve: { conditions: ['selfsame-source', 'module', 'node', 'production'] },
      },
    }
    vi.stubEnv('NODE_ENV', 'production')
    await build({ ...shared, build: { outDir: `${outDir}client`, emptyOutDir: true } })
    await build({ ...shared, build: { outDir: `${outDir}server`, emptyOutDir: true, ssr: 'server.ts' } })
    vi.unstubAllEnvs()

    const requests: string[] = []
    const backend = createServer(({ url = '', method = '', headers }, response) => {
      requests.push(`${method} ${url} ${headers.cookie}`)
      const todos = [1, 2].map((id) => ({ id, title: `Todo ${id}`, done: id === 1 }))
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(url === '/api/me' ? { id: 1, name: 'Ann' } : todos))
    })
    const backendAddress = await listen(backend)
    onTestFinished(() => void backend.close())
    const probe = createServer()
    const address = await listen(probe)
    await new Promise((resolve) => probe.close(resolve))
    const child = fork(`${outDir}server/server.js`, {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PORT: new URL(address).port,
        BACKEND: backendAddress,
      },
    })
    onTestFinished(() => void child.kill())
    while (!(await fetch(`${address}/none`).catch(() => undefined)))
      await new Promise((resolve) => setTimeout(resolve, 50))

    const html = await (await fetch(address, { headers: { Cookie: 'user=ann' } })).text()
    expect(html).toContain('<title>Todos</title>')
    expect(textOf(html)).toContain('1 done Ann Todo 1 Todo 2')
    expect(requests.splice(0).sort()).toEqual(['GET /api/me user=ann', 'GET /api/todo user=ann'])

    const page = await browser!.newPage()
    const messages: string[] = []
    page.on('console', (message) => messages.push(message.text()))
    page.on('pageerror', (error) => messages.push(String(error)))
    page.on('request', (request) => {
      if (request.url().includes('/api/')) messages.push(request.url())
    })
    await page.goto(address, { waitUntil: 'networkidle' })
    await clickUntil(page.getByLabel('Todo 2'), page.getByText('2 done'))
    expect(messages).toEqual([])
    await page.close()
  },
)

async function listen(server: HttpServer): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
