import { Counted, schema } from '@selfsame/core'
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
    server.release()
    await making
    await settle()
    expect(state(reader)).toEqual([[5, 6, 7, 8, 9], 61])
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
    server.release()
    await reading
    await settle()
    expect(state(reader)).toEqual([[5, 6, 9], 58])
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
