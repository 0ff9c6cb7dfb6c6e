import type { Asked, CallState, CallStatus, Prefetching } from '@selfsame/core'
import type { Debounced } from './index.js'
import { Endpoint, Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { expectTypeOf, test } from 'vitest'

import {
  useCancelling,
  useDebounce,
  useLast,
  useLoading,
  usePrefetch,
  useSelect,
  useStatus,
} from './index.js'

class Todo extends Entity {
  id = 0
  title = ''
}
const todo = createResource({ path: '/todo/:id', schema: Todo })
const settings = new Endpoint(async () => ({ theme: 'dark' }), { name: 'settings' })
const condition = Math.random() > 0.5

test('useLast gives what useDLE gives, and isLast', () => {
  const state = useLast(todo.get, { id: 5 })
  expectTypeOf(state).toEqualTypeOf<CallState<Todo> & Asked>()
  if (state.loading) expectTypeOf(state.data).toEqualTypeOf<undefined>()
  else if (!state.error) expectTypeOf(state.data).toEqualTypeOf<Todo>()
  if (state.isLast) expectTypeOf(state.data).toEqualTypeOf<Todo>()
  expectTypeOf(useLast(todo.get, condition ? { id: 5 } : null)).toEqualTypeOf<
    CallState<Todo | undefined> & Asked
  >()
})

test('useSelect gives what is selected of the data', () => {
  expectTypeOf(useSelect(todo.get, ({ title }) => title, { id: 5 })).toEqualTypeOf<string>()
  expectTypeOf(useSelect(settings, (data) => data.theme)).toEqualTypeOf<string>()
  expectTypeOf(useSelect(todo.get, (data) => data?.title, condition ? { id: 5 } : null)).toEqualTypeOf<
    string | undefined
  >()
})

test('useLoading keeps the types of its function', () => {
  const { run, loading, error, lastArgs } = useLoading(async (title: string, count: number) => ({
    title,
    count,
  }))
  expectTypeOf(run).parameters.toEqualTypeOf<[title: string, count: number]>()
  expectTypeOf(run('a', 1)).resolves.toEqualTypeOf<{ title: string; count: number }>()
  expectTypeOf(loading).toEqualTypeOf<boolean>()
  expectTypeOf(error).toEqualTypeOf<Error | undefined>()
  expectTypeOf(lastArgs).toEqualTypeOf<[title: string, count: number] | undefined>()
  // A handler that does not tell the type of its event.
  useLoading((event) => event.preventDefault())
  // @ts-expect-error a title is text
  void useLoading(async (title: string) => title).run(5)
})

test('the others', () => {
  expectTypeOf(useStatus(todo.get, { id: 5 })).toEqualTypeOf<CallStatus>()
  expectTypeOf(useStatus(todo.get, null)).toEqualTypeOf<CallStatus>()
  expectTypeOf(useDebounce('a', 300)).toEqualTypeOf<Debounced<string>>()
  expectTypeOf(usePrefetch(todo.get, { id: 5 })).toEqualTypeOf<Prefetching>()
  expectTypeOf(useCancelling(todo.get, { id: 5 })).toEqualTypeOf<typeof todo.get>()
})

// The directives are the assertions: each one fails if the next line compiles.
// eslint-disable-next-line vitest/expect-expect
test('wrong calls are refused', () => {
  // @ts-expect-error the path needs an id
  useLast(todo.get)
  // @ts-expect-error the path names it id
  useStatus(todo.get, { ide: 5 })
  // @ts-expect-error a mutation is not read
  usePrefetch(todo.update, { id: 5 }, { title: 'x' })
  // @ts-expect-error a todo has no name
  useSelect(todo.get, ({ name }) => name, { id: 5 })
  const status = useStatus(todo.get, { id: 5 })
  // @ts-expect-error the result of a hook is immutable
  status.stale = true
})
