import { Controller, Entity, schema } from '@selfsame/core'
import { GQLEndpoint, GQLNetworkError } from '@selfsame/core/graphql'
import { createResource } from '@selfsame/core/rest'
import { parse } from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createServer, type DemoServer } from './server.js'
import { sendTo, smallSizes } from './test-server.js'

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}

class Article extends Entity {
  id = 0
  title = ''
  content = ''
  createdAt = new Date(0)
  author: User | null = null
  contributors: User[] = []
  static override key = 'Article'
  static override schema = { createdAt: Date, author: User, contributors: [User] }
}

class Todo extends Entity {
  id = 0
  userId = 0
  title = ''
  completed = false
  static override key = 'Todo'
}

let server: DemoServer
beforeAll(async () => {
  server = await createServer({ sizes: smallSizes })
}, 180_000)
beforeEach(async () => {
  await sendTo(server.url, 'POST /_reset')
})
afterAll(() => server.close())

const requests = async () => (await sendTo(server.url, 'GET /_requests')).body as { path: string }[]

function createApi() {
  const gql = new GQLEndpoint(`${server.url}/graphql`)
  return {
    gql,
    articleResource: createResource({ urlPrefix: server.url, path: '/article/:id', schema: Article }),
    getArticle: gql.query(
      (_variables: { id: number }) => `
        query GetArticle($id: Int!) {
          article(id: $id) { ...Whole }
        }
        ${whole}`,
      { article: Article },
    ),
    getArticles: gql.query(
      (_variables: { author?: number; limit?: number }) => `
        query GetArticles($author: Int, $limit: Int) {
          articles(author: $author, limit: $limit) { id title author { id name } }
        }`,
      { articles: [Article] },
    ),
    createArticle: gql.mutation(
      (_variables: { input: { title: string; content: string; author?: number | null } }) => `
        mutation CreateArticle($input: NewArticle!) {
          createArticle(input: $input) { ...Whole }
        }
        ${whole}`,
      { createArticle: Article },
    ),
    updateArticle: gql.mutation(
      (_variables: { id: number; input: { title?: string; author?: number | null } }) => `
        mutation UpdateArticle($id: Int!, $input: ArticleChange!) {
          updateArticle(id: $id, input: $input) { id title author { id name } }
        }`,
      { updateArticle: Article },
    ),
    deleteArticle: gql.mutation(
      (_variables: { id: number }) => 'mutation DeleteArticle($id: Int!) { deleteArticle(id: $id) { id } }',
      { deleteArticle: new schema.Delete(Article) },
    ),
  }
}

const whole = `
  fragment Whole on Article {
    id title content createdAt
    author { id name }
    contributors { id name }
  }`

const thrownBy = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )

describe('a record', () => {
  test('is the selfsame by REST and by GraphQL', async () => {
    const { articleResource, getArticle } = createApi()
    const controller = new Controller()
    const byRest = await controller.fetch(articleResource.get, { id: 1 })
    const { article } = await controller.fetch(getArticle, { id: 1 })
    expect(article).toBe(controller.get(Article, { id: 1 }))
    expect(controller.read(articleResource.get, { id: 1 }).data).toBe(article)
    expect(article).toMatchObject({ id: 1, title: byRest.title, content: byRest.content })
    expect(article.createdAt).toEqual(byRest.createdAt)
    expect(article.author!.name).not.toBe('')
    expect(article.author).toBe(controller.get(User, { id: article.author!.id }))
  })

  test('that REST has brought is read by GraphQL without a request', async () => {
    const { articleResource, getArticle } = createApi()
    const controller = new Controller()
    const article = await controller.fetch(articleResource.get, { id: 1 })
    expect(controller.read(getArticle, { id: 1 })).toMatchObject({ data: { article }, status: 'Valid' })
    expect((await requests()).map(({ path }) => path)).toEqual(['/article/1'])
  })

  test('that GraphQL changes is changed for readers by REST, and the other way round', async () => {
    const { articleResource, getArticle, updateArticle } = createApi()
    const controller = new Controller()
    await controller.fetch(articleResource.get, { id: 1 })
    const listener = vi.fn<(snapshot: { data: Article | undefined }) => void>()
    const end = controller.subscribe(articleResource.get, { id: 1 }, listener)
    const { updateArticle: updated } = await controller.fetch(updateArticle, {
      id: 1,
      input: { title: 'By GraphQL' },
    })
    expect(listener.mock.lastCall![0].data).toBe(updated)
    expect(updated).toMatchObject({ id: 1, title: 'By GraphQL' })
    end()

    await controller.fetch(articleResource.partialUpdate, { id: 1 }, { title: 'By REST' })
    expect(controller.read(getArticle, { id: 1 }).data!.article.title).toBe('By REST')
    expect((await sendTo(server.url, 'GET /article/1')).body.title).toBe('By REST')
  })

  test('that GraphQL deletes is gone from a list by REST', async () => {
    const { articleResource, deleteArticle } = createApi()
    const controller = new Controller()
    await controller.fetch(articleResource.getList, { limit: 3 })
    await controller.fetch(deleteArticle, { id: 2 })
    expect(controller.read(articleResource.getList, { limit: 3 }).data!.map(({ id }) => id)).toEqual([1, 3])
    expect(await sendTo(server.url, 'GET /article/2')).toMatchObject({ status: 404 })
  })

  test('that GraphQL creates is read by REST', async () => {
    const { articleResource, createArticle } = createApi()
    const controller = new Controller()
    const { createArticle: created } = await controller.fetch(createArticle, {
      input: { title: 'New', content: 'Text', author: 3 },
    })
    expect(created).toMatchObject({ id: 51, title: 'New', content: 'Text', contributors: [] })
    expect(created.author!.id).toBe(3)
    const byRest = await new Controller().fetch(articleResource.get, { id: created.id })
    expect(byRest.title).toBe('New')
  })
})

describe('the server', () => {
  test('lists articles, whole where that is asked for', async () => {
    const { gql, getArticles } = createApi()
    const controller = new Controller()
    const { articles } = await controller.fetch(getArticles, { limit: 5 })
    expect(articles.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
    const author = articles.find((article) => article.author !== null)!.author!.id
    const { articles: ofOne } = await controller.fetch(getArticles, { author })
    expect(ofOne.every((article) => article.author!.id === author)).toBe(true)
    const wholes = await gql.query(`{ articles(limit: 2, q: "") { ...Whole } } ${whole}`, {
      articles: [Article],
    })()
    expect(wholes.articles.map(({ content }) => content.length > 0)).toEqual([true, true])
  })

  test('reads users and todos by a document node', async () => {
    const { gql } = createApi()
    const document = parse(`
      query Overview($userId: Int!) {
        user(id: $userId) { id name isAdmin email website }
        users(limit: 2, offset: 1) { id }
        todos(userId: $userId, completed: null) { id userId title completed }
      }`)
    const overview = gql.query(document, { user: User, users: [User], todos: [Todo] })
    const { user, users, todos } = await new Controller().fetch(overview, { userId: 1 })
    expect(user.id).toBe(1)
    expect(users.map(({ id }) => id)).toEqual([2, 3])
    expect(todos.length).toBeGreaterThan(0)
    expect(todos.every(({ userId }) => userId === 1)).toBe(true)
  })

  test('creates, changes and deletes todos', async () => {
    const { gql } = createApi()
    const run = (text: string) => gql.mutation(text)() as Promise<Record<string, unknown>>
    expect(await run('mutation { createTodo(input: { userId: 1 }) { id title completed } }')).toEqual({
      createTodo: { id: 91, title: '', completed: false },
    })
    expect(
      await run('mutation { updateTodo(id: 91, input: { completed: true }) { id userId completed } }'),
    ).toEqual({ updateTodo: { id: 91, userId: 1, completed: true } })
    expect(await run('mutation { deleteTodo(id: 91) { id } }')).toEqual({ deleteTodo: { id: 91 } })
    expect(await sendTo(server.url, 'GET /todo/91')).toMatchObject({ status: 404 })
  })

  test('answers with all that is wrong, and the data that it has', async () => {
    const { gql } = createApi()
    const both = gql.query('{ user(id: 1) { id } article(id: 999) { id } other: article(id: 0) { id } }')
    const error = (await thrownBy(both())) as GQLNetworkError
    expect(error).toBeInstanceOf(GQLNetworkError)
    // The texts of a server are in `errors` only.
    expect(error.message).toBe(
      `query failed: 200 OK with 2 errors from POST ${server.url}/graphql; invalid at other; not-found at article.`,
    )
    expect(error.errors.map(({ message }) => message)).toEqual([
      'What article was given is invalid: id: must be a whole number from 1 to 2147483647.',
      'There is no article 999.',
    ])
    expect(error.errors.map(({ extensions }) => extensions?.code)).toEqual(['invalid', 'not-found'])
    expect(await both.extend({ partialData: 'keep' })()).toEqual({
      user: { id: 1 },
      article: null,
      other: null,
    })
  })

  test('refuses what REST refuses, in the same words', async () => {
    const { createArticle, updateArticle } = createApi()
    const controller = new Controller()
    const invalid = await thrownBy(controller.fetch(createArticle, { input: { title: '', content: '' } }))
    expect(invalid).toMatchObject({
      errors: [
        { extensions: { code: 'invalid', fields: [{ field: 'input.title' }] }, path: ['createArticle'] },
      ],
    })
    const dangling = thrownBy(controller.fetch(updateArticle, { id: 1, input: { author: 999 } }))
    expect(await dangling).toMatchObject({
      errors: [{ message: 'author: there is no record 999 to refer to.', extensions: { code: 'invalid' } }],
    })
    const missing = thrownBy(controller.fetch(updateArticle, { id: 999, input: {} }))
    expect(await missing).toMatchObject({ errors: [{ extensions: { code: 'not-found' } }] })
  })

  test('answers 400 for a document or variables that do not fit its schema', async () => {
    const { gql, getArticle } = createApi()
    const unknown = (await thrownBy(gql.query('{ nothing }')())) as GQLNetworkError
    expect(unknown).toMatchObject({ name: 'GQLNetworkError', status: 400 })
    expect(unknown.errors[0]?.message).toContain('Cannot query field "nothing" on type "Query".')
    const wrong = (await thrownBy(getArticle({ id: 'x' as never }))) as GQLNetworkError
    expect(wrong).toMatchObject({ name: 'GQLNetworkError', status: 400 })
    expect(wrong.errors[0]?.message).toContain('Int cannot represent non-integer value: "x"')
  })

  test('is slowed, failed and logged as any route', async () => {
    const { getArticle } = createApi()
    await sendTo(server.url, 'POST /_knob', { route: '/graphql', status: 503, times: 1 })
    await expect(getArticle({ id: 1 })).rejects.toMatchObject({ name: 'NetworkError', status: 503 })
    await expect(getArticle({ id: 1 })).resolves.toMatchObject({ article: { id: 1 } })
    expect((await requests()).map(({ path }) => path)).toEqual(['/graphql', '/graphql'])
  })

  test('is open to pages of this machine only', async () => {
    const headersFor = async (origin: string) =>
      (await sendTo(server.url, 'POST /graphql', { query: '{ users(limit: 1) { id } }' }, { Origin: origin }))
        .headers
    const own = await headersFor('http://localhost:5173')
    expect(own.get('access-control-allow-origin')).toBe('http://localhost:5173')
    expect((await headersFor('https://example.com')).get('access-control-allow-origin')).toBeNull()
  })
})
