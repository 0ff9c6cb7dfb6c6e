import { Hono } from 'hono'
import { z } from 'zod'
import type { Database } from '../database.js'
import { limitText, pageToken } from '../fields.js'
import type { Row } from '../table.js'
import { parseQuery } from '../validation.js'

const query = z.strictObject({
  cursor: pageToken,
  limit: limitText(20),
})

/** Links and posts mixed, newest first: `{ results, cursor }`, with the cursor `''` on the last page. */
export function feedRoutes(database: Database): Hono {
  const routes = new Hono({ strict: false })

  routes.get('/', async (c) => {
    const { cursor, limit } = parseQuery(c, query)
    const { rows } = await database.query<Row>(
      'select * from feed_items where id < coalesce($1::integer, 2147483647) order by id desc limit $2',
      [cursor, limit + 1],
    )
    const results = rows.slice(0, limit)
    return c.json({
      results: results.map(toWire),
      cursor: rows.length > limit ? String(results.at(-1)?.id) : '',
    })
  })

  return routes
}

function toWire({ id, type, url, title, content }: Row): Row {
  return type === 'link' ? { id, type, url, title } : { id, type, content }
}
