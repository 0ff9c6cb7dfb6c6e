import type { Database, Queryable } from './database.js'
import { Table, type Row } from './table.js'

export interface IssueFilter {
  readonly limit: number
  readonly offset: number
  readonly state?: string | undefined
  /** The id of a user; `'none'` for issues that nobody has. */
  readonly assignee?: number | 'none' | undefined
  /** The id of a label. */
  readonly label?: number | undefined
  /** Text to find in the title, in any case. */
  readonly q?: string | undefined
}

/** Reads and writes issues, and notes in their activity who changed what. */
export class IssueStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** The newest first. */
  async list({ limit, offset, state, assignee, label, q }: IssueFilter): Promise<Row[]> {
    const { rows } = await this.#database.query<Row>(
      `select ${issueColumns} from issues
       where "deletedAt" is null and ($3::text is null or state = $3)
         and ($4::integer is null or assignee = $4) and (not $5::boolean or assignee is null)
         and ($6::integer is null or $6 = any(labels)) and position(lower($7) in lower(title)) > 0
       order by id desc limit $1 offset $2`,
      [
        limit,
        offset,
        state ?? null,
        typeof assignee === 'number' ? assignee : null,
        assignee === 'none',
        label ?? null,
        q ?? '',
      ],
    )
    return rows
  }

  find(id: number): Promise<Row | undefined> {
    return readIssue(this.#database, id)
  }

  /** @param actor - the id of the user who creates it; `undefined` for a visitor */
  insert(fields: Row, actor: number | undefined): Promise<Row | undefined> {
    return this.#database.transaction(async (transaction) => {
      const { id } = await issueTable(transaction).insert({ ...fields, author: actor })
      await activityTable(transaction).insert({ issue: id, kind: 'created', actor })
      return readIssue(transaction, Number(id))
    })
  }

  /** Notes each changed field in the activity. */
  patch(id: number, fields: Row, actor: number | undefined): Promise<Row | undefined> {
    return this.#database.transaction(async (transaction) => {
      const [before] = await rowsOf(
        transaction,
        'select * from issues where id = $1 and "deletedAt" is null',
        [id],
      )
      if (before === undefined) return undefined
      const issues = issueTable(transaction)
      await issues.patch(id, fields)
      for (const kind of Object.keys(fields)) {
        const [from, to] = [before[kind], fields[kind]]
        if (!issueFields.includes(kind) || JSON.stringify(from) === JSON.stringify(to)) continue
        await activityTable(transaction).insert({
          ...{ issue: id, kind, actor },
          ...(kind !== 'body' && { from: textOf(from), to: textOf(to) }),
          ...(kind === 'assignee' && { assignee: to }),
        })
      }
      await touch(transaction, id)
      return readIssue(transaction, id)
    })
  }

  /** @returns true if the issue existed */
  async delete(id: number): Promise<boolean> {
    const rows = await rowsOf(
      this.#database,
      'update issues set "deletedAt" = now() where id = $1 and "deletedAt" is null returning id',
      [id],
    )
    return rows.length > 0
  }

  /** Undoes a delete. */
  async restore(id: number): Promise<Row | undefined> {
    await rowsOf(
      this.#database,
      'update issues set "deletedAt" = null where id = $1 and "deletedAt" is not null returning id',
      [id],
    )
    return this.find(id)
  }

  /** The newest first. @param before - only those with a smaller id */
  activities(
    issue: number,
    { before, limit }: { before: number | undefined; limit: number },
  ): Promise<Row[]> {
    return rowsOf(
      this.#database,
      `select ${activityColumns} from activities
       where issue = $1 and ($2::integer is null or id < $2) order by id desc limit $3`,
      [issue, before ?? null, limit],
    )
  }

  async findActivity(id: number): Promise<Row | undefined> {
    const [row] = await rowsOf(
      this.#database,
      `select ${activityColumns} from activities where activities.id = $1`,
      [id],
    )
    return row
  }

  comment(issue: number, body: string, actor: number | undefined): Promise<Row | undefined> {
    return this.#database.transaction(async (transaction) => {
      const { id } = await activityTable(transaction).insert({ issue, kind: 'comment', actor, body })
      await touch(transaction, issue)
      const [row] = await rowsOf(transaction, `select ${activityColumns} from activities where id = $1`, [id])
      return row
    })
  }
}

const issueFields = ['title', 'body', 'state', 'priority', 'assignee', 'labels']

const user = (column: string) => `(select to_jsonb(users) from users where users.id = ${column}) as ${column}`

const issueColumns = `
  id, title, body, state, priority, "createdAt", "updatedAt", ${user('assignee')}, ${user('author')},
  (select coalesce(jsonb_agg(to_jsonb(label) order by label.id), '[]') from labels label where label.id = any(issues.labels)) as labels,
  (select count(*)::integer from activities where activities.issue = issues.id and kind = 'comment') as "commentCount"
`

const activityColumns = `
  id, issue, kind, "from", "to", body, "createdAt", ${user('actor')}, ${user('assignee')}
`

function issueTable(queryable: Queryable): Table {
  return new Table(queryable, 'issues', [...issueFields, 'author'])
}

function activityTable(queryable: Queryable): Table {
  return new Table(queryable, 'activities', ['issue', 'kind', 'actor', 'from', 'to', 'assignee', 'body'])
}

async function readIssue(queryable: Queryable, id: number): Promise<Row | undefined> {
  const [row] = await rowsOf(
    queryable,
    `select ${issueColumns} from issues where issues.id = $1 and "deletedAt" is null`,
    [id],
  )
  return row
}

async function touch(queryable: Queryable, id: number): Promise<void> {
  await queryable.query(
    `update issues set "updatedAt" = date_trunc('milliseconds', clock_timestamp()) where id = $1`,
    [id],
  )
}

async function rowsOf(queryable: Queryable, sql: string, values: unknown[]): Promise<Row[]> {
  return (await queryable.query<Row>(sql, values)).rows
}

function textOf(value: unknown): string | null {
  if (value === null) return null
  return Array.isArray(value) ? value.join(',') : String(value)
}
