import { Query, schema } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { expect } from 'vitest'
import type { Reader } from '../contract.js'
import { Link, Owner, Post, Todo, todoFields } from '../fixtures.js'
import { baseUrl, reply } from '../server.js'
import type { ServerRequest } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

// What the arguments of a list mean for a record that a mutation adds, removes or moves.

/** Options of endpoints that send their requests to the scripted server. */
function onServer(server: Stage['server']) {
  return { urlPrefix: baseUrl, fetchResponse: (url: string, init: RequestInit) => server.fetch(url, init) }
}

/** The ids of the list that a reader shows. */
function ids(reader: Reader): unknown[] {
  return (shown(reader) as readonly Todo[]).map(({ id }) => id)
}

/** Stores pages 1 to 3 of a list; page 2 is on screen. */
async function mountPages(stage: Stage, getList: Stage['api']['todo']['getList'], field = 'page') {
  const { controller, mount, server, settle } = stage
  for (const page of [1, 2, 3]) server.route(`GET /todo?${field}=${page}`, [todoFields(page)])
  for (const page of [1, 2, 3]) await controller.fetch(getList, { [field]: page })
  const second = await mount('useSuspense', getList, { [field]: 2 })
  await settle()
  server.requests.length = 0
  return second
}

scenario(
  '4.1/Lists/pages',
  'a created record joins no numbered page: the page on screen is fetched once, the others when they are mounted',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const second = await mountPages(stage, api.todo.getList)
    const { fallbacks } = second
    server.route('GET /todo?page=2', [todoFields(9), todoFields(2)])
    await controller.fetch(api.todo.create, { title: 'New' })
    await settle()
    expect(ids(second)).toEqual([9, 2])
    expect(second.fallbacks).toBe(fallbacks)
    expect(server.requests).toEqual(['POST /todo', 'GET /todo?page=2'])
    expect(controller.read(api.todo.getList, { page: 1 })).toMatchObject({
      data: [{ id: 1 }],
      status: 'Stale',
    })
    const third = await mount('useSuspense', api.todo.getList, { page: 3 })
    await settle()
    expect(ids(third)).toEqual([3])
    expect(server.requests).toEqual(['POST /todo', 'GET /todo?page=2', 'GET /todo?page=3'])
    await settle()
    expect(controller.read(api.todo.getList, { page: 2 }).status).toBe('Valid')
  },
)

for (const field of ['offset', 'cursor'])
  scenario(`4.1/Lists/pages/${field}`, 'an offset and a cursor name a place, too', async (stage) => {
    const { api, controller, server, settle } = stage
    const second = await mountPages(stage, api.todo.getList, field)
    await controller.fetch(api.todo.create, {})
    await settle()
    expect(ids(second)).toEqual([2])
    expect(server.requests).toEqual(['POST /todo', `GET /todo?${field}=2`])
  })

scenario(
  '4.1/Lists/pages/another name',
  'an option names the places, and the param of pages is one of them',
  async (stage) => {
    const { controller, server, settle } = stage
    const byOption = createResource({
      ...onServer(server),
      path: '/todo/:id',
      schema: Todo,
      placeArgumentKeys: ['userId'],
    })
    const shownByOption = await mountPages(stage, byOption.getList, 'userId')
    await controller.fetch(byOption.create, { userId: 2 })
    await settle()
    expect(ids(shownByOption)).toEqual([2])
    expect(server.requests).toEqual(['POST /todo', 'GET /todo?userId=2'])

    const byField = createResource({
      ...onServer(server),
      path: '/todo/:id',
      schema: Todo,
      paginationField: 'title',
    })
    const shownByField = await mountPages(stage, byField.getList as never, 'title')
    await controller.fetch(byField.create, { id: 10, title: '2' })
    await settle()
    expect(ids(shownByField)).toEqual([2])
    expect(server.requests).toContain('GET /todo?title=2')
  },
)

scenario(
  '4.1/Lists/pages/default',
  'a page that the endpoint sends by default is a place, too',
  async ({ api, controller, mount, server, settle }) => {
    const { getList } = api.todo
    const paged = getList.extend({ searchParams: { page: 1, expand: 'user' } })
    const whole = getList.extend({ searchParams: { expand: 'user', page: '' } })
    const routes = ['GET /todo?expand=user&page=1', 'GET /todo?expand=user']
    for (const route of routes) server.route(route, [todoFields(5)])
    const first = await mount('useSuspense', paged)
    const all = await mount('useSuspense', whole)
    await settle()
    await controller.fetch(api.todo.create, {})
    await settle()
    expect([ids(first), ids(all)]).toEqual([[5], [5, 9]])
    expect(server.requests).toEqual([...routes, 'POST /todo', routes[0]])
  },
)

scenario(
  '4.1/Lists/pages/path',
  'a param of the path is no place, whatever its name is',
  async ({ controller, mount, server, settle }) => {
    class Note extends Todo {
      static override key = 'Note'
    }
    const notes = createResource({ ...onServer(server), path: '/page/:page/note/:id', schema: Note })
    for (const page of [1, 2]) server.route(`GET /page/${page}/note`, [todoFields(page)])
    server.route('POST /page/2/note', todoFields(9))
    const first = await mount('useSuspense', notes.getList, { page: 1 })
    const second = await mount('useSuspense', notes.getList, { page: 2 })
    await settle()
    await controller.fetch(notes.create, { page: 2 }, { title: 'New' })
    await settle()
    expect([ids(first), ids(second)]).toEqual([[1], [2, 9]])
    expect(server.requests).toEqual(['GET /page/1/note', 'GET /page/2/note', 'POST /page/2/note'])
  },
)

scenario(
  '4.1/Lists/pages/optimistic',
  'an expected record joins no page, and nothing is asked before the answer',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const second = await mountPages(stage, api.hopeful.getList)
    const data = shown(second)
    server.hold('POST /todo')
    const creating = controller.fetch(api.hopeful.create, { title: 'New' })
    await settle()
    expect(shown(second)).toBe(data)
    expect(server.requests).toEqual(['POST /todo'])
    server.release()
    await creating
    await settle()
    expect(server.requests).toEqual(['POST /todo', 'GET /todo?page=2'])
    expect(shown(second)).toBe(data)
  },
)

scenario('4.1/Lists/pages/failing', 'a create that fails makes no page Stale', async (stage) => {
  const { api, controller, server, settle } = stage
  const second = await mountPages(stage, api.hopeful.getList)
  const data = shown(second)
  server.route('POST /todo', reply.status(422))
  await controller.fetch(api.hopeful.create, {}).catch(() => {})
  await settle()
  expect(shown(second)).toBe(data)
  expect(server.requests).toEqual(['POST /todo'])
})

scenario(
  '4.1/Lists/pages/another filter',
  'pages of a list to which the record does not belong stay Valid',
  async (stage) => {
    const { api, controller, server, settle, mount } = stage
    const route = 'GET /todo?page=1&userId=1'
    server.route(route, [todoFields(5)])
    const list = await mount('useSuspense', api.todo.getList, { userId: 1, page: 1 })
    await settle()
    await controller.fetch(api.todo.create, { userId: 2 })
    await settle()
    expect(ids(list)).toEqual([5])
    expect(server.requests).toEqual([route, 'POST /todo'])
  },
)

scenario(
  '4.1/Lists/pages/move and remove',
  'a record leaves its page at once, and pages that gain or lose one are fetched',
  async (stage) => {
    const { api, controller, server, settle, mount } = stage
    const [from, to] = ['GET /todo?page=1&userId=1', 'GET /todo?page=1&userId=2']
    server.route(from, [todoFields(5), todoFields(6)])
    server.route(to, [todoFields(7, { userId: 2 })])
    const source = await mount('useSuspense', api.todo.getList, { userId: 1, page: 1 })
    const target = await mount('useSuspense', api.todo.getList, { userId: 2, page: 1 })
    await settle()
    server.requests.length = 0
    server.hold(from, to)
    await controller.fetch(api.todo.partialUpdate, { id: 5 }, { userId: 2 })
    await settle()
    expect([ids(source), ids(target)]).toEqual([[6], [7]])
    expect([...server.requests].sort()).toEqual([from, to, 'PATCH /todo/5'])
    server.release()
    await settle()
    // An edit of another field moves nothing.
    server.requests.length = 0
    await controller.fetch(api.todo.partialUpdate, { id: 6 }, { title: 'Edited' })
    await settle()
    expect(server.requests).toEqual(['PATCH /todo/6'])
  },
)

scenario(
  '4.1/Lists/order and limit',
  'a list with an order or a limit shows a created record at once, and the place that the server gives it then',
  async ({ api, controller, mount, server, settle }) => {
    const routes = ['GET /todo?sort=new', 'GET /todo?limit=2']
    for (const route of routes) server.route(route, [todoFields(6), todoFields(5)])
    const sorted = await mount('useSuspense', api.todo.getList, { sort: 'new' })
    const limited = await mount('useSuspense', api.todo.getList, { limit: 2 })
    await settle()
    server.requests.length = 0
    server.hold(...routes)
    for (const route of routes) server.route(route, [todoFields(9), todoFields(6)])
    await controller.fetch(api.todo.create, {})
    await settle()
    expect([ids(sorted), ids(limited)]).toEqual([
      [6, 5, 9],
      [6, 5, 9],
    ])
    server.release()
    await settle()
    expect([ids(sorted), ids(limited)]).toEqual([
      [9, 6],
      [9, 6],
    ])
    expect(server.requests).toEqual(['POST /todo', ...routes])
  },
)

scenario(
  '4.1/Lists/order and limit/optimistic',
  'it shows an expected record as well, and is fetched once the mutation is answered',
  async ({ api, controller, mount, server, settle }) => {
    const route = 'GET /todo?limit=2'
    server.route(route, [todoFields(6), todoFields(5)])
    const limited = await mount('useSuspense', api.hopeful.getList, { limit: 2 })
    await settle()
    const data = shown(limited)
    server.hold('POST /todo')
    const creating = controller.fetch(api.hopeful.create, { title: 'New' })
    await settle()
    expect(shown(limited)).toMatchObject([{ id: 6 }, { id: 5 }, { title: 'New' }])
    expect(server.requests).toEqual([route, 'POST /todo'])
    server.route(route, [todoFields(9), todoFields(6)])
    server.release()
    await creating
    await settle()
    expect(ids(limited)).toEqual([9, 6])
    expect(server.requests).toEqual([route, 'POST /todo', route])
    // One that fails asks for nothing.
    server.route('POST /todo', reply.status(422))
    const shownNow = shown(limited)
    await controller.fetch(api.hopeful.create, { title: 'Wrong' }).catch(() => {})
    await settle()
    expect(shown(limited)).toBe(shownNow)
    expect(shownNow).not.toBe(data)
    expect(server.requests).toEqual([route, 'POST /todo', route, 'POST /todo'])
  },
)

scenario(
  '4.1/Lists/order and limit/leaving',
  'a record that leaves makes a list with a limit Stale, and one with an order not',
  async ({ api, controller, mount, server, settle }) => {
    const [limited, sorted] = ['GET /todo?limit=2&userId=1', 'GET /todo?sort=new&userId=1']
    server.route(limited, [todoFields(5), todoFields(6)])
    server.route(sorted, [todoFields(5), todoFields(6)])
    const first = await mount('useSuspense', api.todo.getList, { userId: 1, limit: 2 })
    const all = await mount('useSuspense', api.todo.getList, { userId: 1, sort: 'new' })
    await settle()
    server.route(limited, [todoFields(6), todoFields(7)])
    await controller.fetch(api.todo.partialUpdate, { id: 5 }, { userId: 2 })
    await settle()
    expect([ids(first), ids(all)]).toEqual([[6, 7], [6]])
    expect(server.requests).toEqual([limited, sorted, 'PATCH /todo/5', limited])
  },
)

scenario(
  '4.1/Lists/arguments that change nothing',
  'a list whose other arguments the option names takes a created record, and stays Valid',
  async ({ controller, mount, server, settle }) => {
    const todos = createResource({
      ...onServer(server),
      path: '/todo/:id',
      schema: Todo,
      nonFilterArgumentKeys: ['expand', 'limit', 'page'],
    })
    const route = 'GET /todo?expand=user&limit=50&page=1'
    server.route(route, [todoFields(5)])
    const list = await mount('useSuspense', todos.getList, { expand: 'user', limit: 50, page: 1 })
    await settle()
    await controller.fetch(todos.create, {})
    await settle()
    expect(ids(list)).toEqual([5, 9])
    expect(server.requests).toEqual([route, 'POST /todo'])
  },
)

scenario(
  '4.1/Lists/pages/nested and shared',
  'pages of a Collection with nestKey, and pages that share a list by argsKey',
  async ({ api, controller, mount, server, settle }) => {
    class Member extends Owner {
      static override key = 'Member'
    }
    const todos = new schema.Collection([Todo], {
      nestKey: ({ id }: { readonly id: number }) => ({ userId: id, page: 1 }),
    })
    Member.schema = { todos }
    const get = new RestEndpoint({ ...onServer(server), path: '/owner/:id', schema: Member })
    const shared = api.todo.getList.extend({
      schema: new schema.Collection([Todo], { argsKey: ({ userId }: { userId: number }) => ({ userId }) }),
    })
    server.route('GET /todo?page=2&userId=1', [todoFields(5)])
    const owner = await mount('useSuspense', get, { id: 1 })
    const list = await mount('useSuspense', shared, { userId: 1, page: 2 })
    await settle()
    server.requests.length = 0
    await controller.fetch(api.todo.create, { userId: 1 })
    await settle()
    expect((shown(owner) as Owner).todos).toMatchObject([{ id: 5 }, { id: 6 }])
    // `argsKey` says that the list is the same on each page.
    expect(ids(list)).toEqual([5, 9])
    expect(server.requests).toEqual(['POST /todo', 'GET /owner/1'])
  },
)

scenario(
  '4.1/Lists/pages/Query',
  'a Query over a Collection follows the rule of its list',
  async ({ api, controller, mount, server, settle }) => {
    const byTitle = new Query(new schema.Collection([Todo]), (todos) =>
      [...todos].sort((a, b) => a.title.localeCompare(b.title)),
    )
    const getSorted = api.todo.getList.extend({ schema: byTitle })
    for (const route of ['GET /todo?page=1', 'GET /todo?userId=1'])
      server.route(route, [todoFields(6), todoFields(5)])
    const page = await mount('useSuspense', getSorted, { page: 1 })
    const all = await mount('useSuspense', getSorted, { userId: 1 })
    await settle()
    server.requests.length = 0
    await controller.fetch(api.todo.create, { userId: 1, title: 'A' })
    await settle()
    expect([ids(page), ids(all)]).toEqual([
      [5, 6],
      [9, 5, 6],
    ])
    expect(server.requests).toEqual(['POST /todo', 'GET /todo?page=1'])
  },
)

scenario(
  '4.1/Lists/pages/paginated',
  'a list to which pages are appended is no page: it takes a created record',
  async ({ api, controller, mount, server, settle }) => {
    server.route('GET /todo?cursor=6', [todoFields(7)])
    const list = await mount('useSuspense', api.todo.getList)
    await settle()
    await controller.fetch(api.todo.getList.getPage, { cursor: 6 })
    await controller.fetch(api.todo.create, {})
    await settle()
    expect(ids(list)).toEqual([5, 6, 7, 9])
    expect(server.requests).toEqual(['GET /todo', 'GET /todo?cursor=6', 'POST /todo'])
  },
)

scenario(
  'F4/list/page on its way',
  'a page on its way while a create settles is asked for again, unless it has the record',
  async ({ api, controller, mount, server, settle }) => {
    const routes = ['GET /todo?page=1', 'GET /todo?page=2']
    server.route('GET /todo?page=1', [todoFields(5)])
    server.route('GET /todo?page=2', [todoFields(9)])
    server.hold(...routes)
    const first = await mount('useSuspense', api.todo.getList, { page: 1 })
    const second = await mount('useSuspense', api.todo.getList, { page: 2 })
    await settle()
    await controller.fetch(api.todo.create, {})
    server.release()
    await settle()
    expect([ids(first), ids(second)]).toEqual([[5], [9]])
    for (const page of [1, 2]) expect(controller.read(api.todo.getList, { page }).status).toBe('Valid')
    expect(server.requests).toEqual([...routes, 'POST /todo', routes[0]])
  },
)

/** Items of groups. The server does not send the group of an item. */
function makeItems(server: Stage['server']) {
  class Item extends Todo {
    static override key = 'Item'
  }
  return createResource({ ...onServer(server), path: '/groups/:group/items/:id', schema: Item })
}

async function mountGroups({ mount, server, settle }: Stage, items: ReturnType<typeof makeItems>) {
  server.route('GET /groups/five/items', [todoFields(1), todoFields(2)])
  server.route('GET /groups/ten/items', [todoFields(3)])
  for (const group of ['five', 'ten'])
    server.route(`PATCH /groups/${group}/items/1`, ({ body }: ServerRequest) =>
      todoFields(1, { title: (body as { title?: string }).title ?? 'Moved' }),
    )
  const five = await mount('useSuspense', items.getList, { group: 'five' })
  const ten = await mount('useSuspense', items.getList, { group: 'ten' })
  await settle()
  server.requests.length = 0
  return { five, ten }
}

scenario(
  '4.1/Lists/move/by the body',
  'the body names the list that a record moves to, and the params the one that it was in',
  async (stage) => {
    const { controller, server, settle } = stage
    const items = makeItems(server)
    const { five, ten } = await mountGroups(stage, items)
    const { move } = items.getList
    await controller.fetch(move, { group: 'five', id: 1 }, { group: 'ten' } as object)
    await settle()
    expect([ids(five), ids(ten)]).toEqual([[2], [3, 1]])
    await controller.fetch(items.partialUpdate, { group: 'ten', id: 1 }, { title: 'Edited' })
    await settle()
    expect([ids(five), ids(ten)]).toEqual([[2], [3, 1]])
    await controller.fetch(items.partialUpdate, { group: 'ten', id: 1 }, { group: 'five' } as object)
    await settle()
    expect([ids(five), ids(ten)]).toEqual([[2, 1], [3]])
    expect(server.requests).toEqual([
      'PATCH /groups/five/items/1',
      'PATCH /groups/ten/items/1',
      'PATCH /groups/ten/items/1',
    ])
  },
)

scenario(
  '4.1/Lists/move/by the body/optimistic',
  'an expected move shows at once, and is taken back when it fails',
  async (stage) => {
    const { controller, server, settle } = stage
    class Item extends Todo {
      static override key = 'Item'
    }
    const { optimistic } = await import('@selfsame/core/optimistic')
    const items = createResource({
      ...onServer(server),
      path: '/groups/:group/items/:id',
      schema: Item,
      optimistic,
    })
    const { five, ten } = await mountGroups(stage, items as never)
    const data = [shown(five), shown(ten)]
    server.hold('PATCH /groups/five/items/1')
    const move = () =>
      controller.fetch(items.getList.move, { group: 'five', id: 1 }, { group: 'ten' } as object)
    const moving = move()
    await settle()
    expect([ids(five), ids(ten)]).toEqual([[2], [3, 1]])
    server.release()
    await moving
    await settle()
    expect([ids(five), ids(ten)]).toEqual([[2], [3, 1]])
    await controller.fetch(items.getList.move, { group: 'ten', id: 1 }, { group: 'five' } as object)
    server.route('PATCH /groups/five/items/1', reply.status(500))
    await settle()
    const before = [shown(five), shown(ten)]
    await move().catch(() => {})
    await settle()
    expect([shown(five), shown(ten)]).toEqual(before)
    expect(shown(five)).toBe(before[0])
    expect(data[1]).toEqual(before[1])
  },
)

scenario(
  '4.1/Lists/move/in doubt',
  'a list of which neither the change nor the record says whether the record joins is fetched',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const items = makeItems(server)
    const { five, ten } = await mountGroups(stage, items)
    const route = 'GET /groups/ten/items?view=mine'
    server.route(route, [todoFields(3)])
    const mine = await mount('useSuspense', items.getList, { group: 'ten', view: 'mine' })
    await settle()
    server.requests.length = 0
    await controller.fetch(items.getList.move, { group: 'five', id: 1 }, { group: 'ten' } as object)
    await settle()
    expect([ids(five), ids(ten), ids(mine)]).toEqual([[2], [3, 1], [3]])
    expect(server.requests).toEqual(['PATCH /groups/five/items/1', route])
  },
)

scenario(
  '4.1/Lists/Query/mutations and pages',
  'an endpoint whose schema is a Query over a Collection has push and its like, and pages',
  async ({ api, controller, mount, server, settle }) => {
    const byId = new Query({ results: new schema.Collection([Todo]), next: '' }, ({ results, next }) => ({
      ids: results.map(({ id }) => id).sort(),
      next,
    }))
    const getIds = api.todo.getList.extend({ schema: byId, paginationField: 'cursor' })
    server.route('GET /todo', { results: [todoFields(6), todoFields(5)], next: 'a' })
    server.route('GET /todo?cursor=a', { results: [todoFields(4)], next: 'b' })
    const list = await mount('useSuspense', getIds)
    await settle()
    expect(shown(list)).toEqual({ ids: [5, 6], next: 'a' })
    expect(await controller.fetch(getIds.getPage, { cursor: 'a' })).toEqual({ ids: [4], next: 'b' })
    await settle()
    expect(shown(list)).toEqual({ ids: [4, 5, 6], next: 'b' })
    await controller.fetch(getIds.push, { title: 'New' })
    await settle()
    expect(shown(list)).toEqual({ ids: [4, 5, 6, 9], next: 'b' })
    await controller.fetch(getIds.remove, { id: 5 }, { title: 'Gone' })
    await settle()
    expect(shown(list)).toEqual({ ids: [4, 6, 9], next: 'b' })
    expect(server.requests).toEqual(['GET /todo', 'GET /todo?cursor=a', 'POST /todo', 'PATCH /todo/5'])
  },
)

scenario(
  '4.1/Lists/Query/another path',
  'a Query over the Collection of another path has lists of its own, which a create does not join',
  async ({ api, controller, mount, server, settle }) => {
    server.route('GET /todo/popular', [todoFields(7)])
    const titles = new Query(api.todo.getList.schema, (todos) => todos.map(({ title }) => title))
    const getPopular = () => api.todo.getList.extend({ path: '/todo/popular', schema: titles })
    const popular = await mount('useSuspense', getPopular())
    await settle()
    expect(getPopular().schema).toBe(getPopular().schema)
    await controller.fetch(api.todo.create, {})
    await settle()
    expect(shown(popular)).toEqual(['Todo 7'])
    expect(server.requests).toEqual(['GET /todo/popular', 'POST /todo'])
  },
)

for (const [kind, attribute] of [
  ['the name of a field', 'type'],
  ['a function', ({ url }: { readonly url?: string }) => (url === undefined ? 'post' : 'link')],
] as const)
  scenario(
    `2.1/union by id/${kind}`,
    'a record of a union that a list brought is found by its id',
    async ({ api, mount, server, settle }) => {
      const union = new schema.Union({ link: Link, post: Post }, attribute)
      server.route('GET /link', [
        { id: 1, type: 'link', url: '/a' },
        { id: 2, type: 'post', content: 'b' },
        { id: 3, type: 'link', url: '/c' },
        { id: 3, type: 'post', content: 'd' },
      ])
      server.route('GET /link/3', { id: 3, type: 'post', content: 'd' })
      const getList = api.link.getList.extend({ schema: [union] })
      const get = api.link.get.extend({ schema: union })
      const early = await mount('useQuery', union, { id: 2 })
      await settle()
      expect(shown(early)).toBe(undefined)
      const list = await mount('useSuspense', getList)
      await settle()
      const items = shown(list) as unknown[]
      expect(shown(early)).toBe(items[1])
      const first = await mount('useSuspense', get, { id: 1 })
      await settle()
      expect(shown(first)).toBe(items[0])
      expect(server.requests).toEqual(['GET /link'])
      // Two classes have a record of this id: only the server knows which one is meant.
      const third = await mount('useSuspense', get, { id: 3 })
      await settle()
      expect(shown(third)).toBe(items[3])
      expect(server.requests).toEqual(['GET /link', 'GET /link/3'])
    },
  )
