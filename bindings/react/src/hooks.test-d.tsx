import { Controller, Endpoint, Entity } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { expectTypeOf, test } from 'vitest'
import { AsyncBoundary, DataProvider, useCache, useController, useFetch, useSuspense } from './index.js'

class Todo extends Entity {
  id = 0
  title = ''
}

const todo = createResource({ path: '/group/:group/todo/:id', schema: Todo })
const page = new RestEndpoint({ path: '/todo', schema: { results: [Todo], nextPage: '' } })
const settings = new Endpoint(async () => ({ theme: 'dark' as 'dark' | 'light' }), { name: 'settings' })
const byId = new Endpoint(async (id: number, _locale?: string) => ({ id }), { name: 'byId' })
const save = new Endpoint(async (_value: { a: number }) => true, { name: 'save', sideEffect: true })
const condition = Math.random() > 0.5

test('useSuspense gives the data of the schema', () => {
  expectTypeOf(useSuspense(todo.get, { group: 'a', id: 5 })).toEqualTypeOf<Todo>()
  expectTypeOf(useSuspense(todo.getList, { group: 'a' })).toEqualTypeOf<Todo[]>()
  expectTypeOf(useSuspense(todo.getList, { group: 'a', page: 2 })).toEqualTypeOf<Todo[]>()
  expectTypeOf(useSuspense(page)).toEqualTypeOf<{ results: Todo[]; nextPage: string }>()
})

test('without a schema the data is what the endpoint returns', () => {
  expectTypeOf(useSuspense(settings)).toEqualTypeOf<{ theme: 'dark' | 'light' }>()
  expectTypeOf(useSuspense(byId, 5)).toEqualTypeOf<{ id: number }>()
  expectTypeOf(useSuspense(byId, 5, 'de')).toEqualTypeOf<{ id: number }>()
  expectTypeOf(useCache(byId, 5)).toEqualTypeOf<{ id: number } | undefined>()
  expectTypeOf(useFetch(byId, 5)).toEqualTypeOf<Promise<{ id: number }>>()
})

test('null arguments are taken, and show in the type of what is given', () => {
  expectTypeOf(useSuspense(todo.get, null)).toEqualTypeOf<undefined>()
  expectTypeOf(useSuspense(todo.get, condition ? { group: 'a', id: 5 } : null)).toEqualTypeOf<
    Todo | undefined
  >()
  expectTypeOf(useSuspense(todo.getList, condition ? { group: 'a' } : null)).toEqualTypeOf<
    Todo[] | undefined
  >()
  expectTypeOf(useSuspense(byId, condition ? 5 : null)).toEqualTypeOf<{ id: number } | undefined>()
  expectTypeOf(useSuspense(settings, null)).toEqualTypeOf<undefined>()
  expectTypeOf(useCache(todo.get, condition ? { group: 'a', id: 5 } : null)).toEqualTypeOf<Todo | undefined>()
  expectTypeOf(useFetch(todo.get, condition ? { group: 'a', id: 5 } : null)).toEqualTypeOf<
    Promise<Todo> | undefined
  >()
  const params: { group: string; id: number } | null = condition ? { group: 'a', id: 5 } : null
  expectTypeOf(useSuspense(todo.get, params)).toEqualTypeOf<Todo | undefined>()
})

test('useCache gives what it reads or undefined, useFetch a promise of it', () => {
  expectTypeOf(useCache(todo.get, { group: 'a', id: '5' })).toEqualTypeOf<Todo | undefined>()
  expectTypeOf(useCache(todo.get, null)).toEqualTypeOf<Todo | undefined>()
  expectTypeOf(useFetch(todo.getList, { group: 'a' })).toEqualTypeOf<Promise<Todo[]>>()
  expectTypeOf(useFetch(todo.get, null)).toEqualTypeOf<undefined>()
  expectTypeOf(useController()).toEqualTypeOf<Controller>()
})

// The directives are the assertions: each one fails if the next line compiles.
// eslint-disable-next-line vitest/expect-expect
test('wrong calls are refused', () => {
  // @ts-expect-error a param of the path is missing
  useSuspense(todo.get, { id: 5 })
  // @ts-expect-error all params of the path are missing
  useSuspense(todo.get)
  // @ts-expect-error undefined is no way to say "nothing"
  useSuspense(todo.get, undefined)
  // @ts-expect-error a param is neither text nor a number
  useCache(todo.get, { group: 'a', id: {} })
  // @ts-expect-error the argument has another type
  useFetch(byId, 'five')
  // @ts-expect-error a mutation is not read
  useSuspense(save, { a: 1 })
  // @ts-expect-error a mutation is not read
  useFetch(todo.create, { group: 'a' }, {})
  // @ts-expect-error no endpoint
  useCache({}, 5)
})

test('components take their props', () => {
  const boundary = (
    <AsyncBoundary
      fallback="…"
      errorFallback={({ error, reset }) => {
        expectTypeOf(error).toEqualTypeOf<Error>()
        expectTypeOf(reset).toEqualTypeOf<() => void>()
        return null
      }}
    />
  )
  void (<DataProvider>{boundary}</DataProvider>)
  void (<DataProvider controller={new Controller()} />)
  // @ts-expect-error no Controller
  void (<DataProvider controller={{}} />)
})

// eslint-disable-next-line vitest/expect-expect
test('a call without arguments takes a condition', () => {
  const me = new Endpoint(async () => ({ name: '' }), { name: 'me' })
  useSuspense(me, condition ? undefined : null)
  useCache(me, condition ? undefined : null)
})

test('an argument of the type any gives data', () => {
  // What `JSON.parse` and untyped code give.
  const given = JSON.parse('{}')
  expectTypeOf(useSuspense(byId, given)).toEqualTypeOf<{ id: number }>()
  expectTypeOf(useFetch(byId, given)).toEqualTypeOf<Promise<{ id: number }>>()
  expectTypeOf(useCache(byId, given)).toEqualTypeOf<{ id: number } | undefined>()
})
