// @vitest-environment node
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { load } from '../testing/load.js'
import type * as Page from '../testing/server.js'

/** `testing/async/server.ts`. Its components compile only with `experimental.async`. */
interface AsyncPage {
  renderAwaited(): Promise<{ html: string; requests: readonly string[] }>
}

const ends: (() => Promise<void>)[] = []
let page: typeof Page
let asyncPage: AsyncPage

beforeAll(async () => {
  const plain = await load<typeof Page>('/testing/server.ts', {})
  ends.push(plain.end)
  page = plain.module
  const asynchronous = await load<AsyncPage>('/testing/async/server.ts', { experimental: { async: true } })
  ends.push(asynchronous.end)
  asyncPage = asynchronous.module
}, 180_000)

afterAll(() => Promise.all(ends.map((end) => end())))

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

  test('what was not fetched before is the fallback of the boundary around it', async () => {
    expect(await page.renderUnfetched()).toContain('Loading')
  })

  const nothing = { listeners: 0, retainers: 0, timers: 0 }

  test.each([
    ['useSuspense, unread', 'nothing'],
    ['useSuspense, pending', 'pending'],
    ['useSuspenseAll, unread', 'nothing'],
    ['useLive, unread', 'nothing'],
    ['useFetch of values', 'nothing'],
    ['useFetch of getters', 'nothing'],
  ] as const)('%s: what can be waited for is asked for at once', async (hook, text) => {
    const requests = ['GET /todo/5']
    expect(await page.renderHook(hook)).toEqual({ text, requests, ...nothing })
  })

  test.each([
    ['useDLE', 'true undefined undefined'],
    ['useLast', 'true undefined'],
    ['useStatus', 'false false'],
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
