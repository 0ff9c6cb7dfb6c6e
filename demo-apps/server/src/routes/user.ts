import { Hono } from 'hono'
import { z } from 'zod'
import type { Database } from '../database.js'
import { notFound } from '../errors.js'
import { email, httpUrl, listQuery, ownId, text } from '../fields.js'
import { Table } from '../table.js'
import { parseId } from '../validation.js'
import { recordRoutes } from './record-routes.js'

export function userRoutes(database: Database): Hono {
  return recordRoutes({
    table: userTable(database),
    noun: 'user',
    query: z.strictObject(listQuery),
    body: z.strictObject({
      id: ownId,
      name: text(100).min(1),
      isAdmin: z.boolean().optional(),
      email,
      website: z.union([httpUrl, z.literal('')]).optional(),
    }),
  })
}

/** Procedures on a user, as opposed to the resource itself. */
export function userProcedureRoutes(database: Database): Hono {
  const users = userTable(database)
  const routes = new Hono({ strict: false })

  routes.post('/:id/make_manager', async (c) => {
    const id = parseId(c)
    const user = await users.patch(id, { isAdmin: true })
    if (user === undefined) throw notFound('user', id)
    return c.json(user)
  })

  return routes
}

export function userTable(database: Database): Table {
  return new Table(database, 'users', ['name', 'isAdmin', 'email', 'website'])
}
