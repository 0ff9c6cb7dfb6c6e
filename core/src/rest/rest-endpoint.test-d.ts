import { describe, expectTypeOf, test } from 'vitest'
import type { ArgsOf, DataOf } from '../endpoint/endpoint.js'
import { Entity } from '../schema/entity.js'
import type { Schema } from '../schema/schema.js'
import type { PathValue } from './path-types.js'
import { RestEndpoint } from './rest-endpoint.js'
import type { AnyBody, RestArgs, RestOptions } from './rest-types.js'

class User extends Entity {
  id = 0
  name = ''
}
class Todo extends Entity {
  id = 0
  title = ''
  author: User | undefined
}

/** Type-checks a function without running it. */
declare function check(act: () => unknown): void

const getTodo = new RestEndpoint({ path: '/:group/:id', schema: Todo })

describe('the params of a call', () => {
  test('are those of the literal path', () => {
    expectTypeOf(getTodo).parameters.toEqualTypeOf<
      [params: { readonly group: PathValue; readonly id: PathValue }]
    >()
    expectTypeOf(getTodo).toBeCallableWith({ group: 'a', id: 5 })
    expectTypeOf(getTodo.key).toBeCallableWith({ group: 'a', id: '5' })
    expectTypeOf(getTodo.url).toBeCallableWith({ group: 'a', id: '5' })
    expectTypeOf<ArgsOf<typeof getTodo>>().toEqualTypeOf<Parameters<typeof getTodo>>()
    check(() => [
      // @ts-expect-error params are required
      getTodo(),
      // @ts-expect-error `id` is missing
      getTodo({ group: 'a' }),
      // @ts-expect-error `page` is neither in the path nor a search param
      getTodo({ group: 'a', id: 5, page: 1 }),
      // @ts-expect-error an object cannot stand in a path
      getTodo({ group: 'a', id: {} }),
      // @ts-expect-error null is no param
      getTodo({ group: 'a', id: null }),
      // @ts-expect-error only hooks take null
      getTodo(null),
      // @ts-expect-error a GET has no body
      getTodo({ group: 'a', id: 5 }, { title: 'x' }),
      // @ts-expect-error the key is named by the same params
      getTodo.key({ id: 5 }),
      // @ts-expect-error the address too
      getTodo.url({ id: 5 }),
    ])
  })

  test('may be left out where none is required', () => {
    const list = new RestEndpoint({ path: '/list{/:page}' })
    expectTypeOf(list).toBeCallableWith()
    expectTypeOf(list).toBeCallableWith({})
    expectTypeOf(list).toBeCallableWith({ page: 2 })
    expectTypeOf(list).toBeCallableWith({ page: undefined })
    expectTypeOf(new RestEndpoint({ path: '/:group/:id?' })).toBeCallableWith({ group: 'a' })
    check(() => [
      // @ts-expect-error `size` is not in the path
      list({ size: 2 }),
    ])
  })

  test('are none for a path without any', () => {
    const current = new RestEndpoint({ path: '/current_user/', schema: User })
    expectTypeOf(current).parameters.toEqualTypeOf<[]>()
    check(() => [
      // @ts-expect-error there is nothing to pass
      current({ id: 5 }),
    ])
  })

  test('are loose for a path that is no literal (2.2, Types)', () => {
    const path = '/todo' as string
    const loose = new RestEndpoint({ path, schema: Todo })
    expectTypeOf(loose).toBeCallableWith()
    expectTypeOf(loose).toBeCallableWith({ anything: 5 })
    expectTypeOf(loose({ a: 1 })).resolves.toEqualTypeOf<Todo>()
    check(() => [
      // @ts-expect-error an object cannot stand in a path
      loose({ a: {} }),
    ])
  })

  test('are a union for a union of paths (2.2, Types)', () => {
    const path = '/a/:id' as '/a/:id' | '/b/:name'
    const either = new RestEndpoint({ path })
    expectTypeOf(either).toBeCallableWith({ id: 5 })
    expectTypeOf(either).toBeCallableWith({ name: 'x' })
    check(() => [
      // @ts-expect-error one of them is required
      either({}),
    ])
  })
})

describe('search params', () => {
  const list = new RestEndpoint({
    path: '/:group',
    schema: [Todo],
    searchParams: {
      page: '',
      sort: 'date',
      limit: 10,
      done: false as boolean | undefined,
      tags: [] as string[],
    },
  })

  test('have the types of their defaults, and are optional', () => {
    expectTypeOf(list).toBeCallableWith({ group: 'a' })
    expectTypeOf(list).toBeCallableWith({ group: 'a', page: 2 })
    expectTypeOf(list).toBeCallableWith({
      group: 'a',
      page: 'x',
      sort: 'title',
      limit: 5,
      done: true,
      tags: ['x'],
    })
    expectTypeOf(list).toBeCallableWith({ group: 'a', page: undefined, limit: undefined })
    check(() => [
      // @ts-expect-error `group` of the path is required
      list({ page: 2 }),
      // @ts-expect-error `limit` is a number
      list({ group: 'a', limit: '5' }),
      // @ts-expect-error `sort` is text
      list({ group: 'a', sort: 5 }),
      // @ts-expect-error `size` is not named
      list({ group: 'a', size: 5 }),
      // @ts-expect-error `done` is a boolean
      list({ group: 'a', done: 'yes' }),
    ])
  })

  test('may be chosen from literals', () => {
    const sorted = new RestEndpoint({
      path: '/todo',
      searchParams: { sort: 'date' as 'date' | 'title' | undefined },
    })
    expectTypeOf(sorted).toBeCallableWith()
    expectTypeOf(sorted).toBeCallableWith({ sort: 'title' })
    check(() => [
      // @ts-expect-error not one of them
      sorted({ sort: 'size' }),
    ])
  })

  test('are typed by an interface as well', () => {
    interface Filter {
      author?: number
      text: string
    }
    const filtered = new RestEndpoint({ path: '/todo', searchParams: {} as Filter })
    expectTypeOf(filtered).toBeCallableWith({ author: 5 })
    expectTypeOf(filtered).toBeCallableWith({ text: 'x' })
    const filter: Filter = { text: 'x' }
    expectTypeOf(filtered).toBeCallableWith(filter)
  })
})

describe('the body (E2)', () => {
  test('is anything for POST, PUT and PATCH', () => {
    const create = new RestEndpoint({ path: '/todo', method: 'POST', schema: Todo })
    expectTypeOf(create).toBeCallableWith()
    expectTypeOf(create).toBeCallableWith({ title: 'x' })
    expectTypeOf(create).toBeCallableWith(new FormData())
    expectTypeOf(create).toBeCallableWith('text')
    expectTypeOf(create).toBeCallableWith({}, { title: 'x' })
    expectTypeOf(new RestEndpoint({ path: '/todo', method: 'PUT' })).toBeCallableWith([1])
    expectTypeOf(new RestEndpoint({ path: '/todo', method: 'PATCH' })).toBeCallableWith({ a: 1 })
    check(() => [
      // @ts-expect-error a number is no body
      create(5),
      // @ts-expect-error there is no third argument
      create({}, {}, {}),
    ])
  })

  test('follows the params of a path that needs them, and may be left out', () => {
    const makeManager = new RestEndpoint({ path: '/users/:id/make_manager', method: 'POST', schema: User })
    expectTypeOf(makeManager).parameters.toEqualTypeOf<
      [params: { readonly id: PathValue }, body?: AnyBody | undefined]
    >()
    expectTypeOf(makeManager({ id: 5 })).resolves.toEqualTypeOf<User>()
    check(() => [
      // @ts-expect-error the params are required
      makeManager(),
      // @ts-expect-error the body alone is not enough
      makeManager({ role: 'x' }),
    ])
  })

  test('is what an option says, and then required', () => {
    const update = new RestEndpoint({ path: '/todo/:id', method: 'PUT', body: {} as { title: string } })
    expectTypeOf(update).parameters.toEqualTypeOf<
      [params: { readonly id: PathValue }, body: { title: string }]
    >()
    check(() => [
      // @ts-expect-error the body is missing
      update({ id: 5 }),
      // @ts-expect-error the params are missing
      update({ title: 'x' }),
      // @ts-expect-error `title` is missing
      update({ id: 5 }, {}),
      // @ts-expect-error `done` is no field
      update({ id: 5 }, { title: 'x', done: true }),
    ])
    const create = new RestEndpoint({ path: '/todo', method: 'POST', body: {} as { title: string } })
    expectTypeOf(create).toBeCallableWith({ title: 'x' })
    expectTypeOf(create).toBeCallableWith({}, { title: 'x' })
    check(() => [
      // @ts-expect-error the body is missing
      create(),
      // @ts-expect-error `title` is missing
      create({}),
    ])
  })

  test('may be declared optional, for a method without one, and away', () => {
    const remove = new RestEndpoint({
      path: '/todo',
      method: 'DELETE',
      body: {} as { ids: number[] } | undefined,
    })
    expectTypeOf(remove).toBeCallableWith()
    expectTypeOf(remove).toBeCallableWith({ ids: [1] })
    const search = new RestEndpoint({
      path: '/search',
      method: 'POST',
      body: undefined,
      searchParams: { text: '' },
    })
    expectTypeOf(search).toBeCallableWith({ text: 'x' })
    check(() => [
      // @ts-expect-error it declares to have no body
      search({ text: 'x' }, {}),
      // @ts-expect-error a DELETE that declares none has none
      new RestEndpoint({ path: '/todo', method: 'DELETE' })({ ids: [1] }),
    ])
  })
})

describe('the value of a call', () => {
  test('is the data of the schema', () => {
    expectTypeOf(getTodo({ group: 'a', id: 1 })).resolves.toEqualTypeOf<Todo>()
    expectTypeOf(new RestEndpoint({ path: '/', schema: [Todo] })()).resolves.toEqualTypeOf<Todo[]>()
    const paged = new RestEndpoint({ path: '/', schema: { results: [Todo], nextPage: '', total: 0 } })
    expectTypeOf(paged()).resolves.toEqualTypeOf<{ results: Todo[]; nextPage: string; total: number }>()
    expectTypeOf<DataOf<typeof paged>>().toEqualTypeOf<{ results: Todo[]; nextPage: string; total: number }>()
    expectTypeOf(getTodo.schema).toEqualTypeOf<typeof Todo>()
  })

  test('is unknown without a schema', () => {
    const plain = new RestEndpoint({ path: '/plain' })
    expectTypeOf(plain()).resolves.toBeUnknown()
    expectTypeOf(plain.schema).toEqualTypeOf<undefined>()
    expectTypeOf<DataOf<typeof plain>>().toBeUnknown()
  })

  test('is what process gives', () => {
    const titles = new RestEndpoint({
      path: '/',
      process: (value: { title: string }[]) => value.map((t) => t.title),
    })
    expectTypeOf(titles()).resolves.toEqualTypeOf<string[]>()
    expectTypeOf<DataOf<typeof titles>>().toEqualTypeOf<string[]>()
    const later = new RestEndpoint({ path: '/', process: async (value: number) => Promise.resolve(value) })
    expectTypeOf(later()).resolves.toEqualTypeOf<number>()
  })
})

describe('method and side effect (E3)', () => {
  test('are literal types', () => {
    expectTypeOf(getTodo.method).toEqualTypeOf<'GET'>()
    expectTypeOf(getTodo.sideEffect).toEqualTypeOf<undefined>()
    const create = new RestEndpoint({ path: '/todo', method: 'POST' })
    expectTypeOf(create.method).toEqualTypeOf<'POST'>()
    expectTypeOf(create.sideEffect).toEqualTypeOf<true>()
    const search = new RestEndpoint({ path: '/todo', method: 'POST', sideEffect: false })
    expectTypeOf(search.sideEffect).toEqualTypeOf<false>()
    expectTypeOf(new RestEndpoint({ path: '/', method: 'HEAD' }).sideEffect).toEqualTypeOf<undefined>()
    const method = 'GET' as string
    expectTypeOf(new RestEndpoint({ path: '/', method }).sideEffect).toEqualTypeOf<true | undefined>()
  })
})

describe('extend', () => {
  test('replaces what it names and keeps the rest', () => {
    const derived = getTodo.extend({ schema: { data: Todo } })
    expectTypeOf(derived({ group: 'a', id: 1 })).resolves.toEqualTypeOf<{ data: Todo }>()
    expectTypeOf(derived).parameters.toEqualTypeOf<Parameters<typeof getTodo>>()
    const moved = getTodo.extend({ path: '/todo/:slug' })
    expectTypeOf(moved({ slug: 'x' })).resolves.toEqualTypeOf<Todo>()
    check(() => [
      // @ts-expect-error the new path has other params
      moved({ group: 'a', id: 1 }),
    ])
  })

  test('makes a mutation of a read, with a body', () => {
    const create = getTodo.extend({ path: '/todo', method: 'POST', body: {} as { title: string } })
    expectTypeOf(create.method).toEqualTypeOf<'POST'>()
    expectTypeOf(create.sideEffect).toEqualTypeOf<true>()
    expectTypeOf(create({ title: 'x' })).resolves.toEqualTypeOf<Todo>()
    check(() => [
      // @ts-expect-error `title` is text
      create({ title: 5 }),
    ])
  })

  test('takes a schema away', () => {
    const plain = getTodo.extend({ schema: undefined })
    expectTypeOf(plain({ group: 'a', id: 1 })).resolves.toBeUnknown()
    expectTypeOf(plain.schema).toEqualTypeOf<undefined>()
  })

  test('adds search params and process, several times', () => {
    const derived = getTodo
      .extend({ searchParams: { page: '' } })
      .extend({ dataExpiryLength: 5 })
      .extend({ process: (value: { n: number }) => value.n })
    expectTypeOf(derived({ group: 'a', id: 1, page: 2 })).resolves.toEqualTypeOf<number>()
    check(() => [
      // @ts-expect-error `size` is not named
      derived({ group: 'a', id: 1, size: 2 }),
    ])
  })

  test('refuses what is no option', () => {
    expectTypeOf(getTodo.extend({ dataExpiryLength: 5 }).dataExpiryLength).toEqualTypeOf<number | undefined>()
    check(() => [
      // @ts-expect-error a path is text
      getTodo.extend({ path: 5 }),
      // @ts-expect-error a length is a number
      getTodo.extend({ dataExpiryLength: '5' }),
    ])
  })
})

describe('a subclass', () => {
  class Api<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {
    override urlPrefix: string | undefined = 'https://api.example'
    override async getRequestInit(body?: unknown): Promise<RequestInit> {
      return { ...(await super.getRequestInit(body)), credentials: 'same-origin' }
    }
    override async parseResponse(response: Response): Promise<unknown> {
      return { link: response.headers.get('link'), results: await super.parseResponse(response) }
    }
    override process(value: object) {
      return value
    }
    override url(...args: RestArgs<Options>) {
      return super.url(...args)
    }
    extra() {
      return 5
    }
  }

  test('infers params, body and result like its base', () => {
    const get = new Api({ path: '/todo/:id', schema: Todo })
    expectTypeOf(get({ id: 1 })).resolves.toEqualTypeOf<Todo>()
    expectTypeOf(get.extra()).toEqualTypeOf<number>()
    check(() => [
      // @ts-expect-error `id` is missing
      get({}),
    ])
    const update = new Api({ path: '/todo/:id', method: 'PUT', body: {} as { title: string } })
    expectTypeOf(update).toBeCallableWith({ id: 1 }, { title: 'x' })
  })

  test('survives extend with its types, though not its own members', () => {
    const list = new Api({ path: '/todo', schema: [Todo] }).extend({ searchParams: { page: '' } })
    expectTypeOf(list({ page: 1 })).resolves.toEqualTypeOf<Todo[]>()
  })
})

describe('a generic wrapper (2.2)', () => {
  function createGet<const Path extends string, const S extends Schema>({
    path,
    schema,
  }: {
    readonly path: Path
    readonly schema: S
  }) {
    return new RestEndpoint({ path, schema, dataExpiryLength: 5 })
  }

  test('keeps the literal path and the schema', () => {
    const get = createGet({ path: '/:group/:id', schema: { data: Todo, next: '' } })
    expectTypeOf(get({ group: 'a', id: 1 })).resolves.toEqualTypeOf<{ data: Todo; next: string }>()
    check(() => [
      // @ts-expect-error `id` is missing
      get({ group: 'a' }),
    ])
  })
})

describe('options', () => {
  test('are checked', () => {
    expectTypeOf(RestEndpoint).toBeConstructibleWith({ path: '/', policy: 'cache-first' })
    check(() => [
      // @ts-expect-error a path is required
      new RestEndpoint({ schema: Todo }),
      // @ts-expect-error a method is text
      new RestEndpoint({ path: '/', method: 5 }),
      // @ts-expect-error a policy is one of three
      new RestEndpoint({ path: '/', policy: 'never' }),
      // @ts-expect-error a number is no schema
      new RestEndpoint({ path: '/', schema: 5 }),
      // @ts-expect-error `parseResponse` gives a promise
      new RestEndpoint({ path: '/', parseResponse: () => 5 }),
    ])
  })
})

test('a sample of a body stands for its types, not for its values', () => {
  const create = new RestEndpoint({
    path: '/todo',
    method: 'POST',
    body: { name: '', count: 0, isDone: false, tags: [], at: { place: '' }, note: null },
  })
  expectTypeOf<Parameters<typeof create>[0]>().not.toBeAny()
  const body = { name: 'a', count: 5, isDone: true, tags: ['x'], at: { place: 'b' }, note: null }
  void create(body)
  // @ts-expect-error a name is text
  void create({ ...body, name: 5 })
  const named = new RestEndpoint({ path: '/todo', method: 'POST', body: {} as { kind: 'post' } })
  // @ts-expect-error a type that was named is taken as it is
  void named({ kind: 'link' })
  void named({ kind: 'post' })
})

test('search params that may be undefined are those beside it', () => {
  const search = {} as { done?: boolean } | undefined
  const getTodos = new RestEndpoint({ path: '/todo', schema: [Todo], searchParams: search })
  expectTypeOf<RestArgs<{ path: '/todo'; searchParams: { done?: boolean } | undefined }>>().toEqualTypeOf<
    RestArgs<{ path: '/todo'; searchParams: { done?: boolean } }>
  >()
  check(() => {
    getTodos.key()
    getTodos.key({ done: true })
    getTodos.extend({ searchParams: {} as { page?: number } | undefined }).key({ page: 2 })
    // @ts-expect-error no such param
    getTodos.key({ other: true })
  })
})
