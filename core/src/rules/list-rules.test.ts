import { describe, expect, test, vi } from 'vitest'
import { callsOf } from '../controller/calls.js'
import { Controller, Entity, schema } from '../index.js'
import { optimistic } from '../optimistic.js'
import { createResource } from '../rest.js'
import { order, rule } from '../rules.js'

class User extends Entity {
  id = 0
  name = ''
  isAdmin = false
  friends: readonly User[] = []
  static override key = 'User'
}
User.schema = { friends: [User] }

class Task extends Entity {
  id: number | string = 0
  title: string | undefined
  due: Date | null = null
  owner: User | undefined
  static override key = 'Task'
  static override schema = { due: Date, owner: User }
}

/** A resource whose list and mutations are answered by the test. */
function tasks(options: object, list: readonly object[]) {
  const resource = createResource({
    path: '/task/:id',
    schema: Task,
    ...options,
    fetchResponse: async (_url, { method, body }) =>
      Response.json(method === 'GET' ? list : JSON.parse((body ?? '{}') as string)),
  })
  const controller = new Controller()
  const ids = (params = {}) => controller.read(resource.getList, params).data?.map(({ id }) => id)
  return { ...resource, controller, ids }
}

test.each([
  ['title', undefined, [{ title: 'b' }, { title: 'd' }, {}], { title: 'c' }, [1, 9, 2, 3]],
  ['title', 'descending', [{ title: 'd' }, { title: 'b' }, {}], { title: 'c' }, [1, 9, 2, 3]],
  ['title', 'descending', [{ title: 'd' }], {}, [1, 9]],
  ['due', 'descending', [{ due: '2026-03-01' }, { due: '2026-01-01' }], { due: '2026-02-01' }, [1, 9, 2]],
  ['due', 'ascending', [{ due: '2026-01-01' }, { due: null }], { due: '2026-02-01' }, [1, 9, 2]],
  ['id', 'descending', [{}], {}, [9, 1]],
  // The first of equal records stays first.
  ['title', 'ascending', [{ title: 'a' }, { title: 'a' }, { title: 'b' }], { title: 'a' }, [1, 2, 9, 3]],
] as const)('order by %s %s puts a record at its place', async (field, direction, list, created, shown) => {
  const { controller, getList, create, ids } = tasks(
    { orderBy: order(field, direction) },
    list.map((fields, index) => ({ id: index + 1, ...fields })),
  )
  await controller.fetch(getList)
  await controller.fetch(create, { id: 9, ...created } as object)
  expect(ids()).toEqual(shown)
})

test('a temporary id stands among numbers as the newest', async () => {
  const compare = order('id').compare as (a: object, b: object, args: object) => number
  expect(compare({ id: 'temporary' }, { id: 7 }, {})).toBeGreaterThan(0)
  expect(compare({ id: 7 }, { id: 'temporary' }, {})).toBeLessThan(0)
})

test('a rule and an order see nested records, and make none that they do not read', async () => {
  const made = vi.fn()
  class Counted extends User {
    constructor() {
      super()
      made()
    }
  }
  class Job extends Task {
    static override schema = { due: Date, owner: Counted }
  }
  const jobs = createResource({
    path: '/job/:id',
    schema: Job,
    filter: rule((job: Job, { admin }: { admin?: boolean }) => admin !== true || job.owner?.isAdmin === true),
    orderBy: order((a: Job, b: Job) => (a.owner?.name ?? '').localeCompare(b.owner?.name ?? '')),
    fetchResponse: async (url, { method, body }) =>
      Response.json(
        method === 'GET'
          ? [1, 3].map((id) => ({ id, owner: { id, name: 'abcd'[id], isAdmin: true, friends: [{ id: 8 }] } }))
          : JSON.parse(body as string),
      ),
  })
  const controller = new Controller()
  await controller.fetch(jobs.getList, { admin: true })
  made.mockClear()
  await controller.fetch(jobs.create, { id: 7, owner: { id: 2, name: 'c', isAdmin: true } })
  expect(made.mock.calls.length).toBeLessThan(12)
  await controller.fetch(jobs.create, { id: 8, owner: { id: 4, name: 'a', isAdmin: false } })
  const { data } = controller.read(jobs.getList, { admin: true })
  expect(data?.map(({ id }) => id)).toEqual([1, 7, 3])
})

test('a list with further pages stays Valid where the place is between loaded records, and is Stale behind them', async () => {
  const { controller, getList, create, ids } = tasks({ orderBy: order('title') }, [
    { id: 1, title: 'b' },
    { id: 2, title: 'd' },
  ])
  await controller.fetch(getList)
  await controller.fetch(getList.getPage, { cursor: 2 })
  await controller.fetch(create, { id: 8, title: 'c' })
  expect([ids(), controller.read(getList).status]).toEqual([[1, 8, 2], 'Valid'])
  await controller.fetch(create, { id: 9, title: 'e' })
  expect([ids(), controller.read(getList).status]).toEqual([[1, 8, 2, 9], 'Stale'])
})

test('an order holds for the members of a union', async () => {
  class Note extends Entity {
    id = 0
    kind = 'note'
    title = ''
    static override key = 'Note'
  }
  const union = new schema.Union({ note: Note, task: Task }, 'kind')
  const items = createResource({
    path: '/item/:id',
    schema: union,
    orderBy: order('title'),
    filter: rule(
      (item: Note | Task, { q }: { q?: string }) => q === undefined || item.title?.includes(q) === true,
    ),
    fetchResponse: async (_url, { method, body }) =>
      Response.json(
        method === 'GET'
          ? [
              { id: 1, kind: 'note', title: 'b' },
              { id: 1, kind: 'task', title: 'db' },
            ]
          : JSON.parse(body as string),
      ),
  })
  const controller = new Controller()
  await controller.fetch(items.getList, { q: 'b' })
  await controller.fetch(items.create, { id: 2, kind: 'note', title: 'cb' } as object)
  await controller.fetch(items.create, { id: 3, kind: 'note', title: 'c' } as object)
  expect(controller.read(items.getList, { q: 'b' }).data?.map(({ title }) => title)).toEqual([
    'b',
    'cb',
    'db',
  ])
})

test('what rule and order did not make is refused', () => {
  const made = (options: object) => () => new schema.Collection([Task], options)
  expect(made({ filter: () => true })).toThrow('Write filter: rule(…), with `rule` of @selfsame/core/rules.')
  expect(made({ orderBy: 'title' })).toThrow('Write orderBy: order(…), with `order` of @selfsame/core/rules.')
})

test('an order that throws keeps the record at the end, and says which record it was', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { controller, getList, create, ids } = tasks(
    { orderBy: order((a: Task, b: Task) => a.owner!.id - b.owner!.id) },
    [{ id: 1 }],
  )
  await controller.fetch(getList)
  await controller.fetch(create, { id: 9 })
  expect(ids()).toEqual([1, 9])
  expect(String(warned.mock.calls[0]?.[0])).toContain(
    'The option `orderBy` of a list threw for the record Task "9"',
  )
  warned.mockRestore()
})

test('a response in another order is shown as it was sent, and development names two records once', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { controller, getList, ids } = tasks({ orderBy: order('title') }, [
    { id: 1, title: 'b' },
    { id: 2, title: 'a' },
    { id: 3, title: 'c' },
  ])
  await controller.fetch(getList)
  await controller.fetch(getList)
  expect(ids()).toEqual([1, 2, 3])
  expect(warned.mock.calls).toEqual([
    [
      expect.stringMatching(
        /A response brought Task "1" before Task "2", but the option `orderBy` of its list puts them the other way round/,
      ),
    ],
  ])
  warned.mockRestore()
})

test('what is set calls a rule for the changed records only', async () => {
  const filter = vi.fn((task: Task) => task.title !== 'z')
  const { controller, getList, ids } = tasks(
    { filter: rule(filter) },
    Array.from({ length: 100 }, (_, index) => ({ id: index + 1, title: 'a' })),
  )
  await controller.fetch(getList)
  filter.mockClear()
  controller.set(Task, { id: 50 }, { title: 'z' })
  expect(ids()).toHaveLength(99)
  // As it was, and as it is.
  expect(filter.mock.calls.length).toBe(2)
  controller.set(User, { id: 1 }, { name: 'other' })
  expect(filter.mock.calls.length).toBe(2)
})

describe('arguments that a rule does not read', () => {
  class Issue extends Entity {
    id: number | string = 0
    project = 0
    state = 'todo'
    title = ''
    isPinned = false
    static override key = 'Issue'
  }

  type Search = { q?: string; state?: string }
  const rules = {
    'a search': rule((issue: Issue, { q }: Search) => q === undefined || issue.title.includes(q)),
    'a search and a field': rule(
      (issue: Issue, args: Search) =>
        (args.q === undefined || issue.title.includes(args.q)) &&
        (args.state === undefined || issue.state === args.state),
    ),
  }

  async function setUp(filter: unknown) {
    const issues = createResource({
      ...{ path: '/issue/:id', schema: Issue, optimistic, filter: filter as never },
      fetchResponse: async (_url, { method, body }) =>
        Response.json(
          method === 'GET' ? [] : { id: 1, project: 1, title: 'milk', ...JSON.parse(body as string) },
        ),
    })
    const controller = new Controller()
    const lists = [{ project: 1, state: 'todo' }, { project: 1, state: 'done', q: 'milk' }, { project: 2 }]
    for (const list of lists) await controller.fetch(issues.getList, list as never)
    const shown = () =>
      lists.map((list) => {
        const { data, status } = controller.read(issues.getList, list as never)
        return `${(data as Issue[] | undefined)?.length} ${status}`
      })
    return { ...issues, controller, shown }
  }

  test.each(Object.entries(rules))('are compared as usual beside %s', async (_, filter) => {
    const { controller, create, partialUpdate, shown } = await setUp(filter)
    await controller.fetch(create, { project: 1, state: 'todo', title: 'milk' })
    expect(shown()).toEqual(['1 Valid', '0 Valid', '0 Valid'])
    const moving = controller.fetch(partialUpdate, { id: 1 }, { state: 'done' })
    expect(shown()).toEqual(['0 Valid', '1 Valid', '0 Valid'])
    await moving
    controller.set(Issue, { id: 1 }, { project: 2 })
    expect(shown()).toEqual(['0 Valid', '0 Valid', '1 Valid'])
  })

  test('are those that it has read for no record', async () => {
    const isShown = (issue: Issue, args: Search) => issue.isPinned || issue.state === args.state
    const { controller, create, shown } = await setUp(rule(isShown))
    await controller.fetch(create, { id: 1, project: 1, state: 'todo' })
    await controller.fetch(create, { id: 2, project: 1, state: 'later', isPinned: true })
    expect(shown()).toEqual(['2 Valid', '0 Stale', '0 Valid'])
  })
})

test.each([
  ['as it was', 'mine', [1, 2], []],
  ['changed', 'yours', [2], [1]],
])(
  'a deleted record that a message brings back %s is where the rule puts it, and no list is Stale',
  async (_how, title, mine, yours) => {
    const resource = tasks(
      {
        searchParams: { title: '' as string | undefined },
        filter: rule<Task, { title?: string }>((task, args) => task.title === args.title),
        orderBy: order('id'),
      },
      [],
    )
    const { controller, get, getList, ids } = resource
    const received = [1, 2].map((id) => ({ id, title: 'mine' }))
    controller.setResponse(getList, { title: 'mine' }, received)
    controller.setResponse(getList, { title: 'yours' }, [])
    await controller.fetch(resource.delete, { id: 1 })
    expect(ids({ title: 'mine' })).toEqual([2])
    callsOf(controller).receive(() => controller.setResponse(get, { id: 1 }, { id: 1, title }))
    expect(ids({ title: 'mine' })).toEqual(mine)
    expect(ids({ title: 'yours' })).toEqual(yours)
    for (const each of ['mine', 'yours'])
      expect(controller.read(getList, { title: each }).status).toBe('Valid')
  },
)

describe('a list on its way while a record is written', () => {
  let rows: readonly object[] = []
  const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 0))
  /** Responses take two turns. */
  const fetchResponse = async () => {
    await nextTurn()
    await nextTurn()
    return Response.json(rows)
  }
  const options = { path: '/item/:id', fetchResponse } as const

  test('a polymorphic one takes no record that only a mutation can name, and keeps its members', async () => {
    class Note extends Entity {
      id = 0
      title = ''
      static override key = 'Note'
    }
    const { getList } = createResource({
      ...options,
      schema: new schema.Union({ note: Note, task: Task }, 'kind'),
      filter: rule(() => true),
      orderBy: order('title'),
    })
    const controller = new Controller()
    rows = [
      { kind: 'task', id: 1, title: 'a' },
      { kind: 'note', id: 1, title: 'b' },
    ]
    for (const id of [7, 8]) {
      const fetching = controller.fetch(getList)
      await nextTurn()
      controller.set(Task, { id }, { title: 'c' })
      controller.set(Task, { id: 1 }, { title: 'a' })
      await fetching
      expect(controller.read(getList).data).toEqual([
        expect.objectContaining({ title: 'a' }),
        expect.objectContaining({ title: 'b' }),
      ])
    }
  })

  test('a page has a changed record at its place, and invents nothing behind its last one', async () => {
    const { getList } = createResource({
      ...options,
      schema: Task,
      orderBy: order('title'),
      paginationField: 'cursor',
    })
    const controller = new Controller()
    rows = [{ id: 1, title: 'a' }]
    await controller.fetch(getList)
    rows = [{ id: 2, title: 'b' }]
    await controller.fetch(getList.getPage, { cursor: 1 })
    rows = [
      { id: 4, title: 'bb' },
      { id: 3, title: 'c' },
      { id: 5, title: 'd' },
    ]
    const page = controller.fetch(getList.getPage, { cursor: 2 })
    await nextTurn()
    controller.set(Task, { id: 4 }, { title: 'ca' })
    controller.set(Task, { id: 9 }, { title: 'z' })
    await page
    expect(controller.read(getList).data?.map(({ title }) => title)).toEqual(['a', 'b', 'c', 'ca', 'd'])
  })
})

test('a page that arrives before its list in order makes the list', async () => {
  const { controller, getList, create, ids } = tasks({ orderBy: order('title') }, [
    { id: 1, title: 'b' },
    { id: 2, title: 'd' },
  ])
  await controller.fetch(getList.getPage, { cursor: 2 })
  expect(ids()).toEqual([1, 2])
  await controller.fetch(create, { id: 8, title: 'c' })
  expect(ids()).toEqual([1, 8, 2])
})
