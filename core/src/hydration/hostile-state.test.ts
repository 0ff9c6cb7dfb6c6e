import fc from 'fast-check'
import { beforeEach, expect, test, vi } from 'vitest'
import { ManualClock } from '../../../conformance/src/clock.js'
import { callsOf } from '../bindings.js'
import { dehydrate, hydrate } from '../hydration.js'
import type { DehydratedState } from '../hydration.js'
import { Controller, Endpoint, Entity, SelfsameError, schema } from '../index.js'
import type { Schema } from '../index.js'
import { createResource } from '../rest.js'

class User extends Entity {
  id = 0
  name = ''
  born: Date | undefined
  friends: readonly User[] = []
  /** Data without a schema. */
  more: unknown
  static override key = 'User'
  static override schema: Record<string, Schema> = { born: Date }
}
User.schema['friends'] = [User]

class Comment extends Entity {
  id = 0
  body = ''
  static override key = 'Comment'
}

class Post extends Entity {
  id = 0
  type = 'post'
  author: User | undefined
  comments: readonly Comment[] = []
  static override key = 'Post'
  static override schema = { author: User, comments: new schema.Collection([Comment]) }
}

const answers: Readonly<Record<string, unknown>> = {
  'GET /post': {
    results: [{ id: 1, author: { id: 1, name: 'Ann', friends: [{ id: 2 }] }, comments: [{ id: 7 }] }],
    next: 'a',
  },
  'GET /post?cursor=a': { results: [{ id: 2, author: 1 }], next: 'b' },
  'GET /post?cursor=b': { results: [{ id: 3 }], next: '' },
  'GET /post/1': { id: 1, comments: [{ id: 7, body: 'hi' }] },
  'POST /post': { id: 9, author: 1, comments: [] },
  'PATCH /post/1': { id: 1, comments: [{ id: 8 }] },
  'POST /comment': { id: 10, body: 'new' },
}

const rest = {
  fetchResponse: async (url: string, { method }: RequestInit) =>
    Response.json(answers[`${method} ${url}`] ?? { detail: 'none' }, {
      status: answers[`${method} ${url}`] === undefined ? 404 : 200,
    }),
} as const
const posts = createResource({ ...rest, path: '/post/:id', schema: Post })
const getPosts = posts.getList.extend({
  schema: { results: new schema.Collection([Post]), next: '' },
  paginationField: 'cursor',
})
const comments = createResource({ ...rest, path: '/comment/:id', schema: Comment })
const answered = <const S extends Schema | undefined>(name: string, answerSchema: S, payload: unknown) =>
  new Endpoint((_params: object = {}) => Promise.resolve(payload as never), { name, schema: answerSchema })
const feed = answered('feed', new schema.Array({ user: User, post: Post }, 'type'), [
  { id: 1, type: 'user' },
  { id: 1, type: 'post' },
])
const map = answered('map', new schema.Values(User), { first: { id: 1 } })
const wrong = answered('wrong', [User], { id: 1 })
const plain = answered('plain', undefined, { at: [{ $list: 0 }], other: { a: null } })
const reads = [
  [getPosts],
  [posts.get, { id: 1 }],
  [posts.get, { id: 404 }],
  [feed],
  [wrong],
  [map],
  [plain],
] as unknown as readonly [typeof plain, object][]

async function serve(): Promise<DehydratedState> {
  const controller = new Controller({ clock: new ManualClock() })
  for (const [endpoint, ...args] of reads) await controller.fetch(endpoint, ...args).catch(() => {})
  await controller.fetch(getPosts.getPage, { cursor: 'a' })
  controller.set(User, { id: 2 }, { name: 'Bob', more: { deep: [1] } })
  const state = dehydrate(controller)
  controller.dispose()
  return JSON.parse(
    JSON.stringify({ ...state, blanks: ['a'], filled: ['b'], pending: ['c'] }),
  ) as DehydratedState
}

/** Values of another form. Each is new, because what is taken belongs to the Controller. */
const values: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  '0': () => 0,
  '-1': () => -1,
  '1.5': () => 1.5,
  '1e999': () => Infinity,
  NaN: () => NaN,
  'an empty text': () => '',
  'a text': () => 'text',
  __proto__: () => '__proto__',
  constructor: () => 'constructor',
  '[]': () => [],
  '[null]': () => [null],
  '[[]]': () => [[]],
  '[{}]': () => [{}],
  'a list with holes': () => Array.from({ length: 2 }),
  '{}': () => ({}),
  '{ toString }': () => ({ toString: 1, valueOf: 1 }),
  '{ toJSON }': () => ({ toJSON: 1 }),
  '{ constructor }': () => ({ constructor: null }),
  '{ __proto__ }': () => JSON.parse('{ "__proto__": { "id": 5 }, "id": 1 }') as unknown,
  'no prototype': () => Object.create(null) as unknown,
  'a record': () => ({ $record: ['User', '1'] }),
  'an unknown record': () => ({ $record: ['Other', '1'] }),
  'a half record': () => ({ $record: ['User'] }),
  'a record without a key': () => ({ $record: null }),
  'a list': () => ({ $list: 0 }),
  'another list': () => ({ $list: 1 }),
  'no list': () => ({ $list: 99 }),
  'half a list': () => ({ $list: '0' }),
  'a list of records': () => [{ $record: ['User', '1'] }, { $record: ['Post', '1'] }],
  'a list of lists': () => [{ $list: 0 }, { $list: 1 }],
  'a record in it': () => ({ a: { $record: ['User', '1'] }, b: [{ $list: 0 }] }),
  escaped: () => ({ $: { $record: ['User', '1'] } }),
  'half escaped': () => ({ $: 5 }),
  'escaped twice': () => ({ $: { $: { $list: 0 } } }),
  'a Date': () => new Date(0),
  'an invalid Date': () => new Date(NaN),
  'a Map': () => new Map([['a', 1]]),
  'a function': () => () => {},
  'a symbol': () => Symbol('a'),
  'a bigint': () => 5n,
  'a deep list': () => {
    let deep: unknown = []
    for (let depth = 0; depth < 20_000; depth++) deep = [deep]
    return deep
  },
  'a cyclic object': () => {
    const cyclic: Record<string, unknown> = { a: 1 }
    cyclic['self'] = cyclic
    return cyclic
  },
}

/** All places in a value, as paths. */
function placesIn(value: unknown, above: readonly string[] = []): string[][] {
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [[...above], ...parts.flatMap(([name, part]) => placesIn(part, [...above, name]))]
}

/** `true` if the object around a place is there. */
function hasPlace(value: unknown, place: readonly string[]): boolean {
  let around = value
  for (const name of place.slice(0, -1)) around = (around as Record<string, unknown> | null)?.[name]
  return place.length === 0 || (typeof around === 'object' && around !== null)
}

/** A copy of a state with another value at a place. */
function withAt(state: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const copy = (Array.isArray(state) ? [...state] : { ...(state as object) }) as Record<string, unknown>
  copy[name] = withAt(copy[name], rest, value)
  return copy
}

/** Returns `true` if data holds anything but plain data, records and dates. */
function leaks(data: unknown, seen = new Set<unknown>()): boolean {
  if (typeof data !== 'object' || data === null || seen.has(data)) return false
  seen.add(data)
  const isOwn = data instanceof Entity || data instanceof Error || data instanceof Map || data instanceof Date
  const prototype: unknown = Object.getPrototypeOf(data)
  if (!isOwn && !Array.isArray(data) && prototype !== Object.prototype && prototype !== null) return true
  return seen.size < 1000 && Object.values(data).some((part) => leaks(part, seen))
}

/** What a page reads, writes and writes down. @returns what went wrong */
async function use(controller: Controller): Promise<string[]> {
  const wrong: string[] = []
  const attempt = async (name: string, run: () => unknown) => {
    try {
      if (leaks(await run())) wrong.push(`${name} shows what the store has`)
    } catch (error) {
      wrong.push(`${name}: ${String(error)}`)
    }
  }
  const readAll = async () => {
    for (const [endpoint, ...args] of reads)
      await attempt(endpoint.name, () => controller.read(endpoint, ...args).data)
    await attempt('user', () => [1, 2].map((id) => controller.get(User, { id })))
    await attempt('posts', () => controller.get(new schema.All(Post)))
    await attempt('dehydrate', () => void dehydrate(controller))
  }
  await readAll()
  await attempt('create', () => controller.fetch(posts.create, {}))
  await attempt('edit', () => controller.fetch(posts.partialUpdate, { id: 1 }, {}))
  await attempt('create in a record', () => controller.fetch(comments.create, {}))
  await attempt('page', () => controller.fetch(getPosts.getPage, { cursor: 'b' }))
  await attempt('set', () => controller.set(User, { id: 1 }, { name: 'Eve' }))
  await readAll()
  return wrong
}

/** Hydrates a state. @returns `false` if it is refused as it has to be: nothing of it is there */
function isTaken(controller: Controller, state: unknown, isOfPage = false): boolean {
  const before = dehydrate(controller)
  try {
    hydrate(controller, state as DehydratedState, { isOfPage })
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(SelfsameError)
    expect(error).toMatchObject({ code: 'argument-invalid' })
    expect(dehydrate(controller)).toEqual(before)
    return false
  }
}

const open = () => new Controller({ clock: new ManualClock() })

/** What a Controller has done before a state arrives. */
const ways: Readonly<Record<string, (controller: Controller, state: DehydratedState) => unknown>> = {
  'a new Controller': () => {},
  'one with data': (controller) => use(controller),
  'a later part of a page': (controller, state) => {
    hydrate(controller, structuredClone(state), { isOfPage: true })
    for (const [endpoint, ...args] of reads) controller.read(endpoint, ...args)
  },
}

beforeEach(() => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  return () => warned.mockRestore()
})

test('a state with other values in any places is refused as a whole, or taken and used', async () => {
  const state = await serve()
  const change = fc.record({
    place: fc.constantFrom(...placesIn(state)),
    value: fc.constantFrom(...Object.keys(values)),
  })
  const outcomes = { taken: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 2 }),
      fc.constantFrom(...Object.keys(ways)),
      fc.boolean(),
      async (changes, way, isOfPage) => {
        const controller = open()
        let changed: unknown = state
        for (const { place, value } of changes)
          // The first change may have removed the place of the second one.
          if (hasPlace(changed, place)) changed = withAt(changed, place, values[value]?.())
        await ways[way]?.(controller, state)
        outcomes[isTaken(controller, changed, isOfPage) ? 'taken' : 'refused']++
        expect(await use(controller)).toEqual([])
        controller.dispose()
      },
    ),
    { numRuns: 1500 },
  )
  expect(Math.min(outcomes.taken, outcomes.refused)).toBeGreaterThan(200)
})

test.each([
  ['version', '{ toString }'],
  ['version', 'no prototype'],
  ['version', 'a deep list'],
  ['version', 'a cyclic object'],
  ['listed', 'true'],
  ['listed', '{}'],
  ['listed', '[null]'],
  ['records.0.1.0.2', 'a record'],
  ['records.0.1.0.2', 'a list'],
  ['records.0.1.0.2', 'a cyclic object'],
  ['records.0.1.0.2.comments', 'a cyclic object'],
  ['results.0.pages.0.0', 'a record'],
  ['results.0.pages.0', 'a list of lists'],
  ['results.0.pages', 'a deep list'],
])('%s: %s is refused, and nothing is taken', async (place, value) => {
  const state = await serve()
  for (const [way, prepare] of Object.entries(ways)) {
    const controller = open()
    await prepare(controller, state)
    const changed = withAt(state, place.split('.'), values[value]?.())
    expect({ way, isTaken: isTaken(controller, changed) }).toEqual({ way, isTaken: false })
    expect(await use(controller)).toEqual([])
  }
})

test('an error whose code has no text is refused', async () => {
  const state = await serve()
  const error = { name: 'SelfsameError', message: 'failed', code: { toString: 1 }, expiresAt: null }
  expect(isTaken(open(), withAt(state, ['results', '0', 'error'], error))).toBe(false)
})

test.each([
  ['a record', '1'],
  ['a record in it', { a: '1', b: [['7']] }],
  ['a list of records', ['1', '1']],
])(
  'of %s in a field that its class does not declare as one, a reader sees the primary keys',
  async (value, keys) => {
    const state = await serve()
    const records = state.records.map(([key, all]) => [
      key,
      all.map(([pk, stamp, fields]) => [pk, stamp, { ...(fields as object), more: values[value]?.() }]),
    ])
    const controller = open()
    expect(isTaken(controller, { ...state, records })).toBe(true)
    expect(controller.get(User, { id: 2 })?.more).toEqual(keys)
  },
)

test('a class that declares a nested record shows it, beside one that does not', async () => {
  class Summary extends Entity {
    id = 0
    author: unknown
    static override key = 'Post'
  }
  const controller = open()
  hydrate(controller, await serve())
  expect(controller.get(Summary, { id: 1 })?.author).toBe('1')
  expect(controller.get(Post, { id: 1 })?.author).toBeInstanceOf(User)
  expect(controller.get(Summary, { id: 1 })?.author).toBe('1')
})

test('a later part of a page that is refused leaves what the server has shown', async () => {
  const state = await serve()
  const page = open()
  hydrate(page, state, { isOfPage: true })
  expect(isTaken(page, { ...state, listed: 5 }, true)).toBe(false)
  page.set(User, { id: 2 }, { name: 'Eve' })
  expect(callsOf(page).served?.(map as never, [])).toBeDefined()
})
