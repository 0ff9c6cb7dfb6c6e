import { Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { defineMocks } from '@selfsame/core/testing'

export class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

export const todoResource = createResource({ path: '/todo/:id', schema: Todo })

/** A server's todos in memory. Each Controller has its own. */
export const todoServer = defineMocks({
  createState: () => ({ todos: [{ id: 1, title: 'Write tests' }] }),
  interceptors: [
    {
      endpoint: todoResource.getList,
      response() {
        return this.state.todos
      },
    },
    {
      endpoint: todoResource.create,
      response({ title = '' }) {
        const todo = { id: this.state.todos.length + 1, title }
        this.state.todos.push(todo)
        return todo
      },
    },
  ],
})
