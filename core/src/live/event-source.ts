import type { StreamSink } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { checkOptions } from './connection.js'
import type { Line, LineEvents, LiveOptions, Transport } from './connection.js'
import { Connections, displayOf } from './connections.js'
import { toReceiver } from './stream-options.js'
import type { StreamOptions } from './stream-options.js'

/** What of a browser's `EventSource` is used. */
export interface EventSourceLike {
  /** 0 while it connects, 1 while it is open, 2 when it gave up. */
  readonly readyState: number
  // The events of a platform have more members than are read here.
  // eslint-disable-next-line typescript/no-explicit-any
  addEventListener(type: string, listener: (event: any) => void): void
  close(): void
}

/** Makes an event source. */
export type EventSourceConstructor = new (
  url: string,
  init?: { withCredentials?: boolean },
) => EventSourceLike

/** One event that the server sent, as a stream gets it. `Events` has the type of the data by the name of the event. */
export type ServerEvent<Events> = {
  readonly [Name in keyof Events & string]: {
    /** The name of the event; `message` for one without. */
    readonly type: Name
    readonly data: Events[Name]
    /** The id of the last event that had one; empty when none had. */
    readonly id: string
  }
}[keyof Events & string]

/** What server-sent events may be told, besides what every connection may. */
export interface EventSourceOptions<Events = { message: unknown }> extends LiveOptions<ServerEvent<Events>> {
  /** The names of the events to listen to. @default `['message']`, which are those without a name */
  readonly events?: readonly (keyof Events & string)[] | undefined
  /** Sends cookies to another origin. @default false */
  readonly withCredentials?: boolean | undefined
  /**
   * Makes the data of an event of its text. `undefined` leaves it out.
   *
   * @param type - the name of the event
   * @default parses JSON
   */
  readonly parse?: ((text: string, type: keyof Events & string) => unknown) | undefined
  /**
   * Whether the server reads `Last-Event-ID` and sends what was missed: then nothing is made Stale after the browser has
   * reconnected by itself.
   *
   * @default false
   */
  readonly resumes?: boolean | undefined
  /** @default the platform's */
  readonly EventSource?: EventSourceConstructor | undefined
}

/** Server-sent events that were described by `eventSource`. */
export interface LiveEvents<Events> {
  /**
   * Makes an endpoint's `stream`, which gets these events.
   *
   * @see specification 6
   */
  stream<Args extends readonly unknown[]>(
    options?: StreamOptions<ServerEvent<Events>, Args>,
  ): (sink: StreamSink, ...args: Args) => () => void
}

/** An event as it came. */
interface RawEvent {
  readonly type: string
  readonly data: string
  readonly lastEventId: string
}

/**
 * Describes server-sent events, from which endpoints are kept fresh. There is one connection for each address and
 * Controller, opened when the first call is connected and closed after the last. The browser reconnects by itself; when it
 * gives up, it is tried again with a backoff. Holds no state itself, so that it can stand in a module.
 *
 * @param url - the address, or a function that gives it by the arguments of a call
 * @throws {SelfsameError} `definition-invalid` for a length that no timer waits. Connecting throws `transport-missing`
 *   where there is no EventSource
 * @see specification 6
 * @example
 * const changes = eventSource<{ created: Todo; updated: Todo; deleted: { id: number } }>('/todo/events', {
 *   events: ['created', 'updated', 'deleted'],
 * })
 *
 * const getTodos = todoResource.getList.extend({
 *   stream: changes.stream({
 *     schemas: { created: todoResource.getList.schema.push, updated: Todo, deleted: new schema.Delete(Todo) },
 *   }),
 * })
 */
export function eventSource<Events = { message: unknown }>(
  // The arguments are those of whatever endpoint uses it.
  // eslint-disable-next-line typescript/no-explicit-any
  url: string | ((...args: any) => string),
  options: EventSourceOptions<Events> = {},
): LiveEvents<Events> {
  const addressOf = typeof url === 'function' ? (url as (...args: readonly unknown[]) => string) : () => url
  checkOptions(typeof url === 'function' ? 'eventSource' : nameOf(url), options)
  const connections = new Connections<RawEvent, ServerEvent<Events>>()
  return {
    stream(streamOptions) {
      const { topic, refetch } = streamOptions ?? {}
      const receive = toReceiver(streamOptions ?? {}, ({ data }) => data)
      return (sink, ...args) => {
        const address = () => addressOf(...args)
        return connections.join(address(), () => createTransport(address, options), {
          sink,
          topic: topic?.(...args),
          refetch,
          subscription: undefined,
          receive: (message) => receive(message, sink, args),
        })
      }
    },
  }
}

const nameOf = (address: string) => `eventSource ${displayOf(address)}`

function createTransport<Events>(
  addressOf: () => string,
  options: EventSourceOptions<Events>,
): Transport<RawEvent, ServerEvent<Events>> {
  const name = nameOf(addressOf())
  const Constructor =
    options.EventSource ?? (globalThis as { readonly EventSource?: EventSourceConstructor }).EventSource
  if (Constructor === undefined) {
    throw errors.transportMissing(name, 'EventSource', '`eventSource(url, { EventSource })`')
  }
  const { withCredentials = false, parse = (text: string): unknown => JSON.parse(text) } = options
  return {
    name,
    options,
    parse({ type, data: text, lastEventId: id }) {
      const data = parse(text, type as keyof Events & string)
      // The names are those that were listened to.
      return data === undefined ? undefined : ({ type, data, id } as ServerEvent<Events>)
    },
    open: (events) => openLine(new Constructor(addressOf(), { withCredentials }), events, options),
  }
}

/** The values of `readyState`: the browser reconnects by itself, or it does not. */
const connecting = 0
const closed = 2

function openLine<Events>(
  source: EventSourceLike,
  events: LineEvents<RawEvent>,
  options: EventSourceOptions<Events>,
): Line {
  const names: readonly string[] = options.events ?? ['message']
  for (const name of names) source.addEventListener(name, (event: RawEvent) => events.received(event))
  source.addEventListener('open', () => events.opened())
  source.addEventListener('error', () => {
    // An event of the server may be named `error` as well; the connection is open then.
    if (source.readyState === closed) events.lost(false, 'the browser gave up')
    else if (source.readyState === connecting) events.interrupted(options.resumes === true)
  })
  return { send: () => {}, close: () => source.close() }
}
