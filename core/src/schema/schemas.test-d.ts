import { describe, expectTypeOf, test } from 'vitest'
import { Controller, Endpoint, Entity, EntityMixin, Query, denormalize, normalize, schema } from '../index.js'
import type { Denormalize, DenormalizeNullable, Normalize, SchemaArgs } from '../index.js'

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}
class Todo extends Entity {
  id = ''
  title = ''
  owner: User | undefined
  static override key = 'Todo'
  static override schema = { owner: User }
}
class Link extends Entity {
  type = 'link' as const
}
class Post extends Entity {
  type = 'post' as const
}

const mapping = { link: Link, post: Post } as const
const union = new schema.Union(mapping, 'type')
const controller = new Controller()

describe('Denormalize', () => {
  test('reads each schema exactly', () => {
    expectTypeOf<Denormalize<typeof Todo>>().toEqualTypeOf<Todo>()
    expectTypeOf<Denormalize<[typeof Todo]>>().toEqualTypeOf<Todo[]>()
    const list = new schema.Array(Todo)
    expectTypeOf<Denormalize<typeof list>>().toEqualTypeOf<Todo[]>()
    const mixed = new schema.Array(mapping, 'type')
    expectTypeOf<Denormalize<typeof mixed>>().toEqualTypeOf<(Link | Post)[]>()
    const byFunction = new schema.Array(mapping, (value: { type: string }) => value.type)
    expectTypeOf<Denormalize<typeof byFunction>>().toEqualTypeOf<(Link | Post)[]>()
    const untold = new schema.Array(mapping, (value, parent, key) => value.type ?? parent?.type ?? key)
    expectTypeOf<Denormalize<typeof untold>>().toEqualTypeOf<(Link | Post)[]>()
    const untoldMap = new schema.Values(mapping, (value, _parent, _key) => value.type)
    expectTypeOf<Denormalize<typeof untoldMap>>().toEqualTypeOf<{ [key: string]: Link | Post }>()
    const untoldUnion = new schema.Union(mapping, (value, _parent, _key) => value.type)
    expectTypeOf<Denormalize<typeof untoldUnion>>().toEqualTypeOf<Link | Post>()
    const values = new schema.Values(Todo)
    expectTypeOf<Denormalize<typeof values>>().toEqualTypeOf<{ [key: string]: Todo }>()
    const mixedValues = new schema.Values(mapping, 'type')
    expectTypeOf<Denormalize<typeof mixedValues>>().toEqualTypeOf<{ [key: string]: Link | Post }>()
    expectTypeOf<Denormalize<typeof union>>().toEqualTypeOf<Link | Post>()
    const all = new schema.All(Todo)
    expectTypeOf<Denormalize<typeof all>>().toEqualTypeOf<Todo[]>()
    const allMixed = new schema.All(union)
    expectTypeOf<Denormalize<typeof allMixed>>().toEqualTypeOf<(Link | Post)[]>()
    expectTypeOf<DenormalizeNullable<typeof Todo>>().toEqualTypeOf<Todo | undefined>()
  })

  test('asks for what chooses between the schemas of a mapping', () => {
    // @ts-expect-error a mapping takes a second argument
    new schema.Array(mapping)
    // @ts-expect-error a mapping takes a second argument
    new schema.Values({ link: Link, post: Post })
    // @ts-expect-error a mapping takes a second argument
    new schema.Union(mapping)
    // @ts-expect-error a mapping takes a second argument
    new schema.Array(mapping, undefined)
    // @ts-expect-error a number is no attribute
    new schema.Array(mapping, 5)
    const objects = new schema.Array(new schema.Object({ user: User, n: 0 }))
    expectTypeOf<Denormalize<typeof objects>>().toEqualTypeOf<{ user: User; n: number }[]>()
    const lists = new schema.Values([Todo])
    expectTypeOf<Denormalize<typeof lists>>().toEqualTypeOf<{ [key: string]: Todo[] }>()
    const dates = new schema.Array(Date)
    expectTypeOf<Denormalize<typeof dates>>().toEqualTypeOf<Date[]>()
  })

  test('reads nested and mixed schemas exactly', () => {
    const nested = {
      results: new schema.Collection([union]),
      owner: User,
      at: Date,
      nextPage: '',
      count: 0,
    } as const
    expectTypeOf<Denormalize<typeof nested>>().toEqualTypeOf<{
      results: (Link | Post)[]
      owner: User
      at: Date
      nextPage: string
      count: number
    }>()
    const nullable = { cursor: '' as string | null, of: [[Todo]] } as const
    expectTypeOf<Denormalize<typeof nullable>>().toEqualTypeOf<{ cursor: string | null; of: Todo[][] }>()
  })

  test('reads what changes a Collection as one of its members', () => {
    const todos = new schema.Collection([Todo])
    expectTypeOf<Denormalize<typeof todos>>().toEqualTypeOf<Todo[]>()
    expectTypeOf<Denormalize<typeof todos.push>>().toEqualTypeOf<Todo>()
    expectTypeOf<Denormalize<typeof todos.move>>().toEqualTypeOf<Todo>()
    const byName = new schema.Collection(new schema.Values(Todo))
    expectTypeOf<Denormalize<typeof byName.assign>>().toEqualTypeOf<{ [key: string]: Todo }>()
    const create = new Endpoint(() => Promise.resolve({}), { schema: todos.push, sideEffect: true })
    expectTypeOf(controller.fetch(create)).resolves.toEqualTypeOf<Todo>()
  })

  test('shows a lazy relation as primary keys, and resolves it', () => {
    const friends = new schema.Lazy(() => [User] as const)
    expectTypeOf<Denormalize<typeof friends>>().toEqualTypeOf<string[]>()
    const best = new schema.Lazy(() => User)
    expectTypeOf<Denormalize<typeof best>>().toEqualTypeOf<string>()
    expectTypeOf(controller.get(friends.query, ['1'])).toEqualTypeOf<User[] | undefined>()
    // @ts-expect-error the argument is a list of primary keys
    controller.get(friends.query, 5)
  })

  test('keeps what a mixed-in class is', () => {
    class Data {
      slug = ''
      shout() {
        return this.slug
      }
    }
    class Mixed extends EntityMixin(Data, { pk: 'slug', key: 'Mixed' }) {
      extra = 1
    }
    expectTypeOf<Denormalize<[typeof Mixed]>[number]['extra']>().toEqualTypeOf<number>()
    expectTypeOf<Denormalize<typeof Mixed>['slug']>().toEqualTypeOf<string>()
    // @ts-expect-error the class has no field of that name
    EntityMixin(Data, { pk: 'nothing' })
    class Owned extends Data {
      static schema = { slug: String }
      static key = 'owned' as const
    }
    const Own = EntityMixin(Owned, { pk: (value, _parent, key) => `${value.slug} ${key}` })
    expectTypeOf(Own.schema).toEqualTypeOf<{ slug: StringConstructor }>()
    expectTypeOf(Own.key).toEqualTypeOf<'owned'>()
    expectTypeOf(Own.defaults).toEqualTypeOf<object | undefined>()
    // @ts-expect-error a date is no primary key
    EntityMixin(Data, { pk: () => new Date() })
  })
})

describe('Normalize', () => {
  test('has primary keys instead of records', () => {
    expectTypeOf<Normalize<typeof Todo>>().toEqualTypeOf<string>()
    expectTypeOf<Normalize<[typeof Todo]>>().toEqualTypeOf<string[]>()
    const values = new schema.Values(Todo)
    expectTypeOf<Normalize<typeof values>>().toEqualTypeOf<{ [key: string]: string }>()
    expectTypeOf<Normalize<typeof union>>().toEqualTypeOf<
      readonly ['link', string] | readonly ['post', string] | readonly [null, unknown]
    >()
    const plain = { tags: [], names: [] as string[], counts: {} as { [name: string]: number } } as const
    type Plain = { tags: unknown[]; names: string[]; counts: { [name: string]: number } }
    expectTypeOf(normalize(plain, {}).result).toEqualTypeOf<Plain>()
    expectTypeOf<Denormalize<typeof plain>>().toEqualTypeOf<Plain>()
    const { result, entities } = normalize({ results: [Todo], nextPage: '' }, {})
    expectTypeOf(result).toEqualTypeOf<{ results: string[]; nextPage: string }>()
    expectTypeOf(denormalize([Todo], ['1'], entities)).toEqualTypeOf<Todo[] | undefined>()
  })
})

describe('Query', () => {
  test('gives what process returns, and takes its arguments', () => {
    const open = new Query(new schema.All(Todo), (todos, { userId }: { userId: number }) => {
      expectTypeOf(todos).toEqualTypeOf<Todo[]>()
      return todos.length + userId
    })
    expectTypeOf(controller.get(open, { userId: 1 })).toEqualTypeOf<number | undefined>()
    expectTypeOf(controller.read(open, { userId: 1 }).data).toEqualTypeOf<number | undefined>()
    expectTypeOf(open.schema.definition).toEqualTypeOf<typeof Todo>()
    // @ts-expect-error userId is missing
    controller.get(open, {})
    // @ts-expect-error userId is a number
    controller.get(open, { userId: 'x' })
    // @ts-expect-error process takes an argument
    controller.get(open)
    // @ts-expect-error a Query makes no requests
    void controller.fetch(open, { userId: 1 })
  })

  test('takes arguments that are told by their defaults alone', () => {
    const sorted = new Query(new schema.All(Todo), (todos, { asc } = { asc: false }) =>
      asc ? todos : [...todos].reverse(),
    )
    expectTypeOf(controller.get(sorted)).toEqualTypeOf<Todo[] | undefined>()
    expectTypeOf(controller.get(sorted, { asc: true })).toEqualTypeOf<Todo[] | undefined>()
    // @ts-expect-error no argument of that name
    controller.get(sorted, { ascending: true })
    const paged = new Query(new schema.All(Todo), (todos, { page = 1, size = 10 } = {}) =>
      todos.slice((page - 1) * size, page * size),
    )
    expectTypeOf(controller.get(paged, { page: 2 })).toEqualTypeOf<Todo[] | undefined>()
    // @ts-expect-error a page is a number
    controller.get(paged, { page: '2' })
    expectTypeOf(controller.get(new Query(new schema.All(Todo)))).toEqualTypeOf<Todo[] | undefined>()
  })

  test('as the schema of an endpoint it is what the endpoint gives', () => {
    const getList = new Endpoint((_params: { userId: number }) => Promise.resolve<unknown>([]), {
      name: 'getList',
      schema: new Query(new schema.Collection([Todo]), (todos) => todos.length),
    })
    expectTypeOf(controller.fetch(getList, { userId: 1 })).resolves.toEqualTypeOf<number>()
    expectTypeOf(controller.read(getList, { userId: 1 }).data).toEqualTypeOf<number | undefined>()
  })

  test('without process gives what its schema reads, by the schema’s own arguments', () => {
    const user = new Query(User)
    expectTypeOf(controller.get(user, { id: 5 })).toEqualTypeOf<User | undefined>()
    expectTypeOf(controller.get(user, '5')).toEqualTypeOf<User | undefined>()
    // @ts-expect-error User has no field of that name
    controller.get(user, { nothing: 5 })
    const name = new Query(user, ({ name }) => name)
    expectTypeOf(controller.get(name, { id: 5 })).toEqualTypeOf<string | undefined>()
    const all = new Query(new schema.All(Todo))
    expectTypeOf(controller.get(all)).toEqualTypeOf<Todo[] | undefined>()
    expectTypeOf<SchemaArgs<typeof User>>().toExtend<readonly [string | number | object]>()
  })
})

describe('definitions that do not compile', () => {
  test('name the member that is wrong', () => {
    // @ts-expect-error a mapping is not a function
    new schema.Union(mapping, 5)
    // @ts-expect-error a Union takes a mapping
    new schema.Union(Link)
    // @ts-expect-error only the schema of one record can be deleted
    new schema.Delete([Todo])
    // @ts-expect-error a lazy relation takes a function
    new schema.Lazy(Todo)
  })
})

test('the process of a Query is typed as it was given', () => {
  const open = new Query(
    new schema.All(Todo),
    (todos, { userId }: { userId: number }) => todos.length + userId,
  )
  expectTypeOf(open.process).parameter(1).toEqualTypeOf<{ userId: number }>()
  expectTypeOf(open.process).returns.toEqualTypeOf<number>()
  const plain = new Query(Todo)
  expectTypeOf(plain.process).returns.toEqualTypeOf<Todo>()
  // @ts-expect-error it takes the arguments of the Query
  open.process([], {})
})
