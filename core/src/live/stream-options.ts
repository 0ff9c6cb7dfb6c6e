import type { StreamSink } from '../endpoint/endpoint.js'
import type { Schema } from '../schema/schema.js'

/**
 * When a call is made Stale because messages may have been missed, so that its readers on screen fetch it:
 *
 * - `'reconnect'`: when a lost connection is open again, and when a reader comes back to the call
 * - `'open'`: then, and also when its messages begin to come. Nothing between the first answer and the first message is
 *   missed, at the price of a second request
 * - `'never'`: the server sends what was missed
 */
export type Refetch = 'reconnect' | 'open' | 'never'

/** What one endpoint does with the messages of a connection. */
export type StreamOptions<Message, Args extends readonly unknown[]> = {
  /**
   * The topic of a call, where the definition has a `topicOf`: it gets the messages of that topic only.
   *
   * @default it gets all messages
   */
  readonly topic?: ((...args: Args) => string) | undefined
  /** @default what the definition says: `'reconnect'` */
  readonly refetch?: Refetch | undefined
} & StoredAs<Message, Args>

/** How a message is stored. */
export type StoredAs<Message, Args extends readonly unknown[]> =
  | {
      /**
       * What of a message is stored: the response to the call, or what `schema` describes. `undefined` leaves the message
       * out.
       *
       * @default of a WebSocket the message, of server-sent events its data
       */
      readonly select?: ((message: Message, ...args: Args) => unknown) | undefined
      /**
       * What a message is, where it is not the whole response: one record, a list of them, `schema.Delete`, the `push` of a
       * Collection.
       *
       * @default the response to the call
       */
      readonly schema?: Schema | undefined
      readonly schemas?: undefined
      readonly apply?: undefined
    }
  | {
      readonly select?: ((message: Message, ...args: Args) => unknown) | undefined
      /** What messages of each kind are. Messages of another kind are left out. */
      readonly schemas: Readonly<Record<string, Schema>>
      /** The field of a message that names its kind, or a function that gives it. @default 'type' */
      readonly schemaAttribute?: (keyof Message & string) | ((message: Message) => string) | undefined
      readonly schema?: undefined
      readonly apply?: undefined
    }
  | {
      /** Stores a message in a way of its own. What it throws is reported, and the other messages are stored. */
      readonly apply: (message: Message, sink: StreamSink, ...args: Args) => void
      readonly select?: undefined
      readonly schema?: undefined
      readonly schemas?: undefined
    }

/**
 * Makes of options the function that stores one message.
 *
 * @param defaultSelect - what of a message is stored, where `select` does not say
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
    // A kind comes from the server: it finds no members of a prototype.
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
