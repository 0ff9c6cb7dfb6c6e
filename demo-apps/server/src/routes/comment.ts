import type { Hono } from 'hono'
import { z } from 'zod'
import type { Database } from '../database.js'
import { email, key, keyText, listQuery, ownId, text } from '../fields.js'
import { Table } from '../table.js'
import { recordRoutes } from './record-routes.js'

/** Comments come wrapped: `{ data: comment }` and `{ data: [comment] }`. */
export function commentRoutes(database: Database): Hono {
  return recordRoutes({
    table: new Table(database, 'comments', ['postId', 'name', 'email', 'body']),
    noun: 'comment',
    query: z.strictObject({ ...listQuery, postId: keyText.optional() }),
    body: z.strictObject({
      id: ownId,
      postId: key,
      name: text(200).min(1),
      email,
      body: text(10_000).min(1),
    }),
    wrap: (data) => ({ data }),
  })
}
