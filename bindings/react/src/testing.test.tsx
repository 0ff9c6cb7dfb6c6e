import { listenersOf, retainersOf } from '@selfsame/conformance'
import { Endpoint, Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { TestClock, createMockController } from '@selfsame/core/testing'
import { createContext, use } from 'react'
import type { ReactNode } from 'react'
import { describe, expect, onTestFinished, test } from 'vitest'
import { forbidConsole } from '../test-app.js'
import { useCache, useController, useFetch, useSuspense } from './index.js'
import { renderDataHook } from './testing.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

const todos = createResource({ path: '/todo/:id', schema: Todo })
const fixtures = [
  { endpoint: todos.get, args: [{ id: 5 }], response: { id: 5, title: 'five' } },
  { endpoint: todos.get, args: [{ id: 6 }], response: { id: 6, title: 'six' } },
  { endpoint: todos.get, args: [{ id: 7 }], error: new Error('Offline') },
] as const

describe.each([{ isStrict: false }, { isStrict: true }])('a hook on screen, $isStrict', ({ isStrict }) => {
  test('is pending at first, and then shows its data', async () => {
    forbidConsole()
    const { controller, requests, result, settle, unmount } = renderDataHook(
      () => useSuspense(todos.get, { id: 5 }),
      { fixtures, isStrict },
    )
    onTestFinished(unmount)
    expect(result.pending).toBe(true)
    expect(() => result.current).toThrow('Await settle() or waitFor()')
    await settle()
    expect(result.pending).toBe(false)
    expect(result.current).toBe(controller.get(Todo, { id: 5 }))
    expect(result.current.title).toBe('five')
    expect(requests).toHaveLength(1)
    controller.set(Todo, { id: 5 }, { title: 'changed' })
    await settle()
    expect(result.current.title).toBe('changed')
  })

  test('follows other props, by way of the fallback', async () => {
    forbidConsole()
    const { rerender, requests, result, settle, unmount } = renderDataHook(
      ({ id }: { id: number }) => useSuspense(todos.get, { id }),
      { fixtures, isStrict, props: { id: 5 } },
    )
    onTestFinished(unmount)
    await settle()
    await rerender({ id: 6 })
    expect(result.pending).toBe(true)
    await settle()
    expect(result.current.title).toBe('six')
    await rerender({ id: 5 })
    expect(result.current.title).toBe('five')
    expect(requests).toHaveLength(2)
  })

  test('shows the error that its boundary shows, until that is reset', async () => {
    forbidConsole()
    const { controller, reset, result, settle, unmount } = renderDataHook(
      () => useSuspense(todos.get, { id: 7 }),
      { fixtures, isStrict },
    )
    onTestFinished(unmount)
    await settle()
    expect(result.error).toBe(fixtures[2].error)
    expect(() => result.current).toThrow('Offline')
    controller.addFixture({ endpoint: todos.get, args: [{ id: 7 }], response: { id: 7, title: 'seven' } })
    await reset()
    await settle()
    expect(result.error).toBe(undefined)
    expect(result.current.title).toBe('seven')
  })

  test('shows the error of a call that nothing answers', async () => {
    forbidConsole()
    const { result, settle, unmount } = renderDataHook(() => useSuspense(todos.get, { id: 8 }), {
      fixtures,
      isStrict,
    })
    onTestFinished(unmount)
    await settle()
    expect(result.error).toMatchObject({ code: 'request-unanswered' })
    expect(result.error?.message).toContain('there is no response for GET /todo/8')
  })

  test('leaves nothing behind when it is unmounted, also while it waits', async () => {
    forbidConsole()
    const clock = new TestClock()
    const late = new Endpoint(async () => 1, { name: 'late' })
    const hook = renderDataHook(() => [useCache(todos.get, { id: 5 }), useSuspense(late)], {
      clock,
      isStrict,
      fixtures: [
        { endpoint: late, args: [], response: 1, delayMs: 1000 },
        { endpoint: todos.get, args: [{ id: 5 }], response: { id: 5 }, isCached: true },
      ],
    })
    await hook.settle()
    expect(hook.result.pending).toBe(true)
    expect(clock.timers).toBeGreaterThan(0)
    await hook.unmount()
    await hook.unmount()
    expect([listenersOf(hook.controller), retainersOf(hook.controller), clock.timers]).toEqual([0, 0, 0])
    expect(hook.result.pending).toBe(false)
    expect(() => hook.result.current).toThrow('The hook was unmounted')
  })
})

test('time is that of the clock: an answer that takes some, and data that becomes Stale', async () => {
  const clock = new TestClock()
  const { rerender, requests, result, settle, unmount } = renderDataHook(
    ({ id }: { id: number }) => useSuspense(todos.get, { id }),
    {
      clock,
      props: { id: 5 },
      interceptors: [
        {
          endpoint: todos.get,
          delayMs: 300,
          response: ({ id }) => ({ id: Number(id), title: `at ${clock.now()}` }),
        },
      ],
    },
  )
  onTestFinished(unmount)
  await settle()
  expect(result.pending).toBe(true)
  const start = clock.now()
  clock.advance(300)
  await settle()
  expect(result.current.title).toBe(`at ${start + 300}`)
  clock.advance(60_000)
  await rerender({ id: 6 })
  clock.advance(300)
  await settle()
  await rerender({ id: 5 })
  expect(result.current.title).toBe(`at ${start + 300}`)
  clock.advance(300)
  await settle()
  expect(result.current.title).toBe(`at ${start + 60_900}`)
  expect(requests).toHaveLength(3)
})

test('a mutation is sent to an interceptor, and shown', async () => {
  const { requests, result, settle, unmount, waitFor } = renderDataHook(
    () => ({ todo: useSuspense(todos.get, { id: 5 }), controller: useController() }),
    {
      fixtures,
      interceptors: [
        { endpoint: todos.partialUpdate, response: ({ id }, body) => ({ ...body, id: Number(id) }) },
      ],
    },
  )
  onTestFinished(unmount)
  await settle()
  void result.current.controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'new' })
  await waitFor(() => result.current.todo.title === 'new')
  expect(requests.map(({ key }) => key)).toEqual(['GET /todo/5', 'PATCH /todo/5'])
})

test('a hook that never waits is there at once', async () => {
  const { result, unmount, settle } = renderDataHook(
    () => ({ cached: useCache(todos.get, { id: 5 }), fetched: useFetch(todos.get, { id: 5 }) }),
    { fixtures },
  )
  onTestFinished(unmount)
  expect(result.current.cached).toBe(undefined)
  expect(await result.current.fetched).toBeInstanceOf(Todo)
  await settle()
  expect(result.current.cached?.title).toBe('five')
})

test('a Controller and what is around the hook may be given', async () => {
  const Name = createContext('nobody')
  const wrapper = ({ children }: { children: ReactNode }) => <Name value="somebody">{children}</Name>
  const controller = createMockController({ fixtures })
  const hook = renderDataHook(() => use(Name), { controller, wrapper })
  expect(hook.result.current).toBe('somebody')
  expect(hook.controller).toBe(controller)
  await hook.unmount()
  // The caller created the controller, so the caller disposes of it.
  expect((await controller.fetch(todos.get, { id: 5 })).title).toBe('five')
  expect(() => renderDataHook(() => 1, { controller, fixtures })).toThrow(
    'received both a controller and fixtures',
  )
})

test('waiting in vain says so, or throws what the condition threw', async () => {
  const { result, unmount, waitFor } = renderDataHook(() => useCache(todos.get, { id: 5 }), { fixtures })
  onTestFinished(unmount)
  await expect(waitFor(() => result.current !== undefined, { timeoutMs: 1 })).rejects.toMatchObject({
    code: 'wait-timeout',
  })
  await expect(waitFor(() => expect(result.current).toBe(1), { timeoutMs: 1 })).rejects.toThrow('to be 1')
})
