import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { Controller, Entity, schema } from '../index.js'
import { persist, persisted } from '../persist.js'
import type { PersistOptions } from '../persist.js'
import { createResource } from '../rest.js'
import { memoryStorage, webStorage } from '../storage.js'
import type { RowStorage, Storable } from '../storage.js'

// A row that cannot be read takes nothing else with it, and is told of once.

class Dish extends Entity {
  id = 0
  name = ''
  static override key = 'Dish'
}

class Menu extends Entity {
  id = 0
  title = ''
  dishes: Dish[] = []
  static override key = 'Menu'
  static override schema = { dishes: new schema.Collection([Dish]) }
}

const urlPrefix = 'https://api.test'
const dishes = createResource({ urlPrefix, path: '/dish/:id', schema: Dish })
const menus = createResource({ urlPrefix, path: '/menu/:id', schema: Menu })

/** More than a row takes. */
const count = 70
const answers: Record<string, unknown> = {
  '/dish': Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Dish ${index + 1}` })),
  '/menu/7': { id: 7, title: 'Lunch', dishes: [{ id: 1, name: 'Dish 1' }] },
  '/menu/8': { id: 8, title: 'Dinner', dishes: [{ id: 2, name: 'Dish 2' }] },
}
const fetch = async (url: string) => Response.json(answers[url.slice(urlPrefix.length)] ?? [])

let told: string[] = []
beforeEach(() => {
  told = []
  vi.spyOn(console, 'warn').mockImplementation((text: unknown) => void told.push(String(text)))
})
afterEach(() => void vi.restoreAllMocks())

/** The warnings of what cannot be read. */
const toldOfRows = () => told.filter((text) => text.includes('cannot be read'))

function open(storage: RowStorage, options: PersistOptions = {}) {
  const controller = new Controller({
    fetch: fetch as typeof globalThis.fetch,
    middleware: [persist({ storage, ...options })],
  })
  onTestFinished(() => controller.dispose())
  return controller
}

async function close(controller: Controller) {
  await persisted(controller).flush()
  controller.dispose()
  await new Promise<void>((resolve) => setImmediate(resolve))
}

/** A storage in which a visit has kept a list of many dishes, and two menus. */
async function visited(storage: RowStorage = memoryStorage()) {
  const controller = open(storage)
  await persisted(controller).ready
  await controller.fetch(dishes.getList)
  // Rows of their own.
  await persisted(controller).flush()
  for (const id of [7, 8]) await controller.fetch(menus.get, { id })
  await close(controller)
  return storage
}

const shown = (controller: Controller) => ({
  dishes: Array.from({ length: count }, (_, index) => controller.get(Dish, { id: index + 1 })?.name),
  menus: [7, 8].map((id) => controller.read(menus.get, { id }).data?.title),
})

/** Returns what is wrong in a page with a bad row: it lacks what is in others, or keeps no more. @param key - of the bad row */
async function findWrong(storage: RowStorage, key: string): Promise<string[]> {
  told = []
  const wrong: string[] = []
  const controller = open(storage)
  await persisted(controller).ready
  const { dishes: names, menus: titles } = shown(controller)
  const isOfRecords = key.includes('/r/')
  const missing = names.filter((name) => name === undefined).length
  // Those of one row at most. What is of an unknown version is dropped.
  const most = key.endsWith('/version') ? count : isOfRecords ? 64 : 0
  if (missing > most) wrong.push(`${missing} dishes are missing`)
  if (most === 0 && !titles.includes('Dinner')) wrong.push('another call is missing')
  if (told.some((text) => text.includes('stores nothing'))) wrong.push('it has stopped')
  if (toldOfRows().length > 1) wrong.push('it warns more than once')
  // What it asks for and what it receives goes on.
  await controller.fetch(dishes.getList)
  controller.set(Dish, { id: 1 }, { name: 'Changed' })
  await close(controller)
  const next = open(storage)
  await persisted(next).ready
  if (next.get(Dish, { id: 1 })?.name !== 'Changed') wrong.push('a change is not kept')
  if (shown(next).dishes.includes(undefined)) wrong.push('what was received is not kept')
  next.dispose()
  return wrong
}

const others = [undefined, null, {}, [1], [null], 'x', 5, true]

/** Each copy of a value that differs in one place: there is something else, or nothing. */
function* damaged(value: unknown, depth = 5): Iterable<readonly [place: string, copy: unknown]> {
  for (const other of others) yield ['', other]
  if (depth === 0 || typeof value !== 'object' || value === null) return
  const names = Object.keys(value).slice(0, Array.isArray(value) ? 2 : 20)
  for (const name of names) {
    const copyWith = (part: unknown) => {
      const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
      copy[name] = part
      if (part === undefined && !Array.isArray(value)) delete copy[name]
      return copy
    }
    for (const [place, part] of damaged((value as Record<string, unknown>)[name], depth - 1))
      yield [`${place === '' ? '' : `${place} in `}${name}`, copyWith(part)]
  }
}

/** One row of each kind: its key and what it has. */
const kinds: readonly [string, RegExp][] = [
  ['of many records', /\/r\/.*-0-/],
  ['of records with lists', /\/r\/.*-[12]-/],
  ['of a call', /\/c\/.*\/menu\/7$/],
  ['of a list', /\/c\/.*\/dish$/],
  ['with the version', /\/version$/],
]

test.each(kinds)(
  'a row %s that is damaged in any place leaves the others, and the page keeps what it receives',
  async (_, pattern) => {
    const storage = await visited()
    const rows = await storage.list('')
    const [key, row] = rows.find(([each]) => pattern.test(each)) ?? ['', null]
    expect(key).not.toBe('')
    const isText = typeof row === 'string'
    const wrong: string[] = []
    for (const [place, copy] of damaged(isText ? JSON.parse(row) : row)) {
      const fresh = memoryStorage()
      await fresh.write(rows)
      await fresh.write([[key, isText ? JSON.stringify(copy ?? null) : ((copy ?? null) as Storable)]])
      for (const what of await findWrong(fresh, key))
        wrong.push(`${what}: ${JSON.stringify(copy)?.slice(0, 60)} at ${place || 'its root'}`)
    }
    expect(wrong).toEqual([])
  },
)

test.each<[string, Storable]>([
  ['a number', 5],
  ['nothing', null],
  ['a text that is cut', '[{"key":"Dish","pk'],
  ['a list', [1]],
  ['an object', { half: 'written' }],
  ['bytes', new Uint8Array([1, 2])],
  ['a call without a state', JSON.stringify({ key: 'x', at: Date.now() })],
  ['a call without stamps', JSON.stringify({ key: 'x', at: Date.now(), state: { results: [], lists: [] } })],
  [
    'a call whose stamps are none',
    JSON.stringify({ key: 'x', at: Date.now(), state: { results: [], lists: [], stamps: [5] } }),
  ],
  [
    'a call with other rows that are none',
    JSON.stringify({ key: 'x', at: Date.now(), beside: 5, state: { results: [], lists: [], stamps: [] } }),
  ],
])('a row that is %s is left out with one warning', async (_, row) => {
  const storage = await visited()
  const rows = await storage.list('')
  const bad = rows.flatMap(([key]) => (/\/[cr]\//.test(key) ? [`${key}-bad`, `${key}-worse`] : []))
  await storage.write(bad.map((key) => [key, row]))
  const controller = open(storage)
  await persisted(controller).ready
  expect(shown(controller)).toEqual({
    dishes: Array.from({ length: count }, (_each, index) => `Dish ${index + 1}`),
    menus: ['Lunch', 'Dinner'],
  })
  expect(told).toEqual([expect.stringMatching(/persist\(\).*cannot be read.*-bad/)])
})

test('a record that cannot be read is left out of its row with a warning, and stays gone', async () => {
  const storage = await visited()
  const rows = await storage.list('')
  const [key, row] = rows.find(([each]) => /\/r\/.*-0-/.test(each)) ?? ['', null]
  const [first, second, ...rest] = JSON.parse(row as string) as readonly { readonly pk: string }[]
  await storage.write([[key, JSON.stringify([null, { ...second, at: 'x' }, ...rest])]])
  const controller = open(storage)
  await persisted(controller).ready
  const missing = [first, second].map((record) => Number(record?.pk))
  expect(missing.map((id) => controller.get(Dish, { id }))).toEqual([undefined, undefined])
  expect(shown(controller).dishes.filter((name) => name !== undefined)).toHaveLength(count - 2)
  expect(toldOfRows()).toEqual([expect.stringContaining(key)])
})

test('a record that cannot be migrated is left out, and the others are shown', async () => {
  const storage = await visited()
  const controller = open(storage, {
    version: 2,
    migrate: (_entity, fields) => {
      const { name, ...others } = fields as { name?: string }
      if (name === 'Dish 3') throw new TypeError('It has another form.')
      return { ...others, ...(name !== undefined && { name: `${name}!` }) }
    },
  })
  await persisted(controller).ready
  expect(shown(controller).dishes.slice(0, 5)).toEqual([
    'Dish 1!',
    'Dish 2!',
    undefined,
    'Dish 4!',
    'Dish 5!',
  ])
  expect(told).toEqual([expect.stringMatching(/Dish.*3.*another form/)])
})

test('a text that is cut in `localStorage` is left out with a warning', async () => {
  const texts = new Map<string, string>()
  const storage = webStorage({
    get length() {
      return texts.size
    },
    key: (index) => [...texts.keys()][index] ?? null,
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  })
  await visited(storage)
  for (const [key, text] of texts) if (key.endsWith('/dish')) texts.set(key, text.slice(1, -5))
  const controller = open(storage)
  await persisted(controller).ready
  expect(controller.read(dishes.getList).data).toBeUndefined()
  expect(shown(controller).menus).toEqual(['Lunch', 'Dinner'])
  expect(toldOfRows()).toHaveLength(1)
})

test('a call that has only failed is not kept, and does not take the place of what was kept', async () => {
  const storage = memoryStorage()
  let fails = true
  const openFailing = () => {
    const controller = new Controller({
      fetch: (async (url: string) =>
        fails ? new Response(null, { status: 503 }) : fetch(url)) as typeof globalThis.fetch,
      middleware: [persist({ storage })],
    })
    onTestFinished(() => controller.dispose())
    return controller
  }
  const calls = async () => (await storage.list('')).filter(([key]) => key.includes('/c/'))

  const first = openFailing()
  await persisted(first).ready
  await expect(first.fetch(dishes.getList)).rejects.toThrow('503')
  await persisted(first).flush()
  expect(await calls()).toEqual([])
  fails = false
  await first.fetch(dishes.getList)
  await close(first)
  const kept = await calls()
  expect(kept).toHaveLength(1)

  fails = true
  const second = openFailing()
  await persisted(second).ready
  await expect(second.fetch(dishes.getList)).rejects.toThrow('503')
  await close(second)
  const third = openFailing()
  await persisted(third).ready
  expect(third.read(dishes.getList).data).toHaveLength(count)
  expect(toldOfRows()).toEqual([])
})

test('an error is not kept beside the data: after a reload the call is requested again', async () => {
  const storage = memoryStorage()
  let requests = 0
  const openIt = () => {
    const controller = new Controller({
      fetch: (async (url: string) =>
        ++requests === 2 ? new Response(null, { status: 503 }) : fetch(url)) as typeof globalThis.fetch,
      middleware: [persist({ storage })],
    })
    onTestFinished(() => controller.dispose())
    return controller
  }
  const first = openIt()
  await persisted(first).ready
  await first.fetch(dishes.getList)
  await persisted(first).flush()
  await expect(first.fetch(dishes.getList)).rejects.toThrow('503')
  await close(first)
  const second = openIt()
  await persisted(second).ready
  second.expireAll(dishes.getList)
  expect(second.read(dishes.getList)).toMatchObject({ error: undefined, status: 'Stale' })
  expect(second.read(dishes.getList).data).toHaveLength(count)
  await second.fetchIfStale(dishes.getList)
  expect(requests).toBe(3)
})

test.each(['failed', 'invalidated', 'aborted'])(
  'a call that was never answered and is %s is not kept',
  async (how) => {
    const storage = memoryStorage()
    const controller = new Controller({
      fetch: (async (_url: string, { signal }: RequestInit) => {
        if (how === 'aborted')
          await new Promise((_, reject) =>
            signal?.addEventListener('abort', () => reject(signal.reason as Error)),
          )
        return new Response(null, { status: 503 })
      }) as typeof globalThis.fetch,
      middleware: [persist({ storage })],
    })
    onTestFinished(() => controller.dispose())
    await persisted(controller).ready
    const leaving = new AbortController()
    const list = dishes.getList.extend({ signal: leaving.signal })
    const asked = controller.fetch(list).catch(() => {})
    if (how === 'aborted') leaving.abort()
    await asked
    if (how === 'invalidated') controller.invalidateAll(dishes.getList)
    await close(controller)
    expect((await storage.list('')).filter(([key]) => key.includes('/c/'))).toEqual([])
    expect(toldOfRows()).toEqual([])
  },
)
