import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Controller } from '../controller/controller.js'
import { NetworkError } from '../errors.js'
import { DeleteSchema } from '../schema/delete.js'
import { Entity } from '../schema/entity.js'
import { UnionSchema } from '../schema/polymorphic.js'
import { GQLEndpoint } from './gql-endpoint.js'
import { GQLEntity } from './gql-entity.js'
import { GQLNetworkError } from './gql-network-error.js'
import type { GQLOptions } from './gql-types.js'

class User extends GQLEntity {
  name = ''
  static override key = 'User'
}
class Article extends GQLEntity {
  title = ''
  author: User | null = null
  static override key = 'Article'
  static override schema = { author: User }
}

interface Sent {
  readonly url: string
  readonly init: RequestInit
}
let sent: Sent[] = []
let answer: (sent: Sent) => Response | Promise<Response> = () => Response.json({ data: {} })

/** Records requests, and responds with the result of `answer`. */
class TestEndpoint<const Options extends GQLOptions = GQLOptions> extends GQLEndpoint<Options> {
  override async fetchResponse(url: string, init: RequestInit): Promise<Response> {
    sent.push({ url, init })
    return answer({ url, init })
  }
}

beforeEach(() => {
  sent = []
  answer = () => Response.json({ data: {} })
})

const bodyOf = (at: number) => JSON.parse(String(sent[at]!.init.body)) as unknown
const url = 'https://a.example/graphql'
const gql = new TestEndpoint(url)
const text = 'query GetArticle($id: ID!) { article(id: $id) { id title } }'
const getArticle = gql.query<{ id: string }, { article: typeof Article }>(text, { article: Article })

describe('a call', () => {
  test('posts its document, the name of its operation and its variables, and gives the data', async () => {
    answer = () => Response.json({ data: { article: { id: '5' } } })
    await expect(getArticle({ id: '5' })).resolves.toEqual({ article: { id: '5' } })
    expect(sent).toEqual([
      {
        url,
        init: {
          method: 'POST',
          headers: {
            Accept: 'application/graphql-response+json, application/json;q=0.9',
            'Content-Type': 'application/json',
          },
          body: JSON.stringify({ query: text, operationName: 'GetArticle', variables: { id: '5' } }),
        },
      },
    ])
  })

  test('sends a Map as an object and a Set as a list', async () => {
    const find = gql.query<{ by: unknown }, undefined>('query Find($by: JSON!) { find(by: $by) { id } }')
    await find({ by: { votes: new Map([['a', 1]]), tags: new Set(['x']) } })
    expect(bodyOf(0)).toMatchObject({ variables: { by: { votes: { a: 1 }, tags: ['x'] } } })
  })

  test('without variables or a name sends neither', async () => {
    await gql.query('{ users { id } }')()
    expect(bodyOf(0)).toEqual({ query: '{ users { id } }' })
  })

  test('takes its text from a function of the variables', async () => {
    const search = gql.query(
      ({ full }: { full: boolean }) => `query Search { articles { id ${full ? 'content' : ''} } }`,
    )
    await search({ full: true })
    expect(bodyOf(0)).toEqual({
      query: 'query Search { articles { id content } }',
      operationName: 'Search',
      variables: { full: true },
    })
    await search({ full: false })
    expect(bodyOf(1)).toMatchObject({ query: 'query Search { articles { id  } }' })
  })

  test('takes its steps in order, each of which an option replaces', async () => {
    const steps: string[] = []
    const endpoint = new GQLEndpoint(url, {
      getHeaders: (headers) => (steps.push('getHeaders'), { ...headers, 'X-Token': 't' }),
      fetchResponse: (to, init) => {
        steps.push(`fetchResponse ${to} ${new Headers(init.headers).get('x-token')}`)
        return Promise.resolve(Response.json({ data: { n: 1 }, extensions: { cost: 3 } }))
      },
      parseResponse: async (response) => {
        const body = (await response.json()) as { extensions: { cost: number } }
        steps.push(`parseResponse ${body.extensions.cost}`)
        return body
      },
      process: (data: { n: number }, variables: { id: string }) => {
        steps.push(`process ${JSON.stringify([data, variables])}`)
        return data.n
      },
    }).query<{ id: string }>(text)
    await expect(endpoint({ id: '5' })).resolves.toBe(1)
    expect(steps).toEqual([
      'getHeaders',
      `fetchResponse ${url} t`,
      'parseResponse 3',
      'process [{"n":1},{"id":"5"}]',
    ])
  })

  test('takes its steps from a subclass, which may call those of the base class', async () => {
    class Custom extends TestEndpoint {
      override readonly dataExpiryLength = 5
      override async getRequestInit(body: { readonly query: string }) {
        return { ...(await super.getRequestInit(body)), credentials: 'include' as const }
      }
      override async getHeaders(headers: Readonly<Record<string, string>>) {
        return { ...headers, 'Access-Token': await Promise.resolve('secret') }
      }
    }
    const endpoint = new Custom(url).query(text)
    expect(endpoint).toBeInstanceOf(Custom)
    expect(endpoint.dataExpiryLength).toBe(5)
    expect(endpoint.extend({ dataExpiryLength: 7 }).dataExpiryLength).toBe(7)
    await endpoint({ id: '5' })
    expect(sent[0]!.init.credentials).toBe('include')
    expect(new Headers(sent[0]!.init.headers).get('access-token')).toBe('secret')
  })

  test('is aborted by the signal of its endpoint, and by that of whoever makes it', async () => {
    answer = ({ init }) =>
      new Promise((_, reject) => init.signal!.addEventListener('abort', () => reject(init.signal!.reason)))
    const own = new AbortController()
    const call = getArticle.extend({ signal: own.signal })({ id: '5' })
    await vi.waitUntil(() => sent.length === 1)
    own.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })

    const waiting = new AbortController()
    const made = getArticle.callWith({ signal: waiting.signal }, [{ id: '5' }])
    await vi.waitUntil(() => sent.length === 2)
    waiting.abort()
    await expect(made).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('of a server without a document rejects, saying what to do', async () => {
    await expect((gql as unknown as () => Promise<unknown>)()).rejects.toMatchObject({
      code: 'definition-invalid',
      message: `The GQLEndpoint of ${url} was called without a document.
  Declare the document with query() or mutation(), and call the endpoint that they return.`,
    })
    expect(sent).toEqual([])
  })
})

describe('a declaration', () => {
  test('has the name of its operation, and changes data when it is a mutation', () => {
    expect([getArticle.name, getArticle.sideEffect]).toEqual(['GetArticle', undefined])
    const remove = gql.mutation('mutation Remove { remove }', { remove: new DeleteSchema(Article) })
    expect([remove.name, remove.sideEffect]).toEqual(['Remove', true])
    expect(gql.query('{ a }').name).toBe('query')
    expect(gql.name).toBe('GQLEndpoint')
  })

  test('takes nothing of another operation that it was declared with, but its options', () => {
    const next = getArticle.extend({ name: 'mine', dataExpiryLength: 5 }).mutation('mutation Go { go }')
    expect(next.name).toBe('Go')
    expect(next.schema).toBeUndefined()
    expect(next.sideEffect).toBe(true)
    expect(next.dataExpiryLength).toBe(5)
  })

  test('is refused for a document of another kind', () => {
    expect(() => gql.query('mutation Go { go }')).toThrow(
      expect.objectContaining({
        code: 'definition-invalid',
        message: `GQLEndpoint.query() of ${url} received a mutation.\n  Declare it with mutation().`,
      }),
    )
  })

  test('by a function is refused when it is called', async () => {
    await expect(gql.mutation(() => '{ a }')()).rejects.toMatchObject({ code: 'definition-invalid' })
  })

  test('is extended as any endpoint is', async () => {
    const title = getArticle.extend({
      url: 'https://b.example',
      name: 'GetTitle',
      process: ({ article }: { article: { title: string } }) => article.title,
    })
    answer = () => Response.json({ data: { article: { id: '5', title: 'x' } } })
    await expect(title({ id: '5' })).resolves.toBe('x')
    expect(sent[0]!.url).toBe('https://b.example')
    expect([title.name, title.schema, getArticle.name]).toEqual(['GetTitle', getArticle.schema, 'GetArticle'])
  })
})

describe('a key', () => {
  test('is one for documents that differ in white space, and variables in any order (E18)', () => {
    const a = gql.query<{ a: number; b: string }>('query A($a: Int, $b: ID) { f(a: $a, b: $b) }')
    const b = gql.query<{ a: number; b: string }>(`
      query A(
        $a: Int # the first
        $b: ID
      ) {
        f(a: $a b: $b)
      }`)
    expect(a.key({ a: 1, b: 'x' })).toBe(`A ${url} query A($a:Int $b:ID){f(a:$a b:$b)} {"a":"1","b":"x"}`)
    expect(b.key({ b: 'x', a: 1 })).toBe(a.key({ a: 1, b: 'x' }))
    expect(a.key({ a: 2, b: 'x' })).not.toBe(a.key({ a: 1, b: 'x' }))
  })

  test('does not tell no variables from empty ones', () => {
    const list = gql.query('{ users { id } }')
    expect(list.key()).toBe(list.key({}))
    expect(list.key()).toBe(`query ${url} {users{id}} {}`)
  })

  test('of a function is that of its text, before and after the first call', async () => {
    const search = gql.query(({ all }: { all: boolean }) => (all ? 'query A { a }' : 'query B { b }'))
    const key = search.key({ all: true })
    expect(key).toBe(`A ${url} query A{a} {"all":true}`)
    await search({ all: true })
    expect(search.key({ all: true })).toBe(key)
    expect(search.key({ all: false })).toBe(`B ${url} query B{b} {"all":false}`)
  })

  test('tells servers apart', () => {
    expect(getArticle.extend({ url: '/other' }).key({ id: '5' })).not.toBe(getArticle.key({ id: '5' }))
  })
})

describe('an answer with errors', () => {
  const failed = {
    errors: [
      { message: 'There is no article 5.', path: ['article'], extensions: { code: 'NOT_FOUND' } },
      { message: 'Too\nmany.', path: ['articles', 3, 'author'], locations: [{ line: 1, column: 2 }] },
      { message: 'Slow down.' },
    ],
  }
  const places = '; NOT_FOUND at article; at articles[3].author'

  test('is an error with their codes and places; their texts are only in `errors` (E18)', async () => {
    answer = () => Response.json({ ...failed, data: null }, { statusText: 'OK' })
    const error = await getArticle({ id: '5' }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(GQLNetworkError)
    expect(error).toBeInstanceOf(NetworkError)
    expect(error).toMatchObject({
      name: 'GQLNetworkError',
      message: `GetArticle failed: 200 OK with 3 errors from POST ${url}${places}.`,
      status: 200,
      errors: failed.errors,
      body: { ...failed, data: null },
    })
  })

  test('has the status of the response (E18)', async () => {
    answer = () => Response.json(failed, { status: 500, statusText: 'Internal Server Error' })
    const error = (await getArticle({ id: '5' }).catch((thrown: unknown) => thrown)) as GQLNetworkError
    expect(error).toBeInstanceOf(GQLNetworkError)
    expect(error.status).toBe(500)
    expect(error.message).toBe(
      `GetArticle failed: 500 Internal Server Error with 3 errors from POST ${url}${places}.`,
    )
    await expect(error.response!.json()).resolves.toEqual(failed)
  })

  test('that are no errors by the specification is an error all the same', async () => {
    answer = () => Response.json({ errors: ['no', {}, null] })
    await expect(getArticle({ id: '5' })).rejects.toThrow(
      `GetArticle failed: 200 with 3 errors from POST ${url}.`,
    )
  })

  describe('beside data (E18)', () => {
    const partial = { data: { article: { id: '5', author: null } }, errors: [{ message: 'No author.' }] }
    const keeping = getArticle.extend({ partialData: 'keep' })
    const failure = `GetArticle failed: 200 with 1 error from POST ${url}.`

    test('fails, and stores nothing, unless the endpoint says otherwise', async () => {
      answer = () => Response.json(partial)
      const controller = new Controller()
      await expect(controller.fetch(getArticle, { id: '5' })).rejects.toThrow(failure)
      expect(controller.get(Article, { id: '5' })).toBeUndefined()
      await expect(getArticle({ id: '5' })).rejects.toMatchObject({ body: partial })
    })

    test('is used where the endpoint keeps partial data', async () => {
      answer = () => Response.json(partial)
      await expect(keeping({ id: '5' })).resolves.toEqual(partial.data)
    })

    test.each([
      ['there is no data', { ...partial, data: null }, 200],
      ['the request was not even made', { errors: partial.errors }, 200],
      ['the status says so', partial, 500],
    ])('fails in any case when %s', async (_, body, status) => {
      answer = () => Response.json(body, { status })
      await expect(keeping({ id: '5' })).rejects.toMatchObject({ name: 'GQLNetworkError', status })
    })
  })
})

describe('an answer that is not GraphQL', () => {
  test.each([
    ['an array', []],
    ['text', 'secret'],
    ['an object', { article: {} }],
    ['an object', { errors: [] }],
  ])('%s is an error that says so', async (kind, body) => {
    answer = () => Response.json(body)
    await expect(getArticle({ id: '5' })).rejects.toMatchObject({
      code: 'body-unexpected',
      status: 400,
      message: expect.stringContaining(`GetArticle received ${kind} from POST ${url}`) as string,
    })
  })

  test('is an error that names its content type', async () => {
    answer = () => new Response('<html>', { headers: { 'content-type': 'text/html' } })
    await expect(getArticle({ id: '5' })).rejects.toMatchObject({ code: 'body-unexpected', status: 400 })
  })

  test('with a status that is not 2xx is an error with that status', async () => {
    answer = () => Response.json({ error: 'no' }, { status: 503, statusText: 'Unavailable' })
    const error = (await getArticle({ id: '5' }).catch((thrown: unknown) => thrown)) as NetworkError
    expect(error).not.toBeInstanceOf(GQLNetworkError)
    expect(error).toMatchObject({
      message: `GetArticle failed: 503 Unavailable from POST ${url}.`,
      body: { error: 'no' },
    })
  })

  test('because there was none is an error without a status', async () => {
    answer = () => Promise.reject(new TypeError('fetch failed'))
    await expect(getArticle({ id: '5' })).rejects.toMatchObject({ name: 'NetworkError', status: undefined })
  })
})

describe('a Controller', () => {
  test('stores the records of data under its fields, and shares a request of one key', async () => {
    answer = () =>
      Response.json({ data: { article: { __typename: 'Article', id: '5', author: { id: '2', name: 'A' } } } })
    const controller = new Controller()
    const same = gql.query<{ id: string }, { article: typeof Article }>(`${text}\n`, { article: Article })
    const [{ article }, other] = await Promise.all([
      controller.fetch(getArticle, { id: '5' }),
      controller.fetch(same, { id: '5' }),
    ])
    expect(sent).toHaveLength(1)
    expect(article).toBeInstanceOf(Article)
    expect(article).toMatchObject({ __typename: 'Article' })
    expect(article.author).toBe(controller.get(User, { id: '2' }))
    expect(other.article).toBe(article)
  })

  test.each([
    ['treats partial data otherwise', getArticle.extend({ partialData: 'keep' })],
    ['processes it otherwise', getArticle.extend({ process: (data: unknown) => data })],
  ])('does not share a request with an endpoint that %s', async (_, other) => {
    answer = () => Response.json({ data: { article: { id: '5' } } })
    const controller = new Controller()
    await Promise.all([controller.fetch(getArticle, { id: '5' }), controller.fetch(other, { id: '5' })])
    expect(sent).toHaveLength(2)
  })

  test('answers from the store a record that the variables name, and never guesses which of several (F22)', () => {
    const controller = new Controller()
    controller.set(User, { id: '5' }, { id: '5', name: 'A' })
    controller.set(Article, { id: '5' }, { id: '5', title: 'x' })
    expect(controller.read(getArticle, { id: '5' }).data!.article).toBe(controller.get(Article, { id: '5' }))
    const both = 'query ($id: ID!) { article(id: $id) { id } viewer { id } }'
    for (const schema of [
      { article: Article, viewer: User },
      { article: Article, more: { viewer: User } },
    ]) {
      expect(controller.read(gql.query(both, schema), { id: '5' }).data).toBeUndefined()
    }
  })

  test('stores what a mutation is answered with, and removes what it deleted', async () => {
    const controller = new Controller()
    answer = () => Response.json({ data: { article: { id: '5', title: 'old' } } })
    await controller.fetch(getArticle, { id: '5' })
    const rename = gql.mutation(
      (_variables: { id: string; title: string }) =>
        'mutation Rename($id: ID!, $title: String!) { renameArticle(id: $id, title: $title) { id title } }',
      { renameArticle: Article },
    )
    answer = () => Response.json({ data: { renameArticle: { id: '5', title: 'new' } } })
    const { renameArticle } = await controller.fetch(rename, { id: '5', title: 'new' })
    expect(controller.get(Article, { id: '5' })).toBe(renameArticle)
    expect(renameArticle.title).toBe('new')

    const remove = gql.mutation<{ id: string }, { deleteArticle: DeleteSchema<typeof Article> }>(
      'mutation Delete($id: ID!) { deleteArticle(id: $id) { id } }',
      { deleteArticle: new DeleteSchema(Article) },
    )
    answer = () => Response.json({ data: { deleteArticle: { id: '5' } } })
    await controller.fetch(remove, { id: '5' })
    expect(controller.get(Article, { id: '5' })).toBeUndefined()
  })

  test('keeps data that is there when a later answer has errors with status 200', async () => {
    const controller = new Controller()
    answer = () => Response.json({ data: { article: { id: '5', title: 'x' } } })
    await controller.fetch(getArticle, { id: '5' })
    answer = () => Response.json({ errors: [{ message: 'no' }] })
    await expect(controller.fetch(getArticle, { id: '5' })).rejects.toThrow('1 error')
    expect(controller.read(getArticle, { id: '5' })).toMatchObject({ data: { article: { title: 'x' } } })
  })
})

describe('a GQLEntity', () => {
  test('is chosen by its __typename in a union', async () => {
    const node = gql.query('{ nodes { __typename id } }', {
      nodes: [new UnionSchema({ Article, User }, '__typename')],
    })
    answer = () =>
      Response.json({
        data: {
          nodes: [
            { __typename: 'User', id: '1' },
            { __typename: 'Article', id: '1' },
          ],
        },
      })
    const { nodes } = await new Controller().fetch(node)
    expect(nodes.map(({ constructor }) => constructor)).toEqual([User, Article])
  })

  test('has no __typename where none was selected', () => {
    expect(Object.keys(User.fromJS({ id: '1' }))).toEqual(['id', 'name'])
    expect(User.fromJS({ id: '1' }).pk()).toBe('1')
  })

  test('is the selfsame record as an Entity of its key', async () => {
    class RestArticle extends Entity {
      id = 0
      title = ''
      static override key = 'Article'
    }
    const controller = new Controller()
    controller.set(RestArticle, { id: 5 }, { id: 5, title: 'by REST' })
    answer = () => Response.json({ data: { article: { id: '5', title: 'by GraphQL' } } })
    await controller.fetch(getArticle, { id: '5' })
    expect(controller.get(RestArticle, { id: 5 })!.title).toBe('by GraphQL')
  })

  test('without an id fails the answer', async () => {
    answer = () => Response.json({ data: { article: { title: 'x' } } })
    await expect(new Controller().fetch(getArticle, { id: '5' })).rejects.toMatchObject({
      code: 'pk-missing',
    })
  })
})
