import { Endpoint, Entity } from '@selfsame/core'
import type { CallState } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { expectTypeOf, test } from 'vitest'
import { useDLEAll } from './index.js'

class Todo extends Entity {
  id = 0
  title = ''
}

const todo = createResource({ path: '/group/:group/todo/:id', schema: Todo })
const save = new Endpoint(async (_value: { a: number }) => true, { name: 'save', sideEffect: true })
const condition = Math.random() > 0.5

test('useDLEAll gives a list for a list, with all data once nothing loads or failed', () => {
  const state = useDLEAll([
    [todo.get, { group: 'a', id: 5 }],
    [todo.getList, { group: 'a' }],
  ])
  expectTypeOf(state.data[0]).toEqualTypeOf<Todo | undefined>()
  expectTypeOf(state.states[1]).toEqualTypeOf<CallState<Todo[]>>()
  expectTypeOf(state.fetching).toEqualTypeOf<boolean>()
  expectTypeOf(state.refetch).toEqualTypeOf<() => Promise<void>>()
  if (state.loading || state.error) return
  expectTypeOf(state.data[0]).toEqualTypeOf<Todo>()
  expectTypeOf(state.data[1]).toEqualTypeOf<Todo[]>()
})

test('useDLEAll gives an object for an object, undefined where the arguments may be null', () => {
  const state = useDLEAll({ one: [todo.get, condition ? { group: 'a', id: 5 } : null] })
  if (state.loading || state.error) return
  expectTypeOf(state.data.one).toEqualTypeOf<Todo | undefined>()
})

test('useDLEAll refuses wrong params and mutations', () => {
  // @ts-expect-error group is missing
  useDLEAll([[todo.get, { id: 5 }]])
  // @ts-expect-error a mutation
  useDLEAll([[save, { a: 1 }]])
})
