import { listenersOf, retainersOf } from '@selfsame/conformance'
import { Endpoint } from '@selfsame/core'
import { flushSync } from 'svelte'
import { get, writable } from 'svelte/store'
import { describe, expect, test, vi } from 'vitest'
import { createStage } from '../testing/stage.js'
import type { Handle } from './index.js'
import { useCache, useSuspense } from './index.js'

const route = 'GET /todo/5'

describe('a handle of useSuspense', () => {
  test('is a store of the data, undefined while there is none', async () => {
    const { api, controller, mount, settle } = createStage()
    let store: Handle<{ title: string }> | undefined
    mount(() => {
      const handle = (store = useSuspense(api.todo.get, { id: 5 }))
      return () => String(handle.pending)
    })
    const told: unknown[] = []
    const end = store?.subscribe((todo) => told.push(todo?.title))
    expect(told).toEqual([undefined])
    await settle()
    expect(told).toEqual([undefined, 'Todo 5'])
    controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed' })
    await settle()
    expect(told).toEqual([undefined, 'Todo 5', 'Changed'])
    end?.()
    controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed again' })
    await settle()
    expect(told).toHaveLength(3)
    expect(store && get(store)?.title).toBe('Changed again')
  })

  test('can be awaited outside of components', async () => {
    const { api, controller, mount, settle } = createStage()
    let handle: Handle<{ title: string }> | undefined
    mount(() => {
      handle = useSuspense(api.todo.get, { id: 5 })
      return () => ''
    })
    await settle()
    expect(await handle).toBe(controller.get(api.todo.get.schema, { id: 5 }))
  })

  test('shows while it waits what was read after a reset, even if that is equal to what was read before', async () => {
    const { controller, mount, settle } = createStage()
    const getText = new Endpoint(async () => 'text', { name: 'getText' })
    let handle: Handle<string> | undefined
    mount(() => {
      handle = useSuspense(getText)
      return () => ''
    })
    await settle()
    expect(handle?.current).toBe('text')
    controller.resetAll()
    expect(await controller.fetch(getText)).toBe('text')
    expect(handle?.current).toBe('text')
    controller.invalidate(getText)
    expect(handle?.current).toBe('text')
    expect(handle?.pending).toBe(true)
    await settle()
  })

  test('lets a component look at pending and do without a boundary', async () => {
    const { api, mount, screen, settle } = createStage()
    mount(
      () => {
        const todo = useSuspense(api.todo.get, { id: 5 })
        return () => (todo.pending ? 'Loading' : todo.current.title)
      },
      { boundary: 'none' },
    )
    flushSync()
    expect(screen()).toBe('Loading')
    await settle()
    expect(screen()).toBe('Todo 5')
  })

  test('says why a refetch failed while it shows what is there', async () => {
    const { api, clock, controller, mount, screen, server, settle } = createStage()
    await controller.fetch(api.todo.get, { id: 5 })
    clock.advance(60_000)
    server.route(route, () => {
      throw new Error('down')
    })
    mount(() => {
      const todo = useSuspense(api.todo.get, { id: 5 })
      return () => `${todo.current.title} ${todo.error === undefined ? 'fine' : 'failed'}`
    })
    await settle()
    expect(screen()).toBe('Todo 5 failed')
  })

  test('gives the same object until it changes, and never a proxy', async () => {
    const { api, controller, mount, settle } = createStage()
    const seen: unknown[] = []
    mount(() => {
      const todo = useSuspense(api.todo.get, { id: 5 })
      return () => void seen.push(todo.current)
    })
    await settle()
    expect(seen).toEqual([controller.get(api.todo.get.schema, { id: 5 })])
    expect(seen[0]).toBe(controller.get(api.todo.get.schema, { id: 5 }))
    await controller.fetch(api.todo.get, { id: 5 })
    await settle()
    expect(seen).toHaveLength(1)
  })

  test('makes what reads its data run again for the data only', async () => {
    const { api, controller, mount, server, settle } = createStage()
    await controller.fetch(api.todo.get, { id: 5 })
    const runs: string[] = []
    mount(() => {
      const todo = useSuspense(api.todo.get, { id: 5 })
      $effect(() => void runs.push(`current ${todo.current.title}`))
      $effect(() => void runs.push(`error ${todo.error?.name}`))
      return () => ''
    })
    await settle()
    expect(runs).toEqual(['current Todo 5', 'error undefined'])
    server.route(route, { id: 5, title: 'Newer' })
    await controller.fetch(api.todo.get, { id: 5 })
    await settle()
    expect(runs).toEqual(['current Todo 5', 'error undefined', 'current Newer'])
  })

  test('can be made and read in $derived', async () => {
    // Svelte warns if a `$derived` is read once more after its own error destroyed its component.
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { api, controller, mount, screen, settle } = createStage()
    let id = $state(5)
    const { unmount } = mount(() => {
      const todo = $derived(useSuspense(api.todo.get, { id }))
      const title = $derived(todo.current.title)
      return () => title
    })
    await settle()
    expect(screen()).toBe('Todo 5')
    for (const next of [6, 5, 6, 5, 6]) {
      id = next
      await settle()
    }
    expect(screen()).toBe('Todo 6')
    expect(retainersOf(controller)).toBe(1)
    await unmount()
    await settle()
    expect(listenersOf(controller)).toBe(0)
    expect(retainersOf(controller)).toBe(0)
  })

  test('starts all calls of a component at once', async () => {
    const { api, mount, screen, server, settle } = createStage()
    server.hold(route)
    mount(() => {
      const todo = useSuspense(api.todo.get, { id: 5 })
      const user = useSuspense(api.user.get, { id: 1 })
      return () => `${todo.current.title}, ${user.current.name}`
    })
    await settle()
    expect(server.requests).toEqual([route, 'GET /user/1'])
    server.release()
    await settle()
    expect(screen()).toBe('Todo 5, User 1')
    expect(server.requests).toEqual([route, 'GET /user/1'])
  })

  test('waits for a call that its arguments need', async () => {
    const { api, mount, screen, server, settle } = createStage()
    mount(() => {
      const todo = useSuspense(api.todo.get, { id: 5 })
      const user = useSuspense(api.user.get, () => ({ id: todo.current.userId }))
      return () => user.current.name
    })
    await settle()
    expect(screen()).toBe('User 1')
    expect(server.requests).toEqual([route, 'GET /user/1'])
  })
})

describe('a handle of useCache', () => {
  test('never fetches, shows what others fetch, and says that they do', async () => {
    const { api, controller, mount, screen, server, settle } = createStage()
    mount(
      () => {
        const todo = useCache(api.todo.get, { id: 5 })
        return () => `${todo.pending ? 'pending' : 'idle'} ${todo.current?.title}`
      },
      { boundary: 'none' },
    )
    await settle()
    expect(screen()).toBe('idle undefined')
    expect(server.requests).toEqual([])
    server.hold(route)
    const fetched = controller.fetch(api.todo.get, { id: 5 })
    await settle()
    expect(screen()).toBe('pending undefined')
    server.release()
    await fetched
    await settle()
    expect(screen()).toBe('idle Todo 5')
  })

  test('can be awaited: it gives what is there', async () => {
    const { api, mount } = createStage()
    let handle: Handle<unknown> | undefined
    mount(() => {
      handle = useCache(api.todo.get, { id: 5 })
      return () => ''
    })
    expect(await handle).toBeUndefined()
  })
})

describe('arguments', () => {
  test.each([
    ['a getter of each', (id: () => number) => [() => ({ id: id() })] as const],
    ['a getter of all', (id: () => number) => [() => [{ id: id() }] as const] as const],
  ])('may be %s', async (_, toArgs) => {
    const { api, mount, screen, server, settle } = createStage()
    let id = $state(5)
    mount(() => {
      const todo = useSuspense(api.todo.get, ...toArgs(() => id))
      return () => todo.current.title
    })
    await settle()
    expect(screen()).toBe('Todo 5')
    id = 6
    await settle()
    expect(screen()).toBe('Todo 6')
    expect(server.requests).toEqual([route, 'GET /todo/6'])
  })

  test('may be stores, and so may the endpoint', async () => {
    const { api, mount, screen, settle } = createStage()
    const args = writable<{ id: number } | null>({ id: 5 })
    const endpoint = writable(api.todo.get)
    mount(() => {
      const todo = useSuspense(endpoint, args)
      return () => todo.current?.title ?? 'nothing'
    })
    await settle()
    expect(screen()).toBe('Todo 5')
    args.set({ id: 6 })
    await settle()
    expect(screen()).toBe('Todo 6')
    args.set(null)
    await settle()
    expect(screen()).toBe('nothing')
  })

  test('may be another handle, which is a store', async () => {
    const { api, controller, mount, screen, settle } = createStage()
    await controller.fetch(api.todo.get, { id: 5 })
    mount(() => {
      const todo = useCache(api.todo.get, { id: 5 })
      const same = useSuspense(api.todo.get, () => ({ id: todo.current?.id ?? 6 }))
      return () => same.current.title
    })
    await settle()
    expect(screen()).toBe('Todo 5')
  })

  test('may come from deep state, which is followed and not kept', async () => {
    const { api, mount, screen, server, settle } = createStage()
    const filter = $state({ userId: 1 })
    server.route('GET /todo?userId=2', [])
    mount(() => {
      const todos = useSuspense(api.todo.getList, () => filter)
      return () => todos.current.length
    })
    await settle()
    expect(screen()).toBe('2')
    filter.userId = 2
    await settle()
    expect(screen()).toBe('0')
    expect(server.requests).toEqual(['GET /todo?userId=1', 'GET /todo?userId=2'])
  })

  test('are copied out of deep state all the way down, but for what a class made', async () => {
    const { mount, settle } = createStage()
    const given: unknown[] = []
    const find = new Endpoint(
      async (query: { ids: number[]; range: { from: Date } }) => {
        given.push(query)
        return []
      },
      { name: 'find' },
    )
    const from = new Date(0)
    const query = $state({ ids: [1, 2], range: { from } })
    mount(() => {
      const found = useSuspense(find, () => query)
      return () => found.current.length
    })
    await settle()
    // `structuredClone` throws for a proxy, so this asserts plain values.
    expect(structuredClone(given)).toEqual([{ ids: [1, 2], range: { from } }])
    query.ids.push(3)
    expect(given).toEqual([{ ids: [1, 2], range: { from } }])
  })
})

test('a component that is destroyed while it waits leaves nothing behind', async () => {
  const { api, controller, mount, screen, server, settle } = createStage()
  const error = vi.spyOn(console, 'error')
  server.hold(route)
  const { unmount } = mount(() => {
    const todo = useSuspense(api.todo.get, { id: 5 })
    return () => todo.current.title
  })
  await settle()
  expect(screen()).toBe('…')
  expect(retainersOf(controller)).toBe(1)
  await unmount()
  server.release()
  await settle()
  expect(listenersOf(controller)).toBe(0)
  expect(retainersOf(controller)).toBe(0)
  expect(error).not.toHaveBeenCalled()
})
