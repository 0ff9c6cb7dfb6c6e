import { Counted, Endpoint, schema } from '@selfsame/core'
import { eventSource } from '@selfsame/core/live'
import { Todo, todoResource } from './api.js'
import { controller } from './controller.js'

// The sample of docs/live.md, One stream for the whole application.

// In a constant, because messages need it, too.
const todos = new schema.Collection([Todo])

export const getTodos = todoResource.getList.extend({
  schema: new Counted({ items: todos, total: 0 }, 'total'),
})

const changes = eventSource<{
  change: { type: 'created' | 'updated' | 'deleted'; todo: Todo }
}>('/events', { events: ['change'] })

export const feed = new Endpoint(
  async () => {
    // After a gap: what is on screen is refetched.
    controller.expireAll(getTodos)
    return null
  },
  {
    name: 'feed',
    dataExpiryLength: Infinity,
    stream: changes.stream({
      schemaAttribute: ({ data }) => data.type,
      select: ({ data }) => data.todo,
      schemas: {
        created: todos.unshift,
        updated: Todo,
        deleted: new schema.Delete(Todo),
      },
    }),
  },
)
