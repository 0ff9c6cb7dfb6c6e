import { Controller } from '@selfsame/core'
import type { OutboxState } from '@selfsame/core/bindings'
import { outbox, outboxOf } from '@selfsame/core/outbox'
import { memoryStorage } from '@selfsame/core/storage'
import { expect } from 'vitest'
import { todoFields } from '../fixtures.js'
import { reply } from '../server.js'
import { scenario, shown } from '../suite.js'
import { ManualNetwork } from '../surroundings.js'

const patch = 'PATCH /todo/5'

scenario(
  '4.7/useOutbox',
  'useOutbox shows what waits, is sent and failed, and is the same until that changes',
  async ({ api, open, server, settle }) => {
    const network = new ManualNetwork()
    const storage = memoryStorage()
    const { controller, mount } = open({
      middleware: [outbox({ endpoints: [api.todo], storage, network, locks: null, channel: null })],
    })
    const reader = await mount('useOutbox', api.todo.get)
    const state = () => shown(reader) as OutboxState
    await settle()
    expect(state()).toMatchObject({ mutations: [], isReady: true })
    server.route(patch, reply.status(422, { message: 'Too long' }))
    network.set(false)
    const saving = controller.fetch(api.todo.partialUpdate, { id: 5 }, { title: 'New' }).catch(() => {})
    await settle()
    expect(state().mutations).toMatchObject([{ args: [{ id: 5 }, { title: 'New' }], status: 'waiting' }])
    const before = state()
    await controller.fetch(api.todo.get, { id: 6 })
    await settle()
    expect(state()).toBe(before)
    server.hold(patch)
    network.set(true)
    await settle()
    expect(state().mutations).toMatchObject([{ status: 'sending' }])
    server.release()
    await saving
    await settle()
    expect(state().mutations).toMatchObject([{ status: 'failed', reason: 'refused', error: { status: 422 } }])
    server.route(patch, todoFields(5, { title: 'New' }))
    await state().retry()
    await settle()
    expect(state().mutations).toEqual([])
  },
)

scenario(
  '4.7/optimistic',
  'what waited before a reload is on screen with the first data that it touches',
  async ({ api, open, server, settle }) => {
    const network = new ManualNetwork()
    const storage = memoryStorage()
    const middleware = [outbox({ endpoints: [api.hopeful], storage, network, locks: null, channel: null })]
    network.set(false)
    const first = new Controller({ middleware })
    first.fetch(api.hopeful.partialUpdate, { id: 5 }, { title: 'Kept' }).catch(() => {})
    await outboxOf(first).written()
    first.dispose()
    const second = open({ middleware })
    server.route('GET /todo/5', todoFields(5))
    const seen: unknown[] = []
    const reader = await second.mount('useSuspense', api.hopeful.get, { id: 5 })
    const note = () => {
      const { state } = reader.current()
      if (state === 'ready') seen.push((shown(reader) as { title: string }).title)
    }
    note()
    await settle()
    note()
    expect([...new Set(seen)]).toEqual(['Kept'])
    server.route(patch, todoFields(5, { title: 'Kept' }))
    network.set(true)
    await settle()
    note()
    expect([...new Set(seen)]).toEqual(['Kept'])
    expect(server.requests).toEqual(['GET /todo/5', patch])
  },
)

scenario('4.7/without', 'useOutbox is empty without the middleware', async ({ api, mount }) => {
  const reader = await mount('useOutbox', api.todo.get)
  expect(shown(reader)).toMatchObject({ mutations: [], isReady: true })
})

scenario(
  '4.7/order',
  'what waits behind a retried mutation stays on top of it, on screen and when both are answered',
  async ({ api, open, server, settle }) => {
    const network = new ManualNetwork()
    const storage = memoryStorage()
    const middleware = [outbox({ endpoints: [api.hopeful], storage, network, locks: null, channel: null })]
    server.route('GET /todo/5', todoFields(5))
    const { controller, mount } = open({ middleware })
    const reader = await mount('useSuspense', api.hopeful.get, { id: 5 })
    await settle()
    const title = () => (shown(reader) as { title: string }).title
    server.route(patch, reply.status(422, { message: 'Too long' }))
    await controller.fetch(api.hopeful.partialUpdate, { id: 5 }, { title: 'First' }).catch(() => {})
    await settle()
    network.set(false)
    const later = controller.fetch(api.hopeful.partialUpdate, { id: 5 }, { title: 'Later' })
    await settle()
    expect(title()).toBe('Later')
    const box = outboxOf(controller)
    await box.retry(box.mutations[0]?.id)
    await settle()
    expect(title()).toBe('Later')
    server.route(patch, ({ body }: { body: object }) => todoFields(5, body))
    network.set(true)
    expect(await later).toMatchObject({ title: 'Later' })
    await settle()
    expect(title()).toBe('Later')
  },
)
