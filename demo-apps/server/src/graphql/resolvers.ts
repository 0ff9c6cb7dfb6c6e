import { z } from 'zod'
import { ArticleStore } from '../article-store.js'
import type { Database } from '../database.js'
import { notFound } from '../errors.js'
import { key, text } from '../fields.js'
import { articleBody } from '../routes/article.js'
import { todoBody, todoTable } from '../routes/todo.js'
import { userTable } from '../routes/user.js'
import type { Row } from '../table.js'
import { parseInput } from '../validation.js'

type Resolver = (parent: Row, args: unknown) => unknown

const page = { limit: z.int().min(1).max(10_000), offset: z.int().min(0).max(999_999_999) }
const byId = z.strictObject({ id: key })
// GraphQL treats null like a missing value.
const userList = z.strictObject(page)
const articleList = z.strictObject({ ...page, author: key.nullish(), q: text(100).nullish() })
const todoList = z.strictObject({ ...page, userId: key.nullish(), completed: z.boolean().nullish() })
const newArticle = z.strictObject({ input: articleBody })
const articleChange = z.strictObject({ id: key, input: articleBody.partial() })
const newTodo = z.strictObject({ input: todoBody })
const todoChange = z.strictObject({ id: key, input: todoBody.partial() })

/** Reads and writes the records that the REST routes do, by their rules. */
export function createResolvers(database: Database) {
  const articles = new ArticleStore(database)
  const users = userTable(database)
  const todos = todoTable(database)
  const withAuthors = (rows: readonly Row[]) => articles.expand(rows, ['author'])
  const withAuthor = async (article: Row) => (await withAuthors([article]))[0]
  /** A list contains summaries; their missing fields are read on demand. */
  const detailOf = async (article: Row): Promise<Row> =>
    'content' in article
      ? article
      : found('article', Number(article.id), await articles.detail(Number(article.id)))

  return {
    Query: {
      users: resolve('users', userList, (args) => users.list({}, args)),
      user: resolve('user', byId, async ({ id }) => found('user', id, await users.find(id))),
      articles: resolve('articles', articleList, async ({ author, q, ...args }) =>
        withAuthors(await articles.summaries({ ...args, author: author ?? undefined, q: q ?? undefined })),
      ),
      article: resolve('article', byId, async ({ id }) =>
        withAuthor(found('article', id, await articles.detail(id))),
      ),
      todos: resolve('todos', todoList, ({ limit, offset, ...where }) =>
        todos.list(withoutNull(where), { limit, offset }),
      ),
    },
    Mutation: {
      createArticle: resolve('createArticle', newArticle, async ({ input }) =>
        withAuthor(await articles.insert(input)),
      ),
      updateArticle: resolve('updateArticle', articleChange, async ({ id, input }) =>
        withAuthor(found('article', id, await articles.patch(id, input))),
      ),
      deleteArticle: resolve('deleteArticle', byId, async ({ id }) => {
        if (!(await articles.delete(id))) throw notFound('article', id)
        return { id }
      }),
      createTodo: resolve('createTodo', newTodo, ({ input }) => todos.insert(input)),
      updateTodo: resolve('updateTodo', todoChange, async ({ id, input }) =>
        found('todo', id, await todos.patch(id, input)),
      ),
      deleteTodo: resolve('deleteTodo', byId, async ({ id }) => {
        if (!(await todos.delete(id))) throw notFound('todo', id)
        return { id }
      }),
    },
    Article: {
      content: async (article: Row) => (await detailOf(article)).content,
      createdAt: ({ createdAt }: Row) => (createdAt instanceof Date ? createdAt.toISOString() : createdAt),
      contributors: async (article: Row) => {
        const [expanded] = await articles.expand([await detailOf(article)], ['contributors'])
        return expanded?.contributors
      },
    },
  }
}

/** A resolver of one field. Its arguments are validated like a body. */
function resolve<Args>(field: string, schema: z.ZodType<Args>, read: (args: Args) => unknown): Resolver {
  return (_parent, args) => read(parseInput(`What ${field} was given`, schema, args))
}

function found(noun: string, id: number, row: Row | undefined): Row {
  if (row === undefined) throw notFound(noun, id)
  return row
}

function withoutNull(fields: Row): Row {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null))
}
