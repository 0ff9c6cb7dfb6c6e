import { ServerSockets } from './server-sockets.js'
import { byTitle, never } from './task-app.js'
import type { Change, Row, toMany } from './task-app.js'

export const userIds = [1, 2]

export interface ServerOptions {
  /** How many rows a page has. @default all are sent at once */
  readonly pageSize?: number
  /** `true` if a cursor is the number of a page. @default false: it is the last id before it */
  readonly isNumbered?: boolean
  /** `true` if each second row is a bug. @default false: all are tasks */
  readonly hasKinds?: boolean
  /** `true` if the answer of a mutation has the row in an envelope. @default false */
  readonly hasEnvelopes?: boolean
  /** `true` if the rows of a list have no owner. @default false */
  readonly hasSummaries?: boolean
}

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
  /** By id, also of deleted rows. */
  readonly #kinds = new Map<number, Row['kind']>()
  #lastId: number

  readonly #hasEnvelopes: boolean
  readonly #hasSummaries: boolean

  constructor(count: number, options: ServerOptions = {}) {
    const {
      pageSize,
      isNumbered = false,
      hasKinds = false,
      hasEnvelopes = false,
      hasSummaries = false,
    } = options
    this.#hasEnvelopes = hasEnvelopes
    this.#hasSummaries = hasSummaries
    this.#pageSize = pageSize
    this.#isNumbered = isNumbered
    for (let id = 1; id <= count; id++) {
      const kind = hasKinds && id % 2 === 0 ? 'bug' : 'task'
      this.put({
        id,
        title: `Task ${id}`,
        group: id <= count / 2 ? 1 : 2,
        owner: 1 + (id % 2),
        kind,
        votes: 0,
        renamedAt: never,
      })
    }
    this.#lastId = count
  }

  put(row: Row): void {
    this.rows.set(row.id, row)
    this.#kinds.set(row.id, row.kind)
  }

  /** @returns the kind of a row, which may be deleted */
  kindOf(id: number): Row['kind'] {
    return this.#kinds.get(id) ?? 'task'
  }

  /** @param group - 0 for all rows */
  rowsOf(group: number): readonly Row[] {
    const isOf = (row: Row) => group === 0 || row.group === group
    return [...this.rows.values()].filter(isOf).sort(byTitle)
  }

  /** A row as the server sends it. */
  bodyOf(row: Row) {
    return { ...row, owner: { id: row.owner, name: this.names.get(row.owner) ?? '' } }
  }

  listOf(group: number, cursor: string | null): unknown {
    const rows = this.rowsOf(group).map((row) =>
      Object.assign(this.bodyOf(row), this.#hasSummaries && { owner: undefined }),
    )
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
    this.handle('POST', NaN, { title: 'Created', group: group || 1 })
    if (renamed !== undefined) this.handle('PATCH', renamed.id, { title: 'Renamed' })
    if (moved !== undefined) this.handle('PATCH', moved.id, { group: 3 - moved.group })
    if (deleted !== undefined) this.handle('DELETE', deleted.id, {})
    this.renameUser(1, 'Renamed')
  }

  delete(id: number): void {
    this.rows.delete(id)
    this.tell('deleted', { id, kind: this.kindOf(id) })
  }

  /** The answer of a mutation. */
  answerOf(row: object): Response {
    return Response.json(this.#hasEnvelopes ? { data: row } : row)
  }

  renameUser(id: number, name: string | undefined): Response {
    this.names.set(id, name ?? '')
    this.tell('user', { id, name })
    return Response.json({ id, name })
  }

  /** Changes many rows. @returns those that are there, as they are now */
  changeMany(bulk: ReturnType<typeof toMany>): Response {
    const changed = bulk.flatMap(({ id, ...values }) => {
      const row = this.rows.get(id)
      return row === undefined ? [] : [this.#change(row, values)]
    })
    return this.answerOf(changed.map((row) => this.bodyOf(row)))
  }

  #change(row: Row, values: Partial<Row>): Row {
    const next = { ...row, ...values, id: row.id }
    this.put(next)
    this.tell('updated', this.bodyOf(next))
    return next
  }

  vote(id: number): Response {
    return this.handle('PATCH', id, { votes: (this.rows.get(id)?.votes ?? 0) + 1 })
  }

  handle(method: string, id: number, body: Partial<Row>): Response {
    if (method === 'POST') {
      const row: Row = {
        title: '',
        group: 0,
        owner: 1,
        kind: 'task',
        votes: 0,
        renamedAt: never,
        ...body,
        id: ++this.#lastId,
      }
      this.put(row)
      this.tell('created', this.bodyOf(row))
      return this.answerOf(this.bodyOf(row))
    }
    const row = this.rows.get(id)
    if (row === undefined) return new Response(null, { status: 404 })
    if (method === 'GET') return Response.json(this.bodyOf(row))
    if (method === 'DELETE') {
      this.delete(id)
      return new Response(null, { status: 204 })
    }
    return this.answerOf(this.bodyOf(this.#change(row, body)))
  }
}
