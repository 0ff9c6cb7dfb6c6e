import {
  pauseOffline,
  refetchOnFocus,
  refetchOnInterval,
  refetchOnReconnect,
  retry,
  throttle,
} from '@selfsame/core/policies'
import { expect } from 'vitest'
import { todoFields } from '../fixtures.js'
import { reply } from '../server.js'
import { scenario, shown, shownError } from '../suite.js'
import { ManualNetwork, ManualPage } from '../surroundings.js'

const route = 'GET /todo/5'
const other = 'GET /todo/6'
const isLogged = { isLogged: true } as const

/** Fails this many times, then responds. */
function failing(times: number, answer: unknown) {
  let failures = 0
  return () => (failures++ < times ? reply.status(503, {}) : answer)
}

for (const hook of ['useSuspense', 'useDLE', 'useFetch', 'useLive'] as const) {
  scenario.onReact18(
    `F5/middleware/${hook}`,
    'a reader whose request middleware resets before it is sent asks again',
    async ({ api, open, pass, server, settle }) => {
      let isSignedIn = false
      const { controller, mount } = open({
        middleware: [
          (self) => ({
            before({ type }) {
              if (type !== 'fetch' || isSignedIn) return
              isSignedIn = true
              self.resetAll()
            },
          }),
        ],
      })
      const get = api.todo.get.extend({ pollFrequency: 5000 })
      const reader = await mount(hook, get, { id: 5 })
      await settle()
      expect(server.requests).toEqual([route])
      expect(controller.read(get, { id: 5 })).toMatchObject({ status: 'Valid', data: { id: 5 } })
      if (hook === 'useDLE') expect(shown(reader)).toMatchObject({ data: { id: 5 }, loading: false })
      else if (hook === 'useFetch') await expect(shown(reader)).resolves.toMatchObject({ id: 5 })
      else expect(shown(reader)).toMatchObject({ id: 5 })
      await pass(1000)
      expect(server.requests).toEqual([route])
    },
    {
      isAlone:
        'the reset is made while the reader renders, and React warns if its provider is not part of that render',
    },
  )
}

scenario.onReact18(
  '4.5/resolve/middleware',
  'a reader whose call middleware resolves before its request is sent shows that, and nothing is sent',
  async ({ api, open, server, settle }) => {
    const { mount } = open({
      middleware: [
        (self) => ({
          before({ type }) {
            if (type !== 'fetch') return
            self.resolve(api.todo.get, { args: [{ id: 5 }], response: todoFields(5, { title: 'Resolved' }) })
          },
        }),
      ],
    })
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Resolved' })
    expect(server.requests).toEqual([])
  },
)

const everySecond = () => retry({ delayMs: () => 1000 })

scenario.everywhere(
  'policies/retry/waiting',
  'a reader without data waits until an attempt is answered',
  async ({ api, open, pass, server, settle }) => {
    server.route(route, failing(2, todoFields(5)))
    const { mount } = open({ middleware: [everySecond()] })
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    await pass(1000)
    expect(reader.current()).toEqual({ state: 'fallback' })
    await pass(1000)
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(reader.fallbacks).toBe(1)
    expect(server.requests).toEqual([route, route, route])
  },
)

scenario.onReact18(
  'policies/retry/data',
  'a reader with data shows it while attempts are made, and then the answer',
  async ({ api, open, pass, server, settle }) => {
    const { controller, mount } = open({ middleware: [everySecond()] })
    await controller.fetch(api.todo.get, { id: 5 })
    await pass(60_000)
    server.route(route, failing(1, todoFields(5, { title: 'Newer' })))
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(controller.read(api.todo.get, { id: 5 })).toMatchObject({ fetching: true, error: undefined })
    await pass(1000)
    expect(shown(reader)).toMatchObject({ title: 'Newer' })
    expect(reader.fallbacks).toBe(0)
  },
)

scenario.onReact18(
  'policies/retry/fails',
  'a reader shows the error when the last attempt failed, once',
  async ({ api, open, pass, server, settle }) => {
    server.route(route, reply.status(503, {}))
    const { mount } = open({ middleware: [everySecond()] })
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    await pass(1000)
    expect(reader.current()).toEqual({ state: 'fallback' })
    await pass(1000)
    expect(shownError(reader)).toMatchObject({ status: 503 })
    await pass(60_000)
    expect(shownError(reader)).toMatchObject({ status: 503 })
    expect(reader.fallbacks).toBe(1)
    expect(server.requests).toEqual([route, route, route])
  },
  isLogged,
)

scenario.onReact18(
  'policies/retry/endpoint',
  'an endpoint that says retry: false shows its error at once; one that says true is retried where others are not',
  async ({ api, open, pass, server, settle }) => {
    for (const id of [5, 6]) server.route(`GET /todo/${id}`, failing(1, todoFields(id)))
    const all = open({ middleware: [everySecond()] })
    const never = await all.mount('useSuspense', api.todo.get.extend({ retry: false }), { id: 5 })
    const chosen = open({ middleware: [retry({ byDefault: false, delayMs: () => 1000 })] })
    const always = await chosen.mount('useSuspense', api.todo.get.extend({ retry: true }), { id: 6 })
    await settle()
    expect(shownError(never)).toMatchObject({ status: 503 })
    expect(always.current()).toEqual({ state: 'fallback' })
    await pass(1000)
    expect(shown(always)).toMatchObject({ title: 'Todo 6' })
    expect(server.requests).toEqual([route, other, other])
  },
  isLogged,
)

scenario.everywhere(
  'policies/retry/unmount',
  'a reader that leaves ends the attempts',
  async ({ api, open, pass, server, settle }) => {
    const { controller, mount } = open({ middleware: [everySecond()] })
    await controller.fetch(api.todo.get, { id: 5 })
    await pass(60_000)
    server.route(route, reply.status(503, {}))
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    await reader.unmount()
    await settle()
    await pass(5000)
    expect(server.requests).toEqual([route, route])
  },
)

scenario.everywhere(
  'policies/focus',
  'on focus, what is Stale and shown by a reader that fetches is fetched, and nobody suspends',
  async ({ api, open, pass, server, settle }) => {
    const page = new ManualPage()
    const { controller, mount } = open({ middleware: [refetchOnFocus({ page })] })
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    const fetching = await mount('useFetch', api.user.getList)
    await controller.fetch(api.todo.get, { id: 1 })
    const cached = await mount('useCache', api.todo.get, { id: 1 })
    await controller.fetch(api.todo.get, { id: 6 })
    await pass(60_000)
    // Fetched again meanwhile, so it is Valid.
    await controller.fetch(api.todo.get, { id: 5 })
    await settle()
    const before = [...server.requests]
    server.route(route, todoFields(5, { title: 'Newer' }))
    page.hide()
    page.show()
    await settle()
    expect(server.requests.slice(before.length)).toEqual(['GET /user'])
    await pass(60_000)
    server.hold(route)
    const { fallbacks } = reader
    page.hide()
    page.show()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Newer' })
    expect(shown(cached)).toMatchObject({ title: 'Todo 1' })
    expect(fetching.current().state).toBe('ready')
    expect(reader.fallbacks).toBe(fallbacks)
    expect(server.requests.slice(before.length).sort()).toEqual([route, 'GET /user', 'GET /user'])
  },
)

scenario.inChromium(
  'policies/focus/endpoint',
  'an endpoint decides for itself whether it is fetched on focus',
  async ({ api, open, pass, server }) => {
    for (const byDefault of [true, false]) {
      const page = new ManualPage()
      const { mount } = open({ middleware: [refetchOnFocus({ page, byDefault })] })
      await mount('useSuspense', api.todo.get.extend({ refetchOnFocus: true }), { id: 5 })
      await mount('useSuspense', api.todo.get.extend({ refetchOnFocus: false }), { id: 6 })
      await mount('useSuspense', api.todo.get, { id: 1 })
      await pass(60_000)
      const count = server.requests.length
      page.show()
      await pass(0)
      expect(server.requests.slice(count)).toEqual(byDefault ? [route, 'GET /todo/1'] : [route])
    }
  },
)

scenario.inChromium(
  'policies/focus/hidden',
  'on focus, a reader that is hidden or gone is not fetched for, and nobody listens for it',
  async ({ api, open, pass, server }) => {
    const page = new ManualPage()
    const { mount } = open({ middleware: [refetchOnFocus({ page })] })
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await pass(60_000)
    expect(page.listeners).toBe(1)
    await reader.hide()
    expect(page.listeners).toBe(0)
    page.show()
    await pass(0)
    expect(server.requests).toEqual([route])
    await reader.unmount()
    expect(page.listeners).toBe(0)
  },
)

scenario.everywhere(
  'F24/focus',
  'a call that failed is asked for on focus once in each errorExpiryLength, and its boundary heals',
  async ({ api, open, pass, server, settle }) => {
    const page = new ManualPage()
    const { mount } = open({ middleware: [refetchOnFocus({ page })], errorExpiryLength: 5000 })
    server.route(route, reply.status(500, {}))
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    await pass(2000)
    page.show()
    await reader.rerender()
    await settle()
    shownError(reader)
    expect(server.requests).toEqual([route])
    server.route(route, reply.status(503, {}))
    await pass(3000)
    page.show()
    await settle()
    expect(shownError(reader)).toMatchObject({ status: 503 })
    expect(server.requests).toEqual([route, route])
    server.route(route, todoFields(5))
    await pass(5000)
    server.hold(route)
    page.show()
    await settle()
    // The error stays until the response arrives.
    expect(shownError(reader)).toMatchObject({ status: 503 })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toEqual([route, route, route])
  },
  isLogged,
)

scenario.everywhere(
  'policies/reconnect',
  'when the network is back, what got no answer is fetched before its error expires, and boundaries heal',
  async ({ api, open, server, settle }) => {
    const network = new ManualNetwork()
    const { mount } = open({ middleware: [refetchOnReconnect({ network })], errorExpiryLength: 60_000 })
    network.set(false)
    server.route(route, reply.offline())
    server.route(other, reply.status(404, {}))
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    const missing = await mount('useSuspense', api.todo.get, { id: 6 })
    await settle()
    shownError(reader)
    shownError(missing)
    server.route(route, todoFields(5))
    network.set(true)
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(shownError(missing)).toMatchObject({ status: 404 })
    expect(server.requests).toEqual([route, other, route])
  },
  isLogged,
)

scenario.everywhere(
  'policies/reconnect/Stale',
  'when the network is back, what is Stale is fetched, and what is Valid is not',
  async ({ api, open, pass, server }) => {
    const network = new ManualNetwork()
    const { mount } = open({ middleware: [refetchOnReconnect({ network })] })
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await pass(0)
    network.set(false)
    network.set(true)
    await pass(0)
    expect(server.requests).toEqual([route])
    await pass(60_000)
    network.set(false)
    server.route(route, todoFields(5, { title: 'Newer' }))
    network.set(true)
    await pass(0)
    expect(shown(reader)).toMatchObject({ title: 'Newer' })
    expect(server.requests).toEqual([route, route])
  },
)

scenario.everywhere(
  'policies/reconnect/unmount',
  'a boundary that is taken off the page while it shows an error listens to nothing any more',
  async ({ api, open, server, settle }) => {
    const network = new ManualNetwork()
    const { mount } = open({ middleware: [refetchOnReconnect({ network })] })
    server.route(route, reply.offline())
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    shownError(reader)
    expect(network.listeners).toBe(1)
    await reader.unmount()
    expect(network.listeners).toBe(0)
  },
  isLogged,
)

scenario.inChromium(
  'policies/interval',
  'what is Stale is fetched again and again while its reader is on screen and the page is visible',
  async ({ api, open, pass, server }) => {
    const page = new ManualPage()
    const { mount } = open({ middleware: [refetchOnInterval(10_000, { page })] })
    let version = 0
    server.route(route, () => todoFields(5, { title: `Version ${++version}` }))
    const reader = await mount('useSuspense', api.shortLived, { id: 5 })
    await pass(0)
    const { fallbacks } = reader
    await pass(10_000)
    expect(shown(reader)).toMatchObject({ title: 'Version 2' })
    page.hide()
    await pass(60_000)
    expect(shown(reader)).toMatchObject({ title: 'Version 2' })
    page.show()
    await pass(0)
    expect(shown(reader)).toMatchObject({ title: 'Version 3' })
    expect(reader.fallbacks).toBe(fallbacks)
    await reader.unmount()
    await pass(60_000)
    expect(version).toBe(3)
  },
)

scenario.everywhere(
  'policies/offline',
  'without a network a read waits: data stays on screen, a reader without data shows its fallback, no error',
  async ({ api, open, pass, server, settle }) => {
    const network = new ManualNetwork()
    const { controller, mount } = open({ middleware: [pauseOffline({ network })] })
    await controller.fetch(api.todo.get, { id: 5 })
    await pass(60_000)
    network.set(false)
    server.route(route, todoFields(5, { title: 'Newer' }))
    const known = await mount('useSuspense', api.todo.get, { id: 5 })
    const unknown = await mount('useSuspense', api.todo.get, { id: 6 })
    await pass(60_000)
    expect(shown(known)).toMatchObject({ title: 'Todo 5' })
    expect(unknown.current()).toEqual({ state: 'fallback' })
    expect(controller.read(api.todo.get, { id: 5 })).toMatchObject({ fetching: true, error: undefined })
    expect(server.requests).toEqual([route])
    network.set(true)
    await settle()
    expect(shown(known)).toMatchObject({ title: 'Newer' })
    expect(shown(unknown)).toMatchObject({ title: 'Todo 6' })
    expect(known.fallbacks).toBe(0)
    expect(server.requests).toEqual([route, route, other])
  },
)

scenario.everywhere(
  'policies/offline/endpoint',
  'an endpoint that says pauseOffline: false fails without a network',
  async ({ api, open, server, settle }) => {
    const network = new ManualNetwork()
    network.set(false)
    server.route(route, reply.offline())
    const { mount } = open({ middleware: [pauseOffline({ network })] })
    const reader = await mount('useSuspense', api.todo.get.extend({ pauseOffline: false }), { id: 5 })
    await settle()
    shownError(reader)
  },
  isLogged,
)

scenario.inChromium(
  'policies/throttle',
  'readers are answered in the order in which they asked, so many at once',
  async ({ api, open, server, settle }) => {
    const { mount } = open({ middleware: [throttle({ concurrency: 1 })] })
    server.hold(route, other)
    const first = await mount('useSuspense', api.todo.get, { id: 5 })
    const second = await mount('useFetch', api.todo.get, { id: 6 })
    const third = await mount('useSuspense', api.todo.get, { id: 1 })
    await settle()
    expect(server.requests).toEqual([route])
    // Unmounted before its request was sent.
    await second.unmount()
    await settle()
    server.release()
    await settle()
    expect(server.requests).toEqual([route, 'GET /todo/1'])
    expect(shown(first)).toMatchObject({ title: 'Todo 5' })
    expect(shown(third)).toMatchObject({ title: 'Todo 1' })
  },
)
