import type { StreamSink } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { displayOf, kindOf } from '../errors.js'
import type { Clock } from '../util/clock.js'
import { stableStringify } from '../util/stable-stringify.js'
import { jsonTextOf } from '../util/plain.js'
import { requireLengths } from './reconnect-delay.js'
import { checkLiveOptions } from './connection.js'
import type { Line, LineEvents, LiveOptions, StreamTransport } from './connection.js'
import { Connections } from './connections.js'
import { toMember } from './stream-options.js'
import type { StreamOptions, Subscription } from './stream-options.js'

/** The part of a browser's `WebSocket` that is used here. The one of the package `ws` fits too. */
export interface SocketLike {
  binaryType: string
  // The events of platforms have more members than the ones read here.
  // eslint-disable-next-line typescript/no-explicit-any
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: any) => void): void
  // Platforms differ in what they can send.
  // eslint-disable-next-line typescript/no-explicit-any
  send(data: any): void
  close(): void
}

/** The reason of a close. */
interface Close {
  readonly code: number
  readonly reason: string
}

/** A constructor of sockets. */
export type SocketConstructor = new (url: string, protocols?: string | string[]) => SocketLike

/** Detects a connection that is dead although it was not closed. */
export interface HeartbeatOptions {
  /** How often to check the connection, in milliseconds. */
  readonly everyMs: number
  /** The ping to send, or a function that returns it. @default none: the server sends pings */
  readonly message?: unknown
  /**
   * The connection counts as lost after this time without a message, unless one arrived since the last ping. In
   * milliseconds.
   *
   * @default two times `everyMs`
   */
  readonly timeoutMs?: number | undefined
}

/** Options of `webSocket`: those of all connections, and these. */
export interface WebSocketOptions<Message = unknown> extends LiveOptions<Message> {
  /** The subprotocols to request. */
  readonly protocols?: string | readonly string[] | undefined
  /**
   * Parses received data, a string or an ArrayBuffer. Return `undefined` to ignore the message.
   *
   * @default parses JSON
   */
  readonly parse?: ((data: unknown) => Message | undefined) | undefined
  /** Encodes a message. @default strings and binary data unchanged, everything else as JSON */
  readonly serialize?: ((message: unknown) => unknown) | undefined
  /** Returns the first message of each new connection, such as a token. @default none */
  readonly greet?: (() => unknown) | undefined
  /**
   * The connection counts as lost if the server does not accept it within this time, in milliseconds.
   *
   * @default the `timeoutMs` of the heartbeat, and 30000 without one
   */
  readonly timeoutMs?: number | undefined
  /** @default a connection is lost only when it is closed */
  readonly heartbeat?: HeartbeatOptions | undefined
  /**
   * Returns `true` if the server closed the connection for good: then it is not retried, and its calls get the error.
   *
   * @default always `false`
   */
  readonly isFinal?: ((close: Close) => boolean) | undefined
  /** @default the platform's */
  readonly WebSocket?: SocketConstructor | undefined
}

/** How one endpoint uses the messages of a socket. */
export type SocketStreamOptions<Message, Args extends readonly unknown[]> = StreamOptions<Message, Args> & {
  /** Returns the message that subscribes to the call. Equal messages are sent once. @default none */
  readonly subscribe?: ((...args: Args) => unknown) | undefined
  /** Returns the message that ends the subscription. @default none */
  readonly unsubscribe?: ((...args: Args) => unknown) | undefined
}

/** A WebSocket, as `webSocket` describes it. */
export interface LiveSocket<Message> {
  /**
   * Creates a `stream` for an endpoint, which receives the messages of this socket.
   *
   * @see specification 6
   */
  stream<Args extends readonly unknown[]>(
    options?: SocketStreamOptions<Message, Args>,
  ): (sink: StreamSink, ...args: Args) => () => void
}

/**
 * Describes a WebSocket that keeps endpoints fresh. All calls of one Controller share it. The first connected call
 * opens it, after the last one it closes, and it reconnects when it is lost. The description has no state, so it can
 * be created at the top of a module.
 *
 * @param url - the address, or a function that returns it for each attempt
 * @throws {SelfsameError} in development `definition-invalid` for a time that is negative or too long for a timer. Connecting throws
 *   `transport-missing` if the platform has no WebSocket
 * @see specification 6
 * @example
 * const socket = webSocket<PriceMessage>('wss://example.com/live', { topicOf: ({ symbol }) => symbol })
 *
 * const getPrice = new RestEndpoint({
 *   path: '/price/:symbol',
 *   schema: Price,
 *   stream: socket.stream({
 *     topic: ({ symbol }: { symbol: string }) => symbol,
 *     subscribe: ({ symbol }) => ({ subscribe: symbol }),
 *     unsubscribe: ({ symbol }) => ({ unsubscribe: symbol }),
 *   }),
 * })
 */
export function webSocket<Message = unknown>(
  url: string | (() => string),
  options: WebSocketOptions<Message> = {},
): LiveSocket<Message> {
  const name = typeof url === 'function' ? 'webSocket' : webSocketName(url)
  checkLiveOptions(name, options)
  const { timeoutMs, heartbeat } = options
  requireLengths(name, { timeoutMs })
  requireLengths(name, { everyMs: heartbeat?.everyMs, timeoutMs: heartbeat?.timeoutMs })
  const addressOf = typeof url === 'function' ? url : () => url
  const connections = new Connections<unknown, Message>()
  return {
    stream(streamOptions = {}) {
      const { subscribe, unsubscribe } = streamOptions
      const memberOf = toMember(streamOptions, (message) => message)
      return (sink, ...args) => {
        const subscription = toSubscription(subscribe?.(...args), unsubscribe?.(...args))
        const member = memberOf(sink, args, subscription)
        return connections.join('', () => createTransport(addressOf, options), member)
      }
    },
  }
}

const webSocketName = (address: string) => `webSocket ${displayOf(address)}`

function toSubscription(subscribe: unknown, unsubscribe: unknown): Subscription | undefined {
  if (subscribe === undefined) return undefined
  return { key: stableStringify(subscribe), subscribe, unsubscribe }
}

function createTransport<Message>(
  addressOf: () => string,
  options: WebSocketOptions<Message>,
): StreamTransport<unknown, Message> {
  const Constructor =
    options.WebSocket ?? (globalThis as { readonly WebSocket?: SocketConstructor }).WebSocket
  if (Constructor === undefined) {
    throw errors.transportMissing(
      webSocketName(addressOf()),
      'WebSocket',
      '`webSocket(url, { WebSocket })` with the WebSocket of the package ws',
    )
  }
  const { protocols, parse = parseJson as (data: unknown) => Message } = options
  let name = ''
  return {
    get name() {
      return name
    },
    options,
    parse,
    open(events, clock) {
      // Called once per attempt, because an address may contain a ticket that is valid once.
      const address = addressOf()
      name = webSocketName(address)
      const socket = new Constructor(
        address,
        typeof protocols === 'string' ? protocols : protocols && [...protocols],
      )
      return openLine(socket, events, clock, options)
    },
  }
}

/** Opens a line by one socket. */
function openLine<Message>(
  socket: SocketLike,
  events: LineEvents<unknown>,
  clock: Clock,
  options: WebSocketOptions<Message>,
): Line {
  const { serialize = toWire, greet, heartbeat, isFinal } = options
  const { timeoutMs = heartbeat === undefined ? 30_000 : silenceOf(heartbeat) } = options
  /** That of the handshake; when the connection is open, that of the heartbeat. */
  let timer: unknown
  /** When the last message arrived, in milliseconds since the epoch. */
  let heardAt = 0
  const send = (message: unknown) => socket.send(serialize(message))
  const close = () => {
    clock.clearTimeout(timer)
    socket.close()
  }
  const fail = (cause: unknown) => {
    close()
    events.lost(false, cause)
  }
  const listen = ({ everyMs, message, timeoutMs: silenceMs = 2 * everyMs }: HeartbeatOptions) => {
    heardAt = clock.now()
    /** When the last ping was sent, in milliseconds since the epoch; `Infinity` if the server sends pings. */
    let askedAt = message === undefined ? Infinity : heardAt
    const beat = () => {
      // Timers of a page in the background fire rarely, so a response since the last ping is enough, however old it
      // is.
      if (heardAt < askedAt && clock.now() - heardAt >= silenceMs)
        return fail(`nothing was heard for ${silenceMs} ms`)
      const ping: unknown = typeof message === 'function' ? (message as () => unknown)() : message
      if (ping !== undefined) {
        askedAt = clock.now()
        send(ping)
      }
      timer = clock.setTimeout(beat, everyMs)
    }
    timer = clock.setTimeout(beat, everyMs)
  }
  // The content of a Blob arrives later, out of order.
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('open', () => {
    clock.clearTimeout(timer)
    try {
      if (greet !== undefined) send(greet())
    } catch (error) {
      return fail(error)
    }
    if (heartbeat !== undefined) listen(heartbeat)
    events.opened()
  })
  socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
    if (heartbeat !== undefined) heardAt = clock.now()
    events.received(data)
  })
  socket.addEventListener('close', (reasons: Close) => {
    clock.clearTimeout(timer)
    // The reason is a text of the server.
    events.lost(isFinal?.(reasons) === true, `closed with ${reasons.code}`)
  })
  // A `close` event with all details follows. Without a listener, `ws` would throw.
  socket.addEventListener('error', () => {})
  timer = clock.setTimeout(() => fail(`it was not accepted within ${timeoutMs} ms`), timeoutMs)
  return { send, close }
}

/** The time without messages after which a connection counts as lost, in milliseconds. */
function silenceOf({ everyMs, timeoutMs = 2 * everyMs }: HeartbeatOptions): number {
  return timeoutMs
}

function parseJson(data: unknown): unknown {
  if (typeof data !== 'string') throw new TypeError(`JSON is text, and this is ${kindOf(data)}`)
  return JSON.parse(data)
}

function toWire(message: unknown): unknown {
  const isBinary =
    message instanceof ArrayBuffer ||
    ArrayBuffer.isView(message) ||
    (typeof Blob === 'function' && message instanceof Blob)
  return typeof message === 'string' || isBinary ? message : jsonTextOf(message)
}
