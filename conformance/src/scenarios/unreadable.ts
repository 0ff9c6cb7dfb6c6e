import { development } from '@selfsame/core/bindings'
import { Endpoint, Entity, Query, schema } from '@selfsame/core'
import type { Schema, SchemaContract } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { RestEndpoint } from '@selfsame/core/rest'
import { expect } from 'vitest'
import { Article, Todo, User, todoFields } from '../fixtures.js'
import { reply } from '../server.js'
import type { Server } from '../server.js'
import type { Stage } from '../suite.js'
import { scenario, shown, shownError } from '../suite.js'

const isLogged = { isLogged: true } as const
const call = 'answer'

/** A call of any kind, with the type of a record, so that every hook accepts it. */
function calling(server: Server, answerSchema: Schema | undefined, options: object = {}) {
  return new Endpoint((_params: object) => server.call(call), {
    name: call,
    schema: answerSchema as typeof Todo,
    ...options,
  })
}

/** Waits for more frames than a reader needs to fetch again. */
async function settleOften({ settle }: Stage): Promise<void> {
  for (let frame = 0; frame < 10; frame++) await settle()
}

class Strict extends Entity {
  id = 0
  type = 'strict'
  static override key = 'Strict'
  static override validate = () => 'it is never usable'
}

class Measured extends Entity {
  id = 0
  static override key = 'Measured'
  static override schema = { count: Number, at: Date }
}

const either = new schema.Union({ todo: Todo, user: User }, 'type')

const silent: SchemaContract<object> = {
  normalize: (input) => input,
  denormalize: () => undefined,
}

/** Responses without readable data for their call, and the error message of each. */
const unreadable: Readonly<Record<string, readonly [schema: Schema, answer: unknown, message: string]>> = {
  'a record that validate rejects': [Article, { id: 1 }, 'content is missing'],
  'such a record in an object': [{ data: Article }, { data: { id: 1 } }, 'content is missing'],
  'such a record nested twice': [
    { data: { article: Article } },
    { data: { article: { id: 1 } } },
    'content is missing',
  ],
  'such a record of a Union': [
    new schema.Union({ strict: Strict, user: User }, 'type'),
    { type: 'strict', id: 1 },
    'it is never usable',
  ],
  'such a record of a Union in an object': [
    { item: new schema.Union({ strict: Strict, user: User }, 'type') },
    { item: { type: 'strict', id: 1 } },
    'it is never usable',
  ],
  'such a record under a Query': [new Query(Article), { id: 1 }, 'content is missing'],
  text: [Todo, 'busy', 'expected a record of "Todo" at the root of its payload, but found text'],
  'a number': [Todo, 5, 'expected a record of "Todo" at the root of its payload, but found a number'],
  'an unknown id in an object': [{ user: User }, { user: 5 }, 'only the primary key "5" of User'],
  'an unknown id nested twice': [
    { data: { user: User } },
    { data: { user: 'a' } },
    'only the primary key "a" of User',
  ],
  'an error in place of a record': [
    { data: User },
    { error: 'busy' },
    'expected a record of "User" at data, but found nothing',
  ],
  'an error in place of a list': [
    { results: new schema.Collection([Todo]), next: '' },
    { error: 'busy' },
    'expected an array of "Todo" at results, but found nothing',
  ],
  'no second record': [
    { todo: Todo, user: User },
    { todo: todoFields(5) },
    'expected a record of "User" at user, but found nothing',
  ],
  'a record that validate rejects beside another': [
    { article: Article, user: User },
    { article: { id: 1 }, user: { id: 1, name: 'Ada' } },
    'content is missing',
  ],
  'such a record beside a list': [
    { todos: [Todo], more: { article: Article } },
    { todos: [], more: { article: { id: 1 } } },
    'content is missing',
  ],
  'no map in an object': [
    { page: { users: new schema.Values(User) } },
    { page: {} },
    'expected an object of "User" at page.users, but found nothing',
  ],
  'no object that holds a record': [
    { page: { user: User } },
    { page: undefined },
    'expected an object at page, but found nothing',
  ],
  'no record in a list of objects': [
    { edges: [{ node: Todo }] },
    { edges: [{ node: todoFields(5) }, {}] },
    'expected a record of "Todo" at edges[1].node, but found nothing',
  ],
  'no list under a Query': [
    { todos: new Query(new schema.All(Todo)) },
    {},
    'expected an object at todos, but found nothing',
  ],
  'a number where a Union is expected': [
    either,
    5,
    'expected an object that is one of todo, user at the root',
  ],
  'text where a Union is expected': [{ item: either }, { item: 'x' }, 'at item, but found text'],
  'a list where a Union is expected': [{ item: either }, { item: [] }, 'at item, but found an array'],
  'true in a list of a Union': [[either], [{ type: 'user', id: 1 }, true], 'at [1], but found a boolean'],
  'a number that is none': [{ count: Number }, { count: 'x' }, 'at count: it is not a number'],
  'such a number in a record': [Measured, { id: 1, count: 'x' }, 'at count: it is not a number'],
  'a date that is true': [{ at: Date }, { at: true }, 'at at: it is not a date'],
  'such a date in a record': [[Measured], [{ id: 1, at: [2020] }], 'at [0].at: it is not a date'],
  'what schema.Delete removes': [new schema.Delete(Todo), todoFields(5), 'its schema returns no data'],
  'what its own schema does not show': [silent, { id: 5 }, 'its schema returns no data'],
  'what a function makes nothing of': [() => undefined, { id: 5 }, 'its schema returns no data'],
}

/** Production has the code in place of a text, and what `validate` returns. */
const textOf = (message: string) =>
  development || /^(content is missing|it is never usable)$/.test(message) ? message : 'payload-unusable'

for (const [name, [answerSchema, answer, inFull]] of Object.entries(unreadable)) {
  const message = textOf(inFull)
  scenario.onReact18(
    `3/unreadable/${name}`,
    'an answer that leaves its call unreadable is an error of the call, asked for once',
    async (stage) => {
      const { controller, mount, server, settle } = stage
      server.route(call, answer)
      const endpoint = calling(server, answerSchema)
      const reader = await mount('useSuspense', endpoint, { id: 5 })
      const beside = await mount('useDLE', endpoint, { id: 5 })
      await mount('useFetch', endpoint, { id: 5 })
      await settleOften(stage)
      expect(shownError(reader)).toMatchObject({ status: 400, message: expect.stringContaining(message) })
      expect(shown(beside)).toMatchObject({ loading: false, error: { status: 400 } })
      expect(server.requests).toEqual([call])
      expect(controller.read(endpoint, { id: 5 }).error?.message).toContain(message)
      // The reset of a boundary fetches again.
      await reader.reset()
      await settleOften(stage)
      shownError(reader)
      expect(server.requests).toEqual([call, call])
      await expect(controller.fetch(endpoint, { id: 5 })).rejects.toThrow(message)
      await settle()
    },
    isLogged,
  )
}

scenario.onReact18(
  '3/unreadable/length 0',
  'an unreadable answer is asked for once also where its error expires at once',
  async (stage) => {
    const { mount, server } = stage
    server.route(call, 'busy')
    const endpoint = calling(server, Todo, {
      errorExpiryLength: 0,
      dataExpiryLength: 0,
      invalidIfStale: true,
    })
    const reader = await mount('useSuspense', endpoint, { id: 5 })
    await settleOften(stage)
    shownError(reader)
    expect(server.requests).toEqual([call])
  },
  isLogged,
)

const user = { id: 1, name: 'Ada' }

/** Responses with missing parts, and the data shown for each. */
const readable: Readonly<
  Record<string, readonly [schema: Schema | undefined, answer: unknown, data: unknown]>
> = {
  'ids in a list': [[Todo], [5, 6], []],
  'an id beside other content': [{ user: User, title: '' }, { user: 5, title: 'x' }, { title: 'x' }],
  'an id beside a list': [{ user: User, todos: [Todo] }, { user: 5, todos: [] }, { todos: [] }],
  'null in a field': [{ user: User }, { user: null }, { user: null }],
  'null in a list': [{ todos: [Todo] }, { todos: null }, { todos: null }],
  'no default of an object': [{ user: User, next: '' }, { user }, { user, next: '' }],
  'nothing for a Date of an object': [{ user: User, at: Date }, { user }, { user }],
  'a field that may be missing': [{ user: User, todo: schema.Optional(Todo) }, { user }, { user }],
  'such a field that is there': [{ user: schema.Optional(User) }, { user }, { user }],
  'such a list': [{ todos: schema.Optional([Todo], []) }, {}, { todos: [] }],
  'such a record, with a default': [{ user: schema.Optional(User, null) }, {}, { user: null }],
  'no field of a record': [[Todo], [{ id: 5 }], [{ id: 5 }]],
  'an object of another kind': [
    [either],
    [
      { type: 'user', ...user },
      { type: 'film', title: 'x' },
    ],
    [user, { type: 'film', title: 'x' }],
  ],
  'undefined without a schema': [undefined, undefined, undefined],
  'undefined from a Query': [new Query(new schema.Array(Todo), (todos) => todos[0]?.title), [], undefined],
  'nothing that a Query in an object makes of its record': [
    { name: new Query(User, () => undefined) },
    { name: user },
    {},
  ],
  'nothing of an expiry length': [Todo, { id: 5 }, { id: 5 }],
}

for (const [name, [answerSchema, answer, data]] of Object.entries(readable)) {
  scenario.onReact18(
    `3/readable/${name}`,
    'is an answer like any other, asked for once',
    async (stage) => {
      const { mount, server } = stage
      server.route(call, answer)
      const options = { dataExpiryLength: 0, errorExpiryLength: 0 }
      const reader = await mount('useSuspense', calling(server, answerSchema, options), { id: 5 })
      await settleOften(stage)
      if (data === undefined) expect(shown(reader)).toBe(undefined)
      else expect(shown(reader)).toMatchObject(data as object)
      expect(server.requests).toEqual([call])
    },
    name === 'an object of another kind' ? isLogged : {},
  )
}

scenario.onReact18(
  '3/overtaken/delete',
  'who waits for a record that is deleted meanwhile asks once more',
  async (stage) => {
    const { api, controller, mount, server } = stage
    server.hold('GET /todo/5')
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await controller.fetch(api.todo.delete, { id: 5 })
    server.releaseOne('GET /todo/5', 'first')
    await settleOften(stage)
    expect(reader.current()).toEqual({ state: 'fallback' })
    expect(server.requests).toEqual(['GET /todo/5', 'DELETE /todo/5', 'GET /todo/5'])
    server.release()
    await settleOften(stage)
    expect(shown(reader)).toMatchObject({ id: 5 })
    expect(server.requests.length).toBe(3)
  },
)

scenario.onReact18(
  '3/overtaken/invalidate',
  'who waits for a call that is invalidated meanwhile asks once more',
  async (stage) => {
    const { api, controller, mount, server } = stage
    server.hold('GET /todo/5')
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    controller.invalidate(api.todo.get, { id: 5 })
    await settleOften(stage)
    server.releaseOne('GET /todo/5', 'first')
    await settleOften(stage)
    expect(reader.current()).toEqual({ state: 'fallback' })
    expect(server.requests).toEqual(['GET /todo/5', 'GET /todo/5'])
    server.release()
    await settleOften(stage)
    expect(shown(reader)).toMatchObject({ id: 5 })
    expect(server.requests.length).toBe(2)
  },
)

for (const [name, status] of [
  ['answered', 200],
  ['refused', 422],
] as const) {
  scenario.onReact18(
    `3/overtaken/expected delete, ${name}`,
    'who waits for a record that is expected to be deleted asks again when that is decided, and not before',
    async (stage) => {
      const { api, controller, mount, server } = stage
      server.route('DELETE /todo/5', reply.status(status, {}))
      server.hold('DELETE /todo/5')
      const ended = controller.fetch(api.hopeful.delete, { id: 5 }).catch(() => {})
      const reader = await mount('useSuspense', api.todo.get, { id: 5 })
      await settleOften(stage)
      expect(reader.current()).toEqual({ state: 'fallback' })
      expect(server.requests).toEqual(['DELETE /todo/5', 'GET /todo/5'])
      server.release()
      await ended
      await settleOften(stage)
      expect(shown(reader)).toMatchObject({ id: 5 })
      // If the delete failed, the stored record is readable again; otherwise the reader refetches.
      const again = status === 200 ? ['GET /todo/5'] : []
      expect(server.requests).toEqual(['DELETE /todo/5', 'GET /todo/5', ...again])
    },
  )
}

scenario(
  '3/unreadable/older data',
  'an answer that is refused keeps the older data, says why, and is asked for once',
  async (stage) => {
    const { controller, mount, server } = stage
    server.route(call, { todo: todoFields(5), user })
    const endpoint = calling(server, { todo: Todo, user: User }, { dataExpiryLength: 0 })
    await controller.fetch(endpoint, { id: 5 })
    server.route(call, { todo: { ...todoFields(5), title: 'half' } })
    const reader = await mount('useSuspense', endpoint, { id: 5 })
    const beside = await mount('useDLE', endpoint, { id: 5 })
    await settleOften(stage)
    expect(shown(reader)).toMatchObject({ todo: todoFields(5), user })
    expect(shown(beside)).toMatchObject({ data: { user }, error: { code: 'payload-unusable', status: 400 } })
    expect(controller.get(Todo, { id: 5 })).toMatchObject(todoFields(5))
    expect(server.requests).toEqual([call, call])
  },
)

scenario(
  '3/unreadable/mutation',
  'a mutation of one record that is answered by a list fails, and its expected response is taken back',
  async (stage) => {
    const { api, controller, mount, server } = stage
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settleOften(stage)
    for (const answer of [[], [todoFields(5)], true, 'done']) {
      server.route('PATCH /todo/5', answer)
      const saved = controller.fetch(api.hopeful.partialUpdate, { id: 5 }, { title: 'early' })
      await expect(saved).rejects.toMatchObject({ code: 'payload-unusable', status: 400 })
      await settleOften(stage)
      expect(shown(reader)).toMatchObject(todoFields(5))
    }
  },
)

scenario(
  '3/unreadable/set',
  'a response that did not come by a request is held to the same rule, and one that is expected is not',
  async (stage) => {
    const { controller, mount, server } = stage
    server.route(call, { todo: todoFields(5), user })
    const endpoint = calling(server, { todo: Todo, user: User })
    const reader = await mount('useSuspense', endpoint, { id: 5 })
    await settleOften(stage)
    const half: object = { todo: { ...todoFields(5), title: 'half' } }
    expect(() => controller.setResponse(endpoint, { id: 5 }, half)).toThrow(
      textOf('a record of "User" at user'),
    )
    await settleOften(stage)
    expect(shown(reader)).toMatchObject({ todo: todoFields(5), user })
    const save = calling(
      server,
      { todo: Todo, user: User },
      {
        sideEffect: true,
        getOptimisticResponse: optimistic(() => half),
      },
    )
    server.hold(call)
    const saved = controller.fetch(save, { id: 5 })
    await settleOften(stage)
    expect(shown(reader)).toMatchObject({ todo: { title: 'half' }, user })
    server.release()
    await saved
  },
)

/** Responses to a PATCH of `{ title: 'new' }` that name no record, and the title shown for each: early, and late. */
const echoes: Readonly<Record<string, readonly [answer: object, shown: object]>> = {
  'an empty object': [{}, { title: 'new' }],
  'the body': [{ title: 'new' }, { title: 'new' }],
  'another title': [{ title: 'New' }, { title: 'New' }],
  'another field of the record': [{ completed: true }, { title: 'new', completed: true }],
}

for (const [name, [answer, expected]] of Object.entries(echoes)) {
  for (const kind of ['todo', 'hopeful'] as const) {
    scenario(
      `3/echo/${name}, ${kind === 'todo' ? 'late' : 'early'}`,
      'an answer without an id confirms the record that the arguments name, and its fields count',
      async (stage) => {
        const { api, controller, mount, server } = stage
        for (const change of ['partialUpdate', 'update'] as const) {
          const method = change === 'update' ? 'PUT' : 'PATCH'
          controller.resetAll()
          server.route(`${method} /todo/5`, answer)
          const reader = await mount('useSuspense', api.todo.get, { id: 5 })
          await settleOften(stage)
          const requests = server.requests.length
          await controller.fetch(api[kind][change], { id: 5 }, { ...todoFields(5), title: 'new' })
          await settleOften(stage)
          const isDoubtful = kind === 'todo' && Object.keys(answer).length === 0
          const isKept = kind === 'todo' && !('title' in answer)
          expect(shown(reader)).toMatchObject({
            id: 5,
            ...expected,
            ...(isKept && { title: 'Todo 5' }),
          })
          // Nothing tells what was saved, as after a 204: the reader asks.
          const asked = isDoubtful ? ['GET /todo/5'] : []
          expect(server.requests.slice(requests)).toEqual([`${method} /todo/5`, ...asked])
          expect(controller.read(api.todo.get, { id: 5 }).status).toBe('Valid')
          await reader.unmount()
        }
      },
    )
  }
}

scenario(
  '3/echo/none',
  'an answer that names no record, or has nothing of it, is an error that says so',
  async (stage) => {
    const { api, controller, server } = stage
    await controller.fetch(api.todo.get, { id: 5 })
    server.route('PATCH /todo/5', { error: 'busy' })
    server.route('POST /todo', { title: 'new' })
    const saved = controller.fetch(api.todo.partialUpdate, { id: 5 }, { title: 'new' })
    await expect(saved).rejects.toMatchObject({ code: 'pk-missing' })
    for (const answer of [{ title: 'new' }, {}]) {
      server.route('POST /todo', answer)
      for (const { create } of [api.todo, api.hopeful])
        await expect(controller.fetch(create, { title: 'new' })).rejects.toMatchObject({ code: 'pk-missing' })
    }
    expect(controller.get(Todo, { id: 5 })).toMatchObject(todoFields(5))
  },
)

/** Schemas that are made anew for each reader. */
const literals: Readonly<Record<string, () => Schema>> = {
  'an object': () => ({ todo: Todo, next: '' }),
  'an object in an object': () => ({ todo: Todo, page: { next: '' }, more: schema.Optional([Todo], []) }),
  'its class': () => new schema.Object({ todo: Todo }),
  'a Union': () => ({ todo: new schema.Union({ a: Todo }, 'type') }),
}

for (const [name, make] of Object.entries(literals)) {
  scenario(
    `3/same call/${name}`,
    'a schema that is made anew with the same content is the same schema: one request, one value',
    async (stage) => {
      const { mount, server } = stage
      server.route(call, { todo: { ...todoFields(5), type: 'a' } })
      const first = await mount('useSuspense', calling(server, make()), { id: 5 })
      await settleOften(stage)
      const second = await mount('useSuspense', calling(server, make()), { id: 5 })
      await settleOften(stage)
      expect(shown(second)).toBe(shown(first))
      expect(server.requests).toEqual([call])
    },
  )
}

scenario(
  '3/same call/read differently',
  'endpoints of one address that read its response differently are different calls',
  async (stage) => {
    const { mount, settle } = stage
    let requests = 0
    class Local extends RestEndpoint {
      override fetchResponse() {
        requests++
        return Promise.resolve(Response.json({ a: 1, b: 2 }))
      }
    }
    const pick = (process: (value: { a: number; b: number }) => unknown) =>
      new Local({ path: '/pair', process })
    const a = await mount('useSuspense', pick((value) => value.a) as never, {} as never)
    const b = await mount('useSuspense', pick((value) => value.b) as never, {} as never)
    const text = await mount(
      'useSuspense',
      new Local({ path: '/pair', content: 'text' }) as never,
      {} as never,
    )
    await settleOften(stage)
    expect([shown(a), shown(b), shown(text)]).toEqual([1, 2, '{"a":1,"b":2}'])
    const again = await mount('useSuspense', pick((value) => value.a) as never, {} as never)
    await settle()
    expect(shown(again)).toBe(1)
    expect(requests).toBe(3)
  },
)
