import { Controller } from '@selfsame/core'
import type { OutboxState } from '@selfsame/core/bindings'
import { outbox, outboxOf } from '@selfsame/core/outbox'
import { persist, persisted } from '@selfsame/core/persist'
import { syncTabs } from '@selfsame/core/tabs'
import { expect } from 'vitest'
import { todoFields } from '../fixtures.js'
import { reply } from '../server.js'
import { scenario, shown } from '../suite.js'
import { ManualNetwork } from '../surroundings.js'
import { platformIsDone, scenarioOnEachPlatform } from './platforms.js'

const patch = 'PATCH /todo/5'

scenarioOnEachPlatform(
  '4.7/useOutbox',
  'useOutbox shows what waits, is sent and failed, and is the same until that changes',
  { entries: ['outbox'] },
  async (stage, given) => {
    const { api, open, server, settle } = stage
    const network = new ManualNetwork()
    const { controller, mount } = open({
      middleware: [outbox({ endpoints: [api.todo], network, ...given })],
    })
    const reader = await mount('useOutbox', api.todo.get)
    const state = () => shown(reader) as OutboxState
    await platformIsDone(stage)
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

scenarioOnEachPlatform(
  '4.7/optimistic',
  'what waited before a reload is on screen with the first data that it touches',
  { entries: ['outbox'], hasStorage: true },
  async ({ api, open, server, settle }, given) => {
    const network = new ManualNetwork()
    const middleware = [outbox({ endpoints: [api.hopeful], network, ...given })]
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

scenarioOnEachPlatform(
  '4.7/session',
  'a change that meets the end of the session stays on screen, waits, and is sent after the next sign-in',
  { entries: ['outbox'] },
  async (stage, given) => {
    const { api, open, server, settle } = stage
    const middleware = [outbox({ endpoints: [api.hopeful], network: new ManualNetwork(), ...given })]
    server.route('GET /todo/5', todoFields(5))
    const { controller, mount } = open({ middleware })
    const reader = await mount('useSuspense', api.hopeful.get, { id: 5 })
    const state = await mount('useOutbox', api.todo.get)
    await platformIsDone(stage)
    server.route(patch, reply.status(401, { message: 'Who are you?' }))
    const saving = controller.fetch(api.hopeful.partialUpdate, { id: 5 }, { title: 'New' })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'New' })
    expect(shown(state)).toMatchObject({
      mutations: [{ status: 'waiting', reason: 'session', error: { status: 401 } }],
    })
    server.route(patch, todoFields(5, { title: 'New' }))
    outboxOf(controller).resume()
    await saving
    await settle()
    expect([shown(reader), shown(state)]).toMatchObject([{ title: 'New' }, { mutations: [] }])
  },
)

scenarioOnEachPlatform(
  '4.7/answer-lost',
  'without an idempotency key, a POST that a gateway answers with 504 is sent once, kept as failed, and its list is asked for',
  { entries: ['outbox'] },
  async (stage, given) => {
    const { api, open, server, settle } = stage
    const network = new ManualNetwork()
    const { controller, mount } = open({
      middleware: [outbox({ endpoints: [api.hopeful], network, idempotencyKey: false, ...given })],
    })
    const list = await mount('useSuspense', api.hopeful.getList)
    const state = await mount('useOutbox', api.todo.get)
    await platformIsDone(stage)
    const titles = () => (shown(list) as { title: string }[]).map(({ title }) => title)
    const before = titles()
    server.route('POST /todo', reply.status(504, { message: 'Gateway timeout' }))
    server.hold('POST /todo')
    const making = controller.fetch(api.hopeful.create, { title: 'New' })
    making.catch(() => {})
    await settle()
    expect(titles()).toEqual([...before, 'New'])
    server.release()
    await expect(making).rejects.toMatchObject({ status: 504 })
    await settle()
    // The user tries again, which is a second request.
    const failed = { status: 'failed', reason: 'answer-lost', error: { status: 504 } }
    expect([titles(), shown(state)]).toMatchObject([before, { mutations: [failed] }])
    expect(server.requests.filter((each) => each === 'POST /todo')).toHaveLength(1)
    expect(controller.read(api.hopeful.getList).status).toBe('Stale')
  },
)

scenarioOnEachPlatform(
  '4.7/order',
  'what waits behind a retried mutation stays on top of it, on screen and when both are answered',
  { entries: ['outbox'] },
  async (stage, given) => {
    const { api, open, server, settle } = stage
    const network = new ManualNetwork()
    const middleware = [outbox({ endpoints: [api.hopeful], network, ...given })]
    server.route('GET /todo/5', todoFields(5))
    const { controller, mount } = open({ middleware })
    const reader = await mount('useSuspense', api.hopeful.get, { id: 5 })
    await platformIsDone(stage)
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

scenarioOnEachPlatform(
  '4.7/together',
  'an application with outbox, persist and syncTabs shows what it reads, and what it writes at once',
  { entries: ['outbox', 'persist', 'syncTabs'] },
  async (stage, { storage, locks, channel }) => {
    const { api, open, server, settle } = stage
    const network = new ManualNetwork()
    // The channels of Node reach the tests of other threads.
    const name = String(Math.random())
    const { controller, mount } = open({
      middleware: [
        outbox({ endpoints: [api.hopeful], network, name, storage, locks, channel }),
        persist({ storage }),
        syncTabs({ name, locks, channel }),
      ],
    })
    server.route('GET /todo/5', todoFields(5))
    const reader = await mount('useSuspense', api.hopeful.get, { id: 5 })
    const mutations = await mount('useOutbox', api.todo.get)
    await platformIsDone(stage)
    const title = () => (shown(reader) as { title: string }).title
    expect(title()).toBe('Todo 5')
    await persisted(controller).ready
    network.set(false)
    const saving = controller.fetch(api.hopeful.partialUpdate, { id: 5 }, { title: 'Waits' })
    await settle()
    expect(title()).toBe('Waits')
    expect(server.requests).toEqual(['GET /todo/5'])
    server.route(patch, todoFields(5, { title: 'Saved' }))
    network.set(true)
    expect(await saving).toMatchObject({ title: 'Saved' })
    await platformIsDone(stage)
    expect(title()).toBe('Saved')
    expect(shown(mutations)).toMatchObject({ mutations: [], isReady: true })
    await Promise.all([persisted(controller).flush(), outboxOf(controller).written()])
    expect(server.requests).toEqual(['GET /todo/5', patch])
  },
)
