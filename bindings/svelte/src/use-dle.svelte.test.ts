import { Endpoint } from '@selfsame/core'
import type { CallState } from '@selfsame/core'
import { listenersOf, reply, retainersOf } from '@selfsame/conformance'
import { get } from 'svelte/store'
import { expect, test } from 'vitest'
import { createStage } from '../testing/stage.js'
import { useDLE } from './index.js'
import type { DLEHandle } from './index.js'

const route = 'GET /todo/5'

test('no effect sees less than that it loads, and each member wakes only those who read it', async () => {
  const { api, controller, mount, server, settle } = createStage()
  const states: unknown[] = []
  const woken: string[] = []
  mount(() => {
    const todo = useDLE(api.todo.get, { id: 5 })
    $effect.pre(() => {
      const { data, loading, error } = todo.current
      states.push([data?.title, loading, error !== undefined])
    })
    $effect.pre(() => void woken.push(`data ${todo.data?.title}`))
    $effect.pre(() => void woken.push(`loading ${todo.loading}`))
    $effect.pre(() => void woken.push(`error ${todo.error !== undefined}`))
    return () => ''
  })
  await settle()
  expect(woken.splice(0)).toEqual([
    'data undefined',
    'loading true',
    'error false',
    'data Todo 5',
    'loading false',
  ])
  controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed' })
  await settle()
  expect(woken.splice(0)).toEqual(['data Changed'])
  server.route(route, reply.status(500))
  controller.expireAll(api.todo.get)
  await settle()
  expect(woken.splice(0)).toEqual(['error true'])
  expect(states).toEqual([
    [undefined, true, false],
    ['Todo 5', false, false],
    ['Changed', false, false],
    ['Changed', false, true],
  ])
})

test('is a store of all three', async () => {
  const { api, mount, settle } = createStage()
  let handle: DLEHandle<{ title: string }> | undefined
  const { unmount } = mount(() => {
    handle = useDLE(api.todo.get, { id: 5 })
    return () => ''
  })
  const told: CallState<{ title: string }>[] = []
  const end = handle?.subscribe((state) => told.push(state))
  await settle()
  expect(told.map(({ data, loading }) => [data?.title, loading])).toEqual([
    [undefined, true],
    ['Todo 5', false],
  ])
  expect(handle && get(handle)).toBe(told[1])
  end?.()
  await unmount()
})

test('fetches although nobody reads it, follows its arguments, and leaves nothing behind', async () => {
  const { api, controller, mount, server, settle } = createStage()
  let id = $state<number | null>(5)
  const { unmount } = mount(() => {
    useDLE(api.todo.get, () => (id === null ? null : { id }))
    return () => ''
  })
  await settle()
  id = 6
  await settle()
  id = null
  await settle()
  expect(server.requests).toEqual([route, 'GET /todo/6'])
  id = 5
  await settle()
  expect([listenersOf(controller), retainersOf(controller)]).toEqual([1, 1])
  await unmount()
  await settle()
  expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
})

test('what a request reads is no reason to read again', async () => {
  const { mount, screen, settle } = createStage()
  let token = $state('a')
  const getTitle = new Endpoint(async () => `By ${token}`, { name: 'getTitle' })
  let runs = 0
  mount(() => {
    const title = $derived(useDLE(getTitle))
    return () => {
      runs++
      return title.data ?? '…'
    }
  })
  await settle()
  expect(screen()).toBe('By a')
  const before = runs
  token = 'b'
  await settle()
  expect(runs).toBe(before)
})

test('works in $derived', async () => {
  const { api, mount, screen, server, settle } = createStage()
  let id = $state(5)
  mount(() => {
    const todo = $derived(useDLE(api.todo.get, { id }))
    return () => (todo.loading ? '…' : todo.data?.title)
  })
  await settle()
  expect(screen()).toBe('Todo 5')
  id = 6
  await settle()
  expect(screen()).toBe('Todo 6')
  expect(server.requests).toEqual([route, 'GET /todo/6'])
})
