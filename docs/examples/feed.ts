import { Counted, Endpoint, schema } from '@selfsame/core'
import type { Controller } from '@selfsame/core'
import { eventSource } from '@selfsame/core/live'
import { Todo, todoResource } from './api.js'

// The sample of docs/live.md, One stream for the whole application.

// In a constant, because messages need it, too.
const todos = new schema.Collection([Todo])

export const getTodos = todoResource.getList.extend({
  searchParams: {} as { completed?: boolean },
  schema: new Counted({ items: todos, total: 0 }, 'total'),
})

const changes = eventSource<{
  change: { type: 'created' | 'updated' | 'deleted'; todo: Todo }
}>('/events', { events: ['change'] })

export const feed = new Endpoint(async (): Promise<null> => null, {
  name: 'feed',
  dataExpiryLength: Infinity,
  stream: changes.stream({
    schemaAttribute: ({ data }) => data.type,
    select: ({ data }) => data.todo,
    schemas: {
      created: todos.unshift,
      updated: todos.move,
      deleted: new schema.Delete(Todo),
    },
  }),
})

export function createFeed(controller: Controller) {
  const live = feed.extend({
    fetch: async (): Promise<null> => {
      // Not the first time, but after a gap: what is on screen is refetched.
      if (controller.read(live).data === null) controller.expireAll(getTodos)
      return null
    },
  })
  return live
}

export const createStream = (controller: Controller) =>
  changes.stream({
    apply({ data: { todo } }, sink) {
      sink.set(todos.move, {}, todo)
      const detail = todoResource.get.key({ id: todo.id })
      controller.expireAll({ testKey: (key) => key === detail })
    },
  })
