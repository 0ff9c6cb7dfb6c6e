import { Controller, Counted, schema } from '@selfsame/core'
import { dehydrate, deserialize, hydrate, serialize } from '@selfsame/core/hydration'
import { bidirectional, createResource } from '@selfsame/core/rest'
import { order } from '@selfsame/core/rules'
import { expect } from 'vitest'
import type { Reader } from '../contract.js'
import { Todo, todoFields } from '../fixtures.js'
import { baseUrl, reply } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

interface Shown {
  readonly data: unknown
  readonly loading: boolean
  readonly error: unknown
  readonly hasNext: boolean
  readonly isFetchingNext: boolean
  readonly fetchNext: () => Promise<void>
  readonly hasPrevious: boolean
  readonly isFetchingPrevious: boolean
  readonly fetchPrevious: () => Promise<void>
}

interface Wrapped {
  readonly results: readonly Todo[]
  readonly next: string | null
  readonly previous: string | null
}

const state = (reader: Reader) => shown(reader) as Shown
const idsIn = (data: unknown) =>
  (Array.isArray(data) ? (data as Todo[]) : (data as Wrapped).results).map(({ id }) => Number(id))
const idsOf = (reader: Reader) => idsIn(state(reader).data)
const rows = (...ids: readonly number[]) => ids.map((id) => todoFields(id))

const newest = 'GET /todo?userId=1'
const older = 'GET /todo?before=97&userId=1'
const oldest = 'GET /todo?before=94&userId=1'
const room = { userId: 1 }

const byFirst = { previous: (todos: readonly Todo[]) => ({ before: todos[0]?.id }) }

/** A chat that starts at its newest messages. */
async function openChat({ api, mount, server, settle }: Stage) {
  const getMessages = bidirectional(api.todo.getList, { previous: 'before' })
  server.route(newest, rows(97, 98, 99))
  server.route(older, rows(94, 95, 96))
  server.route(oldest, [])
  const reader = await mount('useInfinite', getMessages, room, byFirst)
  await settle()
  return { getMessages, reader }
}

const today = 'GET /todo?from=10'
const days = { from: 10 }

/** A calendar that starts at a day, with the days as ids. */
async function openCalendar({ api, mount, server, settle }: Stage) {
  const getDays = bidirectional(api.todo.getList, { previous: 'before', next: 'after', start: 'from' })
  server.route(today, rows(10, 11, 12))
  server.route('GET /todo?after=12', rows(13, 14))
  server.route('GET /todo?after=14', [])
  server.route('GET /todo?before=10', rows(8, 9))
  server.route('GET /todo?before=8', [])
  const reader = await mount('useInfinite', getDays, days, {
    ...byFirst,
    next: (todos: readonly Todo[]) => ({ after: todos.at(-1)?.id }),
  })
  await settle()
  return { getDays, reader }
}

scenario(
  'both directions/chat',
  'a chat starts at its newest messages, and loads older ones in front of them until there are none',
  async (stage) => {
    const { api, mount, server, settle } = stage
    const { getMessages, reader } = await openChat(stage)
    expect(state(reader)).toMatchObject({
      loading: false,
      hasNext: false,
      hasPrevious: true,
      isFetchingPrevious: false,
    })
    const [first] = state(reader).data as readonly Todo[]
    const { renders } = reader
    server.hold(older)
    void state(reader).fetchPrevious()
    await settle()
    expect(state(reader)).toMatchObject({
      hasPrevious: true,
      isFetchingPrevious: true,
      isFetchingNext: false,
    })
    expect(idsOf(reader)).toEqual([97, 98, 99])
    server.release()
    await settle()
    expect(idsOf(reader)).toEqual([94, 95, 96, 97, 98, 99])
    expect((state(reader).data as readonly Todo[])[3]).toBe(first)
    expect(reader.renders - renders).toBe(2)
    await state(reader).fetchPrevious()
    await settle()
    expect(state(reader)).toMatchObject({ hasPrevious: false, isFetchingPrevious: false })
    await state(reader).fetchPrevious()
    await state(reader).fetchNext()
    expect(server.requests).toEqual([newest, older, oldest])
    // The pages are in the cache, for all readers of the list.
    const other = await mount('useInfinite', getMessages, room, byFirst)
    const plain = await mount('useDLE', api.todo.getList, room)
    await settle()
    expect([idsOf(other), idsOf(plain)]).toEqual([idsOf(reader), idsOf(reader)])
    expect(state(other).hasPrevious).toBe(false)
    expect(server.requests).toHaveLength(3)
  },
)

scenario(
  'both directions/calendar',
  'a calendar starts at a day, and goes on in both directions to its ends',
  async (stage) => {
    const { server, settle } = stage
    const { reader } = await openCalendar(stage)
    expect(state(reader)).toMatchObject({ hasNext: true, hasPrevious: true })
    await Promise.all([state(reader).fetchPrevious(), state(reader).fetchNext()])
    await settle()
    expect(idsOf(reader)).toEqual([8, 9, 10, 11, 12, 13, 14])
    expect(state(reader)).toMatchObject({ hasNext: true, hasPrevious: true })
    await state(reader).fetchNext()
    await settle()
    expect(state(reader)).toMatchObject({ hasNext: false, hasPrevious: true })
    await state(reader).fetchPrevious()
    await settle()
    expect(state(reader)).toMatchObject({ hasNext: false, hasPrevious: false })
    // Pages do not send where the list starts.
    expect(server.requests).toEqual([
      today,
      'GET /todo?before=10',
      'GET /todo?after=12',
      'GET /todo?after=14',
      'GET /todo?before=8',
    ])
  },
)

scenario('both directions/other start', 'a list that starts elsewhere is another list', async (stage) => {
  const { server, settle } = stage
  const { reader } = await openCalendar(stage)
  await state(reader).fetchPrevious()
  server.route('GET /todo?from=20', rows(20, 21))
  server.route('GET /todo?before=20', rows(18, 19))
  await reader.change({ from: 20 }, byFirst)
  await settle()
  expect(idsOf(reader)).toEqual([20, 21])
  await state(reader).fetchPrevious()
  await settle()
  expect(idsOf(reader)).toEqual([18, 19, 20, 21])
  await reader.change(days, byFirst)
  await settle()
  expect(idsOf(reader)).toEqual([8, 9, 10, 11, 12])
})

scenario.inChromium(
  'both directions/race',
  'two fetchPrevious that race, of one reader or of two, make one request',
  async (stage) => {
    const { mount, server, settle } = stage
    const { getMessages, reader } = await openChat(stage)
    const other = await mount('useInfinite', getMessages, room, byFirst)
    await settle()
    server.hold(older)
    const { fetchPrevious } = state(reader)
    const over = [fetchPrevious(), fetchPrevious(), state(other).fetchPrevious()]
    await settle()
    expect(state(other).isFetchingPrevious).toBe(true)
    server.release()
    await Promise.all(over)
    await settle()
    expect([idsOf(reader), idsOf(other)]).toEqual([
      [94, 95, 96, 97, 98, 99],
      [94, 95, 96, 97, 98, 99],
    ])
    expect(server.requests).toEqual([newest, older])
  },
)

scenario(
  'both directions/message while loading',
  'a message that arrives, or is sent, while older ones load stands behind the newest',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const { getMessages, reader } = await openChat(stage)
    server.hold(older)
    void state(reader).fetchPrevious()
    await settle()
    controller.set(getMessages.schema.push, {}, todoFields(100))
    server.route('POST /todo', todoFields(101))
    await controller.fetch(api.todo.create, { userId: 1 })
    await settle()
    expect(idsOf(reader)).toEqual([97, 98, 99, 100, 101])
    server.release()
    await settle()
    expect(idsOf(reader)).toEqual([94, 95, 96, 97, 98, 99, 100, 101])
    // A refetch has what was sent, and keeps what it does not reach.
    server.route(newest, rows(99, 100, 101))
    await controller.fetch(getMessages, room)
    await settle()
    expect(idsOf(reader)).toEqual([94, 95, 96, 97, 98, 99, 100, 101])
  },
)

scenario(
  'both directions/optimistic',
  'what a mutation shows early at either end stays there while pages arrive, and leaves if the mutation fails',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const { getMessages, reader } = await openChat(stage)
    const expected = api.hopeful.create
    server.route('POST /todo', reply.status(500, {}))
    server.hold('POST /todo', older)
    const sending = controller.fetch(expected, { userId: 1, title: 'New' }).catch(() => 'failed')
    const loading = state(reader).fetchPrevious()
    await settle()
    expect(idsOf(reader).slice(0, 3)).toEqual([97, 98, 99])
    expect(idsOf(reader)).toHaveLength(4)
    server.release(older)
    await loading
    await settle()
    expect(idsOf(reader).slice(0, 6)).toEqual([94, 95, 96, 97, 98, 99])
    expect(idsOf(reader)).toHaveLength(7)
    server.release()
    expect(await sending).toBe('failed')
    await settle()
    expect(idsOf(reader)).toEqual([94, 95, 96, 97, 98, 99])
    server.route('POST /todo', todoFields(90))
    await controller.fetch(getMessages.unshift, { userId: 1 })
    await settle()
    expect(idsOf(reader)).toEqual([90, 94, 95, 96, 97, 98, 99])
  },
)

scenario(
  'both directions/refetch',
  'a refetch asks for the page at which the list starts, and keeps what it does not reach on both sides',
  async (stage) => {
    const { controller, server, settle } = stage
    const { getMessages, reader } = await openChat(stage)
    await state(reader).fetchPrevious()
    server.requests.length = 0
    // New messages push others out of the newest page; the newest known one was deleted elsewhere.
    server.route(newest, rows(98, 100, 101))
    await controller.fetch(getMessages, room)
    await settle()
    expect(idsOf(reader)).toEqual([94, 95, 96, 97, 98, 100, 101])
    expect(server.requests).toEqual([newest])
    // The newest one was deleted elsewhere, and the page reaches further back.
    server.route(newest, rows(96, 98, 100))
    await controller.fetch(getMessages, room)
    await settle()
    expect(idsOf(reader)).toEqual([94, 95, 96, 98, 100])
    // The pages do not join any more.
    server.route(newest, rows(110, 111, 112))
    await controller.fetch(getMessages, room)
    await settle()
    expect(idsOf(reader)).toEqual([110, 111, 112])
    server.route('GET /todo?before=110&userId=1', rows(107, 108, 109))
    await state(reader).fetchPrevious()
    await settle()
    expect(idsOf(reader)).toEqual([107, 108, 109, 110, 111, 112])
  },
)

scenario(
  'both directions/refetch/start',
  'a list whose start is named loses what the server deleted behind it, and keeps the pages around it',
  async (stage) => {
    const { controller, server, settle } = stage
    const { getDays, reader } = await openCalendar(stage)
    await state(reader).fetchPrevious()
    await state(reader).fetchNext()
    await settle()
    server.route(today, rows(11, 12, 13))
    await controller.fetch(getDays, days)
    await settle()
    expect(idsOf(reader)).toEqual([8, 9, 11, 12, 13, 14])
  },
)

scenario(
  'both directions/refetch/nothing left',
  'a list whose start is named keeps its previous pages when nothing is left behind it',
  async (stage) => {
    const { controller, server, settle } = stage
    const { getDays, reader } = await openCalendar(stage)
    await state(reader).fetchPrevious()
    for (const left of [rows(11), [], rows(15)]) {
      server.route(today, left)
      await controller.fetch(getDays, days)
    }
    await settle()
    expect(idsOf(reader)).toEqual([8, 9, 15])
  },
)

for (const kind of ['Collection', 'plain list'] as const)
  scenario(
    `both directions/refetchPages/${kind}`,
    'all loaded pages are asked for again in the order of the list, and shown at once',
    async (stage) => {
      const { api, controller, mount, server, settle } = stage
      const whole = api.todo.getList.extend({ paginationField: 'page', refetchPages: true })
      const plain: unknown = [api.todo.get.schema]
      // The scenario reads both kinds alike.
      const members = kind === 'Collection' ? whole.schema : (plain as typeof whole.schema)
      const getPages = bidirectional(whole.extend({ schema: members }), { previous: 'page', start: 'start' })
      const start = 'GET /todo?start=5'
      server.route(start, rows(50, 51))
      for (const page of [3, 4, 6]) server.route(`GET /todo?page=${page}`, rows(page * 10, page * 10 + 1))
      const reader = await mount(
        'useInfinite',
        getPages,
        { start: 5 },
        {
          previous: (_: unknown, { pages }: { pages: number }) => pages < 5 && { page: 5 - pages },
          next: (_: unknown, { pages }: { pages: number }) => pages < 2 && { page: 5 + pages },
        },
      )
      await settle()
      await state(reader).fetchPrevious()
      await state(reader).fetchNext()
      await settle()
      await state(reader).fetchPrevious()
      await settle()
      expect(idsOf(reader)).toEqual([30, 31, 40, 41, 50, 51, 60, 61])
      expect(state(reader)).toMatchObject({ hasNext: false, hasPrevious: true })
      server.requests.length = 0
      server.route('GET /todo?page=3', rows(30, 32))
      server.route(start, rows(51, 52))
      const { renders } = reader
      await controller.fetch(getPages, { start: 5 })
      await settle()
      expect(idsOf(reader)).toEqual([30, 32, 40, 41, 51, 52, 60, 61])
      expect(server.requests).toEqual(['GET /todo?page=3', 'GET /todo?page=4', start, 'GET /todo?page=6'])
      expect(reader.renders - renders).toBeLessThanOrEqual(2)
      await state(reader).fetchPrevious()
      expect(server.requests.at(-1)).toBe('GET /todo?page=2')
      expect(server.unexpected.splice(0)).toHaveLength(1)
    },
  )

scenario(
  'both directions/plain list',
  'a list without an identity grows in both directions, too',
  async ({ api, controller, mount, server, settle }) => {
    const plain = api.todo.getList.extend({ schema: [api.todo.get.schema] })
    const getMessages = bidirectional(plain, { previous: 'before' })
    server.route(newest, rows(97, 98, 99))
    server.route(older, rows(94, 95, 96))
    const reader = await mount('useInfinite', getMessages, room, byFirst)
    await settle()
    await state(reader).fetchPrevious()
    server.route(newest, rows(98, 100, 101))
    await controller.fetch(getMessages, room)
    await settle()
    expect(idsOf(reader)).toEqual([94, 95, 96, 97, 98, 100, 101])
  },
)

scenario(
  'both directions/reset',
  'a previous page that answers after a reset, or after the list started over, is not put into the list',
  async (stage) => {
    const { controller, server, settle } = stage
    const { getMessages, reader } = await openChat(stage)
    server.hold(older)
    void state(reader).fetchPrevious()
    await settle()
    await controller.resetAll()
    await settle()
    server.release()
    await settle()
    expect(idsOf(reader)).toEqual([97, 98, 99])
    expect(state(reader)).toMatchObject({ hasPrevious: true, isFetchingPrevious: false })
    await state(reader).fetchPrevious()
    server.hold(oldest)
    void state(reader).fetchPrevious()
    await settle()
    server.route(newest, rows(110, 111, 112))
    await controller.fetch(getMessages, room)
    server.release()
    await settle()
    expect(idsOf(reader)).toEqual([110, 111, 112])
  },
)

scenario.onReact18(
  'both directions/error',
  'a previous page that failed is an error beside the list, until it is asked for again',
  async (stage) => {
    const { server, settle } = stage
    const { reader } = await openChat(stage)
    server.route(older, reply.status(500, {}))
    await state(reader).fetchPrevious()
    await settle()
    expect(state(reader)).toMatchObject({
      error: { status: 500 },
      hasPrevious: true,
      isFetchingPrevious: false,
    })
    expect(idsOf(reader)).toEqual([97, 98, 99])
    server.route(older, rows(94, 95, 96))
    await state(reader).fetchPrevious()
    await settle()
    expect(state(reader)).toMatchObject({ error: undefined, hasPrevious: true })
    expect(idsOf(reader)).toEqual([94, 95, 96, 97, 98, 99])
  },
)

const wrapped = (ids: readonly number[], previous: string | null, next: string | null, count = 9) => ({
  results: rows(...ids),
  previous,
  next,
  count,
})

function tokensOf({ api, server }: Stage) {
  const getFeed = api.todo.getList.extend({
    schema: new Counted(
      { results: new schema.Collection([Todo]), previous: '', next: '', count: 0 },
      'count',
    ),
    paginationField: 'page',
  })
  server.route('GET /todo', wrapped([5, 6], 'b', 'd'))
  server.route('GET /todo?page=a', wrapped([1, 2], null, 'b'))
  server.route('GET /todo?page=b', wrapped([3, 4], 'a', 'c'))
  server.route('GET /todo?page=d', wrapped([7, 8], 'c', 'e'))
  server.route('GET /todo?page=e', wrapped([9], 'd', null))
  return bidirectional(getFeed, { previous: 'page' })
}

const byToken = {
  previous: ({ previous }: Wrapped) => previous && { page: previous },
  next: ({ next }: Wrapped) => next && { page: next },
}

scenario(
  'both directions/token',
  'each direction has the token of its outermost page, and the total is that of all records',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const getFeed = tokensOf(stage)
    const reader = await mount('useInfinite', getFeed, undefined, byToken)
    await settle()
    for (const side of ['fetchNext', 'fetchPrevious', 'fetchPrevious', 'fetchNext'] as const) {
      await state(reader)[side]()
      await settle()
      expect(state(reader).data).toMatchObject({ count: 9 })
    }
    expect(server.requests).toEqual([
      'GET /todo',
      'GET /todo?page=d',
      'GET /todo?page=b',
      'GET /todo?page=a',
      'GET /todo?page=e',
    ])
    expect(idsOf(reader)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(state(reader)).toMatchObject({ hasNext: false, hasPrevious: false })
    const late = await mount('useInfinite', getFeed, undefined, byToken)
    await settle()
    expect(state(late)).toMatchObject({ hasNext: false, hasPrevious: false })
    await controller.fetch(getFeed)
    await settle()
    expect(idsOf(reader)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(state(reader)).toMatchObject({ data: { count: 9 }, hasNext: false, hasPrevious: false })
  },
)

scenario(
  'both directions/carried',
  'a page that was rendered elsewhere, or kept, goes on in both directions where it was',
  async (stage) => {
    const { clock, open, server, settle } = stage
    const getFeed = tokensOf(stage)
    const earlier = new Controller({ clock })
    await earlier.fetch(getFeed)
    await earlier.fetch(getFeed.getPage, { page: 'd' })
    await earlier.fetch(getFeed.getPreviousPage, { page: 'b' })
    const carried = serialize(dehydrate(earlier))
    earlier.dispose()
    const app = open()
    hydrate(app.controller, deserialize(carried))
    server.requests.length = 0
    const reader = await app.mount('useInfinite', getFeed, undefined, byToken)
    await settle()
    expect(idsOf(reader)).toEqual([3, 4, 5, 6, 7, 8])
    expect(server.requests).toEqual([])
    await state(reader).fetchPrevious()
    await state(reader).fetchNext()
    await settle()
    expect(server.requests).toEqual(['GET /todo?page=a', 'GET /todo?page=e'])
    server.route('GET /todo', wrapped([5, 6], 'b', 'd'))
    await app.controller.fetch(getFeed)
    await settle()
    expect(idsOf(reader)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  },
)

scenario(
  'both directions/orderBy',
  'a rule puts a new message behind the newest, although older ones were loaded',
  async ({ controller, mount, server, settle }) => {
    const messages = createResource({
      urlPrefix: baseUrl,
      fetchResponse: (url, init) => server.fetch(url, init),
      path: '/todo/:id',
      schema: Todo,
      searchParams: {} as { userId?: number },
      orderBy: order('id'),
    })
    const getMessages = bidirectional(messages.getList, { previous: 'before' })
    server.route(newest, rows(97, 98, 99))
    server.route(older, rows(94, 95, 96))
    server.route('POST /todo', todoFields(100))
    const reader = await mount('useInfinite', getMessages, room, byFirst)
    await settle()
    await state(reader).fetchPrevious()
    await controller.fetch(messages.create, { userId: 1 })
    await settle()
    expect(idsOf(reader)).toEqual([94, 95, 96, 97, 98, 99, 100])
  },
)

scenario(
  'both directions/direction',
  'two params may belong to a previous page, and a page without a value for one is none',
  async ({ api, mount, server, settle }) => {
    const getMessages = bidirectional(api.todo.getList, { previous: ['cursor', 'direction'] })
    server.route(newest, rows(97, 98, 99))
    server.route('GET /todo?cursor=97&direction=back&userId=1', rows(96))
    const reader = await mount('useInfinite', getMessages, room, {
      previous: (todos: readonly Todo[]) => ({
        cursor: todos.length > 3 ? null : todos[0]?.id,
        direction: 'back',
      }),
    })
    await settle()
    await state(reader).fetchPrevious()
    await settle()
    expect(idsOf(reader)).toEqual([96, 97, 98, 99])
    expect(state(reader).hasPrevious).toBe(false)
  },
)
