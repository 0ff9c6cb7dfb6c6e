import { Hono, type Context } from 'hono'
import type { z } from 'zod'
import { notFound } from '../errors.js'
import type { Row, Table } from '../table.js'
import { parseBody, parseId, parseQuery, requireSameId } from '../validation.js'

interface RecordRoutesOptions {
  readonly table: Table
  /** As in "There is no todo 5." */
  readonly noun: string
  /** `listQuery` and the columns a list can be filtered by. */
  readonly query: z.ZodType<{ limit: number; offset: number }>
  /** The body of POST and PUT; optional fields have a default in the table. PATCH takes any part of it. */
  readonly body: z.ZodObject
  /** Converts a row for the response. @default the row itself */
  readonly toWire?: (row: Row, c: Context) => Row
  /** Wraps a record or a list for the response. @default no wrapper */
  readonly wrap?: (data: Row | Row[]) => Row
}

/** The six routes of a resource that is one table: list, get, create, replace, patch and delete. */
export function recordRoutes({ table, noun, query, body, toWire, wrap }: RecordRoutesOptions): Hono {
  const routes = new Hono({ strict: false })
  const patchBody = body.partial()

  const wire = (row: Row, c: Context) => toWire?.(row, c) ?? row
  const answer = (data: Row | Row[]) => wrap?.(data) ?? data
  const answerRow = (c: Context, id: number, row: Row | undefined) => {
    if (row === undefined) throw notFound(noun, id)
    return c.json(answer(wire(row, c)))
  }

  routes.get('/', async (c) => {
    const { limit, offset, ...where } = parseQuery(c, query)
    const rows = await table.list(where, { limit, offset })
    return c.json(answer(rows.map((row) => wire(row, c))))
  })

  routes.get('/:id', async (c) => {
    const id = parseId(c)
    return answerRow(c, id, await table.find(id))
  })

  routes.post('/', async (c) => {
    const row = await table.insert(await parseBody(c, body))
    return c.json(answer(wire(row, c)), 201)
  })

  routes.put('/:id', async (c) => {
    const id = parseId(c)
    const fields = await parseBody(c, body)
    requireSameId(c, id, fields.id)
    return answerRow(c, id, await table.replace(id, fields))
  })

  routes.patch('/:id', async (c) => {
    const id = parseId(c)
    const fields = await parseBody(c, patchBody)
    requireSameId(c, id, fields.id)
    return answerRow(c, id, await table.patch(id, fields))
  })

  routes.delete('/:id', async (c) => {
    const id = parseId(c)
    if (!(await table.delete(id))) throw notFound(noun, id)
    return c.body(null, 204)
  })

  return routes
}
