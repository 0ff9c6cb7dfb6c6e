import { type as ark } from 'arktype'
import * as v from 'valibot'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import * as arktype from '../arktype.js'
import { Controller, Endpoint, Entity, schema } from '../index.js'
import { standardSchemaOf } from '../standard-schema.js'
import * as valibot from '../valibot.js'
import * as zod from '../zod.js'

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
  static override validate = (user: Partial<User>) =>
    user.name === 'Nobody' ? 'nobody is no user' : undefined
}

/** One article, as each library describes it. */
const zodUser = z.object({ id: z.number(), name: z.string() })
const zodArticle = z.object({
  id: z.number(),
  title: z.string().trim(),
  createdAt: z.coerce.date(),
  state: z.string().default('draft'),
  author: zodUser.nullable(),
  readers: z.array(zodUser).optional(),
  byRole: z.record(z.string(), zodUser).optional(),
  sections: z
    .array(z.object({ heading: z.string(), level: z.number().default(1), editor: zodUser.nullish() }))
    .default([]),
})
const valibotUser = v.object({ id: v.number(), name: v.string() })
const valibotArticle = v.object({
  id: v.number(),
  title: v.pipe(v.string(), v.trim()),
  createdAt: v.pipe(
    v.string(),
    v.transform((text) => new Date(text)),
    v.date(),
  ),
  state: v.optional(v.string(), 'draft'),
  author: v.nullable(valibotUser),
  readers: v.optional(v.array(valibotUser)),
  byRole: v.optional(v.record(v.string(), valibotUser)),
  sections: v.optional(
    v.array(
      v.object({ heading: v.string(), level: v.optional(v.number(), 1), editor: v.nullish(valibotUser) }),
    ),
    [],
  ),
})
const arkUser = ark({ id: 'number', name: 'string' })
const arkArticle = ark({
  id: 'number',
  title: 'string.trim',
  createdAt: 'string.date.parse',
  state: "string = 'draft'",
  author: arkUser.or('null'),
  'readers?': arkUser.array(),
  'byRole?': ark({ '[string]': arkUser }),
  sections: ark({ heading: 'string', level: 'number = 1', 'editor?': arkUser.or('null') })
    .array()
    .default(() => []),
})

const entities = { author: User, readers: User, byRole: User, 'sections.editor': User }
const options = { key: 'Article', entities }
const libraries = {
  zod: zod.entityFrom(zodArticle, options),
  valibot: valibot.entityFrom(valibotArticle, options),
  arktype: arktype.entityFrom(arkArticle, options),
}
const schemas = { zod: zodArticle, valibot: valibotArticle, arktype: arkArticle }

/** An article as the server sends it. */
const payload = {
  id: 1,
  title: ' A title ',
  createdAt: '2026-01-02T00:00:00.000Z',
  author: { id: 5, name: 'Ada' },
  readers: [{ id: 6, name: 'Ben' }],
  byRole: { owner: { id: 5, name: 'Ada' } },
  sections: [{ heading: 'One', editor: { id: 6, name: 'Ben' } }],
}

let count = 0
const fetching = async (entity: typeof libraries.zod, answer: object) => {
  const controller = new Controller()
  const get = new Endpoint(async (_params: { id: number }) => structuredClone(answer), {
    name: `get${count++}`,
    schema: entity,
  })
  const article = await controller.fetch(get, { id: 1 })
  return { controller, article, get }
}

describe.each(Object.keys(libraries) as (keyof typeof libraries)[])('of %s', (library) => {
  // The three classes have the same fields.
  const Article = libraries[library] as typeof libraries.zod
  const whole = schemas[library] as unknown as typeof zodArticle

  test('reads records at any depth, in lists and maps, as the selfsame object', async () => {
    const { controller, article } = await fetching(Article, payload)
    expect(article).toBeInstanceOf(Article)
    expect(article).toBeInstanceOf(Entity)
    const ada = controller.get(User, { id: 5 })
    const ben = controller.get(User, { id: 6 })
    expect(ada).toBeInstanceOf(User)
    expect(article.author).toBe(ada)
    expect(article.byRole?.['owner']).toBe(ada)
    expect(article.readers?.[0]).toBe(ben)
    expect(article.sections[0]?.editor).toBe(ben)
    controller.set(User, { id: 6 }, { id: 6, name: 'Bea' })
    expect(controller.get(Article, { id: 1 })?.sections[0]?.editor?.name).toBe('Bea')
  })

  test('reads fields as the schema makes them, and defaults of what is missing', async () => {
    const { article } = await fetching(Article, payload)
    expect(article.title).toBe('A title')
    expect(article.createdAt).toEqual(new Date('2026-01-02'))
    expect(article.state).toBe('draft')
    expect(article.sections[0]?.level).toBe(1)
    const { sections: _, ...without } = payload
    expect((await fetching(Article, without)).article.sections).toEqual([])
  })

  test('takes primary keys and null in the place of records', async () => {
    const { article } = await fetching(Article, {
      ...payload,
      author: null,
      sections: [{ heading: '', editor: 6 }],
    })
    expect(article.author).toBe(null)
    expect(article.sections[0]?.editor?.name).toBe('Ben')
  })

  test('refuses a record with a wrong field, and names its path', async () => {
    const sections = [{ heading: 7, editor: null }]
    await expect(fetching(Article, { ...payload, sections })).rejects.toThrow(
      /Article.*sections\[0\]\.heading/s,
    )
    await expect(fetching(Article, { id: 1 })).rejects.toThrow(/title/)
    await expect(fetching(Article, { ...payload, createdAt: 'never' })).rejects.toThrow(/createdAt/)
  })

  test('leaves a nested record to its own class', async () => {
    const { article } = await fetching(Article, { ...payload, author: { id: 5, name: 'Nobody' }, byRole: {} })
    expect(article.author).toBe(undefined)
  })

  test('has a schema for forms that is the whole object', async () => {
    const form = standardSchemaOf(Article)['~standard']
    const { state: _, ...given } = payload as typeof payload & { state?: string }
    expect(await form.validate(given)).toEqual(await whole['~standard'].validate(given))
    const wrong = { ...payload, author: { id: 5 } }
    const paths = async (validate: typeof form.validate) =>
      (await validate(wrong)).issues?.map(({ path = [] }) =>
        Array.from(path, (part) => (typeof part === 'object' ? part.key : part)),
      )
    expect(await paths(form.validate)).toEqual([['author', 'name']])
  })

  test('is extended by getters, another key and a further check', async () => {
    class Draft extends Article {
      get line() {
        return `${this.title} by ${this.author?.name}`
      }
      static override key = 'Draft'
      static override validate = (draft: { title?: string }) =>
        draft.title === 'No' ? 'no title' : undefined
    }
    const { article } = await fetching(Draft, payload)
    expect((article as Draft).line).toBe('A title by Ada')
    const { validate } = standardSchemaOf(Draft)['~standard']
    expect((await validate({ ...payload, title: 'No' })).issues).toEqual([{ message: 'no title', path: [] }])
    expect((await validate({ ...payload, id: 'x' })).issues).toHaveLength(1)
  })

  test('round trip: what the schema makes of a payload is what a record shows', async () => {
    const user = fc.record({ id: fc.integer({ min: 1, max: 9 }), name: fc.constantFrom('Ada', 'Ben') })
    const article = fc.record(
      {
        id: fc.constant(1),
        title: fc.string(),
        createdAt: fc
          .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
          .map((date) => date.toISOString()),
        state: fc.string(),
        author: fc.option(user),
        readers: fc.array(user),
        byRole: fc.dictionary(fc.constantFrom('a', 'b', 'toString'), user),
        sections: fc.array(fc.record({ heading: fc.string(), editor: fc.option(user) })),
      },
      { requiredKeys: ['id', 'title', 'createdAt', 'author'] },
    )
    await fc.assert(
      fc.asyncProperty(article, async (sent) => {
        const made = await whole['~standard'].validate(structuredClone(sent))
        expect(made.issues).toBe(undefined)
        const { article: shown } = await fetching(Article, withOneName(sent))
        const plain = await whole['~standard'].validate(withOneName(sent))
        expect(JSON.parse(JSON.stringify(shown))).toEqual(
          JSON.parse(JSON.stringify((plain as { value: unknown }).value)),
        )
        // The record, once it is shown, is accepted by its own schema where it takes what it makes.
        if (library === 'zod')
          expect((await standardSchemaOf(Article)['~standard'].validate(shown)).issues).toBe(undefined)
      }),
      { numRuns: 60 },
    )
  })
})

/** The same payload, in which a user has one name everywhere, as in a cache. */
function withOneName<T>(sent: T): T {
  return JSON.parse(JSON.stringify(sent), (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'name' in value && 'id' in value
      ? { ...value, name: `user ${String(value.id)}` }
      : value,
  ) as T
}

test('the primary key is a field, or made of the record', async () => {
  const slugged = z.object({ slug: z.string(), team: z.number() })
  const BySlug = zod.entityFrom(slugged, { key: 'BySlug', pk: 'slug' })
  const ByBoth = zod.entityFrom(slugged, { key: 'ByBoth', pk: ({ team, slug }) => `${team}/${slug}` })
  const controller = new Controller()
  const get = new Endpoint(async () => [{ slug: 'a', team: 1 }], { name: 'slugs', schema: [BySlug] })
  const both = new Endpoint(async () => [{ slug: 'a', team: 1 }], { name: 'both', schema: [ByBoth] })
  await controller.fetch(get)
  await controller.fetch(both)
  expect(controller.get(BySlug, { slug: 'a' })).toEqual({ slug: 'a', team: 1 })
  expect(controller.get(ByBoth, { slug: 'a', team: 1 })).toEqual({ slug: 'a', team: 1 })
})

test('a schema of its own may stand at a path: a Collection, a Union', async () => {
  const comments = new schema.Collection([User], { nestKey: (article) => ({ articleId: article.id }) })
  const Article = zod.entityFrom(z.object({ id: z.number(), comments: z.array(zodUser) }), {
    key: 'WithList',
    entities: { comments },
  })
  const { article } = await fetching(Article as never, { id: 1, comments: [{ id: 5, name: 'Ada' }] })
  expect((article as unknown as { comments: User[] }).comments[0]).toBeInstanceOf(User)
})

describe('a wrong definition names what is wrong', () => {
  const object = z.object({ id: z.number(), meta: z.object({ editor: zodUser }), tags: z.array(z.string()) })
  const make =
    (entity: Record<string, unknown>, from: unknown = object) =>
    () =>
      zod.entityFrom(from as typeof object, { key: 'Wrong', entities: entity as never })

  test.each([
    [
      'a path that is not there',
      make({ 'meta.editer': User }),
      'names the entity "meta.editer", but there is no "editer" in "meta"',
    ],
    [
      'a name that is not there',
      make({ writer: User }),
      'there is no "writer" in the object.\n  The fields there are id, meta, tags.',
    ],
    [
      'a path through a plain value',
      make({ 'tags.owner': User }),
      'cannot look for records inside of "tags"',
    ],
    ['no class', make({ 'meta.editor': undefined }), 'has nothing as its entity "meta.editor"'],
    ['no object', make({}, z.string()), 'received a schema that is not an object'],
    [
      'a converted object',
      make(
        {},
        object.transform(({ id }) => id),
      ),
      'received a schema that is not an object',
    ],
    ['another library', make({}, valibotUser), 'received a schema of valibot'],
    ['no schema', make({}, {}), 'received no schema'],
  ])('%s', (_, run, message) => {
    expect(run).toThrow(message)
  })
})

describe('standardSchemaOf a class that is written by hand', () => {
  class Article extends Entity {
    id = 0
    title = ''
    createdAt = new Date(0)
    author: User | undefined
    readers: User[] = []
    meta = { editor: undefined as User | undefined }
    static override key = 'HandWritten'
    static override schema = { createdAt: Date, author: User, readers: [User], meta: { editor: User } }
    static override validate = z.object({ title: z.string().min(1), author: z.string().optional() })
  }
  const { validate, vendor, version } = standardSchemaOf(Article)['~standard']
  const valid = {
    id: 1,
    title: 'A',
    createdAt: '2026-01-02',
    author: { id: 5, name: 'Ada' },
    readers: [5],
    meta: {},
  }

  test('converts fields, and leaves the rest', () => {
    expect([vendor, version]).toEqual(['selfsame', 1])
    expect(validate(valid)).toEqual({ value: { ...valid, createdAt: new Date('2026-01-02') } })
    expect(valid.createdAt).toBe('2026-01-02')
  })

  test.each([
    ['a field', { createdAt: 'never' }, ['createdAt']],
    ['a nested record', { author: { id: 5, name: 'Nobody' } }, ['author']],
    ['a member of a list', { readers: [5, { id: 6, name: 'Nobody' }] }, ['readers', 1]],
    ['a record in an object', { meta: { editor: true } }, ['meta', 'editor']],
    ['no list', { readers: 5 }, ['readers']],
    ['no object', { meta: 'x' }, ['meta']],
    ['validate', { title: '' }, ['title']],
  ])('%s that is wrong has its path', (_, change, path) => {
    expect(validate({ ...valid, ...change })).toEqual({
      issues: [expect.objectContaining({ path, message: expect.any(String) as string })],
    })
  })

  test('takes only an object', () => {
    for (const value of [null, undefined, 5, 'x', [valid]])
      expect(validate(value)).toEqual({
        issues: [{ message: 'Expected the fields of HandWritten', path: [] }],
      })
  })

  test('a name of an object is only a name', () => {
    const hostile = JSON.parse('{"title": "A", "__proto__": {"createdAt": "never"}}') as object
    expect(validate(hostile)).toMatchObject({ value: { title: 'A' } })
  })

  test('a check that returns a promise is an error that says so', () => {
    class Late extends Entity {
      static override key = 'Late'
      static override validate = z.object({}).refine(() => Promise.resolve(true))
    }
    expect(() => standardSchemaOf(Late)['~standard'].validate({})).toThrow('returned a promise')
  })

  test('an asynchronous whole schema stays asynchronous for forms', async () => {
    const isFree = vi.fn(async (name: string) => name !== 'taken')
    const Account = zod.entityFrom(z.object({ id: z.number(), name: z.string().refine(isFree) }), {
      key: 'Account',
    })
    const { issues } = await standardSchemaOf(Account)['~standard'].validate({ id: 1, name: 'taken' })
    expect(issues?.[0]?.path).toEqual(['name'])
    expect(isFree).toHaveBeenCalledWith('taken')
  })
})
