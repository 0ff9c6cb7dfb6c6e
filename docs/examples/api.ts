import { Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'

// What the samples read and change.

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
})
