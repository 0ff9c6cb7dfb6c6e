import { Session } from 'node:inspector'
import type { Profiler } from 'node:inspector'
import { afterAll, expect, test } from 'vitest'
import { generateGraphQL } from './generate-graphql.js'
import { answer, generateRaw } from './testing-generate.js'

// A description of twice the size takes twice the work. Work is counted: reads of the description, what the code of this package runs, and what
// is written.

const text = { type: 'string' }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: object, ...required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
})
const record = (properties: object = {}) => object({ id: { type: 'integer' }, ...properties }, 'id')

/** The schemas of a description: the first ones are returned by paths, each by one of its own. */
type Schemas = Readonly<Record<string, object>>
const many = (count: number, schemaAt: (at: number) => Schemas): Schemas =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => Object.entries(schemaAt(at))).flat())

function describe(schemas: Schemas) {
  const names = Object.keys(schemas).filter((name) => name.startsWith('S'))
  const path = (name: string): [string, object] => [
    `/${name.toLowerCase()}/{id}`,
    { get: { tags: [`t${Number(name.slice(1)) % 10}`], responses: { 200: answer(ref(name)) } } },
  ]
  return { openapi: '3.1.0', paths: Object.fromEntries(names.map(path)), components: { schemas } }
}

/** Counts how often the parts of a description are read. */
function readsOf(description: object): number {
  let count = 0
  const watched = new WeakMap<object, object>()
  const watch = <T>(value: T): T => {
    if (typeof value !== 'object' || value === null) return value
    const known = watched.get(value)
    if (known !== undefined) return known as T
    const proxy = new Proxy(value, {
      get: (target, name, receiver) => {
        count++
        return watch(Reflect.get(target, name, receiver) as unknown)
      },
      getOwnPropertyDescriptor: (target, name) => {
        count++
        return Reflect.getOwnPropertyDescriptor(target, name)
      },
    })
    watched.set(value, proxy)
    return proxy as T
  }
  generateRaw(watch(description))
  return count
}

// A function that was compiled before this has no counters, so this is before all work, and stays.
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
afterAll(() => session.disconnect())

/** What the engine has counted since the last time. */
function countsOfEngine(): readonly Profiler.ScriptCoverage[] {
  let found: readonly Profiler.ScriptCoverage[] = []
  session.post('Profiler.takePreciseCoverage', (_, { result }) => {
    found = result
  })
  return found
}

/** Counts how often functions, branches and loops of this package run, as the engine counts them for coverage. */
function stepsOf(run: () => unknown): number {
  countsOfEngine()
  run()
  const own = countsOfEngine().filter(
    ({ url }) => url.includes('/tools/openapi/src/') && !url.includes('.test.'),
  )
  const ranges = own.flatMap(({ functions }) => functions.flatMap(({ ranges: all }) => all))
  return ranges.reduce((sum, { count }) => sum + count, 0)
}

const lengthOf = (description: object) =>
  generateRaw(description).files.reduce((sum, file) => sum + file.text.length, 0)

const shapes: Readonly<Record<string, (count: number) => Schemas>> = {
  'records on their own': (count) => many(count, (at) => ({ [`S${at}`]: record({ [`name${at}`]: text }) })),
  'a ring of records': (count) =>
    many(count, (at) => ({ [`S${at}`]: record({ next: ref(`S${(at + 1) % count}`) }) })),
  'a ring of objects': (count) =>
    many(count, (at) => ({ [`S${at}`]: object({ next: ref(`S${(at + 1) % count}`) }) })),
  'a ring of lists': (count) =>
    many(count, (at) => ({ [`S${at}`]: { type: 'array', items: ref(`S${(at + 1) % count}`) } })),
  'a ring of maps': (count) =>
    many(count, (at) => ({
      [`S${at}`]: { type: 'object', additionalProperties: ref(`S${(at + 1) % count}`) },
    })),
  'a chain of records': (count) =>
    many(count, (at) => ({ [`S${at}`]: record(at + 1 === count ? {} : { next: ref(`S${at + 1}`) }) })),
  'a chain of objects with a record at its end': (count) =>
    many(count, (at) => ({ [`S${at}`]: at + 1 === count ? record() : object({ next: ref(`S${at + 1}`) }) })),
  'chains of aliases': (count) =>
    many(count, (at) => ({ [`S${at}`]: at % 10 === 9 ? record() : ref(`S${at + 1}`) })),
  'nests of allOf': (count) =>
    many(count, (at) => ({
      [`S${at}`]: at % 10 === 9 ? record() : { allOf: [ref(`S${at + 1}`), object({ [`own${at}`]: text })] },
    })),
  'nests of allOf, with each part twice': (count) =>
    many(count, (at) => ({
      [`S${at}`]: at % 10 === 9 ? record() : { allOf: [ref(`S${at + 1}`), ref(`S${at + 1}`)] },
    })),
  'choices of three': (count) =>
    many(count, (at) => ({
      [`S${at}`]: record({ any: { oneOf: [0, 1, 2].map((step) => ref(`S${(at + step) % count}`)) } }),
    })),
  'one choice of all': (count) => ({
    S0: {
      oneOf: Array.from({ length: count }, (_, at) => ref(`K${at}`)),
      discriminator: { propertyName: 'kind' },
    },
    ...many(count, (at) => ({ [`K${at}`]: record({ kind: text }) })),
  }),
  'parents of a tree, and what may be null': (count) =>
    many(count, (at) => ({
      [`S${at}`]: record({ parent: ref(`P${at}`) }),
      [`P${at}`]: {
        ...object({ kind: text, up: ref(`P${at >> 1}`) }),
        discriminator: { propertyName: 'kind' },
      },
      [`N${at}`]: { ...record({ [`n${at}`]: text }), type: ['object', 'null'] },
    })),
  'inline objects that are equal': (count) =>
    many(count, (at) => ({ [`S${at}`]: record({ inner: record({ name: text }), [`own${at}`]: text }) })),
}

const expectTwice = (small: number, large: number) => {
  expect(large / small).toBeGreaterThan(1.4)
  expect(large / small).toBeLessThan(2.1)
}

test.each(Object.keys(shapes))('twice the size is twice the work: %s', (name) => {
  const [small, large] = [200, 400].map((count) => describe(shapes[name]!(count)))
  const steps = (description: object) => stepsOf(() => generateRaw(description))
  for (const work of [readsOf, steps, lengthOf]) expectTwice(work(small!), work(large!))
})

test('twice the size is twice the work: Swagger 2', () => {
  const [small, large] = [200, 400].map((count) => {
    const names = Array.from({ length: count }, (_, at) => `S${at}`)
    const to = (at: number) => ({ $ref: `#/definitions/S${at % count}` })
    return {
      swagger: '2.0',
      paths: Object.fromEntries(
        names.map((name, at) => [
          `/${name}/{id}`,
          { get: { tags: [`t${at % 10}`], responses: { 200: { description: '', schema: to(at) } } } },
        ]),
      ),
      definitions: Object.fromEntries(names.map((name, at) => [name, record({ next: to(at + 1) })])),
    }
  })
  const steps = (description: object) => stepsOf(() => generateRaw(description))
  for (const work of [readsOf, steps, lengthOf]) expectTwice(work(small!), work(large!))
})

test('twice the size is twice the work: types, unions, interfaces and connections of GraphQL', () => {
  const [small, large] = [200, 400].map((count) => {
    const types = Array.from({ length: count }, (_, at) => {
      const next = (at + 1) % count
      return `type T${at} implements Named { id: ID!, name: String, next: T${next}, any: U${at}, all: C${at}! }
        union U${at} = T${at} | T${next}
        type C${at} { edges: [E${at}] } type E${at} { cursor: String!, node: T${next} }
        input I${at} { name: String!, inner: I${next} }`
    })
    return `interface Named { id: ID! }\n${types.join('\n')}\ntype Query { first: T0 }`
  })
  const generated = (source: string) => generateGraphQL(source, { source: 'test' })
  expectTwice(
    stepsOf(() => generated(small!)),
    stepsOf(() => generated(large!)),
  )
  const length = (source: string) =>
    generated(source).files.reduce((sum, { text: code }) => sum + code.length, 0)
  expectTwice(length(small!), length(large!))
})
