import { describe, expect, test } from 'vitest'
import { Controller } from '../controller/controller.js'
import { Entity } from '../schema/entity.js'
import * as schema from '../lists/namespace.js'
import type { Schema } from '../schema/schema.js'
import { normalize } from './normalize.js'

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}
class Article extends Entity {
  id: number | string = 0
  title = 'untitled'
  author: User | undefined
  contributors: User[] = []
  related: Article[] = []
  static override key = 'Article'
  static override schema: { [field: string]: Schema } = {
    author: User,
    contributors: [User],
    createdAt: Date,
  }
}
Article.schema = { ...Article.schema, related: [Article] }

/** A record whose primary key is any value of the data. */
class Named extends Entity {
  key: unknown
  static override key = 'Named'
  override pk() {
    return this.key as string
  }
}

function failure(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

describe('normalize', () => {
  test('takes records out, at any depth, and leaves primary keys in their place', () => {
    const response = {
      total: 2,
      results: [
        { id: 5, title: 'Hi', author: { id: 1, name: 'Ann' }, contributors: [{ id: 2, name: 'Bob' }] },
        { id: 6, related: [{ id: 5, title: 'Hello' }] },
      ],
    }
    expect(normalize({ results: [Article] }, response)).toEqual({
      result: { total: 2, results: ['5', '6'] },
      entities: {
        Article: {
          '5': { id: 5, title: 'Hello', author: '1', contributors: ['2'] },
          '6': { id: 6, related: ['5'] },
        },
        User: { '1': { id: 1, name: 'Ann' }, '2': { id: 2, name: 'Bob' } },
      },
    })
  })

  test.each<[string, Schema, unknown, unknown]>([
    ['an entity', User, { id: 1 }, '1'],
    ['a list', [User], [{ id: 1 }, { id: 2 }], ['1', '2']],
    ['schema.Array', new schema.Array(User), [{ id: 1 }], ['1']],
    ['an object', { user: User }, { user: { id: 1 }, n: 1 }, { user: '1', n: 1 }],
    ['schema.Object', new schema.Object({ user: User }), { user: { id: 1 } }, { user: '1' }],
    ['lists in lists', [[User]], [[{ id: 1 }], []], [['1'], []]],
    ['objects in lists', [{ user: User }], [{ user: { id: 1 } }], [{ user: '1' }]],
    ['null', User, null, null],
    ['undefined', User, undefined, undefined],
    ['a null list', [User], null, null],
    ['null in a list', [User], [null, { id: 1 }], [null, '1']],
    ['a null field', { user: User }, { user: null }, { user: null }],
  ])('gives the result of %s', (_, of, response, result) => {
    expect(normalize(of, response).result).toEqual(result)
  })

  test('keeps fields that no schema names as they are (S21)', () => {
    const tags = ['a', { b: [1, null] }]
    const { entities, result } = normalize({ user: User }, { user: { id: 1, tags }, tags, none: null })
    expect(entities.User!['1']).toEqual({ id: 1, tags })
    expect(result).toEqual({ user: '1', tags, none: null })
  })

  test('stores no class defaults (S24)', () => {
    expect(normalize(Article, { id: 5 }).entities.Article!['5']).toEqual({ id: 5 })
  })

  test('keeps what a serializer reads as it was received (S9)', () => {
    const { entities } = normalize(Article, { id: 5, createdAt: '2024-05-17' })
    expect(entities.Article!['5']).toEqual({ id: 5, createdAt: '2024-05-17' })
  })

  test('hands pk() the parent, the name in it and the args', () => {
    const seen: unknown[] = []
    class Spy extends Entity {
      static override key = 'Spy'
      override pk(parent?: unknown, key?: string | number, args?: readonly unknown[]) {
        seen.push([parent, key, args])
        return `${key}`
      }
    }
    const response = { first: { a: 1 }, list: [{ a: 2 }] }
    const { result } = normalize({ first: Spy, list: [Spy] }, response, [{ page: 2 }])
    expect(result).toEqual({ first: 'first', list: ['list'] })
    expect(seen).toEqual([
      [response, 'first', [{ page: 2 }]],
      [response, 'list', [{ page: 2 }]],
    ])
  })

  const inner = { a: 1 }
  const owner = (of: Schema) =>
    class Owner extends Entity {
      static override key = 'Owner'
      static override schema = { field: of }
    }
  // `pk`, `process`, a `schemaAttribute` and a custom schema are all called with the same parent and key.
  test.each<[string, (of: Schema) => Schema, unknown, (payload: never) => [parent: unknown, key: unknown]]>([
    ['the root', (of) => of, inner, () => [undefined, undefined]],
    ['a list that is the root', (of) => [of], [inner], () => [undefined, undefined]],
    ['a list in a list that is the root', (of) => [[of]], [[inner]], () => [undefined, undefined]],
    ['All', (of) => new schema.All(of as never), [inner], () => [undefined, undefined]],
    ['a Collection', (of) => new schema.Collection([of]), [inner], () => [undefined, undefined]],
    ['an object', (of) => ({ data: of }), { data: inner }, (payload) => [payload, 'data']],
    ['a list in an object', (of) => ({ data: [of] }), { data: [inner] }, (payload) => [payload, 'data']],
    [
      'an object in a list',
      (of) => [{ data: of }],
      [{ data: inner }],
      (payload: unknown[]) => [payload[0], 'data'],
    ],
    ['a map', (of) => new schema.Values(of), { name: inner }, (payload) => [payload, 'name']],
    ['a list in a map', (of) => new schema.Values([of]), { name: [inner] }, (payload) => [payload, 'name']],
    ['a record', (of) => owner(of), { id: 7, field: inner }, (payload) => [payload, 'field']],
    ['a list in a record', (of) => owner([of]), { id: 7, field: [inner] }, (payload) => [payload, 'field']],
    [
      'a list of lists in a record',
      (of) => owner([[of]]),
      { id: 7, field: [[inner]] },
      (payload) => [payload, 'field'],
    ],
    [
      'a Collection in a record',
      (of) => owner(new schema.Collection([of])),
      { id: 7, field: [inner] },
      (payload) => [payload, 'field'],
    ],
    [
      'a list in a lazy field',
      (of) => owner(new schema.Lazy(() => [of])),
      { id: 7, field: [inner] },
      (payload) => [payload, 'field'],
    ],
    [
      'a record in a list',
      (of) => [owner([of])],
      [{ id: 7, field: [inner] }],
      (payload: unknown[]) => [payload[0], 'field'],
    ],
    [
      'a union in a list',
      (of) => owner(new schema.Array({ x: of }, () => 'x')),
      { id: 7, field: [inner] },
      (payload) => [payload, 'field'],
    ],
  ])(
    'tells a record in %s the record or object around it, and the name there',
    (_, around, payload, expected) => {
      const seen: Record<string, unknown[]> = {}
      class Spy extends Entity {
        static override key = 'Spy'
        override pk(parent?: unknown, key?: string | number) {
          seen.pk = [parent, key]
          return 'pk'
        }
        static override process(input: Record<string, unknown>, parent?: unknown, key?: string | number) {
          seen.process = [parent, key]
          return input
        }
      }
      normalize(around(Spy), payload)
      const attribute = (_value: unknown, parent: unknown, key: unknown) => {
        seen.attribute = [parent, key]
        return 'x'
      }
      normalize(around(new schema.Union({ x: Spy }, attribute)), payload)
      const [parent, key] = expected(payload as never)
      expect(seen).toEqual({ pk: [parent, key], process: [parent, key], attribute: [parent, key] })
      expect(seen.pk![0]).toBe(parent)
    },
  )

  test('keeps records apart whose primary keys are made of those of their owners', () => {
    class Line extends Entity {
      sku = ''
      static override key = 'Line'
      override pk(parent?: { id: number }) {
        return `${parent?.id},${this.sku}`
      }
    }
    class Order extends Entity {
      id = 0
      static override key = 'Order'
      static override schema = { lines: [Line] }
    }
    const orders = [1, 2].map((id) => ({ id, lines: [{ sku: 'a' }, { sku: 'b' }] }))
    expect(Object.keys(normalize([Order], orders).entities.Line!)).toEqual(['1,a', '1,b', '2,a', '2,b'])
  })

  test('names the list and the place of a value in it that cannot be read', () => {
    class Event extends Entity {
      static override key = 'Event'
      static override schema = { dates: [Date] }
    }
    expect(() => normalize(Event, { id: 1, dates: ['2024-01-01', 'x'] })).toThrow(
      'Field "dates" does not fit its schema, in the payload of normalize(), at dates[1]: it is not a date.',
    )
    expect(() => normalize([Date], ['x'])).toThrow('Field "0" does not fit')
  })

  test('computes a pk that needs getters of its class, before defaults are applied', () => {
    class Slug extends Entity {
      id = 'default'
      title = ''
      static override key = 'Slug'
      get slug() {
        return this.title.toLowerCase()
      }
      override pk() {
        return this.slug
      }
    }
    expect(normalize(Slug, { title: 'Hi' }).result).toBe('hi')
    expect(failure(() => normalize(Article, { title: 'x' }))).toMatchObject({ code: 'pk-missing' })
  })

  test('deletes the record that an answer, or else the args, name (E13)', () => {
    const remove = new schema.Delete(User)
    expect(normalize(remove, { id: 5, name: 'x' }).result).toBe('5')
    expect(normalize(remove, '5').result).toBe('5')
    for (const answer of [null, undefined, {}, [], '']) {
      expect(normalize(remove, answer, [{ id: 7 }])).toEqual({ result: '7', entities: {} })
    }
    const both = { saved: User, removed: remove }
    expect(normalize(both, { saved: { id: 1 }, removed: { id: 1 } }).entities.User).toEqual({})
    expect(failure(() => normalize(remove, null, [{}]))).toMatchObject({ code: 'pk-missing' })
  })
})

describe('a primary key', () => {
  test.each([
    [0, '0'],
    [5, '5'],
    ['5', '5'],
    [-1, '-1'],
    [1.5, '1.5'],
    ['a b', 'a b'],
    ['null', 'null'],
  ])('%o is %o (S2)', (key, pk) => {
    const { result, entities } = normalize(Named, { key })
    expect(result).toBe(pk)
    expect(Object.keys(entities.Named!)).toEqual([pk])
  })

  test('as number and as text is one record (S2)', () => {
    const { result, entities } = normalize(
      [Named],
      [
        { key: 5, a: 1 },
        { key: '5', b: 2 },
      ],
    )
    expect(result).toEqual(['5', '5'])
    expect(entities.Named).toEqual({ '5': { key: '5', a: 1, b: 2 } })
  })

  test.each([
    [undefined, 'undefined', 'key, other'],
    [null, 'null', 'key, other'],
    ['', '""', 'key, other'],
    [Number.NaN, 'NaN', 'key, other'],
    [true, 'true', 'key, other'],
    [{ a: 1 }, '[object Object]', 'key, other'],
  ])('%o is an error that names entity, place and fields (S1)', (key, found, fields) => {
    const response = { results: [{ key: 1 }, { key, other: 'secret' }] }
    const error = failure(() => normalize({ results: [Named] }, response))
    expect(error).toMatchObject({
      code: 'pk-missing',
      status: 400,
      message: `Entity "Named" has no primary key in the payload of normalize(), at results[1].
  pk() returned ${found}; the record has the fields ${fields}.
  No field looks like a primary key. Let the server send one, or build a non-empty string from other fields in pk().`,
    })
  })

  test('that is missing is looked for among the fields that could be one', () => {
    const response = { key: null, title: 'a', id: Number.NaN, slug: '', user_id: 7 }
    expect(failure(() => normalize(Named, response))).toMatchObject({
      message: expect.stringContaining('for example `return String(this.user_id)`.'),
    })
  })

  test('of an inherited id is none (G7)', () => {
    class ById extends Entity {
      static override key = 'ById'
      override pk() {
        return String((this as { constructor?: unknown }).constructor)
      }
    }
    expect(() => normalize(ById, { constructor: 'x' })).not.toThrow()
    expect(failure(() => normalize(User, {}))).toMatchObject({
      message: expect.stringContaining('the record has no fields.') as string,
    })
  })

  test('that throws is an error with the cause', () => {
    class Throwing extends Entity {
      static override key = 'Throwing'
      override pk(): string {
        throw new RangeError('no key')
      }
    }
    const error = failure(() => normalize([Throwing], [{ id: 1 }]))
    expect(error).toMatchObject({ code: 'payload-unusable', status: 400 })
    expect((error as Error).message)
      .toBe(`The schema of normalize() threw an error at [0]: RangeError was thrown, see the \`cause\`
  The response was not stored. Correct pk(), process() or the method of the schema that threw.`)
    expect((error as Error).cause).toBeInstanceOf(RangeError)
  })
})

describe('a primitive in the place of an entity (S3)', () => {
  test.each([
    [5, '5'],
    ['5', '5'],
    [0, '0'],
  ])('%o is its id, and makes no record', (id, pk) => {
    expect(normalize(Article, { id: 1, author: id, contributors: [id] }).entities).toEqual({
      Article: { '1': { id: 1, author: pk, contributors: [pk] } },
    })
  })

  test.each([null, undefined])('%o passes through', (author) => {
    const { entities } = normalize([Article], [{ id: 1, author }, author])
    expect(entities.Article!['1']!.author).toBe(author)
  })

  test.each([
    [true, 'a boolean'],
    [false, 'a boolean'],
    [Number.NaN, 'a number'],
    ['', 'text'],
    [12n, 'a bigint'],
    [() => 1, 'a function'],
    [[1], 'an array'],
  ])('%o is an error', (author, found) => {
    expect(failure(() => normalize([Article], [{ id: 1, author }]))).toMatchObject({
      code: 'payload-unusable',
      message: expect.stringContaining(`at [0].author, but found ${found}.`) as string,
    })
  })
})

describe('the wrong container (S4)', () => {
  const change = 'Change the schema to match the response, or change the value in process().'
  const parse =
    'The text looks like JSON. Parse it in parseResponse() or process(), or let the server send it as application/json.'

  test.each<[string, Schema, unknown, string, string]>([
    [
      'an object for a list',
      [User],
      { results: [] },
      'an array at the root of its payload, but found an object',
      change,
    ],
    ['text for a list', [User], 'none', 'an array at the root of its payload, but found text', change],
    [
      'JSON text for a list',
      [User],
      ' [{"id":1}]',
      'an array at the root of its payload, but found text',
      parse,
    ],
    ['a number for a list', [User], 5, 'an array at the root of its payload, but found a number', change],
    [
      'a list for an object',
      { user: User },
      [],
      'an object at the root of its payload, but found an array',
      change,
    ],
    [
      'JSON text for an object',
      { user: User },
      '{}',
      'an object at the root of its payload, but found text',
      parse,
    ],
    [
      'a list for an entity',
      User,
      [{ id: 1 }],
      'a record of "User" at the root of its payload, but found an array',
      change,
    ],
    [
      'an object for a nested list',
      { results: [User] },
      { results: {} },
      'an array at results, but found an object',
      change,
    ],
    [
      'a list in a field',
      [Article],
      [{ id: 1, author: [] }],
      'a record of "User" at [0].author, but found an array',
      change,
    ],
  ])('%s is an error that says what was expected and found', (_, of, response, found, hint) => {
    expect(failure(() => normalize(of, response))).toMatchObject({
      code: 'payload-unusable',
      status: 400,
      message: `normalize() expected ${found}.\n  ${hint}`,
    })
  })
})

describe('one record several times (S5)', () => {
  test('is merged in order, and fields that are not sent stay', () => {
    const { entities } = normalize(
      [User],
      [
        { id: 1, name: 'Ann', a: 1 },
        { id: 1, name: 'Bea', b: 2 },
        { id: '1', c: null },
      ],
    )
    expect(entities.User).toEqual({ '1': { id: '1', name: 'Bea', a: 1, b: 2, c: null } })
  })

  test('an explicit undefined overwrites nothing, null does (S6)', () => {
    const { entities } = normalize(
      [User],
      [
        { id: 1, name: 'Ann', role: 'x' },
        { id: 1, name: undefined, role: null },
      ],
    )
    expect(entities.User!['1']).toEqual({ id: 1, name: 'Ann', role: null })
  })

  test('an undefined that is sent alone is no field (S6)', () => {
    expect(Object.keys(normalize(User, { id: 1, name: undefined }).entities.User!['1']!)).toEqual(['id'])
  })

  test('keeps its order where records nest so deep that they wait (S16)', () => {
    for (let depth = 140; depth < 320; depth++) {
      let response: object = {
        id: 'top',
        related: [
          { id: 'twice', title: 'first', a: 1, related: [{ id: 'below', title: 'first' }] },
          { id: 'twice', title: 'second', b: 2, related: [] },
          { id: 'below', title: 'second' },
        ],
      }
      for (let id = 1; id < depth; id++) response = { id, related: [response] }
      const { Article: articles } = normalize(Article, response).entities
      expect(articles!['twice']).toEqual({ id: 'twice', title: 'second', a: 1, b: 2, related: [] })
      expect(articles!['below']).toEqual({ id: 'below', title: 'second' })
    }
  })

  test('of classes with one key is one record, nested by the fields of both', () => {
    class Summary extends Entity {
      id = 0
      static override key = 'Article'
    }
    const { entities } = normalize(
      { list: [Summary], one: Article },
      {
        list: [{ id: 1, title: 'x' }],
        one: { id: 1, author: { id: 2 } },
      },
    )
    expect(entities).toEqual({
      Article: { '1': { id: 1, title: 'x', author: '2' } },
      User: { '2': { id: 2 } },
    })
  })
})

describe('object schemas (S10)', () => {
  test('keep null, missing and unknown fields, and store no literal', () => {
    const list = { results: [User], nextPage: '', size: 10 }
    expect(normalize(list, { results: [], nextPage: null, more: 1 }).result).toEqual({
      results: [],
      nextPage: null,
      more: 1,
    })
    expect(Object.keys(normalize(list, { results: null }).result as object)).toEqual(['results'])
  })
})

describe('hostile data (G7)', () => {
  const parse = (text: string) => JSON.parse(text) as object

  test('tables have no prototype', () => {
    const { entities } = normalize(User, { id: 'constructor' })
    expect(Object.getPrototypeOf(entities)).toBeNull()
    expect(Object.getPrototypeOf(entities.User)).toBeNull()
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is a pk like any other', (pk) => {
    const { result, entities } = normalize(
      [Named],
      [
        { key: pk, a: 1 },
        { key: pk, b: 2 },
      ],
    )
    expect(result).toEqual([pk, pk])
    expect(Object.keys(entities.Named!)).toEqual([pk])
    expect(entities.Named![pk]).toEqual({ key: pk, a: 1, b: 2 })
  })

  test.each(['__proto__', 'constructor', 'toString'])('%s is an entity key like any other', (key) => {
    class Odd extends Entity {
      static override key = key
    }
    const { entities } = normalize(Odd, { id: 1 })
    expect(Object.keys(entities)).toEqual([key])
    expect(entities[key]!['1']).toEqual({ id: 1 })
  })

  test('a field called __proto__ is dropped from records and kept as data elsewhere', () => {
    const { entities, result } = normalize(
      { user: User },
      parse('{ "user": { "id": 1, "__proto__": { "isAdmin": true }, "deep": { "__proto__": { "x": 1 } } } }'),
    )
    const user = entities.User!['1'] as { isAdmin?: unknown; deep: object }
    expect(user.isAdmin).toBeUndefined()
    expect(Object.keys(user)).toEqual(['id', 'deep'])
    expect(Object.keys(user.deep)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(user.deep)).toBe(Object.prototype)
    expect(result).toEqual({ user: '1' })
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined()
  })

  test('fields called like members of Object are fields', () => {
    const response = parse('{ "id": 1, "constructor": 2, "toString": 3, "pk": 4, "schema": 5, "key": 6 }')
    expect(normalize(User, response).entities.User!['1']).toEqual(response)
    const { Optional } = schema
    const named = { constructor: Optional(User), toString: Optional([User]) }
    const { result } = normalize(named as never, {})
    expect(Object.keys(result as object)).toEqual([])
  })

  test('an object with fields that look like a reference stays what it is', () => {
    const like = { id: '1', pk: '1', key: 'User', schema: 'User' }
    expect(normalize({ user: User }, { user: { id: 1 }, other: like }).result).toEqual({
      user: '1',
      other: like,
    })
  })
})

describe('input (S22)', () => {
  test('may be frozen', () => {
    const response = Object.freeze({
      results: Object.freeze([
        Object.freeze({ id: 1, author: Object.freeze({ id: 2 }), tags: Object.freeze(['a']) }),
      ]),
    })
    expect(normalize({ results: [Article] }, response).entities.Article!['1']).toEqual({
      id: 1,
      author: '2',
      tags: ['a'],
    })
  })

  test('is not changed, and does not change what came of it', () => {
    const response = { results: [{ id: 1, author: { id: 2, tags: ['a'] }, meta: { n: 1 } }], extra: { m: 1 } }
    const before = structuredClone(response)
    const normalized = normalize({ results: [Article] }, response)
    expect(response).toEqual(before)
    const after = structuredClone({ ...normalized })
    response.results[0]!.meta.n = 2
    response.results[0]!.author.tags.push('b')
    response.extra.m = 2
    response.results.pop()
    expect(normalized).toEqual(after)
  })

  test('may contain itself', () => {
    const article: Record<string, unknown> = { id: 1 }
    article.related = [article]
    article.meta = { article }
    const { result, entities } = normalize(Article, article)
    expect(result).toBe('1')
    expect(entities.Article!['1']!.related).toEqual(['1'])
  })

  test('in which an object schema contains itself is an error, not a hang', () => {
    const schema: Record<string, Schema> = {}
    schema.child = schema
    const value: Record<string, unknown> = {}
    value.child = value
    expect(failure(() => normalize(schema, value))).toMatchObject({
      code: 'nesting-too-deep',
      message: `The payload of normalize() has more than 1000 nested levels without a record between them, at ${'child.'
        .repeat(14)
        .slice(0, 80)}….
  Make the nested objects an Entity. Records can nest without a limit.`,
    })
  })
})

describe('depth (S16)', () => {
  test('object schemas nest 1,000 deep', () => {
    let deep: Schema = User
    let value: unknown = { id: 1 }
    let result: unknown = '1'
    for (let level = 0; level < 1000; level++) {
      deep = level % 2 === 0 ? { child: deep } : [deep]
      value = level % 2 === 0 ? { child: value } : [value]
      result = level % 2 === 0 ? { child: result } : [result]
    }
    expect(JSON.stringify(normalize(deep, value).result)).toBe(JSON.stringify(result))
  })

  test('records form a chain of 10,000', () => {
    let value: object = { id: 10_000 }
    for (let id = 9999; id >= 0; id--) value = { id, related: [value] }
    const { result, entities } = normalize(Article, value)
    expect(result).toBe('0')
    expect(Object.keys(entities.Article!)).toHaveLength(10_001)
    expect(entities.Article!['9999']).toEqual({ id: 9999, related: ['10000'] })
  })

  test('2,000 records refer to each other in a cycle', () => {
    const users = Array.from({ length: 2000 }, (_, id): Record<string, unknown> => ({ id }))
    users.forEach((user, id) =>
      Object.assign(user, { related: [users[(id + 1) % 2000], users[(id + 1999) % 2000]] }),
    )
    const { entities } = normalize(Article, users[0])
    expect(Object.keys(entities.Article!)).toHaveLength(2000)
    expect(entities.Article!['1999']).toEqual({ id: 1999, related: ['0', '1998'] })
  })

  test('an error deep in a chain names the way to it', () => {
    let value: object = { title: 'no id' }
    for (let id = 400; id > 0; id--) value = { id, related: [value] }
    expect(failure(() => normalize(Article, value))).toMatchObject({
      code: 'pk-missing',
      message: expect.stringContaining(`at related[0]${'.related[0]'.repeat(399)}.\n`) as string,
    })
  })
})

describe('a schema that is none', () => {
  test.each<[unknown, string, string]>([
    [[], 'A list schema has 0 members.', 'Write one schema between the brackets, for example [Article].'],
    [
      [User, User],
      'A list schema has 2 members.',
      'Write one schema between the brackets, for example [Article].',
    ],
    [
      [''],
      'A list schema has text as its member.',
      'Write a schema between the brackets, for example [Article]. A list of plain values needs none: write [] as its default.',
    ],
  ])('%o is an error', (of, what, remedy) => {
    expect(failure(() => normalize(of as Schema, []))).toMatchObject({
      code: 'definition-invalid',
      message: `${what}\n  ${remedy}`,
    })
  })
})

describe('a class that merges itself', () => {
  class Tally extends Entity {
    id = 0
    count = 0
    static override key = 'merging Tally'
    static override merge(existing: Record<string, unknown>, incoming: Record<string, unknown>) {
      return { ...existing, ...incoming, count: Number(existing.count ?? 0) + Number(incoming.count ?? 0) }
    }
  }

  test('decides what a record is that a payload has several times, as in a store', () => {
    const payload = [{ id: 1, count: 1 }, { id: 1, count: 2, name: 'a' }, { id: 1 }]
    expect(normalize([Tally], payload).entities).toEqual({
      'merging Tally': { '1': { id: 1, count: 3, name: 'a' } },
    })
    const controller = new Controller()
    controller.set([Tally], {}, payload)
    expect(controller.get(Tally, { id: 1 })).toMatchObject({ count: 3, name: 'a' })
  })

  test('does so for nested records and in maps', () => {
    const schemaOf = { first: Tally, by: new schema.Values(Tally) }
    const { entities } = normalize(schemaOf, { first: { id: 1, count: 1 }, by: { a: { id: 1, count: 4 } } })
    expect(entities['merging Tally']?.['1']).toMatchObject({ count: 5 })
  })

  test('does not change the payload', () => {
    const payload = [
      { id: 1, count: 1 },
      { id: 1, count: 2 },
    ]
    normalize([Tally], payload)
    expect(payload).toEqual([
      { id: 1, count: 1 },
      { id: 1, count: 2 },
    ])
  })
})
