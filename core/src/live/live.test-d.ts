import { Endpoint, Entity, schema } from '@selfsame/core'
import type { StreamSink } from '@selfsame/core'
import type { DocumentNode } from '@selfsame/core/graphql'
import { eventSource, graphqlSubscriptions, webSocket } from '@selfsame/core/live'
import type { SubscriptionClient } from '@selfsame/core/live'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { createClient as createEventClient } from 'graphql-sse'
import { createClient as createSocketClient } from 'graphql-ws'
import { describe, expectTypeOf, test } from 'vitest'
import { WebSocket as NodeWebSocket } from 'ws'

interface PriceMessage {
  readonly type: 'price'
  readonly symbol: string
  readonly amount: number
}

class Price extends Entity {
  symbol = ''
  amount = 0
}

class Todo extends Entity {
  id = 0
}

describe('a socket', () => {
  const socket = webSocket<PriceMessage>('wss://example.com', { topicOf: ({ symbol }) => symbol })

  test('takes the arguments of an Endpoint from its function', () => {
    new Endpoint(({ symbol }: { symbol: string }) => Promise.resolve({ symbol, amount: 0 }), {
      schema: Price,
      stream: socket.stream({
        topic: ({ symbol }) => {
          expectTypeOf(symbol).toEqualTypeOf<string>()
          return symbol
        },
        subscribe: ({ symbol }) => ({ symbol }),
        select: (message, { symbol }) => {
          expectTypeOf(message).toEqualTypeOf<PriceMessage>()
          return message.symbol === symbol ? message : undefined
        },
      }),
    })
  })

  test('takes those of a REST endpoint as they are annotated', () => {
    const stream = socket.stream({
      topic: ({ symbol }: { symbol: string }) => symbol,
      subscribe: ({ symbol }) => {
        expectTypeOf(symbol).toEqualTypeOf<string>()
        return symbol
      },
    })
    expectTypeOf(stream).toEqualTypeOf<(sink: StreamSink, args_0: { symbol: string }) => () => void>()
    const get = new RestEndpoint({ path: '/price/:symbol', schema: Price, stream })
    expectTypeOf(get).parameter(0).toEqualTypeOf<{ readonly symbol: string | number }>()
  })

  test('compiles without annotations', () => {
    socket.stream({ subscribe: ({ id }) => ({ subscribe: id }), unsubscribe: ({ id }) => ({ leave: id }) })
    new RestEndpoint({
      path: '/price/:id',
      schema: Price,
      stream: socket.stream({ topic: ({ id }) => `${id}` }),
    })
    createResource({ path: '/price/:id', schema: Price }).get.extend({
      stream: socket.stream({ subscribe: ({ id }) => ({ id }) }),
    })
    const events = eventSource<PriceMessage>('https://example.com')
    new RestEndpoint({
      path: '/price/:id',
      schema: Price,
      stream: events.stream({ topic: ({ id }) => `${id}` }),
    })
  })

  test('refuses arguments that the function does not have', () => {
    new Endpoint(({ symbol }: { symbol: string }) => Promise.resolve(symbol), {
      // @ts-expect-error the function takes a symbol
      stream: socket.stream({ topic: ({ name }: { name: string }) => name }),
    })
  })

  test('stores a message in one way', () => {
    socket.stream({ schema: Price })
    socket.stream({ schemas: { price: Price }, schemaAttribute: 'type' })
    socket.stream({ apply: (message, sink) => sink.set(Price, {}, message) })
    // @ts-expect-error a message has no such field
    socket.stream({ schemas: { price: Price }, schemaAttribute: 'kind' })
    // @ts-expect-error either one schema, or one for each kind
    socket.stream({ schema: Price, schemas: { price: Price } })
    // @ts-expect-error `apply` stores the message itself
    socket.stream({ schema: Price, apply: () => {} })
  })

  test('is made by the platform, or by the package ws', () => {
    webSocket('ws://localhost', { WebSocket: NodeWebSocket })
    webSocket('ws://localhost', { WebSocket })
    // @ts-expect-error a WebSocket is a constructor
    webSocket('ws://localhost', { WebSocket: () => {} })
  })

  test('has the type that it is parsed to', () => {
    const parsed = webSocket('ws://localhost', { parse: (data) => ({ size: String(data).length }) })
    parsed.stream({ select: (message) => expectTypeOf(message).toEqualTypeOf<{ size: number }>() })
    webSocket('ws://localhost').stream({
      select: (message) => expectTypeOf(message).toEqualTypeOf<unknown>(),
    })
  })
})

describe('server-sent events', () => {
  interface Changes {
    created: Todo
    deleted: { id: number }
  }
  const todos = createResource({ path: '/todo/:id', schema: Todo })

  test('have the data that belongs to their name', () => {
    const changes = eventSource<Changes>('/events', { events: ['created', 'deleted'], EventSource })
    const getList = todos.getList.extend({
      stream: changes.stream({
        schemas: { created: todos.getList.schema.push, deleted: new schema.Delete(Todo) },
        select: (event) => {
          if (event.type === 'deleted') expectTypeOf(event.data).toEqualTypeOf<{ id: number }>()
          else expectTypeOf(event.data).toEqualTypeOf<Todo>()
          return event.data
        },
      }),
    })
    expectTypeOf(getList()).resolves.toEqualTypeOf<Todo[]>()
    // @ts-expect-error there is no such event
    eventSource<Changes>('/events', { events: ['moved'] })
  })

  test('have an address for each call', () => {
    const changes = eventSource(({ id }: { id: number }) => `/todo/${id}/events`)
    new Endpoint(({ id }: { id: number }) => Promise.resolve({ id }), {
      schema: Todo,
      stream: changes.stream({ select: ({ data }) => expectTypeOf(data).toEqualTypeOf<unknown>() }),
    })
  })
})

describe('GraphQL subscriptions', () => {
  type Typed = DocumentNode & {
    __apiType?: (variables: { id: string }) => { articleChanged: { id: string; title: string } }
  }
  const live = graphqlSubscriptions({} as SubscriptionClient)

  test('have the type of their root field', () => {
    live.stream({} as Typed, {
      select: (article) => expectTypeOf(article).toEqualTypeOf<{ id: string; title: string }>(),
    })
    live.stream<{ id: string }>('subscription { changed { id } }', {
      select: (article) => expectTypeOf(article).toEqualTypeOf<{ id: string }>(),
    })
    live.stream('subscription { changed { id } }', {
      variables: ({ id }: { id: string }) => ({ id }),
      select: (article, { id }) => {
        expectTypeOf(article).toEqualTypeOf<unknown>()
        expectTypeOf(id).toEqualTypeOf<string>()
      },
    })
    // @ts-expect-error a subscription has no topics
    live.stream('subscription { changed { id } }', { topic: () => '' })
  })

  test('take clients of graphql-ws and graphql-sse', () => {
    graphqlSubscriptions(createSocketClient({ url: '' }))
    graphqlSubscriptions(() => createEventClient({ url: '' }))
    graphqlSubscriptions(createEventClient({ url: '', singleConnection: true }))
    // @ts-expect-error no client
    graphqlSubscriptions('wss://example.com')
  })
})
