import { beforeEach, describe, expect, test } from 'vitest'
import { Controller, Entity, schema } from '../index.js'
import { RestEndpoint, createResource, hookifyResource } from '../rest.js'
import type { RestOptions } from '../rest.js'

class Todo extends Entity {
  id = 0
  title = ''
  userId = 0
  static override key = 'Todo'
}

let sent: string[] = []
let answers: Record<string, unknown> = {}

/** Responds with the test's answer for the request; by default with the body of the request and an id. */
class TestEndpoint<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {
  override fetchResponse(url: string, init: RequestInit) {
    const name = `${init.method} ${url}`
    sent.push(name)
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as object) : {}
    return Promise.resolve(Response.json(answers[name] ?? { id: 9, ...body }))
  }
}

const todoResource = createResource({ path: '/todo/:id', schema: Todo, Endpoint: TestEndpoint })
const { getList } = todoResource
const ids = (list: readonly { id: number }[] | undefined) => list?.map(({ id }) => id)

let controller = new Controller()
beforeEach(() => {
  controller = new Controller()
  sent = []
  answers = {
    'GET /todo': [{ id: 1, userId: 1 }],
    'GET /todo?userId=1': [{ id: 1, userId: 1 }],
    'GET /todo?userId=2': [],
  }
})

describe('endpoints of a list that change it', () => {
  test('push and unshift send a POST to the list, and add what it answers', async () => {
    await controller.fetch(getList, { userId: 1 })
    const created = await controller.fetch(getList.push, { id: 5, userId: 1 })
    await controller.fetch(getList.unshift, { id: 6, userId: 1 })
    expect(created).toBe(controller.get(Todo, { id: 5 }))
    expect(ids(controller.read(getList, { userId: 1 }).data)).toEqual([6, 1, 5])
    expect(sent).toEqual(['GET /todo?userId=1', 'POST /todo', 'POST /todo'])
  })

  test('move and remove send a PATCH to the record', async () => {
    await controller.fetch(getList, { userId: 1 })
    await controller.fetch(getList, { userId: 2 })
    await controller.fetch(getList.move, { id: 1 }, { id: 1, userId: 2 })
    expect(ids(controller.read(getList, { userId: 1 }).data)).toEqual([])
    expect(ids(controller.read(getList, { userId: 2 }).data)).toEqual([1])
    await controller.fetch(getList.remove, { id: 1 }, { id: 1, userId: 2 })
    expect(ids(controller.read(getList, { userId: 2 }).data)).toEqual([])
    expect(controller.get(Todo, { id: 1 })).toMatchObject({ userId: 2 })
    expect(sent.slice(2)).toEqual(['PATCH /todo/1', 'PATCH /todo/1'])
  })

  test('assign sends a POST to the map', async () => {
    const getMap = new TestEndpoint({
      path: '/map',
      schema: new schema.Collection(new schema.Values(Todo)),
    })
    answers['GET /map'] = { a: { id: 1 } }
    answers['POST /map'] = { b: { id: 2 } }
    await controller.fetch(getMap)
    await controller.fetch(getMap.assign, { b: { title: 'x' } })
    expect(Object.keys(controller.read(getMap).data!)).toEqual(['a', 'b'])
  })

  test('are those of the Collection in a wrapper, and of another path', async () => {
    const getPage = new TestEndpoint({
      path: '/todo',
      schema: { results: new schema.Collection([Todo]), next: '' },
    })
    answers['GET /todo'] = { results: [{ id: 1 }], next: '' }
    await controller.fetch(getPage)
    await controller.fetch(getPage.push, { id: 5 })
    expect(ids(controller.read(getPage).data?.results)).toEqual([1, 5])
    await controller.fetch(getPage.move, { id: 5 }, { title: 'x' })
    const getPopular = getList.extend({ path: '/todo/popular' })
    answers['GET /todo/popular'] = []
    await controller.fetch(getPopular)
    await controller.fetch(getPopular.push, { id: 7 })
    await controller.fetch(getPopular.move, { id: 7 }, { title: 'x' })
    expect(ids(controller.read(getPopular).data)).toEqual([7])
    expect(sent.slice(1)).toEqual([
      'POST /todo',
      'PATCH /todo/5',
      'GET /todo/popular',
      'POST /todo/popular',
      'PATCH /todo/7',
    ])
  })

  test('take over what is about the request, and nothing that is about reading', () => {
    const list = getList.extend({
      retry: 3,
      pollFrequency: 1000,
      process: (value: unknown[]) => value,
      getHeaders: (headers) => ({ ...headers, a: 'b' }),
    })
    const { push } = list
    expect([push.name, push.method, push.sideEffect]).toEqual(['Todo.getList.push', 'POST', true])
    expect(push.getHeaders).toBe(list.getHeaders)
    expect([push.retry, push.pollFrequency]).toEqual([undefined, undefined])
    expect(push.process).toBe(TestEndpoint.prototype.process)
    expect(todoResource.get.push).toBeUndefined()
    expect(new TestEndpoint({ path: '/todo', schema: [Todo] }).move).toBeUndefined()
  })
})

describe('a resource', () => {
  test('hands options of its lists to their Collection', async () => {
    class Lists<Content> extends schema.Collection<Content> {
      readonly isOwn = true
    }
    const options = { nonFilterArgumentKeys: ['view'], Collection: Lists as never }
    const resource = createResource({ path: '/todo/:id', schema: Todo, Endpoint: TestEndpoint, ...options })
    answers['GET /todo?view=short'] = []
    await controller.fetch(resource.getList, { view: 'short' })
    await controller.fetch(resource.create, { id: 5 })
    expect(ids(controller.read(resource.getList, { view: 'short' }).data)).toEqual([5])
    expect(resource.getList.schema).toBeInstanceOf(Lists)
    expect(resource.getList.extend({ path: '/other' }).schema).toBeInstanceOf(Lists)
  })

  test('is extended by endpoints, or by a function that makes them', async () => {
    const extended = todoResource.extend(({ getList: list, get }) => ({
      getPopular: list.extend({ path: '/todo/popular' }),
      get: get.extend({ dataExpiryLength: 5 }),
    }))
    const twice = extended.extend({ getAll: getList })
    expect(Object.keys(twice)).toEqual([...Object.keys(todoResource), 'getPopular', 'getAll'])
    expect(twice.get).toBe(extended.get)
    expect(twice.get.dataExpiryLength).toBe(5)
    expect(todoResource.get.dataExpiryLength).toBeUndefined()
    expect(twice.create).toBe(todoResource.create)
    const hooks = hookifyResource(twice, () => undefined)
    expect(Object.keys(hooks)).toContain('useGetPopular')
    expect(Object.keys(hooks)).not.toContain('useExtend')
  })
})

test('paginated takes the name of the param that names a page', async () => {
  const getNext = getList.paginated('after')
  answers['GET /todo?after=1&userId=1'] = [{ id: 2 }]
  await controller.fetch(getList, { userId: 1 })
  await controller.fetch(getNext, { userId: 1, after: 1 })
  expect(ids(controller.read(getList, { userId: 1 }).data)).toEqual([1, 2])
  answers['GET /todo?after=2'] = [{ id: 3 }]
  await controller.fetch(getNext, { after: 2 })
  expect(ids(controller.read(getList).data)).toEqual([3])
})

test('update on a read is refused', async () => {
  const reading = getList.extend({ update: () => ({}) })
  await expect(controller.fetch(reading)).rejects.toThrow('has the option `update`')
  expect(sent).toEqual([])
})

test('a list endpoint takes a `fetch` of its own by extend, and its answer joins the list', async () => {
  const push = getList.push.extend({
    fetch: async (body: object) => ({ id: 7, ...body }),
  })
  await controller.fetch(getList, { userId: 1 })
  sent = []
  await controller.fetch(push, { userId: 1, title: 'Sent otherwise' })
  expect(sent).toEqual([])
  expect(ids(controller.read(getList, { userId: 1 }).data)).toEqual([1, 7])
})
