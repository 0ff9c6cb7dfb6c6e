import { Resource } from '@selfsame/core/legacy'
import { describe, expectTypeOf, test } from 'vitest'
import { computed, ref } from 'vue'
import type { Ref } from 'vue'
import { useSuspense } from '../index.js'
import type { SuspenseHandle } from '../use-suspense.js'
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
  test('gives the data of the shape, for values, refs and getters', () => {
    check(() => {
      expectTypeOf(useResource(Todo.detailShape(), one)).toEqualTypeOf<SuspenseHandle<Todo>>()
      expectTypeOf(useResource(Todo.detailShape(), () => one)).toEqualTypeOf<SuspenseHandle<Todo>>()
      expectTypeOf(useResource(Todo.detailShape(), ref(one))).toEqualTypeOf<SuspenseHandle<Todo>>()
      expectTypeOf(useResource(() => Todo.detailShape(), one)).toEqualTypeOf<SuspenseHandle<Todo>>()
      expectTypeOf(useResource(User.listShape(), {})).toEqualTypeOf<SuspenseHandle<User[]>>()
      expectTypeOf(useResource(Todo.listShape(), {})).toEqualTypeOf<
        SuspenseHandle<{ results: Todo[]; nextPage: string }>
      >()
      expectTypeOf(useResource(Todo.detailShape(), null)).toEqualTypeOf<SuspenseHandle<undefined>>()
      const maybe = computed(() => one as typeof one | null)
      expectTypeOf(useResource(Todo.detailShape(), maybe)).toEqualTypeOf<SuspenseHandle<Todo | undefined>>()
      expectTypeOf(useResource(Todo.detail(), one)).toEqualTypeOf<SuspenseHandle<Todo>>()
      expectTypeOf(useSuspense(Todo.detail(), () => one)).toEqualTypeOf<SuspenseHandle<Todo>>()
      // @ts-expect-error a shape that changes data cannot be read
      useResource(Todo.createShape(), one)
    })
  })

  test('L2: gives a tuple of several', () => {
    check(async () => {
      const all = await useResource([Todo.detailShape(), () => one], [User.listShape(), {}])
      expectTypeOf(all.value).toEqualTypeOf<readonly [Todo, User[]]>()
    })
  })
})

test('the other composables are typed by the shape', () => {
  check(async () => {
    expectTypeOf(useCache(Todo.detailShape(), () => one)).toEqualTypeOf<Readonly<Ref<Todo | undefined>>>()
    expectTypeOf(useRetrieve(Todo.detailShape(), one)).toEqualTypeOf<
      Readonly<Ref<Promise<Todo> | undefined>>
    >()
    expectTypeOf(useError(Todo.detailShape(), null)).toEqualTypeOf<Readonly<Ref<Error | undefined>>>()
    expectTypeOf(useResetter()).toEqualTypeOf<() => void>()
    useInvalidator(Todo.detailShape())(null)
    const create = useFetcher(Todo.createShape())
    expectTypeOf(await create({}, { title: '' })).toEqualTypeOf<Todo>()
    // @ts-expect-error params are an object
    create('x')
  })
})
