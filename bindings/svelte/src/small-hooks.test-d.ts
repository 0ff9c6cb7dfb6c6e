import type { CallStatus, CallState, Prefetching } from '@selfsame/core'
import { Endpoint, Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { expectTypeOf, test } from 'vitest'

import { writable } from 'svelte/store'
import { useCancelling, useDebounce, useLast, useLoading, usePrefetch, useStatus } from './index.js'

class Todo extends Entity {
  id = 0
  title = ''
}
const todo = createResource({ path: '/todo/:id', schema: Todo })
const settings = new Endpoint(async () => ({ theme: 'dark' }), { name: 'settings' })

test('useLast gives a handle whose current narrows', () => {
  const last = useLast(todo.get, () => ({ id: 5 }))
  expectTypeOf(last.data).toEqualTypeOf<Todo | undefined>()
  expectTypeOf(last.isLast).toEqualTypeOf<boolean>()
  expectTypeOf(last.current).toEqualTypeOf<CallState<Todo>>()
})

test('useLoading keeps the types of its function', () => {
  const save = useLoading(async (title: string) => title.length)
  expectTypeOf(save.run).parameters.toEqualTypeOf<[title: string]>()
  expectTypeOf(save.run('a')).resolves.toEqualTypeOf<number>()
  expectTypeOf(save.loading).toEqualTypeOf<boolean>()
  expectTypeOf(save.error).toEqualTypeOf<Error | undefined>()
  expectTypeOf(save.lastArgs).toEqualTypeOf<[title: string] | undefined>()
  // A handler that does not tell the type of its event.
  useLoading((event) => event.preventDefault())
  // @ts-expect-error a title is text
  void useLoading(async (title: string) => title).run(5)
})

test('the others', () => {
  expectTypeOf(useStatus(settings).current).toEqualTypeOf<CallStatus>()
  expectTypeOf(useDebounce(writable('a'), 300).current).toEqualTypeOf<string>()
  expectTypeOf(usePrefetch(todo.get, () => ({ id: 5 }))).toEqualTypeOf<Prefetching>()
  expectTypeOf(useCancelling(todo.get, () => ({ id: 5 })).current).toEqualTypeOf<typeof todo.get>()
})

// The directives are the assertions: each one fails if the next line compiles.
// eslint-disable-next-line vitest/expect-expect
test('wrong calls are refused', () => {
  // @ts-expect-error the path needs an id
  useLast(todo.get)
  // @ts-expect-error the path names it id
  useStatus(todo.get, () => ({ ide: 5 }))
  // @ts-expect-error a mutation is not read
  usePrefetch(todo.update, { id: 5 }, { title: 'x' })
  // @ts-expect-error a constant cannot be debounced
  useDebounce('a', 300)
})
