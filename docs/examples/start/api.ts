// api.ts
import { Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'

export class Todo extends Entity {
  id = 0
  title = ''
  completed = false
  static override key = 'Todo'
}

export const todoResource = createResource({
  urlPrefix: 'https://jsonplaceholder.typicode.com',
  path: '/todos/:id',
  schema: Todo,
})
