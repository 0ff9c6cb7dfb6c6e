import 'fake-indexeddb/auto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { outbox, outboxOf } from '../outbox.js'
import { indexedDbStorage, memoryStorage, webStorage } from '../storage.js'
import type { RowStorage, Storable } from '../storage.js'
import { createOrigin, dishesAt } from './testing-origin.js'
import { settle } from './testing-stage.js'

// A row that cannot be read takes nothing else with it, and is told of.

afterEach(() => void vi.restoreAllMocks())

const dishes = dishesAt('/dish/:id')
type Fields = Readonly<Record<string, Storable | undefined>>

const open = (origin: ReturnType<typeof createOrigin>) => {
  const controller = origin.open((platform) => [outbox({ endpoints: [dishes], ...platform })])
  return { controller, box: outboxOf(controller) }
}

/** A storage with the rows of two mutations, which two dishes have, made without a network by a page that is closed. */
async function withTwoRows(storage: RowStorage = memoryStorage(), onEnd?: (close: () => void) => void) {
  const origin = createOrigin(storage, onEnd)
  origin.network.set(false)
  const { controller, box } = open(origin)
  controller.fetch(dishes.partialUpdate, { id: 1 }, { name: 'first' }).catch(() => {})
  controller.fetch(dishes.partialUpdate, { id: 2 }, { name: 'second' }).catch(() => {})
  await box.written()
  controller.dispose()
  await settle()
  const [[key, row] = ['', null]] = await storage.list('')
  return { origin, key, row: row as Fields }
}

const isFirst = (request: string) => request.includes('/dish/1 ')

const without = (row: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(row).filter(([each]) => each !== name))

/** The fields of a row as it is today: one that has others is tried with those. */
const { row: whole } = await withTwoRows(memoryStorage(), () => {})
const fields = Object.keys(whole)

const others: readonly (readonly [string, Storable | undefined])[] = [
  ['missing', undefined],
  ['null', null],
  ['an empty object', {}],
  ['a list', [1]],
  ['a text', 'x'],
  ['no number', Number.NaN],
  ['without end', Infinity],
  ['true', true],
]

describe.each(fields)('a row whose field "%s" is', (name) => {
  test.each(others)(
    '%s: it is sent as it was made, or told of, and the other one is sent',
    async (_, value) => {
      vi.spyOn(console, 'warn').mockImplementation(() => {})
      const { origin, key, row } = await withTwoRows()
      const rest = without(row, name)
      await origin.storage.write([
        [key, value === undefined ? (rest as Storable) : { ...rest, [name]: value }],
      ])
      const { box } = open(origin)
      // Without a network, because what is sent is not shown any more.
      await box.ready
      origin.network.set(true)
      await settle()
      origin.clock.advance(120_000)
      await settle()
      expect(origin.received.filter((request) => !isFirst(request))).toEqual([
        'PATCH https://api.test/dish/2 {"name":"second"}',
      ])
      const sent = origin.received.filter(isFirst)
      if (sent.length > 0) expect(sent).toEqual(['PATCH https://api.test/dish/1 {"name":"first"}'])
      // It failed, or waits for an endpoint that nobody has given.
      else if (box.mutations[0]?.status === 'waiting')
        expect(box.mutations).toMatchObject([{ isKnown: false }])
      else expect(box.mutations).toMatchObject([{ status: 'failed', error: expect.any(Error) }])
      expect(box.mutations).toHaveLength(sent.length > 0 ? 0 : 1)
    },
  )
})

test.each<[string, (row: Fields) => Storable]>([
  ['`failed` is missing', (row) => without(row, 'failed')],
  ['`done` is missing', (row) => without(row, 'done')],
  ['`failed` is empty', (row) => ({ ...row, failed: {} })],
  ['`failed` has no error', (row) => ({ ...row, failed: { reason: 'refused' } })],
  ['its error has no name', (row) => ({ ...row, failed: { reason: 'refused', error: { message: 'x' } } })],
  [
    'the body of its error is cut',
    (row) => ({
      ...row,
      failed: { reason: 'refused', error: { name: 'NetworkError', message: 'x', body: '{' } },
    }),
  ],
  ['`done` is empty', (row) => ({ ...row, done: {} })],
  ['`touches` has no texts', (row) => ({ ...row, touches: [1] })],
  ['its arguments have an unknown part', (row) => ({ ...row, args: [{ $: 'unknown' }] })],
  ['its idempotency key is missing', (row) => without(row, 'key')],
  ['it may have been sent, and does not say so', (row) => without(row, 'isSent')],
  ['it is a number', () => 7],
  ['it is nothing', () => null],
  ['it is a text', () => 'row'],
  ['it is a list', () => [1, 2]],
  ['it is bytes', () => new Uint8Array([1, 2])],
  ['it is of a later version', (row) => ({ ...row, version: 2 })],
])('a row that is half readable is `unreadable`, and can be dropped: %s', async (_, damage) => {
  const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { origin, key, row } = await withTwoRows()
  await origin.storage.write([[key, damage(row)]])
  const { box } = open(origin)
  await box.ready
  expect(box.isReady).toBe(true)
  expect(box.mutations).toMatchObject([
    { status: 'failed', reason: 'unreadable', isWritten: true },
    { status: 'waiting', args: [{ id: 2 }, { name: 'second' }] },
  ])
  expect(told.mock.calls.map(([text]) => String(text))).toEqual([expect.stringContaining('cannot be read')])
  // Retrying sends what can be read, and that alone.
  await box.retry()
  origin.network.set(true)
  await settle()
  expect(origin.received).toEqual(['PATCH https://api.test/dish/2 {"name":"second"}'])
  await box.drop()
  await settle()
  expect([await origin.storage.list(key), box.mutations]).toEqual([[], []])
})

test('a page goes on with what it makes after a bad row', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { origin, key, row } = await withTwoRows()
  // A time that is none must not count for those that are made now.
  await origin.storage.write([[key, { ...row, at: Number.NaN }]])
  const { controller, box } = open(origin)
  await box.ready
  controller.fetch(dishes.partialUpdate, { id: 3 }, { name: 'third' }).catch(() => {})
  await box.written()
  controller.dispose()
  await settle()
  const next = open(origin)
  await next.box.ready
  expect(next.box.mutations.map(({ reason, args }) => reason ?? args[0])).toEqual([
    'unreadable',
    { id: 2 },
    { id: 3 },
  ])
})

test('many bad rows among good ones are told of one by one, and the good ones are sent', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { origin, key, row } = await withTwoRows()
  const bad = [7, null, { ...row, failed: {} }, { ...row, touches: [1] }, 'text']
  await origin.storage.write(bad.map((each, index) => [`${key}-${index}`, each]))
  const { box } = open(origin)
  await box.ready
  expect(box.mutations.map(({ reason }) => reason)).toEqual([
    undefined,
    ...bad.map(() => 'unreadable'),
    undefined,
  ])
  origin.network.set(true)
  await settle()
  expect(origin.received).toHaveLength(2)
})

test.each<[string, (row: Fields) => Storable]>([
  ['failed without an error', (row) => ({ ...row, failed: {}, edits: 5 })],
  [
    'answered, with a response that cannot be read',
    (row) => ({ ...row, done: { at: 1, hasResponse: true, response: { $: 'x' } } }),
  ],
  ['touches no texts', (row) => ({ ...row, touches: [1], edits: 7 })],
  ['nothing', () => 5],
])('a row that another tab damages stops neither tab: %s', async (_, damage) => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { origin, key, row } = await withTwoRows()
  const tabs = [open(origin), open(origin)]
  for (const { box } of tabs) await box.ready
  await origin.storage.write([[key, damage(row)]])
  // It reads all rows.
  await tabs[0]?.box.retry()
  for (const { box } of tabs) expect(box.isReady).toBe(true)
  origin.network.set(true)
  await settle(30)
  expect(origin.received.filter((request) => !isFirst(request))).toEqual([
    'PATCH https://api.test/dish/2 {"name":"second"}',
  ])
  expect(origin.received.filter(isFirst).length).toBeLessThan(2)
  await tabs[1]?.controller.fetch(dishes.partialUpdate, { id: 3 }, { name: 'third' })
  expect(origin.received.at(-1)).toBe('PATCH https://api.test/dish/3 {"name":"third"}')
})

test.each<[string, Storable]>([
  ['nothing', null],
  ['a number', 7],
  ['an object', {}],
  ['another id', { real: {}, at: 'x' }],
])('a noted id that cannot be read stops nothing: %s', async (_, row) => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { origin, key } = await withTwoRows()
  await origin.storage.write([[key.replace('outbox/', 'outbox-id/').replace(/[^/]*$/, 'new-x-1'), row]])
  const { box } = open(origin)
  await box.ready
  origin.network.set(true)
  await settle()
  expect(origin.received).toHaveLength(2)
})

test.each<[string, () => Promise<never>]>([
  ['rejects', () => Promise.reject(new Error('no'))],
  ['gives no list', () => Promise.resolve(null as never)],
  ['gives no rows', () => Promise.resolve([null, 5] as never)],
  [
    'throws',
    () => {
      throw new Error('no')
    },
  ],
])('`ready` resolves where the storage %s, and mutations are sent', async (_, list) => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const origin = createOrigin({ ...memoryStorage(), list })
  const { controller, box } = open(origin)
  await box.ready
  await controller.fetch(dishes.partialUpdate, { id: 1 }, { name: 'sent' })
  expect(origin.received).toEqual(['PATCH https://api.test/dish/1 {"name":"sent"}'])
})

test('a text that is cut in `localStorage` is told of', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
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
  const { origin, key } = await withTwoRows(storage)
  for (const [name, text] of texts) if (name.endsWith(key)) texts.set(name, text.slice(0, -5))
  const { box } = open(origin)
  await box.ready
  expect(box.mutations.map(({ reason }) => reason)).toEqual(['unreadable', undefined])
  origin.network.set(true)
  await settle()
  expect(origin.received).toHaveLength(1)
})

test('in IndexedDB a row of any clonable value stops nothing', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const name = `bad rows ${Math.random()}`
  const { origin, key } = await withTwoRows(indexedDbStorage({ name }))
  const values = [new Date(), new Map([[1, 2]]), /x/, 5n, [undefined]] as never as Storable[]
  await origin.storage.write(values.map((value, index) => [`${key}-${index}`, value]))
  const { box } = open(origin)
  await box.ready
  expect(box.mutations.filter(({ reason }) => reason === 'unreadable')).toHaveLength(values.length)
  origin.network.set(true)
  await vi.waitFor(() => expect(origin.received).toHaveLength(2))
})

test('the fields of a row are tried', () => {
  expect(fields.length).toBeGreaterThan(10)
  expect(whole).toMatchObject({ failed: null, done: null })
})
