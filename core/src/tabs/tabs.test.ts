import type { SyncTabsOptions, TabChannel } from '../tabs.js'
import { syncTabs } from '../tabs.js'
import { Controller, Entity, schema } from '../index.js'
import type { Schema } from '../index.js'
import { NetworkError } from '../rest.js'
import { connect } from '../live.js'
import type { StreamSink } from '../live.js'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Observer } from '../observer/observer.js'
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

/** A renames a record, and is answered five milliseconds later. */
async function renameInA({ a, clock, truth }: Awaited<ReturnType<typeof twoTabs>>): Promise<void> {
  void a.controller.fetch(a.todos.partialUpdate, { id: 1 }, { title: 'of A' })
  await settle()
  clock.advance(5)
  truth.handle(1)
  truth.answer(1)
  await settle()
}

/** A renames a record, then another client does. B reads it before A has its answer. */
async function answerBesideRead({
  a,
  b,
  clock,
  serve,
  truth,
}: Awaited<ReturnType<typeof twoTabs>>): Promise<void> {
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

  describe('although it changes nothing in its own tab', () => {
    /** A has loaded nothing, and B the list. */
    async function oneIsEmpty() {
      const stage = createTabs()
      const { channels, clock, open, serve } = stage
      const [a, b] = [open(1), open(2)]
      await settle()
      void b.controller.fetch(b.todos.getList)
      await serve(2)
      channels.deliverAll()
      clock.advance(10)
      expect(a.controller.get(Todo, { id: 1 })).toBeUndefined()
      const rename = a.todos.partialUpdate.extend({
        getOptimisticResponse: undefined,
        mayBeEmpty: true,
      } as never) as unknown as typeof a.todos.partialUpdate
      return { ...stage, a, b, rename }
    }

    test('a deletion', async () => {
      const { a, b, channels, serve } = await oneIsEmpty()
      void a.controller.fetch(a.todos.delete, { id: 2 })
      await serve(1)
      channels.deliverAll()
      expect(b.titles().map(([id]) => id)).toEqual([1, 3])
      expect(b.status()).toBe('Valid')
    })

    test('a success without a body, once', async () => {
      const { a, b, channels, clock, rename, serve, truth } = await oneIsEmpty()
      truth.isSilent = true
      const renamed = a.controller.fetch(rename, { id: 1 }, { title: 'new' })
      await serve(1)
      await renamed
      channels.deliverAll()
      expect(b.status()).toBe('Stale')
      clock.advance(1)
      void b.controller.fetch(b.todos.getList)
      await serve(2)
      expect([b.titles()[0], b.status()]).toEqual([[1, 'new'], 'Valid'])
      await settle()
      channels.deliverAll()
      expect(b.status()).toBe('Valid')
    })

    test('a success without a body of a record that is Stale', async () => {
      const { a, b, channels, clock, rename, serve, truth } = await oneIsEmpty()
      void a.controller.fetch(a.todos.get, { id: 1 })
      await serve(1)
      channels.deliverAll()
      truth.isSilent = true
      for (const title of ['new', 'newer']) {
        clock.advance(10)
        expect(b.status()).toBe('Valid')
        void a.controller.fetch(rename, { id: 1 }, { title })
        await serve(1)
        while (channels.deliver(1, 2));
        expect(b.status()).toBe('Stale')
        // What B reads does not reach A, whose record is still Stale.
        clock.advance(10)
        void b.controller.fetch(b.todos.getList)
        await serve(2)
        expect(b.titles()[0]).toEqual([1, title])
      }
    })

    test('what is answered in a batch, once', async () => {
      const { a, b, channels, rename, truth } = await oneIsEmpty()
      truth.isSilent = true
      const renamed = a.controller.fetch(rename, { id: 1 }, { title: 'new' })
      await settle()
      const before = channels.sent.length
      a.controller.batch(() => {
        truth.handle(1)
        a.controller.resolve(rename, { args: [{ id: 1 }, { title: 'new' }], response: null })
      })
      await renamed
      await settle()
      expect(channels.sent).toHaveLength(before + 1)
      channels.deliverAll()
      expect(b.status()).toBe('Stale')
    })
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
    const stage = await twoTabs()
    await answerBesideRead(stage)
    const { b, channels } = stage
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

describe('what nobody can order is asked for', () => {
  /** A reader of the list on the screen of a tab. */
  function show({ controller, todos }: Awaited<ReturnType<typeof twoTabs>>['b']): void {
    const observer = new Observer(controller, todos.getList as never, [])
    onTestFinished(observer.retain(() => observer.fetchIfDue()))
    observer.fetchIfDue()
  }

  test('by readers on screen, at once', async () => {
    const stage = await twoTabs()
    const { b, channels, serve } = stage
    show(b)
    await answerBesideRead(stage)
    channels.deliverAll()
    await serve(2)
    expect([b.titles()[0], b.status()]).toEqual([[1, 'of another client'], 'Valid'])
  })

  test('if a mutation of another tab took longer than times are kept', async () => {
    const { a, b, channels, clock, serve, truth } = await twoTabs()
    void a.controller.fetch(a.todos.getList.push, { title: 'slow' } as never)
    void a.controller.fetch(a.todos.partialUpdate, { id: 1 }, { title: 'slow' })
    await settle()
    clock.advance(130_000)
    // What is noted in a later minute ends the one before.
    for (const id of [2, 3]) {
      b.controller.set(Todo, { id }, { title: 'noted' })
      clock.advance(61_000)
    }
    void b.controller.fetch(b.todos.getList)
    await serve(2)
    expect(b.status()).toBe('Valid')
    truth.handle(1)
    truth.handle(1)
    truth.answer(1)
    truth.answer(1)
    await settle()
    channels.deliverAll()
    expect(b.status()).toBe('Stale')
  })

  test('if a tab was opened while a mutation of another one was under way', async () => {
    const { a, channels, clock, open, serve } = await twoTabs()
    void a.controller.fetch(a.todos.getList.push, { title: 'made' } as never)
    await settle()
    clock.advance(1)
    const c = open(3)
    await settle()
    channels.deliverAll()
    void c.controller.fetch(c.todos.getList)
    await serve(3)
    clock.advance(1)
    await serve(1)
    channels.deliverAll()
    expect([c.titles().at(-1), c.status()]).toEqual([[101, 'made'], 'Stale'])
  })

  type Stage = Awaited<ReturnType<typeof twoTabs>>
  const writesOfA: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
    'a mutation': async ({ a, truth }) => {
      void a.controller.fetch(a.todos.partialUpdate, { id: 1 }, { title: 'of A' })
      await settle()
      truth.handle(1)
    },
    'a create': async ({ a, truth }) => {
      void a.controller.fetch(a.todos.create, { title: 'of A' })
      await settle()
      truth.handle(1)
      truth.todos.delete(101)
    },
    'a set': async ({ a }) => a.controller.set(Todo, { id: 1 }, { title: 'of A' }),
  }

  test.each(Object.entries(writesOfA))(
    'if the message of %s arrives during a read that the server handled later',
    async (_, write) => {
      const stage = await twoTabs()
      const { b, channels, clock, serve, truth } = stage
      show(b)
      await write(stage)
      truth.todos.set(1, { id: 1, title: 'of another client' })
      clock.advance(1)
      void b.controller.fetch(b.todos.getList)
      await settle()
      truth.handle(2)
      clock.advance(1)
      truth.answer(1)
      await settle()
      channels.deliverAll()
      truth.answer(2)
      await settle()
      channels.deliverAll()
      clock.advance(1)
      for (let turn = 0; turn < 3; turn++) await serve(2)
      expect([b.titles(), b.status()]).toEqual([
        [...truth.todos.values()].map(({ id, title }) => [id, title]),
        'Valid',
      ])
    },
  )

  test('of a list that the other tab does not have', async () => {
    const { channels, clock, open, serve, truth } = createTabs()
    const [a, b] = [open(1), open(2)]
    await settle()
    channels.deliverAll()
    void a.controller.fetch(a.todos.create, { title: 'made' })
    await settle()
    truth.handle(1)
    // Another client deletes what was made.
    truth.todos.delete(101)
    clock.advance(1)
    void b.controller.fetch(b.todos.getList)
    clock.advance(1)
    await serve(2)
    expect(b.status()).toBe('Valid')
    truth.answer(1)
    await settle()
    channels.deliverAll()
    expect(b.status()).toBe('Stale')
  })

  class Group extends Entity {
    id = 0
    title = ''
    todo: Todo | undefined
    static override key = 'Group'
    static override schema = { todo: Todo }
  }

  test('of a record in another one, of which a tab has heard since', async () => {
    const { a, b, channels, clock } = await twoTabs()
    b.controller.set(Group, { id: 7 }, { id: 7, title: 'known', todo: { id: 1, title: 'first 1' } as Todo })
    clock.advance(1)
    a.controller.set(Group, { id: 7 }, { id: 7, title: 'of A', todo: { id: 1, title: 'older' } as Todo })
    // In the same millisecond.
    b.controller.set(Todo, { id: 1 }, { title: 'newer' })
    expect(b.status()).toBe('Valid')
    channels.deliver(1, 2)
    expect(b.status()).toBe('Stale')
  })

  test('of what the other tab knew better, or did not have', async () => {
    const { a, b, channels, clock, serve, truth } = await twoTabs()
    const renameOf = ({ todos }: typeof a) =>
      todos.partialUpdate.extend({
        name: 'renameGroup',
        schema: { group: Group },
      } as object) as typeof todos.partialUpdate
    truth.failures++
    b.controller.fetch(renameOf(b), { id: 2 }, { title: '' }).catch(() => {})
    await serve(2)
    void a.controller.fetch(renameOf(a), { id: 2 }, { title: 'of A' })
    await settle()
    truth.handle(1)
    // Its answer has another record in it, as it was before it was renamed.
    const [sent] = truth.waiting.get(1) ?? []
    sent!.answer = Response.json({ group: { id: 7, title: 'of A', todo: { id: 1, title: 'first 1' } } })
    clock.advance(1)
    b.controller.set(Todo, { id: 1 }, { title: 'renamed' })
    channels.deliverAll()
    clock.advance(1)
    truth.answer(1)
    await settle()
    expect(a.titles()[0]).toEqual([1, 'renamed'])
    channels.deliverAll()
    expect(b.status()).toBe('Stale')
  })

  const mutations = {
    rename: ({ controller, todos }) => controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'lost' }),
    delete: ({ controller, todos }) => controller.fetch(todos.delete, { id: 1 }),
    create: ({ controller, todos }) => controller.fetch(todos.create, { title: 'lost' }),
  } satisfies Record<string, (tab: Awaited<ReturnType<typeof twoTabs>>['a']) => Promise<unknown>>

  test.each(['rename', 'delete', 'create'] as const)(
    'of what a mutation changed whose answer was lost, and not of one that was refused: %s',
    async (name) => {
      const { a, b, channels, clock, serve, truth } = await twoTabs()
      truth.failures++
      mutations[name](a).catch(() => {})
      await serve(1)
      channels.deliverAll()
      expect([a.status(), b.status()]).toEqual(['Valid', 'Valid'])
      mutations[name](a).catch(() => {})
      await settle()
      truth.handle(1)
      const [sent] = truth.waiting.get(1)!.splice(0)
      clock.advance(1)
      sent!.resolve(Promise.reject(new TypeError('Failed to fetch')) as never)
      await settle()
      channels.deliverAll()
      expect([a.status(), b.status()]).toEqual(['Stale', 'Stale'])
    },
  )

  const slow = (['rename', 'delete', 'create'] as const).flatMap((name) =>
    (['lost', 'told'] as const).map((answer) => ({ name, answer })),
  )
  test.each(slow)(
    'of what a mutation changed that took longer than a minute: $name, whose answer was $answer',
    async ({ name, answer }) => {
      const { a, b, channels, clock, serve, truth } = await twoTabs()
      mutations[name](a).catch(() => {})
      await settle()
      for (let minute = 1; minute <= 2; minute++) {
        clock.advance(61_000)
        void b.controller.fetch(b.todos.getList)
        await serve(2)
        channels.deliverAll()
      }
      expect(b.status()).toBe('Valid')
      if (answer === 'told') await serve(1)
      else truth.waiting.get(1)![0]!.resolve(Promise.reject(new TypeError('Failed to fetch')) as never)
      await settle()
      channels.deliverAll()
      expect(b.status()).toBe('Stale')
    },
  )
})

describe('a mutation of an endpoint that the other tab does not know', () => {
  /** Only A knows these. */
  async function withUnknown() {
    const stage = await twoTabs()
    const { todos } = stage.a
    const archive = todos.partialUpdate.extend({ name: 'archive', path: '/todo/archive/:id' })
    const copy = todos.create.extend({ name: 'copy' })
    const burn = todos.delete.extend({ name: 'burn', path: '/todo/burn/:id' })
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    return { ...stage, archive, copy, burn, warned }
  }

  test.each(['archive', 'copy', 'burn'] as const)(
    'makes its lists Stale, and warns once: %s',
    async (name) => {
      const { a, b, channels, clock, serve, warned, ...stage } = await withUnknown()
      for (const id of [1, 2]) {
        clock.advance(10)
        const endpoint = stage[name] as unknown as typeof stage.archive
        const args =
          name === 'copy' ? [{ title: 'x' }] : name === 'burn' ? [{ id }] : [{ id }, { title: 'x' }]
        void a.controller.fetch(endpoint, ...(args as [never, never]))
        await serve(1)
        channels.deliverAll()
      }
      expect(b.status()).toBe('Stale')
      expect(warned.mock.calls).toEqual([[expect.stringContaining(`syncTabs() does not know ${name}`)]])
      clock.advance(10)
      void b.controller.fetch(b.todos.getList)
      await serve(2)
      expect([b.titles(), b.status()]).toEqual([a.titles(), 'Valid'])
    },
  )

  test('is fetched by readers on screen', async () => {
    const { a, archive, b, channels, clock, serve, truth } = await withUnknown()
    const observer = new Observer(b.controller, b.todos.getList, [])
    onTestFinished(observer.retain())
    onTestFinished(observer.subscribe(() => void observer.fetchIfDue()))
    clock.advance(10)
    void a.controller.fetch(archive, { id: 1 }, { title: 'archived' })
    await serve(1)
    channels.deliverAll()
    await settle()
    expect(truth.waiting.get(2)).toHaveLength(1)
    await serve(2)
    expect(b.titles()[0]).toEqual([1, 'archived'])
  })

  test('makes its record Stale if the answer was lost', async () => {
    const { a, archive, b, channels, clock, truth } = await withUnknown()
    clock.advance(10)
    void a.controller.fetch(archive, { id: 1 }, { title: 'archived' }).catch(() => {})
    await settle()
    truth.waiting.get(1)?.[0]?.resolve(Promise.reject(new TypeError('Failed to fetch')) as never)
    await settle()
    channels.deliverAll()
    expect(b.status()).toBe('Stale')
  })

  test('says nothing to a tab without such records', async () => {
    const { a, archive, channels, clock, open, serve, warned } = await withUnknown()
    const c = open(3)
    await settle()
    clock.advance(10)
    void a.controller.fetch(archive, { id: 1 }, { title: 'archived' })
    await serve(1)
    warned.mockClear()
    channels.deliverAll()
    c.controller.dispose()
    expect(warned).toHaveBeenCalledTimes(1)
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
  expect(channels.sent).toMatchObject([{ type: 'opened' }])
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
  expect(channels.sent).toMatchObject([{ type: 'opened' }, { type: 'opened' }])
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
  expect(warnings).toEqual([expect.stringMatching(/cannot send createWithLog to other tabs/)])
})

test('without BroadcastChannel it warns once, and the tab works alone; on a server it does nothing', async () => {
  const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const opened = vi.fn(() => ({}) as TabChannel)
  vi.stubGlobal('BroadcastChannel', opened)
  new Controller({ middleware: [syncTabs()] }).dispose()
  expect([opened.mock.calls.length, told.mock.calls.length]).toEqual([0, 0])
  vi.stubGlobal('document', {})
  vi.stubGlobal('BroadcastChannel', undefined)
  const controller = new Controller({ middleware: [syncTabs()] })
  await settle()
  controller.dispose()
  expect(told).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/no BroadcastChannel/))
})

test('what a live connection brings is told to tabs that have the record, and is no more than observed there', async () => {
  const { a, b, channels, clock, serve, truth } = await twoTabs()
  let push: ((title: string) => void) | undefined
  const live = a.todos.get.extend({
    stream: (sink: StreamSink) => {
      push = (title) => sink.set(Todo, { id: 1 }, { title })
      return () => {}
    },
  })
  const end = connect(a.controller, live, { id: 1 })
  void b.controller.fetch(b.todos.partialUpdate, { id: 1 }, { title: 'own of B' })
  await settle()
  truth.handle(2)
  clock.advance(1)
  push?.('pushed')
  channels.deliverAll()
  clock.advance(1)
  await serve(2)
  expect([a.titles()[0], b.titles()[0]]).toEqual([
    [1, 'pushed'],
    [1, 'own of B'],
  ])
  clock.advance(1)
  push?.('pushed again')
  channels.deliver(1, 2)
  expect(b.titles()[0]).toEqual([1, 'pushed again'])
  end()
})

test('setResponse reaches tabs that show it, and setError those that have the call', async () => {
  const { a, b, channels, clock } = await twoTabs()
  a.controller.setResponse(a.todos.get, { id: 1 }, { id: 1, title: 'given' })
  a.controller.setResponse(a.todos.get, { id: 9 }, { id: 9, title: 'unknown there' })
  channels.deliverAll()
  expect(b.titles()[0]).toEqual([1, 'given'])
  expect(b.controller.get(Todo, { id: 9 })).toBeUndefined()
  clock.advance(1)
  a.controller.setError(a.todos.getList, new NetworkError('Gone', { status: 410 }))
  a.controller.setError(a.todos.get, { id: 77 }, new Error('not here'))
  channels.deliverAll()
  expect(b.controller.read(b.todos.getList).error).toMatchObject({
    name: 'NetworkError',
    message: 'Gone',
    status: 410,
  })
  expect(b.controller.read(b.todos.get, { id: 77 }).error).toBeUndefined()
})

describe('what a function made of a record', () => {
  class Person extends Entity {
    id = 0
    name = ''
    static override key = 'Person'
  }
  class Task extends Entity {
    id = 0
    title = ''
    due: Date | undefined = undefined
    owner: Person | undefined = undefined
    helpers: Person[] = []
    static override key = 'Task'
    static override schema: Record<string, Schema> = { owner: Person, helpers: [Person], due: Date }
  }
  const given = {
    id: 1,
    title: 'a',
    due: '2026-01-01T00:00:00.000Z',
    owner: { id: 1, name: 'Ann' },
    helpers: [{ id: 2, name: 'Bob' }],
  }

  async function bothWith() {
    const stage = await twoTabs()
    for (const { controller } of [stage.a, stage.b])
      controller.set(Task as never, { id: 1 }, structuredClone(given))
    stage.channels.deliverAll()
    stage.clock.advance(10)
    return stage
  }

  test('travels with nested records, in the order of a list of them, and with other schemas', async () => {
    const { a, b, channels } = await bothWith()
    a.controller.set(Task as never, { id: 1 }, (task: Task | undefined) => ({
      title: `${task?.title}!`,
      due: '2027-01-01T00:00:00.000Z',
      owner: { id: 3, name: 'Cora' },
      helpers: [
        { id: 4, name: 'Dan' },
        { id: 2, name: 'Bobby' },
      ],
    }))
    channels.deliverAll()
    const shown = (tab: typeof a) => structuredClone({ ...tab.controller.get(Task, { id: 1 }) })
    expect(shown(b)).toEqual(shown(a))
    expect(b.controller.get(Task, { id: 1 })).toMatchObject({
      title: 'a!',
      due: new Date('2027-01-01T00:00:00.000Z'),
      owner: { name: 'Cora' },
      helpers: [{ name: 'Dan' }, { name: 'Bobby' }],
    })
  })

  test('changes no other field', async () => {
    const { a, b, channels } = await bothWith()
    b.controller.set(Task as never, { id: 1 }, { title: 'of B' })
    a.controller.set(Task as never, { id: 1 }, () => ({ owner: { id: 1, name: 'Anna' } }))
    channels.deliver(1, 2)
    expect(b.controller.get(Task, { id: 1 })).toMatchObject({ title: 'of B', owner: { name: 'Anna' } })
  })

  test('of several functions in one batch it is all', async () => {
    const { a, b, channels } = await twoTabs()
    a.controller.batch(() => {
      for (const id of [1, 2]) a.controller.set(Todo, { id }, (todo) => ({ title: `${todo?.title}!` }))
    })
    channels.deliverAll()
    expect(b.titles().map(([, title]) => title)).toEqual(['first 1!', 'first 2!', 'first 3'])
  })
})

describe('a read under way', () => {
  /** Two tabs that know of each other and have no data, of which the first reads the list. */
  async function readingTabs(options: SyncTabsOptions = {}) {
    const stage = createTabs()
    const { channels, open } = stage
    const [a, b] = [open(1, options), open(2, options)]
    await settle()
    channels.deliverAll()
    const asked = [a, b].map(({ controller, todos }) => controller.fetch(todos.getList))
    const failed = asked.map((promise) => promise.catch((error: Error) => error.message))
    await settle()
    return { ...stage, a, b, asked, failed }
  }

  test('is not made by another tab, which takes its answer, and its expiry', async () => {
    const { b, asked, channels, serve, truth } = await readingTabs()
    await serve(1)
    channels.deliverAll()
    const list = await asked[1]
    expect([truth.requests, list?.length, b.titles().length, b.status()]).toEqual([1, 3, 3, 'Valid'])
    expect(channels.sent.filter((sent) => (sent as { type: string }).type === 'done')).toHaveLength(1)
  })

  test('of another call is made beside it', async () => {
    const { b, truth } = await readingTabs()
    void b.controller.fetch(b.todos.get, { id: 1 }).catch(() => {})
    await settle()
    expect(truth.requests).toBe(2)
  })

  test('is waited for no longer than waitMs, then made; with 0 not at all', async () => {
    const waiting = await readingTabs({ waitMs: 300 })
    waiting.clock.advance(299)
    await settle()
    expect(waiting.truth.requests).toBe(1)
    waiting.clock.advance(1)
    await waiting.serve(2)
    expect([waiting.truth.requests, waiting.b.titles().length]).toEqual([2, 3])
    expect((await readingTabs({ waitMs: 0 })).truth.requests).toBe(2)
  })

  test.each([
    ['is closed', ({ locks }: Awaited<ReturnType<typeof readingTabs>>) => locks.close(1)],
    ['is disposed of', ({ a }: Awaited<ReturnType<typeof readingTabs>>) => a.controller.dispose()],
    ['is reset', ({ a }: Awaited<ReturnType<typeof readingTabs>>) => a.controller.resetAll()],
  ])('is handed over by a tab that %s', async (_, leave) => {
    const stage = await readingTabs({ resets: false })
    leave(stage)
    await settle()
    stage.clock.advance(20)
    await stage.serve(2)
    expect([stage.truth.requests, stage.b.titles().length]).toEqual([2, 3])
  })

  test('is handed over by a tab that is frozen', async () => {
    const document = new EventTarget()
    vi.stubGlobal('document', document)
    const { b, clock, serve, truth } = await readingTabs()
    document.dispatchEvent(new Event('freeze'))
    await settle()
    clock.advance(20)
    await serve(2)
    expect([truth.requests, b.titles().length]).toEqual([2, 3])
  })

  test('that fails is made by the next tab', async () => {
    const { a, b, clock, failed, serve, truth } = await readingTabs()
    truth.failures = 1
    await serve(1)
    clock.advance(20)
    await serve(2)
    expect(await failed[0]).toMatch(/422/)
    expect([truth.requests, a.titles().length, b.titles().length]).toEqual([2, 0, 3])
  })

  test('whose answer cannot be cloned is made by each tab', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { channels, clock, open, serve, truth } = createTabs()
    const [a, b] = [open(1), open(2)]
    await settle()
    channels.deliverAll()
    for (const { controller, todos } of [a, b]) {
      const process = (todo: object) => ({ ...todo, log: () => {} })
      const get = todos.get.extend({ name: 'getWithLog', process } as never) as unknown as typeof todos.get
      void controller.fetch(get, { id: 1 })
    }
    await serve(1)
    channels.deliverAll()
    clock.advance(20)
    await serve(2)
    expect([truth.requests, b.controller.get(Todo, { id: 1 })?.title]).toEqual([2, 'first 1'])
  })

  test.each([
    [
      'something was written',
      async ({ b, serve }: Awaited<ReturnType<typeof readingTabs>>) => {
        void b.controller.fetch(b.todos.partialUpdate, { id: 1 }, { title: 'of B' })
        await serve(2)
      },
    ],
    [
      'its call was expired',
      async ({ b }: Awaited<ReturnType<typeof readingTabs>>) => {
        b.controller.setResponse(b.todos.getList, [])
        b.controller.expireAll(b.todos.getList)
      },
    ],
  ])('from before %s in this tab is not taken, and made again', async (_, change) => {
    const { channels, clock, open, serve, truth } = createTabs()
    const [a, b] = [open(1), open(2)]
    await settle()
    channels.deliverAll()
    void a.controller.fetch(a.todos.getList)
    await settle()
    truth.handle(1)
    clock.advance(1)
    await change({ b, serve } as never)
    truth.todos.set(3, { id: 3, title: 'newer' })
    const { requests } = truth
    clock.advance(1)
    void b.controller.fetch(b.todos.getList)
    await serve(1)
    channels.deliver(1, 2)
    clock.advance(20)
    await serve(2)
    expect(truth.requests).toBe(requests + 1)
    expect(b.titles()[2]).toEqual([3, 'newer'])
  })

  test('that a mutation brought about is one for both tabs', async () => {
    const stage = await twoTabs()
    const { a, b, channels, serve, truth } = stage
    await renameInA(stage)
    // In the same millisecond.
    a.controller.expireAll(a.todos.getList)
    void a.controller.fetch(a.todos.getList)
    channels.deliver(1, 2)
    channels.deliver(1, 2)
    void b.controller.fetch(b.todos.getList)
    const { requests } = truth
    await serve(1)
    channels.deliverAll()
    await settle()
    expect([truth.requests - requests, b.status(), b.titles()[0]]).toEqual([1, 'Valid', [1, 'of A']])
  })

  test('that a mutation of the other tab brought about is one for both, although nothing says which came first', async () => {
    const stage = await twoTabs()
    const { a, b, channels, clock, serve, truth } = stage
    await renameInA(stage)
    channels.deliverAll()
    // In the same millisecond.
    const { requests } = truth
    void b.controller.fetch(b.todos.getList)
    await settle()
    void a.controller.fetch(a.todos.getList)
    await settle()
    await serve(2)
    channels.deliverAll()
    clock.advance(20)
    await serve(1)
    expect([truth.requests - requests, a.status(), a.titles()[0]]).toEqual([1, 'Valid', [1, 'of A']])
  })

  test('that readers of both tabs need after a mutation that does not tell what it wrote is one for both', async () => {
    const { a, b, channels, clock, serve, truth } = await twoTabs()
    const { partialUpdate } = a.todos
    for (const { controller, todos } of [a, b])
      for (const [endpoint, args] of [
        [todos.getList, []],
        [todos.get, [{ id: 1 }]],
      ] as const) {
        const observer = new Observer(controller, endpoint as never, args as never)
        onTestFinished(observer.retain(() => observer.fetchIfDue()))
      }
    truth.isSilent = true
    const silent = partialUpdate.extend({
      getOptimisticResponse: undefined,
    } as object) as typeof partialUpdate
    void a.controller.fetch(silent, { id: 1 }, { title: 'of A' })
    await settle()
    clock.advance(10)
    const { requests } = truth
    const { length } = channels.sent
    truth.handle(1)
    truth.answer(1)
    await settle()
    channels.deliverAll()
    await serve(1)
    channels.deliverAll()
    await serve(2)
    expect([truth.requests - requests, a.titles()[0], b.titles()[0]]).toEqual([2, [1, 'of A'], [1, 'of A']])
    expect([a.status(), b.status()]).toEqual(['Valid', 'Valid'])
    // The mutation, and what each read brought.
    expect(channels.sent.slice(length)).toHaveLength(3)
  })

  test('of which nobody waits any more is not waited for', async () => {
    const { channels, open, truth } = createTabs()
    const [a, b] = [open(1), open(2)]
    await settle()
    channels.deliverAll()
    const stop = new AbortController()
    const list = b.todos.getList.extend({ signal: stop.signal })
    void a.controller.fetch(a.todos.getList).catch(() => {})
    const asked = b.controller.fetch(list).catch((error: Error) => error.name)
    await settle()
    stop.abort()
    await settle()
    expect([await asked, truth.requests]).toEqual(['AbortError', 1])
  })
})

describe('with sharesStreams', () => {
  /** Two tabs whose details have a stream. */
  async function streamingTabs() {
    const stage = createTabs()
    const { channels, clock, open, serve } = stage
    const opened: { tab: number; sink: StreamSink; isClosed: boolean }[] = []
    const tabs = [open(1, { sharesStreams: true }), open(2, { sharesStreams: true })]
    await settle()
    channels.deliverAll()
    const ends: (() => void)[] = []
    for (const [index, { controller, todos }] of tabs.entries()) {
      const live = todos.get.extend({
        stream: (sink: StreamSink) => {
          const stream = { tab: index + 1, sink, isClosed: false }
          opened.push(stream)
          return () => {
            stream.isClosed = true
          }
        },
      })
      void controller.fetch(live, { id: 1 })
      await serve(index + 1)
      clock.advance(1)
      ends.push(connect(controller, live, { id: 1 }))
      await settle()
    }
    channels.deliverAll()
    const shown = () => tabs.map(({ controller }) => controller.get(Todo, { id: 1 })?.title)
    const statusOf = (tab: number) => {
      const { controller, todos } = tabs[tab - 1]!
      return controller.read(todos.get, { id: 1 }).status
    }
    clock.advance(1)
    return { ...stage, tabs, opened, ends, shown, statusOf }
  }

  test('one tab opens a stream, and feeds all', async () => {
    const { channels, opened, shown } = await streamingTabs()
    expect(opened.map(({ tab }) => tab)).toEqual([1])
    opened[0]?.sink.set(Todo, { id: 1 }, { title: 'set' })
    channels.deliverAll()
    expect(shown()).toEqual(['set', 'set'])
    opened[0]?.sink.receive({ id: 1, title: 'received' })
    channels.deliverAll()
    expect(shown()).toEqual(['received', 'received'])
  })

  test('many messages at once are one message to the others', async () => {
    const { channels, opened, shown } = await streamingTabs()
    const { length } = channels.sent
    const { sink } = opened[0]!
    sink.batch(() => {
      for (let count = 1; count <= 50; count++) sink.set(Todo, { id: 1 }, { title: `title ${count}` })
    })
    channels.deliverAll()
    expect([channels.sent.length - length, ...shown()]).toEqual([1, 'title 50', 'title 50'])
  })

  test('a gap is one in all tabs, and errors travel', async () => {
    const { channels, opened, statusOf, tabs } = await streamingTabs()
    opened[0]?.sink.fail(new Error('broken'))
    channels.deliverAll()
    const [, b] = tabs
    expect(b?.controller.read(b.todos.get, { id: 1 }).error?.message).toBe('broken')
    opened[0]?.sink.expire()
    channels.deliverAll()
    expect([statusOf(1), statusOf(2)]).toEqual(['Stale', 'Stale'])
  })

  test.each([
    ['disconnects', ({ ends }: Awaited<ReturnType<typeof streamingTabs>>) => ends[0]?.()],
    ['is closed', ({ locks }: Awaited<ReturnType<typeof streamingTabs>>) => locks.close(1)],
  ])('a tab that %s hands it over, and the next one fetches what it may have missed', async (_, leave) => {
    const stage = await streamingTabs()
    const { channels, opened, shown, statusOf } = stage
    expect(statusOf(2)).toBe('Valid')
    leave(stage)
    await settle()
    expect(opened.map(({ tab }) => tab)).toEqual([1, 2])
    expect(statusOf(2)).toBe('Stale')
    stage.clock.advance(1)
    opened[1]?.sink.receive({ id: 1, title: 'of the second' })
    channels.deliverAll()
    expect(shown()[1]).toBe('of the second')
  })

  test('a stream is closed with its last reader, and a tab in line opens none after it has left', async () => {
    const { ends, opened } = await streamingTabs()
    ends[1]?.()
    ends[0]?.()
    await settle()
    expect(opened.map(({ tab, isClosed }) => [tab, isClosed])).toEqual([[1, true]])
  })

  test('what cannot be told is fetched by those that follow', async () => {
    const { channels, opened, statusOf, tabs } = await streamingTabs()
    const [a] = tabs
    opened[0]?.sink.set(a?.todos.getList.schema.push as never, {}, { id: 200, title: 'pushed' })
    channels.deliverAll()
    expect([statusOf(1), statusOf(2)]).toEqual(['Valid', 'Stale'])
  })

  test('what cannot be cloned is fetched by those that follow', async () => {
    const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { channels, opened, statusOf } = await streamingTabs()
    opened[0]?.sink.set(Todo, { id: 1 }, { title: 'new', log: () => {} })
    channels.deliverAll()
    expect([statusOf(1), statusOf(2)]).toEqual(['Valid', 'Stale'])
    expect(told).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/cannot send Todo to other tabs/))
  })
})

test.each([-1, NaN, 2 ** 31])('waitMs %s is an error that names it', (waitMs) => {
  expect(() => syncTabs({ waitMs })).toThrow(`syncTabs() has waitMs ${waitMs}.`)
})

test('without Web Locks it warns once, and each tab makes its own reads', async () => {
  const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.stubGlobal('navigator', {})
  const { channels, open, truth } = createTabs()
  const tabs = [open(1, { locks: undefined }), open(2, { locks: null })]
  await settle()
  channels.deliverAll()
  for (const { controller, todos } of tabs) void controller.fetch(todos.getList).catch(() => {})
  await settle()
  expect(truth.requests).toBe(2)
  expect(told).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/cannot use Web Locks/))
})
