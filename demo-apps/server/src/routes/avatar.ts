import { Hono, type Context } from 'hono'
import type { Database } from '../database.js'
import { notFound, RequestError } from '../errors.js'
import type { Row } from '../table.js'
import { parseId } from '../validation.js'
import { userIdOfToken } from './current-user.js'
import { absoluteImage } from './image.js'
import { userTable } from './user.js'

const greatestPicture = 5 * 2 ** 20
const pictureTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])

/** Pictures of users, below `/user`: `{ id, src }`, drawn until the user uploads one. */
export function avatarRoutes(database: Database): Hono {
  const users = userTable(database)
  const routes = new Hono({ strict: false })

  routes.get('/:id/avatar', async (c) => {
    const id = parseId(c)
    if ((await users.find(id)) === undefined) throw notFound('user', id)
    return c.json(await answer(c, id))
  })

  routes.put('/:id/avatar', async (c) => {
    const id = parseId(c)
    if (userIdOfToken(c) !== id) {
      throw new RequestError(
        'unauthorized',
        `Only user ${id} may change this picture. Send his Access-Token.`,
      )
    }
    const { type, bytes } = await readPicture(c)
    await database.query(
      `insert into avatars (id, type, bytes) values ($1, $2, $3)
       on conflict (id) do update set type = excluded.type, bytes = excluded.bytes, version = avatars.version + 1`,
      [id, type, bytes],
    )
    return c.json(await answer(c, id))
  })

  async function answer(c: Context, id: number): Promise<Row> {
    const { rows } = await database.query<{ version: number }>('select version from avatars where id = $1', [
      id,
    ])
    const version = rows[0]?.version
    // A new URL for each picture, so that browsers do not show an old one from their cache.
    const path = version === undefined ? `/images/avatar-${id}.svg` : `/images/avatars/${id}/${version}`
    return { id, src: absoluteImage(path, c) }
  }

  return routes
}

/** The uploaded pictures themselves, at `/images/avatars/:id/:version`. */
export function avatarImageRoutes(database: Database): Hono {
  const routes = new Hono()

  routes.get('/:id{[0-9]+}/:version{[0-9]+}', async (c) => {
    const { rows } = await database.query<{ type: string; bytes: Uint8Array<ArrayBuffer> }>(
      'select type, bytes from avatars where id = $1 and version = $2',
      [Number(c.req.param('id')), Number(c.req.param('version'))],
    )
    const [picture] = rows
    if (picture === undefined) throw notFound('picture', Number(c.req.param('id')))
    return c.body(picture.bytes, 200, { 'Content-Type': picture.type })
  })

  return routes
}

async function readPicture(c: Context): Promise<{ type: string; bytes: Uint8Array }> {
  const type = c.req.header('Content-Type') ?? ''
  if (!pictureTypes.has(type)) {
    const message = `must be one of ${[...pictureTypes].join(', ')}`
    throw new RequestError('invalid', `The type "${type}" of the picture ${message}.`, [
      { field: 'Content-Type', message },
    ])
  }
  const bytes = new Uint8Array(await c.req.arrayBuffer())
  if (bytes.length <= greatestPicture) return { type, bytes }
  throw new RequestError('too-large', 'The picture is larger than 5 MiB.')
}
