import { beforeEach, describe, expect, test } from 'vitest'
import { Controller } from '../index.js'
import { Entity } from '../schema/entity.js'
import * as schema from '../lists/namespace.js'
import { createResource } from './resource.js'
import { RestEndpoint } from './rest-endpoint.js'
import type { RestOptions } from './rest-types.js'

class Article extends Entity {
  id: string | number = ''
  group = ''
  title = ''
  static override key = 'Article'
}

let sent: { url: string; init: RequestInit }[] = []
let answer: unknown = {}

class TestEndpoint<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {
  override async fetchResponse(url: string, init: RequestInit) {
    sent.push({ url, init })
    return Promise.resolve(Response.json(answer))
  }
}

beforeEach(() => {
  sent = []
  answer = { id: 5 }
})

const articleResource = createResource({
  urlPrefix: 'https://a.example',
  path: '/api/:group/:id',
  schema: Article,
  Endpoint: TestEndpoint,
})

test('says that its schema is undefined, as in a circular import', () => {
  expect(() => createResource({ path: '/article/:id', schema: undefined as never })).toThrow(
    'The schema of the resource /article/:id is undefined.\n  Modules that import each other can see undefined',
  )
})

describe('the six members', () => {
  const { get, getList, create, update, partialUpdate, delete: remove } = articleResource
  const one = { group: 'a', id: 5 }
  const group = { group: 'a' }
  const body = { title: 'x' }

  test.each([
    ['get', () => get(one), 'GET', '/api/a/5', undefined],
    ['getList', () => getList(group), 'GET', '/api/a', undefined],
    [
      'getList',
      () => getList({ ...group, author: 2, tag: ['x', 'y'] }),
      'GET',
      '/api/a?author=2&tag=x&tag=y',
      undefined,
    ],
    ['create', () => create(group, body), 'POST', '/api/a', body],
    ['update', () => update(one, body), 'PUT', '/api/a/5', body],
    ['partialUpdate', () => partialUpdate(one, body), 'PATCH', '/api/a/5', body],
    ['delete', () => remove(one), 'DELETE', '/api/a/5', undefined],
  ])('%s sends its request (4.1)', async (_, call, method, url, sentBody) => {
    answer = method === 'GET' && !url.endsWith('5') ? [] : { id: 5 }
    await call()
    expect(sent).toHaveLength(1)
    expect(sent[0]!.init.method).toBe(method)
    expect(sent[0]!.url).toBe(`https://a.example${url}`)
    expect(sent[0]!.init.body).toBe(sentBody === undefined ? undefined : JSON.stringify(sentBody))
  })

  test('have their paths, schemas, names and side effects', () => {
    const facts = Object.values(articleResource).map(({ name, method, path, sideEffect }) => ({
      name,
      request: `${method} ${path}`,
      sideEffect,
    }))
    expect(facts).toEqual([
      { name: 'Article.get', request: 'GET /api/:group/:id', sideEffect: undefined },
      { name: 'Article.getList', request: 'GET /api/:group', sideEffect: undefined },
      { name: 'Article.create', request: 'POST /api/:group', sideEffect: true },
      { name: 'Article.update', request: 'PUT /api/:group/:id', sideEffect: true },
      { name: 'Article.partialUpdate', request: 'PATCH /api/:group/:id', sideEffect: true },
      { name: 'Article.delete', request: 'DELETE /api/:group/:id', sideEffect: true },
    ])
    expect(get.schema).toBe(Article)
    expect(getList.schema).toBeInstanceOf(schema.Collection)
    for (const member of [create, update, partialUpdate])
      expect(member.schema.collection).toBe(getList.schema)
    expect([create.schema.kind, update.schema.kind, partialUpdate.schema.kind]).toEqual([
      'push',
      'move',
      'move',
    ])
    expect(remove.schema).toBeInstanceOf(schema.Delete)
    expect(remove.schema.entity).toBe(Article)
  })

  test.each([
    ['/:first/:second', '/:first'],
    ['/:first', '/'],
    ['/article/:id', '/article'],
  ])('with the path %s have the list path %s (E1)', (path, listPath) => {
    const resource = createResource({ path, schema: Article })
    expect([resource.getList.path, resource.create.path]).toEqual([listPath, listPath])
    expect([resource.get.path, resource.update.path, resource.delete.path]).toEqual([path, path, path])
  })

  test('without params in the list path take a body, or search params, alone (E2)', async () => {
    const resource = createResource({ path: '/article/:id', schema: Article, Endpoint: TestEndpoint })
    await resource.create({ title: 'x' })
    expect(sent[0]).toMatchObject({ url: '/article', init: { body: '{"title":"x"}' } })
    answer = []
    await resource.getList()
    await resource.getList({ author: 2 })
    expect(sent.slice(1).map(({ url }) => url)).toEqual(['/article', '/article?author=2'])
  })

  test('that need params and a body say which is missing (E2)', async () => {
    // @ts-expect-error the body is missing
    await expect(update(one)).rejects.toThrow('Call it as Article.update(params, body).')
    // @ts-expect-error the params are missing
    await expect(update(body)).rejects.toThrow('is missing "group"; it was called with the properties title')
    // @ts-expect-error the body is missing
    await expect(create(group)).rejects.toThrow('Call it as Article.create(params, body).')
    expect(sent).toEqual([])
  })

  test('protect their segments (E4)', () => {
    expect(get.url({ group: '../x', id: 'a/b?c' })).toBe('https://a.example/api/..%2Fx/a%2Fb%3Fc')
  })
})

describe('the result of delete (E13)', () => {
  const params = { group: 'a', id: 5 }

  test.each([
    ['an object', { id: 5, title: 'x' }, { id: 5, title: 'x' }],
    ['null', null, params],
    ['an empty object', {}, params],
    ['an empty array', [], params],
    ['an array', [1], params],
    ['empty text', '', params],
    ['text', 'deleted', params],
    ['true', true, params],
  ])('of an answer that is %s', async (_, payload, result) => {
    answer = payload
    await expect(articleResource.delete(params)).resolves.toEqual(result)
  })

  test('of an answer without a body is the params', async () => {
    const { delete: remove } = createResource({
      path: '/article/:id',
      schema: Article,
      fetchResponse: () => Promise.resolve(new Response(null, { status: 204 })),
    })
    await expect(remove({ id: 7 })).resolves.toEqual({ id: 7 })
  })
})

describe('delete', () => {
  test.each([
    ['text', 'deleted', 'text/plain'],
    ['text without a content type', 'deleted', undefined],
    ['nothing without a content type', '', undefined],
    ['text of another type', '<ok/>', 'application/xml'],
  ])(
    'that is answered with %s resolves with the params, and the record is gone (E13)',
    async (_, text, type) => {
      class Answered<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {
        override fetchResponse() {
          const response = new Response(text)
          if (type === undefined) response.headers.delete('content-type')
          else response.headers.set('content-type', type)
          return Promise.resolve(response)
        }
      }
      const resource = createResource({ path: '/article/:id', schema: Article, Endpoint: Answered })
      const controller = new Controller()
      controller.set(Article, { id: 5 }, { title: 'x' })
      await expect(controller.fetch(resource.delete, { id: 5 })).resolves.toEqual({ id: 5 })
      expect(controller.get(Article, { id: 5 })).toBeUndefined()
    },
  )

  test('that is answered with HTML is an error, and the record stays (E9)', async () => {
    class Answered<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {
      override fetchResponse() {
        return Promise.resolve(new Response('<html>', { headers: { 'content-type': 'text/html' } }))
      }
    }
    const resource = createResource({ path: '/article/:id', schema: Article, Endpoint: Answered })
    const controller = new Controller()
    controller.set(Article, { id: 5 }, { title: 'x' })
    await expect(controller.fetch(resource.delete, { id: 5 })).rejects.toMatchObject({
      code: 'body-unexpected',
    })
    expect(controller.get(Article, { id: 5 })).toMatchObject({ title: 'x' })
  })
})

describe('options', () => {
  class ApiEndpoint<const Options extends RestOptions = RestOptions> extends TestEndpoint<Options> {
    override urlPrefix: string | undefined = 'https://api.example'
    override async getRequestInit(body?: unknown) {
      return { ...(await super.getRequestInit(body)), credentials: 'same-origin' as const }
    }
    override async parseResponse(response: Response) {
      return ((await super.parseResponse(response)) as { data: unknown }).data
    }
  }

  test('of the Endpoint class work for every member (E17)', async () => {
    const resource = createResource({ path: '/article/:id', schema: Article, Endpoint: ApiEndpoint })
    const calls = [
      () => resource.get({ id: 1 }),
      () => resource.getList(),
      () => resource.create({ title: 'x' }),
      () => resource.update({ id: 1 }, { title: 'x' }),
      () => resource.partialUpdate({ id: 1 }, { title: 'x' }),
      () => resource.delete({ id: 1 }),
    ]
    answer = { data: { id: 1 } }
    for (const call of calls) {
      await expect(call()).resolves.toEqual({ id: 1 })
      expect(sent.at(-1)!.url).toMatch(/^https:\/\/api\.example\/article/)
      expect(sent.at(-1)!.init.credentials).toBe('same-origin')
    }
    for (const member of Object.values(resource)) expect(member).toBeInstanceOf(ApiEndpoint)
  })

  test('of the Endpoint class survive extend of a member (E17)', async () => {
    const { getList } = createResource({ path: '/article/:id', schema: Article, Endpoint: ApiEndpoint })
    answer = { data: [] }
    const derived = getList.extend({ schema: { results: [Article], nextPage: '' } })
    await expect(derived({ page: 2 })).resolves.toEqual([])
    expect(sent[0]).toMatchObject({
      url: 'https://api.example/article?page=2',
      init: { credentials: 'same-origin' },
    })
  })

  test('of the resource beat those of the class, for every member (E17)', () => {
    const resource = createResource({
      path: '/article/:id',
      schema: Article,
      Endpoint: ApiEndpoint,
      urlPrefix: '//other/',
    })
    expect(resource.get.key({ id: 1 })).toBe('GET //other/article/1')
    expect(resource.create.key({})).toBe('POST //other/article')
  })

  test('that are extra are handed to every member (2.2)', () => {
    const errorPolicy = () => 'soft' as const
    const extra = {
      dataExpiryLength: 1000,
      errorExpiryLength: 5,
      invalidIfStale: true,
      policy: 'cache-first',
      errorPolicy,
    } as const
    const resource = createResource({ path: '/article/:id', schema: Article, ...extra })
    for (const member of Object.values(resource)) expect({ ...member }).toMatchObject(extra)
  })

  test('name the members in keys of messages', () => {
    expect(createResource({ path: '/article/:id', schema: Article, name: 'Draft' }).get.name).toBe(
      'Draft.get',
    )
    const wrapped = createResource({ path: '/article/:id', schema: { data: Article } })
    expect(wrapped.getList.name).toBe('/article/:id.getList')
  })

  test('are judged at definition', () => {
    expect(() => createResource({ path: '/{', schema: Article })).toThrow('"{" at 1 is never closed')
    expect(() => createResource({ path: '/:id', schema: Article, dataExpiryLength: -1 })).toThrow(
      'Article.get has dataExpiryLength -1.',
    )
  })
})
