import type { Database, Queryable } from './database.js'
import { Table, type Row } from './table.js'

export interface SummaryFilter {
  readonly limit: number
  readonly offset?: number
  /** Only articles with a greater id. */
  readonly after?: number | undefined
  readonly author?: number | undefined
  /** Only articles with a smaller id. */
  readonly before?: number | undefined
  /** The greatest id first, in place of the smallest. */
  readonly isNewestFirst?: boolean
  /** Text to find in the title, in any case. */
  readonly q?: string | undefined
}

/** Reads and writes articles, which are spread over three tables: articles, contributors and article_meta. */
export class ArticleStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async summaries({
    limit,
    offset = 0,
    after,
    before,
    isNewestFirst = false,
    author,
    q,
  }: SummaryFilter): Promise<Row[]> {
    const { rows } = await this.#database.query<Row>(
      `select ${summaryColumns} from articles
       where id > $3 and ($6::integer is null or id < $6) and ($4::integer is null or author = $4) and position(lower($5) in lower(title)) > 0
       order by id ${isNewestFirst ? 'desc' : 'asc'} limit $1 offset $2`,
      [limit, offset, after ?? 0, author ?? null, q ?? '', before ?? null],
    )
    return rows
  }

  detail(id: number): Promise<Row | undefined> {
    return readDetail(this.#database, id)
  }

  insert(fields: Row): Promise<Row> {
    return this.#database.transaction(async (transaction) => {
      const { id } = await articleTable(transaction).insert(fields)
      await transaction.query('insert into article_meta (id) values ($1)', [id])
      await writeContributors(transaction, id, fields.contributors)
      return readWritten(transaction, id)
    })
  }

  replace(id: number, fields: Row): Promise<Row | undefined> {
    return this.#database.transaction(async (transaction) => {
      const article = await articleTable(transaction).replace(id, fields)
      if (article === undefined) return undefined
      await writeContributors(transaction, id, fields.contributors ?? [])
      return readWritten(transaction, id)
    })
  }

  patch(id: number, fields: Row): Promise<Row | undefined> {
    return this.#database.transaction(async (transaction) => {
      const article = await articleTable(transaction).patch(id, fields)
      if (article === undefined) return undefined
      await writeContributors(transaction, id, fields.contributors)
      return readWritten(transaction, id)
    })
  }

  /** Deletes an article with its comments and other rows, and saves all of them for `restore`. */
  delete(id: number): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      await transaction.query(keepDeleted, [id])
      return articleTable(transaction).delete(id)
    })
  }

  /** Undoes a delete: restores the article with its id, date and comments. */
  restore(id: number): Promise<Row | undefined> {
    return this.#database.transaction(async (transaction) => {
      for (const [table, column] of Object.entries(deletedColumns)) {
        await transaction.query(
          `insert into ${table} select (jsonb_populate_recordset(null::${table}, ${column})).*
           from deleted_articles where id = $1`,
          [id],
        )
      }
      await transaction.query('delete from deleted_articles where id = $1', [id])
      return readDetail(transaction, id)
    })
  }

  /** Replaces user ids by user records, in the given fields of articles. */
  async expand(articles: readonly Row[], fields: readonly string[]): Promise<Row[]> {
    const ids = articles.flatMap((article) => fields.flatMap((field) => article[field] ?? []))
    const { rows } = await this.#database.query<Row>('select * from users where id = any($1)', [ids])
    const users = new Map(rows.map((user) => [user.id, user]))
    const expandField = (value: unknown) =>
      Array.isArray(value) ? value.map((id) => users.get(id)) : (users.get(value) ?? null)
    return articles.map((article) => ({
      ...article,
      ...Object.fromEntries(
        fields.filter((field) => field in article).map((field) => [field, expandField(article[field])]),
      ),
    }))
  }
}

const summaryColumns = 'id, title, "createdAt", author'

/** By table, in the order in which their rows refer to each other. */
const deletedColumns = {
  articles: 'article',
  contributors: 'contributors',
  article_meta: 'meta',
  comments: 'comments',
} as const

const keepDeleted = `
  insert into deleted_articles
  select id, jsonb_build_array(to_jsonb(articles)),
    coalesce((select jsonb_agg(contributors) from contributors where article = articles.id), '[]'),
    coalesce((select jsonb_agg(article_meta) from article_meta where article_meta.id = articles.id), '[]'),
    coalesce((select jsonb_agg(comments) from comments where "postId" = articles.id), '[]')
  from articles where id = $1`

function articleTable(queryable: Queryable): Table {
  return new Table(queryable, 'articles', ['title', 'content', 'author'])
}

async function readDetail(queryable: Queryable, id: unknown): Promise<Row | undefined> {
  const { rows } = await queryable.query<Row>(
    `select id, title, content, "createdAt", author,
       array(select contributor from contributors where article = $1 order by position) as contributors
     from articles where id = $1`,
    [id],
  )
  const [article] = rows
  return article && { ...article, meta: await readMeta(queryable, id) }
}

async function readWritten(transaction: Queryable, id: unknown): Promise<Row> {
  const article = await readDetail(transaction, id)
  if (article === undefined) throw new Error(`article ${String(id)} was written but cannot be read`)
  return article
}

async function readMeta(queryable: Queryable, id: unknown): Promise<Row> {
  const meta = await queryable.query<Row>(
    'select id, "viewCount", "likeCount" from article_meta where id = $1',
    [id],
  )
  const related = await queryable.query<Row>(
    `select ${summaryColumns}
     from articles join (
       select related, position
       from article_meta, unnest("relatedArticles") with ordinality as listed (related, position)
       where article_meta.id = $1
     ) listed on articles.id = related
     order by position`,
    [id],
  )
  return { ...meta.rows[0], relatedArticles: related.rows }
}

/** @param contributors - user ids in order; `undefined` leaves them as they are */
async function writeContributors(queryable: Queryable, id: unknown, contributors: unknown): Promise<void> {
  if (contributors === undefined) return
  await queryable.query('delete from contributors where article = $1', [id])
  await queryable.query(
    `insert into contributors (article, contributor, position)
     select $1, contributor, position from unnest($2::integer[]) with ordinality as listed (contributor, position)`,
    [id, contributors],
  )
}
