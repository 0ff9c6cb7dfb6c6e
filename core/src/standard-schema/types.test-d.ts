import { type as ark } from 'arktype'
import * as v from 'valibot'
import { describe, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import * as arktype from '../arktype.js'
import { Controller, Entity, schema } from '../index.js'
import { createResource } from '../rest.js'
import { standardSchemaOf } from '../standard-schema.js'
import type { EntityInput, EntityOutput, InputOf, OutputOf } from '../standard-schema.js'
import * as valibot from '../valibot.js'
import * as zod from '../zod.js'

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}

const zodUser = z.object({ id: z.number(), name: z.string() })
const object = z.object({
  id: z.number(),
  createdAt: z.coerce.date(),
  state: z.enum(['draft', 'done']).default('draft'),
  author: zodUser.nullable(),
  readers: z.array(zodUser).optional(),
  byRole: z.record(z.string(), zodUser),
  sections: z.array(z.object({ heading: z.string(), editor: zodUser.optional() })),
})
const Article = zod.entityFrom(object, {
  key: 'Article',
  entities: { author: User, readers: User, byRole: User, 'sections.editor': User },
})
type Article = InstanceType<typeof Article>

describe('fields of an entity', () => {
  test('are what the schema makes, with records where they are named', () => {
    expectTypeOf<Article['id']>().toEqualTypeOf<number>()
    expectTypeOf<Article['createdAt']>().toEqualTypeOf<Date>()
    expectTypeOf<Article['state']>().toEqualTypeOf<'draft' | 'done'>()
    expectTypeOf<Article['author']>().toEqualTypeOf<User | null>()
    expectTypeOf<Article['readers']>().toEqualTypeOf<User[] | undefined>()
    expectTypeOf<Article['byRole'][string]>().toEqualTypeOf<User>()
    expectTypeOf<Article['sections'][number]>().toEqualTypeOf<{
      heading: string
      editor?: User | undefined
    }>()
  })

  test('of valibot and arktype are the same', () => {
    const ofValibot = valibot.entityFrom(
      v.object({
        id: v.number(),
        author: v.nullable(v.object({ id: v.number() })),
        tags: v.array(v.string()),
      }),
      { key: 'A', entities: { author: User } },
    )
    const ofArktype = arktype.entityFrom(
      ark({ id: 'number', author: ark({ id: 'number' }).or('null'), tags: 'string[]' }),
      { key: 'B', entities: { author: User } },
    )
    type Fields<E extends abstract new () => unknown> = Omit<InstanceType<E>, 'pk'>
    type Expected = { id: number; author: User | null; tags: string[] }
    expectTypeOf<Fields<typeof ofValibot>>().toEqualTypeOf<Expected>()
    expectTypeOf<Fields<typeof ofArktype>>().toEqualTypeOf<Expected>()
  })

  test('of a schema at a path are what that reads', () => {
    const lists = new schema.Collection([User])
    const Team = zod.entityFrom(z.object({ id: z.number(), members: z.array(zodUser).nullable() }), {
      key: 'Team',
      entities: { members: lists },
    })
    expectTypeOf<InstanceType<typeof Team>['members']>().toEqualTypeOf<User[] | null>()
  })

  test('without entities are those of the object', () => {
    const Tag = zod.entityFrom(z.object({ id: z.number(), name: z.string() }), { key: 'Tag' })
    expectTypeOf<Omit<InstanceType<typeof Tag>, 'pk'>>().toEqualTypeOf<{ id: number; name: string }>()
  })
})

test('a class works where any other does', () => {
  class Post extends Article {
    get year(): number {
      return this.createdAt.getFullYear()
    }
    static override key = 'Post'
  }
  const posts = createResource({ path: '/post/:id', schema: Post })
  const controller = new Controller()
  expectTypeOf(controller.get(Post, { id: 5 })).toEqualTypeOf<Post | undefined>()
  expectTypeOf(controller.fetch(posts.get, { id: 5 })).resolves.toEqualTypeOf<Post>()
  expectTypeOf<Post['author']>().toEqualTypeOf<User | null>()
})

test('a path that is not in the object does not compile', () => {
  // @ts-expect-error the object has no "writer"
  zod.entityFrom(object, { key: 'A', entities: { writer: User } })
  // @ts-expect-error a section has no "editer"
  zod.entityFrom(object, { key: 'A', entities: { 'sections.editer': User } })
  // @ts-expect-error a text is no Entity class
  zod.entityFrom(object, { key: 'A', entities: { author: 'User' } })
  // @ts-expect-error an entity needs a key
  zod.entityFrom(object, {})
  // @ts-expect-error the primary key is a field
  zod.entityFrom(object, { key: 'A', pk: 'slug' })
})

describe('standardSchemaOf', () => {
  test('has the types of the whole object', () => {
    const form = standardSchemaOf(Article)
    expectTypeOf<InputOf<typeof form>>().toEqualTypeOf<z.input<typeof object>>()
    expectTypeOf<OutputOf<typeof form>>().toEqualTypeOf<z.output<typeof object>>()
  })

  test('has those of the fields of a class: dates as text, records as keys, and no getters', () => {
    class Comment extends Entity {
      id = 0
      at = new Date(0)
      author: User | undefined
      tags: string[] = []
      get year() {
        return this.at.getFullYear()
      }
    }
    interface UserFields {
      id: number
      name: string
    }
    expectTypeOf<EntityInput<typeof Comment>>().toEqualTypeOf<{
      id: number
      at: Date | string | number
      author: UserFields | string | number | undefined
      tags: string[]
    }>()
    expectTypeOf<EntityOutput<typeof Comment>['at']>().toEqualTypeOf<Date>()
  })
})
