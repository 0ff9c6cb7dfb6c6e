import { expect } from 'vitest'
import { scenario, shown } from '../suite.js'

scenario.onReact18(
  '3/null/useSuspense',
  'null, then arguments, then null: fetches between, shows nothing before and after',
  async ({ api, mount, server, settle }) => {
    const reader = await mount('useSuspense', api.todo.get, null)
    await settle()
    expect(reader.current()).toEqual({ state: 'ready', data: undefined })
    server.hold('GET /todo/5')
    await reader.change({ id: 5 })
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ id: 5 })
    await reader.change(null)
    await settle()
    expect(reader.current()).toEqual({ state: 'ready', data: undefined })
    expect(server.requests).toEqual(['GET /todo/5'])
  },
)

scenario('3/null/useCache', 'null, then arguments, then null: shows the data between', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  await controller.fetch(api.todo.get, { id: 5 })
  const reader = await mount('useCache', api.todo.get, null)
  await settle()
  expect(reader.current()).toEqual({ state: 'ready', data: undefined })
  await reader.change({ id: 5 })
  await settle()
  expect(shown(reader)).toMatchObject({ id: 5 })
  await reader.change(null)
  await settle()
  expect(reader.current()).toEqual({ state: 'ready', data: undefined })
  expect(server.requests).toEqual(['GET /todo/5'])
})

scenario('3/null/useFetch', 'null, then arguments, then null: fetches once', async (stage) => {
  const { api, mount, server, settle } = stage
  const reader = await mount('useFetch', api.todo.get, null)
  await settle()
  expect(shown(reader)).toBeUndefined()
  await reader.change({ id: 5 })
  await settle()
  expect(shown(reader)).toMatchObject({ status: 'fulfilled', value: { id: 5 } })
  await reader.change(null)
  await settle()
  expect(shown(reader)).toBeUndefined()
  expect(server.requests).toEqual(['GET /todo/5'])
})

scenario(
  '3/null/without arguments',
  'a call without arguments waits for a condition: null does nothing, undefined reads it',
  async ({ api, mount, server, settle }) => {
    const reader = await mount('useSuspense', api.settings, null)
    await settle()
    expect(reader.current()).toEqual({ state: 'ready', data: undefined })
    await reader.change(undefined)
    await settle()
    const other = await mount('useSuspense', api.settings)
    await settle()
    expect(shown(reader)).toEqual({ theme: 'dark' })
    expect(shown(other)).toBe(shown(reader))
    await reader.change(null)
    await settle()
    expect(reader.current()).toEqual({ state: 'ready', data: undefined })
    expect(server.requests).toEqual(['GET /settings'])
  },
)

scenario(
  '3/null/unanswered',
  'null while the answer is on its way shows nothing and waits for nothing',
  async ({ api, mount, server, settle }) => {
    server.hold('GET /todo/5')
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    await reader.change(null)
    await settle()
    expect(reader.current()).toEqual({ state: 'ready', data: undefined })
    server.release()
    await settle()
    expect(reader.current()).toEqual({ state: 'ready', data: undefined })
    expect(server.requests).toEqual(['GET /todo/5'])
  },
)

scenario(
  'F12',
  'every call of the Controller does nothing with null',
  async ({ api, controller, server }) => {
    // The types of the Controller reject null; only those of hooks accept it.
    const nothing = null as never
    expect(await controller.fetch(api.todo.get, nothing)).toBeUndefined()
    expect(await controller.fetch(api.todo.delete, nothing)).toBeUndefined()
    controller.invalidate(api.todo.get, nothing)
    const read = controller.read(api.todo.get, nothing)
    expect(read).toMatchObject({ data: undefined, error: undefined, fetching: false })
    expect(controller.get(api.todo.get.schema, nothing)).toBeUndefined()
    expect(server.requests).toEqual([])
  },
)
