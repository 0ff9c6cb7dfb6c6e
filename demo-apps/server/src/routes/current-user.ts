import { Hono, type Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Database } from '../database.js'
import { RequestError } from '../errors.js'
import { keyText } from '../fields.js'
import { Table } from '../table.js'

/** The user whose token, `user-<id>`, is in the header `Access-Token`. */
export function currentUserRoutes(database: Database): Hono {
  const users = new Table(database, 'users', [])
  const routes = new Hono({ strict: false })

  // Older clients send POST for this read.
  routes.on(['GET', 'POST'], '/', async (c) => {
    const id = userIdOfToken(c)
    const user = id === undefined ? undefined : await users.find(id)
    if (user !== undefined) return c.json(user)
    c.header('WWW-Authenticate', 'Access-Token')
    throw new RequestError(
      'unauthorized',
      'Nobody is signed in. Send the header Access-Token with a token such as user-1.',
    )
  })

  return routes
}

/** The user whom the header `Access-Token` names, who need not exist. */
export function userIdOfToken(c: Context): number | undefined {
  const id = /^user-(.*)$/.exec(c.req.header('Access-Token') ?? '')?.[1]
  return keyText.safeParse(id).data
}

/** The user whom the header `Access-Token` names, or the cookie in which the demo's pages keep that token. */
export function userIdOfVisitor(c: Context): number | undefined {
  const id = /^user-(.*)$/.exec(getCookie(c, 'demo-token') ?? '')?.[1]
  return userIdOfToken(c) ?? keyText.safeParse(id).data
}
