import { Controller, Endpoint, Entity } from '@selfsame/core'
import type { Middleware } from '@selfsame/core'
import {
  logger,
  pauseOffline,
  refetchOnFocus,
  refetchOnReconnect,
  retry,
  throttle,
} from '@selfsame/core/policies'
import type { NetworkState } from '@selfsame/core/policies'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { TestClock } from '@selfsame/core/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { renewSession } from './auth-refresh.js'
import { serve } from './testing-network.js'

// The samples of docs/middleware.md.

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const urlPrefix = 'https://api.example.com'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

test('all policies together leave a request as it is', async () => {
  const groups = vi
    .spyOn(console, 'groupCollapsed')
    .mockImplementation(() => {})
  vi.spyOn(console, 'log').mockImplementation(() => {})
  const requests = serve({ 'GET /todo/5': { id: 5 } })
  const controller = new Controller({
    middleware: [
      logger(),
      retry(),
      pauseOffline(),
      throttle({ concurrency: 6 }),
      refetchOnFocus(),
      refetchOnReconnect(),
    ],
  })
  const todoResource = createResource({
    urlPrefix,
    path: '/todo/:id',
    schema: Todo,
  })
  expect((await controller.fetch(todoResource.get, { id: 5 })).id).toBe(5)
  expect(requests).toHaveLength(1)
  groups.mockRestore()
})

test('an endpoint says what it wants of each', async () => {
  const getPrice = new RestEndpoint({
    path: '/price/:id',
    retry: 5,
    refetchOnFocus: false,
  })
  const todoResource = createResource({
    path: '/todo/:id',
    schema: Todo,
    throttle: false,
  })
  expect([
    getPrice.retry,
    getPrice.refetchOnFocus,
    todoResource.get.throttle,
  ]).toEqual([5, false, false])

  const save = todoResource.update.extend({ retry: true, pauseOffline: true })
  expect([save.retry, save.pauseOffline, todoResource.update.retry]).toEqual([
    true,
    true,
    undefined,
  ])
})

test('another platform says whether there is a network', async () => {
  interface ConnectionState {
    readonly isConnected: boolean | null
  }
  const listeners = new Set<(state: ConnectionState) => void>()
  const NetInfo = {
    addEventListener(listener: (state: ConnectionState) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const tell = (isConnected: boolean) => {
    for (const listener of listeners) listener({ isConnected })
  }

  let isConnected = true
  NetInfo.addEventListener((state) => {
    isConnected = state.isConnected !== false
  })
  const network: NetworkState = {
    isOnline: () => isConnected,
    subscribe: (listener) => NetInfo.addEventListener(listener),
  }
  new Controller({
    middleware: [pauseOffline({ network }), refetchOnReconnect({ network })],
  })

  const controller = new Controller({ middleware: [pauseOffline({ network })] })
  const requests = serve({ 'GET /todo/5': { id: 5 } })
  const get = new RestEndpoint({ urlPrefix, path: '/todo/:id', schema: Todo })
  tell(false)
  const answer = controller.fetch(get, { id: 5 })
  await Promise.resolve()
  expect(requests).toHaveLength(0)
  tell(true)
  expect((await answer).id).toBe(5)
})

test('slow requests are reported', async () => {
  const report = vi.fn<(name: string) => void>()
  const slowRequests: Middleware = ({ clock }) => ({
    passesOn: true,
    async request(call, next) {
      const begin = clock.now()
      const answer = await next()
      if (clock.now() - begin > 2000) report(call.endpoint.name)
      return answer
    },
  })
  const clock = new TestClock()
  const controller = new Controller({ clock, middleware: [slowRequests] })
  const slow = new Endpoint(
    async () => {
      clock.advance(3000)
      return 1
    },
    { name: 'slow' },
  )
  await controller.fetch(slow)
  expect(report).toHaveBeenCalledWith('slow')
})

test('a session is renewed before a request is made again', async () => {
  const session = { token: 'old' }
  const signInAgain = async () => 'new'
  const requests = serve({
    'GET /todo/5': ({ headers }: { headers: Headers }) =>
      headers.get('Access-Token') === 'new'
        ? { id: 5 }
        : new Response(null, { status: 401 }),
  })
  const controller = new Controller({
    middleware: [
      renewSession(async () => {
        session.token = await signInAgain()
      }),
      retry(),
    ],
  })
  const get = new RestEndpoint({
    urlPrefix,
    path: '/todo/:id',
    schema: Todo,
    getHeaders: () => ({ 'Access-Token': session.token }),
  })
  expect((await controller.fetch(get, { id: 5 })).id).toBe(5)
  expect(requests).toHaveLength(2)
})
