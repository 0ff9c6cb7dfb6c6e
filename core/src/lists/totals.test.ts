import { expect, test } from 'vitest'
import { dehydrate, hydrate } from '../hydration.js'
import { Controller, Counted, Entity, schema } from '../index.js'
import { createResource } from '../rest.js'
import { rule } from '../rules.js'

class Todo extends Entity {
  id = 0
  group = ''
  static override key = 'Todo'
}

const results = new schema.Collection([Todo])
const counted = new Counted({ results, count: 0 }, 'count')

function setUp() {
  const todos = createResource({
    path: '/todo/:id',
    schema: Todo,
    searchParams: {} as { group?: string },
    fetchResponse: async (_url, { method, body }) =>
      Response.json(method === 'POST' ? { id: 9, ...(JSON.parse(body as string) as object) } : {}),
  }).extend(({ getList }) => ({ getList: getList.extend({ schema: counted }) }))
  const controller = new Controller()
  const read = (from = controller, args = {}) => {
    const { results: list = [], count } = from.read(todos.getList, args).data ?? {}
    return [list.map(({ id }) => id).join(), count]
  }
  controller.setResponse(todos.getList, {}, { results: [{ id: 1 }, { id: 2 }], count: 57 })
  return { controller, read, todos }
}

test('the number of hydrated data follows its list, too', async () => {
  const { controller, read, todos } = setUp()
  await controller.fetch(todos.create, { group: 'a' })
  const other = new Controller()
  hydrate(other, dehydrate(controller))
  expect(read(other)).toEqual(['1,2,9', 58])
  await other.fetch(todos.delete, { id: 1 })
  expect(read(other)).toEqual(['2,9', 57])
})

test('each list has a number of its own', async () => {
  const { controller, read, todos } = setUp()
  for (const group of ['a', 'b']) controller.setResponse(todos.getList, { group }, { results: [], count: 0 })
  await controller.fetch(todos.create, { group: 'a' })
  expect([{}, { group: 'a' }, { group: 'b' }].map((args) => read(controller, args))).toEqual([
    ['1,2,9', 58],
    ['9', 1],
    ['', 0],
  ])
})

test.each([[{}], [{ count: null }], [{ count: '2' }]])('%j is shown as it was sent', (sent) => {
  const { controller, todos } = setUp()
  controller.setResponse(todos.getList, {}, { results: [{ id: 1 }, { id: 2 }], ...sent } as never)
  expect(controller.read(todos.getList, {}).data).toMatchObject({ count: 0, ...sent })
})

test('a list that a record holds is counted as well', () => {
  class Board extends Entity {
    id = 0
    todos = { results: [] as readonly Todo[], count: 0 }
    static override key = 'Board'
    static override schema = { todos: counted }
  }
  const controller = new Controller()
  const boards = createResource({ path: '/board/:id', schema: Board })
  const todos = { results: [{ id: 1 }, { id: 2 }], count: 57 }
  controller.setResponse(boards.get, { id: 1 }, { id: 1, todos } as never)
  const read = () => controller.read(boards.get, { id: 1 }).data?.todos.count
  expect(read()).toBe(57)
  controller.set(new schema.Delete(Todo), { id: 2 }, {})
  expect(read()).toBe(56)
})

test('a definition names a list and the field of its number', () => {
  expect(() => new Counted({ results: [Todo], count: 0 }, 'count')).toThrow(
    "Counted received no Collection to count.\n  Write new Counted({ results: new schema.Collection([Todo]), count: 0 }, 'count').",
  )
  expect(() => new Counted({ results, count: 0 })).toThrow('received no name of a field.')
})

const byRule = new schema.Collection([Todo], {
  filter: rule((todo, { group }: { group?: string }) => group === undefined || todo.group === group),
})

// A list of a group that has one of 5 members, and a todo of another group that nobody knew.
test.each([
  ['a deletion', results, (controller: Controller) => controller.set(new schema.Delete(Todo), { id: 9 }, {})],
  ['a move', results, (controller: Controller) => controller.set(results.move, {}, { id: 9, group: 'b' })],
  ['a record', byRule, (controller: Controller) => controller.set(Todo, { id: 9 }, { group: 'b' })],
] as const)(
  'the server is asked for the number after %s of what may have been counted, and not of what is known',
  (_what, list, change) => {
    const { controller, todos } = setUp()
    const getList = todos.getList.extend({ schema: new Counted({ results: list, count: 0 }, 'count') })
    const args = { group: 'a' }
    controller.setResponse(getList, args, { results: [{ id: 1, group: 'a' }], count: 5 })
    controller.set(Todo, { id: 8 }, { group: 'b' })
    const getAgain = () =>
      controller.setResponse(getList, args, { results: [{ id: 1, group: 'a' }], count: 5 })
    getAgain()
    controller.set(Todo, { id: 8 }, { group: 'c' })
    expect(controller.read(getList, args).status).toBe('Valid')
    change(controller)
    expect(controller.read(getList, args)).toMatchObject({ status: 'Stale', data: { count: 5 } })
  },
)
