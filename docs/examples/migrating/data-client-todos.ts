import { Entity, schema } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { resource } from '@selfsame/core/rest'

class Todo extends Entity {
  id = 0
  title = ''
  done = false
  notes = ''

  static override key = 'Todo'
}

const todos = new schema.Collection([Todo])
export const todoResource = resource({
  urlPrefix: 'https://api.example.com',
  path: '/todo/:id',
  schema: Todo,
  optimistic,
}).extend(({ getList }) => ({ getList: getList.extend({ schema: todos }) }))
