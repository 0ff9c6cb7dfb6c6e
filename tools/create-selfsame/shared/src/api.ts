import { Controller, Entity } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { createResource } from '@selfsame/core/rest'
import { serve } from './server'

/** A record, with its fields and their defaults. The cache stores each todo once, however many components show it. */
export class Todo extends Entity {
  id = ''
  title = ''
  note = ''
  completed = false

  static override key = 'Todo'
}

/** The endpoints `get`, `getList`, `create`, `partialUpdate` and `delete`. `optimistic` shows a change before its response. */
export const todoResource = createResource({ urlPrefix: '/api', path: '/todo/:id', schema: Todo, optimistic })

/** The cache. Remove `fetch` to send requests to your own server. */
export const controller = new Controller({ fetch: serve })
