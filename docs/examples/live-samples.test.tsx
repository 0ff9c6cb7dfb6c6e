import { Controller, Entity, schema } from '@selfsame/core'
import { connect, eventSource, webSocket } from '@selfsame/core/live'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { useDLE, useFetch, useLive, useSubscription } from '@selfsame/react'
import { createMockController } from '@selfsame/core/testing'
import type { MockController } from '@selfsame/core/testing'
import { renderDataHook } from '@selfsame/react/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import {
  createEventSources,
  createSockets,
} from '../../core/src/live/testing-fakes.js'
import { controller as ofPage } from './controller.js'
import { feed, getTodos as getCounted } from './feed.js'
import { serve } from './testing-network.js'

// The samples of docs/live.md. Sockets and sources are fakes; the demo's server
// has real ones.

vi.mock('./controller.js', () => ({
  controller: createMockController({ unanswered: 'fetch' }),
}))

const { Socket, last: lastSocket } = createSockets()
const { Source, last: lastSource } = createEventSources()

beforeEach(() => {
  vi.stubGlobal('location', new URL('https://api.example.com/'))
  vi.stubGlobal('WebSocket', Socket)
  vi.stubGlobal('EventSource', Source)
})
afterEach(() => vi.unstubAllGlobals())

const urlPrefix = 'https://api.example.com'

class Price extends Entity {
  symbol = ''
  amount = 0
  override pk() {
    return this.symbol
  }
  static override key = 'Price'
}

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

const todoResource = createResource({
  urlPrefix,
  path: '/todo/:id',
  schema: Todo,
})

interface PriceMessage {
  readonly symbol: string
  readonly amount: number
}

const socket = webSocket<PriceMessage>('wss://example.com/live', {
  topicOf: ({ symbol }) => symbol,
})

export const getPrice = new RestEndpoint({
  path: '/price/:symbol',
  schema: Price,
  stream: socket.stream({
    topic: ({ symbol }: { symbol: string }) => symbol,
    subscribe: ({ symbol }) => ({ subscribe: symbol }),
    unsubscribe: ({ symbol }) => ({ unsubscribe: symbol }),
  }),
})

export const getPrices = new RestEndpoint({
  path: '/price',
  schema: [Price],
  stream: socket.stream({
    subscribe: () => ({ subscribe: '*' }),
    schema: Price,
  }),
})

const changes = eventSource<{
  created: Todo
  updated: Todo
  deleted: { id: number }
}>('/todo/events', {
  events: ['created', 'updated', 'deleted'],
})

export const getTodos = todoResource.getList.extend({
  stream: changes.stream({
    schemas: {
      created: todoResource.getList.schema.push,
      updated: Todo,
      deleted: new schema.Delete(Todo),
    },
  }),
})

test('a reader shows what a socket brings', async () => {
  serve({ 'GET /price/ABC': { symbol: 'ABC', amount: 1 } })
  const controller = createMockController({ unanswered: 'fetch' })
  const { result, settle, unmount } = renderDataHook(
    () => {
      const price = useLive(getPrice, { symbol: 'ABC' })
      return price
    },
    { controller },
  )
  await settle()
  expect(result.current.amount).toBe(1)
  lastSocket().accept()
  lastSocket().tell({ symbol: 'ABC', amount: 2 })
  await vi.waitFor(async () => {
    await settle()
    expect(result.current.amount).toBe(2)
  })
  await unmount()
})

test('a call is kept live without a framework', async () => {
  const controller = new Controller()
  const end = connect(controller, getPrice, { symbol: 'ABC' })
  const endAll = connect(controller, getPrices)
  const endTodos = connect(controller, getTodos)
  controller.setResponse(getTodos, [])
  lastSource().accept()
  lastSource().tell('created', { id: 2, title: 'b' })
  await vi.waitFor(() =>
    expect(controller.read(getTodos).data).toEqual([{ id: 2, title: 'b' }]),
  )
  for (const endOne of [end, endAll, endTodos]) endOne()
  controller.dispose()
})

test('a feed changes what other pages show, and refetches it after a gap', async () => {
  const requests = serve({
    'GET /todo': { items: [{ id: 1, title: 'a' }], total: 1 },
  })
  const { result, settle, unmount } = renderDataHook(
    () => {
      useFetch(feed)
      useSubscription(feed)
      return useDLE(getCounted)
    },
    { controller: ofPage as MockController },
  )
  await settle()
  expect(result.current.data?.total).toBe(1)
  expect(requests).toHaveLength(1)
  lastSource().accept()
  lastSource().tell('change', { type: 'created', todo: { id: 2, title: 'b' } })
  lastSource().tell('change', { type: 'updated', todo: { id: 1, title: 'c' } })
  await vi.waitFor(async () => {
    await settle()
    expect(result.current.data).toMatchObject({
      items: [
        { id: 2, title: 'b' },
        { id: 1, title: 'c' },
      ],
      total: 2,
    })
  })
  lastSource().tell('change', { type: 'deleted', todo: { id: 2 } })
  await vi.waitFor(async () => {
    await settle()
    expect(result.current.data?.total).toBe(1)
  })
  expect(requests).toHaveLength(1)
  lastSource().interrupt()
  lastSource().accept()
  await vi.waitFor(async () => {
    await settle()
    expect(requests).toHaveLength(2)
  })
  await unmount()
  ofPage.resetAll()
})

test('Node takes the WebSocket of a package', () => {
  const socket = webSocket('wss://example.com/live', { WebSocket })
  expect(socket.stream({ subscribe: () => ({ subscribe: '*' }) })).toBeTypeOf(
    'function',
  )
})
