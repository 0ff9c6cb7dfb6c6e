import { expect, test, vi } from 'vitest'
import { callsOf } from '../controller/calls.js'
import { Controller } from '../controller/controller.js'
import { Endpoint } from '../endpoint/endpoint.js'
import type { CacheSnapshot } from '../endpoint/endpoint.js'
import { schema } from '../index.js'
import { createResource } from '../rest/resource.js'
import { Entity } from '../schema/entity.js'
import { Transaction } from '../store/transaction.js'
import { optimistic } from './optimistic.js'

class Owner extends Entity {
  id = 0
  name = ''
  static override key = 'Owner'
}

class Task extends Entity {
  group = ''
  id = 0
  title = ''
  votes = 0
  owner: Owner | undefined
  static override key = 'Task'
  static override schema = { owner: Owner }
}

type Answer = (response: object) => void

/** Pending writes, and how often the function of an optimistic response ran. */
function setUp() {
  const counts = { runs: 0 }
  const answers: Answer[] = []
  const save = new Endpoint(
    (_params: { id: number }, _body: Partial<Task>) =>
      new Promise<object>((resolve) => answers.push(resolve)),
    {
      name: 'save',
      schema: new schema.Collection([Task]).move,
      sideEffect: true,
      getOptimisticResponse: optimistic((_snapshot, params: { id: number }, body: Partial<Task>) => {
        counts.runs++
        return { ...params, ...body }
      }),
    },
  )
  const controller = new Controller()
  return { counts, answers, save, controller }
}

test.each([400, 2000])(
  'settling %i writes of different records runs each expectation once',
  async (count) => {
    const { counts, answers, save, controller } = setUp()
    const getList = new Endpoint(async () => [], { name: 'getList', schema: new schema.Collection([Task]) })
    const ids = Array.from({ length: count }, (_, index) => index + 1)
    const owner = { id: 1, name: 'Ann' }
    controller.setResponse(
      getList,
      ids.map((id) => ({ id, title: 'a', owner })),
    )
    const saving = ids.map((id) => controller.fetch(save, { id }, { title: `saved ${id}` }))
    expect(counts.runs).toBe(count)
    for (const id of ids) {
      answers[id - 1]?.({ id, title: `saved ${id}`, votes: 0, owner })
      await saving[id - 1]
    }
    expect(counts.runs).toBe(count)
    expect(controller.get(Task, { id: count })?.title).toBe(`saved ${count}`)
  },
)

test.each([
  [100, 'in order'],
  [100, 'in reverse order'],
] as const)('settling %i writes of one record %s runs each expectation once', async (count, order) => {
  const { counts, answers, save, controller } = setUp()
  controller.set(Task, { id: 1 }, { title: 'a', votes: 0 })
  const writes = Array.from({ length: count }, (_, index) => index)
  const saving = writes.map((index) => controller.fetch(save, { id: 1 }, { votes: index + 1 }))
  for (const index of order === 'in order' ? writes : [...writes].reverse()) {
    answers[index]?.({ id: 1, title: 'a', votes: index + 1 })
    await saving[index]
    // The latest stays on screen: a confirmed one covers those before it.
    expect(controller.get(Task, { id: 1 })?.votes).toBe(count)
  }
  expect(counts.runs).toBe(count)
})

test('a write of a resource settles without the others, although their records have one owner', async () => {
  const answers: Answer[] = []
  const resource = createResource({
    path: '/task/:id',
    schema: Task,
    optimistic,
    fetchResponse: async () => Response.json(await new Promise<object>((resolve) => answers.push(resolve))),
  })
  const controller = new Controller()
  const owner = { id: 1, name: 'Ann' }
  controller.setResponse(
    resource.getList,
    [1, 2].map((id) => ({ id, title: 'a', owner })),
  )
  const first = controller.fetch(resource.partialUpdate, { id: 1 }, { title: 'one' })
  const second = controller.fetch(resource.partialUpdate, { id: 2 }, { title: 'two' })
  await expect.poll(() => answers.length).toBe(2)
  const shown = controller.get(Task, { id: 2 })
  answers[0]?.({ id: 1, title: 'one', owner: { id: 1, name: 'Anna' } })
  await first
  expect(controller.get(Task, { id: 2 })).toMatchObject({ title: 'two', owner: { name: 'Anna' } })
  expect(shown?.owner?.name).toBe('Ann')
  answers[1]?.({ id: 2, title: 'two', owner })
  await second
  expect(controller.get(Task, { id: 1 })).toMatchObject({ title: 'one', owner: { name: 'Anna' } })
})

test.each([
  ['set a field', (_votes: number, index: number) => index + 1],
  ['read the record', (votes: number) => votes + 1],
])('2,000 writes of one record that %s settle in linear time', async (_, next) => {
  const count = 2000
  const answers: Answer[] = []
  let runs = 0
  const vote = new Endpoint(
    (_params: { id: number }, _index: { index: number }) =>
      new Promise<object>((resolve) => answers.push(resolve)),
    {
      name: 'vote',
      schema: Task,
      sideEffect: true,
      getOptimisticResponse: optimistic((snapshot, { id }: { id: number }, { index }: { index: number }) => {
        runs++
        return { id, votes: next(snapshot.get(Task, { id })?.votes ?? 0, index) }
      }),
    },
  )
  const controller = new Controller()
  controller.set(Task, { id: 1 }, { id: 1, title: 'a', votes: 0 })
  const get = new Endpoint(async (_params: { id: number }) => ({ id: 1 }), { name: 'get', schema: Task })
  const told = vi.fn()
  controller.subscribe(get, { id: 1 }, told)
  const indexes = Array.from({ length: count }, (_each, index) => index)
  const saving = indexes.map((index) => controller.fetch(vote, { id: 1 }, { index }))
  expect(runs).toBe(count)
  expect(controller.get(Task, { id: 1 })?.votes).toBe(count)
  const shown = controller.get(Task, { id: 1 })
  told.mockClear()
  const written = vi.spyOn(Transaction.prototype, 'write')
  for (const index of indexes) {
    answers[index]?.({ id: 1, title: 'a', votes: index + 1 })
    await saving[index]
  }
  expect(runs).toBe(count)
  expect(written.mock.calls.length).toBeLessThanOrEqual(count * 2)
  written.mockRestore()
  // All of them were right: nothing has changed on screen.
  expect(controller.get(Task, { id: 1 })).toBe(shown)
  expect(told).not.toHaveBeenCalled()
})

test('a response that says something else than expected makes the later writes run again on top of it', async () => {
  const { counts, answers, save, controller } = setUp()
  const vote = save.extend({
    getOptimisticResponse: optimistic((snapshot, { id }: { id: number }) => {
      counts.runs++
      return { id, votes: (snapshot.get(Task, { id })?.votes ?? 0) + 1 }
    }),
  })
  controller.set(Task, { id: 1 }, { id: 1, title: 'a', votes: 0 })
  const saving = [1, 2, 3].map(() => controller.fetch(vote, { id: 1 }, {}))
  answers[0]?.({ id: 1, title: 'a', votes: 10 })
  await saving[0]
  expect(controller.get(Task, { id: 1 })).toMatchObject({ title: 'a', votes: 12 })
  expect(counts.runs).toBe(5)
  // Right, but with another field that only the server knows.
  answers[1]?.({ id: 1, title: 'b', votes: 11 })
  await saving[1]
  expect(controller.get(Task, { id: 1 })).toMatchObject({ title: 'b', votes: 12 })
  answers[2]?.({ id: 1, title: 'b', votes: 12 })
  await saving[2]
  expect(controller.get(Task, { id: 1 })).toMatchObject({ title: 'b', votes: 12 })
  expect(callsOf(controller).store.layers?.isEmpty).toBe(true)
})

/** The order in which a server answers. */
const orders = {
  'in order': (count: number) => Array.from({ length: count }, (_, index) => index),
  'in reverse order': (count: number) => Array.from({ length: count }, (_, index) => count - 1 - index),
  'in any order': (count: number) => Array.from({ length: count }, (_, index) => (index * 7919) % count),
} as const

/** A resource whose requests a test answers, with the tasks of two groups. */
function setUpResource(count: number) {
  const answers: { readonly body: Task; answer(response: object): void; fail(status: number): void }[] = []
  const resource = createResource({
    path: '/task/:id',
    schema: Task,
    optimistic,
    searchParams: {} as { group?: string },
    fetchResponse: async (_input, init) =>
      new Promise<Response>((resolve) => {
        answers.push({
          body: JSON.parse(String(init?.body)) as Task,
          answer: (response) => resolve(Response.json(response)),
          fail: (status) => resolve(new Response('', { status })),
        })
      }),
  })
  const controller = new Controller()
  const tasks = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    title: 'a',
    votes: 0,
    group: 'a',
  }))
  controller.setResponse(resource.getList, {}, tasks)
  controller.setResponse(resource.getList, { group: 'a' }, tasks)
  controller.setResponse(resource.getList, { group: 'b' }, [])
  const titles = (group?: string) =>
    controller
      .read(resource.getList, group === undefined ? {} : { group })
      .data?.map(({ title }: Task) => title)
  return { answers, resource, controller, titles }
}

/** Counts the records that are written: in a run of a layer as in a response. */
function countWrites() {
  const written = vi.spyOn(Transaction.prototype, 'write')
  return () => {
    const { length } = written.mock.calls
    written.mockRestore()
    return length
  }
}

const settlings = Object.entries(orders).flatMap(([order, toIndexes]) =>
  [
    ['right', (votes: number) => ({ id: 1, title: 'a', votes, group: 'a' })],
    ['with another field', (votes: number) => ({ id: 1, title: `a${votes}`, votes, group: 'a' })],
    ['with a failure', () => undefined],
  ].map(([what, toAnswer]) => [order, what, toIndexes, toAnswer] as const),
)

test.each(settlings)(
  '300 updates of one record that are answered %s, %s, settle without running each other again',
  async (_order, _what, toIndexes, toAnswer) => {
    const count = 300
    const { answers, resource, controller } = setUpResource(3)
    const saving = orders['in order'](count).map((index) =>
      controller.fetch(resource.partialUpdate, { id: 1 }, { votes: index + 1 }).catch(() => undefined),
    )
    await expect.poll(() => answers.length).toBe(count)
    const stopCounting = countWrites()
    const settled = new Set<number>()
    let confirmed = 0
    for (const index of (toIndexes as (count: number) => number[])(count)) {
      const response = (toAnswer as (votes: number) => object | undefined)(index + 1)
      if (response === undefined) answers[index]?.fail(400)
      else answers[index]?.answer(response)
      await saving[index]
      settled.add(index)
      if (response !== undefined) confirmed = Math.max(confirmed, index + 1)
      const pending = orders['in order'](count).filter((other) => !settled.has(other))
      const last = pending.at(-1)
      // The latest write that did not fail is shown: pending, or confirmed.
      const shown = Math.max(confirmed, last === undefined ? 0 : last + 1)
      expect(controller.get(Task, { id: 1 })?.votes).toBe(shown)
    }
    expect(stopCounting()).toBeLessThanOrEqual(count * 3)
    expect(callsOf(controller).store.layers?.isEmpty).toBe(true)
  },
)

test.each(Object.entries(orders))(
  '300 creates that are answered %s settle without running each other again, and stay in their places',
  async (_order, toIndexes) => {
    const count = 300
    const { answers, resource, controller, titles } = setUpResource(1)
    const names = orders['in order'](count).map((index) => `new ${index}`)
    const saving = names.map((title) => controller.fetch(resource.getList.push, { title, group: 'a' }))
    await expect.poll(() => answers.length).toBe(count)
    const stopCounting = countWrites()
    for (const index of toIndexes(count)) {
      answers[index]?.answer({ id: 1000 + index, title: `new ${index}`, votes: 0, group: 'a' })
      await saving[index]
      if (index % 30 === 0) expect(titles()).toEqual(['a', ...names])
    }
    expect(stopCounting()).toBeLessThanOrEqual(count * 3)
    for (const group of [undefined, 'a']) expect(titles(group)).toEqual(['a', ...names])
    expect(titles('b')).toEqual([])
    expect(controller.get(Task, { id: 1000 })?.title).toBe('new 0')
  },
)

test('twice as many pending creates of one list need no more than twice the entries of maps to settle', async () => {
  const entries = async (count: number) => {
    const answers: Answer[] = []
    const todos = createResource({
      path: '/task/:id',
      schema: Task,
      optimistic,
    })
    const controller = new Controller({
      fetch: async (_url, init) => {
        const { title } = JSON.parse(init?.body as string) as { title: string }
        await new Promise<object>((resolve) => answers.push(resolve))
        return Response.json({ id: Number(title), title })
      },
    })
    controller.setResponse(todos.getList, [])
    const ids = Array.from({ length: count }, (_, index) => index + 1)
    const saving = ids.map((id) => controller.fetch(todos.create, { title: String(id) }))
    await vi.waitFor(() => expect(answers).toHaveLength(count))
    const set = vi.spyOn(Map.prototype, 'set')
    for (const answer of answers) answer({})
    await Promise.all(saving)
    const { length } = set.mock.calls
    set.mockRestore()
    expect(controller.get(todos.getList.schema, {})).toHaveLength(count)
    return length
  }
  const [few, many] = [await entries(100), await entries(200)]
  expect(many / few).toBeLessThan(2.2)
})

test('of 300 creates every third is refused, in any order, and goes alone', async () => {
  const count = 300
  const { answers, resource, controller, titles } = setUpResource(1)
  const saving = orders['in order'](count).map((index) =>
    controller.fetch(resource.getList.push, { title: `new ${index}`, group: 'a' }).catch(() => undefined),
  )
  await expect.poll(() => answers.length).toBe(count)
  const stopCounting = countWrites()
  for (const index of orders['in any order'](count)) {
    if (index % 3 === 0) answers[index]?.fail(422)
    else answers[index]?.answer({ id: 1000 + index, title: `new ${index}`, votes: 0, group: 'a' })
    await saving[index]
  }
  expect(stopCounting()).toBeLessThanOrEqual(count * 3)
  const kept = orders['in order'](count).filter((index) => index % 3 !== 0)
  expect(titles('a')).toEqual(['a', ...kept.map((index) => `new ${index}`)])
})

test.each(Object.entries(orders))(
  '300 records that move to another list settle without running each other again, answered %s',
  async (_order, toIndexes) => {
    const count = 300
    const { answers, resource, controller, titles } = setUpResource(count)
    const saving = orders['in order'](count).map((index) =>
      controller.fetch(resource.partialUpdate, { id: index + 1 }, { group: 'b' }),
    )
    await expect.poll(() => answers.length).toBe(count)
    expect(titles('a')).toEqual([])
    const stopCounting = countWrites()
    for (const index of toIndexes(count)) {
      answers[index]?.answer({ id: index + 1, title: `b${index}`, votes: 0, group: 'b' })
      await saving[index]
      if (index % 30 === 0) expect([titles('a')?.length, titles('b')?.length]).toEqual([0, count])
    }
    expect(stopCounting()).toBeLessThanOrEqual(count * 3)
    expect(new Set(titles('b')).size).toBe(count)
  },
)

test('a create whose answer belongs to another list than expected makes the others run again, and all are right', async () => {
  const { answers, resource, controller, titles } = setUpResource(1)
  const saving = [0, 1, 2].map((index) =>
    controller.fetch(resource.getList.push, { title: `new ${index}`, group: 'a' }),
  )
  await expect.poll(() => answers.length).toBe(3)
  answers[1]?.answer({ id: 11, title: 'new 1', votes: 0, group: 'b' })
  await saving[1]
  expect([titles('a'), titles('b')]).toEqual([['a', 'new 0', 'new 2'], ['new 1']])
  // What a read brought meanwhile is not shown twice.
  controller.setResponse(resource.getList, { group: 'a' }, [
    { id: 1, title: 'a', votes: 0, group: 'a' },
    { id: 12, title: 'new 2', votes: 0, group: 'a' },
  ])
  answers[2]?.answer({ id: 12, title: 'new 2', votes: 0, group: 'a' })
  await saving[2]
  expect(titles('a')?.toSorted()).toEqual(['a', 'new 0', 'new 2'])
  answers[0]?.answer({ id: 10, title: 'new 0', votes: 0, group: 'a' })
  await saving[0]
  expect(titles('a')?.toSorted()).toEqual(['a', 'new 0', 'new 2'])
})

test.each([
  ['reads a record', (snapshot: CacheSnapshot) => (snapshot.get(Task, { id: 5 }) === undefined ? 0 : 1)],
  ['reads all records', (snapshot: CacheSnapshot) => snapshot.get(new schema.All(Task))?.length ?? 0],
  [
    'counts a list',
    (snapshot: CacheSnapshot) => {
      const count = snapshot.read(countedTasks, { group: 'a' }).data?.length ?? 0
      return count - 1
    },
  ],
])('an expectation that %s is computed again when the answer of a create brings it', async (_what, count) => {
  const { answers, resource, controller } = setUpResource(1)
  controller.setResponse(countedTasks, { group: 'a' }, [{ id: 1, title: 'a', votes: 0, group: 'a' }])
  const creating = controller.fetch(resource.getList.push, { title: 'new', group: 'a' })
  const counting = new Endpoint((_params: { id: number }) => new Promise<object>(() => {}), {
    name: 'counting',
    schema: Owner,
    sideEffect: true,
    getOptimisticResponse: optimistic((snapshot, { id }: { id: number }) => ({
      id,
      name: `${Number(count(snapshot))}`,
    })),
  })
  void controller.fetch(counting, { id: 9 })
  await expect.poll(() => answers.length).toBe(1)
  const before = Number(controller.get(Owner, { id: 9 })?.name)
  answers[0]?.answer({ id: 5, title: 'new', votes: 0, group: 'a' })
  await creating
  const stored = [1, 5].filter((id) => controller.get(Task, { id }) !== undefined)
  expect(stored).toEqual([1, 5])
  // The temporary record counted before it: what reads one record by its id sees it for the first time.
  const after = Number(controller.get(Owner, { id: 9 })?.name)
  expect([before, after]).toEqual(_what === 'reads a record' ? [0, 1] : before === 2 ? [2, 2] : [1, 1])
})

test('an update of a record that the answer of a create brings is shown on top of it', async () => {
  const { answers, resource, controller } = setUpResource(1)
  const creating = controller.fetch(resource.getList.push, { title: 'new', group: 'a' })
  void controller.fetch(resource.partialUpdate, { id: 5 }, { votes: 7 })
  await expect.poll(() => answers.length).toBe(2)
  expect(controller.get(Task, { id: 5 })).toBeUndefined()
  answers[0]?.answer({ id: 5, title: 'new', votes: 0, group: 'a' })
  await creating
  expect(controller.get(Task, { id: 5 })).toMatchObject({ title: 'new', votes: 7 })
})

const countedTasks = new Endpoint(async (_params: { group: string }) => [], {
  name: 'countedTasks',
  schema: new schema.Collection([Task]),
})
