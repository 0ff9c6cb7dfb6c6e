import { Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { ref } from 'vue'
import type { Ref } from 'vue'
import { expectTypeOf, test } from 'vitest'
import { useDLE } from './index.js'
import type { DLERefs } from './index.js'

class Todo extends Entity {
  id = 0
  title = ''
}
const todo = createResource({ path: '/todo/:id', schema: Todo })

declare const condition: boolean
declare const props: { readonly id: number }

test('gives three readonly refs', () => {
  const { data, loading, error } = useDLE(todo.get, { id: 5 })
  expectTypeOf(data).toEqualTypeOf<Readonly<Ref<Todo | undefined>>>()
  expectTypeOf(loading).toEqualTypeOf<Readonly<Ref<boolean>>>()
  expectTypeOf(error).toEqualTypeOf<Readonly<Ref<Error | undefined>>>()
  // @ts-expect-error the ref is readonly
  data.value = undefined
})

test('takes values, refs and getters, of the endpoint too, and null', () => {
  expectTypeOf(useDLE(todo.get, () => ({ id: props.id }))).toEqualTypeOf<DLERefs<Todo>>()
  expectTypeOf(useDLE(todo.get, ref({ id: 5 }))).toEqualTypeOf<DLERefs<Todo>>()
  expectTypeOf(useDLE(() => todo.get, { id: 5 })).toEqualTypeOf<DLERefs<Todo>>()
  expectTypeOf(useDLE(todo.getList)).toEqualTypeOf<DLERefs<Todo[]>>()
  expectTypeOf(useDLE(todo.get, () => (condition ? { id: 5 } : null))).toEqualTypeOf<
    DLERefs<Todo | undefined>
  >()
  expectTypeOf(useDLE(todo.get, null).data).toEqualTypeOf<Readonly<Ref<undefined>>>()
})

test('its state narrows: what neither loads nor failed has its data', () => {
  const { state } = useDLE(todo.get, { id: 5 })
  const title = () => {
    if (state.value.loading) return state.value.data
    if (state.value.error !== undefined) return state.value.error.message
    return state.value.data.title
  }
  expectTypeOf(title).returns.toEqualTypeOf<string | undefined>()
  expectTypeOf(state.value.data).toEqualTypeOf<Todo | undefined>()
  // @ts-expect-error the ref is readonly
  state.value = { data: undefined, loading: true, error: undefined }
})

// The directives are the assertions: each one fails if the next line compiles.
// eslint-disable-next-line vitest/expect-expect
test('wrong calls are refused', () => {
  // @ts-expect-error the path needs an id
  useDLE(todo.get)
  // @ts-expect-error the path names it id
  useDLE(todo.get, () => ({ ide: props.id }))
  // @ts-expect-error a mutation is not read
  useDLE(todo.update, { id: 5 }, { title: 'x' })
  // @ts-expect-error a schema is read by useQuery
  useDLE(Todo, { id: 5 })
})
