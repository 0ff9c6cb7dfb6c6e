import { describe, expectTypeOf, test } from 'vitest'
import { denormalize } from '../denormalize/denormalize.js'
import type { Denormalize, DenormalizeNullable } from './denormalized.js'
import { Entity } from './entity.js'
import type { FieldsOf } from './entity.js'
import * as schema from '../lists/namespace.js'
import type { Schema, SchemaContract } from './schema.js'

class User extends Entity {
  id = 0
  name = ''
  get initial() {
    return this.name[0]
  }
  greet(other: string) {
    return `${this.name}, ${other}`
  }
}
class Article extends Entity {
  id = 0
  author: User | undefined
  related: Article[] = []
  createdAt: Date | undefined
  static override schema: { [field: string]: Schema } = { author: User, createdAt: Date }
}
/** An entity class that does not extend Entity. */
class Own {
  static key = 'Own'
  id = ''
  pk() {
    return this.id
  }
}
/** An Entity class with a constructor. */
class Built extends Entity {
  readonly at: number
  constructor(at = 5) {
    super()
    this.at = at
  }
}
class Money {
  readonly cents: number
  constructor(cents: number) {
    this.cents = cents
  }
}
class Custom implements SchemaContract<{ custom: true }> {
  normalize(input: unknown) {
    return input
  }
  denormalize(): { custom: true } | undefined {
    return undefined
  }
}

/** Infers the data of any schema from an argument. */
declare function dataOf<const S extends Schema>(schema: S): Denormalize<S>
/** Type-checks a function without running it. */
declare function check(act: () => unknown): void

describe('Denormalize', () => {
  test('of an entity is the class itself, no mapped copy (2.2, Types)', () => {
    expectTypeOf<Denormalize<typeof Article>>().toEqualTypeOf<Article>()
    expectTypeOf<Denormalize<typeof Own>>().toEqualTypeOf<Own>()
    expectTypeOf<Denormalize<typeof Built>>().toEqualTypeOf<Built>()
    expectTypeOf(dataOf(User).greet).toEqualTypeOf<(other: string) => string>()
    expectTypeOf<Denormalize<typeof Article>>().not.toEqualTypeOf<User>()
    expectTypeOf<Denormalize<typeof Article>>().not.toBeAny()
  })

  test('of a list is a list', () => {
    expectTypeOf<Denormalize<[typeof User]>>().toEqualTypeOf<User[]>()
    expectTypeOf<Denormalize<readonly [typeof User]>>().toEqualTypeOf<User[]>()
    expectTypeOf<Denormalize<(typeof User)[]>>().toEqualTypeOf<User[]>()
    expectTypeOf<Denormalize<[[typeof User]]>>().toEqualTypeOf<User[][]>()
    expectTypeOf(dataOf([User])).toEqualTypeOf<User[]>()
    expectTypeOf(dataOf(new schema.Array(User))).toEqualTypeOf<User[]>()
    expectTypeOf(dataOf([{ user: User, n: 0 }])).toEqualTypeOf<{ user: User; n: number }[]>()
  })

  test('of an object is an object, its literals widened (2.1, Defaults)', () => {
    expectTypeOf(
      dataOf({
        results: [User],
        nextPage: '',
        total: 0,
        done: false,
        big: 1n,
        none: null,
        missing: undefined,
      }),
    ).toEqualTypeOf<{
      results: User[]
      nextPage: string
      total: number
      done: boolean
      big: bigint
      none: null
      missing: undefined
    }>()
    expectTypeOf(dataOf({ next: '' as string | null })).toEqualTypeOf<{ next: string | null }>()
    expectTypeOf(dataOf({ next: 0 as number | undefined })).toEqualTypeOf<{ next: number | undefined }>()
    expectTypeOf(dataOf({ flag: true as boolean | null })).toEqualTypeOf<{ flag: boolean | null }>()
    expectTypeOf(dataOf({ data: { user: User, at: Date } })).toEqualTypeOf<{
      data: { user: User; at: Date }
    }>()
    expectTypeOf(dataOf(new schema.Object({ user: User, page: 0 }))).toEqualTypeOf<{
      user: User
      page: number
    }>()
    expectTypeOf(dataOf({})).toEqualTypeOf<{}>()
  })

  test('of a class is its instance, of a function what it gives (S9)', () => {
    expectTypeOf(dataOf(Date)).toEqualTypeOf<Date>()
    expectTypeOf(dataOf(Money)).toEqualTypeOf<Money>()
    expectTypeOf(dataOf(URL)).toEqualTypeOf<URL>()
    expectTypeOf(dataOf((text: string) => text.length)).toEqualTypeOf<number>()
    expectTypeOf(dataOf({ price: (cents: number) => new Money(cents) })).toEqualTypeOf<{ price: Money }>()
    expectTypeOf(dataOf([Date])).toEqualTypeOf<Date[]>()
  })

  test('of a schema that is cast to one or null may be null', () => {
    expectTypeOf(dataOf({ user: User as typeof User | null })).toEqualTypeOf<{ user: User | null }>()
  })

  test('of a primitive constructor is the primitive (S9)', () => {
    expectTypeOf(dataOf(Number)).toEqualTypeOf<number>()
    expectTypeOf(dataOf(String)).toEqualTypeOf<string>()
    expectTypeOf(dataOf(Boolean)).toEqualTypeOf<boolean>()
    expectTypeOf(dataOf(BigInt)).toEqualTypeOf<bigint>()
    expectTypeOf(dataOf({ n: Number, s: [String] })).toEqualTypeOf<{ n: number; s: string[] }>()
  })

  test('of a schema of the user is what it says', () => {
    expectTypeOf(dataOf(new Custom())).toEqualTypeOf<{ custom: true }>()
    expectTypeOf(dataOf([new Custom()])).toEqualTypeOf<{ custom: true }[]>()
  })

  test('of a delete is nothing that can be shown', () => {
    expectTypeOf(dataOf(new schema.Delete(User))).toEqualTypeOf<undefined>()
  })

  test('of a schema that is not known is unknown', () => {
    expectTypeOf<Denormalize<Schema>>().toBeUnknown()
    expectTypeOf<Denormalize<5>>().toEqualTypeOf<number>()
  })

  test('may be undefined where the data may not be there', () => {
    expectTypeOf<DenormalizeNullable<typeof User>>().toEqualTypeOf<User | undefined>()
    expectTypeOf(denormalize([User], [], {})).toEqualTypeOf<User[] | undefined>()
    expectTypeOf(denormalize({ user: User, page: '' }, {}, {})).toEqualTypeOf<
      { user: User; page: string } | undefined
    >()
  })
})

describe('a schema', () => {
  test('is none of these', () => {
    expectTypeOf(dataOf<Schema>)
      .parameter(0)
      .toEqualTypeOf<Schema>()
    check(() => [
      // @ts-expect-error text alone is no schema
      dataOf('x'),
      // @ts-expect-error a number alone is no schema
      dataOf(5),
      // @ts-expect-error null is no schema
      dataOf(null),
      // @ts-expect-error only an entity can be deleted
      new schema.Delete(Date),
    ])
  })
})

describe('FieldsOf', () => {
  test('has the fields of a record and not its methods', () => {
    expectTypeOf<keyof FieldsOf<User>>().toEqualTypeOf<'id' | 'name' | 'initial'>()
  })

  test('types what fromJS takes', () => {
    expectTypeOf(User.fromJS({ id: 5 })).toEqualTypeOf<User>()
    expectTypeOf(User.fromJS()).toEqualTypeOf<User>()
    check(() => [
      // @ts-expect-error `name` is text
      User.fromJS({ name: 5 }),
      // @ts-expect-error `title` is no field
      User.fromJS({ title: 'x' }),
    ])
  })
})

test('data is of the types that were declared, so that what takes them takes it', () => {
  const list = {} as Denormalize<[typeof Article]>
  const takesList = (articles: Article[]) => articles
  takesList(list)
  expectTypeOf<Denormalize<{ results: [typeof Article] }>>().toEqualTypeOf<{ results: Article[] }>()
})

test('a field that may be missing has the type of its schema or of its default', () => {
  expectTypeOf<Denormalize<ReturnType<typeof optionals>>>().toEqualTypeOf<{
    none: User | undefined
    nothing: User | null
    list: User[]
    collection: User[]
    map: { [key: string]: User }
    text: User | string
    made: User | undefined
  }>()
  // @ts-expect-error a default with content is none: `process` sets it
  check(() => schema.Optional([User], [new User()]))
})

function optionals() {
  return {
    none: schema.Optional(User),
    nothing: schema.Optional(User, null),
    list: schema.Optional([User], []),
    collection: schema.Optional(new schema.Collection([User]), []),
    map: schema.Optional(new schema.Values(User), {}),
    text: schema.Optional(User, ''),
    made: new schema.Optional(User),
  }
}
