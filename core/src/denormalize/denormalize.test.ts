import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalize } from '../normalize/normalize.js'
import { Entity } from '../schema/entity.js'
import * as schema from '../lists/namespace.js'
import type { EntityFields, Schema } from '../schema/schema.js'
import { denormalize } from './denormalize.js'

class User extends Entity {
  id = 0
  name = ''
  isAdmin = false
  static override key = 'User'
}
class Article extends Entity {
  id = 0
  title = 'untitled'
  author: User | null | undefined = undefined
  contributors: User[] = []
  related: Article[] = []
  createdAt: Date | null | undefined = undefined
  static override key = 'Article'
  static override schema: { [field: string]: Schema } = {
    author: User,
    contributors: [User],
    createdAt: Date,
  }
}
Article.schema = { ...Article.schema, related: [Article] }

/** Another class of articles, which rejects those without `content`. */
class Full extends Entity {
  id = 0
  title = ''
  content = ''
  static override key = 'Article'
  static override validate(record: { content?: unknown }) {
    return record.content === undefined ? 'content is missing' : undefined
  }
}

describe('denormalize', () => {
  const entities = {
    Article: {
      '5': { id: 5, title: 'Hi', author: '1', contributors: ['1', '2'], createdAt: '2024-05-17' },
      '6': { id: 6, related: ['5', '6'] },
    },
    User: { '1': { id: 1, name: 'Ann', isAdmin: true }, '2': { id: 2, name: 'Bob' } },
  }

  test('puts records together as instances of their class', () => {
    const article = denormalize(Article, '5', entities)!
    expect(article).toBeInstanceOf(Article)
    expect(article.author).toBeInstanceOf(User)
    expect(article).toEqual(
      Object.assign(new Article(), {
        id: 5,
        title: 'Hi',
        author: Object.assign(new User(), { id: 1, name: 'Ann', isAdmin: true }),
        contributors: [
          Object.assign(new User(), { id: 1, name: 'Ann', isAdmin: true }),
          Object.assign(new User(), { id: 2, name: 'Bob' }),
        ],
        createdAt: new Date('2024-05-17'),
      }),
    )
  })

  test('shows one record as one object, also through a cycle (G1)', () => {
    const [first, second] = denormalize([Article], ['5', '6'], entities)!
    expect(first!.author).toBe(first!.contributors[0])
    expect(second!.related[0]).toBe(first)
    expect(second!.related[1]).toBe(second)
  })

  test('shows a getter and a method the joined object (S23)', () => {
    class WithByline extends Article {
      get byline() {
        return `${this.title} by ${this.author!.name}`
      }
      isBy(name: string) {
        return this.author?.name === name
      }
    }
    const article = denormalize(WithByline, '5', entities)!
    expect(article.byline).toBe('Hi by Ann')
    expect(article.isBy('Ann')).toBe(true)
  })

  test('applies class fields, and `defaults` over them, to fields that are not there (S24)', () => {
    class WithDefaults extends User {
      static override defaults = { name: 'nobody', role: 'reader' }
    }
    expect(denormalize(User, '2', entities)).toMatchObject({ name: 'Bob', isAdmin: false })
    const tables = { User: { '3': { id: 3 }, '4': { id: 4, name: null, role: 'x' } } }
    expect(denormalize(WithDefaults, '3', tables)).toMatchObject({ name: 'nobody', role: 'reader' })
    expect(denormalize(WithDefaults, '4', tables)).toMatchObject({ name: null, role: 'x' })
  })

  test('drops what is not there from lists, and shows undefined in fields (S12)', () => {
    const tables = {
      Article: { '1': { id: 1, author: '9', contributors: ['9', '2'], related: ['1', '7'] } },
      User: entities.User,
    }
    const article = denormalize(Article, '1', tables)!
    expect(article.author).toBeUndefined()
    expect(article.contributors.map(({ id }) => id)).toEqual([2])
    expect(article.related).toEqual([article])
    expect(denormalize(Article, '7', tables)).toBeUndefined()
    expect(denormalize({ data: Article }, { data: '7' }, tables)).toEqual({ data: undefined })
    expect(denormalize([Article], ['7', '1'], tables)).toEqual([article])
  })

  test('does the same to a record that validate rejects (S12)', () => {
    const tables = {
      Article: { '1': { id: 1 }, '2': { id: 2, content: 'x' } },
      List: { '1': { id: 1, first: '1' } },
    }
    class List extends Entity {
      first: Full | undefined
      static override key = 'List'
      static override schema = { first: Full }
    }
    expect(denormalize([Full], ['1', '2'], tables)!.map(({ id }) => id)).toEqual([2])
    expect(denormalize(Full, '1', tables)).toBeUndefined()
    expect(denormalize(List, '1', tables)!.first).toBeUndefined()
    // The other class of the same record accepts it (S14).
    expect(denormalize(Article, '1', tables)!.id).toBe(1)
  })

  test('shows the default of an object schema for a missing field, and null for null (S10)', () => {
    const list = { results: [User], nextPage: '', size: 10, last: null, done: false }
    expect(denormalize(list, { results: ['1'] }, {})).toEqual({
      results: [],
      nextPage: '',
      size: 10,
      last: null,
      done: false,
    })
    expect(denormalize(list, { nextPage: null, size: 0, done: null, more: 1 }, {})).toEqual({
      nextPage: null,
      size: 0,
      last: null,
      done: null,
      more: 1,
    })
    expect(denormalize(list, { nextPage: undefined }, {})).toMatchObject({ nextPage: '' })
  })

  test('passes null and undefined through', () => {
    expect(denormalize(User, null, entities)).toBeNull()
    expect(denormalize([User], null, entities)).toBeNull()
    expect(denormalize({ user: User }, { user: null }, entities)).toEqual({ user: null })
    const tables = { Article: { '1': { id: 1, author: null, createdAt: null } } }
    expect(denormalize(Article, '1', tables)).toMatchObject({ author: null, createdAt: null })
    expect(denormalize(Article, undefined, entities)).toBeUndefined()
  })

  test('lets an explicit null win over a default, and undefined lose (S6)', () => {
    const { result, entities: tables } = normalize(
      [User],
      [
        { id: 1, name: undefined },
        { id: 2, name: null },
      ],
    )
    expect(denormalize([User], result, tables)!.map(({ name }) => name)).toEqual(['', null])
  })

  test('changes neither tables nor result, even frozen ones (S22)', () => {
    const freeze = <Value>(value: Value): Value => {
      if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
      return value
    }
    const tables = freeze(structuredClone(entities))
    const article = denormalize([Article], freeze(['5']), tables)![0]!
    article.title = 'changed'
    article.contributors.pop()
    expect(tables).toEqual(entities)
  })

  test.each(['__proto__', 'constructor', 'toString'])(
    'finds no record called %s that is not there (G7)',
    (name) => {
      class Odd extends Entity {
        static override key = name
      }
      expect(denormalize(User, name, {})).toBeUndefined()
      expect(denormalize(User, name, { User: {} })).toBeUndefined()
      expect(denormalize(Odd, '1', {})).toBeUndefined()
      const { result, entities: tables } = normalize(Odd, { id: name })
      expect(denormalize(Odd, result, tables)).toMatchObject({ id: name })
    },
  )

  test('goes 1,000 object schemas deep (S16)', () => {
    let deep: Schema = User
    let value: unknown = { id: 1, name: 'Ann' }
    for (let level = 0; level < 1000; level++) {
      deep = { child: deep }
      value = { child: value }
    }
    const { result, entities: tables } = normalize(deep, value)
    let data = denormalize(deep, result, tables) as { child: unknown }
    for (let level = 1; level < 1000; level++) data = data.child as { child: unknown }
    expect(data.child).toMatchObject({ id: 1, name: 'Ann' })
  })

  test('follows a chain of 10,000 records (S16)', () => {
    let value: object = { id: 10_000 }
    for (let id = 9999; id >= 0; id--) value = { id, related: [value] }
    const { result, entities: tables } = normalize(Article, value)
    let article = denormalize(Article, result, tables)!
    for (let id = 0; id < 10_000; id++) {
      expect(article.id).toBe(id)
      article = article.related[0]!
    }
    expect(article).toMatchObject({ id: 10_000, related: [] })
  })

  test('shows nothing for a deleted record', () => {
    expect(denormalize(new schema.Delete(User), '1', entities)).toBeUndefined()
  })
})

describe('denormalize of normalize', () => {
  class Node extends Entity {
    id = ''
    child: Node | null | undefined = undefined
    children: Node[] = []
    at: Date | undefined = undefined
    static override key = 'Node'
  }
  Node.schema = { child: Node, children: [Node], wrapped: { list: [Node], page: 0 }, at: Date }

  const names = fc.oneof(
    { weight: 3, arbitrary: fc.string() },
    { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'id', 'pk', 'key', 'schema') },
  )
  let count = 0
  /** Records that each occur once, so that the round trip returns the input. */
  const nodeOf = (depth: number): fc.Arbitrary<object> => {
    const plain = {
      at: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      data: fc.dictionary(names, fc.jsonValue()),
      text: fc.string(),
    }
    const nested = () => {
      const child = nodeOf(depth - 1)
      return {
        ...plain,
        child: fc.option(child, { nil: null }),
        children: fc.array(child, { maxLength: 2 }),
        wrapped: fc.record({ list: fc.array(child, { maxLength: 2 }), page: fc.integer() }),
      }
    }
    return fc
      .record(depth === 0 ? plain : nested(), { requiredKeys: [] })
      .map((fields) => Object.assign(fields, { id: `n${count++}` }))
  }
  const node = nodeOf(2)

  /** Converts data back to its received form: instances to plain objects, dates to text, without defaults. */
  const toPlain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
  const withDefaults = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withDefaults)
    if (typeof value !== 'object' || value === null) return value
    const { child, children, wrapped, ...others } = value as Record<string, unknown>
    return {
      ...others,
      ...(child === undefined ? {} : { child: withDefaults(child) }),
      children: withDefaults(children ?? []),
      ...(wrapped === undefined
        ? {}
        : { wrapped: { ...(wrapped as object), list: withDefaults((wrapped as { list: unknown }).list) } }),
    }
  }

  test('has the same data', () => {
    const response = fc.record({ results: fc.array(node, { maxLength: 4 }), more: fc.jsonValue() })
    fc.assert(
      fc.property(response, (payload) => {
        const received = JSON.stringify(payload)
        const of = { results: [Node] } as const
        const { result, entities } = normalize(of, payload)
        const data = denormalize(of, result, entities) as unknown as { results: unknown; more: unknown }
        const expected = JSON.parse(received) as typeof payload
        expect(toPlain(data.results)).toEqual(withDefaults(expected.results))
        expect(toPlain(data.more)).toEqual(expected.more)
        expect(JSON.stringify(payload)).toBe(received)
        const again = normalize(of, payload)
        expect(again).toEqual({ result, entities })
      }),
    )
  })
})

describe('numbers as keys', () => {
  class Person extends Entity {
    id = 0
    name = ''
    boss: Person | undefined
    team: Person[] = []
    static override key = 'numeric Person'
    static override schema: EntityFields = {}
  }
  Person.schema = { boss: Person, team: [Person] }
  const tables = {
    'numeric Person': {
      '1': { id: 1, name: 'Ada', boss: 2, team: [2, '1', 3] },
      '2': { id: 2, name: 'Bo' },
    },
  }

  test('find the record, alone, in lists, in maps and in fields', () => {
    const person = denormalize(Person, 1, tables)
    expect(person).toMatchObject({ name: 'Ada', boss: { name: 'Bo' } })
    expect(person?.team.map(({ name }) => name)).toEqual(['Bo', 'Ada'])
    expect(person?.team[1]).toBe(person)
    expect(denormalize([Person], [2, 1, 5], tables)?.map(({ name }) => name)).toEqual(['Bo', 'Ada'])
    expect(denormalize(new schema.Values(Person), { a: 2 }, tables)).toMatchObject({ a: { name: 'Bo' } })
    expect(denormalize(Person, 5, tables)).toBeUndefined()
  })

  test('leave what is no key as it is', () => {
    expect(denormalize(Person, Number.NaN, tables)).toBeNaN()
    expect(denormalize(Person, null, tables)).toBeNull()
  })
})
