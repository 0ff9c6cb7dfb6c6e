import { createResource } from '@selfsame/core/rest'
import { TestClock } from '@selfsame/core/testing'
import { useInfinite, useSuspense } from '@selfsame/svelte'
import { renderDataHook } from '@selfsame/svelte/testing'
import { expect, test } from 'vitest'
import { Todo, todoResource } from './todo-mocks.js'

const first = {
  endpoint: todoResource.get,
  args: [{ id: 1 }],
  response: { id: 1, title: 'Write tests' },
} as const
const second = {
  endpoint: todoResource.get,
  args: [{ id: 2 }],
  error: new Error('Offline'),
} as const

test('a todo is waited for, shown, and changed for another', async () => {
  const clock = new TestClock()
  const { rerender, requests, result, settle, unmount } = renderDataHook(
    (props: { id: number }) =>
      useSuspense(todoResource.get, () => ({ id: props.id })),
    { clock, fixtures: [{ ...first, delayMs: 300 }, second], props: { id: 1 } },
  )
  expect(result.pending).toBe(true)
  clock.advance(300)
  await settle()
  expect(result.current.title).toBe('Write tests')
  await rerender({ id: 2 })
  await settle()
  expect(result.error?.message).toBe('Offline')
  expect(requests).toHaveLength(2)
  await unmount()
  expect(clock.timers).toBe(0)
})

test.each(['getList', 'getPage'] as const)(
  'further pages are loaded, and an interceptor of %s answers all of them',
  async (name) => {
    const { getList } = createResource({
      path: '/todo/:id',
      schema: Todo,
      searchParams: {} as { page?: number } | undefined,
      paginationField: 'page',
    })
    const endpoint = name === 'getList' ? getList : getList.getPage
    const { result, settle, unmount } = renderDataHook(
      () => ({
        todos: useInfinite(getList, undefined, {
          next: ({ length }) => (length < 2 ? { page: 2 } : undefined),
        }),
      }),
      {
        interceptors: [
          {
            endpoint,
            response: ({ page = 1 }: { page?: unknown } = {}) => [
              { id: Number(page) },
            ],
          },
        ],
      },
    )
    await settle()
    await result.current.todos.fetchNext()
    expect(result.current.todos.data).toMatchObject([{ id: 1 }, { id: 2 }])
    expect(result.current.todos.hasNext).toBe(false)
    await unmount()
  },
)
