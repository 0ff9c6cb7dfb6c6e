// @vitest-environment node
import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { CompileOptions } from 'svelte/compiler'
import { createServer } from 'vite'
import type { ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as Page from '../testing/server.js'

/** `testing/async/server.ts`, whose components only a compiler that is told of `experimental.async` can read. */
interface AsyncPage {
  renderAwaited(): Promise<{ html: string; requests: readonly string[] }>
}

const servers: ViteDevServer[] = []
let page: typeof Page
let asyncPage: AsyncPage

beforeAll(async () => {
  page = (await load('/testing/server.ts', {})) as typeof Page
  asyncPage = (await load('/testing/async/server.ts', {
    experimental: { async: true },
  })) as unknown as AsyncPage
}, 60_000)

afterAll(() => Promise.all(servers.map((server) => server.close())))

/** Loads a module as a server does that renders Svelte. */
async function load(path: string, compilerOptions: CompileOptions): Promise<Record<string, unknown>> {
  const server = await createServer({
    configFile: false,
    root: join(import.meta.dirname, '..'),
    cacheDir: '../../node_modules/.vite/svelte-ssr',
    logLevel: 'warn',
    server: { middlewareMode: true, ws: false },
    optimizeDeps: { noDiscovery: true },
    plugins: [svelte({ configFile: false, compilerOptions })],
    ssr: { resolve: { conditions: ['source', 'module', 'development'] } },
  })
  servers.push(server)
  return server.ssrLoadModule(path)
}

describe('on a server', () => {
  test('what was fetched before is rendered, and nothing is listened to or kept', async () => {
    const { html, listeners, retainers, requests, timers } = await page.renderFetched()
    expect(html).toContain('Todo 5')
    expect(html).toContain('and its store: Todo 5')
    expect(html).toContain('useDLE: Todo 5 false true')
    expect(html).toContain('useQuery: Todo 5 Todo 5')
    expect(html).not.toContain('Loading')
    expect({ listeners, retainers, requests, timers }).toEqual({
      listeners: 0,
      retainers: 0,
      requests: ['GET /todo/5', 'GET /user/1'],
      timers: page.timersOfFetch,
    })
  })

  test('what was not fetched before is an error that says so', async () => {
    await expect(page.renderUnfetched()).rejects.toThrow(
      'When rendering on a server, await controller.fetch() first.',
    )
  })

  const nothing = { listeners: 0, retainers: 0, timers: 0 }

  test.each([
    ['useSuspense, unread', 'nothing'],
    ['useSuspense, pending', 'pending'],
    ['useLive, unread', 'nothing'],
    ['useFetch of values', 'nothing'],
    ['useFetch of getters', 'nothing'],
  ] as const)('%s: what can be waited for is asked for at once', async (hook, text) => {
    const requests = ['GET /todo/5']
    expect(await page.renderHook(hook)).toEqual({ text, requests, ...nothing })
  })

  test.each([
    ['useDLE', 'true undefined undefined'],
    ['useCache', 'false undefined'],
    ['useQuery', ''],
    ['useProgress', ''],
    ['useSubscription', 'nothing'],
  ] as const)('%s: what waits for nothing asks for nothing', async (hook, text) => {
    expect(await page.renderHook(hook)).toEqual({ text, requests: [], ...nothing })
  })

  test.each(['useSuspense, pending', 'useFetch of values', 'useFetch of getters', 'useDLE'] as const)(
    '%s: what is Stale is shown, and left to the page',
    async (hook) => {
      const { requests } = await page.renderHook(hook, 'Stale')
      expect(requests).toEqual([])
    },
  )

  test('what is awaited with experimental.async is waited for', async () => {
    const { html, requests } = await asyncPage.renderAwaited()
    expect(html).toContain('Todo 5')
    expect(html).not.toContain('Loading')
    expect(requests).toEqual(['GET /todo/5'])
  })
})
