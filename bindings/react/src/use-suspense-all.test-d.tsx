import { Endpoint, Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { expectTypeOf, test } from 'vitest'
import { useSuspenseAll } from './index.js'

class Todo extends Entity {
  id = 0
  title = ''
}

const todo = createResource({ path: '/group/:group/todo/:id', schema: Todo })
const settings = new Endpoint(async () => ({ theme: 'dark' as 'dark' | 'light' }), { name: 'settings' })
const byIds = new Endpoint(async (_ids: number[]) => 1, { name: 'byIds' })
const byTheme = new Endpoint(async (_theme: 'dark' | 'light') => 1, { name: 'byTheme' })
const save = new Endpoint(async (_value: { a: number }) => true, { name: 'save', sideEffect: true })
const condition = Math.random() > 0.5

test('useSuspenseAll gives a list for a list, member by member', () => {
  const [one, all, theme] = useSuspenseAll([
    [todo.get, { group: 'a', id: 5 }],
    [todo.getList, { group: 'a' }],
    [settings],
  ])
  expectTypeOf(one).toEqualTypeOf<Todo>()
  expectTypeOf(all).toEqualTypeOf<Todo[]>()
  expectTypeOf(theme).toEqualTypeOf<{ theme: 'dark' | 'light' }>()
  expectTypeOf(useSuspenseAll([])).toEqualTypeOf<readonly []>()
})

test('useSuspenseAll gives an object for an object', () => {
  const { one, theme } = useSuspenseAll({ one: [todo.get, { group: 'a', id: 5 }], theme: [settings] })
  expectTypeOf(one).toEqualTypeOf<Todo>()
  expectTypeOf(theme).toEqualTypeOf<{ theme: 'dark' | 'light' }>()
})

test('null in the first place gives undefined for that member', () => {
  const [none, maybe] = useSuspenseAll([
    [todo.get, null],
    [todo.get, condition ? { group: 'a', id: 5 } : null],
  ])
  expectTypeOf(none).toEqualTypeOf<undefined>()
  expectTypeOf(maybe).toEqualTypeOf<Todo | undefined>()
})

test('a list of any length gives a list of one type', () => {
  const ids = [1, 2]
  const calls = ids.map((id) => [todo.get, { group: 'a', id }] as const)
  expectTypeOf(useSuspenseAll(calls)).toEqualTypeOf<readonly Todo[]>()
})

test('arguments that are lists or literals are taken as the endpoint takes them', () => {
  expectTypeOf(
    useSuspenseAll([
      [byIds, [1, 2]],
      [byTheme, 'dark'],
    ]),
  ).toEqualTypeOf<readonly [number, number]>()
})

// The directives are the assertions: each one fails if the next line compiles.
// eslint-disable-next-line vitest/expect-expect
test('what useSuspense does not take is refused member by member', () => {
  // @ts-expect-error a param of the path is missing
  useSuspenseAll([[todo.get, { group: 'a' }]])
  // @ts-expect-error the arguments are missing
  useSuspenseAll([[todo.get]])
  // @ts-expect-error the second member has another param than the path
  useSuspenseAll([[settings], [byTheme, 'blue']])
  // @ts-expect-error a mutation cannot be read
  useSuspenseAll([[save, { a: 1 }]])
  // @ts-expect-error a call is a list of its own
  useSuspenseAll([todo.get, { group: 'a', id: 5 }])
  // @ts-expect-error a param of the path is missing
  useSuspenseAll({ one: [todo.get, { group: 'a' }] })
})
