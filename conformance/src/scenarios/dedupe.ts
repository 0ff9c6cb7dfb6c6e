import { expect } from 'vitest'
import { todoFields } from '../fixtures.js'
import type { Todo } from '../fixtures.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

const route = 'GET /todo/5'

scenario(
  '3/rule 2/readers',
  'readers of one call share its request',
  async ({ api, mount, server, settle }) => {
    server.hold(route)
    const first = await mount('useSuspense', api.todo.get, { id: 5 })
    const second = await mount('useSuspense', api.todo.get, { id: 5 })
    const third = await mount('useFetch', api.todo.get, { id: '5' })
    await settle()
    expect(server.requests).toEqual([route])
    server.release()
    await settle()
    expect(shown(first)).toMatchObject({ id: 5 })
    expect(shown(second)).toBe(shown(first))
    expect(await shown(third)).toBe(shown(first))
    expect(server.requests).toEqual([route])
  },
)

scenario(
  '3/rule 2/Controller',
  'a reader and controller.fetch share a request, and a later fetch makes its own',
  async ({ api, controller, mount, server, settle }) => {
    server.hold(route)
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    const fetched = [controller.fetch(api.todo.get, { id: 5 }), controller.fetch(api.todo.get, { id: 5 })]
    await settle()
    expect(server.requests).toEqual([route])
    server.release()
    await settle()
    expect(await fetched[0]).toBe(shown(reader))
    expect(await fetched[1]).toBe(shown(reader))
    await controller.fetch(api.todo.get, { id: 5 })
    expect(server.requests).toEqual([route, route])
  },
)

scenario.onReact18(
  'B1',
  'equal new argument objects on each render cause no request and keep the data',
  async (stage) => {
    const { api, mount, server, settle } = stage
    const reader = await mount('useSuspense', api.todo.getList, { userId: 1 })
    await settle()
    const data = shown(reader)
    expect(data).toHaveLength(2)
    for (let render = 0; render < 3; render++) await reader.rerender()
    await reader.change({ userId: 1 })
    await settle()
    expect(shown(reader)).toBe(data)
    expect(reader.fallbacks).toBeLessThanOrEqual(1)
    expect(server.requests).toEqual(['GET /todo?userId=1'])
  },
)

for (const hook of ['useSuspense', 'useFetch'] as const) {
  scenario.inChromium(
    `3/Expiry/${hook}/time`,
    'the passing of time alone, and rendering again after it, fetches nothing',
    async ({ api, mount, pass, server, settle }) => {
      const reader = await mount(hook, api.todo.get, { id: 5 })
      await settle()
      const data = shown(reader)
      await pass(3_600_000)
      await reader.rerender()
      await settle()
      expect(shown(reader)).toBe(data)
      expect(server.requests).toEqual([route])
    },
  )
}

const inARow = {
  invalidate: ({ api, controller }: Stage) => controller.invalidate(api.todo.get, { id: 5 }),
  expireAll: ({ api, controller }: Stage) => controller.expireAll(api.todo.get),
  'a message': ({ api, controller }: Stage) => controller.invalidateAll(api.todo.get),
} as const

for (const [name, change] of Object.entries(inARow))
  scenario(
    `3/rule 2/in a row/${name}`,
    'of many requests of a call in a row two are under way, the first and the last, and all who wait get what the last one brings',
    async (stage) => {
      const { api, controller, mount, server, settle } = stage
      const reader = await mount('useSuspense', api.todo.get, { id: 5 })
      await settle()
      server.requests.length = 0
      server.hold(route)
      const fetched: Promise<Todo>[] = []
      for (let round = 0; round < 8; round++) {
        change(stage)
        await settle()
        fetched.push(controller.fetch(api.todo.get, { id: 5 }))
        await settle()
      }
      expect(server.requests).toHaveLength(8)
      expect(server.aborted).toHaveLength(6)
      server.route(route, todoFields(5, { title: 'Last' }))
      change(stage)
      await settle()
      expect(server.aborted).toHaveLength(7)
      server.release()
      await settle()
      expect((await Promise.all(fetched.slice(1))).map(({ title }) => title)).toEqual(Array(7).fill('Last'))
      expect(shown(reader)).toMatchObject({ title: 'Last' })
      expect(controller.read(api.todo.get, { id: 5 }).status).toBe('Valid')
      expect(server.requests).toHaveLength(9)
    },
  )

scenario(
  '3/rule 2/in a row/others',
  'a request in between that another call shares is replaced for that call too',
  async ({ api, controller, mount, server, settle }) => {
    server.hold(route)
    const readers = [
      await mount('useSuspense', api.todo.get, { id: 5 }),
      await mount('useSuspense', api.todo.get.extend({ name: 'Todo.shared' }), { id: 5 }),
    ]
    await settle()
    for (let round = 0; round < 3; round++) {
      controller.invalidate(api.todo.get, { id: 5 })
      await settle()
    }
    server.route(route, todoFields(5, { title: 'Last' }))
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    server.release()
    await settle()
    for (const reader of readers) expect(shown(reader)).toMatchObject({ title: 'Last' })
  },
)
