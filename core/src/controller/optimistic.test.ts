import { callsOf } from './calls.js'
import { describe, expect, test, vi } from 'vitest'
import { Controller, Endpoint, Entity, Query, schema } from '../index.js'
import type { CacheSnapshot, Schema } from '../index.js'
import { Observer, dataIn } from '../observer/observer.js'
import { RestEndpoint, createResource } from '../rest.js'
import type { RestOptions } from '../rest.js'
import { optimistic } from '../optimistic/optimistic.js'

class Todo extends Entity {
  id: number | string = 0
  title = ''
  votes = 0
  userId = 0
  static override key = 'Todo'
}

interface Call {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** A mutation whose responses the test sends, with an optimistic response of its second argument. */
function mutation<const S extends Schema>(answerSchema: S, expected?: (...args: never) => unknown) {
  const calls: Call[] = []
  const answer = (_params: { id: number | string }, _body?: object) =>
    new Promise<unknown>((resolve, reject) => calls.push({ resolve, reject }))
  const getOptimisticResponse =
    expected ?? ((_snapshot: CacheSnapshot, params: object, body: object) => ({ ...params, ...body }))
  const endpoint = new Endpoint(answer, {
    name: 'mutation',
    schema: answerSchema as Schema,
    sideEffect: true,
    getOptimisticResponse: optimistic(getOptimisticResponse as () => unknown),
  })
  return { endpoint, calls }
}

/** A stored list, and a mutation that adds to it optimistically. */
async function openList() {
  const list = new schema.Collection([Todo])
  const getList = new Endpoint(async () => [{ id: 1 }, { id: 2 }], { name: 'list', schema: list })
  const { endpoint: create, calls } = mutation(list.push, () => ({ id: 'new', title: 'new' }))
  const controller = new Controller()
  await controller.fetch(getList)
  return { controller, getList, create, fail: () => calls[0]!.reject(new Error('no')) }
}

const title = (controller: Controller) => controller.get(Todo, { id: 1 })?.title
const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

describe('an expected answer', () => {
  test('is shown at once, and the real one replaces it in one notification', async () => {
    const controller = new Controller()
    const { endpoint, calls } = mutation(Todo)
    controller.set(Todo, { id: 1 }, { title: 'a', votes: 1 })
    const read = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id }), {
      name: 'todo',
      schema: Todo,
    })
    const told: unknown[] = []
    controller.subscribe(read, { id: 1 }, ({ data }) => told.push(data?.title))
    const saving = controller.fetch(endpoint, { id: 1 }, { title: 'early' })
    expect(told).toEqual(['early'])
    expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'early', votes: 1 })
    calls[0]!.resolve({ id: 1, title: 'real' })
    expect(await saving).toMatchObject({ title: 'real', votes: 1 })
    expect(told).toEqual(['early', 'real'])
  })

  test('that was right changes no identity when it is confirmed', async () => {
    const controller = new Controller()
    const { endpoint, calls } = mutation(Todo)
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const saving = controller.fetch(endpoint, { id: 1 }, { title: 'b' })
    const early = controller.get(Todo, { id: 1 })
    calls[0]!.resolve({ id: 1, title: 'b' })
    await saving
    expect(controller.get(Todo, { id: 1 })).toBe(early)
  })

  test('is taken back when the mutation fails, and what was there is shown again', async () => {
    const controller = new Controller()
    const { endpoint, calls } = mutation(Todo)
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const saving = controller.fetch(endpoint, { id: 1 }, { title: 'b' })
    calls[0]!.reject(new Error('no'))
    await expect(saving).rejects.toThrow('no')
    expect(title(controller)).toBe('a')
  })

  test.each([false, true])(
    'that is taken back leaves lists the objects that they were, also where it was made again: %s',
    async (isMadeAgain) => {
      const { controller, getList, create, fail } = await openList()
      const read = () => controller.read(getList).data
      const before = read()
      const told: unknown[] = []
      controller.subscribe(getList, ({ data }) => told.push(data))
      const creating = controller.fetch(create, { id: 'new' })
      expect(read()).toHaveLength(3)
      if (isMadeAgain) controller.setResponse(getList, [{ id: 1 }, { id: 2 }])
      fail()
      await expect(creating).rejects.toThrow('no')
      expect(read()).toBe(before)
      expect(told.at(-1)).toBe(before)
      controller.set(Todo, { id: 1 }, { title: 'changed' })
      expect(read()).not.toBe(before)
      expect(read()![1]).toBe(before![1])
      expect(read()![0]!.title).toBe('changed')
    },
  )

  test('that is taken back leaves a list that changed meanwhile as it is now', async () => {
    const { controller, getList, create, fail } = await openList()
    const before = controller.read(getList).data
    const creating = controller.fetch(create, { id: 'new' })
    controller.set(Todo, { id: 2 }, { title: 'pushed' })
    fail()
    await expect(creating).rejects.toThrow('no')
    expect(before!.map(({ title: shown }) => shown)).toEqual(['', ''])
    expect(controller.read(getList).data!.map(({ title: shown }) => shown)).toEqual(['', 'pushed'])
  })

  test('is taken back when the real answer cannot be stored', async () => {
    const controller = new Controller()
    const { endpoint, calls } = mutation(Todo)
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const saving = controller.fetch(endpoint, { id: 1 }, { title: 'b' })
    calls[0]!.resolve({ message: 'no pk' })
    await expect(saving).rejects.toThrow('has no primary key')
    expect(title(controller)).toBe('a')
  })

  test('several at once are each confirmed or taken back alone, in any order (F6)', async () => {
    const controller = new Controller()
    const { endpoint, calls } = mutation(Todo)
    controller.set(Todo, { id: 1 }, { title: 'a', votes: 0 })
    const saving = [
      controller.fetch(endpoint, { id: 1 }, { title: 'one' }),
      controller.fetch(endpoint, { id: 1 }, { votes: 5 }),
      controller.fetch(endpoint, { id: 1 }, { title: 'three' }),
    ]
    expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'three', votes: 5 })
    calls[2]!.reject(new Error('three'))
    await expect(saving[2]).rejects.toThrow('three')
    expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'one', votes: 5 })
    calls[1]!.resolve({ id: 1, votes: 6 })
    await saving[1]
    expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'one', votes: 6 })
    calls[0]!.reject(new Error('one'))
    await expect(saving[0]).rejects.toThrow('one')
    expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'a', votes: 6 })
  })

  test('what is pushed meanwhile survives both success and failure (F8)', async () => {
    for (const isGood of [true, false]) {
      const controller = new Controller()
      const { endpoint, calls } = mutation(Todo)
      controller.set(Todo, { id: 1 }, { title: 'a', votes: 0 })
      const saving = controller.fetch(endpoint, { id: 1 }, { title: 'b' }).catch(() => {})
      controller.set(Todo, { id: 1 }, { votes: 9, title: 'pushed' })
      expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'b', votes: 9 })
      if (isGood) calls[0]!.resolve({ id: 1, title: 'b' })
      else calls[0]!.reject(new Error('no'))
      await saving
      expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'pushed', votes: 9 })
    }
  })

  test('may be computed from what is below it, and undefined shows nothing early', async () => {
    const controller = new Controller()
    const { endpoint, calls } = mutation(Todo, (snapshot: CacheSnapshot, params: { id: number }) => {
      const todo = snapshot.get(Todo, params)
      return todo && { ...params, votes: todo.votes + 1 }
    })
    void controller.fetch(endpoint, { id: 1 }).catch(() => {})
    expect(controller.get(Todo, { id: 1 })).toBe(undefined)
    controller.set(Todo, { id: 1 }, { votes: 1 })
    void controller.fetch(endpoint, { id: 1 }).catch(() => {})
    void controller.fetch(endpoint, { id: 1 }).catch(() => {})
    // Each optimistic response is computed again from the stored data, the first one too.
    expect(controller.get(Todo, { id: 1 })!.votes).toBe(4)
    expect(calls).toHaveLength(3)
  })

  test('that does not fit its schema is reported, and the mutation is sent all the same', async () => {
    const warning = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const controller = new Controller()
    const { endpoint, calls } = mutation(Todo, () => ({ title: 'no pk' }))
    const saving = controller.fetch(endpoint, { id: 1 })
    expect(warning.mock.calls.flat().join()).toContain('in the payload of getOptimisticResponse of mutation')
    calls[0]!.resolve({ id: 1, title: 'real' })
    expect((await saving) as unknown).toMatchObject({ title: 'real' })
    warning.mockRestore()
  })

  test('is forgotten by resetAll', async () => {
    const controller = new Controller()
    const { endpoint } = mutation(Todo)
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const saving = controller.fetch(endpoint, { id: 1 }, { title: 'b' })
    controller.resetAll()
    await expect(saving).rejects.toMatchObject({ code: 'hard-reset' })
    expect(controller.get(Todo, { id: 1 })).toBe(undefined)
  })

  test('of a function that resets is not shown, nor those below it that run again', async () => {
    const controller = new Controller()
    const { endpoint: first } = mutation(Todo)
    const before = controller.fetch(first, { id: 1 }, { title: 'early' })
    let resets = false
    const second = mutation(Todo, (snapshot: CacheSnapshot, { id }: { id: number }) => {
      if (resets) controller.resetAll()
      return { id, title: `${snapshot.get(Todo, { id })?.title} again` }
    })
    const saving = controller.fetch(second.endpoint, { id: 1 })
    expect(title(controller)).toBe('early again')
    resets = true
    controller.set(Todo, { id: 1 }, { votes: 1 })
    for (const each of [before, saving]) await expect(each).rejects.toMatchObject({ code: 'hard-reset' })
    expect(title(controller)).toBeUndefined()
    const third = controller.fetch(second.endpoint, { id: 1 })
    await expect(third).rejects.toMatchObject({ code: 'hard-reset' })
    expect(title(controller)).toBeUndefined()
    expect(callsOf(controller).store.layers?.touched).toEqual([])
  })

  test('of a function that resets keeps nothing of before on screen (F18)', () => {
    const controller = new Controller()
    const { endpoint } = mutation(new schema.Delete(Todo), () => controller.resetAll())
    const read = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id }), {
      name: 'todo',
      schema: Todo,
    })
    const observer = new Observer(controller, read, [{ id: 1 }])
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const ends = [observer.retain(), observer.subscribe(() => {})]
    expect(dataIn(observer.readCached())).toMatchObject({ title: 'a' })
    controller.fetch(endpoint, { id: 1 }).catch(() => {})
    expect(dataIn(observer.readCached())).toBeUndefined()
    for (const end of ends) end()
  })

  test('of a function that writes what it reads is shown once, and taken back', async () => {
    const controller = new Controller()
    let writes = 0
    const { endpoint, calls } = mutation(Todo, (snapshot: CacheSnapshot, { id }: { id: number }) => {
      const { title: shown = '' } = snapshot.get(Todo, { id }) ?? {}
      if (writes++ === 0) controller.set(Todo, { id }, { title: 'written' })
      return { id, title: `${shown} early` }
    })
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const saving = controller.fetch(endpoint, { id: 1 })
    expect(title(controller)).toBe('written early')
    calls[0]!.reject(new Error('refused'))
    await expect(saving).rejects.toThrow('refused')
    expect(title(controller)).toBe('written')
  })

  test('holds nothing back that became Invalid before it, in one batch', () => {
    const controller = new Controller()
    const { endpoint } = mutation(Todo)
    const read = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id }), {
      name: 'todo',
      schema: Todo,
    })
    controller.setResponse(read, { id: 1 }, { id: 1, title: 'of the previous user' })
    const told: unknown[] = []
    controller.subscribe(read, { id: 1 }, ({ data }) => told.push(data))
    controller.batch(() => {
      controller.resetAll()
      void controller.fetch(endpoint, { id: 2 }, { title: 'early' })
    })
    expect(told).toEqual([undefined])
  })
})

describe('lists', () => {
  async function setUp() {
    const controller = new Controller()
    const todos = new schema.Collection([Todo])
    const list = new Endpoint((_params: object = {}) => Promise.resolve([{ id: 1 }, { id: 2 }]), {
      name: 'list',
      schema: todos,
    })
    await controller.fetch(list)
    const ids = () => controller.read(list).data?.map(({ id }) => id)
    return { controller, todos, list, ids }
  }

  test('an expected record is a member until the real one takes its place (F7)', async () => {
    const { controller, todos, list, ids } = await setUp()
    const { endpoint, calls } = mutation(todos.push)
    const told: unknown[] = []
    controller.subscribe(list, () => told.push(ids()))
    const creating = controller.fetch(endpoint, { id: 'temporary' }, { title: 'new' })
    expect(ids()).toEqual([1, 2, 'temporary'])
    calls[0]!.resolve({ id: 3, title: 'new' })
    await creating
    expect(told).toEqual([
      [1, 2, 'temporary'],
      [1, 2, 3],
    ])
    expect(controller.get(Todo, { id: 'temporary' })).toBe(controller.get(Todo, { id: 3 }))
  })

  test('a failed creation takes it out again, and a list that is fetched meanwhile has it as long (F7)', async () => {
    const { controller, todos, list, ids } = await setUp()
    const { endpoint, calls } = mutation(todos.push)
    const creating = controller.fetch(endpoint, { id: 'temporary' }, {})
    await controller.fetch(list)
    expect(ids()).toEqual([1, 2, 'temporary'])
    calls[0]!.reject(new Error('no'))
    await expect(creating).rejects.toThrow('no')
    expect(ids()).toEqual([1, 2])
  })

  test('an expected delete drops the record; its own readers see it until the answer, and keep it after a failure', async () => {
    const { controller, ids } = await setUp()
    const { endpoint, calls } = mutation(
      new schema.Delete(Todo),
      (_snapshot: CacheSnapshot, params: object) => params,
    )
    const detail = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id }), {
      name: 'todo',
      schema: Todo,
    })
    const told: unknown[] = []
    controller.subscribe(detail, { id: 1 }, ({ data }) => told.push(data?.id))
    const failing = controller.fetch(endpoint, { id: 1 })
    expect(ids()).toEqual([2])
    calls[0]!.reject(new Error('no'))
    await expect(failing).rejects.toThrow('no')
    // Not notified: it is the same object.
    expect([ids(), told]).toEqual([[1, 2], []])
    const deleting = controller.fetch(endpoint, { id: 1 })
    calls[1]!.resolve({ id: 1 })
    await deleting
    expect([ids(), told]).toEqual([[2], []])
    await settled()
    await settled()
    expect(told).toEqual([undefined])
  })
})

test('a list of all records shows each once when one arrives that a created record refers to', async () => {
  class Part extends Entity {
    id = 0
    next: Part | undefined = undefined
  }
  Part.schema = { next: Part }
  const controller = new Controller()
  const all = new Query(new schema.All(Part))
  const { endpoint } = mutation(Part)
  const ids = () => controller.get(all)?.map(({ id }) => id)
  controller.subscribe(all, () => {})
  void controller.fetch(endpoint, { id: 1 }, { next: 2 })
  expect(ids()).toEqual([1])
  controller.set(Part, { id: 2 }, {})
  expect(ids()).toEqual([1, 2])
})

describe('the order of all records', () => {
  async function open(key: number | undefined) {
    const controller = new Controller()
    const { endpoint, calls } = mutation(Todo, (snapshot: CacheSnapshot) => {
      // Reads all, so that it runs again when one arrives.
      snapshot.get(new Query(new schema.All(Todo)))
      return { id: key ?? snapshot.temporaryId, title: 'mine' }
    })
    controller.set(Todo, { id: 1 }, { title: 'first' })
    const creating = controller.fetch(endpoint, { id: 0 }, {})
    const titles = () => controller.get(new Query(new schema.All(Todo)))?.map(({ title }) => title)
    expect(titles()).toEqual(['first', 'mine'])
    controller.set(Todo, { id: 2 }, { title: 'pushed' })
    expect(titles()).toEqual(['first', 'mine', 'pushed'])
    return { controller, creating, titles, call: calls[0]! }
  }

  test.each([
    ['a temporary primary key', undefined],
    ['its own primary key', 9],
  ])(
    'has a created record with %s in its place, when it is expected again and when it is answered',
    async (_, key) => {
      const { creating, titles, call } = await open(key)
      call.resolve({ id: 9, title: 'mine' })
      await creating
      expect(titles()).toEqual(['first', 'mine', 'pushed'])
    },
  )

  test('has a record that comes after a failure at its end', async () => {
    const { controller, creating, titles, call } = await open(9)
    call.reject(new Error('no'))
    await expect(creating).rejects.toThrow('no')
    controller.set(Todo, { id: 9 }, { title: 'later' })
    expect(titles()).toEqual(['first', 'pushed', 'later'])
  })
})

test('an update is applied to a list that is set while its mutation is under way', async () => {
  const list = new schema.Collection([Todo])
  const getList = new Endpoint(async (_params: object) => [{ id: 1 }], { name: 'list', schema: list })
  const controller = new Controller()
  const { endpoint, calls } = mutation(Todo)
  const create = endpoint.extend({
    update: (todo: Todo) => ({ [getList.key({ userId: 1 })]: (todos: Todo[]) => [...todos, todo] }),
  })
  const ids = () => controller.read(getList, { userId: 1 }).data?.map(({ id }) => id)
  expect(ids()).toBeUndefined()
  const creating = controller.fetch(create, { id: 9 }, {})
  controller.set(list, { userId: 1 }, [{ id: 1 }])
  expect(ids()).toEqual([1, 9])
  calls[0]!.resolve({ id: 9 })
  await creating
  expect(ids()).toEqual([1, 9])
})

test('a record that two mutations are expected to delete is seen until the second is answered too', async () => {
  const controller = new Controller()
  const { endpoint, calls } = mutation(
    new schema.Delete(Todo),
    (_snapshot: CacheSnapshot, params: object) => params,
  )
  const detail = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id }), {
    name: 'todo',
    schema: Todo,
  })
  await controller.fetch(detail, { id: 1 })
  const told: unknown[] = []
  controller.subscribe(detail, { id: 1 }, ({ data }) => told.push(data?.id))
  const [first, second] = [controller.fetch(endpoint, { id: 1 }), controller.fetch(endpoint, { id: 1 })]
  calls[0]!.reject(new Error('no'))
  await expect(first).rejects.toThrow('no')
  expect([controller.read(detail, { id: 1 }).data?.id, told]).toEqual([1, []])
  calls[1]!.resolve({ id: 1 })
  await second
  await settled()
  expect(told).toEqual([undefined])
})

describe('after a delete, before its readers are told', () => {
  const todos = new Endpoint(() => Promise.resolve([{ id: 1 }, { id: 2 }]), { name: 'todos', schema: [Todo] })
  const getTodo = (fetched: number[] = []) =>
    new Endpoint(
      ({ id }: { id: number }) => {
        fetched.push(id)
        return Promise.resolve({ data: { id, title: 'anew' } })
      },
      { name: 'todo', schema: { data: Todo } },
    )
  const titleOf = new Query(Todo, (todo) => todo.title)
  const params = (_snapshot: CacheSnapshot, given: object) => given

  test.each([
    ['sent', () => undefined],
    ['expected', params],
  ])('read, fetchIfStale and get of a Query agree with get, where it was %s', async (_how, expected) => {
    const fetched: number[] = []
    const detail = getTodo(fetched)
    const controller = new Controller()
    const { endpoint, calls } = mutation(new schema.Delete(Todo), expected)
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const told: unknown[] = []
    controller.subscribe(detail, { id: 1 }, ({ data }) => told.push(data?.data.title))
    controller.subscribe(titleOf, { id: 1 }, ({ data }) => told.push(data))
    const reader = new Observer(controller, detail, [{ id: 1 }])
    const release = reader.retain()
    expect(reader.readOrFetch()).toMatchObject({ state: 'success' })
    const deleting = controller.fetch(endpoint, { id: 1 })
    expect(controller.read(detail, { id: 1 }).data?.data.title).toBe('a')
    calls[0]!.resolve({})
    await deleting
    expect(controller.get(Todo, { id: 1 })).toBe(undefined)
    expect(controller.get(titleOf, { id: 1 })).toBe(undefined)
    expect(controller.read(titleOf, { id: 1 })).toMatchObject({ status: 'Invalid', data: undefined })
    expect(controller.read(detail, { id: 1 })).toMatchObject({
      status: 'Invalid',
      data: undefined,
      fetching: false,
      expiresAt: -Infinity,
    })
    // Mounted readers are notified later.
    expect([told, dataIn(reader.readCached())]).toEqual([
      [],
      { data: expect.objectContaining({ title: 'a' }) },
    ])
    await settled()
    await settled()
    expect([told, dataIn(reader.readCached())]).toEqual([[undefined, undefined], undefined])
    release()
  })

  test('fetchIfStale asks for what is gone', async () => {
    const fetched: number[] = []
    const detail = getTodo(fetched)
    const controller = new Controller()
    const { endpoint, calls } = mutation(new schema.Delete(Todo), () => undefined)
    controller.set(Todo, { id: 1 }, { title: 'a' })
    controller.subscribe(detail, { id: 1 }, () => {})
    expect(await controller.fetchIfStale(detail, { id: 1 })).toMatchObject({ data: { title: 'a' } })
    expect(fetched).toEqual([])
    const deleting = controller.fetch(endpoint, { id: 1 })
    calls[0]!.resolve({})
    await deleting
    expect(await controller.fetchIfStale(detail, { id: 1 })).toMatchObject({ data: { title: 'anew' } })
    expect(fetched).toEqual([1])
    expect(controller.read(detail, { id: 1 }).data).toMatchObject({ data: { title: 'anew' } })
  })

  test('read shows what another delete is still expected to remove, and what one that failed did not', async () => {
    const detail = getTodo()
    const controller = new Controller()
    const { endpoint, calls } = mutation(new schema.Delete(Todo), params)
    await controller.fetch(todos)
    for (const id of [1, 2]) controller.subscribe(detail, { id }, () => {})
    const read = () => [1, 2].map((id) => controller.read(detail, { id }).data?.data.id)
    const deleting = [1, 2, 2].map((id) => controller.fetch(endpoint, { id }).catch(() => 'failed'))
    expect([read(), controller.read(todos).data]).toEqual([[1, 2], []])
    calls[0]!.resolve({})
    await deleting[0]
    expect(read()).toEqual([undefined, 2])
    calls[1]!.reject(new Error('no'))
    await deleting[1]
    expect(read()).toEqual([undefined, 2])
    calls[2]!.reject(new Error('no'))
    await deleting[2]
    expect([read(), controller.read(todos).data]).toMatchObject([[undefined, 2], [{ id: 2 }]])
  })
})

describe('an optimistic resource', () => {
  class Api<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {
    static answers: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = []
    override fetchResponse(): Promise<Response> {
      return new Promise((resolve, reject) => {
        Api.answers.push({ resolve: (value) => resolve(Response.json(value)), reject })
      })
    }
  }
  const setUp = () => {
    Api.answers = []
    const todos = createResource({ path: '/todo/:id', schema: Todo, Endpoint: Api, optimistic })
    return { controller: new Controller(), todos }
  }

  test('shows what it sends, and a temporary record until the real one is there', async () => {
    const { controller, todos } = setUp()
    const listing = controller.fetch(todos.getList)
    await settled()
    Api.answers[0]!.resolve([{ id: 1, title: 'a' }])
    await listing
    const titles = () => controller.read(todos.getList).data?.map((todo) => todo.title)
    const creating = controller.fetch(todos.create, { title: 'new' })
    const changing = controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'b' })
    expect(titles()).toEqual(['b', 'new'])
    await settled()
    Api.answers[1]!.resolve({ id: 2, title: 'created' })
    Api.answers[2]!.reject(new Error('no'))
    expect((await creating)!.id).toBe(2)
    await expect(changing).rejects.toThrow('no')
    expect(titles()).toEqual(['a', 'created'])
    const deleting = controller.fetch(todos.delete, { id: 2 })
    expect(titles()).toEqual(['a'])
    await settled()
    Api.answers[3]!.resolve({})
    expect(await deleting).toEqual({ id: 2 })
    expect(titles()).toEqual(['a'])
  })

  test('changes nothing early of a record that is not known', () => {
    const { controller, todos } = setUp()
    void controller.fetch(todos.partialUpdate, { id: 9 }, { title: 'x' }).catch(() => {})
    expect(controller.get(Todo, { id: 9 })).toBe(undefined)
  })
})

describe('temporary records', () => {
  class Comment extends Entity {
    id: number | string = 0
    todo: Todo | undefined
    static override key = 'Comment'
    static override schema = { todo: Todo }
  }

  async function setUp() {
    const controller = new Controller()
    const todos = new schema.Collection([Todo])
    const list = new Endpoint((_params: object = {}) => Promise.resolve([{ id: 1 }]), {
      name: 'list',
      schema: todos,
    })
    await controller.fetch(list)
    const ids = () => controller.read(list).data?.map(({ id }) => id)
    return { controller, todos, list, ids }
  }

  test.each(['push', 'unshift'] as const)(
    'are replaced where they stand, in whatever order they are answered: %s (F7)',
    async (kind) => {
      const { controller, todos, list, ids } = await setUp()
      const { endpoint, calls } = mutation(todos[kind])
      const [first] = controller.read(list).data!
      const shown = (expected: unknown[]) =>
        expect(ids()).toEqual(kind === 'push' ? expected : [...expected].reverse())
      const creating = ['a', 'b', 'c'].map((id) => controller.fetch(endpoint, { id }, {}))
      shown([1, 'a', 'b', 'c'])
      calls[1]!.resolve({ id: 12 })
      await creating[1]
      shown([1, 'a', 12, 'c'])
      calls[2]!.resolve({ id: 13 })
      await creating[2]
      shown([1, 'a', 12, 13])
      calls[0]!.resolve({ id: 11 })
      await creating[0]
      shown([1, 11, 12, 13])
      expect(controller.read(list).data).toContain(first)
    },
  )

  test('are replaced in one notification, and the other members stay themselves', async () => {
    const { controller, todos, list, ids } = await setUp()
    const { endpoint, calls } = mutation(todos.push)
    const told: unknown[] = []
    const [first] = controller.read(list).data!
    controller.subscribe(list, ({ data }) => told.push([ids(), data?.[0] === first]))
    const creating = controller.fetch(endpoint, { id: 'new' }, {})
    calls[0]!.resolve({ id: 2 })
    await creating
    expect(told).toEqual([
      [[1, 'new'], true],
      [[1, 2], true],
    ])
  })

  test('are replaced in what other mutations expect, and where arguments name them', async () => {
    const { controller, todos } = await setUp()
    const create = mutation(todos.push)
    const comment = mutation(Comment, (_snapshot: CacheSnapshot, params: object, body: object) => ({
      ...params,
      ...body,
    }))
    const rename = mutation(Todo)
    const creating = controller.fetch(create.endpoint, { id: 'new' }, { title: 'x' })
    void controller.fetch(comment.endpoint, { id: 'note' }, { todo: 'new' })
    void controller.fetch(rename.endpoint, { id: 'new' }, { votes: 7 })
    const detail = new Endpoint(({ id }: { id: number | string }) => Promise.resolve({ id }), {
      name: 'detail',
      schema: Todo,
    })
    const told: unknown[] = []
    controller.subscribe(detail, { id: 'new' }, ({ data }) => told.push(data?.id))
    create.calls[0]!.resolve({ id: 2, title: 'x' })
    await creating
    const real = controller.get(Todo, { id: 2 })
    expect(real).toMatchObject({ title: 'x', votes: 7 })
    expect(controller.get(Comment, { id: 'note' })?.todo).toBe(real)
    expect(controller.get(Todo, { id: 'new' })).toBe(real)
    expect(controller.read(detail, { id: 'new' })).toMatchObject({ data: { id: 2 }, status: 'Valid' })
    expect(told).toEqual([2])
  })

  test('whose primary key is a number leave fields with that number alone', async () => {
    const { controller, todos } = await setUp()
    const create = mutation(todos.push)
    const rename = mutation(Todo)
    const creating = controller.fetch(create.endpoint, { id: -1 }, {})
    void controller.fetch(rename.endpoint, { id: -1 }, { votes: -1 })
    create.calls[0]!.resolve({ id: 2, votes: 0 })
    await creating
    expect(controller.get(Todo, { id: 2 })).toMatchObject({ id: 2, votes: -1 })
  })

  test('name nothing any more after a reset', async () => {
    const { controller, todos } = await setUp()
    const { endpoint, calls } = mutation(todos.push)
    const creating = controller.fetch(endpoint, { id: 'new' }, {})
    calls[0]!.resolve({ id: 2 })
    await creating
    controller.resetAll()
    controller.set(Todo, { id: 2 }, { title: 'another user' })
    expect(controller.get(Todo, { id: 'new' })).toBeUndefined()
  })

  test('of a guessed primary key leave it to the record that a server knows by it', async () => {
    const { controller, list } = await setUp()
    const { endpoint, calls } = mutation(Todo)
    const creating = controller.fetch(endpoint, { id: 2 }, { title: 'mine' })
    calls[0]!.resolve({ id: 3, title: 'mine' })
    await creating
    expect(controller.get(Todo, { id: 2 })?.id).toBe(3)
    const payload = [{ id: 2, title: 'other' }, { id: 3 }]
    await controller.fetch(list.extend({ fetch: (_params: object = {}) => Promise.resolve(payload) }))
    expect(controller.read(list).data).toMatchObject([
      { id: 2, title: 'other' },
      { id: 3, title: 'mine' },
    ])
    expect(controller.get(Todo, { id: 2 })?.title).toBe('other')
  })
})

describe('update', () => {
  test('of a copy makes nothing lasting that another mutation is expected to do', async () => {
    const controller = new Controller()
    const list = new Endpoint(() => Promise.resolve([{ id: 1, title: 'a', votes: 1 }]), {
      name: 'list',
      schema: [Todo],
    })
    await controller.fetch(list)
    const { endpoint: rename, calls } = mutation(Todo)
    const vote = new Endpoint(() => Promise.resolve({}), {
      name: 'vote',
      sideEffect: true,
      update: () => ({
        [list.key()]: (todos: readonly Todo[]) => todos.map((todo) => ({ ...todo, votes: todo.votes + 1 })),
      }),
    })
    const renaming = controller.fetch(rename, { id: 1 }, { title: 'early' })
    await controller.fetch(vote)
    expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'early', votes: 2 })
    calls[0]!.reject(new Error('refused'))
    await expect(renaming).rejects.toThrow('refused')
    expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'a', votes: 2 })
  })

  const plain = new Endpoint(async () => [{ id: 1, title: 'a' }, { id: 2 }], {
    name: 'plain',
    schema: [Todo],
  })
  const total = new Endpoint(async () => ({ total: 2 }), { name: 'total' })
  const lists = new schema.Collection([Todo])
  const collected = new Endpoint(async (_params: object = {}) => [{ id: 1 }, { id: 2 }], {
    name: 'collected',
    schema: lists,
  })

  async function setUp() {
    const controller = new Controller()
    await Promise.all([plain, total, collected].map((endpoint) => controller.fetch(endpoint as typeof total)))
    const { endpoint, calls } = mutation(Todo)
    const create = endpoint.extend({
      update: (todo: Todo) => ({
        [plain.key()]: (list: Todo[]) => [...list, todo],
        [collected.key()]: (list: Todo[]) => [todo, ...list],
        [total.key()]: (count: { total: number }) => ({ total: count.total + 1 }),
      }),
    })
    const shown = () => [
      controller.read(plain).data?.map(({ id }) => id),
      controller.read(collected).data?.map(({ id }) => id),
      controller.read(total).data?.total,
    ]
    return { controller, create, calls, shown }
  }

  test('is shown early with the expected answer, and again with the real one', async () => {
    const { controller, create, calls, shown } = await setUp()
    const tell = vi.fn()
    controller.subscribe(plain, tell)
    const [first] = controller.read(plain).data!
    const creating = controller.fetch(create, { id: 'new' }, { title: 'x' })
    expect(shown()).toEqual([[1, 2, 'new'], ['new', 1, 2], 3])
    expect(controller.read(plain).status).toBe('Valid')
    calls[0]!.resolve({ id: 3, title: 'x' })
    await creating
    expect(shown()).toEqual([[1, 2, 3], [3, 1, 2], 3])
    expect(controller.read(plain).data![0]).toBe(first)
    expect(tell).toHaveBeenCalledTimes(2)
  })

  test('is taken back with its mutation, and what was shown before is shown again', async () => {
    const { controller, create, calls, shown } = await setUp()
    const before = [plain, collected, total].map((endpoint) => controller.read(endpoint as typeof total).data)
    const creating = controller.fetch(create, { id: 'new' }, {})
    calls[0]!.reject(new Error('no'))
    await expect(creating).rejects.toThrow('no')
    expect(shown()).toEqual([[1, 2], [1, 2], 2])
    expect(controller.read(total).data).toEqual(before[2])
    expect(controller.read(plain).data).toEqual(before[0])
  })

  test('of several at once each is confirmed or taken back alone', async () => {
    const { controller, create, calls, shown } = await setUp()
    const creating = ['a', 'b', 'c'].map((id) => controller.fetch(create, { id }, {}))
    expect(shown()).toEqual([[1, 2, 'a', 'b', 'c'], ['c', 'b', 'a', 1, 2], 5])
    calls[1]!.reject(new Error('no'))
    await expect(creating[1]).rejects.toThrow('no')
    expect(shown()).toEqual([[1, 2, 'a', 'c'], ['c', 'a', 1, 2], 4])
    calls[2]!.resolve({ id: 13 })
    await creating[2]
    expect(shown()[2]).toBe(4)
    expect([...(shown()[0] as unknown[])].sort()).toEqual([1, 13, 2, 'a'])
    calls[0]!.reject(new Error('no'))
    await expect(creating[0]).rejects.toThrow('no')
    expect(shown()).toEqual([[1, 2, 13], [13, 1, 2], 3])
  })

  test('is made again on an answer that arrives meanwhile', async () => {
    const { controller, create, calls, shown } = await setUp()
    const creating = controller.fetch(create, { id: 'new' }, {})
    controller.setResponse(plain, [{ id: 1 }, { id: 5 }])
    controller.setResponse(total, { total: 10 })
    controller.setResponse(collected, [{ id: 5 }])
    expect(shown()).toEqual([[1, 5, 'new'], ['new', 5], 11])
    calls[0]!.reject(new Error('no'))
    await expect(creating).rejects.toThrow('no')
    expect(shown()).toEqual([[1, 5], [5], 10])
  })

  test('makes early also records that it puts together itself', async () => {
    const { controller } = await setUp()
    const { endpoint, calls } = mutation(Todo)
    const rename = endpoint.extend({
      update: () => ({ [plain.key()]: (list: Todo[]) => list.map((todo) => ({ ...todo, title: 'all' })) }),
    })
    const renaming = controller.fetch(rename, { id: 9 }, {})
    expect(controller.read(plain).data?.map(({ title: each }) => each)).toEqual(['all', 'all'])
    expect(title(controller)).toBe('all')
    calls[0]!.reject(new Error('no'))
    await expect(renaming).rejects.toThrow('no')
    expect(title(controller)).toBe('a')
  })

  test('is made once of what is below it, whatever else is written meanwhile', async () => {
    const { controller } = await setUp()
    const { endpoint, calls } = mutation(Todo)
    const count = vi.fn((list: Todo[]) => list.map((todo) => ({ ...todo, votes: todo.votes + 1 })))
    const vote = endpoint.extend({ update: () => ({ [plain.key()]: count }) })
    const voting = controller.fetch(vote, { id: 9 }, {})
    const votes = () => controller.read(plain).data?.map((todo) => todo.votes)
    expect(votes()).toEqual([1, 1])
    const [first] = controller.read(plain).data!
    controller.set(Todo, { id: 77 }, { title: 'another' })
    controller.set(Todo, { id: 78 }, { title: 'another' })
    expect(votes()).toEqual([1, 1])
    expect(controller.read(plain).data![0]).toBe(first)
    expect(count).toHaveBeenCalledTimes(1)
    controller.set(Todo, { id: 1 }, { votes: 5 })
    expect(votes()).toEqual([6, 1])
    calls[0]!.reject(new Error('no'))
    await expect(voting).rejects.toThrow('no')
    expect(votes()).toEqual([5, 0])
  })

  test('that fails on what is expected does not keep the mutation from being sent', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { controller, shown } = await setUp()
    const { endpoint, calls } = mutation(Todo)
    const broken = endpoint.extend({
      update: (todo: Todo) => ({
        [total.key()]: ({ total: count }: { total: number }) =>
          todo.id === 'new' ? undefined : { total: count + 1 },
      }),
    })
    const creating = controller.fetch(broken, { id: 'new' }, {})
    expect(shown()[2]).toBe(2)
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
    calls[0]!.resolve({ id: 3 })
    await creating
    expect(shown()[2]).toBe(3)
  })

  test('of a mutation without a schema is shown early too', async () => {
    const { controller, shown } = await setUp()
    const clear = new Endpoint(() => Promise.reject(new Error('no')), {
      name: 'clear',
      sideEffect: true,
      getOptimisticResponse: optimistic(() => ({})),
      update: () => ({ [plain.key()]: () => [], [total.key()]: () => ({ total: 0 }) }),
    })
    const clearing = controller.fetch(clear)
    expect(shown()).toEqual([[], [1, 2], 0])
    await expect(clearing).rejects.toThrow('no')
    expect(shown()).toEqual([[1, 2], [1, 2], 2])
  })

  test('does not outlive a reset', async () => {
    const { controller, create } = await setUp()
    const creating = controller.fetch(create, { id: 'new' }, {})
    controller.resetAll()
    await expect(creating).rejects.toMatchObject({ code: 'hard-reset' })
    controller.setResponse(total, { total: 1 })
    expect(controller.read(total).data).toEqual({ total: 1 })
    expect(callsOf(controller).store.layers?.touched).toEqual([])
  })

  test('leaves nothing behind once it was answered', async () => {
    const { controller, create, calls } = await setUp()
    const creating = controller.fetch(create, { id: 'new' }, {})
    calls[0]!.resolve({ id: 3 })
    await creating
    expect(callsOf(controller).store.layers?.touched).toEqual([])
  })
})
