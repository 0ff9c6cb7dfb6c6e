import { describe, expect, test } from 'vitest'
import { Controller, Endpoint, Entity, Query, schema } from '../index.js'
import type { EndpointLike, Schema } from '../index.js'
import { optimistic } from './optimistic.js'

class Todo extends Entity {
  id: number | string = 0
  title = ''
  type = 'todo'
  due = new Date(0)
  owner: Owner | undefined
  static override key = 'Todo'
}
class Owner extends Entity {
  id = 0
  name = ''
  todos: Todo[] = []
  static override key = 'Owner'
}
Owner.schema = { todos: [Todo] }
Todo.schema = { owner: Owner, due: Date }

const first = { id: 1, title: 'a', owner: 9, type: 'todo', due: '2026-01-01' }
const second = { id: 2, title: 'b', owner: 9, type: 'todo' }
const list = new schema.Collection([Todo])
const map = new schema.Collection(new schema.Values(Todo))
const todoOrOwner = new schema.Union({ todo: Todo, owner: Owner }, 'type')
const page = new schema.Object({ todos: [Todo], next: '' })

const read = (name: string, of: Schema, payload: unknown) =>
  new Endpoint(async () => payload, { name, schema: of })
const both = [first, second]

/** What readers show, by the kind of schema. */
const readers = {
  record: read('record', Todo, first),
  array: read('array', [Todo], both),
  collection: read('collection', list, both),
  'a filtered collection': new Endpoint(async (_params: { owner: number }) => both, {
    name: 'filtered',
    schema: list,
  }),
  'a collection of values': read('map', map, { 1: first, 2: second }),
  values: read('values', new schema.Values(Todo), { a: first, b: second }),
  object: read('object', page, { todos: both, next: 'x' }),
  'an object around a record': read('around', { data: Todo, total: 0 }, { data: first, total: 2 }),
  nested: read('nested', { page: { of: { todos: [Todo] } } }, { page: { of: { todos: both } } }),
  'a record that refers to it': read('owner', Owner, { id: 9, name: 'o', todos: both }),
  union: read('union', [todoOrOwner], both),
  'a union of one': read('one', todoOrOwner, first),
  all: read('all', new schema.All(Todo), both),
  'all in an object': read('wrapped', { all: new schema.All(Todo) }, { all: both }),
  'all of a union': read('everything', new schema.All(todoOrOwner), both),
  'a query of all': new Query(new schema.All(Todo)),
  'a query that filters all': new Query(new schema.All(Todo), (todos) =>
    todos.filter(({ title }) => title !== 'b'),
  ),
  'a query of a list': new Query(list, (todos) => todos.map(({ title }) => title)),
  'a query that makes objects': new Query(new schema.All(Todo), (todos) => ({ count: todos.length })),
}

const refused = (name: string, of: Schema, response: unknown) =>
  new Endpoint(() => Promise.reject(new Error('refused')), {
    name,
    sideEffect: true,
    schema: of,
    getOptimisticResponse: optimistic(() => response),
  })
const created = { id: 'new', title: 'c', owner: 9, type: 'todo' }
const mutations = {
  update: refused('update', list.move, { ...first, title: 'other', owner: 8, due: '2027-01-01' }),
  partialUpdate: refused('partialUpdate', list.move, { id: 1, title: 'other' }),
  'an update without lists': refused('plain', Todo, { id: 2, title: 'other' }),
  delete: refused('delete', new schema.Delete(Todo), { id: 1 }),
  push: refused('push', list.push, created),
  unshift: refused('unshift', list.unshift, created),
  assign: refused('assign', map.assign, { new: created }),
  remove: refused('remove', list.remove, first),
  'an update of calls': refused('callUpdate', Todo, { id: 1 }).extend({
    update: () => ({
      [readers.array.key()]: (todos: Todo[]) => todos.slice(1),
      [readers.object.key()]: () => ({ todos: [], next: '' }),
    }),
  }),
  'an update whose response cannot be stored': refused('noPk', Todo, { id: 1, title: 'other' }).extend({
    fetch: async () => ({ title: 'other' }),
  }),
  'a member of its owner': refused('saveOwner', Owner, { id: 9, todos: [first] }),
} as const

const settle = () => new Promise((resolve) => setTimeout(resolve))

describe.each(Object.keys(mutations) as (keyof typeof mutations)[])('after a failed %s', (kind) => {
  test.each(Object.keys(readers) as (keyof typeof readers)[])(
    'of %s what was read is the same object, mounted or not',
    async (name) => {
      for (const isMounted of [true, false]) {
        const controller = new Controller()
        for (const reader of Object.values(readers)) {
          if (!(reader instanceof Query))
            await controller.fetch(reader as EndpointLike, { owner: 9 } as never)
        }
        const reader = readers[name] as EndpointLike
        const data = () => controller.read(reader, { owner: 9 } as never).data
        const told: unknown[] = []
        const before = data()
        if (isMounted)
          controller.subscribe(
            reader,
            { owner: 9 } as never,
            (({ data: now }: { data: unknown }) => told.push(now)) as never,
          )
        const mutating = controller.fetch(mutations[kind])
        data()
        await expect(mutating).rejects.toThrow(/refused|no primary key/)
        await settle()
        expect([isMounted, data() === before]).toEqual([isMounted, true])
        if (told.length > 0) expect(told.at(-1)).toBe(before)
      }
    },
  )
})

test('a reader that came meanwhile shows the same record as those before it', async () => {
  const controller = new Controller()
  await controller.fetch(readers.array)
  await controller.fetch(readers['a record that refers to it'])
  const before = controller.get(Todo, { id: 1 })
  const mutating = controller.fetch(mutations.update)
  const late = new Query(new schema.All(Owner), (owners) => owners.map(({ todos }) => todos[0]))
  expect(controller.get(late)?.[0]?.title).toBe('other')
  controller.set(Todo, { id: 2 }, { title: 'pushed' })
  await expect(mutating).rejects.toThrow('refused')
  expect(controller.get(late)?.[0]).toBe(controller.get(Todo, { id: 1 }))
  expect((controller.read(readers.array).data as readonly Todo[])[0]).toBe(controller.get(Todo, { id: 1 }))
  // It refers to the changed record, by its owner.
  expect(controller.get(Todo, { id: 1 })).not.toBe(before)
  expect(controller.get(Todo, { id: 1 })?.owner?.todos[1]?.title).toBe('pushed')
})

test('a reader that came meanwhile, and what it shows of the records from before', async () => {
  const controller = new Controller()
  await controller.fetch(readers.record)
  const before = controller.get(Todo, { id: 1 })
  const mutating = controller.fetch(mutations.partialUpdate)
  const late = new Query(new schema.All(Todo), (todos) => todos.map((todo) => ({ todo })))
  const told: unknown[] = []
  controller.subscribe(late, ({ data }) => told.push(data?.[0]?.todo))
  expect(controller.get(late)?.[0]?.todo.title).toBe('other')
  await expect(mutating).rejects.toThrow('refused')
  expect(controller.get(Todo, { id: 1 })).toBe(before)
  expect(controller.get(late)?.[0]?.todo).toBe(before)
  expect(told).toEqual([before])
})

test('what is shown of records that changed meanwhile is new', async () => {
  const controller = new Controller()
  const detail = new Endpoint(async (_params: { id: number }) => ({}), { name: 'detail', schema: Todo })
  const owner = new Endpoint(async (_params: { id: number }) => ({}), { name: 'owner', schema: Owner })
  const readAll = () => [controller.read(detail, { id: 2 }).data, controller.read(owner, { id: 9 }).data]
  controller.set(Owner, { id: 9 }, { name: 'before', todos: [second as never] })
  readAll()
  const mutating = controller.fetch(mutations['an update without lists'])
  controller.set(Owner, { id: 9 }, { name: 'after', todos: [] })
  controller.read(detail, { id: 2 })
  await expect(mutating).rejects.toThrow('refused')
  readAll()
  expect(controller.read(detail, { id: 2 }).data?.owner).toBe(controller.get(Owner, { id: 9 }))
  expect(controller.get(Owner, { id: 9 })?.name).toBe('after')
})

test('that a list of records was received meanwhile is remembered', async () => {
  const controller = new Controller()
  const all = new Query(new schema.All(Owner))
  const mutating = controller.fetch(refused('found', { owners: [Owner] }, { owners: [] }))
  expect(controller.get(all)).toEqual([])
  controller.setResponse(read('owners', [Owner], []), [])
  await expect(mutating).rejects.toThrow('refused')
  expect(controller.get(all)).toEqual([])
})

test('a payload that is refused meanwhile changes no object', async () => {
  const controller = new Controller()
  for (const reader of [readers.array, readers['a collection of values']]) await controller.fetch(reader)
  for (const mutation of [mutations.assign, mutations.partialUpdate])
    controller.fetch(mutation).catch(() => {})
  const data = () => Object.values(readers).map((reader) => controller.read(reader as EndpointLike).data)
  const before = data()
  expect(() => controller.setResponse(readers.array, [{ id: 1, title: 'new' }, {}])).toThrow('primary key')
  expect(data().map((each, index) => each === before[index])).toEqual(before.map(() => true))
  await settle()
})
