import { Hono, type Context } from 'hono'
import { z } from 'zod'
import type { Database } from '../database.js'
import { httpUrl, limitText, listQuery, ownId, pageToken, text } from '../fields.js'
import { Table, type Row } from '../table.js'
import { parseQuery } from '../validation.js'
import { absoluteImage } from './image.js'
import { recordRoutes } from './record-routes.js'

/** News as a plain resource. */
export function newsRoutes(database: Database): Hono {
  return recordRoutes({
    table: newsTable(database),
    noun: 'news item',
    query: z.strictObject(listQuery),
    body: z.strictObject({
      id: ownId,
      title: text(200).min(1),
      url: httpUrl,
      previewImage: httpUrl.optional(),
    }),
    toWire,
  })
}

/** News in pages, with the tokens in the body: `{ results, nextPage, prevPage }`, `null` where there is no page. */
export function pagedNewsRoutes(database: Database): Hono {
  const news = newsTable(database)
  const query = z.strictObject({
    page: pageToken,
    limit: limitText(20),
  })
  const routes = new Hono({ strict: false })

  routes.get('/', async (c) => {
    const { page = 1, limit } = parseQuery(c, query)
    const rows = await news.list({}, { limit: limit + 1, offset: (page - 1) * limit })
    return c.json({
      results: rows.slice(0, limit).map((row) => toWire(row, c)),
      nextPage: rows.length > limit ? String(page + 1) : null,
      prevPage: page > 1 ? String(page - 1) : null,
    })
  })

  return routes
}

function newsTable(database: Database): Table {
  return new Table(database, 'news', ['title', 'url', 'previewImage'])
}

function toWire(row: Row, c: Context): Row {
  return { ...row, id: String(row.id), previewImage: absoluteImage(row.previewImage, c) }
}
