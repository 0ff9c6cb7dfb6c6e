import type { CallStatus, CallState } from '@selfsame/core'
import { Endpoint, Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { expectTypeOf, test } from 'vitest'
import { ref } from 'vue'
import type { Ref } from 'vue'
import { useCancelling, useDebounce, useLast, useLoading, usePrefetch, useStatus } from './index.js'

class Todo extends Entity {
  id = 0
  title = ''
}
const todo = createResource({ path: '/todo/:id', schema: Todo })
const settings = new Endpoint(async () => ({ theme: 'dark' }), { name: 'settings' })

test('useLast gives refs, and a state that narrows', () => {
  const { data, isLast, state } = useLast(todo.get, () => ({ id: 5 }))
  expectTypeOf(data).toEqualTypeOf<Readonly<Ref<Todo | undefined>>>()
  expectTypeOf(isLast).toEqualTypeOf<Readonly<Ref<boolean>>>()
  expectTypeOf(state).toEqualTypeOf<Readonly<Ref<CallState<Todo>>>>()
})

test('useLoading keeps the types of its function', () => {
  const { run, loading, error, lastArgs } = useLoading(async (title: string) => title.length)
  expectTypeOf(run).parameters.toEqualTypeOf<[title: string]>()
  expectTypeOf(run('a')).toEqualTypeOf<Promise<number>>()
  expectTypeOf(loading).toEqualTypeOf<Readonly<Ref<boolean>>>()
  expectTypeOf(error).toEqualTypeOf<Readonly<Ref<Error | undefined>>>()
  expectTypeOf(lastArgs).toEqualTypeOf<Readonly<Ref<[title: string] | undefined>>>()
  // A handler that does not tell the type of its event.
  useLoading((event) => event.preventDefault())
  // @ts-expect-error a title is text
  void useLoading(async (title: string) => title).run(5)
})

test('the others', () => {
  expectTypeOf(useStatus(settings)).toEqualTypeOf<Readonly<Ref<CallStatus>>>()
  expectTypeOf(useDebounce(ref('a'), 300).value).toEqualTypeOf<string>()
  expectTypeOf(usePrefetch(todo.get, ref({ id: 5 })).prefetch).toEqualTypeOf<() => void>()
  expectTypeOf(useCancelling(todo.get, () => ({ id: 5 }))).toEqualTypeOf<Readonly<Ref<typeof todo.get>>>()
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
