import { TestClock } from '@selfsame/core/testing'
import { useSuspense } from '@selfsame/svelte'
import { renderDataHook } from '@selfsame/svelte/testing'
import { expect, test } from 'vitest'
import { todoResource } from './todo-mocks.js'

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
