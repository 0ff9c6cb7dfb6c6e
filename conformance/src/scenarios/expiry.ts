import type { EndpointLike } from '@selfsame/core'
import { expect } from 'vitest'
import { reply } from '../server.js'
import { scenario, shown, shownError } from '../suite.js'
import type { Stage } from '../suite.js'

// The table of specification 3: each hook's behaviour for each status at the time of its mount.

const route = 'GET /todo/5'
const hooks = ['useSuspense', 'useCache', 'useFetch'] as const

/** The ways to make a call Invalid. Each makes the detail of todo 5 Invalid. */
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
  scenario.onReact18(`3/table/Invalid/useSuspense/${way}`, 'fetches and suspends', async (stage) => {
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

  scenario.onReact18(
    `3/table/Invalid/useFetch/${way}`,
    'fetches, and gives a pending promise, which is fulfilled with the data',
    async (stage) => {
      const { controller, mount, server, settle } = stage
      const endpoint = await makeInvalid(stage)
      const before = server.requests.length
      server.hold(route)
      const reader = await mount('useFetch', endpoint, { id: 5 })
      await settle()
      const promise = shown(reader)
      expect(promise).toMatchObject({ status: 'pending' })
      server.release()
      await settle()
      expect(shown(reader)).toBe(promise)
      const { data } = controller.read(endpoint, { id: 5 })
      expect(promise).toMatchObject({ status: 'fulfilled', value: data })
      expect(await promise).toBe(data)
      expect(server.requests.slice(before)).toEqual([route])
      expect([reader.fallbacks, reader.renders]).toEqual([0, 1])
    },
  )
}

/** Fetches todo 5 and waits until it is Stale. The server has a newer title then. */
async function makeStale({ api, clock, controller, server }: Stage): Promise<void> {
  await controller.fetch(api.todo.get, { id: 5 })
  clock.advance(60_000)
  server.route(route, { id: 5, title: 'Newer' })
  server.requests.length = 0
}

scenario.everywhere('3/table/Stale/useSuspense', 'fetches, and shows the data meanwhile', async (stage) => {
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

scenario.inChromium('3/table/Stale/useCache', 'shows the data and fetches nothing', async (stage) => {
  const { api, mount, server, settle } = stage
  await makeStale(stage)
  const reader = await mount('useCache', api.todo.get, { id: 5 })
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
  expect(server.requests).toEqual([])
})

scenario.inChromium(
  '3/table/Stale/useFetch',
  'fetches, and gives a promise of the data that is there meanwhile',
  async (stage) => {
    const { api, mount, server, settle } = stage
    await makeStale(stage)
    server.hold(route)
    const reader = await mount('useFetch', api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ status: 'fulfilled', value: { title: 'Todo 5' } })
    expect(server.requests).toEqual([route])
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ status: 'fulfilled', value: { title: 'Newer' } })
    expect(server.requests).toEqual([route])
    expect(reader.renders).toBe(2)
  },
)

const showing: Readonly<Record<(typeof hooks)[number], object>> = {
  useSuspense: { state: 'ready', data: { id: 5, title: 'Todo 5' } },
  useCache: { state: 'ready', data: { id: 5, title: 'Todo 5' } },
  useFetch: { state: 'ready', data: { status: 'fulfilled', value: { id: 5, title: 'Todo 5' } } },
}

for (const hook of hooks) {
  const title =
    hook === 'useFetch'
      ? 'gives a promise of the data and fetches nothing'
      : 'shows the data and fetches nothing'
  scenario.inChromium(
    `3/table/Valid/${hook}`,
    title,
    async ({ api, clock, controller, mount, server, settle }) => {
      await controller.fetch(api.todo.get, { id: 5 })
      clock.advance(59_999)
      const reader = await mount(hook, api.todo.get, { id: 5 })
      await settle()
      expect(reader.current()).toMatchObject(showing[hook])
      expect(reader.fallbacks).toBe(0)
      expect(server.requests).toEqual([route])
    },
  )
}

/** Lets a fetch of todo 5 fail. */
async function failToFetch({ api, controller, server }: Stage): Promise<void> {
  server.route(route, reply.status(500, { message: 'down' }))
  await controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
}

scenario.onReact18(
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

scenario(
  '3/table/Valid with error/useFetch',
  'gives a promise that is rejected with the stored error, and fetches nothing',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    await failToFetch(stage)
    const reader = await mount('useFetch', api.todo.get, { id: 5 })
    await settle()
    const promise = shown(reader)
    const { error } = controller.read(api.todo.get, { id: 5 })
    expect(promise).toMatchObject({ status: 'rejected', reason: error })
    await expect(promise).rejects.toBe(error)
    expect(server.requests).toEqual([route])
    server.route(route, { id: 5, title: 'Again' })
    await controller.fetch(api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ status: 'fulfilled', value: { title: 'Again' } })
  },
)

scenario.onReact18(
  '4.5/useFetch/one promise',
  'useFetch gives the same promise until the data changes, and another one then',
  async ({ api, controller, mount, server, settle }) => {
    const reader = await mount('useFetch', api.todo.get, { id: 5 })
    await settle()
    const first = shown(reader)
    await reader.rerender()
    await controller.fetch(api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toBe(first)
    const { renders } = reader
    controller.setResponse(api.todo.get, { id: 5 }, { id: 5, title: 'Pushed' })
    await settle()
    expect(shown(reader)).not.toBe(first)
    expect(await shown(reader)).toBe(controller.read(api.todo.get, { id: 5 }).data)
    expect(reader.renders).toBe(renders + 1)
    expect(server.requests).toEqual([route, route])
  },
)

scenario.onReact18(
  '4.5/useFetch/goes on',
  'a pending promise of useFetch ends with the outcome that counts, after an invalidation and a reset',
  async ({ api, controller, mount, server, settle }) => {
    server.hold(route)
    const reader = await mount('useFetch', api.todo.get, { id: 5 })
    const promise = shown(reader)
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    server.route(route, { id: 5, title: 'Newer' })
    controller.resetAll()
    await settle()
    expect(shown(reader)).toBe(promise)
    expect(promise).toMatchObject({ status: 'pending' })
    server.release()
    await settle()
    expect(shown(reader)).toBe(promise)
    expect(await promise).toMatchObject({ title: 'Newer' })
    expect(server.requests).toEqual([route, route, route])
  },
)

scenario.onReact18(
  '4.5/useFetch/beside useSuspense',
  'useFetch and useSuspense of one call give the same data by one request',
  async ({ api, mount, server, settle }) => {
    const fetching = await mount('useFetch', api.todo.get, { id: 5 })
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(await shown(fetching)).toBe(shown(reader))
    expect(server.requests).toEqual([route])
  },
)

for (const hook of hooks) {
  scenario(
    `3/table/null/${hook}`,
    'reads nothing and fetches nothing',
    async ({ api, mount, server, settle }) => {
      const reader = await mount(hook, api.todo.get, null)
      await settle()
      expect(reader.current()).toEqual({ state: 'ready', data: undefined })
      expect(reader.fallbacks).toBe(0)
      expect(server.requests).toEqual([])
    },
  )
}
