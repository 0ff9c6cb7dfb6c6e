import { expect } from 'vitest'
import { Todo, todoFields } from '../fixtures.js'
import { reply } from '../server.js'
import { scenario, shown, shownError } from '../suite.js'

const route = 'GET /todo/5'
const isLogged = { isLogged: true } as const

scenario.everywhere(
  '7/rule 1',
  'an error reaches the boundary around the reader, and no other',
  async ({ api, mount, server, settle }) => {
    server.route(route, reply.status(404, { message: 'no such todo' }))
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    const other = await mount('useSuspense', api.todo.get, { id: 6 })
    await settle()
    expect(shownError(reader)).toMatchObject({ status: 404, body: { message: 'no such todo' } })
    expect(shown(other)).toMatchObject({ id: 6 })
    expect(server.requests).toEqual([route, 'GET /todo/6'])
  },
  isLogged,
)

scenario.onReact18(
  '7/rule 5',
  'useCache shows undefined for a call that failed',
  async ({ api, controller, mount, server, settle }) => {
    server.route(route, reply.status(404, {}))
    const reader = await mount('useCache', api.todo.get, { id: 5 })
    await expect(controller.fetch(api.todo.get, { id: 5 })).rejects.toMatchObject({ status: 404 })
    await settle()
    expect(reader.current()).toEqual({ state: 'ready', data: undefined })
    expect(server.requests).toEqual([route])
  },
)

scenario.onReact18(
  'F13',
  'useFetch of a call that fails shows no error and rejects for nobody',
  async ({ api, controller, mount, server, settle }) => {
    server.route(route, reply.status(404, {}))
    const reader = await mount('useFetch', api.todo.get, { id: 5 })
    await settle()
    await reader.rerender()
    expect(reader.current().state).toBe('ready')
    expect(controller.read(api.todo.get, { id: 5 }).error).toMatchObject({ status: 404 })
    expect(server.requests).toEqual([route])
  },
)

scenario.everywhere(
  'B5',
  'the reset of a boundary fetches again and does not throw the old error',
  async ({ api, mount, server, settle }) => {
    server.route(route, reply.status(500, {}))
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    shownError(reader)
    server.route(route, todoFields(5))
    server.hold(route)
    await reader.reset()
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    expect(server.requests).toEqual([route, route])
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toEqual([route, route])
  },
  isLogged,
)

scenario.onReact18(
  'B5/fails again',
  'a reset whose fetch fails shows the new error, and can be tried again',
  async ({ api, mount, server, settle }) => {
    server.route(route, reply.status(500, {}))
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    server.route(route, reply.status(503, {}))
    await reader.reset()
    await settle()
    expect(shownError(reader)).toMatchObject({ status: 503 })
    server.route(route, todoFields(5))
    await reader.reset()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toEqual([route, route, route])
  },
  isLogged,
)

scenario.everywhere(
  'B5/two boundaries',
  'two boundaries that show one error are reset with one request',
  async ({ api, mount, server, settle }) => {
    server.route(route, reply.status(500, {}))
    const first = await mount('useSuspense', api.todo.get, { id: 5 })
    const second = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    shownError(first)
    shownError(second)
    server.route(route, todoFields(5))
    await first.reset()
    await settle()
    await second.reset()
    await settle()
    expect(shown(first)).toMatchObject({ title: 'Todo 5' })
    expect(shown(second)).toBe(shown(first))
    expect(server.requests).toEqual([route, route])
  },
  isLogged,
)

scenario.onReact18('F1/soft', 'an error that may pass leaves Stale data on screen', async (stage) => {
  const { api, controller, mount, pass, server, settle } = stage
  await controller.fetch(api.todo.get, { id: 5 })
  await pass(60_000)
  server.route(route, reply.status(500, {}))
  const reader = await mount('useSuspense', api.todo.get, { id: 5 })
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
  expect(controller.read(api.todo.get, { id: 5 }).error).toMatchObject({ status: 500 })
  expect(reader.fallbacks).toBe(0)
  expect(server.requests).toEqual([route, route])
})

scenario.everywhere(
  'F1/hard',
  'a 4xx sent by the server replaces Stale data',
  async ({ api, controller, mount, pass, server, settle }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    await pass(60_000)
    server.route(route, reply.status(404, {}))
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(shownError(reader)).toMatchObject({ status: 404 })
    expect(server.requests).toEqual([route, route])
    server.route(route, todoFields(5, { title: 'Back' }))
    await reader.reset()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Back' })
    expect(server.requests).toEqual([route, route, route])
  },
  isLogged,
)

scenario.everywhere(
  'F1/mounted',
  'a hard error of a fetch that somebody else made reaches the boundary of a mounted reader',
  async ({ api, controller, mount, server, settle }) => {
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    server.route(route, reply.status(410, {}))
    await expect(controller.fetch(api.todo.get, { id: 5 })).rejects.toMatchObject({ status: 410 })
    await settle()
    expect(shownError(reader)).toMatchObject({ status: 410 })
    expect(server.requests).toEqual([route, route])
  },
  isLogged,
)

scenario.onReact18(
  'F2/within',
  'a remount within errorExpiryLength throws the stored error again',
  async ({ api, mount, pass, server, settle }) => {
    server.route(route, reply.status(500, {}))
    const first = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    const error = shownError(first)
    await first.unmount()
    await pass(999)
    const second = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(shownError(second)).toBe(error)
    expect(second.fallbacks).toBe(0)
    expect(server.requests).toEqual([route])
  },
  isLogged,
)

scenario.onReact18(
  'F2/after',
  'a remount after errorExpiryLength fetches again',
  async ({ api, mount, pass, server, settle }) => {
    server.route(route, reply.status(500, {}))
    const first = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    shownError(first)
    await first.unmount()
    await pass(1000)
    server.route(route, todoFields(5))
    const second = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(shown(second)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toEqual([route, route])
  },
  isLogged,
)

for (const hook of ['useSuspense', 'useDLE', 'useFetch'] as const) {
  scenario(
    `F2/refused/${hook}`,
    'a remount after errorExpiryLength fetches again what the server refused, although older data is Valid',
    async ({ api, controller, mount, pass, server, settle }) => {
      await controller.fetch(api.todo.get, { id: 5 })
      server.route(route, reply.status(404, {}))
      await expect(controller.fetch(api.todo.get, { id: 5 })).rejects.toMatchObject({ status: 404 })
      await pass(1000)
      server.route(route, { ...todoFields(5), title: 'Back' })
      await mount(hook, api.todo.get, { id: 5 })
      await settle()
      expect(controller.read(api.todo.get, { id: 5 }).data).toMatchObject({ title: 'Back' })
      expect(server.requests).toEqual([route, route, route])
    },
  )
}

scenario(
  'F2/refused/fetchIfStale',
  'fetchIfStale sends what the server refused, although older data is Valid',
  async ({ api, controller, server }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    server.route(route, reply.status(404, {}))
    await expect(controller.fetch(api.todo.get, { id: 5 })).rejects.toMatchObject({ status: 404 })
    server.route(route, todoFields(5))
    for (let times = 0; times < 2; times++) await controller.fetchIfStale(api.todo.get, { id: 5 })
    expect(server.requests).toEqual([route, route, route])
  },
)

scenario(
  'F2/brought',
  'a remount does not fetch what another response brought after the server had refused it',
  async ({ api, controller, mount, pass, server, settle }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    server.route(route, reply.status(404, {}))
    await expect(controller.fetch(api.todo.get, { id: 5 })).rejects.toMatchObject({ status: 404 })
    controller.set(Todo, { id: 5 }, { ...todoFields(5), title: 'Brought' })
    await pass(1000)
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Brought' })
    expect(server.requests).toEqual([route, route])
  },
)

scenario(
  'F2/unreachable',
  'a remount does not fetch Valid data of which a newer request failed with a soft error',
  async ({ api, controller, mount, pass, server, settle }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    server.route(route, reply.status(500, {}))
    await expect(controller.fetch(api.todo.get, { id: 5 })).rejects.toMatchObject({ status: 500 })
    await pass(1000)
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toEqual([route, route])
  },
)

for (const hook of ['useSuspense', 'useFetch'] as const) {
  scenario.onReact18(
    `F24/${hook}`,
    'a call that failed is asked for once per expiry, and never once per render',
    async ({ api, mount, pass, server, settle }) => {
      server.route(route, reply.status(500, {}))
      const first = await mount(hook, api.todo.get, { id: 5 })
      await settle()
      for (const ms of [0, 500, 2000, 2000]) {
        await pass(ms)
        await first.rerender()
        await settle()
      }
      expect(server.requests).toEqual([route])
      await first.unmount()
      const second = await mount(hook, api.todo.get, { id: 5 })
      await settle()
      await second.rerender()
      await settle()
      expect(server.requests).toEqual([route, route])
    },
    isLogged,
  )
}

scenario.onReact18(
  'F24/invalidate',
  'invalidating a call that failed clears its error',
  async ({ api, controller, mount, server, settle }) => {
    server.route(route, reply.status(500, {}))
    await controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
    controller.invalidate(api.todo.get, { id: 5 })
    expect(controller.read(api.todo.get, { id: 5 }).error).toBeUndefined()
    server.route(route, todoFields(5))
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toEqual([route, route])
  },
)

scenario.onReact18(
  'F24/length 0',
  'an error with errorExpiryLength 0 is shown, and not fetched again without end',
  async ({ api, mount, pass, server, settle }) => {
    server.route(route, reply.status(500, {}))
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    await reader.rerender()
    await pass(10)
    shownError(reader)
    expect(server.requests).toEqual([route])
  },
  { ...isLogged, controller: { errorExpiryLength: 0 } },
)

const oddRejections: readonly (readonly [name: string, thrown: unknown])[] = [
  ['a string', 'out of order'],
  ['null', null],
  ['undefined', undefined],
  ['an object', { reason: 'none' }],
  ['an error without status', new Error('no status')],
]

for (const [name, thrown] of oddRejections) {
  scenario.onReact18(
    `B6/${name}`,
    'a rejection of any kind is shown as an error, and is not fetched again',
    async ({ api, mount, pass, server, settle }) => {
      server.route('greet 5', reply.rejection(thrown))
      const reader = await mount('useSuspense', api.greet, { id: 5 })
      await settle()
      await reader.rerender()
      await pass(5000)
      const error = shownError(reader)
      expect(error).toBeInstanceOf(Error)
      if (thrown instanceof Error) expect(error).toBe(thrown)
      else expect((error as Error).cause).toBe(thrown)
      expect(server.requests).toEqual(['greet 5'])
    },
    isLogged,
  )
}

scenario.onReact18(
  'E8',
  'an empty answer where a record is read is an error that says so',
  async ({ api, mount, server, settle }) => {
    server.route(route, reply.status(204))
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(shownError(reader)).toMatchObject({ code: 'payload-unusable', status: 400 })
    expect(server.requests).toEqual([route])
  },
  isLogged,
)

scenario.onReact18(
  'E9',
  'HTML with status 200 is an error with status 400 that names address and content type',
  async ({ api, mount, server, settle }) => {
    server.route(route, reply.html())
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    const error = shownError(reader) as Error
    expect(error).toMatchObject({ status: 400 })
    expect(error.message).toContain('/todo/5')
    expect(error.message).toContain('text/html')
    expect(server.requests).toEqual([route])
  },
  isLogged,
)

scenario.onReact18('E9/Stale', 'HTML with status 200 does not replace data that is there', async (stage) => {
  const { api, controller, mount, pass, server, settle } = stage
  await controller.fetch(api.todo.get, { id: 5 })
  await pass(60_000)
  server.route(route, reply.html())
  const reader = await mount('useSuspense', api.todo.get, { id: 5 })
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
  expect(controller.read(api.todo.get, { id: 5 }).error).toMatchObject({ status: 400 })
  expect(server.requests).toEqual([route, route])
})

scenario.everywhere(
  'E10',
  'no network is an error without status, and leaves data that is there',
  async ({ api, controller, mount, server, settle, pass }) => {
    server.route(route, reply.offline())
    const first = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(shownError(first)).toMatchObject({ name: 'NetworkError', status: undefined })
    server.route('GET /todo/6', todoFields(6))
    await controller.fetch(api.todo.get, { id: 6 })
    await pass(60_000)
    server.route('GET /todo/6', reply.offline())
    const second = await mount('useSuspense', api.todo.get, { id: 6 })
    await settle()
    expect(shown(second)).toMatchObject({ id: 6 })
    expect(server.requests).toEqual([route, 'GET /todo/6', 'GET /todo/6'])
  },
  isLogged,
)

scenario.onReact18(
  'S1',
  'an answer with a record that has no primary key is an error, and nothing of it is stored',
  async ({ api, controller, mount, server, settle }) => {
    server.route('GET /todo', [todoFields(5), { title: 'Without id' }])
    const reader = await mount('useSuspense', api.todo.getList)
    await settle()
    expect(shownError(reader)).toMatchObject({ code: 'pk-missing' })
    expect(controller.get(api.todo.get.schema, { id: 5 })).toBeUndefined()
    expect(server.requests).toEqual(['GET /todo'])
  },
  isLogged,
)

scenario.onReact18(
  'S14/unusable',
  'an answer that the class cannot use is an error, and is not fetched again',
  async ({ api, mount, pass, server, settle }) => {
    server.route('GET /article', [{ id: 1, title: 'Summary 1' }])
    server.route('GET /article/1', { id: 1, title: 'Still a summary' })
    const list = await mount('useSuspense', api.summaries)
    await settle()
    const reader = await mount('useSuspense', api.article.get, { id: 1 })
    await settle()
    await reader.rerender()
    await pass(5000)
    expect((shownError(reader) as Error).message).toContain('content is missing')
    expect(shown(list)).toMatchObject([{ title: 'Summary 1' }])
    expect(server.requests).toEqual(['GET /article', 'GET /article/1'])
  },
  isLogged,
)
