import { ServerSockets } from './server-sockets.js'
import { byTitle } from './task-app.js'
import type { Change, Row } from './task-app.js'

export const userIds = [1, 2]

/** The rows of a server, which tells its clients of all changes. */
export class TaskServer {
  readonly rows = new Map<number, Row>()
  /** The names of users. */
  readonly names = new Map(userIds.map((id) => [id, `User ${id}`]))
  readonly sockets = new ServerSockets()
  /** How many rows a page has; `undefined` if all are sent at once. */
  readonly #pageSize: number | undefined
  /** `true` if a cursor is the number of a page, in place of the last id before it. */
  readonly #isNumbered: boolean
  #lastId: number

  constructor(count: number, pageSize?: number, isNumbered = false) {
    this.#pageSize = pageSize
    this.#isNumbered = isNumbered
    for (let id = 1; id <= count; id++)
      this.rows.set(id, { id, title: `Task ${id}`, group: id <= count / 2 ? 1 : 2, owner: 1 + (id % 2) })
    this.#lastId = count
  }

  rowsOf(group: number): readonly Row[] {
    return [...this.rows.values()].filter((row) => row.group === group).sort(byTitle)
  }

  /** A row as the server sends it. */
  bodyOf(row: Row) {
    return { ...row, owner: { id: row.owner, name: this.names.get(row.owner) ?? '' } }
  }

  listOf(group: number, cursor: string | null): unknown {
    const rows = this.rowsOf(group).map((row) => this.bodyOf(row))
    const size = this.#pageSize
    if (size === undefined) return rows
    const page = Number(cursor ?? 1)
    const sorted = rows.sort((a, b) => a.id - b.id)
    const rest = this.#isNumbered
      ? sorted.slice((page - 1) * size)
      : sorted.filter(({ id }) => id > Number(cursor))
    const results = rest.slice(0, size)
    const next = this.#isNumbered ? page + 1 : results.at(-1)?.id
    return { results, nextPage: rest.length > size ? next : 0 }
  }

  tell(kind: Change['kind'], data: object): void {
    const change: Change = { kind, data }
    this.sockets.tell(change)
  }

  /** Creates, renames, moves and deletes a row of a group, and renames a user. */
  changeAll(group: number): void {
    const [renamed, moved, deleted] = this.rowsOf(group)
    this.handle('POST', NaN, { title: 'Created', group })
    if (renamed !== undefined) this.handle('PATCH', renamed.id, { title: 'Renamed' })
    if (moved !== undefined) this.handle('PATCH', moved.id, { group: 3 - moved.group })
    if (deleted !== undefined) this.handle('DELETE', deleted.id, {})
    this.renameUser(1, 'Renamed')
  }

  renameUser(id: number, name: string | undefined): Response {
    this.names.set(id, name ?? '')
    this.tell('user', { id, name })
    return Response.json({ id, name })
  }

  handle(method: string, id: number, body: Partial<Row>): Response {
    if (method === 'POST') {
      const row = { title: '', group: 0, owner: 1, ...body, id: ++this.#lastId }
      this.rows.set(row.id, row)
      this.tell('created', this.bodyOf(row))
      return Response.json(this.bodyOf(row))
    }
    const row = this.rows.get(id)
    if (row === undefined) return new Response(null, { status: 404 })
    if (method === 'GET') return Response.json(this.bodyOf(row))
    if (method === 'DELETE') {
      this.rows.delete(id)
      this.tell('deleted', { id })
      return new Response(null, { status: 204 })
    }
    const next = { ...row, ...body, id }
    this.rows.set(id, next)
    this.tell('updated', this.bodyOf(next))
    return Response.json(this.bodyOf(next))
  }
}
