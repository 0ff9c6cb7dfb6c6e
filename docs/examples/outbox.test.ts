import 'fake-indexeddb/auto'
import { Controller, Entity } from '@selfsame/core'
import { outbox, outboxOf } from '@selfsame/core/outbox'
import { pauseOffline } from '@selfsame/core/policies'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { persist, persisted } from '@selfsame/core/persist'
import { syncTabs } from '@selfsame/core/tabs'
import { memoryStorage, textStorage } from '@selfsame/core/storage'
import { afterEach, expect, test, vi } from 'vitest'
import { todoResource as savedTodos } from './api.js'
import { saveNew, saveTitle } from './save-with-outbox.js'
import { serve } from './testing-network.js'

// The samples of docs/offline.md that need no framework.

afterEach(() => {
  vi.unstubAllGlobals()
})

const urlPrefix = 'https://api.example.com'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

const todoResource = createResource({
  urlPrefix,
  path: '/todo/:id',
  schema: Todo,
})
const sendInvoice = new RestEndpoint({
  urlPrefix,
  path: '/invoice',
  method: 'POST',
  body: {},
  name: 'sendInvoice',
})
const session = {
  userId: 'ann' as string | undefined,
  readAgain() {
    this.userId = 'ben'
  },
}

test('the outbox stands first', () => {
  const controller = new Controller({
    middleware: [
      outbox({
        endpoints: [todoResource, sendInvoice],
        scope: () => session.userId,
      }),
      pauseOffline(),
    ],
  })
  expect(outboxOf(controller).isReady).toBe(false)
  controller.dispose()
})

class Secret extends Entity {
  id = 0
  static override key = 'Secret'
}

const getBalance = new RestEndpoint({ urlPrefix, path: '/balance' })

test('data is kept beside changes', async () => {
  const controller = new Controller({
    middleware: [
      outbox({ endpoints: [todoResource] }),
      persist({
        version: 3,
        exclude: [getBalance, Secret],
        scope: () => session.userId,
      }),
    ],
  })
  await persisted(controller).ready
  expect(persisted(controller).isReady).toBe(true)
  controller.dispose()
})

test('tabs agree, and leave the page of a user who has signed out in another', async () => {
  const assign = vi.fn()
  // As in a page: on a server there are no tabs.
  vi.stubGlobal('document', new EventTarget())
  vi.stubGlobal('location', { assign })
  const open = (session: { userId: string | undefined; readAgain(): void }) =>
    new Controller({
      middleware: [
        outbox({ endpoints: [todoResource] }),
        syncTabs({
          endpoints: [todoResource],
          version: 3,
          onReset() {
            session.readAgain()
            // This page belongs to a user who has signed out in another tab.
            if (session.userId === undefined) location.assign('/login')
          },
        }),
      ],
    })
  const tabs = [undefined, 'ben', undefined].map((next) =>
    open({
      userId: 'ann',
      readAgain() {
        this.userId = next
      },
    }),
  )
  await Promise.all(tabs.map((tab) => outboxOf(tab).ready))
  // They have heard of each other.
  await new Promise((resolve) => setTimeout(resolve, 50))
  tabs[2]?.resetAll()
  // That of Ben stays.
  await vi.waitFor(() => expect(assign.mock.calls).toEqual([['/login']]))
  for (const tab of tabs) tab.dispose()
})

test('an application has a name', () => {
  const controller = new Controller({
    middleware: [
      outbox({ name: 'shop', endpoints: [todoResource] }),
      persist({ version: 3 }),
      syncTabs({ endpoints: [todoResource] }),
    ],
  })
  expect(outboxOf(controller).isReady).toBe(false)
  controller.dispose()
})

test('what was made before the API moved goes to its new host', async () => {
  const requests = serve({ 'POST /todo': { id: 5, title: 'New' } })
  const storage = memoryStorage()
  let isOnline = false
  const network = { isOnline: () => isOnline, subscribe: () => () => {} }
  const oldResource = createResource({
    urlPrefix: 'https://old.example.com',
    path: '/todo/:id',
    schema: Todo,
  })
  const before = new Controller({
    middleware: [
      outbox({ name: 'shop', endpoints: [oldResource], storage, network }),
    ],
  })
  before.fetch(oldResource.create, { title: 'New' }).catch(() => {})
  await outboxOf(before).written()
  before.dispose()
  isOnline = true
  const moved = outbox({
    name: 'shop',
    endpoints: [todoResource],
    prefixAliases: { 'https://old.example.com': 'https://api.example.com' },
    storage,
    network,
  })
  const controller = new Controller({ middleware: [moved] })
  await vi.waitFor(() => expect(requests).toHaveLength(1))
  expect(outboxOf(controller).mutations).toEqual([])
  controller.dispose()
})

test('tabs share streams', () => {
  const sharing = syncTabs({ endpoints: [todoResource], sharesStreams: true })
  const controller = new Controller({ middleware: [sharing] })
  expect(controller.read(todoResource.getList).status).toBe('Invalid')
  controller.dispose()
})

test('a conflict is merged', async () => {
  const requests: ReturnType<typeof serve> = serve({
    'PATCH /todo/5': () =>
      requests.length === 1
        ? Response.json({ id: 5, title: 'Theirs', done: true }, { status: 412 })
        : { id: 5, title: 'Mine' },
  })
  const merging = outbox({
    endpoints: [todoResource],
    // The server's record, with what was changed here.
    onConflict: ({ args }, server, local) => ({
      args: [args[0], { ...(server as object), ...(local as object) }],
    }),
  })
  const controller = new Controller({ middleware: [merging] })
  controller
    .fetch(todoResource.partialUpdate, { id: 5 }, { title: 'Mine' })
    .catch(() => {})
  await vi.waitFor(() => expect(requests).toHaveLength(2))
  expect(requests[1]?.body).toEqual({ id: 5, title: 'Mine', done: true })
  await vi.waitFor(() => expect(outboxOf(controller).mutations).toEqual([]))
  controller.dispose()
})

test('what a form shows is not kept', async () => {
  serve({
    'PATCH /todo/5': () =>
      Response.json({ title: 'is empty' }, { status: 422 }),
  })
  const withForms = outbox({
    endpoints: [todoResource],
    onRefused: () => 'drop',
  })
  const controller = new Controller({ middleware: [withForms] })
  const saving = controller.fetch(
    todoResource.partialUpdate,
    { id: 5 },
    { title: '' },
  )
  await expect(saving).rejects.toMatchObject({ body: { title: 'is empty' } })
  expect(outboxOf(controller).mutations).toEqual([])
  controller.dispose()
})

test('endpoints of a route that loads later are given then', async () => {
  const requests = serve({ 'POST /invoice': {} })
  const invoiceResource = { send: sendInvoice }
  const storage = memoryStorage()
  const network = { isOnline: () => isOnline, subscribe: () => () => {} }
  let isOnline = false
  const before = new Controller({
    middleware: [
      outbox({ name: 'shop', endpoints: [sendInvoice], storage, network }),
    ],
  })
  before.fetch(sendInvoice, { number: 1 }).catch(() => {})
  await outboxOf(before).written()
  before.dispose()
  isOnline = true
  const controller = new Controller({
    middleware: [outbox({ name: 'shop', storage, network })],
  })
  await outboxOf(controller).ready
  expect(outboxOf(controller).mutations).toMatchObject([
    { endpoint: 'sendInvoice', isKnown: false },
  ])
  outboxOf(controller).add(invoiceResource)
  await vi.waitFor(() => expect(requests).toHaveLength(1))
  controller.dispose()
})

test('a form does not wait for the outbox, and shows what the server refused', async () => {
  let isOnline = false
  const requests = serve({
    'PATCH /todo/5': () => Response.json({}, { status: 422 }),
  })
  const network = { isOnline: () => isOnline, subscribe: () => () => {} }
  const controller = new Controller({
    middleware: [
      outbox({ endpoints: [savedTodos], storage: memoryStorage(), network }),
    ],
  })
  await outboxOf(controller).ready
  const errors: Error[] = []
  saveTitle(controller, { id: 5, title: 'New' }, (error) => errors.push(error))
  await outboxOf(controller).written()
  expect([requests.length, errors.length]).toEqual([0, 0])
  isOnline = true
  await outboxOf(controller).retry()
  await vi.waitFor(() => expect(errors).toMatchObject([{ status: 422 }]))
  expect(outboxOf(controller).mutations).toMatchObject([
    { status: 'failed', args: [{ id: 5 }, { title: 'New' }] },
  ])
  controller.dispose()
})

test('a reset is no failure of a change', async () => {
  serve({ 'PATCH /todo/5': () => new Promise(() => {}) })
  const controller = new Controller({
    middleware: [
      outbox({
        endpoints: [savedTodos],
        storage: memoryStorage(),
        scope: () => 'ann',
      }),
    ],
  })
  const showError = vi.fn()
  saveTitle(controller, { id: 5, title: 'New' }, showError)
  const other = controller.fetch(savedTodos.partialUpdate, { id: 6 }, {})
  await outboxOf(controller).written()
  controller.resetAll()
  await expect(other).rejects.toMatchObject({ code: 'hard-reset' })
  expect(showError).not.toHaveBeenCalled()
  expect(outboxOf(controller).mutations).toMatchObject([
    { args: [{ id: 5 }, { title: 'New' }] },
    { args: [{ id: 6 }, {}] },
  ])
  controller.dispose()
})

test.each([
  ['a lost answer', 503, true],
  ['a refusal', 422, true],
  ['a lost answer, after the form has gone', 503, false],
  ['a refusal, after the form has gone', 422, false],
])('%s is kept by the form or by the outbox', async (_, status, isMounted) => {
  serve({ 'POST /todo': () => Response.json({}, { status }) })
  const controller = new Controller({
    middleware: [
      outbox({
        endpoints: [savedTodos],
        storage: memoryStorage(),
        idempotencyKey: false,
      }),
    ],
  })
  const showError = vi.fn(() => isMounted)
  saveNew(controller, 'New', showError)
  await vi.waitFor(() => expect(showError).toHaveBeenCalled())
  await outboxOf(controller).written()
  expect(outboxOf(controller).mutations).toMatchObject(
    isMounted ? [] : [{ status: 'failed', args: [{ title: 'New' }] }],
  )
  controller.dispose()
})

/** Makes it without a network, and sends it from the page after a reload. */
async function sendAfterReload(
  endpoints: readonly object[],
  add: typeof addCounted,
): Promise<number | undefined> {
  serve({ 'POST /todo': { id: 5, title: 'New' } })
  const storage = memoryStorage()
  const network = { isOnline: () => isOnline, subscribe: () => () => {} }
  let isOnline = false
  const open = () =>
    new Controller({
      middleware: [outbox({ name: 'shop', endpoints, storage, network })],
    })
  const before = open()
  before.fetch(add, { title: 'New' }).catch(() => {})
  await outboxOf(before).written()
  before.dispose()
  isOnline = true
  const controller = open()
  controller.setResponse(getCount, { count: 1 })
  await outboxOf(controller).ready
  await vi.waitFor(() => expect(outboxOf(controller).mutations).toEqual([]))
  const count = controller.read(getCount).data?.count
  controller.dispose()
  return count
}

const getCount = new RestEndpoint({
  urlPrefix,
  path: '/count',
  process: (response: { count: number }) => response,
})
const addCounted = todoResource.create.extend({
  update: () => ({
    [getCount.key()]: ({ count }: { count: number }) => ({ count: count + 1 }),
  }),
})

test('after a reload, the listed endpoint decides what a mutation changes', async () => {
  expect(await sendAfterReload([todoResource], addCounted)).toBe(1)
  const counted = todoResource.extend({ create: addCounted })
  expect(await sendAfterReload([counted], addCounted)).toBe(2)
})

test('any storage of texts is a storage of rows', async () => {
  const texts = new Map<string, string>()
  const AsyncStorage = {
    getAllKeys: async () => [...texts.keys()],
    multiGet: async (keys: readonly string[]) =>
      keys.map((key): [string, string | null] => [key, texts.get(key) ?? null]),
    multiSet: async (rows: string[][]) =>
      rows.forEach(([key = '', text = '']) => texts.set(key, text)),
    multiRemove: async (keys: readonly string[]) =>
      keys.forEach((key) => texts.delete(key)),
  }
  const storage = textStorage({
    keys: () => AsyncStorage.getAllKeys(),
    read: async (keys) =>
      (await AsyncStorage.multiGet(keys)).map(([, text]) => text),
    write: async (rows) => {
      await AsyncStorage.multiRemove(
        rows.flatMap(([key, text]) => (text === null ? [key] : [])),
      )
      await AsyncStorage.multiSet(
        rows.flatMap(([key, text]) => (text === null ? [] : [[key, text]])),
      )
    },
  })
  await storage.write([
    ['a/1', { bytes: new Uint8Array([1, 255]) }],
    ['a/2', [null, 'text']],
    ['b/1', true],
  ])
  await storage.write([['a/2', undefined]])
  expect(await storage.list('')).toEqual([
    ['a/1', { bytes: new Uint8Array([1, 255]) }],
    ['b/1', true],
  ])
})
