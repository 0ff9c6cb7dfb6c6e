import { expect } from 'vitest'
import type { LegacyHook, Reader } from '../contract.js'
import { articleFields, todoFields } from '../fixtures.js'
import { createLegacyApi } from '../legacy-fixtures.js'
import type { LegacyApi } from '../legacy-fixtures.js'
import { reply } from '../server.js'
import { scenario, shown, shownError } from '../suite.js'
import type { Stage } from '../suite.js'

// The hooks of generation 4.5 (specification 4.6), and the class of 4.5 and 5.1.

const detail = 'GET /todo/5'
const list = 'GET /todo'
const ids = (reader: Reader) => (shown(reader) as { readonly id: number }[]).map(({ id }) => id)
/** The function that a hook returned. */
// The type tests of each binding cover its types.
// eslint-disable-next-line typescript/no-explicit-any
const functionOf = (reader: Reader) => shown(reader) as (...args: readonly unknown[]) => any

function legacyScenario(
  name: string,
  title: string,
  run: (stage: Stage & LegacyApi) => Promise<void>,
  options: { readonly isLogged?: boolean } = {},
): void {
  scenario.onReact18(
    `legacy/${name}`,
    title,
    (stage) => run({ ...stage, ...createLegacyApi(stage.server) }),
    options,
  )
}

// The table of section 3

legacyScenario('table/Invalid/useResource', 'waits for what is not there', async (stage) => {
  const { Todo, mount, server, settle } = stage
  server.hold(detail)
  const reader = await mount('useResource', Todo.detailShape(), { id: 5 })
  expect(reader.current()).toEqual({ state: 'fallback' })
  server.release()
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
  expect(shown(reader)).toBeInstanceOf(Todo)
  expect(server.requests).toEqual([detail])
})

legacyScenario(
  'table/Stale/useResource',
  'shows Stale data, and fetches it anew',
  async ({ Todo, mount, pass, server, settle }) => {
    const first = await mount('useResource', Todo.detailShape(), { id: 5 })
    await settle()
    await pass(60_000)
    server.route(detail, todoFields(5, { title: 'Newer' }))
    const second = await mount('useResource', Todo.detailShape(), { id: 5 })
    expect(second.fallbacks).toBe(0)
    await settle()
    expect(shown(second)).toMatchObject({ title: 'Newer' })
    expect(shown(first)).toBe(shown(second))
    expect(server.requests).toEqual([detail, detail])
  },
)

legacyScenario(
  'table/Valid/useResource',
  'shows Valid data without a request, also where endpoints fetched it',
  async ({ Todo, controller, mount, server, settle }) => {
    const todo = await controller.fetch(Todo.detail(), { id: 5 })
    const reader = await mount('useResource', Todo.detailShape(), { id: 5 })
    await settle()
    expect(shown(reader)).toBe(todo)
    expect(server.requests).toEqual([detail])
  },
)

for (const hook of ['useResource', 'useCache of a shape', 'useRetrieve', 'useError'] satisfies LegacyHook[]) {
  legacyScenario(
    `table/null/${hook}`,
    'null reads nothing, and asks for nothing',
    async ({ Todo, mount, server, settle }) => {
      const reader = await mount(hook, Todo.detailShape(), null)
      await settle()
      expect(shown(reader)).toBeUndefined()
      expect(server.requests).toEqual([])
    },
  )
}

legacyScenario(
  'table/useCache',
  'reads what is cached, and never fetches',
  async ({ Todo, controller, mount, server, settle }) => {
    const reader = await mount('useCache of a shape', Todo.detailShape(), { id: 5 })
    await settle()
    expect(shown(reader)).toBeUndefined()
    const todo = await controller.fetch(Todo.detail(), { id: 5 })
    await settle()
    expect(shown(reader)).toBe(todo)
    await reader.change({ id: 6 })
    expect(shown(reader)).toBeUndefined()
    expect(server.requests).toEqual([detail])
  },
)

legacyScenario(
  'table/useRetrieve',
  'fetches what is Invalid, and waits for nothing',
  async ({ Todo, mount, server, settle }) => {
    const reader = await mount('useRetrieve', Todo.detailShape(), { id: 5 })
    await settle()
    expect(await (shown(reader) as Promise<unknown>)).toMatchObject({ title: 'Todo 5' })
    expect(reader.fallbacks).toBe(0)
    await mount('useRetrieve', Todo.detailShape(), { id: 5 })
    await settle()
    expect(server.requests).toEqual([detail])
  },
)

legacyScenario(
  'arguments',
  'other params are another call; equal ones are the same',
  async ({ Todo, mount, server, settle }) => {
    const reader = await mount('useResource', Todo.detailShape(), { id: 5 })
    await settle()
    await reader.rerender()
    await settle()
    await reader.change({ id: 6 })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 6' })
    expect(server.requests).toEqual([detail, 'GET /todo/6'])
  },
)

// Errors

legacyScenario(
  'errors/useResource',
  'an error is thrown to the boundary, whose reset fetches again',
  async ({ Todo, mount, server, settle }) => {
    server.route(detail, reply.status(404))
    const reader = await mount('useResource', Todo.detailShape(), { id: 5 })
    await settle()
    expect(shownError(reader)).toMatchObject({ name: 'NetworkError', status: 404 })
    server.route(detail, todoFields(5))
    await reader.reset()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
  },
  { isLogged: true },
)

legacyScenario(
  'errors/useError',
  'useError tells of a failure, also beside older data, and asks for nothing',
  async ({ Todo, controller, mount, server, settle }) => {
    const error = await mount('useError', Todo.detailShape(), { id: 5 })
    const data = await mount('useCache of a shape', Todo.detailShape(), { id: 5 })
    await settle()
    expect(shown(error)).toBeUndefined()
    expect(server.requests).toEqual([])
    const fetcher = await mount('useFetcher', Todo.detailShape())
    await functionOf(fetcher)({ id: 5 })
    server.route(detail, reply.status(500))
    await expect(functionOf(fetcher)({ id: 5 })).rejects.toMatchObject({ status: 500 })
    await settle()
    expect(shown(error)).toMatchObject({ status: 500 })
    expect(shown(data)).toMatchObject({ title: 'Todo 5' })
    server.route(detail, todoFields(5))
    await functionOf(fetcher)({ id: 5 })
    await settle()
    expect(shown(error)).toBeUndefined()
    expect(controller.read(Todo.detail(), { id: 5 }).data).toBe(shown(data))
  },
)

// Rows L1 to L8

legacyScenario(
  'L1',
  'L1: shapes that are made anew in each render are one call',
  async ({ PagedTodo, mount, server, settle }) => {
    server.hold(list)
    const reader = await mount('useResource', () => PagedTodo.listShape(), {})
    await reader.rerender()
    server.release()
    await settle()
    const data = shown(reader)
    expect(data).toMatchObject({ nextPage: '', prevPage: '', results: [{ id: 5 }, { id: 6 }] })
    await reader.rerender()
    const beside = await mount('useResource', () => PagedTodo.listShape(), {})
    await settle()
    expect(shown(reader)).toBe(data)
    expect(shown(beside)).toBe(data)
    expect(server.requests).toEqual([list])
    await reader.change({ userId: 1 })
    await settle()
    expect(server.requests).toEqual([list, 'GET /todo?userId=1'])
  },
)

legacyScenario(
  'L2',
  'L2: several shapes are requested at once, and give a list',
  async ({ Todo, User, mount, server, settle }) => {
    server.hold(detail, 'GET /user/1')
    const calls = (id: number | null) => [
      [Todo.detailShape(), { id: 5 }],
      [User.detailShape(), id === null ? null : { id }],
    ]
    const reader = await mount('useResource of several', Todo.detailShape(), calls(1))
    expect(server.requests).toEqual([detail, 'GET /user/1'])
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject([{ title: 'Todo 5' }, { name: 'User 1' }])
    const before = shown(reader)
    await reader.rerender()
    await settle()
    expect(shown(reader)).toBe(before)
    await reader.change(calls(null))
    await settle()
    expect(shown(reader)).toMatchObject([{ title: 'Todo 5' }, undefined])
    expect(server.requests).toHaveLength(2)
  },
)

legacyScenario(
  'L3',
  'L3: update parameters change a list in the commit of the answer',
  async ({ Todo, mount, settle }) => {
    const reader = await mount('useResource', Todo.listShape(), {})
    const fetcher = await mount('useFetcher', Todo.createShape())
    await settle()
    const { renders } = reader
    const created = await functionOf(fetcher)({}, { title: 'New' }, [
      [Todo.listShape(), {}, (id: string, all: readonly string[]) => [id, ...all]],
    ])
    await settle()
    expect(created).toMatchObject({ id: 9, title: 'New' })
    expect(ids(reader)).toEqual([9, 5, 6])
    expect(reader.renders).toBe(renders + 1)
  },
)

legacyScenario(
  'L3/search',
  'L3: a list whose params tell nothing is not fetched again when update parameters change it',
  async ({ Todo, mount, server, settle }) => {
    const params = { 'filter[label]': 'a' }
    server.route('GET /todo?filter%5Blabel%5D=a', [todoFields(5)])
    const reader = await mount('useResource', Todo.listShape(), params)
    const fetcher = await mount('useFetcher', Todo.createShape())
    await settle()
    await functionOf(fetcher)({}, { title: 'New' }, [
      [Todo.listShape(), params, (id: string, all: readonly string[]) => [id, ...all]],
    ])
    await settle()
    expect(ids(reader)).toEqual([9, 5])
    expect(server.requests).toEqual(['GET /todo?filter%5Blabel%5D=a', 'POST /todo'])
  },
)

legacyScenario(
  'L3/wrapper',
  'L3: update parameters change a list in a wrapper, which nobody else adds to',
  async ({ PagedTodo, mount, settle }) => {
    const reader = await mount('useResource', () => PagedTodo.listShape(), {})
    const fetcher = await mount('useFetcher', () => PagedTodo.createShape())
    await settle()
    interface Page {
      readonly results: readonly string[]
    }
    await functionOf(fetcher)({}, { title: 'New' }, [
      [PagedTodo.listShape(), {}, (id: string, page: Page) => ({ ...page, results: [...page.results, id] })],
    ])
    await settle()
    const { results } = shown(reader) as { readonly results: readonly { readonly id: number }[] }
    expect(results.map(({ id }) => id)).toEqual([5, 6, 9])
  },
)

legacyScenario(
  'L4',
  'L4: a delete shape removes the record of its params, whatever the server answers',
  async ({ Todo, mount, server, settle }) => {
    server.route('DELETE /todo/5', todoFields(6, { title: 'Another' }))
    const reader = await mount('useResource', Todo.listShape(), {})
    const fetcher = await mount('useFetcher', Todo.deleteShape())
    await settle()
    await functionOf(fetcher)({ id: 5 })
    await settle()
    expect(ids(reader)).toEqual([6])
    expect(shown(reader)).toMatchObject([{ title: 'Todo 6' }])
  },
)

legacyScenario(
  'L5',
  'L5: params.url beats the address that would be built',
  async ({ Todo, mount, server, settle }) => {
    const url = Todo.url({ id: 6 })
    const reader = await mount('useResource', Todo.detailShape(), { id: 5, url })
    await settle()
    expect(server.requests).toEqual(['GET /todo/6'])
    await reader.unmount()
  },
)

legacyScenario('L6', 'L6: only fields that were sent overwrite', async ({ Todo, mount, server, settle }) => {
  const reader = await mount('useResource', Todo.detailShape(), { id: 5 })
  await settle()
  server.route('GET /todo?userId=1', [{ id: 5, completed: true }])
  await mount('useResource', Todo.listShape(), { userId: 1 })
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Todo 5', userId: 1, completed: true })
})

legacyScenario(
  'L7',
  'L7: nested ids stay ids, and the same record is joined for the newer generation',
  async ({ Article, User, controller, mount, server, settle }) => {
    server.route('GET /article/2', articleFields(2, { author: 1, contributors: [1, 2] }))
    const old = await mount('useResource', Article.detailShape(), { id: 2 })
    await settle()
    expect(shown(old)).toMatchObject({ title: 'Article 2', author: 1, contributors: [1, 2] })
    expect(shown(old)).toMatchObject({ createdAt: new Date('2026-01-01T00:00:00.000Z') })
    const joined = await mount('useSuspense', Article.detail(), { id: 2 })
    await settle()
    await controller.fetch(User.list())
    await settle()
    expect(shown(joined)).toMatchObject({ author: { name: 'User 1' } })
    expect(shown(old)).toMatchObject({ author: 1 })
    expect(server.requests).toEqual(['GET /article/2', 'GET /user'])
  },
)

legacyScenario(
  'L8',
  'L8: an overridden endpoint that is made anew in each render is one call',
  async ({ PagedTodo, Todo, mount, server, settle }) => {
    const reader = await mount('useSuspense', PagedTodo.list())
    await settle()
    const data = shown(reader)
    expect(data).toMatchObject({ nextPage: '', results: [{ id: 5 }, { id: 6 }] })
    await reader.changeEndpoint(PagedTodo.list())
    await settle()
    expect(shown(reader)).toBe(data)
    expect(server.requests).toEqual([list])
    expect(Todo.detail()).toBe(Todo.detail())
  },
)

// Together with the newest generation

legacyScenario(
  'same',
  'old and new readers of one record see one object',
  async ({ Todo, todos, controller, mount, settle }) => {
    const readers = [
      await mount('useResource', Todo.detailShape(), { id: 5 }),
      await mount('useSuspense', Todo.detail(), { id: 5 }),
      await mount('useSuspense', todos.get, { id: 5 }),
      await mount('useCache of a shape', Todo.detailShape(), { id: 5 }),
    ]
    const old = await mount('useResource', Todo.listShape(), {})
    const next = await mount('useSuspense', todos.getList)
    await settle()
    const [first] = readers.map(shown)
    expect(readers.map((reader) => shown(reader) === first)).toEqual([true, true, true, true])
    expect((shown(old) as unknown[])[0]).toBe(first)
    expect((shown(next) as unknown[])[0]).toBe(first)
    controller.set(Todo, { id: 5 }, { title: 'Changed' })
    await settle()
    const [changed, ...others] = readers.map(shown)
    expect(changed).toMatchObject({ title: 'Changed' })
    expect(others.map((other) => other === changed)).toEqual([true, true, true])
  },
)

legacyScenario(
  'mutations',
  'an old mutation changes a new list, and the other way round',
  async ({ Todo, todos, controller, mount, server, settle }) => {
    const old = await mount('useResource', Todo.listShape(), {})
    const next = await mount('useSuspense', todos.getList)
    const create = await mount('useFetcher', Todo.createShape())
    const change = await mount('useFetcher', Todo.partialUpdateShape())
    const remove = await mount('useFetcher', Todo.deleteShape())
    await settle()
    await functionOf(create)({}, { title: 'Old' })
    server.route('POST /todo', todoFields(10))
    await controller.fetch(todos.create, { title: 'New' })
    await settle()
    expect(ids(next)).toEqual([5, 6, 9, 10])
    expect(ids(old)).toEqual([5, 6, 9, 10])
    await functionOf(change)({ id: 5 }, { title: 'Changed' })
    await settle()
    expect(shown(next)).toMatchObject([{ title: 'Changed' }, {}, {}, {}])
    await functionOf(remove)({ id: 6 })
    await controller.fetch(todos.delete, { id: 5 })
    await settle()
    expect(ids(next)).toEqual([9, 10])
    expect(ids(old)).toEqual([9, 10])
  },
)

legacyScenario(
  'useInvalidator',
  'useInvalidator lets readers fetch anew, for null none',
  async ({ Todo, mount, server, settle }) => {
    const reader = await mount('useResource', Todo.detailShape(), { id: 5 })
    const invalidator = await mount('useInvalidator', () => Todo.detailShape())
    await settle()
    functionOf(invalidator)(null)
    await settle()
    expect(server.requests).toEqual([detail])
    server.route(detail, todoFields(5, { title: 'Newer' }))
    functionOf(invalidator)({ id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Newer' })
    expect(server.requests).toEqual([detail, detail])
  },
)

legacyScenario(
  'useResetter',
  'useResetter forgets everything, and readers fetch anew',
  async ({ Todo, mount, server, settle }) => {
    const reader = await mount('useResource', Todo.detailShape(), { id: 5 })
    const resetter = await mount('useResetter', Todo.detailShape())
    await settle()
    server.hold(detail)
    functionOf(resetter)()
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toEqual([detail, detail])
  },
)

legacyScenario(
  'functions',
  'the functions of hooks stay the same, and make the request of the newest shape',
  async ({ Todo, mount, server, settle }) => {
    for (const hook of ['useFetcher', 'useInvalidator', 'useResetter'] as const) {
      const reader = await mount(hook, () => ({ ...Todo.detailShape() }))
      const first = functionOf(reader)
      await reader.rerender()
      expect(functionOf(reader)).toBe(first)
    }
    const fetcher = await mount('useFetcher', () => ({ ...Todo.detailShape() }))
    await functionOf(fetcher)({ id: 5 })
    await fetcher.changeEndpoint(Todo.listShape())
    await functionOf(fetcher)({})
    await settle()
    expect(server.requests).toEqual([detail, list])
  },
)
