import { development } from '@selfsame/core/bindings'
import { Query, schema } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { order, rule } from '@selfsame/core/rules'
import { expect } from 'vitest'
import type { Reader } from '../contract.js'
import { Owner, Todo, todoFields } from '../fixtures.js'
import { baseUrl, reply } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

// Lists whose Collection has `filter` and `orderBy`.

type View = 'open' | 'all'

/** Todos whose lists are those of a view, in the order of their titles. */
function makeTodos(server: Stage['server']) {
  return createResource({
    urlPrefix: baseUrl,
    fetchResponse: (url, init) => server.fetch(url, init),
    path: '/todo/:id',
    schema: Todo,
    optimistic,
    searchParams: {} as { view?: View; userId?: number; limit?: number; page?: number; sort?: string },
    filter: rule((todo: Todo, { view }: { view?: View }) => view !== 'open' || !todo.completed),
    orderBy: order('title'),
  })
}

function titles(reader: Reader): unknown[] {
  return (shown(reader) as readonly Todo[]).map(({ title }) => title)
}

/** Mounts the lists of both views, with the todos B and D. */
async function mountViews({ mount, server, settle }: Stage, todos: ReturnType<typeof makeTodos>) {
  for (const view of ['open', 'all'])
    server.route(`GET /todo?view=${view}`, [todoFields(5, { title: 'B' }), todoFields(6, { title: 'D' })])
  const open = await mount('useSuspense', todos.getList, { view: 'open' })
  const all = await mount('useSuspense', todos.getList, { view: 'all' })
  await settle()
  server.requests.length = 0
  return { open, all }
}

scenario(
  '4.1/Lists/rules/create',
  'a rule and an order put a created record where it belongs, without a request',
  async (stage) => {
    const { controller, server, settle } = stage
    const todos = makeTodos(stage.server)
    const { open, all } = await mountViews(stage, todos)
    await controller.fetch(todos.create, { title: 'C' })
    await controller.fetch(todos.create, { id: 10, title: 'A', completed: true })
    await controller.fetch(todos.getList.push, { id: 11, title: 'E' })
    await settle()
    expect(titles(open)).toEqual(['B', 'C', 'D', 'E'])
    expect(titles(all)).toEqual(['A', 'B', 'C', 'D', 'E'])
    expect(controller.read(todos.getList, { view: 'open' }).status).toBe('Valid')
    expect(server.requests).toEqual(['POST /todo', 'POST /todo', 'POST /todo'])
  },
)

scenario(
  '4.1/Lists/rules/update',
  'a changed record leaves the list that the rule says, comes back to its place, and is moved by the order',
  async (stage) => {
    const { controller, server, settle } = stage
    const todos = makeTodos(stage.server)
    const { open, all } = await mountViews(stage, todos)
    await controller.fetch(todos.partialUpdate, { id: 5 }, { completed: true, title: 'B' })
    await settle()
    expect([titles(open), titles(all)]).toEqual([['D'], ['B', 'D']])
    await controller.fetch(todos.partialUpdate, { id: 5 }, { completed: false, title: 'B' })
    await settle()
    expect([titles(open), titles(all)]).toEqual([
      ['B', 'D'],
      ['B', 'D'],
    ])
    await controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'Z' })
    await settle()
    expect([titles(open), titles(all)]).toEqual([
      ['D', 'Z'],
      ['D', 'Z'],
    ])
    const data = shown(all)
    await controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'Z' })
    await settle()
    expect(shown(all)).toBe(data)
    expect(new Set(server.requests)).toEqual(new Set(['PATCH /todo/5']))
  },
)

scenario(
  '4.1/Lists/rules/optimistic',
  'expected records stand at their places, and what fails is taken back to the same objects',
  async (stage) => {
    const { controller, server, settle } = stage
    const todos = makeTodos(stage.server)
    const { open, all } = await mountViews(stage, todos)
    const before = [shown(open), shown(all)]
    server.hold('POST /todo', 'PATCH /todo/5')
    server.route('POST /todo', reply.status(500))
    server.route('PATCH /todo/5', reply.status(500))
    const sent = [
      controller.fetch(todos.create, { title: 'C' }),
      controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'X' }),
    ]
    await settle()
    expect(titles(open)).toEqual(['C', 'D', 'X'])
    server.release()
    await Promise.allSettled(sent)
    await settle()
    expect(shown(open)).toBe(before[0])
    expect(shown(all)).toBe(before[1])
    expect(server.requests).toEqual(['POST /todo', 'PATCH /todo/5'])
  },
)

scenario(
  '4.1/Lists/rules/comes back',
  'a record whose delete fails comes back to where the order says, also when it changed meanwhile',
  async (stage) => {
    const { controller, server, settle } = stage
    const todos = makeTodos(stage.server)
    const { all } = await mountViews(stage, todos)
    server.route('DELETE /todo/5', reply.status(500))
    server.hold('DELETE /todo/5')
    const deleting = controller.fetch(todos.delete, { id: 5 }).catch(() => {})
    await settle()
    expect(titles(all)).toEqual(['D'])
    await controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'Y' })
    await controller.fetch(todos.create, { title: 'X' })
    await settle()
    expect(titles(all)).toEqual(['D', 'X'])
    server.release()
    await deleting
    await settle()
    expect(titles(all)).toEqual(['D', 'X', 'Y'])
    // Deleted for good, and created again with another title.
    server.route('DELETE /todo/5', {})
    await controller.fetch(todos.delete, { id: 5 })
    await controller.fetch(todos.create, { id: 5, title: 'A' })
    await settle()
    expect(titles(all)).toEqual(['A', 'D', 'X'])
  },
)

scenario(
  '4.1/Lists/rules/parts',
  'with a limit the record stands at its place at once, and the list is fetched; a page is fetched only; an order is decided',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const todos = makeTodos(stage.server)
    const routes = ['GET /todo?limit=2', 'GET /todo?page=1', 'GET /todo?sort=title']
    for (const route of routes)
      server.route(route, [todoFields(5, { title: 'B' }), todoFields(6, { title: 'D' })])
    const limited = await mount('useSuspense', todos.getList, { limit: 2 })
    const page = await mount('useSuspense', todos.getList, { page: 1 })
    const sorted = await mount('useSuspense', todos.getList, { sort: 'title' })
    await settle()
    server.hold(...routes)
    server.requests.length = 0
    await controller.fetch(todos.create, { title: 'C' })
    await settle()
    expect([titles(limited), titles(page), titles(sorted)]).toEqual([
      ['B', 'C', 'D'],
      ['B', 'D'],
      ['B', 'C', 'D'],
    ])
    expect(server.requests).toEqual(['POST /todo', ...routes.slice(0, 2)])
    server.release()
    await settle()
    server.requests.length = 0
    // A record of the page that gets another place; an edit of another field.
    await controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'E' })
    await settle()
    expect(new Set(server.requests)).toEqual(new Set(['PATCH /todo/5', ...routes.slice(0, 2)]))
    await controller.fetch(todos.partialUpdate, { id: 6 }, { title: 'D', userId: 7 })
    await settle()
    expect(server.requests).toHaveLength(4)
    expect(server.requests.at(-1)).toBe('PATCH /todo/6')
  },
)

scenario(
  '4.1/Lists/rules/other arguments',
  'arguments that the rule does not read are compared with what the mutation names',
  async ({ controller, mount, server, settle }) => {
    class Item extends Todo {
      static override key = 'Item'
    }
    const items = createResource({
      urlPrefix: baseUrl,
      fetchResponse: (url, init) => server.fetch(url, init),
      path: '/groups/:group/items/:id',
      schema: Item,
      filter: rule((item: Item, { done }) => done === undefined || item.completed === done),
    })
    for (const group of ['a', 'b']) server.route(`GET /groups/${group}/items?done=false`, [todoFields(1)])
    server.route('POST /groups/a/items', todoFields(9))
    const first = await mount('useSuspense', items.getList, { group: 'a', done: false })
    const second = await mount('useSuspense', items.getList, { group: 'b', done: false })
    await settle()
    server.requests.length = 0
    await controller.fetch(items.create, { group: 'a' }, { title: 'New' })
    await settle()
    expect([first, second].map((list) => (shown(list) as Item[]).length)).toEqual([2, 1])
    expect(server.requests).toEqual(['POST /groups/a/items'])
  },
)

scenario(
  '4.1/Lists/rules/throws',
  'a list whose rule throws is fetched',
  async ({ controller, mount, server, settle }) => {
    const todos = createResource({
      urlPrefix: baseUrl,
      fetchResponse: (url, init) => server.fetch(url, init),
      path: '/todo/:id',
      schema: Todo,
      filter: rule((todo: Todo) => (todo as unknown as { owner: { id: number } }).owner.id === 1),
    })
    const list = await mount('useSuspense', todos.getList)
    await settle()
    const { warn } = console
    const warned: unknown[] = []
    console.warn = (text: unknown) => warned.push(text)
    await controller.fetch(todos.create, { title: 'New' })
    console.warn = warn
    await settle()
    expect(titles(list)).toEqual(['Todo 5', 'Todo 6'])
    expect(server.requests).toEqual(['GET /todo', 'POST /todo', 'GET /todo'])
    const told = expect.stringContaining('The option `filter` of a list threw for the record Todo "9"')
    expect(warned[0]).toEqual(development ? told : undefined)
  },
)

scenario(
  '4.1/Lists/rules/nested and Query',
  'a Collection in a record, and one in a Query, keep their rules',
  async ({ api, controller, mount, server, settle }) => {
    class Member extends Owner {
      static override key = 'Member'
    }
    const todos = new schema.Collection([Todo], {
      nestKey: ({ id }: { readonly id: number }) => ({ userId: id }),
      filter: rule((todo, { userId }) => todo.userId === userId && !todo.completed),
      orderBy: order((a, b) => Number(b.id) - Number(a.id)),
    })
    Member.schema = { todos }
    const get = api.owner.get.extend({ schema: Member })
    const counted = api.todo.getList.extend({
      schema: new Query(new schema.Collection([Todo], { orderBy: order('id', 'descending') }), (all) =>
        all.map(({ id }) => id),
      ),
    })
    const owner = await mount('useSuspense', get, { id: 1 })
    const all = await mount('useSuspense', counted)
    await settle()
    server.requests.length = 0
    await controller.fetch(api.todo.create, { userId: 1 })
    await controller.fetch(api.todo.create, { id: 10, userId: 1, completed: true })
    await settle()
    // The list of all was received after this one, so its members are put in order with the created one.
    expect((shown(owner) as Owner).todos.map(({ id }) => id)).toEqual([9, 6, 5])
    expect(shown(all)).toEqual([10, 9, 5, 6])
    expect(server.requests).toEqual(['POST /todo', 'POST /todo'])
  },
  // Development says that the server has another order.
  { isLogged: true },
)

scenario(
  '4.1/Lists/rules/set',
  'what is set or pushed takes a record out of the list that the rule says, and puts it where the order says',
  async (stage) => {
    const { controller, server, settle } = stage
    const todos = makeTodos(stage.server)
    const { open, all } = await mountViews(stage, todos)
    controller.set(Todo, { id: 5 }, { completed: true })
    await settle()
    expect([titles(open), titles(all)]).toEqual([['D'], ['B', 'D']])
    controller.setResponse(todos.get, { id: 6 }, todoFields(6, { title: 'A' }))
    await settle()
    expect([titles(open), titles(all)]).toEqual([['A'], ['A', 'B']])
    controller.set(Todo, { id: 5 }, { completed: false })
    controller.set(Todo, { id: 7 }, todoFields(7, { title: 'AB' }))
    await settle()
    expect([titles(open), titles(all)]).toEqual([
      ['A', 'AB', 'B'],
      ['A', 'AB', 'B'],
    ])
    // A change that concerns neither rule keeps the list.
    const data = (shown(open) as readonly Todo[])[1]
    controller.set(Todo, { id: 5 }, { userId: 9 })
    await settle()
    expect(titles(open)).toEqual(['A', 'AB', 'B'])
    expect((shown(open) as readonly Todo[])[1]).toBe(data)
    expect(controller.read(todos.getList, { view: 'open' }).status).toBe('Valid')
    expect(server.requests).toEqual([])
  },
)

scenario(
  '4.1/Lists/rules/set optimistic',
  'an expected record of any endpoint stands where the rules say, and is taken back to the same list',
  async (stage) => {
    const { controller, server, settle } = stage
    const todos = makeTodos(stage.server)
    const { open, all } = await mountViews(stage, todos)
    const before = [shown(open), shown(all)]
    const close = new RestEndpoint({
      urlPrefix: baseUrl,
      fetchResponse: (url, init) => server.fetch(url, init),
      path: '/todo/:id/close',
      method: 'POST',
      schema: Todo,
      getOptimisticResponse: optimistic((_, { id }: { id: number }) => ({ id, completed: true, title: 'Z' })),
    })
    server.hold('POST /todo/5/close')
    server.route('POST /todo/5/close', reply.status(500))
    const failed = controller.fetch(close, { id: 5 }).catch(() => {})
    await settle()
    expect([titles(open), titles(all)]).toEqual([['D'], ['D', 'Z']])
    server.release()
    await failed
    await settle()
    expect([shown(open), shown(all)]).toEqual(before)
    expect(shown(open)).toBe(before[0])
    expect(shown(all)).toBe(before[1])
    server.route('POST /todo/5/close', todoFields(5, { completed: true, title: 'Y' }))
    await controller.fetch(close, { id: 5 })
    await settle()
    expect([titles(open), titles(all)]).toEqual([['D'], ['D', 'Y']])
  },
)

scenario(
  '4.1/Lists/rules/set pages',
  'nothing is put behind the last loaded record of pages, and a page by its number is Stale',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const todos = makeTodos(server)
    server.route('GET /todo?view=all', [todoFields(5, { title: 'B' }), todoFields(6, { title: 'D' })])
    server.route('GET /todo?cursor=6&view=all', [todoFields(7, { title: 'F' })])
    server.route('GET /todo?page=2&view=all', [todoFields(8, { title: 'D' })])
    const pages = await mount('useSuspense', todos.getList, { view: 'all' })
    await settle()
    await controller.fetch(todos.getList.getPage, { view: 'all', cursor: 6 } as never)
    await controller.fetch(todos.getList, { view: 'all', page: 2 })
    controller.set(Todo, { id: 20 }, todoFields(20, { title: 'C' }))
    controller.set(Todo, { id: 21 }, todoFields(21, { title: 'G' }))
    await settle()
    expect(titles(pages)).toEqual(['B', 'C', 'D', 'F'])
    controller.set(Todo, { id: 5 }, { title: 'H' })
    await settle()
    expect(titles(pages)).toEqual(['C', 'D', 'F'])
    expect(controller.read(todos.getList, { view: 'all' }).status).toBe('Valid')
    const numbered = controller.read(todos.getList, { view: 'all', page: 2 })
    expect([numbered.status, numbered.data?.map(({ title }) => title)]).toEqual(['Stale', ['D']])
  },
)

for (const isExpected of [false, true])
  scenario(
    `4.1/Lists/rules/pages/${isExpected ? 'expected' : 'created'}`,
    'in a list in order a record that is created before a page is loaded has its place behind that page, and stays there',
    async (stage) => {
      const { controller, mount, server, settle } = stage
      const todos = makeTodos(server)
      const firstPage = [todoFields(5, { title: 'B' }), todoFields(6, { title: 'D' })]
      server.route('GET /todo?view=all', firstPage)
      server.route('GET /todo?cursor=6&view=all', [
        todoFields(7, { title: 'F' }),
        todoFields(8, { title: 'H' }),
      ])
      server.route('PATCH /todo/21', todoFields(21, { title: 'G' }))
      const list = await mount('useSuspense', todos.getList, { view: 'all' })
      await settle()
      await controller.fetch(todos.create, { id: 20, title: 'X' })
      await controller.fetch(todos.create, { id: 21, title: 'Y' })
      if (isExpected) server.hold('PATCH /todo/21')
      const sent = controller.fetch(todos.partialUpdate, { id: 21 }, { title: 'G' })
      if (!isExpected) await sent
      await controller.fetch(todos.getList.getPage, { view: 'all', cursor: 6 } as never)
      await settle()
      expect(titles(list)).toEqual(['B', 'D', 'F', 'G', 'H', 'X'])
      server.release()
      await sent
      // It was sent before a record was created, and is answered after it.
      server.hold('GET /todo?view=all')
      const fetched = controller.fetch(todos.getList, { view: 'all' })
      await settle()
      await controller.fetch(todos.create, { id: 22, title: 'Z' })
      server.release()
      await fetched
      await settle()
      expect(titles(list)).toEqual(['B', 'D', 'F', 'G', 'H', 'X', 'Z'])
    },
  )

scenario(
  '4.1/Lists/rules/pages/moved behind the first',
  'a record that a mutation moved behind the first page has its place among what the next page brings',
  async (stage) => {
    const { controller, server, settle } = stage
    const todos = makeTodos(server)
    const list = todos.getList.extend({ paginationField: 'cursor' })
    const { all } = await mountViews(stage, todos)
    server.route('PATCH /todo/5', todoFields(5, { title: 'F' }))
    await controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'F' })
    await settle()
    expect(titles(all)).toEqual(['D', 'F'])
    const page = ['E', 'F', 'G'].map((title) =>
      todoFields(title === 'F' ? 5 : title === 'E' ? 7 : 8, { title }),
    )
    server.route('GET /todo?cursor=6&view=all', page)
    await controller.fetch(list.getPage, { view: 'all', cursor: 6 })
    await settle()
    expect(titles(all)).toEqual(['D', 'E', 'F', 'G'])
  },
)

scenario(
  '4.1/Lists/rules/pages/there and back',
  'a first page that is fetched again leaves what is behind it by the order, also where records left and came back',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const todos = makeTodos(server)
    const rows = ['B', 'D', 'F', 'H'].map((title, index) =>
      Object.assign(todoFields(index + 5, { title }), { title }),
    )
    const complete = async (id: number, completed = true) => {
      server.route(`PATCH /todo/${id}`, { ...rows[id - 5], completed })
      await controller.fetch(todos.partialUpdate, { id }, { completed })
    }
    server.route('GET /todo?view=open', rows.slice(0, 2))
    server.route('GET /todo?cursor=6&view=open', rows.slice(2))
    const list = await mount('useSuspense', todos.getList, { view: 'open' })
    await settle()
    await controller.fetch(todos.getList.getPage, { view: 'open', cursor: 6 } as never)
    await controller.fetch(todos.create, { id: 20, title: 'X' })
    // Two leave. The first page has the created record then.
    for (const id of [5, 7, 8]) await complete(id)
    server.route('GET /todo?view=open', [todoFields(6, { title: 'D' }), todoFields(20, { title: 'X' })])
    await controller.fetch(todos.getList, { view: 'open' })
    await complete(7, false)
    server.route('GET /todo?view=open', [todoFields(6, { title: 'D' }), todoFields(7, { title: 'F' })])
    await controller.fetch(todos.getList, { view: 'open' })
    await settle()
    expect(titles(list)).toEqual(['D', 'F', 'X'])
  },
)

const moved: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  forward: { 7: 'A1', 8: 'A2', 9: 'A3' },
  'forward by one': { 7: 'BB', 8: 'BBB' },
  back: { 5: 'X', 6: 'Y', 7: 'Z' },
  'in both directions': { 5: 'X', 6: 'Y', 8: 'A', 9: 'AA' },
}

for (const [where, changed] of Object.entries(moved))
  scenario(
    `4.1/Lists/rules/neighbours/${where}`,
    'several records beside each other that a response moves are all in order',
    async ({ controller, mount, server, settle }) => {
      const todos = makeTodos(server)
      const rows = ['B', 'D', 'F', 'H', 'J'].map((title, index) => ({ id: index + 5, title }))
      const changedRows = rows.flatMap(({ id }) =>
        changed[id] === undefined ? [] : [todoFields(id, { title: changed[id] })],
      )
      server.route(
        'GET /todo?view=all',
        rows.map(({ id, title }) => todoFields(id, { title })),
      )
      server.route('PATCH /todo', changedRows)
      const list = await mount('useSuspense', todos.getList, { view: 'all' })
      await settle()
      const change = new RestEndpoint({
        urlPrefix: baseUrl,
        fetchResponse: (url, init) => server.fetch(url, init),
        path: '/todo',
        method: 'PATCH',
        body: [] as readonly object[],
        schema: [Todo],
      })
      await controller.fetch(change, changedRows)
      await settle()
      expect(titles(list)).toEqual(rows.map(({ id, title }) => changed[id] ?? title).sort())
    },
  )

const places: Readonly<Record<string, (list: unknown, todos: readonly object[]) => readonly unknown[]>> = {
  'at the top': (list, todos) => [list, todos],
  'in an envelope': (list, todos) => [
    { results: list, total: 0 },
    { results: todos, total: 2 },
  ],
  'in a record': (list, todos) => {
    class Holder extends Owner {
      static override key = 'Holder'
    }
    Holder.schema = { todos: list as (typeof Owner.schema)['todos'] }
    return [Holder, { id: 1, todos }]
  },
}

for (const [where, place] of Object.entries(places))
  scenario(
    `4.1/Lists/rules/on its way/${where}`,
    `a record that is set while the first response of a list ${where} is on its way is not in it, if the rule says so`,
    async ({ api, controller, mount, server, settle }) => {
      const list = new schema.Collection([Todo], {
        filter: rule((todo: Todo) => !todo.completed),
        ...(where === 'in a record' && {
          nestKey: ({ id }: { readonly id: number }) => ({ userId: id }),
        }),
      })
      const [content, response] = place(list, [todoFields(5), todoFields(6)])
      server.route('GET /todo?view=first', response)
      server.hold('GET /todo?view=first')
      const endpoint = api.todo.getList.extend({ name: `first ${where}`, schema: content } as object)
      controller.set(Todo, { id: 5 }, todoFields(5))
      const reader = await mount('useDLE', endpoint, { view: 'first' } as never)
      await settle()
      controller.set(Todo, { id: 5 }, { completed: true })
      server.release()
      await settle()
      const { data } = shown(reader) as { readonly data: unknown }
      const { results, todos = results ?? data } = data as { results?: unknown; todos?: unknown }
      expect((todos as readonly Todo[]).map(({ id }) => id)).toEqual([6])
    },
  )

scenario(
  '4.1/Lists/rules/response',
  'a response is shown as it was sent, and what the server left out comes in once it begins to belong',
  async (stage) => {
    const { controller, server, settle } = stage
    const todos = makeTodos(stage.server)
    controller.set(Todo, { id: 9 }, todoFields(9, { title: 'A' }))
    const { open } = await mountViews(stage, todos)
    expect(titles(open)).toEqual(['B', 'D'])
    controller.set(Todo, { id: 9 }, { userId: 4 })
    await settle()
    expect(titles(open)).toEqual(['B', 'D'])
    controller.set(Todo, { id: 9 }, { completed: true })
    controller.set(Todo, { id: 9 }, { completed: false })
    await settle()
    expect(titles(open)).toEqual(['A', 'B', 'D'])
    controller.setResponse(todos.getList, { view: 'open' }, [
      todoFields(6, { title: 'D' }),
      todoFields(5, { title: 'B', completed: true }),
    ])
    await settle()
    expect(titles(open)).toEqual(['D', 'B'])
    expect(server.requests).toEqual([])
  },
  // Development says that the server has another order.
  { isLogged: true },
)

for (const isEmpty of [false, true])
  scenario(
    `4.1/Lists/rules/outdated/${isEmpty ? '204' : 'answered'}`,
    'a list that its rule says has a record that is saved has it, although what was known of the record was older than the list',
    async (stage) => {
      const { controller, mount, server, settle } = stage
      const todos = makeTodos(stage.server)
      const { open } = await mountViews(stage, todos)
      server.route('GET /todo/5', todoFields(5, { title: 'B' }))
      const detail = await mount('useSuspense', todos.get, { id: 5 })
      await settle()
      // Another client completes it.
      server.route('GET /todo?view=open', [todoFields(6, { title: 'D' })])
      controller.invalidate(todos.getList, { view: 'open' })
      await settle()
      expect([titles(open), (shown(detail) as Todo).completed]).toEqual([['D'], false])
      const body = { title: 'C', completed: false, userId: 1 }
      const saved = todoFields(5, body)
      server.route('PUT /todo/5', isEmpty ? reply.status(204) : saved)
      for (const view of ['open', 'all'])
        server.route(`GET /todo?view=${view}`, [saved, todoFields(6, { title: 'D' })])
      server.route('GET /todo/5', saved)
      await controller.fetch(todos.update, { id: 5 }, body)
      await settle()
      expect(titles(open)).toEqual(['C', 'D'])
      expect((shown(open) as Todo[])[0]).toBe(shown(detail))
    },
    // Development says that the server leaves out what belongs.
    { isLogged: true },
  )

const rowOf = (id: number, title: string, completed = false) => ({ id, userId: 1, title, completed })
const isOpen = ({ completed }: Partial<Todo>) => completed !== true

// A list is on its way while a record of it changes: its response has the record as it was.
const waysToChange: Readonly<
  Record<
    string,
    (stage: Stage, todos: ReturnType<typeof makeTodos>, id: number, fields: Partial<Todo>) => unknown
  >
> = {
  set: ({ controller }, _, id, fields) => controller.set(Todo, { id }, fields),
  'set response': ({ controller }, { get }, id, fields) =>
    controller.setResponse(get, { id }, todoFields(id, fields)),
  'a mutation': ({ controller }, { partialUpdate }, id, fields) =>
    controller.fetch(partialUpdate, { id }, fields),
  'a mutation without a list': ({ controller }, { partialUpdate }, id, fields) =>
    controller.fetch(partialUpdate.extend({ schema: Todo }), { id }, fields),
}

for (const [way, change] of Object.entries(waysToChange)) {
  for (const load of ['first load', 'refetch'] as const) {
    for (const [what, id, fields, expected] of [
      ['moves', 5, { title: 'E' }, ['DE', 'DE']],
      ['leaves', 5, { title: 'B', completed: true }, ['D', 'BD']],
      ['joins', 7, { title: 'C', completed: false }, ['BCD', 'BCD']],
      ['changes nothing', 5, { title: 'B', userId: 2 }, ['BD', 'BD']],
    ] as const) {
      scenario(
        `4.1/Lists/rules/on its way/${load}/${way}/${what}`,
        'a response that crosses a change has the record where the rules say',
        async (stage) => {
          const { controller, mount, server, settle } = stage
          const todos = makeTodos(server)
          if (load === 'refetch') await mountViews(stage, todos)
          controller.set(Todo, { id: 7 }, { title: 'C', completed: true })
          await settle()
          const routes = ['GET /todo?view=open', 'GET /todo?view=all'] as const
          const fifth = rowOf(5, 'B')
          const seventh = id === 7 ? [rowOf(7, 'C', true)] : []
          const sixth = rowOf(6, 'D')
          server.route(routes[0], [fifth, sixth])
          server.route(routes[1], [fifth, ...seventh, sixth])
          server.route('PATCH /todo/7', todoFields(7, fields))
          server.hold(...routes)
          const views = ['open', 'all'] as const
          const sent = views.map((view) => controller.fetch(todos.getList, { view }))
          await settle()
          await change(stage, todos, id, fields)
          server.release()
          server.requests.length = 0
          const rows = [fifth, ...seventh, sixth]
            .map((row) => (row.id === id ? Object.assign({}, row, fields) : row))
            .toSorted((a, b) => a.title.localeCompare(b.title))
          server.route(routes[0], rows.filter(isOpen))
          server.route(routes[1], rows)
          await Promise.all(sent)
          await settle()
          for (const [index, view] of views.entries()) {
            const list = await mount('useSuspense', todos.getList, { view })
            await settle()
            expect([view, titles(list).join('')]).toEqual([view, expected[index]])
          }
          // What a mutation has changed of a record that nobody had read yet is asked for again.
          if (load === 'refetch' || way.startsWith('set')) expect(server.requests).toEqual([])
        },
      )
    }
  }
}
