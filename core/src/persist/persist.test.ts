import 'fake-indexeddb/auto'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Controller, Entity } from '../index.js'
import { optimistic } from '../optimistic.js'
import { persist, persisted } from '../persist.js'
import type { PersistOptions } from '../persist.js'
import { createResource } from '../rest.js'
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
  function visit(options: PersistOptions = {}) {
    const controller = new Controller({
      clock,
      fetch: fetch as typeof globalThis.fetch,
      middleware: [persist({ storage, ...common, ...options })],
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
  await persisted(first).flush()
  // 16 buckets of 64 records, and the call.
  expect(written.at(-1)).toHaveLength(17)
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
  const keys = (await storage.list('persist//')).map(([key]) => key)
  expect(keys.filter((key) => key.startsWith('persist//c/'))).toEqual([`persist//c/GET ${urlPrefix}/todo`])
  const second = visit()
  await persisted(second).ready
  expect([second.get(User, { id: 1 })?.name, second.get(Todo, { id: 5 })]).toEqual(['Ann', undefined])
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
  expect((await storage.list('persist/ann/')).map(([key]) => key)).toEqual(['persist/ann/version'])
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

test('rows that cannot be read are dropped with a warning that names them', async () => {
  const { visit, close, storage } = createVisits()
  const first = visit()
  await persisted(first).ready
  await first.fetch(todos.get, { id: 5 })
  await close(first)
  await storage.write([
    ['persist//r/broken', { $: 'strange' }],
    [`persist//c/GET ${urlPrefix}/todo/6`, 'half'],
  ])
  const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const second = visit()
  await persisted(second).ready
  expect(second.get(Todo, { id: 5 })?.title).toBe('Five')
  expect(told.mock.calls.map(([text]) => String(text)).join('\n')).toMatch(
    /cannot be read: persist\/\/c\/GET .*\/todo\/6/,
  )
  expect(told.mock.calls.map(([text]) => String(text)).join('\n')).toMatch(/persist\/\/r\/broken/)
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
  expect(JSON.stringify(await storage.list('persist//r'))).not.toContain('Five')
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
