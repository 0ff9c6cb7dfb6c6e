import { callsOf } from './calls.js'
import { describe, expect, test } from 'vitest'
import { Controller, Endpoint, Entity, Query, schema } from '../index.js'
import type { Schema } from '../index.js'
import { dehydrate, hydrate } from '../hydration.js'
import { TestClock } from '../testing.js'

class Todo extends Entity {
  id = 0
  type = 'todo'
  title = ''
  static override key = 'Todo'
}
class Note extends Entity {
  id = 0
  type = 'note'
  static override key = 'Note'
}

class Owner extends Entity {
  id = 0
  todos: readonly Todo[] = []
  static override key = 'Owner'
  static override schema = { todos: [Todo] }
}

const todo = { id: 1, type: 'todo', title: 'a' }
const item = new schema.Union({ todo: Todo, note: Note }, 'type')
const todos = new schema.Collection([Todo])
const first = (list: readonly Todo[]) => list[0]
/** A Query over an object, as users write it: `process` is only called with the list. */
const count = ({ results }: { results: readonly Todo[] }) => results.length

/**
 * The results of reading a call of a schema. `Invalid` makes its readers fetch; other values are the data, as JSON.
 *
 * 'known': read from records that another call stored.
 */
interface Shape {
  readonly schema: Schema
  /** An empty payload, and the data that it shows. */
  readonly empty: readonly [payload: unknown, shown: unknown]
  /** The data of a call after todo 1 is stored; `undefined` while it is Invalid. */
  readonly read?: unknown
  /** The results of `get` in an empty cache, and after todo 1 is stored; omitted for a schema that `get` refuses. */
  readonly get?: readonly [before: unknown, known: unknown]
}

const shapes: Readonly<Record<string, Shape>> = {
  'a list': { schema: [Todo], empty: [[], []] },
  'a list in an object': {
    schema: { results: [Todo] },
    empty: [{ results: [] }, { results: [] }],
  },
  'a Collection': { schema: todos, empty: [[], []], get: [undefined, undefined] },
  'a Collection in an object': {
    schema: { results: todos },
    empty: [{ results: [] }, { results: [] }],
    get: [undefined, undefined],
  },
  'a Collection beside a literal': {
    schema: { results: todos, nextPage: '' },
    empty: [{ results: [] }, { results: [], nextPage: '' }],
    get: [undefined, undefined],
  },
  'a Collection nested twice': {
    schema: { data: { results: todos } },
    empty: [{ data: { results: [] } }, { data: { results: [] } }],
    get: [undefined, undefined],
  },
  'a Collection nested twice, with a literal': {
    schema: { data: { results: todos, next: 0 } },
    empty: [{ data: { results: [] } }, { data: { results: [], next: 0 } }],
    get: [undefined, undefined],
  },
  'a map': { schema: new schema.Values(Todo), empty: [{}, {}] },
  'a map in an object': {
    schema: { byId: new schema.Values(Todo) },
    empty: [{ byId: {} }, { byId: {} }],
  },
  'a Collection of a map': {
    schema: { byId: new schema.Collection(new schema.Values(Todo)) },
    empty: [{ byId: {} }, { byId: {} }],
    get: [undefined, undefined],
  },
  All: { schema: new schema.All(Todo), empty: [[], []], get: [undefined, [todo]] },
  'All in an object': {
    schema: { todos: new schema.All(Todo) },
    empty: [{ todos: [] }, { todos: [] }],
    get: [undefined, { todos: [todo] }],
  },
  'All beside a literal': {
    schema: { todos: new schema.All(Todo), total: 0 },
    empty: [{ todos: [] }, { todos: [], total: 0 }],
    get: [undefined, { todos: [todo], total: 0 }],
  },
  'All nested twice': {
    schema: { data: { todos: new schema.All(Todo) } },
    empty: [{ data: { todos: [] } }, { data: { todos: [] } }],
    get: [undefined, { data: { todos: [todo] } }],
  },
  'All of a Union': { schema: new schema.All(item), empty: [[], []], get: [undefined, [todo]] },
  'a record': {
    schema: Todo,
    empty: [{ id: 1 }, { id: 1, type: 'todo', title: '' }],
    read: todo,
    get: [undefined, todo],
  },
  'a record in an object': {
    schema: { data: Todo },
    empty: [{ data: null }, { data: null }],
    read: { data: todo },
    get: [undefined, { data: todo }],
  },
  'a record beside a literal': {
    schema: { data: Todo, total: 0 },
    empty: [{ data: null }, { data: null, total: 0 }],
    get: [undefined, { data: todo, total: 0 }],
  },
  'a record nested twice': {
    schema: { data: { todo: Todo } },
    empty: [{ data: { todo: null } }, { data: { todo: null } }],
    read: { data: { todo } },
    get: [undefined, { data: { todo } }],
  },
  'a record beside a list': {
    schema: { todo: Todo, all: todos },
    empty: [
      { todo: null, all: [] },
      { todo: null, all: [] },
    ],
    get: [undefined, undefined],
  },
  'a record beside a date': {
    schema: { todo: Todo, at: Date },
    empty: [
      { todo: null, at: null },
      { todo: null, at: null },
    ],
  },
  'a Union': {
    schema: item,
    empty: [
      { id: 1, type: 'note' },
      { id: 1, type: 'note' },
    ],
    read: todo,
    get: [undefined, todo],
  },
  'a Union in an object': {
    schema: { item },
    empty: [{ item: null }, { item: null }],
    read: { item: todo },
    get: [undefined, { item: todo }],
  },
  'a Query of a Collection': {
    schema: new Query(todos, (list) => list.length),
    empty: [[], 0],
    get: [undefined, undefined],
  },
  'a Query of All': {
    schema: new Query(new schema.All(Todo), (list) => list.length),
    empty: [[], 0],
    get: [undefined, 1],
  },
  'a Query of an object': {
    schema: new Query({ results: todos }, count as never),
    empty: [{ results: [] }, 0],
    get: [undefined, undefined],
  },
  'a Query in an object': {
    schema: { total: new Query(todos, (list) => list.length) },
    empty: [{ total: [] }, { total: 0 }],
    get: [undefined, undefined],
  },
  'a Query of All in an object': {
    schema: { first: new Query(new schema.All(Todo), (list) => [first(list)]) },
    empty: [{ first: [] }, { first: [null] }],
    get: [undefined, { first: [todo] }],
  },
}

const json = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value))
/** The arguments of all shapes. */
const args = { id: 1, type: 'todo' }

function calling(name: string, answerSchema: Schema, payload?: unknown) {
  return new Endpoint((_params: object) => Promise.resolve(structuredClone(payload)), {
    name: `get ${name}`,
    schema: answerSchema as typeof Todo,
  })
}

describe.each(Object.entries(shapes))('%s', (name, shape) => {
  const [payload, shown] = shape.empty
  const endpoint = calling(name, shape.schema, payload)
  const other = calling('todo', Todo, todo)
  const read = (controller: Controller) => {
    const { data, status } = controller.read(endpoint, args)
    return status === 'Invalid' ? status : json(data)
  }

  test('reads as Invalid before there is an answer', () => {
    expect(read(new Controller())).toBe('Invalid')
  })

  test('shows what its answer holds, be it nothing', async () => {
    const controller = new Controller()
    expect(json(await controller.fetch(endpoint, args))).toEqual(shown)
    expect(read(controller)).toEqual(shown)
  })

  test('is answered from records where these are all that it promises', async () => {
    const controller = new Controller()
    await controller.fetch(other, args)
    expect(read(controller)).toEqual(shape.read ?? 'Invalid')
  })

  test('is Invalid after a reset', async () => {
    const controller = new Controller()
    await controller.fetch(endpoint, args)
    await controller.fetch(other, args)
    controller.resetAll()
    expect(read(controller)).toBe('Invalid')
  })

  test('keeps its answer on the way to another Controller', async () => {
    const server = new Controller()
    await server.fetch(endpoint, args)
    const page = new Controller()
    hydrate(page, JSON.parse(JSON.stringify(dehydrate(server))))
    expect(read(page)).toEqual(shown)
  })
})

const queryable = Object.entries(shapes).flatMap(([name, { get, ...shape }]) =>
  get === undefined ? [] : [{ name, ...shape, get }],
)

test.each(queryable)(
  'get finds $name where something is',
  async ({ schema: queried, get: [before, known] }) => {
    const controller = new Controller()
    const get = () => json(controller.get(queried as typeof Todo, args))
    expect(get()).toEqual(before)
    await controller.fetch(calling('todo', Todo, todo), args)
    expect(get()).toEqual(known)
    controller.resetAll()
    expect(get()).toEqual(before)
  },
)

describe('All, as get and Query find it', () => {
  const all = new schema.All(Todo)
  const ids = new Query(all, (list) => list.map(({ id }) => id))
  const list = new Endpoint((_params?: object) => Promise.resolve([]), { name: 'list', schema: [Todo] })

  test.each<[string, Schema, unknown]>([
    ['a list', [Todo], []],
    ['a list in an object', { results: [Todo], next: '' }, { results: [] }],
    ['a Collection', new schema.Collection([Todo]), []],
    ['All', all, []],
    ['a list of several classes', new schema.Array({ todo: Todo, note: Note }, 'type'), []],
    ['a list of a Union', [item], []],
    ['a list in a record', Owner, { id: 1, todos: [] }],
  ])('is empty after an answer that held %s', async (_name, answered, payload) => {
    const controller = new Controller()
    const told: unknown[] = []
    const end = controller.subscribe(ids, ({ data }) => told.push(data))
    expect([controller.get(all), controller.read(ids).data]).toEqual([undefined, undefined])
    await controller.fetch(calling('answered', answered, payload), {})
    expect([controller.get(all), controller.read(ids).data]).toEqual([[], []])
    expect(told).toEqual([[]])
    end()
  })

  test('is empty also after its last record was deleted, on another Controller, and not after a reset', async () => {
    const controller = new Controller()
    controller.set(Todo, { id: 1 }, {})
    controller.set(new schema.Delete(Todo), { id: 1 }, {})
    expect(controller.get(all)).toEqual([])
    const page = new Controller()
    hydrate(page, JSON.parse(JSON.stringify(dehydrate(controller))))
    expect(page.get(all)).toEqual([])
    page.resetAll()
    expect(page.get(all)).toBe(undefined)
  })

  test('is empty also after its records were collected', async () => {
    const clock = new TestClock()
    const controller = new Controller({ clock })
    await controller.fetch(calling('todo', Todo, todo), args)
    clock.advance(20 * 60_000)
    clock.advance(20 * 60_000)
    expect(callsOf(controller).store.size).toBe(0)
    expect(controller.get(all)).toEqual([])
  })

  test('is not there after an answer that was refused', async () => {
    const controller = new Controller()
    const refused = calling('refused', { todos: [Todo], note: Note }, { todos: [], note: { id: null } })
    await expect(controller.fetch(refused, {})).rejects.toThrow('Entity "Note" has no primary key')
    expect(controller.get(all)).toBe(undefined)
    await controller.fetch(list)
    expect(controller.get(all)).toEqual([])
  })

  test('lists in the order of first arrival, also after a reset', () => {
    const controller = new Controller()
    for (const id of [3, 1]) controller.set(Todo, { id }, {})
    controller.resetAll()
    for (const id of [1, 2, 3]) controller.set(Todo, { id }, {})
    expect(controller.get(ids)).toEqual([1, 2, 3])
  })
})
