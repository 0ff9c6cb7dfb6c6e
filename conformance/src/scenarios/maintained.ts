import { Entity, schema } from '@selfsame/core'
import { from } from '@selfsame/core/maintained'
import type { ListWindow } from '@selfsame/core/maintained'
import { optimistic } from '@selfsame/core/optimistic'
import { createResource } from '@selfsame/core/rest'
import { expect } from 'vitest'
import { Todo, todoFields } from '../fixtures.js'
import { baseUrl, reply } from '../server.js'
import type { Reader } from '../contract.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

// Queries of `@selfsame/core/maintained`.

/** A maintained query of the todos of a user, by title, and how many times its test was called. */
function makeQuery() {
  const tests = { count: 0 }
  const ofUser = from(Todo)
    .where((todo, { userId }: { userId: number }) => {
      tests.count++
      return todo.userId === userId
    })
    .orderBy('title')
  return { ofUser, tests }
}

async function fetchTodos({ api, controller, server }: Stage) {
  server.route('GET /todo', [
    todoFields(5, { title: 'B' }),
    todoFields(6, { title: 'A' }),
    todoFields(7, { title: 'C', userId: 2 }),
  ])
  await controller.fetch(api.todo.getList)
  server.requests.length = 0
}

scenario(
  '2.1/Maintained/All',
  'a maintained query follows the records, and a change that its test does not read calls nothing',
  async (stage) => {
    const { api, controller, mount, settle } = stage
    const { ofUser, tests } = makeQuery()
    const reader = await mount('useQuery', ofUser, { userId: 1 })
    expect(shown(reader)).toBeUndefined()
    await fetchTodos(stage)
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 6 }, { id: 5 }])
    expect(tests.count).toBe(3)
    const [first, second] = shown(reader) as readonly Todo[]
    controller.set(Todo, { id: 5 }, { completed: true })
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 6 }, { id: 5, completed: true }])
    expect((shown(reader) as readonly Todo[])[0]).toBe(first)
    expect((shown(reader) as readonly Todo[])[1]).not.toBe(second)
    expect(tests.count).toBe(3)
    const { renders } = reader
    const list = shown(reader)
    controller.set(Todo, { id: 7 }, { title: 'D' })
    await settle()
    expect(shown(reader)).toBe(list)
    expect(reader.renders).toBe(renders)
    await controller.fetch(api.todo.delete, { id: 6 })
    controller.set(Todo, { id: 7 }, { userId: 1, title: 'A' })
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 7 }, { id: 5 }])
  },
)

scenario(
  '2.1/Maintained/optimistic',
  'an optimistic change is shown by a maintained query, and taken back to the same objects',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const todos = createResource({
      urlPrefix: baseUrl,
      fetchResponse: (url, init) => server.fetch(url, init),
      path: '/todo/:id',
      schema: Todo,
      optimistic,
    })
    const { ofUser } = makeQuery()
    await fetchTodos(stage)
    const reader = await mount('useQuery', ofUser, { userId: 1 })
    const groups = await mount('useQuery', from(Todo).groupBy('userId').count())
    const list = shown(reader)
    const counts = shown(groups)
    server.route('PATCH /todo/5', reply.status(500))
    const failed = controller.fetch(todos.partialUpdate, { id: 5 }, { userId: 2 }).catch(() => {})
    await settle()
    await failed
    await settle()
    expect(shown(reader)).toBe(list)
    expect(shown(groups)).toBe(counts)
    server.route('PATCH /todo/5', todoFields(5, { title: 'B', userId: 2 }))
    const saved = controller.fetch(todos.partialUpdate, { id: 5 }, { userId: 2 })
    expect(controller.get(ofUser, { userId: 1 })).toMatchObject([{ id: 6 }])
    await saved
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 6 }])
    expect(shown(groups)).toEqual([
      { key: 2, value: 2 },
      { key: 1, value: 1 },
    ])
  },
)

scenario(
  '2.1/Maintained/Collection',
  'a maintained query of a list follows the members that mutations add, and its argument',
  async (stage) => {
    const { api, controller, mount, settle } = stage
    await fetchTodos(stage)
    const firstOf = from(api.todo.getList.schema)
      .orderBy('title')
      .limit(({ most }: { most: number }) => most)
    const reader = await mount('useCache', firstOf, null)
    expect(shown(reader)).toBeUndefined()
    const all = from(api.todo.getList.schema).orderBy('title')
    const ordered = await mount('useQuery', all)
    expect(shown(ordered)).toMatchObject([{ id: 6 }, { id: 5 }, { id: 7 }])
    await controller.fetch(api.todo.create, { title: 'AA', userId: 1 })
    await settle()
    expect(shown(ordered)).toMatchObject([{ id: 6 }, { title: 'AA' }, { id: 5 }, { id: 7 }])
  },
)

scenario(
  '2.1/Maintained/throws',
  'a test that throws names its record, and the query is read again once the record is mended',
  async (stage) => {
    const { controller } = stage
    await fetchTodos(stage)
    const broken = from(Todo).where((todo) => {
      if (todo.title === 'B') throw new Error('no B')
      return true
    })
    expect(() => controller.get(broken)).toThrow(/`where`.*the record Todo "5": no B/)
    controller.set(Todo, { id: 5 }, { title: 'E' })
    expect(controller.get(broken)).toHaveLength(3)
  },
)

scenario(
  '2.1/Maintained/window',
  'a reader of a window is told of what the window shows, and of the number of all',
  async (stage) => {
    const { controller, mount, settle } = stage
    const count = 200
    controller.set(
      new schema.All(Todo),
      {},
      Array.from({ length: count }, (_, index) =>
        todoFields(index + 1, { title: String(index).padStart(3, '0') }),
      ),
    )
    const rows = from(Todo).orderBy('title').window()
    const reader = await mount('useQuery', rows, { window: [100, 103] as const })
    const items = () => (shown(reader) as ListWindow<Todo>).items
    expect(shown(reader)).toMatchObject({
      items: [{ id: 101 }, { id: 102 }, { id: 103 }],
      from: 100,
      total: 200,
    })
    const { renders } = reader
    for (let id = 1; id <= 90; id++) controller.set(Todo, { id }, { completed: true })
    await settle()
    expect(reader.renders).toBe(renders)
    const [first] = items()
    controller.set(Todo, { id: 102 }, { completed: true })
    await settle()
    expect(reader.renders).toBe(renders + 1)
    expect(items()[0]).toBe(first)
    expect(items()[1]).toMatchObject({ id: 102, completed: true })
    controller.set(Todo, { id: 200 }, { title: '000' })
    await settle()
    expect(items()).toMatchObject([{ id: 100 }, { id: 101 }, { id: 102 }])
    await reader.change({ window: [0, 2] as const })
    await settle()
    expect(shown(reader)).toMatchObject({ items: [{ id: 1 }, { id: 200 }], from: 0, total: 200 })
  },
)

class Day extends Entity {
  id = 0
  at = new Date(0)
  static override key = 'Day'
  static override schema = { at: Date }
}

const september = (day: number) => `2025-09-${day}T00:00:00.000Z`

scenario(
  '2.1/Maintained/dates',
  'dates are compared by their time, also beside a test that compares the same field',
  async ({ controller, mount, settle }) => {
    const setDay = (id: number, at: string) => controller.set(Day, { id }, { id, at: new Date(at) })
    setDay(1, september(15))
    setDay(2, september(10))
    const limit = new Date(september(12))
    const none = await mount(
      'useQuery',
      from(Day).where(({ at }) => at > limit && at < limit),
      {},
    )
    const newest = await mount('useQuery', from(Day).orderBy('at', 'descending').limit(1), {})
    const equal = await mount('useQuery', from(Day).where({ at: new Date(september(20)) }), {})
    const latest = await mount('useQuery', from(Day).max('at'), {})
    await settle()
    const shownIds = () => [none, newest, equal].map((reader) => (shown(reader) as Day[]).map(({ id }) => id))
    expect([...shownIds(), shown(latest)]).toEqual([[], [1], [], new Date(september(15))])
    setDay(2, september(20))
    await settle()
    expect([...shownIds(), shown(latest)]).toEqual([[], [2], [2], new Date(september(20))])
  },
)

/** The ids of a list of todos. */
const idsOf = (list: unknown) => (list as Todo[]).map(({ id }) => id)

scenario(
  '2.1/Maintained/order after a cut',
  'orderBy after limit or offset orders what is left, also for first, groupBy and windows',
  async (stage) => {
    const { controller, mount, settle } = stage
    const fields = [
      [1, 'd', 1],
      [2, 'c', 2],
      [3, 'b', 1],
      [4, 'a', 2],
    ] as const
    controller.set(
      new schema.All(Todo),
      {},
      fields.map(([id, title, userId]) => todoFields(id, { title, userId })),
    )
    const lastThree = from(Todo).orderBy('id', 'descending').limit(3)
    const byTitle = lastThree.orderBy('title')
    const readers = {
      limit: await mount('useQuery', byTitle),
      offset: await mount('useQuery', from(Todo).orderBy('id').offset(1).orderBy('userId').orderBy('title')),
      first: await mount('useQuery', byTitle.first()),
      groups: await mount('useQuery', lastThree.orderBy('userId').groupBy('userId').count()),
      window: await mount('useQuery', byTitle.window(), { window: [0, 2] as const }),
      where: await mount('useQuery', from(Todo).where({ userId: 2 }).limit(1).where({ userId: 1 })),
    }
    const read = () => ({
      limit: idsOf(shown(readers.limit)),
      offset: idsOf(shown(readers.offset)),
      first: (shown(readers.first) as Todo).id,
      groups: shown(readers.groups),
      window: idsOf((shown(readers.window) as ListWindow<Todo>).items),
      where: shown(readers.where),
    })
    const expected = {
      limit: [4, 3, 2],
      offset: [3, 4, 2],
      first: 4,
      groups: [
        { key: 1, value: 1 },
        { key: 2, value: 2 },
      ],
      window: [4, 3],
      where: [],
    }
    expect(read()).toEqual(expected)
    controller.set(Todo, { id: 2 }, { title: '0' })
    await settle()
    expect(read()).toEqual({ ...expected, limit: [2, 4, 3], offset: [3, 2, 4], first: 2, window: [2, 4] })
  },
)

scenario(
  '2.1/Maintained/of a part',
  'a query of the first of some follows their changes, and who comes among them',
  async ({ controller, mount, settle }) => {
    for (const id of [1, 2, 3]) controller.set(Todo, { id }, { id, userId: id, title: `Todo ${id}` })
    const first = from(Todo).orderBy('userId', 'descending').limit(2)
    const reader = await mount('useQuery', from(first).orderBy('title'), {})
    await settle()
    const titles = () => (shown(reader) as Todo[]).map(({ title }) => title)
    expect(titles()).toEqual(['Todo 2', 'Todo 3'])
    controller.set(Todo, { id: 3 }, { title: 'A' })
    await settle()
    expect(titles()).toEqual(['A', 'Todo 2'])
    controller.set(Todo, { id: 1 }, { userId: 9 })
    await settle()
    expect(titles()).toEqual(['A', 'Todo 1'])
  },
)

scenario(
  '2.1/Maintained/window of a Collection',
  'the argument window names no list: windows of a Collection, with and without arguments, and of a query over it',
  async ({ api, controller, mount, settle }) => {
    const { schema: todos } = api.todo.getList
    const window = [0, 1] as const
    const readers = [
      await mount('useQuery', from(todos).window(), { window }),
      await mount('useQuery', from(todos).window(), { userId: 1, window }),
      await mount('useCache', from(todos).orderBy('id', 'descending').limit(5).orderBy('title').window(), {
        userId: 1,
        window,
      }),
      await mount('useQuery', from(from(todos)).window(), { userId: 1, window }),
    ]
    expect(readers.map(shown)).toEqual([undefined, undefined, undefined, undefined])
    await controller.fetch(api.todo.getList)
    await controller.fetch(api.todo.getList, { userId: 1 })
    await settle()
    const all = { items: [{ id: 5 }], from: 0, total: 2 }
    expect(readers.map(shown)).toMatchObject([all, all, all, all])
    await readers[1]?.change({ userId: 1, window: [1, 3] as const })
    expect(shown(readers[1] as Reader)).toMatchObject({ items: [{ id: 6 }], from: 1, total: 2 })
  },
)
