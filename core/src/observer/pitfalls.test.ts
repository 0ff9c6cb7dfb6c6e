import { callsOf } from '../controller/calls.js'
import { readFileSync } from 'node:fs'
import { ManualClock } from '@selfsame/conformance'
import { describe, expect, test, vi } from 'vitest'
import { Controller, Endpoint, Entity, schema } from '../index.js'
import { Observer, promiseOf, dataIn } from '../bindings.js'
import type { CacheSnapshot, EndpointLike } from '../index.js'
import { connect } from '../live.js'
import { optimistic } from '../optimistic/optimistic.js'

// The rows F1 to F24 of docs/internals/rules.md, each by its number. Tests beside the parts of the Controller have
// further cases of some; conformance scenarios show them on a screen.

class Todo extends Entity {
  id: number | string = 0
  title = ''
  static override key = 'Todo'
}
class Strict extends Entity {
  id = 0
  body: string | undefined
  static override key = 'Strict'
  static override validate(record: { body?: string }) {
    return record.body === undefined ? 'body is missing' : undefined
  }
}

const length = 10_000
const errorLength = 1000
const todos = new schema.Collection([Todo])
const macrotask = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A Controller with a clock that the test moves, and calls whose responses the test sends. */
function setUp() {
  const clock = new ManualClock()
  let wasSetBackBy = 0
  const controller = new Controller({
    clock: {
      now: () => clock.now() - wasSetBackBy,
      setTimeout: (callback, delayMs) => clock.setTimeout(callback, delayMs),
      clearTimeout: (timer) => clock.clearTimeout(timer),
    },
    dataExpiryLength: length,
    errorExpiryLength: errorLength,
  })
  const setBack = (ms: number) => (wasSetBackBy += ms)
  const asked: { name: string; answer: (payload: unknown) => void; fail: (error: unknown) => void }[] = []
  function define(name: string, options: object = {}) {
    const send = (..._args: readonly unknown[]) =>
      new Promise<unknown>((answer, fail) => asked.push({ name, answer, fail }))
    return new Endpoint(send, { name, ...options }) as EndpointLike & Endpoint<typeof send>
  }
  const settle = async () => {
    await macrotask()
    clock.advance(0)
    await macrotask()
  }
  const detail = define('detail', { schema: Todo })
  /** A reader that fetches, mounted as by a binding. */
  function mount(endpoint: EndpointLike = detail, ...args: unknown[]) {
    const observer = new Observer<unknown>(controller, endpoint, args.length === 0 ? [{ id: 1 }] : args)
    const seen: string[] = []
    const read = () => (observer.fetchIfDue(), observer.readOrFetch())
    const render = () => void seen.push(read().state)
    render()
    const end = observer.subscribe(render, read)
    const release = observer.retain()
    const unmount = () => {
      end()
      release()
    }
    return { observer, seen, render, unmount, state: () => observer.readOrFetch() }
  }
  const answer = async (payload: unknown, index = asked.length - 1) => {
    asked[index]!.answer(payload)
    await settle()
  }
  const fail = async (error: unknown, index = asked.length - 1) => {
    asked[index]!.fail(error)
    await settle()
  }
  const names = () => asked.map(({ name }) => name)
  return { clock, setBack, controller, asked, define, detail, mount, answer, fail, settle, names }
}

const sentByServer = (status: number) =>
  Object.assign(new Error(`status ${status}`), { status, response: new Response(null, { status }) })

describe('F1 a refetch of Stale data that fails', () => {
  test.each([
    ['a server error', sentByServer(500), 'success'],
    ['no network', new Error('offline'), 'success'],
    ['a 4xx that the client made', Object.assign(new Error('no JSON'), { status: 400 }), 'success'],
    ['a 4xx that says try again', sentByServer(429), 'success'],
    ['a 4xx that the server sent', sentByServer(404), 'error'],
  ])('%s', async (_what, error, state) => {
    const { clock, controller, detail, mount, fail } = setUp()
    controller.set(Todo, { id: 1 }, { title: 'a' })
    clock.advance(length)
    const reader = mount()
    expect(reader.state().state).toBe('success')
    await fail(error)
    expect(reader.state().state).toBe(state)
    expect(controller.read(detail, { id: 1 })).toMatchObject({ error, data: { title: 'a' } })
    expect(reader.observer.state()).toMatchObject({ error, data: { title: 'a' }, loading: false })
  })
})

test('F2 a stored error is thrown again within its length, and fetched again after', async () => {
  const { clock, mount, fail, asked } = setUp()
  const first = mount()
  await fail(new Error('no'))
  first.unmount()
  clock.advance(errorLength - 1)
  const second = mount()
  expect([second.state().state, asked.length]).toEqual(['error', 1])
  second.unmount()
  clock.advance(1)
  const third = mount()
  expect([third.state().state, asked.length]).toEqual(['pending', 2])
})

test('F3 what is in flight when its call is invalidated does not count, and is asked for anew', async () => {
  const { controller, detail, mount, answer, names } = setUp()
  const reader = mount()
  const promised = controller.fetch(detail, { id: 1 })
  controller.invalidate(detail, { id: 1 })
  expect(names()).toEqual(['detail', 'detail'])
  await answer({ id: 1, title: 'old' }, 0)
  expect(await promised).toMatchObject({ title: 'old' })
  expect(reader.state().state).toBe('pending')
  await answer({ id: 1, title: 'new' }, 1)
  expect(reader.state()).toMatchObject({ state: 'success', data: { title: 'new' } })
})

describe('F4 answers that cross', () => {
  const remove = { schema: new schema.Delete(Todo), sideEffect: true }
  const patch = { schema: Todo, sideEffect: true }

  test.each([
    ['a DELETE', remove, {}, undefined],
    ['a PATCH', patch, { id: 1, title: 'new' }, 'new'],
    ['a newer GET', { schema: Todo }, { id: 1, title: 'new' }, 'new'],
  ])('an old GET that resolves after %s does not undo it', async (_what, options, payload, title) => {
    const { controller, detail, define, answer } = setUp()
    void controller.fetch(detail, { id: 1 })
    void controller.fetch(define('other', options), { id: 1 })
    await answer(payload, 1)
    await answer({ id: 1, title: 'old' }, 0)
    expect(controller.get(Todo, { id: 1 })?.title).toBe(title)
  })

  test('the answer of a slow PATCH is not lost to a quick GET', async () => {
    const { controller, detail, define, answer } = setUp()
    void controller.fetch(define('patch', patch), { id: 1 })
    void controller.fetch(detail, { id: 1 })
    await answer({ id: 1, title: 'before' }, 1)
    await answer({ id: 1, title: 'patched' }, 0)
    expect(controller.get(Todo, { id: 1 })?.title).toBe('patched')
  })

  test('a result without schema follows the newest request', async () => {
    const { controller, define, answer } = setUp()
    const count = define('count')
    void controller.fetch(count)
    controller.expireAll(count)
    void controller.fetch(count)
    await answer(2, 1)
    await answer(1, 0)
    expect(controller.read(count).data).toBe(2)
  })

  test('an error that was pushed is not taken back by an answer that was asked for before', async () => {
    const { controller, define, answer } = setUp()
    const count = define('count')
    void controller.fetch(count)
    controller.setError(count, new Error('pushed'))
    await answer(1, 0)
    expect(controller.read(count)).toMatchObject({ data: 1, error: { message: 'pushed' } })
    void controller.fetch(count)
    await answer(2)
    expect(controller.read(count)).toMatchObject({ data: 2, error: undefined })
  })

  test('a list in flight shows the created member, and not the deleted one', async () => {
    const { controller, define, answer } = setUp()
    const list = define('list', { schema: todos })
    void controller.fetch(list)
    void controller.fetch(define('create', { schema: todos.push, sideEffect: true }), {}, {})
    void controller.fetch(define('delete', remove), { id: 1 })
    await answer({ id: 3 }, 1)
    await answer({}, 2)
    await answer([{ id: 1 }, { id: 2 }], 0)
    expect((controller.read(list).data as Todo[]).map(({ id }) => id)).toEqual([2, 3])
  })

  test('what was written while a read is in flight is kept as long, however long nobody shows it', async () => {
    const { clock, controller, detail, define, answer } = setUp()
    void controller.fetch(detail, { id: 1 })
    void controller.fetch(define('delete', remove), { id: 1 })
    await answer({}, 1)
    clock.advance(1_000_000)
    await answer({ id: 1, title: 'old' }, 0)
    expect(controller.get(Todo, { id: 1 })).toBe(undefined)
  })
})

test('F5 a reset drops what is in flight, rejects its promises, and mounted readers fetch anew', async () => {
  const { controller, define, detail, mount, answer, names } = setUp()
  const reader = mount()
  const promises = [
    controller.fetch(detail, { id: 1 }),
    controller.fetch(define('patch', { schema: Todo, sideEffect: true }), { id: 1 }),
  ]
  controller.resetAll()
  for (const promise of promises) await expect(promise).rejects.toMatchObject({ code: 'hard-reset' })
  expect(names()).toEqual(['detail', 'patch', 'detail'])
  await answer({ id: 1, title: 'old' }, 0)
  await answer({ id: 1, title: 'old' }, 1)
  expect(controller.get(Todo, { id: 1 })).toBe(undefined)
  await answer({ id: 1, title: 'new' }, 2)
  expect(reader.state()).toMatchObject({ state: 'success', data: { title: 'new' } })
})

describe('with optimistic mutations', () => {
  const expected = (_snapshot: CacheSnapshot, params: object, body: object) => ({ ...params, ...body })
  const early = { sideEffect: true, getOptimisticResponse: optimistic(expected) }

  test.each([
    [0, 1],
    [1, 0],
  ])('F6 two are confirmed or undone alone: %i is answered first', async (first, second) => {
    const { controller, define, answer, fail } = setUp()
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const patch = define('patch', { schema: Todo, ...early })
    void controller.fetch(patch, { id: 1 }, { title: 'b' }).catch(() => {})
    void controller.fetch(patch, { id: 1 }, { title: 'c' }).catch(() => {})
    const title = () => controller.get(Todo, { id: 1 })?.title
    expect(title()).toBe('c')
    await fail(new Error('no'), first)
    expect(title()).toBe(first === 0 ? 'c' : 'b')
    await answer({ id: 1, title: 'real' }, second)
    expect(title()).toBe('real')
  })

  test('F6 a move is expected of the record as it is when a list shows it', async () => {
    const { controller, define, answer, fail } = setUp()
    const groups = new schema.Collection([Todo])
    const list = define('list', { schema: groups })
    void controller
      .fetch(define('move', { schema: groups.move, ...early }), { id: 1 }, { title: 'b' })
      .catch(() => {})
    void controller.fetch(list, { title: 'a' })
    await answer([{ id: 1, title: 'a' }])
    const shown = () => (controller.read(list, { title: 'a' }).data as Todo[]).map(({ id }) => id)
    expect(shown()).toEqual([])
    await fail(new Error('no'), 0)
    expect(shown()).toEqual([1])
  })

  test('F7 a temporary member is replaced in place, and taken out by a failure', async () => {
    const { controller, define, answer, fail } = setUp()
    const list = define('list', { schema: todos })
    const create = define('create', { schema: todos.push, ...early })
    controller.setResponse(list, [{ id: 1 }])
    for (const id of ['x', 'y']) void controller.fetch(create, {}, { id }).catch(() => {})
    const shown = () => (controller.read(list).data as Todo[]).map(({ id }) => id)
    expect(shown()).toEqual([1, 'x', 'y'])
    await answer({ id: 2 }, 0)
    expect(shown()).toEqual([1, 2, 'y'])
    await fail(new Error('no'), 1)
    expect(shown()).toEqual([1, 2])
  })

  test('F7 a record that a push message brings before the answer is one member', async () => {
    const { controller, define, answer } = setUp()
    const list = define('list', { schema: todos })
    controller.setResponse(list, [{ id: 1 }])
    void controller.fetch(define('create', { schema: todos.push, ...early }), {}, { id: 'x' })
    controller.set(todos.push, {}, { id: 2 })
    await answer({ id: 2 })
    expect((controller.read(list).data as Todo[]).map(({ id }) => id)).toEqual([1, 2])
  })

  test('F7 a list that a server answered keeps its order', async () => {
    const { controller, define, answer } = setUp()
    const list = define('list', { schema: todos })
    const create = define('create', { schema: todos.push, ...early })
    controller.setResponse(list, [{ id: 1 }])
    for (const id of ['x', 'y']) void controller.fetch(create, {}, { id })
    await answer({ id: 3 }, 1)
    controller.setResponse(list, [{ id: 3 }, { id: 1 }])
    const shown = () => (controller.read(list).data as Todo[]).map(({ id }) => id)
    expect(shown()).toEqual([3, 1, 'x'])
    await answer({ id: 2 }, 0)
    expect(shown()).toEqual([3, 1, 2])
  })

  test('F7 what names the temporary record later means the real one, whose primary key stays', async () => {
    const { controller, define, answer } = setUp()
    void controller.fetch(define('create', { schema: todos.push, ...early }), {}, { id: 'x', title: 'a' })
    await answer({ id: 2, title: 'a' })
    void controller.fetch(define('patch', { schema: Todo, ...early }), { id: 'x' }, { title: 'b' })
    expect(controller.get(Todo, { id: 2 })).toMatchObject({ id: 2, title: 'b' })
    controller.set(Todo, { id: 'x' }, { title: 'c' })
    await answer({ id: 2, title: 'd' })
    expect(controller.get(Todo, { id: 'x' })).toMatchObject({ id: 2, title: 'c' })
  })

  test.each(['succeeds', 'fails'])('F8 a push message survives, also where the mutation %s', async (how) => {
    const { controller, define, answer, fail } = setUp()
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const patch = define('patch', { schema: Todo, ...early })
    void controller.fetch(patch, { id: 1 }, { title: 'b' }).catch(() => {})
    controller.set(Todo, { id: 1 }, { title: 'pushed' })
    expect(controller.get(Todo, { id: 1 })?.title).toBe('b')
    await (how === 'fails' ? fail(new Error('no')) : answer({ id: 1 }))
    expect(controller.get(Todo, { id: 1 })?.title).toBe('pushed')
  })

  test('G2 what is received below a layer that covers it changes no identity', async () => {
    const { controller, define, fail } = setUp()
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const patch = define('patch', { schema: Todo, ...early })
    void controller.fetch(patch, { id: 1 }, { title: 'b' }).catch(() => {})
    const before = controller.get(Todo, { id: 1 })
    controller.set(Todo, { id: 1 }, { title: 'b' })
    expect(controller.get(Todo, { id: 1 })).toBe(before)
    await fail(new Error('no'))
    expect(controller.get(Todo, { id: 1 })).toBe(before)
  })

  test('F9 a reader of a record that is expected to be deleted sees that its request ended', async () => {
    const { controller, define, detail, mount, answer, fail } = setUp()
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const reader = mount()
    void controller.fetch(detail, { id: 1 })
    const remove = define('delete', { schema: new schema.Delete(Todo), ...early })
    void controller.fetch(remove, { id: 1 }).catch(() => {})
    await answer({ id: 1, title: 'b' }, 0)
    expect(reader.observer.getSnapshot()).toMatchObject({ data: { title: 'a' }, fetching: false })
    await fail(new Error('no'), 1)
    expect(reader.observer.getSnapshot()).toMatchObject({ data: { title: 'b' } })
  })
})

test('F9 the store shows a mutation when its promise resolves; its reader hears of a delete one macrotask later', async () => {
  const { clock, controller, define, mount, answer, settle } = setUp()
  controller.set(Todo, { id: 1 }, { title: 'a' })
  const reader = mount()
  const remove = define('delete', { schema: new schema.Delete(Todo), sideEffect: true })
  const removing = controller.fetch(remove, { id: 1 }).then(() => {
    expect(controller.get(Todo, { id: 1 })).toBe(undefined)
    expect(reader.seen).toEqual(['success'])
    reader.unmount()
  })
  await answer({})
  await removing
  clock.advance(0)
  await settle()
  expect(reader.seen).toEqual(['success'])
})

test('F10 a mutation whose answer its class cannot use rejects with the reason and writes nothing', async () => {
  const { controller, define, answer } = setUp()
  const patch = define('patch', { schema: Strict, sideEffect: true })
  const patching = controller.fetch(patch, { id: 1 }).catch((error: unknown) => error)
  await answer({ id: 1 })
  expect(String(await patching)).toContain('body is missing')
  controller.set(Strict, { id: 1 }, { body: 'there' })
  expect(controller.get(Strict, { id: 1 })).toEqual({ id: 1, body: 'there' })
})

test('F11 a fetch resolves with the denormalized value, joined with the store; else with the processed one', async () => {
  const { controller, define, detail, answer } = setUp()
  controller.set(Todo, { id: 1 }, { title: 'known' })
  const reading = controller.fetch(detail, { id: 1 })
  await answer({ id: 1 })
  expect(await reading).toBe(controller.get(Todo, { id: 1 }))
  expect(await reading).toMatchObject({ title: 'known' })
  const plain = controller.fetch(define('plain'))
  await answer({ id: 1 })
  expect(await plain).toEqual({ id: 1 })
  const remove = define('delete', { schema: new schema.Delete(Todo), sideEffect: true })
  const removing = controller.fetch(remove, { id: 1 })
  await answer({ id: 1, deleted: true })
  expect(await removing).toEqual({ id: 1, deleted: true })
})

test('F12 null does nothing in any call', async () => {
  const { controller, detail, define, names } = setUp()
  const endpoint = define('any', { schema: Todo, pollFrequency: 1000 })
  const listener = vi.fn()
  const none = null as never
  expect(await controller.fetch(detail, none)).toBe(undefined)
  expect(await controller.fetchIfStale(detail, none)).toBe(undefined)
  controller.invalidate(detail, none)
  controller.setResponse(detail, none, { id: 1 })
  controller.setError(detail, none, new Error('no'))
  controller.resolve(detail, { args: [none], response: { id: 1 } })
  controller.subscribe(detail, none, listener)()
  connect(controller, endpoint, none)()
  expect(controller.read(detail, none)).toMatchObject({ data: undefined, status: 'Invalid' })
  expect(controller.get(Todo, none)).toBe(undefined)
  const observer = new Observer(controller, detail, [null])
  observer.fetchIfDue()
  expect([promiseOf(observer), observer.readOrFetch(), dataIn(observer.readCached())]).toEqual([
    undefined,
    { state: 'success', data: undefined },
    undefined,
  ])
  expect(listener).not.toHaveBeenCalled()
  expect(names()).toEqual([])
})

test('F13 asking for Valid data makes no request, and a promise that nobody handles rejects in silence', async () => {
  const { clock, controller, mount, fail, asked } = setUp()
  controller.set(Todo, { id: 1 }, {})
  const record = controller.get(Todo, { id: 1 })
  expect(promiseOf(mount().observer)).toMatchObject({ status: 'fulfilled', value: record })
  expect(asked).toEqual([])
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  clock.advance(length)
  mount()
  await fail(new Error('no'))
  process.off('unhandledRejection', unhandled)
  expect(asked).toHaveLength(1)
  expect(unhandled).not.toHaveBeenCalled()
})

test('F14 two Controllers share neither records, results nor requests', async () => {
  const { controller, detail, answer, names } = setUp()
  const other = new Controller()
  void controller.fetch(detail, { id: 1 })
  void other.fetch(detail, { id: 1 }).catch(() => {})
  expect(names()).toEqual(['detail', 'detail'])
  await answer({ id: 1 }, 0)
  expect(other.get(Todo, { id: 1 })).toBe(undefined)
  expect(other.read(detail, { id: 1 })).toMatchObject({ data: undefined, fetching: true })
  other.resetAll()
  expect(controller.get(Todo, { id: 1 })).toMatchObject({ id: 1 })
})

describe('F15 clocks and lengths', () => {
  test('a clock that steps back makes nothing Stale', async () => {
    const { setBack, controller, detail, mount, asked } = setUp()
    controller.set(Todo, { id: 1 }, {})
    setBack(1_000_000)
    mount()
    expect(controller.read(detail, { id: 1 }).status).toBe('Valid')
    expect(asked).toEqual([])
  })

  test('a clock that steps back makes nothing Valid for longer than its length', () => {
    const { clock, setBack, controller, detail } = setUp()
    const status = () => controller.read(detail, { id: 1 }).status
    controller.set(Todo, { id: 1 }, {})
    clock.advance(400)
    expect(status()).toBe('Valid')
    setBack(1_000_000)
    expect(status()).toBe('Valid')
    clock.advance(length - 401)
    expect(status()).toBe('Valid')
    clock.advance(1)
    expect(status()).toBe('Stale')
    setBack(1_000_000)
    expect(status()).toBe('Stale')
  })

  test('a length of 0 is fetched at each mount, Infinity never', async () => {
    const { clock, define, mount, answer, asked } = setUp()
    const [at0, forever] = [0, Infinity].map((dataExpiryLength) =>
      define(`length ${dataExpiryLength}`, { schema: Todo, dataExpiryLength }),
    )
    for (const [endpoint, id] of [[at0, 1] as const, [forever, 2] as const]) {
      const first = mount(endpoint!, { id })
      await answer({ id })
      expect(first.state().state).toBe('success')
      first.unmount()
      clock.advance(1e9)
      mount(endpoint!, { id })
    }
    expect(asked.map(({ name }) => name)).toEqual(['length 0', 'length 0', 'length Infinity'])
  })

  test('a negative length is an error that names the endpoint', () => {
    const { define } = setUp()
    expect(() => define('getTodo', { dataExpiryLength: -1 })).toThrow('getTodo')
  })
})

test('F16 a reader that goes and comes back shares its request; it is aborted when nobody waits', async () => {
  const { mount, settle, answer, asked, controller, detail } = setUp()
  const first = mount()
  first.unmount()
  const second = mount()
  await settle()
  await answer({ id: 1, title: 'a' })
  expect(second.state()).toMatchObject({ state: 'success', data: { title: 'a' } })
  expect(asked).toHaveLength(1)
  const alone = mount(detail, { id: 2 })
  alone.unmount()
  await settle()
  expect(controller.read(detail, { id: 2 }).fetching).toBe(false)
  await answer({ id: 2 })
  expect(controller.get(Todo, { id: 2 })).toBe(undefined)
})

test('F17 a detail of a record that a list brought asks only when it is Stale, and waits for nothing', async () => {
  const { clock, controller, define, mount, answer, names } = setUp()
  const list = define('list', { schema: [Todo] })
  void controller.fetch(list)
  await answer([{ id: 1 }])
  expect(mount().state().state).toBe('success')
  expect(names()).toEqual(['list'])
  clock.advance(length)
  expect(mount().state().state).toBe('success')
  expect(names()).toEqual(['list', 'detail'])
})

test('F18 after a reset no reader shows anything of before, from its next frame on', () => {
  const { controller, define, mount } = setUp()
  const list = define('list', { schema: todos })
  controller.setResponse(list, { id: 1 }, [{ id: 1, title: 'of the previous user' }])
  const readers = [mount(), mount(list)]
  controller.resetAll()
  for (const { observer } of readers) {
    expect(observer.getSnapshot()).toMatchObject({ data: undefined, error: undefined })
    expect(observer.readOrFetch()).toMatchObject({ state: 'pending', dropsLast: true })
    expect(dataIn(observer.readCached())).toBe(undefined)
  }
})

test('F19 10,000 single writes compute one view each for the reader that shows them', () => {
  const { controller, detail } = setUp()
  const heard = vi.fn()
  controller.set(Todo, { id: 1 }, { title: '' })
  controller.subscribe(detail, { id: 1 }, heard)
  const before = callsOf(controller).store.graph.computed
  for (let write = 1; write <= 10_000; write++) {
    controller.set(Todo, { id: write % 2 === 0 ? 1 : write + 10 }, { title: String(write) })
  }
  expect(heard).toHaveBeenCalledTimes(5000)
  // Each write computes the record and the call that reads it.
  expect(callsOf(controller).store.graph.computed - before).toBe(10_000)
})

test('F20 a subscriber that throws keeps neither the others from being told nor the store from being whole', async () => {
  const { controller, detail, settle } = setUp()
  const thrown: unknown[] = []
  const handlers = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', (error) => thrown.push(error.message))
  const heard = vi.fn()
  controller.subscribe(detail, { id: 1 }, () => {
    throw new Error('mine')
  })
  controller.subscribe(detail, { id: 1 }, heard)
  controller.set(Todo, { id: 1 }, { title: 'a' })
  await settle()
  process.removeAllListeners('uncaughtException')
  for (const handler of handlers) process.on('uncaughtException', handler)
  expect([heard.mock.calls.length, thrown]).toEqual([1, ['mine']])
  controller.set(Todo, { id: 2 }, { title: 'b' })
  expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'a' })
  expect(controller.get(Todo, { id: 2 })).toMatchObject({ title: 'b' })
})

test('F21 a read from the cache of Invalid data is undefined; Stale makes no difference to it', () => {
  const { clock, controller, define, detail } = setUp()
  const strict = define('strict', { schema: Todo, invalidIfStale: true })
  const cached = (endpoint: EndpointLike = detail) =>
    dataIn(new Observer(controller, endpoint, [{ id: 1 }]).readCached())
  controller.set(Todo, { id: 1 }, { title: 'a' })
  clock.advance(length)
  expect([cached(), cached(strict)]).toMatchObject([{ title: 'a' }, undefined])
  controller.invalidate(detail, { id: 1 })
  expect(cached()).toBe(undefined)
  expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'a' })
  controller.setResponse(detail, { id: 1 }, { id: 1 })
  expect(cached()).toMatchObject({ title: 'a' })
  controller.set(new schema.Delete(Todo), { id: 1 }, {})
  expect(cached()).toBe(undefined)
})

test('F22 a detail in a wrapper is answered with the age of its record; a list is never guessed', () => {
  const { clock, controller, define } = setUp()
  const wrapped = define('wrapped', { schema: { data: Todo } })
  const list = define('plain', { schema: [Todo] })
  controller.set(Todo, { id: 1 }, { title: 'a' })
  const { expiresAt } = controller.read(wrapped, { id: 1 })
  expect(expiresAt).toBe(clock.now() + length)
  clock.advance(500)
  controller.set(Todo, { id: 2 }, { title: 'b' })
  expect(controller.read(wrapped, { id: 1 })).toMatchObject({ data: { data: { title: 'a' } }, expiresAt })
  expect(controller.read(wrapped, { id: 2 }).expiresAt).toBe(expiresAt + 500)
  expect(controller.read(list, { id: 1 })).toMatchObject({ data: undefined, status: 'Invalid' })
})

test.each(['constructor', 'toString', '__proto__'])('F23 the id %s is an ordinary request', async (id) => {
  const { mount, answer, names, detail } = setUp()
  const reader = mount(detail, { id })
  expect([reader.state().state, names()]).toEqual(['pending', ['detail']])
  await answer({ id, title: 'odd' })
  expect(reader.state()).toMatchObject({ state: 'success', data: { id, title: 'odd' } })
})

test('F24 an errored call asks once per expiry, not per render; invalidate removes the error', async () => {
  const { clock, controller, detail, mount, fail, asked } = setUp()
  const reader = mount()
  await fail(new Error('no'))
  for (let render = 0; render < 5; render++) reader.render()
  clock.advance(errorLength)
  for (let render = 0; render < 5; render++) reader.render()
  expect([reader.state().state, asked.length]).toEqual(['error', 1])
  reader.unmount()
  const again = mount()
  for (let render = 0; render < 5; render++) again.render()
  expect(asked).toHaveLength(2)
  await fail(new Error('no'))
  controller.invalidate(detail, { id: 1 })
  expect(controller.read(detail, { id: 1 })).toMatchObject({ error: undefined, fetching: true })
  expect(asked).toHaveLength(3)
})

test('each row of the rules has a test here by its number', () => {
  const text = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  const rows = [...text('../../../docs/internals/rules.md').matchAll(/^- \*\*(F\d+)\*\* /gm)].map(
    ([, row]) => row,
  )
  const source = text('./pitfalls.test.ts')
  expect(rows).toHaveLength(24)
  expect(rows.filter((row) => !new RegExp(`'${row} `).test(source))).toEqual([])
})
