import { describe, expect, test } from 'vitest'
import { Controller, Endpoint, Entity, schema } from '../index.js'
import { dehydrate, hydrate } from '../hydration.js'
import type { Schema } from '../index.js'
import { optimistic } from '../optimistic/optimistic.js'

// Hostile data by every way into the store: fields named `__proto__`, and deep nesting.

class Note extends Entity {
  id = 0
  note: unknown
  static override key = 'Note'
}
class Folder extends Entity {
  id = 0
  main: Note | undefined
  notes: Note[] = []
  named: Readonly<Record<string, Note>> = {}
  meta: unknown
  static override key = 'Folder'
  static override schema = { main: Note, notes: [Note], named: new schema.Values(Note), meta: { inner: {} } }
}

const hostile = (value: number) => `"__proto__":{"polluted":${value},"list":[${value}]}`
const note = (id: number, value: number) =>
  `{"id":${id},${hostile(value)},"note":{${hostile(value)},"value":${value}},"constructor":${value}}`
const folder = (value: number) =>
  `{"id":1,${hostile(value)},"main":${note(1, value)},"notes":[${note(2, value)}],` +
  `"named":{${hostile(value).replace(/:\{.*/, `:${note(3, value)}`)}},"meta":{${hostile(value)},"inner":{${hostile(value)}}}}`

const shapes: [name: string, schema: Schema | undefined, payload: (value: number) => string][] = [
  ['no schema', undefined, (value) => `{${hostile(value)},"list":[{${hostile(value)}}],"value":${value}}`],
  [
    'an object',
    { main: Note },
    (value) => `{${hostile(value)},"main":${note(1, value)},"rest":{${hostile(value)}}}`,
  ],
  [
    'objects in objects',
    { a: { b: [Note] }, next: '' },
    (value) => `{${hostile(value)},"a":{${hostile(value)},"b":[${note(1, value)}]}}`,
  ],
  ['a list', [Folder], (value) => `[${folder(value)}]`],
  ['a list of objects', [{ note: Note }], (value) => `[{${hostile(value)},"note":${note(1, value)}}]`],
  ['a map', new schema.Values(Note), (value) => `{"__proto__":${note(1, value)},"a":${note(2, value)}}`],
  [
    'a map of objects',
    new schema.Values(new schema.Object({ note: Note })),
    (value) => `{"__proto__":{${hostile(value)},"note":${note(1, value)}}}`,
  ],
  ['a Collection', new schema.Collection([Folder]), (value) => `[${folder(value)}]`],
  [
    'a Collection of a map',
    new schema.Collection(new schema.Values(Note)),
    (value) => `{"__proto__":${note(1, value)}}`,
  ],
  ['a union', new schema.Union({ note: Note }, 'type'), (value) => `{"type":"none",${hostile(value)}}`],
  ['one record', Folder, folder],
]

/** The objects in a reader's data with an unexpected prototype. */
function polluted(value: unknown, place = 'data', seen = new Set<unknown>()): string[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  const prototype: unknown = Object.getPrototypeOf(value)
  const isKnown = [Object.prototype, Array.prototype, Note.prototype, Folder.prototype, null].includes(
    prototype as object | null,
  )
  const inner = Object.keys(value).flatMap((name) =>
    polluted(Object.getOwnPropertyDescriptor(value, name)?.value, `${place}.${name}`, seen),
  )
  return isKnown ? inner : [place, ...inner]
}

let endpoints = 0
const endpointOf = (answer: Schema | undefined, next: () => unknown, options: object = {}) =>
  new Endpoint((_params: object) => Promise.resolve(next()), {
    name: `foreign${endpoints++}`,
    schema: answer as Schema,
    ...options,
  })

describe.each(shapes)('__proto__ in %s never becomes a prototype (G7)', (_shape, answerSchema, payload) => {
  const parse = (value: number): unknown => JSON.parse(payload(value))

  test.each([false, true])('of answers, owned: %s', async (ownsPayload) => {
    const controller = new Controller()
    let value = 0
    const call = endpointOf(answerSchema, () => parse(value), { ownsPayload })
    for (value of [1, 1, 2, 3]) {
      expect(polluted(await controller.fetch(call, {}))).toEqual([])
      expect(polluted(controller.read(call, {}).data)).toEqual([])
    }
    expect(JSON.stringify(controller.read(call, {}).data)).toContain('3')
  })

  test('of setResponse, of what is hydrated, and of a mutation with what it is expected to give', async () => {
    const server = new Controller()
    const call = endpointOf(answerSchema, () => parse(4))
    for (const value of [1, 2]) {
      server.setResponse(call, {}, parse(value))
      expect(polluted(server.read(call, {}).data)).toEqual([])
    }
    const page = new Controller()
    hydrate(page, JSON.parse(JSON.stringify(dehydrate(server))) as never)
    expect(page.read(call, {}).data).toEqual(server.read(call, {}).data)
    expect(polluted(page.read(call, {}).data)).toEqual([])
    const save = endpointOf(answerSchema, () => parse(4), {
      sideEffect: true,
      getOptimisticResponse: optimistic(() => parse(3)),
      update: () => ({ [call.key({})]: () => parse(3) }),
    })
    const saving = page.fetch(save, {})
    expect(polluted(page.read(call, {}).data)).toEqual([])
    expect(polluted(await saving)).toEqual([])
    expect(polluted(page.read(call, {}).data)).toEqual([])
  })
})

test('__proto__ in what is set never becomes a prototype (G7)', () => {
  const controller = new Controller()
  for (const value of [1, 2]) {
    controller.set(Folder, { id: 1 }, JSON.parse(folder(value)) as never)
    expect(polluted(controller.get(Folder, { id: 1 }))).toEqual([])
  }
})

test('a hydrated record with a field called __proto__ is of its class (G7)', () => {
  const controller = new Controller()
  controller.set(Note, { id: 1 }, { note: 'a' })
  const state = JSON.stringify(dehydrate(controller)).replace('"note"', `${hostile(1)},"note"`)
  const page = new Controller()
  hydrate(page, JSON.parse(state) as never)
  expect(page.get(Note, { id: 1 })).toMatchObject({ id: 1, note: 'a' })
  expect(page.get(Note, { id: 1 })).toBeInstanceOf(Note)
})

test('a late answer adds a field called constructor', async () => {
  const controller = new Controller()
  let answer = (_value: unknown) => {}
  const call = new Endpoint((_params: object) => new Promise((resolve) => (answer = resolve)), {
    name: 'late',
    schema: Note as Schema,
  })
  const reading = controller.fetch(call, { id: 1 })
  controller.set(Note, { id: 1 }, { note: 'newer' })
  answer({ id: 1, note: 'older', constructor: 'sent' })
  await reading
  expect({ ...controller.get(Note, { id: 1 }) }).toEqual({ id: 1, note: 'newer', constructor: 'sent' })
})

describe('10,000 levels exhaust no stack', () => {
  const levels = 10_000
  function deep(innermost: unknown, kind: 'objects' | 'lists' = 'objects'): unknown {
    let value = innermost
    for (let level = 0; level < levels; level++) value = kind === 'lists' ? [value] : { nested: value }
    return value
  }
  function depthOf(value: unknown): number {
    let depth = 0
    for (let at = value; typeof at === 'object' && at !== null; depth++) [at] = Object.values(at) as unknown[]
    return depth
  }

  test.each(['objects', 'lists'] as const)(
    '%s without a schema, answered three times and dehydrated',
    (kind) => {
      const controller = new Controller()
      const call = endpointOf(undefined, () => undefined)
      for (const leaf of [1, 1, 2]) {
        controller.setResponse(call, {}, deep(leaf, kind))
        expect(depthOf(controller.read(call, {}).data)).toBe(levels)
      }
      const page = new Controller()
      hydrate(page, dehydrate(controller))
      expect(depthOf(page.read(call, {}).data)).toBe(levels)
    },
  )

  test.each([
    [{ meta: {}, note: Note }],
    [new schema.Object({ note: Note })],
    [new schema.Values(new schema.Object({ note: Note }))],
  ])('beside a record in %o, answered three times and dehydrated', (answerSchema) => {
    const controller = new Controller()
    const call = endpointOf(answerSchema as Schema, () => undefined)
    for (const leaf of [1, 1, 2]) {
      const object = { note: { id: 1, note: 'a' }, deep: deep(leaf), meta: { deep: deep(leaf) } }
      controller.setResponse(call, {}, answerSchema instanceof schema.Values ? { object } : object)
    }
    const page = new Controller()
    hydrate(page, dehydrate(controller))
    const data = page.read(call, {}).data as { deep: unknown } | { object: { deep: unknown } }
    expect(depthOf('object' in data ? data.object.deep : data.deep)).toBe(levels)
  })

  test('a field of a record, set, answered and dehydrated', async () => {
    const controller = new Controller()
    const call = endpointOf(Note, () => ({ id: 1, note: deep(3) }))
    for (const leaf of [1, 1, 2]) controller.set(Note, { id: 1 }, { note: deep(leaf) })
    await controller.fetch(call, { id: 1 })
    await controller.fetch(call, { id: 1 })
    const page = new Controller()
    hydrate(page, dehydrate(controller))
    expect(depthOf(page.get(Note, { id: 1 })?.note)).toBe(levels)
  })

  test('a field of a record that its class judges, and the answer of a mutation', async () => {
    class Judged extends Note {
      static override key = 'Judged'
      static override validate(record: { note?: unknown }) {
        return record.note === undefined ? 'note is missing' : undefined
      }
    }
    const controller = new Controller()
    const save = endpointOf(Judged, () => ({ id: 1, note: deep(2) }), {
      sideEffect: true,
      getOptimisticResponse: optimistic(() => ({ id: 1, note: deep(1) })),
    })
    const saving = controller.fetch(save, { id: 1 })
    expect(depthOf(controller.get(Judged, { id: 1 })?.note)).toBe(levels)
    await saving
    expect(depthOf(controller.get(Judged, { id: 1 })?.note)).toBe(levels)
  })

  test('plain data with cycles, answered twice', () => {
    const graph = () => {
      const [a, b]: Record<string, unknown>[] = [{ name: 'a' }, { name: 'b' }]
      Object.assign(a!, { a, b, list: [a, b] })
      Object.assign(b!, { a, b, list: [b, a] })
      return a
    }
    const controller = new Controller()
    const call = endpointOf(undefined, () => undefined)
    controller.setResponse(call, {}, graph())
    controller.setResponse(call, {}, graph())
    const data = controller.read(call, {}).data as { b: { list: { a: { b: { name: string } } }[] } }
    expect(data.b.list[1]?.a.b.name).toBe('b')
  })
})
