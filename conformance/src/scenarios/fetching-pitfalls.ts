import { expect } from 'vitest'
import { scenario, shown } from '../suite.js'

const route = 'GET /todo/5'

scenario.everywhere(
  'F18',
  'a reset takes what the previous user saw off the screen at once',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    const list = await mount('useSuspense', api.todo.getList)
    const cached = await mount('useCache', api.todo.get, { id: 5 })
    await settle()
    server.hold(route)
    server.hold('GET /todo')
    controller.resetAll()
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    expect(list.current()).toEqual({ state: 'fallback' })
    expect(shown(cached)).toBe(undefined)
    server.release()
    await settle()
  },
)

scenario.onReact18(
  'F21/invalidated',
  'useCache shows nothing of an invalidated call, whose record is still there',
  async (stage) => {
    const { api, controller, mount, settle } = stage
    const list = await mount('useSuspense', api.todo.getList)
    const cached = await mount('useCache', api.todo.get, { id: 5 })
    await settle()
    expect(shown(cached)).toMatchObject({ id: 5 })
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    expect(shown(cached)).toBe(undefined)
    expect(shown(list)).toContainEqual(expect.objectContaining({ id: 5 }))
  },
)

scenario.onReact18('F21/deleted', 'useCache shows nothing of a deleted record', async (stage) => {
  const { api, controller, mount, settle } = stage
  await controller.fetch(api.todo.getList)
  const cached = await mount('useCache', api.todo.get, { id: 5 })
  await settle()
  await controller.fetch(api.todo.delete, { id: 5 })
  await settle()
  expect(shown(cached)).toBe(undefined)
})

scenario('F21/Stale', 'useCache shows Stale data, except where Stale is Invalid', async (stage) => {
  const { api, clock, controller, mount, settle } = stage
  await controller.fetch(api.todo.get, { id: 5 })
  clock.advance(60_000)
  const cached = await mount('useCache', api.todo.get, { id: 5 })
  const strict = await mount('useCache', api.freshOnly, { id: 5 })
  await settle()
  expect(shown(cached)).toMatchObject({ id: 5 })
  expect(shown(strict)).toBe(undefined)
})

scenario(
  'F7/pushed',
  'a record that a push message brings before the answer to its create is shown once',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.hopeful.getList)
    await settle()
    const ids = () => (shown(list) as { id: unknown }[]).map(({ id }) => id)
    const before = ids()
    server.route('POST /todo', { id: 11, title: 'New' })
    server.hold('POST /todo')
    const creating = controller.fetch(api.hopeful.create, { title: 'New' })
    await settle()
    controller.set(api.hopeful.getList.schema.push, {}, { id: 11, title: 'New' })
    server.release()
    await creating
    await settle()
    expect(ids()).toEqual([...before, 11])
  },
)
