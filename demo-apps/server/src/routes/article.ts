import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { ArticleStore } from '../article-store.js'
import type { Database } from '../database.js'
import { notFound } from '../errors.js'
import { key, keyText, limitText, listQuery, ownId, pageToken, text } from '../fields.js'
import type { Row } from '../table.js'
import { parseBody, parseId, parseQuery, requireSameId } from '../validation.js'

const expandable = new Set(['author', 'contributors'])

/** The fields to fill with user records in place of user ids. */
const expand = z
  .string()
  .transform((value) => value.split(','))
  .refine((fields) => fields.every((field) => expandable.has(field)), 'must be author, contributors or both')
  .optional()

const summaryQuery = z.strictObject({
  ...listQuery,
  author: keyText.optional(),
  sort: z.literal('newest', 'must be newest').optional(),
  cursor: pageToken,
  q: text(100).optional(),
  expand,
})

const pagedQuery = z.strictObject({ cursor: pageToken, limit: limitText(20), expand })

const detailQuery = z.strictObject({ expand })

/** The body of POST and PUT. */
export const articleBody = z.strictObject({
  id: ownId,
  title: text(200).min(1),
  content: text(100_000),
  author: key.nullable().optional(),
  contributors: z
    .array(key)
    .max(100)
    .refine((ids) => new Set(ids).size === ids.length, 'must not name a user twice')
    .optional(),
  // Fields that the server sets. Accepted, so that a client may send back a record as it was read.
  createdAt: z.unknown().optional(),
  meta: z.unknown().optional(),
})

const patchBody = articleBody.partial()

/** Lists return summaries, all other routes the full article. */
export function articleRoutes(database: Database): Hono {
  const articles = new ArticleStore(database)
  const routes = new Hono({ strict: false })

  const expanded = (list: Row[], fields: string[] = []) =>
    fields.length === 0 ? list : articles.expand(list, fields)
  const answerDetail = async (c: Context, article: Row, fields?: string[]) => {
    const [detail] = await expanded([article], fields)
    return c.json(detail)
  }

  routes.get('/', async (c) => {
    const query = parseQuery(c, summaryQuery)
    const { sort, cursor, ...filter } = query
    const place = sort === 'newest' ? { isNewestFirst: true, before: cursor } : { after: cursor }
    return c.json(await expanded(await articles.summaries({ ...filter, ...place }), query.expand))
  })

  routes.get('/paged', async (c) => {
    const { cursor, limit, expand: fields } = parseQuery(c, pagedQuery)
    const rows = await articles.summaries({ after: cursor, limit: limit + 1 })
    const page = rows.slice(0, limit)
    if (rows.length > limit) c.header('Link', `<${nextPageUrl(c, page.at(-1)?.id)}>; rel="next"`)
    return c.json(await expanded(page, fields))
  })

  routes.get('/:id', async (c) => {
    const id = parseId(c)
    const query = parseQuery(c, detailQuery)
    return answerDetail(c, found(id, await articles.detail(id)), query.expand)
  })

  routes.post('/', async (c) => {
    const query = parseQuery(c, detailQuery)
    const article = await articles.insert(await parseBody(c, articleBody))
    c.status(201)
    return answerDetail(c, article, query.expand)
  })

  routes.put('/:id', async (c) => {
    const id = parseId(c)
    const query = parseQuery(c, detailQuery)
    const fields = await parseBody(c, articleBody)
    requireSameId(c, id, fields.id)
    return answerDetail(c, found(id, await articles.replace(id, fields)), query.expand)
  })

  routes.patch('/:id', async (c) => {
    const id = parseId(c)
    const query = parseQuery(c, detailQuery)
    const fields = await parseBody(c, patchBody)
    requireSameId(c, id, fields.id)
    return answerDetail(c, found(id, await articles.patch(id, fields)), query.expand)
  })

  routes.delete('/:id', async (c) => {
    const id = parseId(c)
    if (!(await articles.delete(id))) throw notFound('article', id)
    return c.json({ id })
  })

  routes.post('/:id/restore', async (c) => {
    const id = parseId(c)
    const query = parseQuery(c, detailQuery)
    return answerDetail(c, found(id, await articles.restore(id)), query.expand)
  })

  return routes
}

function found(id: number, article: Row | undefined): Row {
  if (article === undefined) throw notFound('article', id)
  return article
}

/** @see RFC 8288, which writes links as `<url>; rel="next"` */
function nextPageUrl(c: Context, lastId: unknown): string {
  const url = new URL(c.req.url)
  url.searchParams.set('cursor', String(lastId))
  return url.href
}
