import { Entity, schema } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { createResource } from '@selfsame/core/rest'

class Todo extends Entity {
  id = 0
  title = ''
  done = false
  static override key = 'Todo'
}
class FullTodo extends Todo {
  notes = ''
  static override validate({ notes }: { notes?: string }) {
    return notes === undefined ? 'notes are missing' : undefined
  }
}

const urlPrefix = 'https://api.example.com'
const todos = new schema.Collection([Todo], {
  nonFilterArgumentKeys: ['limit'],
})

export const todoResource = createResource({
  urlPrefix,
  path: '/todo/:id',
  schema: FullTodo,
  optimistic,
}).extend(({ getList, create }) => ({
  getList: getList.extend({ schema: { results: todos, next: '' } }),
  create: create.extend({ schema: todos.unshift }),
}))
