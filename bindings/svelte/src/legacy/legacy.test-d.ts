import { Resource } from '@selfsame/core/legacy'
import { describe, expectTypeOf, test } from 'vitest'
import { readable } from 'svelte/store'
import { useSuspense } from '../index.js'
import type { Handle } from '../use-suspense.js'
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
  test('gives the data of the shape, for values, getters and stores', () => {
    check(() => {
      expectTypeOf(useResource(Todo.detailShape(), one)).toEqualTypeOf<Handle<Todo>>()
      expectTypeOf(useResource(Todo.detailShape(), () => one)).toEqualTypeOf<Handle<Todo>>()
      expectTypeOf(useResource(Todo.detailShape(), readable(one))).toEqualTypeOf<Handle<Todo>>()
      expectTypeOf(useResource(() => Todo.detailShape(), one)).toEqualTypeOf<Handle<Todo>>()
      expectTypeOf(useResource(User.listShape(), {})).toEqualTypeOf<Handle<User[]>>()
      expectTypeOf(useResource(Todo.detailShape(), null)).toEqualTypeOf<Handle<undefined>>()
      const maybe = () => one as typeof one | null
      expectTypeOf(useResource(Todo.detailShape(), maybe)).toEqualTypeOf<Handle<Todo | undefined>>()
      expectTypeOf(useResource(Todo.detail(), one)).toEqualTypeOf<Handle<Todo>>()
      expectTypeOf(useSuspense(Todo.detail(), () => one)).toEqualTypeOf<Handle<Todo>>()
      // @ts-expect-error a shape that changes data cannot be read
      useResource(Todo.createShape(), one)
    })
  })

  test('L2: gives a tuple of several', () => {
    check(() => {
      const all = useResource([Todo.detailShape(), () => one], [User.listShape(), {}])
      expectTypeOf(all.current).toEqualTypeOf<readonly [Todo, User[]]>()
    })
  })
})

test('the other hooks are typed by the shape', () => {
  check(async () => {
    expectTypeOf(useCache(Todo.detailShape(), () => one)).toEqualTypeOf<Handle<Todo | undefined>>()
    expectTypeOf(useRetrieve(Todo.detailShape(), one).current).toEqualTypeOf<Promise<Todo> | undefined>()
    expectTypeOf(useError(Todo.detailShape(), null).current).toEqualTypeOf<Error | undefined>()
    expectTypeOf(useResetter()).toEqualTypeOf<() => void>()
    useInvalidator(Todo.detailShape())(null)
    const create = useFetcher(Todo.createShape())
    expectTypeOf(await create({}, { title: '' })).toEqualTypeOf<Todo>()
    // @ts-expect-error params are an object
    create('x')
  })
})
