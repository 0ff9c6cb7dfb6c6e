import { Counted, Endpoint, schema } from '@selfsame/core'
import type { StreamSink } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { createResource } from '@selfsame/core/rest'
import { order, rule } from '@selfsame/core/rules'
import { expect } from 'vitest'
import type { Reader } from '../contract.js'
import { Todo, todoFields } from '../fixtures.js'
import { baseUrl } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

// Lists with rules of which a part is loaded, and records that a read has changed.

interface Search {
  readonly q?: string
  readonly completed?: boolean
}

/** A resource whose lists have the todos 5 and 6 of 57, and 7 and 8 on their second page. */
function makeTodos({ server }: Stage, options: object = {}, early?: typeof optimistic) {
  const items = new schema.Collection([Todo], {
    filter: rule(
      (todo, { q, completed }: Search) =>
        (q === undefined || todo.title.includes(q)) &&
        (completed === undefined || todo.completed === completed),
    ),
    ...options,
  })
  const todos = createResource({
    urlPrefix: baseUrl,
    fetchResponse: (url, init) => server.fetch(url, init),
    path: '/todo/:id',
    schema: Todo,
    searchParams: {} as Search,
    optimistic: early,
  })
  for (const [page, ids, nextPage] of [
    ['', [5, 6], 2],
    ['?page=2', [7, 8], 3],
  ] as const)
    server.route(`GET /todo${page}`, { items: ids.map((id) => todoFields(id)), total: 57, nextPage })
  for (const id of [8, 30]) {
    server.route(`GET /todo/${id}`, todoFields(id))
    server.route(`PATCH /todo/${id}`, ({ body }: { body: unknown }) => todoFields(id, body as object))
  }
  return todos.extend(({ getList }) => ({
    getList: getList.extend({
      schema: new Counted({ items, total: 0, nextPage: null as number | null }, 'total'),
      paginationField: 'page',
    }),
  }))
}

type Todos = ReturnType<typeof makeTodos>

/** Mounts the list, and returns what it shows: ids, the number and the status. */
async function mountList({ controller, mount, server, settle }: Stage, todos: Todos) {
  const reader = await mount('useSuspense', todos.getList)
  await settle()
  server.requests.length = 0
  return () => {
    const { items, total } = shown(reader) as { items: readonly Todo[]; total: number }
    return `${items.map(({ id }) => id).join()} of ${total} ${controller.read(todos.getList).status}`
  }
}

const streams = new WeakMap<Stage, StreamSink>()

/** Connects to a stream. @returns what brings its messages */
async function connect(stage: Stage): Promise<StreamSink> {
  const { mount, settle } = stage
  const open = streams.get(stage)
  if (open !== undefined) return open
  const feed = new Endpoint(() => Promise.resolve(null), {
    name: 'feed',
    stream: (sink: StreamSink) => {
      streams.set(stage, sink)
      return () => {}
    },
  })
  await mount('useSubscription', feed)
  await settle()
  return connect(stage)
}

type Fields = Partial<Pick<Todo, 'title' | 'completed'>>

const ways: Readonly<
  Record<string, (stage: Stage, todos: Todos, id: number, fields: Fields) => Promise<void>>
> = {
  'a mutation': async ({ controller }, todos, id, fields) => {
    await controller.fetch(todos.partialUpdate, { id }, fields)
  },
  set: async ({ controller }, _todos, id, fields) => controller.set(Todo, { id }, todoFields(id, fields)),
  'a message': async (stage, _todos, id, fields) =>
    (await connect(stage)).set(Todo, { id }, todoFields(id, fields)),
}

for (const [way, write] of Object.entries(ways)) {
  scenario(
    `4.1/Lists/rules/unloaded/not known/${way}`,
    'a record that nobody knew joins no list of which more may be loaded: the list is asked for once',
    async (stage) => {
      const { server, settle } = stage
      const todos = makeTodos(stage)
      const list = await mountList(stage, todos)
      server.hold('GET /todo')
      await write(stage, todos, 30, { title: 'x' })
      await settle()
      expect(list()).toBe('5,6 of 57 Stale')
      server.release()
      await settle()
      expect(list()).toBe('5,6 of 57 Valid')
      // It is known now, and matched before.
      await write(stage, todos, 30, { title: 'y' })
      await settle()
      expect(list()).toBe('5,6 of 57 Valid')
      expect(server.requests.filter((each) => each === 'GET /todo')).toHaveLength(1)
    },
  )

  scenario(
    `4.1/Lists/rules/unloaded/known/${way}`,
    'a known record that matched before stays unloaded, and one that did not match joins and is counted',
    async (stage) => {
      const { controller, server, settle } = stage
      const todos = makeTodos(stage)
      server.route('GET /todo?completed=true', { items: [todoFields(6)], total: 9, nextPage: 2 })
      const list = await mountList(stage, todos)
      await controller.fetch(todos.getList, { completed: true })
      await controller.fetch(todos.get, { id: 30 })
      await write(stage, todos, 30, { title: 'x', completed: true })
      await settle()
      expect(list()).toBe('5,6 of 57 Valid')
      const { data, status } = controller.read(todos.getList, { completed: true })
      expect([data?.items.map(({ id }) => id), data?.total, status]).toEqual([[6, 30], 10, 'Valid'])
    },
  )

  scenario(
    `4.1/Lists/rules/unloaded/pages/${way}`,
    'a list with appended pages takes no record that a later page may bring, also without a number',
    async (stage) => {
      const { controller, server, settle } = stage
      const todos = makeTodos(stage)
      const plain = todos.getList.extend({
        schema: new schema.Collection([Todo], { filter: rule(() => true) }),
        paginationField: 'page',
      })
      server.route('GET /todo', [todoFields(5), todoFields(6)])
      server.route('GET /todo?page=2', [todoFields(7), todoFields(8)])
      await controller.fetch(plain)
      await controller.fetch(plain.getPage, { page: 2 } as never)
      const list = () => {
        const { data, status } = controller.read(plain)
        return `${(data as readonly Todo[]).map(({ id }) => id).join()} ${status}`
      }
      expect(list()).toBe('5,6,7,8 Valid')
      await write(stage, todos, 30, { title: 'x' })
      await settle()
      expect(list()).toBe('5,6,7,8 Stale')
    },
  )

  scenario(
    `4.1/Lists/rules/unloaded/end/${way}`,
    'a list that is loaded to its end takes a record that nobody knew',
    async (stage) => {
      const { server, settle } = stage
      const todos = makeTodos(stage)
      server.route('GET /todo', { items: [todoFields(5), todoFields(6)], total: 2, nextPage: null })
      const list = await mountList(stage, todos)
      await write(stage, todos, 30, { title: 'x' })
      await settle()
      expect(list()).toBe('5,6,30 of 3 Valid')
    },
  )

  scenario(
    `4.1/Lists/rules/unloaded/on its way/${way}`,
    'a list that is on its way takes no record that a later page may bring',
    async (stage) => {
      const { controller, mount, server, settle } = stage
      const todos = makeTodos(stage)
      server.hold('GET /todo')
      const reader = await mount('useDLE', todos.getList)
      await settle()
      await write(stage, todos, 30, { title: 'x' })
      server.release()
      await settle()
      const { items, total } = (shown(reader) as { data: { items: readonly Todo[]; total: number } }).data
      expect([items.map(({ id }) => id), total]).toEqual([[5, 6], 57])
      expect(controller.read(todos.getList).status).toBe('Valid')
      expect(server.requests.filter((each) => each === 'GET /todo')).toHaveLength(2)
    },
  )

  scenario(
    `4.1/Lists/rules/unloaded/order/${way}`,
    'in a list in order, a record between loaded ones joins, one behind them does not, and the server is asked for the number',
    async (stage) => {
      const { server, settle } = stage
      const todos = makeTodos(stage, { orderBy: order('id') })
      const list = await mountList(stage, todos)
      server.route('PATCH /todo/5.5', ({ body }: { body: unknown }) => todoFields(5.5, body as object))
      server.hold('GET /todo')
      await write(stage, todos, 5.5, { title: 'x' })
      await settle()
      expect(list()).toBe('5,5.5,6 of 58 Stale')
      await write(stage, todos, 30, { title: 'x' })
      await settle()
      expect(list()).toBe('5,5.5,6 of 58 Stale')
      server.release()
    },
  )
}

scenario(
  '4.1/Lists/rules/unloaded/create',
  'what a mutation created joins a list of which more may be loaded',
  async (stage) => {
    const { controller, server, settle } = stage
    const todos = makeTodos(stage)
    const list = await mountList(stage, todos)
    await controller.fetch(todos.create, { title: 'x' })
    await settle()
    expect(list()).toBe('5,6,9 of 58 Valid')
    expect(server.requests).toEqual(['POST /todo'])
  },
)

scenario(
  '4.1/Lists/rules/unloaded/behind',
  'a loaded record that is set behind all loaded ones leaves the list, and the server is asked for the number',
  async (stage) => {
    const { controller, server, settle } = stage
    const todos = makeTodos(stage, { orderBy: order('title') })
    const list = await mountList(stage, todos)
    server.hold('GET /todo')
    controller.set(Todo, { id: 5 }, { title: 'Z' })
    await settle()
    expect(list()).toBe('6 of 56 Stale')
    server.release()
  },
)

scenario(
  '4.1/Lists/unloaded/arguments',
  'without a rule, a record that nobody knew does not join a part of a longer list either',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const todos = makeTodos(stage)
    server.route('GET /todo?userId=1', { items: [todoFields(5), todoFields(6)], total: 57, nextPage: 2 })
    const getList = todos.getList.extend({
      schema: new Counted(
        { items: new schema.Collection([Todo]), total: 0, nextPage: null as number | null },
        'total',
      ),
    })
    const reader = await mount('useSuspense', getList, { userId: 1 } as never)
    await settle()
    server.requests.length = 0
    server.hold('GET /todo?userId=1')
    await controller.fetch(todos.partialUpdate, { id: 30 }, { title: 'x' })
    await settle()
    const { items, total } = shown(reader) as { items: readonly Todo[]; total: number }
    expect([items.map(({ id }) => id), total]).toEqual([[5, 6], 57])
    expect(server.requests).toEqual(['PATCH /todo/30', 'GET /todo?userId=1'])
    server.release()
  },
)

/** The lists of all todos, and of those that are done or not, each loaded to its end. */
async function mountBoard(stage: Stage, rows: readonly object[] = [todoFields(5), todoFields(6)]) {
  const { controller, mount, server, settle } = stage
  const todos = createResource({
    urlPrefix: baseUrl,
    fetchResponse: (url, init) => server.fetch(url, init),
    path: '/todo/:id',
    schema: Todo,
    searchParams: {} as Search,
    filter: rule(
      (todo: Todo, { completed }: Search) => completed === undefined || todo.completed === completed,
    ),
  })
  server.route('GET /todo', rows)
  server.route('GET /todo?completed=false', rows)
  server.route('GET /todo?completed=true', [todoFields(7, { completed: true })])
  const lists = [{}, { completed: false }, { completed: true }]
  const readers: Reader[] = []
  for (const params of lists) readers.push(await mount('useSuspense', todos.getList, params))
  await settle()
  server.requests.length = 0
  const board = () =>
    readers.map((reader, index) => {
      const { status } = controller.read(todos.getList, lists[index] as object)
      return `${(shown(reader) as readonly Todo[]).map(({ id }) => id).join()} ${status}`
    })
  return { todos, board }
}

const reads = {
  'a detail': ['GET /todo/5', todoFields(5, { completed: true })],
  'the list of all': ['GET /todo', [todoFields(5, { completed: true }), todoFields(6)]],
  'another list': [
    'GET /todo?completed=true',
    [todoFields(7, { completed: true }), todoFields(5, { completed: true })],
  ],
} as const

for (const [read, [route, response]] of Object.entries(reads))
  scenario(
    `4.1/Lists/rules/read/${read}`,
    'what a read has changed leaves the list that its rule refuses it, and joins the one that it begins to match',
    async (stage) => {
      const { controller, server, settle } = stage
      const { todos, board } = await mountBoard(stage)
      server.route(route, response)
      if (read === 'a detail') await controller.fetch(todos.get, { id: 5 })
      else if (read === 'another list') await controller.fetch(todos.getList, { completed: true })
      else await controller.fetch(todos.getList)
      await settle()
      const moved = ['5,6 Valid', '6 Valid', '7,5 Valid']
      expect(board()).toEqual(moved)
      const sink = await connect(stage)
      sink.set(Todo, { id: 5 }, todoFields(5, { completed: true }))
      await settle()
      expect(board()).toEqual(moved)
      expect(server.requests).toEqual([route])
    },
  )

scenario(
  '4.1/Lists/rules/read/message',
  'a message moves a record into a list although a read has brought the change before, of a record that no list has',
  async (stage) => {
    const { controller, server, settle } = stage
    const { todos, board } = await mountBoard(stage)
    server.route('GET /todo/8', todoFields(8, { completed: true }))
    await controller.fetch(todos.get, { id: 8 })
    await settle()
    expect(board()).toEqual(['5,6 Valid', '5,6 Valid', '7 Valid'])
    const sink = await connect(stage)
    sink.set(Todo, { id: 8 }, todoFields(8, { completed: true }))
    await settle()
    expect(board()).toEqual(['5,6,8 Valid', '5,6 Valid', '7,8 Valid'])
    expect(server.requests).toEqual(['GET /todo/8'])
  },
)

scenario(
  '4.1/Lists/rules/read/as sent',
  'a read changes no list by fields that its rule does not read, and no list that the server sent otherwise',
  async (stage) => {
    const { controller, server, settle } = stage
    const odd = todoFields(6, { completed: true })
    const { todos, board } = await mountBoard(stage, [todoFields(5), odd])
    server.route('GET /todo/6', { ...odd, title: 'Z' })
    await controller.fetch(todos.get, { id: 6 })
    await settle()
    expect(board()).toEqual(['5,6 Valid', '5,6 Valid', '7 Valid'])
  },
)

scenario(
  '4.1/Lists/rules/read/on its way',
  'a list that was asked for before another read has what that changed where the rules say',
  async (stage) => {
    const { controller, server, settle } = stage
    const { todos, board } = await mountBoard(stage)
    server.hold('GET /todo?completed=false')
    const fetching = controller.fetch(todos.getList, { completed: false })
    await settle()
    server.route('GET /todo/5', todoFields(5, { completed: true }))
    await controller.fetch(todos.get, { id: 5 })
    server.release()
    await fetching
    await settle()
    expect(board()).toEqual(['5,6 Valid', '6 Valid', '7,5 Valid'])
  },
)

scenario(
  '4.1/Lists/rules/read/counted',
  'the number beside a list follows a record that a read takes out of it',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const todos = makeTodos(stage)
    server.route('GET /todo?completed=false', {
      items: [todoFields(5), todoFields(6)],
      total: 40,
      nextPage: 2,
    })
    const reader = await mount('useSuspense', todos.getList, { completed: false })
    await settle()
    server.route('GET /todo/5', todoFields(5, { completed: true }))
    await controller.fetch(todos.get, { id: 5 })
    await settle()
    const { items, total } = shown(reader) as { items: readonly Todo[]; total: number }
    expect([items.map(({ id }) => id), total]).toEqual([[6], 39])
  },
)

scenario(
  'live/echo',
  'the message of an own create before its response shows no row twice, and asks for nothing',
  async (stage) => {
    const { controller, server, settle } = stage
    const todos = makeTodos(stage, {}, optimistic)
    const list = await mountList(stage, todos)
    const sink = await connect(stage)
    let last = 8
    server.route('POST /todo', ({ body }: { body: unknown }) => todoFields(++last, body as object))
    server.hold('POST /todo')
    const creating = [9, 10].map((id) => controller.fetch(todos.create, { title: `Todo ${id}` }))
    await settle()
    for (const id of [9, 10]) sink.set(Todo, { id }, todoFields(id))
    await settle()
    expect(list()).toMatch(/^5,6,new-\S+,new-\S+ of 59 Valid$/)
    for (const _ of creating) {
      server.releaseOne('POST /todo', 'first')
      await settle()
    }
    await Promise.all(creating)
    expect(list()).toBe('5,6,9,10 of 59 Valid')
    expect(server.requests).toEqual(['POST /todo', 'POST /todo'])
  },
)

const otherRows: Readonly<Record<string, (sink: StreamSink, list: Todos['getList']) => void>> = {
  'a deletion': (sink) => sink.set(new schema.Delete(Todo), { id: 30 }, {}),
  'a move': (sink, { schema: { definition } }) =>
    sink.set(definition.items.move, {}, todoFields(30, { completed: true })),
  'a record': (sink) => sink.set(Todo, { id: 30 }, todoFields(30, { completed: true })),
}

for (const [what, tell] of Object.entries(otherRows))
  scenario(
    `4.1/Lists/unloaded/number/${what}`,
    'the server is asked for the number of a list once a message tells of a row that nobody knew, and that may have been counted',
    async (stage) => {
      const { controller, mount, server, settle } = stage
      const todos = makeTodos(stage)
      const open = { completed: false }
      server.route('GET /todo?completed=false', { items: [todoFields(5)], total: 5, nextPage: 2 })
      const reader = await mount('useSuspense', todos.getList, open)
      await settle()
      server.route('GET /todo?completed=false', { items: [todoFields(5)], total: 4, nextPage: 2 })
      const sink = await connect(stage)
      server.requests.length = 0
      tell(sink, todos.getList)
      await settle()
      expect(shown(reader)).toMatchObject({ total: 4 })
      expect(controller.read(todos.getList, open).status).toBe('Valid')
      expect(server.requests).toEqual(['GET /todo?completed=false'])
      if (what === 'a deletion') return
      // It is known now.
      sink.set(Todo, { id: 30 }, todoFields(30, { completed: true, title: 'x' }))
      await settle()
      expect(server.requests).toHaveLength(1)
    },
  )
