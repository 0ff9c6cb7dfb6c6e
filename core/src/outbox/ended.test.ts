import { expect, onTestFinished, test, vi } from 'vitest'
import { persist, persisted } from '../persist.js'
import { memoryStorage } from '../storage.js'
import type { RowStorage } from '../storage.js'
import { Todo, createBrowser, settle } from './testing-stage.js'

/** Gives Node a `localStorage`. */
function giveMarks(refused?: Error): Map<string, string> {
  const marks = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => marks.get(name) ?? null,
    setItem(name: string, text: string) {
      if (refused !== undefined) throw refused
      marks.set(name, text)
    },
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return marks
}

const keysIn = async (storage: RowStorage) => (await storage.list('')).map(([key]) => key)

/** A tab that ends with its reset: nothing reaches the storage from there on. */
function createLeaving() {
  giveMarks()
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => void vi.restoreAllMocks())
  const browser = createBrowser()
  const { open, storage, kill, todos } = browser
  /** Resets, and closes the tab in the same task. */
  const leave = ({ controller }: ReturnType<typeof open>) => {
    controller.resetAll()
    kill(controller)
  }
  return { ...browser, storage, todos, leave }
}

test('what waited when a tab was closed right after resetAll is not sent in the next session, and its rows are deleted', async () => {
  const { leave, network, open, server, storage, todos } = createLeaving()
  const first = open()
  await settle()
  network.set(false)
  for (const id of [1, 2, 3])
    first.controller.fetch(todos.partialUpdate, { id }, { title: 'Of Ann' }).catch(() => {})
  await first.box.written()
  leave(first)
  network.set(true)
  const second = open()
  await settle(40)
  expect([second.box.mutations, server.applied]).toEqual([[], []])
  expect(await keysIn(storage)).toEqual([])
  await second.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Of Bob' })
  expect(server.applied.map(({ body }) => body)).toEqual([{ title: 'Of Bob' }])
})

test('a reset before the rows were read ends them too', async () => {
  const { network, open, crash, server, todos } = createLeaving()
  const first = open()
  network.set(false)
  first.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Of Ann' }).catch(() => {})
  await first.box.written()
  crash(first.controller)
  const second = open()
  second.controller.resetAll()
  network.set(true)
  await settle(40)
  expect([second.box.mutations, server.applied]).toEqual([[], []])
})

test('onReset decides on what was not read yet', async () => {
  const { network, open, crash, server, todos } = createLeaving()
  const first = open()
  network.set(false)
  first.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Kept' }).catch(() => {})
  await first.box.written()
  crash(first.controller)
  const second = open({ onReset: () => 'keep' })
  second.controller.resetAll()
  network.set(true)
  await settle(40)
  expect(server.applied.map(({ body }) => body)).toEqual([{ title: 'Kept' }])
})

test('another tab sends nothing of an ended epoch, and goes on in the new one', async () => {
  const { leave, network, open, server, todos } = createLeaving()
  const [first, second] = [open(), open()]
  await settle()
  network.set(false)
  const saving = second.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Of Ann' })
  saving.catch(() => {})
  await second.box.written()
  await settle()
  leave(first)
  network.set(true)
  await expect(saving).rejects.toMatchObject({ code: 'outbox-dropped' })
  await settle(40)
  expect([second.box.mutations, server.applied]).toEqual([[], []])
  await second.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Of Bob' })
  expect(server.applied.map(({ body }) => body)).toEqual([{ title: 'Of Bob' }])
})

test.each([[undefined], [() => 'ann']])(
  'what persist kept is not restored after a tab was closed right after resetAll, and is deleted',
  async (scope) => {
    const marks = giveMarks()
    const { open, kill, crash, storage } = createBrowser()
    const kept = memoryStorage()
    const process = { isKilled: false }
    const own: RowStorage = {
      ...kept,
      list: (...range) => (process.isKilled ? new Promise(() => {}) : kept.list(...range)),
    }
    const first = open({}, {}, persist({ storage: own, scope }))
    await persisted(first.controller).ready
    first.controller.set(Todo, { id: 1 }, { id: 1, title: 'Of Ann' })
    await persisted(first.controller).flush()
    process.isKilled = true
    first.controller.resetAll()
    kill(first.controller)
    process.isKilled = false
    const second = open({}, {}, persist({ storage: kept, scope }))
    await persisted(second.controller).ready
    await settle()
    expect(second.controller.get(Todo, { id: 1 })).toBeUndefined()
    const epoch = marks.get('selfsame.end/persist/https%3A%2F%2Fapi.test')
    expect(await keysIn(kept)).toEqual([`persist/https%3A%2F%2Fapi.test/${scope?.() ?? ''}${epoch}/version`])
    // The next reset is no end of what is kept from here on.
    second.controller.set(Todo, { id: 2 }, { id: 2, title: 'Of Bob' })
    await persisted(second.controller).flush()
    crash(second.controller)
    const third = open({}, {}, persist({ storage: kept, scope }))
    await persisted(third.controller).ready
    expect(third.controller.get(Todo, { id: 2 })?.title).toBe('Of Bob')
    expect(await keysIn(storage)).toEqual([])
  },
)

test('a sign-in ends nothing: what its user kept in an earlier visit is restored', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => void vi.restoreAllMocks())
  giveMarks()
  const { open, crash, session } = createBrowser()
  const storage = memoryStorage()
  const visit = async () => {
    session.user = undefined
    const tab = open({}, {}, persist({ storage, scope: () => session.user }))
    await persisted(tab.controller).ready
    session.user = 'ann'
    tab.controller.resetAll()
    await persisted(tab.controller).ready
    return tab
  }
  const first = await visit()
  first.controller.set(Todo, { id: 1 }, { id: 1, title: 'Of Ann' })
  await persisted(first.controller).flush()
  crash(first.controller)
  const second = await visit()
  expect(second.controller.get(Todo, { id: 1 })?.title).toBe('Of Ann')
})

test('another tab keeps nothing more once the epoch has ended', async () => {
  giveMarks()
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => void vi.restoreAllMocks())
  const { open } = createBrowser()
  const storage = memoryStorage()
  const [first, second] = [open({}, {}, persist({ storage })), open({}, {}, persist({ storage }))]
  await Promise.all([first, second].map(({ controller }) => persisted(controller).ready))
  first.controller.resetAll()
  second.controller.set(Todo, { id: 1 }, { id: 1, title: 'Of Ann' })
  await persisted(second.controller).flush()
  await settle()
  expect((await keysIn(storage)).filter((key) => key.includes('/r/'))).toEqual([])
})

test('rows with an answer are deleted when their user leaves, and at each start, whoever starts', async () => {
  const { kill, network, open, server, session, settle: pass, storage, todos } = createBrowser()
  session.user = 'ann'
  const scope = () => session.user
  const first = open({ scope })
  await first.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Secret' })
  await pass()
  expect(await keysIn(storage)).toHaveLength(1)
  session.user = 'bob'
  first.controller.resetAll()
  await pass(30)
  expect(await keysIn(storage)).toEqual([])
  session.user = 'ann'
  first.controller.resetAll()
  await first.controller.fetch(todos.getList.push, { title: 'Made' } as never)
  network.set(false)
  await pass()
  first.controller.fetch(todos.partialUpdate, { id: 2 }, { title: 'Waits' }).catch(() => {})
  await first.box.written()
  kill(first.controller)
  session.user = 'bob'
  open({ scope })
  await pass(30)
  // Hers alone, which she may send when she is back, and what it may name.
  const keys = await keysIn(storage)
  expect(keys.map((key) => key.split('/')[0])).toEqual(['outbox-id', 'outbox'])
  session.user = 'ann'
  network.set(true)
  const last = open({ scope })
  await pass(30)
  expect(server.applied.at(-1)?.body).toEqual({ title: 'Waits' })
  kill(last.controller)
  session.user = undefined
  open({ scope })
  await pass(30)
  expect(await keysIn(storage)).toEqual([])
})

test('resetAll says so where localStorage is full', () => {
  giveMarks(new DOMException('', 'QuotaExceededError'))
  vi.stubGlobal('document', new EventTarget())
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => void vi.restoreAllMocks())
  const { open } = createBrowser()
  const { controller } = open({}, {}, persist({ storage: memoryStorage() }))
  controller.resetAll()
  expect(warned.mock.calls.map(String)).toEqual([
    expect.stringMatching(/localStorage.*outboxOf\(controller\)\.written\(\)/),
    expect.stringMatching(/localStorage.*persisted\(controller\)\.ready/),
  ])
})
