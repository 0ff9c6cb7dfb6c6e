import { Endpoint, Entity, Query, schema } from '@selfsame/core'
import { expect } from 'vitest'
import { Todo, todoFields } from '../fixtures.js'
import type { User } from '../fixtures.js'
import type { Reader } from '../contract.js'
import type { Stage } from '../suite.js'
import { scenario, shown } from '../suite.js'

/** A Query for the stored todos of a user, and how many times it was computed. */
function createQuery() {
  const runs = { count: 0 }
  const ofUser = new Query(new schema.All(Todo), (todos, { userId }: { userId: number }) => {
    runs.count++
    return todos.filter((todo) => todo.userId === userId)
  })
  return { ofUser, runs }
}

/** Stores a list of todo 5, of user 1, and todo 6, of user 2. */
async function fetchTodos({ api, controller, server }: Stage) {
  server.route('GET /todo', [todoFields(5), todoFields(6, { userId: 2 })])
  await controller.fetch(api.todo.getList)
  server.requests.length = 0
}

scenario(
  '2.1/Query/All',
  'useCache computes a Query from all records of a type, and follows them',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const { ofUser } = createQuery()
    const reader = await mount('useCache', ofUser, { userId: 1 })
    expect(shown(reader)).toBeUndefined()
    await fetchTodos(stage)
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 5 }])
    const detail = await mount('useCache', api.todo.get, { id: 5 })
    expect((shown(reader) as Todo[])[0]).toBe(shown(detail))
    await controller.fetch(api.todo.create, { userId: 1 })
    await controller.fetch(api.todo.partialUpdate, { id: 6 }, { userId: 1 })
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 5 }, { id: 6 }, { id: 9 }])
    await controller.fetch(api.todo.delete, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 6 }, { id: 9 }])
    expect(server.requests).toEqual(['POST /todo', 'PATCH /todo/6', 'DELETE /todo/5'])
  },
)

scenario(
  'C6',
  'a Query is computed again only after a change of what it was computed from',
  async (stage) => {
    const { api, controller, mount, settle } = stage
    const { ofUser, runs } = createQuery()
    await fetchTodos(stage)
    const reader = await mount('useCache', ofUser, { userId: 1 })
    await settle()
    const data = shown(reader)
    const { renders } = reader
    const { count } = runs
    controller.set(api.user.get.schema, { id: 1 }, { name: 'Ada' })
    await controller.fetch(api.article.get, { id: 1 })
    await reader.rerender()
    await settle()
    expect(runs.count).toBe(count)
    expect(shown(reader)).toBe(data)
    // Computed again with an equal result, so no reader is notified.
    const rendered = reader.renders
    controller.set(api.todo.get.schema, { id: 6 }, { title: 'Other' })
    await settle()
    expect(shown(reader)).toBe(data)
    expect(reader.renders).toBe(rendered)
    expect(rendered - renders).toBeLessThanOrEqual(1)
    controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed' })
    await settle()
    expect(shown(reader)).toMatchObject([{ title: 'Changed' }])
  },
)

scenario('2.1/Query/arguments', 'a Query follows its arguments, and null reads nothing', async (stage) => {
  const { mount, server, settle } = stage
  const { ofUser } = createQuery()
  await fetchTodos(stage)
  const reader = await mount('useCache', ofUser, { userId: 1 })
  await settle()
  const first = shown(reader)
  expect(first).toMatchObject([{ id: 5 }])
  await reader.change({ userId: 2 })
  await settle()
  expect(shown(reader)).toMatchObject([{ id: 6 }])
  await reader.change(null)
  await settle()
  expect(shown(reader)).toBeUndefined()
  await reader.change({ userId: 1 })
  await settle()
  expect(shown(reader)).toEqual(first)
  const idle = await mount('useCache', ofUser, null)
  await settle()
  expect(shown(idle)).toBeUndefined()
  expect(server.requests).toEqual([])
})

scenario('2.1/Query/shared', 'readers of one Query with equal arguments share its value', async (stage) => {
  const { api, controller, mount, settle } = stage
  const { ofUser, runs } = createQuery()
  await fetchTodos(stage)
  const first = await mount('useCache', ofUser, { userId: 1 })
  const second = await mount('useCache', ofUser, { userId: 1 })
  await settle()
  expect(shown(second)).toBe(shown(first))
  expect(runs.count).toBe(1)
  controller.set(api.todo.get.schema, { id: 5 }, { completed: true })
  await settle()
  expect(shown(first)).toMatchObject([{ completed: true }])
  expect(shown(second)).toBe(shown(first))
  expect(runs.count).toBe(2)
})

scenario(
  '2.1/Query/Collection',
  'a Query over a Collection filters the list that its arguments name, once that is there',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const open = new Query(
      api.todo.getList.schema,
      (todos, _list: { userId: number }, isCompleted: boolean) =>
        todos.filter(({ completed }) => completed === isCompleted),
    )
    server.route('GET /todo?userId=2', [todoFields(1, { userId: 2 })])
    const reader = await mount('useCache', open, { userId: 1 }, false)
    await settle()
    expect(shown(reader)).toBeUndefined()
    const list = await mount('useSuspense', api.todo.getList, { userId: 1 })
    await settle()
    expect(shown(reader)).toEqual(shown(list))
    await controller.fetch(api.todo.create, { userId: 1, completed: true })
    await controller.fetch(api.todo.partialUpdate, { id: 5 }, { completed: true })
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 6 }])
    expect((shown(reader) as Todo[])[0]).toBe((shown(list) as Todo[])[1])
    await reader.change({ userId: 1 }, true)
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 5 }, { id: 9 }])
    await reader.change({ userId: 2 }, false)
    await settle()
    expect(shown(reader)).toBeUndefined()
    await controller.fetch(api.todo.getList, { userId: 2 })
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 1 }])
    expect(server.requests).toEqual([
      'GET /todo?userId=1',
      'POST /todo',
      'PATCH /todo/5',
      'GET /todo?userId=2',
    ])
  },
)

scenario('2.1/Query/Query', 'a Query over another Query is computed from its value', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const { ofUser } = createQuery()
  const runs = { count: 0 }
  const count = new Query(ofUser, (todos, _args: { userId: number }) => {
    runs.count++
    return todos.length
  })
  await fetchTodos(stage)
  const reader = await mount('useCache', count, { userId: 1 })
  await settle()
  expect(shown(reader)).toBe(1)
  controller.set(api.user.get.schema, { id: 1 }, { name: 'Ada' })
  await settle()
  expect(runs.count).toBe(1)
  await controller.fetch(api.todo.create, { userId: 1 })
  await settle()
  expect(shown(reader)).toBe(2)
  const { renders } = reader
  controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed' })
  await settle()
  expect(shown(reader)).toBe(2)
  expect(reader.renders).toBe(renders)
  await reader.change({ userId: 2 })
  await settle()
  expect(shown(reader)).toBe(1)
  expect(server.requests).toEqual(['POST /todo'])
})

scenario('2.1/Query/Entity', 'a Query over one record reads it when it is there', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const initial = new Query(api.user.get.schema, ({ name }: User) => name.slice(0, 1))
  const reader = await mount('useCache', initial, { id: 1 })
  await settle()
  expect(shown(reader)).toBeUndefined()
  controller.set(api.user.get.schema, { id: 1 }, { name: 'Ada' })
  await settle()
  expect(shown(reader)).toBe('A')
  server.route('DELETE /user/1', {})
  await controller.fetch(api.user.delete, { id: 1 })
  await settle()
  expect(shown(reader)).toBeUndefined()
  expect(server.requests).toEqual(['DELETE /user/1'])
})

scenario(
  '2.1/Query/records',
  'a Query over an object of records reads each by the arguments, and all that are not optional must be there',
  async ({ controller, mount, server, settle }) => {
    class Ticker extends Entity {
      product = ''
      price = 0
      static override key = 'Ticker'
      override pk() {
        return this.product
      }
    }
    class Stats extends Ticker {
      last = 0
      static override key = 'Stats'
    }
    const both = new Query({ ticker: Ticker, stats: Stats }, ({ ticker, stats }) => [
      ticker.price,
      stats.last,
    ])
    const either = new Query({ ticker: Ticker, stats: new schema.Optional(Stats) }, ({ ticker, stats }) => [
      ticker.price,
      stats?.last,
    ])
    const args = { product: 'BTC' }
    const readers = [
      await mount('useCache', both, args),
      await mount('useQuery', either, args),
      await mount('useQuery', { ticker: Ticker, stats: Stats }, args),
    ]
    const values = async () => {
      await settle()
      return readers.map(shown)
    }
    expect(await values()).toEqual([undefined, undefined, undefined])
    controller.set(Ticker, args, { price: 5 })
    controller.set(Stats, { product: 'ETH' }, { last: 7 })
    expect(await values()).toEqual([undefined, [5, undefined], undefined])
    controller.set(Stats, args, { last: 4 })
    expect(await values()).toMatchObject([[5, 4], [5, 4], { ticker: { price: 5 }, stats: { last: 4 } }])
    controller.set(new schema.Delete(Stats), args, {})
    expect(await values()).toEqual([undefined, [5, undefined], undefined])
    // An endpoint is not answered from them: its arguments do not tell which of the records they identify.
    controller.set(Stats, args, { last: 4 })
    server.route('answer', { ticker: { product: 'A', price: 1 }, stats: { product: 'B', last: 2 } })
    const getBoth = new Endpoint((_params: object) => server.call('answer'), {
      name: 'getBoth',
      schema: { ticker: Ticker, stats: Stats },
    })
    const reader = await mount('useSuspense', getBoth, args)
    await settle()
    expect(shown(reader)).toMatchObject({ ticker: { product: 'A' }, stats: { product: 'B' } })
  },
)

scenario('2.1/Query/resetAll', 'a Query has no value after a reset', async (stage) => {
  const { controller, mount, settle } = stage
  const { ofUser } = createQuery()
  await fetchTodos(stage)
  const reader = await mount('useCache', ofUser, { userId: 1 })
  await settle()
  expect(shown(reader)).toMatchObject([{ id: 5 }])
  controller.resetAll()
  await settle()
  expect(shown(reader)).toBeUndefined()
})

scenario('2.1/Query/endpoint', 'another Query is followed while mounted', async (stage) => {
  const { api, mount, settle } = stage
  const { ofUser } = createQuery()
  const titles = new Query(ofUser, (todos, _args: { userId: number }) => todos.map(({ title }) => title))
  await fetchTodos(stage)
  const reader = await mount('useCache', ofUser, { userId: 1 })
  await reader.changeEndpoint(titles, { userId: 1 })
  await settle()
  expect(shown(reader)).toEqual(['Todo 5'])
  await reader.changeEndpoint(api.todo.get, { id: 6 })
  await settle()
  expect(shown(reader)).toMatchObject({ id: 6 })
})

scenario(
  '2.1/Query/schema',
  'an endpoint whose schema is a Query is fetched once and shows its value',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    server.route('GET /todo', [todoFields(5), todoFields(6, { completed: true })])
    const getOpen = api.todo.getList.extend({
      schema: new Query(api.todo.getList.schema, (todos) => todos.filter(({ completed }) => !completed)),
    })
    const reader = await mount('useSuspense', getOpen)
    for (let frame = 0; frame < 10; frame++) await settle()
    expect(shown(reader)).toMatchObject([{ id: 5 }])
    await controller.fetch(api.todo.create, { title: 'new' })
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 5 }, { id: 9 }])
    await controller.fetch(api.todo.partialUpdate, { id: 5 }, { completed: true })
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 9 }])
    expect(server.requests).toEqual(['GET /todo', 'POST /todo', 'PATCH /todo/5'])
  },
)

scenario(
  '2.1/same/response',
  'an equal response whose endpoint made dates, maps, addresses or bytes of it changes nothing that is shown',
  async ({ controller, mount, settle }) => {
    const sent = Array.from({ length: 3 }, (_, id) => ({
      id,
      at: '2026-05-01',
      page: 'https://example.com/a',
    }))
    const list = new Endpoint(
      () =>
        Promise.resolve(
          sent.map(({ id, at, page }) => ({
            id,
            at: new Date(at),
            page: new URL(page),
            tags: new Set(['a']),
            by: new Map([['ada', { at: new Date(at) }]]),
            bytes: new Uint8Array([1, 2]),
            pattern: /a/,
          })),
        ),
      { name: 'same response', dataExpiryLength: 0 },
    )
    await controller.fetch(list)
    const reader = await mount('useCache', list)
    const [data, { renders }] = [shown(reader), reader]
    for (let poll = 0; poll < 5; poll++) await controller.fetch(list)
    await settle()
    expect(shown(reader)).toBe(data)
    expect(reader.renders).toBe(renders)
    sent[1] = { id: 1, at: '2026-05-02', page: 'https://example.com/a' }
    await controller.fetch(list)
    await settle()
    expect((shown(reader) as { at: Date }[])[1]?.at).toEqual(new Date('2026-05-02'))
    expect((shown(reader) as unknown[])[0]).toBe((data as unknown[])[0])
  },
)

scenario(
  '2.1/same/record',
  'an equal record with dates in a field without a schema stays the same object',
  async ({ controller, mount, settle }) => {
    class Event extends Entity {
      id = 0
      at = new Date(0)
      guests: ReadonlySet<string> = new Set()
      static override key = 'same Event'
    }
    const get = new Endpoint(
      ({ id }: { id: number }) => Promise.resolve({ id, at: new Date(5), guests: new Set(['Ada']) }),
      { name: 'same event', schema: Event },
    )
    await controller.fetch(get, { id: 1 })
    const reader = await mount('useSuspense', get, { id: 1 })
    const query = await mount('useQuery', Event, { id: 1 })
    const [data, renders] = [shown(reader), reader.renders + query.renders]
    await controller.fetch(get, { id: 1 })
    controller.set(Event, { id: 1 }, { at: new Date(5) })
    await settle()
    expect(shown(reader)).toBe(data)
    expect(reader.renders + query.renders).toBe(renders)
    controller.set(Event, { id: 1 }, { at: new Date(6) })
    await settle()
    expect(shown(query)).toMatchObject({ at: new Date(6), guests: new Set(['Ada']) })
  },
)

scenario(
  '2.1/same/Query',
  'a Query that makes a date, a map or a list of dates shows the same object until its content or order changes',
  async (stage) => {
    const { controller, mount, settle } = stage
    await fetchTodos(stage)
    const all = new schema.All(Todo)
    const readers = [
      await mount(
        'useQuery',
        new Query(all, (todos) => new Date(Math.max(...todos.map(({ id }) => Number(id))))),
      ),
      await mount(
        'useQuery',
        new Query(all, (todos) => new Map(todos.map(({ id, userId }) => [id, { userId }]))),
      ),
      await mount(
        'useCache',
        new Query(all, (todos) => ({ of: todos.map(({ userId }) => new Date(userId)) })),
      ),
      await mount(
        'useQuery',
        new Query(all, (todos) => {
          const ids = todos.map(({ title, id }) => [title, String(id)] as const)
          return Object.fromEntries(
            ids.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, id]) => [`todo ${id}`, 1]),
          )
        }),
      ),
    ]
    const before = readers.map((reader) => [shown(reader), reader.renders])
    controller.set(Todo, { id: 5 }, { completed: true })
    await settle()
    expect(readers.map((reader) => [shown(reader), reader.renders])).toEqual(before)
    readers.forEach((reader, index) => expect(shown(reader)).toBe(before[index]?.[0]))
    controller.set(Todo, { id: 5 }, { title: 'Z', userId: 9 })
    await settle()
    expect(readers.slice(1, 3).map(shown)).toEqual([
      new Map([
        [5, { userId: 9 }],
        [6, { userId: 2 }],
      ]),
      { of: [new Date(9), new Date(2)] },
    ])
    expect(Object.keys(shown(readers[3] as Reader) as object)).toEqual(['todo 6', 'todo 5'])
  },
)

scenario(
  '5/frozen',
  'in development a write into what a reader shows throws, however deep it is',
  async ({ controller, mount, settle }) => {
    class Person extends Entity {
      id = 0
      address: { city: string; lines: string[] } | undefined
      tags: { name: string }[] = []
      static override key = 'frozen Person'
    }
    const fields = { id: 1, address: { city: 'Rome', lines: ['a'] }, tags: [{ name: 'x' }] }
    const get = new Endpoint(() => Promise.resolve(structuredClone(fields)), {
      name: 'frozen',
      schema: Person,
    })
    const plain = new Endpoint(() => Promise.resolve([structuredClone(fields)]), { name: 'frozen plain' })
    const rows = new Query(new schema.All(Person), (people) =>
      people.map(({ tags }) => ({ tags: [...tags] })),
    )
    const readers = [
      await mount('useSuspense', get),
      await mount('useSuspense', plain),
      await mount('useQuery', Person, { id: 1 }),
      await mount('useQuery', rows),
    ]
    await settle()
    const [person, list, same, made] = readers.map(shown) as [Person, Person[], Person, { tags: unknown[] }[]]
    expect(same).toBe(person)
    const writes: readonly (() => void)[] = [
      () => ((person.address as { city: string }).city = 'Oslo'),
      () => person.address?.lines.push('b'),
      () => ((person.tags[0] as { name: string }).name = 'y'),
      () => ((list[0] as { address: { city: string } }).address.city = 'Oslo'),
      () => list.push(person),
      () => made[0]?.tags.pop(),
      () => ((made[0] as { tags: unknown }).tags = []),
    ]
    for (const write of writes) expect(write).toThrow(TypeError)
    expect(JSON.parse(JSON.stringify(person))).toEqual(fields)
    controller.set(Person, { id: 1 }, { address: { city: 'Oslo', lines: ['a'] } })
    await settle()
    expect(shown(readers[2] as Reader)).toMatchObject({ address: { city: 'Oslo', lines: ['a'] } })
    expect(
      () => (((shown(readers[0] as Reader) as Person).address as { city: string }).city = 'Bern'),
    ).toThrow(TypeError)
  },
)
