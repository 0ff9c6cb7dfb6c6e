import { Resource } from '@selfsame/core/legacy'
import { describe, expectTypeOf, test } from 'vitest'
import { useSuspense } from '../index.js'
import {
  useCache,
  useError,
  useFetcher,
  useInvalidator,
  useResetter,
  useResource,
  useRetrieve,
} from '../legacy.js'

class User extends Resource {
  id = 0
  name = ''
  static override urlRoot = '/user'
}

class Todo extends Resource {
  id = 0
  title = ''
  static override urlRoot = '/todo'
  static override listShape<T extends typeof Resource>(this: T) {
    return { ...super.listShape(), schema: { results: [this.asSchema()], nextPage: '' } }
  }
}

/** Type-checks its argument without running it. */
declare function check(act: () => unknown): void

const one = { id: 5 }

describe('useResource', () => {
  test('gives the data of the shape', () => {
    check(() => {
      expectTypeOf(useResource(Todo.detailShape(), one)).toEqualTypeOf<Todo>()
      expectTypeOf(useResource(User.listShape(), {})).toEqualTypeOf<User[]>()
      expectTypeOf(useResource(Todo.listShape(), {})).toEqualTypeOf<{ results: Todo[]; nextPage: string }>()
      expectTypeOf(useResource(Todo.detailShape(), null)).toEqualTypeOf<undefined>()
      expectTypeOf(useResource(Todo.detailShape(), one as typeof one | null)).toEqualTypeOf<
        Todo | undefined
      >()
      expectTypeOf(useResource(Todo.detail(), one)).toEqualTypeOf<Todo>()
      expectTypeOf(useSuspense(Todo.detail(), one)).toEqualTypeOf<Todo>()
      // @ts-expect-error a shape that changes data cannot be read
      useResource(Todo.createShape(), one)
      // @ts-expect-error params are an object
      useResource(Todo.detailShape(), 5)
    })
  })

  test('L2: gives a tuple of several', () => {
    check(() => {
      const [todo, users] = useResource([Todo.detailShape(), one], [User.listShape(), {}])
      expectTypeOf(todo).toEqualTypeOf<Todo>()
      expectTypeOf(users).toEqualTypeOf<User[]>()
      const [user] = useResource([User.detailShape(), one as typeof one | null])
      expectTypeOf(user).toEqualTypeOf<User | undefined>()
      // @ts-expect-error a shape that changes data cannot be read
      useResource([Todo.detailShape(), one], [Todo.createShape(), one])
    })
  })
})

test('the other hooks are typed by the shape', () => {
  check(async () => {
    expectTypeOf(useCache(Todo.detailShape(), one)).toEqualTypeOf<Todo | undefined>()
    expectTypeOf(useRetrieve(Todo.detailShape(), one)).toEqualTypeOf<Promise<Todo> | undefined>()
    expectTypeOf(useError(Todo.detailShape(), null)).toEqualTypeOf<Error | undefined>()
    expectTypeOf(useResetter()).toEqualTypeOf<() => void>()
    useInvalidator(Todo.detailShape())(null)
    const create = useFetcher(Todo.createShape())
    const created = create({}, { title: '' }, [
      [
        Todo.listShape(),
        {},
        (id: string, page: { results: string[] }) => ({ results: [...page.results, id] }),
      ],
    ])
    expectTypeOf(await created).toEqualTypeOf<Todo>()
    // @ts-expect-error params are an object
    create('x')
  })
})
