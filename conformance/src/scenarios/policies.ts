import { expect } from 'vitest'
import { todoFields } from '../fixtures.js'
import { scenario, shown } from '../suite.js'

const route = 'GET /todo/5'

scenario.onReact18(
  '3/rule 1/cache-first',
  'with cache-first, Stale is good enough: nothing is fetched',
  async (stage) => {
    const { api, controller, mount, pass, server, settle } = stage
    await controller.fetch(api.cacheFirst, { id: 5 })
    await pass(60_000)
    const reader = await mount('useSuspense', api.cacheFirst, { id: 5 })
    const fetching = await mount('useFetch', api.cacheFirst, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ id: 5 })
    expect(await shown(fetching)).toBe(shown(reader))
    expect(server.requests).toEqual([route])
  },
)

scenario.onReact18(
  '3/rule 1/network-first',
  'with network-first, Stale counts as Invalid: the reader suspends',
  async (stage) => {
    const { api, controller, mount, pass, server, settle } = stage
    await controller.fetch(api.networkFirst, { id: 5 })
    await pass(60_000)
    server.route(route, todoFields(5, { title: 'Newer' }))
    server.hold(route)
    const cached = await mount('useCache', api.networkFirst, { id: 5 })
    const reader = await mount('useSuspense', api.networkFirst, { id: 5 })
    await settle()
    expect(shown(cached)).toBeUndefined()
    expect(reader.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Newer' })
    expect(shown(cached)).toBe(shown(reader))
    expect(server.requests).toEqual([route, route])
  },
)

scenario(
  '3/rule 1/Controller',
  'the policy of the Controller holds where the endpoint has none',
  async ({ api, controller, mount, pass, server, settle }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    await pass(60_000)
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ id: 5 })
    expect(server.requests).toEqual([route])
  },
  { controller: { policy: 'cache-first' } },
)

scenario('3/Expiry/endpoint', 'the length of an endpoint beats that of the Controller', async (stage) => {
  const { api, controller, mount, pass, server, settle } = stage
  await controller.fetch(api.lasting, { id: 5 })
  await pass(299_000)
  const reader = await mount('useSuspense', api.lasting, { id: 5 })
  await settle()
  expect(shown(reader)).toMatchObject({ id: 5 })
  expect(server.requests).toEqual([route])
})

scenario('3/Expiry/entity', 'the length of an entity beats that of the Controller', async (stage) => {
  const { api, controller, mount, pass, server, settle } = stage
  const address = 'GET /notice/1'
  await controller.fetch(api.notice.get, { id: 1 })
  await pass(9999)
  const first = await mount('useSuspense', api.notice.get, { id: 1 })
  await settle()
  expect(server.requests).toEqual([address])
  await pass(1)
  const second = await mount('useSuspense', api.notice.get, { id: 1 })
  await settle()
  expect(shown(second)).toBe(shown(first))
  expect(second.fallbacks).toBe(0)
  expect(server.requests).toEqual([address, address])
})

scenario('3/Expiry/refreshed', 'a record that another call refreshed is Valid again', async (stage) => {
  const { api, controller, mount, pass, server, settle } = stage
  await controller.fetch(api.todo.get, { id: 5 })
  await pass(59_000)
  await controller.fetch(api.todo.getList)
  await pass(59_000)
  const reader = await mount('useSuspense', api.todo.get, { id: 5 })
  await settle()
  expect(shown(reader)).toMatchObject({ id: 5 })
  expect(server.requests).toEqual([route, 'GET /todo'])
})

scenario('3/Expiry/list', 'the age of a list is that of its answer, not of its records', async (stage) => {
  const { api, controller, mount, pass, server, settle } = stage
  await controller.fetch(api.todo.getList)
  await pass(60_000)
  await controller.fetch(api.todo.get, { id: 5 })
  await controller.fetch(api.todo.get, { id: 6 })
  const reader = await mount('useSuspense', api.todo.getList)
  await settle()
  expect(shown(reader)).toHaveLength(2)
  expect(reader.fallbacks).toBe(0)
  expect(server.requests).toEqual(['GET /todo', route, 'GET /todo/6', 'GET /todo'])
})

scenario('3/Expiry/answer', 'a read is Valid again once its fetch completed', async (stage) => {
  const { api, controller, mount, pass, server, settle } = stage
  await controller.fetch(api.todo.get, { id: 5 })
  await pass(60_000)
  const first = await mount('useSuspense', api.todo.get, { id: 5 })
  await settle()
  const second = await mount('useSuspense', api.todo.get, { id: 5 })
  const third = await mount('useFetch', api.todo.get, { id: 5 })
  await settle()
  expect(shown(second)).toBe(shown(first))
  expect(await shown(third)).toBe(shown(first))
  expect(server.requests).toEqual([route, route])
})
