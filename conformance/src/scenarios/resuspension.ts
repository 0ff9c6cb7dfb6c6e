import { schema } from '@selfsame/core'
import { expect } from 'vitest'
import { Todo } from '../fixtures.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

const route = 'GET /todo/5'

/** Mounts a reader of todo 5 with data. The server holds its next responses, which are newer. */
async function mountHeld({ api, mount, server, settle }: Stage) {
  const reader = await mount('useSuspense', api.todo.get, { id: 5 })
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
  server.route(route, { id: 5, title: 'Newer' })
  server.hold(route)
  server.requests.length = 0
  return reader
}

scenario.everywhere(
  '3/Mounted/invalidate',
  'a mounted reader suspends and fetches when its call is invalidated',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const reader = await mountHeld(stage)
    const { fallbacks } = reader
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    expect(server.requests).toEqual([route])
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Newer' })
    expect(reader.fallbacks).toBe(fallbacks + 1)
    expect(server.requests).toEqual([route])
  },
  { isSlowToo: true },
)

const withoutData: Readonly<Record<string, (stage: Stage) => void>> = {
  invalidate: ({ api, controller }) => controller.invalidate(api.todo.get, { id: 5 }),
  invalidateAll: ({ api, controller }) => controller.invalidateAll(api.todo.get),
  delete: ({ controller }) => controller.set(new schema.Delete(Todo), { id: 5 }, {}),
}

for (const [what, change] of Object.entries(withoutData)) {
  scenario.inChromium(
    `3/Mounted/beside/${what}`,
    'readers that wait for nothing show a change at once, beside one that waits because of it',
    async (stage) => {
      const { api, mount, server, settle } = stage
      const reader = await mountHeld(stage)
      const state = await mount('useDLE', api.todo.get, { id: 5 })
      const cached = await mount('useCache', api.todo.get, { id: 5 })
      const status = await mount('useStatus', api.todo.get, { id: 5 })
      await settle()
      change(stage)
      await settle()
      expect(reader.current()).toEqual({ state: 'fallback' })
      expect(shown(state)).toMatchObject({ data: undefined, loading: true })
      expect(shown(cached)).toBeUndefined()
      expect(shown(status)).toMatchObject({ fetching: true })
      server.release()
      await settle()
      for (const each of [reader, cached]) expect(shown(each)).toMatchObject({ title: 'Newer' })
      expect(shown(state)).toMatchObject({ data: { title: 'Newer' }, loading: false })
      expect(server.requests).toEqual([route])
    },
  )
}

scenario.onReact18(
  '3/Mounted/invalidate/unchanged',
  'a reader that suspended comes back when the answer is what it showed before',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const reader = await mountHeld(stage)
    server.route(route, { id: 5, userId: 1, title: 'Todo 5', completed: false })
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toEqual([route])
  },
)

scenario.everywhere(
  '3/Mounted/delete',
  'a mounted detail reader suspends and fetches when its record is deleted',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const reader = await mountHeld(stage)
    await controller.fetch(api.todo.delete, { id: 5 })
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    expect(server.requests).toEqual(['DELETE /todo/5', route])
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Newer' })
    expect(server.requests).toEqual(['DELETE /todo/5', route])
  },
)

scenario.everywhere(
  '3/Mounted/resetAll',
  'mounted readers drop what they showed and fetch anew after a reset',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const reader = await mountHeld(stage)
    const cached = await mount('useCache', api.todo.get, { id: 5 })
    await settle()
    expect(shown(cached)).toMatchObject({ title: 'Todo 5' })
    controller.resetAll()
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    expect(shown(cached)).toBeUndefined()
    expect(server.requests).toEqual([route])
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Newer' })
    expect(shown(cached)).toBe(shown(reader))
  },
)

scenario(
  '3/Mounted/resetAll/expired',
  'a call that was Stale before a reset is not Stale after it: a list that brings its record answers it',
  async ({ api, controller, mount, server, settle }) => {
    const before = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    controller.expireAll(api.todo.get)
    await settle()
    await before.unmount()
    controller.resetAll()
    await controller.fetch(api.todo.getList)
    server.requests.length = 0
    const after = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(shown(after)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toEqual([])
  },
)

scenario.onReact18(
  'F5',
  'an answer on its way is dropped by a reset, and the reader fetches anew',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    server.route(route, { id: 5, title: 'Of the previous user' })
    server.hold(route)
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    const fetched = controller.fetch(api.todo.get, { id: 5 }).catch((error: unknown) => error)
    await settle()
    server.route(route, { id: 5, title: 'Of the next user' })
    controller.resetAll()
    await settle()
    expect(await fetched).toMatchObject({ code: 'hard-reset' })
    expect(server.requests).toEqual([route, route])
    server.releaseOne(route, 'first')
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Of the next user' })
    expect(server.requests).toEqual([route, route])
  },
)

scenario.everywhere(
  '3/Mounted/arguments',
  'a reader suspends when its arguments change to a call that is not there',
  async (stage) => {
    const { api, mount, server, settle } = stage
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    const { fallbacks } = reader
    server.hold('GET /todo/6')
    await reader.change({ id: 6 })
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ id: 6 })
    expect(reader.fallbacks).toBe(fallbacks + 1)
    expect(server.requests).toEqual([route, 'GET /todo/6'])
  },
  { isSlowToo: true },
)

scenario.onReact18(
  '3/Mounted/useCache',
  'useCache follows its arguments and shows undefined for what is not there',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    await controller.fetch(api.todo.get, { id: 5 })
    const reader = await mount('useCache', api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ id: 5 })
    await reader.change({ id: 6 })
    await settle()
    expect(shown(reader)).toBeUndefined()
    await controller.fetch(api.todo.get, { id: 6 })
    await settle()
    expect(shown(reader)).toMatchObject({ id: 6 })
    expect(server.requests).toEqual([route, 'GET /todo/6'])
  },
)

scenario.onReact18(
  '3/Mounted/useFetch',
  'useFetch fetches again when its call is invalidated or its arguments change',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const reader = await mount('useFetch', api.todo.get, { id: 5 })
    await settle()
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    expect(server.requests).toEqual([route, route])
    await reader.change({ id: 6 })
    await settle()
    expect(server.requests).toEqual([route, route, 'GET /todo/6'])
    await reader.change({ id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ status: 'fulfilled', value: { id: 5 } })
    expect(server.requests).toEqual([route, route, 'GET /todo/6'])
  },
)

scenario.onReact18(
  'B2',
  'another endpoint is followed while mounted',
  async ({ api, mount, server, settle }) => {
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    await reader.changeEndpoint(api.user.get, { id: 1 })
    await settle()
    expect(shown(reader)).toMatchObject({ name: 'User 1' })
    const cached = await mount('useCache', api.todo.get, { id: 5 })
    await cached.changeEndpoint(api.user.get, { id: 1 })
    await settle()
    expect(shown(cached)).toBe(shown(reader))
    expect(server.requests).toEqual([route, 'GET /user/1'])
  },
)

scenario.everywhere(
  'B3',
  'an answer to the first arguments never shows under the second',
  async (stage) => {
    const { api, mount, server, settle } = stage
    server.hold(route, 'GET /todo/6')
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    await reader.change({ id: 6 })
    await settle()
    server.release(route)
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ id: 6 })
    expect(server.requests).toEqual([route, 'GET /todo/6'])
  },
  { isSlowToo: true },
)

scenario.everywhere('B4/mount', 'a reader of data that is there never shows its fallback', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  await controller.fetch(api.todo.getList)
  await controller.fetch(api.settings)
  const list = await mount('useSuspense', api.todo.getList)
  const settings = await mount('useSuspense', api.settings)
  await settle()
  expect(shown(list)).toHaveLength(2)
  expect(shown(settings)).toEqual({ theme: 'dark' })
  expect(list.fallbacks + settings.fallbacks).toBe(0)
  expect(server.requests).toEqual(['GET /todo', 'GET /settings'])
})

scenario.everywhere(
  'B4/change',
  'a change to arguments whose data is there never shows the fallback',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    await controller.fetch(api.todo.getList)
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await reader.change({ id: 6 })
    await settle()
    expect(shown(reader)).toMatchObject({ id: 6 })
    expect(reader.fallbacks).toBe(0)
    expect(server.requests).toEqual(['GET /todo'])
  },
)

scenario.everywhere(
  'B4/change/Stale',
  'a change to arguments whose data is Stale fetches and shows it meanwhile',
  async (stage) => {
    const { api, controller, mount, pass, server, settle } = stage
    await controller.fetch(api.todo.get, { id: 6 })
    await pass(60_000)
    await controller.fetch(api.todo.get, { id: 5 })
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    server.requests.length = 0
    server.hold('GET /todo/6')
    await reader.change({ id: 6 })
    await settle()
    expect(shown(reader)).toMatchObject({ id: 6 })
    expect(server.requests).toEqual(['GET /todo/6'])
    server.release()
    await settle()
    expect(reader.fallbacks).toBe(0)
  },
)

scenario.onReact18(
  'F17',
  'the detail of a record that came with a list needs no request while it is fresh',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const [first] = await controller.fetch(api.todo.getList)
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toBe(first)
    expect(reader.fallbacks).toBe(0)
    expect(server.requests).toEqual(['GET /todo'])
  },
)

scenario.everywhere(
  'F17/Stale',
  'the detail of a record that came with a list is fetched when Stale, without suspending',
  async (stage) => {
    const { api, controller, mount, pass, server, settle } = stage
    await controller.fetch(api.todo.getList)
    await pass(60_000)
    server.hold(route)
    const reader = await mount('useSuspense', api.todo.get, { id: '5' })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toEqual(['GET /todo', route])
    server.release()
    await settle()
    expect(reader.fallbacks).toBe(0)
  },
  { isSlowToo: true },
)

scenario.onReact18(
  'F22',
  'a detail inside a wrapper is answered from its record, and a list is never guessed',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const todo = await controller.fetch(api.todo.get, { id: 5 })
    const wrapped = await mount('useCache', api.wrapped, { id: 5 })
    const list = await mount('useCache', api.todo.getList, { userId: 1 })
    await settle()
    expect(shown(wrapped)).toEqual({ data: todo })
    expect(shown(list)).toBeUndefined()
    expect(server.requests).toEqual([route])
  },
)

scenario.onReact18('F23', 'an id like a name of Object.prototype is an ordinary request', async (stage) => {
  const { api, mount, server, settle } = stage
  server.route('GET /todo/constructor', { id: 'constructor', title: 'Odd' })
  server.route('GET /todo/__proto__', { id: '__proto__', title: 'Odder' })
  const first = await mount('useSuspense', api.todo.get, { id: 'constructor' })
  const second = await mount('useSuspense', api.todo.get, { id: '__proto__' })
  await settle()
  expect(shown(first)).toMatchObject({ title: 'Odd' })
  expect(shown(second)).toMatchObject({ title: 'Odder' })
  expect(server.requests).toEqual(['GET /todo/constructor', 'GET /todo/__proto__'])
})

scenario.onReact18(
  'F3',
  'an answer on its way when its call is invalidated does not count',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    server.hold(route)
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    server.route(route, { id: 5, title: 'Newer' })
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    expect(server.requests).toEqual([route, route])
    server.releaseOne(route, 'first')
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Newer' })
    expect(reader.fallbacks).toBe(1)
    expect(server.requests).toEqual([route, route])
  },
)

scenario(
  '3/What Invalid marks',
  'invalidating a detail leaves the lists that hold its record',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.todo.getList)
    const detail = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    const data = shown(list)
    const { fallbacks } = list
    server.requests.length = 0
    server.hold(route)
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    expect(shown(list)).toBe(data)
    expect(detail.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(list)).toBe(data)
    expect(shown(detail)).toBe((data as readonly unknown[])[0])
    expect(list.fallbacks).toBe(fallbacks)
    expect(server.requests).toEqual([route])
  },
)

scenario.onReact18(
  'F3/useFetch',
  'useFetch asks again when its call is invalidated while its answer is on its way',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    server.hold(route)
    const reader = await mount('useFetch', api.todo.get, { id: 5 })
    await settle()
    server.route(route, { id: 5, title: 'Newer' })
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    const promise = shown(reader)
    expect(promise).toMatchObject({ status: 'pending' })
    expect(server.requests).toEqual([route, route])
    server.release()
    await settle()
    expect(controller.read(api.todo.get, { id: 5 }).data).toMatchObject({ title: 'Newer' })
    expect(await promise).toBe(controller.read(api.todo.get, { id: 5 }).data)
    expect(server.requests).toEqual([route, route])
  },
)
