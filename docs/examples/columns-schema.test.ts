import { readFileSync } from 'node:fs'
import {
  Controller,
  Endpoint,
  Entity,
  denormalize,
  normalize,
  schema,
} from '@selfsame/core'
import { callsOf } from '@selfsame/core/bindings'
import { expect, expectTypeOf, test } from 'vitest'
import { ColumnsSchema } from './columns-schema.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

const payload = {
  columns: ['id', 'title'],
  rows: [
    [1, 'a'],
    [2, 'b'],
  ],
}
const todos = new ColumnsSchema(Todo)

test('a schema of one’s own shares records, keeps identities and costs what the built-in ones cost', async () => {
  const controller = new Controller()
  const table = new Endpoint(() => Promise.resolve(payload), {
    name: 'table',
    schema: todos,
  })
  const first = await controller.fetch(table)
  expectTypeOf(first).toEqualTypeOf<Todo[]>()
  expect(first.map(({ title }) => title)).toEqual(['a', 'b'])
  expect(first[0]).toBe(controller.get(Todo, { id: 1 }))
  expect(await controller.fetch(table)).toBe(first)
  const before = callsOf(controller).store.graph.computed
  controller.set(Todo, { id: 2 }, { title: 'changed' })
  const second = controller.read(table).data
  expect([second?.[0] === first[0], second?.[1]?.title]).toEqual([
    true,
    'changed',
  ])
  // The record's view, the list's and the result's.
  expect(callsOf(controller).store.graph.computed - before).toBe(3)
  await controller.fetch(
    new Endpoint(() => Promise.resolve({ id: 1 }), {
      name: 'delete',
      schema: new schema.Delete(Todo),
      sideEffect: true,
    }),
  )
  expect(controller.read(table).data?.map(({ id }) => id)).toEqual([2])
})

test('it nests in other schemas, and says where an answer does not fit', async () => {
  const { result, entities } = normalize({ data: todos }, { data: payload })
  expect(
    denormalize({ data: todos }, result, entities)?.data.map(({ id }) => id),
  ).toEqual([1, 2])
  const wrong = new Endpoint(() => Promise.resolve({ data: { rows: [] } }), {
    name: 'wrong',
    schema: { data: todos },
  })
  await expect(new Controller().fetch(wrong)).rejects.toThrow(
    'wrong expected an object with columns and rows at data, but found an object.',
  )
})

test('the guide shows this very code', () => {
  const read = (path: string) =>
    readFileSync(new URL(path, import.meta.url), 'utf8')
  expect(read('../own-schema.md')).toContain(read('./columns-schema.ts').trim())
})

test('it is the schema of an endpoint, or stands in one', async () => {
  const fetchTable = async () => payload
  const fetchReport = async () => ({ total: 2, table: payload })
  const getTodos = new Endpoint(fetchTable, {
    name: 'getTodos',
    schema: new ColumnsSchema(Todo),
  })
  const getReport = new Endpoint(fetchReport, {
    name: 'getReport',
    schema: { total: 0, table: new ColumnsSchema(Todo) },
  })
  const controller = new Controller()
  const [first] = await controller.fetch(getTodos)
  const { total, table } = await controller.fetch(getReport)
  expect(total).toBe(2)
  expect(table[0]).toBe(first)
})
