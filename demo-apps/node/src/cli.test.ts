import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from '@selfsame/demo-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { run } from './cli.js'

const sizes = { users: 5, articles: 30, comments: 4, todos: 4, news: 4, birthdays: 4, feedItems: 4 }
let server: Awaited<ReturnType<typeof createServer>>

beforeAll(async () => {
  server = await createServer({ sizes })
}, 180_000)
afterAll(() => server.close())
beforeEach(async () => {
  await fetch(`${server.url}/_reset`, { method: 'POST' })
})

/** One run of the program, with its output so far. */
function start(...args: string[]) {
  const abort = new AbortController()
  const written = { out: '', err: '' }
  const ended = run(['--url', server.url, ...args], {
    out: (text) => (written.out += text),
    err: (text) => (written.err += text),
    signal: abort.signal,
    showsProgress: true,
  })
  return { written, ended, interrupt: () => abort.abort() }
}

async function runToEnd(...args: string[]) {
  const { written, ended } = start(...args)
  return { code: await ended, ...written }
}

const requests = async (): Promise<{ method: string; path: string }[]> =>
  (await fetch(`${server.url}/_requests`)).json() as Promise<{ method: string; path: string }[]>

describe('list', () => {
  test('writes a line for each article', async () => {
    const { code, out, err } = await runToEnd('list', '--limit', '3')
    expect([code, err]).toEqual([0, ''])
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^\d+ {2}.+/),
      expect.stringMatching(/^\d+ {2}.+/),
      expect.stringMatching(/^\d+ {2}.+/),
      '',
    ])
  })

  test('lists the newest first', async () => {
    const { out } = await runToEnd('list', '--limit', '3')
    expect(out.split('\n').map((line) => line.split(' ')[0])).toEqual(['30', '29', '28', ''])
  })

  test('writes JSON, one article a line, filtered by the author', async () => {
    const { code, out } = await runToEnd('--json', 'list', '--author', '2')
    const articles = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { author: { id: number } })
    expect(code).toBe(0)
    expect(articles.length).toBeGreaterThan(0)
    expect(articles.map(({ author }) => author.id)).toEqual(articles.map(() => 2))
  })
})

describe('show and edit', () => {
  test('show writes the title and the content', async () => {
    const { code, out } = await runToEnd('show', '1')
    const { title, content } = (await (await fetch(`${server.url}/article/1`)).json()) as {
      title: string
      content: string
    }
    expect([code, out.includes(title), out.includes(content)]).toEqual([0, true, true])
  })

  test('edit sends one PATCH, and shows its response', async () => {
    const { code, out } = await runToEnd('--json', 'edit', '1', '--title', 'Edited')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ id: 1, title: 'Edited', content: expect.any(String) as string })
    expect(await requests()).toMatchObject([{ method: 'PATCH', path: '/article/1' }])
  })
})

describe('watch', () => {
  test('writes what others change, until it is interrupted', async () => {
    const { written, ended, interrupt } = start('watch', '--limit', '5')
    await vi.waitUntil(() => written.err.includes('Watching 5 articles'))
    const newest = (await (await fetch(`${server.url}/article?limit=1&sort=newest`)).json()) as [
      { id: number },
    ]
    const { id } = newest[0]
    // The connection may not be open yet: changes until one arrives.
    await vi.waitUntil(
      async () => {
        await fetch(`${server.url}/article/${id}`, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ title: `Changed ${Math.random()}` }),
        })
        return written.out.includes(`changed ${id}  Changed`)
      },
      { timeout: 30_000, interval: 100 },
    )
    await fetch(`${server.url}/article/${id}`, { method: 'DELETE' })
    await vi.waitUntil(() => written.out.includes(`removed ${id}  Changed`), { timeout: 30_000 })
    interrupt()
    expect(await ended).toBe(0)
  })
})

describe('export', () => {
  test('saves all articles, and says how far it is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'articles-'))
    const file = join(folder, 'articles.json')
    try {
      const { code, err } = await runToEnd('export', file)
      expect(code).toBe(0)
      expect(JSON.parse(await readFile(file, 'utf8'))).toHaveLength(sizes.articles)
      expect(err).toMatch(/\r\d+ kB/)
      expect(err).toContain(`Saved ${sizes.articles} articles`)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('exit codes', () => {
  test.each([
    ['an article that is not there is 3', ['show', '999999'], 3, '404'],
    ['an unknown command is 2', ['lsit'], 2, 'unknown command'],
    ['a number that is none is 2', ['show', 'one'], 2, '"one" is not a whole number.'],
    ['an edit of nothing is 2', ['edit', '1'], 2, 'give --title, --content or both'],
    ['help is 0', ['--help'], 0, ''],
  ])('%s', async (_title, args, code, message) => {
    const result = await runToEnd(...args)
    expect(result.code).toBe(code)
    expect(result.err).toContain(message)
  })

  test('a server that fails is 1, with its message', async () => {
    await fetch(`${server.url}/_knob`, {
      method: 'POST',
      body: JSON.stringify({ route: '/article', status: 503 }),
    })
    const { code, err } = await runToEnd('list')
    expect(code).toBe(1)
    expect(err).toContain('503')
  })

  test('a server that cannot be reached is 1', async () => {
    let err = ''
    const code = await run(['--url', 'http://127.0.0.1:1', 'list'], {
      out: () => {},
      err: (text) => (err += text),
      signal: new AbortController().signal,
      showsProgress: false,
    })
    expect(code).toBe(1)
    expect(err).toMatch(/^No response from http:\/\/127.0.0.1:\d+\.\nStart the server with `npm run demo`/)
    expect(err).not.toContain('CORS')
  })

  test('an interrupted request is 130', async () => {
    await fetch(`${server.url}/_knob`, {
      method: 'POST',
      body: JSON.stringify({ route: '/article', delayMs: 5000 }),
    })
    const { ended, interrupt } = start('export', 'never.json')
    setTimeout(interrupt, 100)
    expect(await ended).toBe(130)
  })
})
