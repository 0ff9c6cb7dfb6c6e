import { describe, expectTypeOf, test } from 'vitest'
import { Controller, Endpoint, Entity, Query, schema } from '../index.js'
import { dehydrate, hydrate } from '../hydration.js'
import type { DehydratedState } from '../hydration.js'
import type {
  Action,
  Clock,
  ExpiryStatus,
  Middleware,
  Progress,
  ReadResult,
  Schema,
  Updates,
} from '../index.js'
import { connect } from '../live.js'
import { RestEndpoint, createResource } from '../rest.js'

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}
class Todo extends Entity {
  id = 0
  title = ''
  done = false
  owner: User | undefined
  static override key = 'Todo'
  static override schema = { owner: User }
  get shout() {
    return this.title.toUpperCase()
  }
}
class Note extends Entity {
  id = 0
  text = ''
  static override key = 'Note'
}

declare const controller: Controller
/** Type-checks a function without running it. */
declare function check(act: () => unknown): void

const todos = createResource({ path: '/:group/todo/:id', schema: Todo })
const getUser = new Endpoint(async ({ id }: { id: number }) => ({ id, name: '' }), { schema: User })
const getCount = new Endpoint(async () => 5)
const search = new Endpoint(async (text?: string) => [text ?? ''])
const save = new Endpoint(async (_id: number, _body: { name: string }) => ({ ok: true }), {
  sideEffect: true,
})
const lists = new schema.Collection([Todo])
const openTodos = new Query(new schema.All(Todo), (all, { done }: { done: boolean }) =>
  all.filter((todo) => todo.done === done),
)
const one = { group: 'a', id: 5 }

describe('new Controller', () => {
  test('takes lengths, a policy, a clock and middleware', () => {
    check(() => [
      new Controller(),
      new Controller({ dataExpiryLength: Infinity, policy: 'cache-first', maxRecords: undefined }),
      // @ts-expect-error a length is a number
      new Controller({ dataExpiryLength: '60' }),
      // @ts-expect-error a policy is one of three
      new Controller({ policy: 'never' }),
      // @ts-expect-error a clock has timers
      new Controller({ clock: { now: () => 0 } }),
      // @ts-expect-error a middleware is a function from the Controller
      new Controller({ middleware: [{ before() {} }] }),
      // @ts-expect-error there is no such option
      new Controller({ expiryLength: 5 }),
    ])
    expectTypeOf(controller.clock).toEqualTypeOf<Clock>()
  })
})

describe.each(['fetch', 'fetchIfStale'] as const)('%s', (name) => {
  test('resolves with the data of the schema, and without one with what the function gives', () => {
    expectTypeOf(controller[name](todos.get, one)).toEqualTypeOf<Promise<Todo>>()
    expectTypeOf(controller[name](todos.getList, { group: 'a' })).resolves.toEqualTypeOf<Todo[]>()
    expectTypeOf(controller[name](getUser, { id: 5 })).resolves.toEqualTypeOf<User>()
    expectTypeOf(controller[name](getCount)).resolves.toEqualTypeOf<number>()
    expectTypeOf(controller[name](search)).resolves.toEqualTypeOf<string[]>()
  })

  test('of a mutation resolves with the record; of a delete with the processed answer', () => {
    expectTypeOf(
      controller[name](todos.create, { group: 'a' }, { title: 'x' }),
    ).resolves.toEqualTypeOf<Todo>()
    expectTypeOf(
      controller[name](todos.create.extend({ mayBeEmpty: true }), { group: 'a' }, { title: 'x' }),
    ).resolves.toEqualTypeOf<Todo | null>()
    expectTypeOf(controller[name](todos.delete, one)).resolves.toEqualTypeOf<object>()
    expectTypeOf(controller[name](save, 5, { name: 'x' })).resolves.toEqualTypeOf<{ ok: boolean }>()
  })

  test('takes the arguments of the call', () => {
    check(() => [
      controller[name](todos.get, { group: 'a', id: '5' }),
      controller[name](search, 'x'),
      // @ts-expect-error "id" is missing
      controller[name](todos.get, { group: 'a' }),
      // @ts-expect-error the params are missing
      controller[name](todos.get),
      // @ts-expect-error a title is text
      controller[name](todos.create, { group: 'a' }, { title: 5 }),
      // @ts-expect-error there is no argument
      controller[name](getCount, 5),
      // @ts-expect-error only hooks take null
      controller[name](todos.get, null),
      // @ts-expect-error a Query is never fetched
      controller[name](openTodos, { done: true }),
      // @ts-expect-error a function alone is no endpoint
      controller[name](async () => 5),
    ])
  })
})

describe('invalidate', () => {
  test('takes the arguments by which the call is named', () => {
    expectTypeOf(controller.invalidate(todos.get, one)).toEqualTypeOf<void>()
    check(() => [
      controller.invalidate(getCount),
      controller.invalidate({ key: (id: number) => `call ${id}` }, 5),
      // @ts-expect-error "id" is missing
      controller.invalidate(todos.get, { group: 'a' }),
      // @ts-expect-error the id is a number
      controller.invalidate({ key: (id: number) => `call ${id}` }, 'x'),
    ])
  })
})

describe('invalidateAll, expireAll and refetchStale', () => {
  test('take what knows keys, or endpoints', () => {
    check(() => [
      controller.invalidateAll(todos.getList),
      controller.expireAll(getCount),
      controller.expireAll({ testKey: (key) => key.startsWith('GET /a/') }),
      controller.refetchStale(),
      controller.refetchStale(
        (endpoint) => endpoint.name !== 'x',
        (error) => error.name === 'x',
      ),
      // @ts-expect-error a Query has no calls of its own
      controller.invalidateAll(openTodos),
      // @ts-expect-error a class is no endpoint
      controller.expireAll(Todo),
      // @ts-expect-error a key alone is no endpoint
      controller.invalidateAll('GET /a/todo'),
    ])
  })
})

describe('read and subscribe', () => {
  test('give data that may be missing, beside its error and age', () => {
    const result = controller.read(todos.get, one)
    expectTypeOf(result).toEqualTypeOf<ReadResult<Todo>>()
    expectTypeOf(result.data).toEqualTypeOf<Todo | undefined>()
    expectTypeOf(result.error).toEqualTypeOf<Error | undefined>()
    expectTypeOf(result.fetching).toEqualTypeOf<boolean>()
    expectTypeOf(result.progress).toEqualTypeOf<Progress | undefined>()
    expectTypeOf(result.status).toEqualTypeOf<ExpiryStatus>()
    expectTypeOf(result.expiresAt).toEqualTypeOf<number>()
    expectTypeOf(controller.read(openTodos, { done: true }).data).toEqualTypeOf<Todo[] | undefined>()
    expectTypeOf(controller.read(getCount).data).toEqualTypeOf<number | undefined>()
    check(() => [
      // @ts-expect-error "id" is missing
      controller.read(todos.get, { group: 'a' }),
      // @ts-expect-error what is read is read-only
      (result.data = undefined),
      // @ts-expect-error an Entity class is read by `get`
      controller.read(Todo, one),
    ])
  })

  test('the listener stands behind the arguments, where there are any', () => {
    const end = controller.subscribe(todos.get, one, (result) => {
      expectTypeOf(result).toEqualTypeOf<ReadResult<Todo>>()
    })
    expectTypeOf(end).toEqualTypeOf<() => void>()
    controller.subscribe(getCount, (result) => {
      expectTypeOf(result.data).toEqualTypeOf<number | undefined>()
    })
    controller.subscribe(openTodos, { done: true }, (result) => {
      expectTypeOf(result.data).toEqualTypeOf<Todo[] | undefined>()
    })
    controller.subscribe(search, (result) => {
      expectTypeOf(result.data).toEqualTypeOf<string[] | undefined>()
    })
    controller.subscribe(search, 'x', ({ data }) => {
      expectTypeOf(data).toEqualTypeOf<string[] | undefined>()
    })
    check(() => [
      // @ts-expect-error the listener is missing
      controller.subscribe(todos.get, one),
      // @ts-expect-error the params are missing
      controller.subscribe(todos.get, () => {}),
      // @ts-expect-error the listener is last
      controller.subscribe(todos.get, () => {}, one),
      // @ts-expect-error the data is no text
      controller.subscribe(getCount, ({ data }: { data: string | undefined }) => data),
    ])
  })
})

describe('get', () => {
  test('gives what the schema describes, or undefined', () => {
    expectTypeOf(controller.get(Todo, { id: 5 })).toEqualTypeOf<Todo | undefined>()
    expectTypeOf(controller.get(Todo, 5)).toEqualTypeOf<Todo | undefined>()
    expectTypeOf(controller.get(openTodos, { done: true })).toEqualTypeOf<Todo[] | undefined>()
    expectTypeOf(controller.get(lists, { group: 'a' })).toEqualTypeOf<Todo[] | undefined>()
    expectTypeOf(controller.get(new schema.All(Todo))).toEqualTypeOf<Todo[] | undefined>()
    expectTypeOf(controller.get({ todo: Todo }, { id: 5 })).toEqualTypeOf<{ todo: Todo } | undefined>()
    const item = new schema.Union({ todo: Todo, note: Note }, 'type')
    expectTypeOf(controller.get(item, { type: 'todo', id: 5 })).toEqualTypeOf<Todo | Note | undefined>()
    check(() => [
      // @ts-expect-error a record has a name
      controller.get(Todo),
      // @ts-expect-error a title is text
      controller.get(Todo, { done: 'x' }),
      // @ts-expect-error the Query has an argument
      controller.get(openTodos),
      // @ts-expect-error `done` is a boolean
      controller.get(openTodos, { done: 'x' }),
    ])
  })

  test('refuses what arguments cannot find, also in a Query or an object', () => {
    const one = { id: 5 }
    expectTypeOf(controller.get({ todo: Todo, note: Note }, one)).toEqualTypeOf<
      { todo: Todo; note: Note } | undefined
    >()
    const both = new Query({ todo: Todo, note: new schema.Optional(Note) }, ({ note }) => note)
    expectTypeOf(controller.get(both, one)).toEqualTypeOf<Note | undefined>()
    controller.get({ results: lists, next: '', tags: [] as string[] }, { group: 'a' })
    controller.get(Todo as Schema, one)
    check(() => [
      // @ts-expect-error a list without an identity
      controller.get([Todo], {}),
      // @ts-expect-error the same
      controller.get(new schema.Array(Todo), {}),
      // @ts-expect-error a map
      controller.get(new schema.Values(Todo), {}),
      // @ts-expect-error a deletion has no data
      controller.get(new schema.Delete(Todo), one),
      // @ts-expect-error a date
      controller.get(Date, {}),
      // @ts-expect-error a list in an object
      controller.get({ todos: [Todo] }, {}),
      // @ts-expect-error a Query over a list
      controller.get(new Query([Todo]), {}),
      // @ts-expect-error a Query over such a Query
      controller.get(new Query(new Query([Todo])), {}),
      // @ts-expect-error a change of lists
      controller.get(lists.push, {}),
      // @ts-expect-error an endpoint
      controller.get(todos.get, one),
      // @ts-expect-error a Query over an endpoint
      controller.get(new Query(todos.getList)),
    ])
  })
})

describe('set', () => {
  test('of an Entity class takes some of its fields', () => {
    expectTypeOf(controller.set(Todo, { id: 5 }, { title: 'x' })).toEqualTypeOf<void>()
    check(() => [
      controller.set(Todo, { id: 5 }, {}),
      controller.set(Todo, { id: 5 }, { title: 'x', done: true }),
      // @ts-expect-error a title is text
      controller.set(Todo, { id: 5 }, { title: 5 }),
      // @ts-expect-error there is no such field
      controller.set(Todo, { id: 5 }, { titel: 'x' }),
      // @ts-expect-error the arguments are an object
      controller.set(Todo, 5, { title: 'x' }),
      // @ts-expect-error the value is missing
      controller.set(Todo, { id: 5 }),
      // @ts-expect-error a record is an object
      controller.set(Todo, { id: 5 }, 'x'),
    ])
  })

  test('an updater is given the record that may be missing, and gives some of its fields', () => {
    controller.set(Todo, { id: 5 }, (todo) => {
      expectTypeOf(todo).toEqualTypeOf<Todo | undefined>()
      return { done: todo?.done !== true }
    })
    check(() => [
      // @ts-expect-error a title is text
      controller.set(Todo, { id: 5 }, () => ({ title: 5 })),
      // @ts-expect-error it gives something
      controller.set(Todo, { id: 5 }, () => {}),
    ])
  })

  test('of another schema takes what a server sends', () => {
    check(() => [
      controller.set(new schema.Delete(Todo), { id: 5 }, {}),
      controller.set(lists, { group: 'a' }, [{ id: '5' }]),
      controller.set(todos.getList.schema.push, { group: 'a' }, { id: 5 }),
      controller.set([Todo], {}, [{ id: 5 }]),
      // @ts-expect-error a text is no schema
      controller.set('Todo', { id: 5 }, {}),
      // @ts-expect-error the value is missing
      controller.set(lists, {}),
    ])
  })
})

describe('setResponse, setError and resolve', () => {
  test('take the arguments of the call, then the payload or the error', () => {
    expectTypeOf(controller.setResponse(todos.get, one, { id: 5 })).toEqualTypeOf<void>()
    expectTypeOf(controller.setError(todos.get, one, new Error())).toEqualTypeOf<void>()
    check(() => [
      controller.setResponse(getCount, 5),
      controller.setResponse(search, ['x']),
      controller.setResponse(search, 'x', ['x']),
      controller.setResponse(save, 5, { name: 'x' }, { ok: true }),
      controller.setError(getCount, new TypeError()),
      // @ts-expect-error the payload is missing
      controller.setResponse(todos.get, one),
      // @ts-expect-error "id" is missing
      controller.setResponse(todos.get, { group: 'a' }, {}),
      // @ts-expect-error the error is missing
      controller.setError(todos.get, one),
      // @ts-expect-error an error is an Error
      controller.setError(todos.get, one, 'failed'),
    ])
  })

  test('resolve takes one outcome', () => {
    expectTypeOf(controller.resolve(todos.get, { args: [one], response: {} })).toEqualTypeOf<void>()
    check(() => [
      controller.resolve(save, { args: [5, { name: 'x' }], error: new Error() }),
      // @ts-expect-error "id" is missing
      controller.resolve(todos.get, { args: [{ group: 'a' }], response: {} }),
      // @ts-expect-error the arguments are missing
      controller.resolve(todos.get, { response: {} }),
      // @ts-expect-error there is no outcome
      controller.resolve(todos.get, { args: [one] }),
      // @ts-expect-error it is answered or fails
      controller.resolve(todos.get, { args: [one], response: {}, error: new Error() }),
      // @ts-expect-error an error is an Error
      controller.resolve(todos.get, { args: [one], error: 'failed' }),
    ])
  })
})

describe('connect', () => {
  test('takes an endpoint that reads, and gives what ends it', () => {
    expectTypeOf(connect(controller, todos.get, one)).toEqualTypeOf<() => void>()
    check(() => [
      connect(controller, getCount.extend({ pollFrequency: 5000 })),
      // @ts-expect-error a mutation is no read
      connect(controller, todos.create, { group: 'a' }, {}),
      // @ts-expect-error a mutation is no read
      connect(controller, save, 5, { name: 'x' }),
      // @ts-expect-error the params are missing
      connect(controller, todos.get),
      // @ts-expect-error a Query is never fetched
      connect(controller, openTodos, { done: true }),
    ])
  })
})

describe('batch, dehydrate and hydrate', () => {
  test('batch returns what its function does', () => {
    expectTypeOf(controller.batch(() => 5)).toEqualTypeOf<number>()
    expectTypeOf(controller.batch(() => {})).toEqualTypeOf<void>()
    // @ts-expect-error it takes a function
    check(() => controller.batch(5))
  })

  test('the state goes from one to the other', () => {
    expectTypeOf(dehydrate(controller)).toEqualTypeOf<DehydratedState>()
    expectTypeOf(hydrate(controller, dehydrate(controller))).toEqualTypeOf<void>()
    // @ts-expect-error any object is no state
    check(() => hydrate(controller, {}))
  })
})

describe('middleware', () => {
  test('an action is told by its type', () => {
    const watching: Middleware = (owner) => {
      expectTypeOf(owner).toEqualTypeOf<Controller>()
      return {
        before(action) {
          expectTypeOf(action).toEqualTypeOf<Action>()
          if (action.type === 'fetch') {
            expectTypeOf(action.kind).toEqualTypeOf<'read' | 'mutation'>()
            expectTypeOf(action.id).toEqualTypeOf<number>()
            // @ts-expect-error there is no answer yet
            void action.response
          } else if (action.type === 'response' || action.type === 'setResponse') {
            expectTypeOf(action.response).toBeUnknown()
            expectTypeOf(action.args).toEqualTypeOf<readonly unknown[]>()
          } else if (action.type === 'error' || action.type === 'setError') {
            expectTypeOf(action.error).toEqualTypeOf<Error>()
            expectTypeOf(action.key).toEqualTypeOf<string>()
          } else if (action.type === 'set') {
            expectTypeOf(action.value).toBeUnknown()
            // @ts-expect-error what is set belongs to no call
            void action.endpoint
          } else if (action.type === 'hydrate') {
            expectTypeOf(action.state).toBeUnknown()
          }
          // @ts-expect-error not every action has a key
          void action.key
        },
        after: (_action, error) => expectTypeOf(error).toEqualTypeOf<Error | undefined>(),
        async request(call, next) {
          expectTypeOf(call.signal).toEqualTypeOf<AbortSignal>()
          expectTypeOf(call.kind).toEqualTypeOf<'read' | 'mutation'>()
          expectTypeOf(next).toEqualTypeOf<() => Promise<unknown>>()
          return next()
        },
        activate: () => () => {},
      }
    }
    expectTypeOf(new Controller({ middleware: [watching] })).toEqualTypeOf<Controller>()
  })

  test('is refused where a hook does not fit', () => {
    check(() => [
      // @ts-expect-error what activates gives what ends it
      (() => ({ activate: () => 5 })) satisfies Middleware,
      // @ts-expect-error a request gives a promise
      (() => ({ request: () => 5 })) satisfies Middleware,
      // @ts-expect-error it gives its hooks
      (() => 5) satisfies Middleware,
    ])
  })
})

describe('update', () => {
  test('is given the arguments of the call, and gives functions by key', () => {
    const create = new Endpoint(async (params: { title: string }) => ({ id: 1, ...params }), {
      schema: Todo,
      sideEffect: true,
      update(todo: Todo, params) {
        expectTypeOf(params).toEqualTypeOf<{ title: string }>()
        return { [getCount.key()]: (count: number) => count + 1, other: (list: Todo[]) => [...list, todo] }
      },
    })
    expectTypeOf(controller.fetch(create, { title: 'x' })).resolves.toEqualTypeOf<Todo>()
    expectTypeOf(create.update).toExtend<
      ((value: Todo, ...args: [{ title: string }]) => Updates) | undefined
    >()
    check(() => [
      // @ts-expect-error it gives an object of functions
      new Endpoint(create.fetch, { update: () => ({ key: 5 }) }),
      // @ts-expect-error it gives something
      new Endpoint(create.fetch, { update: () => {} }),
      // @ts-expect-error the params are those of the call
      new Endpoint(create.fetch, { update: (_todo, _params: { id: number }) => ({}) }),
      todos.create.extend({ update: (todo: Todo) => ({ other: (list: Todo[]) => [...list, todo] }) }),
      // @ts-expect-error it gives an object of functions
      todos.create.extend({ update: () => ({ key: 5 }) }),
      // @ts-expect-error it is a function
      new RestEndpoint({ path: '/todo', method: 'POST', update: {} }),
    ])
  })
})

describe('testKey', () => {
  test('is a function of a key', () => {
    expectTypeOf(getCount.testKey('x')).toEqualTypeOf<boolean>()
    check(() => [
      new Endpoint(getCount.fetch, { testKey: (key) => key.startsWith('x') }),
      new RestEndpoint({ path: '/x', testKey: (key) => key === 'x' }),
      // @ts-expect-error it says yes or no
      new Endpoint(getCount.fetch, { testKey: (key) => key }),
      // @ts-expect-error a key is text
      new RestEndpoint({ path: '/x', testKey: (key: number) => key === 5 }),
    ])
  })
})

test('a Controller shows what an application may do, and nothing that bindings use', () => {
  expectTypeOf<Extract<keyof Controller, string>>().toEqualTypeOf<
    | 'clock'
    | 'fetch'
    | 'fetchIfStale'
    | 'invalidate'
    | 'invalidateAll'
    | 'expireAll'
    | 'refetchStale'
    | 'batch'
    | 'get'
    | 'set'
    | 'setResponse'
    | 'setError'
    | 'resolve'
    | 'read'
    | 'subscribe'
    | 'resetAll'
    | 'dispose'
  >()
})
