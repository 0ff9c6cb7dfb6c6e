import { Controller, Entity } from '@selfsame/core'
import * as ofArktype from '@selfsame/core/arktype'
import { createResource } from '@selfsame/core/rest'
import { standardSchemaOf } from '@selfsame/core/standard-schema'
import type { InputOf } from '@selfsame/core/standard-schema'
import * as ofValibot from '@selfsame/core/valibot'
import { entityFrom } from '@selfsame/core/zod'
import { type } from 'arktype'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { z } from 'zod'

// The samples of docs/standard-schema.md.

const userSchema = z.object({ id: z.number(), name: z.string().min(1) })

export const articleSchema = z.object({
  id: z.number(),
  title: z.string().min(1),
  createdAt: z.coerce.date(),
  state: z.enum(['draft', 'published']).default('draft'),
  author: userSchema.nullable(),
  sections: z.array(
    z.object({ heading: z.string(), editors: z.array(userSchema) }),
  ),
})

export class User extends entityFrom(userSchema, { key: 'User' }) {}

export class Article extends entityFrom(articleSchema, {
  key: 'Article',
  entities: { author: User, 'sections.editors': User },
}) {
  get byline() {
    return `${this.title}, by ${this.author?.name ?? 'nobody'}`
  }
}

export const articleResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/article/:id',
  schema: Article,
})

const ada = { id: 2, name: 'Ada' }
const sent = {
  id: 5,
  title: 'Records',
  createdAt: '2026-11-23T00:00:00.000Z',
  author: ada,
  sections: [{ heading: 'First', editors: [ada] }],
}
const answering = (answer: object) =>
  new Controller({ fetch: () => Promise.resolve(Response.json(answer)) })

test('a class of a zod object reads records, dates and defaults', async () => {
  const controller = answering(sent)
  const article = await controller.fetch(articleResource.get, { id: 5 })
  article.byline // 'Records, by Ada'
  article.createdAt.getFullYear() // 2026
  article.author === article.sections[0]?.editors[0] // true: the selfsame User
  article.state // 'draft'
  expect(article.byline).toBe('Records, by Ada')
  expect(article.createdAt.getFullYear()).toBe(2026)
  expect(article.author).toBeInstanceOf(User)
  expect(article.author).toBe(article.sections[0]?.editors[0])
  expect(article.state).toBe('draft')
})

test('a response that the schema refuses is an error with the path', async () => {
  const controller = answering({
    ...sent,
    sections: [{ heading: 7, editors: [] }],
  })
  await expect(
    controller.fetch(articleResource.get, { id: 5 }),
  ).rejects.toThrow('sections[0].heading')
})

test('a path that is not in the object is an error', () => {
  expect(() =>
    // @ts-expect-error the schema has no "writer"
    entityFrom(articleSchema, { key: 'Article', entities: { writer: User } }),
  ).toThrow(
    'names the entity "writer", but there is no "writer" in the object.\n  The fields there are id, title,',
  )
})

test('the same with valibot and arktype', async () => {
  const OfValibot = ofValibot.entityFrom(
    v.object({
      id: v.number(),
      createdAt: v.pipe(v.string(), v.toDate()),
      author: v.nullable(v.object({ id: v.number(), name: v.string() })),
    }),
    { key: 'Article', entities: { author: User } },
  )
  const OfArktype = ofArktype.entityFrom(
    type({
      id: 'number',
      createdAt: 'string.date.parse',
      author: type({ id: 'number', name: 'string' }),
    }),
    { key: 'Article', entities: { author: User } },
  )
  for (const schema of [OfValibot, OfArktype]) {
    const get = createResource({
      urlPrefix: 'https://api.example.com',
      path: '/article/:id',
      schema,
    }).get
    const article = await answering(sent).fetch(get, { id: 5 })
    expect(article.createdAt).toEqual(new Date(sent.createdAt))
    expect(article.author).toBeInstanceOf(User)
  }
})

const articleForm = standardSchemaOf(Article)

export function problemsOf(
  values: InputOf<typeof articleForm>,
): Record<string, string> {
  const result = articleForm['~standard'].validate(values)
  if (result instanceof Promise || result.issues === undefined) return {}
  return Object.fromEntries(
    result.issues.map(({ path, message }) => [String(path?.[0]), message]),
  )
}

test('a form validates with the class', () => {
  const { state: _, ...values } = { ...sent, state: undefined }
  expect(problemsOf(values)).toEqual({})
  expect(problemsOf({ ...values, title: '' })).toEqual({
    title: expect.any(String) as string,
  })
})

class Comment extends Entity {
  id = 0
  text = ''
  at = new Date(0)
  author: User | undefined
  static override key = 'Comment'
  static override schema = { at: Date, author: User }
  static override validate = ({ text }: { text?: string }) =>
    text === '' ? 'Write something' : undefined
}

test('so does one that is written by hand', () => {
  const commentForm = standardSchemaOf(Comment)
  const values = { id: 1, text: '', at: '2026-11-23', author: 2 }
  commentForm['~standard'].validate(values) // { issues: [{ message: 'Write something', path: [] }] }
  expect(commentForm['~standard'].validate(values)).toEqual({
    issues: [{ message: 'Write something', path: [] }],
  })
  expect(commentForm['~standard'].validate({ ...values, text: 'Yes' })).toEqual(
    {
      value: { id: 1, text: 'Yes', at: new Date('2026-11-23'), author: 2 },
    },
  )
})
