import { Query, schema, withOptions } from '@selfsame/core'
import type { CallState, CallStatus, Controller, EndpointLike } from '@selfsame/core'
import { expect, onTestFinished, vi } from 'vitest'
import type { ReadHook, Reader } from '../contract.js'
import { Todo, todoFields } from '../fixtures.js'
import type { Api } from '../fixtures.js'
import { reply } from '../server.js'
import { scenario, shown } from '../suite.js'

const route = 'GET /todo/5'
const other = 'GET /todo/6'

const keeping = <E extends EndpointLike>(endpoint: E): E => withOptions(endpoint, { keepPrevious: true })

/** The title that a reader shows. */
const titleOf = (reader: Reader) => {
  const value = shown(reader) as { readonly data?: Todo; readonly title?: string }
  return 'loading' in value ? value.data?.title : value.title
}

for (const hook of ['useSuspense', 'useDLE', 'useLive'] as const) {
  scenario(
    `keepPrevious/${hook}`,
    `${hook} shows the last data while other arguments load, and does not suspend`,
    async ({ api, mount, server, settle }) => {
      // Without a pause, nothing is fetched by itself.
      const endpoint = keeping(api.todo.get.extend({ pollFrequency: 1_000_000 }))
      const reader = await mount(hook, endpoint, { id: 5 })
      await settle()
      expect(titleOf(reader)).toBe('Todo 5')
      const { fallbacks } = reader
      const status = await mount('useStatus', endpoint, { id: 6 })
      server.hold(other)
      await reader.change({ id: 6 })
      await settle()
      expect(titleOf(reader)).toBe('Todo 5')
      expect(shown(status) as CallStatus).toMatchObject({ fetching: true, updatedAt: undefined })
      server.release()
      await settle()
      expect(titleOf(reader)).toBe('Todo 6')
      expect(reader.fallbacks).toBe(fallbacks)
      expect(server.requests).toEqual([route, other])
    },
  )
}

scenario(
  'keepPrevious/first',
  'without earlier data a reader that keeps it suspends as always',
  async ({ api, mount, server, settle }) => {
    server.hold(route)
    const reader = await mount('useSuspense', keeping(api.todo.get), { id: 5 })
    expect(reader.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(titleOf(reader)).toBe('Todo 5')
  },
)

const drops: Readonly<Record<string, (controller: Controller, api: Api) => void>> = {
  reset: (controller) => controller.resetAll(),
  invalidation: (controller, api) => controller.invalidate(api.todo.get, { id: 5 }),
  delete: (controller) => controller.set(new schema.Delete(Todo), { id: 5 }, {}),
}

for (const [what, change] of Object.entries(drops)) {
  scenario(
    `keepPrevious/${what}`,
    `after a ${what} nothing earlier is kept`,
    async ({ api, controller, mount, server, settle }) => {
      const reader = await mount('useSuspense', keeping(api.todo.get), { id: 5 })
      const state = await mount('useDLE', keeping(api.todo.get), { id: 5 })
      await settle()
      server.hold(route, other)
      await reader.change({ id: 6 })
      await state.change({ id: 6 })
      expect(titleOf(reader)).toBe('Todo 5')
      change(controller, api)
      await settle()
      expect(reader.current()).toEqual({ state: 'fallback' })
      expect(shown(state)).toMatchObject({ data: undefined, loading: true })
      server.release()
      await settle()
      expect(titleOf(reader)).toBe('Todo 6')
      expect(titleOf(state)).toBe('Todo 6')
    },
  )
}

scenario(
  'keepPrevious/changed',
  'data that is kept is that of the cache: a write to its record is shown',
  async ({ api, controller, mount, server, settle }) => {
    const reader = await mount('useSuspense', keeping(api.todo.get), { id: 5 })
    await settle()
    server.hold(other)
    await reader.change({ id: 6 })
    controller.set(Todo, { id: 5 }, { title: 'Renamed' })
    await settle()
    expect(titleOf(reader)).toBe('Renamed')
    server.release()
    await settle()
    expect(titleOf(reader)).toBe('Todo 6')
  },
)

scenario(
  'keepPrevious/twice',
  'other arguments before the answer keep the data that is on screen',
  async ({ api, mount, server, settle }) => {
    server.route('GET /todo/7', todoFields(7))
    const reader = await mount('useSuspense', keeping(api.todo.get), { id: 5 })
    await settle()
    server.hold(other, 'GET /todo/7')
    await reader.change({ id: 6 })
    await reader.change({ id: 7 })
    await settle()
    expect(titleOf(reader)).toBe('Todo 5')
    server.release()
    await settle()
    expect(titleOf(reader)).toBe('Todo 7')
  },
)

scenario(
  'keepPrevious/error',
  'an error of the new arguments is shown alone',
  async ({ api, mount, server, settle }) => {
    const reader = await mount('useSuspense', keeping(api.todo.get), { id: 5 })
    await settle()
    server.route(other, reply.status(404))
    await reader.change({ id: 6 })
    await settle()
    expect(reader.current()).toMatchObject({ state: 'error', error: { status: 404 } })
  },
  { isLogged: true },
)

scenario(
  'keepPrevious/useCache',
  'useCache keeps the last data while the call of other arguments is fetched',
  async ({ api, controller, mount, server, settle }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    const reader = await mount('useCache', keeping(api.todo.get), { id: 5 })
    server.hold(other)
    const fetched = controller.fetch(api.todo.get, { id: 6 })
    await reader.change({ id: 6 })
    await settle()
    expect(titleOf(reader)).toBe('Todo 5')
    server.release()
    await fetched
    await settle()
    expect(titleOf(reader)).toBe('Todo 6')
    await reader.change({ id: 7 })
    expect(shown(reader)).toBeUndefined()
  },
)

scenario(
  'keepPrevious/useInfinite',
  'useInfinite keeps the list of the params before, without a further page',
  async ({ api, mount, server, settle }) => {
    server.route('GET /todo?userId=1', [todoFields(5)])
    server.route('GET /todo?userId=2', [todoFields(6)])
    const byLast = { next: (todos: readonly Todo[]) => ({ cursor: todos.at(-1)?.id }) }
    const reader = await mount('useInfinite', keeping(api.todo.getList), { userId: 1 }, byLast)
    await settle()
    server.hold('GET /todo?userId=2')
    await reader.change({ userId: 2 }, byLast)
    await settle()
    expect(shown(reader)).toMatchObject({ data: [{ id: 5 }], isLast: true, hasNext: false, fetching: true })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ data: [{ id: 6 }], isLast: false, hasNext: true, fetching: false })
  },
)

scenario(
  'options/same',
  'an endpoint with options is the same call: equal data, one request, nothing asked for in further renders',
  async ({ api, mount, server, settle }) => {
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    const second = await mount('useSuspense', withOptions(api.todo.get, { name: 'detail' }), { id: 5 })
    await settle()
    expect(shown(second)).toBe(shown(reader))
    await second.changeEndpoint(withOptions(api.todo.get, { name: 'other', keepPrevious: true }), { id: 5 })
    await second.changeEndpoint(api.todo.get, { id: 5 })
    await settle()
    expect(shown(second)).toBe(shown(reader))
    expect(second.fallbacks).toBeLessThanOrEqual(1)
    expect(server.requests).toEqual([route])
  },
)

scenario(
  'options/Query',
  'a Query and an Entity take options too, and go on reading',
  async ({ api, controller, mount, settle }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    const titles = new Query(new schema.All(Todo), (todos: readonly Todo[]) =>
      todos.map(({ title }) => title),
    )
    const reader = await mount('useQuery', withOptions(titles, { name: 'titles' }))
    const todo = await mount('useQuery', withOptions(Todo, { keepPrevious: true }), { id: 5 })
    await settle()
    expect(shown(reader)).toEqual(['Todo 5'])
    expect(shown(todo)).toMatchObject({ id: 5 })
    await todo.change({ id: 6 })
    expect(shown(todo)).toMatchObject({ id: 5 })
    await controller.fetch(api.todo.get, { id: 6 })
    await settle()
    expect(shown(todo)).toMatchObject({ id: 6 })
  },
)

for (const hook of ['useSuspense', 'useDLE'] as const satisfies readonly ReadHook[]) {
  scenario(
    `options/interval/${hook}`,
    `an interval of one reader of ${hook} fetches while it is on screen, and rests while the page is hidden`,
    async ({ api, mount, pass, server, settle }) => {
      const endpoint = withOptions(api.todo.get, { interval: 5000 })
      const reader = await mount(hook, endpoint, { id: 5 })
      await mount('useCache', withOptions(api.todo.get, { interval: 1000 }), { id: 5 })
      await settle()
      expect(server.requests).toEqual([route])
      await pass(4999)
      expect(server.requests).toEqual([route])
      await pass(1)
      expect(server.requests).toEqual([route, route])
      const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
      onTestFinished(() => state.mockRestore())
      await pass(5000)
      await pass(5000)
      expect(server.requests).toHaveLength(2)
      state.mockReturnValue('visible')
      document.dispatchEvent(new Event('visibilitychange'))
      await settle()
      expect(server.requests).toHaveLength(3)
      await reader.changeEndpoint(withOptions(api.todo.get, { interval: 2000 }), { id: 5 })
      await settle()
      expect(server.requests).toHaveLength(3)
      await pass(2000)
      expect(server.requests).toHaveLength(4)
      await reader.unmount()
      await pass(5000)
      expect(server.requests).toHaveLength(4)
    },
  )
}

/** How hooks are mounted with the call of an endpoint: todo 5, or the list. */
const mounts: Partial<Record<ReadHook, (endpoint: EndpointLike) => readonly [EndpointLike, ...unknown[]]>> = {
  useFetch: (endpoint) => [endpoint, { id: 5 }],
  useSelect: (endpoint) => [endpoint, { id: 5 }],
  useLast: (endpoint) => [endpoint, { id: 5 }],
  'useDLE with fetching': (endpoint) => [endpoint, { id: 5 }],
  useSuspenseAll: (endpoint) => [endpoint, [[endpoint, { id: 5 }]]],
  useDLEAll: (endpoint) => [endpoint, { todo: [endpoint, { id: 5 }] }],
  useInfinite: (endpoint) => [endpoint, {}, { next: () => {}, page: endpoint }],
}

for (const [hook, mountArgs] of Object.entries(mounts)) {
  scenario(
    `options/interval/${hook}`,
    `${hook} fetches by an interval of its call, also by one that it is given later`,
    async ({ api, mount, pass, server, settle }) => {
      const endpoint = (hook === 'useInfinite' ? api.todo.getList : api.todo.get) as EndpointLike
      const reader = await mount(hook as ReadHook, ...mountArgs(withOptions(endpoint, { interval: 5000 })))
      await settle()
      expect(server.requests).toHaveLength(1)
      await pass(4999)
      expect(server.requests).toHaveLength(1)
      await pass(1)
      expect(server.requests).toHaveLength(2)
      await reader.changeEndpoint(...mountArgs(endpoint))
      await settle()
      await pass(10_000)
      expect(server.requests).toHaveLength(2)
      // The last outcome is longer ago than that.
      await reader.changeEndpoint(...mountArgs(withOptions(endpoint, { interval: 2000 })))
      await pass(1)
      expect(server.requests).toHaveLength(3)
      await pass(1999)
      expect(server.requests).toHaveLength(3)
      await pass(1)
      expect(server.requests).toHaveLength(4)
      await reader.unmount()
      await pass(10_000)
      expect(server.requests).toHaveLength(4)
    },
  )
}

/** What a reader of one call, given by arguments, shows as its title. */
const others = {
  useSelect: { args: (_endpoint: EndpointLike, id: number) => [{ id }], title: (value: unknown) => value },
  useSuspenseAll: {
    args: (endpoint: EndpointLike, id: number) => [[[endpoint, { id }]]],
    title: (value: unknown) => (value as readonly Todo[])[0]?.title,
  },
  useDLEAll: {
    args: (endpoint: EndpointLike, id: number) => [{ todo: [endpoint, { id }] }],
    title: (value: unknown) => (value as { readonly data: { readonly todo?: Todo } }).data.todo?.title,
  },
} satisfies Partial<Record<ReadHook, unknown>>

for (const [hook, { args, title }] of Object.entries(others)) {
  scenario(
    `keepPrevious/${hook}`,
    `${hook} shows the last data of a call that keeps it, while other arguments load`,
    async ({ api, mount, server, settle }) => {
      const endpoint = keeping(api.todo.get) as EndpointLike
      const reader = await mount(hook as ReadHook, endpoint, ...args(endpoint, 5))
      await settle()
      expect(title(shown(reader))).toBe('Todo 5')
      const { fallbacks } = reader
      server.hold(other)
      await reader.change(...args(endpoint, 6))
      await settle()
      expect(title(shown(reader))).toBe('Todo 5')
      server.release()
      await settle()
      expect(title(shown(reader))).toBe('Todo 6')
      expect(reader.fallbacks).toBe(fallbacks)
    },
  )
}

scenario(
  'options/inside of others',
  'an endpoint that has options keeps those that others do not name, and takes those that they name',
  async ({ api, mount, pass, server, settle }) => {
    const inner = withOptions(api.todo.get, { interval: 5000, keepPrevious: false })
    const reader = await mount('useDLE', withOptions(inner, { keepPrevious: true }), { id: 5 })
    await settle()
    await pass(5000)
    expect(server.requests).toEqual([route, route])
    server.hold(other)
    await reader.change({ id: 6 })
    await settle()
    expect(titleOf(reader)).toBe('Todo 5')
    await reader.changeEndpoint(withOptions(inner, { interval: undefined }), { id: 5 })
    await settle()
    await pass(10_000)
    expect(server.requests).toEqual([route, route, other])
    server.release()
  },
)

for (const isAtOnce of [false, true]) {
  scenario(
    `keepPrevious/later/${isAtOnce ? 'with other arguments' : 'before other arguments'}`,
    'a reader that is told later to keep the last data keeps it',
    async ({ api, mount, server, settle }) => {
      const reader = await mount('useDLE', api.todo.get, { id: 5 })
      await settle()
      server.hold(other)
      if (!isAtOnce) await reader.changeEndpoint(keeping(api.todo.get), { id: 5 })
      await reader.changeEndpoint(keeping(api.todo.get), { id: 6 })
      await settle()
      expect(titleOf(reader)).toBe('Todo 5')
      server.release()
      await settle()
      expect(titleOf(reader)).toBe('Todo 6')
    },
  )
}

const later = {
  'an option that it had not': ({ interval }: { interval: number }) => ({ interval }),
  'other options beside it': ({ interval }: { interval: number }) => ({ keepPrevious: true, interval }),
}

for (const [what, optionsOf] of Object.entries(later)) {
  for (const hook of ['useSuspense', 'useDLE'] as const satisfies readonly ReadHook[]) {
    scenario(
      `options/interval/later/${hook}/${what}`,
      `a reader of ${hook} fetches by an interval that it is given later: ${what}`,
      async ({ api, mount, pass, server, settle }) => {
        const reader = await mount(hook, api.todo.get, { id: 5 })
        await settle()
        await reader.changeEndpoint(withOptions(api.todo.get, optionsOf({ interval: 5000 })), { id: 5 })
        await settle()
        await pass(4999)
        expect(server.requests).toEqual([route])
        await pass(1)
        expect(server.requests).toEqual([route, route])
        await reader.changeEndpoint(withOptions(api.todo.get, { name: 'detail' }), { id: 5 })
        await settle()
        await pass(10_000)
        expect(server.requests).toEqual([route, route])
        await reader.changeEndpoint(withOptions(api.todo.get, optionsOf({ interval: 2000 })), { id: 5 })
        await pass(2000)
        expect(server.requests).toEqual([route, route, route])
        await reader.unmount()
        await pass(5000)
        expect(server.requests).toHaveLength(3)
      },
    )
  }
}

scenario(
  'state/fetching',
  'useDLE tells of a request in the background by fetching, and refetch asks for what is Valid',
  async ({ api, mount, server, settle }) => {
    const reader = await mount('useDLE with fetching', api.todo.get, { id: 5 })
    await settle()
    const state = () => shown(reader) as CallState<Todo> & { fetching: boolean; refetch: () => Promise<void> }
    expect(state()).toMatchObject({ data: { id: 5 }, loading: false, fetching: false })
    server.hold(route)
    const refetched = state().refetch()
    await settle()
    expect(state()).toMatchObject({ data: { id: 5 }, loading: false, fetching: true })
    server.route(route, reply.status(500))
    server.release()
    await refetched
    await settle()
    expect(state()).toMatchObject({ fetching: false })
    expect(server.requests).toEqual([route, route])
  },
)

scenario(
  'state/fetching/unread',
  'who does not read fetching is not rendered for it',
  async ({ api, controller, mount, settle }) => {
    const reader = await mount('useDLE', api.todo.get, { id: 5 })
    await settle()
    const { renders } = reader
    await controller.fetch(api.todo.get, { id: 5 })
    await settle()
    expect(reader.renders).toBe(renders)
  },
)

for (const hook of ['useSuspense', 'useDLE'] as const) {
  scenario(
    `options/paused/${hook}`,
    `a paused reader of ${hook} keeps its data and sends no request, and fetches what is due afterwards`,
    async ({ api, controller, mount, pass, server, settle }) => {
      const endpoint = api.todo.get
      const paused = withOptions(endpoint, { paused: true, interval: 5000 })
      const reader = await mount(hook, withOptions(endpoint, { interval: 5000 }), { id: 5 })
      await settle()
      await pass(5000)
      expect(server.requests).toEqual([route, route])
      await reader.changeEndpoint(paused, { id: 5 })
      await pass(20_000)
      server.route(route, todoFields(5, { title: 'Later' }))
      controller.expireAll(api.todo.get)
      await settle()
      expect([titleOf(reader), server.requests.length]).toEqual(['Todo 5', 2])
      controller.set(Todo, { id: 5 }, { title: 'Set' })
      await settle()
      expect([titleOf(reader), server.requests.length]).toEqual(['Set', 2])
      await reader.changeEndpoint(withOptions(endpoint, { paused: false }), { id: 5 })
      await settle()
      expect([titleOf(reader), server.requests.length]).toEqual(['Later', 3])
    },
  )
}

for (const [hook, mountArgs] of Object.entries(mounts)) {
  scenario(
    `options/paused/each/${hook}`,
    `${hook} sends no request while its call is paused, and one for what is due afterwards`,
    async ({ api, controller, mount, pass, server, settle }) => {
      const read = hook === 'useInfinite' ? api.todo.getList : api.todo.get
      const endpoint = read as EndpointLike
      const reader = await mount(hook as ReadHook, ...mountArgs(endpoint))
      await settle()
      await reader.changeEndpoint(...mountArgs(withOptions(endpoint, { paused: true, interval: 2000 })))
      controller.expireAll(read)
      await settle()
      await pass(10_000)
      expect(server.requests).toHaveLength(1)
      await reader.changeEndpoint(...mountArgs(withOptions(endpoint, { paused: false })))
      await settle()
      expect(server.requests).toHaveLength(2)
    },
  )
}

for (const hook of ['useSuspense', 'useSuspenseAll'] as const)
  scenario(
    `options/paused/first/${hook}`,
    `${hook} waits while it is paused from the start, and fetches when it goes on`,
    async ({ api, mount, server, settle }) => {
      const mountArgs = mounts[hook] ?? ((endpoint: EndpointLike) => [endpoint, { id: 5 }])
      const read = api.todo.get as EndpointLike
      const reader = await mount(hook as ReadHook, ...mountArgs(withOptions(read, { paused: true })))
      await settle()
      expect([reader.current().state, server.requests]).toEqual(['fallback', []])
      await reader.changeEndpoint(...mountArgs(withOptions(read, { paused: false })))
      await settle()
      expect([reader.current().state, server.requests]).toEqual(['ready', [route]])
    },
  )

scenario(
  'options/paused/first',
  'a reader that is paused from the start is loading, until another one brings the data or it goes on',
  async ({ api, mount, server, settle }) => {
    const paused = withOptions(api.todo.get, { paused: true })
    const reader = await mount('useDLE', paused, { id: 5 })
    const waiting = await mount('useDLE', paused, { id: 6 })
    await settle()
    expect(shown(reader)).toMatchObject({ data: undefined, loading: true })
    expect(server.requests).toEqual([])
    await mount('useDLE', api.todo.get, { id: 5 })
    await settle()
    expect(titleOf(reader)).toBe('Todo 5')
    await waiting.changeEndpoint(withOptions(api.todo.get, { paused: false }), { id: 6 })
    await settle()
    expect(titleOf(waiting)).toBe('Todo 6')
    expect(server.requests).toEqual([route, other])
  },
)
