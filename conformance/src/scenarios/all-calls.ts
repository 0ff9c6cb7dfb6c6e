import { expect } from 'vitest'
import type { Todo } from '../fixtures.js'
import { todoFields } from '../fixtures.js'
import { reply } from '../server.js'
import { scenario, shown } from '../suite.js'

const route = 'GET /todo?userId=1'

scenario.onReact18(
  '4.5/invalidateAll',
  'readers of every call of an endpoint suspend and fetch, and those of others do not',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.todo.getList, { userId: 1 })
    const detail = await mount('useSuspense', api.todo.get, { id: 1 })
    await settle()
    server.requests.length = 0
    server.hold(route)
    controller.invalidateAll(api.todo.getList)
    await settle()
    expect(list.current()).toEqual({ state: 'fallback' })
    expect(shown(detail)).toMatchObject({ title: 'Todo 1' })
    server.release()
    await settle()
    expect((shown(list) as Todo[]).map(({ id }) => id)).toEqual([5, 6])
    expect(server.requests).toEqual([route])
  },
)

scenario(
  '4.5/expireAll',
  'readers of every call of an endpoint fetch and go on showing their data',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.todo.getList, { userId: 1 })
    const cached = await mount('useCache', api.todo.get, { id: 1 })
    await settle()
    const { fallbacks } = list
    server.requests.length = 0
    server.route(route, [todoFields(5)])
    server.hold(route)
    controller.expireAll(api.todo.getList)
    controller.expireAll(api.todo.get)
    await settle()
    expect((shown(list) as Todo[]).map(({ id }) => id)).toEqual([5, 6])
    expect(shown(cached)).toBeUndefined()
    server.release()
    await settle()
    expect((shown(list) as Todo[]).map(({ id }) => id)).toEqual([5])
    expect(list.fallbacks).toBe(fallbacks)
    expect(server.requests).toEqual([route])
    expect(controller.read(api.todo.getList, { userId: 1 }).status).toBe('Valid')
  },
)

// The server sends the first response before the change, and is asked again, although nobody has read that response yet.
for (const hook of ['useSuspense', 'useDLE', 'useFetch'] as const) {
  for (const [name, path, older, newer] of [
    ['list', route, [todoFields(5), todoFields(6)], [todoFields(5)]],
    ['detail', 'GET /todo/5', todoFields(5), todoFields(5, { title: 'Newer' })],
  ] as const) {
    scenario.onReact18(
      `4.5/expireAll/first load/${name}/${hook}`,
      'a call that is made Stale during its first request is fetched once more',
      async ({ api, controller, mount, server, settle }) => {
        const [endpoint, args] =
          name === 'list' ? [api.todo.getList, { userId: 1 }] : [api.todo.get, { id: 5 }]
        server.route(path, older)
        server.hold(path)
        await mount(hook, endpoint, args)
        await settle()
        controller.expireAll(endpoint)
        server.release()
        server.route(path, newer)
        await settle()
        expect(server.requests).toEqual([path, path])
        const { data, status } = controller.read(endpoint, args)
        expect([status, data]).toMatchObject(['Valid', newer])
      },
    )
  }
}

for (const hook of ['useSuspense', 'useDLE', 'useFetch'] as const) {
  scenario.onReact18(
    `4.5/expireAll/first response/${hook}`,
    'a call that is made Stale as soon as its first response is there is fetched once more',
    async ({ api, controller, mount, server, settle }) => {
      const path = 'GET /todo/5'
      server.hold(path)
      // Before any reader is told, and mounted.
      const end = controller.subscribe(api.todo.get, { id: 5 }, ({ data }) => {
        if (data === undefined) return
        end()
        controller.expireAll(api.todo.get)
      })
      const reader = await mount(hook, api.todo.get, { id: 5 })
      await settle()
      server.release()
      server.route(path, todoFields(5, { title: 'Newer' }))
      await settle()
      expect(server.requests).toEqual([path, path])
      expect(controller.read(api.todo.get, { id: 5 })).toMatchObject({
        status: 'Valid',
        data: { title: 'Newer' },
      })
      expect(reader.current().state).toBe('ready')
    },
  )
}

// The failed request was sent for the first load, after the data was removed, or because the data was Stale.
for (const hook of ['useSuspense', 'useDLE'] as const)
  for (const way of ['first load', 'invalidate', 'expire'] as const)
    scenario.onReact18(
      `4.5/expireAll/failure/${way}/${hook}`,
      'a call that is made Stale during a request that fails is fetched again, at the next check at the latest',
      async ({ api, clock, controller, mount, server, settle }) => {
        const path = 'GET /todo/5'
        const isFirst = way === 'first load'
        if (isFirst) server.hold(path)
        server.route(path, isFirst ? reply.status(503) : todoFields(5))
        const reader = await mount(hook, api.todo.get, { id: 5 })
        await settle()
        if (!isFirst) {
          server.route(path, reply.status(503))
          server.hold(path)
          if (way === 'invalidate') controller.invalidate(api.todo.get, { id: 5 })
          else controller.expireAll(api.todo.get)
          await settle()
        }
        controller.expireAll(api.todo.get)
        server.release()
        server.route(path, todoFields(5, { title: 'Newer' }))
        await settle()
        clock.advance(6_000)
        controller.refetchStale()
        await settle()
        expect(controller.read(api.todo.get, { id: 5 })).toMatchObject({
          status: 'Valid',
          data: { title: 'Newer' },
          error: undefined,
        })
        expect(reader.current().state).toBe('ready')
      },
      { isLogged: true },
    )

scenario(
  '4.5/expireAll/failure/both',
  'of two requests that are under way and fail, the later one has the error, whichever fails first',
  async ({ api, controller, mount, server, settle }) => {
    const path = 'GET /todo/5'
    const reader = await mount('useDLE', api.todo.get, { id: 5 })
    await settle()
    server.hold(path)
    for (const status of [500, 503]) {
      server.route(path, reply.status(status))
      controller.expireAll(api.todo.get)
      await settle()
    }
    const errorOf = () => controller.read(api.todo.get, { id: 5 }).error as { status?: number } | undefined
    server.releaseOne(path, 'first')
    await settle()
    expect(errorOf()).toBeUndefined()
    server.release()
    await settle()
    expect(errorOf()?.status).toBe(503)
    expect(server.requests).toHaveLength(3)
    expect(reader.current().state).toBe('ready')
  },
)

scenario('4.5/update', 'a mutation changes the data of other calls together with its own', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  server.route('GET /article', [])
  const list = await mount('useSuspense', api.summaries)
  await settle()
  const complete = api.todo.partialUpdate.extend({
    update: (todo: Todo) => ({
      [api.summaries.key()]: (articles: readonly object[]) => [...articles, { id: 7, title: todo.title }],
      [api.todo.get.key({ id: 6 })]: () => ({ id: 6, title: 'Never read' }),
    }),
  })
  server.requests.length = 0
  await controller.fetch(complete, { id: 5 }, { title: 'Done' })
  await settle()
  expect(shown(list)).toMatchObject([{ id: 7, title: 'Done' }])
  expect(controller.read(api.todo.get, { id: 6 }).data).toBeUndefined()
  expect(server.requests).toEqual(['PATCH /todo/5'])
})
