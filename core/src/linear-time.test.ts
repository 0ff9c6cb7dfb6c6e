import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainOf } from './bindings.js'
import { GQLEndpoint } from './graphql.js'
import { Endpoint, Entity, Query, schema } from './index.js'
import { RestEndpoint, linkParams } from './rest.js'

// Each input is so large that the test ends only if the work is linear: superlinear work would take hours, or all memory.

/** The length of hostile text, in characters. */
const length = 100_000
/** The count of levels of a value in which each object occurs twice: it names 2 ** levels values. */
const levels = 100

const endpointOf = (path: string, urlPrefix = '') => new RestEndpoint({ path, urlPrefix })

describe('testKey', () => {
  test.each([
    ['/:a-:b-:c', '-'],
    ['/:a-:b-:c-:d-:e-:f-:g', '-'],
    ['/:a.:b', '.'],
    ['/*a-*b', 'x/-'],
    ['/*a/*b/*c', 'x/'],
    ['/:a~:b{-:c}{.:d}{-:e}', 'x-.'],
    [`/${'{a'.repeat(30)}${'}'.repeat(30)}x`, 'a'],
    [`/${'{:p#{-:q#}}'.repeat(10).replace(/#/g, () => String(count++))}x`, '-'],
    [`/${'{:p#}'.repeat(20).replace(/#/g, () => String(count++))}`, 'x'],
  ])('of %s ends for a long key of "%s"', (path, part) => {
    const endpoint = endpointOf(path)
    const hostile = part.repeat(Math.ceil(length / part.length))
    expect(endpoint.testKey(`GET /${hostile}!\n`)).toBe(false)
    expect(endpoint.testKey(`GET /${hostile}^`)).toBe(false)
    expect(endpoint.testKey(hostile)).toBe(false)
  })

  test('is as the grammar says, for any path and address', () => {
    const param = fc.constantFrom(':', '*')
    const text = fc.constantFrom('a', '-', '/', '.', 'a-')
    const { parts } = fc.letrec<{ part: string; parts: string }>((tie) => ({
      part: fc.oneof(
        { maxDepth: 3 },
        text,
        param,
        tie('parts').map((inner) => `{${inner}}`),
      ),
      parts: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((all) => all.join('')),
    }))
    const address = fc.array(fc.constantFrom('a', 'b', '-', '/', '.', '?', ' '), { maxLength: 8 })
    fc.assert(
      fc.property(parts, address, (shape, characters) => {
        let names = 0
        const path = shape.replace(/[:*]/g, (sigil) => `${sigil}p${names++}+`).replaceAll('+', '')
        // Two params without text between them are one name.
        fc.pre(!/p\d+([a-z]|\*)|\}\*/.test(path))
        const source = shape
          .replace(/[.]/g, '\\.')
          .replace(/[{}:*]/g, (mark) => grammar[mark as keyof typeof grammar])
        const url = `/${characters.join('')}`
        const expected = new RegExp(`^/${source}(?:[? ]|$)`).test(url)
        expect([path, url, endpointOf(`/${path}`).testKey(`GET ${url}`)]).toEqual([path, url, expected])
      }),
      { numRuns: 3000 },
    )
  })
})

let count = 0
const value = "[\\w.!~*'()%-]+"
const grammar = { '{': '(?:', '}': ')?', ':': value, '*': `${value}(?:/${value})*` }

describe('linkParams', () => {
  test.each([
    ['<'],
    ['<a'],
    ['<>;'],
    ['<>"'],
    ['<>";'],
    ['<a>; a="'],
    ['<a>; a='],
    ['; '],
    ['<a>;a'],
    [','],
    ['<a>,'],
    ['"'],
    ['\t'],
  ])('ends for a long header of %j', (part) => {
    const hostile = part.repeat(Math.ceil(length / part.length))
    expect(linkParams(hostile)).toBeUndefined()
    expect(linkParams(`<a>; ${hostile}`)).toBeUndefined()
    expect(linkParams(`<a${hostile}`)).toBeUndefined()
    expect(linkParams(`</a?page=2>; rel="next", ${hostile}`)).toEqual({ page: '2' })
  })
})

/** A value in which each object occurs twice. */
function doubled(kind: 'list' | 'object' | 'mixed', leaf: unknown = 'x'): unknown {
  let made = leaf
  for (let level = 0; level < levels; level++) {
    const isList = kind === 'list' || (kind === 'mixed' && level % 2 === 0)
    made = isList ? [made, made] : { a: made, b: made, n: level }
  }
  return made
}

/** The same with other objects of equal content; the last one differs if `leaf` does. */
describe.each(['list', 'object', 'mixed'] as const)('arguments whose objects occur twice (%s)', (kind) => {
  test('have a key of linear length, equal for equal content', () => {
    const read = new Endpoint(async (_given: unknown) => null, { name: 'read' })
    const key = read.key(doubled(kind))
    expect(key.length).toBeLessThan(100 * levels)
    expect(read.key(doubled(kind))).toBe(key)
    expect(read.key(doubled(kind, 'y'))).not.toBe(key)
  })

  test('are keys of mutations, queries, lists, GraphQL variables and bodies', () => {
    const given = { given: doubled(kind) }
    const mutation = new Endpoint(async (_given: object) => null, { name: 'write', sideEffect: true })
    const gql = new GQLEndpoint('/graphql').query('{ a }')
    const search = new RestEndpoint({ path: '/search', method: 'POST', sideEffect: false, body: {} })
    const query = new Query(new schema.All(class extends Entity {}), (all, _given: object) => all)
    const list = new schema.Collection([class extends Entity {}])
    for (const key of [
      mutation.key(given),
      gql.key(given as never),
      search.key(given as never),
      query.key(given),
      new Endpoint(async (_given: object) => [], { name: 'list', schema: list }).key(given),
    ])
      expect(key.length).toBeLessThan(200 * levels)
  })

  test('are copied once by bindings', () => {
    const copy = plainOf(doubled(kind)) as unknown[] | { a: unknown; b: unknown }
    const [first, second] = Array.isArray(copy) ? copy : [copy.a, copy.b]
    expect(first).toBe(second)
  })

  test('are refused as search params', () => {
    expect(() => endpointOf('/a').url({ given: shallow(kind) } as never)).toThrow(
      'has more than 100,000 values',
    )
  })
})

/** 40 levels: fewer than the nesting that is refused. */
function shallow(kind: string): unknown {
  let made: unknown = 'x'
  for (let level = 0; level < 40; level++) made = kind === 'list' ? [made, made] : { a: made, b: made }
  return made
}

describe('the key of a long argument', () => {
  const item = (id: number) => ({
    id,
    title: `This is the title of item ${id}`,
    tags: ['one', 'two', 'three'],
  })
  const read = new Endpoint(async (_given: unknown) => null, { name: 'read' })

  test('is its content, as that of a short one is', () => {
    const items = Array.from({ length: 2000 }, (_, id) => item(id))
    const text = JSON.stringify(items.map(({ id, tags, title }) => ({ id: String(id), tags, title })))
    expect(read.key(items)).toBe(`read [${text}]`)
  })

  test('is equal whether equal parts are one object or several, and in any order of fields', () => {
    const shared = item(1)
    const make = (get: () => object) =>
      Array.from({ length: 500 }, (_, at) => ({ at, part: get(), deep: [get()] }))
    const key = read.key(make(() => shared))
    expect(read.key(make(() => item(1)))).toBe(key)
    expect(read.key(make(() => Object.fromEntries(Object.entries(item(1)).reverse())))).toBe(key)
    expect(read.key(make(() => item(2)))).not.toBe(key)
    const other = make(() => item(1))
    other[499]!.part = item(2)
    expect(read.key(other)).not.toBe(key)
  })

  test('differs for different content (any two values)', () => {
    const long = 'x'.repeat(12_000)
    const leaf = fc.constantFrom('a'.repeat(70), 'b'.repeat(70), 'c')
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('tree'), { maxLength: 4 })),
    }))
    fc.assert(
      fc.property(tree, tree, (a, b) => {
        const isEqual = JSON.stringify(a) === JSON.stringify(b)
        expect(read.key([a, long]) === read.key([b, long])).toBe(isEqual)
        expect(read.key([a, long])).toBe(read.key([JSON.parse(JSON.stringify(a)), long]))
      }),
      { numRuns: 2000 },
    )
  })
})
