import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { Controller } from '@selfsame/core'
import { createMockController } from '@selfsame/core/testing'
import { setupServer } from 'msw/node'
import { expect, test } from 'vitest'
import {
  Article,
  articleResource,
  User,
  userResource,
  listComments,
  addComment,
} from '../golden/blog/index.js'
import { defineMocks } from './mocks.js'
import { toHandlers } from './msw.js'
import { wrongAnswersOf } from './testing-mocked.js'

const blog = parseYaml(readFileSync(join(import.meta.dirname, '../golden/blog.yaml'), 'utf8')) as object
test('a mock Controller lists, reads, creates, changes and deletes records', async () => {
  const controller = createMockController(defineMocks(blog).options)
  const { items, total } = await controller.fetch(articleResource.getList)
  expect([items.length, total]).toEqual([3, 3])
  const [first] = items
  const article = await controller.fetch(articleResource.get, { id: first!.id })
  expect(article).toBeInstanceOf(Article)
  expect(article.title).toBe(first!.title)
  expect(article.createdAt.getTime()).toBeGreaterThan(0)
  const created = await controller.fetch(articleResource.create, { title: 'Mine', text: 'All of it' })
  expect(created).toMatchObject({ title: 'Mine', text: 'All of it' })
  await controller.fetch(articleResource.partialUpdate, { id: created.id }, { title: 'Renamed' })
  controller.invalidateAll(articleResource.getList)
  const again = await controller.fetch(articleResource.getList)
  expect(again.items.map(({ title }) => title)).toContain('Renamed')
  await controller.fetch(articleResource.delete, { id: created.id })
  await expect(
    controller.fetch(articleResource.get.extend({ dataExpiryLength: 1 }), { id: created.id }),
  ).rejects.toMatchObject({
    status: 404,
  })
})

test('a record in another one is that of its list', async () => {
  const controller = createMockController(defineMocks(blog).options)
  const users = await controller.fetch(userResource.getList)
  const article = await controller.fetch(articleResource.get, { id: 1 })
  expect(article.author).toBeInstanceOf(User)
  expect(users).toContain(article.author)
})

test('a list below a record takes what is posted to it', async () => {
  const controller = createMockController(defineMocks(blog).options)
  await controller.fetch(listComments, { articleId: 1 })
  await controller.fetch(addComment, { articleId: 1 }, { text: 'Fine.' })
  expect(controller.read(listComments, { articleId: 1 }).data?.map(({ text }) => text)).toContain('Fine.')
})

test('equal seeds give equal data, and reset forgets what was created', async () => {
  const list = async (mocks: ReturnType<typeof defineMocks>) =>
    (await mocks.fetch('https://blog.example.com/api/articles')).json() as Promise<{ items: unknown[] }>
  const mocks = defineMocks(blog, { seed: 5, count: 4 })
  const before = await list(mocks)
  expect(before.items).toHaveLength(4)
  expect(await list(defineMocks(blog, { seed: 5, count: 4 }))).toEqual(before)
  expect(await list(defineMocks(blog, { seed: 6, count: 4 }))).not.toEqual(before)
  await mocks.fetch('https://blog.example.com/api/articles', {
    method: 'POST',
    body: '{ "title": "x", "text": "y" }',
  })
  expect((await list(mocks)).items).toHaveLength(5)
  mocks.reset()
  expect(await list(mocks)).toEqual(before)
})

test('records that are given, and examples of the description, win over what is made up', async () => {
  const source = structuredClone(blog) as {
    components: { schemas: { User: { properties: { name: { example?: string } } } } }
  }
  source.components.schemas.User.properties.name.example = 'Maja Lind'
  const users = async (mocks: ReturnType<typeof defineMocks>) =>
    (await (await mocks.fetch('https://blog.example.com/api/users')).json()) as { name: string }[]
  expect((await users(defineMocks(source)))[0]?.name).toBe('Maja Lind')
  const told = await users(defineMocks(source, { records: { User: [{ id: 7, name: 'Jo' }] } }))
  expect(told).toMatchObject([{ id: 7, name: 'Jo' }])
})

/** A description with people, who are asked for by their names. */
const people = (name: object) => {
  const person = {
    type: 'object',
    required: ['id', 'username'],
    properties: { id: { type: 'integer' }, username: { type: 'string', ...name } },
  }
  const answer = (schema: object) => ({
    responses: { 200: { description: '', content: { 'application/json': { schema } } } },
  })
  return {
    openapi: '3.1.0',
    paths: {
      '/people': { get: answer({ type: 'array', items: person }) },
      '/people/{username}': { get: answer(person), delete: { responses: { 204: { description: '' } } } },
    },
  }
}

test('a record is found by the field that its path names', async () => {
  const mocks = defineMocks(people({}))
  const read = async (path: string) => (await mocks.fetch(path)).json() as Promise<unknown>
  const [first, ...others] = (await read('/people')) as { id: number; username: string }[]
  expect(await read(`/people/${first!.username}`)).toEqual(first)
  const other = (await read('/people/somebody')) as { id: unknown; username: string }
  expect(other.username).toBe('somebody')
  expect(other.id).toBeTypeOf('number')
  await mocks.fetch(`/people/${first!.username}`, { method: 'DELETE' })
  expect((await mocks.fetch(`/people/${first!.username}`)).status).toBe(404)
  const left = (await read('/people')) as { username: string }[]
  expect(left.map(({ username }) => username)).toEqual([
    ...others.map(({ username }) => username),
    'somebody',
  ])
})

test.each([
  String.raw`^\d{10}\.\d{6}$`,
  '^[UW][A-Z0-9]{8,}$|^$',
  '^([a-fA-F0-9]{6})?$',
  String.raw`^(?:user|team)-[\w]{3,5}$`,
  String.raw`^\w+@example\.com$`,
  '^/v1/file_links',
])('text fits its pattern: %s', async (pattern) => {
  const users = (await (await defineMocks(people({ pattern })).fetch('/people')).json()) as {
    username: string
  }[]
  expect(users).toHaveLength(3)
  for (const { username } of users) expect(username).toMatch(new RegExp(pattern, 'u'))
})

test('Mock Service Worker answers by the description, and leaves other requests alone', async () => {
  const server = setupServer(...toHandlers(defineMocks(blog)))
  server.listen({ onUnhandledRequest: 'error' })
  try {
    const controller = new Controller()
    expect((await controller.fetch(userResource.get, { id: 2 })).id).toBe(2)
    await expect(fetch('http://127.0.0.1:9/other')).rejects.toThrow('fetch failed')
  } finally {
    server.close()
  }
})

test.each(['star-trek', 'discriminators', 'petstore', 'fastapi'])(
  '%s: what is made up is what the description says: the others are in mocks.long.test.ts',
  async (name) => {
    expect(await wrongAnswersOf(name)).toEqual([])
  },
)

/** What `GET /thing/1` is answered with, by a seed. */
async function thingOf(schemas: Readonly<Record<string, object>>, seed: number): Promise<unknown> {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } }
  const get = { operationId: 'getThing', responses: { 200: { description: '', content } } }
  const source = { openapi: '3.1.0', paths: { '/thing/{id}': { get } }, components: { schemas } }
  return (await defineMocks(source, { seed }).fetch('/thing/1')).json()
}

const recordOf = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})
const ruleRef = { $ref: '#/components/schemas/Rule' }

test.each([
  ['one that holds it', { not: ruleRef }],
  ['one that holds it through another', { in: { $ref: '#/components/schemas/Group' } }],
  ['one with some of it', { all: { type: 'array', minItems: 1, items: ruleRef } }],
  ['one of parts', { part: { allOf: [ruleRef, { description: 'a rule' }] } }],
])('a choice that holds itself ends with one that does not: %s', async (_, properties) => {
  const schemas = {
    Thing: recordOf({ id: { type: 'integer' }, rule: ruleRef }),
    Rule: { oneOf: [recordOf(properties), recordOf({ is: { type: 'string' } })] },
    Group: recordOf({ rule: ruleRef }),
  }
  for (let seed = 1; seed < 10; seed++) {
    const text = JSON.stringify(await thingOf(schemas, seed))
    expect(text).toContain('"is":"')
    expect(text).not.toMatch(/null|\[\]/)
  }
})

test('a discriminator has a value that its choice allows, if that is not the name of the choice', async () => {
  const kind = (type: string) => recordOf({ type: { type: 'string', enum: [type] }, data: { type } })
  const schemas = {
    Thing: recordOf({
      id: { type: 'integer' },
      values: { type: 'array', items: { $ref: '#/components/schemas/Choice' } },
    }),
    Choice: {
      oneOf: [{ $ref: '#/components/schemas/Flag' }, { $ref: '#/components/schemas/Label' }],
      discriminator: { propertyName: 'type' },
    },
    Flag: kind('boolean'),
    Label: kind('string'),
  }
  const { values } = (await thingOf(schemas, 1)) as { values: { type: string; data: unknown }[] }
  expect(values.map(({ type }) => type)).toEqual(['boolean', 'string'])
  for (const { type, data } of values) expect(typeof data).toBe(type)
})
