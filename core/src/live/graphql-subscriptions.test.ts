import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type * as graphql from 'graphql'
import type * as events from 'graphql-sse/lib/use/http'
import type * as socket from 'graphql-ws/use/ws'
import { createClient as createEventClient } from 'graphql-sse'
import { createClient as createSocketClient } from 'graphql-ws'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { GQLEndpoint, GQLEntity } from '../graphql.js'
import { Controller, schema } from '../index.js'
import type { SelfsameError } from '../index.js'
import { connect } from './connect.js'
import { graphqlSubscriptions } from './graphql-subscriptions.js'
import type { GraphQLSubscriptionsOptions, SubscriptionClient } from './graphql-subscriptions.js'

// All of them by one loader, because `graphql` refuses what another copy of it has made.
const load = createRequire(import.meta.url)
const { GraphQLError, buildSchema, execute, parse } = load('graphql') as typeof graphql
const { createHandler } = load('graphql-sse/lib/use/http') as typeof events
const { useServer } = load('graphql-ws/use/ws') as typeof socket

class Article extends GQLEntity {
  title = ''
  static override key = 'Article'
}

const typeDefs = buildSchema(`
  type Article { id: ID! title: String! }
  type Removed { id: ID! }
  union Change = Article | Removed
  type Query { article(id: ID!): Article articles: [Article!]! }
  type Subscription {
    articleChanged(id: ID!): Article
    changes: Change!
    refused: Article
  }
`)

/** What the server sends to its subscribers, by the name of the field. */
class Hub {
  readonly open = new Map<string, Set<(value: unknown) => void>>()
  /** How many subscriptions were started. */
  started = 0

  send(field: string, value: unknown): void {
    for (const listener of this.open.get(field) ?? []) listener(value)
  }

  count = () => [...this.open.values()].reduce((sum, { size }) => sum + size, 0)

  iterate(field: string): AsyncIterableIterator<unknown> {
    const queue: unknown[] = []
    let wake: (() => void) | undefined
    let isDone = false
    const listener = (value: unknown) => {
      queue.push({ [field.split(' ')[0]!]: value })
      wake?.()
    }
    const listeners = this.open.get(field) ?? new Set()
    this.open.set(field, listeners.add(listener))
    this.started++
    return {
      [Symbol.asyncIterator]() {
        return this
      },
      async next() {
        if (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve))
        return isDone ? { value: undefined, done: true } : { value: queue.shift(), done: false }
      },
      async return() {
        isDone = true
        listeners.delete(listener)
        wake?.()
        return { value: undefined, done: true }
      },
    }
  }
}

let hub: Hub
let server: Server
let sockets: WebSocketServer
let articles: Map<string, { id: string; title: string }>
let requests: number
/** The open streams of events. */
let streams: Set<ServerResponse>

const rootValue = {
  article: ({ id }: { id: string }) => articles.get(id),
  articles: () => [...articles.values()],
  articleChanged: ({ id }: { id: string }) => hub.iterate(`articleChanged ${id}`),
  changes: () => hub.iterate('changes'),
  refused: () => {
    throw new GraphQLError('Not for you.', { extensions: { code: 'FORBIDDEN' } })
  },
}
beforeEach(async () => {
  hub = new Hub()
  articles = new Map([['5', { id: '5', title: 'First' }]])
  requests = 0
  streams = new Set()
  const given = { schema: typeDefs, roots: { query: rootValue, subscription: rootValue } }
  const stream = createHandler<undefined>({
    schema: typeDefs,
    onSubscribe: (_request, { query, variables }) => ({
      schema: typeDefs,
      document: parse(query),
      variableValues: variables,
      rootValue,
      contextValue: undefined,
    }),
  })
  server = createServer((request, response) => {
    if (request.url === '/events') void stream(request, streams.add(response) && response)
    else void answer(request, response)
  })
  sockets = new WebSocketServer({ server, path: '/socket' })
  useServer(given, sockets)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterEach(async () => {
  for (const each of sockets.clients) each.terminate()
  sockets.close()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  requests++
  let text = ''
  for await (const part of request) text += String(part)
  const { query, variables } = JSON.parse(text) as { query: string; variables?: Record<string, unknown> }
  const result = await execute({
    schema: typeDefs,
    document: parse(query),
    rootValue,
    variableValues: variables,
  })
  response.setHeader('content-type', 'application/json').end(JSON.stringify(result))
}

const address = (path: string, protocol = 'http') => {
  const found = server.address()
  return `${protocol}://127.0.0.1:${typeof found === 'object' && found !== null ? found.port : 0}${path}`
}

const clients: Readonly<Record<string, () => SubscriptionClient>> = {
  'graphql-ws': () => {
    const client = createSocketClient({
      url: address('/socket', 'ws'),
      webSocketImpl: WebSocket,
      retryWait: () => Promise.resolve(),
      shouldRetry: () => true,
    })
    onTestFinished(() => void client.dispose())
    return client
  },
  'graphql-sse': () => {
    const client = createEventClient({ url: address('/events'), retry: () => Promise.resolve() })
    onTestFinished(() => client.dispose())
    return client
  },
}

const changedDocument = 'subscription Changed($id: ID!) { articleChanged(id: $id) { id title } }'

function start(client: SubscriptionClient, given: GraphQLSubscriptionsOptions = {}) {
  const live = graphqlSubscriptions(client, { batchMs: 0, lingerMs: 0, ...given })
  const gql = new GQLEndpoint(address('/query'))
  const getArticle = gql.query(
    (_variables: { id: string }) => 'query ($id: ID!) { article(id: $id) { id title } }',
    { article: Article },
  )
  const getArticles = gql.query('{ articles { id title } }', { articles: new schema.Collection([Article]) })
  const controller = new Controller()
  onTestFinished(() => controller.dispose())
  return { live, getArticle, getArticles, controller }
}

describe.each(Object.keys(clients))('a subscription over %s', (transport) => {
  const begin = (given?: GraphQLSubscriptionsOptions) => start(clients[transport]!(), given)

  test('keeps a record fresh, is shared by equal calls, and ends with the last', async () => {
    const { live, getArticle, controller } = begin()
    const stream = live.stream(changedDocument, { schema: Article })
    const laidOut = live.stream(`# laid out\n ${changedDocument}`, { schema: Article })
    const first = getArticle.extend({ stream })
    const second = getArticle.extend({ name: 'Other', stream: laidOut })
    await controller.fetch(first, { id: '5' })
    const ends = [first, second].map((endpoint) => connect(controller, endpoint, { id: '5' }))
    const other = connect(controller, first, { id: '6' })
    await expect.poll(hub.count).toBe(2)
    hub.send('articleChanged 5', { id: '5', title: 'Sent' })
    await expect.poll(() => controller.get(Article, { id: '5' })?.title).toBe('Sent')
    for (const end of ends) end()
    await expect.poll(hub.count).toBe(1)
    other()
    await expect.poll(hub.count).toBe(0)
  })

  test('adds, changes and removes records of a list by the type of its result', async () => {
    const { live, getArticles, controller } = begin()
    const { articles: list } = getArticles.schema
    const kept = getArticles.extend({
      stream: live.stream(
        'subscription { changes { __typename ... on Article { id title } ... on Removed { id } } }',
        { schemas: { Article: list.push, Removed: new schema.Delete(Article) } },
      ),
    })
    await controller.fetch(kept)
    connect(controller, kept)
    await expect.poll(hub.count).toBe(1)
    const titles = () => controller.read(kept).data?.articles.map(({ title }) => title)
    hub.send('changes', { __typename: 'Article', id: '6', title: 'Second' })
    await expect.poll(titles).toEqual(['First', 'Second'])
    hub.send('changes', { __typename: 'Article', id: '5', title: 'Changed' })
    await expect.poll(titles).toEqual(['Changed', 'Second'])
    hub.send('changes', { __typename: 'Removed', id: '5' })
    await expect.poll(titles).toEqual(['Second'])
    expect(requests).toBe(1)
  })

  test('can send the whole response of its call, with variables of its own', async () => {
    const { live, getArticle, controller } = begin()
    const kept = getArticle.extend({
      stream: live.stream(
        (_variables: { of: string }) => 'subscription ($of: ID!) { articleChanged(id: $of) { id title } }',
        {
          variables: ({ id }: { id: string }) => ({ of: id }),
          select: (article) => ({ article }),
        },
      ),
    })
    connect(controller, kept, { id: '7' })
    await expect.poll(hub.count).toBe(1)
    hub.send('articleChanged 7', { id: '7', title: 'Sent' })
    await expect.poll(() => controller.read(kept, { id: '7' }).data?.article.title).toBe('Sent')
  })

  test('fetches its calls again after the client has reconnected', async () => {
    const { live, getArticle, controller } = begin()
    const kept = getArticle.extend({ stream: live.stream(changedDocument, { schema: Article }) })
    await controller.fetch(kept, { id: '5' })
    connect(controller, kept, { id: '5' })
    await expect.poll(hub.count).toBe(1)
    expect([controller.read(kept, { id: '5' }).status, hub.started]).toEqual(['Valid', 1])
    for (const each of sockets.clients) each.terminate()
    for (const response of streams) response.destroy()
    await expect.poll(() => hub.started).toBe(2)
    await expect.poll(() => requests).toBe(2)
    hub.send('articleChanged 5', { id: '5', title: 'Sent' })
    await expect.poll(() => controller.get(Article, { id: '5' })?.title).toBe('Sent')
  })

  test('ends at a reset, and starts again for those who are still there', async () => {
    const { live, getArticle, controller } = begin()
    const kept = getArticle.extend({ stream: live.stream(changedDocument, { schema: Article }) })
    connect(controller, kept, { id: '5' })
    await expect.poll(hub.count).toBe(1)
    controller.resetAll()
    await expect.poll(() => hub.started).toBe(2)
    await expect.poll(hub.count).toBe(1)
  })

  test('reports a result with errors without its texts, and goes on', async () => {
    const onError = vi.fn<(error: SelfsameError) => void>()
    const { live, getArticle, controller } = begin({ onError })
    const kept = getArticle.extend({ stream: live.stream(changedDocument, { schema: Article }) })
    connect(controller, kept, { id: '5' })
    await expect.poll(hub.count).toBe(1)
    // A title is never null.
    hub.send('articleChanged 5', { id: '5', title: null })
    await expect.poll(() => onError.mock.calls.length).toBe(1)
    const [error] = onError.mock.calls[0]!
    expect(error.code).toBe('message-unusable')
    expect(error.message).toContain('subscription Changed received a message that it cannot store for query')
    expect(error.cause).toMatchObject({
      name: 'GraphQLError',
      message: 'The result has 1 error; at articleChanged.title',
    })
    hub.send('articleChanged 5', { id: '5', title: 'Sent' })
    await expect.poll(() => controller.get(Article, { id: '5' })?.title).toBe('Sent')
  })

  test('that the server refuses is reported', async () => {
    const onError = vi.fn<(error: SelfsameError) => void>()
    const { live, getArticle, controller } = begin({ onError })
    const kept = getArticle.extend({
      stream: live.stream('subscription Secret { refused { id title } }', {
        schema: Article,
        variables: () => ({}),
      }),
    })
    connect(controller, kept, { id: '5' })
    const refusal = () => controller.read(kept, { id: '5' }).error ?? onError.mock.calls[0]?.[0]
    await expect.poll(refusal).toBeDefined()
    expect(refusal()).toMatchObject({ message: expect.stringContaining('subscription Secret') as string })
    expect(String(refusal())).not.toContain('Not for you')
  })
})

test('a document without exactly one subscription is refused', () => {
  const live = graphqlSubscriptions(() => {
    throw new Error('No subscription was started.')
  })
  const start = 'graphqlSubscriptions.stream() received'
  expect(() => live.stream('{ article { id } }')).toThrow(`${start} a query.\n  Declare it with query().`)
  expect(() => live.stream('subscription A { a } subscription B { b }')).toThrow(
    `${start} a document with 2 operations.`,
  )
  expect(() => graphqlSubscriptions({} as SubscriptionClient, { batchMs: -1 })).toThrow(
    'graphqlSubscriptions',
  )
})
