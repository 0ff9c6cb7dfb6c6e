import { expect, test, vi } from 'vitest'
import { withoutApi } from './without-api.js'

// The sample of docs/server-rendering/react.md: `createNextData` passes it an
// address with a host.

test('a backend without a prefix gets its own paths, and other hosts get theirs', async () => {
  const fetch = vi.fn(async (url: URL) => new Response(url.href))
  vi.stubGlobal('fetch', fetch)
  const sent = async (target: string | URL) => (await withoutApi(target)).text()
  expect(await sent(new URL('http://127.0.0.1:3000/api/todo?page=2'))).toBe(
    'http://127.0.0.1:3000/todo?page=2',
  )
  expect(await sent(new URL('http://127.0.0.1:3000/apiary'))).toBe(
    'http://127.0.0.1:3000/apiary',
  )
  expect(await sent('https://example.com/api/todo')).toBe(
    'https://example.com/api/todo',
  )
  vi.unstubAllGlobals()
})
