import { Controller } from '@selfsame/core'
import { NetworkError, createResource, hookifyResource } from '@selfsame/core/rest'
import { createServer } from '@selfsame/demo-server'
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, test, vi } from 'vitest'
import { Article, ArticleSummary } from './article.js'
import { CredentialsEndpoint, createForms } from './forms.js'
import type { Forms } from './forms.js'
import { Birthday, Comment, FeedLink, FeedPost } from './records.js'
import { User } from './user.js'

const sizes = {
  users: 20,
  articles: 60,
  comments: 60,
  todos: 40,
  news: 50,
  feedItems: 45,
  birthdays: 60,
}
let server: Awaited<ReturnType<typeof createServer>>
let forms: Forms
let controller: Controller

beforeAll(async () => {
  server = await createServer({ port: 0, sizes })
  forms = createForms(server.url)
}, 180_000)
afterAll(() => server.close())
beforeEach(() => {
  controller = new Controller()
})

describe('4.3 custom endpoints', () => {
  test('an RPC answers with a record, which every reader of it sees', async () => {
    const [user] = await controller.fetch(forms.users.getList)
    const id = user?.id ?? 0
    const before = controller.get(User, { id })
    const manager = await controller.fetch(forms.makeManager, { id })
    expect(before).toBe(user)
    expect(manager).toBe(controller.get(User, { id }))
    expect(manager!.isAdmin).toBe(true)
    expect(controller.read(forms.users.getList).data?.[0]).toBe(manager)
  })

  test('the current user is not authorized without a token, and is a user with one', async () => {
    const error: unknown = await controller.fetch(forms.currentUser).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(NetworkError)
    expect(error).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
    expect(controller.read(forms.currentUser).data).toBe(undefined)
    const { useGet } = hookifyResource({ get: forms.currentUser }, () => ({
      headers: { 'Access-Token': 'user-3' },
    }))
    controller.invalidate(forms.currentUser)
    const user = await controller.fetch(useGet())
    expectTypeOf(user).toEqualTypeOf<User>()
    // Code that shows the signed-in user reads only the cache.
    expect(controller.read(forms.currentUser).data).toBe(user)
    controller.resetAll()
    expect(controller.read(forms.currentUser).data).toBe(undefined)
  })

  test('a read by POST is cached and shared', async () => {
    const { useGet } = hookifyResource({ get: forms.currentUserByPost }, () => ({
      headers: { 'Access-Token': 'user-4' },
    }))
    const [one, two] = await Promise.all([controller.fetch(useGet()), controller.fetch(useGet())])
    expect(one).toBe(two)
    expect(controller.read(forms.currentUserByPost).data).toBe(one)
  })

  test('upcoming birthdays are an object of two lists that share records', async () => {
    const { withinSevenDays, withinThirtyDays } = await controller.fetch(forms.upcomingBirthdays, {
      date: '2026-05-01',
    })
    expect(withinSevenDays[0]).toBeInstanceOf(Birthday)
    expect(withinSevenDays[0]?.date).toBeInstanceOf(Date)
    expect(withinThirtyDays).toContain(withinSevenDays[0])
  })

  test('a summary list and the full record are one record', async () => {
    const [summary] = await controller.fetch(forms.articleSummaries, { limit: 5 })
    const id = summary?.id ?? 0
    expect(summary).toBeInstanceOf(ArticleSummary)
    expect(controller.read(forms.articles.get, { id }).status).toBe('Invalid')
    const article = await controller.fetch(forms.articles.get, { id })
    expect(article).toBeInstanceOf(Article)
    expect(article.meta.viewCount).toBeGreaterThanOrEqual(0)
    await controller.fetch(forms.articles.partialUpdate, { id }, { title: 'Both' })
    expect(controller.read(forms.articleSummaries, { limit: 5 }).data?.[0]?.title).toBe('Both')
    expect(controller.get(Article, { id })?.title).toBe('Both')
  })

  test('detail and list in a wrapper: the list answers the detail', async () => {
    const { data } = await controller.fetch(forms.comments.getList, { limit: 10 })
    expect(data).toHaveLength(10)
    expect(data[0]).toBeInstanceOf(Comment)
    const id = data[0]?.id ?? 0
    expect(controller.read(forms.comments.get, { id })).toMatchObject({
      data: { data: data[0] },
      status: 'Valid',
    })
    expect((await controller.fetch(forms.comments.get, { id })).data).toBe(data[0])
  })
})

describe('4.4 pagination', () => {
  test('by a cursor: pages are appended, and the cursor is that of the last', async () => {
    const first = await controller.fetch(forms.feed)
    expect(first.results).toHaveLength(20)
    expect(first.results.every((item) => item instanceof FeedLink || item instanceof FeedPost)).toBe(true)
    await controller.fetch(forms.feed.getPage, { cursor: first.cursor })
    const two = controller.read(forms.feed).data
    expect(two?.results).toHaveLength(40)
    expect(two?.results.slice(0, 20)).toEqual(first.results)
    expect(two?.results[0]).toBe(first.results[0])
    await controller.fetch(forms.feed.getPage, { cursor: two?.cursor ?? '' })
    const all = controller.read(forms.feed).data
    expect([all?.results.length, all?.cursor]).toEqual([45, ''])
  })

  test('by tokens in the body: null where there is no page', async () => {
    const first = await controller.fetch(forms.news)
    expect([first.results.length, first.prevPage]).toEqual([20, null])
    const second = await controller.fetch(forms.news, { page: first.nextPage ?? '' })
    expect(second.results).toHaveLength(20)
    expect(second.prevPage).not.toBe(null)
    expect(second.results.some((item) => first.results.includes(item))).toBe(false)
  })

  test('by tokens in a header, through a class that endpoints share', async () => {
    const first = await controller.fetch(forms.linkedArticles, { limit: 40 })
    expect(first.results).toHaveLength(40)
    expect(first.link).toContain('rel="next"')
    const cursor = new URL(/<([^>]+)>/.exec(first.link ?? '')?.[1] ?? '').searchParams.get('cursor')
    const last = await controller.fetch(forms.linkedArticles, { limit: 40, cursor })
    expect([last.results.length, last.link]).toEqual([20, null])
    expect(controller.get(ArticleSummary, { id: first.results[0]?.id ?? 0 })).toBe(first.results[0])
  })
})

describe('5 authentication', () => {
  test('a class adds credentials to every request', async () => {
    const sent = vi.spyOn(globalThis, 'fetch')
    const users = createResource({
      urlPrefix: server.url,
      path: '/user/:id',
      schema: User,
      Endpoint: CredentialsEndpoint,
    })
    await controller.fetch(users.get, { id: 1 })
    expect(sent.mock.calls[0]?.[1]).toMatchObject({ credentials: 'same-origin' })
    sent.mockRestore()
  })
})

describe('4.1 the six members', () => {
  test('against the server: a todo is created, read, changed, replaced, listed and deleted', async () => {
    const { todos } = forms
    await controller.fetch(todos.getList, { userId: 1 })
    const created = await controller.fetch(todos.create, { userId: 1, title: 'new' })
    const { id } = created!
    expect(controller.read(todos.getList, { userId: 1 }).data?.at(-1)).toBe(created)
    expect(controller.read(todos.get, { id })).toMatchObject({ data: created, status: 'Valid' })
    expect((await controller.fetch(todos.partialUpdate, { id }, { completed: true }))!.title).toBe('new')
    expect(
      await controller.fetch(todos.update, { id }, { userId: 2, title: 'moved', completed: false }),
    ).toMatchObject({
      userId: 2,
      completed: false,
    })
    expect(controller.read(todos.getList, { userId: 1 }).data?.some((todo) => todo.id === id)).toBe(false)
    expect(await controller.fetch(todos.delete, { id })).toEqual({ id })
    expect(controller.read(todos.get, { id }).status).toBe('Invalid')
    await expect(controller.fetch(todos.get, { id })).rejects.toMatchObject({ status: 404 })
  })

  test('errors carry the status and the fields of the server', async () => {
    const error = await controller.fetch(forms.users.create, { name: '' }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      status: 422,
      body: { error: 'invalid', fields: expect.any(Array) as unknown },
    })
  })
})
