// queries.ts
import { Query, schema } from '@selfsame/core'
import { Todo } from '../api.js'

export const countOpen = new Query(
  new schema.All(Todo),
  (todos) => todos.filter(({ completed }) => !completed).length,
)
