import { callsOf } from '../controller/calls.js'
import { describe, expect, test, vi } from 'vitest'
import type { Middleware } from '../controller/controller.js'
import { Endpoint } from '../endpoint/endpoint.js'
import { NetworkError } from '../errors.js'
import { GQLEndpoint } from '../graphql/gql-endpoint.js'
import { connect } from '../live/connect.js'
import { createResource } from '../rest/resource.js'
import { Entity } from '../schema/entity.js'
import type { Fixture, InterceptorContext } from './fixture.js'
import { createMockController, defineMocks } from './mock-controller.js'
import { TestClock } from './test-clock.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

const todos = createResource({ path: '/todo/:id', schema: Todo })
const getTime = new Endpoint(async () => ({ zone: { name: 'UTC' } }), { name: 'getTime' })

/** The error that a promise rejects with. */
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it was answered'),
    (error: unknown) => error,
  )

describe('a response that does not fit its schema', () => {
  const getPage = new Endpoint((_params: { id: number }) => Promise.resolve<unknown>(undefined), {
    name: 'getPage',
    schema: { results: [Todo], todo: Todo },
  })
  const call = { endpoint: getPage, args: [{ id: 5 }] as const }
  const expected = `getPage expected a record of "Todo" at todo, but found nothing.
  The response was not stored. If the server may leave it out, write schema.Optional(…) around its schema; or set it in process().
  The response is that of the`

  test('names its fixture or interceptor', async () => {
    const response = { results: [] }
    const fixture = createMockController({ fixtures: [{ ...call, response }] })
    const interceptor = createMockController({
      interceptors: [{ endpoint: getPage, response: () => response }],
    })
    for (const [source, controller] of Object.entries({ fixture, interceptor })) {
      const message = `${expected} ${source} of getPage({"id":5}).`
      for (let times = 0; times < 2; times++)
        await expect(controller.fetch(getPage, { id: 5 })).rejects.toThrow(message)
      expect(controller.read(getPage, { id: 5 }).error?.message).toBe(message)
    }
  })

  test('names its fixture that is in the cache from the start, which is refused', () => {
    const fixture = { ...call, response: { results: [] }, isCached: true }
    expect(() => createMockController({ fixtures: [fixture] })).toThrow(
      `${expected} fixture of getPage({"id":5}).`,
    )
    const controller = createMockController()
    expect(() => controller.addFixture(fixture)).toThrow('fixture of getPage')
  })
})

describe('a fixture', () => {
  test('answers the call that it names, and is stored as any answer', async () => {
    const controller = createMockController({
      fixtures: [
        { endpoint: todos.get, args: [{ id: 5 }], response: { id: 5, title: 'a' } },
        { endpoint: todos.getList, args: [], response: [{ id: 5, title: 'b' }] },
      ],
    })
    const todo = await controller.fetch(todos.get, { id: 5 })
    expect(todo).toBeInstanceOf(Todo)
    const [listed] = await controller.fetch(todos.getList)
    expect(listed).toBe(controller.get(Todo, { id: 5 }))
    expect(listed?.title).toBe('b')
  })

  test('answers by the key of a read: whatever endpoint asks, and however its arguments are written', async () => {
    const controller = createMockController({
      fixtures: [{ endpoint: todos.get, args: [{ id: 5 }], response: { id: 5, title: 'a' } }],
    })
    const other = todos.get.extend({ dataExpiryLength: 5 })
    expect((await controller.fetch(other, { id: '5' })).title).toBe('a')
  })

  test('answers a mutation with the same arguments only', async () => {
    const controller = createMockController({
      fixtures: [
        { endpoint: todos.partialUpdate, args: [{ id: 5 }, { title: 'b' }], response: { id: 5, title: 'b' } },
        { endpoint: todos.delete, args: [{ id: 5 }], response: { id: 5 } },
      ],
    })
    const updated = await controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'b' })
    expect(updated!.title).toBe('b')
    await expect(controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'c' })).rejects.toMatchObject({
      code: 'request-unanswered',
    })
    await controller.fetch(todos.delete, { id: 5 })
    expect(controller.get(Todo, { id: 5 })).toBe(undefined)
  })

  test('rejects with its error, which readers find too', async () => {
    const error = new Error('Offline')
    const controller = createMockController({ fixtures: [{ endpoint: todos.get, args: [{ id: 5 }], error }] })
    expect(await failureOf(controller.fetch(todos.get, { id: 5 }))).toBe(error)
    expect(controller.read(todos.get, { id: 5 }).error).toBe(error)
  })

  test('is shared by identical calls, and asked for again when it expired', async () => {
    const clock = new TestClock()
    const fixtures = [{ endpoint: todos.get, args: [{ id: 5 }], response: { id: 5 } }] as const
    const controller = createMockController({ clock, fixtures })
    await Promise.all([controller.fetch(todos.get, { id: 5 }), controller.fetch(todos.get, { id: 5 })])
    await controller.fetchIfStale(todos.get, { id: 5 })
    expect(controller.requests).toHaveLength(1)
    clock.advance(60_000)
    expect(controller.read(todos.get, { id: 5 }).status).toBe('Stale')
    await controller.fetchIfStale(todos.get, { id: 5 })
    expect(controller.requests).toHaveLength(2)
  })

  test('takes its time by the clock of the Controller, and is given up with the request', async () => {
    const clock = new TestClock()
    const controller = createMockController({
      clock,
      fixtures: [{ endpoint: todos.get, args: [{ id: 5 }], response: { id: 5 }, delayMs: 300 }],
    })
    const settled = vi.fn()
    void controller.fetch(todos.get, { id: 5 }).then(settled)
    clock.advance(299)
    await new Promise((resolve) => setTimeout(resolve))
    expect(settled).not.toHaveBeenCalled()
    clock.advance(1)
    await vi.waitFor(() => expect(settled).toHaveBeenCalled())
    const waiting = controller.fetch(todos.get, { id: 5 })
    controller.resetAll()
    await expect(waiting).rejects.toMatchObject({ code: 'hard-reset' })
    controller.dispose()
    expect(clock.timers).toBe(0)
  })

  test('cannot be changed by who reads its answer, nor an answer by who changes the fixture', async () => {
    const response = { zone: { name: 'UTC' } }
    const send = new Endpoint(async () => response, { name: 'send', sideEffect: true })
    const controller = createMockController({
      fixtures: [
        { endpoint: getTime, args: [], response },
        { endpoint: send, args: [], response },
      ],
    })
    const sent = await controller.fetch(send)
    sent.zone.name = 'changed'
    expect(response.zone.name).toBe('UTC')
    const read = await controller.fetch(getTime)
    response.zone.name = 'changed as well'
    expect(read.zone.name).toBe('UTC')
  })

  test('may be in the cache from the beginning, an error too', () => {
    const error = new Error('Offline')
    const controller = createMockController({
      fixtures: [
        { endpoint: todos.get, args: [{ id: 5 }], response: { id: 5, title: 'a' }, isCached: true },
        { endpoint: todos.get, args: [{ id: 6 }], error, isCached: true },
      ],
    })
    expect(controller.read(todos.get, { id: 5 })).toMatchObject({ status: 'Valid', data: { title: 'a' } })
    expect(controller.read(todos.get, { id: 6 }).error).toBe(error)
    expect(controller.requests).toEqual([])
  })

  test('that is added later counts first', async () => {
    const list: Fixture[] = [{ endpoint: todos.get, args: [{ id: 5 }], error: new Error('Offline') }]
    const controller = createMockController({ fixtures: list })
    await failureOf(controller.fetch(todos.get, { id: 5 }))
    controller.addFixture({ endpoint: todos.get, args: [{ id: 5 }], response: { id: 5, title: 'a' } })
    expect((await controller.fetch(todos.get, { id: 5 })).title).toBe('a')
    expect(list).toHaveLength(1)
  })

  test('that cannot answer is refused when it is given', () => {
    const refused = (fixture: unknown) => () => createMockController({ fixtures: [fixture as Fixture] })
    expect(refused({ args: [], response: 1 })).toThrow('A fixture received nothing instead of an endpoint')
    expect(refused({ endpoint: todos.get, response: {} })).toThrow('has no list of arguments')
    expect(refused({ endpoint: todos.create, args: [{ title: 'a' }], response: {}, isCached: true })).toThrow(
      'has `isCached`, but the cache holds no responses of mutations',
    )
  })
})

describe('an interceptor', () => {
  test('answers reads and mutations of a small collection that it keeps', async () => {
    const mocks = defineMocks({
      createState: () => ({ rows: [{ id: 1, title: 'a' }] }),
      interceptors: [
        {
          endpoint: todos.getList,
          response() {
            return this.state.rows
          },
        },
        {
          endpoint: todos.create,
          response(body) {
            const row = { id: this.state.rows.length + 1, title: body.title ?? '' }
            this.state.rows.push(row)
            return row
          },
        },
      ],
    })
    const controller = createMockController(mocks)
    const before = await controller.fetch(todos.getList)
    const created = await controller.fetch(todos.create, { title: 'b' })
    expect(created).toMatchObject({ id: 2, title: 'b' })
    expect(before.map(({ id }) => id)).toEqual([1])
    expect((await controller.fetch(todos.create, {}, { title: 'c' }))!.id).toBe(3)
    const after = await controller.fetch(todos.getList)
    expect(after.map(({ title }) => title)).toEqual(['a', 'b', 'c'])
    expect(after[1]).toBe(controller.get(Todo, { id: 2 }))
    // Two Controllers with the same options share no state.
    expect(await createMockController(mocks).fetch(todos.getList)).toHaveLength(1)
  })

  test('may throw, take its time, and is beaten by a fixture', async () => {
    const clock = new TestClock()
    const controller = createMockController({
      clock,
      fixtures: [{ endpoint: todos.get, args: [{ id: 5 }], response: { id: 5, title: 'fixture' } }],
      interceptors: [
        {
          endpoint: todos.get,
          delayMs: 10,
          response({ id }) {
            throw new RangeError(`There is no ${id}.`)
          },
        },
      ],
    })
    expect((await controller.fetch(todos.get, { id: 5 })).title).toBe('fixture')
    const failure = failureOf(controller.fetch(todos.get, { id: 6 }))
    clock.advance(10)
    expect(await failure).toBeInstanceOf(RangeError)
  })

  test('in the place of the network leaves the steps of the endpoint to it', async () => {
    const sent: unknown[] = []
    const withToken = todos.get.extend({ getHeaders: (headers) => ({ ...headers, token: 't' }) })
    const controller = createMockController({
      interceptors: [
        {
          endpoint: withToken,
          fetchResponse(url, init) {
            sent.push([url, init.method, init.headers, this.key])
            return url.endsWith('/5')
              ? { id: 5, title: 'a' }
              : new Response('{"why":"gone"}', { status: 410 })
          },
        },
      ],
    })
    expect((await controller.fetch(withToken, { id: 5 })).title).toBe('a')
    expect(sent).toEqual([['/todo/5', 'GET', { token: 't' }, 'GET /todo/5']])
    const failure = await failureOf(controller.fetch(withToken, { id: 6 }))
    expect(failure).toBeInstanceOf(NetworkError)
    expect(failure).toMatchObject({ status: 410 })
    expect(callsOf(controller).isHard(withToken, failure as Error)).toBe(true)
  })

  test('in the place of the network serves GraphQL and answers without a body', async () => {
    const gql = new GQLEndpoint('/graphql')
    const getTodo = gql.query(({ id }: { id: string }) => `{ todo(id: "${id}") { id title } }`, {
      todo: Todo,
    })
    const controller = createMockController({
      interceptors: [
        { endpoint: getTodo, fetchResponse: () => ({ data: { todo: { id: 5, title: 'a' } } }) },
        { endpoint: todos.delete, fetchResponse: () => undefined },
      ],
    })
    expect((await controller.fetch(getTodo, { id: '5' })).todo?.title).toBe('a')
    await controller.fetch(todos.delete, { id: 5 })
    expect(controller.get(Todo, { id: 5 })).toBe(undefined)
  })

  test('by a testKey answers calls of any endpoint', async () => {
    const controller = createMockController({
      interceptors: [
        {
          testKey: (key: string) => key.startsWith('GET /todo'),
          response(this: InterceptorContext, ...args: unknown[]) {
            expect(args).toEqual([{ id: 5 }])
            return { id: 5, title: this.endpoint.name }
          },
        },
      ],
    })
    expect((await controller.fetch(todos.get, { id: 5 })).title).toBe(todos.get.name)
    await expect(controller.fetch(getTime)).rejects.toMatchObject({ code: 'request-unanswered' })
  })

  test('that cannot answer is refused when it is given', () => {
    expect(() =>
      createMockController({ interceptors: [{ endpoint: getTime, fetchResponse: () => ({}) }] }),
    ).toThrow('which has no fetchResponse()')
    expect(() => createMockController({ interceptors: [{ response: () => ({}) } as never] })).toThrow(
      'An interceptor received nothing instead of an endpoint',
    )
  })
})

describe('a call that nothing answers', () => {
  test('is rejected by an error that names it, what there is, and the remedy', async () => {
    const controller = createMockController({
      fixtures: [
        { endpoint: todos.get, args: [{ id: 5 }], response: { id: 5 } },
        { endpoint: todos.getList, args: [], response: [] },
      ],
    })
    const failure = await failureOf(controller.fetch(todos.get, { id: 7 }))
    expect(failure).toMatchObject({ code: 'request-unanswered' })
    expect((failure as Error).message).toContain('there is no response for GET /todo/7.')
    expect((failure as Error).message).toContain('The fixtures of this endpoint are for {"id":5}.')
    expect(controller.requests.at(-1)?.answeredBy).toBe('nothing')
  })

  test('may be let through to the endpoint’s own function', async () => {
    const controller = createMockController({
      unanswered: 'fetch',
      fixtures: [{ endpoint: todos.get, args: [{ id: 5 }], response: { id: 5 } }],
    })
    expect(await controller.fetch(getTime)).toEqual({ zone: { name: 'UTC' } })
    expect(controller.requests).toMatchObject([{ endpoint: getTime, answeredBy: 'network' }])
  })
})

describe('the log of requests', () => {
  test('says what was sent, of which endpoint and how it was answered', async () => {
    const body = { title: 'b' }
    const controller = createMockController({
      fixtures: [{ endpoint: todos.get, args: [{ id: 5 }], response: { id: 5 } }],
      interceptors: [{ endpoint: todos.partialUpdate, response: ({ id }) => ({ id: Number(id) }) }],
    })
    await controller.fetch(todos.get, { id: 5 })
    await controller.fetch(todos.partialUpdate, { id: 5 }, body)
    body.title = 'changed later'
    const { requests } = controller
    expect(requests).toEqual([
      { kind: 'read', endpoint: todos.get, args: [{ id: 5 }], key: 'GET /todo/5', answeredBy: 'fixture' },
      {
        kind: 'mutation',
        endpoint: todos.partialUpdate,
        args: [{ id: 5 }, { title: 'b' }],
        key: 'PATCH /todo/5',
        answeredBy: 'interceptor',
      },
    ])
    expect(controller.requestsOf(todos.get)).toEqual([requests[0]])
    expect(controller.requestsOf(todos.get, { id: 6 })).toEqual([])
    expect(controller.requestsOf(todos.partialUpdate, { id: 5 }, { title: 'b' })).toEqual([requests[1]])
    expect(controller.requestsOf(todos.partialUpdate, { id: 5 }, { title: 'c' })).toEqual([])
    controller.clearRequests()
    expect(requests).toEqual([])
  })

  test('is of what leaves the middleware that is given', async () => {
    const error = new Error('Offline')
    const retryOnce: Middleware = () => ({ request: (_, next) => next().catch(() => next()) })
    const controller = createMockController({
      middleware: [retryOnce],
      fixtures: [{ endpoint: todos.get, args: [{ id: 5 }], error }],
    })
    await failureOf(controller.fetch(todos.get, { id: 5 }))
    expect(controller.requests).toHaveLength(2)
  })
})

describe('a stream', () => {
  test('is not opened; what a server would have sent is set', () => {
    const stream = vi.fn(() => () => {})
    const live = todos.get.extend({ stream })
    const controller = createMockController()
    const end = connect(controller, live, { id: 5 })
    expect(stream).not.toHaveBeenCalled()
    controller.setResponse(live, { id: 5 }, { id: 5, title: 'sent' })
    expect(controller.read(live, { id: 5 }).data?.title).toBe('sent')
    end()
    connect(createMockController({ unanswered: 'fetch' }), live, { id: 5 })
    expect(stream).toHaveBeenCalledTimes(1)
  })
})

test.each(['interceptor', 'fixtures'])(
  'loaded pages that are requested again are each answered by the %s',
  async (source) => {
    const list = todos.getList.extend({ paginationField: 'page', refetchPages: true })
    const rows = (page = 1) => [2 * page - 1, 2 * page].map((id) => ({ id, title: `${id}` }))
    const controller = createMockController(
      source === 'interceptor'
        ? {
            interceptors: [
              {
                endpoint: list,
                response: (params?: { page?: number }) => rows(params?.page),
              },
            ],
          }
        : {
            fixtures: [
              { endpoint: list, args: [], response: rows() },
              { endpoint: list.getPage, args: [{ page: 2 }], response: rows(2) },
            ],
          },
    )
    const ids = () => controller.read(list).data?.map(({ id }) => id)
    await controller.fetch(list)
    await controller.fetch(list.getPage, { page: 2 })
    expect(ids()).toEqual([1, 2, 3, 4])
    await controller.fetch(list)
    expect(ids()).toEqual([1, 2, 3, 4])
  },
)
