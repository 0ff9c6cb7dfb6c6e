import { schema } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { optimistic } from '@selfsame/core/optimistic'
import { expect } from 'vitest'
import { Todo, todoFields } from '../fixtures.js'
import { baseUrl } from '../server.js'
import type { ServerRequest } from '../server.js'
import type { Reader } from '../contract.js'
import { scenario, shown } from '../suite.js'

// The arguments of a list count as they are sent, and only where the list shows that they are equal to fields of its records.

function ids(reader: Reader): unknown[] {
  return (shown(reader) as readonly Todo[]).map(({ id }) => id)
}

const unsent = { null: null, 'an empty list': [], 'an empty object': {}, 'what searchToString drops': '-' }

for (const [name, title] of Object.entries(unsent))
  scenario(
    `4.1/Lists/arguments that are not sent/${name}`,
    'an argument that is not sent decides nothing: the list is that of the call without it',
    async ({ controller, mount, server, settle }) => {
      class OwnEndpoint<
        const Options extends ConstructorParameters<typeof RestEndpoint>[0],
      > extends RestEndpoint<Options> {
        override fetchResponse(url: string, init: RequestInit) {
          return server.fetch(url, init)
        }
        override searchToString(params: Record<string, unknown>) {
          const kept = Object.entries(params).filter(([, value]) => value !== '-')
          return super.searchToString(Object.fromEntries(kept))
        }
      }
      const todo = createResource({
        urlPrefix: baseUrl,
        path: '/todo/:id',
        schema: Todo,
        Endpoint: OwnEndpoint,
        optimistic,
      })
      server.route('GET /todo', [todoFields(5), todoFields(6)])
      const list = await mount('useSuspense', todo.getList, { title, q: title } as never)
      await settle()
      server.hold('PATCH /todo/5', 'POST /todo')
      const changing = controller.fetch(todo.partialUpdate, { id: 5 }, { title: 'Done' })
      const creating = controller.fetch(todo.create, { title: 'New' })
      await settle()
      expect(ids(list).slice(0, 2)).toEqual([5, 6])
      expect(ids(list)).toHaveLength(3)
      server.release()
      await Promise.all([changing, creating])
      await settle()
      expect(ids(list)).toEqual([5, 6, 9])
      expect(controller.read(todo.getList, { title, q: title } as never).status).toBe('Valid')
      expect(server.requests).toEqual(['GET /todo', 'PATCH /todo/5', 'POST /todo'])
    },
  )

scenario(
  '4.1/Lists/arguments that are not sent/one address',
  'arguments that are sent as the same text are one list',
  async ({ api, controller, mount, server, settle }) => {
    server.route('GET /todo?completed=false', [todoFields(5), todoFields(6)])
    const list = await mount('useSuspense', api.todo.getList, { completed: false })
    const same = await mount('useSuspense', api.todo.getList, { completed: 'false' })
    await settle()
    expect(shown(same)).toBe(shown(list))
    await controller.fetch(api.todo.partialUpdate, { id: 5 }, { completed: true })
    await settle()
    expect(ids(list)).toEqual([6])
    expect(shown(same)).toBe(shown(list))
    expect(server.requests).toEqual(['GET /todo?completed=false', 'PATCH /todo/5'])
  },
)

const searches = {
  all: { title: 'all' },
  nothing: { title: '' },
  'one of': { title: ['open', 'closed'] },
  me: { userId: 'me' },
  'a range': { userId: '<10' },
  'a part of the text': { title: 'op' },
}

/** The address of arguments. */
function addressOf(args: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(args))
    for (const each of [value].flat()) search.append(name, String(each))
  return `GET /todo?${search}`
}

for (const [name, args] of Object.entries(searches))
  for (const before of [[todoFields(5, { title: 'open', userId: 3 })], []])
    scenario(
      `4.1/Lists/filters that are no equality/${name}/${before.length === 0 ? 'empty' : 'filled'}`,
      'a created record may belong to a list whose argument is no value of its field: it is fetched once',
      async ({ api, controller, mount, server, settle }) => {
        const address = addressOf(args)
        const made = todoFields(9, { title: 'open', userId: 3 })
        server.route(address, before)
        const list = await mount('useSuspense', api.todo.getList, args as never)
        await settle()
        server.route(address, [...before, made])
        server.route('POST /todo', ({ body }: ServerRequest) => ({ ...made, ...(body as object) }))
        await controller.fetch(api.todo.create, { title: 'open', userId: 3 })
        await settle()
        expect(ids(list)).toEqual([...before.map(() => 5), 9])
        expect(controller.read(api.todo.getList, args as never).status).toBe('Valid')
        expect(server.requests).toEqual([address, 'POST /todo', address])
      },
    )

scenario(
  '4.1/Lists/filters that are no equality/a change',
  'a changed record may leave such a list, which is fetched once, and a list of equal records follows without a request',
  async ({ api, controller, mount, server, settle }) => {
    const rows = [todoFields(5, { title: 'open' }), todoFields(6, { title: 'closed' })]
    server.route('GET /todo?title=active', rows)
    server.route('GET /todo?title=open', rows.slice(0, 1))
    server.route('GET /todo?title=closed', rows.slice(1))
    const active = await mount('useSuspense', api.todo.getList, { title: 'active' })
    const open = await mount('useSuspense', api.todo.getList, { title: 'open' })
    const closed = await mount('useSuspense', api.todo.getList, { title: 'closed' })
    await settle()
    server.requests.length = 0
    server.route('GET /todo?title=active', rows.slice(1))
    await controller.fetch(api.todo.partialUpdate, { id: 5 }, { title: 'closed' })
    await settle()
    expect([ids(active), ids(open), ids(closed)]).toEqual([[6], [], [6, 5]])
    expect(server.requests).toEqual(['PATCH /todo/5', 'GET /todo?title=active'])
  },
)

scenario(
  '4.1/Lists/filters that are no equality/values',
  'a list of a number, of a boolean and of a path decides also while it is empty',
  async ({ api, controller, mount, server, settle }) => {
    const owned = createResource({
      urlPrefix: baseUrl,
      fetchResponse: (url: string, init: RequestInit) => server.fetch(url, init),
      path: '/list/:title/todo/:id',
      schema: class Item extends Todo {
        static override key = 'Item'
      },
    })
    const empty = ['GET /todo?userId=2', 'GET /todo?completed=true', 'GET /list/b/todo']
    for (const address of empty) server.route(address, [])
    server.route('POST /list/a/todo', todoFields(8, { title: 'a' }))
    await mount('useSuspense', api.todo.getList, { userId: 2 })
    await mount('useSuspense', api.todo.getList, { completed: true })
    await mount('useSuspense', owned.getList, { title: 'b' })
    await settle()
    await controller.fetch(api.todo.create, { userId: 1, completed: false })
    await controller.fetch(owned.create, { title: 'a' }, {})
    await settle()
    expect(server.requests).toEqual([...empty, 'POST /todo', 'POST /list/a/todo'])
  },
)

scenario(
  '4.1/Lists/filters that are no equality/map',
  'a map with such an argument is fetched, too',
  async ({ api, controller, mount, server, settle }) => {
    const getMap = api.todo.getList.extend({
      schema: new schema.Collection(new schema.Values(Todo)),
      name: 'Todo.map',
    })
    const address = 'GET /todo?title=all'
    server.route(address, { a: todoFields(5, { title: 'open' }) })
    await mount('useSuspense', getMap, { title: 'all' })
    await settle()
    await controller.fetch(api.todo.create, { title: 'open' })
    await settle()
    expect(server.requests).toEqual([address, 'POST /todo', address])
  },
)

scenario(
  '4.1/Lists/remove with a body',
  'a record that is removed leaves the lists that it was in, whatever the body says',
  async ({ api, controller, mount, server, settle }) => {
    for (const userId of [1, 2])
      server.route(`GET /todo?userId=${userId}`, [todoFields(4 + userId, { userId })])
    server.route('PATCH /todo/5', todoFields(5, { userId: 0 }))
    const mine = await mount('useSuspense', api.hopeful.getList, { userId: 1 })
    const theirs = await mount('useSuspense', api.hopeful.getList, { userId: 2 })
    await settle()
    server.requests.length = 0
    server.hold('PATCH /todo/5')
    const removing = controller.fetch(api.hopeful.getList.remove, { id: 5 }, { userId: 0 })
    await settle()
    expect([ids(mine), ids(theirs)]).toEqual([[], [6]])
    server.release()
    await removing
    await settle()
    expect([ids(mine), ids(theirs)]).toEqual([[], [6]])
    expect(server.requests).toEqual(['PATCH /todo/5'])
  },
)

scenario(
  '4.1/Lists/maps',
  'a record that a mutation adds to a map has no name there: the map is fetched once',
  async ({ api, controller, mount, server, settle }) => {
    const getMap = api.todo.getList.extend({
      schema: new schema.Collection(new schema.Values(Todo)),
      name: 'Todo.map',
    })
    const [first, second] = ['GET /todo?userId=1', 'GET /todo?userId=2'] as const
    server.route(first, { a: todoFields(5) })
    server.route(second, { b: todoFields(6, { userId: 2 }) })
    const one = await mount('useSuspense', getMap, { userId: 1 })
    const two = await mount('useSuspense', getMap, { userId: 2 })
    await settle()
    server.requests.length = 0
    server.route(second, { b: todoFields(6, { userId: 2 }), c: todoFields(5, { userId: 2 }) })
    await controller.fetch(api.todo.partialUpdate, { id: 5 }, { userId: 2 })
    await settle()
    expect(shown(one)).toEqual({})
    expect(shown(two)).toMatchObject({ b: { id: 6 }, c: { id: 5 } })
    server.route(first, { d: todoFields(9) })
    await controller.fetch(api.todo.create, { userId: 1 })
    await settle()
    expect(shown(one)).toMatchObject({ d: { id: 9 } })
    expect(server.requests).toEqual(['PATCH /todo/5', second, 'POST /todo', first])
  },
)
