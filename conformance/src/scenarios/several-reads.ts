import type { ReadCalls } from '@selfsame/core'
import { expect } from 'vitest'
import type { Reader } from '../contract.js'
import { todoFields } from '../fixtures.js'
import { reply } from '../server.js'
import { scenario, shown, shownError } from '../suite.js'
import type { Stage } from '../suite.js'

const routes = { 5: 'GET /todo/5', 6: 'GET /todo/6', 7: 'GET /todo/7' } as const

/** Mounts a reader of several calls. */
function mountAll({ api, mount, server }: Stage, calls: ReadCalls): Promise<Reader> {
  for (const [id, route] of Object.entries(routes)) server.route(route, todoFields(Number(id)))
  return mount('useSuspenseAll', api.todo.get, calls)
}

scenario.everywhere(
  'all/parallel',
  'several reads start before the first is waited for, and come as one list',
  async (stage) => {
    const { api, server, settle } = stage
    server.hold(routes[5])
    const reader = await mountAll(stage, [
      [api.todo.get, { id: 5 }],
      [api.todo.get, { id: 6 }],
    ])
    await settle()
    expect(server.requests).toEqual([routes[5], routes[6]])
    expect(reader.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 5 }, { id: 6 }])
    expect(reader.fallbacks).toBe(1)
    expect(server.requests).toEqual([routes[5], routes[6]])
  },
)

scenario.onReact18(
  'all/object',
  'an object of calls gives an object, undefined where the arguments are null',
  async (stage) => {
    const { api, server, settle } = stage
    const reader = await mountAll(stage, {
      todo: [api.todo.get, { id: 5 }],
      none: [api.todo.get, null],
    })
    await settle()
    expect(shown(reader)).toEqual({ todo: expect.objectContaining({ id: 5 }), none: undefined })
    expect(server.requests).toEqual([routes[5]])
  },
)

scenario.onReact18('all/none', 'no calls at all are there at once', async (stage) => {
  const reader = await mountAll(stage, [])
  expect(shown(reader)).toEqual([])
  expect(reader.fallbacks).toBe(0)
  expect(stage.server.requests).toEqual([])
})

scenario.onReact18(
  'all/selfsame',
  'the result is the selfsame object until a member changes',
  async (stage) => {
    const { api, controller, mount, settle } = stage
    const reader = await mountAll(stage, [
      [api.todo.get, { id: 5 }],
      [api.todo.get, { id: 6 }],
    ])
    const single = await mount('useSuspense', api.todo.get, { id: 6 })
    await settle()
    const before = shown(reader) as unknown[]
    expect(before[1]).toBe(shown(single))
    await reader.rerender()
    expect(shown(reader)).toBe(before)
    const { renders } = reader
    controller.set(api.todo.get.schema, { id: 7 }, todoFields(7))
    await settle()
    expect([shown(reader), reader.renders]).toEqual([before, renders])
    controller.set(api.todo.get.schema, { id: 6 }, { ...todoFields(6), title: 'new' })
    await settle()
    const after = shown(reader) as unknown[]
    expect(after).not.toBe(before)
    expect(after[0]).toBe(before[0])
    expect(after[1]).toMatchObject({ title: 'new' })
    expect(reader.renders).toBe(renders + 1)
  },
)

scenario.onReact18(
  'all/stale',
  'members that are Stale are shown and fetched anew, also beside one that is waited for',
  async (stage) => {
    const { api, controller, clock, server, settle } = stage
    server.route(routes[5], todoFields(5))
    await controller.fetch(api.todo.get, { id: 5 })
    clock.advance(61_000)
    const reader = await mountAll(stage, [[api.todo.get, { id: 5 }]])
    await settle()
    expect(reader.fallbacks).toBe(0)
    expect(server.requests).toEqual([routes[5], routes[5]])
    clock.advance(61_000)
    server.hold(routes[6])
    const beside = await mountAll(stage, [
      [api.todo.get, { id: 5 }],
      [api.todo.get, { id: 6 }],
    ])
    await settle()
    expect(beside.current()).toEqual({ state: 'fallback' })
    expect(server.requests.slice(2).sort()).toEqual([routes[5], routes[6]])
    server.release()
    await settle()
    expect(shown(beside)).toMatchObject([{ id: 5 }, { id: 6 }])
    expect(server.requests).toHaveLength(4)
  },
)

scenario.onReact18('all/members', 'members come and go: only what is new is asked for', async (stage) => {
  const { api, clock, server, settle } = stage
  const reader = await mountAll(stage, [[api.todo.get, { id: 5 }]])
  await settle()
  const [first] = shown(reader) as unknown[]
  // Stale by now, but members that stay are not checked again.
  clock.advance(61_000)
  await reader.change([
    [api.todo.get, { id: 6 }],
    [api.todo.get, { id: 5 }],
  ])
  await settle()
  expect(shown(reader)).toMatchObject([{ id: 6 }, { id: 5 }])
  expect((shown(reader) as unknown[])[1]).toBe(first)
  expect(server.requests).toEqual([routes[5], routes[6]])
  await reader.change([[api.todo.get, { id: 6 }]])
  await settle()
  expect(shown(reader)).toMatchObject([{ id: 6 }])
  await reader.change([])
  await settle()
  expect(shown(reader)).toEqual([])
  expect(server.requests).toHaveLength(2)
})

scenario.everywhere(
  'all/error',
  'the error of a member goes to the boundary, whose reset asks for that member only',
  async (stage) => {
    const { api, server, settle } = stage
    const reader = await mountAll(stage, [])
    server.route(routes[6], reply.status(500, { message: 'down' }))
    await reader.change([
      [api.todo.get, { id: 5 }],
      [api.todo.get, { id: 6 }],
    ])
    await settle()
    expect(shownError(reader)).toMatchObject({ status: 500 })
    expect(server.requests).toEqual([routes[5], routes[6]])
    server.route(routes[6], todoFields(6))
    await reader.reset()
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 5 }, { id: 6 }])
    expect(server.requests).toEqual([routes[5], routes[6], routes[6]])
  },
  { isLogged: true },
)

scenario.onReact18(
  'all/early error',
  'an error does not wait for the other members',
  async (stage) => {
    const { api, server, settle } = stage
    const reader = await mountAll(stage, [])
    server.hold(routes[5])
    server.route(routes[6], reply.status(404, {}))
    await reader.change([
      [api.todo.get, { id: 5 }],
      [api.todo.get, { id: 6 }],
    ])
    await settle()
    expect(shownError(reader)).toMatchObject({ status: 404 })
    server.release()
    await settle()
    expect(shownError(reader)).toMatchObject({ status: 404 })
  },
  { isLogged: true },
)

scenario.onReact18(
  'all/invalidate',
  'an invalidated member is waited for anew, the others are not asked for',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const reader = await mountAll(stage, [
      [api.todo.get, { id: 5 }],
      [api.todo.get, { id: 6 }],
    ])
    await settle()
    server.hold(routes[6])
    server.route(routes[6], { ...todoFields(6), title: 'again' })
    controller.invalidate(api.todo.get, { id: 6 })
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 5 }, { id: 6, title: 'again' }])
    expect(server.requests).toEqual([routes[5], routes[6], routes[6]])
  },
)

scenario.everywhere(
  'all/change',
  'a changed member suspends where it is not there, and does not where it is',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const reader = await mountAll(stage, [[api.todo.get, { id: 5 }]])
    await settle()
    await controller.fetch(api.todo.get, { id: 6 })
    const { fallbacks } = reader
    await reader.change([[api.todo.get, { id: 6 }]])
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 6 }])
    expect(reader.fallbacks).toBe(fallbacks)
    server.hold(routes[7])
    await reader.change([[api.todo.get, { id: 7 }]])
    expect(reader.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 7 }])
  },
)

scenario.everywhere(
  'all/one answer',
  'an answer that changes several members is shown at once',
  async (stage) => {
    const { api, controller, server, settle } = stage
    server.route(
      'GET /todo',
      [5, 6].map((id) => Object.assign(todoFields(id), { title: `new ${id}` })),
    )
    const reader = await mountAll(stage, [
      [api.todo.get, { id: 5 }],
      [api.todo.get, { id: 6 }],
    ])
    await settle()
    const { renders } = reader
    await controller.fetch(api.todo.getList)
    await settle()
    expect(shown(reader)).toMatchObject([{ title: 'new 5' }, { title: 'new 6' }])
    expect(reader.renders).toBe(renders + 1)
  },
)

scenario.onReact18(
  'all/length 0',
  'what is never Valid is asked for once beside a member that is waited for',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const brief = api.todo.get.extend({ dataExpiryLength: 0 })
    server.route(routes[5], todoFields(5))
    await controller.fetch(brief, { id: 5 })
    server.hold(routes[6])
    const reader = await mountAll(stage, [
      [brief, { id: 5 }],
      [api.todo.get, { id: 6 }],
    ])
    await settle()
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 5 }, { id: 6 }])
    expect([...server.requests].sort()).toEqual([routes[5], routes[5], routes[6]])
  },
)

scenario.onReact18('all/reset', 'resetAll drops all of it', async (stage) => {
  const { api, controller, server, settle } = stage
  const reader = await mountAll(stage, [
    [api.todo.get, { id: 5 }],
    [api.todo.get, { id: 6 }],
  ])
  await settle()
  server.hold(routes[5])
  controller.resetAll()
  await settle()
  expect(reader.current()).toEqual({ state: 'fallback' })
  server.release()
  await settle()
  expect(shown(reader)).toMatchObject([{ id: 5 }, { id: 6 }])
})
