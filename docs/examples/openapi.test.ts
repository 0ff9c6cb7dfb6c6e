import { Controller } from '@selfsame/core'
import { expect, test } from 'vitest'
import { addComment, credentials, isError } from './openapi/api/index.js'
import { Article, articleResource } from './openapi/article.js'

const author = { id: 1, name: 'Maja', email: null }
const article = {
  id: 5,
  title: 'One',
  status: 'published',
  author,
  createdAt: '2030-01-02T03:04:05Z',
  text: 'Long',
  blocks: [],
}

function setUp() {
  const requests: string[] = []
  const controller = new Controller({
    fetch: async (url, init) => {
      const { pathname, search } = new URL(String(url))
      requests.push(
        `${init?.method} ${pathname}${search} ${new Headers(init?.headers).get('authorization')}`,
      )
      if (pathname.endsWith('/comments'))
        return Response.json({ id: 7, articleId: 5, text: 'Fine.', author })
      if (pathname.endsWith('/articles') && init?.method === 'GET')
        return Response.json({ items: [article], nextCursor: null, total: 1 })
      if (pathname.endsWith('/77'))
        return Response.json({ message: 'no such article' }, { status: 404 })
      return Response.json(article)
    },
  })
  return { controller, requests }
}

test('what is written is called', async () => {
  const { controller, requests } = setUp()
  credentials.token = 'secret'
  await controller.fetch(articleResource.create, {
    title: 'Spring',
    text: 'It is warm.',
  })
  const { items } = await controller.fetch(articleResource.getList, {
    status: 'draft',
  })
  await controller.fetch(addComment, { articleId: 5 }, { text: 'Fine.' })
  expect(items).toHaveLength(1)
  expect(requests).toEqual([
    'POST /api/articles Bearer secret',
    'GET /api/articles?status=draft Bearer secret',
    'POST /api/articles/5/comments Bearer secret',
  ])
})

test('a subclass reads the same records', async () => {
  const { controller, requests } = setUp()
  const found = await controller.fetch(articleResource.get, { id: 5 })
  expect(found).toBeInstanceOf(Article)
  expect(found.isPublic).toBe(true)
  expect(controller.get(Article, { id: 5 })).toBe(found)
  expect(requests).toHaveLength(1)
})

test('the body of an error is typed by its status', async () => {
  const { controller } = setUp()
  const failed = await controller
    .fetch(articleResource.get, { id: 77 })
    .catch((error: unknown) => error)
  expect(isError(failed, 404) && failed.body?.message).toBe('no such article')
})
