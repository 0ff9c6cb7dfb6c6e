import { Controller, Entity, schema } from '@selfsame/core'
import { connect, eventSource, webSocket } from '@selfsame/core/live'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import {
  useController,
  useDLE,
  useFetch,
  useLive,
  useSubscription,
} from '@selfsame/react'
import { persist, persisted } from '@selfsame/core/persist'
import { memoryStorage } from '@selfsame/core/storage'
import { syncTabs } from '@selfsame/core/tabs'
import { createMockController } from '@selfsame/core/testing'
import { renderDataHook } from '@selfsame/react/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import {
  createEventSources,
  createSockets,
} from '../../core/src/live/testing-fakes.js'
import { todoResource as ofPages } from './api.js'
import { BrowserLocks, Channels } from '../../conformance/src/browser-tabs.js'
import {
  createFeed,
  createStream,
  feed,
  getTodos as getCounted,
} from './feed.js'
import { serve } from './testing-network.js'

// The samples of docs/live.md. Sockets and sources are fakes; the demo's server
// has real ones.

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

test('a feed changes what other pages show, and refetches it only after a gap', async () => {
  const requests = serve({
    'GET /todo': { items: [{ id: 1, title: 'a', completed: false }], total: 1 },
    'GET /todo?completed=true': { items: [], total: 0 },
  })
  const { controller, result, rerender, settle, unmount } = renderDataHook(
    () => {
      // Lists begin first: effects of a page run before those of its layout.
      const shown = [
        useDLE(getCounted, { completed: false }).data,
        useDLE(getCounted, { completed: true }).data,
      ]
      const feed = createFeed(useController())
      useFetch(feed)
      useSubscription(feed)
      return shown
    },
    { unanswered: 'fetch' },
  )
  const titles = () =>
    result.current.map((list) => list?.items.map(({ title }) => title))
  await settle()
  expect(titles()).toEqual([['a'], []])
  expect(requests).toHaveLength(2)
  const source = lastSource()
  source.accept()
  source.tell('change', {
    type: 'created',
    todo: { id: 2, title: 'b', completed: false },
  })
  source.tell('change', {
    type: 'updated',
    todo: { id: 1, title: 'c', completed: true },
  })
  await vi.waitFor(async () => {
    await settle()
    expect(titles()).toEqual([['b'], ['c']])
    expect(result.current.map((list) => list?.total)).toEqual([1, 1])
  })
  source.tell('change', { type: 'deleted', todo: { id: 2 } })
  await vi.waitFor(async () => {
    await settle()
    expect(result.current[0]?.total).toBe(0)
  })
  // Each render makes a feed, and all of them are one call.
  await rerender()
  expect(requests).toHaveLength(2)
  expect(lastSource()).toBe(source)
  source.interrupt()
  source.accept()
  await vi.waitFor(async () => {
    await settle()
    expect(requests).toHaveLength(4)
  })
  // Another user: each list is fetched once.
  controller.resetAll()
  await settle()
  expect(requests).toHaveLength(6)
  await unmount()
})

/** Shows two lists below a layout with the feed. */
function useListsAndFeed() {
  useDLE(getCounted, { completed: false })
  useDLE(getCounted, { completed: true })
  const feed = createFeed(useController())
  useFetch(feed)
  useSubscription(feed)
}

test('with refetch on open, the lists of a feed are fetched once more when its stream opens', async () => {
  const requests = serve({ 'GET /todo': { items: [], total: 0 } })
  const { settle, unmount } = renderDataHook(
    () => {
      useDLE(getCounted, { completed: false })
      const feed = createFeed(useController()).extend({
        stream: eventSource('/events').stream({ refetch: 'open' }),
      })
      useFetch(feed)
      useSubscription(feed)
    },
    { unanswered: 'fetch' },
  )
  await settle()
  expect(requests).toHaveLength(1)
  lastSource().accept()
  await vi.waitFor(async () => {
    await settle()
    expect(requests).toHaveLength(2)
  })
  await unmount()
})

test('a reload fetches each stored list once, if the feed is not stored', async () => {
  const requests = serve({
    'GET /todo': { items: [{ id: 1, title: 'a', completed: false }], total: 1 },
  })
  const storage = memoryStorage()
  for (const expected of [2, 4]) {
    const controller = createMockController({
      unanswered: 'fetch',
      middleware: [persist({ version: 1, storage, exclude: [feed] })],
    })
    const page = renderDataHook(useListsAndFeed, { controller })
    await vi.waitFor(async () => {
      await page.settle()
      expect(requests).toHaveLength(expected)
    })
    await persisted(controller).ready
    lastSource().accept()
    await page.settle()
    await persisted(controller).flush()
    expect(requests).toHaveLength(expected)
    // A gap refetches them.
    if (expected === 4) {
      lastSource().interrupt()
      lastSource().accept()
      await vi.waitFor(async () => {
        await page.settle()
        expect(requests).toHaveLength(6)
      })
    }
    await page.unmount()
    controller.dispose()
  }
})

test('tabs that share the stream fetch each list once: at the start, after a reset, a gap, and when another tab opens it', async () => {
  const requests = serve({
    'GET /todo': { items: [{ id: 1, title: 'a', completed: false }], total: 1 },
  })
  const channels = new Channels()
  const locks = new BrowserLocks()
  const open = async (tab: number) => {
    const controller = createMockController({
      unanswered: 'fetch',
      middleware: [
        syncTabs({
          endpoints: [ofPages],
          sharesStreams: true,
          channel: (name) => channels.open(tab, name),
          locks: locks.of(tab),
        }),
      ],
    })
    await Promise.resolve()
    return renderDataHook(useListsAndFeed, { controller })
  }
  const settle = async (
    ...tabs: readonly Awaited<ReturnType<typeof open>>[]
  ) => {
    for (let round = 0; round < 4; round++) {
      for (const tab of tabs) await tab.settle()
      channels.deliverAll()
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const first = await open(1)
  await settle(first)
  lastSource().accept()
  await settle(first)
  expect(requests).toHaveLength(2)
  first.controller.resetAll()
  await settle(first)
  lastSource().accept()
  await settle(first)
  expect(requests).toHaveLength(4)
  const source = lastSource()
  const second = await open(2)
  await settle(first, second)
  expect(requests).toHaveLength(6)
  expect(lastSource()).toBe(source)
  // The second tab opens the stream, and may have missed messages.
  await first.unmount()
  first.controller.dispose()
  await settle(second)
  expect(lastSource()).not.toBe(source)
  lastSource().accept()
  await settle(second)
  expect(requests).toHaveLength(8)
  lastSource().interrupt()
  lastSource().accept()
  await settle(second)
  expect(requests).toHaveLength(10)
  await second.unmount()
  second.controller.dispose()
})

test('a message with a summary refetches the detail that is on screen', async () => {
  const requests = serve({
    'GET /todo/1': { id: 1, title: 'a' },
    'GET /todo/2': { id: 2, title: 'b' },
  })
  const { controller, settle, unmount } = renderDataHook(
    () => {
      const controller = useController()
      const feed = createFeed(controller)
      useSubscription(feed.extend({ stream: createStream(controller) }))
      useDLE(ofPages.get, { id: 1 })
      useDLE(ofPages.get, { id: 2 })
    },
    { unanswered: 'fetch' },
  )
  await settle()
  lastSource().accept()
  lastSource().tell('change', { type: 'updated', todo: { id: 2, title: 'c' } })
  await vi.waitFor(async () => {
    await settle()
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /todo/1',
      'GET /todo/2',
      'GET /todo/2',
    ])
  })
  expect(controller.read(ofPages.get, { id: 1 }).data?.title).toBe('a')
  await unmount()
})

test('Node takes the WebSocket of a package', () => {
  const socket = webSocket('wss://example.com/live', { WebSocket })
  expect(socket.stream({ subscribe: () => ({ subscribe: '*' }) })).toBeTypeOf(
    'function',
  )
})
