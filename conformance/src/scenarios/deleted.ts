import { Entity, Query, schema } from '@selfsame/core'
import type { StreamSink } from '@selfsame/core'
import { expect } from 'vitest'
import { Todo, User, todoFields } from '../fixtures.js'
import type { Article } from '../fixtures.js'
import type { ReadHook, Reader } from '../contract.js'
import { reply } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

// A reader that showed a record keeps it when it is deleted: most such readers are about to be unmounted, and nothing tells when.

const route = 'GET /todo/5'
const deletion = 'DELETE /todo/5'

/** The ways to delete todo 5. Each returns when the deletion is stored. */
const ways: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  'a mutation': async ({ api, controller }) => controller.fetch(api.todo.delete, { id: 5 }),
  'a write': async ({ controller }) => controller.set(new schema.Delete(Todo), { id: 5 }, {}),
  'an expected delete that is confirmed late': async ({ api, controller, server, settle }) => {
    server.hold(deletion)
    const deleting = controller.fetch(api.hopeful.delete, { id: 5 })
    await settle()
    server.release()
    return deleting
  },
  'two deletes of which the second fails': async ({ api, controller, server, settle }) => {
    server.hold(deletion)
    const first = controller.fetch(api.hopeful.delete, { id: 5 })
    const second = controller.fetch(api.hopeful.delete, { id: 5 }).catch(() => 'failed')
    await settle()
    server.releaseOne(deletion, 'first')
    await first
    await settle()
    server.route(deletion, reply.status(404, {}))
    server.release()
    return second
  },
}

/** The requests that read. */
const reads = ({ server }: Stage) => server.requests.filter((request) => request.startsWith('GET'))

/** What a reader of a hook shows of todo 5. */
async function todoIn(reader: Reader): Promise<unknown> {
  const value = await shown(reader)
  if (Array.isArray(value)) return value[0]
  return value instanceof Todo ? value : (value as { readonly data?: unknown }).data
}

/** A slow frame, a busy main thread, a transition: time in which the reader is still mounted. */
async function passTasks({ pass, settle }: Stage, reader: Reader): Promise<void> {
  for (let task = 0; task < 3; task++) await settle()
  await reader.rerender()
  await pass(300)
}

for (const [way, remove] of Object.entries(ways)) {
  for (const hook of ['useSuspense', 'useDLE', 'useFetch', 'useSuspenseAll'] as const satisfies ReadHook[]) {
    const register = way === 'a mutation' ? scenario.everywhere : scenario
    register(
      `S12/leaving/${hook}/${way}`,
      'a reader that is unmounted long after its record was deleted sees no fallback, and sends no request',
      async (stage) => {
        const { api, mount, server, settle } = stage
        const reader = await (hook === 'useSuspenseAll'
          ? mount(hook, api.todo.get, [[api.todo.get, { id: 5 }]])
          : mount(hook, api.todo.get, { id: 5 }))
        await settle()
        const todo = await todoIn(reader)
        expect(todo).toMatchObject({ title: 'Todo 5' })
        server.route(route, reply.status(404, {}))
        const { fallbacks } = reader
        await remove(stage)
        await passTasks(stage, reader)
        expect(await todoIn(reader)).toBe(todo)
        expect(reader.fallbacks).toBe(fallbacks)
        await reader.unmount()
        await settle()
        expect(reads(stage)).toEqual([route])
      },
    )
  }
}

scenario(
  'S12/leaving/message',
  'a message of a stream that deletes the record before the mutation is answered causes no request either',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    let sink: StreamSink | undefined
    const get = api.todo.get.extend({
      stream: (opened: StreamSink) => {
        sink = opened
        return () => {}
      },
    })
    const reader = await mount('useLive', get, { id: 5 })
    await settle()
    server.hold(deletion)
    const deleting = controller.fetch(api.todo.delete, { id: 5 })
    sink?.set(new schema.Delete(Todo), { id: 5 }, {})
    await passTasks(stage, reader)
    server.release()
    await deleting
    await passTasks(stage, reader)
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    await reader.unmount()
    await settle()
    expect(reads(stage)).toEqual([route])
  },
)

scenario(
  'S12/leaving/refetch',
  'an older read that the deletion overrides is not sent again by the reader that stays',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    server.hold(route)
    const older = controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
    await controller.fetch(api.todo.delete, { id: 5 })
    server.release()
    await older
    await passTasks(stage, reader)
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(reads(stage)).toEqual([route, route])
  },
)

scenario(
  'S12/leaving/index',
  'a reader that found its record by another field than the primary key keeps it too',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    class Person extends Entity {
      id = 0
      name = ''
      static override key = 'Person'
      static override indexes = ['name'] as const
    }
    const byName = api.user.get.extend({ path: '/person/:name', schema: Person, name: 'Person.byName' })
    controller.set(Person, { id: 1 }, { id: 1, name: 'Ada' })
    const reader = await mount('useSuspense', byName, { name: 'Ada' })
    await settle()
    expect(shown(reader)).toMatchObject({ id: 1 })
    controller.set(new schema.Delete(Person), { id: 1 }, {})
    await passTasks(stage, reader)
    expect(shown(reader)).toMatchObject({ id: 1 })
    await reader.unmount()
    await settle()
    expect(server.requests).toEqual([])
  },
)

scenario(
  'S12/leaving/wrapper',
  'a reader of a wrapper that holds nothing but the record keeps it too',
  async (stage) => {
    const { api, controller, mount, settle } = stage
    const reader = await mount('useSuspense', api.wrapped, { id: 5 })
    await settle()
    const data = shown(reader)
    await controller.fetch(api.todo.delete, { id: 5 })
    await passTasks(stage, reader)
    expect(shown(reader)).toBe(data)
    expect(reads(stage)).toEqual(['GET /wrapped/todo/5'])
  },
)

scenario(
  'S12/leaving/others',
  'what does not show the record alone drops it at once, without a request: lists, nested fields, Queries, useCache',
  async (stage) => {
    const { api, app, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.todo.getList)
    const cached = await mount('useCache', api.todo.get, { id: 5 })
    const query = await mount('useQuery', new Query(Todo, ({ title }) => title), { id: 5 })
    const article = await mount('useSuspense', api.article.get, { id: 1 })
    await settle()
    const sent = [...server.requests]
    expect((shown(article) as Article).author).toBeInstanceOf(User)
    expect(shown(query)).toBe('Todo 5')
    await controller.fetch(api.todo.delete, { id: 5 })
    controller.set(new schema.Delete(User), { id: 1 }, {})
    // The clock of the scenario does not advance meanwhile.
    await app.settle()
    expect(shown(list)).toMatchObject([{ id: 6 }])
    expect(shown(cached)).toBeUndefined()
    expect(shown(query)).toBeUndefined()
    expect((shown(article) as Article).author).toBeUndefined()
    expect(controller.read(api.todo.get, { id: 5 })).toMatchObject({ status: 'Invalid', data: undefined })
    await settle()
    expect(server.requests).toEqual([...sent, deletion])
  },
)

/** Mounts two readers of todo 5 and deletes it. From then on the server responds with another title, when it is released. */
async function mountKept(stage: Stage) {
  const { api, controller, mount, server, settle } = stage
  const reader = await mount('useSuspense', api.todo.get, { id: 5 })
  const state = await mount('useDLE', api.todo.get, { id: 5 })
  await settle()
  await controller.fetch(api.todo.delete, { id: 5 })
  await passTasks(stage, reader)
  server.requests.length = 0
  server.route(route, todoFields(5, { title: 'Newer' }))
  server.hold(route)
  return { reader, state }
}

const isNewer = (stage: Stage, { reader, state }: Awaited<ReturnType<typeof mountKept>>) => {
  expect(shown(reader)).toMatchObject({ title: 'Newer' })
  expect(shown(state)).toMatchObject({ data: { title: 'Newer' }, loading: false })
  expect(reads(stage)).toEqual([route])
}

scenario.everywhere(
  'S12/kept/invalidate',
  'a deleted record leaves the screen when its call is invalidated, and is asked for',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const kept = await mountKept(stage)
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    expect(kept.reader.current()).toEqual({ state: 'fallback' })
    expect(shown(kept.state)).toMatchObject({ data: undefined, loading: true })
    server.release()
    await settle()
    isNewer(stage, kept)
  },
)

scenario.everywhere('S12/kept/resetAll', 'a deleted record leaves the screen with a reset', async (stage) => {
  const { controller, server, settle } = stage
  const kept = await mountKept(stage)
  controller.resetAll()
  await settle()
  expect(kept.reader.current()).toEqual({ state: 'fallback' })
  server.release()
  await settle()
  isNewer(stage, kept)
})

scenario.everywhere(
  'S12/kept/new reader',
  'a reader that comes after the deletion suspends and asks, and those that kept the record show the response',
  async (stage) => {
    const { api, mount, server, settle } = stage
    const kept = await mountKept(stage)
    const later = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(later.current()).toEqual({ state: 'fallback' })
    expect(shown(kept.reader)).toMatchObject({ title: 'Todo 5' })
    server.release()
    await settle()
    isNewer(stage, kept)
    expect(shown(later)).toBe(shown(kept.reader))
  },
)

scenario.everywhere(
  'S12/kept/shown again',
  'a reader that was hidden meanwhile, or moved on and came back, asks for the deleted record',
  async (stage) => {
    const { server, settle } = stage
    const kept = await mountKept(stage)
    await kept.reader.change({ id: 6 })
    await settle()
    await kept.reader.change({ id: 5 })
    await settle()
    expect(kept.reader.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(kept.reader)).toMatchObject({ title: 'Newer' })
    expect(reads(stage)).toEqual(['GET /todo/6', route])
  },
)

scenario.everywhere(
  'S12/kept/hidden',
  'a reader that is hidden and shown after its record was deleted asks for it',
  async (stage) => {
    const { server, settle } = stage
    const { reader } = await mountKept(stage)
    await reader.hide()
    await settle()
    await reader.show()
    await settle()
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Newer' })
    expect(reads(stage)).toEqual([route])
  },
)

scenario('S12/kept/back', 'a record that is made again is shown, without a request', async (stage) => {
  const { api, controller, server, settle } = stage
  const { reader, state } = await mountKept(stage)
  server.route('PUT /todo/5', todoFields(5, { title: 'Again' }))
  await controller.fetch(api.todo.update, { id: 5 }, { title: 'Again' })
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Again' })
  expect(shown(state)).toMatchObject({ data: { title: 'Again' } })
  expect(reads(stage)).toEqual([])
})

scenario(
  'S12/kept/refetchStale',
  'what makes readers look at the clock sends no request for a deleted record',
  async (stage) => {
    const { controller, pass } = stage
    const { reader } = await mountKept(stage)
    await pass(20 * 60_000)
    controller.refetchStale()
    await pass(1000)
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(reads(stage)).toEqual([])
  },
)

scenario(
  'S12/kept/failed',
  'a delete that fails leaves the object on screen that was there',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    const cached = await mount('useCache', api.todo.get, { id: 5 })
    await settle()
    const todo = shown(reader)
    const { renders } = reader
    server.hold(deletion)
    server.route(deletion, reply.status(500))
    const deleting = controller.fetch(api.hopeful.delete, { id: 5 }).catch(() => 'failed')
    await settle()
    expect([shown(reader), shown(cached)]).toEqual([todo, undefined])
    server.release()
    await deleting
    await settle()
    expect(shown(reader)).toBe(todo)
    expect(shown(cached)).toBe(todo)
    expect(reader.renders).toBe(renders)
    expect(reads(stage)).toEqual([route])
  },
)
