import { listenersOf, retainersOf } from '@selfsame/conformance'
import { flushSync } from 'svelte'
import { get, writable } from 'svelte/store'
import type { RequestFilter } from '@selfsame/core'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createStage } from '../testing/stage.js'
import {
  useCache,
  useCancelling,
  useController,
  useDLE,
  useDebounce,
  useFetch,
  useFetching,
  useInfinite,
  useLast,
  useLive,
  useMutations,
  usePrefetch,
  useQuery,
  useSubscription,
  useSuspense,
  withOptions,
} from './index.js'

const route = 'GET /todo/5'

describe('outside of components', () => {
  const { api } = createStage()
  test.each([
    ['useSuspense()', () => useSuspense(() => api.todo.get, { id: 5 })],
    ['useCache()', () => useCache(() => api.todo.get, { id: 5 })],
    ['useDLE()', () => useDLE(() => api.todo.get, { id: 5 })],
    ['useFetch()', () => useFetch(() => api.todo.get, { id: 5 })],
    ['useLive()', () => useLive(() => api.todo.get, { id: 5 })],
    ['useQuery()', () => useQuery(api.todo.get.schema, { id: 5 })],
    ['useSubscription()', () => useSubscription(() => api.todo.get, { id: 5 })],
    ['useController()', () => useController()],
  ])('%s says what to do', (call, hook) => {
    expect(hook).toThrow(`${call} was called outside a DataProvider. There is no component here.
  Call it in the script of a component. In a .svelte.ts module or $effect.root, pass withOptions(endpoint, { controller }) for the endpoint.`)
  })

  test('a handle is made with a Controller, and follows for those who read it', async () => {
    const { api, controller, mount, screen, server, settle } = createStage()
    const todo = useSuspense(withOptions(api.todo.get, { controller }), { id: 5 })
    const cached = useCache(withOptions(api.todo.get, { controller }), () => ({ id: 5 }))
    const state = useDLE(withOptions(api.todo.get, { controller }), () => [{ id: 5 }] as const)
    const queried = useQuery(withOptions(api.todo.get.schema, { controller }), { id: 5 })
    mount(() => () => [todo, cached, state, queried].map(({ current }) => JSON.stringify(current)).join())
    await settle()
    expect(screen().split('Todo 5')).toHaveLength(5)
    controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed' })
    await settle()
    expect(screen().split('Changed')).toHaveLength(5)
    expect(server.requests).toEqual([route])
    expect([get(todo), get(cached), get(state).data, get(queried)]).toEqual(
      Array.from({ length: 4 }, () => controller.get(api.todo.get.schema, { id: 5 })),
    )
  })

  test('a store is told while somebody subscribes to it', async () => {
    const { api, controller, settle } = createStage()
    const cached = useCache(withOptions(api.todo.get, { controller }), { id: 5 })
    const told: unknown[] = []
    const end = cached.subscribe((todo) => told.push(todo?.title))
    await controller.fetch(api.todo.get, { id: 5 })
    await settle()
    controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed' })
    await settle()
    expect(told).toEqual([undefined, 'Todo 5', 'Changed'])
    end()
    await settle()
    expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
  })

  test('the small hooks take a Controller, too, and follow for ever', async () => {
    const { api, clock, controller, mount, screen, server, settle } = createStage()
    let [text, id, delayMs] = $state(['a', 5, 300])
    const debounced = useDebounce(
      () => text,
      () => delayMs,
      { controller },
    )
    const search = useCancelling(api.todo.get, () => ({ id }))
    const failed = useMutations(() => api.todo.partialUpdate, { controller })
    const fetching = useFetching(undefined, { controller })
    const link = usePrefetch(withOptions(api.todo.get, { controller }), () => ({ id }))
    const last = useLast(withOptions(api.todo.get, { controller }), () => ({ id }))
    mount(
      () => () =>
        [debounced.current, last.data?.title, failed.current.length, fetching.current > 0].map(String).join(),
    )
    await settle()
    expect(screen()).toBe('a,Todo 5,0,false')
    text = 'b'
    await settle()
    expect([debounced.current, debounced.pending]).toEqual(['a', true])
    delayMs = 100
    await settle()
    clock.advance(100)
    await settle()
    expect([debounced.current, debounced.pending, get(debounced)]).toEqual(['b', false, 'b'])
    const { signal } = search.current
    id = 6
    await settle()
    expect(signal?.aborted).toBe(true)
    expect(search.current.signal?.aborted).toBe(false)
    link.prefetch()
    await settle()
    expect(server.requests).toEqual([route, 'GET /todo/6'])
    await controller.fetch(api.todo.partialUpdate, { id: 99 }, {}).catch(() => {})
    await settle()
    expect(screen()).toBe('b,Todo 6,1,false')
    failed.current[0]?.dismiss()
    await settle()
    expect(screen()).toBe('b,Todo 6,0,false')
  })

  test('pages are read with a Controller', async () => {
    const { api, controller, mount, screen, server, settle } = createStage()
    server.route('GET /todo', [{ id: 1, title: 'One' }])
    const list = useInfinite(withOptions(api.todo.getList, { controller }), {}, { next: () => undefined })
    mount(() => () => list.data?.map(({ title }) => title).join() ?? '…')
    await settle()
    expect(screen()).toBe('One')
  })

  test('a store of requests under way follows its filter', async () => {
    const { api, controller, server, settle } = createStage()
    const filter = writable<RequestFilter>(api.todo.get)
    let other = $state<RequestFilter>(api.todo.getList)
    const counts = [useFetching(filter, { controller }), useFetching(() => other, { controller })]
    const told = counts.map((): number[] => [])
    counts.forEach((count, index) => count.subscribe((value) => told[index]?.push(value)))
    server.hold(route)
    void controller.fetch(api.todo.get, { id: 5 })
    await settle()
    expect(told).toEqual([[0, 1], [0]])
    filter.set(api.todo.getList)
    other = api.todo.get
    await settle()
    expect(told).toEqual([
      [0, 1, 0],
      [0, 1],
    ])
    server.release()
    await settle()
    expect(told).toEqual([
      [0, 1, 0],
      [0, 1, 0],
    ])
  })

  test('an $effect.root lets hooks follow, and ends them', async () => {
    const { api, controller, server, settle } = createStage()
    let id = $state(5)
    const end = $effect.root(() => {
      useSuspense(withOptions(api.todo.get, { controller }), () => ({ id }))
      useFetch(withOptions(api.user.get, { controller }), () => ({ id: 1 }))
      useSubscription(withOptions(api.article.get.extend({ pollFrequency: 5000 }), { controller }), { id: 1 })
    })
    await settle()
    expect([...server.requests].sort()).toEqual(['GET /article/1', route, 'GET /user/1'])
    id = 6
    await settle()
    expect(server.requests).toContain('GET /todo/6')
    end()
    await settle()
    expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
  })
})

describe('$inspect', () => {
  test('of a handle and of what it shows writes no error', async () => {
    const { api, mount, screen, settle } = createStage()
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => error.mockRestore())
    const seen: unknown[] = []
    mount(() => {
      const todo = useSuspense(api.todo.get, { id: 5 })
      $inspect(todo.pending, todo.error).with((_, ...values) => seen.push(values))
      $inspect(todo).with(() => seen.push('a handle'))
      return () => todo.current.title
    })
    await settle()
    flushSync()
    expect(screen()).toBe('Todo 5')
    expect(seen).toContain('a handle')
    expect(error).not.toHaveBeenCalled()
  })
})
