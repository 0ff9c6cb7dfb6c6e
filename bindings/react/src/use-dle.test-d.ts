import type { Asked, CallState } from '@selfsame/core'
import { Endpoint, Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { expectTypeOf, test } from 'vitest'
import { useDLE } from './index.js'

class Todo extends Entity {
  id = 0
  title = ''
}
const todo = createResource({ path: '/todo/:id', schema: Todo })
const settings = new Endpoint(async () => ({ theme: 'dark' as 'dark' | 'light' }), { name: 'settings' })
const condition = Math.random() > 0.5

test('what neither loads nor failed has its data', () => {
  const { data, loading, error } = useDLE(todo.get, { id: 5 })
  expectTypeOf(data).toEqualTypeOf<Todo | undefined>()
  expectTypeOf(loading).toEqualTypeOf<boolean>()
  expectTypeOf(error).toEqualTypeOf<Error | undefined>()
  if (loading) expectTypeOf(data).toEqualTypeOf<undefined>()
  else if (error) expectTypeOf(data).toEqualTypeOf<Todo | undefined>()
  else expectTypeOf(data).toEqualTypeOf<Todo>()
})

test('gives the data of the schema, or what the endpoint returns', () => {
  expectTypeOf(useDLE(todo.get, { id: 5 })).toEqualTypeOf<CallState<Todo> & Asked>()
  expectTypeOf(useDLE(todo.getList, { userId: 1 })).toEqualTypeOf<CallState<Todo[]> & Asked>()
  expectTypeOf(useDLE(settings)).toEqualTypeOf<CallState<{ theme: 'dark' | 'light' }> & Asked>()
})

test('null arguments are taken, and show in the type of what is given', () => {
  expectTypeOf(useDLE(todo.get, null)).toEqualTypeOf<CallState<undefined> & Asked>()
  expectTypeOf(useDLE(todo.get, condition ? { id: 5 } : null)).toEqualTypeOf<
    CallState<Todo | undefined> & Asked
  >()
})

// The directives are the assertions: each one fails if the next line compiles.
// eslint-disable-next-line vitest/expect-expect
test('wrong calls are refused', () => {
  // @ts-expect-error the path needs an id
  useDLE(todo.get)
  // @ts-expect-error the path names it id
  useDLE(todo.get, { ide: 5 })
  // @ts-expect-error undefined is no way to say "nothing"
  useDLE(todo.get, undefined)
  // @ts-expect-error a mutation is not read
  useDLE(todo.update, { id: 5 }, { title: 'x' })
  // @ts-expect-error a schema is read by useQuery
  useDLE(Todo, { id: 5 })
  const state = useDLE(todo.getList, { userId: 1 })
  // @ts-expect-error the result of a hook is immutable
  state.loading = true
})
