import { expect } from 'vitest'
import type { Owner } from '../fixtures.js'
import { Todo, todoFields } from '../fixtures.js'
import { reply } from '../server.js'
import type { Reader } from '../contract.js'
import type { Stage } from '../suite.js'
import { scenario, shown } from '../suite.js'

/** The ids of the list that a reader shows. */
function ids(reader: Reader): unknown[] {
  return (shown(reader) as Todo[]).map(({ id }) => id)
}

/** Mounts readers of the lists of all todos, of user 1 and of user 2. */
async function mountLists({ api, mount, server, settle }: Stage) {
  server.route('GET /todo?userId=2', [todoFields(1, { userId: 2 })])
  const all = await mount('useSuspense', api.todo.getList)
  const ofFirst = await mount('useSuspense', api.todo.getList, { userId: 1 })
  const ofSecond = await mount('useSuspense', api.todo.getList, { userId: 2 })
  await settle()
  server.requests.length = 0
  return { all, ofFirst, ofSecond }
}

scenario(
  '4.1/Lists/create',
  'a created record joins the lists that it belongs to, at the end, without a request',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const { all, ofFirst, ofSecond } = await mountLists(stage)
    const untouched = shown(ofFirst)
    const { renders } = ofFirst
    const fallbacks = all.fallbacks + ofSecond.fallbacks
    const created = await controller.fetch(api.todo.create, { userId: 2, title: 'New' })
    await settle()
    expect(ids(all)).toEqual([5, 6, 9])
    expect(ids(ofSecond)).toEqual([1, 9])
    expect((shown(all) as Todo[])[2]).toBe(created)
    expect(shown(ofFirst)).toBe(untouched)
    expect(ofFirst.renders).toBe(renders)
    const detail = await mount('useSuspense', api.todo.get, { id: 9 })
    await settle()
    expect(shown(detail)).toBe(created)
    expect(all.fallbacks + ofSecond.fallbacks).toBe(fallbacks)
    expect(server.requests).toEqual(['POST /todo'])
  },
)

scenario(
  '4.1/Lists/two Collections',
  'a created record joins the lists of each Collection of its class',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    server.route('GET /todo?userId=1', { results: [todoFields(5)], next: '' })
    const all = await mount('useSuspense', api.todo.getList)
    const wrapped = await mount('useSuspense', api.wrappedTodos, { userId: 1 })
    await settle()
    await controller.fetch(api.todo.create, { userId: 1 })
    await settle()
    expect(ids(all)).toEqual([5, 6, 9])
    expect(shown(wrapped)).toMatchObject({ results: [{ id: 5 }, { id: 9 }] })
    expect(server.requests).toEqual(['GET /todo', 'GET /todo?userId=1', 'POST /todo'])
  },
)

scenario(
  '4.1/Lists/slash',
  'a created record joins a list whose path differs by the slash at its end alone',
  async ({ api, controller, mount, server, settle }) => {
    server.route('GET /todo/', [todoFields(5)])
    const slashed = await mount('useSuspense', api.todo.getList.extend({ path: '/todo/' }))
    await settle()
    await controller.fetch(api.todo.create, { title: 'New' })
    await settle()
    expect(ids(slashed)).toEqual([5, 9])
    expect(server.requests).toEqual(['GET /todo/', 'POST /todo'])
  },
)

scenario(
  '4.1/Lists/another path',
  'an endpoint of another path has lists of its own, which a create does not join',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    server.route('GET /todo/popular', [todoFields(7)])
    const all = await mount('useSuspense', api.todo.getList)
    await settle()
    server.hold('GET /todo/popular')
    const popular = await mount('useSuspense', api.popularTodos)
    expect(popular.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(ids(popular)).toEqual([7])
    expect(ids(all)).toEqual([5, 6])
    const data = shown(popular)
    await controller.fetch(api.todo.create, { userId: 1 })
    await settle()
    expect(shown(popular)).toBe(data)
    expect(ids(all)).toEqual([5, 6, 9])
    const queried = await mount('useQuery', api.popularTodos.schema)
    expect(shown(queried)).toBe(data)
    expect(server.requests).toEqual(['GET /todo', 'GET /todo/popular', 'POST /todo'])
  },
)

scenario(
  '4.1/Lists/search',
  'a list with an argument that says nothing of a created record is fetched anew, and shown meanwhile',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const route = 'GET /todo?q=milk'
    server.route(route, [todoFields(5)])
    const found = await mount('useSuspense', api.todo.getList, { q: 'milk' })
    await settle()
    const { fallbacks } = found
    server.route(route, [todoFields(9), todoFields(5)])
    await controller.fetch(api.todo.create, { userId: 1, title: 'More milk' })
    await settle()
    expect(ids(found)).toEqual([9, 5])
    expect(found.fallbacks).toBe(fallbacks)
    expect(server.requests).toEqual([route, 'POST /todo', route])
  },
)

scenario(
  '4.1/Lists/search/edit',
  'an edit shows its fields in a list with an argument that says nothing of the record, which is not fetched anew',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const route = 'GET /todo?q=milk'
    server.route(route, [todoFields(5), todoFields(6)])
    const found = await mount('useSuspense', api.todo.getList, { q: 'milk' })
    await settle()
    server.route('PATCH /todo/5', { ...todoFields(5), title: 'Bread' })
    await controller.fetch(api.todo.partialUpdate, { id: 5 }, { title: 'Bread' })
    await settle()
    expect(ids(found)).toEqual([5, 6])
    expect((shown(found) as Todo[])[0]?.title).toBe('Bread')
    expect(controller.read(api.todo.getList, { q: 'milk' } as never).status).toBe('Valid')
    expect(server.requests).toEqual([route, 'PATCH /todo/5'])
  },
)

scenario(
  '4.1/Lists/move after a lost answer',
  'a record that joins a list after a lost edit of it makes the list Stale, which the next check fetches, once',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const { ofSecond } = await mountLists(stage)
    const edit = (body: Partial<Todo>) => controller.fetch(api.todo.partialUpdate, { id: 5 }, body)
    server.route('PATCH /todo/5', reply.offline())
    await edit({ title: 'Edited' }).catch(() => {})
    server.route('PATCH /todo/5', { id: 5, userId: 2 })
    await edit({ userId: 2 })
    await settle()
    expect(ids(ofSecond)).toEqual([1, 5])
    expect(controller.read(api.todo.getList, { userId: 2 }).status).toBe('Stale')
    expect(server.requests).toEqual(['PATCH /todo/5', 'PATCH /todo/5'])
    const route = 'GET /todo?userId=2'
    server.route(route, [todoFields(1, { userId: 2 }), todoFields(5, { userId: 2, title: 'Edited' })])
    await ofSecond.unmount()
    const again = await mount('useSuspense', api.todo.getList, { userId: 2 })
    await settle()
    expect((shown(again) as Todo[])[1]?.title).toBe('Edited')
    expect(controller.read(api.todo.getList, { userId: 2 }).status).toBe('Valid')
    expect(server.requests).toEqual(['PATCH /todo/5', 'PATCH /todo/5', route])
  },
)

scenario(
  '4.1/Lists/create/update',
  'a created record stands once, where the update of its create puts it',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const { all, ofFirst } = await mountLists(stage)
    const create = api.todo.create.extend({
      update: (created: Todo) => ({ [api.todo.getList.key()]: (list: Todo[]) => [created, ...list] }),
    })
    await controller.fetch(create, { userId: 1 })
    await settle()
    expect(ids(all)).toEqual([9, 5, 6])
    expect(ids(ofFirst)).toEqual([5, 6, 9])
    expect(server.requests).toEqual(['POST /todo'])
  },
)

for (const resource of ['todo', 'hopeful'] as const)
  scenario(
    `4.1/Lists/create/update of a search/${resource}`,
    'a list whose arguments tell nothing is Stale after a create, unless the update of the create changes it',
    async (stage) => {
      const { api, controller, mount, server, settle } = stage
      const { getList, create } = api[resource]
      const [first, second] = [{ 'filter[label]': 'a' }, { 'filter[label]': 'b' }]
      const routes = ['GET /todo?filter%5Blabel%5D=a', 'GET /todo?filter%5Blabel%5D=b']
      for (const route of routes) server.route(route, [todoFields(5)])
      const told = await mount('useSuspense', getList, first)
      const untold = await mount('useSuspense', getList, second)
      await settle()
      expect(server.requests).toEqual(routes)
      for (const route of routes) server.route(route, [todoFields(5), todoFields(9)])
      const updating = create.extend({
        update: (created: Todo) => ({ [getList.key(first)]: (list: Todo[]) => [created, ...list] }),
      })
      await controller.fetch(updating, { userId: 1 })
      await settle()
      expect([ids(told), ids(untold)]).toEqual([
        [9, 5],
        [5, 9],
      ])
      expect(server.requests).toEqual([...routes, 'POST /todo', routes[1]])
    },
  )

scenario(
  '4.1/Lists/create/update of two calls',
  'an update changes a list once that two calls of a key show, early and for good',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const { all } = await mountLists(stage)
    const other = await mount('useSuspense', api.hopeful.getList)
    await settle()
    const requests = [...server.requests]
    server.hold('POST /todo')
    const create = api.hopeful.create.extend({
      update: (created: Todo) => ({ [api.todo.getList.key()]: (list: Todo[]) => [created, ...list] }),
    })
    const creating = controller.fetch(create, { userId: 1, title: 'New' })
    await settle()
    expect((shown(all) as Todo[]).map(({ title }) => title)).toEqual(['New', 'Todo 5', 'Todo 6'])
    expect(shown(other)).toBe(shown(all))
    server.release()
    await creating
    await settle()
    expect(ids(all)).toEqual([9, 5, 6])
    expect(shown(other)).toBe(shown(all))
    expect(server.requests).toEqual([...requests, 'POST /todo'])
  },
)

scenario('4.1/Lists/create/fails', 'a create that fails changes no list', async (stage) => {
  const { api, controller, server, settle } = stage
  const { all, ofFirst } = await mountLists(stage)
  const data = [shown(all), shown(ofFirst)]
  server.route('POST /todo', reply.status(422, { title: 'missing' }))
  await expect(controller.fetch(api.todo.create, { userId: 1 })).rejects.toMatchObject({ status: 422 })
  await settle()
  expect([shown(all), shown(ofFirst)]).toEqual(data)
  expect(shown(all)).toBe(data[0])
  expect(server.requests).toEqual(['POST /todo'])
})

/** What brings the effect of a change before its response, such as a message. */
const echoes: Readonly<Record<string, (stage: Stage) => void>> = {
  set: ({ controller }) => controller.set(Todo, { id: 5 }, { userId: 2 }),
  'set, whole': ({ controller }) => controller.set(Todo, { id: 5 }, todoFields(5, { userId: 2 })),
  setResponse: ({ api, controller }) =>
    controller.setResponse(api.todo.get, { id: 5 }, todoFields(5, { userId: 2 })),
}

for (const [way, echo] of Object.entries(echoes))
  for (const resource of ['todo', 'hopeful'] as const)
    scenario(
      `4.1/Lists/move/echo/${resource}/${way}`,
      'a record moves between lists although a message has brought its change before the response',
      async (stage) => {
        const { api, controller, server, settle } = stage
        const { all, ofFirst, ofSecond } = await mountLists(stage)
        server.hold('PATCH /todo/5')
        const moving = controller.fetch(api[resource].partialUpdate, { id: 5 }, { userId: 2 })
        await settle()
        echo(stage)
        await settle()
        server.release()
        await moving
        await settle()
        expect([ids(all), ids(ofFirst), ids(ofSecond)]).toEqual([[5, 6], [6], [1, 5]])
        expect(server.requests).toEqual(['PATCH /todo/5'])
      },
    )

/** By name: a mutation of a record that is older here than at the server, and how it is answered. */
const outdated: Readonly<
  Record<
    string,
    { readonly name: 'partialUpdate' | 'update'; readonly body: object; readonly isEmpty: boolean }
  >
> = {
  'PATCH, answered': { name: 'partialUpdate', body: { userId: 1 }, isEmpty: false },
  'PATCH, 204': { name: 'partialUpdate', body: { userId: 1 }, isEmpty: true },
  'PUT, answered': { name: 'update', body: { userId: 1, title: 'Saved', completed: false }, isEmpty: false },
  'PUT, 204': { name: 'update', body: { userId: 1, title: 'Saved', completed: false }, isEmpty: true },
}

for (const [way, { name, body, isEmpty }] of Object.entries(outdated))
  for (const resource of ['todo', 'hopeful'] as const)
    scenario(
      `4.1/Lists/move/outdated/${resource}/${way}`,
      'a list that a record is changed to has it, although what was known of the record was older than the list',
      async (stage) => {
        const { api, controller, mount, server, settle } = stage
        const { ofFirst, ofSecond } = await mountLists(stage)
        const detail = await mount('useSuspense', api.todo.get, { id: 5 })
        await settle()
        // Another client moves it.
        server.route('GET /todo?userId=1', [todoFields(6)])
        controller.invalidate(api.todo.getList, { userId: 1 })
        await settle()
        expect([ids(ofFirst), (shown(detail) as Todo).userId]).toEqual([[6], 1])
        server.requests.length = 0
        const saved = todoFields(5, body)
        server.route(`${name === 'update' ? 'PUT' : 'PATCH'} /todo/5`, isEmpty ? reply.status(204) : saved)
        for (const list of ['GET /todo', 'GET /todo?userId=1']) server.route(list, [saved, todoFields(6)])
        server.route('GET /todo/5', saved)
        await controller.fetch(api[resource][name], { id: 5 }, body)
        await settle()
        expect([ids(ofFirst), ids(ofSecond)]).toEqual([[5, 6], [1]])
        expect((shown(ofFirst) as Todo[])[0]).toBe(shown(detail))
        expect(server.requests.filter((line) => line === 'GET /todo?userId=1')).toHaveLength(1)
      },
    )

for (const isEmpty of [false, true])
  scenario(
    `4.1/Lists/move/at odds/${isEmpty ? '204' : 'answered'}`,
    'a list that has a record which does not match it is fetched again when the field that it matches is changed',
    async (stage) => {
      const { api, controller, server, settle } = stage
      const shared = todoFields(1, { userId: 2 })
      server.route('GET /todo?userId=1', [shared, todoFields(5), todoFields(6)])
      const { ofFirst, ofSecond } = await mountLists(stage)
      server.route('PATCH /todo/1', isEmpty ? reply.status(204) : { ...shared, userId: 3 })
      server.route('GET /todo?userId=1', [todoFields(5), todoFields(6)])
      server.route('GET /todo?userId=2', [])
      await controller.fetch(api.todo.partialUpdate, { id: 1 }, { userId: 3 })
      await settle()
      expect([ids(ofFirst), ids(ofSecond)]).toEqual([[5, 6], []])
      server.route('PATCH /todo/5', todoFields(5, { title: 'Saved' }))
      server.requests.length = 0
      await controller.fetch(api.todo.partialUpdate, { id: 5 }, { title: 'Saved' })
      await settle()
      expect(server.requests).toEqual(['PATCH /todo/5'])
    },
  )

scenario('4.1/Lists/move', 'a record that an update changes moves between lists', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const { all, ofFirst, ofSecond } = await mountLists(stage)
  const cached = await mount('useCache', api.todo.getList, { userId: 2 })
  const moved = await controller.fetch(api.todo.partialUpdate, { id: 5 }, { userId: 2 })
  await settle()
  expect(ids(all)).toEqual([5, 6])
  expect(ids(ofFirst)).toEqual([6])
  expect(ids(ofSecond)).toEqual([1, 5])
  expect(shown(cached)).toBe(shown(ofSecond))
  expect((shown(all) as Todo[])[0]).toBe(moved)
  expect((shown(ofSecond) as Todo[])[1]).toBe(moved)
  await controller.fetch(api.todo.partialUpdate, { id: 5 }, { userId: 1 })
  await settle()
  expect(ids(ofFirst)).toEqual([6, 5])
  expect(ids(ofSecond)).toEqual([1])
  expect(server.requests).toEqual(['PATCH /todo/5', 'PATCH /todo/5'])
})

scenario('4.1/Lists/delete', 'a deleted record leaves all lists', async (stage) => {
  const { api, controller, server, settle } = stage
  const { all, ofFirst, ofSecond } = await mountLists(stage)
  const untouched = shown(ofSecond)
  await controller.fetch(api.todo.delete, { id: 5 })
  await settle()
  expect(ids(all)).toEqual([6])
  expect(ids(ofFirst)).toEqual([6])
  expect(shown(ofSecond)).toBe(untouched)
  expect(server.requests).toEqual(['DELETE /todo/5'])
})

scenario(
  'F4/list/made again',
  'a list that has a deleted record asks once when a response brings that record back, and others do not',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const { all, ofFirst, ofSecond } = await mountLists(stage)
    await controller.fetch(api.todo.delete, { id: 5 })
    await settle()
    // Another client makes it again in another list.
    server.route('GET /todo/5', todoFields(5, { userId: 2 }))
    server.route('GET /todo', [todoFields(6), todoFields(5, { userId: 2 })])
    server.route('GET /todo?userId=1', [todoFields(6)])
    for (let times = 0; times < 2; times++) {
      await controller.fetch(api.todo.get, { id: 5 })
      await settle()
    }
    expect([ids(all), ids(ofFirst), ids(ofSecond)]).toEqual([[6, 5], [6], [1]])
    const [removed, read, ...others] = server.requests
    expect([removed, read]).toEqual(['DELETE /todo/5', 'GET /todo/5'])
    expect([...others].sort()).toEqual(['GET /todo', 'GET /todo/5', 'GET /todo?userId=1'])
  },
)

scenario(
  'F4/list/made again/two',
  'a list that was asked for since its own record was deleted is not asked for again when another one is back, too',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const { ofFirst, ofSecond } = await mountLists(stage)
    await controller.fetch(api.todo.delete, { id: 5 })
    await settle()
    server.hold('GET /todo', 'GET /todo?userId=1', 'GET /todo?userId=2')
    server.route('GET /todo?userId=1', [todoFields(6)])
    server.route('GET /todo?userId=2', [])
    controller.expireAll(api.todo.getList)
    await settle()
    await controller.fetch(api.todo.delete, { id: 1 })
    await settle()
    server.requests.length = 0
    server.route('GET /todo?userId=3', [todoFields(5, { userId: 3 }), todoFields(1, { userId: 3 })])
    await controller.fetch(api.todo.getList, { userId: 3 })
    await settle()
    // Only the second list was asked for before its record was deleted.
    expect(server.requests.filter((request) => /[12]$/.test(request))).toEqual(['GET /todo?userId=2'])
    server.release()
    await settle()
    expect([ids(ofFirst), ids(ofSecond)]).toEqual([[6], []])
  },
)

scenario(
  'F4/list/first load',
  'a list on its way while a create and a delete settle has the one and not the other',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    server.hold('GET /todo', 'GET /todo?userId=2')
    const list = await mount('useSuspense', api.todo.getList)
    server.route('GET /todo?userId=2', [todoFields(1, { userId: 2 })])
    const other = await mount('useSuspense', api.todo.getList, { userId: 2 })
    await settle()
    await controller.fetch(api.todo.create, { title: 'New' })
    await controller.fetch(api.todo.delete, { id: 5 })
    await settle()
    expect(list.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(ids(list)).toEqual([6, 9])
    expect(ids(other)).toEqual([1])
    expect(server.requests).toEqual(['GET /todo', 'GET /todo?userId=2', 'POST /todo', 'DELETE /todo/5'])
  },
)

scenario(
  'F4/list/refetch',
  'a list that is fetched again while a create and a delete settle keeps their changes on screen',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.todo.getList)
    await settle()
    server.hold('GET /todo')
    const fetched = controller.fetch(api.todo.getList)
    await controller.fetch(api.todo.create, { title: 'New' })
    await controller.fetch(api.todo.delete, { id: 5 })
    await settle()
    expect(ids(list)).toEqual([6, 9])
    const data = shown(list)
    server.release()
    await fetched
    await settle()
    expect(shown(list)).toBe(data)
    // The server sends the next response after both mutations, so the response is stored unchanged.
    server.route('GET /todo', [todoFields(9, { title: 'New' })])
    await controller.fetch(api.todo.getList)
    await settle()
    expect(ids(list)).toEqual([9])
  },
)

scenario('F4/list/move', 'a list on its way while a record moves shows it where it is now', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  await controller.fetch(api.todo.get, { id: 5 })
  server.route('GET /todo?userId=2', [])
  server.hold('GET /todo?userId=1', 'GET /todo?userId=2')
  const from = await mount('useSuspense', api.todo.getList, { userId: 1 })
  const to = await mount('useSuspense', api.todo.getList, { userId: 2 })
  await settle()
  await controller.fetch(api.todo.partialUpdate, { id: 5 }, { userId: 2 })
  server.release()
  await settle()
  expect(ids(from)).toEqual([6])
  expect(ids(to)).toEqual([5])
})

scenario(
  'G4/lists/read',
  'a record changes its lists that a read brings, and a second move there that is answered before the first',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const { ofFirst, ofSecond } = await mountLists(stage)
    const moved = todoFields(5, { userId: 2 })
    server.route('PUT /todo/5', moved)
    server.route('GET /todo/5', moved)
    server.hold('PUT /todo/5')
    const first = controller.fetch(api.todo.update, { id: 5 }, moved)
    await controller.fetch(api.todo.get, { id: 5 })
    await controller.fetch(api.todo.partialUpdate, { id: 5 }, { userId: 2 })
    server.release()
    await first
    await settle()
    expect(ids(ofFirst)).toEqual([6])
    expect(ids(ofSecond)).toEqual([1, 5])
    expect(server.requests).toEqual(['PUT /todo/5', 'GET /todo/5', 'PATCH /todo/5'])
  },
)

scenario('S18', 'a created record that the list has already is there once', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const list = await mount('useSuspense', api.todo.getList)
  await settle()
  await controller.fetch(api.todo.create, { id: 5, title: 'Once more' })
  await settle()
  expect(shown(list)).toMatchObject([{ id: 5, title: 'Once more' }, { id: 6 }])
  expect(server.requests).toEqual(['GET /todo', 'POST /todo'])
})

scenario(
  'S18/before the list',
  'a record created before its list was loaded is there once when the list is loaded',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    // The server responded to this read after it created the record.
    server.route('GET /todo', [todoFields(9), todoFields(5)])
    server.hold('GET /todo')
    const list = await mount('useSuspense', api.todo.getList)
    const cached = await mount('useCache', api.todo.getList)
    await settle()
    await controller.fetch(api.todo.create, {})
    await settle()
    expect(list.current()).toEqual({ state: 'fallback' })
    expect(shown(cached)).toBeUndefined()
    server.release()
    await settle()
    expect(ids(list)).toEqual([9, 5])
    expect(shown(cached)).toBe(shown(list))
  },
)

scenario('S19', 'lists of the same members hold the selfsame members', async (stage) => {
  const { api, controller, settle } = stage
  const { all, ofFirst } = await mountLists(stage)
  expect(shown(ofFirst)).toEqual(shown(all))
  const members = shown(all) as Todo[]
  ;(shown(ofFirst) as Todo[]).forEach((todo, index) => expect(todo).toBe(members[index]))
  controller.set(api.todo.get.schema, { id: 5 }, { completed: true })
  await settle()
  expect((shown(all) as Todo[])[0]).toMatchObject({ completed: true })
  expect((shown(ofFirst) as Todo[])[0]).toBe((shown(all) as Todo[])[0])
  expect((shown(all) as Todo[])[1]).toBe(members[1])
})

scenario('S20', 'numeric and text arguments, in any order, name one list', async (stage) => {
  const { api, mount, server, settle } = stage
  const route = 'GET /todo?completed=false&userId=1'
  server.route(route, [todoFields(5)])
  const first = await mount('useSuspense', api.todo.getList, { userId: 1, completed: false })
  const second = await mount('useSuspense', api.todo.getList, { completed: 'false', userId: '1' })
  const third = await mount('useSuspense', api.todo.getList, {
    completed: false,
    title: undefined,
    userId: 1,
  })
  await settle()
  expect(ids(first)).toEqual([5])
  expect(shown(second)).toEqual(shown(first))
  expect(shown(third)).toBe(shown(first))
  expect(server.requests).toEqual([route])
})

scenario(
  '4.1/Lists/nested',
  'a Collection in a record is the list of the same arguments, and follows mutations',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const owner = await mount('useSuspense', api.owner.get, { id: 1 })
    await settle()
    const list = await mount('useSuspense', api.ownedTodos, { userId: 1 })
    await settle()
    expect(shown(list)).toBe((shown(owner) as Owner).todos)
    expect(list.fallbacks).toBe(0)
    await controller.fetch(api.addOwnedTodo, { userId: 1, title: 'New' })
    await controller.fetch(api.addOwnedTodo, { id: 10, userId: 2 })
    await controller.fetch(api.todo.delete, { id: 6 })
    await settle()
    expect((shown(owner) as Owner).todos).toMatchObject([{ id: 5 }, { id: 9, title: 'New' }])
    expect(shown(list)).toBe((shown(owner) as Owner).todos)
    expect(server.requests).toEqual(['GET /owner/1', 'POST /todo', 'POST /todo', 'DELETE /todo/6'])
  },
)
