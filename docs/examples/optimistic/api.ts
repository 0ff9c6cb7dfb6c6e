import { optimistic } from '@selfsame/core/optimistic'
import { createResource } from '@selfsame/core/rest'
import { Todo } from '../api.js'

// What the samples of optimistic updates import from './api'.

export const todoResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/todo/:id',
  schema: Todo,
  optimistic,
})
