import type { Hono } from 'hono'
import { z } from 'zod'
import type { Database } from '../database.js'
import { booleanText, key, keyText, listQuery, ownId, text } from '../fields.js'
import { Table } from '../table.js'
import { recordRoutes } from './record-routes.js'

/** The body of POST and PUT. */
export const todoBody = z.strictObject({
  id: ownId,
  userId: key,
  title: text(200).optional(),
  completed: z.boolean().optional(),
})

export function todoRoutes(database: Database): Hono {
  return recordRoutes({
    table: todoTable(database),
    noun: 'todo',
    query: z.strictObject({ ...listQuery, userId: keyText.optional(), completed: booleanText.optional() }),
    body: todoBody,
  })
}

export function todoTable(database: Database): Table {
  return new Table(database, 'todos', ['userId', 'title', 'completed'])
}
