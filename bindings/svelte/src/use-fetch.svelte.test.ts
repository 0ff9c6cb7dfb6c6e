import { listenersOf, reply, retainersOf } from '@selfsame/conformance'
import { expect, test, vi } from 'vitest'
import { createStage } from '../testing/stage.js'
import { useFetch } from './index.js'

const route = 'GET /todo/5'

test('gives the promise for values, also where the data is Valid', async () => {
  const { api, controller, mount, settle } = createStage()
  const given: unknown[] = []
  const setup = () => {
    given.push(useFetch(api.todo.get, { id: 5 }))
    return () => ''
  }
  mount(setup)
  await settle()
  expect(await given[0]).toBe(controller.get(api.todo.get.schema, { id: 5 }))
  mount(setup)
  expect(given[1]).toMatchObject({ status: 'fulfilled', value: await given[0] })
})

test('fetches again when the arguments change and when the call is invalidated', async () => {
  const { api, controller, mount, server, settle } = createStage()
  let id = $state<number | null>(null)
  const { unmount } = mount(() => {
    useFetch(api.todo.get, () => (id === null ? null : { id }))
    return () => ''
  })
  await settle()
  expect(server.requests).toEqual([])
  id = 5
  await settle()
  id = 6
  await settle()
  expect(server.requests).toEqual([route, 'GET /todo/6'])
  controller.invalidate(api.todo.get, { id: 6 })
  await settle()
  expect(server.requests).toEqual([route, 'GET /todo/6', 'GET /todo/6'])
  await unmount()
  await settle()
  expect(listenersOf(controller)).toBe(0)
  expect(retainersOf(controller)).toBe(0)
})

test('works in $derived, each time for the values of that time', async () => {
  const { api, mount, screen, server, settle } = createStage()
  let id = $state<number | null>(5)
  mount(() => {
    const fetched = $derived(useFetch(api.todo.get, id === null ? null : { id }))
    return () => (fetched === undefined ? 'nothing' : 'a promise')
  })
  await settle()
  expect(screen()).toBe('a promise')
  id = null
  await settle()
  expect(screen()).toBe('nothing')
  expect(server.requests).toEqual([route])
})

test('a promise that nobody looks at causes no unhandled rejection', async () => {
  const { api, mount, server, settle } = createStage()
  const unhandled = vi.fn<() => void>()
  process.on('unhandledRejection', unhandled)
  server.route(route, reply.status(500))
  mount(() => {
    useFetch(api.todo.get, { id: 5 })
    return () => ''
  })
  await settle()
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})
