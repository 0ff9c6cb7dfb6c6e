import { callsOf } from '../../controller/calls.js'
import { describe, expect, test } from 'vitest'
import { Controller, Endpoint, Entity, Query, schema } from '../../index.js'
import type { Clock } from '../../index.js'
import { beginRun } from './gc-run.js'
import { GarbageCollector } from './gc.js'
import { optimistic } from '../../optimistic/optimistic.js'
import { viewsOf } from '../records.js'

class User extends Entity {
  id = 0
  email = ''
  static override key = 'User'
  static override indexes = ['email']
}
class Todo extends Entity {
  id = 0
  owner: User | undefined
  static override key = 'Todo'
  static override schema = { owner: User }
}

/** A clock that only moves by calls. */
function manualClock() {
  let now = 0
  let timers: { at: number; callback: () => void }[] = []
  const clock: Clock = {
    now: () => now,
    setTimeout(callback, delayMs) {
      const timer = { at: now + delayMs, callback }
      timers.push(timer)
      return timer
    },
    clearTimeout(timer) {
      timers = timers.filter((other) => other !== timer)
    },
  }
  return {
    clock,
    pending: () => timers.length,
    /** Advances the time, then runs one macrotask. @returns true if a timer was due */
    advance(ms: number) {
      now += ms
      const due = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { callback } of due) callback()
      return due.length > 0
    },
  }
}

const setUp = () => {
  const time = manualClock()
  const controller = new Controller({ clock: time.clock, keepLength: 1000 })
  const count = (key: string) => callsOf(controller).store.tables.get(key)?.nodes.size ?? 0
  const list = new Endpoint(() => Promise.resolve([{ id: 1, owner: { id: 5 } }, { id: 2 }]), {
    name: 'list',
    schema: new schema.Collection([Todo]),
  })
  return { ...time, controller, count, list }
}

describe('what nobody can see is collected after its time (G6)', () => {
  test('rows, lists and records, and then no timer is left', async () => {
    const { controller, count, list, advance, pending } = setUp()
    await controller.fetch(list)
    controller.get(User, { email: 'nobody' })
    expect([count('Todo'), count('User'), callsOf(controller).store.results.size]).toEqual([2, 1, 1])
    for (let step = 0; step < 3; step++) advance(1000)
    expect([count('Todo'), count('User'), callsOf(controller).store.results.size]).toEqual([0, 0, 0])
    expect([callsOf(controller).store.lists!.size, pending()]).toEqual([0, 0])
  })

  test('not what a reader shows, however old', async () => {
    const { controller, count, list, advance } = setUp()
    const data = await controller.fetch(list)
    const end = controller.subscribe(list, () => {})
    for (let step = 0; step < 5; step++) advance(1000)
    expect([count('Todo'), count('User')]).toEqual([2, 1])
    expect(controller.read(list).data).toBe(data)
    end()
    for (let step = 0; step < 3; step++) advance(1000)
    expect([count('Todo'), count('User')]).toEqual([0, 0])
  })

  test('not what a Query over all records shows, and what it showed is gone when it is', async () => {
    const { controller, count, advance } = setUp()
    const all = new Query(new schema.All(Todo))
    controller.set(Todo, { id: 1 }, {})
    const end = controller.subscribe(all, () => {})
    for (let step = 0; step < 3; step++) advance(1000)
    expect(controller.get(all)!.map(({ id }) => id)).toEqual([1])
    end()
    for (let step = 0; step < 3; step++) advance(1000)
    expect(count('Todo')).toBe(0)
    expect(controller.get(all)).toEqual([])
  })

  test('records of which each shows a Query of all of them, as soon as no reader shows one', () => {
    class Task extends Entity {
      id = 0
      others: readonly Task[] = []
      static override key = 'Task'
    }
    Task.schema = { others: new Query(new schema.All(Task)) }
    const { controller, count, advance } = setUp()
    const get = new Endpoint(async (_args: { id: number }) => ({}), { name: 'task', schema: Task })
    for (const id of [1, 2, 3]) controller.setResponse(get, { id }, { id, others: [] })
    const end = controller.subscribe(get, { id: 1 }, () => {})
    for (const id of [1, 2, 3]) expect(controller.read(get, { id }).data?.others).toHaveLength(3)
    for (let step = 0; step < 3; step++) advance(1000)
    expect([count('Task'), controller.read(get, { id: 1 }).data?.others.length]).toEqual([3, 3])
    // Not read again since: the reader's data still shows what arrives.
    controller.set(Task, { id: 4 }, { others: [] })
    for (let step = 0; step < 3; step++) advance(1000)
    expect([count('Task'), controller.read(get, { id: 1 }).data?.others.length]).toEqual([4, 4])
    end()
    for (let step = 0; step < 3; step++) advance(1000)
    expect(count('Task')).toBe(0)
  })

  test('a keepLength beyond what timers wait sets one that they do, and not again and again', async () => {
    const { clock } = manualClock()
    const waits: number[] = []
    const controller = new Controller({
      clock: {
        ...clock,
        setTimeout(callback, delayMs) {
          waits.push(delayMs)
          return clock.setTimeout(callback, delayMs)
        },
      },
      keepLength: 2 ** 31,
    })
    controller.set(Todo, { id: 1 }, {})
    controller.set(Todo, { id: 2 }, {})
    expect(waits).toEqual([2 ** 31 - 1])
  })

  test('with a keepLength of 0 by one run after a release, and not by one in each macrotask', async () => {
    const { clock, advance, pending } = manualClock()
    const controller = new Controller({ clock, keepLength: 0 })
    const { store } = callsOf(controller)
    const get = new Endpoint(async ({ id }: { id: number }) => ({ id }), { name: 'get', schema: Todo })
    const ends = [1, 2].map((id) => controller.subscribe(get, { id }, () => {}))
    for (const id of [1, 2]) await controller.fetch(get, { id })
    /** The runs in many macrotasks of one moment. */
    const runs = () => {
      const { epoch } = store
      for (let step = 0; step < 20; step++) advance(0)
      return store.epoch - epoch
    }
    expect(runs()).toBe(1)
    ends[0]?.()
    expect(runs()).toBe(1)
    expect([store.size, store.results.size]).toEqual([1, 1])
    // What a look-up alone left is found by a run every 5 seconds.
    controller.get(Todo, { id: 77 })
    expect([runs(), store.size]).toEqual([0, 2])
    advance(5000)
    expect([runs(), store.size]).toEqual([0, 1])
    ends[1]?.()
    expect(runs()).toBe(1)
    expect([store.size, store.results.size, pending()]).toEqual([0, 0, 0])
  })

  test('disposing ends the timers', async () => {
    const { controller, list, pending } = setUp()
    await controller.fetch(list)
    expect(pending()).toBe(1)
    controller.dispose()
    expect(pending()).toBe(0)
    await expect(controller.fetch(list)).rejects.toMatchObject({ code: 'controller-disposed' })
  })
})

describe('the garbage collector works in slices (G6)', () => {
  /** Each has a nested record: 100,000 in all. */
  const size = 50_000
  const setUpMany = async () => {
    const time = manualClock()
    const controller = new Controller({ clock: time.clock, keepLength: Infinity })
    const list = new Endpoint(
      () => Promise.resolve(Array.from({ length: size }, (_, id) => ({ id, owner: { id, email: `${id}` } }))),
      { name: 'list', schema: new schema.Collection([Todo]) },
    )
    await controller.fetch(list)
    controller.get(User, { email: '5' })
    const unitsPerSlice = 4000
    const options = { keepLength: 1000, maxRecords: Infinity, unitsPerSlice }
    const collector = new GarbageCollector(callsOf(controller).store, time.clock, options)
    return { ...time, controller, list, collector, unitsPerSlice }
  }

  test('of which each looks at a bounded number of records, whether it keeps or removes them', async () => {
    const { controller, list, collector, unitsPerSlice, advance } = await setUpMany()
    const { store } = callsOf(controller)
    const end = controller.subscribe(list, () => {})
    const data = controller.read(list).data
    const nodes = [...store.tables.values()].flatMap((table) => [...table.nodes.values()])
    expect(nodes.length).toBe(2 * size)
    /** The number of records that each slice marked or removed. */
    const slices = () => {
      const done: number[] = []
      collector.schedule()
      const count = () => [nodes.filter(({ mark }) => mark === store.epoch).length, store.size] as const
      let [marked, left] = [0, store.size]
      for (let isDue = advance(1000); isDue; isDue = advance(0)) {
        const [markedNow, leftNow] = count()
        done.push(markedNow - marked + left - leftNow)
        marked = markedNow
        left = leftNow
      }
      return done
    }
    const keeping = slices()
    expect(Math.max(...keeping)).toBeLessThanOrEqual(unitsPerSlice)
    expect(keeping.reduce((sum, done) => sum + done)).toBe(2 * size)
    expect(controller.read(list).data).toBe(data)
    end()
    advance(1001)
    const removing = slices()
    expect(Math.max(...removing)).toBeLessThanOrEqual(unitsPerSlice)
    expect(removing.reduce((sum, done) => sum + done)).toBe(2 * size)
    expect([store.size, store.results.size, store.lists?.size ?? 0]).toEqual([0, 0, 0])
  })

  const many = 50_000
  const calls = Array.from({ length: many }, (_, id) => id)
  const detail = new Endpoint(async (_args: { id: number }) => ({}), { name: 'detail', schema: Todo })
  const lists = new Endpoint(async (_args: { page: number }) => [{}], { name: 'lists', schema: [Todo] })
  const all = new Query(new schema.All(Todo))
  const storeCalls = (controller: Controller) => {
    for (const id of calls) controller.setResponse(detail, { id }, { id })
  }
  const storeLists = (controller: Controller, owner: object | undefined) => {
    for (let page = 0; page < many; page += 1000) {
      const todos = calls.slice(page, page + 1000).map((id) => ({ id, owner }))
      controller.setResponse(lists, { page }, todos)
      controller.read(lists, { page })
    }
  }

  test.each<[string, { maxRecords?: number; left: number }, (controller: Controller) => void]>([
    ['removes many records', { left: 0 }, (controller) => storeLists(controller, undefined)],
    [
      'removes many records that a list of all showed',
      { left: 0 },
      (controller) => {
        storeLists(controller, undefined)
        controller.subscribe(all, () => {})()
        controller.read(all)
      },
    ],
    [
      'keeps many records that a list of all shows',
      { left: many },
      (controller) => {
        storeLists(controller, undefined)
        controller.subscribe(all, () => {})
        controller.read(all)
      },
    ],
    ['drops many calls', { left: 0 }, storeCalls],
    ['drops the calls that were used first', { maxRecords: 16_000, left: 14_000 }, storeCalls],
    [
      'removes many records that show one that stays',
      { left: 2 },
      (controller) => {
        storeLists(controller, { id: 7 })
        controller.setResponse(detail, { id: many }, { id: many, owner: 7 })
        controller.subscribe(detail, { id: many }, () => {})
        controller.read(detail, { id: many })
      },
    ],
  ])(
    'and the work of each is bounded in every phase of a run that %s',
    (_title, { maxRecords, left }, fill) => {
      let now = 0
      const { clock } = manualClock()
      const controller = new Controller({ clock: { ...clock, now: () => ++now }, keepLength: Infinity })
      fill(controller)
      const { store } = callsOf(controller)
      let reads = 0
      const count = (object: object, name: string) => {
        let value: unknown = Reflect.get(object, name)
        const get = () => {
          reads++
          return value
        }
        const set = (next: unknown) => {
          value = next
        }
        Object.defineProperty(object, name, { get, set })
      }
      for (const { nodes } of store.tables.values()) {
        for (const node of nodes.values()) {
          for (const name of ['mark', 'fields']) count(node, name)
          for (const view of viewsOf(node)) {
            if (!Array.isArray(view.dependents) || view.dependents.length < many) continue
            view.dependents = new Proxy(view.dependents, {
              get(target, name) {
                reads++
                return Reflect.get(target, name)
              },
            })
          }
        }
      }
      for (const call of [...store.results.values()].flat()) {
        for (const name of ['usedAt', 'retainers']) count(call, name)
      }
      const keepSince = maxRecords === undefined ? now + 1 : -Infinity
      const run = beginRun(store, { now: now + 1, keepSince, maxRecords: maxRecords ?? Infinity })
      const units = 1000
      let most = 0
      for (let isDone = false; !isDone; most = Math.max(most, reads)) {
        reads = 0
        isDone = run.work(units)
      }
      expect(most).toBeLessThanOrEqual(10 * units)
      expect(store.size).toBe(left)
    },
  )

  test('and what is asked for between them is kept', async () => {
    const time = manualClock()
    const controller = new Controller({ clock: time.clock, keepLength: Infinity })
    const collector = new GarbageCollector(callsOf(controller).store, time.clock, {
      keepLength: 0,
      maxRecords: Infinity,
      unitsPerSlice: 1,
    })
    const get = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id }), {
      name: 'get',
      schema: Todo,
    })
    for (let id = 0; id < 3; id++) await controller.fetch(get, { id })
    const end = controller.subscribe(get, { id: 0 }, () => {})
    collector.schedule()
    time.advance(0)
    // The call and its record are old, but the read during the run keeps them.
    const { data } = controller.read(get, { id: 2 })
    while (callsOf(controller).store.onLookup !== undefined) time.advance(0)
    expect(controller.read(get, { id: 2 }).data).toBe(data)
    expect(callsOf(controller).store.results.has(get.key({ id: 1 }))).toBe(false)
    end()
  })
})

describe('more records than maxRecords are collected at once (G6)', () => {
  const setUpCeiling = (maxRecords: number) => {
    const time = manualClock()
    const controller = new Controller({ clock: time.clock, maxRecords })
    const list = new Endpoint(
      ({ page }: { page: number }) => Promise.resolve([0, 1, 2].map((id) => ({ id: 3 * page + id }))),
      { name: 'list', schema: [Todo] },
    )
    const isStored = (page: number) => callsOf(controller).store.results.has(list.key({ page }))
    const settle = () => {
      for (let isDue = time.advance(0); isDue; isDue = time.advance(0));
    }
    return { ...time, controller, list, isStored, settle }
  }

  test('beginning with the call that was not used for longest, until there are few enough', async () => {
    const { controller, list, isStored, settle, advance } = setUpCeiling(10)
    for (let page = 0; page < 3; page++) {
      await controller.fetch(list, { page })
      advance(1)
    }
    const { data } = controller.read(list, { page: 0 })
    advance(1)
    await controller.fetch(list, { page: 3 })
    settle()
    expect([0, 1, 2, 3].map(isStored)).toEqual([true, false, true, true])
    expect(callsOf(controller).store.size).toBe(9)
    expect(controller.read(list, { page: 0 }).data).toBe(data)
  })

  test('but not what readers show, requests wait for or mutations show early', async () => {
    const { controller, list, isStored, settle, advance } = setUpCeiling(2)
    let refuse: (reason: Error) => void = () => {}
    const change = new Endpoint(
      (_args: { id: number }) => new Promise<{ id: number }>((_resolve, reject) => (refuse = reject)),
      {
        name: 'change',
        sideEffect: true,
        schema: Todo,
        getOptimisticResponse: optimistic((_, { id }) => ({ id, owner: 77 })),
      },
    )
    const ends = [0, 1].map((page) => controller.subscribe(list, { page }, () => {}))
    for (let page = 0; page < 3; page++) await controller.fetch(list, { page })
    const before = [0, 1].map((page) => controller.read(list, { page }).data)
    const changing = controller.fetch(change, { id: 50 })
    settle()
    expect([0, 1, 2].map(isStored)).toEqual([true, true, false])
    expect([0, 1].map((page) => controller.read(list, { page }).data)).toEqual(before)
    expect(controller.read(list, { page: 1 }).data).toBe(before[1])
    expect(controller.get(Todo, { id: 50 })?.id).toBe(50)
    refuse(new Error('refused'))
    await expect(changing).rejects.toThrow('refused')
    for (const end of ends) end()
    advance(5000)
    settle()
    expect(callsOf(controller).store.size).toBeLessThanOrEqual(2)
  })

  test('and what arrives just above it does not make everything be looked at each time', async () => {
    const { controller, list, settle } = setUpCeiling(800)
    for (let page = 0; page < 300; page++) controller.subscribe(list, { page }, () => {})
    for (let page = 0; page < 300; page++) await controller.fetch(list, { page })
    settle()
    const { epoch } = callsOf(controller).store
    for (let id = 10_000; id < 10_100; id++) {
      controller.set(Todo, { id }, {})
      settle()
    }
    expect(callsOf(controller).store.epoch).toBe(epoch)
    let runs = 0
    for (let id = 10_100; id < 11_000; id++) {
      const { epoch: before } = callsOf(controller).store
      controller.set(Todo, { id }, {})
      settle()
      if (callsOf(controller).store.epoch !== before) runs++
    }
    // One run per several hundred new records.
    expect(runs).toBeLessThan(10)
    expect(callsOf(controller).store.size).toBeLessThan(1100)
  })

  test('in a short slice, if they came one by one', () => {
    const { controller, advance } = setUpCeiling(20_000)
    for (let id = 0; id <= 20_000; id++) controller.set(Todo, { id }, {})
    advance(0)
    const { store } = callsOf(controller)
    expect([store.epoch, store.onLookup === undefined]).toEqual([1, false])
  })

  test('without a call that alone leads to too many, and those that were used before it', async () => {
    const { controller, list, isStored, settle, advance } = setUpCeiling(10)
    const long = new Endpoint(
      () => Promise.resolve(Array.from({ length: 9 }, (_, id) => ({ id: 100 + id }))),
      {
        name: 'long',
        schema: [Todo],
      },
    )
    await controller.fetch(list, { page: 0 })
    advance(1)
    await controller.fetch(long)
    advance(1)
    await controller.fetch(list, { page: 1 })
    settle()
    expect([isStored(0), isStored(1)]).toEqual([false, true])
    expect(callsOf(controller).store.results.has(long.key())).toBe(false)
    expect(callsOf(controller).store.size).toBe(3)
  })

  test.each([
    [100, 10_000],
    [1000, 10_000],
    [3000, 10_000],
    [5000, 20_000],
  ])(
    'in a burst of answers of %i there are never more than one and a half times %i',
    async (length, maxRecords) => {
      const { controller, advance } = setUpCeiling(maxRecords)
      const list = new Endpoint(
        ({ page }: { page: number }) =>
          Promise.resolve(Array.from({ length }, (_, id) => ({ id: length * page + id }))),
        { name: 'long', schema: new schema.Collection([Todo]) },
      )
      let peak = 0
      for (let page = 0; page < (6 * maxRecords) / length; page++) {
        await controller.fetch(list, { page })
        peak = Math.max(peak, callsOf(controller).store.size)
        // One macrotask, in which the collector has one slice.
        advance(0)
      }
      expect(peak).toBeGreaterThan(maxRecords)
      expect(peak).toBeLessThanOrEqual(maxRecords * 1.5)
    },
  )

  describe('though all records are read', () => {
    const total = 3000
    const maxRecords = 200
    const isKept = ({ id }: Todo) => id % 300 === 7
    const count = new Query(new schema.All(Todo), (todos) => todos.length)
    const figures = new Query(new schema.All(Todo), (todos) => ({
      all: todos.length,
      last: todos.at(-1)?.id,
    }))
    const some = new Query(new schema.All(Todo), (todos) => todos.filter(isKept))
    const parts = new Query(new schema.All(Todo), (todos) => ({
      own: todos.filter(isKept),
      of: todos.length,
    }))
    const rows = new Query(new schema.All(Todo), (todos) => todos.map(({ id }) => `Todo ${id}`))

    /** Stores many records, of which the filters show ten. @returns the most that there were at once */
    const fill = (stage: ReturnType<typeof setUpCeiling>, look: () => void) => {
      let peak = 0
      for (let id = 0; id < total; id++) {
        stage.controller.set(Todo, { id }, {})
        if (id % 10 === 0) {
          look()
          stage.advance(0)
        }
        peak = Math.max(peak, callsOf(stage.controller).store.size)
      }
      stage.settle()
      return peak
    }

    test.each([
      ['a count', count],
      ['figures', figures],
      ['a filter', some],
      ['all of them', new Query(new schema.All(Todo))],
      ['rows made of them', rows],
      ['a schema', new schema.All(Todo)],
    ])('by controller.get, now and then: %s', (_, read) => {
      const stage = setUpCeiling(maxRecords)
      const peak = fill(stage, () => stage.controller.get(read as typeof count))
      expect(peak).toBeLessThanOrEqual(1.5 * maxRecords)
      expect(callsOf(stage.controller).store.size).toBeLessThanOrEqual(maxRecords)
    })

    test.each([
      ['a count', count],
      ['figures', figures],
    ])('by a mounted reader of %s, which pins none of them, and shows how many are left', (_, read) => {
      const stage = setUpCeiling(maxRecords)
      let told = 0
      stage.controller.subscribe(read as typeof count, () => told++)
      const peak = fill(stage, () => stage.controller.read(read as typeof count))
      expect(peak).toBeLessThanOrEqual(1.5 * maxRecords)
      const { size } = callsOf(stage.controller).store
      expect(size).toBeLessThanOrEqual(maxRecords)
      const shown: unknown = stage.controller.read(read as typeof count).data
      expect(typeof shown === 'number' ? shown : (shown as { all: number }).all).toBe(size)
      // It is still told of what arrives and goes.
      const before = told
      stage.controller.set(Todo, { id: total }, {})
      expect(told).toBe(before + 1)
    })

    test.each([
      ['a filter', some],
      ['a filter beside a count', parts],
    ])('by a mounted reader of %s, which keeps what it shows, the same objects', (_, read) => {
      const stage = setUpCeiling(maxRecords)
      stage.controller.subscribe(read as typeof some, () => {})
      const seen = new Map<number, unknown>()
      const shown = () => {
        const { data } = stage.controller.read(read as typeof some)
        return Array.isArray(data)
          ? data
          : ((data as unknown as { own: readonly Todo[] } | undefined)?.own ?? [])
      }
      const peak = fill(stage, () => {
        for (const todo of shown()) if (!seen.has(todo.id)) seen.set(todo.id, todo)
      })
      expect(peak).toBeLessThanOrEqual(1.5 * maxRecords)
      expect(callsOf(stage.controller).store.size).toBeLessThanOrEqual(maxRecords)
      expect(shown().map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_each, at) => 300 * at + 7))
      for (const todo of shown()) expect(todo).toBe(seen.get(todo.id))
    })

    test.each([
      ['all of them', new Query(new schema.All(Todo))],
      ['rows made of them', rows],
    ])('but not by a mounted reader of %s, which keeps what it shows', (_, read) => {
      const stage = setUpCeiling(maxRecords)
      stage.controller.subscribe(read as typeof rows, () => {})
      fill(stage, () => stage.controller.read(read as typeof rows))
      expect(stage.controller.read(read as typeof rows).data).toHaveLength(total)
    })

    test('by a field of a record that counts them', () => {
      class Board extends Entity {
        id = 0
        open = 0
        static override key = 'Board'
        static override schema = { open: count }
      }
      const stage = setUpCeiling(maxRecords)
      stage.controller.set(Board, { id: 1 }, { open: [] as never })
      const board = new Query(Board)
      stage.controller.subscribe(board, { id: 1 }, () => {})
      const peak = fill(stage, () => stage.controller.read(board, { id: 1 }))
      expect(peak).toBeLessThanOrEqual(1.5 * maxRecords)
      expect(stage.controller.read(board, { id: 1 }).data?.open).toBe(
        callsOf(stage.controller).store.size - 1,
      )
    })
  })

  test.each([-1, Number.NaN])('and %s is no such number', (maxRecords) => {
    expect(() => new Controller({ maxRecords })).toThrow(`The Controller has maxRecords ${maxRecords}.`)
  })
})
