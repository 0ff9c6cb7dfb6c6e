import { Hono } from 'hono'
import { z } from 'zod'
import type { Database } from '../database.js'
import { notFound } from '../errors.js'
import { key, keyText, limitText, listQuery, ownId, pageToken, text } from '../fields.js'
import { issuePriorities, issueStates } from '../issue-words.js'
import { IssueStore } from '../issue-store.js'
import type { Presence } from '../live/presence.js'
import { Table, type Row } from '../table.js'
import { parseBody, parseId, parseQuery, requireSameId } from '../validation.js'
import { userIdOfVisitor } from './current-user.js'
import { Once } from './once.js'

const issueQuery = z.strictObject({
  ...listQuery,
  state: z.enum(issueStates).optional(),
  assignee: z.union([z.literal('none'), keyText]).optional(),
  label: keyText.optional(),
  q: text(100).optional(),
})

const issueBody = z.strictObject({
  id: ownId,
  title: text(200).min(1),
  body: text(100_000).optional(),
  state: z.enum(issueStates).optional(),
  priority: z.enum(issuePriorities).optional(),
  assignee: key.nullable().optional(),
  labels: z.array(key).max(20).optional(),
  // Fields that the server sets. Accepted, so that a client may send its optimistic record.
  author: z.unknown().optional(),
  createdAt: z.unknown().optional(),
})

const patchBody = issueBody.partial()

/** Issues. Anyone may change them: a change is noted as that of the user whose token comes with it. */
export function issueRoutes(database: Database, presence: Presence): Hono {
  const issues = new IssueStore(database)
  const once = new Once()
  const routes = new Hono({ strict: false })

  routes.get('/', async (c) => c.json(await issues.list(parseQuery(c, issueQuery))))

  routes.get('/:id', async (c) => {
    const id = parseId(c)
    return c.json(found('issue', id, await issues.find(id)))
  })

  routes.get('/:id/presence', (c) => {
    const id = parseId(c)
    return c.json({ id, users: presence.viewersOf(id) })
  })

  routes.post('/', async (c) => {
    const { id: _, author: __, createdAt: ___, ...fields } = await parseBody(c, issueBody)
    return c.json(await once.run(c, () => issues.insert(fields, userIdOfVisitor(c))), 201)
  })

  routes.patch('/:id', async (c) => {
    const id = parseId(c)
    const { id: bodyId, author: _, createdAt: __, ...fields } = await parseBody(c, patchBody)
    requireSameId(c, id, bodyId)
    return c.json(found('issue', id, await issues.patch(id, fields, userIdOfVisitor(c))))
  })

  routes.delete('/:id', async (c) => {
    const id = parseId(c)
    if (!(await issues.delete(id))) throw notFound('issue', id)
    return c.json({ id })
  })

  routes.post('/:id/restore', async (c) => {
    const id = parseId(c)
    return c.json(found('issue', id, await issues.restore(id)))
  })

  return routes
}

const activityQuery = z.strictObject({ issue: keyText, cursor: pageToken, limit: limitText(20) })
const commentBody = z.strictObject({
  id: ownId,
  issue: key,
  body: text(10_000).min(1),
  actor: z.unknown().optional(),
  createdAt: z.unknown().optional(),
})

/** What happened to issues. A POST writes a comment. */
export function activityRoutes(database: Database): Hono {
  const issues = new IssueStore(database)
  const once = new Once()
  const routes = new Hono({ strict: false })

  routes.get('/', async (c) => {
    const { issue, cursor, limit } = parseQuery(c, activityQuery)
    return c.json(await issues.activities(issue, { before: cursor, limit }))
  })

  routes.post('/', async (c) => {
    const { issue, body } = await parseBody(c, commentBody)
    return c.json(await once.run(c, () => issues.comment(issue, body, userIdOfVisitor(c))), 201)
  })

  return routes
}

export function labelRoutes(database: Database): Hono {
  const labels = new Table(database, 'labels', [])
  const routes = new Hono({ strict: false })
  routes.get('/', async (c) => c.json(await labels.list({}, parseQuery(c, z.strictObject(listQuery)))))
  return routes
}

function found(noun: string, id: number, row: Row | undefined): Row {
  if (row === undefined) throw notFound(noun, id)
  return row
}
