import type { CallState } from '@selfsame/core'
import { Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { get } from 'svelte/store'
import type { Readable } from 'svelte/store'
import { expectTypeOf, test } from 'vitest'
import { useDLE } from './index.js'
import type { DLEHandle } from './index.js'

class Todo extends Entity {
  id = 0
  title = ''
}
const todo = createResource({ path: '/todo/:id', schema: Todo })

declare const condition: boolean
declare const id: number

test('gives a handle of data, loading and error', () => {
  const handle = useDLE(todo.get, { id: 5 })
  expectTypeOf(handle).toEqualTypeOf<DLEHandle<Todo>>()
  expectTypeOf(handle.data).toEqualTypeOf<Todo | undefined>()
  expectTypeOf(handle.loading).toEqualTypeOf<boolean>()
  expectTypeOf(handle.error).toEqualTypeOf<Error | undefined>()
  expectTypeOf(handle).toExtend<Readable<CallState<Todo>>>()
})

test('what neither loads nor failed has its data', () => {
  const { data, loading, error } = get(useDLE(todo.get, { id: 5 }))
  if (loading) expectTypeOf(data).toEqualTypeOf<undefined>()
  else if (error) expectTypeOf(data).toEqualTypeOf<Todo | undefined>()
  else expectTypeOf(data).toEqualTypeOf<Todo>()
})

test('takes getters and stores, of the endpoint too, and null', () => {
  expectTypeOf(useDLE(todo.get, () => ({ id }))).toEqualTypeOf<DLEHandle<Todo>>()
  expectTypeOf(useDLE(todo.get, {} as Readable<{ id: number }>)).toEqualTypeOf<DLEHandle<Todo>>()
  expectTypeOf(useDLE(() => todo.get, { id: 5 })).toEqualTypeOf<DLEHandle<Todo>>()
  expectTypeOf(useDLE(todo.getList)).toEqualTypeOf<DLEHandle<Todo[]>>()
  expectTypeOf(useDLE(todo.get, () => (condition ? { id } : null))).toEqualTypeOf<
    DLEHandle<Todo | undefined>
  >()
})

// The directives are the assertions: each one fails if the next line compiles.
// eslint-disable-next-line vitest/expect-expect
test('wrong calls are refused', () => {
  // @ts-expect-error the path needs an id
  useDLE(todo.get)
  // @ts-expect-error the path names it id
  useDLE(todo.get, () => ({ ide: id }))
  // @ts-expect-error a mutation is not read
  useDLE(todo.update, { id: 5 }, { title: 'x' })
  // @ts-expect-error a schema is read by useQuery
  useDLE(Todo, { id: 5 })
})
