import { Controller, Entity } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { afterEach, expect, test, vi } from 'vitest'
import { serve } from './testing-network.js'

// The sample of docs/mutations.md that changes many records.

class Todo extends Entity {
  id = 0
  completed = false
  static override key = 'Todo'
}

const todoResource = createResource({
  path: '/todo/:id',
  schema: Todo,
  searchParams: {} as { completed?: boolean },
})

export const completeTodos = new RestEndpoint({
  path: '/todo/complete',
  method: 'POST',
  body: { ids: [0] },
  schema: [Todo],
})

const moveTodos = completeTodos.extend({
  schema: todoResource.getList.schema.move,
})

afterEach(() => vi.unstubAllGlobals())

/** A Controller that has the list of all todos, and that of the open ones. */
async function loadTodos() {
  const controller = new Controller()
  serve({
    'GET /todo': [5, 6].map((id) => ({ id, completed: false })),
    'POST /todo/complete': [5, 6].map((id) => ({ id, completed: true })),
  })
  const { getList } = todoResource
  await controller.fetch(getList)
  await controller.fetch(getList, { completed: false })
  return {
    controller,
    all: () => controller.read(getList).data,
    open: () => controller.read(getList, { completed: false }).data,
  }
}

test('a mutation updates many records', async () => {
  const { controller, all } = await loadTodos()
  await controller.fetch(completeTodos, { ids: [5, 6] })
  expect(all()?.map(({ completed }) => completed)).toEqual([true, true])
})

test('a mutation moves many records to their lists', async () => {
  const { controller, all, open } = await loadTodos()
  await controller.fetch(moveTodos, { ids: [5, 6] })
  expect(all()?.map(({ completed }) => completed)).toEqual([true, true])
  expect(open()).toEqual([])
})
