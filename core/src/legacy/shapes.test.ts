import { afterEach, describe, expect, test, vi } from 'vitest'
import { Controller, schema } from '../index.js'
import { optimistic } from '../optimistic/optimistic.js'
import { createResource } from '../rest/resource.js'
import { callsOf } from '../controller/calls.js'
import { Resource } from './legacy-resource.js'
import { fetchShape, toEndpoint, toEndpointAfter } from './shape-endpoint.js'
import type { ShapeLike } from './shape-endpoint.js'
import type { FetchShape } from './shapes.js'
import { createServer } from './testing-network.js'

class User extends Resource {
  id = 0
  name = 'anonymous'
  static override key = 'ShapeUser'
  static override urlRoot = 'https://a.example/user'
}

class Article extends Resource {
  id = 0
  title = 'untitled'
  draft = false
  createdAt: Date | undefined
  author: User | number | string | null = null
  contributors: readonly (User | number | string)[] = []
  static override key = 'ShapeArticle'
  static override urlRoot = 'https://a.example/article'
  static override schema = { author: User, contributors: [User], createdAt: Date }
}

const payload = () => [
  { id: 1, title: 'a', author: 7, contributors: [7, 9], createdAt: '2020-01-01T00:00:00Z' },
  { id: 2, title: 'b', author: { id: 8, name: 'Bob' } },
]

const open = () => {
  const server = createServer({
    '/article': payload(),
    '/user': [
      { id: 7, name: 'Ann' },
      { id: 8, name: 'Bob' },
    ],
  })
  return { server, controller: new Controller({ fetch: server.fetch }) }
}

/** The data of a shape, read from the cache. */
// eslint-disable-next-line typescript/no-explicit-any
const read = (controller: Controller, shape: ShapeLike, params: object): any =>
  controller.read(toEndpoint(shape), params).data

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the shapes of a class', () => {
  test('say how they are requested, and are the same each time', () => {
    expect(Article.detailShape()).toMatchObject({ type: 'read', schema: Article })
    expect(Article.listShape().type).toBe('read')
    expect(Article.createShape().type).toBe('mutate')
    expect(Article.updateShape().type).toBe('mutate')
    expect(Article.partialUpdateShape().type).toBe('mutate')
    expect(Article.deleteShape().type).toBe('delete')
    expect(Article.asSchema()).toBe(Article)
    expect(Article.detailShape()).toBe(Article.detailShape())
    expect(Article.detailShape().getFetchKey({ id: 5 })).toBe('GET https://a.example/article/5')
    expect(Article.listShape().getFetchKey({ page: 2 })).toBe('GET https://a.example/article?page=2')
    expect(Article.createShape().getFetchKey({})).toBe('POST https://a.example/article')
    expect(Article.updateShape().getFetchKey({ id: 5 })).toBe('PUT https://a.example/article/5')
    expect(Article.partialUpdateShape().getFetchKey({ id: 5 })).toBe('PATCH https://a.example/article/5')
    expect(Article.deleteShape().getFetchKey({ id: 5 })).toBe('DELETE https://a.example/article/5')
  })

  test('fetch without any store', async () => {
    const { server } = open()
    vi.stubGlobal('fetch', server.fetch)
    expect(await Article.detailShape().fetch({ id: 1 })).toEqual(payload()[0])
    expect(await Article.createShape().fetch({}, { title: 'c' })).toMatchObject({ title: 'c' })
    const { fetch } = Article.listShape()
    expect(await fetch({})).toHaveLength(3)
  })

  test('an override of fetch is called as the 4.5 generation calls it', async () => {
    const { server } = open()
    vi.stubGlobal('fetch', server.fetch)
    const calls: unknown[][] = []
    class Signed extends Article {
      static override async fetch(method: string, url: string, body?: object) {
        calls.push([method, url, body])
        return super.fetch(method, url, body)
      }
    }
    const controller = new Controller()
    await fetchShape(controller, Signed.detailShape(), { id: 1 })
    await fetchShape(controller, Signed.createShape(), {}, { title: 'c' })
    await fetchShape(controller, Signed.deleteShape(), { id: 1 })
    expect(calls).toEqual([
      ['get', 'https://a.example/article/1', undefined],
      ['post', 'https://a.example/article', { title: 'c' }],
      ['delete', 'https://a.example/article/1', undefined],
    ])
  })

  test('a request has the signal of its call and the transport of its Controller', async () => {
    const signals: unknown[] = []
    const transport: typeof fetch = async (_url, init) => {
      signals.push(init?.signal)
      return Response.json(payload()[0])
    }
    const controller = new Controller({ fetch: transport })
    await fetchShape(controller, Article.detailShape(), { id: 1 })
    expect(signals).toEqual([expect.any(AbortSignal)])
  })
})

describe('shapes that are made anew', () => {
  class Paged extends Article {
    static override listShape<T extends typeof Resource>(this: T) {
      return {
        ...super.listShape(),
        fetch: async (params: object) => {
          const response = await this.fetchResponse('get', this.listUrl(params))
          return { link: response.headers.get('link'), results: (await response.json()) as unknown }
        },
        schema: { results: [this.asSchema()], link: '' },
      }
    }
  }

  test('L1: are one call, by their getFetchKey', async () => {
    const { server } = open()
    vi.stubGlobal('fetch', server.fetch)
    const controller = new Controller()
    expect(Paged.listShape()).not.toBe(Paged.listShape())
    await Promise.all([1, 2, 3].map(() => fetchShape(controller, Paged.listShape(), {})))
    expect(server.requests).toHaveLength(1)
    const calls = callsOf(controller)
    expect(calls.call(toEndpoint(Paged.listShape()), [{}])).toBe(
      calls.call(toEndpoint(Paged.listShape()), [{}]),
    )
    expect(read(controller, Paged.listShape(), {}).results).toHaveLength(2)
  })

  test('L1: keep the endpoint of the last one, which asks as the newest does', async () => {
    const controller = new Controller()
    const made = (token: string): FetchShape => ({
      type: 'read',
      schema: { token: '' },
      getFetchKey: ({ id }: { id: number }) => `session ${id}`,
      fetch: async () => ({ token }),
    })
    const first = toEndpointAfter(undefined, made('a'), { id: 1 })
    expect(toEndpointAfter(first, made('b'), { id: 1 })).not.toBe(first)
    const shape = { ...Paged.listShape(), fetch: async () => ({ results: [] as unknown[], link: 'a' }) }
    const endpoint = toEndpointAfter(undefined, shape, {})
    const newer = { ...Paged.listShape(), fetch: async () => ({ results: [] as unknown[], link: 'b' }) }
    expect(toEndpointAfter(endpoint, newer, {})).toBe(endpoint)
    expect(await controller.fetch(endpoint, {})).toMatchObject({ link: 'b' })
    expect(toEndpointAfter(endpoint, Paged.detailShape(), { id: 1 })).not.toBe(endpoint)
    expect(toEndpointAfter(endpoint, Article.list(), {})).toBe(Article.list())
  })
})

describe('nested records', () => {
  test('L7: nested ids stay ids, and the same record is joined for the newer generation', async () => {
    const { controller } = open()
    await fetchShape(controller, Article.listShape(), {})
    const [first, second] = read(controller, Article.listShape(), {})
    expect(first).toBeInstanceOf(Article)
    expect(first.author).toBe(7)
    expect(first.contributors).toEqual([7, 9])
    expect(first.createdAt).toEqual(new Date('2020-01-01T00:00:00Z'))
    // It was received as a nested record, whose primary key is a string.
    expect(second.author).toBe('8')
    const bob = controller.get(User, { id: 8 })
    expect(bob?.name).toBe('Bob')
    expect(controller.get(Article, { id: 2 })?.author).toBe(bob)
    expect(read(controller, Article.detailShape(), { id: 2 })).toBe(second)
    expect(controller.read(Article.detail(), { id: 2 }).data?.author).toBe(bob)
  })

  test('L7: what the newer generation received is read by shapes as ids', async () => {
    const { controller } = open()
    await controller.fetch(Article.list())
    await controller.fetch(User.list())
    const article = read(controller, Article.detailShape(), { id: 2 })
    expect(article.author).toBe('8')
    expect(article.title).toBe('b')
  })

  test('L7: a change of a nested record is no change for who shows its id', async () => {
    const { controller } = open()
    await fetchShape(controller, Article.listShape(), {})
    const before = read(controller, Article.listShape(), {})
    await fetchShape(controller, User.partialUpdateShape(), { id: 8 }, { name: 'Rob' })
    expect(controller.get(User, { id: 8 })?.name).toBe('Rob')
    expect(read(controller, Article.listShape(), {})).toBe(before)
  })

  test('L7: every form of nesting stays ids', async () => {
    class Link extends Resource {
      id = 0
      static override key = 'ShapeLink'
    }
    class Page extends Resource {
      id = 0
      union: unknown
      values: unknown
      list: unknown
      object: unknown
      static override key = 'ShapePage'
      static override urlRoot = '/page'
      static override schema = {
        union: new schema.Union({ link: Link }, 'type'),
        values: new schema.Values(Link),
        list: new schema.Array(Link),
        object: { link: Link, at: Date },
      }
    }
    const shape = { ...Page.detailShape(), schema: { data: new schema.Array(Page), extra: [Page] } }
    const controller = new Controller()
    controller.setResponse(
      toEndpoint(shape),
      { id: 1 },
      {
        data: [
          {
            id: 1,
            union: { type: 'link', id: 1 },
            values: { a: { id: 2 } },
            list: [{ id: 3 }, 4],
            object: { link: { id: 5 }, at: '2020-01-01' },
          },
        ],
        extra: [],
      },
    )
    const [page] = read(controller, shape, { id: 1 }).data
    expect({ ...page }).toEqual({
      id: 1,
      union: ['link', '1'],
      values: { a: '2' },
      list: ['3', 4],
      object: { link: '5', at: '2020-01-01' },
    })
  })

  test('a class that nests no records is read as itself: old and new readers see one object', async () => {
    const { controller } = open()
    await fetchShape(controller, User.listShape(), {})
    const [ann] = read(controller, User.listShape(), {})
    expect(controller.read(User.detail(), { id: 7 }).data).toBe(ann)
    expect(controller.read(User.list()).data).toBe(read(controller, User.listShape(), {}))
  })
})

describe('mutations', () => {
  const openRead = async () => {
    const opened = open()
    await fetchShape(opened.controller, User.listShape(), {})
    return opened
  }

  test('L3: update parameters change lists in the commit of the answer', async () => {
    const { controller } = await openRead()
    const shown: unknown[] = []
    const look = ({ data }: { readonly data: unknown }) => shown.push(data)
    controller.subscribe(toEndpoint(User.listShape()), {}, look)
    const created = await fetchShape(controller, User.createShape(), {}, { name: 'Cid' }, [
      [User.listShape(), {}, (id: string, ids: string[]) => [id, ...ids]],
    ])
    expect(shown).toHaveLength(1)
    expect(shown[0]).toEqual([created, expect.anything(), expect.anything()])
  })

  test('L3: update parameters are ids, in the form of the schemas', async () => {
    const { controller } = open()
    const wrapped = { ...User.listShape(), schema: { results: [User], total: 0 } }
    controller.setResponse(toEndpoint(wrapped), {}, { results: [{ id: 7 }], total: 1 })
    const told: unknown[] = []
    await fetchShape(controller, User.createShape(), {}, { name: 'Cid' }, [
      [
        wrapped,
        {},
        (id: string, before: { results: string[]; total: number }) => {
          told.push(id, before)
          return { results: [...before.results, id], total: before.total + 1 }
        },
      ],
      // This page was never fetched.
      [User.listShape(), { page: 3 }, () => told.push('never')],
    ])
    expect(told).toEqual(['100', { results: ['7'], total: 1 }])
    const { results, total } = read(controller, wrapped, {})
    expect(results.map(({ id }: User) => id)).toEqual([7, 100])
    expect(total).toBe(2)
  })

  test('L3: a read with update parameters appends a page', async () => {
    const { controller } = open()
    const page = { ...User.listShape(), schema: [User] }
    controller.setResponse(toEndpoint(page), {}, [{ id: 7 }])
    await fetchShape(controller, page, { cursor: 1 }, undefined, [
      [page, {}, (more: string[], ids: string[]) => [...new Set([...ids, ...more])]],
    ])
    expect(read(controller, page, {}).map(({ id }: User) => id)).toEqual([7, 8])
  })

  test('L3: an update that fails stores nothing', async () => {
    const { controller } = await openRead()
    const before = read(controller, User.listShape(), {})
    const fails = fetchShape(controller, User.createShape(), {}, { name: 'Cid' }, [
      [
        User.listShape(),
        {},
        () => {
          throw new Error('no')
        },
      ],
    ])
    await expect(fails).rejects.toThrow('no')
    expect(read(controller, User.listShape(), {})).toEqual(before)
    expect(controller.get(User, { id: 100 })).toBeUndefined()
  })

  test('L4: a delete shape removes the record that its params name, whatever the server answers', async () => {
    const answers: unknown[] = [{ id: 8, name: 'another' }, null, 'OK']
    for (const answer of answers) {
      const controller = new Controller({ fetch: async () => Response.json(answer) })
      controller.setResponse(toEndpoint(User.listShape()), {}, [{ id: 7 }, { id: 8, name: 'Bob' }])
      await fetchShape(controller, User.deleteShape(), { id: 7 })
      expect(read(controller, User.listShape(), {}).map(({ id }: User) => id)).toEqual([8])
      expect(controller.get(User, { id: 8 })?.name).toBe('Bob')
      expect(controller.read(toEndpoint(User.detailShape()), { id: 7 }).status).toBe('Invalid')
    }
  })

  test('L4: also through a wrapper, and a schema of its own', async () => {
    const { controller } = await openRead()
    const wrapped = { ...User.deleteShape(), schema: { data: User } }
    await fetchShape(controller, wrapped, { id: 7 }, undefined, [
      [User.listShape(), {}, (id: string, ids: string[]) => ids.filter((other) => other !== id)],
    ])
    expect(controller.get(User, { id: 7 })).toBeUndefined()
    await fetchShape(controller, { ...User.deleteShape(), schema: new schema.Delete(User) }, { id: 8 })
    expect(controller.get(User, { id: 8 })).toBeUndefined()
  })

  test('L6: only fields that were given overwrite, and merge is told those', async () => {
    const merged: unknown[] = []
    class Merging extends Resource {
      id = 0
      title = 'untitled'
      tags: readonly string[] = []
      static override key = 'ShapeMerging'
      static override urlRoot = '/merging'
      static override merge(existing: object, incoming: object) {
        merged.push(existing, incoming)
        return super.merge(existing as never, incoming as never)
      }
    }
    const controller = new Controller()
    const detail = toEndpoint(Merging.detailShape())
    controller.setResponse(detail, { id: 1 }, { id: 1, title: 'a', tags: ['x'] })
    controller.setResponse(toEndpoint(Merging.listShape()), {}, [{ id: 1, tags: undefined }])
    controller.setResponse(Merging.detail(), { id: 1 }, { id: 1, title: 'b' })
    expect(merged).toEqual([
      { id: 1, title: 'a', tags: ['x'] },
      { id: 1 },
      { id: 1, title: 'a', tags: ['x'] },
      { id: 1, title: 'b' },
    ])
    expect({ ...read(controller, Merging.detailShape(), { id: 1 }) }).toEqual({
      id: 1,
      title: 'b',
      tags: ['x'],
    })
  })

  test('an old mutation changes a new list, and the other way round', async () => {
    const { controller } = await openRead()
    const users = createResource({ urlPrefix: 'https://a.example', path: '/user/:id', schema: User })
    await controller.fetch(users.getList)
    const old = await fetchShape(controller, User.createShape(), {}, { name: 'Old' })
    const next = await controller.fetch(users.create, { name: 'New' })
    expect(controller.read(users.getList).data?.slice(2)).toEqual([old, next])
    expect(read(controller, User.listShape(), {}).slice(2)).toEqual([old, next])
    await fetchShape(controller, User.partialUpdateShape(), { id: 7 }, { name: 'Amy' })
    expect(controller.read(users.getList).data?.[0]?.name).toBe('Amy')
    await controller.fetch(users.delete, { id: 7 })
    expect(read(controller, User.listShape(), {}).map(({ name }: User) => name)).toEqual([
      'Bob',
      'Old',
      'New',
    ])
  })

  test('what was added already is not added twice by update parameters', async () => {
    const { controller } = await openRead()
    await fetchShape(controller, User.createShape(), {}, { name: 'Cid' }, [
      [User.listShape(), {}, (id: string, ids: string[]) => [...ids, id]],
    ])
    expect(read(controller, User.listShape(), {}).map(({ id }: User) => id)).toEqual([7, 8, 100])
  })
})

test('the list of a class is one call for its shape and its endpoint, whichever is asked for first', async () => {
  class Note extends User {
    static override key = 'ShapeNote'
  }
  const { server, controller } = open()
  const shape = Note.listShape()
  expect(toEndpoint(shape).schema).toBe(Note.list().schema)
  const list = await controller.fetch(Note.list(), {})
  expect(read(controller, shape, {})).toBe(list)
  await fetchShape(controller, Note.createShape(), {}, { name: 'Cid' }, [
    [shape, {}, (id: string, ids: string[]) => [id, ...ids]],
  ])
  expect(controller.read(Note.list(), {}).data?.map(({ id }) => id)).toEqual([100, 7, 8])
  expect(server.requests).toHaveLength(2)
})

test('an endpoint is taken in the place of a shape', async () => {
  const { controller } = open()
  expect(toEndpoint(User.detail())).toBe(User.detail())
  await fetchShape(controller, User.list(), {})
  await fetchShape(controller, User.create(), {}, { name: 'Cid' }, [
    [User.list(), {}, (id: string, ids: string[]) => [id, ...ids]],
  ])
  expect(controller.read(User.list()).data?.map(({ id }) => id)).toEqual([100, 7, 8])
})

test('a shape has the lengths of its options', async () => {
  const { controller } = open()
  const shape = { ...User.detailShape(), options: { dataExpiryLength: Infinity } }
  await fetchShape(controller, shape, { id: 7 })
  expect(controller.read(toEndpoint(shape), { id: 7 }).expiresAt).toBe(Infinity)
  expect(() => toEndpoint({ ...shape, name: 'x', options: { dataExpiryLength: -1 } })).toThrow(
    'x has dataExpiryLength -1',
  )
})

test('a shape whose options have an expected response is shown early', async () => {
  const { server, controller } = open()
  const update = {
    ...User.updateShape(),
    options: {
      getOptimisticResponse: optimistic((_snapshot, params: object, body: object) => ({
        ...params,
        ...body,
      })),
    },
  }
  await controller.fetch(toEndpoint(User.detailShape()), { id: 7 })
  const saved = fetchShape(controller, update, { id: 7 }, { name: 'Ada' })
  expect(read(controller, User.detailShape(), { id: 7 })).toMatchObject({ name: 'Ada' })
  await saved
  expect(server.requests.at(-1)).toBe('PUT https://a.example/user/7')
})
