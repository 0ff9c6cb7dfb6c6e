import { expect } from 'vitest'
import { Todo, articleFields, todoFields, userFields } from '../fixtures.js'
import type { Article, ArticleSummary, User } from '../fixtures.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

scenario('G1', 'one record through list, detail and nested field is the selfsame object', async (stage) => {
  const { api, mount, server, settle } = stage
  const articles = await mount('useSuspense', api.article.getList)
  await settle()
  const users = await mount('useSuspense', api.user.getList)
  await settle()
  const article = await mount('useSuspense', api.article.get, { id: 1 })
  const user = await mount('useSuspense', api.user.get, { id: 1 })
  const cached = await mount('useCache', api.user.get, { id: '1' })
  await settle()
  const author = shown(user)
  const [first, second] = shown(articles) as Article[]
  expect(shown(article)).toBe(first)
  expect(first?.author).toBe(author)
  expect(first?.contributors[0]).toBe(author)
  expect(second?.author).toBe(author)
  expect((shown(users) as User[])[0]).toBe(author)
  expect(shown(cached)).toBe(author)
  expect(server.requests).toEqual(['GET /article', 'GET /user'])
})

scenario('G1/change', 'a change through one reader is seen by all, without a request', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const articles = await mount('useSuspense', api.article.getList)
  await settle()
  const article = await mount('useSuspense', api.article.get, { id: 1 })
  const user = await mount('useSuspense', api.user.get, { id: 1 })
  await settle()
  await controller.fetch(api.user.partialUpdate, { id: 1 }, { name: 'Ada' })
  await settle()
  expect(shown(user)).toMatchObject({ name: 'Ada', email: 'user1@example.com' })
  expect((shown(article) as Article).author).toBe(shown(user))
  expect((shown(articles) as Article[])[1]?.author).toBe(shown(user))
  expect((shown(articles) as Article[])[0]).toBe(shown(article))
  expect(server.requests).toEqual(['GET /article', 'PATCH /user/1'])
})

scenario('G1/set', 'controller.set shows in every reader of the record', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const list = await mount('useSuspense', api.todo.getList)
  await settle()
  const detail = await mount('useCache', api.todo.get, { id: 5 })
  const other = (shown(list) as Todo[])[1]
  controller.set(api.todo.get.schema, { id: 5 }, { completed: true })
  await settle()
  expect(shown(detail)).toMatchObject({ completed: true, title: 'Todo 5' })
  expect((shown(list) as Todo[])[0]).toBe(shown(detail))
  expect((shown(list) as Todo[])[1]).toBe(other)
  expect(server.requests).toEqual(['GET /todo'])
})

scenario.onReact18('G2', 'the same answer again changes no identity and tells no reader', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const reader = await mount('useSuspense', api.article.getList)
  await settle()
  const data = shown(reader)
  const { renders } = reader
  await controller.fetch(api.article.getList)
  await settle()
  expect(shown(reader)).toBe(data)
  expect(reader.renders).toBe(renders)
  expect(server.requests).toEqual(['GET /article', 'GET /article'])
})

scenario('G2/elsewhere', 'a change of another record tells no reader', async (stage) => {
  const { api, controller, mount, settle } = stage
  const todo = await mount('useSuspense', api.todo.get, { id: 5 })
  const user = await mount('useCache', api.user.get, { id: 1 })
  await settle()
  const { renders } = todo
  const data = shown(todo)
  controller.set(api.todo.get.schema, { id: 6 }, { title: 'Other' })
  controller.set(api.user.get.schema, { id: 1 }, { name: 'Ada' })
  await settle()
  expect(shown(user)).toMatchObject({ name: 'Ada' })
  expect(shown(todo)).toBe(data)
  expect(todo.renders).toBe(renders)
})

scenario.everywhere(
  'G3',
  'an answer that changes many records wakes a reader once, not once for each',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const ids = Array.from({ length: 50 }, (_, index) => index + 1)
    server.route(
      'GET /todo',
      ids.map((id) => todoFields(id)),
    )
    const list = await mount('useSuspense', api.todo.getList)
    await settle()
    const { renders } = list
    server.route(
      'GET /todo',
      ids.map((id) => todoFields(id, { completed: true })),
    )
    await controller.fetch(api.todo.getList)
    await settle()
    expect((shown(list) as Todo[]).every(({ completed }) => completed)).toBe(true)
    // React renders a deferred value twice: once urgently with the old data.
    expect(list.renders - renders).toBeLessThanOrEqual(2)
  },
)

scenario.onReact18(
  'S12',
  'a deleted record leaves lists and nested fields, without a request',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    server.route('DELETE /user/1', {})
    const articles = await mount('useSuspense', api.article.getList)
    const users = await mount('useSuspense', api.user.getList)
    await settle()
    await controller.fetch(api.user.delete, { id: 1 })
    await settle()
    expect((shown(users) as User[]).map(({ id }) => id)).toEqual([2])
    const [first] = shown(articles) as Article[]
    expect(first?.author).toBeUndefined()
    expect(first?.contributors.map(({ id }) => id)).toEqual([2])
    expect(articles.fallbacks).toBeLessThanOrEqual(1)
    expect(server.requests).toEqual(['GET /article', 'GET /user', 'DELETE /user/1'])
  },
)

scenario('S13', 'a record that a nested field names is joined when it arrives', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  server.route('GET /article/1', articleFields(1, { author: 7, contributors: [7] }))
  server.route('GET /user/7', userFields(7))
  const reader = await mount('useSuspense', api.article.get, { id: 1 })
  await settle()
  expect((shown(reader) as Article).author).toBeUndefined()
  const user = await controller.fetch(api.user.get, { id: 7 })
  await settle()
  expect((shown(reader) as Article).author).toBe(user)
  expect((shown(reader) as Article).contributors).toEqual([user])
})

scenario('S14', 'a summary does not stand for the full record, nor wipe it', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  server.route('GET /article', [{ id: 1, title: 'Summary 1', author: 1 }])
  server.hold('GET /article/1')
  const list = await mount('useSuspense', api.summaries)
  await settle()
  const detail = await mount('useSuspense', api.article.get, { id: 1 })
  await settle()
  expect(shown(list)).toHaveLength(1)
  expect(detail.current()).toEqual({ state: 'fallback' })
  server.release()
  await settle()
  expect(shown(detail)).toMatchObject({ title: 'Article 1', content: 'Content 1' })
  expect((shown(list) as ArticleSummary[])[0]).toMatchObject({ title: 'Article 1' })
  await controller.fetch(api.summaries)
  await settle()
  expect(shown(detail)).toMatchObject({ title: 'Summary 1', content: 'Content 1' })
  expect(server.requests).toEqual(['GET /article', 'GET /article/1', 'GET /article'])
})

scenario('S25', 'a serialized field is the same value until the field changes', async (stage) => {
  const { api, controller, mount, settle } = stage
  const reader = await mount('useSuspense', api.article.get, { id: 1 })
  await settle()
  const { createdAt } = shown(reader) as Article
  expect(createdAt).toEqual(new Date('2026-01-01'))
  controller.set(api.article.get.schema, { id: 1 }, { title: 'Other' })
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Other' })
  expect((shown(reader) as Article).createdAt).toBe(createdAt)
})

scenario.onReact18('F14', 'readers under two Controllers never meet', async (stage) => {
  const { api, controller, mount, open, server, settle } = stage
  const other = open()
  const first = await mount('useSuspense', api.todo.get, { id: 5 })
  const second = await other.mount('useSuspense', api.todo.get, { id: 5 })
  await settle()
  expect(server.requests).toEqual(['GET /todo/5', 'GET /todo/5'])
  expect(shown(first)).not.toBe(shown(second))
  controller.set(api.todo.get.schema, { id: 5 }, { title: 'Only here' })
  await settle()
  expect(shown(first)).toMatchObject({ title: 'Only here' })
  expect(shown(second)).toMatchObject({ title: 'Todo 5' })
})

scenario('1/POST that reads', 'a POST declared as a read is read like a GET', async (stage) => {
  const { api, mount, server, settle } = stage
  const reader = await mount('useSuspense', api.search, { text: 'milk' })
  await settle()
  const detail = await mount('useCache', api.todo.get, { id: 5 })
  expect(shown(reader)).toEqual([shown(detail)])
  expect(server.requests).toEqual(['POST /search'])
})

scenario('E6/body of a read', 'a POST that reads is another call with another body', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const found = { milk: 5, tea: 6 }
  server.route('POST /search', ({ body }: { body: { text: 'milk' | 'tea' } }) => [
    { id: found[body.text], title: body.text },
  ])
  const milk = await mount('useSuspense', api.search, { text: 'milk' })
  const reader = await mount('useSuspense', api.search, { text: 'tea' })
  await settle()
  expect(shown(milk)).toMatchObject([{ id: 5, title: 'milk' }])
  expect(shown(reader)).toMatchObject([{ id: 6, title: 'tea' }])
  await reader.change({ text: 'milk' })
  await settle()
  expect(shown(reader)).toBe(shown(milk))
  expect(server.requests).toEqual(['POST /search', 'POST /search'])
  controller.invalidateAll(api.search)
  await settle()
  expect(server.requests).toHaveLength(3)
})

scenario(
  '1/generic endpoint',
  'an endpoint that is not REST is read, shared and stored alike',
  async (stage) => {
    const { api, mount, server, settle } = stage
    const reader = await mount('useSuspense', api.greet, { id: 5 })
    const other = await mount('useSuspense', api.greet, { id: 5 })
    await settle()
    const detail = await mount('useCache', api.todo.get, { id: 5 })
    expect(shown(reader)).toMatchObject({ greeting: 'Hello' })
    expect((shown(reader) as { todo: Todo }).todo).toBe(shown(detail))
    expect(shown(other)).toBe(shown(reader))
    expect(server.requests).toEqual(['greet 5'])
  },
)

const ways = {
  'a list': ({ api, controller }: Stage) => controller.fetch(api.todo.getList, {}),
  set: ({ controller }: Stage) => controller.set(Todo, { id: 5 }, todoFields(5)),
  'a mutation': ({ api, controller }: Stage) => controller.fetch(api.todo.update, { id: 5 }, todoFields(5)),
  'a message': ({ api, controller }: Stage) => controller.setResponse(api.todo.getList, {}, [todoFields(5)]),
} as const

for (const [way, bring] of Object.entries(ways))
  for (const hook of ['useSuspense', 'useDLE'] as const)
    scenario(
      `4.4/waiting/${way}/${hook}`,
      'a reader whose request is on its way shows its record as soon as it comes in another way',
      async (stage) => {
        const { api, mount, server, settle } = stage
        server.hold('GET /todo/5')
        server.route('GET /todo', [todoFields(5)])
        server.route('PUT /todo/5', todoFields(5))
        const reader = await mount(hook, api.todo.get, { id: 5 })
        await settle()
        await bring(stage)
        await settle()
        const record = hook === 'useSuspense' ? shown(reader) : (shown(reader) as { data: Todo }).data
        expect(record).toMatchObject({ id: 5 })
        server.release()
        await settle()
      },
    )
