import { expect, test, vi } from 'vitest'
import { Controller, Entity } from '../index.js'
import { optimistic } from '../optimistic.js'
import { createResource } from '../rest.js'

class Task extends Entity {
  id = 0
  group = 'a'
  static override key = 'Task'
}

/** The lists of groups a and b, and mutations of them that the test answers. */
function setUp() {
  const waiting: ((response: Response) => void)[] = []
  const { getList, partialUpdate, create, ...others } = createResource({
    path: '/task/:id',
    schema: Task,
    optimistic,
    fetchResponse: () => new Promise((resolve) => waiting.push(resolve)),
  })
  const controller = new Controller()
  const ofGroup = (group: string, ids: readonly number[]) =>
    controller.setResponse(
      getList,
      { group },
      ids.map((id) => ({ id, group })),
    )
  ofGroup('a', [1, 2, 4])
  ofGroup('b', [3])
  const mutations = {
    move: () => controller.fetch(partialUpdate, { id: 1 }, { group: 'b' }),
    delete: () => controller.fetch(others.delete, { id: 2 }),
    create: () => controller.fetch(create, { group: 'a' }),
    remove: () => controller.fetch(getList.remove, { id: 4 }, { group: 'a' }),
  }
  let started = 0
  const start = (name: keyof typeof mutations) => {
    const index = started++
    const ended = mutations[name]().catch(() => {})
    const answer = async (response: Response) => {
      await vi.waitFor(() => expect(waiting[index]).toBeDefined())
      waiting[index]?.(response)
      await ended
    }
    return {
      fail: () => answer(new Response('', { status: 500 })),
      succeed: (fields: object) => answer(Response.json(fields)),
    }
  }
  const shown = () => {
    const lists = ['a', 'b'].map((group) => controller.read(getList, { group }).data)
    return [...lists, controller.get(Task, { id: 1 }), controller.get(Task, { id: 2 })]
  }
  return { start, shown }
}

const expectSame = (now: readonly unknown[], before: readonly unknown[]) =>
  now.forEach((value, index) => expect(value).toBe(before[index]))

const others = ['delete', 'create', 'remove'] as const

test.each(others)('a %s that fails beside a pending move gives back the lists of the move', async (other) => {
  const { start, shown } = setUp()
  shown()
  const move = start('move')
  const moved = shown()
  const failing = start(other)
  expect(shown()[0]).not.toEqual(moved[0])
  await failing.fail()
  expectSame(shown(), moved)
  await move.succeed({ id: 1, group: 'b' })
  expectSame(shown(), moved)
})

test.each(others)('a %s and a move that both fail give back the first lists, in any order', async (other) => {
  for (const isMoveFirst of [true, false]) {
    const { start, shown } = setUp()
    const before = shown()
    const mutations = [start('move'), start(other)]
    shown()
    if (isMoveFirst) mutations.reverse()
    await mutations[0]?.fail()
    shown()
    await mutations[1]?.fail()
    expectSame(shown(), before)
  }
})

test('a delete that fails after the move beside it was confirmed gives back the lists of the move', async () => {
  const { start, shown } = setUp()
  shown()
  const move = start('move')
  const moved = shown()
  const failing = start('delete')
  shown()
  await move.succeed({ id: 1, group: 'b' })
  shown()
  await failing.fail()
  expectSame(shown(), moved)
})
