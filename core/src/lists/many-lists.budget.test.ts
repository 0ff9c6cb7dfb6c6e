import { expect, test } from 'vitest'
import { Controller, Entity } from '../index.js'
import { createResource } from '../rest.js'
import { countCalls, totalOf } from '../util/testing-calls.js'

class Todo extends Entity {
  id = 0
  tag = ''
  static override key = 'Todo'
}

const todos = createResource({
  path: '/todo/:id',
  schema: Todo,
  searchParams: {} as { readonly tag?: string },
})

/** The calls of functions for a record that is created while so many lists are empty. */
function workOf(lists: number): number {
  const controller = new Controller()
  for (let list = 0; list < lists; list++) controller.setResponse(todos.getList, { tag: `tag ${list}` }, [])
  const create = (id: number) => controller.setResponse(todos.create, { tag: 'other' }, { id, tag: 'other' })
  // The first one compiles the functions.
  create(1)
  const work = totalOf(countCalls(() => create(2)))
  controller.dispose()
  return work
}

// Whether a text that no list holds is a value of the field is looked for once, and not for each list.
test('twice as many empty lists are twice the work of a create', () => {
  expect(workOf(400)).toBeLessThan(2.2 * workOf(200))
})
