import { expect, test } from 'vitest'
import { Controller } from '../controller/controller.js'
import { Endpoint } from '../endpoint/endpoint.js'
import { schema } from '../index.js'
import { createResource } from '../rest/resource.js'
import { Entity } from '../schema/entity.js'
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
