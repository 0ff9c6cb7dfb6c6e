import { describe, expectTypeOf, test } from 'vitest'
import type { DataForArgs, DataOf, NullableArgs, ArgsOf, ReadEndpoint } from '../index.js'
import type { Controller } from '../index.js'
import { Resource } from './legacy-resource.js'
import type { FetchShape, ReadShape } from './shapes.js'
import type { DataOfShape, ParamsOfShape, ShapeData } from './shape-endpoint.js'

class User extends Resource {
  id = 0
  name = ''
  static override urlRoot = '/user'
}

class Todo extends Resource {
  id = 0
  title = ''
  author: User | undefined
  static override urlRoot = '/todo'
  static override schema = { author: User }
}

/** Overrides every overridable member. */
class Article extends Todo {
  content = ''
  static override urlRoot = '/article'
  static override url({ id }: { id: number }) {
    return `/a/${id}`
  }
  static override listUrl(params?: { readonly page?: number }) {
    return `/a?page=${params?.page}`
  }
  static override async fetch(url: string, init: RequestInit) {
    return (await super.fetch(url, init)) as unknown
  }
  static override getEndpointExtra() {
    return { ...super.getEndpointExtra(), dataExpiryLength: 5 }
  }
  static override list<T extends typeof Resource>(this: T) {
    return super.list().extend({ schema: { results: [this], nextPage: '' } })
  }
  static override detail<T extends typeof Resource>(this: T) {
    return super.detail().extend({ schema: { data: this }, dataExpiryLength: 10 })
  }
  static override listShape<T extends typeof Resource>(this: T) {
    return {
      ...super.listShape(),
      schema: { results: [this.asSchema()], nextPage: '' },
      fetch: async (params: { readonly page: number }) => ({ page: params.page }),
    }
  }
  static makeManager<T extends typeof Resource>(this: T) {
    return this.detail().extend({ method: 'POST', url: ({ id }: { id: number }) => `/x/${id}` })
  }
}

/** A subclass of a subclass, with other members. */
class Post extends Article {
  likes = 0
  static override urlRoot = '/post'
  static override list<T extends typeof Resource>(this: T) {
    return super.list().extend({ schema: [this] })
  }
  static override detail<T extends typeof Resource>(this: T) {
    return super.detail().extend({ schema: this })
  }
}

declare const controller: Controller
/** Has the type of `useSuspense`. */
declare function read<E extends ReadEndpoint, const A extends NullableArgs<ArgsOf<E>>>(
  endpoint: E,
  ...args: A
): DataForArgs<E, A>
/** Type-checks its argument without running it. */
declare function check(act: () => unknown): void

describe('endpoints', () => {
  test('give the class that they are of', () => {
    check(() => {
      expectTypeOf(read(Todo.detail(), { id: 5 })).toEqualTypeOf<Todo>()
      expectTypeOf(read(Todo.list())).toEqualTypeOf<Todo[]>()
      expectTypeOf(read(Todo.list(), { userId: 1 })).toEqualTypeOf<Todo[]>()
      expectTypeOf(read(User.detail(), { id: 5 })).toEqualTypeOf<User>()
      expectTypeOf(read(Todo.detail(), null)).toEqualTypeOf<undefined>()
      expectTypeOf(read(Todo.detail(), {} as { id: number } | null)).toEqualTypeOf<Todo | undefined>()
      // @ts-expect-error a mutation cannot be read
      read(Todo.create(), {})
      // @ts-expect-error nor can a delete
      read(Todo.delete(), { id: 5 })
    })
  })

  test('of a subclass give what it says', () => {
    check(() => {
      expectTypeOf(read(Article.list())).toEqualTypeOf<{ results: Article[]; nextPage: string }>()
      expectTypeOf(read(Article.detail(), { id: 5 })).toEqualTypeOf<{ data: Article }>()
      expectTypeOf(read(Post.list())).toEqualTypeOf<Post[]>()
      expectTypeOf(read(Post.detail(), { id: 5 })).toEqualTypeOf<Post>()
      expectTypeOf(Article.makeManager().sideEffect).toEqualTypeOf<true>()
    })
  })

  test('are fetched with the type of their answer', () => {
    check(async () => {
      expectTypeOf(await controller.fetch(Todo.detail(), { id: 5 })).toEqualTypeOf<Todo>()
      expectTypeOf(await controller.fetch(Todo.create(), {}, { title: '' })).toEqualTypeOf<Todo>()
      expectTypeOf(await controller.fetch(Todo.create(), { title: '' })).toEqualTypeOf<Todo>()
      expectTypeOf(await controller.fetch(Todo.partialUpdate(), { id: 5 }, {})).toEqualTypeOf<Todo>()
      expectTypeOf(await controller.fetch(Todo.delete(), { id: 5 })).toEqualTypeOf<object>()
      expectTypeOf(controller.read(Todo.detail(), { id: 5 }).data).toEqualTypeOf<Todo | undefined>()
    })
  })

  test('keep what they give through extend', () => {
    const slow = Todo.detail().extend({ dataExpiryLength: 5 })
    expectTypeOf<DataOf<typeof slow>>().toEqualTypeOf<Todo>()
    const wrapped = Todo.list()
      .extend({ schema: { results: [Todo] } })
      .extend({ name: 'wrapped' })
    expectTypeOf<DataOf<typeof wrapped>>().toEqualTypeOf<{ results: Todo[] }>()
    const counted = Todo.list().extend({ schema: undefined, fetch: async () => 5 })
    expectTypeOf<DataOf<typeof counted>>().toEqualTypeOf<number>()
    const posted = Todo.detail().extend({ method: 'POST' })
    expectTypeOf(posted.sideEffect).toEqualTypeOf<true>()
    check(() => [
      // @ts-expect-error there is no such option
      Todo.detail().extend({ dataExpiryLenght: 5 }),
    ])
  })
})

describe('shapes', () => {
  test('give the class that they are of', () => {
    expectTypeOf<DataOfShape<ReturnType<typeof Todo.detailShape<typeof Todo>>>>().toEqualTypeOf<Todo>()
    const list = Todo.listShape()
    expectTypeOf<DataOfShape<typeof list>>().toEqualTypeOf<Todo[]>()
    expectTypeOf(list.type).toEqualTypeOf<'read'>()
    expectTypeOf(Todo.createShape().type).toEqualTypeOf<'mutate'>()
    expectTypeOf(Todo.deleteShape().type).toEqualTypeOf<'delete'>()
    expectTypeOf(list).toExtend<ReadShape>()
    expectTypeOf(Todo.asSchema()).toEqualTypeOf<typeof Todo>()
  })

  test('of a subclass give what their schema says', () => {
    const shape = Article.listShape()
    expectTypeOf<DataOfShape<typeof shape>>().toEqualTypeOf<{ results: Article[]; nextPage: string }>()
    expectTypeOf(shape).toExtend<FetchShape>()
    const own = { ...Todo.detailShape(), schema: [User], getFetchKey: ({ id }: { id: number }) => `${id}` }
    expectTypeOf<DataOfShape<typeof own>>().toEqualTypeOf<User[]>()
    expectTypeOf<ParamsOfShape<typeof own>>().toEqualTypeOf<{ id: number }>()
  })

  test('without params give nothing', () => {
    const shape = Todo.detailShape()
    expectTypeOf<ShapeData<typeof shape, null>>().toEqualTypeOf<undefined>()
    expectTypeOf<ShapeData<typeof shape, { id: 5 } | null>>().toEqualTypeOf<Todo | undefined>()
    expectTypeOf<ShapeData<typeof shape, { id: 5 }>>().toEqualTypeOf<Todo>()
    const endpoint = Todo.list()
    expectTypeOf<ShapeData<typeof endpoint, object>>().toEqualTypeOf<Todo[]>()
  })
})
