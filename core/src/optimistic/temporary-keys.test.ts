import { expect, test } from 'vitest'
import { Controller, Endpoint, Entity, schema } from '../index.js'
import type { Schema } from '../schema/schema.js'
import { optimistic } from '../optimistic.js'

class Todo extends Entity {
  id: number | string = 0
  title = ''
  votes = 0
  group = 0
  parent: Todo | undefined
  static override key = 'Todo'
  static override schema = { parent: Todo }
}

/** Mutations that are shown early, and that a test answers. */
function setUp() {
  const controller = new Controller()
  const todos = new schema.Collection([Todo])
  const getList = new Endpoint(async (_params: { group: number }) => [] as object[], {
    name: 'getList',
    schema: todos,
  })
  /** @returns sends a mutation, which returns a function that answers it */
  const early = (name: string, of: Schema) => (body: object) => {
    let answer = (_response: object | Error) => {}
    const answered = new Promise<object>((resolve, reject) => {
      answer = (response) => (response instanceof Error ? reject(response) : resolve(response))
    })
    const endpoint = new Endpoint((_body: object) => answered, {
      name,
      schema: of,
      sideEffect: true,
      getOptimisticResponse: optimistic(({ temporaryId }, sent: object) => ({ id: temporaryId, ...sent })),
    })
    const promise = controller.fetch(endpoint, body).catch(() => {})
    return async (response: object | Error) => {
      answer(response)
      await promise
    }
  }
  const shown = (group: number) => controller.read(getList, { group }).data?.map(({ id }) => id)
  return {
    controller,
    load: (group: number, ...members: object[]) => controller.setResponse(getList, { group }, members),
    shown,
    temporary: (group: number) => String(shown(group)?.find((id) => typeof id === 'string')),
    create: early('create', todos.push),
    unshift: early('unshift', todos.unshift),
    move: early('move', todos.move),
    update: early('update', Todo),
    remove: early('remove', new schema.Delete(Todo)),
  }
}

const made = { id: 4, title: 'made', votes: 0, group: 1 }

// While the answer of the create is written, its record is hidden by the deletion of a record with this id.
test.each(['create', 'unshift'] as const)(
  'a %s is answered with the id of a record that is expected to be deleted: its temporary id means that record',
  async (name) => {
    const { controller, load, temporary, update, remove, ...mutations } = setUp()
    load(1, { ...made, title: 'old' })
    const deleting = remove({ id: 4 })
    const creating = mutations[name]({ title: 'made', group: 1 })
    const id = temporary(1)
    await creating(made)
    const updating = update({ id, votes: 3 })
    expect(controller.get(Todo, { id: 4 })).toMatchObject({ id: 4, votes: 3 })
    expect(controller.get(Todo, { id: id as never })).toBe(controller.get(Todo, { id: 4 }))
    await updating({ ...made, votes: 3 })
    await deleting(new Error('refused'))
    expect(controller.get(Todo, { id: 4 })).toMatchObject({ ...made, votes: 3 })
  },
)

test('so it does where two creates are answered in another order, and where the write began before the answer', async () => {
  const { controller, load, shown, create, update, remove } = setUp()
  load(1, made, { ...made, id: 5 })
  const deleting = [remove({ id: 4 }), remove({ id: 5 })]
  const creating = [create({ title: 'one', group: 1 }), create({ title: 'two', group: 1 })]
  const ids = shown(1)?.map((id) => id) as (string | number)[]
  const before = update({ id: ids[1], votes: 1 })
  await creating[1]?.({ ...made, id: 5, title: 'two' })
  const between = update({ id: ids[1], group: 1 })
  await creating[0]?.({ ...made, title: 'one' })
  const after = update({ id: ids[0], votes: 3 })
  expect(controller.get(Todo, { id: 4 })).toMatchObject({ id: 4, votes: 3 })
  expect(controller.get(Todo, { id: 5 })).toMatchObject({ id: 5, votes: 1, group: 1 })
  await before({ ...made, id: 5, title: 'two', votes: 1 })
  await between({ ...made, id: 5, title: 'two', votes: 1 })
  await after({ ...made, title: 'one', votes: 3 })
  for (const refuse of deleting) await refuse(new Error('refused'))
  expect(controller.get(Todo, { id: 4 })).toMatchObject({ id: 4, title: 'one', votes: 3 })
  expect(controller.get(Todo, { id: 5 })).toMatchObject({ id: 5, title: 'two', votes: 1 })
})

test('a record that names the temporary id shows the created record once no deletion hides it', async () => {
  const { controller, load, temporary, create, update, remove } = setUp()
  load(1, made)
  const deleting = remove({ id: 4 })
  const creating = create({ title: 'made', group: 1 })
  const id = temporary(1)
  const before = update({ id: 8, parent: id })
  await creating(made)
  const after = update({ id: 9, parent: { id, votes: 2 } })
  expect(controller.get(Todo, { id: 9 })?.parent).toMatchObject({ id: 4, votes: 2 })
  await before({ id: 8, parent: 4 })
  await after({ id: 9, parent: { ...made, votes: 2 } })
  await deleting(new Error('refused'))
  for (const parent of [8, 9].map((child) => controller.get(Todo, { id: child })?.parent))
    expect(parent).toMatchObject({ id: 4, title: 'made', votes: 2 })
})

test('a create that is answered with the id of a record that is expected to move is in one list, under one id', async () => {
  const { controller, load, shown, temporary, create, move, update } = setUp()
  load(1, { ...made, title: 'old' })
  load(2)
  const creating = create({ title: 'made', group: 1 })
  const id = temporary(1)
  const moving = move({ id: 4, group: 2 })
  await creating(made)
  expect([shown(1), shown(2)]).toEqual([[], [4]])
  const updating = update({ id, votes: 3 })
  expect(controller.get(Todo, { id: 4 })).toMatchObject({ id: 4, votes: 3, group: 2 })
  await updating({ ...made, votes: 3 })
  await moving(new Error('refused'))
  expect([shown(1), shown(2)]).toEqual([[4], []])
  expect(controller.get(Todo, { id: 4 })).toMatchObject({ ...made, votes: 3 })
})
