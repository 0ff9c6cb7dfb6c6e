import { ManualNetwork } from '@selfsame/conformance'
import { schema } from '../index.js'
import type { Controller } from '../index.js'
import type { Channel } from '../outbox.js'
import type { RowStorage } from '../storage.js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Todo, createBrowser, settle } from './testing-stage.js'

afterEach(() => void vi.restoreAllMocks())

const all = new schema.All(Todo)
const lastId = (controller: Controller) => controller.get(all)!.at(-1)!.id

/** A storage whose reads of rows wait until it is let go. */
function slowStorage(storage: RowStorage) {
  let letGo = () => {}
  const gone = new Promise<void>((resolve) => (letGo = resolve))
  const slow: RowStorage = {
    ...storage,
    list: async (...args) => {
      await gone
      return storage.list(...args)
    },
  }
  return { slow, letGo: () => letGo() }
}

/** A tab that sleeps: it hears of no other tab and no network until it is woken. */
function sleepingTab() {
  const channel: Channel = { onmessage: null, postMessage() {}, close() {} }
  const network = new ManualNetwork()
  network.set(false)
  return {
    options: { channel: () => channel, network },
    hear: () => channel.onmessage?.({} as never),
    wake: () => network.set(true),
  }
}

/** What was not read yet is not nothing: an earlier mutation may wait there. */
describe('until the mutations of an earlier visit are read', () => {
  async function leaveOne(title: string) {
    const browser = createBrowser()
    const { open, crash, network, todos } = browser
    network.set(false)
    const earlier = open()
    earlier.controller.fetch(todos.partialUpdate, { id: 1 }, { title }).catch(() => {})
    await earlier.box.written()
    crash(earlier.controller)
    network.set(true)
    return browser
  }

  test('isReady is false, however long it takes, and responses wait a second at most', async () => {
    const { open, clock, storage, server, todos } = await leaveOne('earlier')
    const { slow, letGo } = slowStorage(storage)
    const { controller, box } = open({ storage: slow })
    const reading = controller.fetch(todos.get, { id: 2 })
    await settle()
    clock.advance(1000)
    expect(await reading).toMatchObject({ title: 'Todo 2' })
    expect([box.isReady, box.mutations]).toEqual([false, []])
    letGo()
    await box.ready
    expect([box.isReady, box.mutations]).toMatchObject([true, [{ args: [{ id: 1 }, { title: 'earlier' }] }]])
    await vi.waitFor(() => expect(server.applied).toHaveLength(1))
  })

  test('of a user who signs in, a tab without locks sends nothing of the same record', async () => {
    const { open, crash, network, clock, storage, session, server, todos } = createBrowser()
    const scope = () => session.user
    session.user = 'ann'
    network.set(false)
    const earlier = open({ scope })
    earlier.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'earlier' }).catch(() => {})
    await earlier.box.written()
    crash(earlier.controller)
    session.user = undefined
    clock.advance(1)
    let isSlow = false
    const { slow, letGo } = slowStorage(storage)
    const list: RowStorage['list'] = (...args) => (isSlow ? slow : storage).list(...args)
    const { controller, box } = open({ scope, locks: null, storage: { ...storage, list } })
    await box.ready
    isSlow = true
    session.user = 'ann'
    controller.resetAll()
    network.set(true)
    controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'later' }).catch(() => {})
    await settle()
    expect([box.isReady, server.applied]).toEqual([false, []])
    letGo()
    await vi.waitFor(() => expect(server.applied).toHaveLength(2))
    expect(server.todos.get(1)?.title).toBe('later')
  })
})

/** What counts as written is in the storage, and what the storage cannot tell now is not gone. */
describe('a storage that fails for a moment', () => {
  test('takes nothing back that waits when it cannot be read', async () => {
    const { open, network, clock, storageFault, server, todos } = createBrowser()
    const [a, b] = [open(), open()]
    await settle()
    network.set(false)
    const saving = a.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Kept' })
    await a.box.written()
    await settle()
    storageFault.isFailing = () => true
    // Another tab asks for the rows too.
    const retrying = b.box.retry()
    await settle()
    storageFault.isFailing = () => false
    await retrying
    expect([a, b].map(({ box }) => box.mutations.length)).toEqual([1, 1])
    network.set(true)
    for (let round = 0; round < 3; round++) {
      clock.advance(1000)
      await settle()
    }
    expect(await saving).toMatchObject({ title: 'Kept' })
    expect(server.applied).toHaveLength(1)
  })

  test('is written to again with the next change, and isWritten tells', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { open, kill, network, storageFault, todos } = createBrowser()
    const first = open()
    await first.box.ready
    network.set(false)
    storageFault.isFailing = () => true
    first.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'a' }).catch(() => {})
    await expect(first.box.written()).rejects.toMatchObject({ code: 'outbox-unwritten' })
    expect(first.box.mutations).toMatchObject([{ isWritten: false }])
    storageFault.isFailing = () => false
    first.controller.fetch(todos.partialUpdate, { id: 2 }, { title: 'b' }).catch(() => {})
    await first.box.written()
    expect(first.box.mutations).toMatchObject([{ isWritten: true }, { isWritten: true }])
    kill(first.controller)
    const second = open()
    await second.box.ready
    expect(second.box.mutations).toHaveLength(2)
  })

  test('does not count as written to if it cannot be read at the start', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { open, network, storageFault, todos } = createBrowser()
    storageFault.isFailing = () => true
    const { controller, box } = open()
    await box.ready
    await settle()
    storageFault.isFailing = () => false
    network.set(false)
    controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'a' }).catch(() => {})
    await expect(box.written()).rejects.toMatchObject({ code: 'outbox-unwritten' })
    expect(box.mutations).toMatchObject([{ isWritten: false }])
  })

  test('is not sent from while another tab may have sent what waits', async () => {
    const { open, crash, network, clock, server, storageFault, todos } = createBrowser()
    const [a, b] = [open(), open()]
    await settle()
    network.set(false)
    a.controller.fetch(todos.create, { title: 'Once' }).catch(() => {})
    await settle()
    storageFault.isFailing = () => true
    network.set(true)
    for (let round = 0; round < 3; round++) {
      await settle()
      clock.advance(1000)
    }
    expect(server.received).toEqual([])
    storageFault.isFailing = () => false
    clock.advance(1000)
    await settle(30)
    expect(server.received).toHaveLength(1)
    expect(b.box.mutations).toEqual([])
    crash(a.controller)
  })
})

test('what a tab writes while it is closed is told to the others', async () => {
  const { open, crash, network, storage, todos } = createBrowser()
  let isSlow = false
  const write: RowStorage['write'] = async (...args) => {
    if (isSlow) await settle(4)
    return storage.write(...args)
  }
  const [a, b] = [open({ storage: { ...storage, write } }), open()]
  await settle()
  network.set(false)
  isSlow = true
  a.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Last' }).catch(() => {})
  await settle(1)
  crash(a.controller)
  await settle()
  expect(b.box.mutations).toMatchObject([{ args: [{ id: 1 }, { title: 'Last' }] }])
})

/** A created record has one id in all tabs, in whichever way a tab comes to know it. */
describe('the real id of a created record', () => {
  test('reaches a third tab after the tab that made it has taken the answer', async () => {
    const { open, crash, clock, server, todos } = createBrowser()
    const sleeping = sleepingTab()
    const [a, b, c] = [open(), open(), open(sleeping.options)]
    await settle()
    // B sends, because it does already.
    let answer = () => {}
    server.gate = () => new Promise<void>((resolve) => (answer = resolve))
    b.controller.fetch(todos.partialUpdate, { id: 2 }, { done: true }).catch(() => {})
    await settle()
    const answerFirst = answer
    a.controller.fetch(todos.create, { title: 'New' }).catch(() => {})
    await settle()
    sleeping.hear()
    await settle()
    const editing = c.controller.fetch(todos.partialUpdate, { id: lastId(c.controller) }, { title: 'Newer' })
    editing.catch(() => {})
    server.gate = () => Promise.resolve()
    server.fault = ({ name }) => (name === 'PATCH /todo/101' ? 'down' : undefined)
    answer()
    answerFirst()
    await settle(30)
    expect(a.box.mutations.map(({ endpoint }) => endpoint)).toEqual(['Todo.partialUpdate'])
    for (const { controller } of [a, b]) crash(controller)
    server.fault = () => undefined
    sleeping.wake()
    await settle()
    clock.advance(1000)
    expect(await editing).toMatchObject({ id: 101, title: 'Newer' })
    expect(server.applied.at(-1)).toMatchObject({ name: 'PATCH /todo/101', body: { title: 'Newer' } })
  })

  test('is known to a tab that slept until the answer was gone', async () => {
    const { open, network, clock, server, todos } = createBrowser()
    const sleeping = sleepingTab()
    const [a, c] = [open(), open(sleeping.options)]
    await settle()
    network.set(false)
    a.controller.fetch(todos.create, { title: 'New' }).catch(() => {})
    await settle()
    sleeping.hear()
    await settle()
    const editing = c.controller.fetch(todos.partialUpdate, { id: lastId(c.controller) }, { title: 'Newer' })
    editing.catch(() => {})
    await c.box.written()
    server.fault = ({ name }) => (name.startsWith('PATCH') ? 'down' : undefined)
    network.set(true)
    await settle(30)
    clock.advance(61_000)
    await settle()
    server.fault = () => undefined
    a.controller.dispose()
    sleeping.wake()
    await settle()
    clock.advance(1000)
    expect(await editing).toMatchObject({ id: 101, title: 'Newer' })
    expect(server.applied.map(({ name }) => name)).toEqual(['POST /todo', 'PATCH /todo/101'])
  })

  test('is known where the answer cannot be kept for other tabs', async () => {
    const { open, network, server, todos } = createBrowser()
    const create = todos.create.extend({
      process: (value: object) => ({ ...value, log: new ReadableStream() }),
    } as never) as unknown as typeof todos.create
    const endpoints = [{ ...todos, create }]
    const [a, b] = [open({ endpoints }), open({ endpoints })]
    await settle()
    network.set(false)
    const creating = a.controller.fetch(create, { title: 'New' }).catch(() => {})
    await settle()
    const temporary = lastId(b.controller)
    const editing = b.controller.fetch(todos.partialUpdate, { id: temporary }, { title: 'Newer' })
    network.set(true)
    await creating
    expect(await editing).toMatchObject({ id: 101, title: 'Newer' })
    await settle()
    expect(server.applied.map(({ name }) => name)).toEqual(['POST /todo', 'PATCH /todo/101'])
    for (const { box } of [a, b]) expect(box.mutations).toEqual([])
  })

  test('is known to a tab that does not know the endpoint of the create', async () => {
    const { open, network, storage, server, todos } = createBrowser()
    const a = open()
    await settle()
    network.set(false)
    a.controller.fetch(todos.create, { title: 'New' }).catch(() => {})
    a.controller.fetch(todos.partialUpdate, { id: lastId(a.controller) }, { title: 'Newer' }).catch(() => {})
    await a.box.written()
    const c = open({ endpoints: [todos.partialUpdate] })
    await settle()
    expect(c.box.mutations.map(({ isKnown }) => isKnown)).toEqual([false, true])
    // A sends the create alone: the server does not take the edit yet.
    server.fault = ({ name }) => (name.startsWith('PATCH') ? 'down' : undefined)
    network.set(true)
    await settle(30)
    a.controller.dispose()
    server.fault = () => undefined
    await c.box.retry()
    await vi.waitFor(() => expect(c.box.mutations).toEqual([]))
    expect(server.received.map(({ name }) => name)).not.toContainEqual(expect.stringContaining('new-'))
    expect(server.todos.get(101)?.title).toBe('Newer')
    expect(await storage.list('outbox-id/')).toHaveLength(1)
  })

  test('is known after a refused create was retried in the same tab', async () => {
    const { open, network, server, todos } = createBrowser()
    const { controller, box } = open()
    network.set(false)
    const creating = controller.fetch(todos.create, { title: 'New' })
    const editing = controller.fetch(todos.partialUpdate, { id: lastId(controller) }, { title: 'Newer' })
    const both = Promise.allSettled([creating, editing])
    await box.written()
    server.fault = ({ name }) => (name === 'POST /todo' ? 422 : undefined)
    network.set(true)
    await both
    server.fault = () => undefined
    await box.retry()
    await vi.waitFor(() => expect(box.mutations).toEqual([]))
    expect(server.applied.map(({ name }) => name)).toEqual(['POST /todo', 'PATCH /todo/101'])
    expect(controller.get(all)).toMatchObject([{ id: 101, title: 'Newer' }])
  })

  test('is known after a create that waits was edited in the same tab', async () => {
    const { open, network, server, todos } = createBrowser()
    const { controller, box } = open()
    network.set(false)
    controller.fetch(todos.create, { title: 'New' }).catch(() => {})
    const editing = controller.fetch(todos.partialUpdate, { id: lastId(controller) }, { done: true })
    await box.written()
    await box.edit(box.mutations[0]!.id, { title: 'Better' })
    network.set(true)
    expect(await editing).toMatchObject({ id: 101, title: 'Better', done: true })
    expect(server.applied.map(({ name }) => name)).toEqual(['POST /todo', 'PATCH /todo/101'])
  })
})
