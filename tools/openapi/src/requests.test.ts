import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Controller } from '@selfsame/core'
import { parseYaml } from '@redocly/openapi-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type * as written from '../golden/blog/index.js'
import { generateFiles } from './testing-generate.js'
import { backendOf, serve } from './testing-server.js'
import type { TestServer } from './testing-server.js'
import { startValidator } from './testing-validator.js'

// What is written of a description calls a server that answers by the same description: requests and answers are checked against it.

const root = join(import.meta.dirname, '../../..')
const folder = join(root, 'node_modules/.cache/openapi-requests')
const source = parseYaml(readFileSync(join(import.meta.dirname, '../golden/blog.yaml'), 'utf8')) as object

type Fields = Record<string, unknown>
type Api = typeof written

let api: Api
let server: TestServer
let controller: Controller
const users: Fields[] = [
  { id: 1, name: 'Maja', email: null },
  { id: 2, name: 'Jo', email: 'jo@example.com' },
]
let articles: Fields[]
let comments: Fields[]
let form: unknown
const summaryOf = ({ id, title, status, author, createdAt }: Fields) => ({
  id,
  title,
  status,
  author,
  createdAt,
})

const backend = backendOf(source)
backend.register({
  listArticles: () => [200, { items: articles.map(summaryOf), nextCursor: null, total: articles.length }],
  getArticle: ({ request }) =>
    answerTo(articles.find(({ id }) => String(id) === request.params['articleId'])),
  createArticle: ({ request }) => {
    const created = {
      ...articles[0],
      ...(request.requestBody as Fields),
      id: 9,
      author: users[1],
      status: 'draft',
      blocks: [],
    }
    articles.push(created)
    return [201, created]
  },
  editArticle: ({ request }) => {
    const found = articles.find(({ id }) => String(id) === request.params['articleId'])
    Object.assign(found ?? {}, request.requestBody)
    return answerTo(found)
  },
  deleteArticle: ({ request }) => {
    articles = articles.filter(({ id }) => String(id) !== request.params['articleId'])
    return [204, undefined]
  },
  uploadCover: ({ request }) => {
    form = request.requestBody
    return answerTo(articles.find(({ id }) => String(id) === request.params['articleId']))
  },
  listComments: () => [200, comments],
  addComment: ({ request }) => {
    const created = { id: 8, articleId: 5, author: users[0], ...(request.requestBody as Fields) }
    comments.push(created)
    return [201, created]
  },
  listUsers: () => [200, users],
  getUser: ({ request }) => answerTo(users.find(({ id }) => String(id) === request.params['id'])),
  getStatistics: () => [200, { articles: 2, byStatus: { draft: 2 } }],
  validationFail: ({ validation }) => [400, { message: JSON.stringify(validation.errors) }],
  notFound: () => [404, { message: 'no such path' }],
  unauthorizedHandler: () => [401, { message: 'no token' }],
})
backend.registerSecurityHandler(
  'session',
  ({ request }) => request.headers['authorization'] === 'Bearer secret',
)

const answerTo = (found: Fields | undefined) =>
  found === undefined ? [404, { message: 'no such record' }] : [200, found]

beforeAll(async () => {
  server = await serve(backend, await startValidator(source))
  const { files } = await generateFiles(source, { urlPrefix: server.urlPrefix })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { path, text } of files) writeFileSync(join(folder, path), text)
  api = (await import(/* @vite-ignore */ join(folder, 'index.ts'))) as Api
})

afterAll(() => server.close())

beforeEach(() => {
  const createdAt = '2030-01-02T03:04:05.000Z'
  const blocks = [
    { id: 'p1', kind: 'picture', url: '/p1.png' },
    { id: 'q1', kind: 'quote', text: 'Yes', by: users[0] },
  ]
  articles = [
    {
      id: 5,
      title: 'One',
      status: 'draft',
      author: users[0],
      createdAt,
      text: 'Long',
      blocks,
      reviewer: users[1],
    },
    {
      id: 6,
      title: 'Two',
      status: 'draft',
      author: users[0],
      createdAt,
      text: 'Longer',
      blocks: [],
      reviewer: null,
    },
  ]
  comments = [{ id: 7, articleId: 5, text: 'Hm', author: users[0] }]
  server.requests.length = 0
  api.credentials.token = 'secret'
  controller = new Controller()
})

const listed = () => controller.read(api.articleResource.getList).data

test('a list, a detail and a nested record are the selfsame object', async () => {
  const { items, total } = await controller.fetch(api.articleResource.getList)
  expect([items.length, total, items[0]?.createdAt]).toEqual([2, 2, new Date('2030-01-02T03:04:05.000Z')])
  const article = await controller.fetch(api.articleResource.get, { id: 5 })
  expect(article).toBeInstanceOf(api.Article)
  const user = await controller.fetch(api.userResource.get, { id: 1 })
  expect(user).toBeInstanceOf(api.User)
  expect(article.author).toBe(user)
  expect(article.blocks[1]).toMatchObject({ kind: 'quote', by: user })
  expect((article.blocks[1] as InstanceType<Api['Quote']>).by).toBe(user)
  expect(listed()?.items.every(({ author }) => author === user)).toBe(true)
  expect(server.requests).toEqual(['GET /articles', 'GET /articles/5', 'GET /users/1'])
})

test('a summary is no whole record: a read of that fetches it, and the list has what it brings', async () => {
  await controller.fetch(api.articleResource.getList)
  const before = controller.read(api.articleResource.get, { id: 5 }).data
  expect(before).toBe(undefined)
  articles[0] = { ...articles[0], title: 'Renamed' }
  await controller.fetch(api.articleResource.get, { id: 5 })
  expect(listed()?.items[0]?.title).toBe('Renamed')
})

test('create joins the list, an update changes it, and delete leaves it', async () => {
  await controller.fetch(api.articleResource.getList)
  const created = await controller.fetch(api.articleResource.create, { title: 'Three', text: 'New' })
  expect(listed()?.items.map(({ title }) => title)).toEqual(['One', 'Two', 'Three'])
  await controller.fetch(api.articleResource.partialUpdate, { id: created.id }, { title: 'Third' })
  expect(listed()?.items.at(-1)?.title).toBe('Third')
  await controller.fetch(api.articleResource.delete, { id: created.id })
  expect(listed()?.items.map(({ id }) => id)).toEqual([5, 6])
  expect(server.requests).toEqual([
    'GET /articles',
    'POST /articles',
    'PATCH /articles/9',
    'DELETE /articles/9',
  ])
})

test('a list below a record takes what is added to it', async () => {
  await controller.fetch(api.listComments, { articleId: 5 })
  await controller.fetch(api.addComment, { articleId: 5 }, { text: 'Ah' })
  const found = controller.read(api.listComments, { articleId: 5 }).data
  expect(found?.map(({ text }) => text)).toEqual(['Hm', 'Ah'])
  expect(found?.[0]?.author).toBe(found?.[1]?.author)
})

test('a form is sent with its file', async () => {
  await controller.fetch(
    api.uploadCover,
    { articleId: 5 },
    { file: new Blob(['bytes'], { type: 'image/png' }), alt: 'A hill' },
  )
  expect(form).toEqual({ file: 'bytes', alt: 'A hill' })
})

test('a response without records has its type, and a failure its status', async () => {
  expect(await controller.fetch(api.getStatistics)).toEqual({ articles: 2, byStatus: { draft: 2 } })
  const failed = await controller.fetch(api.articleResource.get, { id: 77 }).catch((error: unknown) => error)
  expect([api.isError(failed, 404), api.isError(failed, 500)]).toEqual([true, false])
})

test('requests are signed by what one place says', async () => {
  api.credentials.token = ''
  const failed = await controller.fetch(api.userResource.getList).catch((error: unknown) => error)
  expect(api.isError(failed, 401)).toBe(true)
  api.credentials.token = 'secret'
  expect(await controller.fetch(api.userResource.getList)).toHaveLength(2)
})
