import { describe, expectTypeOf, test } from 'vitest'
import type { ArgsOf, DataOf, ReadEndpoint } from '../endpoint/endpoint.js'
import type { DeleteSchema } from '../schema/delete.js'
import { Entity } from '../schema/entity.js'
import { Collection, Union } from '../lists/namespace.js'
import type { Schema } from '../schema/schema.js'
import type { PathValue } from './path-types.js'
import { createResource } from './resource.js'
import type { Resource } from './resource.js'
import { RestEndpoint } from './rest-endpoint.js'
import type { RestOptions } from './rest-types.js'

class User extends Entity {
  id = 0
  name = ''
}
class Todo extends Entity {
  id: string | number = 0
  title = ''
  completed = false
  author: User | undefined
  get isOpen() {
    return !this.completed
  }
  toggle() {
    this.completed = !this.completed
  }
}
class TodoSummary extends Entity {
  id = 0
}

/** Type-checks a function without running it. */
declare function check(act: () => unknown): void

const todo = createResource({ path: '/:group/:id', schema: Todo })
type One = { readonly group: PathValue; readonly id: PathValue }

describe('the members of a resource', () => {
  test('get takes params for every segment and gives one entity', () => {
    expectTypeOf(todo.get).parameters.toEqualTypeOf<[params: One]>()
    expectTypeOf(todo.get({ group: 'a', id: 5 })).resolves.toEqualTypeOf<Todo>()
    expectTypeOf(todo.get).toExtend<ReadEndpoint>()
    check(() => [
      // @ts-expect-error `id` is missing
      todo.get({ group: 'a' }),
      // @ts-expect-error a GET has no body
      todo.get({ group: 'a', id: 5 }, {}),
      // @ts-expect-error only hooks take null
      todo.get(null),
    ])
  })

  test('getList takes params for what is left and any search params, and gives a list', () => {
    expectTypeOf(todo.getList({ group: 'a' })).resolves.toEqualTypeOf<Todo[]>()
    expectTypeOf(todo.getList).toBeCallableWith({
      group: 'a',
      page: 2,
      tags: ['x'],
      done: true,
      since: new Date(),
    })
    expectTypeOf(todo.getList).toExtend<ReadEndpoint>()
    check(() => [
      // @ts-expect-error `group` is missing
      todo.getList(),
      // @ts-expect-error `group` is missing
      todo.getList({ page: 2 }),
      // @ts-expect-error a function cannot be sent
      todo.getList({ group: 'a', page: () => 2 }),
    ])
    const flat = createResource({ path: '/todo/:id', schema: Todo })
    expectTypeOf(flat.getList).toBeCallableWith()
    expectTypeOf(flat.getList).toBeCallableWith({})
    expectTypeOf(flat.getList).toBeCallableWith({ author: 5 })
  })

  test('create takes params for what is left and a body of fields', () => {
    expectTypeOf(todo.create({ group: 'a' }, { title: 'x' })).resolves.toEqualTypeOf<Todo>()
    expectTypeOf(todo.create).not.toExtend<ReadEndpoint>()
    const flat = createResource({ path: '/todo/:id', schema: Todo })
    expectTypeOf(flat.create).toBeCallableWith({ title: 'x' })
    expectTypeOf(flat.create).toBeCallableWith({}, { title: 'x' })
    check(() => [
      // @ts-expect-error the body is missing
      todo.create({ group: 'a' }),
      // @ts-expect-error the body is missing
      flat.create(),
      // @ts-expect-error `title` is text
      flat.create({ title: 5 }),
      // @ts-expect-error `name` is no field
      flat.create({ name: 'x' }),
      // @ts-expect-error a method is no field
      flat.create({ toggle: () => {} }),
    ])
  })

  test.each(['update', 'partialUpdate'] as const)(
    '%s takes params for every segment and a body',
    (member) => {
      const update = todo[member]
      expectTypeOf(
        update({ group: 'a', id: 5 }, { title: 'x', completed: true }),
      ).resolves.toEqualTypeOf<Todo>()
      expectTypeOf(update).not.toExtend<ReadEndpoint>()
      check(() => [
        // @ts-expect-error the body is missing
        update({ group: 'a', id: 5 }),
        // @ts-expect-error the params are missing
        update({ title: 'x' }),
        // @ts-expect-error `title` is text
        update({ group: 'a', id: 5 }, { title: 5 }),
      ])
    },
  )

  test('delete takes params for every segment and gives the answer or the params', () => {
    expectTypeOf(todo.delete).parameters.toEqualTypeOf<[params: One]>()
    expectTypeOf(todo.delete({ group: 'a', id: 5 })).resolves.toEqualTypeOf<object>()
    expectTypeOf(todo.delete).not.toExtend<ReadEndpoint>()
    check(() => [
      // @ts-expect-error `id` is missing
      todo.delete({ group: 'a' }),
      // @ts-expect-error a DELETE has no body
      todo.delete({ group: 'a', id: 5 }, {}),
    ])
  })

  test('delete of a Union is that of its classes', () => {
    const item = new Union({ todo: Todo }, 'type')
    const items = createResource({ path: '/item/:id', schema: item })
    expectTypeOf(items.delete.schema).toEqualTypeOf<DeleteSchema<typeof item>>()
    expectTypeOf(items.delete({ id: 5 })).resolves.toEqualTypeOf<object>()
    const listed = createResource({ path: '/item/:id', schema: [Todo] })
    expectTypeOf(listed.delete.schema).toEqualTypeOf<DeleteSchema<never>>()
  })

  test('a body of a Union has the fields of any of its classes', () => {
    const items = createResource({ path: '/item/:id', schema: new Union({ todo: Todo, user: User }, 'type') })
    expectTypeOf(items.create).toBeCallableWith({ title: 'a' })
    expectTypeOf(items.create).toBeCallableWith({ name: 'a' })
    check(() => [
      items.partialUpdate({ id: 5 }, { title: 'a' }),
      items.update({ id: 5 }, { name: 'a' }),
      // @ts-expect-error neither class has it
      items.partialUpdate({ id: 5 }, { other: 'a' }),
    ])
  })

  test('a body may name nested records by their ids', () => {
    expectTypeOf(todo.partialUpdate).toBeCallableWith({ group: 'a', id: 5 }, { author: 5 })
    expectTypeOf(todo.partialUpdate).toBeCallableWith({ group: 'a', id: 5 }, { author: '5' })
    expectTypeOf(todo.partialUpdate).toBeCallableWith({ group: 'a', id: 5 }, { author: { name: 'x' } })
  })

  test('have their methods, paths and side effects as types', () => {
    expectTypeOf(todo.get.method).toEqualTypeOf<'GET'>()
    expectTypeOf(todo.getList.path).toEqualTypeOf<'/:group'>()
    expectTypeOf(todo.create.method).toEqualTypeOf<'POST'>()
    expectTypeOf(todo.update.method).toEqualTypeOf<'PUT'>()
    expectTypeOf(todo.partialUpdate.method).toEqualTypeOf<'PATCH'>()
    expectTypeOf(todo.delete.method).toEqualTypeOf<'DELETE'>()
    expectTypeOf(todo.get.sideEffect).toEqualTypeOf<undefined>()
    expectTypeOf(todo.delete.sideEffect).toEqualTypeOf<true>()
  })
})

describe('extend of a member', () => {
  test('replaces the schema (4.1)', () => {
    const paged = todo.getList.extend({ schema: { results: [Todo], nextPage: '', prevPage: '' } })
    expectTypeOf(paged({ group: 'a', page: 2 })).resolves.toEqualTypeOf<{
      results: Todo[]
      nextPage: string
      prevPage: string
    }>()
    const summaries = todo.getList.extend({ schema: [TodoSummary] })
    expectTypeOf<DataOf<typeof summaries>>().toEqualTypeOf<TodoSummary[]>()
    expectTypeOf<ArgsOf<typeof summaries>>().toEqualTypeOf<ArgsOf<typeof todo.getList>>()
    check(() => [
      // @ts-expect-error `group` is still required
      paged({ page: 2 }),
    ])
  })

  test('a list of summaries takes whole records', () => {
    const summaries = todo.getList.extend({ schema: new Collection([TodoSummary]) })
    expectTypeOf(summaries({ group: 'a' })).resolves.toEqualTypeOf<TodoSummary[]>()
    const enveloped = todo.getList.extend({ schema: { items: new Collection([TodoSummary]), total: 0 } })
    const others = todo.getList.extend({ path: '/user', schema: new Collection([User]) })
    const alone = new RestEndpoint({ path: '/:group', schema: new Collection([TodoSummary]) })
    check(() => [
      summaries.unshift({ group: 'a' }, { title: 'x', author: 5 }),
      summaries.push({ group: 'a' }, { id: 5, completed: true }),
      summaries.move({ group: 'a', id: 5 }, { title: 'x' }),
      enveloped.unshift({ group: 'a' }, { title: 'x' }),
      others.push({ name: 'x' }),
      todo.getList.unshift({ group: 'a' }, { title: 'x' }),
      // @ts-expect-error no such field
      summaries.unshift({ group: 'a' }, { titel: 'x' }),
      // @ts-expect-error no such field
      todo.getList.unshift({ group: 'a' }, { titel: 'x' }),
      // @ts-expect-error a title is text
      summaries.unshift({ group: 'a' }, { title: 5 }),
      // @ts-expect-error the record is not known: `unshift.extend({ body: {} as Partial<Todo> })`
      alone.unshift({ group: 'a' }, { title: 'x' }),
      alone.unshift.extend({ body: {} as Partial<Todo> })({ group: 'a' }, { title: 'x' }),
    ])
  })

  test('derives custom endpoints (4.3)', () => {
    const makeManager = todo.create.extend({ path: '/users/:id/make_manager', body: undefined, schema: User })
    expectTypeOf(makeManager({ id: 5 })).resolves.toEqualTypeOf<User>()
    const current = todo.get.extend({ path: '/current_user/', schema: User })
    expectTypeOf(current()).resolves.toEqualTypeOf<User>()
    const upcoming = todo.getList.extend({
      path: '/api/birthdays/upcoming/',
      searchParams: undefined,
      schema: { withinSevenDays: [User], withinThirtyDays: [User] },
    })
    expectTypeOf(upcoming()).resolves.toEqualTypeOf<{ withinSevenDays: User[]; withinThirtyDays: User[] }>()
    check(() => [
      // @ts-expect-error it declares to have no body
      makeManager({ id: 5 }, {}),
    ])
  })
})

describe('createResource', () => {
  class Api<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {
    override urlPrefix: string | undefined = '//api'
  }

  test('takes a class of endpoints and extra options', () => {
    const resource = createResource({
      path: '/todo/:id',
      schema: Todo,
      urlPrefix: '//host',
      Endpoint: Api,
      name: 'Todo',
      dataExpiryLength: 5,
      errorPolicy: () => 'soft',
      getHeaders: (headers) => headers,
    })
    expectTypeOf(resource).toEqualTypeOf<Resource<'/todo/:id', typeof Todo>>()
    check(() => [
      // @ts-expect-error the path is required
      createResource({ schema: Todo }),
      // @ts-expect-error the schema is required
      createResource({ path: '/todo/:id' }),
      // @ts-expect-error not a class of REST endpoints
      createResource({ path: '/todo/:id', schema: Todo, Endpoint: User }),
      // @ts-expect-error the members have their own methods
      createResource({ path: '/todo/:id', schema: Todo, method: 'POST' }),
    ])
  })

  test('takes a wrapper as its schema', () => {
    const wrapped = createResource({ path: '/comments/:id', schema: { data: Todo } })
    expectTypeOf(wrapped.get({ id: 5 })).resolves.toEqualTypeOf<{ data: Todo }>()
    expectTypeOf(wrapped.getList()).resolves.toEqualTypeOf<{ data: Todo }[]>()
  })

  test('takes a path that is no literal', () => {
    const loose = createResource({ path: '/todo/:id' as string, schema: Todo })
    expectTypeOf(loose.get({ id: 5 })).resolves.toEqualTypeOf<Todo>()
    expectTypeOf(loose.getList()).resolves.toEqualTypeOf<Todo[]>()
    expectTypeOf(loose.update({ id: 5 }, { title: 'x' })).resolves.toEqualTypeOf<Todo>()
  })
})

describe('a function that wraps createResource (2.2)', () => {
  test('infers args by readonly path and schema', () => {
    function createMyResource<U extends string, S extends Schema>({
      schema,
      ...options
    }: {
      readonly path: U
      readonly schema: S
      readonly urlPrefix?: string
    }) {
      return createResource({ urlPrefix: '//my', ...options, schema })
    }
    const mine = createMyResource({ path: '/:group/:id', schema: Todo })
    expectTypeOf(mine.get({ group: 'a', id: 5 })).resolves.toEqualTypeOf<Todo>()
    expectTypeOf(mine.getList({ group: 'a', page: 1 })).resolves.toEqualTypeOf<Todo[]>()
    expectTypeOf(mine.create({ group: 'a' }, { title: 'x' })).resolves.toEqualTypeOf<Todo>()
    check(() => [
      // @ts-expect-error `id` is missing
      mine.get({ group: 'a' }),
      // @ts-expect-error `title` is text
      mine.update({ group: 'a', id: 5 }, { title: 5 }),
    ])
  })

  test('may extend the members', () => {
    function createPaged<const Path extends string, const S extends Schema>(options: {
      readonly path: Path
      readonly schema: S
    }) {
      const resource = createResource(options)
      const getList = resource.getList.extend({ schema: { results: [options.schema] as const, next: '' } })
      return { ...resource, getList }
    }
    const paged = createPaged({ path: '/:group/:id', schema: Todo })
    expectTypeOf(paged.getList({ group: 'a' })).resolves.toEqualTypeOf<{ results: Todo[]; next: string }>()
    expectTypeOf(paged.get({ group: 'a', id: 1 })).resolves.toEqualTypeOf<Todo>()
  })
})
