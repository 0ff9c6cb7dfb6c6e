import { expect } from 'vitest'
import { todoFields } from '../fixtures.js'
import { scenario, shown } from '../suite.js'

const route = 'GET /todo/5'

scenario.inChromium(
  'poll/mounted',
  'a subscription fetches at once and each pollFrequency while it is mounted; two make one request',
  async ({ api, mount, pass, server, settle }) => {
    const polled = api.todo.get.extend({ pollFrequency: 5000 })
    const data = await mount('useCache', polled, { id: 5 })
    const first = await mount('useSubscription', polled, { id: 5 })
    const second = await mount('useSubscription', polled, { id: 5 })
    await settle()
    expect(server.requests).toEqual([route])
    server.route(route, todoFields(5, { title: 'Newer' }))
    await pass(4999)
    expect(server.requests).toEqual([route])
    await pass(1)
    expect(server.requests).toEqual([route, route])
    expect(shown(data)).toMatchObject({ title: 'Newer' })
    await first.unmount()
    await pass(5000)
    expect(server.requests).toEqual([route, route, route])
    await second.unmount()
    await pass(20_000)
    expect(server.requests).toEqual([route, route, route])
  },
)

scenario(
  'poll/Stale',
  'a polled call that is made Stale is fetched at once, with or without a reader that fetches',
  async ({ api, controller, mount, pass, server, settle }) => {
    const polled = api.todo.get.extend({ pollFrequency: 5000 })
    const cached = await mount('useCache', polled, { id: 5 })
    await mount('useSubscription', polled, { id: 5 })
    await settle()
    server.route(route, todoFields(5, { title: 'Newer' }))
    controller.expireAll(polled)
    await settle()
    expect(shown(cached)).toMatchObject({ title: 'Newer' })
    await mount('useSuspense', polled, { id: 5 })
    await settle()
    expect(server.requests).toEqual([route, route])
    controller.expireAll(polled)
    await settle()
    await pass(4999)
    expect(server.requests).toEqual([route, route, route])
    await pass(1)
    expect(server.requests).toHaveLength(4)
  },
)

scenario.inChromium(
  'poll/B9',
  'a hidden subscription does not poll, and catches up when shown',
  async (stage) => {
    const { api, mount, pass, server, settle } = stage
    const reader = await mount('useSubscription', api.todo.get.extend({ pollFrequency: 5000 }), { id: 5 })
    await settle()
    await reader.hide()
    await pass(20_000)
    expect(server.requests).toEqual([route])
    await reader.show()
    await settle()
    expect(server.requests).toEqual([route, route])
    await pass(5000)
    expect(server.requests).toEqual([route, route, route])
  },
)

scenario.inChromium('poll/null', 'null args poll nothing, and other args are followed', async (stage) => {
  const { api, mount, pass, server, settle } = stage
  const reader = await mount('useSubscription', api.todo.get.extend({ pollFrequency: 5000 }), null)
  await pass(10_000)
  expect(server.requests).toEqual([])
  await reader.change({ id: 5 })
  await settle()
  await reader.change({ id: 6 })
  await settle()
  await pass(5000)
  expect(server.requests).toEqual([route, 'GET /todo/6', 'GET /todo/6'])
})

scenario.inChromium(
  'poll/two frequencies',
  'of two subscriptions the shorter pollFrequency counts, for as long as it is mounted',
  async ({ api, mount, pass, server, settle }) => {
    const slow = await mount('useSubscription', api.todo.get.extend({ pollFrequency: 6000 }), { id: 5 })
    await settle()
    const quick = await mount('useSubscription', api.todo.get.extend({ pollFrequency: 2000 }), { id: 5 })
    await settle()
    expect(server.requests).toHaveLength(1)
    await pass(2000)
    await pass(2000)
    expect(server.requests).toHaveLength(3)
    await quick.unmount()
    await pass(5999)
    expect(server.requests).toHaveLength(3)
    await pass(1)
    expect(server.requests).toHaveLength(4)
    // A new frequency reconnects.
    await slow.changeEndpoint(api.todo.get.extend({ pollFrequency: 1000 }), { id: 5 })
    await pass(1000)
    expect(server.requests).toHaveLength(5)
  },
)
