import { describe, expectTypeOf, test } from 'vitest'
import type { Controller } from '../controller/controller.js'
import type { ArgsOf, DataOf, EndpointLike, ReadEndpoint } from '../endpoint/endpoint.js'
import type { DeleteSchema } from '../schema/delete.js'
import type { ResultOf, VariablesOf } from './document.js'
import type { DocumentNode } from './print-document.js'
import { GQLEndpoint } from './gql-endpoint.js'
import { GQLEntity } from './gql-entity.js'

class User extends GQLEntity {
  name = ''
}
class Article extends GQLEntity {
  title = ''
  author: User | null = null
}

/** As `@graphql-typed-document-node/core` declares it. */
interface TypedDocumentNode<Result, Variables> extends DocumentNode {
  readonly __apiType?: (variables: Variables) => Result
}
/** As code generators write it in their string mode. */
declare class TypedDocumentString<Result, Variables> extends String {
  readonly __apiType?: NonNullable<TypedDocumentNode<Result, Variables>['__apiType']>
}
/** As code generators write variables. */
type Exact<T> = { [K in keyof T]: T[K] }

declare const controller: Controller
/** Type-checks a function without running it. */
declare function check(act: () => unknown): void

const gql = new GQLEndpoint('/graphql')
const typed = {} as TypedDocumentNode<{ article: { id: string } }, Exact<{ id: string; full?: boolean }>>
const getArticle = gql.query(typed, { article: Article })

describe('the variables of a call', () => {
  test('are those of a typed document node', () => {
    expectTypeOf(getArticle).parameters.toEqualTypeOf<[variables: Exact<{ id: string; full?: boolean }>]>()
    expectTypeOf<ArgsOf<typeof getArticle>>().toEqualTypeOf<Parameters<typeof getArticle>>()
    expectTypeOf(getArticle.key).toBeCallableWith({ id: '5' })
    check(() => [
      // @ts-expect-error variables are required
      getArticle(),
      // @ts-expect-error `id` is text
      getArticle({ id: 5 }),
      // @ts-expect-error `size` is no variable
      getArticle({ id: '5', size: 1 }),
      // @ts-expect-error only hooks take null
      getArticle(null),
      // @ts-expect-error the key is named by the same variables
      getArticle.key({}),
      // @ts-expect-error the Controller holds its callers to them
      controller.fetch(getArticle, { id: 5 }),
    ])
  })

  test('are those of a typed text', () => {
    const list = gql.query({} as TypedDocumentString<{ n: number }, { first: number }>)
    expectTypeOf(list).parameters.toEqualTypeOf<[variables: { first: number }]>()
    expectTypeOf(list({ first: 1 })).resolves.toEqualTypeOf<{ n: number }>()
  })

  test('are those of a function that returns the text', () => {
    const search = gql.query((variables: { q: string }) => `{ a(q: "${variables.q}") }`)
    expectTypeOf(search).parameters.toEqualTypeOf<[variables: { q: string }]>()
    const none = gql.query(() => '{ a }')
    expectTypeOf(none).parameters.toEqualTypeOf<[]>()
    const optional = gql.query((_variables?: { q: string }) => '{ a }')
    expectTypeOf(optional).parameters.toEqualTypeOf<[variables?: { q: string }]>()
  })

  test('are those that a text is given as a type', () => {
    const byType = gql.query<{ id: string }>('…')
    expectTypeOf(byType).parameters.toEqualTypeOf<[variables: { id: string }]>()
    const withSchema = gql.query<{ id: string }, { article: typeof Article }>('…', { article: Article })
    expectTypeOf(withSchema).parameters.toEqualTypeOf<[variables: { id: string }]>()
    expectTypeOf<DataOf<typeof withSchema>>().toEqualTypeOf<{ article: Article }>()
    const byOption = gql.query('…', { article: Article }).extend({ variables: {} as { id: string } })
    expectTypeOf(byOption).parameters.toEqualTypeOf<[variables: { id: string }]>()
    check(() => [
      // @ts-expect-error a schema that is given with one type has to be given its own
      gql.query<{ id: string }>('…', { article: Article }),
      // @ts-expect-error `id` is missing
      byType({}),
    ])
  })

  test('are any for a text that does not name them', () => {
    const loose = gql.query('{ a }')
    expectTypeOf(loose).toBeCallableWith()
    expectTypeOf(loose).toBeCallableWith({ anything: 5 })
    expectTypeOf(gql.query({} as DocumentNode)).toBeCallableWith({ anything: 5 })
    check(() => [
      // @ts-expect-error variables are an object
      loose('5'),
    ])
  })

  test('may be left out where none is required', () => {
    const paged = gql.query({} as TypedDocumentNode<unknown, Exact<{ first?: number }>>)
    expectTypeOf(paged).parameters.toEqualTypeOf<[variables?: Exact<{ first?: number }>]>()
    const none = gql.query({} as TypedDocumentNode<unknown, Exact<{ [key: string]: never }>>)
    expectTypeOf(none).toBeCallableWith()
    check(() => [
      // @ts-expect-error there is nothing to pass
      none({ id: '5' }),
    ])
  })

  test('are not there for the server itself', () => {
    check(() => [
      // @ts-expect-error it has no document
      gql(),
      // @ts-expect-error with variables neither
      gql({ id: '5' }),
    ])
  })
})

describe('the data of a call', () => {
  test('is that of the schema', () => {
    expectTypeOf<DataOf<typeof getArticle>>().toEqualTypeOf<{ article: Article }>()
    expectTypeOf(controller.fetch(getArticle, { id: '5' })).resolves.toEqualTypeOf<{ article: Article }>()
  })

  test('is that of the document without a schema, and unknown without either', () => {
    expectTypeOf(gql.query(typed)({ id: '5' })).resolves.toEqualTypeOf<{ article: { id: string } }>()
    expectTypeOf(gql.query('{ a }')()).resolves.toBeUnknown()
  })

  test('is what process makes of it', () => {
    const title = getArticle.extend({ process: (data: { article: { title: string } }) => data.article.title })
    expectTypeOf(title({ id: '5' })).resolves.toEqualTypeOf<string>()
    expectTypeOf(title).parameters.toEqualTypeOf<Parameters<typeof getArticle>>()
  })
})

describe('a declaration', () => {
  test('says whether it changes data', () => {
    const remove = gql.mutation(typed, { remove: {} as DeleteSchema<typeof Article> })
    expectTypeOf(getArticle.sideEffect).toEqualTypeOf<undefined>()
    expectTypeOf(remove.sideEffect).toEqualTypeOf<true>()
    expectTypeOf(getArticle).toExtend<ReadEndpoint>()
    expectTypeOf(remove).toExtend<EndpointLike>()
    expectTypeOf(remove).not.toExtend<ReadEndpoint>()
    expectTypeOf(remove.extend({ sideEffect: false })).toExtend<ReadEndpoint>()
  })

  test('keeps its variables and data in extend', () => {
    const long = getArticle.extend({ dataExpiryLength: 5 })
    expectTypeOf(long).parameters.toEqualTypeOf<Parameters<typeof getArticle>>()
    expectTypeOf<DataOf<typeof long>>().toEqualTypeOf<{ article: Article }>()
    const other = getArticle.extend({ schema: { article: User } })
    expectTypeOf<DataOf<typeof other>>().toEqualTypeOf<{ article: User }>()
    check(() => [
      // @ts-expect-error there is no such policy
      getArticle.extend({ partialData: 'ignore' }),
    ])
  })

  test('comes from a subclass as well', () => {
    class Custom extends GQLEndpoint {
      override getHeaders() {
        return { 'X-Token': 't' }
      }
    }
    const custom = new Custom('/graphql').query(typed, { article: Article })
    expectTypeOf(custom).parameters.toEqualTypeOf<Parameters<typeof getArticle>>()
    expectTypeOf(custom({ id: '5' })).resolves.toEqualTypeOf<{ article: Article }>()
  })

  test('takes documents, and nothing else', () => {
    check(() => [
      // @ts-expect-error a number is no document
      gql.query(5),
      // @ts-expect-error a function has to return text
      gql.query(() => 5),
    ])
  })
})

test('what a document tells', () => {
  expectTypeOf<VariablesOf<typeof typed>>().toEqualTypeOf<Exact<{ id: string; full?: boolean }>>()
  expectTypeOf<ResultOf<typeof typed>>().toEqualTypeOf<{ article: { id: string } }>()
  expectTypeOf<VariablesOf<string>>().toBeUnknown()
  expectTypeOf<ResultOf<() => string>>().toBeUnknown()
  expectTypeOf<VariablesOf<(v: { id: string }) => string>>().toEqualTypeOf<{ id: string }>()
})

test('the fields of a GQLEntity', () => {
  expectTypeOf<Article['id']>().toEqualTypeOf<string>()
  expectTypeOf<Article['__typename']>().toEqualTypeOf<string | undefined>()
})
