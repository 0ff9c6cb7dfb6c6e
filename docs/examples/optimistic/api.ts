import { Entity } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { createResource } from '@selfsame/core/rest'

export class Todo extends Entity {
  id = 0
  title = ''
  completed = false
  static override key = 'Todo'
}

export const todoResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/todo/:id',
  schema: Todo,
  optimistic,
})
