import type { StreamSink } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { displayOf } from '../errors.js'
import { checkLiveOptions } from './connection.js'
import type { Line, LineEvents, LiveOptions, StreamTransport } from './connection.js'
import { Connections } from './connections.js'
import { toMember } from './stream-options.js'
import type { StreamOptions } from './stream-options.js'

/** The part of a browser's `EventSource` that is used here. */
export interface EventSourceLike {
  /** 0: connecting, 1: open, 2: closed, the browser stopped trying. */
  readonly readyState: number
  // The events of a platform have more members than the ones read here.
  // eslint-disable-next-line typescript/no-explicit-any
  addEventListener(type: string, listener: (event: any) => void): void
  close(): void
}

/** A constructor of event sources. */
export type EventSourceConstructor = new (
  url: string,
  init?: { withCredentials?: boolean },
) => EventSourceLike

/** An event of the server, as a stream receives it. `Events` maps the name of an event to the type of its data. */
export type ServerEvent<Events> = {
  readonly [Name in keyof Events & string]: {
    /** The name of the event; `message` if it has none. */
    readonly type: Name
    readonly data: Events[Name]
    /** The id of the last event with an id; an empty string if there was none. */
    readonly id: string
  }
}[keyof Events & string]

/** Options of `eventSource`: those of all connections, and these. */
export interface EventSourceOptions<Events = { message: unknown }> extends LiveOptions<ServerEvent<Events>> {
  /** The names of the events to listen for. @default `['message']`: events without a name */
  readonly events?: readonly (keyof Events & string)[] | undefined
  /** If `true`, sends cookies to other origins. @default false */
  readonly withCredentials?: boolean | undefined
  /**
   * Parses the data of an event. Return `undefined` to ignore the event.
   *
   * @param type - the name of the event
   * @default parses JSON
   */
  readonly parse?: ((text: string, type: keyof Events & string) => unknown) | undefined
  /**
   * Set it to `true` if the server reads `Last-Event-ID` and sends the missed events: then no call becomes Stale when
   * the browser reconnects by itself.
   *
   * @default false
   */
  readonly resumes?: boolean | undefined
  /** @default the platform's */
  readonly EventSource?: EventSourceConstructor | undefined
}

/** Server-sent events, as `eventSource` describes them. */
export interface LiveEvents<Events> {
  /**
   * Creates a `stream` for an endpoint, which receives these events.
   *
   * @see specification 6
   */
  stream<Args extends readonly unknown[]>(
    options?: StreamOptions<ServerEvent<Events>, Args>,
  ): (sink: StreamSink, ...args: Args) => () => void
}

/** An event of the platform. */
interface RawEvent {
  readonly type: string
  readonly data: string
  readonly lastEventId: string
}

/**
 * Describes server-sent events that keep endpoints fresh. Each Controller has one connection per address. The first
 * connected call opens it, and after the last one it closes. The browser reconnects by itself; if it stops trying, the
 * connection is retried with a backoff. The description has no state, so it can be created at the top of a module.
 *
 * @param url - the address, or a function of a call's arguments that returns it
 * @throws {SelfsameError} in development `definition-invalid` for a time that is negative or too long for a timer. Connecting throws
 *   `transport-missing` if the platform has no EventSource
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
  // The arguments are those of the endpoint that uses it.
  // eslint-disable-next-line typescript/no-explicit-any
  url: string | ((...args: any) => string),
  options: EventSourceOptions<Events> = {},
): LiveEvents<Events> {
  const addressOf = typeof url === 'function' ? (url as (...args: readonly unknown[]) => string) : () => url
  checkLiveOptions(typeof url === 'function' ? 'eventSource' : eventSourceName(url), options)
  const connections = new Connections<RawEvent, ServerEvent<Events>>()
  return {
    stream(streamOptions = {}) {
      const memberOf = toMember(streamOptions, ({ data }) => data)
      return (sink, ...args) => {
        const address = () => addressOf(...args)
        return connections.join(address(), () => createTransport(address, options), memberOf(sink, args))
      }
    },
  }
}

const eventSourceName = (address: string) => `eventSource ${displayOf(address)}`

function createTransport<Events>(
  addressOf: () => string,
  options: EventSourceOptions<Events>,
): StreamTransport<RawEvent, ServerEvent<Events>> {
  const name = eventSourceName(addressOf())
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
      // Only events with these names were listened for.
      return data === undefined ? undefined : ({ type, data, id } as ServerEvent<Events>)
    },
    open: (events) => openLine(new Constructor(addressOf(), { withCredentials }), events, options),
  }
}

/** Values of `readyState`: the browser reconnects by itself, or has given up. */
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
    // The server may name an event `error` too; then the connection is open.
    if (source.readyState === closed) events.lost(false, 'the browser gave up')
    else if (source.readyState === connecting) events.interrupted(options.resumes === true)
  })
  return { send: () => {}, close: () => source.close() }
}
