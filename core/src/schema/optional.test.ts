import { describe, expect, test } from 'vitest'
import { Controller } from '../controller/controller.js'
import { Endpoint } from '../endpoint/endpoint.js'
import * as schema from '../lists/namespace.js'
import { normalize } from '../normalize/normalize.js'
import { RestEndpoint } from '../rest/rest-endpoint.js'
import { Entity } from './entity.js'
import type { Schema } from './schema.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
  static override validate = ({ title }: { title?: string }) =>
    title === undefined ? 'title is missing' : undefined
}
const todo = { id: 5, title: 'a' }

/** Reads a response by a schema. */
async function read(of: Schema, answer: unknown): Promise<unknown> {
  const endpoint = new Endpoint(() => Promise.resolve(answer), { name: 'read', schema: of })
  return new Controller().fetch(endpoint)
}

describe('a field that may be missing', () => {
  test('reads as undefined, or as its default', async () => {
    expect(await read({ a: schema.Optional(Todo), n: 1 }, {})).toEqual({ n: 1 })
    expect(await read({ a: schema.Optional(Todo, null) }, {})).toEqual({ a: null })
    expect(await read({ a: schema.Optional([Todo], []) }, {})).toEqual({ a: [] })
    expect(await read({ a: schema.Optional(new schema.Values(Todo), {}) }, { a: undefined })).toEqual({
      a: {},
    })
  })

  test('keeps null, and reads what is there by its schema', async () => {
    expect(await read({ a: schema.Optional([Todo], []) }, { a: null })).toEqual({ a: null })
    const { a } = (await read({ a: schema.Optional([Todo], []) }, { a: [todo] })) as { a: Todo[] }
    expect(a[0]).toBeInstanceOf(Todo)
  })

  test('is made with and without new', () => {
    expect(new schema.Optional(Todo, null)).toEqual(schema.Optional(Todo, null))
  })

  test.each([
    [{ a: [] }, 'expected a record of "Todo" at a, but found an array'],
    [{ a: true }, 'at a, but found a boolean'],
    [{ a: { id: 5 } }, 'title is missing'],
  ])('refuses what does not fit: %o', async (answer, message) => {
    await expect(read({ a: schema.Optional(Todo), n: 1 }, answer)).rejects.toThrow(message)
  })

  test('may be an object that names others, which have to be in it', async () => {
    const page = { page: schema.Optional({ todo: Todo }) }
    expect(await read(page, {})).toEqual({})
    await expect(read(page, { page: {} })).rejects.toThrow('a record of "Todo" at page.todo')
  })

  test('may be missing in an object that contains itself', async () => {
    const tree: { [name: string]: Schema } = { todo: Todo }
    tree['child'] = schema.Optional(tree)
    expect(await read(tree, { todo, child: { todo } })).toEqual({ todo, child: { todo } })
    await expect(read(tree, { todo, child: {} })).rejects.toThrow('at child.todo')
  })

  test('is known by the response of its own call alone', async () => {
    const controller = new Controller()
    controller.set(Todo, { id: 5 }, todo)
    const endpoint = new Endpoint((_params: { id: number }) => Promise.resolve({}), {
      name: 'own',
      schema: { a: schema.Optional(Todo) },
    })
    expect(controller.read(endpoint, { id: 5 }).status).toBe('Invalid')
    await controller.fetch(endpoint, { id: 5 })
    expect(controller.read(endpoint, { id: 5 }).data).toEqual({})
  })
})

test('a list that was left out is an empty one, which a created record joins', async () => {
  const controller = new Controller()
  const getTodos = new Endpoint(() => Promise.resolve({}), {
    name: 'todos',
    schema: { todos: schema.Optional(new schema.Collection([Todo]), []) },
  })
  const create = new Endpoint(() => Promise.resolve(todo), {
    name: 'create',
    sideEffect: true,
    schema: new schema.Collection([Todo]).push,
  })
  expect(await controller.fetch(getTodos)).toEqual({ todos: [] })
  await controller.fetch(create)
  expect(controller.read(getTodos).data).toEqual({ todos: [todo] })
})

test.each(['a plain list', 'a Collection'])(
  'a page that leaves out its list, which is %s, ends it',
  async (kind) => {
    const list = kind === 'a plain list' ? [Todo] : new schema.Collection([Todo])
    const answers: unknown[] = [{ todos: [todo], next: 'b' }, { next: null }]
    class Local extends RestEndpoint {
      override fetchResponse(): Promise<Response> {
        return Promise.resolve(Response.json(answers.shift()))
      }
    }
    const getTodos = new Local({
      path: '/todo',
      searchParams: {} as { cursor?: string },
      paginationField: 'cursor',
      schema: { todos: schema.Optional(list as [typeof Todo], []), next: '' as string | null },
    })
    const controller = new Controller()
    await controller.fetch(getTodos)
    await controller.fetch(getTodos.getPage!, { cursor: 'b' })
    expect(controller.read(getTodos).data).toEqual({ todos: [todo], next: null })
  },
)

describe('what an object names and does not get', () => {
  test.each<[string, Schema, unknown, string]>([
    ['a record', { a: Todo }, {}, 'a record of "Todo" at a'],
    ['a list', { a: [Todo] }, {}, 'an array of "Todo" at a'],
    ['a list of objects', { a: [{ b: Todo }] }, {}, 'an array at a'],
    ['a map', { a: new schema.Values(Todo) }, {}, 'an object of "Todo" at a'],
    ['a Union', { a: new schema.Union({ todo: Todo }, 'type') }, {}, 'an object at a'],
    ['all', { a: new schema.All(Todo) }, {}, 'an object at a'],
    ['a lazy relation', { a: new schema.Lazy(() => [Todo]) }, {}, 'an object at a'],
    ['undefined', { a: Todo }, { a: undefined }, 'a record of "Todo" at a'],
    ['a nested one', { b: { c: { a: Todo } } }, { b: { c: {} } }, 'a record of "Todo" at b.c.a'],
    ['in a map', new schema.Values(new schema.Object({ a: Todo })), { x: {} }, 'a record of "Todo" at x.a'],
  ])('is an error: %s', (_name, of, response, expected) => {
    expect(() => normalize(of, response)).toThrow(`normalize() expected ${expected}, but found nothing.
  The response was not stored. If the server may leave it out, write schema.Optional(…) around its schema; or set it in process().`)
  })

  test('is no error within a record, nor for serializers and literals', () => {
    class Owner extends Entity {
      id = 0
      static override key = 'Owner'
      static override schema = { about: { todo: Todo }, item: new schema.Union({ todo: Todo }, 'type') }
    }
    const of = { owner: Owner, at: Date, count: Number, next: '', about: { at: Date } }
    const response = { owner: { id: 1, about: {}, item: 5 } }
    expect(normalize(of, response).entities.Owner!['1']).toEqual({ id: 1, about: {}, item: [null, 5] })
  })
})
