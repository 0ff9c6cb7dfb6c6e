import { describe, expect, onTestFinished, test } from 'vitest'
import { Controller } from '../controller/controller.js'
import { Observer } from '../observer/observer.js'
import { optimistic } from '../optimistic.js'
import { createResource } from '../rest/resource.js'
import { Entity } from '../schema/entity.js'
import { TestClock } from '../testing/test-clock.js'
import { Inspector } from './inspector.js'

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}

class Article extends Entity {
  id = 0
  title = ''
  author: User | undefined = undefined
  static override key = 'Article'
  static override schema = { author: User }
}

function createStage() {
  const articles = createResource({
    urlPrefix: 'http://api',
    path: '/article/:id',
    schema: Article,
    optimistic,
  })
  const clock = new TestClock()
  const sent: string[] = []
  const controller = new Controller({
    clock,
    fetch: async (url, init) => {
      sent.push(`${init?.method ?? 'GET'} ${String(url)}`)
      return Response.json({ id: 5, title: 'a', author: { id: 1, name: 'Maja' } })
    },
  })
  onTestFinished(() => controller.dispose())
  return { articles, clock, controller, sent, inspector: new Inspector(controller) }
}

describe('the calls of a Controller', () => {
  test('are listed with status, age, data and readers', async () => {
    const { articles, clock, controller, inspector } = createStage()
    const observer = new Observer(controller, articles.get, [{ id: 5 }])
    const release = observer.retain(() => {})
    observer.fetchIfDue()
    expect(inspector.calls()).toMatchObject([
      { endpoint: articles.get.name, args: [{ id: 5 }], status: 'Invalid', fetching: true, retainers: 1 },
    ])
    await controller.fetch(articles.get, { id: 5 })
    const [call] = inspector.calls()
    expect(call).toMatchObject({ status: 'Valid', fetching: false, isFetchable: true, error: undefined })
    expect(call?.data).toBe(controller.get(Article, { id: 5 }))
    expect(call?.expiresAt).toBe((call?.receivedAt ?? 0) + 60_000)
    clock.advance(60_000)
    expect(inspector.calls()[0]).toMatchObject({ status: 'Stale', readers: [undefined] })
    release()
    expect(inspector.calls()[0]).toMatchObject({ retainers: 0, readers: [], usedAt: clock.now() })
  })

  test('say where their data comes from, and which arguments share their key', async () => {
    const { articles, controller, inspector } = createStage()
    controller.setResponse(articles.getList, [{ id: 5, title: 'a' }])
    controller.read(articles.get, { id: 5 })
    const same = articles.get.extend({ key: () => 'one' })
    const first = new Observer(controller, same, [{ id: 5 }])
    const ends = [first.retain(), new Observer(controller, same, [{ id: 6 }]).retain()]
    const originOf = (key: string) => inspector.origin(inspector.callsOf(key)[0]!.id)
    expect(originOf(articles.get.key({ id: 5 }))).toMatchObject({
      what: 'Article 5',
      call: expect.stringContaining('/article'),
      record: { key: 'Article', pk: '5' },
      missing: undefined,
      records: [{ key: 'Article', pk: '5' }],
      argumentLists: [],
    })
    expect(originOf('one')?.argumentLists).toEqual([[{ id: 5 }], [{ id: 6 }]])
    for (const end of ends) end()
  })

  test('looking makes no call, sends nothing and changes no identity', async () => {
    const { articles, controller, inspector, sent } = createStage()
    expect([inspector.calls(), inspector.types(), inspector.layers()]).toEqual([[], [], []])
    const data = await controller.fetch(articles.get, { id: 5 })
    inspector.calls()
    inspector.record('Article', '5')
    expect(inspector.callsOf('GET http://nowhere')).toEqual([])
    expect(sent).toHaveLength(1)
    expect(controller.get(Article, { id: 5 })).toBe(data)
  })

  test('are refetched, expired, invalidated, failed and removed', async () => {
    const { articles, controller, inspector, sent } = createStage()
    const release = inspector.observe({})
    await controller.fetch(articles.get, { id: 5 })
    const { id } = inspector.calls()[0]!
    await inspector.refetch(id)
    expect(sent).toHaveLength(2)
    inspector.expire(id)
    expect(inspector.call(id)?.status).toBe('Stale')
    inspector.invalidate(id)
    expect(inspector.call(id)?.status).toBe('Invalid')
    inspector.fail(id, new Error('by hand'))
    expect(controller.read(articles.get, { id: 5 }).error?.message).toBe('by hand')
    inspector.remove(id)
    expect(controller.read(articles.get, { id: 5 }).error).toBeUndefined()
    release()
    expect(() => inspector.refetch(id + 1)).toThrow('not known')
  })
})

describe('the records', () => {
  test('are counted, searched, and shown with what refers to them and shows them', async () => {
    const { articles, controller, inspector } = createStage()
    const release = new Observer(controller, articles.get, [{ id: 5 }]).retain(() => {})
    await controller.fetch(articles.get, { id: 5 })
    new Observer(controller, articles.get, [{ id: 5 }]).getSnapshot()
    controller.set(User, { id: 2 }, { name: 'Tom' })
    expect(inspector.types()).toEqual([
      { key: 'Article', count: 1 },
      { key: 'User', count: 2 },
    ])
    expect(inspector.records('User', 'TOM').map(({ pk }) => pk)).toEqual(['2'])
    expect(inspector.records('User', '', 1)).toHaveLength(1)
    expect(inspector.records('Nothing')).toEqual([])
    const author = inspector.record('User', '1')
    expect(author?.fields).toEqual({ id: 1, name: 'Maja' })
    expect(author?.referredBy).toEqual([{ key: 'Article', pk: '5' }])
    expect(author?.shownBy.map(({ key }) => key)).toEqual([articles.get.key({ id: 5 })])
    expect(inspector.record('Article', '5')).toMatchObject({
      fields: { author: '1' },
      refersTo: [{ key: 'User', pk: '1' }],
    })
    release()
  })

  test('say which fields are defaults, and why they are in no list; nested values are searched', async () => {
    const { articles, controller, inspector } = createStage()
    const listed = articles.getList.extend({ searchParams: {} as { title?: string } })
    controller.setResponse(listed, { title: 'b' }, [])
    controller.set(Article, { id: 5 }, { title: 'a', tags: [{ name: 'Deep' }] } as never)
    const record = inspector.record('Article', '5')
    expect(record).toMatchObject({ defaults: [], isDoubtful: false, isHydrated: false })
    expect(record?.lists).toEqual([
      { name: expect.any(String), isMember: false, reason: 'its title is "a", and the list is for "b"' },
    ])
    controller.set(User, { id: 3 }, {})
    expect(inspector.record('User', '3')?.defaults).toEqual(['name'])
    expect(inspector.records('Article', 'deep').map(({ pk }) => pk)).toEqual(['5'])
  })

  test('are edited as by controller.set', async () => {
    const { articles, controller, inspector } = createStage()
    await controller.fetch(articles.get, { id: 5 })
    inspector.edit('Article', '5', { title: 'by hand' })
    expect(controller.get(Article, { id: 5 })).toMatchObject({ title: 'by hand', author: { name: 'Maja' } })
    expect(() => inspector.edit('Article', '6', { title: 'x' })).toThrow('No record Article 6')
  })
})

test('optimistic layers are listed while they are pending', async () => {
  const { articles, controller, inspector } = createStage()
  await controller.fetch(articles.get, { id: 5 })
  const edit = controller.fetch(articles.partialUpdate, { id: 5 }, { title: 'b' })
  const create = controller.fetch(articles.create, { title: 'c' })
  const layers = inspector.layers()
  expect(layers.map(({ endpoint }) => endpoint)).toEqual([articles.partialUpdate.name, articles.create.name])
  expect(layers[1]?.temporaryIds).toEqual([expect.stringMatching(/^new-/)])
  await Promise.all([edit, create])
  expect(inspector.layers()).toEqual([])
})

describe('why a reader asked', () => {
  test('is told for a mount, other arguments, an invalidation, and a policy', async () => {
    const { articles, clock, controller, inspector } = createStage()
    const told: string[] = []
    const end = inspector.trace((_, { occasion, status, expiredForMs }) =>
      told.push(`${occasion} ${status} ${expiredForMs ?? '-'}`),
    )
    const first = new Observer(controller, articles.get, [{ id: 5 }])
    first.retain(() => first.load())
    first.fetchIfDue()
    await controller.fetch(articles.get, { id: 5 })
    clock.advance(72_000)
    const other = new Observer(controller, articles.get, [{ id: 5 }])
    other.succeed(new Observer(controller, articles.get, [{ id: 4 }]))
    other.fetchIfDue()
    await controller.fetch(articles.get, { id: 5 })
    clock.advance(61_000)
    controller.refetchStale()
    await controller.fetch(articles.get, { id: 5 })
    controller.invalidate(articles.get, { id: 5 })
    first.load()
    end()
    expect(told).toEqual([
      'mounted Invalid -',
      'arguments Stale 12000',
      'refetchStale Stale 1000',
      'invalidated Invalid -',
    ])
  })
})
