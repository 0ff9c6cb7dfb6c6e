import type { StreamSink } from '../endpoint/endpoint.js'
import type { Schema } from '../schema/schema.js'

/**
 * When to make a call Stale because it may have missed messages, so that its mounted readers refetch it:
 *
 * - `'reconnect'`: when a lost connection opens again, and when a reader returns to the call
 * - `'open'`: also when the connection first opens. Then no change between the first response and the first message
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
      /** Stores a message in a custom way. An error that it throws is reported; the other messages are stored. */
      readonly apply: (message: Message, sink: StreamSink, ...args: Args) => void
      readonly select?: undefined
      readonly schema?: undefined
      readonly schemas?: undefined
    }

/**
 * Returns the function that stores one message.
 *
 * @param defaultSelect - replaces `select` if the options have none
 */
export function toReceiver<Message, Args extends readonly unknown[]>(
  options: StoredAs<Message, Args>,
  defaultSelect: (message: Message) => unknown,
): (message: Message, sink: StreamSink, args: Args) => void {
  if (options.apply !== undefined) {
    const { apply } = options
    return (message, sink, args) => apply(message, sink, ...args)
  }
  const { select = defaultSelect } = options
  const store = toStore(options)
  return (message, sink, args) => {
    const payload = select(message, ...args)
    if (payload !== undefined) store(sink, payload, message)
  }
}

type Store<Message> = (sink: StreamSink, payload: unknown, message: Message) => void

function toStore<Message, Args extends readonly unknown[]>(
  options: Exclude<StoredAs<Message, Args>, { readonly apply: unknown }>,
): Store<Message> {
  if (options.schemas !== undefined) {
    const { schemaAttribute = 'type' } = options
    const kindOf =
      typeof schemaAttribute === 'function'
        ? schemaAttribute
        : (message: Message) => String((message as Readonly<Record<string, unknown>>)[schemaAttribute])
    // A Map, because the server chooses the kind: it must not name members of a prototype.
    const schemas = new Map(Object.entries(options.schemas))
    return (sink, payload, message) => {
      const schema = schemas.get(kindOf(message))
      if (schema !== undefined) sink.set(schema, {}, payload)
    }
  }
  const { schema } = options
  if (schema === undefined) return (sink, payload) => sink.receive(payload)
  return (sink, payload) => sink.set(schema, {}, payload)
}
