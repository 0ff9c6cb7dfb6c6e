import { schema } from '@selfsame/core'
import type { StreamSink } from '@selfsame/core'
import { expect } from 'vitest'
import { Todo, todoFields } from '../fixtures.js'
import { listenersOf, retainersOf, scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

const route = 'GET /todo/5'

scenario.onReact18(
  'F16',
  'a reader that unmounts during its request and mounts again shares it',
  async (stage) => {
    const { api, mount, server, settle } = stage
    server.hold(route)
    const first = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    await first.unmount()
    const second = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(first.current()).toEqual({ state: 'gone' })
    expect(second.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(second)).toMatchObject({ id: 5 })
    expect(server.requests).toEqual([route])
  },
)

scenario.everywhere(
  'F16/shared',
  'a reader goes on waiting when another of the same call unmounts',
  async (stage) => {
    const { api, mount, server, settle } = stage
    server.hold(route)
    const first = await mount('useSuspense', api.todo.get, { id: 5 })
    const second = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    await first.unmount()
    server.release()
    await settle()
    expect(shown(second)).toMatchObject({ id: 5 })
    expect(server.requests).toEqual([route])
  },
)

scenario.everywhere('F16/given up', 'a reader that unmounts during its request stays away', async (stage) => {
  const { api, mount, server, settle } = stage
  server.hold(route)
  const reader = await mount('useSuspense', api.todo.get, { id: 5 })
  await settle()
  await reader.unmount()
  await settle()
  server.release()
  await settle()
  expect(reader.current()).toEqual({ state: 'gone' })
  expect(server.requests).toEqual([route])
})

scenario.onReact18('G6', 'an unmounted reader leaves no listener and keeps nothing', async (stage) => {
  const { api, controller, mount, settle } = stage
  const readers = [
    await mount('useSuspense', api.todo.get, { id: 5 }),
    await mount('useCache', api.todo.get, { id: 5 }),
    await mount('useFetch', api.todo.get, { id: 5 }),
    await mount('useSuspense', api.wrapped, { id: 5 }),
  ]
  await settle()
  expect(listenersOf(controller)).toBeGreaterThan(0)
  for (const reader of readers) await reader.change(null)
  await settle()
  expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
  for (const reader of readers) await reader.change({ id: 5 })
  await settle()
  for (const reader of readers) await reader.unmount()
  await settle()
  expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
})

scenario.everywhere('G6/mounted', 'what is on screen is never collected', async (stage) => {
  const { api, controller, mount, pass, server, settle } = stage
  const reader = await mount('useSuspense', api.article.get, { id: 1 })
  const cached = await mount('useCache', api.article.get, { id: 1 })
  await settle()
  const data = shown(reader)
  await pass(3_600_000)
  await pass(3_600_000)
  expect(shown(reader)).toBe(data)
  controller.set(api.user.get.schema, { id: 1 }, { name: 'Ada' })
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Article 1', author: { name: 'Ada' } })
  expect(shown(cached)).toBe(shown(reader))
  expect(server.requests).toEqual(['GET /article/1'])
})

scenario.onReact18(
  'G6/collected',
  'what nobody shows is forgotten after its time, and fetched again',
  async (stage) => {
    const { api, mount, pass, server, settle } = stage
    const first = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    await first.unmount()
    await pass(3_600_000)
    await pass(3_600_000)
    server.hold(route)
    const second = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(second.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(second)).toMatchObject({ id: 5 })
    expect(server.requests).toEqual([route, route])
  },
)

scenario.everywhere(
  'B9',
  'a hidden subtree listens to nothing, and catches up when it is shown',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    const { fallbacks } = reader
    await reader.hide()
    await settle()
    expect(reader.current()).toEqual({ state: 'gone' })
    expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
    controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed meanwhile' })
    await settle()
    await reader.show()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Changed meanwhile' })
    controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed afterwards' })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Changed afterwards' })
    expect(reader.fallbacks).toBe(fallbacks)
    expect(server.requests).toEqual([route])
  },
)

scenario.everywhere(
  'B9/invalidate',
  'a hidden reader whose call is invalidated fetches when it is shown',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    await reader.hide()
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    expect(server.requests).toEqual([route])
    server.route(route, todoFields(5, { title: 'Newer' }))
    await reader.show()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Newer' })
    expect(server.requests).toEqual([route, route])
  },
)

scenario.everywhere('B9/Stale', 'a reader that comes back on screen looks at the clock', async (stage) => {
  const { api, mount, pass, server, settle } = stage
  const reader = await mount('useSuspense', api.todo.get, { id: 5 })
  await settle()
  const { fallbacks } = reader
  await reader.hide()
  await pass(60_000)
  expect(server.requests).toEqual([route])
  server.route(route, todoFields(5, { title: 'Newer' }))
  await reader.show()
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Newer' })
  await reader.rerender()
  await settle()
  expect(reader.fallbacks).toBe(fallbacks)
  expect(server.requests).toEqual([route, route])
})

scenario.everywhere(
  'B9/Valid',
  'a reader that comes back on screen with Valid data fetches nothing',
  async (stage) => {
    const { api, mount, pass, server, settle } = stage
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    const fetching = await mount('useFetch', api.todo.get, { id: 6 })
    await settle()
    const data = shown(reader)
    await reader.hide()
    await fetching.hide()
    await pass(10_000)
    await reader.show()
    await fetching.show()
    await settle()
    expect(shown(reader)).toBe(data)
    expect(server.requests).toEqual([route, 'GET /todo/6'])
  },
)

scenario.everywhere('B9/useCache', 'a hidden useCache catches up when it is shown', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const reader = await mount('useCache', api.todo.get, { id: 5 })
  await reader.hide()
  await controller.fetch(api.todo.get, { id: 5 })
  await settle()
  await reader.show()
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
  expect(server.requests).toEqual([route])
})

for (const name of ['shortLived', 'shortLivedList'] as const) {
  const address = name === 'shortLived' ? route : 'GET /todo'
  const args = name === 'shortLived' ? [{ id: 5 }] : []
  scenario.everywhere(
    `F15/${name}`,
    'dataExpiryLength 0 fetches once for a waiting reader, and again for each mount',
    async ({ api, mount, pass, server, settle }) => {
      server.hold(address)
      const first = await mount('useSuspense', api[name], ...args)
      await settle()
      server.release()
      await settle()
      const data = shown(first)
      await first.rerender()
      await pass(10)
      expect(first.fallbacks).toBe(1)
      expect(server.requests).toEqual([address])
      await first.unmount()
      const second = await mount('useSuspense', api[name], ...args)
      await settle()
      expect(shown(second)).toBe(data)
      expect(second.fallbacks).toBe(0)
      expect(server.requests).toEqual([address, address])
    },
  )
}

scenario.everywhere(
  'F15/readers',
  'dataExpiryLength 0 with readers that wait together makes one request',
  async (stage) => {
    const { api, mount, server, settle } = stage
    server.hold(route)
    const first = await mount('useSuspense', api.shortLived, { id: 5 })
    const second = await mount('useSuspense', api.shortLived, { id: 5 })
    await settle()
    server.release()
    await settle()
    expect(shown(first)).toBe(shown(second))
    expect(server.requests).toEqual([route])
  },
)

scenario.everywhere(
  'F15/invalidIfStale',
  'a waiting reader of a call that is Invalid as soon as it is there shows it',
  async ({ api, mount, pass, server, settle }) => {
    const reader = await mount('useSuspense', api.freshOnly, { id: 5 })
    await settle()
    await reader.rerender()
    await pass(10)
    expect(shown(reader)).toMatchObject({ id: 5 })
    expect(server.requests).toEqual([route])
  },
  { controller: { dataExpiryLength: 0 } },
)

scenario.inChromium(
  'F9',
  'code that awaits a delete and leaves sees no fallback, and causes no request',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    await controller.fetch(api.todo.getList)
    const list = await mount('useSuspense', api.todo.getList)
    const detail = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    await controller.fetch(api.todo.delete, { id: 5 })
    const seen = detail.fallbacks
    await detail.unmount()
    await settle()
    expect(seen).toBe(0)
    expect(detail.fallbacks).toBe(0)
    expect(shown(list)).toMatchObject([{ id: 6 }])
    expect(server.requests).toEqual(['GET /todo', 'DELETE /todo/5'])
  },
)

scenario.everywhere(
  'F9/arguments',
  'code that awaits a delete and moves the reader on sees no fallback',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    await controller.fetch(api.todo.getList)
    const detail = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    await controller.fetch(api.todo.delete, { id: 5 })
    await detail.change({ id: 6 })
    await settle()
    expect(shown(detail)).toMatchObject({ id: 6 })
    expect(detail.fallbacks).toBe(0)
    expect(server.requests).toEqual(['GET /todo', 'DELETE /todo/5'])
  },
)

/** Mounts the list of all, by `useSuspense`, on a stream whose messages the scenario sends. */
async function mountLiveList({ api, controller, mount }: Stage) {
  const live: { sink?: StreamSink } = {}
  const stream = (opened: StreamSink) => {
    live.sink = opened
    return () => {}
  }
  await controller.fetch(api.todo.getList)
  await mount('useSubscription', api.todo.getList.extend({ stream }))
  return { live, list: await mount('useSuspense', api.todo.getList) }
}

/** Ways in which a record is deleted without a mutation that the page awaits. */
const deletedElsewhere: Readonly<Record<string, (stage: Stage, sink: StreamSink | undefined) => void>> = {
  'a message': (_stage, sink) => sink?.set(new schema.Delete(Todo), { id: 5 }, {}),
  set: ({ controller }) => controller.set(new schema.Delete(Todo), { id: 5 }, {}),
  setResponse: ({ api, controller }) => controller.setResponse(api.todo.delete, { id: 5 }, { id: 5 }),
  'a batch': ({ api, controller }) =>
    controller.batch(() => {
      controller.set(Todo, { id: 6 }, { title: 'Written beside it' })
      controller.set(new schema.Delete(Todo), { id: 5 }, {})
      controller.expireAll(api.user.getList)
      controller.set(Todo, { id: 6 }, { title: 'Written after it' })
    }),
}

for (const [what, remove] of Object.entries(deletedElsewhere))
  scenario.everywhere(
    `F9/elsewhere/${what}`,
    'a detail whose record is deleted elsewhere can leave with its list: it sees no fallback, and causes no request',
    async (stage) => {
      const { api, app, controller, mount, server, settle } = stage
      const { live, list } = await mountLiveList(stage)
      const leaving = await mount('useSuspense', api.todo.get, { id: 5 })
      const staying = await mount('useCache', api.todo.get, { id: 5 })
      await settle()
      remove(stage, live.sink)
      // The scenario's clock does not advance meanwhile.
      await app.settle()
      expect(shown(list)).toMatchObject([{ id: 6 }])
      expect(shown(leaving)).toMatchObject({ id: 5 })
      expect(controller.read(api.todo.get, { id: 5 })).toMatchObject({ data: undefined, status: 'Invalid' })
      await leaving.unmount()
      await settle()
      expect(leaving.fallbacks).toBe(0)
      expect(shown(staying)).toBeUndefined()
      expect(server.requests).toEqual(['GET /todo'])
    },
  )

for (const [what, remove] of Object.entries(deletedElsewhere))
  scenario.everywhere(
    `F9/echo/${what}`,
    'the response to a delete that the page knows already causes no request',
    async (stage) => {
      const { api, app, controller, mount, server, settle } = stage
      const { live, list } = await mountLiveList(stage)
      const ofUser = await mount('useSuspense', api.todo.getList, { userId: 1 })
      const leaving = await mount('useSuspense', api.todo.get, { id: 5 })
      await settle()
      server.hold('DELETE /todo/5')
      const deleting = controller.fetch(api.todo.delete, { id: 5 })
      await settle()
      remove(stage, live.sink)
      server.release()
      await deleting
      // The scenario's clock does not advance meanwhile.
      await app.settle()
      await leaving.unmount()
      await settle()
      for (const reader of [list, ofUser]) expect(shown(reader)).toMatchObject([{ id: 6 }])
      expect(leaving.fallbacks).toBe(0)
      expect(server.requests).toEqual(['GET /todo', 'GET /todo?userId=1', 'DELETE /todo/5'])
    },
  )

scenario(
  'F9/echo/made since',
  'the response to a delete asks for the list if a later PUT made the record, which a message says is deleted',
  async (stage) => {
    const { api, controller, server, settle } = stage
    server.route('PUT /todo/5', todoFields(5, { title: 'Made' }))
    const { live, list } = await mountLiveList(stage)
    await settle()
    server.hold('DELETE /todo/5', 'PUT /todo/5')
    const deleting = controller.fetch(api.todo.delete, { id: 5 })
    const making = controller.fetch(api.todo.update, { id: 5 }, { title: 'Made' })
    await settle()
    server.release('PUT /todo/5')
    await making
    live.sink?.set(new schema.Delete(Todo), { id: 5 }, {})
    await settle()
    expect(shown(list)).toMatchObject([{ id: 6 }])
    server.release()
    await deleting
    await settle()
    expect(server.requests).toEqual(['GET /todo', 'DELETE /todo/5', 'PUT /todo/5', 'GET /todo'])
  },
)

/** What a batch does before it brings a record and deletes it. */
const before: Readonly<Record<string, (stage: Stage) => void>> = {
  nothing: () => {},
  'a mutation': ({ api, controller }) =>
    controller.setResponse(api.todo.partialUpdate, { id: 6 }, { done: true } as never, todoFields(6)),
  'a deletion by a mutation': ({ api, controller }) =>
    controller.setResponse(api.todo.delete, { id: 5 }, { id: 5 }),
  'another deletion': ({ controller }) => controller.set(new schema.Delete(Todo), { id: 5 }, {}),
}

for (const [what, begin] of Object.entries(before))
  scenario.everywhere(
    `F9/brought and deleted/after ${what}`,
    'what one batch brings and deletes is shown to nobody, whichever way it is deleted',
    async (stage) => {
      const { api, controller, mount, settle } = stage
      await controller.fetch(api.todo.getList)
      const reader = await mount('useCache', api.todo.get, { id: 7 })
      await settle()
      const { renders } = reader
      const removals = [
        () => controller.set(new schema.Delete(Todo), { id: 7 }, {}),
        () => controller.setResponse(api.todo.delete, { id: 7 }, { id: 7 }),
      ]
      for (const remove of removals) {
        controller.batch(() => {
          begin(stage)
          controller.set(Todo, { id: 7 }, { title: 'Brought' })
          expect(controller.read(api.todo.get, { id: 7 }).data).toMatchObject({ title: 'Brought' })
          remove()
        })
        await settle()
        expect(shown(reader)).toBeUndefined()
      }
      expect(reader.renders).toBe(renders)
    },
  )

scenario.everywhere(
  'F9/everybody else',
  'a delete shows at once in lists, and in the detail a macrotask later',
  async (stage) => {
    const { api, app, controller, mount, server, settle } = stage
    await controller.fetch(api.todo.getList)
    const list = await mount('useSuspense', api.todo.getList)
    const detail = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    server.hold(route)
    await controller.fetch(api.todo.delete, { id: 5 })
    // The scenario's clock does not advance meanwhile.
    await app.settle()
    expect(shown(list)).toMatchObject([{ id: 6 }])
    expect(shown(detail)).toMatchObject({ id: 5 })
    await settle()
    expect(detail.current()).toEqual({ state: 'fallback' })
    expect(server.requests).toEqual(['GET /todo', 'DELETE /todo/5', route])
  },
)
