import { describe, expectTypeOf, test } from 'vitest'
import { Endpoint } from '../endpoint/endpoint.js'
import type { DataOf } from '../endpoint/endpoint.js'
import { GQLEndpoint } from '../graphql/gql-endpoint.js'
import * as schema from '../lists/namespace.js'
import { Entity } from '../schema/entity.js'
import { EntityMixin } from '../schema/entity-mixin.js'
import type { Schema } from '../schema/schema.js'
import { Controller } from '../controller/controller.js'
import { Resource } from '../legacy.js'
import { optimistic } from '../optimistic.js'
import { createResource } from './resource.js'
import { RestEndpoint } from './rest-endpoint.js'
import type { RestOptions } from './rest-types.js'

class Todo extends Entity {
  id = 0
  title = ''
  due: Date | undefined
  static override schema = { due: Date }
}
/** Its schema names a field that it does not declare. */
class Misnamed extends Entity {
  id = 0
  todo: Todo | undefined
  static override schema = { tood: Todo }
}

/** Type-checks a function without running it. */
declare function check(act: () => unknown): void

describe('a likely misspelling of an option', () => {
  const path = '/todo/:id'
  const read = new RestEndpoint({ path, schema: Todo })

  test('does not compile, where an endpoint is made', () => {
    check(() => [
      // @ts-expect-error a letter is missing
      new RestEndpoint({ path, urlPrefx: '/api' }),
      // @ts-expect-error a letter is missing
      new RestEndpoint({ path, pollFrequncy: 5 }),
      // @ts-expect-error two letters are swapped
      new RestEndpoint({ path, shcema: Todo }),
      // @ts-expect-error another letter
      new RestEndpoint({ path, dataExpireLength: 5 }),
      // @ts-expect-error a letter too many
      new RestEndpoint({ path, searchParrams: { author: 0 } }),
      // @ts-expect-error another case
      new RestEndpoint({ path, URLPrefix: '/api' }),
      // @ts-expect-error also beside an option of its own
      new RestEndpoint({ path, tenant: 5, urlPrefx: '/api' }),
      // @ts-expect-error an Endpoint has these options too
      new Endpoint(async () => 1, { name: 'one', pollFrequncy: 5 }),
      // @ts-expect-error so has a GraphQL endpoint
      new GQLEndpoint('/graphql', { partialDat: 'keep' }),
      // @ts-expect-error an option of resources
      createResource({ path, schema: Todo, urlPrefx: '/api' }),
    ])
  })

  test('does not compile, where an endpoint is extended', () => {
    check(() => [
      // @ts-expect-error a letter is missing
      read.extend({ pollFrequncy: 5 }),
      // @ts-expect-error also beside a right one
      read.extend({ name: 'read', pollFrequncy: 5 }),
      // @ts-expect-error also for an Endpoint
      new Endpoint(async () => 1, { name: 'one' }).extend({ pollFrequncy: 5 }),
      // @ts-expect-error also for a member of a resource
      createResource({ path, schema: Todo }).getList.extend({ name: 'list', urlPrefx: '/api' }),
      // @ts-expect-error also for GraphQL
      new GQLEndpoint('/graphql').extend({ name: 'read', partialDat: 'keep' }),
    ])
  })

  test('is none of the options of a subclass', () => {
    class Tenant<const Options extends RestOptions & { tenant?: number }> extends RestEndpoint<Options> {
      readonly made: Options
      constructor(options: Options) {
        super(options)
        this.made = options
      }
    }
    class Inherited<const Options extends RestOptions> extends RestEndpoint<Options> {}
    class Plain extends RestEndpoint {
      readonly tenant: number
      constructor(options: RestOptions & { readonly tenant: number }) {
        super(options)
        this.tenant = options.tenant
      }
    }
    const own = new Inherited({ path, schema: Todo, tenant: 5, context: 'x', schemas: [], methodOf: 1 })
    expectTypeOf<DataOf<typeof own>>().toEqualTypeOf<Todo>()
    expectTypeOf(own).toBeCallableWith({ id: 5 })
    expectTypeOf(own.extend({ tenant: 6 })).toBeCallableWith({ id: 5 })
    check(() => [
      new Tenant({ path, schema: Todo, tenant: 5 }),
      new Plain({ path, tenant: 5 }),
      new RestEndpoint({ path, retry: 3, pauseOffline: true, throttle: false }),
      // @ts-expect-error a letter is missing
      new Inherited({ path, tenant: 5, urlPrefx: '/api' }),
    ])
  })
})

describe('the class of the members of a resource', () => {
  test('may have no type parameters', () => {
    class Auth extends RestEndpoint {
      override getRequestInit(body?: unknown): RequestInit {
        return { ...super.getRequestInit(body), credentials: 'same-origin' }
      }
    }
    class Async extends RestEndpoint {
      override async getRequestInit(body: unknown) {
        return { ...(await super.getRequestInit(body)), credentials: 'same-origin' as const }
      }
    }
    const { get, create } = createResource({ path: '/todo/:id', schema: Todo, Endpoint: Auth })
    expectTypeOf<DataOf<typeof get>>().toEqualTypeOf<Todo>()
    expectTypeOf(create).toBeCallableWith({ title: 'x' })
    check(() => [
      createResource({ path: '/todo/:id', schema: Todo, Endpoint: Async }),
      // @ts-expect-error no class of REST endpoints
      createResource({ path: '/todo/:id', schema: Todo, Endpoint: GQLEndpoint }),
      // @ts-expect-error `optimistic` is imported, in the published types too
      createResource({ path: '/todo/:id', schema: Todo, optimistic: true }),
      // @ts-expect-error the option is `Endpoint`
      createResource({ path: '/todo/:id', schema: Todo, endpoint: Auth }),
    ])
  })
})

describe('an option of generation 5.1', () => {
  test('is refused where its name has another meaning here, or none', () => {
    const { create } = createResource({ path: '/todo/:id', schema: Todo })
    const optimisticUpdate = (_params: object, body: object) => body
    class Old extends Resource {
      id = 0
      static override create<T extends typeof Resource>(this: T) {
        // @ts-expect-error nothing reads it
        return super.create().extend({ schema: this, optimisticUpdate })
      }
    }
    check(() => [
      Old,
      // @ts-expect-error nothing reads it
      create.extend({ schema: Todo, optimisticUpdate }),
      // @ts-expect-error nor here
      new Endpoint(async () => 1, { sideEffect: true }).extend({ name: 'send', optimisticUpdate }),
    ])
  })
})

describe('a body of a GET', () => {
  test('makes its calls an error', () => {
    const { getList } = createResource({ path: '/todo/:id', schema: Todo })
    const withBody = getList.extend({ body: {} as Partial<Todo> })
    const searched = getList.extend({ method: 'POST', sideEffect: false, body: {} as Partial<Todo> })
    expectTypeOf(searched).toBeCallableWith({ title: 'x' })
    check(() => [
      // @ts-expect-error it has no body
      withBody({ title: 'x' }),
      // @ts-expect-error also beside params
      withBody({ tenant: 'a' }, { title: 'x' }),
    ])
  })
})

describe('what the steps of an endpoint see', () => {
  test('`this` of a fetch of its own can be passed on, and gives the type of the endpoint', () => {
    const { create, get } = createResource({ path: '/todo/:id', schema: Todo })
    create.extend({
      async fetch(body: Partial<Todo>) {
        const made = await create.call(this, body)
        expectTypeOf(made).toEqualTypeOf<Todo>()
        return made
      },
    })
    get.extend({
      async fetch(...args: Parameters<typeof get>) {
        const found = await get.call(this, ...args)
        expectTypeOf(found).toEqualTypeOf<Todo>()
        return found
      },
    })
  })

  test('the init of a base class may be a promise, so that it is awaited', () => {
    class Awaited extends RestEndpoint {
      override async getRequestInit(body?: unknown) {
        const init = await super.getRequestInit(body)
        expectTypeOf(init).toEqualTypeOf<RequestInit>()
        return { ...init, credentials: 'same-origin' as const }
      }
    }
    class Spread extends RestEndpoint {
      override getRequestInit(body?: unknown): RequestInit {
        return { ...super.getRequestInit(body), credentials: 'same-origin' }
      }
    }
    class Unawaited extends RestEndpoint {
      override getRequestInit(body?: unknown): RequestInit {
        // @ts-expect-error a promise has no headers
        const { headers } = super.getRequestInit(body)
        return { headers: headers as HeadersInit }
      }
    }
    check(() => [Awaited, Spread, Unawaited])
  })

  test('`this` of parseResponse has the schema of the list', () => {
    class Linked<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {
      override async parseResponse(response: Response) {
        const results = await super.parseResponse(response)
        const isLinked = typeof this.schema === 'object' && 'results' in this.schema
        return isLinked ? { results, link: response.headers.get('link') } : results
      }
    }
    const { getList } = createResource({ path: '/todo/:id', schema: Todo, Endpoint: Linked })
    const linked = getList.extend({ schema: { results: [Todo], link: '' } })
    expectTypeOf<DataOf<typeof linked>>().toEqualTypeOf<{ results: Todo[]; link: string }>()
    expectTypeOf<DataOf<typeof linked.getPage>>().toEqualTypeOf<{ results: Todo[]; link: string }>()
  })
})

describe('push and unshift', () => {
  test('take the params of the list before the body', () => {
    const { getList } = createResource({ path: '/todo/:id', schema: Todo, searchParams: { tenant: '' } })
    const { getList: anyList } = createResource({ path: '/:team/todo/:id', schema: Todo })
    expectTypeOf(getList.push).toBeCallableWith({ title: 'x' })
    expectTypeOf(getList.push).toBeCallableWith({ tenant: 'a' }, { title: 'x' })
    expectTypeOf(getList.unshift).toBeCallableWith({ tenant: 'a' }, { title: 'x' })
    expectTypeOf(anyList.push).toBeCallableWith({ team: 1, tenant: 'a' }, { title: 'x' })
    check(() => [
      // @ts-expect-error the list has no such param
      getList.push({ tenat: 'a' }, { title: 'x' }),
      // @ts-expect-error the path needs a team
      anyList.push({ tenant: 'a' }, { title: 'x' }),
    ])
  })
})

describe('an optimistic response', () => {
  const path = '/todo/:id'
  const { create, partialUpdate, update, delete: remove, getList } = createResource({ path, schema: Todo })

  test('is one that the schema can read', () => {
    const wrong = optimistic((_, { id }: { id: number }) => ({ id, title: 5 }))
    const list = optimistic(() => [{ id: 1, title: 'x' }])
    const record = optimistic(() => ({ id: 1, title: 'x' }))
    const clock = optimistic(({ now }) => ({ title: now }))
    const created = optimistic(({ temporaryId }, body: Partial<Todo>) => ({ ...body, id: temporaryId }))
    const changed = optimistic((snapshot, { id }: { id: number }) => {
      const todo = snapshot.get(Todo, { id })
      return todo && { ...todo, title: 'x', due: '2026-01-01' }
    })
    const send = async () => ({})
    check(() => [
      partialUpdate.extend({ getOptimisticResponse: optimistic((_, { id }, body) => ({ id, ...body })) }),
      partialUpdate.extend({ getOptimisticResponse: changed }),
      create.extend({ getOptimisticResponse: created }),
      getList.push.extend({ getOptimisticResponse: created }),
      remove.extend({ getOptimisticResponse: optimistic((_, params) => params) }),
      new Endpoint(send, { schema: [Todo], sideEffect: true, getOptimisticResponse: list }),
      // @ts-expect-error the title is a text
      partialUpdate.extend({ getOptimisticResponse: wrong }),
      // @ts-expect-error a time is none
      partialUpdate.extend({ getOptimisticResponse: clock }),
      // @ts-expect-error one record, no list
      partialUpdate.extend({ getOptimisticResponse: list }),
      // @ts-expect-error also where the endpoint is made
      new RestEndpoint({ path, schema: Todo, method: 'PUT', getOptimisticResponse: wrong }),
      // @ts-expect-error a list, also for an Endpoint
      new Endpoint(send, { schema: [Todo], sideEffect: true, getOptimisticResponse: record }),
    ])
  })

  test('is an option of one endpoint, and `optimistic` one of a resource', () => {
    const send = new Endpoint(async () => ({}), { schema: Todo, sideEffect: true })
    const change = new GQLEndpoint('/graphql').mutation('mutation { change { id } }', { change: Todo })
    const shared = { optimistic, urlPrefix: '/api' }
    check(() => [
      new RestEndpoint({ ...shared, path, method: 'POST' }),
      // @ts-expect-error nothing reads it
      partialUpdate.extend({ optimistic }),
      // @ts-expect-error also with another option
      getList.push.extend({ ...shared, schema: Todo }),
      // @ts-expect-error nor here
      send.extend({ optimistic }),
      // @ts-expect-error nor here
      change.extend({ optimistic }),
    ])
  })

  test('of a GraphQL mutation is one that its schema can read, from its variables', () => {
    const gql = new GQLEndpoint('/graphql')
    const change = gql.mutation(
      (_variables: { id: number }) => 'mutation ($id: ID!) { change(id: $id) { id } }',
      {
        change: Todo,
      },
    )
    const known = optimistic((_, { id }: { id: number }) => ({ change: { id, title: 'x' } }))
    const wrong = optimistic((_, { id }: { id: number }) => ({ change: { id, title: 5 } }))
    const bare = optimistic((_, { id }: { id: number }) => ({ id, title: 'x' }))
    const renamed = optimistic((_, { uuid }: { uuid: number }) => ({ change: { id: uuid } }))
    const count = gql.mutation('mutation { count }')
    check(() => [
      change.extend({ getOptimisticResponse: known }),
      change.extend({ getOptimisticResponse: known, dataExpiryLength: 5 }),
      change.extend({ getOptimisticResponse: optimistic((_, { id }) => ({ change: { id } })) }),
      count.extend({ getOptimisticResponse: optimistic(() => ({ count: 1 })) }),
      change.extend({ schema: Todo, getOptimisticResponse: bare }),
      // @ts-expect-error the title is a text
      change.extend({ getOptimisticResponse: wrong }),
      // @ts-expect-error the record stands in a field
      change.extend({ getOptimisticResponse: bare }),
      // @ts-expect-error no such variable
      change.extend({ getOptimisticResponse: renamed }),
    ])
  })

  test('has the params of its endpoint', () => {
    const known = optimistic((_, { id }: { id: number }, body: Partial<Todo>) => ({ ...body, id }))
    const unknown = optimistic((_, { uuid }: { uuid: number }) => ({ id: uuid }))
    check(() => [
      update.extend({ getOptimisticResponse: known }),
      // @ts-expect-error the path has an id
      update.extend({ getOptimisticResponse: unknown }),
    ])
  })
})

describe('a response that is set', () => {
  test('is one that the schema can read', () => {
    const controller = new Controller()
    const { get, getList, create } = createResource({ path: '/todo/:id', schema: Todo })
    check(() => [
      controller.setResponse(get, { id: 5 }, { id: 5, due: '2026-01-01' }),
      controller.setResponse(getList, [{ id: 5 }]),
      controller.resolve(create, { args: [{ title: 'x' }], response: null }),
      // @ts-expect-error the title is a text
      controller.setResponse(get, { id: 5 }, { id: 5, title: 7 }),
      // @ts-expect-error one record, no list
      controller.setResponse(get, { id: 5 }, [{ id: 5 }]),
      // @ts-expect-error a list
      controller.setResponse(getList, { id: 5 }),
      // @ts-expect-error the title is a text
      controller.resolve(get, { args: [{ id: 5 }], response: { id: 5, title: 7 } }),
    ])
  })
})

describe('a field that a static schema names, and its class does not declare', () => {
  const path = '/misnamed/:id'

  test('does not compile, where the class is used', () => {
    check(() => [
      // @ts-expect-error "tood"
      createResource({ path, schema: Misnamed }),
      // @ts-expect-error in an object
      createResource({ path, schema: { data: Misnamed } }),
      // @ts-expect-error in an endpoint
      new RestEndpoint({ path, schema: Misnamed }),
      // @ts-expect-error in a list
      new RestEndpoint({ path, schema: { items: [Misnamed], next: '' } }),
      // @ts-expect-error where an endpoint is extended
      new RestEndpoint({ path }).extend({ schema: Misnamed }),
      // @ts-expect-error in an Endpoint of another protocol
      new Endpoint(async () => 1, { name: 'one', schema: Misnamed }),
    ])
  })

  test('does not compile in a mixin', () => {
    class Plain {
      id = 0
      todo: Todo | undefined
    }
    check(() => [
      class extends EntityMixin(Plain, { key: 'Right', schema: { todo: Todo } }) {},
      // @ts-expect-error "tood"
      class extends EntityMixin(Plain, { key: 'Wrong', schema: { tood: Todo } }) {},
    ])
  })

  test('is none of what it inherits, and none that is told later', () => {
    class Detail extends Todo {
      text = ''
      todos: Todo[] = []
      static override schema = { ...super.schema, todos: [Todo] }
    }
    class Later extends Entity {
      id = 0
      next: Later | undefined
    }
    Later.schema = { next: Later }
    const many = new RestEndpoint({ path, schema: { detail: Detail, later: new schema.Values(Later) } })
    expectTypeOf<DataOf<typeof many>['detail']>().toEqualTypeOf<Detail>()
    expectTypeOf<DataOf<typeof many>['later']>().toEqualTypeOf<{ [key: string]: Later }>()
    check(() => createResource({ path, schema: Later }))
  })

  test('leaves functions of a schema as they are', () => {
    const resourceOf = <const S extends Schema>(of: S) => createResource({ path, schema: of })
    const endpointOf = <const S extends Schema>(of: S) => new RestEndpoint({ path, schema: [of] })
    expectTypeOf<DataOf<ReturnType<typeof resourceOf<typeof Todo>>['get']>>().toEqualTypeOf<Todo>()
    expectTypeOf<DataOf<ReturnType<typeof endpointOf<typeof Todo>>>>().toEqualTypeOf<Todo[]>()
  })
})
