import 'fake-indexeddb/auto'
import { Controller, SelfsameError, schema } from '../index.js'
import { outbox, outboxOf } from '../outbox.js'
import type { Channel, OutboxOptions } from '../outbox.js'
import { RestEndpoint } from '../rest.js'
import { indexedDbStorage, memoryStorage } from '../storage.js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Todo, createBrowser, settle, urlPrefix } from './testing-stage.js'

afterEach(() => void vi.restoreAllMocks())

const namesOf = (requests: readonly { readonly name: string }[]) => requests.map(({ name }) => name)
const shownTitle = (controller: Controller, id: number | string) =>
  controller.get(Todo, { id: id as number })?.title

describe('a mutation without a network', () => {
  test('is shown, outlasts a reload, is shown again, and is sent once when the network is back', async () => {
    const { open, crash, network, server, todos } = createBrowser(indexedDbStorage({ name: 'reload' }))
    const first = open()
    await first.controller.fetch(todos.get, { id: 1 })
    network.set(false)
    first.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Saved' }).catch(() => {})
    expect(shownTitle(first.controller, 1)).toBe('Saved')
    await first.box.written()
    expect(first.box.mutations).toMatchObject([
      {
        endpoint: 'Todo.partialUpdate',
        args: [{ id: 1 }, { title: 'Saved' }],
        status: 'waiting',
        isWritten: true,
      },
    ])
    crash(first.controller)
    const second = open()
    await second.box.ready
    expect(second.box.mutations).toHaveLength(1)
    expect(server.applied).toEqual([])
    network.set(true)
    await second.controller.fetch(todos.get, { id: 1 })
    expect(shownTitle(second.controller, 1)).toBe('Saved')
    await vi.waitFor(() => expect(second.box.mutations).toEqual([]))
    expect(server.applied).toMatchObject([{ name: 'PATCH /todo/1', body: { title: 'Saved' } }])
    expect(server.applied[0]?.key).toMatch(/^[\da-f-]{36}$/)
    expect(shownTitle(second.controller, 1)).toBe('Saved')
  })

  test('settles its promise with the answer', async () => {
    const { open, network, todos } = createBrowser()
    const { controller } = open()
    network.set(false)
    const saving = controller.fetch(todos.partialUpdate, { id: 2 }, { done: true })
    await settle()
    network.set(true)
    expect(await saving).toMatchObject({ id: 2, title: 'Todo 2', done: true })
  })

  test('is sent in order with those of the same record, beside others', async () => {
    const { open, network, server, todos } = createBrowser()
    const { controller, box } = open()
    network.set(false)
    for (const [id, title] of [
      [1, 'a'],
      [1, 'b'],
      [2, 'c'],
      [1, 'd'],
    ] as const)
      controller.fetch(todos.partialUpdate, { id }, { title }).catch(() => {})
    await box.written()
    let open1 = () => {}
    server.gate = ({ name }) =>
      name === 'PATCH /todo/1' ? new Promise<void>((resolve) => (open1 = resolve)) : Promise.resolve()
    network.set(true)
    await settle()
    expect(server.received.map(({ body }) => body)).toEqual([{ title: 'a' }, { title: 'c' }])
    server.gate = () => Promise.resolve()
    open1()
    await settle()
    expect(server.received.map(({ body }) => body)).toEqual([
      { title: 'a' },
      { title: 'c' },
      { title: 'b' },
      { title: 'd' },
    ])
    expect(box.mutations).toEqual([])
  })

  test('names a created record by its real id, also after a reload between the two', async () => {
    const { open, crash, network, server, clock, todos } = createBrowser(indexedDbStorage({ name: 'create' }))
    const first = open()
    network.set(false)
    first.controller.fetch(todos.create, { title: 'New' }).catch(() => {})
    const [made] = first.controller.get(new schema.All(Todo)) ?? []
    const temporary = made!.id
    first.controller.fetch(todos.partialUpdate, { id: temporary }, { title: 'Newer' }).catch(() => {})
    await first.box.written()
    crash(first.controller)
    const second = open()
    await second.box.ready
    expect(second.controller.get(new schema.All(Todo))).toMatchObject([{ id: temporary, title: 'Newer' }])
    // The create is answered, and the page is closed before the edit is sent.
    server.fault = ({ name }) => (name.startsWith('PATCH') ? 'down' : undefined)
    network.set(true)
    await vi.waitFor(() => expect(second.box.mutations).toHaveLength(1))
    crash(second.controller)
    server.fault = () => undefined
    const third = open()
    await third.box.ready
    clock.advance(1000)
    await vi.waitFor(() => expect(third.box.mutations).toEqual([]))
    expect(namesOf(server.applied)).toEqual(['POST /todo', 'PATCH /todo/101'])
    expect(server.todos.get(101)?.title).toBe('Newer')
  })

  test('keeps files, forms and search params', async () => {
    const { open, crash, network, server } = createBrowser(indexedDbStorage({ name: 'files' }))
    const upload = new RestEndpoint({
      urlPrefix,
      path: '/file',
      method: 'POST',
      body: {} as FormData,
      name: 'upload',
    })
    const first = open({ endpoints: [upload] })
    network.set(false)
    const form = new FormData()
    form.append('note', 'text')
    form.append('file', new File(['content'], 'a.txt', { type: 'text/plain', lastModified: 5 }))
    first.controller.fetch(upload, form).catch(() => {})
    await first.box.written()
    crash(first.controller)
    const second = open({ endpoints: [upload] })
    network.set(true)
    await vi.waitFor(() => expect(server.applied).toHaveLength(1))
    const sent = server.applied[0]!.body as FormData
    const file = sent.get('file') as File
    expect([sent.get('note'), file.name, file.type, file.lastModified, await file.text()]).toEqual([
      'text',
      'a.txt',
      'text/plain',
      5,
      'content',
    ])
    void second
  })

  test('with a stream as body is refused, and tells why', async () => {
    const { open, server } = createBrowser()
    const upload = new RestEndpoint({
      urlPrefix,
      path: '/file',
      method: 'POST',
      body: {} as ReadableStream,
      name: 'up',
    })
    const { controller, box } = open({ endpoints: [upload] })
    const sending = controller.fetch(upload, new ReadableStream())
    await expect(sending).rejects.toThrow(
      /up cannot wait in the outbox: 0 is a stream, which cannot be stored/,
    )
    expect([server.received, box.mutations]).toEqual([[], []])
  })
})

describe('a mutation that fails', () => {
  test('with a status that may pass is sent again with the same key, and applied once', async () => {
    const { open, server, clock, todos } = createBrowser()
    const { controller, box } = open()
    const faults = [503, 'lost', 'down'] as const
    server.fault = () => faults[server.received.length - 1]
    const saving = controller.fetch(todos.create, { title: 'Once' })
    for (let round = 0; round < 4; round++) {
      await settle()
      clock.advance(1000)
    }
    expect(await saving).toMatchObject({ id: 101, title: 'Once' })
    expect(new Set(server.received.map(({ key }) => key)).size).toBe(1)
    expect(server.received).toHaveLength(4)
    expect(namesOf(server.applied)).toEqual(['POST /todo'])
    await settle()
    expect(box.mutations).toEqual([])
  })

  test.each(['in one visit', 'over a reload', 'by another tab', 'in one attempt'])(
    'and is answered by what was then leaves its record and lists Stale: %s',
    async (how) => {
      const { open, crash, server, clock, todos, storage } = createBrowser()
      const first = open()
      await first.controller.fetch(todos.getList)
      const isRepeated = how !== 'in one attempt'
      server.fault = ({ name }) => (isRepeated && name.startsWith('PATCH') ? 'lost' : undefined)
      first.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Mine' }).catch(() => {})
      await settle()
      // Another client changes what the response told.
      server.todos.set(1, { id: 1, title: 'Mine', done: true })
      server.fault = () => undefined
      if (how === 'over a reload') crash(first.controller)
      const { controller, box } =
        how === 'over a reload' || how === 'by another tab' ? open({ storage }) : first
      await box.ready
      await controller.fetch(todos.getList)
      for (let round = 0; round < 4; round++) {
        clock.advance(1000)
        await settle()
      }
      expect(box.mutations).toEqual([])
      expect(server.received.filter(({ name }) => name.startsWith('PATCH'))).toHaveLength(isRepeated ? 2 : 1)
      expect(controller.read(todos.getList).status).toBe(isRepeated ? 'Stale' : 'Valid')
      await controller.fetch(todos.getList)
      expect(controller.read(todos.getList)).toMatchObject({
        status: 'Valid',
        data: [{ done: true }, {}, {}],
      })
    },
  )

  test('by a refusal is taken back alone and kept with its error; what depends on it fails with it', async () => {
    const { open, crash, server, network, todos, storage } = createBrowser()
    const { controller, box } = open()
    await controller.fetch(todos.get, { id: 1 })
    network.set(false)
    const creating = controller.fetch(todos.create, { title: 'New' })
    const temporary = controller.get(new schema.All(Todo))!.at(-1)!.id
    const editing = controller.fetch(todos.partialUpdate, { id: temporary }, { title: 'Newer' })
    const other = controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Other' })
    for (const each of [creating, editing]) each.catch(() => {})
    await box.written()
    server.fault = ({ name }) => (name === 'POST /todo' ? 422 : undefined)
    network.set(true)
    await other
    await expect(creating).rejects.toMatchObject({ status: 422 })
    await expect(editing).rejects.toMatchObject({ code: 'create-failed' })
    await settle()
    const failed = [
      { endpoint: 'Todo.create', status: 'failed', reason: 'refused', error: { status: 422 } },
      { endpoint: 'Todo.partialUpdate', status: 'failed', reason: 'dependency' },
    ]
    expect(box.mutations).toMatchObject(failed)
    expect(controller.get(new schema.All(Todo))).toMatchObject([{ id: 1, title: 'Other' }])
    // It is there after a reload, and is not shown as data. `retry` sends both.
    crash(controller)
    const second = open({ storage })
    await second.box.ready
    expect(second.box.mutations).toMatchObject(failed)
    expect(second.box.mutations[0]?.error).toMatchObject({ body: { message: 'Status 422' } })
    expect(second.controller.get(new schema.All(Todo))).toBeUndefined()
    server.fault = () => undefined
    await second.box.retry()
    await vi.waitFor(() => expect(second.box.mutations).toEqual([]))
    expect(server.todos.get(101)?.title).toBe('Newer')
  })

  test('edit sends a refused mutation with other arguments', async () => {
    const { open, server, todos } = createBrowser()
    const { controller, box } = open()
    server.fault = ({ body }) => ((body as { title?: string } | undefined)?.title === '' ? 422 : undefined)
    await controller.fetch(todos.partialUpdate, { id: 1 }, { title: '' }).catch(() => {})
    await settle()
    await box.edit(box.mutations[0]!.id, { id: 1 }, { title: 'Better' })
    await vi.waitFor(() => expect(box.mutations).toEqual([]))
    expect(server.todos.get(1)?.title).toBe('Better')
    expect(server.received[0]?.key).not.toBe(server.received[1]?.key)
  })

  test('drop takes a waiting mutation back with what depends on it', async () => {
    const { open, network, server, todos } = createBrowser()
    const { controller, box } = open()
    network.set(false)
    const creating = controller.fetch(todos.create, { title: 'New' })
    const temporary = controller.get(new schema.All(Todo))!.at(-1)!.id
    const editing = controller.fetch(todos.partialUpdate, { id: temporary }, { title: 'Newer' })
    const outcome = Promise.allSettled([creating, editing])
    await box.written()
    await box.drop(box.mutations[0]!.id)
    expect(await outcome).toMatchObject([
      { status: 'rejected', reason: { code: 'outbox-dropped' } },
      { status: 'rejected', reason: { code: 'outbox-dropped' } },
    ])
    expect(controller.get(new schema.All(Todo)) ?? []).toEqual([])
    network.set(true)
    await settle()
    expect([server.received, box.mutations]).toEqual([[], []])
  })

  test.each([
    ['drop', 1, 'Todo 1'],
    ['resend', 2, 'Mine'],
    [{ args: [{ id: 1 }, { title: 'Merged' }] }, 2, 'Merged'],
  ] as const)('on a conflict does what onConflict says: %j', async (decision, requests, title) => {
    const { open, server, clock, todos } = createBrowser()
    const onConflict = vi.fn(() => decision)
    const { controller, box } = open({ onConflict })
    server.fault = () => (server.received.length === 1 ? 409 : undefined)
    controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Mine' }).catch(() => {})
    await settle()
    clock.advance(1000)
    await settle()
    expect(onConflict).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ endpoint: 'Todo.partialUpdate' }),
      { message: 'Status 409' },
      { title: 'Mine' },
    )
    expect(server.received).toHaveLength(requests)
    expect(server.todos.get(1)?.title).toBe(title)
    expect(box.mutations).toEqual([])
  })

  test('without a key is resent if its method allows it; a POST is kept as answer-lost, also after a crash', async () => {
    const { open, crash, server, clock, todos } = createBrowser()
    const first = open({ idempotencyKey: false })
    server.fault = () => 'lost'
    first.controller.fetch(todos.create, { title: 'Perhaps' }).catch(() => {})
    first.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Twice' }).catch(() => {})
    await settle()
    expect(first.box.mutations).toMatchObject([
      { endpoint: 'Todo.create', status: 'failed', reason: 'answer-lost' },
      { endpoint: 'Todo.partialUpdate', status: 'waiting' },
    ])
    server.fault = () => undefined
    clock.advance(1000)
    await settle()
    expect(namesOf(server.applied)).toEqual(['POST /todo', 'PATCH /todo/1', 'PATCH /todo/1'])
    await first.box.drop()
    // The page is closed while a POST is on its way.
    server.gate = () => new Promise(() => {})
    first.controller.fetch(todos.create, { title: 'Lost' }).catch(() => {})
    await settle()
    crash(first.controller)
    const second = open({ idempotencyKey: false })
    await settle()
    expect(second.box.mutations).toMatchObject([
      { reason: 'answer-lost', error: { message: /its answer was lost/ } },
    ])
    expect(server.applied).toHaveLength(4)
  })
})

test.each([500, 502, 503, 504])(
  'a POST without a key that is answered by %i is sent once, its record is asked for, and the user may send it again',
  async (status) => {
    const { open, server, clock, todos } = createBrowser()
    const { box, controller } = open({ idempotencyKey: false })
    await controller.fetch(todos.getList)
    server.fault = ({ name }) => (name.startsWith('GET') ? undefined : status)
    const made = controller.fetch(todos.create, { title: 'Perhaps' })
    await expect(made).rejects.toMatchObject({ status })
    expect(controller.read(todos.getList)).toMatchObject({ status: 'Stale', data: { length: 3 } })
    controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Twice' }).catch(() => {})
    await settle()
    expect(box.mutations).toMatchObject([
      { status: 'failed', reason: 'answer-lost', error: { status } },
      { status: 'waiting' },
    ])
    clock.advance(60_000)
    await settle()
    expect(namesOf(server.received).slice(1)).toEqual(['POST /todo', 'PATCH /todo/1', 'PATCH /todo/1'])
    server.fault = () => undefined
    await box.retry(box.mutations[0]?.id)
    await settle()
    expect(namesOf(server.applied)).toContain('POST /todo')
  },
)

describe('a mutation whose response is lost, with onUnknown: drop', () => {
  const options = { idempotencyKey: false, onUnknown: () => 'drop' } satisfies OutboxOptions

  test('rejects, is rolled back with what names its record, is asked for, and is not kept', async () => {
    const { open, crash, server, storage, todos } = createBrowser()
    const { box, controller } = open(options)
    await controller.fetch(todos.getList)
    server.fault = ({ name }) => (name.startsWith('GET') ? undefined : 'lost')
    const made = controller.fetch(todos.create, { title: 'Perhaps' })
    const { id } = controller.get(new schema.All(Todo))!.at(-1)!
    const edited = controller.fetch(todos.partialUpdate, { id }, { title: 'Sure' })
    edited.catch(() => {})
    await expect(made).rejects.toMatchObject({ name: 'NetworkError' })
    await expect(edited).rejects.toMatchObject({ code: 'outbox-dropped' })
    expect(controller.read(todos.getList)).toMatchObject({ status: 'Stale', data: { length: 3 } })
    await settle()
    expect([box.mutations, await storage.list('outbox/')]).toEqual([[], []])
    crash(controller)
    const second = open(options)
    await second.box.ready
    expect(second.box.mutations).toEqual([])
    expect(namesOf(server.received)).toEqual(['GET /todo', 'POST /todo'])
  })

  test('is not kept either if the page was closed before the response', async () => {
    const { open, crash, server, storage, todos } = createBrowser()
    const first = open(options)
    server.gate = () => new Promise(() => {})
    first.controller.fetch(todos.create, { title: 'Lost' }).catch(() => {})
    await settle()
    crash(first.controller)
    const second = open(options)
    await settle()
    expect([second.box.mutations, await storage.list('outbox/')]).toEqual([[], []])
    expect(server.received).toHaveLength(1)
  })
})

test.each([408, 425, 429])(
  'a POST without a key that is answered by %i is sent again: the server has not done it',
  async (status) => {
    const { open, server, clock, todos } = createBrowser()
    const { box, controller } = open({ idempotencyKey: false })
    server.fault = () => status
    const made = controller.fetch(todos.create, { title: 'Later' })
    await settle()
    server.fault = () => undefined
    clock.advance(1000)
    expect(await made).toMatchObject({ title: 'Later' })
    expect([namesOf(server.applied), box.mutations.filter(({ status: now }) => now === 'failed')]).toEqual([
      ['POST /todo'],
      [],
    ])
  },
)

test('the id of a user may be a number: the changes are found by its text', async () => {
  const { open, crash, network, server, todos } = createBrowser()
  network.set(false)
  const first = open({ scope: () => 0 })
  first.controller.fetch(todos.create, { title: 'Mine' }).catch(() => {})
  await settle()
  crash(first.controller)
  expect(open({ scope: () => 1 }).box.mutations).toEqual([])
  const { box } = open({ scope: () => '0' })
  await box.ready
  expect(box.mutations).toMatchObject([{ endpoint: 'Todo.create' }])
  await box.dropScope(0)
  network.set(true)
  await settle()
  expect([box.mutations, server.received]).toEqual([[], []])
})

describe('with several tabs', () => {
  test('one sends, all show, and each promise settles with the answer', async () => {
    const { open, network, server, todos } = createBrowser()
    const [a, b] = [open(), open()]
    await Promise.all([a, b].map(({ controller }) => controller.fetch(todos.get, { id: 1 })))
    network.set(false)
    const inA = a.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'A' })
    await settle()
    const inB = b.controller.fetch(todos.partialUpdate, { id: 1 }, { done: true })
    await settle()
    for (const { controller, box } of [a, b]) {
      expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'A', done: true })
      expect(box.mutations).toHaveLength(2)
    }
    network.set(true)
    expect(await inA).toMatchObject({ title: 'A' })
    expect(await inB).toMatchObject({ title: 'A', done: true })
    await settle()
    expect(server.applied.map(({ body }) => body)).toEqual([{ title: 'A' }, { done: true }])
    for (const { controller, box } of [a, b]) {
      expect(box.mutations).toEqual([])
      expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'A', done: true })
    }
  })

  test('one that reads of a mutation only after its answer takes that answer, once', async () => {
    const { channel, open, server, todos } = createBrowser()
    let tell = () => {}
    /** A tab that hears of changes when it is told to. */
    const slow = (name: string): Channel =>
      Object.defineProperty({ ...channel(name) }, 'onmessage', {
        set(hear: Channel['onmessage']) {
          tell = () => hear?.({ data: 'changed' } as never)
        },
      })
    const [a, b] = [open(), open({ channel: slow })]
    await Promise.all([a, b].map(({ controller }) => controller.fetch(todos.getList)))
    await a.controller.fetch(todos.create, { title: 'New' })
    await a.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'A' })
    await a.controller.fetch(todos.delete, { id: 2 })
    await settle()
    const titles = () => b.controller.read(todos.getList).data?.map(({ title }) => title)
    expect(titles()).toEqual(['Todo 1', 'Todo 2', 'Todo 3'])
    tell()
    await settle()
    expect(titles()).toEqual(['A', 'Todo 3', 'New'])
    // What B does itself, and what it has taken, is not taken again.
    await b.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'B' })
    b.controller.set(Todo, { id: 3 }, { title: 'C' })
    await settle()
    tell()
    await settle()
    expect(titles()).toEqual(['B', 'C', 'New'])
    expect(server.applied).toHaveLength(4)
  })

  test('a tab that is opened after an answer takes nothing from its row', async () => {
    const { open, server, todos } = createBrowser()
    const a = open()
    open()
    await settle()
    await a.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'A' })
    await settle()
    server.todos.set(1, { id: 1, title: 'of another client', done: false })
    const c = open()
    await c.controller.fetch(todos.get, { id: 1 })
    await settle()
    expect(c.controller.get(Todo, { id: 1 })?.title).toBe('of another client')
    expect(c.controller.read(todos.get, { id: 1 }).status).toBe('Valid')
  })

  test('a record created in one and edited in the other gets its real id', async () => {
    const { open, network, server, todos } = createBrowser()
    const [a, b] = [open(), open()]
    await settle()
    network.set(false)
    a.controller.fetch(todos.create, { title: 'New' }).catch(() => {})
    await settle()
    const temporary = b.controller.get(new schema.All(Todo))!.at(-1)!.id
    b.controller.fetch(todos.partialUpdate, { id: temporary }, { title: 'Newer' }).catch(() => {})
    await settle()
    network.set(true)
    await settle(30)
    expect(namesOf(server.applied)).toEqual(['POST /todo', 'PATCH /todo/101'])
    for (const { controller } of [a, b])
      expect(controller.get(new schema.All(Todo))).toMatchObject([{ id: 101, title: 'Newer' }])
  })

  test('a tab that is closed while it sends hands over to the other', async () => {
    const { open, crash, server, todos } = createBrowser()
    const [a, b] = [open(), open()]
    await settle()
    server.gate = () => new Promise(() => {})
    a.controller.fetch(todos.create, { title: 'New' }).catch(() => {})
    await settle()
    expect(server.received).toHaveLength(1)
    server.gate = () => Promise.resolve()
    crash(a.controller)
    await b.box.retry()
    await settle(30)
    expect(server.received.map(({ key }) => key)[0]).toBe(server.received[1]?.key)
    expect(namesOf(server.applied)).toEqual(['POST /todo'])
    expect(b.box.mutations).toEqual([])
  })
})

describe('when the user changes', () => {
  test('what waits stays for its user, and nobody else sends or sees it', async () => {
    const { open, network, server, session, todos } = createBrowser()
    session.user = 'ann'
    const { controller, box } = open({ scope: () => session.user })
    await controller.fetch(todos.get, { id: 1 })
    network.set(false)
    const saving = controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Of Ann' })
    saving.catch(() => {})
    await box.written()
    session.user = 'bob'
    controller.resetAll()
    await expect(saving).rejects.toMatchObject({ code: 'hard-reset' })
    network.set(true)
    await settle()
    expect(box.mutations).toEqual([])
    await controller.fetch(todos.get, { id: 1 })
    expect(shownTitle(controller, 1)).toBe('Todo 1')
    await controller.fetch(todos.partialUpdate, { id: 2 }, { title: 'Of Bob' })
    session.user = 'ann'
    controller.resetAll()
    await settle(30)
    expect(server.applied.map(({ name, user }) => [name, user])).toEqual([
      ['PATCH /todo/2', 'bob'],
      ['PATCH /todo/1', 'ann'],
    ])
  })

  test('without a scope resetAll asks onReset, else drops with a warning', async () => {
    const { open, network, server, todos } = createBrowser()
    const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const first = open()
    network.set(false)
    first.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Gone' }).catch(() => {})
    await first.box.written()
    first.controller.resetAll()
    expect(told.mock.calls[0]?.[0]).toMatch(/resetAll\(\) dropped 1 of the mutations in the outbox/)
    await settle()
    const onReset = vi.fn(() => 'keep' as const)
    const second = open({ onReset })
    second.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Kept' }).catch(() => {})
    await second.box.written()
    second.controller.resetAll()
    network.set(true)
    await settle(30)
    expect(onReset).toHaveBeenCalledOnce()
    expect(server.applied.map(({ body }) => body)).toEqual([{ title: 'Kept' }])
  })

  test('without a reset the next use of the outbox notices', async () => {
    const { open, network, server, session, todos } = createBrowser()
    session.user = 'ann'
    const { controller, box } = open({ scope: () => session.user })
    await settle()
    network.set(false)
    const saving = controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Of Ann' })
    saving.catch(() => {})
    await box.written()
    session.user = undefined
    network.set(true)
    await expect(saving).rejects.toMatchObject({ code: 'outbox-dropped' })
    await settle()
    expect([server.received, box.mutations]).toEqual([[], []])
  })
})

describe('rows', () => {
  test('of an endpoint that is not given wait and are told; `add` sends them', async () => {
    const { open, crash, network, server, todos } = createBrowser()
    const first = open({ name: 'todos' })
    network.set(false)
    first.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Later' }).catch(() => {})
    await first.box.written()
    crash(first.controller)
    network.set(true)
    const second = open({ name: 'todos', endpoints: [] })
    await settle()
    expect(second.box.mutations).toMatchObject([
      { endpoint: 'Todo.partialUpdate', isKnown: false, status: 'waiting' },
    ])
    expect(server.received).toEqual([])
    second.box.add(todos)
    await settle()
    expect(server.applied).toHaveLength(1)
  })

  test('that cannot be read are kept as failed with a warning, and can be dropped', async () => {
    const storage = memoryStorage()
    await storage.write([['outbox/https%3A%2F%2Fapi.test//000000000000005-000000001-x', { version: 7 }]])
    const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { box } = createBrowser(storage).open()
    await box.ready
    expect(box.mutations).toMatchObject([{ status: 'failed', reason: 'unreadable' }])
    expect(told).toHaveBeenCalledOnce()
    await box.drop()
    await settle()
    expect(await storage.list('outbox/')).toEqual([])
  })

  test('that cannot be written are kept in memory with one warning, and are sent', async () => {
    const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const full = { ...memoryStorage(), write: () => Promise.reject(new Error('The quota is exceeded.')) }
    const { open, server, network, todos } = createBrowser(full)
    const { controller, box } = open()
    network.set(false)
    for (const id of [1, 2]) controller.fetch(todos.partialUpdate, { id }, { done: true }).catch(() => {})
    await expect(box.written()).rejects.toMatchObject({ code: 'outbox-unwritten' })
    expect(box.mutations.map(({ isWritten }) => isWritten)).toEqual([false, false])
    network.set(true)
    await settle()
    expect(server.applied).toHaveLength(2)
    expect(told).toHaveBeenCalledOnce()
  })
})

test('an endpoint opts out by outbox: false, and in by outbox: true', async () => {
  const { open, network, server, todos } = createBrowser()
  const off = todos.partialUpdate.extend({ outbox: false })
  const on = new RestEndpoint({
    urlPrefix,
    path: '/file',
    method: 'POST',
    body: {},
    name: 'on',
    outbox: true,
  })
  const { controller, box } = open()
  await settle()
  network.set(false)
  await expect(controller.fetch(off, { id: 1 }, { title: 'x' })).rejects.toThrow(/no response/)
  controller.fetch(on, {}).catch(() => {})
  await box.written()
  expect(box.mutations).toMatchObject([{ endpoint: 'on' }])
  expect(server.received).toEqual([])
})

test('a mutation whose signal is aborted while it waits is taken back', async () => {
  const { open, network, server, todos } = createBrowser()
  const { controller, box } = open()
  network.set(false)
  const abort = new AbortController()
  const saving = controller.fetch(
    todos.partialUpdate.extend({ signal: abort.signal }),
    { id: 1 },
    { title: 'x' },
  )
  await box.written()
  abort.abort()
  await expect(saving).rejects.toMatchObject({ name: 'AbortError' })
  network.set(true)
  await settle()
  expect([server.received, box.mutations]).toEqual([[], []])
})

test('without IndexedDB and without a storage it does nothing, as on a server', async () => {
  vi.stubGlobal('indexedDB', undefined)
  const { server, todos } = createBrowser()
  const controller = new Controller({
    middleware: [outbox({ endpoints: [todos] })],
    fetch: server.fetch as never,
  })
  vi.unstubAllGlobals()
  await controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Now' })
  expect(server.received[0]?.key).toBeNull()
  expect(outboxOf(controller).mutations).toEqual([])
  controller.dispose()
})

test('refuses what is no endpoint', () => {
  expect(() => outbox({ endpoints: ['todo' as never] })).toThrow(SelfsameError)
})
