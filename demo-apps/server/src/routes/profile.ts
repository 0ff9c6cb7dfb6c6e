import type { Hono } from 'hono'
import { z } from 'zod'
import type { Database } from '../database.js'
import { listQuery, ownId, text } from '../fields.js'
import { Table } from '../table.js'
import { recordRoutes } from './record-routes.js'

/** Profiles have ids of text; the seeded profile of user 7 is `"7"`. */
export function profileRoutes(database: Database): Hono {
  return recordRoutes({
    table: new Table(database, 'profiles', ['fullName', 'bio']),
    noun: 'profile',
    query: z.strictObject(listQuery),
    body: z.strictObject({ id: ownId, fullName: text(100).min(1), bio: text(2_000).optional() }),
    toWire: (profile) => ({ ...profile, id: String(profile.id) }),
  })
}
