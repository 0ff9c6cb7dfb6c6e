import { Endpoint, Entity } from '@selfsame/core'
import type { Controller } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { computed, ref, shallowRef } from 'vue'
import type { Ref } from 'vue'
import { expectTypeOf, test } from 'vitest'
import { useCache, useController, useFetch, useSuspense } from './index.js'
import type { SuspenseHandle, SuspenseRef } from './index.js'

class Todo extends Entity {
  id = 0
  title = ''
}
const todoResource = createResource({ path: '/todo/:id', schema: Todo })
const byGroup = new RestEndpoint({ path: '/:group/todo/:id', schema: Todo })
const settings = new RestEndpoint({ path: '/settings', schema: { theme: '' } })
const plain = new Endpoint(async (_id: number, _detail?: string) => ({ answer: 42 }))
const ofList = new Endpoint(async (ids: readonly number[]) => ids.length)

declare const condition: boolean
declare const props: { readonly id: number }
declare const maybeId: Ref<number | undefined>

test('useSuspense gives the data once it is awaited, and before perhaps', async () => {
  const handle = useSuspense(todoResource.get, { id: 5 })
  expectTypeOf(handle).toEqualTypeOf<SuspenseHandle<Todo>>()
  expectTypeOf(handle.value).toEqualTypeOf<Todo | undefined>()
  const todo = await handle
  expectTypeOf(todo).toEqualTypeOf<SuspenseRef<Todo>>()
  expectTypeOf(todo.value).toEqualTypeOf<Todo>()
  expectTypeOf(todo.pending).toEqualTypeOf<Readonly<Ref<boolean>>>()
  expectTypeOf(todo.error.value).toEqualTypeOf<Error | undefined>()
  // @ts-expect-error the ref is readonly
  todo.value = new Todo()
})

test('useSuspense takes values, refs and getters', async () => {
  expectTypeOf((await useSuspense(todoResource.get, () => ({ id: props.id }))).value).toEqualTypeOf<Todo>()
  expectTypeOf((await useSuspense(todoResource.get, () => [{ id: props.id }])).value).toEqualTypeOf<Todo>()
  expectTypeOf((await useSuspense(todoResource.get, ref({ id: 5 }))).value).toEqualTypeOf<Todo>()
  expectTypeOf((await useSuspense(todoResource.get, shallowRef({ id: 5 }))).value).toEqualTypeOf<Todo>()
  expectTypeOf(
    (
      await useSuspense(
        todoResource.get,
        computed(() => ({ id: 5 })),
      )
    ).value,
  ).toEqualTypeOf<Todo>()
  expectTypeOf((await useSuspense(byGroup, { group: 'a', id: 5 })).value).toEqualTypeOf<Todo>()
  expectTypeOf((await useSuspense(settings)).value.theme).toEqualTypeOf<string>()
  expectTypeOf((await useSuspense(plain, 5)).value).toEqualTypeOf<{ answer: number }>()
  expectTypeOf((await useSuspense(plain, () => 5, ref('x'))).value).toEqualTypeOf<{ answer: number }>()
  expectTypeOf((await useSuspense(plain, () => [5, 'x'] as const)).value).toEqualTypeOf<{ answer: number }>()
  expectTypeOf((await useSuspense(ofList, [1, 2])).value).toEqualTypeOf<number>()
  expectTypeOf((await useSuspense(ofList, () => [[1, 2]] as const)).value).toEqualTypeOf<number>()
  expectTypeOf((await useSuspense(todoResource.getList)).value).toEqualTypeOf<Todo[]>()
  expectTypeOf((await useSuspense(todoResource.getList, { userId: 1 })).value).toEqualTypeOf<Todo[]>()
})

test('arguments that may be null give data that may be undefined', async () => {
  type Maybe = Todo | undefined
  expectTypeOf((await useSuspense(todoResource.get, null)).value).toEqualTypeOf<undefined>()
  expectTypeOf(
    (await useSuspense(todoResource.get, condition ? { id: 5 } : null)).value,
  ).toEqualTypeOf<Maybe>()
  expectTypeOf(
    (await useSuspense(todoResource.get, () => (maybeId.value === undefined ? null : { id: maybeId.value })))
      .value,
  ).toEqualTypeOf<Maybe>()
  expectTypeOf(
    (
      await useSuspense(
        todoResource.get,
        computed(() => (condition ? { id: 5 } : null)),
      )
    ).value,
  ).toEqualTypeOf<Maybe>()
  expectTypeOf((await useSuspense(settings, null)).value).toEqualTypeOf<undefined>()
  expectTypeOf((await useSuspense(todoResource.get, () => null)).value).toEqualTypeOf<undefined>()
})

test('an endpoint may be a ref or a getter', async () => {
  const other = todoResource.get.extend({ dataExpiryLength: 0 })
  expectTypeOf(
    (await useSuspense(() => (condition ? todoResource.get : other), { id: 5 })).value,
  ).toEqualTypeOf<Todo>()
  expectTypeOf((await useSuspense(shallowRef(todoResource.get), { id: 5 })).value).toEqualTypeOf<Todo>()
  expectTypeOf(useCache(() => todoResource.get, { id: 5 }).value).toEqualTypeOf<Todo | undefined>()
})

test('useCache gives a readonly ref', () => {
  const todo = useCache(todoResource.get, () => ({ id: props.id }))
  expectTypeOf(todo).toEqualTypeOf<Readonly<Ref<Todo | undefined>>>()
  expectTypeOf(useCache(todoResource.get, null).value).toEqualTypeOf<Todo | undefined>()
  expectTypeOf(useCache({ key: (id: number) => `todo ${id}`, schema: Todo }, 5).value).toEqualTypeOf<
    Todo | undefined
  >()
})

test('useFetch gives a readonly ref of the promise', () => {
  const promise = useFetch(todoResource.getList, { userId: 1 })
  expectTypeOf(promise).toEqualTypeOf<Readonly<Ref<Promise<Todo[]>>>>()
  expectTypeOf(useFetch(todoResource.get, condition ? { id: 5 } : null)).toEqualTypeOf<
    Readonly<Ref<Promise<Todo> | undefined>>
  >()
})

test('useController gives the Controller', () => {
  expectTypeOf(useController()).toEqualTypeOf<Controller>()
})

test('wrong calls do not compile', () => {
  // @ts-expect-error the path needs an id
  useSuspense(todoResource.get)
  // @ts-expect-error the path needs an id
  useSuspense(todoResource.get, {})
  // @ts-expect-error the path names it id
  useSuspense(todoResource.get, { ide: 5 })
  // @ts-expect-error the path needs an id
  useSuspense(todoResource.get, () => ({ ide: props.id }))
  // @ts-expect-error the path needs an id
  useSuspense(todoResource.get, ref({}))
  // @ts-expect-error the path needs both params
  useCache(byGroup, { id: 5 })
  // @ts-expect-error an id is a number or a string
  useFetch(todoResource.get, { id: condition })
  // @ts-expect-error undefined is not null
  useSuspense(todoResource.get, condition ? { id: 5 } : undefined)
  // @ts-expect-error the endpoint takes one argument
  useSuspense(todoResource.get, { id: 5 }, { title: 'x' })
  // @ts-expect-error a mutation cannot be read
  useSuspense(todoResource.update, { id: 5 }, { title: 'x' })
  // @ts-expect-error a mutation cannot be read
  useFetch(todoResource.delete, { id: 5 })
  // @ts-expect-error a mutation cannot be read
  useSuspense(() => todoResource.delete, { id: 5 })
  // @ts-expect-error an Entity class is no endpoint
  useCache(Todo, { id: 5 })
  expectTypeOf(useSuspense).toBeFunction()
})

// eslint-disable-next-line vitest/expect-expect
test('a call without arguments takes a condition', () => {
  const me = new Endpoint(async () => ({ name: '' }), { name: 'me' })
  useSuspense(me, () => (Math.random() > 0.5 ? undefined : null))
  useCache(me, () => (Math.random() > 0.5 ? undefined : null))
})

test('an argument of the type any gives data', async () => {
  // What `JSON.parse` and untyped code give.
  const given = JSON.parse('{}')
  expectTypeOf((await useSuspense(todoResource.get, given)).value).toEqualTypeOf<Todo>()
  expectTypeOf((await useSuspense(todoResource.get, () => given)).value).toEqualTypeOf<Todo>()
})
