import type { Queryable } from './database.js'

export type Row = Record<string, unknown>

/**
 * One table, its rows reached by `id`.
 *
 * @example
 * const todos = new Table(database, 'todos', ['userId', 'title', 'completed'])
 * await todos.list({ userId: 1 }, { limit: 20, offset: 0 })
 */
export class Table {
  readonly #database: Queryable
  readonly #name: string
  readonly #columns: readonly string[]

  /** @param columns - those that can be written; other fields of a written row are ignored */
  constructor(database: Queryable, name: string, columns: readonly string[]) {
    this.#database = database
    this.#name = name
    this.#columns = columns
  }

  /** @param where - column values to equal; the keys are column names and never come from a client */
  list(where: Row, page: { limit: number; offset: number }): Promise<Row[]> {
    const conditions = Object.keys(where).map((column, index) => `"${column}" = $${index + 3}`)
    return this.#rows(
      `select * from ${this.#name} ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}
       order by id limit $1 offset $2`,
      [page.limit, page.offset, ...Object.values(where)],
    )
  }

  async find(id: number): Promise<Row | undefined> {
    const rows = await this.#rows(`select * from ${this.#name} where id = $1`, [id])
    return rows[0]
  }

  /** Columns that `fields` leaves out get their default. */
  async insert(fields: Row): Promise<Row> {
    const columns = this.#given(fields)
    const rows = await this.#rows(
      `insert into ${this.#name} (${columns.map(quote).join(', ')})
       values (${columns.map((_, index) => `$${index + 1}`).join(', ')}) returning *`,
      columns.map((column) => fields[column]),
    )
    const [row] = rows
    if (row === undefined) throw new Error(`insert into ${this.#name} returned no row`)
    return row
  }

  /** Columns that `fields` leaves out go back to their default. */
  replace(id: number, fields: Row): Promise<Row | undefined> {
    return this.#update(id, fields, this.#columns)
  }

  /** Columns that `fields` leaves out stay as they are. */
  patch(id: number, fields: Row): Promise<Row | undefined> {
    const columns = this.#given(fields)
    return columns.length === 0 ? this.find(id) : this.#update(id, fields, columns)
  }

  /** @returns true if the row existed */
  async delete(id: number): Promise<boolean> {
    const rows = await this.#rows(`delete from ${this.#name} where id = $1 returning id`, [id])
    return rows.length > 0
  }

  async #update(id: number, fields: Row, columns: readonly string[]): Promise<Row | undefined> {
    const given = this.#given(fields)
    const assignments = columns.map((column) => {
      const index = given.indexOf(column)
      return `"${column}" = ${index === -1 ? 'default' : `$${index + 2}`}`
    })
    const rows = await this.#rows(
      `update ${this.#name} set ${assignments.join(', ')} where id = $1 returning *`,
      [id, ...given.map((column) => fields[column])],
    )
    return rows[0]
  }

  #given(fields: Row): string[] {
    return this.#columns.filter((column) => fields[column] !== undefined)
  }

  async #rows(sql: string, values: unknown[]): Promise<Row[]> {
    const { rows } = await this.#database.query<Row>(sql, values)
    return rows
  }
}

function quote(name: string): string {
  return `"${name}"`
}
