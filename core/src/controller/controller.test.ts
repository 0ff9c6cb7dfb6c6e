import { callsOf } from './calls.js'
import { describe, expect, test, vi } from 'vitest'
import { Controller, Endpoint, Entity, SelfsameError, schema } from '../index.js'
import type { Schema } from '../index.js'
import { optimistic } from '../optimistic/optimistic.js'
import { TestClock } from '../testing.js'

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}
class Todo extends Entity {
  id = 0
  title = ''
  done = false
  owner: User | undefined
  static override key = 'Todo'
  static override schema = { owner: User }
}
class Required extends Entity {
  id = 0
  body = ''
  static override key = 'Required'
  static override validate(record: { body?: string }) {
    return record.body === undefined ? 'body is missing' : undefined
  }
}

/** An endpoint whose responses the test sends, in any order. */
function manual<const S extends Schema | undefined>(
  name: string,
  options: { schema: S; sideEffect?: boolean },
) {
  const calls: { resolve: (value: unknown) => void; reject: (error: unknown) => void }[] = []
  const answer = (_params: { id?: number } = {}) =>
    new Promise<unknown>((resolve, reject) => {
      calls.push({ resolve, reject })
    })
  // Typed as a read, so that the same code can fetch mutations.
  const endpoint = new Endpoint(answer, { name, ...options }) as Endpoint<typeof answer, { schema: S }>
  return { endpoint, calls }
}

const tick = () => new Promise((resolve) => setTimeout(resolve, 0))

describe('a mutation that succeeds without a body', () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const empty = (name: string, options: { mayBeEmpty?: boolean } = {}) =>
    new Endpoint(async (_params: { id: number }) => null, {
      name,
      schema: Todo,
      sideEffect: true,
      ...options,
    })

  test('resolves with the stored record', async () => {
    const controller = new Controller()
    controller.set(Todo, { id: 1 }, { title: 'stored' })
    warned.mockClear()
    expect(await controller.fetch(empty('emptyKnown'), { id: 1 })).toBe(controller.get(Todo, { id: 1 }))
    expect(warned).not.toHaveBeenCalled()
  })

  test('resolves with null where there is none, and says so once, with the option for the type', async () => {
    const controller = new Controller()
    warned.mockClear()
    const save = empty('emptyUnknown')
    for (const id of [1, 2]) expect(await controller.fetch(save, { id })).toBe(null)
    const told = empty('emptyTold', { mayBeEmpty: true })
    expect(await controller.fetch(told, { id: 1 })).toBe(null)
    expect(warned.mock.calls).toEqual([
      [
        '[selfsame] emptyUnknown succeeded without a body, and the record that it names is not stored, so it resolved with null. Set `mayBeEmpty: true` to add null to its type, or let the server send the record.',
      ],
    ])
  })
})

test('every method can be taken out of the Controller', async () => {
  const controller = new Controller()
  const { endpoint, calls } = manual('taken', { schema: Todo })
  const { fetch, get, set, read, invalidate, setResponse, subscribe, batch, resetAll } = controller
  const told: unknown[] = []
  const end = subscribe(endpoint, { id: 1 }, ({ data }) => told.push(data?.title))
  const fetching = fetch(endpoint, { id: 1 })
  calls[0]?.resolve({ id: 1, title: 'fetched' })
  await fetching
  set(Todo, { id: 1 }, { title: 'set' })
  batch(() => setResponse(endpoint, { id: 1 }, { id: 1, title: 'stored' }))
  expect([get(Todo, { id: 1 })?.title, read(endpoint, { id: 1 }).data?.title]).toEqual(['stored', 'stored'])
  invalidate(endpoint, { id: 1 })
  expect(read(endpoint, { id: 1 }).status).toBe('Invalid')
  expect(told).toEqual([undefined, 'fetched', 'set', 'stored', undefined])
  end()
  resetAll()
  expect(get(Todo, { id: 1 })).toBe(undefined)
})

describe('fetch', () => {
  test('shares one request between identical reads under way (3 rule 2)', async () => {
    const controller = new Controller()
    const { endpoint, calls } = manual('todo', { schema: Todo })
    const first = controller.fetch(endpoint, { id: 1 })
    expect(controller.fetch(endpoint, { id: 1 })).toBe(first)
    expect(controller.fetch(endpoint, { id: '1' as never })).toBe(first)
    void controller.fetch(endpoint, { id: 2 })
    expect(calls.length).toBe(2)
    calls[0]!.resolve({ id: 1, title: 'x' })
    expect((await first).title).toBe('x')
  })

  test('one request answers two schemas', async () => {
    const controller = new Controller()
    const { endpoint, calls } = manual('todos', { schema: [Todo] })
    const raw = endpoint.extend({ schema: { list: [Todo] } })
    const first = controller.fetch(endpoint)
    const second = controller.fetch(raw)
    expect(calls.length).toBe(1)
    calls[0]!.resolve([{ id: 1 }])
    expect((await first).map(({ id }) => id)).toEqual([1])
    await expect(second).rejects.toThrow(
      'todos expected an object at the root of its payload, but found an array',
    )
  })

  test('does nothing for null (F12)', async () => {
    const controller = new Controller()
    const { endpoint, calls } = manual('todo', { schema: Todo })
    const nothing = null as never
    expect(await controller.fetch(endpoint, nothing)).toBe(undefined)
    controller.invalidate(endpoint, nothing)
    expect(controller.read(endpoint, nothing).data).toBe(undefined)
    controller.subscribe(endpoint, null as never, () => {})()
    expect(calls.length).toBe(0)
  })

  test('rejects with a proper error whatever the function does (E12)', async () => {
    const controller = new Controller()
    const failing = (name: string, run: () => unknown) =>
      controller.fetch(new Endpoint(run as () => Promise<unknown>, { name }))
    await expect(failing('a', () => Promise.reject('text'))).rejects.toThrow('a failed: text')
    await expect(failing('b', () => Promise.reject(null))).rejects.toThrow('b failed: null was thrown')
    await expect(failing('c', () => 5)).rejects.toThrow(
      'The fetch function of c returned a number instead of a promise.',
    )
    const thrown = new Error('sync')
    await expect(
      failing('d', () => {
        throw thrown
      }),
    ).rejects.toBe(thrown)
  })

  test('an endpoint without schema resolves with, and keeps, the processed value', async () => {
    const controller = new Controller()
    const endpoint = new Endpoint(() => Promise.resolve({ total: 5 }), { name: 'stats' })
    const value = await controller.fetch(endpoint)
    expect(value).toEqual({ total: 5 })
    expect(await controller.fetch(endpoint)).toBe(value)
    expect(controller.read(endpoint).data).toBe(value)
  })
})

describe('ownsPayload', () => {
  const answered = async (ownsPayload?: boolean) => {
    const owner = { id: 4, name: 'o' }
    const payload = { id: 1, title: 'x', owner, tags: ['a'] }
    const controller = new Controller()
    const getTodo = new Endpoint(() => Promise.resolve(payload), { name: 'todo', schema: Todo, ownsPayload })
    const todo = await controller.fetch(getTodo)
    expect(todo).toMatchObject({ id: 1, title: 'x', owner: { id: 4, name: 'o' }, tags: ['a'] })
    return { payload, owner, shown: todo as Todo & { tags?: unknown } }
  }

  test('an answer is copied, and stays what it was for whoever holds it', async () => {
    const { payload, owner, shown } = await answered()
    expect(payload).toEqual({ id: 1, title: 'x', owner: { id: 4, name: 'o' }, tags: ['a'] })
    expect(payload.owner).toBe(owner)
    expect(shown.tags).not.toBe(payload.tags)
  })

  test('an answer that is said to be nobody else’s is kept itself', async () => {
    const { payload, owner, shown } = await answered(true)
    expect(payload.owner).not.toBe(owner)
    expect(shown.tags).toBe(payload.tags)
  })
})

describe('fetchIfStale', () => {
  const todoOf = (requests: number[]) =>
    new Endpoint(
      async ({ id }: { id: number }) => {
        requests.push(id)
        return { id, title: 'x' }
      },
      { name: 'get', schema: Todo, dataExpiryLength: 1000, key: ({ id }) => `todo ${id.toFixed()}` },
    )

  test('makes a request where the data is Invalid or Stale, and else resolves with what is there', async () => {
    const clock = new TestClock()
    const controller = new Controller({ clock })
    const requests: number[] = []
    const get = todoOf(requests)
    const todo = await controller.fetchIfStale(get, { id: 1 })
    expect(todo).toBeInstanceOf(Todo)
    expect(await controller.fetchIfStale(get, { id: 1 })).toBe(todo)
    expect(requests).toEqual([1])
    clock.advance(1001)
    expect(await controller.fetchIfStale(get, { id: 1 })).toBe(todo)
    expect(requests).toEqual([1, 1])
    expect(await controller.fetchIfStale(get, null as never)).toBeUndefined()
  })

  test('rejects for a call that cannot be made, as fetch does', async () => {
    const call = new Controller().fetchIfStale(todoOf([]), {} as never)
    await expect(call).rejects.toThrow('toFixed')
  })

  test('keeps what it resolves with, for keepLength from then on', async () => {
    const clock = new TestClock()
    const controller = new Controller({ clock, keepLength: 5000 })
    const requests: number[] = []
    const get = todoOf(requests).extend({ dataExpiryLength: Infinity })
    await controller.fetchIfStale(get, { id: 1 })
    for (let passed = 0; passed < 20_000; passed += 4000) {
      clock.advance(4000)
      await controller.fetchIfStale(get, { id: 1 })
    }
    expect(requests).toEqual([1])
  })
})

describe('an answer that does not fit changes nothing (G5)', () => {
  const cases: [string, unknown, unknown, string][] = [
    [
      'no pk, in a list',
      [Todo],
      [{ id: 1 }, { title: 'x' }],
      'Entity "Todo" has no primary key in the payload of call, at [1]',
    ],
    [
      'no pk, nested',
      [Todo],
      [{ id: 1, owner: { name: 'x' } }],
      'Entity "User" has no primary key in the payload of call, at [0].owner',
    ],
    [
      'the wrong container',
      [Todo],
      { results: [] },
      'call expected an array at the root of its payload, but found an object',
    ],
    ['text', { list: [Todo] }, '{"list":[]}', 'The text looks like JSON'],
    ['null for a read', Todo, null, 'call received null, but its schema reads a record'],
    [
      'a boolean for a record',
      Todo,
      true,
      'expected a record of "Todo" or its primary key at the root of its payload, but found a boolean',
    ],
    [
      'validate',
      Required,
      { id: 1 },
      'call received Required "1", which Required.validate() rejects: body is missing',
    ],
  ]
  test.each(cases)('%s', async (_, schemaUsed, payload, message) => {
    const controller = new Controller()
    controller.set(Todo, { id: 1 }, { title: 'kept' })
    controller.set(User, { id: 1 }, { name: 'kept' })
    const before = [controller.get(Todo, { id: 1 }), controller.get(User, { id: 1 })]
    const endpoint = new Endpoint(() => Promise.resolve(payload), {
      name: 'call',
      schema: schemaUsed as typeof Todo,
    })
    const error: SelfsameError = (await controller
      .fetch(endpoint)
      .catch((thrown: SelfsameError) => thrown)) as never
    expect(error).toBeInstanceOf(SelfsameError)
    expect(error.message).toContain(message)
    expect(error.status).toBe(400)
    expect([controller.get(Todo, { id: 1 }), controller.get(User, { id: 1 })]).toEqual(before)
    expect(controller.get(Todo, { id: 1 })).toBe(before[0])
    const sizes = [...callsOf(controller).store.tables.values()].flatMap(({ nodes }) =>
      [...nodes.values()].filter(({ fields }) => fields !== undefined),
    )
    expect(sizes.length).toBe(2)
    expect(controller.read(endpoint)).toMatchObject({ data: undefined, error, status: 'Invalid' })
  })

  test('validate judges the merged record (S14, F10)', async () => {
    const controller = new Controller()
    const create = new Endpoint(() => Promise.resolve({ id: 1, body: 'b' }), {
      name: 'create',
      schema: Required,
      sideEffect: true,
    })
    const patch = new Endpoint(() => Promise.resolve({ id: 1, extra: 1 }), {
      name: 'patch',
      schema: Required,
      sideEffect: true,
    })
    await expect(controller.fetch(patch)).rejects.toThrow('body is missing')
    expect(controller.get(Required, { id: 1 })).toBe(undefined)
    await controller.fetch(create)
    expect(await controller.fetch(patch)).toMatchObject({ body: 'b', extra: 1 })
  })
})

describe('order (G4)', () => {
  test('an older read loses against a newer one, and still fills what is missing', async () => {
    const controller = new Controller()
    const old = manual('old', { schema: Todo })
    const fresh = manual('fresh', { schema: Todo })
    const first = controller.fetch(old.endpoint, { id: 1 })
    const second = controller.fetch(fresh.endpoint, { id: 1 })
    fresh.calls[0]!.resolve({ id: 1, title: 'new' })
    await second
    old.calls[0]!.resolve({ id: 1, title: 'old', done: true })
    expect(await first).toMatchObject({ title: 'new', done: true })
  })

  test('a read that started before a mutation settled loses against it (F4)', async () => {
    const controller = new Controller()
    const read = manual('read', { schema: Todo })
    const list = manual('list', { schema: [Todo] })
    const patch = manual('patch', { schema: Todo, sideEffect: true })
    const reading = [controller.fetch(read.endpoint, { id: 1 }), controller.fetch(list.endpoint)]
    const patching = controller.fetch(patch.endpoint, { id: 1 })
    patch.calls[0]!.resolve({ id: 1, title: 'patched' })
    await patching
    read.calls[0]!.resolve({ id: 1, title: 'read' })
    list.calls[0]!.resolve([{ id: 1, title: 'listed' }])
    await Promise.all(reading)
    expect(controller.get(Todo, { id: 1 })!.title).toBe('patched')
  })

  test('a mutation that answers late wins over a read, and loses to a mutation that started later (F4)', async () => {
    const controller = new Controller()
    const slow = manual('slow', { schema: Todo, sideEffect: true })
    const quick = manual('quick', { schema: Todo, sideEffect: true })
    const read = manual('read', { schema: Todo })
    const slowly = controller.fetch(slow.endpoint, { id: 1 })
    const reading = controller.fetch(read.endpoint, { id: 1 })
    read.calls[0]!.resolve({ id: 1, title: 'read' })
    await reading
    const quickly = controller.fetch(quick.endpoint, { id: 1 })
    quick.calls[0]!.resolve({ id: 1, title: 'quick' })
    await quickly
    const rereading = controller.fetch(read.endpoint, { id: 1 })
    read.calls[1]!.resolve({ id: 1, title: 'read again' })
    await rereading
    slow.calls[0]!.resolve({ id: 1, title: 'slow', done: true })
    await slowly
    expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'read again', done: true })
  })

  test('a deleted record stays deleted when an older read answers, and comes back with a newer one (F4)', async () => {
    const controller = new Controller()
    const list = manual('list', { schema: [Todo] })
    const remove = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id }), {
      name: 'delete',
      schema: new schema.Delete(Todo),
      sideEffect: true,
    })
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const listing = controller.fetch(list.endpoint)
    expect(await controller.fetch(remove, { id: 1 })).toEqual({ id: 1 })
    list.calls[0]!.resolve([{ id: 1, title: 'a' }, { id: 2 }])
    expect((await listing).map(({ id }) => id)).toEqual([2])
    expect(controller.get(Todo, { id: 1 })).toBe(undefined)
    const again = controller.fetch(list.endpoint)
    list.calls[1]!.resolve([{ id: 1, title: 'again' }, { id: 2 }])
    expect((await again).map(({ id }) => id)).toEqual([1, 2])
  })

  test('a result without schema follows the latest request (F4)', async () => {
    const controller = new Controller()
    const stats = manual('stats', { schema: undefined })
    const first = controller.fetch(stats.endpoint)
    controller.invalidate(stats.endpoint)
    const second = controller.fetch(stats.endpoint)
    stats.calls[1]!.resolve('new')
    await second
    stats.calls[0]!.resolve('old')
    await first
    expect(controller.read(stats.endpoint).data).toBe('new')
  })
})

describe('invalidate', () => {
  test('marks the call and not the records: lists keep their rows', async () => {
    const controller = new Controller()
    const list = manual('list', { schema: [Todo] })
    const detail = manual('detail', { schema: Todo })
    const listing = controller.fetch(list.endpoint)
    list.calls[0]!.resolve([{ id: 1 }])
    const [todo] = await listing
    expect(controller.read(detail.endpoint, { id: 1 })).toMatchObject({ data: todo, status: 'Valid' })
    controller.invalidate(detail.endpoint, { id: 1 })
    expect(controller.read(detail.endpoint, { id: 1 })).toMatchObject({ data: undefined, status: 'Invalid' })
    expect(controller.read(list.endpoint).data).toEqual([todo])
    // Fetching the list again does not make the call Valid either.
    const relisting = controller.fetch(list.endpoint)
    list.calls[1]!.resolve([{ id: 1 }])
    await relisting
    expect(controller.read(detail.endpoint, { id: 1 }).status).toBe('Invalid')
    const fetching = controller.fetch(detail.endpoint, { id: 1 })
    detail.calls[0]!.resolve({ id: 1 })
    expect(await fetching).toBe(todo)
    expect(controller.read(detail.endpoint, { id: 1 }).status).toBe('Valid')
  })

  test('makes the request under way not count (F3)', async () => {
    const controller = new Controller()
    const detail = manual('detail', { schema: Todo })
    const first = controller.fetch(detail.endpoint, { id: 1 })
    controller.invalidate(detail.endpoint, { id: 1 })
    const second = controller.fetch(detail.endpoint, { id: 1 })
    expect(detail.calls.length).toBe(2)
    detail.calls[0]!.resolve({ id: 1, title: 'first' })
    expect((await first).title).toBe('first')
    expect(controller.read(detail.endpoint, { id: 1 }).status).toBe('Invalid')
    detail.calls[1]!.resolve({ id: 1, title: 'second' })
    await second
    expect(controller.read(detail.endpoint, { id: 1 }).data!.title).toBe('second')
  })

  test('clears the error of the call (F24)', async () => {
    const controller = new Controller()
    const detail = manual('detail', { schema: Todo })
    const first = controller.fetch(detail.endpoint, { id: 1 })
    detail.calls[0]!.reject(new Error('no'))
    await expect(first).rejects.toThrow('no')
    expect(controller.read(detail.endpoint, { id: 1 }).error).toBeInstanceOf(Error)
    controller.invalidate(detail.endpoint, { id: 1 })
    expect(controller.read(detail.endpoint, { id: 1 }).error).toBe(undefined)
  })
})

describe('delete', () => {
  test('drops the record from lists and nested fields and makes its own read Invalid (S12)', async () => {
    const controller = new Controller()
    const list = manual('list', { schema: { results: [Todo], next: '' } })
    const listing = controller.fetch(list.endpoint)
    list.calls[0]!.resolve({ results: [{ id: 1, owner: { id: 5, name: 'x' } }, { id: 2 }] })
    const before = await listing
    expect(before.next).toBe('')
    const remove = (entity: typeof Todo | typeof User, name: string) =>
      new Endpoint(({ id }: { id: number }) => Promise.resolve(id), {
        name,
        schema: new schema.Delete(entity),
        sideEffect: true,
      })
    await controller.fetch(remove(User, 'user.delete'), { id: 5 })
    expect(controller.read(list.endpoint).data!.results[0]!.owner).toBe(undefined)
    await controller.fetch(remove(Todo, 'todo.delete'), { id: 1 })
    expect(controller.read(list.endpoint).data!.results.map(({ id }) => id)).toEqual([2])
    const detail = manual('detail', { schema: { data: Todo } })
    expect(controller.read(detail.endpoint, { id: 1 }).status).toBe('Invalid')
    expect(controller.read(detail.endpoint, { id: 2 }).data!.data.id).toBe(2)
  })

  test('tells readers that it turned Invalid one macrotask after its promise resolved; others at once (F9)', async () => {
    const controller = new Controller()
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const list = manual('list', { schema: [Todo] })
    const listing = controller.fetch(list.endpoint)
    list.calls[0]!.resolve([{ id: 1 }])
    await listing
    const detail = manual('detail', { schema: Todo })
    const told: string[] = []
    controller.subscribe(detail.endpoint, { id: 1 }, () => told.push('detail'))
    controller.subscribe(list.endpoint, () => told.push('list'))
    const remove = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id }), {
      name: 'delete',
      schema: new schema.Delete(Todo),
      sideEffect: true,
    })
    await controller.fetch(remove, { id: 1 })
    expect(told).toEqual(['list'])
    await tick()
    await tick()
    expect(told).toEqual(['list', 'detail'])
  })
})

describe('several readers of one call', () => {
  test('are told in the order in which they came, whoever left meanwhile', () => {
    const controller = new Controller()
    const detail = manual('detail', { schema: Todo })
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const told: string[] = []
    const read = (name: string) =>
      controller.subscribe(detail.endpoint, { id: 1 }, ({ data }) => told.push(`${name} ${data?.title}`))
    const ends = [read('first'), read('second'), read('third')]
    controller.set(Todo, { id: 1 }, { title: 'b' })
    expect(told.splice(0)).toEqual(['first b', 'second b', 'third b'])
    ends[0]!()
    ends[0]!()
    const endFourth = read('fourth')
    controller.set(Todo, { id: 1 }, { title: 'c' })
    expect(told.splice(0)).toEqual(['second c', 'third c', 'fourth c'])
    for (const end of [...ends, endFourth]) end()
    controller.set(Todo, { id: 1 }, { title: 'd' })
    expect(told).toEqual([])
    expect(callsOf(controller).call(detail.endpoint, [{ id: 1 }]).isHeard).toBe(false)
  })
})

describe('resetAll', () => {
  test('drops everything, and what is under way rejects with a typed error (F5)', async () => {
    const controller = new Controller()
    const list = manual('list', { schema: [Todo] })
    const patch = manual('patch', { schema: Todo, sideEffect: true })
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const listener = vi.fn()
    const detail = manual('detail', { schema: Todo })
    controller.subscribe(detail.endpoint, { id: 1 }, listener)
    const waiting = [controller.fetch(list.endpoint), controller.fetch(patch.endpoint)]
    controller.resetAll()
    expect(listener).toHaveBeenCalledTimes(1)
    for (const promise of waiting) await expect(promise).rejects.toMatchObject({ code: 'hard-reset' })
    list.calls[0]!.resolve([{ id: 1 }])
    patch.calls[0]!.resolve({ id: 1 })
    await tick()
    expect(controller.get(Todo, { id: 1 })).toBe(undefined)
    expect(controller.read(list.endpoint).data).toBe(undefined)
  })

  test('drops a mutation whose answer was there, but was not stored yet (F5)', async () => {
    const controller = new Controller()
    const { endpoint, calls } = manual('save', { schema: Todo, sideEffect: true })
    const saving = controller.fetch(endpoint, { id: 1 })
    calls[0]!.resolve({ id: 1, title: 'of the previous user' })
    controller.resetAll()
    await expect(saving).rejects.toMatchObject({ code: 'hard-reset' })
    expect(controller.get(Todo, { id: 1 })).toBeUndefined()
  })

  test.each([0, 1, 2, 3])(
    'keeps nothing of a mutation answered %i microtasks before it (F5)',
    async (ticks) => {
      const controller = new Controller()
      const { endpoint, calls } = manual('save', { schema: Todo, sideEffect: true })
      const saving = controller.fetch(endpoint, { id: 1 })
      calls[0]!.resolve({ id: 1, title: 'of the previous user' })
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
      controller.resetAll()
      await saving.catch(() => {})
      expect(controller.get(Todo, { id: 1 })).toBeUndefined()
    },
  )

  test('rejects a read whose own function resets', async () => {
    const controller = new Controller()
    const endpoint = new Endpoint(
      () => {
        controller.resetAll()
        return Promise.resolve({ id: 1 })
      },
      { name: 'signedOut', schema: Todo },
    )
    await expect(controller.fetch(endpoint)).rejects.toMatchObject({ code: 'hard-reset' })
    expect(controller.read(endpoint)).toMatchObject({ data: undefined, fetching: false })
    expect(controller.get(Todo, { id: 1 })).toBeUndefined()
  })
})

describe('listeners', () => {
  test('one that throws does not keep others from being told (F20)', async () => {
    const controller = new Controller()
    const detail = manual('detail', { schema: Todo })
    const thrown: unknown[] = []
    const onError = (error: unknown) => thrown.push(error)
    process.on('uncaughtException', onError)
    const listeners = process.listeners('uncaughtException').filter((listener) => listener !== onError)
    for (const listener of listeners) process.off('uncaughtException', listener)
    const second = vi.fn()
    controller.subscribe(detail.endpoint, { id: 1 }, () => {
      throw new Error('mine')
    })
    controller.subscribe(detail.endpoint, { id: 1 }, second)
    controller.set(Todo, { id: 1 }, { title: 'x' })
    await tick()
    process.off('uncaughtException', onError)
    for (const listener of listeners) process.on('uncaughtException', listener)
    expect(second).toHaveBeenCalledTimes(1)
    expect(thrown.map(String)).toEqual(['Error: mine'])
  })

  test('are told once for a response that changes many records (G3)', async () => {
    const controller = new Controller()
    const list = manual('list', { schema: [Todo] })
    const first = controller.fetch(list.endpoint)
    list.calls[0]!.resolve(Array.from({ length: 100 }, (_, id) => ({ id, title: 'a' })))
    await first
    const told: unknown[] = []
    controller.subscribe(list.endpoint, ({ data }) => told.push(data))
    const save = new Endpoint(
      () => Promise.resolve(Array.from({ length: 100 }, (_, id) => ({ id, title: 'b' }))),
      { name: 'save', schema: [Todo], sideEffect: true },
    )
    await controller.fetch(save)
    expect(told.length).toBe(1)
  })

  test.each([false, true])('render before a mutation resolves, fails %s', async (fails) => {
    const controller = new Controller()
    const { endpoint } = manual('detail', { schema: Todo })
    const save = new Endpoint(
      (params: { id: number }) =>
        fails ? Promise.reject(new Error('no')) : Promise.resolve({ ...params, title: 'saved' }),
      {
        name: 'save',
        schema: Todo,
        sideEffect: true,
        getOptimisticResponse: optimistic((_, params: { id: number }) => ({ ...params, title: 'early' })),
      },
    )
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const events: string[] = []
    const settled = () => events.push('settled')
    const promise = controller.fetch(save, { id: 1 }).then(settled, settled)
    controller.subscribe(endpoint, { id: 1 }, () => {
      // Vue and Svelte render in a microtask.
      queueMicrotask(() => events.push('rendered'))
    })
    await promise
    expect(events).toEqual(['rendered', 'settled'])
  })

  test('are not told of a batch that takes back what was read within it (G2)', () => {
    const controller = new Controller()
    const { endpoint } = manual('detail', { schema: Todo })
    const told: unknown[] = []
    controller.subscribe(endpoint, { id: 1 }, ({ data }) => told.push(data))
    controller.batch(() => {
      controller.set(Todo, { id: 1 }, { title: 'a' })
      expect(controller.read(endpoint, { id: 1 }).data).toMatchObject({ title: 'a' })
      controller.set(new schema.Delete(Todo), { id: 1 }, {})
    })
    expect(told).toEqual([])
  })

  test('two Controllers never meet (F14)', () => {
    const [a, b] = [new Controller(), new Controller()]
    a.set(Todo, { id: 1 }, { title: 'a' })
    expect(b.get(Todo, { id: 1 })).toBe(undefined)
  })
})

describe('hostile data is data (G7)', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '0', '-1', '1e3'])(
    'the pk %s',
    async (pk) => {
      const controller = new Controller()
      const list = new Endpoint(
        () => Promise.resolve(JSON.parse(`[{"id":${JSON.stringify(pk)},"title":"t"}]`) as unknown),
        { name: 'list', schema: [Todo] },
      )
      const [todo] = await controller.fetch(list)
      expect(todo!.title).toBe('t')
      expect(controller.get(Todo, { id: pk })).toBe(todo)
      expect(controller.get(Todo, { id: 'other' })).toBe(undefined)
      expect(({} as Record<string, unknown>).title).toBe(undefined)
    },
  )

  test('fields called __proto__ and constructor never reach a prototype', async () => {
    const controller = new Controller()
    const payload = () =>
      JSON.parse(
        '[{"id":1,"__proto__":{"polluted":true},"constructor":"c","pk":"p","meta":{"__proto__":{"polluted":true}}}]',
      ) as unknown
    const list = new Endpoint(() => Promise.resolve(payload()), { name: 'list', schema: [Todo] })
    const [todo] = await controller.fetch(list)
    expect(todo).toBeInstanceOf(Todo)
    expect((todo as unknown as { polluted?: unknown }).polluted).toBe(undefined)
    expect(({} as { polluted?: unknown }).polluted).toBe(undefined)
    const wrapper = new Endpoint(
      () => Promise.resolve(JSON.parse('{"__proto__":{"polluted":true},"list":[]}') as unknown),
      { name: 'wrapper', schema: { list: [Todo] } },
    )
    const wrapped = await controller.fetch(wrapper)
    expect((wrapped as unknown as { polluted?: unknown }).polluted).toBe(undefined)
  })

  test('an own getter of the class is not replaced by data of its name', async () => {
    class Person extends Entity {
      id = 0
      first = ''
      last = ''
      get full() {
        return `${this.first} ${this.last}`
      }
      static override key = 'Person'
    }
    const controller = new Controller()
    controller.set(Person, { id: 1 }, { first: 'A', last: 'B', full: 'server' } as never)
    expect(controller.get(Person, { id: 1 })!.full).toBe('A B')
  })

  test('input is never changed, and later changes of it do not reach the store (S22)', async () => {
    const controller = new Controller()
    const input = Object.freeze({
      id: 1,
      title: 'a',
      tags: Object.freeze(['x']),
      owner: Object.freeze({ id: 2, name: 'o' }),
    })
    const loose = { id: 3, tags: ['x'], owner: { id: 4, name: 'p' } }
    const list = new Endpoint(() => Promise.resolve([input, loose]), { name: 'list', schema: [Todo] })
    const todos = await controller.fetch(list)
    loose.tags.push('y')
    loose.owner.name = 'changed'
    expect(todos[1]).toMatchObject({ tags: ['x'], owner: { name: 'p' } })
    expect(loose.owner).toEqual({ id: 4, name: 'changed' })
  })
})

describe('set and get', () => {
  test('an updater receives the record', () => {
    const controller = new Controller()
    controller.set(Todo, { id: 5 }, { title: 'x' })
    controller.set(Todo, { id: 5 }, (todo) => ({ title: `${todo?.title}!` }))
    expect(controller.get(Todo, { id: 5 })).toMatchObject({ id: 5, title: 'x!', done: false })
    expect(() => controller.set(Todo, {}, { title: 'x' })).toThrow('Entity "Todo" has no primary key')
    expect(() => controller.get([Todo] as unknown as typeof Todo, {})).toThrow(
      'A list schema cannot be looked up by arguments',
    )
  })

  test('lengths that cannot be are refused where they are defined (F15)', () => {
    expect(() => new Controller({ dataExpiryLength: -1 })).toThrow('The Controller has dataExpiryLength -1')
    expect(() => new Endpoint(() => Promise.resolve(), { name: 'e', errorExpiryLength: Number.NaN })).toThrow(
      'e has errorExpiryLength NaN',
    )
  })
})

test('what a refused mutation would have added to a list is not added to the answer of a read (G4, G5)', async () => {
  const controller = new Controller()
  const todos = new schema.Collection([Todo])
  const list = manual('list', { schema: todos })
  const create = manual('create', { schema: todos.push, sideEffect: true })
  const refused = create.endpoint.extend({
    update: () => {
      throw new Error('refused')
    },
  })
  const reading = controller.fetch(list.endpoint, {})
  const creating = controller.fetch(refused, {})
  create.calls[0]!.resolve({ id: 9 })
  await expect(creating).rejects.toThrow('refused')
  list.calls[0]!.resolve([{ id: 1 }])
  expect((await reading).map(({ id }) => id)).toEqual([1])
})

test('its methods are called without it', async () => {
  const controller = new Controller()
  const { fetch, read, set, get, batch, subscribe, resetAll } = controller
  const getNumber = new Endpoint(({ id }: { id: number }) => Promise.resolve(id), { name: 'getNumber' })
  await expect(fetch(getNumber, { id: 5 })).resolves.toBe(5)
  expect(read(getNumber, { id: 5 }).data).toBe(5)
  batch(() => set(Todo, { id: 1 }, { title: 'a' }))
  expect(get(Todo, { id: 1 })).toMatchObject({ title: 'a' })
  const end = subscribe(getNumber, { id: 1 }, () => {})
  end()
  resetAll()
  expect(controller.get(Todo, { id: 1 })).toBeUndefined()
  expect(controller.fetch).toBe(fetch)
})

test('its methods can be overridden and replaced', () => {
  class Counting extends Controller {
    count = 0
    override resetAll() {
      this.count++
      super.resetAll()
    }
  }
  const controller = new Counting()
  const { resetAll } = controller
  resetAll()
  expect(controller.count).toBe(1)
  expect(controller.constructor).toBe(Counting)
  const spy = vi.spyOn(controller, 'batch')
  controller.batch(() => {})
  expect(spy).toHaveBeenCalledOnce()
  expect(Object.keys(controller)).toEqual(['clock', 'count'])
})

test('get says how an endpoint is read', () => {
  const controller = new Controller()
  const getNumber = new Endpoint(() => Promise.resolve(5), { name: 'getNumber' })
  expect(() => controller.get(getNumber as unknown as typeof Todo, {})).toThrow(
    expect.objectContaining({
      code: 'not-queryable',
      message: expect.stringContaining('The endpoint getNumber was passed instead of a schema'),
    }),
  )
})

test('set refuses an endpoint, and sends nothing', () => {
  const controller = new Controller()
  const fetch = vi.fn(() => Promise.resolve(5))
  const getNumber = new Endpoint(fetch, { name: 'getNumber' })
  expect(() => controller.set(getNumber, {}, 5)).toThrow(
    expect.objectContaining({
      code: 'definition-invalid',
      message: expect.stringContaining('Pass the schema of the endpoint'),
    }),
  )
  expect(fetch).not.toHaveBeenCalled()
})
