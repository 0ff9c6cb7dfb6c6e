import { Controller, schema } from '@selfsame/core'
import { connect } from '@selfsame/core/live'
import { createResource } from '@selfsame/core/rest'
import { createServer } from '@selfsame/demo-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createApi } from './api.js'
import { createLive } from './live.js'
import { Price } from './price.js'
import { Todo } from './records.js'

const sizes = { users: 4, articles: 4, comments: 4, todos: 4, news: 4, birthdays: 4, feedItems: 4 }
let server: Awaited<ReturnType<typeof createServer>>
let reader: Controller
let writer: Controller
let sockets: WebSocket[]

beforeAll(async () => {
  server = await createServer({ sizes })
}, 180_000)
afterAll(() => server.close())
beforeEach(() => {
  reader = new Controller()
  writer = new Controller()
  sockets = []
})
afterEach(() => {
  reader.dispose()
  writer.dispose()
})

class TrackedSocket extends WebSocket {
  constructor(url: string) {
    super(url)
    sockets.push(this)
  }
}

function createTodos() {
  const { socket } = createLive(server.url, { WebSocket: TrackedSocket })
  const todos = createResource({ urlPrefix: server.url, path: '/todo/:id', schema: Todo })
  const getList = todos.getList.extend({
    stream: socket.stream({
      topic: () => 'todo',
      subscribe: () => ({ type: 'subscribe', channel: 'todo' }),
      schemas: { created: todos.getList.schema.push, updated: Todo, deleted: new schema.Delete(Todo) },
      select: ({ record }) => record,
    }),
  })
  return { ...todos, getList }
}

/** Waits until the reader's socket is open and the server has its subscription. */
async function listening(): Promise<void> {
  await vi.waitUntil(() => sockets.at(-1)?.readyState === WebSocket.OPEN)
  const pong = new Promise((resolve) => sockets.at(-1)?.once('message', resolve))
  sockets.at(-1)?.send('{"type":"ping"}')
  await pong
}

describe('over a real WebSocket', () => {
  test('what one client creates, updates and deletes is in the lists of another', async () => {
    const todos = createTodos()
    const titles = () => reader.read(todos.getList, { userId: 1 }).data?.map(({ title }) => title)
    const before = (await reader.fetch(todos.getList, { userId: 1 })).map(({ title }) => title)
    connect(reader, todos.getList, { userId: 1 })
    await listening()
    const { id } = (await writer.fetch(todos.create, { userId: 1, title: 'Written by another' }))!
    await vi.waitUntil(() => titles()?.includes('Written by another'))
    await writer.fetch(todos.partialUpdate, { id }, { title: 'Changed by another' })
    await vi.waitUntil(() => titles()?.includes('Changed by another'))
    expect(titles()).toEqual([...before, 'Changed by another'])
    await writer.fetch(todos.delete, { id })
    await vi.waitUntil(() => titles()?.length === before.length)
    expect(titles()).toEqual(before)
    expect(sockets.length).toBe(1)
  })

  test('a connection that is lost is made again, and its calls are fetched again', async () => {
    const todos = createTodos()
    await reader.fetch(todos.getList, { userId: 2 })
    connect(reader, todos.getList, { userId: 2 })
    await listening()
    const before = reader.read(todos.getList, { userId: 2 })
    expect(before.status).toBe('Valid')
    sockets[0]?.terminate()
    await vi.waitUntil(() => reader.read(todos.getList, { userId: 2 }).expiresAt > before.expiresAt)
    await listening()
    const { id } = (await writer.fetch(todos.create, { userId: 2, title: 'After the loss' }))!
    await vi.waitUntil(() => reader.get(Todo, { id }) !== undefined)
    expect(sockets.length).toBe(2)
  })

  test('10,000 messages at once are few notifications, and the last of each record stays', async () => {
    const { getPrices } = createApi({ urlPrefix: server.url, live: { WebSocket: TrackedSocket } })
    const told = vi.fn()
    await reader.fetch(getPrices)
    reader.subscribe(getPrices, told)
    connect(reader, getPrices)
    await listening()
    const response = await fetch(`${server.url}/_ticker`, { method: 'POST', body: '{"ticks":10000}' })
    const prices = (await response.json()) as readonly {
      readonly symbol: string
      readonly sequence: number
    }[]
    for (const { symbol, sequence } of prices) {
      await vi.waitUntil(() => (reader.get(Price, { symbol })?.sequence ?? 0) >= sequence, 10_000)
    }
    expect(told.mock.calls.length).toBeLessThan(500)
  }, 180_000)
})
