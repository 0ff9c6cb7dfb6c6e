import { afterEach, describe, expect, test, vi } from 'vitest'
import { Controller } from '../index.js'
import { Entity } from '../schema/entity.js'
import * as schema from '../lists/namespace.js'
import { createResource } from '../rest/resource.js'
import type { RestEndpoint } from '../rest/rest-endpoint.js'
import type { RestOptions } from '../rest/rest-types.js'
import { Resource } from './legacy-resource.js'
import type { ResourceEndpoint } from './resource-endpoint.js'
import { createServer } from './testing-network.js'

class User extends Resource {
  id = 0
  name = 'anonymous'
  static override key = 'LegacyUser'
  static override urlRoot = 'https://a.example/user'
}

class Todo extends Resource {
  id = 0
  title = 'untitled'
  completed = false
  author: User | undefined
  static override key = 'LegacyTodo'
  static override urlRoot = 'https://a.example/todo'
  static override schema = { author: User }
}

const open = () => {
  const server = createServer({
    '/todo': [
      { id: 1, title: 'a', author: { id: 7, name: 'Ann' } },
      { id: 2, title: 'b' },
    ],
    '/user': [{ id: 7, name: 'Ann' }],
  })
  return { server, controller: new Controller({ fetch: server.fetch }) }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('addresses', () => {
  test('a record stands behind the root, a list has its params as search params', () => {
    expect(Todo.url({ id: 5 })).toBe('https://a.example/todo/5')
    expect(Todo.url()).toBe('https://a.example/todo')
    expect(Todo.url({ page: 1 })).toBe('https://a.example/todo')
    expect(Todo.listUrl()).toBe('https://a.example/todo')
    expect(Todo.listUrl({ userId: 1, a: 'x y' })).toBe('https://a.example/todo?a=x+y&userId=1')
  })

  test('there is one slash between the root and the key', () => {
    class Slashed extends Resource {
      id = ''
      static override urlRoot = 'https://a.example/slashed/'
    }
    expect(Slashed.url({ id: 'a/b' })).toBe('https://a.example/slashed/a%2Fb')
    expect(Slashed.listUrl({ q: 1 })).toBe('https://a.example/slashed/?q=1')
    expect(Slashed.detail().key({ id: 'x' })).toBe('GET https://a.example/slashed/x')
  })

  test('a pk of several fields is built by the class', () => {
    class Vote extends Resource {
      user = 0
      poll = 0
      override pk() {
        return `${this.user},${this.poll}`
      }
      static override urlRoot = '/vote'
    }
    expect(Vote.url({ user: 1, poll: 2 })).toBe('/vote/1%2C2')
  })

  test('L5: params.url beats the address that would be built', () => {
    expect(Todo.url({ id: 5, url: '/elsewhere' })).toBe('/elsewhere')
    expect(Todo.listUrl({ userId: 5, url: '/elsewhere' })).toBe('/elsewhere')
    expect(Todo.detail().key({ id: 5, url: '/elsewhere' })).toBe('GET /elsewhere')
    expect(Todo.detailShape().getFetchKey({ id: 5, url: '/elsewhere' })).toBe('GET /elsewhere')
    expect(Todo.listShape().getFetchKey({ url: '/elsewhere' })).toBe('GET /elsewhere')
  })

  test('a class without a root says so', () => {
    class Lost extends Resource {}
    expect(() => Lost.detail()).toThrow(
      'The Resource class "Lost" has no urlRoot.\n  Set it to the address of the list: static urlRoot = "https://api.example.com/todo".',
    )
  })

  test('overrides of url and listUrl are those of endpoints and shapes', () => {
    class Nested extends Resource {
      id = 0
      static override urlRoot = '/nested'
      static override url({ group, id }: { group: string; id: number }) {
        return `/group/${group}/nested/${id}`
      }
      static override listUrl({ group }: { group: string }) {
        return `/group/${group}/nested`
      }
    }
    expect(Nested.detail().key({ group: 'x', id: 1 })).toBe('GET /group/x/nested/1')
    expect(Nested.list().key({ group: 'x' })).toBe('GET /group/x/nested')
    expect(Nested.listShape().getFetchKey({ group: 'x' })).toBe('GET /group/x/nested')
    expect(Nested.create().url({ group: 'x' }, {})).toBe('/group/x/nested')
  })
})

describe('endpoints', () => {
  test('make the requests of a resource', async () => {
    const { server, controller } = open()
    await controller.fetch(Todo.detail(), { id: 1 })
    await controller.fetch(Todo.list(), { userId: 1 })
    await controller.fetch(Todo.list())
    await controller.fetch(Todo.create(), {}, { title: 'c' })
    await controller.fetch(Todo.create(), { title: 'd' })
    await controller.fetch(Todo.update(), { id: 1 }, { title: 'e' })
    await controller.fetch(Todo.partialUpdate(), { id: 1 }, { completed: true })
    const deleted = await controller.fetch(Todo.delete(), { id: 2 })
    expect(server.requests).toEqual([
      'GET https://a.example/todo/1',
      'GET https://a.example/todo?userId=1',
      'GET https://a.example/todo',
      'POST https://a.example/todo',
      'POST https://a.example/todo',
      'PUT https://a.example/todo/1',
      'PATCH https://a.example/todo/1',
      'DELETE https://a.example/todo/2',
    ])
    expect(server.bodies.slice(3, 7)).toEqual([
      { title: 'c' },
      { title: 'd' },
      { title: 'e' },
      { completed: true },
    ])
    expect(deleted).toEqual({ id: 2 })
    expect(controller.get(Todo, { id: 2 })).toBeUndefined()
  })

  test('join what a record nests, and give instances of their class with its defaults', async () => {
    const { controller } = open()
    const todo = await controller.fetch(Todo.detail(), { id: 1 })
    expect(todo).toBeInstanceOf(Todo)
    expect(todo.completed).toBe(false)
    expect(todo.author).toBe(controller.get(User, { id: 7 }))
  })

  test('L8: a member is the same endpoint object for each class, also where it is overridden', () => {
    class Article extends Resource {
      id = 0
      static override urlRoot = '/article'
      static override list<T extends typeof Resource>(this: T) {
        return super.list().extend({ schema: { results: [this], nextPage: '' } })
      }
      static override detail<T extends typeof Resource>(this: T) {
        return super.detail().extend({ schema: { data: this } })
      }
    }
    class Post extends Article {
      static override urlRoot = '/post'
    }
    expect(Todo.detail()).toBe(Todo.detail())
    expect(Todo.list()).toBe(Todo.list())
    expect(Article.list()).toBe(Article.list())
    expect(Article.detail()).toBe(Article.detail())
    expect(Post.list()).toBe(Post.list())
    expect(Post.list()).not.toBe(Article.list())
    expect(Post.list().key()).toBe('GET /post')
    expect(Post.list().schema).toEqual({ results: [Post], nextPage: '' })
    expect(User.detail()).not.toBe(Todo.detail())
  })

  test('the same call is read by endpoints that a function made anew', async () => {
    const { server, controller } = open()
    const make = () =>
      Todo.list().extend({
        schema: { results: [Todo], total: 0 },
        process: (results: unknown[]) => ({ results, total: results.length }),
      })
    const [first, second] = await Promise.all([controller.fetch(make()), controller.fetch(make())])
    expect(first).toBe(second)
    expect(first.total).toBe(2)
    expect(controller.read(make()).data).toBe(first)
    expect(server.requests).toHaveLength(1)
  })

  test('what getEndpointExtra says is for all of them', () => {
    class Slow extends Todo {
      static override getEndpointExtra() {
        return { ...super.getEndpointExtra(), dataExpiryLength: 5000, retry: 3 }
      }
    }
    class Slower extends Slow {
      static override getEndpointExtra() {
        return { ...super.getEndpointExtra(), errorExpiryLength: 7 }
      }
    }
    const lengthOf = (endpoint: object) => (endpoint as { dataExpiryLength?: number }).dataExpiryLength
    expect(lengthOf(Slow.detail())).toBe(5000)
    expect(Slow.detail()).toBe(Slow.detail())
    expect(lengthOf(Slower.list())).toBe(5000)
    expect({ ...Slower.list() }).toMatchObject({ errorExpiryLength: 7, retry: 3 })
    expect({ ...Slower.update() }).toMatchObject({ errorExpiryLength: 7 })
    // A mutation is retried only if its own options say so.
    expect({ ...Slower.update() }).not.toHaveProperty('retry')
    expect(Slow.listShape().options).toMatchObject({ dataExpiryLength: 5000 })
    expect(lengthOf(Todo.detail())).toBeUndefined()
  })

  test('an override of fetch sees the requests of all of them, with signal and transport', async () => {
    const { server, controller } = open()
    const seen: unknown[] = []
    class Signed extends Todo {
      static override async fetch(url: string, init: RequestInit) {
        seen.push([url, init.method, init.signal instanceof AbortSignal])
        const headers = { ...(init.headers as object), 'Access-Token': 'x' }
        const value: unknown = await super.fetch(url, { ...init, headers })
        return Array.isArray(value) ? value.slice(0, 1) : value
      }
    }
    const list = await controller.fetch(Signed.list())
    expect(list.map(({ id }) => id)).toEqual([1])
    await controller.fetch(Signed.create(), { title: 'x' })
    await controller.fetch(Signed.partialUpdate(), { id: 1 }, { title: 'y' })
    expect(seen).toEqual([
      ['https://a.example/todo', 'GET', true],
      ['https://a.example/todo', 'POST', false],
      ['https://a.example/todo/1', 'PATCH', false],
    ])
    expect(server.bodies).toEqual([undefined, { title: 'x' }, { title: 'y' }])
  })

  test('extend takes a fetch, a url, a method or a path of its own', async () => {
    const { server, controller } = open()
    class Account extends User {
      static override urlRoot = 'https://a.example/user'
      static currentUser<T extends typeof Resource>(this: T) {
        return this.detail().extend({ url: () => 'https://a.example/user/7' })
      }
      static makeManager<T extends typeof Resource>(this: T) {
        return this.detail().extend({
          method: 'POST',
          url: ({ id }: { id: number }) => `https://a.example/user/${id}/make_manager`,
        })
      }
      static counted<T extends typeof Resource>(this: T) {
        return this.list().extend({
          fetch: async (params?: object) => ({
            results: (await this.fetch(this.listUrl(params), {})) as unknown[],
          }),
          schema: { results: [this] },
        })
      }
      static atPath() {
        return this.detail().extend({ path: 'https://a.example/user/:name' })
      }
    }
    vi.stubGlobal('fetch', server.fetch)
    const user = await controller.fetch(Account.currentUser())
    expect(user.name).toBe('Ann')
    await expect(controller.fetch(Account.makeManager(), { id: 7 })).rejects.toThrow('404')
    expect((await controller.fetch(Account.counted(), {})).results[0]).toBe(user)
    expect(Account.makeManager().sideEffect).toBe(true)
    expect(Account.atPath().key({ name: 'x' })).toBe('GET https://a.example/user/x')
    expect(server.requests).toEqual([
      'GET https://a.example/user/7',
      'POST https://a.example/user/7/make_manager',
      'GET https://a.example/user',
    ])
  })

  test('a fetch of its own may call that of the endpoint with its `this`', async () => {
    const { server, controller } = open()
    class Named extends Resource {
      id = 0
      name = ''
      static override key = 'LegacyNamed'
      static override urlRoot = 'https://a.example/user'
      static override detail<T extends typeof Resource>(this: T) {
        const endpoint = super.detail() as unknown as RestEndpoint
        return endpoint.extend({
          schema: this,
          async fetch(this: RestEndpoint, params: { id: number }) {
            return { ...((await endpoint.fetch.call(this, params)) as object), name: this.url(params) }
          },
        }) as unknown as ResourceEndpoint<RestOptions, undefined>
      }
    }
    const { name } = (await controller.fetch(Named.detail(), { id: 7 })) as Named
    expect(name).toBe('https://a.example/user/7')
    expect(server.requests).toEqual(['GET https://a.example/user/7'])
  })

  test('calls of one endpoint are found by their key', async () => {
    const { controller } = open()
    await controller.fetch(Todo.list(), { userId: 1 })
    await controller.fetch(Todo.detail(), { id: 1 })
    controller.invalidateAll(Todo.list())
    expect(controller.read(Todo.list(), { userId: 1 }).status).toBe('Invalid')
    expect(controller.read(Todo.detail(), { id: 1 }).status).toBe('Valid')
    controller.invalidateAll(Todo.detail())
    expect(controller.read(Todo.detail(), { id: 1 }).status).toBe('Invalid')
  })

  test('further pages join their list', async () => {
    const { controller } = open()
    await controller.fetch(Todo.list())
    await controller.fetch(Todo.list().paginated('cursor'), { cursor: 2 })
    expect(controller.read(Todo.list()).data?.map(({ id }) => id)).toEqual([1, 2])
  })

  test('an error of the server is a NetworkError that names the class', async () => {
    const { controller } = open()
    await expect(controller.fetch(Todo.detail(), { id: 9 })).rejects.toMatchObject({
      name: 'NetworkError',
      status: 404,
      message: 'LegacyTodo.detail failed: 404 from GET https://a.example/todo/9.',
    })
  })

  test('fetch says where HTML came instead of JSON', async () => {
    vi.stubGlobal('fetch', async () => new Response('<p>', { headers: { 'content-type': 'text/html' } }))
    await expect(Todo.fetch('get', '/x')).rejects.toMatchObject({ code: 'body-unexpected', status: 400 })
    await expect(Todo.fetch('/x', {})).rejects.toMatchObject({ code: 'body-unexpected', status: 400 })
  })
})

describe('beside createResource', () => {
  class Note extends Resource {
    id = 0
    title = ''
    static override key = 'LegacyNote'
    static override urlRoot = 'https://a.example/note'
  }
  const notes = createResource({ urlPrefix: 'https://a.example', path: '/note/:id', schema: Note })
  const openNotes = () => {
    const server = createServer({ '/note': [{ id: 1, title: 'a' }] })
    return { server, controller: new Controller({ fetch: server.fetch }) }
  }

  test('one record is one object', async () => {
    const { controller } = openNotes()
    const [note] = await controller.fetch(notes.getList)
    expect(await controller.fetch(Note.detail(), { id: 1 })).toBe(note)
    expect((await controller.fetch(Note.list()))[0]).toBe(note)
  })

  test('what is created by one is in the lists of both', async () => {
    const { controller } = openNotes()
    await controller.fetch(notes.getList)
    await controller.fetch(Note.list())
    const created = await controller.fetch(Note.create(), { title: 'b' })
    const other = await controller.fetch(notes.create, { title: 'c' })
    expect(controller.read(notes.getList).data).toEqual([expect.anything(), created, other])
    expect(controller.read(Note.list()).data).toEqual([expect.anything(), created, other])
    await controller.fetch(Note.delete(), { id: 1 })
    expect(controller.read(notes.getList).data).toEqual([created, other])
  })
})

test('a summary and its full class are one record', async () => {
  class Summary extends Todo {
    static override schema = { author: User, at: Date }
  }
  const { controller } = open()
  await controller.fetch(Summary.list())
  expect(controller.get(Todo, { id: 2 })?.title).toBe('b')
  expect(Todo.fromJS({ id: 3 })).toMatchObject({ id: 3, title: 'untitled' })
  expect(Todo.fromJS({ id: 3 })).toBeInstanceOf(Entity)
  expect(new schema.Delete(Todo).entity).toBe(Todo)
})

test('an option that only generation 5.1 reads is a warning, which names the option of now', () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const optimisticUpdate = (_params: object, body: object) => body
  Todo.create().extend({ schema: Todo, optimisticUpdate } as never)
  expect(warned.mock.calls).toEqual([
    [
      '[selfsame] LegacyTodo.create has the option "optimisticUpdate", which nothing reads. Write `getOptimisticResponse: optimistic(…)`.',
    ],
  ])
  warned.mockRestore()
})
