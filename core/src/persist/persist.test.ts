import 'fake-indexeddb/auto'
import { afterEach, describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest'
import { Controller, Counted, Entity, schema } from '../index.js'
import type { Middleware } from '../index.js'
import { ManualNetwork } from '@selfsame/conformance'
import { optimistic } from '../optimistic.js'
import { callsOf } from '../controller/calls.js'
import { outbox, outboxOf } from '../outbox.js'
import { persist, persisted } from '../persist.js'
import type { PersistOptions } from '../persist.js'
import { RestEndpoint, createResource } from '../rest.js'
import { pack } from '../storage/pack.js'
import { indexedDbStorage, memoryStorage } from '../storage.js'
import type { RowStorage } from '../storage.js'
import { TestClock } from '../testing.js'

afterEach(() => void vi.restoreAllMocks())

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}

class Todo extends Entity {
  id = 0
  title = ''
  user: User | undefined = undefined
  static override key = 'Todo'
  static override schema = { user: User }
}

const urlPrefix = 'https://api.test'
const todos = createResource({ urlPrefix, path: '/todo/:id', schema: Todo, optimistic })

const settle = async () => {
  for (let round = 0; round < 10; round++) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** Counts what is written. */
function counting(storage: RowStorage) {
  const written: string[][] = []
  return {
    written,
    storage: {
      ...storage,
      write: (rows, isStrict) => {
        written.push(rows.map(([key]) => key))
        return storage.write(rows, isStrict)
      },
    } satisfies RowStorage,
  }
}

function createVisits(storage: RowStorage = memoryStorage(), common: PersistOptions = {}) {
  const clock = new TestClock()
  const requests: string[] = []
  const answers: Record<string, unknown> = {
    'GET /todo/5': { id: 5, title: 'Five', user: { id: 1, name: 'Ann' } },
    'GET /todo': [
      { id: 5, title: 'Five', user: { id: 1, name: 'Ann' } },
      { id: 6, title: 'Six', user: { id: 1, name: 'Ann' } },
    ],
  }
  const fetch = async (url: string, init?: RequestInit) => {
    const name = `${init?.method ?? 'GET'} ${url.slice(urlPrefix.length)}`
    requests.push(name)
    const answer = answers[name]
    return answer === undefined ? Response.json({}, { status: 404 }) : Response.json(answer)
  }
  function visit(options: PersistOptions = {}, ...before: Middleware[]) {
    const controller = new Controller({
      clock,
      fetch: fetch as typeof globalThis.fetch,
      middleware: [...before, persist({ storage, ...common, ...options })],
    })
    onTestFinished(() => controller.dispose())
    return controller
  }
  async function close(controller: Controller) {
    await persisted(controller).flush()
    controller.dispose()
    clock.advance(1)
  }
  return { clock, requests, answers, visit, close, storage }
}

describe.each([
  ['memory', () => memoryStorage()],
  ['IndexedDB', () => indexedDbStorage({ name: `persist ${Math.random()}` })],
] as const)('in %s', (_name, makeStorage) => {
  test('records, lists and calls are there after a reload, are Stale, and keep their age', async () => {
    const { visit, close, requests } = createVisits(makeStorage())
    const first = visit()
    await persisted(first).ready
    await first.fetch(todos.getList)
    await close(first)
    const second = visit()
    await persisted(second).ready
    const read = second.read(todos.getList)
    expect(read).toMatchObject({
      status: 'Stale',
      data: [
        { id: 5, title: 'Five', user: { name: 'Ann' } },
        { id: 6, title: 'Six' },
      ],
    })
    expect(second.get(Todo, { id: 5 })?.user).toBe(second.get(User, { id: 1 }))
    expect(second.read(todos.get, { id: 6 })).toMatchObject({ status: 'Stale', data: { title: 'Six' } })
    expect(requests).toEqual(['GET /todo'])
  })
})

test('a change writes one small row, and what did not change is not written again', async () => {
  const { storage, written } = counting(memoryStorage())
  const { visit, close, answers } = createVisits(storage)
  answers['GET /todo'] = Array.from({ length: 1000 }, (_, id) => ({ id: id + 1, title: `Todo ${id}` }))
  const first = visit()
  await persisted(first).ready
  await first.fetch(todos.getList)
  const { length: before } = written
  await persisted(first).flush()
  // 16 rows of 64 records in slices, then the call that names them.
  expect(written.slice(before).map((rows) => rows.length)).toEqual([8, 8, 1])
  first.set(Todo, { id: 77 }, { title: 'Changed' })
  await persisted(first).flush()
  expect(written.at(-1)).toHaveLength(1)
  const { length } = written
  await close(first)
  expect(written).toHaveLength(length)
  const second = visit()
  await persisted(second).ready
  await persisted(second).flush()
  expect(written).toHaveLength(length)
  expect(second.get(Todo, { id: 77 })?.title).toBe('Changed')
  expect(second.read(todos.getList).data).toHaveLength(1000)
})

test('a request waits for the storage, which answers before it, and 100 ms at most', async () => {
  const { visit, close, requests, answers, clock, storage } = createVisits()
  const first = visit()
  await persisted(first).ready
  await first.fetch(todos.get, { id: 5 })
  await close(first)
  requests.length = 0
  answers['GET /todo/5'] = { id: 5, title: 'Newer' }
  const second = visit()
  const shown: unknown[] = []
  second.subscribe(todos.get, { id: 5 }, ({ data }) => shown.push(data?.title))
  const fetching = second.fetch(todos.get, { id: 5 })
  expect(requests).toEqual([])
  await fetching
  expect([...new Set(shown)]).toEqual([undefined, 'Five', 'Newer'])
  const hanging = { ...storage, read: () => new Promise<never>(() => {}) }
  const third = visit({ storage: hanging })
  requests.length = 0
  const late = third.fetch(todos.get, { id: 5 })
  await settle()
  expect(requests).toEqual([])
  clock.advance(100)
  expect(await late).toMatchObject({ title: 'Newer' })
  expect(persisted(third).isReady).toBe(false)
})

test('what was received since is not replaced by what was kept', async () => {
  const { visit, close, answers } = createVisits()
  const first = visit()
  await persisted(first).ready
  await first.fetch(todos.get, { id: 5 })
  await close(first)
  answers['GET /todo/5'] = { id: 5, title: 'Newer' }
  const second = visit({ waitMs: 0 })
  second.setResponse(todos.get, { id: 5 }, { id: 5, title: 'Newest' })
  await persisted(second).ready
  expect(second.get(Todo, { id: 5 })?.title).toBe('Newest')
  await close(second)
  const third = visit()
  await persisted(third).ready
  expect(third.get(Todo, { id: 5 })?.title).toBe('Newest')
})

/** Counts the rows that a storage gives. */
function countingReads(storage: RowStorage) {
  let count = 0
  let times = 0
  const note = <Rows extends readonly unknown[]>(rows: Rows) => {
    count += rows.length
    times++
    return rows
  }
  return {
    count: () => count,
    /** How often it was asked. */
    times: () => times,
    storage: {
      ...storage,
      list: async (...args) => note(await storage.list(...args)),
      read: async (...args) => note(await storage.read(...args)),
    } satisfies RowStorage,
  }
}

describe('the first screen', () => {
  /** A visit that keeps a thousand records more than the list of five names. */
  async function createLongKept() {
    const storage = memoryStorage()
    const visits = createVisits(storage)
    const { visit, answers } = visits
    answers['GET /todo?old=true'] = Array.from({ length: 1000 }, (_, id) => ({ id: id + 100, title: 'Old' }))
    const first = visit()
    await persisted(first).ready
    await first.fetch(todos.getList, { old: true })
    await persisted(first).flush()
    await first.fetch(todos.getList)
    await persisted(first).flush()
    return { ...visits, first }
  }

  async function rowsUntilShown(
    visits: Awaited<ReturnType<typeof createLongKept>>,
    options: PersistOptions = {},
  ) {
    const { storage, count, times } = countingReads(visits.storage)
    const controller = visits.visit({ storage, ...options })
    let rows: number | undefined
    let reads: number | undefined
    controller.subscribe(todos.getList, ({ data }) => {
      if (data === undefined) return
      rows ??= count()
      reads ??= times()
    })
    visits.requests.length = 0
    const fetched = controller.fetch(todos.getList)
    await fetched
    const shown = { rows, reads }
    await persisted(controller).ready
    return { controller, ...shown, all: count() }
  }

  test('of a call that is asked for costs the rows that it names, however much is kept', async () => {
    const visits = await createLongKept()
    await visits.close(visits.first)
    const { rows, reads, all, controller } = await rowsUntilShown(visits)
    // The version, when rows were used, the call, and one row with its records.
    expect(rows).toBe(4)
    // Two waits for the storage: for the call, and for its records.
    expect(reads).toBe(2)
    expect(all).toBeGreaterThan(16)
    expect(controller.read(todos.getList).data).toMatchObject([{ title: 'Five', user: { name: 'Ann' } }, {}])
    expect(controller.read(todos.getList, { old: true }).data).toHaveLength(1000)
  })

  test('has a nested record that was set after the list was kept, from its own row', async () => {
    const visits = await createLongKept()
    const { first, answers } = visits
    // Fills the open row, so that the next record is in another one.
    answers['GET /todo?old=false'] = Array.from({ length: 64 }, (_, id) => ({ id: id + 2000, title: 'New' }))
    await first.fetch(todos.getList, { old: false })
    await persisted(first).flush()
    first.set(Todo, { id: 5 }, { user: { id: 9, name: 'Bo' } as User })
    await visits.close(first)
    answers['GET /todo'] = undefined
    const { storage, count } = countingReads(visits.storage)
    const controller = visits.visit({ storage })
    const shown: unknown[] = []
    controller.subscribe(todos.getList, ({ data }) => shown.push([data?.[0]?.user?.name, count()]))
    await controller.fetch(todos.getList).catch(() => {})
    // One row more than above.
    expect(shown).toContainEqual(['Bo', 5])
    expect(shown.filter((name) => (name as unknown[])[0] === 'Ann')).toEqual([])
  })

  test('does not wait for records of a class that is not kept', async () => {
    const visits = await createLongKept()
    await visits.close(visits.first)
    const { rows } = await rowsUntilShown(visits, { exclude: [User] })
    expect(rows).toBe(4)
  })

  test('waits for all rows if a record is in none that is known, and shows no part of a list', async () => {
    const visits = await createLongKept()
    await visits.close(visits.first)
    const [[key, row] = ['', null]] = await visits.storage.list(
      'persist/selfsame//c/GET https://api.test/todo',
    )
    await visits.storage.write([[key, JSON.stringify({ ...JSON.parse(row as string), beside: [] })]])
    visits.answers['GET /todo'] = undefined
    const { storage, count } = countingReads(visits.storage)
    const controller = visits.visit({ storage })
    const lengths: unknown[] = []
    controller.subscribe(todos.getList, ({ data }) => lengths.push([data?.length, count() > 16]))
    await controller.fetch(todos.getList).catch(() => {})
    expect(lengths.filter((length) => (length as unknown[])[0] !== undefined)).toContainEqual([2, true])
    expect(lengths).not.toContainEqual([2, false])
    expect(lengths).not.toContainEqual([1, expect.anything()])
  })
})

describe('a record that two tabs have kept, each in its own row, is restored as it was received last', () => {
  /** Two tabs read the same list. Then the first one, whose row comes first, hears more of a record. */
  async function leaveTwo(hear: (first: Controller) => unknown) {
    const visits = createVisits()
    const { clock, visit, close } = visits
    const [first, second] = [visit(), visit()]
    for (const tab of [first, second]) {
      await persisted(tab).ready
      await tab.fetch(todos.getList)
      await persisted(tab).flush()
      clock.advance(10)
    }
    await hear(first)
    await close(first)
    await close(second)
    expect(await visits.storage.list('persist/selfsame//r/')).toHaveLength(2)
    return visits
  }

  test('changed', async () => {
    const { visit } = await leaveTwo((first) => first.set(Todo, { id: 5 }, { id: 5, title: 'Newer' }))
    const third = visit()
    await persisted(third).ready
    expect(third.get(Todo, { id: 5 })?.title).toBe('Newer')
  })

  test('on the first screen', async () => {
    const { visit, answers } = await leaveTwo((first) =>
      first.set(Todo, { id: 5 }, { id: 5, title: 'Newer' }),
    )
    answers['GET /todo'] = undefined
    const third = visit()
    const titles: unknown[] = []
    third.subscribe(todos.getList, ({ data }) => titles.push(data?.[0]?.title))
    third.fetch(todos.getList).catch(() => {})
    await persisted(third).ready
    expect(titles.at(-1)).toBe('Newer')
  })

  test('deleted', async () => {
    const { visit } = await leaveTwo((first) => first.set(new schema.Delete(Todo), { id: 6 }, { id: 6 }))
    const third = visit()
    await persisted(third).ready
    expect(third.get(Todo, { id: 6 })).toBeUndefined()
    expect(third.get(new schema.All(Todo))?.map(({ id }) => id)).toEqual([5])
  })
})

describe('a page that is left', () => {
  /** Changes what was kept, and leaves the page at once: no answer of the storage reaches it any more. */
  async function leaveAfter(change: (controller: Controller) => unknown, isWriting = false) {
    const visits = createVisits()
    const { storage, visit, close, answers } = visits
    const first = visit()
    await first.fetch(todos.getList)
    await close(first)
    let isLeft = false
    const unlessLeft = <Value>(answer: Promise<Value>) => (isLeft ? new Promise<Value>(() => {}) : answer)
    const page = new EventTarget()
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
    const second = visit({
      storage: {
        ...storage,
        list: (...range) => unlessLeft(storage.list(...range)),
        read: (keys) => unlessLeft(storage.read(keys)),
        write: (rows) => unlessLeft(storage.write(rows)),
      },
    })
    await persisted(second).ready
    vi.unstubAllGlobals()
    await change(second)
    isLeft = true
    if (isWriting) void persisted(second).flush()
    await settle()
    page.dispatchEvent(new Event('pagehide'))
    await settle()
    answers['GET /todo'] = undefined
    const third = visit()
    await persisted(third).ready
    return { ...visits, third }
  }
  const titlesIn = (controller: Controller) => controller.get(new schema.All(Todo))?.map(({ title }) => title)

  test('has kept what it deleted last', async () => {
    const { third } = await leaveAfter((second) =>
      second.resolve(todos.delete, { args: [{ id: 6 }], response: { id: 6 } }),
    )
    expect(titlesIn(third)).toEqual(['Five'])
  })

  test('has kept what it was writing', async () => {
    const { third } = await leaveAfter((second) => second.set(new schema.Delete(Todo), { id: 6 }, {}), true)
    expect(titlesIn(third)).toEqual(['Five'])
  })

  test('has kept what it changed last', async () => {
    const { third } = await leaveAfter((second) => second.set(Todo, { id: 5 }, { title: 'Newer' }))
    expect(titlesIn(third)).toEqual(['Newer', 'Six'])
  })

  test('has kept what it received last, and a later visit changes that', async () => {
    const { third, visit, close } = await leaveAfter((second) =>
      second.set(Todo, { id: 7 }, { title: 'Seven' }),
    )
    expect(titlesIn(third)).toEqual(['Five', 'Six', 'Seven'])
    third.set(Todo, { id: 7 }, { title: 'Changed' })
    third.set(new schema.Delete(Todo), { id: 6 }, {})
    await close(third)
    const fourth = visit()
    await persisted(fourth).ready
    expect(titlesIn(fourth)).toEqual(['Five', 'Changed'])
  })

  test('commits at once what it writes to IndexedDB', async () => {
    const commit = vi.spyOn(IDBTransaction.prototype, 'commit')
    const storage = indexedDbStorage({ name: `left ${Math.random()}` })
    await storage.write([['row', 1]])
    expect(commit).toHaveBeenCalledTimes(1)
    expect(await storage.read(['row'])).toEqual([1])
    expect(commit).toHaveBeenCalledTimes(1)
  })
})

test('optimistic data is not kept', async () => {
  const { visit, close, answers } = createVisits()
  answers['PATCH /todo/5'] = undefined
  const first = visit()
  await persisted(first).ready
  await first.fetch(todos.get, { id: 5 })
  first.fetch(todos.partialUpdate, { id: 5 }, { title: 'Hoped for' }).catch(() => {})
  expect(first.get(Todo, { id: 5 })?.title).toBe('Hoped for')
  await close(first)
  const second = visit()
  await persisted(second).ready
  expect(second.get(Todo, { id: 5 })?.title).toBe('Five')
})

describe('the answer of a mutation of an earlier visit, which comes before the list is restored', () => {
  /** A visit in which the outbox sends at once what was made before, and the storage of `persist` is read later. */
  async function comeBack(made: (controller: Controller) => void, answer: Readonly<Record<string, unknown>>) {
    const kept = memoryStorage()
    const held: (() => void)[] = []
    let isHeld = false
    const hold = () => (isHeld ? new Promise<void>((resolve) => held.push(resolve)) : Promise.resolve())
    const storage: RowStorage = {
      ...kept,
      read: (keys) => hold().then(() => kept.read(keys)),
      list: (...range) => hold().then(() => kept.list(...range)),
    }
    const boxStorage = memoryStorage()
    const network = new ManualNetwork()
    const box = () => outbox({ endpoints: [todos], storage: boxStorage, network, locks: null, channel: null })
    const { visit, answers, clock } = createVisits(storage)
    const first = visit({}, box())
    await Promise.all([persisted(first).ready, outboxOf(first).ready])
    await first.fetch(todos.getList)
    network.set(false)
    made(first)
    await Promise.all([persisted(first).flush(), outboxOf(first).written()])
    first.dispose()
    clock.advance(1000)
    isHeld = true
    network.set(true)
    Object.assign(answers, answer)
    delete answers['GET /todo']
    const second = visit({}, box())
    const seen: (readonly string[])[] = []
    const titles = () => (second.read(todos.getList).data ?? []).map(({ title }) => title)
    second.subscribe(todos.getList, () => void seen.push(titles()))
    await settle()
    isHeld = false
    for (const go of held) go()
    await persisted(second).ready
    await settle()
    expect(outboxOf(second).mutations).toEqual([])
    return { controller: second, titles: titles(), seen }
  }

  test('a created record is in the list, and does not vanish meanwhile', async () => {
    const { titles, seen } = await comeBack(
      (controller) => void controller.fetch(todos.getList.push, { title: 'New' } as never).catch(() => {}),
      { 'POST /todo': { id: 7, title: 'New' } },
    )
    expect(titles).toEqual(['Five', 'Six', 'New'])
    expect(seen.filter((each) => each.length > 0 && !each.includes('New'))).toEqual([])
  })

  test('an answer with a part of the fields leaves the others', async () => {
    const { controller, titles, seen } = await comeBack(
      (controller) =>
        void controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'Edited' }).catch(() => {}),
      { 'PATCH /todo/5': { id: 5, title: 'Edited' } },
    )
    expect(titles).toEqual(['Edited', 'Six'])
    expect(controller.get(Todo, { id: 5 })?.user?.name).toBe('Ann')
    expect(seen.filter((each) => each.length > 0 && each[0] !== 'Edited')).toEqual([])
  })

  test('a deleted record does not come back', async () => {
    const { titles, seen } = await comeBack(
      (controller) => void controller.fetch(todos.delete, { id: 5 }).catch(() => {}),
      { 'DELETE /todo/5': {} },
    )
    expect(titles).toEqual(['Six'])
    expect(seen.filter((each) => each.includes('Five'))).toEqual([])
  })
})

test('data older than maxAge is not shown', async () => {
  const { visit, close, clock } = createVisits()
  const first = visit()
  await persisted(first).ready
  await first.fetch(todos.get, { id: 5 })
  await close(first)
  clock.advance(5000)
  const second = visit({ maxAge: 4000 })
  await persisted(second).ready
  expect(second.get(Todo, { id: 5 })).toBeUndefined()
})

test('include and exclude name classes and endpoints', async () => {
  const { visit, close, storage } = createVisits()
  const first = visit({ include: [todos.getList, User], exclude: [] })
  await persisted(first).ready
  await first.fetch(todos.getList)
  await first.fetch(todos.get, { id: 5 })
  await close(first)
  const keys = (await storage.list('persist/selfsame//')).map(([key]) => key)
  expect(keys.filter((key) => key.startsWith('persist/selfsame//c/'))).toEqual([
    `persist/selfsame//c/GET ${urlPrefix}/todo`,
  ])
  const second = visit()
  await persisted(second).ready
  expect([second.get(User, { id: 1 })?.name, second.get(Todo, { id: 5 })]).toEqual(['Ann', undefined])
})

test.each(['include', 'exclude'] as const)('%s takes a resource for all of its endpoints', async (option) => {
  const { visit, close, storage } = createVisits()
  const others = createResource({ urlPrefix, path: '/other/:id', schema: Todo })
  const first = visit({ [option]: [option === 'include' ? todos : others] })
  await persisted(first).ready
  await first.fetch(todos.getList)
  await first.fetch(todos.get, { id: 5 })
  first.setResponse(others.get, { id: 6 }, { id: 6 })
  first.setResponse(others.getList, [{ id: 6 }])
  await close(first)
  const keys = (await storage.list('persist/selfsame//c/')).map(([key]) => key)
  expect(keys.toSorted()).toEqual([
    `persist/selfsame//c/GET ${urlPrefix}/todo`,
    `persist/selfsame//c/GET ${urlPrefix}/todo/5`,
  ])
})

test.each([undefined, 'todo', { get: 5 }, 7])('a wrong member is refused where it is given: %j', (wrong) => {
  expect(() => persist({ include: [todos.getList, wrong as never] })).toThrow(
    `persist() received ${String(wrong)} in "include", at [1]. Pass Entity classes, endpoints and resources.`,
  )
  expect(() => persist({ exclude: [wrong as never] })).toThrow('in "exclude", at [0]')
})

test('the types of include and exclude', () => {
  expectTypeOf([todos, todos.get, User]).toExtend<PersistOptions['include']>()
  // @ts-expect-error an option of a resource is none
  void (() => persist({ include: [{ path: '/todo' }] }))
})

test('resetAll deletes it, a scope keeps users apart, and keepScopes keeps it for the return', async () => {
  let user = 'ann'
  const { visit, close, storage } = createVisits(memoryStorage(), { scope: () => user })
  const first = visit({ keepScopes: true })
  await persisted(first).ready
  await first.fetch(todos.get, { id: 5 })
  await persisted(first).flush()
  user = 'bob'
  first.resetAll()
  await persisted(first).ready
  expect(first.get(Todo, { id: 5 })).toBeUndefined()
  user = 'ann'
  first.resetAll()
  await persisted(first).ready
  expect(first.get(Todo, { id: 5 })?.title).toBe('Five')
  await close(first)
  const second = visit()
  await persisted(second).ready
  second.resetAll()
  await persisted(second).ready
  expect((await storage.list('persist/selfsame/ann/')).map(([key]) => key)).toEqual([
    'persist/selfsame/ann/version',
  ])
})

test.each([true, false])(
  'a user who signs out while rows are written leaves none to the next one (keepScopes: %s)',
  async (keepScopes) => {
    let user = 'ann'
    const inner = memoryStorage()
    const held: (() => void)[] = []
    let isHeld = false
    const storage: RowStorage = {
      ...inner,
      write: async (rows) => {
        if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
        await inner.write(rows)
      },
    }
    const { visit, answers } = createVisits(storage, { scope: () => user, keepScopes })
    answers['GET /todo'] = Array.from({ length: 1000 }, (_, id) => ({ id: id + 1, title: 'Of Ann' }))
    const controller = visit()
    await persisted(controller).ready
    await controller.fetch(todos.getList)
    isHeld = true
    const flushing = persisted(controller).flush()
    await settle()
    expect(held).toHaveLength(1)
    user = 'bob'
    controller.resetAll()
    isHeld = false
    held[0]?.()
    await flushing
    await persisted(controller).ready
    await persisted(controller).flush()
    const keysOf = async (scope: string) =>
      (await inner.list(`persist/selfsame/${scope}/`)).map(([key]) => key)
    expect(await keysOf('bob')).toEqual(['persist/selfsame/bob/version'])
    // The slice that was under way, and no call that names the others.
    const left = await keysOf('ann')
    expect(left.filter((key) => key.includes('/r/'))).toHaveLength(keepScopes ? 8 : 0)
    expect(left.filter((key) => key.includes('/c/'))).toEqual([])
    expect(controller.get(Todo, { id: 5 })).toBeUndefined()
  },
)

test.each([
  ['a reset', (controller: Controller) => controller.resetAll()],
  ['disposal', (controller: Controller) => controller.dispose()],
])('%s while the storage is read leaves nothing that listens to the store', async (_, end) => {
  const inner = memoryStorage()
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const storage: RowStorage = {
    ...inner,
    read: async (keys) => {
      await held
      return inner.read(keys)
    },
  }
  const { visit, close } = createVisits(storage)
  const controller = visit()
  await settle()
  end(controller)
  release()
  await persisted(controller).ready
  await close(controller)
  await settle()
  expect(callsOf(controller).store.journal).toBeUndefined()
})

describe('a scope that changes without a reset', () => {
  /** Ann signs in, or signs out and Bob signs in, while `between` runs; then Bob opens the page. */
  async function seenByBob(
    first: string | undefined,
    between: (controller: Controller, signIn: (name: string | undefined) => void) => Promise<void>,
  ) {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    let user = first
    const storage = memoryStorage()
    const { clock, visit, close } = createVisits(storage, { scope: () => user })
    const controller = visit()
    await persisted(controller).ready
    await between(controller, (name) => (user = name))
    await persisted(controller).flush()
    clock.advance(2000)
    const rows = (await storage.list('')).map(([key]) => key).filter((key) => /\/[cr]\//.test(key))
    user = undefined
    controller.resetAll()
    await close(controller)
    user = 'bob'
    const next = visit()
    await persisted(next).ready
    return { rows, seen: next.get(Todo, { id: 5 })?.title, warned: warned.mock.calls.map(String) }
  }

  test.each([
    ['a sign-in', undefined, ['ann']],
    ['another user', 'ann', ['bob']],
    ['a sign-out', 'ann', [undefined]],
    ['a user who is back', undefined, ['ann', undefined]],
  ] as const)('keeps nothing that is received after %s, and says so', async (_, first, users) => {
    const { rows, seen, warned } = await seenByBob(first, async (controller, signIn) => {
      signIn(users[0])
      controller.set(Todo, { id: 5 }, { id: 5, title: 'secret' } as never)
      await controller.fetch(todos.getList)
      if (users.length > 1) signIn(users[1])
    })
    expect({ rows, seen }).toEqual({ rows: [], seen: undefined })
    expect(warned).toEqual([expect.stringMatching(/The `scope` of persist\(\) changed without/)])
  })

  test('says nothing if the reset comes at once, such as that of another tab', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const session: { user?: number } = { user: 1 }
    const { clock, visit } = createVisits(memoryStorage(), { scope: () => session.user })
    const controller = visit()
    await persisted(controller).ready
    delete session.user
    await controller.fetch(todos.getList)
    await persisted(controller).flush()
    clock.advance(1900)
    controller.resetAll()
    clock.advance(2000)
    expect(warned).not.toHaveBeenCalled()
  })

  test('keeps the data of a user whose id is a number, and finds it by the same text', async () => {
    let user: number | string = 0
    const { visit, close, storage } = createVisits(memoryStorage(), { scope: () => user })
    const first = visit()
    await persisted(first).ready
    await first.fetch(todos.getList)
    await close(first)
    const rows = (await storage.list('')).map(([key]) => key)
    expect(rows.every((key) => key.includes('/0/'))).toBe(true)
    user = '0'
    const second = visit()
    await persisted(second).ready
    expect(second.read(todos.getList).data).toHaveLength(2)
  })

  test('keeps data again after the reset, in the new scope', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const session: { user?: string } = {}
    const { visit, close } = createVisits(memoryStorage(), { scope: () => session.user })
    const first = visit()
    await persisted(first).ready
    session.user = 'ann'
    await first.fetch(todos.getList)
    first.resetAll()
    await persisted(first).ready
    await first.fetch(todos.get, { id: 5 })
    await close(first)
    const second = visit()
    await persisted(second).ready
    expect(second.get(Todo, { id: 5 })?.title).toBe('Five')
    expect(second.read(todos.getList).status).toBe('Invalid')
  })

  test('shows nothing of the user before who is still being restored', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    let user = 'ann'
    const inner = memoryStorage()
    const { visit, close } = createVisits(inner, { scope: () => user })
    const first = visit()
    await persisted(first).ready
    await first.fetch(todos.getList)
    await close(first)
    const storage: RowStorage = {
      ...inner,
      list: async (...range) => {
        user = 'bob'
        return inner.list(...range)
      },
    }
    const second = visit({ storage })
    await persisted(second).ready
    expect(second.get(Todo, { id: 5 })).toBeUndefined()
  })
})

test('another version is migrated or dropped', async () => {
  const { visit, close } = createVisits()
  const first = visit()
  await persisted(first).ready
  await first.fetch(todos.get, { id: 5 })
  await close(first)
  const second = visit({
    version: 2,
    migrate: (entity, fields, from) =>
      entity === 'Todo' ? { ...(fields as object), title: `From ${from}` } : undefined,
  })
  await persisted(second).ready
  expect([second.get(Todo, { id: 5 })?.title, second.get(User, { id: 1 })]).toEqual(['From 1', undefined])
  await close(second)
  const third = visit({ version: 3 })
  await persisted(third).ready
  expect(third.get(Todo, { id: 5 })).toBeUndefined()
})

test('rows that cannot be read are dropped with a warning that names one', async () => {
  const { visit, close, storage } = createVisits()
  const first = visit()
  await persisted(first).ready
  await first.fetch(todos.get, { id: 5 })
  await close(first)
  await storage.write([
    ['persist/selfsame//r/broken', { $: 'strange' }],
    [`persist/selfsame//c/GET ${urlPrefix}/todo/6`, 'half'],
  ])
  const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const second = visit()
  await persisted(second).ready
  expect(second.get(Todo, { id: 5 })?.title).toBe('Five')
  expect(told.mock.calls.map(([text]) => String(text))).toEqual([
    expect.stringMatching(/cannot be read, such as .*\/r\/broken/),
  ])
  expect((await storage.list('')).map(([key]) => key)).not.toContain('persist/selfsame//r/broken')
})

test('a record of another form is left out, and those beside it are shown', async () => {
  const { visit, close, storage, clock } = createVisits()
  const first = visit()
  await persisted(first).ready
  await first.fetch(todos.getList)
  await close(first)
  const [[key, row] = ['', []]] = await storage.list('persist/selfsame//r/')
  const strange = [
    { key: 'Todo', pk: '7', at: clock.now(), fields: { user: { $record: 5 } } },
    { key: 8 },
    null,
    ...(JSON.parse(row as string) as []),
  ]
  await storage.write([[key, JSON.stringify(strange)]])
  const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const second = visit()
  await persisted(second).ready
  expect(second.read(todos.getList).data).toMatchObject([
    { title: 'Five', user: { name: 'Ann' } },
    { title: 'Six' },
  ])
  expect(told).toHaveBeenCalled()
})

test('what is restored is no change, and a list in a restored record is kept when it changes', async () => {
  class Comment extends Entity {
    id = 0
    board = 0
    static override key = 'Comment'
  }
  class Board extends Entity {
    id = 0
    comments: Comment[] = []
    static override key = 'Board'
    static override schema = {
      comments: new schema.Collection([Comment], {
        nestKey: (board: { id: number }) => ({ board: board.id }),
      }),
    }
  }
  const boards = createResource({ urlPrefix, path: '/board/:id', schema: Board })
  const comments = createResource({
    urlPrefix,
    path: '/comment/:id',
    schema: Comment,
  })
  const { visit, close, answers } = createVisits()
  answers['GET /board/1'] = { id: 1, comments: [{ id: 1, board: 1 }] }
  answers['POST /comment'] = { id: 2, board: 1 }
  answers['POST /todo'] = { id: 7, title: 'Seven' }
  const first = visit()
  await persisted(first).ready
  await first.fetch(boards.get, { id: 1 })
  await first.fetch(todos.getList)
  await close(first)
  const second = visit()
  await persisted(second).ready
  expect(second.get(Board, { id: 1 })?.comments).toHaveLength(1)
  expect(second.read(todos.getList).data).toHaveLength(2)
  await second.fetch(todos.getList.push, { title: 'Seven' })
  await second.fetch(comments.getList.push, { board: 1 })
  await close(second)
  const third = visit()
  await persisted(third).ready
  expect(third.get(Board, { id: 1 })?.comments.map(({ id }) => id)).toEqual([1, 2])
  expect(third.read(todos.getList).data?.map(({ id }) => id)).toEqual([5, 6, 7])
})

test('user data of the form of a reference is kept as it is', async () => {
  class Note extends Entity {
    id = 0
    content: unknown = undefined
    static override key = 'Note'
  }
  const notes = createResource({ urlPrefix, path: '/note/:id', schema: Note })
  const { visit, close, answers } = createVisits()
  const content = { a: { $list: 3 }, b: { $record: ['Todo', '5'] }, c: { $: { $list: 3 } }, d: [{ $: 1 }] }
  answers['GET /note/1'] = { id: 1, content }
  const first = visit()
  await persisted(first).ready
  await first.fetch(notes.get, { id: 1 })
  await close(first)
  const second = visit()
  await persisted(second).ready
  expect(second.get(Note, { id: 1 })?.content).toEqual(content)
})

test('a full storage drops what was written first, then stops with one warning; one that cannot be opened stops too', async () => {
  const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const inner = memoryStorage()
  let isFull = false
  const full = Object.assign(new Error('No room.'), { name: 'QuotaExceededError' })
  const storage: RowStorage = {
    ...inner,
    write: (rows) =>
      isFull && rows.some(([, row]) => row !== undefined) ? Promise.reject(full) : inner.write(rows),
  }
  const { visit } = createVisits(storage)
  const first = visit()
  await persisted(first).ready
  isFull = true
  for (const id of [5]) await first.fetch(todos.get, { id })
  await persisted(first).flush()
  await persisted(first).flush()
  expect(told).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/its storage is full: No room\./))
  const second = visit({ storage: { ...inner, read: () => Promise.reject(new Error('UnknownError')) } })
  await persisted(second).ready
  expect(await second.fetch(todos.get, { id: 5 })).toMatchObject({ title: 'Five' })
  expect(told).toHaveBeenCalledTimes(2)
})

test('a full storage drops what was used least, with the lists that name it', async () => {
  const inner = memoryStorage()
  let room = Infinity
  const full = Object.assign(new Error('No room.'), { name: 'QuotaExceededError' })
  const storage: RowStorage = {
    ...inner,
    write: async (rows) => {
      const { length } = await inner.list('persist/selfsame//r/')
      const added = rows.filter(([key, row]) => row !== undefined && key.startsWith('persist/selfsame//r/'))
      if (length + added.length > room) throw full
      await inner.write(rows)
    },
  }
  const { visit, close, answers, clock } = createVisits(storage)
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    answers[`GET /todo?list=${name}`] = Array.from({ length: 64 }, (_, id) => ({
      id: `${name}${id}`,
      title: name,
    }))
  const lists = (controller: Controller) =>
    ['a', 'b', 'c', 'd', 'e'].filter((list) => controller.read(todos.getList, { list }).data?.length === 64)
  const first = visit()
  await persisted(first).ready
  for (const list of ['a', 'b', 'c', 'd']) {
    await first.fetch(todos.getList, { list })
    await persisted(first).flush()
    clock.advance(3_600_000)
  }
  await close(first)
  // The oldest list is asked for in another visit.
  const second = visit()
  await persisted(second).ready
  await second.fetch(todos.getList, { list: 'a' })
  await close(second)
  const third = visit()
  await persisted(third).ready
  room = 4
  await third.fetch(todos.getList, { list: 'e' })
  await close(third)
  const fourth = visit()
  await persisted(fourth).ready
  // A quarter of five rows: two.
  expect(lists(fourth)).toEqual(['a', 'd', 'e'])
  expect(fourth.read(todos.getList, { list: 'b' })).toMatchObject({ status: 'Invalid', data: undefined })
  expect(await inner.list('persist/selfsame//c/GET https://api.test/todo?list=b')).toEqual([])
})

describe('the form of a row', () => {
  class Note extends Entity {
    id = 0
    content: unknown = undefined
    static override key = 'Note'
  }

  /** Keeps notes in one row, and returns what the next visit has of them. */
  async function keepNotes(storage: RowStorage, ...contents: readonly unknown[]) {
    const { visit, close } = createVisits(storage)
    const first = visit()
    await persisted(first).ready
    for (const [id, content] of contents.entries()) first.set(Note, { id }, { id, content })
    await close(first)
    const rows = await storage.list('persist/selfsame//r/')
    const second = visit()
    await persisted(second).ready
    return { rows, read: contents.map((_, id) => second.get(Note, { id })?.content) }
  }

  const plain = [
    'text',
    { a: [1, null, { b: false }] },
    { $record: null, more: 1 },
    { $: 1, __proto__: null },
  ]

  test('of plain data is one text', async () => {
    const { rows, read } = await keepNotes(memoryStorage(), ...plain)
    expect(rows.map(([, row]) => typeof row)).toEqual(['string'])
    expect(read).toEqual(plain)
  })

  test.each([
    ['a date', new Date(0)],
    ['undefined in an object', { a: undefined }],
    ['a hole in a list', [1, undefined, 3]],
    ['no number', [Number.NaN, -Infinity]],
    ['bytes', new Uint8Array([1, 2])],
    ['a map', new Map([['a', { $: new Set([1]) }]])],
  ])('of %s is taken apart, and its other records with it', async (_, content) => {
    const { rows, read } = await keepNotes(memoryStorage(), 'before', content, { a: 1 })
    expect(rows.map(([, row]) => Array.isArray(row))).toEqual([true])
    expect(read).toEqual(['before', content, { a: 1 }])
    expect(Object.keys(Object(read[1]))).toEqual(Object.keys(Object(content)))
  })

  test('a change beside data that JSON cannot hold keeps that data', async () => {
    const { visit, close } = createVisits()
    const first = visit()
    await persisted(first).ready
    first.set(Note, { id: 1 }, { id: 1, content: new Date(5) })
    await persisted(first).flush()
    first.set(Note, { id: 2 }, { id: 2, content: 'plain' })
    await close(first)
    const second = visit()
    await persisted(second).ready
    expect(second.get(Note, { id: 1 })?.content).toEqual(new Date(5))
  })

  test('of an earlier version is read, and written anew when it changes', async () => {
    const { visit, close, storage, answers } = createVisits()
    const first = visit()
    await persisted(first).ready
    await first.fetch(todos.getList)
    await close(first)
    const texts = await storage.list('persist/selfsame//')
    const taken = texts.filter(([, row]) => typeof row === 'string')
    expect(taken).toHaveLength(2)
    for (const [key, row] of taken) await storage.write([[key, await pack(JSON.parse(row as string))]])
    const second = visit()
    await persisted(second).ready
    expect(second.read(todos.getList).data).toMatchObject([
      { title: 'Five', user: { name: 'Ann' } },
      { title: 'Six' },
    ])
    answers['GET /todo/5'] = { id: 5, title: 'Changed', user: { id: 1, name: 'Ann' } }
    await second.fetch(todos.get, { id: 5 })
    await close(second)
    expect((await storage.list('persist/selfsame//r/')).map(([, row]) => typeof row)).toEqual(['string'])
    const third = visit()
    await persisted(third).ready
    expect(third.read(todos.getList).data?.map(({ title }) => title)).toEqual(['Changed', 'Six'])
  })

  test('leaves out a record that no storage can hold, with a warning that names it', async () => {
    const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { read } = await keepNotes(memoryStorage(), 'kept', { run() {} })
    expect(read).toEqual(['kept', undefined])
    expect(told).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/leaves out Note "1": .*run is a function/),
    )
  })
})

test('a new row is written without being read, and a large response in slices with the calls last', async () => {
  const { storage, written } = counting(memoryStorage())
  const read: string[] = []
  const { visit, answers } = createVisits({
    ...storage,
    read: (keys) => {
      read.push(...keys)
      return storage.read(keys)
    },
  })
  const lists = Array.from({ length: 40 }, (_, list) => `${list}`)
  for (const list of lists)
    answers[`GET /todo?list=${list}`] = Array.from({ length: 30 }, (_, id) => ({
      id: `${list}-${id}`,
      title: '',
    }))
  const controller = visit()
  await persisted(controller).ready
  for (const list of lists) await controller.fetch(todos.getList, { list })
  const [before, readBefore] = [written.length, read.length]
  await persisted(controller).flush()
  expect(read.slice(readBefore)).toEqual([])
  const kinds = written.slice(before).map((keys) => [...new Set(keys.map((key) => key.split('/')[3]))].join())
  // 1,200 records: 512, 512 and 176, each in rows of 64; then 40 calls.
  expect(kinds).toEqual(['r', 'r', 'r', 'c', 'c'])
  expect(written.slice(before).map(({ length }) => length)).toEqual([8, 8, 3, 32, 8])
})

test('encode and decode change each row', async () => {
  const options: PersistOptions = {
    encode: (row) => btoa(JSON.stringify(row)),
    decode: (row) => JSON.parse(atob(row as string)) as never,
  }
  const { visit, close, storage } = createVisits(memoryStorage(), options)
  const first = visit()
  await persisted(first).ready
  await first.fetch(todos.get, { id: 5 })
  await close(first)
  expect(JSON.stringify(await storage.list('persist/selfsame//r'))).not.toContain('Five')
  const second = visit()
  await persisted(second).ready
  expect(second.get(Todo, { id: 5 })?.title).toBe('Five')
})

test('without IndexedDB and without a storage it does nothing, as on a server', async () => {
  vi.stubGlobal('indexedDB', undefined)
  const controller = new Controller({ middleware: [persist()] })
  vi.unstubAllGlobals()
  expect(persisted(controller).isReady).toBe(true)
  controller.dispose()
})

test('the number of a restored list does not count a record that was deleted before', async () => {
  class Dish extends Entity {
    id = 0
    static override key = 'Dish'
  }
  const dishes = new schema.Collection([Dish])
  const getMenu = new RestEndpoint({ path: '/dish', schema: new Counted({ dishes, total: 0 }, 'total') })
  const storage = memoryStorage()
  const openIt = async () => {
    const controller = new Controller({ middleware: [persist({ storage })] })
    onTestFinished(() => controller.dispose())
    await persisted(controller).ready
    return controller
  }
  const first = await openIt()
  first.setResponse(getMenu, { dishes: [{ id: 1 }, { id: 2 }, { id: 3 }], total: 5 })
  await persisted(first).flush()
  first.set(new schema.Delete(Dish), {}, { id: 2 })
  await persisted(first).flush()
  first.dispose()
  const second = await openIt()
  expect(second.read(getMenu).data).toMatchObject({ dishes: [{ id: 1 }, { id: 3 }], total: 4 })
})
