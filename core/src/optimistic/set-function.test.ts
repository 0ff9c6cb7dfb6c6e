import { expect, test } from 'vitest'
import { Controller, Endpoint, Entity } from '../index.js'
import { optimistic } from './optimistic.js'

class Owner extends Entity {
  id = 0
  name = ''
  static override key = 'Owner'
}
class Todo extends Entity {
  id = 0
  title = ''
  votes = 0
  isNew = true
  owner: Owner | undefined
  static override key = 'Todo'
  static override schema = { owner: Owner }
}

/** A todo with an owner, and a pending edit of both, which the test may let fail. */
function setUp() {
  const controller = new Controller()
  let fail = () => {}
  const save = new Endpoint(
    (_params: { id: number }, _body: object) =>
      new Promise<object>(
        (_, reject) => (fail = () => reject(Object.assign(new Error('no'), { status: 409 }))),
      ),
    {
      name: 'save',
      schema: Todo,
      sideEffect: true,
      getOptimisticResponse: optimistic((_, params, body) => ({ ...params, ...body })),
    },
  )
  controller.set(Todo, { id: 1 }, { title: 'a', votes: 1, owner: { id: 9, name: 'Ann' } } as object)
  const saving = controller
    .fetch(save, { id: 1 }, { title: 'expected', owner: { id: 9, name: 'expected' } })
    .catch(() => {})
  const takeBack = async () => {
    fail()
    await saving
  }
  return { controller, takeBack, read: () => controller.get(Todo, { id: 1 }) }
}

test.each([
  ['a copy with one change', (todo: Todo | undefined) => ({ ...todo, votes: 5 })],
  ['only the change', () => ({ votes: 5 })],
  ['a copy of the fields that it names', ({ id, title, votes }: Todo) => ({ id, title, votes: votes + 4 })],
] as const)('`set` by a function that returns %s stores the change alone', async (_, change) => {
  const { controller, takeBack, read } = setUp()
  controller.set(Todo, { id: 1 }, change as (todo: Todo | undefined) => Partial<Todo>)
  expect(read()).toMatchObject({ title: 'expected', votes: 5, owner: { name: 'expected' } })
  await takeBack()
  expect(read()).toMatchObject({ title: 'a', votes: 5, owner: { name: 'Ann' } })
})

test('an expected record in a returned field is a reference to it', async () => {
  const { controller, takeBack, read } = setUp()
  controller.set(Todo, { id: 2 }, { title: 'b' })
  const owner = read()?.owner
  controller.set(Todo, { id: 2 }, () => ({ owner }) as object)
  expect(controller.get(Todo, { id: 2 })?.owner).toBe(read()?.owner)
  await takeBack()
  expect(controller.get(Todo, { id: 2 })?.owner?.name).toBe('Ann')
})

test('a change to the value that is expected is stored', async () => {
  const { controller, takeBack, read } = setUp()
  controller.set(Todo, { id: 1 }, (todo) => ({ ...todo, title: 'own' }) as object)
  await takeBack()
  expect(read()?.title).toBe('own')
})

test('a function that is given nothing, because the record is not known, stores all that it returns', () => {
  const { controller } = setUp()
  controller.set(Todo, { id: 3 }, (todo) => ({ ...todo, title: 'made', votes: 0 }) as object)
  expect(controller.get(Todo, { id: 3 })).toMatchObject({ id: 3, title: 'made', votes: 0 })
})
