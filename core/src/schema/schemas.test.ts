import { callsOf } from '../controller/calls.js'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Controller, Endpoint, Entity, EntityMixin, Query, denormalize, normalize, schema } from '../index.js'
import type { Schema } from '../index.js'

class User extends Entity {
  id = 0
  name = ''
  email = ''
  static override key = 'User'
  static override indexes = ['email', 'name']
}
class Todo extends Entity {
  id = 0
  title = ''
  userId = 0
  completed = false
  static override key = 'Todo'
}
class Link extends Entity {
  id = 0
  type = 'link' as const
  url = ''
  static override key = 'Link'
}
class Post extends Entity {
  id = 0
  type = 'post' as const
  content = ''
  static override key = 'Post'
}

/** An endpoint that resolves with the values in `answers`, in order. */
function answering<const S extends Schema>(answerSchema: S, ...answers: unknown[]) {
  const answer = (_params: Record<string, unknown> = {}) => Promise.resolve(answers.shift())
  return new Endpoint(answer, {
    name: `answering ${Math.random()}`,
    schema: answerSchema as Schema,
  }) as unknown as Endpoint<typeof answer, { schema: S }>
}
const mutating = <const S extends Schema>(answerSchema: S, ...answers: unknown[]) =>
  answering(answerSchema, ...answers).extend({ sideEffect: true })

describe('polymorphic schemas', () => {
  const feed = [
    { id: 1, type: 'link', url: 'u' },
    { id: 1, type: 'post', content: 'c' },
    { id: 2, type: 'ad', schema: 'link', key: 'x', pk: 'y' },
    { id: 3, type: 'constructor' },
    null,
  ]

  test.each([
    ['Array by name', new schema.Array({ link: Link, post: Post }, 'type')],
    [
      'Array by function',
      new schema.Array({ link: Link, post: Post }, (value: { type: string }) => value.type),
    ],
    ['Array of Union', new schema.Array(new schema.Union({ link: Link, post: Post }, 'type'))],
    ['[Union]', [new schema.Union({ link: Link, post: Post }, 'type')] as const],
  ])(
    '%s reads members through their own classes, and keeps what it does not know (S8, S26)',
    async (_, list) => {
      const warning = vi.spyOn(console, 'warn').mockImplementation(() => {})
      const controller = new Controller()
      const items = (await controller.fetch(answering(list as Schema, feed, feed))) as unknown[]
      expect(items[0]).toBeInstanceOf(Link)
      expect(items[1]).toBeInstanceOf(Post)
      expect(items[0]).toBe(controller.get(Link, { id: 1 }))
      expect(items.slice(2)).toEqual(feed.slice(2))
      expect(callsOf(controller).store.tables.has('constructor')).toBe(false)
      expect(warning).toHaveBeenCalledTimes(1)
      warning.mockRestore()
    },
  )

  test('Values reads a map, without what cannot be shown', async () => {
    const controller = new Controller()
    const map = answering(
      new schema.Values(Todo),
      JSON.parse('{"a":{"id":1},"__proto__":{"id":2},"b":{"id":3}}'),
    )
    const values = await controller.fetch(map)
    expect(Object.keys(values)).toEqual(['a', '__proto__', 'b'])
    expect(values.a).toBe(controller.get(Todo, { id: 1 }))
    await controller.fetch(mutating(new schema.Invalidate(Todo), { id: 3 }))
    expect(Object.keys(controller.read(map).data!)).toEqual(['a', '__proto__'])
    const mixed = answering(new schema.Values({ link: Link, post: Post }, 'type'), { x: feed[0], y: feed[1] })
    expect((await controller.fetch(mixed)).y).toBeInstanceOf(Post)
  })

  test('define merges a mapping into a mapping, and replaces a single schema (S7)', async () => {
    const controller = new Controller()
    const list = new schema.Array({ link: Link } as Record<string, typeof Link | typeof Post>, 'type')
    list.define({ post: Post })
    expect((await controller.fetch(answering(list, feed.slice(0, 2))))[1]).toBeInstanceOf(Post)
    const single = new schema.Array(Link as Schema)
    single.define(Post)
    expect((await controller.fetch(answering(single, [{ id: 9 }])))[0]).toBeInstanceOf(Post)
    const union = new schema.Union({ link: Link } as Record<string, Schema>, 'type')
    union.define({ post: Post })
    expect(await controller.fetch(answering(union, feed[1]))).toBeInstanceOf(Post)
  })

  test('a Union is found by arguments that name its attribute, or that only one stored record matches', () => {
    const controller = new Controller()
    const union = new schema.Union({ link: Link, post: Post }, 'type')
    controller.set(Post, { id: 5 }, { content: 'x' })
    expect(controller.get(union, { id: 5, type: 'post' })).toBe(controller.get(Post, { id: 5 }))
    expect(controller.get(union, { id: 5, type: 'link' })).toBe(undefined)
    expect(controller.get(union, { id: 5, type: 'other' })).toBe(undefined)
    expect(controller.get(union, { id: 6 })).toBe(undefined)
    const byFunction = new schema.Union(
      { link: Link, article: Post, post: Post },
      ({ type }) => type as string,
    )
    for (const each of [union, byFunction])
      expect(controller.get(each, { id: 5 })).toBe(controller.get(Post, { id: 5 }))
    controller.set(Link, { id: 5 }, { url: '/' })
    expect(controller.get(union, { id: 5 })).toBe(undefined)
  })

  test('an unchanged polymorphic list keeps its identity', async () => {
    const controller = new Controller()
    const list = answering(
      new schema.Array({ link: Link, post: Post }, 'type'),
      feed.slice(0, 2),
      structuredClone(feed.slice(0, 2)),
    )
    const first = await controller.fetch(list)
    expect(await controller.fetch(list)).toBe(first)
  })
})

describe('All', () => {
  test('is nothing before an answer, and Valid and empty when that is empty (S11)', async () => {
    const controller = new Controller()
    expect(controller.get(new schema.All(Todo), {})).toBe(undefined)
    const all = answering(new schema.All(Todo), [])
    expect(await controller.fetch(all)).toEqual([])
    expect(controller.read(all).status).toBe('Valid')
  })

  test('lists in order of first arrival, follows additions and deletions', async () => {
    const controller = new Controller()
    for (const id of [10, 2, 33, 1]) controller.set(Todo, { id }, { title: `${id}` })
    const all = new Query(new schema.All(Todo))
    const first = controller.get(all)!
    expect(first.map(({ id }) => id)).toEqual([10, 2, 33, 1])
    expect(controller.get(all)).toBe(first)
    controller.set(User, { id: 1 }, { name: 'unrelated' })
    expect(controller.get(all)).toBe(first)
    controller.set(Todo, { id: 5 }, {})
    await controller.fetch(mutating(new schema.Delete(Todo), { id: 33 }))
    expect(controller.get(all)!.map(({ id }) => id)).toEqual([10, 2, 1, 5])
  })

  test('holds the classes of a Union', () => {
    const controller = new Controller()
    controller.set(Post, { id: 1 }, {})
    controller.set(Link, { id: 1 }, {})
    const all = controller.get(new schema.All(new schema.Union({ link: Link, post: Post }, 'type')), {})!
    expect(all.map(({ constructor }) => constructor.name)).toEqual(['Link', 'Post'])
    expect(() => new schema.All([Todo])).toThrow('schema.All received something other than an Entity class.')
  })
})

describe('fromJS', () => {
  test('builds an instance with defaults, that is not stored', () => {
    const controller = new Controller()
    const todo = Todo.fromJS({ id: 5, title: 'x' })
    expect(todo).toBeInstanceOf(Todo)
    expect(todo).toEqual({ id: 5, title: 'x', userId: 0, completed: false })
    expect(controller.get(Todo, { id: 5 })).toBe(undefined)
  })
})

describe('Query', () => {
  test('runs again only when something that it was computed from changed', () => {
    const controller = new Controller()
    const runs = vi.fn()
    const open = new Query(new schema.All(Todo), (todos, { userId }: { userId: number }) => {
      runs()
      return todos.filter((todo) => !todo.completed && todo.userId === userId)
    })
    controller.set(Todo, { id: 1 }, { userId: 1 })
    controller.set(Todo, { id: 2 }, { userId: 2 })
    const told: unknown[] = []
    controller.subscribe(open, { userId: 1 }, ({ data }) => told.push(data))
    const first = controller.read(open, { userId: 1 }).data!
    expect(first).toEqual([controller.get(Todo, { id: 1 })])
    runs.mockClear()
    controller.set(User, { id: 1 }, { name: 'x' })
    expect(controller.read(open, { userId: 1 }).data).toBe(first)
    expect(runs).toHaveBeenCalledTimes(0)
    // A related change with an equal value: one run, the same identity, no notification.
    controller.set(Todo, { id: 2 }, { title: 'changed' })
    expect(controller.read(open, { userId: '1' as never }).data).toBe(first)
    expect(runs).toHaveBeenCalledTimes(1)
    expect(told).toEqual([])
    controller.set(Todo, { id: 1 }, { completed: true })
    expect(told).toEqual([[]])
    expect(open.schema).toBeInstanceOf(schema.All)
  })

  test('joins, counts and builds on another Query', () => {
    const controller = new Controller()
    const byUser = new Query(new schema.All(Todo), (todos, { userId }: { userId: number }) =>
      todos.filter((todo) => todo.userId === userId),
    )
    const count = new Query(byUser, (todos, _args: { userId: number }) => todos.length)
    const user = new Query(User, ({ name }) => name.toUpperCase())
    controller.set(Todo, { id: 1 }, { userId: 1 })
    controller.set(User, { id: 1 }, { name: 'ann' })
    expect(controller.get(count, { userId: 1 })).toBe(1)
    expect(controller.get(user, { id: 1 })).toBe('ANN')
    expect(controller.get(user, { id: 2 })).toBe(undefined)
    controller.set(Todo, { id: 2 }, { userId: 1 })
    expect(controller.get(count, { userId: 1 })).toBe(2)
  })
})

describe('Collection', () => {
  const setUp = (options?: ConstructorParameters<typeof schema.Collection>[1]) => {
    const controller = new Controller()
    const todos = new schema.Collection([Todo], options)
    const list = (...answers: unknown[]) => answering(todos, ...answers)
    return { controller, todos, list }
  }
  const ids = (todos: readonly Todo[] | undefined) => todos?.map(({ id }) => id)

  test('a created record joins the lists that it belongs to, at the end (S18, S19)', async () => {
    const { controller, todos, list } = setUp()
    const endpoint = list(
      [{ id: 1, userId: 1 }],
      [{ id: 2, userId: 2 }],
      [
        { id: 1, userId: 1 },
        { id: 2, userId: 2 },
      ],
      [],
    )
    await controller.fetch(endpoint, { userId: 1 })
    await controller.fetch(endpoint, { userId: 2 })
    await controller.fetch(endpoint)
    await controller.fetch(endpoint, { userId: 1, completed: true, page: 3 })
    const listener = vi.fn()
    controller.subscribe(endpoint, { userId: 1 }, listener)
    const push = mutating(
      todos.push,
      { id: 3, userId: 1, completed: false },
      { id: 3, userId: 1, completed: false },
    )
    const created = await controller.fetch(push)
    expect(created).toBe(controller.get(Todo, { id: 3 }))
    expect(ids(controller.read(endpoint, { userId: 1 }).data)).toEqual([1, 3])
    expect(controller.read(endpoint, { userId: '1' }).data).toBe(
      controller.read(endpoint, { userId: 1 }).data,
    )
    expect(ids(controller.read(endpoint, { userId: 2 }).data)).toEqual([2])
    expect(ids(controller.read(endpoint).data)).toEqual([1, 2, 3])
    expect(ids(controller.read(endpoint, { userId: 1, completed: true, page: 3 }).data)).toEqual([])
    expect(controller.read(endpoint).data![2]).toBe(controller.read(endpoint, { userId: 1 }).data![1])
    expect(listener).toHaveBeenCalledTimes(1)
    await controller.fetch(push)
    expect(ids(controller.read(endpoint, { userId: 1 }).data)).toEqual([1, 3])
  })

  test('unshift puts it first, remove takes it out and leaves the record, many can be added at once', async () => {
    const { controller, todos, list } = setUp()
    const endpoint = list([{ id: 1 }])
    await controller.fetch(endpoint)
    await controller.fetch(mutating(todos.unshift, { id: 2 }))
    const many = await controller.fetch(mutating(todos.push, [{ id: 3 }, { id: 4 }]))
    expect(ids(many as never)).toEqual([3, 4])
    expect(ids(controller.read(endpoint).data)).toEqual([2, 1, 3, 4])
    await controller.fetch(mutating(todos.remove, { id: 1 }))
    expect(ids(controller.read(endpoint).data)).toEqual([2, 3, 4])
    expect(controller.get(Todo, { id: 1 })).toBeInstanceOf(Todo)
  })

  test('move puts a member where its changed fields say', async () => {
    const { controller, todos, list } = setUp()
    const endpoint = list([{ id: 1, userId: 1 }], [], [{ id: 1, userId: 1 }])
    await controller.fetch(endpoint, { userId: 1 })
    await controller.fetch(endpoint, { userId: 2 })
    await controller.fetch(endpoint)
    await controller.fetch(mutating(todos.move, { id: 1, userId: 2 }))
    expect(ids(controller.read(endpoint, { userId: 1 }).data)).toEqual([])
    expect(ids(controller.read(endpoint, { userId: 2 }).data)).toEqual([1])
    expect(ids(controller.read(endpoint).data)).toEqual([1])
  })

  test('move neither adds a record to a list that its change does not decide, nor takes it out of one', async () => {
    const { controller, todos, list } = setUp()
    // A first page, a search, and a list whose members do not match its arguments.
    const endpoint = list([{ id: 1, userId: 1 }], [{ id: 1, userId: 1 }], [{ id: 9, userId: 3 }], [])
    for (const args of [{}, { q: 'x' }, { userId: 1 }, { userId: 3 }]) await controller.fetch(endpoint, args)
    controller.set(Todo, { id: 5 }, { userId: 1 })
    await controller.fetch(mutating(todos.move, { id: 5, userId: 1, title: 'x' }))
    await controller.fetch(mutating(todos.move, { id: 9, userId: 3, title: 'x' }))
    await controller.fetch(mutating(todos.move, { id: 77, userId: 3 }))
    expect(ids(controller.read(endpoint).data)).toEqual([1])
    expect(ids(controller.read(endpoint, { q: 'x' }).data)).toEqual([1])
    expect(ids(controller.read(endpoint, { userId: 1 }).data)).toEqual([9])
    // A record that was not stored joins the list that its fields match.
    expect(ids(controller.read(endpoint, { userId: 3 }).data)).toEqual([77])
  })

  test('params of the mutation count where the record does not name an argument', async () => {
    const { controller, todos, list } = setUp()
    const endpoint = list([], [])
    await controller.fetch(endpoint, { group: 'a' })
    await controller.fetch(endpoint, { group: 'b' })
    await controller.fetch(mutating(todos.push, { id: 1 }), { group: 'a' })
    expect(ids(controller.read(endpoint, { group: 'a' }).data)).toEqual([1])
    expect(ids(controller.read(endpoint, { group: 'b' }).data)).toEqual([])
  })

  test('arguments that an option names do not count', async () => {
    const { controller, todos, list } = setUp({ nonFilterArgumentKeys: ['userId'] })
    const endpoint = list([])
    await controller.fetch(endpoint, { userId: 1, order: 'desc' })
    await controller.fetch(mutating(todos.push, { id: 1, userId: 5 }))
    expect(ids(controller.read(endpoint, { userId: 1, order: 'desc' }).data)).toEqual([1])
  })

  test('a map takes entries by assign', async () => {
    const controller = new Controller()
    const byName = new schema.Collection(new schema.Values(Todo))
    const endpoint = answering(byName, { a: { id: 1 } })
    const first = await controller.fetch(endpoint)
    await controller.fetch(mutating(byName.assign, { b: { id: 2 } }))
    const second = controller.read(endpoint).data!
    expect(Object.keys(second)).toEqual(['a', 'b'])
    expect(second.a).toBe(first.a)
    await controller.fetch(mutating(byName.remove, { id: 1 }))
    expect(Object.keys(controller.read(endpoint).data!)).toEqual(['b'])
  })

  test('a list in flight while a create and a delete settle has the one and not the other (G4, F4)', async () => {
    const controller = new Controller()
    const todos = new schema.Collection([Todo])
    let answer: (value: unknown) => void = () => {}
    const endpoint = new Endpoint(
      () =>
        new Promise<unknown>((resolve) => {
          answer = resolve
        }),
      { name: 'slow list', schema: todos },
    )
    const listing = controller.fetch(endpoint)
    await controller.fetch(mutating(todos.push, { id: 3 }))
    await controller.fetch(mutating(new schema.Delete(Todo), { id: 1 }))
    answer([{ id: 1 }, { id: 2 }])
    expect(ids(await listing)).toEqual([2, 3])
    const again = controller.fetch(endpoint)
    answer([{ id: 2 }])
    expect(ids(await again)).toEqual([2])
  })

  test('an answer that cannot be stored leaves lists as they were (G5)', async () => {
    const { controller, todos, list } = setUp()
    const endpoint = list([{ id: 1 }], [{ id: 2 }, { no: 'pk' }])
    const first = await controller.fetch(endpoint)
    await expect(controller.fetch(endpoint)).rejects.toThrow('has no primary key')
    await expect(controller.fetch(mutating(todos.push, [{ id: 2 }, {}]))).rejects.toThrow(
      'has no primary key',
    )
    expect(controller.read(endpoint).data).toBe(first)
  })

  test('nested, it is keyed by its parent, and is the list of the same arguments elsewhere', async () => {
    const todos = new schema.Collection([Todo], { nestKey: (user: { id: number }) => ({ userId: user.id }) })
    class Owner extends Entity {
      id = 0
      todos: Todo[] = []
      static override key = 'Owner'
      static override schema = { todos }
    }
    const controller = new Controller()
    const owner = await controller.fetch(answering(Owner, { id: 7, todos: [{ id: 1, userId: 7 }] }))
    const list = answering(todos)
    expect(controller.read(list, { userId: 7 }).data).toBe(owner.todos)
    await controller.fetch(mutating(todos.push, { id: 2, userId: 7 }))
    expect(ids(controller.get(Owner, { id: 7 })!.todos)).toEqual([1, 2])
    expect(ids(controller.read(list, { userId: 7 }).data)).toEqual([1, 2])
  })

  test('a Query over a Collection follows it, loaded or not', async () => {
    const { controller, todos, list } = setUp()
    const getTodos = list([{ id: 1 }, { id: 2 }])
    const count = new Query(todos, (items, _args?: object) => items.length)
    expect(controller.get(count, {})).toBe(undefined)
    const told: unknown[] = []
    controller.subscribe(count, {}, ({ data }) => told.push(data))
    await controller.fetch(getTodos)
    await controller.fetch(mutating(todos.push, { id: 3 }))
    expect(told).toEqual([2, 3])
  })

  test('an unchanged answer keeps the identity, also after a delete', async () => {
    const { controller, list } = setUp()
    const endpoint = list([{ id: 1 }, { id: 2 }], [{ id: 1 }, { id: 2 }], [{ id: 2 }])
    const first = await controller.fetch(endpoint)
    expect(await controller.fetch(endpoint)).toBe(first)
    await controller.fetch(mutating(new schema.Delete(Todo), { id: 1 }))
    const second = controller.read(endpoint).data
    expect(await controller.fetch(endpoint)).toBe(second)
    expect(() => new schema.Collection(Todo as never)).toThrow(
      'schema.Collection received neither a list nor a map.',
    )
  })
})

describe('Lazy', () => {
  class Friend extends Entity {
    id = 0
    name = ''
    friends: string[] = []
    best: string | undefined
    static override key = 'Friend'
  }
  const friends = new schema.Lazy(() => [Friend] as const)
  const best = new schema.Lazy(() => Friend)
  Friend.schema = { friends, best }

  test('shows primary keys, depends on nothing, and is resolved when asked', async () => {
    const controller = new Controller()
    const one = await controller.fetch(
      answering(Friend, { id: 1, best: { id: 2, name: 'B' }, friends: [{ id: 2 }, { id: 3, name: 'C' }] }),
    )
    expect([one.friends, one.best]).toEqual([['2', '3'], '2'])
    controller.set(Friend, { id: 2 }, { name: 'changed' })
    expect(controller.get(Friend, { id: 1 })).toBe(one)
    expect(controller.get(best.query, one.best!)!.name).toBe('changed')
    const resolved = controller.get(friends.query, one.friends as never)!
    expect(resolved.map(({ name }) => name)).toEqual(['changed', 'C'])
  })
})

describe('Entity', () => {
  test('is found by an indexed field, now and later (S17)', async () => {
    const controller = new Controller()
    const byEmail = answering(User)
    const told: unknown[] = []
    controller.subscribe(byEmail, { email: 'a@x' }, ({ data }) => told.push(data?.id))
    controller.set(User, { id: 1 }, { email: 'a@x', name: 'A' })
    controller.set(User, { id: 2 }, { email: 'b@x', name: 'B' })
    expect(told).toEqual([1])
    expect(controller.get(User, { email: 'a@x' })).toBe(controller.get(User, { id: 1 }))
    expect(controller.get(User, { name: 'B' })!.id).toBe(2)
    controller.set(User, { id: 1 }, { email: 'c@x' })
    expect(told).toEqual([1, undefined])
    expect(controller.get(User, { email: 'c@x' })!.id).toBe(1)
    expect(controller.get(User, { email: 'nobody' })).toBe(undefined)
  })

  test('process changes what is received, with a copy', async () => {
    class Processed extends Entity {
      slug = ''
      upper = ''
      override pk() {
        return this.slug
      }
      static override key = 'Processed'
      static override process(
        input: Record<string, unknown>,
        _parent: unknown,
        key: unknown,
        args: readonly unknown[] = [],
      ) {
        return { ...input, slug: String(input.name).toLowerCase(), at: String(key), arg: args[0] }
      }
    }
    const controller = new Controller()
    const input = Object.freeze({ name: 'ABC' })
    const [record] = await controller.fetch(answering([Processed], [input]), { x: 1 })
    expect(record).toMatchObject({ slug: 'abc', name: 'ABC', at: 'undefined', arg: { x: 1 } })
    expect(controller.get(Processed, { slug: 'abc' })).toBe(record)
  })

  test('merge decides how a record meets the stored one, whichever response comes first', async () => {
    class Counted extends Entity {
      id = 0
      name = ''
      tags: string[] = []
      static override key = 'Counted'
      static override merge(existing: { tags?: string[] }, incoming: { tags?: string[] }) {
        return {
          ...existing,
          ...incoming,
          tags: [...new Set([...(existing.tags ?? []), ...(incoming.tags ?? [])])],
        }
      }
    }
    const controller = new Controller()
    const waiting: ((value: unknown) => void)[] = []
    const read = new Endpoint(
      (_params: { call: number }) => new Promise<unknown>((resolve) => waiting.push(resolve)),
      { name: 'read', schema: Counted },
    )
    const [earlier, later] = [controller.fetch(read, { call: 1 }), controller.fetch(read, { call: 2 })]
    waiting[1]?.({ id: 1, name: 'Later', tags: ['b'] })
    await later
    waiting[0]?.({ id: 1, name: 'Earlier', tags: ['a'] })
    await earlier
    const merged = controller.get(Counted, { id: 1 })
    expect(merged).toMatchObject({ name: 'Later', tags: ['a', 'b'] })
    const again = controller.fetch(read, { call: 3 })
    waiting[2]?.({ id: 1, tags: ['a'] })
    expect(await again).toBe(merged)
  })

  test('a number that JavaScript rounds is warned of once as a primary key, and not as text', async () => {
    const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warnings.mockRestore())
    class Tweet extends Entity {
      id = ''
      static override key = 'Tweet'
    }
    const ids = ['9007199254740993', '9007199254740993123', 9007199254740991, 1.5e300 / 1e300]
    await new Controller().fetch(
      answering(
        [Tweet],
        ids.map((id) => ({ id })),
      ),
    )
    expect(warnings).not.toHaveBeenCalled()
    // Written as text, because the formatter would round it.
    const large = JSON.parse('[{ "id": 9007199254740993 }, { "id": 9007199254740995 }]') as unknown
    await new Controller().fetch(answering([Tweet], large))
    expect(warnings.mock.calls).toEqual([
      [expect.stringContaining('Entity "Tweet" has the primary key 9007199254740992, which')],
    ])
  })

  test.each([
    ['shouldUpdate', 'static version'],
    ['shouldReorder', 'static version'],
    ['useIncoming', 'static version'],
    ['mergeMetaWithStore', 'static version'],
    ['mergeWithStore', 'static merge'],
  ])('%s of another generation is named once, with %s in its place', (hook, remedy) => {
    const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warnings.mockRestore())
    class Kept extends Entity {
      id = 0
      static override key = 'Kept'
    }
    Object.assign(Kept, { [hook]: () => true })
    class Below extends Kept {
      static override key = 'Below'
    }
    for (let count = 0; count < 3; count++) new Controller().set(Below, { id: 5 }, { id: 5 })
    expect(warnings.mock.calls).toEqual([[expect.stringContaining(`Entity "Below" has \`static ${hook}\``)]])
    expect(warnings.mock.calls[0]?.[0]).toContain(`Use \`${remedy}`)
  })

  test('a class of one’s own becomes one by EntityMixin', async () => {
    class Data {
      slug = ''
      first = 'F'
      get shout() {
        return `${this.first}!`
      }
    }
    class Mixed extends EntityMixin(Data, { pk: 'slug', key: 'Mixed' }) {}
    const controller = new Controller()
    const mixed = await controller.fetch(answering(Mixed, { slug: 's', first: 'X' }))
    expect(mixed).toBeInstanceOf(Mixed)
    expect([mixed.shout, mixed.pk(), Mixed.key]).toEqual(['X!', 's', 'Mixed'])
    expect(controller.get(Mixed, { slug: 's' })).toBe(mixed)
  })

  test('EntityMixin keeps the statics and the pk() of the class, and its name as the key', async () => {
    class Item {
      sku = ''
      author: User | undefined
      pk() {
        return `item ${this.sku}`
      }
      static schema = { author: User }
      static defaults = { sku: 'none' }
      static indexes = ['sku']
      static process(input: Record<string, unknown>) {
        return { ...input, isProcessed: true }
      }
      static validate(record: { sku?: string }) {
        return record.sku === 'bad' ? 'sku is bad' : undefined
      }
    }
    const Mixed = EntityMixin(Item)
    class Product extends EntityMixin(Item) {}
    class Keyed extends EntityMixin(
      class {
        static key = 'Own'
      },
    ) {}
    expect([Mixed.key, Product.key, Keyed.key]).toEqual(['Item', 'Product', 'Own'])
    expect([Mixed.schema, Mixed.defaults, Mixed.indexes]).toEqual([Item.schema, Item.defaults, Item.indexes])
    const controller = new Controller()
    const item = await controller.fetch(answering(Mixed, { sku: 'a', author: { id: 1, name: 'Ann' } }))
    expect(item).toMatchObject({ sku: 'a', isProcessed: true, author: { name: 'Ann' } })
    expect(item.author).toBeInstanceOf(User)
    expect(controller.get(Mixed, { sku: 'a' })).toBe(item)
    await expect(controller.fetch(answering(Mixed, { sku: 'bad' }))).rejects.toThrow('sku is bad')
    expect(Mixed.fromJS().sku).toBe('none')
  })

  test('EntityMixin hands a pk that is a function the value, parent, key and arguments', async () => {
    class Row {
      cell = 0
      at: Date | undefined
    }
    const told: unknown[] = []
    class Mixed extends EntityMixin(Row, {
      pk(value, parent, key, args) {
        told.push([value === this, parent, key, args])
        return `${parent?.id} ${value.cell}`
      },
      key: 'Cell',
      schema: { at: Date },
    }) {}
    const row = { id: 4, cells: [{ cell: 5 }] }
    const { entities } = normalize({ cells: [Mixed] }, row, ['arg'])
    expect(entities).toEqual({ Cell: { '4 5': { cell: 5 } } })
    expect(told).toEqual([[true, row, 'cells', ['arg']]])
    expect(Mixed.schema).toEqual({ at: Date })
  })

  test.each<[string, () => unknown, string]>([
    ['Array', () => new schema.Array({ user: User } as never), 'several schemas and no schemaAttribute'],
    ['Values', () => new schema.Values({ user: User } as never), 'several schemas and no schemaAttribute'],
    [
      'Array.define',
      () => new schema.Array(User).define({ user: User }),
      'several schemas and no schemaAttribute',
    ],
    ['All', () => new schema.All({ user: User } as never), 'several schemas and no schemaAttribute'],
    [
      'Union',
      () => new schema.Union({ user: User }, undefined as never),
      'a schemaAttribute that is neither a name nor a function',
    ],
    [
      'Array of an attribute that is none',
      () => new schema.Array({ user: User }, 5 as never),
      'a schemaAttribute that is neither a name nor a function',
    ],
    [
      'Array of undefined',
      () => new schema.Array(undefined as never),
      'The schema of a list or map is undefined',
    ],
    [
      'Collection of undefined',
      () => new schema.Collection([undefined] as never),
      'The schema of a schema.Collection is undefined',
    ],
    [
      'a list of undefined',
      () => normalize([undefined] as never, []),
      'The member of a list schema is undefined',
    ],
  ])('refuses %s without what chooses between schemas, or without a schema', (_, define, message) => {
    expect(define).toThrow(message)
  })

  test.each<[string, unknown]>([
    ['author', undefined],
    ['contributors', [undefined]],
    ['reviewer', null],
  ])('names class and field of a static schema that is undefined: %s', (field, missing) => {
    class Circular extends Entity {
      id = 0
      static override key = 'Circular'
      static override schema = { createdAt: Date, [field]: missing } as never
    }
    for (const _ of ['the first', 'the second'])
      expect(() => normalize(Circular, { id: 1 })).toThrow(
        `Field "${field}" of the static schema of Entity "Circular" is undefined.`,
      )
  })

  test('a list and a map of plain objects are written with the schema of the object', () => {
    const item = { user: User, tag: '' }
    const list = new schema.Array(new schema.Object(item))
    expect(normalize(list, [{ user: { id: 1 } }]).result).toEqual([{ user: '1' }])
    const map = new schema.Values(new schema.Object(item))
    expect(normalize(map, { a: { user: { id: 1 } } }).result).toEqual({ a: { user: '1' } })
    expect(normalize(new schema.Collection([item]), [{ user: { id: 1 } }]).result).toEqual([{ user: '1' }])
  })

  test('pk receives parent, key and arguments', async () => {
    class Child extends Entity {
      value = 0
      override pk(parent?: { id: number }, key?: string, args?: readonly unknown[]) {
        return `${parent?.id} ${key} ${JSON.stringify(args)}`
      }
      static override key = 'Child'
    }
    class Parent extends Entity {
      id = 0
      child: Child | undefined
      static override key = 'Parent'
      static override schema = { child: Child }
    }
    const controller = new Controller()
    const parent = await controller.fetch(answering(Parent, { id: 3, child: { value: 1 } }), { a: 1 })
    expect(controller.get(Child, '3 child [{"a":1}]')).toBe(parent.child)
  })
})

describe('an empty definition', () => {
  test('of a list or a map is defined later', () => {
    const list = new schema.Array({})
    const map = new schema.Values({})
    list.define(User)
    map.define(User)
    const users = { '1': { id: 1 } }
    expect(normalize(list, [{ id: 1 }])).toEqual({ result: ['1'], entities: { User: users } })
    expect(normalize(map, { a: { id: 1 } })).toEqual({ result: { a: '1' }, entities: { User: users } })
    expect(denormalize({ list }, { list: ['1'] }, { User: users })).toEqual({
      list: [User.fromJS({ id: 1 })],
    })
  })
})
