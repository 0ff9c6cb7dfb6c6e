import { describe, expectTypeOf, test } from 'vitest'
import type { ArgsOf, DataOf, ReadEndpoint } from '../endpoint/endpoint.js'
import { Entity } from '../schema/entity.js'
import { Collection } from '../lists/collection-class.js'
import { Counted } from '../lists/counted.js'
import { Query } from '../schema/query.js'
import { createResource } from './resource.js'
import type { Resource } from './resource.js'
import { RestEndpoint } from './rest-endpoint.js'
import type { RestOptions } from './rest-types.js'

class Todo extends Entity {
  id = 0
  title = ''
}

/** Type-checks a function without running it. */
declare function check(act: () => unknown): void

const todo = createResource({ path: '/:group/:id', schema: Todo })

test('a counted list has the members of its Collection', () => {
  const items = new Collection([Todo])
  const list = todo.getList.extend({ schema: new Counted({ items, total: 0 }, 'total') })
  const plain = todo.getList.extend({ schema: { items, total: 0 } })
  expectTypeOf<ArgsOf<typeof list.unshift>>().toEqualTypeOf<ArgsOf<typeof plain.unshift>>()
  expectTypeOf(list.push({ group: 'a' }, { title: 'x' })).resolves.toEqualTypeOf<Todo>()
  check(() => [
    list.move({ group: 'a', id: 5 }, { title: 'x' }),
    // @ts-expect-error a Todo has no such field
    list.push({ group: 'a' }, { name: 'x' }),
  ])
})

describe('getPage', () => {
  const { getPage } = todo.getList

  test('takes the params of the list and the param of the page, and gives the page', () => {
    expectTypeOf(getPage({ group: 'a', cursor: 2 })).resolves.toEqualTypeOf<Todo[]>()
    expectTypeOf(getPage).toBeCallableWith({ group: 'a', cursor: 'x', author: 5 })
    expectTypeOf<DataOf<typeof getPage>>().toEqualTypeOf<Todo[]>()
    expectTypeOf(getPage).toExtend<ReadEndpoint>()
    check(() => [
      // @ts-expect-error the cursor is missing
      getPage({ group: 'a' }),
      // @ts-expect-error `group` is missing
      getPage({ cursor: 2 }),
      // @ts-expect-error the params are missing
      getPage(),
      // @ts-expect-error a cursor is text or a number
      getPage({ group: 'a', cursor: true }),
      // @ts-expect-error only hooks take null
      getPage(null),
      // @ts-expect-error a GET has no body
      getPage({ group: 'a', cursor: 2 }, {}),
    ])
  })

  test('is there where the options name the param', () => {
    expectTypeOf(todo.get.getPage).toEqualTypeOf<undefined>()
    expectTypeOf(getPage.getPage).toEqualTypeOf<undefined>()
    const named = new RestEndpoint({ path: '/todo', schema: [Todo], paginationField: 'page' })
    expectTypeOf(named.getPage({ page: 2 })).resolves.toEqualTypeOf<Todo[]>()
    const plain = new RestEndpoint({ path: '/todo', schema: [Todo] })
    expectTypeOf(plain.getPage).toEqualTypeOf<undefined>()
    check(() => [
      // @ts-expect-error the param is called page
      named.getPage({ cursor: 2 }),
      // @ts-expect-error the name of a param is text
      new RestEndpoint({ path: '/todo', schema: [Todo], paginationField: 5 }),
      // @ts-expect-error nothing names a page
      plain.getPage({ page: 2 }),
    ])
  })

  test('follows extend and the schema', () => {
    const paged = todo.getList.extend({
      schema: { results: new Collection([Todo]), nextPage: '' },
      paginationField: 'page',
    })
    expectTypeOf(paged.getPage({ group: 'a', page: 2 })).resolves.toEqualTypeOf<{
      results: Todo[]
      nextPage: string
    }>()
    const other = todo.getList.extend({ path: '/all' })
    expectTypeOf(other.getPage).toBeCallableWith({ cursor: 2 })
    check(() => [
      // @ts-expect-error the param is called page
      paged.getPage({ group: 'a', cursor: 2 }),
    ])
  })
})

describe('paginated (4.4)', () => {
  const named = todo.getList.extend({ searchParams: {} as { author?: number } })

  test('is called with what its function takes', () => {
    const next = todo.getList.paginated(
      ({ cursor: _cursor, ...rest }: { cursor: string | number; group: string }) => [rest],
    )
    expectTypeOf<ArgsOf<typeof next>>().toEqualTypeOf<[{ cursor: string | number; group: string }]>()
    expectTypeOf(next({ cursor: 1, group: 'a' })).resolves.toEqualTypeOf<Todo[]>()
    expectTypeOf(next).toExtend<ReadEndpoint>()
    check(() => [
      // @ts-expect-error the group is missing
      next({ cursor: 1 }),
      // @ts-expect-error the cursor is missing
      next({ group: 'a' }),
    ])
  })

  test('takes a function that gives the arguments of the list, or none', () => {
    const flat = createResource({ path: '/todo/:id', schema: Todo })
    flat.getList.paginated(({ cursor: _cursor, ...rest }: { cursor: string | number }) =>
      Object.keys(rest).length > 0 ? [rest] : [],
    )
    check(() => [
      // @ts-expect-error the list needs a group
      named.paginated(({ cursor: _cursor, ...rest }: { cursor: string }) => [rest]),
      // @ts-expect-error the author is a number
      named.paginated(({ cursor }: { cursor: string }) => [{ group: 'a', author: cursor }]),
      // @ts-expect-error arguments are a list
      named.paginated(({ group }: { group: string }) => ({ group })),
      // @ts-expect-error the list is named by text
      named.paginated(({ group }: { group: string }) => [{ group }], { list: 5 }),
    ])
  })
})

describe('content', () => {
  test('says what the body is read as', () => {
    const path = '/file'
    expectTypeOf(new RestEndpoint({ path, content: 'text' })()).resolves.toEqualTypeOf<string>()
    expectTypeOf(new RestEndpoint({ path, content: 'blob' })()).resolves.toEqualTypeOf<Blob>()
    expectTypeOf(new RestEndpoint({ path, content: 'arrayBuffer' })()).resolves.toEqualTypeOf<ArrayBuffer>()
    expectTypeOf(new RestEndpoint({ path, content: 'stream' })()).resolves.toEqualTypeOf<
      ReadableStream<Uint8Array>
    >()
    expectTypeOf(new RestEndpoint({ path, content: 'json' })()).resolves.toEqualTypeOf<unknown>()
    expectTypeOf(new RestEndpoint({ path, content: 'json', schema: Todo })()).resolves.toEqualTypeOf<Todo>()
    const size = new RestEndpoint({ path, content: 'blob', process: (blob: Blob) => blob.size })
    expectTypeOf(size()).resolves.toEqualTypeOf<number>()
    const text = new RestEndpoint({ path, content: 'blob' }).extend({ content: 'text' })
    expectTypeOf(text()).resolves.toEqualTypeOf<string>()
    check(() => [
      // @ts-expect-error no such way
      new RestEndpoint({ path, content: 'xml' }),
    ])
  })
})

describe('the options of a resource', () => {
  test('searchParams names those of getList', () => {
    const named = createResource({
      path: '/:group/:id',
      schema: Todo,
      searchParams: { author: 0, sort: 'date' as 'date' | 'title' },
    })
    expectTypeOf(named.getList).toBeCallableWith({ group: 'a' })
    expectTypeOf(named.getList).toBeCallableWith({ group: 'a', author: 5, sort: 'title' })
    expectTypeOf(named.getList.getPage).toBeCallableWith({ group: 'a', cursor: 'x', author: 5 })
    check(() => [
      // @ts-expect-error `auther` is none of them
      named.getList({ group: 'a', auther: 5 }),
      // @ts-expect-error the author is a number
      named.getList({ group: 'a', author: 'x' }),
      // @ts-expect-error only two orders
      named.getList({ group: 'a', sort: 'size' }),
      // @ts-expect-error other members have none
      named.get({ group: 'a', id: 5, author: 5 }),
      // @ts-expect-error search params are an object
      createResource({ path: '/:group/:id', schema: Todo, searchParams: 'author' }),
    ])
  })

  test('paginationField names that of a page', () => {
    const paged = createResource({ path: '/todo/:id', schema: Todo, paginationField: 'page' })
    expectTypeOf(paged.getList.getPage).toBeCallableWith({ page: 2 })
    check(() => [
      // @ts-expect-error the param is called page
      paged.getList.getPage({ cursor: 2 }),
    ])
  })

  test('are those of every endpoint, but for what members differ in', () => {
    const resource = createResource({
      path: '/todo/:id',
      schema: Todo,
      dataExpiryLength: 5,
      errorExpiryLength: 5,
      errorPolicy: () => 'soft',
      invalidIfStale: true,
      policy: 'cache-first',
      searchToString: () => '',
      getHeaders: (headers) => headers,
      getRequestInit: () => ({}),
      fetchResponse: (url, init) => fetch(url, init),
      parseResponse: (response) => response.json(),
      content: 'json',
    })
    expectTypeOf(resource).toEqualTypeOf<Resource<'/todo/:id', typeof Todo>>()
    const options = { path: '/todo/:id', schema: Todo } as const
    check(() => [
      // @ts-expect-error a length is a number
      createResource({ ...options, dataExpiryLength: '5' }),
      // @ts-expect-error members have their own keys
      createResource({ ...options, key: () => '' }),
      // @ts-expect-error members have their own side effects
      createResource({ ...options, sideEffect: true }),
      // @ts-expect-error members have their own process
      createResource({ ...options, process: () => 5 }),
      // @ts-expect-error no such option
      createResource({ ...options, dataExpiry: 5 }),
    ])
  })

  test('infer in a function that wraps it', () => {
    class Api<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {}
    function createMine<const Path extends string, S extends typeof Todo>(options: {
      readonly path: Path
      readonly schema: S
    }) {
      return createResource({ Endpoint: Api, ...options, paginationField: 'page' })
    }
    const mine = createMine({ path: '/:group/:id', schema: Todo })
    expectTypeOf(mine.getList.getPage({ group: 'a', page: 2 })).resolves.toEqualTypeOf<Todo[]>()
  })
})

test('paginated takes the name of the param as well', () => {
  const getNext = todo.getList.paginated('after')
  expectTypeOf(getNext({ group: 'a', after: 2 })).resolves.toEqualTypeOf<Todo[]>()
  check(() => [
    // @ts-expect-error the param of the page is missing
    getNext({ group: 'a' }),
  ])
})

describe('endpoints that change lists', () => {
  const { getList } = todo

  test('take params and the fields of a record, and give the record', () => {
    expectTypeOf(getList.push({ group: 'a' }, { title: 'x' })).resolves.toEqualTypeOf<Todo>()
    expectTypeOf(getList.unshift({ group: 'a' }, { title: 'x' })).resolves.toEqualTypeOf<Todo>()
    expectTypeOf(getList.move({ group: 'a', id: 5 }, { title: 'x' })).resolves.toEqualTypeOf<Todo>()
    expectTypeOf(getList.remove({ group: 'a', id: 5 }, { title: 'x' })).resolves.toEqualTypeOf<Todo>()
    const wrapped = new RestEndpoint({
      path: '/todo',
      schema: { results: new Collection([Todo]), nextPage: '' },
    })
    expectTypeOf(wrapped.push({ title: 'x' })).resolves.toEqualTypeOf<Todo>()
    expectTypeOf(wrapped.move({ id: 5 }, { title: 'x' })).resolves.toEqualTypeOf<Todo>()
    check(() => [
      // @ts-expect-error `id` names the record
      getList.move({ group: 'a' }, { title: 'x' }),
      // @ts-expect-error no such field
      getList.push({ group: 'a' }, { name: 'x' }),
      // @ts-expect-error it changes data, so that no hook reads it
      (): ReadEndpoint => getList.push,
    ])
  })

  test('are those of the Collection inside of a Query', () => {
    const titles = new Query({ results: new Collection([Todo]), next: '' }, ({ results }) =>
      results.map(({ title }) => title),
    )
    const getTitles = new RestEndpoint({ path: '/todo', schema: titles, paginationField: 'cursor' })
    check(() => {
      expectTypeOf(getTitles.push({ title: 'x' })).resolves.toEqualTypeOf<Todo>()
      expectTypeOf(getTitles.getPage({ cursor: 2 })).resolves.toEqualTypeOf<string[]>()
      expectTypeOf(
        new RestEndpoint({ path: '/todo', schema: new Query([Todo]) }).push,
      ).toEqualTypeOf<undefined>()
    })
  })

  test('are there where the schema has a Collection', () => {
    expectTypeOf(todo.get.push).toEqualTypeOf<undefined>()
    expectTypeOf(new RestEndpoint({ path: '/todo', schema: [Todo] }).push).toEqualTypeOf<undefined>()
  })
})

test('a resource takes further members, and others in the place of some', () => {
  const extended = todo.extend(({ get, getList }) => ({
    getFirst: getList.extend({ schema: { first: Todo } }),
    get: get.extend({ schema: { data: Todo } }),
  }))
  expectTypeOf(extended.getFirst({ group: 'a' })).resolves.toEqualTypeOf<{ first: Todo }>()
  expectTypeOf(extended.get({ group: 'a', id: 5 })).resolves.toEqualTypeOf<{ data: Todo }>()
  expectTypeOf(extended.delete).toEqualTypeOf<typeof todo.delete>()
  const twice = extended.extend({ getOthers: todo.getList })
  expectTypeOf(twice.getFirst).toEqualTypeOf<typeof extended.getFirst>()
  expectTypeOf(twice.getOthers).toEqualTypeOf<typeof todo.getList>()
})
