import { Controller, Counted, schema } from '@selfsame/core'
import { dehydrate, deserialize, hydrate, serialize } from '@selfsame/core/hydration'
import { expect } from 'vitest'
import type { Reader } from '../contract.js'
import { Todo, todoFields } from '../fixtures.js'
import { reply } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

// The number of all records beside a list.

const first = 'GET /todo?userId=1'
const second = 'GET /todo?cursor=6&userId=1'

/** Lists of two records of 57, whose response counts all. */
function todosOf(
  { api, server }: Stage,
  wrap = (results: object, count: unknown): object => ({ results, count }),
) {
  server.route(first, wrap([todoFields(5), todoFields(6)], 57))
  server.route(second, wrap([todoFields(7), todoFields(8)], 60))
  const results = new schema.Collection([Todo])
  return api.hopeful.extend(({ getList }) => ({
    getList: getList.extend({ schema: new Counted({ results, count: 0 }, 'count') }),
  }))
}

interface CountedTodos {
  readonly results: readonly Todo[]
  readonly count: number
}

/** The ids of the list, with 0 for a temporary one, and the number. */
function state(reader: Reader): [ids: number[], count: number] {
  const { results, count } = shown(reader) as CountedTodos
  return [results.map(({ id }) => Number(id) || 0), count]
}

type Todos = ReturnType<typeof todosOf>

/** The reads that were sent. */
function requestsOf({ server }: Stage): string[] {
  return server.requests.filter((request) => request.startsWith('GET'))
}

async function mountTodos(stage: Stage) {
  const todos = todosOf(stage)
  const reader = await stage.mount('useSuspense', todos.getList, { userId: 1 })
  await stage.settle()
  expect(state(reader)).toEqual([[5, 6], 57])
  return { todos, reader }
}

scenario(
  '4.1/Totals/mutations',
  'the number beside a list follows each record that joins or leaves, before the server answers and after a refusal',
  async (stage) => {
    const { controller, server, settle } = stage
    const { todos, reader } = await mountTodos(stage)
    server.route('DELETE /todo/9', {})
    server.hold('POST /todo', 'DELETE /todo/5', 'PATCH /todo/6')
    const making = controller.fetch(todos.create, { userId: 1, title: 'C' })
    await settle()
    expect(state(reader)).toEqual([[5, 6, 0], 58])
    server.route('DELETE /todo/5', reply.status(403))
    const removing = controller.fetch(todos.delete, { id: 5 })
    await settle()
    expect(state(reader)).toEqual([[6, 0], 57])
    server.release('POST /todo')
    await making
    await settle()
    expect(state(reader)).toEqual([[6, 9], 57])
    server.release('DELETE /todo/5')
    await expect(removing).rejects.toMatchObject({ status: 403 })
    await settle()
    expect(state(reader)).toEqual([[5, 6, 9], 58])
    const moving = controller.fetch(todos.partialUpdate, { id: 6 }, { userId: 2 })
    await settle()
    expect(state(reader)).toEqual([[5, 9], 57])
    server.release()
    await moving
    await controller.fetch(todos.delete, { id: 9 })
    await settle()
    expect(state(reader)).toEqual([[5], 56])
    expect(server.requests.filter((request) => request.startsWith('GET'))).toEqual([first])
  },
)

scenario(
  '4.1/Totals/pages',
  'each page brings the number of its response, and a first page that is read again the newest',
  async (stage) => {
    const { controller, server, settle } = stage
    const { todos, reader } = await mountTodos(stage)
    server.hold('POST /todo')
    const making = controller.fetch(todos.create, { userId: 1, title: 'C' })
    await controller.fetch(todos.getList.getPage, { userId: 1, cursor: 6 })
    await settle()
    expect(state(reader)).toEqual([[5, 6, 7, 8, 0], 61])
    // Only the server knows whether the page counted the record.
    server.route(first, { results: [todoFields(5), todoFields(6)], count: 61 })
    server.release()
    await making
    await settle()
    expect(state(reader)).toEqual([[5, 6, 7, 8, 9], 61])
    expect(requestsOf(stage)).toEqual([first, second, first])
    server.route('DELETE /todo/7', {})
    await controller.fetch(todos.delete, { id: 7 })
    await settle()
    expect(state(reader)).toEqual([[5, 6, 8, 9], 60])
    // The server has the created record, not the deleted one, and others have made four.
    server.route(first, { results: [todoFields(5), todoFields(6)], count: 64 })
    await controller.fetch(todos.getList, { userId: 1 })
    await settle()
    expect(state(reader)).toEqual([[5, 6, 8, 9], 64])
  },
)

scenario(
  '4.1/Totals/read again',
  'a response with the same records and another number changes the number',
  async (stage) => {
    const { controller, server, settle } = stage
    const { todos, reader } = await mountTodos(stage)
    await controller.fetch(todos.create, { userId: 1, title: 'C' })
    server.route(first, { results: [todoFields(5), todoFields(6), todoFields(9)], count: 57 })
    await controller.fetch(todos.getList, { userId: 1 })
    await settle()
    expect(state(reader)).toEqual([[5, 6, 9], 57])
  },
)

scenario(
  '4.1/Totals/late',
  'a record that is created while the list is on its way is counted once',
  async (stage) => {
    const { controller, server, settle } = stage
    const { todos, reader } = await mountTodos(stage)
    server.hold(first)
    const reading = controller.fetch(todos.getList, { userId: 1 })
    await controller.fetch(todos.create, { userId: 1, title: 'C' })
    server.route(first, { results: [todoFields(5), todoFields(6)], count: 58 })
    server.releaseOne(first, 'first')
    await reading
    await settle()
    expect(state(reader)).toEqual([[5, 6, 9], 58])
    // Only the server knows whether the response counted it.
    server.release()
    await settle()
    expect(state(reader)).toEqual([[5, 6], 58])
    expect(requestsOf(stage)).toEqual([first, first, first])
  },
)

scenario(
  '4.1/Totals/late page',
  'a record that is created while the last page is on its way is counted once, without another request',
  async (stage) => {
    const { controller, server, settle } = stage
    const { todos, reader } = await mountTodos(stage)
    server.route(second, { results: [todoFields(7)], count: 3 })
    server.hold(second)
    const paging = controller.fetch(todos.getList.getPage, { userId: 1, cursor: 6 })
    await controller.fetch(todos.create, { userId: 1, title: 'C' })
    server.release()
    await paging
    await settle()
    expect(state(reader)).toEqual([[5, 6, 9, 7], 4])
    expect(requestsOf(stage)).toEqual([first, second])
  },
)

const overlaps = [
  [
    'create',
    'POST /todo',
    58,
    ({ controller }, { create }) => controller.fetch(create, { userId: 1, title: 'C' }),
  ],
  ['delete', 'DELETE /todo/6', 56, ({ controller }, todos) => controller.fetch(todos.delete, { id: 6 })],
  [
    'move',
    'PATCH /todo/6',
    56,
    ({ controller }, { partialUpdate }) => controller.fetch(partialUpdate, { id: 6 }, { userId: 2 }),
  ],
] satisfies [string, string, number, (stage: Stage, todos: Todos) => Promise<unknown>][]

// The server handles the mutation first. Nothing in the response of the read says so.
for (const [name, mutation, count, mutate] of overlaps) {
  for (const way of ['page', 'list'] as const) {
    for (const answered of ['first', 'last'] as const) {
      scenario(
        `4.1/Totals/${name} beside a ${way}, ${answered}`,
        `after a ${name} that a ${way} overlaps, which is answered ${answered}, the list is fetched once, and the number is that of the server`,
        async (stage) => {
          const { controller, server, settle } = stage
          const { todos, reader } = await mountTodos(stage)
          server.route('DELETE /todo/6', {})
          const firstRows = [5, name === 'create' ? 6 : 7]
          const [read, rows] = way === 'page' ? [second, [7, 8]] : [first, firstRows]
          server.hold(mutation, read)
          const changing = mutate(stage, todos)
          server.route(read, { results: rows.map((id) => todoFields(id)), count })
          const reading =
            way === 'page'
              ? controller.fetch(todos.getList.getPage, { userId: 1, cursor: 6 })
              : controller.fetch(todos.getList, { userId: 1 })
          await settle()
          server.route(first, { results: firstRows.map((id) => todoFields(id)), count })
          const responses = [
            [read, reading],
            [mutation, changing],
          ] as const
          for (const [route, response] of answered === 'first' ? responses : [...responses].reverse()) {
            server.release(route)
            await response
            await settle()
          }
          expect(state(reader)[1]).toBe(count)
          expect(requestsOf(stage)).toEqual([first, read, first])
        },
      )
    }
  }
}

scenario(
  '4.1/Totals/older page',
  'a page that was requested before the list was read again has the older number',
  async (stage) => {
    const { controller, server, settle } = stage
    const { todos, reader } = await mountTodos(stage)
    server.hold(second)
    const paging = controller.fetch(todos.getList.getPage, { userId: 1, cursor: 6 })
    server.route(first, { results: [todoFields(5), todoFields(6)], count: 70 })
    await controller.fetch(todos.getList, { userId: 1 })
    server.release()
    await paging
    await settle()
    expect(state(reader)).toEqual([[5, 6, 7, 8], 70])
  },
)

scenario(
  '4.1/Totals/not loaded',
  'a deleted record that the list has not loaded is counted no longer, before the server answers and after a refusal',
  async (stage) => {
    const { controller, server, settle } = stage
    const { todos, reader } = await mountTodos(stage)
    for (const id of [20, 21]) {
      server.route(`GET /todo/${id}`, todoFields(id))
      await controller.fetch(todos.get, { id })
    }
    server.route('DELETE /todo/20', reply.status(403))
    server.hold('DELETE /todo/20')
    const refused = controller.fetch(todos.delete, { id: 20 })
    await settle()
    expect(state(reader)).toEqual([[5, 6], 56])
    server.release()
    await expect(refused).rejects.toMatchObject({ status: 403 })
    await settle()
    expect(state(reader)).toEqual([[5, 6], 57])
    server.route('DELETE /todo/20', {})
    await controller.fetch(todos.delete, { id: 20 })
    await settle()
    expect(state(reader)).toEqual([[5, 6], 56])
    // By a message, and its echo.
    for (const id of [20, 21, 21]) controller.set(new schema.Delete(Todo), { id }, {})
    await settle()
    expect(state(reader)).toEqual([[5, 6], 55])
    expect(requestsOf(stage).filter((request) => request === first)).toHaveLength(1)
  },
)

scenario(
  '4.1/Totals/unknown',
  'a list that may have had a deleted or moved record is fetched once',
  async (stage) => {
    const { controller, server, settle } = stage
    const { todos, reader } = await mountTodos(stage)
    server.route('DELETE /todo/20', {})
    server.route(first, { results: [todoFields(5), todoFields(6)], count: 56 })
    await controller.fetch(todos.delete, { id: 20 })
    await settle()
    expect(state(reader)).toEqual([[5, 6], 56])
    server.route('PATCH /todo/21', todoFields(21, { userId: 2 }))
    server.route(first, { results: [todoFields(5), todoFields(6)], count: 55 })
    await controller.fetch(todos.partialUpdate, { id: 21 }, { userId: 2 })
    await settle()
    expect(state(reader)).toEqual([[5, 6], 55])
    expect(requestsOf(stage)).toEqual([first, first, first])
  },
)

scenario(
  '4.1/Totals/moved',
  'a record that only another list or a page of its own has shown changes the numbers of both lists that it is moved between',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const { todos, reader } = await mountTodos(stage)
    server.route('GET /todo?userId=2', { results: [todoFields(30, { userId: 2 })], count: 10 })
    const other = await mount('useSuspense', todos.getList, { userId: 2 })
    server.route('GET /todo/20', todoFields(20))
    await controller.fetch(todos.get, { id: 20 })
    server.route('PATCH /todo/20', todoFields(20, { userId: 2 }))
    server.hold('PATCH /todo/20')
    const moving = controller.fetch(todos.partialUpdate, { id: 20 }, { userId: 2 })
    await settle()
    expect([state(reader), state(other)]).toEqual([
      [[5, 6], 56],
      [[30, 20], 11],
    ])
    server.release()
    await moving
    await settle()
    expect([state(reader), state(other)]).toEqual([
      [[5, 6], 56],
      [[30, 20], 11],
    ])
    expect(requestsOf(stage)).toEqual([first, 'GET /todo?userId=2', 'GET /todo/20'])
  },
)

scenario(
  '4.1/Totals/page numbers',
  'each page that a number names counts all records, and follows at once',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const { todos } = await mountTodos(stage)
    server.route('GET /todo?page=1', { results: [todoFields(5), todoFields(6)], count: 57 })
    const reader = await mount('useSuspense', todos.getList, { page: 1 } as never)
    await settle()
    server.hold('POST /todo')
    const making = controller.fetch(todos.create, { userId: 1, title: 'C' })
    await settle()
    expect(state(reader)).toEqual([[5, 6], 58])
    server.route('GET /todo?page=1', { results: [todoFields(5), todoFields(6)], count: 58 })
    server.release()
    await making
    await settle()
    expect(state(reader)).toEqual([[5, 6], 58])
  },
)

scenario(
  '4.1/Totals/refused by the class',
  'a record that its class refuses is not in the list, and still among those that the server counts',
  async (stage) => {
    class ShortTodo extends Todo {
      static override validate({ title }: Readonly<Record<string, unknown>>) {
        return title === '' ? 'title is missing' : undefined
      }
    }
    const { mount, server, settle } = stage
    const { todos } = await mountTodos(stage)
    server.route('GET /todo?userId=3', { results: [todoFields(5), todoFields(7, { title: '' })], count: 57 })
    const results = new schema.Collection([ShortTodo])
    const getList = todos.getList.extend({ schema: new Counted({ results, count: 0 }, 'count') })
    const reader = await mount('useSuspense', getList, { userId: 3 })
    await settle()
    expect(state(reader)).toEqual([[5], 57])
  },
)

scenario('4.1/Totals/nested', 'the number may be in an object beside the list', async (stage) => {
  const { controller, mount, settle } = stage
  const results = new schema.Collection([Todo])
  const getList = todosOf(stage, (items, total) => ({ data: { items, meta: { total } } })).getList.extend({
    schema: { data: new Counted({ items: results, meta: { total: 0 } }, 'meta', 'total') },
  })
  const reader = await mount('useSuspense', getList, { userId: 1 })
  await settle()
  const total = () => (shown(reader) as { data: { meta: { total: number } } }).data.meta.total
  expect(total()).toBe(57)
  await controller.fetch(stage.api.todo.delete, { id: 5 })
  await settle()
  expect(total()).toBe(56)
  await controller.fetch(getList.getPage, { userId: 1, cursor: 6 })
  await settle()
  expect(total()).toBe(60)
})

scenario('4.1/Totals/update', 'an update changes the number that is shown', async (stage) => {
  const { api, controller, settle } = stage
  const { todos, reader } = await mountTodos(stage)
  const rename = api.todo.partialUpdate.extend({
    update: () => ({
      [todos.getList.key({ userId: 1 })]: (data: CountedTodos) => ({ ...data, count: data.count + 2 }),
    }),
  })
  await controller.fetch(todos.delete, { id: 5 })
  await controller.fetch(rename, { id: 6 }, { title: 'B' })
  await settle()
  expect(state(reader)).toEqual([[6], 58])
})

for (const way of ['deletion', 'message'] as const)
  scenario(
    `4.1/Totals/hydrated/${way}`,
    'the number of a hydrated list does not count a record that was deleted before',
    async (stage) => {
      const { clock, controller, mount, server, settle } = stage
      const todos = todosOf(stage)
      server.route('DELETE /todo/5', {})
      const earlier = new Controller({ clock })
      await earlier.fetch(todos.getList, { userId: 1 })
      if (way === 'deletion') await earlier.fetch(todos.delete, { id: 5 })
      else earlier.set(new schema.Delete(Todo), {}, { id: 5 })
      hydrate(controller, deserialize(serialize(dehydrate(earlier))))
      earlier.dispose()
      const reader = await mount('useSuspense', todos.getList, { userId: 1 })
      await settle()
      expect(state(reader)).toEqual([[6], 56])
    },
  )
