import { execFile } from 'node:child_process'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createServer, ListenError, type DemoServer } from './server.js'
import { sendTo } from './test-server.js'

describe('with the full number of records', () => {
  let server: DemoServer

  beforeAll(async () => {
    server = await createServer()
  })
  afterAll(() => server.close())

  test.each([
    ['/user', 1_000],
    ['/profile', 1_000],
    ['/article', 10_000],
    ['/todo', 2_000],
    ['/api/news', 200],
  ])('serves all of %s: %i', async (path, count) => {
    expect((await sendTo(server.url, `GET ${path}?limit=10000`)).body).toHaveLength(count)
  })

  test('serves 50,000 comments', async () => {
    const last = await sendTo(server.url, 'GET /comments?limit=10&offset=49998')
    expect(last.body.data.map(({ id }: { id: number }) => id)).toEqual([49_999, 50_000])
  })

  test('seeds the same records on every start', async () => {
    const paths = ['/user/1', '/article/2', '/todo/1', '/feed?limit=1']
    const answers = await Promise.all(paths.map((path) => sendTo(server.url, `GET ${path}`)))
    expect(answers.map(({ body }) => body)).toMatchInlineSnapshot(`
      [
        {
          "email": "josehansen1@example.com",
          "id": 1,
          "isAdmin": false,
          "name": "José Hansen",
          "website": "https://josehansen1.example.com",
        },
        {
          "author": 930,
          "content": "The new timetable depended on a hand-drawn chart. The night shift was the first to question the spare parts list. A retired engineer depended on a hand-drawn chart.

      The town council forgot the last train home. The harbour office quietly improved a box of old tickets.",
          "contributors": [
            860,
            861,
            862,
          ],
          "createdAt": "2023-01-09T11:14:00.000Z",
          "id": 2,
          "meta": {
            "id": 2,
            "likeCount": 237,
            "relatedArticles": [
              {
                "author": 745,
                "createdAt": "2023-01-11T23:03:00.000Z",
                "id": 39,
                "title": "A field guide to school kitchens when nobody is watching",
              },
              {
                "author": 818,
                "createdAt": "2023-01-23T17:58:00.000Z",
                "id": 214,
                "title": "Living with second-hand books from the first day",
              },
              {
                "author": 819,
                "createdAt": "2023-04-17T01:47:00.000Z",
                "id": 1451,
                "title": "Three years of rooftop solar after the storm",
              },
            ],
            "viewCount": 4749,
          },
          "title": "Letters about river gauges in a cold winter",
        },
        {
          "completed": false,
          "id": 1,
          "title": "Sort out the winter coats",
          "userId": 1,
        },
        {
          "cursor": "500",
          "results": [
            {
              "content": "A letter from 1962 noticed the opening hours.",
              "id": 500,
              "type": "post",
            },
          ],
        },
      ]
    `)
  })

  test('takes a free port, and frees it when closed, even while a request waits', async () => {
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
    await sendTo(server.url, 'POST /_knob', { route: '/todo', delayMs: 60_000 })
    const waiting = fetch(`${server.url}/todo?limit=1`).catch(String)
    await vi.waitUntil(async () => (await lastRequest()).query.limit === '1')
    await Promise.all([server.close(), server.close()])
    expect(await waiting).toBe('TypeError: fetch failed')
    await expect(fetch(`${server.url}/user`)).rejects.toThrow('fetch failed')
  })

  async function lastRequest() {
    return (await sendTo(server.url, 'GET /_requests')).body.at(-1)
  }
})

test('refuses a seed size that cannot be', async () => {
  await expect(createServer({ sizes: { users: 0 } })).rejects.toThrow(
    new RangeError('The seed size of users is 0. Use a whole number from 1.'),
  )
})

describe('on a port in use', () => {
  const other = createHttpServer()
  let port: number
  let message: string

  beforeAll(async () => {
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    port = (other.address() as AddressInfo).port
    message = `Port ${port} of 127.0.0.1 is in use. Stop the program that uses it, or choose another port, for example: PORT=${port + 1} npm run demo`
  })
  afterAll(() => {
    other.close()
  })

  test('createServer rejects, naming the port and the remedy', async () => {
    await expect(createServer({ port })).rejects.toThrow(new ListenError(message))
  })

  test('the program prints that without a stack and exits with 1', async () => {
    expect(await runMain([], { PORT: String(port) })).toEqual({ code: 1, stdout: '', stderr: `${message}\n` })
  })
})

test('the program refuses a port that cannot be', async () => {
  expect(await runMain(['--port', '70000'])).toEqual({
    code: 1,
    stdout: '',
    stderr: '"70000" is not a port. Use a whole number from 0 to 65535.\n',
  })
})

const folder = fileURLToPath(new URL('..', import.meta.url))

async function runMain(args: string[], env: Record<string, string> = {}) {
  const command = ['--import', 'tsx', 'src/main.ts', ...args]
  const run = promisify(execFile)(process.execPath, command, { cwd: folder, env: { ...process.env, ...env } })
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}
