import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { main } from './cli.js'
import { answer, generateRaw } from './testing-generate.js'
import { typeErrors } from './testing-types.js'

// Descriptions that are made to break the generator: each is either written, or refused with an error that names the place.

const folder = mkdtempSync(join(tmpdir(), 'openapi-hostile-'))
afterAll(() => rmSync(folder, { recursive: true }))

const text = { type: 'string' }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: object, ...required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
})
const record = (properties: object = {}) => object({ id: { type: 'integer' }, ...properties }, 'id')

/** A description whose only path returns the first schema. */
const of = (schemas: Readonly<Record<string, unknown>>) => ({
  openapi: '3.1.0',
  paths: { '/x': { get: { tags: ['t'], responses: { 200: answer(ref(Object.keys(schemas)[0] ?? '')) } } } },
  components: { schemas },
})
const withOperation = (operation: unknown) => ({ openapi: '3.1.0', paths: { '/x': { get: operation } } })
const many = (count: number, schemaAt: (at: number) => object) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`S${at}`, schemaAt(at)]))
const nested = (depth: number, around: (inner: object) => object) =>
  Array.from({ length: depth }).reduce<object>((inner) => around(inner), text)

/** What the command prints of a description that it refuses. */
async function refusalOf(description: unknown): Promise<string> {
  const path = join(folder, 'api.json')
  writeFileSync(path, typeof description === 'string' ? description : JSON.stringify(description))
  let output = ''
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      output += String(chunk)
      return true
    }),
  )
  const code = await main([path, '--out', join(folder, 'out'), '--quiet'])
  for (const spy of spies) spy.mockRestore()
  expect(code).toBe(1)
  return output
}

test.each<[string, unknown, string]>([
  [
    'an allOf loop of one',
    of({ A: { allOf: [ref('A'), object({ a: text })] } }),
    'The schema A holds itself by allOf: A → A.',
  ],
  [
    'an allOf loop of two',
    of({
      A: { allOf: [ref('B'), object({ a: text })] },
      B: { allOf: [ref('A'), object({ b: text })] },
    }),
    'The schema A holds itself by allOf: A → B → A.',
  ],
  [
    'an allOf loop of three',
    of({
      A: { allOf: [ref('B'), ref('C')] },
      B: { allOf: [ref('C'), object({ b: text })] },
      C: { allOf: [ref('A')] },
    }),
    'holds itself by allOf: A → B → C → A.',
  ],
  [
    'a choice of itself',
    of({ U: { oneOf: [ref('U'), text] } }),
    'The schema U is a choice of itself: U → U.',
  ],
  [
    'choices of each other',
    of({ U: { oneOf: [ref('V'), text] }, V: { anyOf: [ref('U'), { type: 'number' }] } }),
    'The schema U is a choice of itself: U → V → U.',
  ],
  ['a reference to itself', of({ L: ref('L') }), 'The reference #/components/schemas/L leads to itself'],
  [
    'objects in objects',
    of({ D: nested(300, (inner) => object({ a: inner })) }),
    'nests deeper than 200 levels at #/components/schemas/D/properties/a/properties/a/',
  ],
  [
    'lists in lists',
    of({ D: nested(3000, (items) => ({ type: 'array', items })) }),
    'nests deeper than 200 levels at #/components/schemas/D/items/items/',
  ],
  [
    'a reference that is no text',
    of({ A: object({ a: { $ref: 5 } }) }),
    '#/components/schemas/A/properties/a/$ref is 5. It has to be text.',
  ],
  [
    'a reference of a parameter that is no text',
    withOperation({ parameters: [{ $ref: 5 }] }),
    '#/paths/~1x/get/parameters/0/$ref is 5. It has to be text.',
  ],
  [
    'a reference to nothing',
    of({ A: object({ a: ref('No') }) }),
    'The description has nothing at #/components/schemas/No, but refers to it: A.a.',
  ],
  [
    'a reference that cannot be decoded',
    of({ A: object({ a: ref('%E0%A4%A') }) }),
    'The reference #/components/schemas/%E0%A4%A cannot be decoded: A.a.',
  ],
  [
    'a reference to what is no schema',
    { ...of({ A: object({ a: { $ref: '#/info/title' } }) }), info: { title: 'x' } },
    'The reference #/info/title leads to "x", which is no schema: A.a.',
  ],
  ['null: a schema', of({ A: null }), '#/components/schemas/A is null. It has to be a schema.'],
  [
    'null: a property',
    of({ A: object({ a: null }) }),
    '#/components/schemas/A/properties/a is null. It has to be a schema.',
  ],
  [
    'null: a part of allOf',
    of({ A: { allOf: [null] } }),
    '#/components/schemas/A/allOf/0 is null. It has to be a schema.',
  ],
  [
    'null: the items of a list',
    of({ A: { type: 'array', items: null } }),
    '#/components/schemas/A/items is null. It has to be a schema.',
  ],
  [
    'null: a path',
    { openapi: '3.0.0', paths: { '/x': null } },
    '#/paths/~1x is null. It has to be an object.',
  ],
  ['null: an operation', withOperation(null), '#/paths/~1x/get is null. It has to be an object.'],
  [
    'null: a parameter',
    withOperation({ parameters: [null] }),
    '#/paths/~1x/get/parameters/0 is null. It has to be an object.',
  ],
  [
    'null: a response',
    withOperation({ responses: { 200: null } }),
    '#/paths/~1x/get/responses/200 is null. It has to be an object.',
  ],
  [
    'null: a parameter of Swagger 2',
    { swagger: '2.0', paths: { '/x': { get: { parameters: [null] } } } },
    '#/paths/~1x/get/parameters/0 is null. It has to be an object.',
  ],
  [
    'properties that are a list',
    of({ A: { type: 'object', properties: [] } }),
    '#/components/schemas/A/properties is a list. It has to be an object.',
  ],
  [
    'an enum that is text',
    of({ A: { enum: 'x' } }),
    '#/components/schemas/A/enum is "x". It has to be a list.',
  ],
  [
    'a type that is a number',
    of({ A: { type: 5 } }),
    '#/components/schemas/A/type is 5. It has to be text or a list of text.',
  ],
  [
    'half of a character in a name',
    of({ A: object({ 'a\uD800': text }) }),
    '#/components/schemas/A/properties/a\uFFFD has half of a character (a lone surrogate) in its name.',
  ],
  [
    'half of a character in a text',
    of({ A: { type: 'string', description: 'x\uDC00' } }),
    '#/components/schemas/A/description has half of a character (a lone surrogate).',
  ],
])('is refused with its place: %s', async (_, description, expected) => {
  expect(await refusalOf(description)).toContain(expected)
})

test('aliases of YAML that multiply, or hold themselves, are refused', async () => {
  const lines = Array.from({ length: 9 }, (_, at) => {
    const inner = at === 0 ? 'x' : `*a${at - 1}`
    return `  a${at}: &a${at} [${Array.from({ length: 10 }).fill(inner).join(', ')}]`
  })
  const head = 'openapi: 3.1.0\npaths: {}\n'
  expect(await refusalOf(`${head}x-bomb:\n${lines.join('\n')}\n`)).toContain('more than 5,000,000 parts')
  expect(await refusalOf(`${head}x-loop: &loop\n  inner: *loop\n`)).toContain('nests deeper than 200 levels')
})

const valid: Readonly<Record<string, object>> = {
  'a map of maps': of({ M: { type: 'object', additionalProperties: ref('M') } }),
  'two maps of each other': of({
    M: { type: 'object', additionalProperties: ref('N') },
    N: { type: 'object', additionalProperties: ref('M') },
  }),
  'any JSON': of({
    J: {
      oneOf: [text, { type: 'array', items: ref('J') }, { type: 'object', additionalProperties: ref('J') }],
    },
  }),
  'a map of itself or of records': of({
    M: { type: 'object', additionalProperties: { oneOf: [ref('M'), ref('A')] } },
    A: record(),
  }),
  'a tuple of itself': of({ L: { type: 'array', prefixItems: [ref('L')], items: false } }),
  'kinds that extend their choice': of({
    Pet: {
      oneOf: Array.from({ length: 12 }, (_, at) => ref(`Pet${at}`)),
      discriminator: { propertyName: 'kind' },
    },
    ...Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `Pet${at}`,
        { allOf: [ref('Pet'), record({ kind: text, [`only${at}`]: text })] },
      ]),
    ),
  }),
  'parts of parts, twice each': of(
    many(60, (at) => (at === 59 ? record() : { allOf: [ref(`S${at + 1}`), ref(`S${at + 1}`)] })),
  ),
  'a chain of 60 aliases': of(many(60, (at) => (at === 59 ? record() : ref(`S${at + 1}`)))),
  'a ring of 1,000 records': of(many(1000, (at) => record({ next: ref(`S${(at + 1) % 1000}`) }))),
  'a ring of 300 objects': of(many(300, (at) => object({ next: ref(`S${(at + 1) % 300}`) }))),
  'a ring of 300 lists': of(many(300, (at) => ({ type: 'array', items: ref(`S${(at + 1) % 300}`) }))),
  'objects in objects, 80 deep': of({ D: nested(80, (inner) => object({ a: inner })) }),
}

test('what is odd but has a meaning is written, with strict types', () => {
  const files = Object.entries(valid).flatMap(([name, source]) =>
    generateRaw(source).files.map(({ path, text: code }) => ({
      path: `${name.replace(/\W+/g, '-')}/${path}`,
      text: code,
    })),
  )
  expect(typeErrors(files)).toEqual([])
})

test('a map of itself finds the records of its first level, and the report says so', () => {
  const { remarks } = generateRaw(
    of({
      Root: object({ tree: ref('M') }),
      M: { type: 'object', additionalProperties: object({ a: ref('A'), more: ref('M') }) },
      A: record(),
    }),
  )
  expect(remarks.filter(({ kind }) => kind === 'left').map(({ place }) => place)).toContain('M')
})
