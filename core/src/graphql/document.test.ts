import { parse, print, visit } from 'graphql'
import { describe, expect, test } from 'vitest'
import { parseDocument, textOf } from './document.js'
import { printDocument } from './print-document.js'

const compact = (text: string) => parseDocument(text, 'query', 'query()').compact

describe('the compact text of a document', () => {
  test.each([
    ['query A { id }', 'query A{id}'],
    ['\uFEFFquery   A\n{\n\tid,\r\n title, }', 'query A{id title}'],
    ['{ id # the "key"\n title }', '{id title}'],
    [
      'query ($a: [Int!]! = [1, -2, 3.5e+2], $b: String = "") { x }',
      'query($a:[Int!]!=[1 -2 3.5e+2]$b:String=""){x}',
    ],
    [
      '{ a ...F ... on User @include(if: $x) { b } } fragment F on A { id }',
      '{a ...F ...on User @include(if:$x){b}}fragment F on A{id}',
    ],
    ['{ f(a: " x  # y ", b: "\\" , ") }', '{f(a:" x  # y " b:"\\" , ")}'],
    ['{ f(a: """ x  "q" \\"""  # y """) }', '{f(a:""" x  "q" \\"""  # y """)}'],
    ['{ f(a: ["", "b"]) }', '{f(a:["" "b"])}'],
  ])('of %j is %j', (text, expected) => {
    expect(compact(text)).toBe(expected)
    expect(print(parse(compact(text)))).toBe(print(parse(text)))
  })

  test('differs where the document does', () => {
    expect(compact('{ f(a: "x y") }')).not.toBe(compact('{ f(a: "x  y") }'))
    expect(compact('{ a b }')).not.toBe(compact('{ ab }'))
  })

  test('is there for text that no server would take', () => {
    expect(compact('{ f(a: "x ) % }')).toBe('{f(a:" x)%}')
  })

  test('is found in time that grows with the text alone', () => {
    const hostile = `{ f(a: """${'"" '.repeat(50_000)}`
    const start = performance.now()
    compact(hostile)
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})

describe('the operation of a document', () => {
  test.each([
    ['query GetArticle($id: ID! = { a: 1 }) @live { id }', 'GetArticle'],
    ['query { query { mutation } }', undefined],
    ['{ id }', undefined],
    ['fragment F on A { query } query B { ...F } fragment query on A { id }', 'B'],
    ['query query { id }', 'query'],
    ['# mutation X { id }\nquery Y { f(a: "mutation Z { id }") }', 'Y'],
  ])('in %j is %s', (text, name) => {
    expect(parseDocument(text, 'query', 'query()').name).toBe(name)
  })

  test.each([
    ['', 'query() received a document without an operation.\n  Write one, for example `query Name { … }`.'],
    [
      'fragment F on A { id }',
      'query() received a document without an operation.\n  Write one, for example `query Name { … }`.',
    ],
    [
      'query A { id } query B { id }',
      'query() received a document with 2 operations.\n  Make one endpoint for each operation. They may share fragments.',
    ],
    ['mutation A { id }', 'query() received a mutation.\n  Declare it with mutation().'],
    [
      'subscription { id }',
      'query() received a subscription.\n  Pass it to stream() of graphqlSubscriptions, and the stream to the query that it keeps fresh.',
    ],
  ])('has to be one query: %j', (text, message) => {
    expect(() => parseDocument(text, 'query', 'query()')).toThrow(
      expect.objectContaining({ code: 'definition-invalid', message }),
    )
  })
})

const everything = `
  query Everything($id: ID!, $list: [Int!]! = [1, -2], $in: In = { a: "x\\n\\"y\\"", b: null, c: [ENUM, 1.5e3] } @d) @live(ttl: 5) {
    first: article(id: $id, deep: { a: { b: $list } }) @include(if: true) @skip(if: $s) {
      id
      ...Parts @defer
      ... on Article @x { title }
      ... @include(if: false) { content }
      ... { block(text: """
        many
          lines "quoted"
      """) }
    }
  }
  fragment Parts on Article @y { author { id name } }
`

describe('a document node', () => {
  test('is printed as it was parsed, every kind of node included', () => {
    const node = parse(everything)
    expect(parse(printDocument(node), { noLocation: true })).toEqual(
      parse(print(node).replace(/"""[^]*"""/, JSON.stringify('many\n  lines "quoted"')), {
        noLocation: true,
      }),
    )
  })

  test('is printed as it is, and not as the text that it was once parsed from', () => {
    const node = visit(parse('{ article { id } }'), {
      SelectionSet: (set, _key, parent) =>
        parent !== undefined && 'kind' in parent && parent.kind === 'Field'
          ? {
              ...set,
              selections: [...set.selections, { kind: 'Field', name: { kind: 'Name', value: '__typename' } }],
            }
          : undefined,
    })
    expect(node.loc?.source.body).toBe('{ article { id } }')
    expect(compact(textOf(node, undefined))).toBe('query{article{id __typename}}')
  })

  test('without locations, as code generators write it, has the text of its source', () => {
    const source = 'query A($id: ID!) { article(id: $id) { id title } }'
    const generated = JSON.parse(JSON.stringify(parse(source, { noLocation: true }))) as ReturnType<
      typeof parse
    >
    expect(compact(textOf(generated, undefined))).toBe(compact(source))
  })

  test('may be printed by graphql', () => {
    expect(textOf(parse('{ a }'), undefined, print)).toBe('{\n  a\n}')
  })

  test('of type definitions is an error that names what it found', () => {
    expect(() => printDocument(parse('type A { id: ID }'))).toThrow(
      expect.objectContaining({
        code: 'definition-invalid',
        message: `A document has a node of the kind ObjectTypeDefinition, which is not a part of a query or a mutation.
  Pass the whole document, or set the option \`print\`.`,
      }),
    )
  })
})

test('a document that is an object of text is its text', () => {
  // oxlint-disable-next-line no-new-wrappers, unicorn/new-for-builtins
  expect(textOf(new String('{ a }'), undefined)).toBe('{ a }')
})
