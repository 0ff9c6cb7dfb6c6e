import { callsOf } from './calls.js'
import { describe, expect, test, vi } from 'vitest'
import { ManualClock } from '../../../conformance/src/clock.js'
import { Controller, Endpoint, Entity, Query, schema } from '../index.js'
import { Observer } from '../bindings.js'
import { optimistic } from '../optimistic/optimistic.js'

class Todo extends Entity {
  id = 0
  userId = 0
  title = ''
  static override key = 'Todo'
}
const todos = new schema.Collection([Todo])

/** An endpoint whose responses the test sends. */
function manual<const O extends object>(name: string, options: O) {
  const calls: { resolve: (value: unknown) => void; reject: (error: unknown) => void }[] = []
  const answer = (_params: { id?: number; userId?: number }) =>
    new Promise<unknown>((resolve, reject) => {
      calls.push({ resolve, reject })
    })
  return { endpoint: new Endpoint(answer, { name, ...options }) as Endpoint<typeof answer, O>, calls }
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

describe('setResponse', () => {
  test('answers a call: readers are told, its age begins, and other lists show the record', () => {
    const clock = new ManualClock()
    const controller = new Controller({ clock })
    const { endpoint, calls } = manual('getTodo', { schema: Todo })
    const heard = vi.fn()
    controller.subscribe(endpoint, { id: 1 }, heard)
    controller.setResponse(endpoint, { id: 1 }, { id: 1, title: 'pushed' })
    expect(heard).toHaveBeenCalledTimes(1)
    const { data, status, expiresAt } = controller.read(endpoint, { id: 1 })
    expect([data?.title, status, expiresAt]).toEqual(['pushed', 'Valid', clock.now() + 60_000])
    expect(controller.get(Todo, { id: 1 })).toBe(data)
    expect(calls.length).toBe(0)
  })

  test('takes the place of an error, and of what was invalidated', () => {
    const controller = new Controller()
    const { endpoint } = manual('getTodo', { schema: Todo })
    controller.setError(endpoint, { id: 1 }, new Error('broken'))
    controller.setResponse(endpoint, { id: 1 }, { id: 1, title: 'a' })
    expect(controller.read(endpoint, { id: 1 }).error).toBeUndefined()
    controller.invalidate(endpoint, { id: 1 })
    expect(controller.read(endpoint, { id: 1 }).data).toBeUndefined()
    controller.setResponse(endpoint, { id: 1 }, { id: 1, title: 'b' })
    expect(controller.read(endpoint, { id: 1 }).data?.title).toBe('b')
  })

  test('the answer to a request that was under way does not undo it (F4)', async () => {
    const controller = new Controller()
    for (const options of [{ schema: Todo }, {}]) {
      const { endpoint, calls } = manual('getTodo', options)
      const call = controller.fetch(endpoint, { id: 1 })
      controller.setResponse(endpoint, { id: 1 }, { id: 1, title: 'pushed' })
      calls[0]!.resolve({ id: 1, title: 'late' })
      await call
      expect(controller.read(endpoint, { id: 1 }).data).toMatchObject({ title: 'pushed' })
    }
  })

  test('a reader that waits for its first answer shows it', async () => {
    const controller = new Controller()
    const { endpoint } = manual('getTodo', { schema: Todo })
    const observer = new Observer(controller, endpoint, [{ id: 1 }])
    const reading = observer.readOrFetch()
    if (reading.state !== 'pending') throw new Error('It does not wait.')
    controller.setResponse(endpoint, { id: 1 }, { id: 1, title: 'pushed' })
    await reading.promise
    expect(observer.readOrFetch()).toMatchObject({ state: 'success', data: { title: 'pushed' } })
  })

  test('keeps a copy of what it was given', () => {
    const controller = new Controller()
    const { endpoint } = manual('plain', {})
    const response = { tags: ['a'] }
    controller.setResponse(endpoint, { id: 1 }, response)
    response.tags.push('b')
    expect(controller.read(endpoint, { id: 1 }).data).toEqual({ tags: ['a'] })
  })

  test('of a mutation does what its answer does, and sends nothing', () => {
    const controller = new Controller()
    const { endpoint: getTodos } = manual('getTodos', { schema: todos })
    const { endpoint: create, calls } = manual('create', { schema: todos.push, sideEffect: true })
    controller.setResponse(getTodos, { userId: 1 }, [{ id: 1, userId: 1, title: 'a' }])
    controller.setResponse(create, {}, { id: 2, userId: 1, title: 'b' })
    expect(controller.read(getTodos, { userId: 1 }).data?.map(({ id }) => id)).toEqual([1, 2])
    expect(calls.length).toBe(0)
  })

  test('refuses what does not fit, and stores nothing of it', () => {
    const controller = new Controller()
    const { endpoint } = manual('getTodo', { schema: { todo: Todo, other: Todo } })
    expect(() =>
      controller.setResponse(endpoint, { id: 1 }, { todo: { id: 1, title: 'a' }, other: { title: 'b' } }),
    ).toThrow('no primary key')
    expect(() => controller.setResponse(endpoint, { id: 1 }, null as never)).toThrow('received null, but')
    expect(controller.get(Todo, { id: 1 })).toBeUndefined()
    expect(controller.read(endpoint, { id: 1 }).status).toBe('Invalid')
  })

  test('null as the first argument does nothing (F12)', () => {
    const controller = new Controller()
    const { endpoint } = manual('getTodo', { schema: Todo })
    controller.setResponse(endpoint, null as never, { id: 1 })
    controller.setError(endpoint, null as never, new Error('x'))
    controller.resolve(endpoint, { args: [null as never], response: { id: 1 } })
    expect(callsOf(controller).store.results.size).toBe(0)
  })

  test('what it brought is given up as an answer is', () => {
    const clock = new ManualClock()
    const controller = new Controller({ clock })
    const dispose = vi.fn()
    const { endpoint } = manual('picture', { dispose })
    controller.setResponse(endpoint, { id: 1 }, 'blob:1')
    controller.setResponse(endpoint, { id: 1 }, 'blob:2')
    clock.advance(0)
    expect(dispose.mock.calls).toEqual([['blob:1']])
  })
})

describe('setError', () => {
  test('stores the error for errorExpiryLength, and leaves data that is there', () => {
    const controller = new Controller({ clock: new ManualClock() })
    const { endpoint } = manual('getTodo', { schema: Todo })
    controller.setResponse(endpoint, { id: 1 }, { id: 1, title: 'a' })
    const error = new Error('broken')
    controller.setError(endpoint, { id: 1 }, error)
    const { data, error: stored } = controller.read(endpoint, { id: 1 })
    expect([data?.title, stored]).toEqual(['a', error])
  })

  test('fails a reader that waits for its first answer', async () => {
    const controller = new Controller()
    const { endpoint } = manual('getTodo', { schema: Todo })
    const observer = new Observer(controller, endpoint, [{ id: 1 }])
    const reading = observer.readOrFetch()
    if (reading.state !== 'pending') throw new Error('It does not wait.')
    controller.setError(endpoint, { id: 1 }, new Error('broken'))
    await reading.promise
    expect(observer.readOrFetch()).toMatchObject({ state: 'error', error: { message: 'broken' } })
  })

  test('a read under way is answered with what it received, and the error stays', async () => {
    const controller = new Controller()
    const { endpoint, calls } = manual('getTodos', { schema: [Todo] })
    const call = controller.fetch(endpoint, {})
    controller.setError(endpoint, {}, new Error('broken'))
    calls[0]!.resolve([{ id: 1, title: 'late' }])
    expect(await call).toMatchObject([{ title: 'late' }])
    expect(controller.read(endpoint, {}).error?.message).toBe('broken')
  })

  test('an abort is no error to be stored', () => {
    const controller = new Controller()
    const { endpoint } = manual('getTodo', { schema: Todo })
    controller.setError(endpoint, { id: 1 }, new DOMException('Not wanted any more.', 'AbortError'))
    expect(controller.read(endpoint, { id: 1 }).error).toBeUndefined()
  })
})

describe('resolve', () => {
  test('settles the read under way, and drops what the server answers later', async () => {
    const controller = new Controller()
    const { endpoint, calls } = manual('getTodo', { schema: Todo })
    const call = controller.fetch(endpoint, { id: 1 })
    controller.resolve(endpoint, { args: [{ id: 1 }], response: { id: 1, title: 'socket' } })
    expect((await call).title).toBe('socket')
    expect(controller.read(endpoint, { id: 1 }).fetching).toBe(false)
    calls[0]!.resolve({ id: 1, title: 'server' })
    await settled()
    expect(controller.get(Todo, { id: 1 })?.title).toBe('socket')
  })

  test('fails the read under way', async () => {
    const controller = new Controller()
    const { endpoint } = manual('getTodo', { schema: Todo })
    const call = controller.fetch(endpoint, { id: 1 })
    controller.resolve(endpoint, { args: [{ id: 1 }], error: new Error('refused') })
    await expect(call).rejects.toThrow('refused')
    expect(controller.read(endpoint, { id: 1 }).error?.message).toBe('refused')
  })

  test('settles a mutation, and what it showed early is replaced by the answer', async () => {
    const controller = new Controller()
    const { endpoint, calls } = manual('save', {
      schema: Todo,
      sideEffect: true,
      getOptimisticResponse: optimistic(() => ({ id: 1, title: 'expected' })),
    })
    const call = controller.fetch(endpoint, { id: 1 })
    expect(controller.get(Todo, { id: 1 })?.title).toBe('expected')
    const response = { id: 1, title: 'socket' }
    controller.resolve(endpoint, { args: [{ id: 1 }], response })
    expect(await call).toMatchObject({ title: 'socket' })
    response.title = 'changed by its owner'
    calls[0]!.resolve({ id: 1, title: 'server' })
    await settled()
    expect(controller.get(Todo, { id: 1 })?.title).toBe('socket')
  })

  test('a mutation that fails so is rolled back', async () => {
    const controller = new Controller()
    const { endpoint } = manual('save', {
      schema: Todo,
      sideEffect: true,
      getOptimisticResponse: optimistic(() => ({ id: 1, title: 'expected' })),
    })
    controller.set(Todo, { id: 1 }, { title: 'before' })
    const call = controller.fetch(endpoint, { id: 1 })
    controller.resolve(endpoint, { args: [{ id: 1 }], error: new Error('refused') })
    await expect(call).rejects.toThrow('refused')
    expect(controller.get(Todo, { id: 1 })?.title).toBe('before')
  })

  test('without a request under way it stores', () => {
    const controller = new Controller()
    const { endpoint } = manual('getTodo', { schema: Todo })
    controller.resolve(endpoint, { args: [{ id: 1 }], response: { id: 1, title: 'a' } })
    expect(controller.read(endpoint, { id: 1 }).data?.title).toBe('a')
    controller.resolve(endpoint, { args: [{ id: 2 }], error: new Error('none') })
    expect(controller.read(endpoint, { id: 2 }).error?.message).toBe('none')
  })
})

describe('set', () => {
  test('removes what schema.Delete names', () => {
    const controller = new Controller()
    controller.set(Todo, { id: 1 }, { title: 'a' })
    controller.set(new schema.Delete(Todo), { id: 1 }, {})
    expect(controller.get(Todo, { id: 1 })).toBeUndefined()
  })

  test('replaces a list, and changes it by what readers see', () => {
    const controller = new Controller()
    controller.set(todos, { userId: 1 }, [
      { id: 1, title: 'a' },
      { id: 2, title: 'b' },
    ])
    const [first] = controller.get(todos, { userId: 1 }) ?? []
    controller.set(todos, { userId: 1 }, (list: Todo[] | undefined) => list?.slice(0, 1))
    expect(controller.get(todos, { userId: 1 })).toEqual([first])
    expect(controller.get(todos, { userId: 1 })?.[0]).toBe(first)
  })

  test('lets a record join the lists that it belongs to', () => {
    const controller = new Controller()
    controller.set(todos, { userId: 1 }, [{ id: 1, title: 'a' }])
    controller.set(todos, { userId: 2 }, [])
    controller.set(todos.push, { userId: 1 }, { id: 2, userId: 1, title: 'b' })
    expect(controller.get(todos, { userId: 1 })?.map(({ id }) => id)).toEqual([1, 2])
    expect(controller.get(todos, { userId: 2 })).toEqual([])
  })

  test('refuses what is no object for a record, and names it', () => {
    const controller = new Controller()
    expect(() => controller.set(Todo, { id: 1 }, 'text' as never)).toThrow(
      'controller.set(Todo) received text instead of fields.',
    )
  })

  test('10,000 writes of a socket cost as many view computations as there are readers told (F19)', () => {
    const controller = new Controller()
    const heard = vi.fn()
    const { endpoint } = manual('getTodo', { schema: Todo })
    controller.set(Todo, { id: 1 }, { title: 'first' })
    controller.subscribe(endpoint, { id: 1 }, heard)
    const before = callsOf(controller).store.graph.computed
    controller.batch(() => {
      for (let id = 1; id <= 10_000; id++) controller.set(Todo, { id }, { title: String(id) })
    })
    expect(heard).toHaveBeenCalledTimes(1)
    expect(callsOf(controller).store.graph.computed - before).toBe(2)
  })
})

describe('get', () => {
  test('runs a Query once for what it reads, and shares its value with read and subscribe', () => {
    const controller = new Controller()
    const process = vi.fn((list: Todo[], { title }: { title: string }) =>
      list.filter((todo) => todo.title === title),
    )
    const titled = new Query(new schema.All(Todo), process)
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const value = controller.get(titled, { title: 'a' })
    expect(value).toHaveLength(1)
    expect(controller.get(titled, { title: 'a' })).toBe(value)
    expect(controller.read(titled, { title: 'a' }).data).toBe(value)
    expect(process).toHaveBeenCalledTimes(1)
    controller.set(Todo, { id: 2 }, { title: 'a' })
    expect(controller.get(titled, { title: 'a' })).toHaveLength(2)
    expect(process).toHaveBeenCalledTimes(2)
    expect(controller.get(titled, null as never)).toBeUndefined()
  })
})

describe('batch', () => {
  test('readers are told once of all that was done, also where it fails in between', () => {
    const controller = new Controller()
    const { endpoint } = manual('getTodo', { schema: Todo })
    const heard = vi.fn()
    controller.subscribe(endpoint, { id: 1 }, heard)
    expect(() =>
      controller.batch(() => {
        controller.set(Todo, { id: 1 }, { title: 'a' })
        controller.set(Todo, { id: 1 }, { title: 'b' })
        throw new Error('stop')
      }),
    ).toThrow('stop')
    expect(heard).toHaveBeenCalledTimes(1)
    expect(controller.get(Todo, { id: 1 })?.title).toBe('b')
  })
})

describe('refetchStale', () => {
  /** A mounted reader that fetches. */
  function mount(controller: Controller, endpoint: Endpoint, id: number): () => void {
    const observer = new Observer(controller, endpoint as never, [{ id }])
    void observer.fetchIfDue()
    return observer.retain()
  }

  test('fetches what mounted readers show and is not Valid, once', async () => {
    const clock = new ManualClock()
    const controller = new Controller({ clock })
    const asked: number[] = []
    const endpoint = new Endpoint(
      ({ id }: { id: number }) => {
        asked.push(id)
        return Promise.resolve({ id, title: 'x' })
      },
      { name: 'getTodo', schema: Todo },
    ) as unknown as Endpoint
    const unmount = mount(controller, endpoint, 1)
    mount(controller, endpoint, 2)
    mount(controller, endpoint, 2)
    await settled()
    controller.refetchStale()
    expect(asked).toEqual([1, 2])
    clock.advance(60_000)
    unmount()
    controller.refetchStale(() => false)
    expect(asked).toEqual([1, 2])
    controller.refetchStale()
    controller.refetchStale()
    expect(asked).toEqual([1, 2, 2])
  })

  test('readers that never fetch do not', () => {
    const controller = new Controller()
    const { endpoint, calls } = manual('getTodo', { schema: Todo })
    controller.subscribe(endpoint, { id: 1 }, () => {})
    new Observer(controller, endpoint, [{ id: 1 }]).retain()
    controller.refetchStale()
    expect(calls.length).toBe(0)
  })
})
