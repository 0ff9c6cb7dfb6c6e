import { Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import type { MockController, MockRequest } from '@selfsame/core/testing'
import { expectTypeOf, test } from 'vitest'
import { useCache, useSuspense } from './index.js'
import { renderDataHook } from './testing.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

const todos = createResource({ path: '/todo/:id', schema: Todo })
const fixtures = [{ endpoint: todos.get, args: [{ id: 5 }], response: { id: 5, title: 'five' } }] as const

test('current is what the hook gives', () => {
  const hook = renderDataHook(() => useSuspense(todos.get, { id: 5 }), { fixtures })
  expectTypeOf(hook.result.current).toEqualTypeOf<Todo>()
  expectTypeOf(hook.result.error).toEqualTypeOf<Error | undefined>()
  expectTypeOf(hook.result.pending).toEqualTypeOf<boolean>()
  expectTypeOf(hook.controller).toEqualTypeOf<MockController>()
  expectTypeOf(hook.requests).toEqualTypeOf<readonly MockRequest[]>()
  const cached = renderDataHook(() => useCache(todos.get, { id: 5 }))
  expectTypeOf(cached.result.current).toEqualTypeOf<Todo | undefined>()
  const awaited = renderDataHook(async () => ({ todo: await useSuspense(todos.get, { id: 5 }) }))
  expectTypeOf(awaited.result.current.todo.value).toEqualTypeOf<Todo>()
  const several = renderDataHook(() => ({ count: 1 }))
  expectTypeOf(several.result.current).toEqualTypeOf<{ count: number }>()
})

test('props are those of the hook, and only of one that takes any', () => {
  const hook = renderDataHook((props: { id: number }) => useSuspense(todos.get, () => ({ id: props.id })), {
    props: { id: 5 },
  })
  expectTypeOf(hook.result.current).toEqualTypeOf<Todo>()
  void hook.rerender({ id: 6 })
  // @ts-expect-error the id is a number
  void hook.rerender({ id: '6' })
  // @ts-expect-error props are missing
  void hook.rerender()
  const without = renderDataHook(() => 1)
  void without.rerender()
  // @ts-expect-error the hook takes none
  void without.rerender({ id: 6 })
  // @ts-expect-error the hook needs props
  renderDataHook((props: { id: number }) => props.id, { fixtures })
})

test('fixtures and interceptors are checked against their endpoints', () => {
  renderDataHook(() => 1, {
    fixtures: [
      // @ts-expect-error the title is no number
      { endpoint: todos.get, args: [{ id: 5 }], response: { title: 5 } },
    ],
    interceptors: [
      {
        endpoint: todos.partialUpdate,
        response({ id }) {
          expectTypeOf(id).toEqualTypeOf<string | number>()
          return { id: Number(id) }
        },
      },
    ],
  })
})
