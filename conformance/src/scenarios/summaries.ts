import { expect } from 'vitest'
import { Friend, articleFields, lazyFriends, userFields } from '../fixtures.js'
import type { Article, ArticleSummary, Link, Post, User } from '../fixtures.js'
import { scenario, shown, shownError } from '../suite.js'
import type { Stage } from '../suite.js'

const listRoute = 'GET /article'

/** Mounts a list of two summaries. */
async function mountSummaries({ api, mount, server, settle }: Stage) {
  server.route(listRoute, [
    { id: 1, title: 'Summary 1' },
    { id: 2, title: 'Summary 2' },
  ])
  const list = await mount('useSuspense', api.summaries)
  await settle()
  expect(shown(list)).toHaveLength(2)
  return list
}

scenario(
  'S14/detail',
  'the detail of a summary is fetched once, and its list stays on screen',
  async (stage) => {
    const { api, mount, server, settle } = stage
    const list = await mountSummaries(stage)
    const { fallbacks } = list
    const cached = await mount('useCache', api.article.get, { id: 1 })
    await settle()
    expect(shown(cached)).toBeUndefined()
    server.hold('GET /article/1')
    const detail = await mount('useSuspense', api.article.get, { id: 1 })
    await settle()
    expect(detail.current()).toEqual({ state: 'fallback' })
    expect(shown(list)).toMatchObject([{ title: 'Summary 1' }, { title: 'Summary 2' }])
    server.release()
    await settle()
    expect(shown(detail)).toMatchObject({ content: 'Content 1' })
    expect(shown(cached)).toBe(shown(detail))
    await detail.change({ id: 2 })
    await settle()
    expect(shown(detail)).toMatchObject({ content: 'Content 2' })
    await detail.change({ id: 1 })
    await settle()
    expect(shown(detail)).toMatchObject({ content: 'Content 1' })
    expect(shown(list)).toMatchObject([{ title: 'Article 1' }, { title: 'Article 2' }])
    expect(list.fallbacks).toBe(fallbacks)
    expect(server.requests).toEqual([listRoute, 'GET /article/1', 'GET /article/2'])
  },
)

scenario(
  'S14/other',
  'the full record of another article changes no summary, although its class names more fields',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const list = await mountSummaries(stage)
    const before = shown(list)
    const { renders } = list
    server.route('GET /article/3', articleFields(3))
    await controller.fetch(api.article.get, { id: 3 })
    await settle()
    expect(shown(list)).toBe(before)
    expect(list.renders).toBe(renders)
  },
)

scenario(
  'S14/PATCH',
  'a partial answer is usable when the merged record is, and leaves the full fields',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mountSummaries(stage)
    const detail = await mount('useSuspense', api.article.get, { id: 1 })
    await settle()
    const { fallbacks } = detail
    server.route('PATCH /article/1', { id: 1, title: 'Changed' })
    await controller.fetch(api.article.partialUpdate, { id: 1 }, { title: 'Changed' })
    await settle()
    expect(shown(detail)).toMatchObject({ title: 'Changed', content: 'Content 1' })
    expect((shown(list) as ArticleSummary[])[0]).toMatchObject({ title: 'Changed' })
    expect(detail.fallbacks).toBe(fallbacks)
    expect(server.requests).toEqual([listRoute, 'GET /article/1', 'PATCH /article/1'])
  },
)

scenario(
  'S14/never complete',
  'a detail that the server never completes is one error that names the field, by one request',
  async (stage) => {
    const { api, controller, mount, pass, server, settle } = stage
    const list = await mountSummaries(stage)
    server.route('GET /article/1', { id: 1, title: 'Still a summary' })
    const detail = await mount('useSuspense', api.article.get, { id: 1 })
    await settle()
    const error = shownError(detail) as Error
    expect(error.message).toContain('Article.get')
    expect(error.message).toContain('content is missing')
    // The rejected response is not stored, and the list is unchanged.
    expect(shown(list)).toMatchObject([{ title: 'Summary 1' }, { title: 'Summary 2' }])
    await detail.rerender()
    await pass(10_000)
    await controller.fetch(api.summaries)
    await settle()
    expect(shownError(detail)).toBe(error)
    expect(server.requests).toEqual([listRoute, 'GET /article/1', listRoute])
    server.route('GET /article/1', articleFields(1))
    await detail.reset()
    await settle()
    expect(shown(detail)).toMatchObject({ content: 'Content 1' })
    expect(server.requests).toEqual([listRoute, 'GET /article/1', listRoute, 'GET /article/1'])
  },
  { isLogged: true },
)

scenario(
  'S14/list of full records',
  'a list read through the full class drops what is only a summary, and shows it once it is complete',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    await mountSummaries(stage)
    const full = await mount('useSuspense', api.article.getList)
    await settle()
    expect(shown(full)).toEqual([])
    const article = await controller.fetch(api.article.get, { id: 2 })
    await settle()
    expect(shown(full)).toEqual([article])
    expect(server.requests).toEqual([listRoute, listRoute, 'GET /article/2'])
  },
)

scenario(
  'S13/list',
  'a nested record that arrives with somebody else’s list is shown by its mounted parents',
  async (stage) => {
    const { api, mount, server, settle } = stage
    server.route('GET /article/1', articleFields(1, { author: 1, contributors: [2, 1] }))
    server.route('GET /article/2', articleFields(2, { author: 2, contributors: [] }))
    const first = await mount('useSuspense', api.article.get, { id: 1 })
    const second = await mount('useSuspense', api.article.get, { id: 2 })
    await settle()
    expect(shown(first)).toMatchObject({ author: undefined, contributors: [] })
    const { fallbacks } = first
    const users = await mount('useSuspense', api.user.getList)
    await settle()
    const [one, two] = shown(users) as User[]
    expect((shown(first) as Article).author).toBe(one)
    expect((shown(first) as Article).contributors).toEqual([two, one])
    expect((shown(second) as Article).author).toBe(two)
    expect(first.fallbacks).toBe(fallbacks)
    expect(server.requests).toEqual(['GET /article/1', 'GET /article/2', 'GET /user'])
  },
)

scenario('S13/again', 'a nested record that was deleted is shown again when it comes back', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  server.route('DELETE /user/1', {})
  server.route('PUT /user/1', userFields(1, { name: 'Ada' }))
  const reader = await mount('useSuspense', api.article.get, { id: 1 })
  await settle()
  await controller.fetch(api.user.delete, { id: 1 })
  await settle()
  expect((shown(reader) as Article).author).toBeUndefined()
  const user = await controller.fetch(api.user.update, { id: 1 }, { name: 'Ada' })
  await settle()
  expect((shown(reader) as Article).author).toBe(user)
})

scenario('S26', 'members of different classes with equal primary keys are two records', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const feed = await mount('useSuspense', api.feed)
  const link = await mount('useCache', api.link.get, { id: 1 })
  const post = await mount('useCache', api.post.get, { id: 1 })
  await settle()
  const [first, second] = shown(feed) as [Link, Post]
  expect(first).toMatchObject({ type: 'link', url: 'https://example.com' })
  expect(second).toMatchObject({ type: 'post', content: 'Content 1' })
  expect(shown(link)).toBe(first)
  expect(shown(post)).toBe(second)
  controller.set(api.post.get.schema, { id: 1 }, { content: 'Changed' })
  await settle()
  expect((shown(feed) as [Link, Post])[0]).toBe(first)
  expect((shown(feed) as [Link, Post])[1]).toMatchObject({ content: 'Changed' })
  server.route('DELETE /link/1', {})
  await controller.fetch(api.link.delete, { id: 1 })
  await settle()
  expect(shown(feed)).toEqual([shown(post)])
  expect(server.requests).toEqual(['GET /feed', 'DELETE /link/1'])
})

scenario(
  '2.1/Union/delete',
  'a list of records of several classes drops the one that was deleted, and is fetched again where nothing tells which',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const items = [
      { id: 1, type: 'link', url: 'https://example.com' },
      { id: 1, type: 'post', content: 'Content 1' },
      { id: 2, type: 'post', content: 'Content 2' },
    ]
    server.route('GET /item', items)
    const list = await mount('useSuspense', api.item.getList)
    await settle()
    const [link, post] = shown(list) as [Link, Post]
    server.route('DELETE /item/2', {})
    await controller.fetch(api.item.delete, { id: 2 })
    await settle()
    expect(shown(list)).toEqual([link, post])
    server.route('DELETE /item/1', {})
    server.route('GET /item', items.slice(1, 2))
    server.hold('GET /item')
    await controller.fetch(api.item.delete, { id: 1 })
    await settle()
    expect(shown(list)).toEqual([link, post])
    server.release()
    await settle()
    expect(shown(list)).toEqual([post])
    expect(server.requests).toEqual(['GET /item', 'DELETE /item/2', 'DELETE /item/1', 'GET /item'])
  },
)

scenario(
  'S8',
  'a member of an unknown kind is shown as it was sent, and is no record',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const unknown = [
      { id: 1, type: 'video', schema: 'post', key: 'Post', pk: '1' },
      { id: 1, type: 'constructor' },
      { id: 1, type: '__proto__' },
    ]
    server.route('GET /feed', [{ id: 1, type: 'post', content: 'Content 1' }, ...unknown])
    const feed = await mount('useSuspense', api.feed)
    await settle()
    const [post, ...others] = shown(feed) as unknown[]
    expect(post).toMatchObject({ content: 'Content 1' })
    expect(others).toEqual(unknown)
    controller.set(api.post.get.schema, { id: 1 }, { content: 'Changed' })
    await settle()
    expect((shown(feed) as unknown[]).slice(1)).toEqual(unknown)
    ;(shown(feed) as unknown[]).slice(1).forEach((other, index) => expect(other).toBe(others[index]))
  },
  // Development builds warn about the first response.
  { isLogged: true },
)

scenario(
  '2.1/Lazy',
  'a lazy relation shows primary keys, and is resolved by its query without a request',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const reader = await mount('useSuspense', api.friend.get, { id: 1 })
    await settle()
    const friend = shown(reader) as Friend
    expect(friend.friends).toEqual(['2', '3'])
    const { query } = lazyFriends
    const resolved = await mount('useCache', query, friend.friends)
    const idle = await mount('useCache', query, null)
    await settle()
    expect(shown(resolved)).toMatchObject([{ name: 'Friend 2' }, { name: 'Friend 3' }])
    expect(shown(idle)).toBeUndefined()
    const { renders } = reader
    controller.set(Friend, { id: 2 }, { name: 'Ada' })
    await settle()
    expect(shown(resolved)).toMatchObject([{ name: 'Ada' }, { name: 'Friend 3' }])
    expect(shown(reader)).toBe(friend)
    expect(reader.renders).toBe(renders)
    await idle.change(['3'])
    await settle()
    expect((shown(idle) as Friend[])[0]).toBe((shown(resolved) as Friend[])[1])
    controller.set(Friend, { id: 4 }, { name: 'Late' })
    await idle.change(['3', '4'])
    await settle()
    expect(shown(idle)).toMatchObject([{ name: 'Friend 3' }, { name: 'Late' }])
    expect(server.requests).toEqual(['GET /friend/1'])
  },
)
