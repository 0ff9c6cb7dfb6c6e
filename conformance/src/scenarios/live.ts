import type { ArgsOf, StreamSink } from '@selfsame/core'
import { graphqlSubscriptions } from '@selfsame/core/live'
import type { SubscriptionResult } from '@selfsame/core/live'
import { persist, persisted } from '@selfsame/core/persist'
import { memoryStorage } from '@selfsame/core/storage'
import { expect } from 'vitest'
import { Todo, todoFields } from '../fixtures.js'
import type { Api } from '../fixtures.js'
import { reply } from '../server.js'
import { scenario, shown } from '../suite.js'
import { scenarioOnEachPlatform } from './platforms.js'

const route = 'GET /todo/5'

/** An endpoint whose stream the scenario controls, and the open streams. */
function streamed(api: Api) {
  const open = new Map<number, StreamSink>()
  let opened = 0
  type Args = ArgsOf<Api['todo']['get']>
  const get = api.todo.get.extend({
    stream: (sink: StreamSink, { id }: Args[0]) => {
      opened++
      open.set(Number(id), sink)
      if (sink.hasGap) sink.expire()
      return () => {
        if (open.get(Number(id)) === sink) open.delete(Number(id))
      }
    },
  })
  return { get, open: (id = 5) => open.get(id), isOpen: () => open.size, opened: () => opened }
}

scenario.everywhere(
  'live/useLive',
  'the first data is fetched, what is sent follows without a request',
  async (stage) => {
    const { api, mount, server, settle } = stage
    const { get, open, isOpen } = streamed(api)
    const reader = await mount('useLive', get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ id: 5 })
    expect(isOpen()).toBe(1)
    open()?.receive(todoFields(5, { title: 'Sent' }))
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Sent' })
    open()?.set(Todo, { id: 5 }, { title: 'Sent again' })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Sent again' })
    expect(server.requests).toEqual([route])
    await reader.unmount()
    await settle()
    expect(isOpen()).toBe(0)
  },
)

scenario(
  'live/shared',
  'all readers of a call share one stream, which the last one closes',
  async (stage) => {
    const { api, mount, server, settle } = stage
    const { get, isOpen, open, opened } = streamed(api)
    const first = await mount('useLive', get, { id: 5 })
    await settle()
    const second = await mount('useLive', get, { id: 5 })
    const third = await mount('useSubscription', get, { id: 5 })
    await settle()
    expect([isOpen(), opened()]).toEqual([1, 1])
    open()?.receive(todoFields(5, { title: 'Sent' }))
    await settle()
    expect(shown(second)).toBe(shown(first))
    await first.unmount()
    await second.unmount()
    await settle()
    expect(isOpen()).toBe(1)
    await third.unmount()
    await settle()
    expect(isOpen()).toBe(0)
    expect(server.requests).toEqual([route])
  },
)

scenario(
  'live/graphql',
  'the results of a GraphQL subscription reach all readers, and its end is an error beside the data',
  async (stage) => {
    const { api, mount, server, settle } = stage
    const sent: unknown[] = []
    let sink: { next(result: SubscriptionResult): void; error(error: unknown): void } | undefined
    const live = graphqlSubscriptions(
      {
        subscribe(request, given) {
          sent.push(request)
          sink = given
          return () => (sink = undefined)
        },
      },
      { batchMs: 0, lingerMs: 0 },
    )
    const get = api.todo.get.extend({
      stream: live.stream('subscription Changed($id: Int) { changed(id: $id) { id title } }', {
        schema: Todo,
      }),
    })
    const first = await mount('useLive', get, { id: 5 })
    const second = await mount('useLive', get, { id: 5 })
    await settle()
    expect(sent).toEqual([
      {
        query: 'subscription Changed($id: Int) { changed(id: $id) { id title } }',
        operationName: 'Changed',
        variables: { id: 5 },
      },
    ])
    sink?.next({ data: { changed: todoFields(5, { title: 'Sent' }) } })
    await settle()
    expect(shown(first)).toMatchObject({ title: 'Sent' })
    expect(shown(second)).toBe(shown(first))
    const watching = await mount('useDLE', get, { id: 5 })
    sink?.error(new Error('Refused'))
    await settle()
    expect(shown(watching)).toMatchObject({
      data: { title: 'Sent' },
      error: { code: 'connection-lost' },
    })
    for (const reader of [first, second, watching]) await reader.unmount()
    expect(server.requests).toEqual([route])
  },
)

scenario.everywhere('live/batch', 'many messages of one batch are shown by one render', async (stage) => {
  const { api, mount, settle } = stage
  const { get, open } = streamed(api)
  const reader = await mount('useLive', get, { id: 5 })
  await settle()
  const { renders } = reader
  const sink = open()
  sink?.batch(() => {
    for (let index = 1; index <= 1000; index++) sink.receive(todoFields(5, { title: `Title ${index}` }))
  })
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Title 1000' })
  expect(reader.renders - renders).toBe(1)
})

scenario.inChromium(
  'live/B9',
  'a hidden reader holds no stream, and catches up when shown',
  async (stage) => {
    const { api, mount, pass, server, settle } = stage
    const { get, isOpen } = streamed(api)
    const reader = await mount('useLive', get, { id: 5 })
    await settle()
    await reader.hide()
    await settle()
    expect(isOpen()).toBe(0)
    server.route(route, todoFields(5, { title: 'Missed' }))
    await pass(20_000)
    expect(server.requests).toEqual([route])
    await reader.show()
    await settle()
    expect(isOpen()).toBe(1)
    expect(shown(reader)).toMatchObject({ title: 'Missed' })
    expect(server.requests).toEqual([route, route])
  },
)

for (const hook of ['useLive', 'useSubscription and useSuspense'] as const) {
  for (const [age, expiryMs] of [
    ['Valid', 60_000],
    ['Stale', 5000],
  ] as const) {
    scenario.inChromium(
      `live/return/${age}/${hook}`,
      'a reader that returns to a streamed call shows its data, and asks once for what the stream may have missed',
      async (stage) => {
        const { api, mount, pass, server, settle } = stage
        const { get, isOpen, opened } = streamed(api)
        const timed = get.extend({ dataExpiryLength: expiryMs })
        const first = await mount(hook, timed, { id: 5 })
        await settle()
        expect(isOpen()).toBe(1)
        await first.unmount()
        await settle()
        expect(isOpen()).toBe(0)
        server.route(route, todoFields(5, { title: 'Missed' }))
        await pass(10_000)
        expect(server.requests).toEqual([route])
        const second = await mount(hook, timed, { id: 5 })
        expect(second.fallbacks).toBe(0)
        await settle()
        expect(shown(second)).toMatchObject({ title: 'Missed' })
        expect([isOpen(), opened(), server.requests]).toEqual([1, 2, [route, route]])
      },
    )
  }
}

scenario.everywhere(
  'live/gap',
  'a reader on screen fetches what its stream may have missed, and shows data meanwhile',
  async (stage) => {
    const { api, mount, server, settle } = stage
    const { get, open } = streamed(api)
    const reader = await mount('useLive', get, { id: 5 })
    await settle()
    const { fallbacks } = reader
    server.route(route, todoFields(5, { title: 'Missed' }))
    open()?.expire()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Missed' })
    expect([reader.fallbacks - fallbacks, server.requests]).toEqual([0, [route, route]])
  },
)

scenario(
  'live/gap/no reader that fetches',
  'what a stream may have missed is fetched for a component that only reads the cache, once, and what was made Stale too',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const { get, open } = streamed(api)
    await controller.fetch(get, { id: 5 })
    const reader = await mount('useCache', get, { id: 5 })
    await mount('useSubscription', get, { id: 5 })
    await settle()
    server.route(route, todoFields(5, { title: 'Missed' }))
    open()?.expire()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Missed' })
    expect(server.requests).toEqual([route, route])
    server.route(route, todoFields(5, { title: 'Later' }))
    controller.expireAll(get)
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Later' })
    expect(server.requests).toEqual([route, route, route])
  },
)

scenarioOnEachPlatform(
  'live/gap/restored',
  'what an earlier visit has kept is not fetched for a connection alone, but when it is made Stale later',
  { entries: ['persist'], hasStorage: true },
  async ({ api, open, pass, server, settle }, { storage = memoryStorage() }) => {
    const { get } = streamed(api)
    const visit = () => open({ middleware: [persist({ storage })] })
    const first = visit().controller
    await first.fetch(get, { id: 5 })
    await persisted(first).flush()
    await pass(60_000)
    const { controller, mount } = visit()
    const reader = await mount('useCache', get, { id: 5 })
    await mount('useSubscription', get, { id: 5 })
    await persisted(controller).ready
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toEqual([route])
    controller.expireAll(get)
    await settle()
    expect(server.requests).toEqual([route, route])
  },
)

scenario.everywhere(
  'live/F18',
  'a reset closes the stream; what it sends then is nowhere, and another is opened',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const { get, isOpen, open, opened } = streamed(api)
    const reader = await mount('useLive', get, { id: 5 })
    await settle()
    const before = open()
    server.route(route, todoFields(5, { title: 'Of the next user' }))
    controller.resetAll()
    before?.receive(todoFields(5, { title: 'Of the user before' }))
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Of the next user' })
    expect([isOpen(), opened()]).toEqual([1, 2])
    expect(open()).not.toBe(before)
  },
)

for (const hook of ['useLive', 'useSubscription and useSuspense'] as const) {
  scenario.everywhere(
    `live/failed/${hook}`,
    'a component whose first request failed opens no stream, until it is tried again',
    async ({ api, mount, server, settle }) => {
      const { get, isOpen, opened } = streamed(api)
      server.route(route, reply.status(404))
      const reader = await mount(hook, get, { id: 5 })
      await settle()
      expect(reader.current()).toMatchObject({ state: 'error', error: { status: 404 } })
      expect(opened()).toBe(0)
      server.route(route, todoFields(5))
      await reader.reset()
      await settle()
      expect(shown(reader)).toMatchObject({ id: 5 })
      expect([isOpen(), opened()]).toEqual([1, 1])
      await reader.unmount()
      await settle()
      expect(isOpen()).toBe(0)
    },
    { isLogged: true },
  )

  scenario(
    `live/failed/poll/${hook}`,
    'a component whose first request failed does not poll, until it is tried again',
    async ({ api, mount, pass, server, settle }) => {
      server.route(route, reply.status(404))
      const reader = await mount(hook, api.todo.get.extend({ pollFrequency: 5000 }), { id: 5 })
      await settle()
      await pass(20_000)
      expect(reader.current()).toMatchObject({ state: 'error' })
      expect(server.requests).toEqual([route])
      server.route(route, todoFields(5))
      await reader.reset()
      await settle()
      await pass(5000)
      expect(shown(reader)).toMatchObject({ id: 5 })
      expect(server.requests).toEqual([route, route, route])
    },
    { isLogged: true },
  )
}

scenario('live/null', 'null args open and fetch nothing; other args are followed', async (stage) => {
  const { api, mount, server, settle } = stage
  const { get, open, isOpen } = streamed(api)
  const reader = await mount('useLive', get, null)
  await settle()
  expect(shown(reader)).toBeUndefined()
  expect([isOpen(), server.requests]).toEqual([0, []])
  await reader.change({ id: 5 })
  await settle()
  expect(isOpen()).toBe(1)
  await reader.change({ id: 6 })
  await settle()
  expect([open(5), isOpen()]).toEqual([undefined, 1])
  expect(shown(reader)).toMatchObject({ id: 6 })
  await reader.change(null)
  await settle()
  expect(isOpen()).toBe(0)
})

scenario.inChromium('live/poll', 'useLive of an endpoint with a pollFrequency asks again', async (stage) => {
  const { api, mount, pass, server, settle } = stage
  const reader = await mount('useLive', api.todo.get.extend({ pollFrequency: 5000 }), { id: 5 })
  await settle()
  server.route(route, todoFields(5, { title: 'Newer' }))
  await pass(5000)
  expect(shown(reader)).toMatchObject({ title: 'Newer' })
  expect(server.requests).toEqual([route, route])
})

scenario('live/useSubscription', 'a subscription opens the stream and fetches nothing', async (stage) => {
  const { api, mount, server, settle } = stage
  const { get, isOpen, open } = streamed(api)
  const data = await mount('useCache', get, { id: 5 })
  const reader = await mount('useSubscription', get, { id: 5 })
  await settle()
  expect(isOpen()).toBe(1)
  open()?.receive(todoFields(5, { title: 'Sent' }))
  await settle()
  expect(shown(data)).toMatchObject({ title: 'Sent' })
  await reader.hide()
  await settle()
  expect(isOpen()).toBe(0)
  expect(server.requests).toEqual([])
})
