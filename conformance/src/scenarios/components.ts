import { expect } from 'vitest'
import type { ReadEndpoint } from '@selfsame/core'
import { Todo, todoFields } from '../fixtures.js'
import type { Api } from '../fixtures.js'
import { retainersOf, scenario, shown } from '../suite.js'

const route = 'GET /todo/5'
const other = 'GET /todo/6'

scenario.everywhere(
  '6/two hooks',
  'two hooks of one component show one call alike, from one request, through every change',
  async ({ api, controller, mount, server, settle }) => {
    server.hold(route)
    const reader = await mount('useSuspense and useDLE', api.todo.get, { id: 5 })
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    const expectBoth = (title: string) => {
      const [data, state] = shown(reader) as [Todo, { data: Todo }]
      expect(data).toMatchObject({ title })
      expect(state).toEqual({ data, loading: false, error: undefined })
      expect(state.data).toBe(data)
    }
    expectBoth('Todo 5')
    controller.set(Todo, { id: 5 }, { title: 'Changed' })
    await settle()
    expectBoth('Changed')
    await reader.change({ id: 6 })
    await settle()
    expectBoth('Todo 6')
    server.route(other, todoFields(6, { title: 'Newer' }))
    controller.invalidate(api.todo.get, { id: 6 })
    await settle()
    expectBoth('Newer')
    server.route(other, todoFields(6, { title: 'Of another user' }))
    controller.resetAll()
    await settle()
    expectBoth('Of another user')
    expect(server.requests).toEqual([route, other, other, other])
  },
)

scenario.onReact18(
  '6/unread',
  'a call that only an event handler would read is asked for, kept and given up as one that is shown',
  async ({ api, clock, controller, mount, pass, server, settle }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    clock.advance(60_000)
    const reader = await mount('useSuspense unread', api.todo.get, { id: 5 })
    await settle()
    expect(server.requests).toEqual([route, route])
    expect(retainersOf(controller)).toBe(1)
    await pass(3_600_000)
    expect(controller.get(Todo, { id: 5 })).toMatchObject({ title: 'Todo 5' })
    await reader.change({ id: 6 })
    await settle()
    expect(server.requests).toEqual([route, route, other])
    controller.invalidate(api.todo.get, { id: 6 })
    await settle()
    expect(server.requests).toEqual([route, route, other, other])
    server.hold(other)
    controller.expireAll(api.todo.get)
    await settle()
    expect(server.requests).toEqual([route, route, other, other, other])
    expect(server.aborted).toEqual([])
    await reader.unmount()
    await settle()
    expect(server.aborted).toEqual([other])
    expect(retainersOf(controller)).toBe(0)
  },
)

/** Calls, and the route of their requests. */
const firstLoads: Readonly<Record<string, [string, (api: Api) => [ReadEndpoint, ...unknown[]]]>> = {
  'a cold list': ['GET /todo', (api) => [api.todo.getList]],
  'an unknown detail': [route, (api) => [api.todo.get, { id: 5 }]],
}

for (const [load, [held, callOf]] of Object.entries(firstLoads)) {
  scenario.onReact18(
    `renders/${load}`,
    'a reader renders twice until it has data: before, and with it; when its data is invalidated, twice again',
    async ({ api, controller, mount, server, settle }) => {
      const [endpoint, ...args] = callOf(api)
      server.hold(held)
      const reader = await mount('useSuspense', endpoint, ...args)
      await settle()
      server.release()
      await settle()
      expect(reader.current().state).toBe('ready')
      expect(reader.renders).toBeLessThanOrEqual(2)
      const { renders } = reader
      server.hold(held)
      controller.invalidate(endpoint, ...args)
      await settle()
      server.release()
      await settle()
      expect(reader.current().state).toBe('ready')
      expect(reader.renders - renders).toBeLessThanOrEqual(2)
    },
  )
}

scenario.onReact18(
  'renders/states',
  'a reader of a state renders twice until it has data, and a write of what it shows renders it once',
  async ({ api, controller, mount, server, settle }) => {
    server.hold(route)
    const reader = await mount('useDLE', api.todo.get, { id: 5 })
    await settle()
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ data: { title: 'Todo 5' } })
    expect(reader.renders).toBeLessThanOrEqual(2)
    const { renders } = reader
    controller.set(Todo, { id: 5 }, { title: 'Changed' })
    await settle()
    expect(reader.renders - renders).toBe(1)
  },
)
