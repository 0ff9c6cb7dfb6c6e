import { expect, test } from 'vitest'
import { Controller, Endpoint, Entity, schema } from '../index.js'
import type { EndpointLike, Schema } from '../index.js'
import { optimistic } from './optimistic.js'

class Todo extends Entity {
  id: number | string = 0
  group = 0
  static override key = 'Todo'
}

const todos = new schema.Collection([Todo])
const list = new Endpoint(async (_params: { group: number }) => [] as object[], {
  name: 'list',
  schema: todos,
})

/** A list with todo 4, to which a pending move adds todo 5, and a later pending create adds one. */
function setUp(kind: 'push' | 'unshift') {
  const controller = new Controller()
  const pending = (name: string, of: Schema, expected: (params: object, body: object) => object) =>
    new Endpoint((_params: object, _body: object) => new Promise<object>(() => {}), {
      name,
      schema: of,
      sideEffect: true,
      getOptimisticResponse: optimistic((_, params: object, body: object) => expected(params, body)),
    }) as EndpointLike
  const create = pending('create', todos[kind], (_params, body) => ({ ...body, id: 'new' }))
  const move = pending('move', todos.move, (params, body) => ({ ...params, ...body }))
  const ids = () => controller.read(list, { group: 1 }).data?.map(({ id }) => id)
  const fetch = (endpoint: EndpointLike, ...args: readonly object[]) =>
    controller.fetch(endpoint, ...(args as never[]))
  const answer = (endpoint: EndpointLike, ...args: readonly object[]) =>
    controller.setResponse(endpoint, ...(args as unknown as [unknown]))
  controller.setResponse(list, { group: 1 }, [{ id: 4, group: 1 }])
  controller.set(Todo, { id: 5 }, { group: 1 })
  void fetch(move, { id: 5 }, { group: 1 })
  void fetch(create, {}, { group: 1 })
  return { controller, move, ids, answer }
}

// A list remembers which mutation added a record, to show records in the order of these mutations. It forgets that when the
// record leaves.
test.each([
  ['push', [4, 'new', 5], [4, 5, 'new']],
  ['unshift', [5, 'new', 4], ['new', 4, 5]],
] as const)(
  'a record that left after a %s comes back at the place of what brings it back',
  (kind, pushed, back) => {
    const { controller, move, ids, answer } = setUp(kind)
    controller.set(todos[kind], {}, { id: 5, group: 1 })
    expect(ids()).toEqual(pushed)
    // The server moved it away, and the pending move is expected to bring it back, before the create.
    answer(move, { id: 5 }, {}, { id: 5, group: 2 })
    expect(ids()).toEqual(back)
  },
)

test('a record that was deleted and received again stands at its new place', () => {
  const { controller, ids } = setUp('push')
  controller.set(todos.push, {}, { id: 5, group: 1 })
  controller.set(new schema.Delete(Todo), { id: 5 }, {})
  controller.setResponse(list, { group: 1 }, [
    { id: 5, group: 1 },
    { id: 4, group: 1 },
  ])
  expect(ids()).toEqual([5, 4, 'new'])
})

test('a record that was moved away and back by answers stands at the end', () => {
  const { controller, move, ids, answer } = setUp('push')
  controller.set(todos.push, {}, { id: 6, group: 1 })
  answer(move, { id: 6 }, { group: 2 }, { id: 6, group: 2 })
  expect(ids()).toEqual([4, 'new'])
  answer(move, { id: 6 }, { group: 1 }, { id: 6, group: 1 })
  expect(ids()).toEqual([4, 'new', 6])
})
