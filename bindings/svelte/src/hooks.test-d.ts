import { Endpoint, Entity } from '@selfsame/core'
import type { Controller, ReadEndpoint } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import type { Readable } from 'svelte/store'
import { describe, expectTypeOf, test } from 'vitest'
import type { FetchHandle, Handle } from './index.js'
import { provideController, useCache, useController, useFetch, useSuspense } from './index.js'

class Todo extends Entity {
  id = 0
  title = ''
}

const todo = createResource({ path: '/todo/:id', schema: Todo })
const inGroup = createResource({ path: '/:group/:id', schema: Todo })
const getMany = new Endpoint(async (ids: readonly number[]) => ids.map(String), { name: 'getMany' })
const getNow = new Endpoint(async () => 5, { name: 'getNow' })
const search = new Endpoint(async (text: string, limit: number) => [text, limit], { name: 'search' })

declare const condition: boolean
declare const id: number
declare const maybeId: number | undefined

describe('useSuspense', () => {
  test('gives a handle of the data', () => {
    const handle = useSuspense(todo.get, { id: 5 })
    expectTypeOf(handle).toEqualTypeOf<Handle<Todo>>()
    expectTypeOf(handle.current).toEqualTypeOf<Todo>()
    expectTypeOf(handle.pending).toEqualTypeOf<boolean>()
    expectTypeOf(handle.error).toEqualTypeOf<Error | undefined>()
    expectTypeOf(handle).toExtend<Readable<Todo | undefined>>()
    expectTypeOf<Awaited<typeof handle>>().toEqualTypeOf<Todo>()
    expectTypeOf(useSuspense(todo.getList).current).toEqualTypeOf<Todo[]>()
    expectTypeOf(useSuspense(getNow).current).toEqualTypeOf<number>()
  })

  test('takes getters, stores and values', () => {
    expectTypeOf(useSuspense(todo.get, () => ({ id })).current).toEqualTypeOf<Todo>()
    expectTypeOf(useSuspense(todo.get, () => [{ id }]).current).toEqualTypeOf<Todo>()
    expectTypeOf(useSuspense(todo.get, {} as Readable<{ id: number }>).current).toEqualTypeOf<Todo>()
    expectTypeOf(useSuspense(search, 'a', () => 5).current).toEqualTypeOf<(string | number)[]>()
    expectTypeOf(useSuspense(search, () => ['a', 5]).current).toEqualTypeOf<(string | number)[]>()
    expectTypeOf(useSuspense(() => todo.get, { id: 5 }).current).toEqualTypeOf<Todo>()
    expectTypeOf(useSuspense({} as Readable<typeof todo.get>, { id: 5 }).current).toEqualTypeOf<Todo>()
    expectTypeOf(useSuspense(getMany, [1, 2]).current).toEqualTypeOf<string[]>()
    expectTypeOf(useSuspense(getMany, () => [[1, 2]]).current).toEqualTypeOf<string[]>()
  })

  test('gives data or undefined where the arguments may be null', () => {
    expectTypeOf(useSuspense(todo.get, condition ? { id: 5 } : null).current).toEqualTypeOf<
      Todo | undefined
    >()
    expectTypeOf(
      useSuspense(todo.get, () => (maybeId === undefined ? null : { id: maybeId })).current,
    ).toEqualTypeOf<Todo | undefined>()
    expectTypeOf(useSuspense(todo.get, {} as Readable<{ id: number } | null>).current).toEqualTypeOf<
      Todo | undefined
    >()
    expectTypeOf(
      useSuspense(inGroup.get, () => (condition ? [{ group: 'a', id }] : null)).current,
    ).toEqualTypeOf<Todo | undefined>()
    expectTypeOf(useSuspense(todo.get, null).current).toEqualTypeOf<undefined>()
  })

  test('refuses what the endpoint does not take', () => {
    // @ts-expect-error the path needs an id
    useSuspense(todo.get)
    // @ts-expect-error the path needs an id
    useSuspense(todo.get, {})
    // @ts-expect-error the path has no idd
    useSuspense(todo.get, { idd: 5 })
    // @ts-expect-error the path needs an id
    useSuspense(todo.get, () => ({ idd: 5 }))
    // @ts-expect-error the path needs a group
    useSuspense(inGroup.get, () => ({ id }))
    // @ts-expect-error the path needs an id
    useSuspense(todo.get, () => [{ idd: 5 }])
    // @ts-expect-error the path needs an id
    useSuspense(todo.get, {} as Readable<{ idd: number }>)
    // @ts-expect-error an id is a number or a string
    useSuspense(todo.get, { id: true })
    // @ts-expect-error a single getter that returns a list supplies all arguments
    useSuspense(getMany, () => [1, 2])
    // @ts-expect-error a mutation is not read
    useSuspense(todo.create, { title: 'x' })
    // @ts-expect-error a mutation is not read
    useSuspense(() => todo.delete, { id: 5 })
    expectTypeOf<typeof todo.create>().not.toExtend<ReadEndpoint>()
  })
})

test('useCache gives a handle of data or undefined', () => {
  expectTypeOf(useCache(todo.get, { id: 5 })).toEqualTypeOf<Handle<Todo | undefined>>()
  expectTypeOf(useCache(todo.get, () => ({ id })).current).toEqualTypeOf<Todo | undefined>()
  expectTypeOf(useCache(todo.getList).current).toEqualTypeOf<Todo[] | undefined>()
  expectTypeOf(useCache(todo.get, null).current).toEqualTypeOf<Todo | undefined>()
  const cacheable = { key: (params: { id: number }) => `todo ${params.id}`, schema: Todo }
  expectTypeOf(useCache(cacheable, { id: 5 }).current).toEqualTypeOf<Todo | undefined>()
  // @ts-expect-error the key needs an id
  useCache(cacheable, {})
  // @ts-expect-error the path needs an id
  useCache(todo.get, {})
})

test('useFetch gives a promise, or a handle of one where it follows its arguments', () => {
  expectTypeOf(useFetch(todo.get, { id: 5 })).toEqualTypeOf<Promise<Todo>>()
  expectTypeOf(useFetch(todo.get, null)).toEqualTypeOf<undefined>()
  expectTypeOf(useFetch(todo.getList)).toEqualTypeOf<Promise<Todo[]>>()
  expectTypeOf(useFetch(todo.get, () => ({ id }))).toEqualTypeOf<FetchHandle<Promise<Todo>>>()
  expectTypeOf(useFetch(todo.get, () => (id > 5 ? { id } : null))).toEqualTypeOf<
    FetchHandle<Promise<Todo> | undefined>
  >()
  expectTypeOf(useFetch(() => todo.get, { id: 5 })).toEqualTypeOf<FetchHandle<Promise<Todo>>>()
  // @ts-expect-error the path needs an id
  useFetch(todo.get, {})
  // @ts-expect-error a mutation is sent with controller.fetch
  useFetch(todo.update, { id: 5 }, { title: 'x' })
})

test('the Controller is given and found', () => {
  expectTypeOf(useController()).toEqualTypeOf<Controller>()
  expectTypeOf(provideController()).toEqualTypeOf<Controller>()
})

// eslint-disable-next-line vitest/expect-expect
test('a call without arguments takes a condition', () => {
  const me = new Endpoint(async () => ({ name: '' }), { name: 'me' })
  useSuspense(me, () => (Math.random() > 0.5 ? undefined : null))
  useCache(me, () => (Math.random() > 0.5 ? undefined : null))
})
