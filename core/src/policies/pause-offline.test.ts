import { describe, expect, test } from 'vitest'
import { pauseOffline } from './pause-offline.js'
import { retry } from './retry.js'
import { ManualNetwork, createStage, reply } from './testing-stage.js'
import { optimistic } from '../optimistic/optimistic.js'

const route = 'GET /todo/5'

function createOffline(options: { byDefault?: boolean } = {}) {
  const network = new ManualNetwork()
  network.set(false)
  return { network, ...createStage(pauseOffline({ network, ...options })) }
}

describe('a read', () => {
  test('waits without a network, and is made when there is one', async () => {
    const { api, controller, mount, network, server, settle } = createOffline()
    const reader = await mount(api.get, { id: 5 })
    await settle()
    expect(reader.read()).toMatchObject({ state: 'pending' })
    expect(controller.read(api.get, { id: 5 })).toMatchObject({ fetching: true, error: undefined })
    expect(server.requests).toEqual([])
    network.set(true)
    await settle()
    expect(reader.read()).toMatchObject({ state: 'success', data: { title: 'Todo 5' } })
    expect(server.requests).toEqual([route])
    expect(network.listeners).toBe(0)
  })

  test('is made when the network turns out to be there', async () => {
    // Like @react-native-community/netinfo, which calls each new listener immediately with the current state.
    let isOnline = false
    let listeners = 0
    const subscribe = (listener: () => void) => {
      listeners++
      isOnline = true
      listener()
      return () => void listeners--
    }
    const { api, controller } = createStage(
      pauseOffline({ network: { isOnline: () => isOnline, subscribe } }),
    )
    expect(await controller.fetch(api.get, { id: 5 })).toMatchObject({ title: 'Todo 5' })
    expect(listeners).toBe(0)
  })

  test('is dropped when nobody waits for it any more', async () => {
    const { api, mount, network, pass, server } = createOffline()
    const { unmount } = await mount(api.get, { id: 5 })
    unmount()
    await pass(0)
    await pass(0)
    expect(network.listeners).toBe(0)
    network.set(true)
    await pass(0)
    expect(server.requests).toEqual([])
  })

  test('is dropped by a reset', async () => {
    const { api, controller, network, server, settle } = createOffline()
    const fetched = controller.fetch(api.get, { id: 5 })
    controller.resetAll()
    await expect(fetched).rejects.toMatchObject({ code: 'hard-reset' })
    network.set(true)
    await settle()
    expect(server.requests).toEqual([])
  })

  test('whose connection breaks is made again, by retry, once there is a network', async () => {
    const network = new ManualNetwork()
    const { api, controller, pass, server, settle } = createStage(
      retry({ attempts: 2, delayMs: () => 10 }),
      pauseOffline({ network }),
    )
    server.route(route, () => {
      network.set(false)
      return reply.offline()
    })
    const fetched = controller.fetch(api.get, { id: 5 })
    await settle()
    await pass(60_000)
    expect(server.requests).toEqual([route])
    server.route(route, { id: 5, title: 'Back' })
    network.set(true)
    expect(await fetched).toMatchObject({ title: 'Back' })
  })
})

describe('a mutation', () => {
  test('is sent, and fails', async () => {
    const { api, controller, server } = createOffline()
    server.route('PATCH /todo/5', reply.offline())
    await expect(controller.fetch(api.partialUpdate, { id: 5 }, {})).rejects.toThrow('no response')
  })

  test('waits where its endpoint says so, is shown early, and is sent in its order', async () => {
    const { api, controller, network, server, settle } = createOffline({ byDefault: false })
    const save = api.partialUpdate.extend({
      pauseOffline: true,
      getOptimisticResponse: optimistic((_snapshot, { id }, body) => ({ id, ...body })),
    })
    server.route('PATCH /todo/6', { id: 6, title: 'Saved 6' })
    controller.setResponse(api.get, { id: 5 }, { id: 5, title: 'Old' })
    const saved = [
      controller.fetch(save, { id: 6 }, { title: 'Early 6' }),
      controller.fetch(save, { id: 5 }, { title: 'Early' }),
    ]
    await settle()
    expect(controller.read(api.get, { id: 5 }).data).toMatchObject({ title: 'Early' })
    network.set(true)
    await Promise.all(saved)
    expect(controller.read(api.get, { id: 5 }).data).toMatchObject({ title: 'Saved' })
    expect(server.requests).toEqual(['PATCH /todo/6', 'PATCH /todo/5'])
  })
})

test.each([
  [undefined, undefined, 0],
  [undefined, false, 1],
  [false, undefined, 1],
  [false, true, 0],
])('byDefault %s, endpoint %s: %s requests without a network', async (byDefault, own, requests) => {
  const { api, controller, server, settle } = createOffline(byDefault === undefined ? {} : { byDefault })
  controller.fetch(api.get.extend({ pauseOffline: own }), { id: 5 }).catch(() => {})
  await settle()
  expect(server.requests).toHaveLength(requests)
})
