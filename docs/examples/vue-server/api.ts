import { Entity } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'

export class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}

export class Todo extends Entity {
  id = 0
  title = ''
  done = false
  static override key = 'Todo'
}

/** Answered by the cookie of the visitor. */
export const getMe = new RestEndpoint({ path: '/api/me', schema: User })
export const todoResource = createResource({
  path: '/api/todo/:id',
  schema: Todo,
})
