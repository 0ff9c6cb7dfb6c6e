import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createServer, type DemoServer } from '../server.js'
import { sendTo, smallSizes } from '../test-server.js'

let server: DemoServer
const send = (route: string, body?: unknown) => sendTo(server.url, route, body)

beforeAll(async () => {
  server = await createServer({ sizes: smallSizes })
})
beforeEach(async () => {
  await send('POST /_reset')
})
afterAll(() => server.close())

/** Opens a socket. @returns its messages, a live list */
async function connect(...requests: readonly object[]) {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/live`)
  const heard: unknown[] = []
  socket.on('message', (data) => heard.push(JSON.parse(String(data))))
  await new Promise((resolve) => socket.once('open', resolve))
  const tell = async (...messages: readonly object[]) => {
    for (const message of messages) socket.send(JSON.stringify(message))
    // The response proves that all earlier messages were read.
    socket.send('{"type":"ping"}')
    await vi.waitUntil(() => heard.some(isPong))
    heard.splice(0, heard.length, ...heard.filter((message) => !isPong(message)))
  }
  await tell(...requests)
  return { socket, heard, tell }
}

const isPong = (message: unknown) => (message as { type?: string }).type === 'pong'

describe('the WebSocket', () => {
  test('tells of what any client creates, updates and deletes', async () => {
    const { socket, heard } = await connect({ type: 'subscribe', channel: 'todo' })
    const { body: todo } = await send('POST /todo', { userId: 1, title: 'new' })
    await send(`PATCH /todo/${todo.id}`, { completed: true })
    await send('PATCH /user/1', { name: 'not subscribed to' })
    await send(`DELETE /todo/${todo.id}`)
    await vi.waitUntil(() => heard.length === 3)
    expect(heard).toEqual([
      { channel: 'todo', type: 'created', record: todo },
      { channel: 'todo', type: 'updated', record: { ...todo, completed: true } },
      { channel: 'todo', type: 'deleted', record: { id: todo.id } },
    ])
    socket.close()
  })

  test('tells of an article with whole users, once for each transaction, by GraphQL as well', async () => {
    const { socket, heard } = await connect({ type: 'subscribe', channel: 'article' })
    await send('PATCH /article/1', { title: 'new', contributors: [2, 3] })
    const { body } = await send('GET /article/1?expand=author,contributors')
    await vi.waitUntil(() => heard.length === 1)
    expect(heard).toEqual([{ channel: 'article', type: 'updated', record: body }])
    const query = 'mutation { updateArticle(id: 2, input: { title: "by GraphQL" }) { id } }'
    await send('POST /graphql', { query })
    await vi.waitUntil(() => heard.length === 2)
    expect(heard[1]).toMatchObject({ type: 'updated', record: { id: 2, title: 'by GraphQL' } })
    socket.close()
  })

  test('tells prices to those who subscribed, in a burst as well', async () => {
    const { socket, heard, tell } = await connect({ type: 'subscribe', channel: 'ticker' })
    const { body: prices } = await send('POST /_ticker', { ticks: 10_000 })
    await vi.waitUntil(() => heard.length >= 10_000)
    expect(prices).toHaveLength(6)
    for (const price of prices) expect(heard).toContainEqual({ channel: 'ticker', ...price })
    await tell({ type: 'unsubscribe', channel: 'ticker' })
    heard.length = 0
    await send('POST /_ticker', { ticks: 10 })
    await tell()
    expect(heard).toEqual([])
    socket.close()
  })

  test('hangs up on one who says what it does not understand', async () => {
    for (const message of ['{"type":"subscribe","channel":"secrets"}', 'no JSON']) {
      const { socket } = await connect()
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.send(message)
      expect(await closed).toBe(1008)
    }
  })

  test('refuses pages of other origins, and other paths', async () => {
    const refused = (path: string, origin: string) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`, { origin })
        socket.once('error', ({ message }) => resolve(message))
      })
    expect(await refused('/live', 'https://example.com')).toBe('Unexpected server response: 404')
    expect(await refused('/other', 'http://localhost')).toBe('Unexpected server response: 404')
  })
})

describe('server-sent events', () => {
  test('tell of changes of one kind, by their names', async () => {
    const abort = new AbortController()
    const response = await fetch(`${server.url}/events?kind=todo`, { signal: abort.signal })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const { body: todo } = await send('POST /todo', { userId: 1, title: 'new' })
    await send(`DELETE /todo/${todo.id}`)
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk)
      if (text.includes('deleted')) break
    }
    expect(text.replace(/id: \d+/g, 'id: n')).toBe(
      `: ready\n\nevent: created\ndata: ${JSON.stringify(todo)}\nid: n\n\nevent: deleted\ndata: {"id":${todo.id}}\nid: n\n\n`,
    )
    abort.abort()
  })

  test('count the views of an article, and tell all who have it open', async () => {
    const { body: article } = await send('GET /article/3')
    const { viewCount } = article.meta
    const abort = new AbortController()
    const open = async () => {
      const answer = await fetch(`${server.url}/article/3/views`, { signal: abort.signal })
      return answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    }
    const first = await open()
    expect((await first.read()).value).toContain(`event: views\ndata: {"id":3,"viewCount":${viewCount + 1}}`)
    await open()
    expect((await first.read()).value).toContain(`{"id":3,"viewCount":${viewCount + 2}}`)
    abort.abort()
    expect((await send('GET /article/3')).body.meta.viewCount).toBe(viewCount + 2)
    expect((await send('GET /article/999/views')).status).toBe(404)
  })

  test('refuse a kind that is none', async () => {
    expect(await send('GET /events?kind=secrets')).toMatchObject({ status: 400 })
  })

  test('end with the server, which frees its port', async () => {
    const other = await createServer({ sizes: smallSizes })
    const response = await fetch(`${other.url}/events?kind=todo`)
    const socket = new WebSocket(`${other.url.replace('http', 'ws')}/live`)
    await new Promise((resolve) => socket.once('open', resolve))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await other.close()
    await closed
    await expect(response.text()).rejects.toThrow('terminated')
    // Starting Postgres takes this long.
  }, 180_000)
})
