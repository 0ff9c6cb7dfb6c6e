import { retry } from '@selfsame/core/policies'
import { linkParams } from '@selfsame/core/rest'
import { expect } from 'vitest'
import type { Reader } from '../contract.js'
import { todoFields } from '../fixtures.js'
import type { Todo } from '../fixtures.js'
import { reply } from '../server.js'
import type { ServerRequest } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

const first = 'GET /todo?userId=1'
const second = 'GET /todo?cursor=6&userId=1'
const third = 'GET /todo?cursor=8&userId=1'
const params = { userId: 1 }

/** Requests the next page by the id of the last record. */
const byLast = { next: (todos: readonly Todo[]) => ({ cursor: todos.at(-1)?.id }) }

const byToken = { next: ({ nextPage }: { nextPage: string }) => nextPage && { page: nextPage } }
const byCount = { next: (todos: readonly Todo[]) => ({ offset: todos.length }) }
const byLink = { next: ({ link }: { link: string }) => linkParams(link) }

interface Shown {
  readonly data: unknown
  readonly loading: boolean
  readonly error: unknown
  readonly hasNext: boolean
  readonly isFetchingNext: boolean
  readonly fetchNext: () => Promise<void>
}

const state = (reader: Reader) => shown(reader) as Shown
const idsOf = (reader: Reader) => (state(reader).data as Todo[]).map(({ id }) => Number(id))

/** Mounts a list with two pages of two records, and an empty page. */
async function mountList({ api, mount, server, settle }: Stage): Promise<Reader> {
  server.route(first, [todoFields(5), todoFields(6)])
  server.route(second, [todoFields(7), todoFields(8)])
  server.route(third, [])
  const reader = await mount('useInfinite', api.todo.getList, params, byLast)
  await settle()
  return reader
}

scenario(
  'infinite/first failed',
  'after the first page failed, fetchNext fetches it',
  async ({ api, mount, server, settle }) => {
    server.route(first, reply.status(500))
    const reader = await mount('useInfinite', api.todo.getList, params, byLast)
    await settle()
    expect(state(reader)).toMatchObject({ error: { status: 500 }, hasNext: false })
    server.route(first, [todoFields(5), todoFields(6)])
    await state(reader).fetchNext()
    await settle()
    expect(idsOf(reader)).toEqual([5, 6])
    expect(state(reader)).toMatchObject({ error: undefined, hasNext: true })
    expect(server.requests).toEqual([first, first])
  },
)

for (const value of [null, '', undefined])
  scenario(
    `infinite/end/${value === '' ? 'empty' : String(value)}`,
    'a list ends where the param of its next page has no value',
    async ({ api, mount, server, settle }) => {
      server.route(first, [todoFields(5), todoFields(6)])
      const reader = await mount('useInfinite', api.todo.getList, params, { next: () => ({ cursor: value }) })
      await settle()
      expect(state(reader)).toMatchObject({ loading: false, hasNext: false })
      await state(reader).fetchNext()
      await settle()
      expect(server.requests).toEqual([first])
    },
  )

scenario(
  'infinite/end/other param',
  'a list ends where the param of its next page has no value, whatever stands beside it',
  async ({ api, mount, server, settle }) => {
    server.route(first, [todoFields(5), todoFields(6)])
    const { getList } = api.todo
    const readers = [
      await mount('useInfinite', getList, params, { next: () => ({ cursor: null, limit: 20 }) }),
      await mount('useInfinite', getList.extend({ paginationField: 'page' }), params, {
        next: () => ({ limit: 20, page: undefined }),
      }),
      await mount('useInfinite', getList.extend({ paginationField: undefined }), params, {
        next: () => ({ ...params, page: '' }),
        page: getList.getPage,
      }),
    ]
    await settle()
    for (const reader of readers) {
      expect(state(reader)).toMatchObject({ loading: false, hasNext: false })
      await state(reader).fetchNext()
    }
    await settle()
    expect(server.requests).toEqual([first])
  },
)

scenario('infinite/pages', 'further pages are asked for one by one, until an empty one', async (stage) => {
  const { api, mount, server, settle } = stage
  const reader = await mountList(stage)
  expect(state(reader)).toMatchObject({
    loading: false,
    error: undefined,
    hasNext: true,
    isFetchingNext: false,
  })
  expect(idsOf(reader)).toEqual([5, 6])
  server.hold(second)
  void state(reader).fetchNext()
  await settle()
  expect(state(reader)).toMatchObject({ hasNext: true, isFetchingNext: true })
  expect(idsOf(reader)).toEqual([5, 6])
  server.release()
  await settle()
  expect(state(reader)).toMatchObject({ hasNext: true, isFetchingNext: false })
  expect(idsOf(reader)).toEqual([5, 6, 7, 8])
  await state(reader).fetchNext()
  await settle()
  expect(state(reader)).toMatchObject({ hasNext: false, isFetchingNext: false })
  await state(reader).fetchNext()
  await settle()
  expect(server.requests).toEqual([first, second, third])
  // The loaded pages are in the cache.
  const other = await mount('useInfinite', api.todo.getList, params, byLast)
  await settle()
  expect(idsOf(other)).toEqual([5, 6, 7, 8])
  expect(state(other).hasNext).toBe(false)
  expect(server.requests).toHaveLength(3)
})

scenario.onReact18(
  'infinite/loading',
  'loads before there is data, and has no further page then',
  async (stage) => {
    const { api, mount, server, settle } = stage
    server.route(first, [todoFields(5)])
    server.hold(first)
    const reader = await mount('useInfinite', api.todo.getList, params, byLast)
    expect(state(reader)).toMatchObject({
      data: undefined,
      loading: true,
      hasNext: false,
      isFetchingNext: false,
    })
    await state(reader).fetchNext()
    server.release()
    await settle()
    expect(server.requests).toEqual([first])
    expect(idsOf(reader)).toEqual([5])
    await reader.change(null, byLast)
    await settle()
    expect(state(reader)).toMatchObject({ data: undefined, loading: false, hasNext: false })
  },
)

scenario.inChromium(
  'infinite/race',
  'two fetchNext that race, of one reader or of two, make one request',
  async (stage) => {
    const { api, mount, server, settle } = stage
    const reader = await mountList(stage)
    const other = await mount('useInfinite', api.todo.getList, params, byLast)
    await settle()
    server.hold(second)
    const { fetchNext } = state(reader)
    const over = [fetchNext(), fetchNext(), state(other).fetchNext()]
    await settle()
    expect(state(other).isFetchingNext).toBe(true)
    over.push(fetchNext())
    server.release()
    await Promise.all(over)
    await settle()
    expect([idsOf(reader), idsOf(other)]).toEqual([
      [5, 6, 7, 8],
      [5, 6, 7, 8],
    ])
    expect(server.requests).toEqual([first, second])
  },
)

scenario.onReact18(
  'infinite/error',
  'a page that failed is an error beside the list, until it is asked for again',
  async (stage) => {
    const { server, settle } = stage
    const reader = await mountList(stage)
    server.route(second, reply.status(500, {}))
    await state(reader).fetchNext()
    await settle()
    expect(state(reader)).toMatchObject({ error: { status: 500 }, hasNext: true, isFetchingNext: false })
    expect(idsOf(reader)).toEqual([5, 6])
    server.route(second, [todoFields(7), todoFields(8)])
    await state(reader).fetchNext()
    await settle()
    expect(state(reader)).toMatchObject({ error: undefined, hasNext: true })
    expect(idsOf(reader)).toEqual([5, 6, 7, 8])
  },
)

scenario(
  'infinite/refetch',
  'the first page fetched anew keeps the pages behind it, or starts the list over',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const reader = await mountList(stage)
    await state(reader).fetchNext()
    await settle()
    await controller.fetch(api.todo.getList, params)
    await settle()
    expect(idsOf(reader)).toEqual([5, 6, 7, 8])
    server.route(first, [todoFields(3), todoFields(4)])
    server.route('GET /todo?cursor=4&userId=1', [todoFields(5), todoFields(6)])
    await controller.fetch(api.todo.getList, params)
    await settle()
    expect(idsOf(reader)).toEqual([3, 4])
    await state(reader).fetchNext()
    await settle()
    expect(idsOf(reader)).toEqual([3, 4, 5, 6])
    // Requests a page of the old list.
    await state(reader).fetchNext()
    await settle()
    expect(idsOf(reader)).toEqual([3, 4, 5, 6, 7, 8])
    expect(state(reader).hasNext).toBe(true)
  },
)

scenario(
  'infinite/token',
  'a token beside the list names the next page, and nothing the end',
  async (stage) => {
    const { api, mount, server, settle } = stage
    server.route('GET /todo', { results: [todoFields(5)], nextPage: '2' })
    server.route('GET /todo?page=2', { results: [todoFields(6)], nextPage: null })
    const getFeed = api.todo.getList.extend({
      schema: { results: [api.todo.get.schema], nextPage: '' },
      paginationField: 'page',
    })
    const reader = await mount('useInfinite', getFeed, undefined, byToken)
    await settle()
    expect(state(reader)).toMatchObject({ data: { results: [{ id: 5 }], nextPage: '2' }, hasNext: true })
    await state(reader).fetchNext()
    await settle()
    expect(state(reader)).toMatchObject({ data: { results: [{ id: 5 }, { id: 6 }] }, hasNext: false })
  },
)

scenario('infinite/offset', 'the number of records or of pages names the next page', async (stage) => {
  const { api, mount, server, settle } = stage
  server.route(first, [todoFields(5), todoFields(6)])
  server.route('GET /todo?offset=2&userId=1', [todoFields(7)])
  server.route('GET /todo?offset=3&userId=1', [])
  const byOffset = api.todo.getList.extend({ paginationField: 'offset' })
  const reader = await mount('useInfinite', byOffset, params, byCount)
  await settle()
  await state(reader).fetchNext()
  await settle()
  expect(idsOf(reader)).toEqual([5, 6, 7])
  await state(reader).fetchNext()
  await settle()
  expect(state(reader).hasNext).toBe(false)
  server.route('GET /todo?userId=2', [todoFields(5), todoFields(6)])
  server.route('GET /todo?page=2&userId=2', [todoFields(7)])
  const byPage = {
    page: api.todo.getList.paginated('page'),
    next: (todos: readonly Todo[], { pages }: { pages: number }) =>
      todos.length < pages * 2 ? undefined : { page: pages + 1 },
  }
  const paged = await mount('useInfinite', api.todo.getList, { userId: 2 }, byPage)
  await settle()
  await state(paged).fetchNext()
  await settle()
  expect(idsOf(paged)).toEqual([5, 6, 7])
  expect(state(paged).hasNext).toBe(false)
})

scenario('infinite/link', 'the header Link names the next page', async (stage) => {
  const { api, mount, server, settle } = stage
  const links: Readonly<Record<string, string>> = {
    '/todo': '<https://api.test/todo?page=2>; rel="next", <https://api.test/todo?page=9>; rel="last"',
  }
  server.route('GET /todo', [todoFields(5)])
  server.route('GET /todo?page=2', [todoFields(6)])
  const getFeed = api.todo.getList.extend({
    schema: { results: [api.todo.get.schema], link: '' },
    paginationField: 'page',
    // A custom response lacks the scripted server's headers.
    async parseResponse(response: Response) {
      const { pathname, search } = new URL(response.url)
      return { link: links[pathname + search] ?? '', results: (await response.json()) as unknown }
    },
  })
  const reader = await mount('useInfinite', getFeed, undefined, byLink)
  await settle()
  expect(state(reader).hasNext).toBe(true)
  await state(reader).fetchNext()
  await settle()
  expect(state(reader)).toMatchObject({ data: { results: [{ id: 5 }, { id: 6 }] }, hasNext: false })
})

scenario(
  'infinite/empty',
  'an empty list has no further page where its last record would name it',
  async (stage) => {
    const { api, mount, server, settle } = stage
    server.route(first, [])
    const reader = await mount('useInfinite', api.todo.getList, params, byLast)
    await settle()
    expect(state(reader)).toMatchObject({ data: [], hasNext: false })
    await state(reader).fetchNext()
    expect(server.requests).toEqual([first])
  },
)

scenario.onReact18('infinite/change', 'other params are another list', async (stage) => {
  const { server, settle } = stage
  const reader = await mountList(stage)
  server.route('GET /todo?userId=2', [todoFields(9)])
  await reader.change({ userId: 2 }, byLast)
  await settle()
  expect(idsOf(reader)).toEqual([9])
  const { renders } = reader
  const before = state(reader).data
  await reader.rerender()
  expect(state(reader).data).toBe(before)
  await reader.change(params, byLast)
  await settle()
  expect(idsOf(reader)).toEqual([5, 6])
  expect(reader.renders).toBeGreaterThan(renders)
  expect(server.requests).toEqual([first, 'GET /todo?userId=2'])
})

scenario(
  'infinite/next/changed',
  'another next, which uses what the component knows now, decides the further page at once, and its request is shown',
  async (stage) => {
    const { mount, api, server, settle } = stage
    server.route(first, [todoFields(5), todoFields(6)])
    server.route('GET /todo?cursor=2&userId=1', [todoFields(7)])
    const byPlace = { next: (todos: readonly Todo[]) => ({ cursor: todos.length }) }
    const ended = { next: () => undefined }
    const reader = await mount('useInfinite', api.todo.getList, params, ended)
    await settle()
    expect(state(reader)).toMatchObject({ hasNext: false, isFetchingNext: false })
    await reader.change(params, byLast)
    await settle()
    expect(state(reader)).toMatchObject({ hasNext: true })
    await reader.change(params, byPlace)
    await settle()
    server.hold('GET /todo?cursor=2&userId=1')
    void state(reader).fetchNext()
    await settle()
    expect(state(reader)).toMatchObject({ hasNext: true, isFetchingNext: true })
    server.release()
    await settle()
    expect(idsOf(reader)).toEqual([5, 6, 7])
    await reader.change(params, ended)
    await settle()
    expect(state(reader)).toMatchObject({ hasNext: false, isFetchingNext: false })
    expect(server.requests).toEqual([first, 'GET /todo?cursor=2&userId=1'])
  },
)

scenario(
  'infinite/mutation',
  'what a mutation changed while a further page was on its way stays changed when the page arrives',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const reader = await mountList(stage)
    server.route('PATCH /todo/7', ({ body }: ServerRequest) => todoFields(7, body as object))
    server.route('DELETE /todo/8', {})
    server.hold(second)
    void state(reader).fetchNext()
    await settle()
    await controller.fetch(api.todo.partialUpdate, { id: 7 }, { title: 'Changed' })
    await controller.fetch(api.todo.delete, { id: 8 })
    await controller.fetch(api.todo.delete, { id: 5 })
    await settle()
    server.release()
    await settle()
    expect((state(reader).data as Todo[]).map(({ title }) => title)).toEqual(['Todo 6', 'Changed'])
  },
)

scenario(
  'infinite/retry',
  'a further page that is retried is asked for again, and no page before it',
  async (stage) => {
    const { api, open, pass, server, settle } = stage
    const { mount } = open({ middleware: [retry({ delayMs: () => 10 })] })
    server.route(first, [todoFields(5), todoFields(6)])
    let failures = 1
    server.route(second, () => (failures-- > 0 ? reply.status(503) : [todoFields(7)]))
    const reader = await mount('useInfinite', api.todo.getList, params, byLast)
    await settle()
    void state(reader).fetchNext()
    await settle()
    await pass(10)
    expect(idsOf(reader)).toEqual([5, 6, 7])
    expect(server.requests).toEqual([first, second, second])
  },
)

scenario(
  'infinite/another list',
  'development warns once if a next page belongs to another list',
  async ({ api, logged, mount, server, settle }) => {
    server.route(first, [todoFields(5)])
    server.route('GET /todo?page=2&userId=1', [todoFields(6)])
    const reader = await mount('useInfinite', api.todo.getList, params, { next: () => ({ page: 2 }) })
    await settle()
    await state(reader).fetchNext()
    await settle()
    expect(idsOf(reader)).toEqual([5])
    expect(logged.splice(0)).toEqual([
      expect.stringContaining("Pass `page: Todo.getList.paginated('page')` to useInfinite()"),
    ])
  },
)

for (const [name, value] of [
  ['default', 1],
  ['no default', ''],
] as const)
  for (const order of ['page first', 'list first'] as const)
    scenario(
      `infinite/first page/${name}/${order}`,
      'development warns once of a page that grows with a list, because both are one call; without a default they are two',
      async ({ api, logged, mount, server, settle }) => {
        for (const number of [1, 2]) server.route(`GET /todo?_page=${number}`, [todoFields(number)])
        server.route('GET /todo', [todoFields(1)])
        const getList = api.todo.getList.extend({ searchParams: { _page: value }, paginationField: '_page' })
        const byNumber = {
          next: (_todos: readonly Todo[], { pages }: { readonly pages: number }) => ({ _page: pages + 1 }),
        }
        const mountPage = () => mount('useSuspense', getList, { _page: 1 })
        const before = order === 'page first' ? await mountPage() : undefined
        const list = await mount('useInfinite', getList, undefined, byNumber)
        const page = before ?? (await mountPage())
        await settle()
        await state(list).fetchNext()
        await settle()
        const isShared = value === 1
        expect(idsOf(list)).toEqual([1, 2])
        expect((shown(page) as Todo[]).map(({ id }) => Number(id))).toEqual(isShared ? [1, 2] : [1])
        const told = 'Todo.getList is read with "_page" by one component, and page by page by useInfinite()'
        expect(logged.splice(0)).toEqual(isShared ? [expect.stringContaining(told)] : [])
      },
    )

scenario(
  'infinite/error/refetched',
  'the error of a further page is gone when the list was fetched again',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const reader = await mountList(stage)
    server.route(second, reply.status(500))
    await state(reader).fetchNext()
    await settle()
    expect(state(reader)).toMatchObject({ error: { status: 500 }, hasNext: true })
    expect(idsOf(reader)).toEqual([5, 6])
    await controller.fetch(api.todo.getList, params)
    await settle()
    expect(state(reader)).toMatchObject({ error: undefined, hasNext: true })
    server.route(second, [todoFields(7), todoFields(8)])
    await state(reader).fetchNext()
    await settle()
    expect(idsOf(reader)).toEqual([5, 6, 7, 8])
  },
)

scenario(
  'infinite/error/of the list',
  'fetchNext is "try again" for the list too, whose error stands beside its data',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const reader = await mountList(stage)
    server.route(first, reply.status(500))
    await controller.fetch(api.todo.getList, params).catch(() => {})
    await settle()
    expect(state(reader)).toMatchObject({ error: { status: 500 }, hasNext: true })
    server.route(first, [todoFields(5), todoFields(6)])
    server.requests.length = 0
    await state(reader).fetchNext()
    await settle()
    expect(server.requests).toEqual([first])
    expect(state(reader)).toMatchObject({ error: undefined, hasNext: true })
  },
)

/** Pages of two records behind the id, or a text, that names the last record before. The pages of any of them. */
function routeCursors(
  server: Stage['server'],
  ids: readonly number[],
  nameOf: (id: number) => string | number,
) {
  const rows = [...ids]
  const pageAt = (from: number) => ({
    results: rows.slice(from, from + 2).map((id) => todoFields(id)),
    nextPage: from + 2 < rows.length ? nameOf(rows[from + 1] as number) : null,
  })
  server.route('GET /todo', () => pageAt(0))
  for (const id of [3, ...ids])
    server.route(`GET /todo?page=${nameOf(id)}`, () => pageAt(rows.indexOf(id) + 1))
  return rows
}

const cursors = {
  text: {
    nameOf: (id: number) => `after${id}`,
    next: ({ nextPage }: { nextPage: string }) => ({ page: nextPage }),
  },
  'last record': {
    nameOf: (id: number) => id,
    next: ({ results }: { results: readonly Todo[] }) => ({ page: results.at(-1)?.id }),
  },
} as const

for (const [kind, { nameOf, next }] of Object.entries(cursors))
  for (const [way, after, isAsked] of [
    ['moved up', [5, 9, 6, 7, 8], true],
    ['deleted by another', [6, 7, 8, 9], true],
    ['new in front', [3, 5, 6, 7, 8, 9], false],
  ] as const)
    for (const refetchPages of [undefined, true] as const)
      scenario(
        `infinite/cursors/${kind}/${way}${refetchPages ? '/refetchPages' : ''}`,
        'pages behind cursors that are fetched again are named by the answers before them, so that no row is lost',
        async ({ api, controller, mount, server, settle }) => {
          const rows = routeCursors(server, [5, 6, 7, 8, 9], nameOf)
          const getFeed = api.todo.getList.extend({
            schema: { results: [api.todo.get.schema], nextPage: '' },
            paginationField: 'page',
            refetchPages,
          })
          const reader = await mount('useInfinite', getFeed, undefined, { next: next as never })
          await settle()
          await state(reader).fetchNext()
          await settle()
          await state(reader).fetchNext()
          await settle()
          const shownIds = () =>
            (state(reader).data as { results: Todo[] }).results.map(({ id }) => Number(id))
          expect(shownIds()).toEqual([5, 6, 7, 8, 9])
          rows.splice(0, rows.length, ...after)
          server.requests.length = 0
          await controller.fetch(getFeed)
          await settle()
          expect(shownIds()).toEqual(after)
          const isWhole = isAsked || refetchPages === true
          // A list that ends with a token has no page behind it.
          const ends = [1, 3].filter((index) => kind !== 'text' || index < after.length - 1)
          const pages = ends.map((index) => `GET /todo?page=${nameOf(after[index] as number)}`)
          expect(server.requests).toEqual([
            ...(refetchPages ? [] : ['GET /todo']),
            ...(isWhole ? ['GET /todo', ...pages] : []),
          ])
          expect(controller.read(getFeed).status).toBe('Valid')
        },
      )

/** A response has no methods. */
const byKey = {
  next: ({ results }: { results: readonly Todo[] }) => ({ page: `after${results.at(-1)?.pk()}` }),
}

scenario(
  'infinite/cursors/not computed',
  'pages whose cursor cannot be computed from a response are fetched again with those of before',
  async ({ api, controller, mount, server, settle }) => {
    routeCursors(server, [5, 6, 7, 8], (id) => `after${id}`)
    const getFeed = api.todo.getList.extend({
      schema: { results: [api.todo.get.schema], nextPage: '' },
      paginationField: 'page',
      refetchPages: true,
    })
    const reader = await mount('useInfinite', getFeed, undefined, byKey as never)
    await settle()
    await state(reader).fetchNext()
    await settle()
    server.requests.length = 0
    await controller.fetch(getFeed)
    await settle()
    expect(server.requests).toEqual(['GET /todo', 'GET /todo?page=after6'])
    expect((state(reader).data as { results: Todo[] }).results).toMatchObject(
      [5, 6, 7, 8].map((id) => ({ id })),
    )
  },
)
