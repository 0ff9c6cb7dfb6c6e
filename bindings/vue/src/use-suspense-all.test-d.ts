import { Endpoint, Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { expectTypeOf, test } from 'vitest'
import { ref } from 'vue'
import { useSuspenseAll } from './index.js'

class Todo extends Entity {
  id = 0
  title = ''
}

const todo = createResource({ path: '/group/:group/todo/:id', schema: Todo })
const settings = new Endpoint(async () => ({ theme: 'dark' as 'dark' | 'light' }), { name: 'settings' })
const save = new Endpoint(async (_value: { a: number }) => true, { name: 'save', sideEffect: true })
const condition = Math.random() > 0.5
const group = ref({ group: 'a' })

test('useSuspenseAll gives a list for a list, member by member', async () => {
  const all = await useSuspenseAll([
    [todo.get, () => ({ group: 'a', id: 5 })],
    [todo.getList, { group: 'a' }],
    [settings],
    [todo.get, null],
  ])
  expectTypeOf(all.value).toEqualTypeOf<readonly [Todo, Todo[], { theme: 'dark' | 'light' }, undefined]>()
})

test('useSuspenseAll gives an object for an object', async () => {
  const all = await useSuspenseAll({ one: [todo.getList, group], theme: [settings] })
  expectTypeOf(all.value).toEqualTypeOf<{
    readonly one: Todo[]
    readonly theme: { theme: 'dark' | 'light' }
  }>()
})

test('useSuspenseAll takes a getter of all', async () => {
  const all = await useSuspenseAll(() => [[todo.get, condition ? { group: 'a', id: 5 } : null], [settings]])
  expectTypeOf(all.value).toEqualTypeOf<readonly [Todo | undefined, { theme: 'dark' | 'light' }]>()
  const many = await useSuspenseAll(() => [1, 2].map((id) => [todo.get, { group: 'a', id }] as const))
  expectTypeOf(many.value).toEqualTypeOf<readonly Todo[]>()
})

// The directives are the assertions: each one fails if the next line compiles.
// eslint-disable-next-line vitest/expect-expect
test('what useSuspense does not take is refused member by member', () => {
  // @ts-expect-error a param of the path is missing
  useSuspenseAll([[todo.get, { group: 'a' }]])
  // @ts-expect-error a param of the path is missing
  useSuspenseAll(() => [[todo.get, { group: 'a' }]])
  // @ts-expect-error a mutation cannot be read
  useSuspenseAll([[save, { a: 1 }]])
  // @ts-expect-error a call is a list of its own
  useSuspenseAll([todo.get, { group: 'a', id: 5 }])
})
