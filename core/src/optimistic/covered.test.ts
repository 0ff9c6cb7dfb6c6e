import { expect, test } from 'vitest'
import { Controller, Endpoint, Entity, schema } from '../index.js'
import { optimistic } from './optimistic.js'

class Todo extends Entity {
  id: number | string = 0
  title = ''
  votes = 0
  static override key = 'Todo'
}

/** A request that a test answers. */
interface Sent {
  readonly answer: (response: object) => Promise<unknown>
  readonly refuse: () => Promise<unknown>
}

/** Pending mutations of record 1. `vote` has no body: it writes what it is expected to change. */
function setUp() {
  const controller = new Controller()
  const read = (id: number | string = 1) => controller.get(Todo, { id })
  const send = (of: object, early: (...args: never[]) => unknown, ...args: readonly unknown[]): Sent => {
    let settle = { resolve: (_response: object) => {}, reject: (_error: Error) => {} }
    const endpoint = new Endpoint(
      () => new Promise<object>((resolve, reject) => (settle = { resolve, reject })),
      {
        name: 'mutation',
        schema: of as typeof Todo,
        sideEffect: true,
        getOptimisticResponse: optimistic(early as never),
      },
    )
    const done = controller.fetch(endpoint as never, ...(args as never)) as Promise<unknown>
    const ended = done.catch(() => {})
    return {
      answer: (response) => (settle.resolve(response), ended),
      refuse: () => (settle.reject(Object.assign(new Error('refused'), { status: 409 })), ended),
    }
  }
  type Params = { id: number | string }
  return {
    controller,
    read,
    create: (key: string) =>
      send(
        new schema.Collection([Todo]).push,
        (_, _params, body) => ({ ...(body as object), id: key }),
        {},
        {
          title: 'made',
        },
      ),
    save: (body: object, id: number | string = 1) =>
      send(Todo, (_, params, patch) => ({ ...(params as object), ...(patch as object) }), { id }, body),
    vote: (id: number | string = 1) =>
      send(
        Todo,
        (({ get }: { get: typeof controller.get }, params: Params) => {
          const todo = get(Todo, params)
          return todo && { ...params, votes: todo.votes + 1 }
        }) as never,
        { id },
      ),
    remove: (id: number | string = 1) => send(new schema.Delete(Todo), () => ({}), { id }),
  }
}

// The server has handled the vote, and its answer says what it made of the field. What a later mutation is expected to do
// tells nothing about that.
test('a vote that is answered while a delete hides its record covers the field in an earlier edit', async () => {
  const { controller, read, save, vote, remove } = setUp()
  controller.set(Todo, { id: 1 }, { title: 'a', votes: 0 })
  save({ title: 'b', votes: 7 })
  const voting = vote()
  const removing = remove()
  expect(read()).toBeUndefined()
  await voting.answer({ id: 1, votes: 2 })
  await removing.refuse()
  expect(read()).toMatchObject({ title: 'b', votes: 2 })
})

test('so does a vote for a created record, which is answered under its real id', async () => {
  const { read, create, save, vote, remove } = setUp()
  const creating = create('t1')
  save({ title: 'b', votes: 7 }, 't1')
  const voting = vote('t1')
  await creating.answer({ id: 2, title: 'made' })
  const removing = remove(2)
  await voting.answer({ id: 2, votes: 2 })
  await removing.refuse()
  expect(read(2)).toMatchObject({ title: 'b', votes: 2 })
})

test('so does a vote that is answered while a later edit of the field lies on it', async () => {
  const { controller, read, save, vote } = setUp()
  controller.set(Todo, { id: 1 }, { title: 'a', votes: 0 })
  save({ title: 'b', votes: 7 })
  const voting = vote()
  const saving = save({ votes: 8 })
  await voting.answer({ id: 1, votes: 2 })
  expect(read()?.votes).toBe(8)
  await saving.refuse()
  expect(read()).toMatchObject({ title: 'b', votes: 2 })
})

test('a vote without an answer of its own, while a delete hides the record, has the value that was expected', async () => {
  const { controller, read, save, vote, remove } = setUp()
  controller.set(Todo, { id: 1 }, { title: 'a', votes: 0 })
  save({ title: 'b', votes: 7 })
  const voting = vote()
  const removing = remove()
  await voting.answer({ id: 1 })
  await removing.refuse()
  expect(read()).toMatchObject({ title: 'b', votes: 8 })
})

test('a vote whose expectation never ran, because an earlier delete hides the record, covers nothing', async () => {
  const { controller, read, save, vote, remove } = setUp()
  controller.set(Todo, { id: 1 }, { title: 'a', votes: 0 })
  const saving = save({ title: 'b', votes: 7 })
  const removing = remove()
  const voting = vote()
  await voting.answer({ id: 1, votes: 2 })
  await removing.refuse()
  expect(read()).toMatchObject({ title: 'b', votes: 7 })
  await saving.refuse()
  expect(read()).toMatchObject({ title: 'a', votes: 2 })
})

/** Two deletes of record 1, the first of which is pending still, with an edit between them and one above both. */
function setUpBetweenDeletes() {
  const stage = setUp()
  stage.controller.set(Todo, { id: 1 }, { title: 'a', votes: 0 })
  stage.remove()
  const lower = stage.save({ title: 'lower' })
  const removing = stage.remove()
  const upper = stage.save({ title: 'upper' })
  return { ...stage, lower, removing, upper }
}

// Below an edit that lies on an expected delete there is nothing: a covered field would be missing altogether.
test.each([
  ['with its fields', { id: 1, title: 'upper', votes: 3 }],
  ['with some', { id: 1, title: 'upper' }],
  ['with the id alone', { id: 1 }],
  ['with nothing', {}],
])(
  'an edit over an expected delete is shown whole, also after a later one was answered %s',
  async (_, answer) => {
    const { read, removing, upper } = setUpBetweenDeletes()
    await upper.answer(answer)
    await removing.refuse()
    expect(read()).toEqual({ id: 1, title: 'lower', votes: 0 })
  },
)
