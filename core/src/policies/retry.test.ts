import { afterEach, describe, expect, test, vi } from 'vitest'
import { GQLEndpoint } from '../graphql.js'
import { Controller, Endpoint, SelfsameError } from '../index.js'
import type { EndpointLike, Middleware } from '../index.js'
import { NetworkError, createResource } from '../rest.js'
import { systemClock } from '../util/clock.js'
import { retry } from './retry.js'
import { pauseOffline } from './pause-offline.js'
import { ManualNetwork, Todo, createStage, reply } from './testing-stage.js'
import { throttle } from './throttle.js'
import { isTransientError } from '../controller/transient-errors.js'

afterEach(() => void vi.restoreAllMocks())

const route = 'GET /todo/5'
const todo = { id: 5, title: 'Todo 5' }

/** A fetch that responds with each of these in turn, then with the todo. */
function inTurn(...answers: readonly unknown[]) {
  let position = 0
  return () => answers[position++] ?? todo
}

const answerOf = (status: number, headers: Record<string, string> = {}) =>
  new NetworkError('no', { status, response: new Response('', { status, headers }) })

describe('what is made again', () => {
  test.each<[string, Error, boolean]>([
    ['no answer', new NetworkError('no', {}), true],
    ['what fetch itself throws', new TypeError('Failed to fetch'), true],
    ['no answer, as an XMLHttpRequest says it', Object.assign(new Error('no'), { status: 0 }), true],
    ['408', answerOf(408), true],
    ['425', answerOf(425), true],
    ['429', answerOf(429), true],
    ['500', answerOf(500), true],
    ['503', answerOf(503), true],
    ['400', answerOf(400), false],
    ['401', answerOf(401), false],
    ['404', answerOf(404), false],
    ['422', answerOf(422), false],
    ['an answer with errors in its body', answerOf(200), false],
    ['an abort', new DOMException('no', 'AbortError'), false],
    ['an unusable answer', new SelfsameError('body-unexpected', 'no', { status: 400 }), false],
    ['a call that cannot be made', new SelfsameError('path-param-missing', 'no'), false],
  ])('%s', (_, error, isTransient) => {
    expect(isTransientError(error)).toBe(isTransient)
  })

  test('a read that fails for now is made up to three times, with longer and longer waits', async () => {
    const { api, clock, controller, pass, server, settle } = createStage(retry({ random: () => 0.5 }))
    server.route(route, inTurn(reply.status(500), reply.offline()))
    const fetched = controller.fetch(api.get, { id: 5 })
    await settle()
    expect(server.requests).toHaveLength(1)
    await pass(499)
    expect(server.requests).toHaveLength(1)
    await pass(1)
    expect(server.requests).toHaveLength(2)
    await pass(999)
    expect(server.requests).toHaveLength(2)
    await pass(1)
    expect(await fetched).toMatchObject(todo)
    expect(server.requests).toHaveLength(3)
    controller.dispose()
    expect(clock.timers).toBe(0)
  })

  test('the error of the last attempt is thrown, and stored once', async () => {
    const { api, controller, pass, server } = createStage(retry({ attempts: 2, delayMs: () => 10 }))
    let count = 0
    server.route(route, () => reply.status(500 + count++))
    const fetched = controller.fetch(api.get, { id: 5 })
    const errors: unknown[] = []
    controller.subscribe(api.get, { id: 5 }, ({ error }) => void (error && errors.push(error)))
    fetched.catch(() => {})
    await pass(0)
    expect(controller.read(api.get, { id: 5 })).toMatchObject({ fetching: true, error: undefined })
    await pass(10)
    await expect(fetched).rejects.toMatchObject({ status: 501 })
    expect(errors).toEqual([controller.read(api.get, { id: 5 }).error])
    await pass(60_000)
    expect(server.requests).toHaveLength(2)
  })

  test('an error that stays is thrown at once', async () => {
    const { api, controller, server } = createStage(retry())
    server.route(route, reply.status(404))
    await expect(controller.fetch(api.get, { id: 5 })).rejects.toMatchObject({ status: 404 })
    expect(server.requests).toHaveLength(1)
  })

  test('an option decides what passes, another how long to wait, by attempt and error', async () => {
    const delayMs = vi.fn(() => 7)
    const isTransient = (error: Error) => (error as NetworkError).status === 404
    const { api, controller, pass, server, settle } = createStage(retry({ delayMs, isTransient }))
    server.route(route, inTurn(reply.status(404), reply.status(404)))
    const fetched = controller.fetch(api.get, { id: 5 })
    await settle()
    await pass(7)
    await pass(7)
    expect(await fetched).toMatchObject(todo)
    expect(delayMs.mock.calls).toEqual([
      [1, expect.objectContaining({ status: 404 })],
      [2, expect.objectContaining({ status: 404 })],
    ])
  })

  test('waits are jittered over their whole length and are at most 30 seconds', async () => {
    const { api, clock, controller, pass, server, settle } = createStage(
      retry({ attempts: 9, random: () => 0.9999 }),
    )
    server.route(route, reply.status(500))
    const waits: number[] = []
    const set = clock.setTimeout.bind(clock)
    clock.setTimeout = (callback, delayMs) => {
      if (delayMs > 0) waits.push(Math.round(delayMs))
      return set(callback, delayMs)
    }
    controller.fetch(api.get, { id: 5 }).catch(() => {})
    await settle()
    for (let attempt = 1; attempt < 9; attempt++) await pass(30_000)
    expect(waits.filter((ms) => ms <= 30_000).slice(0, 8)).toEqual([
      1000, 2000, 4000, 7999, 15998, 29997, 29997, 29997,
    ])
  })

  test('all who wait share the attempts', async () => {
    const { api, controller, pass, server, settle } = createStage(retry({ delayMs: () => 10 }))
    server.route(route, inTurn(reply.status(503)))
    const first = controller.fetch(api.get, { id: 5 })
    await settle()
    const second = controller.fetch(api.get, { id: 5 })
    await pass(10)
    expect(await first).toBe(await second)
    expect(server.requests).toHaveLength(2)
  })
})

describe('mutations', () => {
  const failing = (stage: ReturnType<typeof createStage>) =>
    stage.server.route('PATCH /todo/5', reply.status(503))

  test('are sent once', async () => {
    const stage = createStage(retry({ delayMs: () => 10 }))
    failing(stage)
    await expect(stage.controller.fetch(stage.api.partialUpdate, { id: 5 }, {})).rejects.toThrow('503')
    await stage.pass(60_000)
    expect(stage.server.requests).toHaveLength(1)
  })

  test.each([
    [true, 3],
    [5, 5],
  ])('are sent again where the endpoint says retry: %s', async (own, requests) => {
    const stage = createStage(retry({ delayMs: () => 10, byDefault: false }))
    failing(stage)
    const save = stage.api.partialUpdate.extend({ retry: own })
    const saved = stage.controller.fetch(save, { id: 5 }, {})
    saved.catch(() => {})
    await stage.settle()
    for (let attempt = 1; attempt < 9; attempt++) await stage.pass(10)
    await expect(saved).rejects.toThrow('503')
    expect(stage.server.requests).toHaveLength(requests)
  })

  test('are not sent again after a reset, nor when they were answered in another way', async () => {
    const stage = createStage(retry({ delayMs: () => 10 }))
    failing(stage)
    const save = stage.api.partialUpdate.extend({ retry: true })
    const dropped = stage.controller.fetch(save, { id: 5 }, {})
    await stage.settle()
    stage.controller.resetAll()
    await expect(dropped).rejects.toMatchObject({ code: 'hard-reset' })
    const resolved = stage.controller.fetch(save, { id: 5 }, {})
    await stage.settle()
    stage.controller.resolve(save, { args: [{ id: 5 }, {}], response: { id: 5, title: 'pushed' } })
    expect(await resolved).toMatchObject({ title: 'pushed' })
    await stage.pass(60_000)
    expect(stage.server.requests).toHaveLength(2)
    stage.controller.dispose()
    expect(stage.clock.timers).toBe(0)
  })
})

describe('Retry-After', () => {
  /** Fails once, with this `Retry-After` header. */
  async function failOnce(
    value: string,
    stage = createStage(retry({ delayMs: () => 10 })),
    more: Record<string, string> = {},
  ) {
    let count = 0
    const failure = answerOf(429, { 'retry-after': value, ...more })
    const get = new Endpoint(() => (count++ === 0 ? Promise.reject(failure) : Promise.resolve('answer')), {
      name: 'get',
    })
    const fetched = stage.controller.fetch(get)
    fetched.catch(() => {})
    await stage.settle()
    return { ...stage, fetched, requests: () => count }
  }

  test.each([
    ['seconds', '2', 2000],
    ['a date, by the clock of the Controller', new Date(Date.UTC(2026, 0, 1, 0, 0, 3)).toUTCString(), 3000],
    ['less than the wait that is due anyway', '0', 10],
    ['a date that has passed', new Date(Date.UTC(2025, 0, 1)).toUTCString(), 10],
    ['something unknown', 'soon', 10],
  ])('%s', async (_, value, expectedMs) => {
    const { fetched, pass, requests } = await failOnce(value)
    await pass(expectedMs - 1)
    expect(requests()).toBe(1)
    await pass(1)
    expect(requests()).toBe(2)
    expect(await fetched).toBe('answer')
  })

  test.each([
    ['a day behind', Date.UTC(2025, 11, 31)],
    ['a day ahead', Date.UTC(2026, 0, 2)],
  ])('a date, by the clock of a server that is %s', async (_, serverNow) => {
    const at = (ms: number) => new Date(serverNow + ms).toUTCString()
    const { fetched, pass, requests } = await failOnce(at(3000), undefined, { date: at(0) })
    await pass(2999)
    expect(requests()).toBe(1)
    await pass(1)
    expect(await fetched).toBe('answer')
  })

  test('of more than a minute ends the attempts', async () => {
    const { fetched, requests } = await failOnce('61')
    await expect(fetched).rejects.toMatchObject({ status: 429 })
    expect(requests()).toBe(1)
  })

  test('of up to maxRetryAfterMs is waited for', async () => {
    const { fetched, pass } = await failOnce('3600', createStage(retry({ maxRetryAfterMs: 3_600_000 })))
    await pass(3_600_000)
    expect(await fetched).toBe('answer')
  })
})

describe('after a response', () => {
  const fail = (error: unknown) => () => {
    throw error
  }
  test.each<[string, object, number]>([
    ['process threw', { process: fail(new Error('no')) }, 1],
    ['process made a mistake', { process: fail(new TypeError('undefined is not an object')) }, 1],
    ['parseResponse threw', { parseResponse: fail(new RangeError('no')) }, 1],
    [
      'parseResponse threw what tells of a passing state',
      { parseResponse: fail(Object.assign(new Error('busy'), { status: 503 })) },
      3,
    ],
    ['a body that parseResponse reads broke off', { parseResponse: fail(new TypeError('terminated')) }, 3],
  ])('%s: %i', async (_, options, count) => {
    const { api, controller, pass, server, settle } = createStage(retry({ delayMs: () => 10 }))
    const fetched = controller.fetch(api.get.extend(options as never) as EndpointLike, { id: 5 })
    fetched.catch(() => {})
    await settle()
    for (const ms of [10, 10, 10]) await pass(ms)
    await expect(fetched).rejects.toBeInstanceOf(Error)
    expect(server.requests).toHaveLength(count)
  })
})

test('a step of a GraphQL endpoint that throws after a response is no reason either', async () => {
  const fetch = vi.fn<() => Promise<Response>>(async () => Response.json({ data: { hello: 'world' } }))
  const controller = new Controller({ fetch, middleware: [retry({ delayMs: () => 0 })] })
  const process = () => {
    throw new TypeError('undefined is not an object')
  }
  const hello = new GQLEndpoint('https://api.test/graphql').query('query hello { hello }').extend({ process })
  await expect(controller.fetch(hello as EndpointLike)).rejects.toThrow(TypeError)
  expect(fetch).toHaveBeenCalledTimes(1)
  controller.dispose()
})

describe('beside pauseOffline', () => {
  /** Fails once, and has no network when the wait is over. */
  async function failAndLeave(...middleware: readonly Middleware[]) {
    const stage = createStage(...middleware)
    stage.server.route(route, inTurn(reply.status(503)))
    const fetched = stage.controller.fetch(stage.api.get, { id: 5 })
    await stage.settle()
    network.set(false)
    await stage.pass(10)
    return { ...stage, fetched }
  }
  const network = new ManualNetwork()
  const policies = () => ({ retry: retry({ delayMs: () => 10 }), pause: pauseOffline({ network }) })

  test('sends the next attempt when the network is back', async () => {
    network.set(true)
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { pause, retry: again } = policies()
    const { fetched, server } = await failAndLeave(again, pause)
    expect(server.requests).toHaveLength(1)
    network.set(true)
    expect(await fetched).toMatchObject(todo)
    expect(server.requests).toHaveLength(2)
    expect(warned).not.toHaveBeenCalled()
  })

  test.each([0, 1])('tells of the order in which it would not, with %i others between', (count) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { pause, retry: again } = policies()
    createStage(again, pause)
    createStage(pause)
    createStage(again)
    expect(warned).not.toHaveBeenCalled()
    createStage(pause, ...Array.from({ length: count }, () => throttle({ concurrency: 1 })), again)
    expect(warned.mock.calls).toEqual([[expect.stringContaining('Put it first: [retry(), pauseOffline()].')]])
  })
})

describe('a wait', () => {
  test('ends when nobody waits for the read any more', async () => {
    const { api, clock, mount, pass, server, settle } = createStage(retry())
    server.route(route, reply.status(500))
    const { unmount } = await mount(api.get, { id: 5 })
    await settle()
    unmount()
    await pass(60_000)
    expect(server.requests).toHaveLength(1)
    clock.advance(600_000)
    expect(clock.timers).toBe(0)
  })

  test('ends with the signal of the endpoint', async () => {
    const { api, controller, pass, server, settle } = createStage(retry())
    server.route(route, reply.status(500))
    const abort = new AbortController()
    const fetched = controller.fetch(api.get.extend({ signal: abort.signal }), { id: 5 })
    await settle()
    abort.abort()
    await expect(fetched).rejects.toMatchObject({ name: 'AbortError' })
    await pass(60_000)
    expect(server.requests).toHaveLength(1)
  })

  test('keeps a Node process alive, as other timers do not', () => {
    const isKept = (options?: { keepsAlive: boolean }) => {
      const timer = systemClock.setTimeout(() => {}, 1000, options) as NodeJS.Timeout
      systemClock.clearTimeout(timer)
      return timer.hasRef()
    }
    expect(isKept()).toBe(false)
    expect(isKept({ keepsAlive: true })).toBe(true)
  })
})

describe('the switch', () => {
  test.each<[boolean | undefined, boolean | number | undefined, number]>([
    [undefined, undefined, 3],
    [undefined, false, 1],
    [undefined, 2, 2],
    [false, undefined, 1],
    [false, true, 3],
    [false, 2, 2],
  ])('byDefault %s, endpoint %s: %s attempts', async (byDefault, own, attempts) => {
    const { api, controller, pass, server, settle } = createStage(retry({ byDefault, delayMs: () => 10 }))
    server.route(route, reply.status(500))
    controller.fetch(api.get.extend({ retry: own }), { id: 5 }).catch(() => {})
    await settle()
    for (let attempt = 1; attempt < 9; attempt++) await pass(10)
    expect(server.requests).toHaveLength(attempts)
  })

  test('of a resource is for its reads', () => {
    const {
      get,
      getList,
      create,
      update,
      partialUpdate,
      delete: remove,
    } = createResource({
      path: '/todo/:id',
      schema: Todo,
      retry: true,
      pauseOffline: true,
      throttle: false,
    })
    for (const { retry: own, pauseOffline, throttle } of [get, getList]) {
      expect({ own, pauseOffline, throttle }).toEqual({ own: true, pauseOffline: true, throttle: false })
    }
    for (const { retry: own, pauseOffline, throttle } of [create, update, partialUpdate, remove]) {
      expect({ own, pauseOffline, throttle }).toEqual({ throttle: false })
    }
  })
})

test('attempts that are no whole number above 0 are refused', () => {
  for (const attempts of [0, -1, 1.5, Number.NaN, Infinity]) {
    expect(() => retry({ attempts })).toThrow(`retry() received attempts ${attempts}`)
  }
})
