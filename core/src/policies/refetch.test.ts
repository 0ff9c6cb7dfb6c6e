import { describe, expect, onTestFinished, test } from 'vitest'
import type { Middleware } from '../index.js'
import { browserNetwork } from '../util/network-state.js'
import { browserPage } from '../util/page-state.js'
import { refetchOnFocus } from './refetch-on-focus.js'
import { refetchOnInterval } from './refetch-on-interval.js'
import { refetchOnReconnect } from './refetch-on-reconnect.js'
import { ManualNetwork, ManualPage, createStage, reply } from './testing-stage.js'

const route = 'GET /todo/5'
const stale = 60_000

/** The three refetching policies, each with the event that triggers it. */
function pieces() {
  const page = new ManualPage()
  const network = new ManualNetwork()
  type Make = (options?: { byDefault?: boolean }) => Middleware
  type Look = (stage: ReturnType<typeof createStage>) => Promise<void>
  const all: [keyof typeof switchedOn, Make, Look, ManualPage | ManualNetwork][] = [
    [
      'refetchOnFocus',
      (options) => refetchOnFocus({ page, ...options }),
      async ({ settle }) => {
        page.hide()
        page.show()
        await settle()
      },
      page,
    ],
    [
      'refetchOnReconnect',
      (options) => refetchOnReconnect({ network, ...options }),
      async ({ settle }) => {
        network.set(false)
        network.set(true)
        await settle()
      },
      network,
    ],
    [
      'refetchOnInterval',
      (options) => refetchOnInterval(1000, { page, ...options }),
      ({ pass }) => pass(1000),
      page,
    ],
  ]
  return all
}

const switchedOn = {
  refetchOnFocus: { refetchOnFocus: true },
  refetchOnReconnect: { refetchOnReconnect: true },
  refetchOnInterval: { refetchOnInterval: true },
} as const

describe.each(pieces())('%s', (name, make, look, surroundings) => {
  test('fetches what is Stale and on screen, and shows what is there meanwhile', async () => {
    const stage = createStage(make())
    const { api, controller, mount, pass, server } = stage
    const reader = await mount(api.get, { id: 5 })
    await controller.fetch(api.get, { id: 6 })
    await look(stage)
    expect(server.requests).toEqual([route, 'GET /todo/6'])
    await pass(stale)
    if (name !== 'refetchOnInterval') await look(stage)
    expect(server.requests).toEqual([route, 'GET /todo/6', route])
    expect(reader.read()).toMatchObject({ state: 'success', data: { title: 'Todo 5' } })
    await look(stage)
    expect(server.requests).toHaveLength(3)
  })

  test('leaves alone who never fetches', async () => {
    const stage = createStage(make())
    const { api, controller, pass, server } = stage
    await controller.fetch(api.get, { id: 5 })
    const end = controller.subscribe(api.get, { id: 5 }, () => {})
    await pass(stale)
    await look(stage)
    expect(server.requests).toEqual([route])
    end()
  })

  test.each([
    [undefined, undefined, 2],
    [undefined, false, 1],
    [false, undefined, 1],
    [false, true, 2],
  ])('byDefault %s, endpoint %s: %s requests', async (byDefault, own, requests) => {
    const stage = createStage(make(byDefault === undefined ? {} : { byDefault }))
    const switches = own === undefined ? {} : own ? switchedOn[name] : { [name]: false }
    const { unmount } = await stage.mount(stage.api.get.extend(switches), { id: 5 })
    await stage.pass(stale)
    await look(stage)
    expect(stage.server.requests).toHaveLength(requests)
    unmount()
  })

  test('listens, and sets timers, only while somebody is on screen', async () => {
    const { api, clock, controller, mount, pass } = createStage(make())
    expect([surroundings.listeners, clock.timers]).toEqual([0, 0])
    const first = await mount(api.get, { id: 5 })
    const second = await mount(api.get, { id: 5 })
    expect(surroundings.listeners).toBe(1)
    first.unmount()
    expect(surroundings.listeners).toBe(1)
    second.unmount()
    expect(surroundings.listeners).toBe(0)
    await mount(api.get, { id: 5 })
    expect(surroundings.listeners).toBe(1)
    await pass(0)
    controller.dispose()
    expect([surroundings.listeners, clock.timers]).toEqual([0, 0])
  })

  test('asks for what failed once in each errorExpiryLength, however often it looks or renders', async () => {
    const stage = createStage(make())
    const { api, mount, pass, server, settle } = stage
    server.route(route, reply.status(500))
    const reader = await mount(api.get.extend({ errorExpiryLength: 5000 }), { id: 5 })
    await settle()
    await look(stage)
    reader.read()
    await look(stage)
    reader.read()
    expect(server.requests).toHaveLength(1)
    await pass(5000)
    await look(stage)
    reader.read()
    await look(stage)
    await settle()
    expect(reader.read()).toMatchObject({ state: 'error' })
    expect(server.requests).toHaveLength(2)
    reader.unmount()
  })
})

describe('refetchOnFocus', () => {
  test('one return is one moment, the next one counts again', async () => {
    const page = new ManualPage()
    const { api, clock, mount, server, settle } = createStage(refetchOnFocus({ page }))
    await mount(api.get.extend({ dataExpiryLength: 0 }), { id: 5 })
    await settle()
    clock.advance(1)
    page.show()
    await settle()
    page.show()
    await settle()
    expect(server.requests).toHaveLength(2)
    clock.advance(1000)
    page.hide()
    await settle()
    expect(server.requests).toHaveLength(2)
    page.show()
    await settle()
    expect(server.requests).toHaveLength(3)
  })
})

test('a reader for which Stale counts as Invalid waits', async () => {
  const page = new ManualPage()
  const { api, mount, pass, server, settle } = createStage(refetchOnFocus({ page }))
  const reader = await mount(api.get.extend({ invalidIfStale: true }), { id: 5 })
  await pass(stale)
  expect(reader.read()).toMatchObject({ state: 'success' })
  server.hold(route)
  page.show()
  await settle()
  expect(reader.read()).toMatchObject({ state: 'pending' })
  server.release()
  await settle()
  expect(reader.read()).toMatchObject({ state: 'success' })
  expect(server.requests).toEqual([route, route])
})

describe('refetchOnReconnect', () => {
  test('fetches what got no answer although its error has not expired, and no other error', async () => {
    const network = new ManualNetwork()
    const { api, mount, server, settle } = createStage(refetchOnReconnect({ network }))
    server.route(route, reply.offline())
    server.route('GET /todo/6', reply.status(500))
    const lasting = api.get.extend({ errorExpiryLength: Infinity })
    const readers = [await mount(lasting, { id: 5 }), await mount(lasting, { id: 6 })]
    await settle()
    network.set(false)
    server.route(route, { id: 5, title: 'Back' })
    await settle()
    expect(server.requests).toHaveLength(2)
    network.set(true)
    await settle()
    expect(server.requests).toEqual([route, 'GET /todo/6', route])
    expect(readers.map(({ read }) => read().state)).toEqual(['success', 'error'])
  })

  test('an event that brings no change is no moment', async () => {
    const network = new ManualNetwork()
    const { api, mount, pass, server } = createStage(refetchOnReconnect({ network }))
    await mount(api.get, { id: 5 })
    await pass(stale)
    network.set(true)
    await pass(0)
    expect(server.requests).toHaveLength(1)
  })
})

describe('refetchOnInterval', () => {
  test('rests while the page is hidden, and makes up for it at the return', async () => {
    const page = new ManualPage()
    const { api, clock, mount, pass, server } = createStage(refetchOnInterval(1000, { page }))
    await mount(api.get.extend({ dataExpiryLength: 0 }), { id: 5 })
    await pass(1000)
    await pass(1000)
    expect(server.requests).toHaveLength(3)
    page.hide()
    const { timers } = clock
    await pass(5000)
    expect(server.requests).toHaveLength(3)
    page.show()
    expect(clock.timers).toBe(timers + 1)
    await pass(0)
    expect(server.requests).toHaveLength(4)
    await pass(999)
    expect(server.requests).toHaveLength(4)
    await pass(1)
    expect(server.requests).toHaveLength(5)
  })

  test('goes on in the background where it is told to', async () => {
    const page = new ManualPage()
    const { api, mount, pass, server } = createStage(refetchOnInterval(1000, { page, inBackground: true }))
    page.hide()
    await mount(api.get.extend({ dataExpiryLength: 0 }), { id: 5 })
    await pass(1000)
    expect(server.requests).toHaveLength(2)
  })

  test('an interval that no timer can wait for is refused', () => {
    for (const ms of [0, -1, Number.NaN, Infinity, 2 ** 31]) {
      expect(() => refetchOnInterval(ms)).toThrow(`refetchOnInterval() received intervalMs ${ms}`)
    }
  })
})

describe('in a browser', () => {
  /** Replaces a global until the end of the test. */
  function stub(name: string, value: unknown) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name)
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
    onTestFinished(() => {
      if (before === undefined) Reflect.deleteProperty(globalThis, name)
      else Object.defineProperty(globalThis, name, before)
    })
  }

  test('the page tells of its visibility and of its focus', () => {
    const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
    const window = new EventTarget()
    stub('document', document)
    stub('addEventListener', window.addEventListener.bind(window))
    stub('removeEventListener', window.removeEventListener.bind(window))
    let told = 0
    const end = browserPage.subscribe(() => told++)
    document.visibilityState = 'hidden'
    document.dispatchEvent(new Event('visibilitychange'))
    expect([told, browserPage.isVisible()]).toEqual([1, false])
    document.visibilityState = 'visible'
    window.dispatchEvent(new Event('focus'))
    expect([told, browserPage.isVisible()]).toEqual([2, true])
    end()
    document.dispatchEvent(new Event('visibilitychange'))
    window.dispatchEvent(new Event('focus'))
    expect(told).toBe(2)
  })

  test('the network tells of what navigator.onLine says', () => {
    const window = new EventTarget()
    const navigator = { onLine: false }
    stub('navigator', navigator)
    stub('addEventListener', window.addEventListener.bind(window))
    stub('removeEventListener', window.removeEventListener.bind(window))
    let told = 0
    const end = browserNetwork.subscribe(() => told++)
    expect(browserNetwork.isOnline()).toBe(false)
    navigator.onLine = true
    window.dispatchEvent(new Event('online'))
    expect([told, browserNetwork.isOnline()]).toEqual([1, true])
    end()
    window.dispatchEvent(new Event('offline'))
    expect(told).toBe(1)
  })

  test('a platform without them is online and visible, and tells nothing', () => {
    stub('navigator', {})
    expect(browserNetwork.isOnline()).toBe(true)
    expect(browserPage.isVisible()).toBe(true)
    for (const state of [browserNetwork, browserPage]) expect(state.subscribe(() => {})()).toBeUndefined()
  })
})
