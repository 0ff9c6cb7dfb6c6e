import { describe, expect, test, vi } from 'vitest'
import { Controller, Endpoint, Entity } from '../index.js'
import { GQLEndpoint } from '../graphql.js'
import { RestEndpoint } from '../rest.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

const get = new Endpoint(async ({ id }: { id: number }) => ({ id, title: 'x' }), {
  name: 'get',
  schema: Todo,
})
const other = new Endpoint(async () => 1, { name: 'getOther' })

async function openController() {
  const controller = new Controller()
  await Promise.all([1, 2].map((id) => controller.fetch(get, { id })))
  await controller.fetch(other)
  return controller
}

const statuses = (controller: Controller) => [
  controller.read(get, { id: 1 }).status,
  controller.read(get, { id: 2 }).status,
  controller.read(other).status,
]

describe('invalidateAll and expireAll', () => {
  test('concern every call of the endpoint, and no other', async () => {
    const controller = await openController()
    controller.expireAll(get)
    expect(statuses(controller)).toEqual(['Stale', 'Stale', 'Valid'])
    expect(controller.read(get, { id: 1 }).data).toMatchObject({ title: 'x' })
    controller.invalidateAll(get)
    expect(statuses(controller)).toEqual(['Invalid', 'Invalid', 'Valid'])
    controller.invalidateAll({ testKey: (key) => key.startsWith('getOther') })
    expect(statuses(controller)).toEqual(['Invalid', 'Invalid', 'Invalid'])
    await controller.fetch(get, { id: 1 })
    expect(statuses(controller)[0]).toBe('Valid')
  })

  test('expiring counts also where the endpoint says how long data lasts, and for answers on their way', async () => {
    const controller = await openController()
    const lasting = get.extend({ dataExpiryLength: Infinity })
    controller.expireAll(lasting)
    expect(controller.read(lasting, { id: 1 }).status).toBe('Stale')
    const older = controller.fetch(get, { id: 1 })
    controller.expireAll(get)
    const newer = controller.fetch(get, { id: 1 })
    expect(newer).not.toBe(older)
    await older
    await newer
    expect(controller.read(get, { id: 1 }).status).toBe('Valid')
  })

  test('a listener is told once of each', async () => {
    const controller = await openController()
    const tell = vi.fn()
    controller.subscribe(get, { id: 1 }, tell)
    controller.invalidateAll(get)
    expect(tell).toHaveBeenCalledTimes(1)
  })

  test('what has no testKey is refused', () => {
    const controller = new Controller()
    expect(() => controller.invalidateAll({} as never)).toThrow('controller.invalidateAll')
    expect(() => controller.expireAll(undefined as never)).toThrow('controller.expireAll')
  })
})

const rest = (path: string, urlPrefix = '', method = 'GET') => new RestEndpoint({ path, urlPrefix, method })

describe('testKey of a RestEndpoint', () => {
  test.each<[path: string, urlPrefix: string, params: object]>([
    ['/todo/:id', '', { id: 5 }],
    ['/todo/:id', 'https://a.b', { id: 'a/b?c#d e.é*(1)' }],
    ['/todo/:id', 'https://a.b/', { id: '..x', page: '2&3' }],
    ['todo/:id', 'https://a.b', { id: 5, q: 'x?y' }],
    ['todo/:id', 'https://a.b/', { id: 5 }],
    ['/a/:x-:y', '', { x: '1-2', y: 3 }],
    ['/todo/:id?', '', {}],
    ['/todo/:id?', '', { id: 1 }],
    ['/todo{/user/:user}', 'https://a.b/v1', { user: 1, z: 2 }],
    ['/todo\\?kind=:kind', '', { kind: 'x', z: 2 }],
    ['', 'https://a.b/graph', { z: 2 }],
    ['/a.b+c', '', {}],
  ])('%s after "%s" knows the call of %j', (path, urlPrefix, params) => {
    const endpoint = rest(path, urlPrefix)
    expect(endpoint.testKey(endpoint.key(params as never))).toBe(true)
  })

  test.each<[path: string, urlPrefix: string, key: string]>([
    ['/todo/:id', '', 'POST /todo/5'],
    ['/todo/:id', '', 'GET /todo'],
    ['/todo/:id', '', 'GET /todo/5/comment'],
    ['/todo/:id', '', 'GET /todo/'],
    ['/todo', '', 'GET /todo/5'],
    ['/todo', '', 'GET /todos'],
    ['/todo', '', 'GET /todo&x=1'],
    ['/a.b', '', 'GET /axb'],
    ['/todo', 'https://a.b', 'GET https://a.c/todo'],
    ['/todo', 'https://a.b', 'GET /todo'],
    ['todo', 'https://a.b', 'GET https://a.btodo'],
  ])('%s after "%s" does not know %s', (path, urlPrefix, key) => {
    expect(rest(path, urlPrefix).testKey(key)).toBe(false)
  })
})

describe('testKey', () => {
  test('of an Endpoint goes by its name', () => {
    expect(get.testKey(get.key({ id: 5 }))).toBe(true)
    expect(get.testKey(other.key())).toBe(false)
  })

  test('of a GraphQL endpoint goes by its document and address', () => {
    const gql = new GQLEndpoint('https://a.b/graphql')
    const named = gql.query('query A($id: ID!) { a(id: $id) }')
    const unnamed = gql.query('{ a }')
    const written = gql.query((_variables: { id: string }) => 'query A($id: ID!) { a(id: $id) }')
    const key = named.key({ id: '1' })
    expect(named.testKey(key)).toBe(true)
    expect(written.testKey(key)).toBe(true)
    expect(unnamed.testKey(unnamed.key())).toBe(true)
    expect(unnamed.testKey(key)).toBe(false)
    expect(unnamed.testKey(gql.query('{ a b }').key())).toBe(false)
    expect(gql.extend({ url: 'https://c.d' }).query('{ a }').testKey(unnamed.key())).toBe(false)
    expect(gql.testKey(key)).toBe(false)
  })

  test('is replaced by the option of that name', () => {
    const testKey = (key: string) => key === 'mine'
    expect(get.extend({ testKey }).testKey('mine')).toBe(true)
    expect(new RestEndpoint({ path: '/a', testKey }).testKey('mine')).toBe(true)
    expect(new GQLEndpoint('/graphql', { testKey }).testKey('mine')).toBe(true)
  })
})
