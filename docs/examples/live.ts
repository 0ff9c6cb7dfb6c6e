import { Endpoint, Entity, schema } from '@selfsame/core'
import { eventSource, webSocket } from '@selfsame/core/live'
import type {
  EventSourceConstructor,
  SocketConstructor,
} from '@selfsame/core/live'
import { RestEndpoint, createResource } from '@selfsame/core/rest'

// The examples of docs/live.md, with what connects passed in, so that they can
// be tested.

export class Price extends Entity {
  symbol = ''
  amount = 0
  override pk(): string {
    return this.symbol
  }
  static override readonly key = 'Price'
}

export class Todo extends Entity {
  id = 0
  title = ''
  static override readonly key = 'Todo'
}

interface PriceMessage {
  readonly symbol: string
  readonly amount: number
}

/** Something that is neither of the two. */
export interface Device {
  status(id: string): Promise<string>
  onStatus(id: string, listener: (status: string) => void): () => void
}

export function createExamples(
  WebSocket: SocketConstructor,
  EventSource: EventSourceConstructor,
  device: Device,
) {
  const socket = webSocket<PriceMessage>('wss://example.com/live', {
    topicOf: ({ symbol }) => symbol,
    WebSocket,
  })

  const getPrice = new RestEndpoint({
    path: '/price/:symbol',
    schema: Price,
    stream: socket.stream({
      topic: ({ symbol }: { symbol: string }) => symbol,
      subscribe: ({ symbol }) => ({ subscribe: symbol }),
      unsubscribe: ({ symbol }) => ({ unsubscribe: symbol }),
    }),
  })

  const getPrices = new RestEndpoint({
    path: '/price',
    schema: [Price],
    stream: socket.stream({
      subscribe: () => ({ subscribe: '*' }),
      schema: Price,
    }),
  })

  const todoResource = createResource({ path: '/todo/:id', schema: Todo })
  const changes = eventSource<{
    created: Todo
    updated: Todo
    deleted: { id: number }
  }>('/todo/events', {
    events: ['created', 'updated', 'deleted'],
    EventSource,
  })
  const getTodos = todoResource.getList.extend({
    stream: changes.stream({
      schemas: {
        created: todoResource.getList.schema.push,
        updated: Todo,
        deleted: new schema.Delete(Todo),
      },
    }),
  })

  const getStatus = new Endpoint(
    ({ id }: { id: string }) => device.status(id),
    {
      name: 'getStatus',
      stream: (sink, { id }) =>
        device.onStatus(id, (status) => sink.receive(status)),
    },
  )

  return { getPrice, getPrices, getTodos, getStatus }
}
