import type { StreamSink } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { kindOf } from '../errors.js'
import type { Clock } from '../util/clock.js'
import { stableStringify } from '../util/stable-stringify.js'
import { requireLengths } from './backoff.js'
import { checkOptions } from './connection.js'
import type { Line, LineEvents, LiveOptions, Subscription, Transport } from './connection.js'
import { Connections, displayOf } from './connections.js'
import { toReceiver } from './stream-options.js'
import type { StreamOptions } from './stream-options.js'

/** What of a browser's `WebSocket` is used. That of the package `ws` fits as well. */
export interface SocketLike {
  binaryType: string
  // The events of platforms have more members than are read here.
  // eslint-disable-next-line typescript/no-explicit-any
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: any) => void): void
  // What can be sent differs between platforms.
  // eslint-disable-next-line typescript/no-explicit-any
  send(data: any): void
  close(): void
}

/** How a socket was closed. */
interface Close {
  readonly code: number
  readonly reason: string
}

/** Makes a socket. */
export type SocketConstructor = new (url: string, protocols?: string | string[]) => SocketLike

/** Notices a connection that is dead without having been closed. */
export interface HeartbeatOptions {
  /** How often: milliseconds. */
  readonly everyMs: number
  /** The ping to send, or a function that makes it. @default nothing: the server pings */
  readonly message?: unknown
  /**
   * After what silence the connection counts as lost, unless the last `message` was answered: milliseconds.
   *
   * @default two times `everyMs`
   */
  readonly timeoutMs?: number | undefined
}

/** What a WebSocket may be told, besides what every connection may. */
export interface WebSocketOptions<Message = unknown> extends LiveOptions<Message> {
  /** The subprotocols to ask for. */
  readonly protocols?: string | readonly string[] | undefined
  /**
   * Makes a message of what was received: text, or an ArrayBuffer. `undefined` leaves it out.
   *
   * @default parses JSON
   */
  readonly parse?: ((data: unknown) => Message | undefined) | undefined
  /** Encodes a message. @default text and binary data as they are, everything else as JSON */
  readonly serialize?: ((message: unknown) => unknown) | undefined
  /** The first message of each new connection, such as a token. @default none */
  readonly greet?: (() => unknown) | undefined
  /**
   * How long a server may take to accept a connection before it counts as lost: milliseconds.
   *
   * @default the `timeoutMs` of the heartbeat, and 30000 without one
   */
  readonly timeoutMs?: number | undefined
  /** @default a connection is lost when it is closed */
  readonly heartbeat?: HeartbeatOptions | undefined
  /**
   * Whether the server closed the connection for good: then it is not tried again, and its calls have the error.
   *
   * @default it never does
   */
  readonly isFinal?: ((close: Close) => boolean) | undefined
  /** @default the platform's */
  readonly WebSocket?: SocketConstructor | undefined
}

/** What one endpoint does with a socket. */
export type SocketStreamOptions<Message, Args extends readonly unknown[]> = StreamOptions<Message, Args> & {
  /** The message that subscribes to the call; sent once for equal messages. @default none */
  readonly subscribe?: ((...args: Args) => unknown) | undefined
  /** The message that ends the subscription. @default none */
  readonly unsubscribe?: ((...args: Args) => unknown) | undefined
}

/** A socket that was described by `webSocket`. */
export interface LiveSocket<Message> {
  /**
   * Makes an endpoint's `stream`, which gets the messages of this socket.
   *
   * @see specification 6
   */
  stream<Args extends readonly unknown[]>(
    options?: SocketStreamOptions<Message, Args>,
  ): (sink: StreamSink, ...args: Args) => () => void
}

/**
 * Describes a WebSocket, from which endpoints are kept fresh. It is opened when the first call is connected, shared by all
 * calls of one Controller, closed after the last, and opened again when it is lost. Holds no state itself, so that it can
 * stand in a module.
 *
 * @param url - the address, or a function that gives it for each attempt
 * @throws {SelfsameError} `definition-invalid` for a length that no timer waits. Connecting throws `transport-missing`
 *   where there is no WebSocket
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
  const name = typeof url === 'function' ? 'webSocket' : nameOf(url)
  checkOptions(name, options)
  const { timeoutMs, heartbeat } = options
  requireLengths(name, { timeoutMs })
  requireLengths(name, { everyMs: heartbeat?.everyMs, timeoutMs: heartbeat?.timeoutMs })
  const addressOf = typeof url === 'function' ? url : () => url
  const connections = new Connections<unknown, Message>()
  return {
    stream(streamOptions) {
      const { topic, refetch, subscribe, unsubscribe } = streamOptions ?? {}
      const receive = toReceiver(streamOptions ?? {}, (message) => message)
      return (sink, ...args) =>
        connections.join('', () => createTransport(addressOf, options), {
          sink,
          topic: topic?.(...args),
          refetch,
          subscription: subscribe && toSubscription(subscribe(...args), unsubscribe?.(...args)),
          receive: (message) => receive(message, sink, args),
        })
    },
  }
}

const nameOf = (address: string) => `webSocket ${displayOf(address)}`

function toSubscription(subscribe: unknown, unsubscribe: unknown): Subscription | undefined {
  if (subscribe === undefined) return undefined
  return { key: stableStringify(subscribe), subscribe, unsubscribe }
}

function createTransport<Message>(
  addressOf: () => string,
  options: WebSocketOptions<Message>,
): Transport<unknown, Message> {
  const Constructor =
    options.WebSocket ?? (globalThis as { readonly WebSocket?: SocketConstructor }).WebSocket
  if (Constructor === undefined) {
    throw errors.transportMissing(
      nameOf(addressOf()),
      'WebSocket',
      '`webSocket(url, { WebSocket })`, with that of the package ws',
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
      // Asked once for each attempt: an address may have a ticket that serves once.
      const address = addressOf()
      name = nameOf(address)
      const socket = new Constructor(
        address,
        typeof protocols === 'string' ? protocols : protocols && [...protocols],
      )
      return new SocketLine(socket, events, clock, options)
    },
  }
}

/** What a socket does by itself. */
type SocketManner = Pick<WebSocketOptions, 'serialize' | 'greet' | 'heartbeat' | 'timeoutMs' | 'isFinal'>

/** One socket, from its opening to its end. */
class SocketLine implements Line {
  readonly #socket: SocketLike
  readonly #events: LineEvents<unknown>
  readonly #clock: Clock
  readonly #options: SocketManner
  /** Runs until the connection is open. */
  #handshake: unknown = undefined
  #heartbeat: unknown = undefined
  /** When something was heard last: milliseconds since the epoch. */
  #heardAt = 0
  /** When it was asked last to say something; `Infinity` where it is to speak by itself: milliseconds since the epoch. */
  #askedAt = 0

  constructor(socket: SocketLike, events: LineEvents<unknown>, clock: Clock, options: SocketManner) {
    this.#socket = socket
    this.#events = events
    this.#clock = clock
    this.#options = options
    // A Blob could only be read later, out of order.
    socket.binaryType = 'arraybuffer'
    socket.addEventListener('open', () => this.#opened())
    socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
      if (this.#heartbeat !== undefined) this.#heardAt = clock.now()
      events.received(data)
    })
    socket.addEventListener('close', (close: Close) => this.#closed(close))
    // A close follows, which says all there is to say; without a listener `ws` would throw.
    socket.addEventListener('error', () => {})
    this.#waitForHandshake()
  }

  send(message: unknown): void {
    const { serialize = toWire } = this.#options
    this.#socket.send(serialize(message))
  }

  close(): void {
    this.#stopTimers()
    this.#socket.close()
  }

  #waitForHandshake(): void {
    const { heartbeat, timeoutMs = heartbeat === undefined ? 30_000 : silenceOf(heartbeat) } = this.#options
    this.#handshake = this.#clock.setTimeout(() => {
      this.close()
      this.#events.lost(false, `it was not accepted within ${timeoutMs} ms`)
    }, timeoutMs)
  }

  #opened(): void {
    this.#stopTimers()
    const { greet, heartbeat } = this.#options
    try {
      if (greet !== undefined) this.send(greet())
    } catch (error) {
      this.close()
      this.#events.lost(false, error)
      return
    }
    if (heartbeat !== undefined) {
      this.#heardAt = this.#clock.now()
      this.#listen(heartbeat)
    }
    this.#events.opened()
  }

  #closed(close: Close): void {
    this.#stopTimers()
    const { code, reason } = close
    const cause = `closed with ${code}${reason === '' ? '' : ` (${reason})`}`
    this.#events.lost(this.#options.isFinal?.(close) === true, cause)
  }

  #listen(heartbeat: HeartbeatOptions): void {
    const { everyMs, message } = heartbeat
    const timeoutMs = silenceOf(heartbeat)
    this.#askedAt = message === undefined ? Infinity : this.#heardAt
    const beat = () => {
      // A page in the background has timers that fire rarely: what was answered since is no silence.
      const isAnswered = this.#heardAt >= this.#askedAt
      if (!isAnswered && this.#clock.now() - this.#heardAt >= timeoutMs) {
        this.close()
        this.#events.lost(false, `nothing was heard for ${timeoutMs} ms`)
        return
      }
      const text: unknown = typeof message === 'function' ? (message as () => unknown)() : message
      if (text !== undefined) {
        this.#askedAt = this.#clock.now()
        this.send(text)
      }
      this.#heartbeat = this.#clock.setTimeout(beat, everyMs)
    }
    this.#heartbeat = this.#clock.setTimeout(beat, everyMs)
  }

  #stopTimers(): void {
    if (this.#handshake !== undefined) this.#clock.clearTimeout(this.#handshake)
    if (this.#heartbeat !== undefined) this.#clock.clearTimeout(this.#heartbeat)
    this.#handshake = this.#heartbeat = undefined
  }
}

/** After what silence a connection counts as lost: milliseconds. */
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
  return typeof message === 'string' || isBinary ? message : JSON.stringify(message)
}
