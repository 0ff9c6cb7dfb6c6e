import type { StreamSink } from '../endpoint/endpoint.js'
import type { Fields } from '../schema/fields.js'
import type { Schema } from '../schema/schema.js'

/**
 * When to make a call Stale because it may have missed messages, so that its mounted readers refetch it:
 *
 * - `'reconnect'`: when a lost connection opens again, and when a reader returns to the call
 * - `'open'`: the same, and when the connection first opens. Then no change between the first response and the first message
 *   is missed, at the price of a second request
 * - `'never'`: not at all, because the server sends the missed messages
 */
export type Refetch = 'reconnect' | 'open' | 'never'

/** How one endpoint uses the messages of a connection. */
export type StreamOptions<Message, Args extends readonly unknown[]> = {
  /**
   * The topic of a call, if the definition has a `topicOf`: the call receives the messages of that topic only.
   *
   * @default the call receives all messages
   */
  readonly topic?: ((...args: Args) => string) | undefined
  /** @default that of the definition: `'reconnect'` */
  readonly refetch?: Refetch | undefined
} & StoredAs<Message, Args>

/** How to store a message. */
export type StoredAs<Message, Args extends readonly unknown[]> =
  | {
      /**
       * Returns the part of a message to store: the response to the call, or data of `schema`. Return `undefined` to
       * ignore the message.
       *
       * @default the message of a WebSocket; the data of a server-sent event
       */
      readonly select?: ((message: Message, ...args: Args) => unknown) | undefined
      /**
       * The schema of a message that is not the whole response: one record, a list of them, `schema.Delete`, the
       * `push` of a Collection.
       *
       * @default a message is the response to the call
       */
      readonly schema?: Schema | undefined
      readonly schemas?: undefined
      readonly apply?: undefined
    }
  | {
      readonly select?: ((message: Message, ...args: Args) => unknown) | undefined
      /** The schemas of messages, by kind. Messages of another kind are ignored. */
      readonly schemas: Readonly<Record<string, Schema>>
      /** The field of a message that names its kind, or a function that returns the kind. @default 'type' */
      readonly schemaAttribute?: (keyof Message & string) | ((message: Message) => string) | undefined
      readonly schema?: undefined
      readonly apply?: undefined
    }
  | {
      /** Stores a message in your own way. An error that it throws is reported; the other messages are stored. */
      readonly apply: (message: Message, sink: StreamSink, ...args: Args) => void
      readonly select?: undefined
      readonly schema?: undefined
      readonly schemas?: undefined
    }

/** The messages by which a call subscribes to its topic. */
export interface Subscription {
  /** Equal for calls that share one subscription. */
  readonly key: string
  readonly subscribe: unknown
  /** `undefined` sends nothing. */
  readonly unsubscribe: unknown
}

/** A connected call. */
export interface Member<Message> {
  readonly sink: StreamSink
  /** `undefined` receives all messages. */
  readonly topic: string | undefined
  readonly subscription: Subscription | undefined
  readonly refetch: Refetch | undefined
  /** Stores a message. */
  receive(message: Message): void
}

/**
 * Returns the function that makes the connected call of a sink.
 *
 * @param defaultSelect - replaces `select` if the options have none
 */
export function toMember<Message, Args extends readonly unknown[]>(
  options: StreamOptions<Message, Args>,
  defaultSelect: (message: Message) => unknown,
): (sink: StreamSink, args: Args, subscription?: Subscription) => Member<Message> {
  const { topic, refetch, apply, select = defaultSelect } = options
  const store = apply === undefined ? toStore(options) : undefined
  return (sink, args, subscription) => ({
    sink,
    topic: topic?.(...args),
    refetch,
    subscription,
    receive(message) {
      if (store === undefined) return apply?.(message, sink, ...args)
      const payload = select(message, ...args)
      if (payload !== undefined) store(sink, payload, message)
    },
  })
}

type StoreMessage<Message> = (sink: StreamSink, payload: unknown, message: Message) => void

function toStore<Message, Args extends readonly unknown[]>(
  options: StoredAs<Message, Args>,
): StoreMessage<Message> {
  const { schema } = options
  if (schema !== undefined) return (sink, payload) => sink.set(schema, {}, payload)
  if (options.schemas === undefined) return (sink, payload) => sink.receive(payload)
  const { schemaAttribute: kind = 'type' } = options
  // A Map, because the server chooses the kind: it must not name members of a prototype.
  const schemas = new Map(Object.entries(options.schemas))
  return (sink, payload, message) => {
    const found = typeof kind === 'function' ? kind(message) : String((message as Fields)[kind])
    const stored = schemas.get(found)
    if (stored !== undefined) sink.set(stored, {}, payload)
  }
}
