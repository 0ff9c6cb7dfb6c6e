import type { EndpointLike } from '@selfsame/core'
import { expect } from 'vitest'
import { reply } from '../server.js'
import { scenario, shown, shownError } from '../suite.js'
import type { Stage } from '../suite.js'

// The table of specification 3: what each hook does in each status, at the moment at which it is mounted.

const route = 'GET /todo/5'
const hooks = ['useSuspense', 'useCache', 'useFetch'] as const

/** The ways to Invalid. Each leaves the detail of todo 5 Invalid. */
const waysToInvalid: Readonly<Record<string, (stage: Stage) => Promise<EndpointLike>>> = {
  'not in store': async ({ api }) => api.todo.get,
  invalidate: async ({ api, controller }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    controller.invalidate(api.todo.get, { id: 5 })
    return api.todo.get
  },
  delete: async ({ api, controller, settle }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    await controller.fetch(api.todo.delete, { id: 5 })
    await settle()
    return api.todo.get
  },
  invalidIfStale: async ({ api, controller, clock }) => {
    await controller.fetch(api.freshOnly, { id: 5 })
    clock.advance(60_000)
    return api.freshOnly
  },
}

for (const [way, makeInvalid] of Object.entries(waysToInvalid)) {
  scenario(`3/table/Invalid/useSuspense/${way}`, 'fetches and suspends', async (stage) => {
    const { mount, server, settle } = stage
    const endpoint = await makeInvalid(stage)
    const before = server.requests.length
    server.hold(route)
    const reader = await mount('useSuspense', endpoint, { id: 5 })
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    expect(server.requests.slice(before)).toEqual([route])
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ id: 5, title: 'Todo 5' })
    expect(reader.fallbacks).toBe(1)
    expect(server.requests.slice(before)).toEqual([route])
  })

  scenario(`3/table/Invalid/useCache/${way}`, 'shows undefined and fetches nothing', async (stage) => {
    const { mount, server, settle } = stage
    const endpoint = await makeInvalid(stage)
    const before = server.requests.length
    const reader = await mount('useCache', endpoint, { id: 5 })
    await settle()
    expect(reader.current()).toEqual({ state: 'ready', data: undefined })
    expect(server.requests.slice(before)).toEqual([])
    expect(reader.fallbacks).toBe(0)
  })

  scenario(`3/table/Invalid/useFetch/${way}`, 'fetches, and gives the promise', async (stage) => {
    const { mount, server, settle } = stage
    const endpoint = await makeInvalid(stage)
    const before = server.requests.length
    const reader = await mount('useFetch', endpoint, { id: 5 })
    await settle()
    expect(reader.current()).toEqual({ state: 'ready', data: true })
    expect(server.requests.slice(before)).toEqual([route])
    expect(reader.fallbacks).toBe(0)
  })
}

/** Fetches todo 5 and lets it become Stale; the server has a newer title by then. */
async function makeStale({ api, clock, controller, server }: Stage): Promise<void> {
  await controller.fetch(api.todo.get, { id: 5 })
  clock.advance(60_000)
  server.route(route, { id: 5, title: 'Newer' })
  server.requests.length = 0
}

scenario('3/table/Stale/useSuspense', 'fetches, and shows the data meanwhile', async (stage) => {
  const { api, mount, server, settle } = stage
  await makeStale(stage)
  server.hold(route)
  const reader = await mount('useSuspense', api.todo.get, { id: 5 })
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
  expect(server.requests).toEqual([route])
  server.release()
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Newer' })
  expect(reader.fallbacks).toBe(0)
  expect(server.requests).toEqual([route])
})

scenario('3/table/Stale/useCache', 'shows the data and fetches nothing', async (stage) => {
  const { api, mount, server, settle } = stage
  await makeStale(stage)
  const reader = await mount('useCache', api.todo.get, { id: 5 })
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
  expect(server.requests).toEqual([])
})

scenario('3/table/Stale/useFetch', 'fetches, and gives the promise', async (stage) => {
  const { api, mount, server, settle } = stage
  await makeStale(stage)
  const reader = await mount('useFetch', api.todo.get, { id: 5 })
  await settle()
  expect(shown(reader)).toBe(true)
  expect(server.requests).toEqual([route])
})

const showing: Readonly<Record<(typeof hooks)[number], object>> = {
  useSuspense: { state: 'ready', data: { id: 5, title: 'Todo 5' } },
  useCache: { state: 'ready', data: { id: 5, title: 'Todo 5' } },
  useFetch: { state: 'ready', data: false },
}

for (const hook of hooks) {
  const title =
    hook === 'useFetch' ? 'does nothing, and gives no promise' : 'shows the data and fetches nothing'
  scenario(`3/table/Valid/${hook}`, title, async ({ api, clock, controller, mount, server, settle }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    clock.advance(59_999)
    const reader = await mount(hook, api.todo.get, { id: 5 })
    await settle()
    expect(reader.current()).toMatchObject(showing[hook])
    expect(reader.fallbacks).toBe(0)
    expect(server.requests).toEqual([route])
  })
}

/** Fails the fetch of todo 5. */
async function failToFetch({ api, controller, server }: Stage): Promise<void> {
  server.route(route, reply.status(500, { message: 'down' }))
  await controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
}

scenario(
  '3/table/Valid with error/useSuspense',
  'throws the stored error to the boundary and fetches nothing',
  async (stage) => {
    const { api, mount, server, settle } = stage
    await failToFetch(stage)
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(shownError(reader)).toMatchObject({ status: 500 })
    expect(reader.fallbacks).toBe(0)
    expect(server.requests).toEqual([route])
  },
  { isLogged: true },
)

scenario('3/table/Valid with error/useCache', 'shows undefined and fetches nothing', async (stage) => {
  const { api, mount, server, settle } = stage
  await failToFetch(stage)
  const reader = await mount('useCache', api.todo.get, { id: 5 })
  await settle()
  expect(reader.current()).toEqual({ state: 'ready', data: undefined })
  expect(server.requests).toEqual([route])
})

scenario('3/table/Valid with error/useFetch', 'does nothing, and gives no promise', async (stage) => {
  const { api, mount, server, settle } = stage
  await failToFetch(stage)
  const reader = await mount('useFetch', api.todo.get, { id: 5 })
  await settle()
  expect(reader.current()).toEqual({ state: 'ready', data: false })
  expect(server.requests).toEqual([route])
})

for (const hook of hooks) {
  scenario(
    `3/table/null/${hook}`,
    'reads nothing and fetches nothing',
    async ({ api, mount, server, settle }) => {
      const reader = await mount(hook, api.todo.get, null)
      await settle()
      expect(reader.current()).toEqual({ state: 'ready', data: hook === 'useFetch' ? false : undefined })
      expect(reader.fallbacks).toBe(0)
      expect(server.requests).toEqual([])
    },
  )
}
