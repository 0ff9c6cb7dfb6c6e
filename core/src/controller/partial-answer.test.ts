import { expect, test } from 'vitest'
import { Controller, Entity } from '../index.js'
import { optimistic } from '../optimistic.js'
import { createResource } from '../rest.js'

class Todo extends Entity {
  id = 0
  title = ''
  tags: readonly string[] = []
  static override key = 'Todo'
}

const setUp = (answer: object, options: object = {}) => {
  const todos = createResource({
    path: '/todo/:id',
    schema: Todo,
    ...options,
    fetchResponse: async () => Response.json(answer),
  })
  const controller = new Controller()
  controller.setResponse(todos.get, { id: 1 }, { id: 1, title: 'a', tags: ['x'] })
  const shown = () => {
    const { data, status } = controller.read(todos.get, { id: 1 })
    return [data?.title, status]
  }
  return { ...todos, controller, shown }
}

// The old value is not what the server has, and the new one may not be.
test.each([
  ['the id alone', { id: 1 }, { title: 'b' }, ['a', 'Stale']],
  ['another field', { id: 1, tags: [] }, { title: 'b' }, ['a', 'Stale']],
  ['one of two fields', { id: 1, title: 'b' }, { title: 'b', tags: ['y'] }, ['b', 'Stale']],
  ['the field as the server made it', { id: 1, title: 'B' }, { title: 'b' }, ['B', 'Valid']],
  ['no field, though the body has the stored values', { id: 1 }, { title: 'a', tags: ['x'] }, ['a', 'Valid']],
  ['no field that the record does not have', { id: 1 }, { password: 'secret' }, ['a', 'Valid']],
] as const)('a PATCH without `optimistic` that is answered with %s', async (_, answer, body, expected) => {
  const { controller, partialUpdate, shown } = setUp(answer)
  await controller.fetch(partialUpdate, { id: 1 }, body as object)
  expect(shown()).toEqual(expected)
})

test('so does a PUT', async () => {
  const { controller, update, shown } = setUp({ id: 1 })
  await controller.fetch(update, { id: 1 }, { title: 'b', tags: [] })
  expect(shown()).toEqual(['a', 'Stale'])
})

test('with `optimistic` it has the value that was expected', async () => {
  const { controller, partialUpdate, shown } = setUp({ id: 1 }, { optimistic })
  await controller.fetch(partialUpdate, { id: 1 }, { title: 'b' })
  expect(shown()).toEqual(['b', 'Valid'])
})
