import { Controller } from '@selfsame/core'
import {
  AsyncBoundary,
  dataPlugin,
  useCache,
  useController,
} from '@selfsame/vue'
import type { ErrorSlotProps } from '@selfsame/vue'
import { pauseOffline } from '@selfsame/core/policies'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createApp, effectScope, h, nextTick, watchEffect } from 'vue'
import { RouterView, createMemoryHistory } from 'vue-router'
import { Todo, todoResource } from './api.js'
import { getMe } from './session.js'
import { serve } from './testing-network.js'
import { createAppRouter } from './vue-router.js'
import { useTodoStore } from './vue-todo-store.js'

afterEach(() => vi.unstubAllGlobals())

const todos = [
  { id: 1, title: 'Buy milk', completed: true },
  { id: 2, title: 'Write', completed: false },
]

const linesOf = (requests: ReturnType<typeof serve>) =>
  requests.map(({ line }) => line)

test('a store of Pinia reads and writes', async () => {
  const requests = serve({
    'GET /todo': todos,
    'PATCH /todo/2': { ...todos[1], completed: true },
  })
  const controller = new Controller()
  const pinia = createPinia()
  const app = createApp(() => '').use(dataPlugin, { controller })
  app.use(pinia)
  setActivePinia(pinia)
  const store = useTodoStore()
  expect(store.loading).toBe(true)
  await vi.waitFor(() =>
    expect(store.open.map(({ title }) => title)).toEqual(['Write']),
  )
  await store.complete(2)
  expect(store.open).toEqual([])
  expect(linesOf(requests)).toEqual(['GET /todo?userId=1', 'PATCH /todo/2'])
  // What the server knows is not in the state of the store, which others
  // persist or send.
  expect(pinia.state.value).toEqual({ todos: { userId: 1 } })
  store.userId = 2
  await vi.waitFor(() => expect(linesOf(requests)).toHaveLength(3))
  store.$dispose()
  controller.dispose()
})

test('guards of a route fetch what its page reads, and let no stranger in', async () => {
  let isSignedIn = false
  const requests = serve({
    'GET /me': () =>
      isSignedIn ? { id: 1, name: 'Ann' } : new Response('', { status: 401 }),
    'GET /todo/2': todos[1],
  })
  const controller = new Controller()
  const history = createMemoryHistory()
  history.replace('/login')
  const router = createAppRouter(history)
  const slots = {
    default: () => h(RouterView, { key: router.currentRoute.value.fullPath }),
    error: ({ error }: ErrorSlotProps) => error.message,
  }
  const app = createApp(() =>
    h(
      AsyncBoundary,
      { resetKeys: [router.currentRoute.value.fullPath] },
      slots,
    ),
  )
  app.use(dataPlugin, { controller }).use(router)
  const element = document.body.appendChild(document.createElement('div'))
  app.mount(element)
  onTestFinished(() => {
    app.unmount()
    element.remove()
    controller.dispose()
  })
  await router.push('/todo/2')
  expect(router.currentRoute.value.path).toBe('/login')
  isSignedIn = true
  await router.push('/todo/2')
  await vi.waitFor(() => expect(element.textContent).toContain('Write'))
  expect(linesOf(requests)).toEqual(['GET /me', 'GET /me', 'GET /todo/2'])
  await router.push('/todo/7')
  await vi.waitFor(() => expect(element.textContent).toContain('failed: 404'))
  expect(linesOf(requests).slice(3)).toEqual(['GET /todo/7'])
})

test('without a network, a guard lets in a user who is known from before', async () => {
  const requests = serve({})
  const controller = new Controller({
    middleware: [
      pauseOffline({
        network: { isOnline: () => false, subscribe: () => () => {} },
      }),
    ],
  })
  controller.setResponse(getMe, { id: 1, name: 'Ann' })
  controller.setResponse(todoResource.get, { id: 2 }, todos[1]!)
  // As `persist` restores them.
  controller.expireAll({ testKey: () => true })
  const router = createAppRouter(createMemoryHistory())
  const app = createApp(() => h(RouterView))
  app.use(dataPlugin, { controller })
  app.runWithContext(() => app.use(router))
  onTestFinished(() => controller.dispose())
  const left = await Promise.race([
    router.push('/todo/2').then(() => 'left'),
    new Promise((resolve) => setTimeout(resolve, 300, 'waits')),
  ])
  expect([left, requests]).toEqual(['left', []])
  expect(router.currentRoute.value.path).toBe('/todo/2')
})

test('anything else reads in the context of the app', async () => {
  const requests = serve({ 'GET /todo/2': todos[1] })
  const app = createApp(() => '').use(dataPlugin, {
    controller: new Controller(),
  })

  const controller = app.runWithContext(() => useController())
  await controller.fetch(todoResource.get, { id: 2 })

  const scope = effectScope()
  app.runWithContext(() =>
    scope.run(() => {
      const todo = useCache(todoResource.get, { id: 2 })
      watchEffect(() => (document.title = todo.value?.title ?? ''))
    }),
  )
  expect(document.title).toBe('Write')
  controller.set(Todo, { id: 2 }, { title: 'Read' })
  await nextTick()
  expect(document.title).toBe('Read')
  scope.stop()
  controller.set(Todo, { id: 2 }, { title: 'Rest' })
  await nextTick()
  expect(document.title).toBe('Read')
  expect(linesOf(requests)).toEqual(['GET /todo/2'])
  controller.dispose()
})
