import { Controller, schema } from '@selfsame/core'
import { dehydrate, deserialize, hydrate, serialize } from '@selfsame/core/hydration'
import { connect } from '@selfsame/core/live'
import { optimistic } from '@selfsame/core/optimistic'
import { rule } from '@selfsame/core/rules'
import { expect } from 'vitest'
import { Todo, todoFields } from '../fixtures.js'
import type { Api } from '../fixtures.js'
import type { Reader } from '../contract.js'
import type { Server, ServerRequest } from '../server.js'
import { scenario, shown } from '../suite.js'

const first = 'GET /todo?userId=1'
const second = 'GET /todo?cursor=6&userId=1'
const third = 'GET /todo?cursor=8&userId=1'
const args = { userId: 1 }

/** Three pages of two records, and a list whose response names the next page. */
function routePages(server: Server, api: Api) {
  server.route(second, [todoFields(7), todoFields(8)])
  server.route(third, [todoFields(9), todoFields(10)])
  server.route('GET /todo', { results: [todoFields(5), todoFields(6)], nextPage: '6' })
  server.route('GET /todo?cursor=6', { results: [todoFields(7)], nextPage: null })
  return {
    getList: api.todo.getList,
    getPage: api.todo.getList.getPage,
    getWrapped: api.todo.getList.extend({ schema: { results: [api.todo.get.schema], nextPage: '' } }),
  }
}

const idsOf = (reader: Reader) => (shown(reader) as Todo[]).map(({ id }) => id)

scenario('E14/append', 'a further page is appended to the list on screen', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const { getList, getPage } = routePages(server, api)
  const reader = await mount('useSuspense', getList, args)
  const cached = await mount('useCache', getList, args)
  await settle()
  const before = shown(reader) as Todo[]
  const { renders, fallbacks } = reader
  const page = await controller.fetch(getPage, { ...args, cursor: 6 })
  await settle()
  expect(page.map(({ id }) => id)).toEqual([7, 8])
  expect(idsOf(reader)).toEqual([5, 6, 7, 8])
  expect((shown(reader) as Todo[])[0]).toBe(before[0])
  expect((shown(reader) as Todo[])[2]).toBe(page[0])
  expect(shown(cached)).toBe(shown(reader))
  expect([reader.renders - renders, reader.fallbacks - fallbacks]).toEqual([1, 0])
  expect(server.requests).toEqual([first, second])
})

scenario('E14/token', 'the token beside a list is that of its last page', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const { getWrapped } = routePages(server, api)
  const reader = await mount('useSuspense', getWrapped)
  await settle()
  expect(shown(reader)).toMatchObject({ results: [{ id: 5 }, { id: 6 }], nextPage: '6' })
  await controller.fetch(getWrapped.getPage, { cursor: 6 })
  await settle()
  expect(shown(reader)).toMatchObject({ results: [{ id: 5 }, { id: 6 }, { id: 7 }], nextPage: null })
})

scenario('E14/together', 'two pages on their way at the same time both arrive', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const { getList, getPage } = routePages(server, api)
  const reader = await mount('useSuspense', getList, args)
  await settle()
  server.hold(second, third)
  const pages = [
    controller.fetch(getPage, { ...args, cursor: 6 }),
    controller.fetch(getPage, { ...args, cursor: 8 }),
  ]
  await settle()
  expect(idsOf(reader)).toEqual([5, 6])
  server.release(third)
  server.release(second)
  await Promise.all(pages)
  await settle()
  expect(idsOf(reader).sort((a, b) => Number(a) - Number(b))).toEqual([5, 6, 7, 8, 9, 10])
})

scenario(
  'E14/expected',
  'a page that was asked for while a mutation hides a member is appended after the first page came again',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const getList = api.todo.getList.extend({ schema: [api.todo.get.schema] })
    routePages(server, api)
    server.route('PATCH /todo/5', todoFields(5))
    const reader = await mount('useSuspense', getList, args)
    await settle()
    const hide = api.todo.partialUpdate.extend({
      getOptimisticResponse: optimistic((_snapshot, params: { id: number }) => params),
      update: ({ id }) => ({
        [getList.key(args)]: (todos: Todo[]) => todos.filter((todo) => todo.id !== id),
      }),
    })
    server.hold('PATCH /todo/5', second)
    const hiding = controller.fetch(hide, { id: 5 }, {})
    await settle()
    expect(idsOf(reader)).toEqual([6])
    const page = controller.fetch(getList.getPage, { ...args, cursor: 6 })
    await controller.fetch(getList, args)
    server.release(second)
    await page
    await settle()
    expect(idsOf(reader)).toEqual([6, 7, 8])
    server.release()
    await hiding
    await settle()
    expect(idsOf(reader)).toEqual([6, 7, 8])
  },
)

scenario('E14/keeps', 'the first page fetched anew keeps what was appended', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const { getList, getPage } = routePages(server, api)
  const reader = await mount('useSuspense', getList, args)
  await settle()
  await controller.fetch(getPage, { ...args, cursor: 6 })
  await settle()
  const before = shown(reader)
  await controller.fetch(getList, args)
  await settle()
  expect(shown(reader)).toBe(before)
  controller.invalidate(getList, args)
  await settle()
  expect(idsOf(reader)).toEqual([5, 6, 7, 8])
  expect(server.requests).toEqual([first, second, first, first])
})

scenario('E14/poll', 'a poll of the first page keeps the pages behind it on screen', async (stage) => {
  const { api, controller, mount, pass, server, settle } = stage
  const { getPage } = routePages(server, api)
  const polled = api.todo.getList.extend({ pollFrequency: 1000 })
  const reader = await mount('useSuspense', polled, args)
  await settle()
  await controller.fetch(getPage, { ...args, cursor: 6 })
  await controller.fetch(getPage, { ...args, cursor: 8 })
  const end = connect(controller, polled, args)
  await settle()
  const [, , ...behind] = shown(reader) as Todo[]
  server.route(first, [todoFields(4), todoFields(5)])
  await pass(1000)
  end()
  expect(idsOf(reader)).toEqual([4, 5, 6, 7, 8, 9, 10])
  expect((shown(reader) as Todo[]).slice(3)).toEqual(behind)
  expect((shown(reader) as Todo[])[3]).toBe(behind[0])
  expect(server.requests).toEqual([first, second, third, first])
})

scenario('E14/refetchPages', 'each loaded page is asked for again, and shown at once', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const { getPage } = routePages(server, api)
  const whole = api.todo.getList.extend({ refetchPages: true })
  const reader = await mount('useSuspense', whole, args)
  await settle()
  await controller.fetch(getPage, { ...args, cursor: 6 })
  await settle()
  const { renders } = reader
  server.route(first, [todoFields(4), todoFields(5)])
  server.route(second, [todoFields(6), todoFields(7)])
  server.hold(second)
  const fetched = controller.fetch(whole, args)
  await settle()
  expect(idsOf(reader)).toEqual([5, 6, 7, 8])
  server.release()
  await fetched
  await settle()
  expect(idsOf(reader)).toEqual([4, 5, 6, 7])
  expect(reader.renders - renders).toBe(1)
  expect(server.requests).toEqual([first, second, first, second])
})

scenario(
  'E14/refetchPages/middleware',
  'middleware receives each page as a call of its own, whose headers are not those of the next',
  async ({ api, open, server }) => {
    const asked: unknown[] = []
    const { controller } = open({
      middleware: [
        () => ({
          request: (call, next) => {
            asked.push([call.key, call.args, { ...call.headers }])
            call.headers['x-page'] = call.key
            return next()
          },
        }),
      ],
    })
    const { getPage } = routePages(server, api)
    const whole = api.todo.getList.extend({ refetchPages: true })
    await controller.fetch(whole, args)
    await controller.fetch(getPage, { ...args, cursor: 6 })
    asked.length = 0
    await controller.fetch(whole, args)
    expect(asked).toEqual([
      [whole.key(args), [args], {}],
      [getPage.key({ ...args, cursor: 6 }), [{ ...args, cursor: 6 }], {}],
    ])
  },
)

for (const kind of ['Collection', 'plain list'] as const)
  scenario(
    `E14/refetchPages/${kind}/started over`,
    'pages that are fetched again together are all there, and known, although their list started over meanwhile',
    async ({ api, controller, mount, server, settle }) => {
      routePages(server, api)
      const lists = api.todo.getList.extend({ paginationField: 'cursor', refetchPages: true })
      const whole = kind === 'Collection' ? lists : lists.extend({ schema: [api.todo.get.schema] })
      const reader = await mount('useSuspense', whole, args)
      await settle()
      server.hold(first)
      // Sent before there is a second page, and answered when all are on their way.
      server.route(first, [todoFields(11), todoFields(12)])
      controller.expireAll(whole)
      await settle()
      await controller.fetch(whole.getPage, { ...args, cursor: 6 })
      server.route(first, [todoFields(1), todoFields(2)])
      server.route(second, [todoFields(3), todoFields(4)])
      controller.expireAll(whole)
      await settle()
      server.releaseOne(first, 'first')
      await settle()
      expect(idsOf(reader)).toEqual([11, 12])
      server.release()
      await settle()
      expect(idsOf(reader)).toEqual([1, 2, 3, 4])
      server.requests.length = 0
      await controller.fetch(whole, args)
      await settle()
      expect(server.requests).toEqual([first, second])
      expect(idsOf(reader)).toEqual([1, 2, 3, 4])
    },
  )

scenario(
  'E14/created between',
  'a record that a mutation put between two pages stays when the first page reaches further',
  async ({ api, controller, mount, server, settle }) => {
    const { getList, getPage } = routePages(server, api)
    const reader = await mount('useSuspense', getList, args)
    await settle()
    server.route('POST /todo', todoFields(12))
    await controller.fetch(api.todo.create, { userId: 1 })
    await controller.fetch(getPage, { ...args, cursor: 6 })
    await controller.fetch(api.todo.delete, { id: 5 })
    await settle()
    expect(idsOf(reader)).toEqual([6, 12, 7, 8])
    server.route(first, [todoFields(6), todoFields(7)])
    await controller.fetch(getList, args)
    await settle()
    expect(idsOf(reader)).toEqual([6, 7, 12, 8])
  },
)

scenario(
  'E14/created before those that left',
  'a record that was put behind the first page stays in the list when that page has left it, and is fetched again',
  async ({ api, controller, mount, server, settle }) => {
    const { getList, getPage } = routePages(server, api)
    const reader = await mount('useSuspense', getList, args)
    await settle()
    server.route('POST /todo', todoFields(12))
    await controller.fetch(api.todo.create, { userId: 1 })
    await controller.fetch(getPage, { ...args, cursor: 6 })
    for (const id of [5, 6]) {
      server.route(`PATCH /todo/${id}`, todoFields(id, { userId: 2 }))
      await controller.fetch(api.todo.getList.move, { id }, { userId: 2 })
    }
    await settle()
    expect(idsOf(reader)).toEqual([12, 7, 8])
    server.route(first, [todoFields(7), todoFields(8)])
    await controller.fetch(getList, args)
    await settle()
    expect(idsOf(reader)).toEqual([7, 8, 12])
  },
)

scenario(
  'E14/moved into the first page',
  'a record that a mutation moved to the end of a list, and the server to its first page, leaves further pages as they are',
  async ({ api, controller, mount, server, settle }) => {
    const { getList, getPage } = routePages(server, api)
    server.route('GET /todo/1', todoFields(1, { userId: 2 }))
    const reader = await mount('useSuspense', getList, args)
    await settle()
    await controller.fetch(getPage, { ...args, cursor: 6 })
    await controller.fetch(api.todo.get, { id: 1 })
    await controller.fetch(api.todo.getList.move, { id: 1 }, { userId: 1 })
    await settle()
    expect(idsOf(reader)).toEqual([5, 6, 7, 8, 1])
    server.route(first, [todoFields(5), todoFields(1)])
    await controller.fetch(getList, args)
    await settle()
    expect(idsOf(reader)).toEqual([5, 1, 6, 7, 8])
  },
)

scenario(
  'E14/there and back',
  'a record that left a list and came back to its end has the place that the server gives it',
  async ({ api, controller, mount, server, settle }) => {
    const { getList, getPage } = routePages(server, api)
    server.route('PATCH /todo/7', ({ body }: ServerRequest) => todoFields(7, body as object))
    const reader = await mount('useSuspense', getList, args)
    await settle()
    await controller.fetch(getPage, { ...args, cursor: 6 })
    for (const userId of [2, 1]) await controller.fetch(api.todo.getList.move, { id: 7 }, { userId })
    await settle()
    expect(idsOf(reader)).toEqual([5, 6, 8, 7])
    await controller.fetch(api.todo.delete, { id: 5 })
    server.route(first, [todoFields(6), todoFields(7)])
    await controller.fetch(getList, args)
    await settle()
    expect(idsOf(reader)).toEqual([6, 7, 8])
  },
)

const numbered = [first, 'GET /todo?page=2&userId=1', 'GET /todo?page=3&userId=1'] as const

/** A list of numbered pages of two records, in the order of the server. */
function routeNumbered(server: Server, api: Api) {
  const ids = [5, 6, 7, 8, 9]
  numbered.forEach((name, page) =>
    server.route(name, () => ids.slice(2 * page, 2 * page + 2).map((id) => todoFields(id))),
  )
  return { ids, getList: api.todo.getList.extend({ paginationField: 'page' }) }
}

for (const [name, after] of [
  ['moved up', [5, 8, 6, 7, 9]],
  ['moved up from the last page', [9, 5, 6, 7, 8]],
  ['deleted by another', [6, 7, 8, 9]],
] as const)
  for (const kind of ['Collection', 'plain list'] as const)
    scenario(
      `E14/numbered/${name}/${kind}`,
      'loaded pages with numbers are asked for once if the first one has lost a row',
      async ({ api, controller, mount, server, settle }) => {
        const { ids, getList: lists } = routeNumbered(server, api)
        const getList = kind === 'Collection' ? lists : lists.extend({ schema: [api.todo.get.schema] })
        const reader = await mount('useSuspense', getList, args)
        await settle()
        for (const page of [2, 3]) await controller.fetch(getList.getPage, { ...args, page })
        await settle()
        expect(idsOf(reader)).toEqual([5, 6, 7, 8, 9])
        ids.splice(0, ids.length, ...after)
        server.requests.length = 0
        await controller.fetch(getList, args)
        await settle()
        expect(idsOf(reader)).toEqual(after)
        const isShifted = !name.endsWith('last page')
        expect(server.requests).toEqual(isShifted ? [first, ...numbered] : [first])
        expect(controller.read(getList, args).status).toBe('Valid')
        server.requests.length = 0
        await controller.fetch(getList, args)
        await settle()
        expect(server.requests).toEqual([first])
      },
    )

for (const way of ['mutation', 'message', 'moved out', 'refetch in flight'] as const)
  scenario(
    `E14/numbered/left/${way}`,
    'a further page brings the row that moved up when one left, because the loaded pages are asked for once',
    async ({ api, controller, mount, server, settle }) => {
      const { ids, getList } = routeNumbered(server, api)
      const reader = await mount('useSuspense', getList, args)
      await settle()
      await controller.fetch(getList.getPage, { ...args, page: 2 })
      // The server has 5, 7; 8, 9 now, and nothing behind them.
      ids.splice(ids.indexOf(6), 1)
      server.route(numbered[2], [])
      server.route('DELETE /todo/6', {})
      server.route('PATCH /todo/6', todoFields(6, { userId: 2 }))
      if (way === 'message') controller.set(new schema.Delete(Todo), {}, { id: 6 })
      else if (way === 'moved out') await controller.fetch(getList.move, { id: 6 }, { userId: 2 })
      else await controller.fetch(api.todo.delete, { id: 6 })
      await settle()
      expect(idsOf(reader)).toEqual([5, 7, 8])
      if (way === 'refetch in flight') server.hold(first)
      const older = way === 'refetch in flight' ? controller.fetch(getList, args) : undefined
      await settle()
      server.requests.length = 0
      await controller.fetch(getList.getPage, { ...args, page: 3 })
      server.release()
      await older
      await settle()
      expect(idsOf(reader)).toEqual([5, 7, 8, 9])
      expect(server.requests).toEqual([numbered[2], ...numbered])
    },
  )

scenario(
  'E14/numbered/left/first page again',
  'a further page brings the row that moved up when one left, also after the first page was fetched again',
  async ({ api, controller, mount, server, settle }) => {
    const { ids, getList } = routeNumbered(server, api)
    const reader = await mount('useSuspense', getList, args)
    await settle()
    await controller.fetch(getList.getPage, { ...args, page: 2 })
    ids.splice(ids.indexOf(6), 1)
    server.route('DELETE /todo/6', {})
    await controller.fetch(api.todo.delete, { id: 6 })
    server.requests.length = 0
    await controller.fetch(getList, args)
    await settle()
    expect(idsOf(reader)).toEqual([5, 7, 8])
    expect(server.requests).toEqual([first])
    server.route(numbered[2], [])
    await controller.fetch(getList.getPage, { ...args, page: 3 })
    await settle()
    expect(idsOf(reader)).toEqual([5, 7, 8, 9])
    expect(server.requests).toEqual([first, numbered[2], ...numbered])
  },
)

for (const by of ['mutation', 'rule'] as const)
  scenario(
    `E14/numbered/left/hydrated/${by}`,
    'a list that a page brought knows as well that a row has left',
    async ({ api, clock, controller, mount, server, settle }) => {
      const { ids, getList: lists } = routeNumbered(server, api)
      const filter = rule<Todo, { userId?: number }>((todo, { userId }) => todo.userId === userId)
      const getList =
        by === 'rule' ? lists.extend({ schema: new schema.Collection([Todo], { filter }) }) : lists
      const rendered = new Controller({ clock })
      await rendered.fetch(getList, args)
      hydrate(controller, deserialize(serialize(dehydrate(rendered))))
      rendered.dispose()
      const reader = await mount('useSuspense', getList, args)
      await settle()
      ids.splice(ids.indexOf(6), 1)
      server.route('PATCH /todo/6', todoFields(6, { userId: 2 }))
      if (by === 'rule') controller.set(Todo, { id: 6 }, { userId: 2 })
      else await controller.fetch(lists.move, { id: 6 }, { userId: 2 })
      await controller.fetch(getList.getPage, { ...args, page: 2 })
      await settle()
      expect(idsOf(reader)).toEqual([5, 7, 8, 9])
    },
  )

scenario(
  'E14/numbered/left/there and back',
  'a row that joined, and left again behind a further page, has moved the rows of the page after that',
  async ({ api, controller, mount, server, settle }) => {
    const { ids, getList } = routeNumbered(server, api)
    const reader = await mount('useSuspense', getList, args)
    await settle()
    server.route('GET /todo/10', todoFields(10, { userId: 2 }))
    server.route('PATCH /todo/10', ({ body }: ServerRequest) => todoFields(10, body as object))
    await controller.fetch(api.todo.get, { id: 10 })
    ids.unshift(10)
    await controller.fetch(getList.move, { id: 10 }, { userId: 1 })
    await controller.fetch(getList.getPage, { ...args, page: 2 })
    ids.shift()
    await controller.fetch(getList.move, { id: 10 }, { userId: 2 })
    await controller.fetch(getList.getPage, { ...args, page: 3 })
    await settle()
    expect(idsOf(reader)).toEqual([5, 6, 7, 8, 9])
  },
)

scenario(
  'E14/numbered/created',
  'a row that a mutation puts in front is where the server has it',
  async ({ api, controller, mount, server, settle }) => {
    const { ids, getList } = routeNumbered(server, api)
    const reader = await mount('useSuspense', getList, args)
    await settle()
    for (const page of [2, 3]) await controller.fetch(getList.getPage, { ...args, page })
    ids.push(12)
    server.route('POST /todo', todoFields(12))
    await controller.fetch(getList.unshift, { userId: 1 })
    await settle()
    expect(idsOf(reader)).toEqual([12, 5, 6, 7, 8, 9])
    await controller.fetch(getList, args)
    await settle()
    expect(idsOf(reader)).toEqual([5, 6, 7, 8, 9, 12])
  },
)

scenario(
  'E14/cursors',
  'pages behind cursors stay as they are if the first one has lost a row',
  async ({ api, controller, mount, server, settle }) => {
    const { getList } = routePages(server, api)
    const reader = await mount('useSuspense', getList, args)
    await settle()
    server.route('GET /todo?cursor=a&userId=1', [todoFields(7), todoFields(8)])
    await controller.fetch(getList.getPage, { ...args, cursor: 'a' })
    server.requests.length = 0
    server.route(first, [todoFields(5), todoFields(7)])
    await controller.fetch(getList, args)
    await settle()
    expect(idsOf(reader)).toEqual([5, 7, 8])
    expect(server.requests).toEqual([first])
  },
)

scenario(
  'E14/numbered/never',
  'with `refetchPages: false` loaded pages are not asked for if the first one has lost a row',
  async ({ api, controller, mount, server, settle }) => {
    const { ids, getList: lists } = routeNumbered(server, api)
    const getList = lists.extend({ refetchPages: false })
    await mount('useSuspense', getList, args)
    await settle()
    for (const page of [2, 3]) await controller.fetch(getList.getPage, { ...args, page })
    ids.splice(1, 1)
    server.requests.length = 0
    await controller.fetch(getList, args)
    await settle()
    expect(server.requests).not.toContain(numbered[1])
  },
)

scenario('E14/starts over', 'a first page that is another starts the list over', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const { getList, getPage } = routePages(server, api)
  const reader = await mount('useSuspense', getList, args)
  await settle()
  await controller.fetch(getPage, { ...args, cursor: 6 })
  server.route(first, [todoFields(3), todoFields(4)])
  await controller.fetch(getList, args)
  await settle()
  expect(idsOf(reader)).toEqual([3, 4])
})

scenario('E14/before the list', 'a page that comes before its list stands behind it', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const { getList, getPage } = routePages(server, api)
  const cached = await mount('useCache', getList, args)
  await controller.fetch(getPage, { ...args, cursor: 6 })
  await settle()
  expect(idsOf(cached)).toEqual([7, 8])
  // The first page is missing, so the list is Stale.
  const reader = await mount('useSuspense', getList, args)
  await settle()
  expect(reader.fallbacks).toBe(0)
  expect(idsOf(reader)).toEqual([5, 6, 7, 8])
  expect(server.requests).toEqual([second, first])
})
