import type { TabChannel } from '../tabs.js'
import { syncTabs } from '../tabs.js'
import { Controller, schema } from '../index.js'
import { connect } from '../live.js'
import type { StreamSink } from '../live.js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Todo, createTabs, settle } from './testing-tabs.js'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Two tabs that have loaded the list. */
async function twoTabs(options: Parameters<ReturnType<typeof createTabs>['open']>[1] = {}) {
  const stage = createTabs()
  const { channels, clock, open, serve } = stage
  const a = open(1, options)
  await settle()
  const b = open(2, options)
  await settle()
  channels.deliverAll()
  for (const [tab, { controller, todos }] of [
    [1, a],
    [2, b],
  ] as const) {
    void controller.fetch(todos.getList)
    await serve(tab)
    clock.advance(10)
  }
  channels.deliverAll()
  clock.advance(10)
  return { ...stage, a, b }
}

describe('what one tab does reaches the other', () => {
  test('the answer of a mutation, without a request there', async () => {
    const { a, b, channels, serve, truth } = await twoTabs()
    const before = truth.requests
    void a.controller.fetch(a.todos.partialUpdate, { id: 1 }, { title: 'new' })
    await serve(1)
    channels.deliverAll()
    expect(b.titles()[0]).toEqual([1, 'new'])
    expect([b.status(), truth.requests]).toEqual(['Valid', before + 1])
  })

  test('a created and a deleted record, in the lists', async () => {
    const { a, b, channels, clock, serve } = await twoTabs()
    void a.controller.fetch(a.todos.getList.push, { title: 'made' } as never)
    await serve(1)
    channels.deliverAll()
    expect(b.titles().at(-1)).toEqual([101, 'made'])
    clock.advance(10)
    void b.controller.fetch(b.todos.delete, { id: 2 })
    await serve(2)
    channels.deliverAll()
    expect(a.titles().map(([id]) => id)).toEqual([1, 3, 101])
  })

  test('a read of what the other tab shows, and no other read', async () => {
    const { a, b, channels, clock, serve, truth } = await twoTabs()
    truth.todos.set(1, { id: 1, title: 'of another client' })
    truth.todos.set(9, { id: 9, title: 'unknown there' })
    void a.controller.fetch(a.todos.get, { id: 1 })
    void a.controller.fetch(a.todos.get, { id: 9 })
    clock.advance(1)
    await serve(1)
    channels.deliverAll()
    expect(b.titles()[0]).toEqual([1, 'of another client'])
    expect(b.controller.get(Todo, { id: 9 })).toBeUndefined()
  })

  test('set, and a set that deletes', async () => {
    const { a, b, channels, clock } = await twoTabs()
    a.controller.set(Todo, { id: 1 }, { title: 'set' })
    channels.deliverAll()
    expect(b.titles()[0]).toEqual([1, 'set'])
    clock.advance(1)
    a.controller.set(new schema.Delete(Todo), { id: 1 }, {})
    channels.deliverAll()
    expect(b.titles().map(([id]) => id)).toEqual([2, 3])
  })

  test('what a function made of a record', async () => {
    const { a, b, channels } = await twoTabs()
    a.controller.set(Todo, { id: 1 }, (todo) => ({ title: `${todo?.title}, changed` }))
    channels.deliverAll()
    expect(b.titles()[0]).toEqual([1, 'first 1, changed'])
  })

  test('expiry and invalidation, by endpoint and by call', async () => {
    const { a, b, channels } = await twoTabs()
    a.controller.expireAll(a.todos.getList)
    channels.deliverAll()
    expect(b.status()).toBe('Stale')
    a.controller.invalidate(a.todos.getList)
    channels.deliverAll()
    expect(b.status()).toBe('Invalid')
  })

  test('resetAll, after onReset; with resets: false it does not', async () => {
    const onReset = vi.fn()
    const { a, b, channels } = await twoTabs({ onReset })
    a.controller.resetAll()
    channels.deliverAll()
    expect([b.titles(), onReset.mock.calls.length]).toEqual([[], 1])
    const alone = await twoTabs({ resets: false })
    alone.a.controller.resetAll()
    alone.channels.deliverAll()
    expect(alone.b.titles()).toHaveLength(3)
  })
})

describe('nothing older wins', () => {
  test('a read that was under way when the other tab wrote is not stored there, and its call is Stale', async () => {
    const { a, b, channels, clock, truth, serve } = await twoTabs()
    void a.controller.fetch(a.todos.getList)
    await settle()
    truth.handle(1)
    clock.advance(1)
    void b.controller.fetch(b.todos.partialUpdate, { id: 1 }, { title: 'written' })
    await serve(2)
    clock.advance(1)
    truth.answer(1)
    await settle()
    channels.deliver(1, 2)
    expect([b.titles()[0], b.status()]).toEqual([[1, 'written'], 'Stale'])
    channels.deliverAll()
    expect(a.titles()[0]).toEqual([1, 'written'])
  })

  test('of two mutations under way at once the later answer stays, and both tabs ask the server', async () => {
    const { a, b, channels, clock, truth, serve } = await twoTabs()
    void a.controller.fetch(a.todos.partialUpdate, { id: 1 }, { title: 'of A' })
    await settle()
    clock.advance(1)
    void b.controller.fetch(b.todos.partialUpdate, { id: 1 }, { title: 'of B' })
    await settle()
    truth.handle(2)
    clock.advance(1)
    truth.answer(2)
    await settle()
    clock.advance(1)
    await serve(1)
    channels.deliverAll()
    expect([a.titles()[0], b.titles()[0]]).toEqual([
      [1, 'of A'],
      [1, 'of A'],
    ])
    expect([a.status(), b.status()]).toEqual(['Stale', 'Stale'])
  })

  test('what comes after a read that was sent later is dropped', async () => {
    const { a, b, channels, clock, serve, truth } = await twoTabs()
    void a.controller.fetch(a.todos.partialUpdate, { id: 1 }, { title: 'early' })
    await serve(1)
    clock.advance(1)
    truth.todos.set(1, { id: 1, title: 'late' })
    void b.controller.fetch(b.todos.getList)
    clock.advance(1)
    await serve(2)
    channels.deliver(1, 2)
    expect(b.titles()[0]).toEqual([1, 'late'])
  })

  test('a mutation whose answer comes beside a read makes the record Stale, because another client may have written', async () => {
    const { a, b, channels, clock, serve, truth } = await twoTabs()
    void a.controller.fetch(a.todos.partialUpdate, { id: 1 }, { title: 'of A' })
    await settle()
    truth.handle(1)
    truth.todos.set(1, { id: 1, title: 'of another client' })
    clock.advance(1)
    void b.controller.fetch(b.todos.getList)
    clock.advance(1)
    await serve(2)
    clock.advance(1)
    truth.answer(1)
    await settle()
    channels.deliver(1, 2)
    expect([b.titles()[0], b.status()]).toEqual([[1, 'of A'], 'Stale'])
  })

  test('what was under way before a reset is not taken after it', async () => {
    const { a, b, channels, clock, serve } = await twoTabs()
    void a.controller.fetch(a.todos.partialUpdate, { id: 1 }, { title: 'of the first user' })
    await serve(1)
    clock.advance(1)
    b.controller.resetAll()
    channels.deliver(1, 2)
    expect(b.controller.get(Todo, { id: 1 })).toBeUndefined()
  })
})

test('nothing echoes: what was taken is not told', async () => {
  const { a, channels, serve } = await twoTabs()
  const { length } = channels.sent
  void a.controller.fetch(a.todos.partialUpdate, { id: 1 }, { title: 'new' })
  await serve(1)
  a.controller.expireAll(a.todos.getList)
  channels.deliverAll()
  expect(channels.sent).toHaveLength(length + 2)
})

test('a tab that is alone sends nothing but its greeting', async () => {
  const { channels, open, serve } = createTabs()
  const { controller, todos } = open(1)
  await settle()
  void controller.fetch(todos.getList)
  await serve(1)
  expect(channels.sent).toEqual([{ type: 'opened' }])
})

test('versions that differ do not talk', async () => {
  const { channels, open, serve } = createTabs()
  const [a, b] = [open(1, { version: 1 }), open(2, { version: 2 })]
  await settle()
  channels.deliverAll()
  void a.controller.fetch(a.todos.getList)
  await serve(1)
  channels.deliverAll()
  expect(b.titles()).toEqual([])
  expect(channels.sent).toEqual([{ type: 'opened' }, { type: 'opened' }])
})

test('what cannot be cloned is left out, with one warning that names it', async () => {
  const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { a, channels, serve } = await twoTabs()
  const { length } = channels.sent
  const create = a.todos.create.extend({
    name: 'createWithLog',
    process: (value: object) => ({ ...value, log: () => {} }),
  } as never) as unknown as typeof a.todos.create
  for (const title of ['x', 'y']) void a.controller.fetch(create, { title })
  await serve(1)
  expect(channels.sent).toHaveLength(length)
  const warnings = told.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('syncTabs'))
  expect(warnings).toEqual([expect.stringMatching(/does not tell other tabs of createWithLog/)])
})

test('without BroadcastChannel it warns once, and the tab works alone; on a server it does nothing', () => {
  const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const opened = vi.fn(() => ({}) as TabChannel)
  vi.stubGlobal('BroadcastChannel', opened)
  new Controller({ middleware: [syncTabs()] }).dispose()
  expect([opened.mock.calls.length, told.mock.calls.length]).toEqual([0, 0])
  vi.stubGlobal('document', {})
  vi.stubGlobal('BroadcastChannel', undefined)
  new Controller({ middleware: [syncTabs()] }).dispose()
  expect(told).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/no BroadcastChannel/))
})

test('what a live connection brings is not told: each tab has its own', async () => {
  const { a, channels } = await twoTabs()
  const { length } = channels.sent
  let write: ((title: string) => void) | undefined
  const live = a.todos.get.extend({
    stream: (sink: StreamSink) => {
      write = (title) => sink.set(Todo, { id: 1 }, { title })
      return () => {}
    },
  })
  const end = connect(a.controller, live, { id: 1 })
  write?.('pushed')
  expect([a.titles()[0], channels.sent.length]).toEqual([[1, 'pushed'], length])
  end()
})
