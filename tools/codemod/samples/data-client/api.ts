import { Collection, Entity, Query, RestEndpoint, resource } from '@data-client/rest'
import type { RestGenerics } from '@data-client/rest'

class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  getHeaders(headers: HeadersInit): HeadersInit {
    return { ...headers, 'Access-Token': 'secret' }
  }
}

export class User extends Entity {
  id = 0
  name = ''

  static key = 'User'
}

export class Todo extends Entity {
  id = 0
  title = ''
  done = false
  author = User.fromJS()

  static key = 'Todo'
  static schema = { author: User }

  get label() {
    return this.done ? `${this.title} ✓` : this.title
  }
}

export const UserResource = resource({
  urlPrefix: 'https://api.example.com',
  path: '/user/:id',
  schema: User,
})

export const TodoResource = resource({
  urlPrefix: 'https://api.example.com',
  path: '/todo/:id',
  schema: Todo,
  Endpoint: ApiEndpoint,
  optimistic: true,
}).extend((base) => ({
  getDone: base.getList.extend({ schema: new Collection([Todo]) }),
  finish: base.partialUpdate.extend({
    getOptimisticResponse(snapshot, { id }) {
      const todo = snapshot.get(Todo, { id })
      return todo && { id, done: true }
    },
  }),
}))

export const labels = new Query(new Collection([Todo]), (todos) => todos.map(({ label }) => label))
