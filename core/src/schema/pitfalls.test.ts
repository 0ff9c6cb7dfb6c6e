import { callsOf } from '../controller/calls.js'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Controller, Endpoint, Entity, EntityMixin, Query, denormalize, schema } from '../index.js'
import type { Schema } from '../index.js'

// The pitfalls S1 to S26 of docs/internals/rules.md, by their numbers.

class User extends Entity {
  id: string | number = ''
  name = ''
  isAdmin = false
  static override key = 'User'
  static override indexes = ['name']
}
class Article extends Entity {
  id: string | number = ''
  title = 'untitled'
  tags: string[] = []
  author: User | null | undefined
  createdAt: Date | undefined
  static override key = 'Article'
  static override schema = { author: User, createdAt: Date }
  get byline() {
    return `${this.title} by ${this.author?.name}`
  }
}
class Summary extends Entity {
  id: string | number = ''
  title = ''
  static override key = 'Full'
}
class Full extends Summary {
  content = ''
  static override validate(record: { content?: string }) {
    return record.content === undefined ? 'content is missing' : undefined
  }
}

let endpoints = 0
function answering<const S extends Schema>(answerSchema: S, ...answers: unknown[]) {
  const answer = (_params: Record<string, unknown> = {}) => Promise.resolve(answers.shift())
  const options = { name: `e${endpoints++}`, schema: answerSchema as Schema }
  return new Endpoint(answer, options) as unknown as Endpoint<typeof answer, { schema: S }>
}
const mutating = <const S extends Schema>(answerSchema: S, ...answers: unknown[]) =>
  answering(answerSchema, ...answers).extend({ sideEffect: true })

describe('S1 an unusable pk is an error for the whole answer', () => {
  test.each([undefined, null, '', Number.NaN, true, false, {}, []])('%j', async (id) => {
    const controller = new Controller()
    const list = answering([Article], [{ id: 1 }, { id, title: 'x' }])
    await expect(controller.fetch(list)).rejects.toThrow(
      /^Entity "Article" has no primary key in the payload of e\d+, at \[1\]\./,
    )
    expect(controller.get(Article, { id: 1 })).toBe(undefined)
  })
})

describe('S1 the text "undefined"', () => {
  test('is a primary key as any other, with one warning', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warned.mockRestore())
    const controller = new Controller()
    class Tag extends Entity {
      name = ''
      static override key = 'undefined Tag'
      override pk() {
        return this.name
      }
    }
    const list = answering([Tag], [{ name: 'a' }, { name: 'undefined' }], [{ name: 'undefined' }])
    expect(await controller.fetch(list)).toHaveLength(2)
    expect(await controller.fetch(list)).toHaveLength(1)
    expect(controller.get(Tag, { name: 'undefined' })).toMatchObject({ name: 'undefined' })
    expect(controller.get(Tag, 'undefined')).toBe(controller.get(Tag, { name: 'undefined' }))
    expect(warned.mock.calls).toEqual([
      [
        expect.stringContaining(
          'Entity "undefined Tag" has a record with the primary key "undefined", the text.',
        ),
      ],
    ])
  })

  test('that pk() makes of arguments without its field names no record', async () => {
    const controller = new Controller()
    class Item extends Entity {
      id = 0
      static override key = 'undefined Item'
      override pk() {
        return `${this.id}`
      }
    }
    controller.set(Item, { id: 'undefined' }, {})
    expect(controller.get(Item, { slug: 'a' } as never)).toBeUndefined()
    expect(controller.get(Item, { id: 'undefined' as never })).toMatchObject({ id: 'undefined' })
  })
})

test('a field that is named as a method does not hide the method', async () => {
  const controller = new Controller()
  class Label extends Entity {
    id = 0
    static override key = 'method Label'
    title() {
      return `Label ${this.id}`
    }
  }
  const sent = { id: 1, pk: 'x', toString: 'y', valueOf: 3, title: 'z', hasOwnProperty: false, name: 'n' }
  const get = answering(Label, sent, { ...sent, pk: 'other' })
  const label = (await controller.fetch(get)) as Label & { name: string }
  expect([label.pk(), label.title(), `${String(label)}`, label.valueOf(), label.name]).toEqual([
    '1',
    'Label 1',
    '[object Object]',
    label,
    'n',
  ])
  expect(Object.keys(label)).toEqual(['id', 'name'])
  expect(((await controller.fetch(get)) as Label).pk()).toBe('1')
  const [first] = denormalize([Label], [1], { 'method Label': { '1': sent } }) as [Label]
  expect(first.pk()).toBe('1')
})

test('S2 pk() gives a number as text', async () => {
  class Numbered extends Entity {
    id = 0
    static override key = 'numbered'
  }
  class Coded extends EntityMixin(
    class {
      code = 0
    },
    { key: 'coded', pk: 'code' },
  ) {}
  const controller = new Controller()
  controller.set(Numbered, { id: 0 }, {})
  controller.set(Coded, { code: 7 }, {})
  expect(controller.get(Numbered, { id: 0 })?.pk()).toBe('0')
  expect(controller.get(Coded, { code: 7 })?.pk()).toBe('7')
  expect([Numbered.fromJS({ id: 5 }).pk(), Numbered.fromJS({ id: Number.NaN }).pk()]).toEqual([
    '5',
    Number.NaN,
  ])
})

test('S2 numbers and strings meet in one record, and 0 is a pk', async () => {
  const controller = new Controller()
  const [zero, five, text] = await controller.fetch(
    answering([Article], [{ id: 0 }, { id: 5, title: 'a' }, { id: '5', tags: ['b'] }]),
  )
  expect(zero).toBe(controller.get(Article, { id: '0' }))
  expect(five).toBe(text)
  expect(five).toMatchObject({ title: 'a', tags: ['b'] })
})

test.each([
  [Article, 'busy', 'expected a record of "Article" at the root of its payload, but found text'],
  [Article, 5, 'expected a record of "Article" at the root of its payload, but found a number'],
  [{ author: User }, { author: 5 }, 'received only the primary key "5" of User'],
])('S3 a primitive that is the whole answer is an error', async (answered, payload, message) => {
  const controller = new Controller()
  const call = answering(answered as typeof Article, payload)
  await expect(controller.fetch(call)).rejects.toThrow(message)
  expect(controller.read(call).error?.message).toContain(message)
  expect(callsOf(controller).store.size).toBe(0)
})

test('S3 a primitive beside other content is its pk, and null passes through', async () => {
  const controller = new Controller()
  const [one, two] = await controller.fetch(
    answering(
      [Article],
      [
        { id: 1, author: 7 },
        { id: 2, author: null },
      ],
    ),
  )
  expect([one!.author, two!.author]).toEqual([undefined, null])
  controller.set(User, { id: 7 }, { name: 'Ann' })
  expect(controller.get(Article, { id: 1 })!.author!.name).toBe('Ann')
})

test.each([
  [null, 'received null, but its schema reads a record'],
  ['text', 'expected an array at the root of its payload, but found text'],
  [{ results: [] }, 'expected an array at the root of its payload, but found an object'],
  ['[{"id":1}]', 'The text looks like JSON'],
])('S4 a payload of the wrong form is an error that says so: %j', async (payload, message) => {
  await expect(new Controller().fetch(answering([Article], payload))).rejects.toThrow(message)
})

test('S5 one pk several times in a response is merged in order, what is not sent stays', async () => {
  const [first] = await new Controller().fetch(
    answering(
      [Article],
      [
        { id: 1, title: 'a', tags: ['x'] },
        { id: 1, title: 'b' },
      ],
    ),
  )
  expect(first).toMatchObject({ title: 'b', tags: ['x'] })
})

test('S6 an explicit undefined overwrites neither value nor default; null does', async () => {
  const controller = new Controller()
  controller.set(Article, { id: 1 }, { title: 'kept', author: { id: 1 } as User })
  const read = answering(Article, { id: 1, title: undefined, author: null }, { id: 2, title: undefined })
  expect(await controller.fetch(read)).toMatchObject({ title: 'kept', author: null })
  expect((await controller.fetch(read.extend({ name: 'other' }))).title).toBe('untitled')
})

test('S7 define merges a mapping into a mapping; a single schema replaces', async () => {
  const list = new schema.Array({ user: User } as Record<string, Schema>, 'type')
  list.define({ article: Article })
  expect(Object.keys(list.definition)).toEqual(['user', 'article'])
  const single = new schema.Array(User as Schema)
  single.define(Article)
  expect(single.definition).toBe(Article)
})

test('S8 an unknown key of a mapping keeps the object, whatever its fields are called', async () => {
  const warning = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const controller = new Controller()
  const unknown = [
    { type: 'ad', id: 1, schema: 'user', key: 'User', pk: '1' },
    { type: 'ad', id: 2 },
  ]
  const list = answering(new schema.Array({ user: User }, 'type'), unknown)
  expect(await controller.fetch(list)).toEqual(unknown)
  expect(callsOf(controller).store.size).toBe(0)
  expect(warning).toHaveBeenCalledTimes(1)
  warning.mockRestore()
})

test('S9 a class is constructed, functions and primitive constructors are called, bad dates are errors', async () => {
  const wrapped = {
    at: Date,
    count: Number,
    text: String,
    big: BigInt,
    upper: (text: string) => text.toUpperCase(),
  }
  const read = await new Controller().fetch(
    answering(wrapped, { at: '2026-01-01', count: '5', text: 6, big: '7', upper: 'x' }),
  )
  expect(read).toEqual({ at: new Date('2026-01-01'), count: 5, text: '6', big: 7n, upper: 'X' })
  const nothing = await new Controller().fetch(answering(wrapped, { at: null }))
  expect(nothing.at).toBe(null)
  await expect(new Controller().fetch(answering([Article], [{ id: 1, createdAt: 'soon' }]))).rejects.toThrow(
    'Field "createdAt" does not fit its schema',
  )
})

test('S10 literals of an object schema are defaults for what is missing; null stays', async () => {
  const page = answering({ results: [Article], nextPage: '', prevPage: '' }, { results: [], nextPage: null })
  expect(await new Controller().fetch(page)).toEqual({ results: [], nextPage: null, prevPage: '' })
})

describe('S10 [] and {} are defaults of plain fields', () => {
  const page = { user: User, tags: [], meta: {}, deep: { list: [] } }

  test('they stand for what is missing, and read as the same each time', async () => {
    const controller = new Controller()
    const call = answering(page, { user: { id: 1 }, deep: {} }, { user: { id: 1, name: 'Ann' }, deep: {} })
    const first = await controller.fetch(call)
    expect(first).toMatchObject({ tags: [], meta: {}, deep: { list: [] } })
    const second = await controller.fetch(call)
    expect([second.tags, second.meta, second.deep]).toEqual([first.tags, first.meta, first.deep])
    expect(second.tags).toBe(first.tags)
    expect(second.meta).toBe(first.meta)
  })

  test.each([
    [{ tags: ['a', { id: 1 }], meta: { views: 1, list: [1] }, deep: { list: [[]] } }],
    [{ tags: 'a text', meta: [1], deep: { list: { a: 1 } } }],
    [{ tags: null, meta: null, deep: null }],
    [{ tags: 0, meta: false, deep: { list: 5 } }],
  ])('%j, when it is sent, passes through', async (sent) => {
    const controller = new Controller()
    const call = answering(page, { user: { id: 1 }, ...sent })
    expect(await controller.fetch(call)).toMatchObject(sent)
    controller.setResponse(call, {}, { user: { id: 2 }, ...sent } as object)
    expect(controller.read(call, {}).data).toMatchObject(sent)
  })
})

test('S10 an object with a literal is Invalid until its call was answered', async () => {
  const controller = new Controller()
  const page = answering({ results: new schema.Collection([Article]), nextPage: '' }, { results: [] })
  expect(controller.read(page)).toMatchObject({ status: 'Invalid', data: undefined })
  await controller.fetch(page)
  expect(controller.read(page)).toMatchObject({ status: 'Valid', data: { results: [], nextPage: '' } })
})

test('S11 All of nothing is Invalid before an answer, and Valid and empty after it, in order of first arrival', async () => {
  const controller = new Controller()
  const all = answering(new schema.All(Article), [], [{ id: 10 }, { id: 2 }])
  expect(controller.read(all).status).toBe('Invalid')
  expect(controller.get(new schema.All(Article))).toBe(undefined)
  expect(await controller.fetch(all)).toEqual([])
  expect(controller.read(all).status).toBe('Valid')
  expect((await controller.fetch(all)).map(({ id }) => id)).toEqual([10, 2])
})

test('S12 a deleted record is dropped, undefined, Invalid and recomputed', async () => {
  const controller = new Controller()
  const list = answering([Article], [{ id: 1, author: { id: 5 } }, { id: 2 }])
  const map = answering(new schema.Values(Article), { a: { id: 1 }, b: { id: 2 } })
  const detail = answering(Article)
  const count = new Query(new schema.All(Article), (articles) => articles.length)
  await controller.fetch(list)
  await controller.fetch(map)
  expect(controller.get(count)).toBe(2)
  await controller.fetch(mutating(new schema.Delete(User), { id: 5 }))
  expect(controller.read(list).data![0]!.author).toBe(undefined)
  await controller.fetch(mutating(new schema.Delete(Article), { id: 1 }))
  expect(controller.read(list).data!.map(({ id }) => id)).toEqual([2])
  expect(Object.keys(controller.read(map).data!)).toEqual(['b'])
  expect(controller.read(detail, { id: 1 }).status).toBe('Invalid')
  expect(controller.get(count)).toBe(1)
})

test('S12 a record that its class cannot use is the same as a deleted one', async () => {
  const controller = new Controller()
  await controller.fetch(answering([Summary], [{ id: 1 }, { id: 2, content: 'c' }]))
  const list = answering([Full], [1, 2])
  expect((await controller.fetch(list)).map(({ id }) => id)).toEqual([2])
  expect(controller.read(answering(Full), { id: 1 }).status).toBe('Invalid')
})

test('S13 a record that arrives later is in its parent at once', async () => {
  const controller = new Controller()
  const list = answering([Article], [{ id: 1, author: 9 }])
  await controller.fetch(list)
  const listener = vi.fn()
  controller.subscribe(list, listener)
  await controller.fetch(answering(User, { id: 9, name: 'late' }))
  expect(listener).toHaveBeenCalledTimes(1)
  expect(controller.read(list).data![0]!.author!.name).toBe('late')
})

test('S14 summary and full class of one key: each through its own, the summary wipes nothing', async () => {
  const controller = new Controller()
  const summaries = answering([Summary], [{ id: 1, title: 's' }], [{ id: 1, title: 'later' }])
  const detail = answering(Full, { id: 1, title: 'f', content: 'c' }, { id: 1, title: 'no content' })
  await controller.fetch(summaries)
  expect([controller.read(summaries).status, controller.read(detail, { id: 1 }).status]).toEqual([
    'Valid',
    'Invalid',
  ])
  await controller.fetch(detail, { id: 1 })
  await controller.fetch(summaries)
  expect(controller.read(detail, { id: 1 }).data).toMatchObject({ title: 'later', content: 'c' })
  expect((await controller.fetch(mutating(Full, { id: 1, title: 'patched' })))!.content).toBe('c')
  // The merged record is validated: it still has the field that this response omits.
  expect((await controller.fetch(detail, { id: 1 })).content).toBe('c')
})

test('S14 a detail that stays unusable is fetched once, and fails with a reason', async () => {
  const controller = new Controller()
  const detail = answering(Full, { id: 1, title: 'f' })
  await expect(controller.fetch(detail, { id: 1 })).rejects.toThrow(
    'which User.validate() rejects'.replace('User', 'Full'),
  )
  expect(controller.read(detail, { id: 1 })).toMatchObject({ status: 'Invalid', fetching: false })
})

test('S15 two classes of one key that find different primary keys are reported in development, once', async () => {
  const warning = vi.spyOn(console, 'warn').mockImplementation(() => {})
  class ById extends Entity {
    id = 0
    slug = ''
    static override key = 'Page'
  }
  class Again extends ById {}
  class BySlug extends ById {
    override pk() {
      return this.slug
    }
  }
  class Wider extends BySlug {
    text = ''
  }
  const controller = new Controller()
  await controller.fetch(answering([ById], [{ id: 1, slug: 'one' }]))
  await controller.fetch(answering([Again], [{ id: 1, slug: 'one' }]))
  // Its field "text" is not known: what the class finds in a whole record cannot be told.
  await controller.fetch(answering([Wider], [{ id: 1, slug: 'one' }]))
  expect(warning).not.toHaveBeenCalled()
  await controller.fetch(answering([BySlug], [{ id: 1, slug: 'one' }]))
  await controller.fetch(answering([BySlug], [{ id: 2, slug: 'two' }]))
  expect(warning.mock.calls).toEqual([
    [expect.stringContaining('compute different primary keys for one record: "1" and "one"')],
  ])
  warning.mockRestore()
})

test('S15 two classes of one derived key and different fields are reported in development', async () => {
  const warning = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const first = (() => {
    class e extends Entity {
      id = 0
      title = ''
    }
    return e
  })()
  const second = (() => {
    class e extends Entity {
      id = 0
      price = 0
    }
    return e
  })()
  const controller = new Controller()
  await controller.fetch(answering([first], []))
  await controller.fetch(answering([first], [{ id: 1 }]))
  await controller.fetch(answering([second], [{ id: 1 }]))
  expect(warning.mock.calls.flat().join()).toContain('Two classes have the name "e"')
  warning.mockClear()
  await controller.fetch(answering([Summary], [{ id: 1 }]))
  await controller.fetch(answering([Full], [1]))
  expect(warning).not.toHaveBeenCalled()
  warning.mockRestore()
})

describe('S16 wide and deep graphs', () => {
  class Person extends Entity {
    id = 0
    friends: Person[] = []
    static override key = 'Person'
  }
  Person.schema = { friends: [Person] }

  test('a cycle of 2,000, however it is entered first', async () => {
    const size = 2000
    const payload = Array.from({ length: size }, (_, id) => ({
      id,
      friends: [(id + 1) % size, (id + size - 1) % size],
    }))
    const list = answering([Person], payload, payload)
    const [one, other] = [new Controller(), new Controller()]
    const people = await one.fetch(list)
    await other.fetch(list)
    const entered = other.get(Person, { id: 1000 })!
    expect(people[0]!.friends[1]).toBe(people[size - 1])
    expect(entered.friends[0]!.friends[1]).toBe(entered)
    expect(callsOf(one).store.graph.computed).toBeLessThan(size + 5)
  })

  test('a chain of 10,000 nested records', async () => {
    let payload: object = { id: 10_000 }
    for (let id = 9999; id >= 0; id--) payload = { id, friends: [payload] }
    let person = await new Controller().fetch(answering(Person, payload))
    let depth = 0
    while (person.friends[0] !== undefined) {
      person = person.friends[0]
      depth++
    }
    expect(depth).toBe(10_000)
  })
})

test.each([false, true])(
  'S17 an index finds the record of a value that arrived first, read early: %s',
  (isEarly) => {
    class User extends Entity {
      id = 0
      email = ''
      static override indexes = ['email']
    }
    const controller = new Controller()
    const found = () => controller.get(User, { email: 'a' })?.id
    const set = (id: number, email: string) => {
      controller.set(User, { id }, { id, email })
      if (isEarly) found()
    }
    set(1, 'b')
    set(2, 'a')
    set(1, 'a')
    expect(found()).toBe(1)
    set(1, 'c')
    expect(found()).toBe(2)
    set(1, 'a')
    controller.set(User, { id: 3 }, { email: 'a' })
    expect(found()).toBe(1)
  },
)

test('S17 an index finds earlier records after later writes, and follows a changed field', () => {
  const controller = new Controller()
  controller.set(User, { id: 1 }, { name: 'a' })
  controller.get(User, { name: 'x' })
  controller.set(User, { id: 2 }, { name: 'b' })
  expect(controller.get(User, { name: 'a' })!.id).toBe(1)
  controller.set(User, { id: 1 }, { name: 'c' })
  expect([controller.get(User, { name: 'a' }), controller.get(User, { name: 'c' })!.id]).toEqual([
    undefined,
    1,
  ])
})

test('S18 push of a member that is there keeps one; push before the list was loaded is there when it loads', async () => {
  const controller = new Controller()
  const articles = new schema.Collection([Article])
  let answer: (value: unknown) => void = () => {}
  const list = new Endpoint(() => new Promise<unknown>((resolve) => (answer = resolve)), {
    name: 'slow',
    schema: articles,
  })
  const loading = controller.fetch(list)
  await controller.fetch(mutating(articles.push, { id: 2 }))
  answer([{ id: 1 }])
  expect((await loading).map(({ id }) => id)).toEqual([1, 2])
  await controller.fetch(mutating(articles.push, { id: 1 }))
  expect(controller.read(list).data!.map(({ id }) => id)).toEqual([1, 2])
})

test('S19 two lists hold the same member objects', async () => {
  const controller = new Controller()
  const a = await controller.fetch(answering([Article], [{ id: 1 }, { id: 2 }]))
  const b = await controller.fetch(answering([Article], [{ id: 2 }, { id: 1 }]))
  expect([b[0], b[1]]).toEqual([a[1], a[0]])
  expect(b[0]).toBe(a[1])
})

test('S20 numeric and text arguments, order and undefined make one key and one list', async () => {
  const controller = new Controller()
  const list = answering(new schema.Collection([Article]), [{ id: 1 }])
  const first = await controller.fetch(list, { page: 1, by: 'x' })
  expect(controller.read(list, { by: 'x', page: '1', none: undefined }).data).toBe(first)
  expect(callsOf(controller).store.results.size).toBe(1)
})

test('S21 nested plain data without schema is kept, and shared while it is equal', async () => {
  const controller = new Controller()
  const first = { id: 1, tags: ['a', { deep: [1] }], other: { x: 1 } }
  const read = answering(Article, first, { ...structuredClone(first), other: { x: 2 } })
  const before = await controller.fetch(read)
  const after = await controller.fetch(read)
  expect(after.tags).toBe(before.tags)
  expect((after as unknown as { other: object }).other).toEqual({ x: 2 })
})

test('S22 frozen input is accepted, and later changes of input do not reach the store', async () => {
  const input = { id: 1, tags: ['a'], author: { id: 2, name: 'n' } }
  const frozen = Object.freeze({ id: 3, tags: Object.freeze(['f']) })
  const [article] = await new Controller().fetch(answering([Article], Object.freeze([input, frozen])))
  input.tags.push('b')
  input.author.name = 'm'
  expect([article!.tags, article!.author!.name]).toEqual([['a'], 'n'])
  expect(input.author).toEqual({ id: 2, name: 'm' })
})

test('S23 a getter of the class sees the joined record', async () => {
  const article = await new Controller().fetch(
    answering(Article, { id: 1, title: 'T', author: { id: 1, name: 'Ann' } }),
  )
  expect(article.byline).toBe('T by Ann')
})

test.each([false, true])(
  'S23 a getter stays one where data and a schema have its name (owned: %s)',
  async (ownsPayload) => {
    class Base extends Entity {
      id = 0
      get friend() {
        return `friend of ${this.id}`
      }
      static override key = 'Computing'
      static override schema: Record<string, Schema> = { friend: User }
    }
    class Plain extends Entity {
      id = 0
      static override key = 'Computing'
      static override schema = { friend: User }
    }
    const controller = new Controller()
    const answer = () => Promise.resolve({ id: 1, friend: { id: 2, name: 'Ann' } })
    const get = new Endpoint(answer, { name: 'getComputing', schema: Base, ownsPayload })
    expect((await controller.fetch(get)).friend).toBe('friend of 1')
    await controller.fetch(answering(Plain, { id: 1, friend: { id: 3, name: 'Bea' } }))
    expect(controller.get(Base, { id: 1 })?.friend).toBe('friend of 1')
    expect(controller.get(Plain, { id: 1 })).toMatchObject({ friend: { name: 'Bea' } })
  },
)

test('S24 defaults are applied on read and never stored: a partial answer resets nothing', async () => {
  const controller = new Controller()
  controller.set(User, { id: 1 }, { name: 'Ann', isAdmin: true })
  await controller.fetch(mutating(User, { id: 1, name: 'Anna' }))
  expect(controller.get(User, { id: 1 })).toMatchObject({ name: 'Anna', isAdmin: true })
  expect(callsOf(controller).store.tables.get('User')!.nodes.get('1')!.fields).toEqual({
    id: 1,
    name: 'Anna',
    isAdmin: true,
  })
  class WithDefaults extends User {
    static override key = 'WithDefaults'
    static override defaults = { name: 'nobody' }
  }
  expect((await controller.fetch(answering(WithDefaults, { id: 2 }))).name).toBe('nobody')
})

test('S25 a serialized field read twice is one object until the field changes', async () => {
  const controller = new Controller()
  controller.set(Article, { id: 1 }, { createdAt: '2026-01-01' as never })
  const first = controller.get(Article, { id: 1 })!.createdAt
  controller.set(Article, { id: 1 }, { title: 'other' })
  expect(controller.get(Article, { id: 1 })!.createdAt).toBe(first)
  controller.set(Article, { id: 1 }, { createdAt: '2026-02-02' as never })
  expect(controller.get(Article, { id: 1 })!.createdAt).toEqual(new Date('2026-02-02'))
})

test('S26 members of different classes with equal pks are two records; a discriminator called constructor is unknown', async () => {
  const warning = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const items = await new Controller().fetch(
    answering(new schema.Array({ user: User, article: Article }, 'type'), [
      { id: 1, type: 'user' },
      { id: 1, type: 'article' },
      { id: 1, type: 'constructor' },
    ]),
  )
  expect(items[0]).toBeInstanceOf(User)
  expect(items[1]).toBeInstanceOf(Article)
  expect(items[2]).toEqual({ id: 1, type: 'constructor' })
  warning.mockRestore()
})

describe('hostile payloads', () => {
  test('a list of 200,000 is stored and read', async () => {
    const list = answering(
      [Article],
      Array.from({ length: 200_000 }, (_, id) => ({ id })),
    )
    expect((await new Controller().fetch(list)).length).toBe(200_000)
  })

  test('an object that contains itself is stored, and read as a cycle', async () => {
    const user: Record<string, unknown> = { id: 1 }
    user.self = user
    user.plain = { user }
    class Self extends Entity {
      id = 0
      self: Self | undefined
      static override key = 'Self'
    }
    Self.schema = { self: Self }
    const self = await new Controller().fetch(answering(Self, user))
    expect(self.self).toBe(self)
  })

  test('containers nested 1,000 deep are read; beyond the limit is an error that says so', async () => {
    const tree: Record<string, Schema> = {}
    const nested = new schema.Object(tree)
    tree.child = nested
    const recursive = new schema.Object({ child: nested })
    Object.defineProperty(nested, 'nested', { value: [['child', recursive]] })
    Object.defineProperty(recursive, 'nested', { value: [['child', recursive]] })
    const deep = (levels: number) => {
      let payload: object = {}
      for (let level = 0; level < levels; level++) payload = { child: payload }
      return payload
    }
    await expect(new Controller().fetch(answering(recursive, deep(1000)))).resolves.toBeDefined()
    await expect(new Controller().fetch(answering(recursive, deep(5000)))).rejects.toMatchObject({
      code: 'nesting-too-deep',
    })
  })
})
