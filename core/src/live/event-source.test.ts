import { describe, expect, test, vi } from 'vitest'
import { ManualClock } from '../../../conformance/src/clock.js'
import { Controller, Endpoint, Entity, schema } from '../index.js'
import { Observer } from '../bindings.js'
import { connect, connectCall } from './connect.js'
import { eventSource } from './event-source.js'
import type { EventSourceOptions } from './event-source.js'
import { createEventSources } from './testing-fakes.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override readonly key = 'Todo'
}

interface Changes {
  readonly created: object
  readonly updated: object
  readonly deleted: object
}

const todos = new schema.Collection([Todo])

function createStage(options: EventSourceOptions<Changes> = {}) {
  const clock = new ManualClock()
  const controller = new Controller({ clock })
  const { Source, sources, last } = createEventSources()
  let requests = 0
  const changes = eventSource<Changes>(({ userId }: { userId: number }) => `/user/${userId}/events?t=1`, {
    EventSource: Source,
    events: ['created', 'updated', 'deleted'],
    reconnect: { random: () => 1 },
    ...options,
  })
  const list = new Endpoint(
    async ({ userId }: { userId: number }) => {
      requests++
      return [{ id: userId, title: 'a' }]
    },
    {
      name: 'getTodos',
      schema: todos,
      stream: changes.stream({
        schemas: { created: todos.push, updated: Todo, deleted: new schema.Delete(Todo) },
      }),
    },
  )
  const settle = async () => {
    await new Promise((resolve) => setTimeout(resolve, 0))
    clock.advance(0)
  }
  /** Mounts a reader that fetches and connects. */
  const showLive = async (userId: number) => {
    const observer = new Observer(controller, list, [{ userId }])
    observer.subscribe(() => {})
    observer.retain()
    observer.connect(connectCall)
    observer.fetchIfDue()
    await settle()
  }
  return { clock, controller, Source, sources, last, list, settle, showLive, requests: () => requests }
}

describe('server-sent events', () => {
  test('come over one connection for each address', () => {
    const { controller, list, sources } = createStage({ withCredentials: true })
    connect(controller, list, { userId: 1 })
    connect(controller, list, { userId: 1 })
    connect(controller, list.extend({ name: 'getOthers' }), { userId: 1 })
    connect(controller, list, { userId: 2 })
    expect(sources.map(({ url, withCredentials }) => [url, withCredentials])).toEqual([
      ['/user/1/events?t=1', true],
      ['/user/2/events?t=1', true],
    ])
  })

  test('are stored by their names, with their data', async () => {
    const { clock, controller, list, last } = createStage()
    await controller.fetch(list, { userId: 1 })
    connect(controller, list, { userId: 1 })
    last().accept()
    last().tell('created', { id: 2, title: 'b', userId: 1 })
    last().tell('updated', { id: 1, title: 'new' })
    last().tell('other', { id: 1, title: 'not heard' })
    clock.advance(16)
    expect(controller.read(list, { userId: 1 }).data?.map(({ title }) => title)).toEqual(['new', 'b'])
    last().tell('deleted', { id: 1 })
    clock.advance(16)
    expect(controller.read(list, { userId: 1 }).data?.map(({ title }) => title)).toEqual(['b'])
  })

  test('have a name, data and an id for select, and are the answer without a schema', () => {
    const clock = new ManualClock()
    const controller = new Controller({ clock })
    const { Source, last } = createEventSources()
    const select = vi.fn((event: { data: unknown }) => event.data)
    const news = eventSource('/news', { EventSource: Source })
    const get = new Endpoint(async () => 'none', { name: 'getNews', stream: news.stream({ select }) })
    connect(controller, get)
    last().tell('message', 'new', '7')
    clock.advance(16)
    expect(select).toHaveBeenCalledWith({ type: 'message', data: 'new', id: '7' })
    expect(controller.read(get).data).toBe('new')
  })

  test('that cannot be parsed are reported, without what they hold', () => {
    const onError = vi.fn()
    const { clock, controller, list, last } = createStage({
      onError,
      parse: (text, type) => {
        if (type === 'updated') throw new RangeError(text)
        return undefined
      },
    })
    connect(controller, list, { userId: 1 })
    last().tell('updated', 'secret')
    last().tell('created', {})
    clock.advance(16)
    expect(onError).toHaveBeenCalledOnce()
    expect(String(onError.mock.calls[0]?.[0])).toMatch(
      /^[^?]*eventSource \/user\/1\/events received a message that it cannot parse \(RangeError\)/,
    )
    expect(String(onError.mock.calls[0]?.[0])).not.toContain('secret')
  })
})

describe('a connection that is interrupted', () => {
  test('is left to the browser, and its readers fetch what they may have missed', async () => {
    const { clock, last, requests, settle, showLive, sources } = createStage()
    await showLive(1)
    last().accept()
    last().interrupt()
    clock.advance(60_000)
    expect([sources.length, last().isClosed]).toEqual([1, false])
    last().accept()
    await settle()
    expect(requests()).toBe(2)
  })

  test('causes no request where the server resumes it by Last-Event-ID', async () => {
    const { last, requests, settle, showLive } = createStage({ resumes: true })
    await showLive(1)
    last().accept()
    last().interrupt()
    last().accept()
    await settle()
    expect(requests()).toBe(1)
  })

  test('is made anew with a backoff when the browser gives up', async () => {
    const { clock, last, requests, settle, showLive, sources } = createStage({ resumes: true })
    await showLive(1)
    last().accept()
    last().refuse()
    clock.advance(999)
    expect(sources.length).toBe(1)
    clock.advance(1)
    expect(sources.length).toBe(2)
    last().accept()
    await settle()
    expect(requests()).toBe(2)
  })

  test('is not what an event named error of the server makes of it', async () => {
    const { last, requests, settle, showLive, clock, sources } = createStage()
    await showLive(1)
    last().accept()
    last().tell('error', 'of the server')
    last().accept()
    clock.advance(60_000)
    await settle()
    expect([requests(), sources.length]).toEqual([1, 1])
  })

  test('needs an EventSource, and says so where there is none', () => {
    vi.stubGlobal('EventSource', undefined)
    try {
      const { controller, list } = createStage({ EventSource: undefined })
      expect(() => connect(controller, list, { userId: 1 })).toThrow(
        'eventSource /user/1/events cannot connect: this platform has no EventSource.',
      )
    } finally {
      vi.unstubAllGlobals()
    }
  })
})

test('a reset and dispose close it, and leave no timer', () => {
  const { clock, controller, list, sources } = createStage()
  connect(controller, list, { userId: 1 })
  controller.resetAll()
  expect(sources[0]?.isClosed).toBe(true)
  clock.advance(0)
  expect(sources.length).toBe(2)
  sources[1]?.accept()
  sources[1]?.tell('updated', { id: 1 })
  controller.dispose()
  expect([sources[1]?.isClosed, clock.timers]).toEqual([true, 0])
})
