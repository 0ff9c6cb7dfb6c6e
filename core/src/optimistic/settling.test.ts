import { expect, test, vi } from 'vitest'
import { callsOf } from '../controller/calls-of.js'
import { Controller } from '../controller/controller.js'
import { Endpoint } from '../endpoint/endpoint.js'
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
